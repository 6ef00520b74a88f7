/* Looks for LibTorch: in this process, where CTORCH_TORCH says, beside the loader, in the environment's Python. */
#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader/loader.h"

void text_add(struct text *self, const char *format, ...) {
  size_t len = strlen(self->bytes);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(self->bytes + len, sizeof(self->bytes) - len, format, arguments);
  va_end(arguments);
}

/* One more thing that was wrong. */
#define WRONG(self, format, ...) text_add(self, "%s" format, (self)->bytes[0] == '\0' ? "" : "; ", __VA_ARGS__)

/* The version that a file tells: `before` stands in front of it. */
static bool version_in_file(const char *path, const char *before, struct libtorch *out) {
  FILE *file = fopen(path, "re");
  if (file == NULL) {
    return false;
  }
  char line[512];
  bool found = false;
  while (!found && fgets(line, sizeof(line), file) != NULL) {
    found = strncmp(line, before, strlen(before)) == 0 &&
            sscanf(line + strlen(before), "%d.%d", &out->major, &out->minor) == 2;
  }
  fclose(file);
  return found;
}

/* The version of a loaded libtorch_cpu.so: it says so itself from 2.8 on, before that the files around it do. */
static bool version_of(void *handle, struct libtorch *out) {
  uint64_t (*abi_version)(void) = (uint64_t(*)(void))(uintptr_t)dlsym(handle, "aoti_torch_abi_version");
  if (abi_version != NULL) { /* a byte each for major and minor, from the top */
    uint64_t version = abi_version();
    out->major = (int)(version >> 56 & 0xFF);
    out->minor = (int)(version >> 48 & 0xFF);
    return true;
  }
  char real[PATH_MAX];
  if (realpath(out->library, real) == NULL) {
    return false;
  }
  const char *suffix = strstr(real, "libtorch_cpu.so."); /* Debian: libtorch_cpu.so.2.6 */
  if (suffix != NULL && sscanf(suffix, "libtorch_cpu.so.%d.%d", &out->major, &out->minor) == 2) {
    return true;
  }
  for (int up = 0; up < 2; up++) { /* <prefix>/lib/libtorch_cpu.so */
    char *slash = strrchr(real, '/');
    if (slash == NULL) {
      return false;
    }
    *slash = '\0';
  }
  char path[PATH_MAX + 32];
  snprintf(path, sizeof(path), "%s/version.py", real); /* Python's wheel */
  if (version_in_file(path, "__version__ = '", out)) {
    return true;
  }
  snprintf(path, sizeof(path), "%s/build-version", real); /* the archive without Python */
  return version_in_file(path, "", out);
}

/* Whether LibTorch is in this process, or else comes in from `library`. */
static bool take(const char *library, bool loaded, struct libtorch *out, struct text *wrong) {
  void *handle = dlopen(library, RTLD_LAZY | RTLD_GLOBAL | (loaded ? RTLD_NOLOAD : 0));
  if (handle == NULL) {
    if (!loaded) {
      WRONG(wrong, "%s", dlerror());
    }
    return false;
  }
  struct link_map *map = NULL;
  dlinfo(handle, RTLD_DI_LINKMAP, &map);
  snprintf(out->library, sizeof(out->library), "%s", map == NULL ? library : map->l_name);
  bool known = version_of(handle, out);
  if (!known) {
    WRONG(wrong, "no version of LibTorch in or around %s", out->library);
    dlclose(handle);
    return false;
  }
  /* It stays loaded. A build with CUDA has a second half, which libtorch.so brings. */
  char whole[PATH_MAX];
  snprintf(whole, sizeof(whole), "%s", out->library);
  char *name = strstr(whole, "libtorch_cpu.so");
  if (!loaded && name != NULL) {
    memcpy(name, "libtorch.so", sizeof("libtorch.so"));
    dlopen(whole, RTLD_LAZY | RTLD_GLOBAL); /* what it lacks, a call to it will tell */
  }
  return true;
}

/* The first libtorch_cpu.so that fits a pattern, by which an environment's folders are named. */
static bool take_pattern(struct libtorch *out, struct text *wrong, const char *format, ...) {
  char pattern[PATH_MAX];
  va_list arguments;
  va_start(arguments, format);
  int len = vsnprintf(pattern, sizeof(pattern), format, arguments);
  va_end(arguments);
  if (len < 0 || (size_t)len >= sizeof(pattern)) {
    return false;
  }
  glob_t paths;
  if (glob(pattern, 0, NULL, &paths) != 0) {
    WRONG(wrong, "no %s", pattern);
    return false;
  }
  bool taken = false;
  for (size_t i = 0; i < paths.gl_pathc && !taken; i++) {
    taken = take(paths.gl_pathv[i], false, out, wrong);
  }
  globfree(&paths);
  return taken;
}

/* In a folder that holds lib/, as CTORCH_TORCH may name it, or that holds such a folder. */
static bool take_prefix(const char *prefix, struct libtorch *out, struct text *wrong) {
  return take_pattern(out, wrong, "%s/lib*/libtorch_cpu.so", prefix) ||
         take_pattern(out, wrong, "%s/lib/*-linux-gnu*/libtorch_cpu.so", prefix) ||
         take_pattern(out, wrong, "%s/torch/lib*/libtorch_cpu.so", prefix) ||
         take_pattern(out, wrong, "%s/libtorch/lib*/libtorch_cpu.so", prefix);
}

static bool take_python(const char *prefix, struct libtorch *out, struct text *wrong) {
  return take_pattern(out, wrong, "%s/lib/python3*/*-packages/torch/lib/libtorch_cpu.so", prefix);
}

/* The Python that stands first on PATH. */
static bool take_path(struct libtorch *out, struct text *wrong) {
  const char *path = secure_getenv("PATH");
  while (path != NULL && *path != '\0') {
    size_t len = strcspn(path, ":");
    char python[PATH_MAX];
    if (len > 0 && len + sizeof("/python3") < sizeof(python)) {
      snprintf(python, sizeof(python), "%.*s/python3", (int)len, path);
      if (access(python, X_OK) == 0) {
        char folder[PATH_MAX];
        snprintf(folder, sizeof(folder), "%.*s/..", (int)len, path);
        return take_python(folder, out, wrong);
      }
    }
    path += len + (path[len] == ':');
  }
  return false;
}

bool find_libtorch(const char *beside, struct libtorch *out, struct text *wrong) {
  if (take("libtorch_cpu.so", true, out, wrong)) {
    return true;
  }
  const char *given = secure_getenv("CTORCH_TORCH");
  if (given != NULL && *given != '\0') {
    if (take_prefix(given, out, wrong)) {
      return true;
    }
    text_add(wrong, " (CTORCH_TORCH says %s, so that nothing else was looked for)", given);
    return false;
  }
  if (take_pattern(out, wrong, "%s/libtorch_cpu.so", beside) ||
      take_pattern(out, wrong, "%s/torch/lib/libtorch_cpu.so", beside)) {
    return true;
  }
  static const char *const environments[] = {"VIRTUAL_ENV", "CONDA_PREFIX"};
  for (size_t i = 0; i < sizeof(environments) / sizeof(environments[0]); i++) {
    const char *folder = secure_getenv(environments[i]);
    if (folder != NULL && *folder != '\0' && take_python(folder, out, wrong)) {
      return true;
    }
  }
  return take_path(out, wrong) || take("libtorch_cpu.so", false, out, wrong);
}
