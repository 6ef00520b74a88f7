/* Naming classes and functions: what stands for them, and asking for those that are in no table. */
#include "pickle/globals.h"

#include <stdlib.h>
#include <string.h>

#include "base/callback.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/python.h"
#include "ctorch.h"
#include "pickle/values.h"

/* Beyond 16 times the file, what calls may make of a pickle: what torch.save writes for a tensor is mostly more than
 * what is made of it. */
#define LEAST_BUDGET (UINT64_C(64) << 20)

void unpickler_begin(struct unpickler *self) {
  const uint64_t nbytes = ctorch_reader_nbytes(self->reader);
  self->budget = nbytes > UINT64_MAX / 32 ? UINT64_MAX / 2 : 16 * nbytes + LEAST_BUDGET;
  self->answers = NULL;
}

void unpickler_end(struct unpickler *self) {
  value_unref(self->answers);
  value_collect(self->kept, self->kept_len, NULL);
  for (size_t i = 0; i < self->kept_len; i++) {
    value_unref(self->kept[i]);
  }
  free(self->kept);
}

/* What things were called in Python 2, and are in files that Python 3 writes for both. */
static void rename_old(const char **module, const char **name) {
  static const char *const modules[][2] = {{"__builtin__", "builtins"}, {"copy_reg", "copyreg"}};
  static const char *const builtins[][2] = {{"long", "int"}, {"unicode", "str"}, {"xrange", "range"}};
  for (size_t i = 0; strcmp(*module, "__builtin__") == 0 && i < sizeof builtins / sizeof *builtins; i++) {
    if (strcmp(builtins[i][0], *name) == 0) {
      *name = builtins[i][1];
    }
  }
  for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
    if (strcmp(modules[i][0], *module) == 0) {
      *module = modules[i][1];
    }
  }
}

/* A value of torch that has a name: torch.float32, torch.channels_last. */
static bool named_value(ctorch_error **error, ctorch_value **out, const char *module, const char *name) {
  static const struct {
    const char *name;
    ctorch_memory_format format;
  } formats[] = {
      {"channels_last", CTORCH_MEMORY_FORMAT_CHANNELS_LAST},
      {"channels_last_3d", CTORCH_MEMORY_FORMAT_CHANNELS_LAST_3D},
      {"contiguous_format", CTORCH_MEMORY_FORMAT_CONTIGUOUS},
      {"preserve_format", CTORCH_MEMORY_FORMAT_PRESERVE},
  };
  if (strcmp(module, "torch") != 0) {
    return false;
  }
  const char *known = NULL;
  for (ctorch_dtype dtype = 0; (known = ctorch_dtype_name(dtype)) != NULL; dtype++) {
    if (strcmp(known, name) == 0) {
      *error = ctorch_value_from_dtype(out, dtype);
      return true;
    }
  }
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    if (strcmp(formats[i].name, name) == 0) {
      *error = ctorch_value_from_memory_format(out, formats[i].format);
      return true;
    }
  }
  return false;
}

/* Modules whose functions are refused whoever allows them, as Python has it. */
static bool is_blocked(const char *module) {
  return strcmp(module, "os") == 0 || strcmp(module, "posix") == 0 || strcmp(module, "nt") == 0 ||
         strcmp(module, "sys") == 0;
}

/* Ask the callback, once for each name. `known` is "module name". */
static ctorch_error *ask(struct unpickler *self, bool *out, const char *module, const char *name, const char *known) {
  ctorch_value *answer = NULL;
  ctorch_error *failure = NULL;
  if (self->allows_any || self->allow == NULL || is_blocked(module)) {
    *out = self->allows_any && !is_blocked(module);
    return NULL;
  }
  if (self->answers == NULL) {
    CTORCH_TRY(pickle_empty(&answer, CTORCH_VALUE_DICT));
    self->answers = value_take(answer);
  }
  ctorch_value *key = NULL;
  CTORCH_TRY(ctorch_value_from_string(&key, known));
  bool is_known = false;
  ctorch_error *error = ctorch_value_dict_contains(&is_known, self->answers, key);
  ctorch_value_release(key);
  CTORCH_TRY(error);
  answer = NULL;
  if (is_known) {
    CTORCH_TRY(ctorch_value_dict_at(&answer, self->answers, known));
    error = ctorch_value_to_bool(out, answer);
    ctorch_value_release(answer);
    return error;
  }
  bool is_allowed = false;
  const ctorch_callback_status status = self->allow(&is_allowed, module, name, &failure, self->payload);
  CTORCH_TRY(callback_error(self->function, "allow", status, failure));
  CTORCH_TRY(ctorch_value_from_bool(&answer, is_allowed));
  error = ctorch_value_dict_put(self->answers, known, answer);
  ctorch_value_release(answer);
  *out = is_allowed;
  return error;
}

/* The functions whose callers can allow more. */
#define LOADS "ctorch_serialization_load"

static ctorch_error *refuse(const struct unpickler *self, const char *module, const char *name) {
  return is_blocked(module)
             ? pickle_error(
                   self, "'%.200s.%.200s' is refused: nothing of module '%s' may be in a file", module, name, module)
             : pickle_error(
                   self, "'%.200s.%.200s' is not among the classes and functions that may be in a file%s", module, name,
                   strncmp(self->function, LOADS, strlen(LOADS)) == 0
                       ? "; if the file is to be trusted with it, allow it where the file is loaded "
                         "(ctorch_serialization_load_with; `allow` in other languages)"
                       : "");
}

/* `known` is "module name". */
static ctorch_error *value_of(
    struct unpickler *self, ctorch_value **out, const char *module, const char *name, const char *known) {
  struct pickle_global global;
  ctorch_error *error = NULL;
  bool is_allowed = false;
  rename_old(&module, &name);
  if (named_value(&error, out, module, name)) {
    return error;
  }
  if (!self->find(&global, module, name)) {
    CTORCH_TRY(ask(self, &is_allowed, module, name, known));
    if (!is_allowed) {
      return refuse(self, module, name);
    }
  }
  return pickle_refuse(self, ctorch_value_from_python_object(out, module, name, NULL, NULL, NULL));
}

ctorch_error *pickle_global_value(
    struct unpickler *self,
    ctorch_value **out,
    const char *module,
    size_t module_len,
    const char *name,
    size_t name_len) {
  if (memchr(module, '\0', module_len) != NULL || memchr(name, '\0', name_len) != NULL) {
    return pickle_error(self, "a name with NUL inside");
  }
  /* "module\0name\0module name\0" */
  const size_t all = 2 * (module_len + name_len + 2);
  char *names = malloc(all);
  if (names == NULL) {
    return error_memory(self->function, all);
  }
  char *own_name = names + module_len + 1, *known = own_name + name_len + 1;
  memcpy(names, module, module_len);
  names[module_len] = '\0';
  memcpy(own_name, name, name_len);
  own_name[name_len] = '\0';
  memcpy(known, names, module_len);
  known[module_len] = ' ';
  memcpy(known + module_len + 1, own_name, name_len + 1);
  ctorch_error *error = ctorch_value_from_string(out, known); /* whether it is UTF-8 */
  if (error == NULL) {
    ctorch_value_release(*out);
    *out = NULL;
    error = value_of(self, out, names, own_name, known);
  } else {
    error = pickle_refuse(self, error);
  }
  free(names);
  return error;
}
