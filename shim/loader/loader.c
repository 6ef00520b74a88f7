/* Loads LibTorch and the libctorch that was compiled for it, and leads the entries there, before main. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ctorch.h"
#include "loader/loader.h"

static bool load(const char *beside) {
  struct libtorch torch;
  struct text wrong = {""};
  if (!find_libtorch(beside, &torch, &wrong)) {
    loader_reason(false, "no LibTorch: %s", wrong.bytes);
    return false;
  }
  wrong.bytes[0] = '\0'; /* what was looked for before it was found */
  static const char *const folders[] = {"", "/ctorch"};
  for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
    char path[PATH_MAX + 64];
    snprintf(path, sizeof(path), "%s%s/libctorch-%d.%d.so", beside, folders[i], torch.major, torch.minor);
    if (access(path, F_OK) != 0) {
      text_add(&wrong, "%s %s", i == 0 ? "no" : ", no", path);
      continue;
    }
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    if (library == NULL) {
      loader_reason(false, "%s", dlerror());
      return false;
    }
    for (size_t j = 0; j < entries_len; j++) {
      void *function = dlsym(library, entries[j].name);
      if (function != NULL) {
        *entries[j].target = function;
      }
    }
    loader_reason(true, "%s", path);
    return true;
  }
  loader_reason(
      false, "%s is LibTorch %d.%d, for which there is no ctorch: %s", torch.library, torch.major, torch.minor,
      wrong.bytes);
  return false;
}

__attribute__((constructor)) static void start(void) {
  Dl_info self;
  char beside[PATH_MAX] = ".";
  static const char here;
  if (dladdr(&here, &self) != 0 && self.dli_fname != NULL && strchr(self.dli_fname, '/') != NULL) {
    snprintf(beside, sizeof(beside), "%s", self.dli_fname);
    *strrchr(beside, '/') = '\0';
  }
  if (!load(beside)) {
    answer_alone(entries, entries_len);
  }
}
