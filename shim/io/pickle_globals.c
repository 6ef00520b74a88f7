/* The classes and functions that a pickle may name: those of Python's `weights_only=True`, and beyond them what is as
 * harmless because it is only described: classes of numbers and containers, NumPy's arrays. */
#include "pickle_globals.h"

#include <stdlib.h>
#include <string.h>

#include "ctorch.h"
#include "error.h"
#include "held.h"
#include "module.h"
#include "pickle_values.h"

#define PLAIN(module, name, call) {module, name, call, false, -1}
#define TENSOR(module, name, call) {module, name, call, true, -1}

static const struct pickle_global globals[] = {
    PLAIN("_codecs", "encode", pickle_call_encode),
    PLAIN("builtins", "bytes", pickle_call_bytes),
    PLAIN("builtins", "bytearray", pickle_call_bytearray),
    PLAIN("builtins", "complex", pickle_call_complex),
    PLAIN("builtins", "set", pickle_call_set),
    PLAIN("builtins", "frozenset", pickle_call_frozenset),
    PLAIN("builtins", "bool", NULL),
    PLAIN("builtins", "dict", NULL),
    PLAIN("builtins", "float", NULL),
    PLAIN("builtins", "int", NULL),
    PLAIN("builtins", "list", NULL),
    PLAIN("builtins", "object", NULL),
    PLAIN("builtins", "str", NULL),
    PLAIN("builtins", "tuple", NULL),
    PLAIN("collections", "Counter", pickle_call_counter),
    PLAIN("collections", "OrderedDict", pickle_call_ordered_dict),
    PLAIN("collections", "defaultdict", pickle_call_defaultdict),
    PLAIN("copyreg", "__newobj__", pickle_call_newobj),
    PLAIN("copyreg", "_reconstructor", pickle_call_reconstructor),
    PLAIN("torch", "Size", pickle_call_size),
    PLAIN("torch", "device", pickle_call_device),
    PLAIN("torch", "per_channel_affine", NULL),
    PLAIN("torch", "per_channel_affine_float_qparams", NULL),
    PLAIN("torch", "per_channel_symmetric", NULL),
    PLAIN("torch", "per_tensor_affine", NULL),
    PLAIN("torch", "per_tensor_symmetric", NULL),
    PLAIN("torch.serialization", "_get_layout", pickle_call_layout),
    TENSOR("torch", "Tensor", pt_call_legacy_tensor),
    TENSOR("torch._tensor", "_rebuild_from_type_v2", pt_call_from_type),
    TENSOR("torch.tensor", "_rebuild_from_type_v2", pt_call_from_type),
    TENSOR("torch._utils", "_rebuild_device_tensor_from_cpu_tensor", pt_call_device_tensor),
    TENSOR("torch._utils", "_rebuild_device_tensor_from_numpy", pt_call_device_tensor),
    TENSOR("torch._utils", "_rebuild_xla_tensor", pt_call_device_tensor),
    TENSOR("torch._utils", "_rebuild_meta_tensor_no_storage", pt_call_meta),
    TENSOR("torch._utils", "_rebuild_nested_tensor", pt_call_nested),
    TENSOR("torch._utils", "_rebuild_parameter", pt_call_parameter),
    TENSOR("torch._utils", "_rebuild_parameter_with_state", pt_call_parameter),
    TENSOR("torch._utils", "_rebuild_qtensor", pt_call_qtensor),
    TENSOR("torch._utils", "_rebuild_sparse_tensor", pt_call_sparse),
    TENSOR("torch._utils", "_rebuild_tensor", pt_call_tensor),
    TENSOR("torch._utils", "_rebuild_tensor_v2", pt_call_tensor_v2),
    TENSOR("torch._utils", "_rebuild_tensor_v3", pt_call_tensor_v3),
    PLAIN("torch._utils", "_rebuild_wrapper_subclass", pickle_call_described),
    TENSOR("torch.nn.parameter", "Parameter", pt_call_parameter_class),
    TENSOR("torch.nn.parameter", "Buffer", NULL),
    TENSOR("torch.autograd.variable", "Variable", pt_call_parameter_class),
    PLAIN("numpy", "dtype", pt_call_numpy_dtype),
    PLAIN("numpy", "ndarray", NULL),
    PLAIN("numpy.core.multiarray", "scalar", pt_call_numpy_scalar),
    PLAIN("numpy._core.multiarray", "scalar", pt_call_numpy_scalar),
    TENSOR("numpy.core.multiarray", "_reconstruct", pt_call_numpy_reconstruct),
    TENSOR("numpy._core.multiarray", "_reconstruct", pt_call_numpy_reconstruct),
    TENSOR("numpy.core.numeric", "_frombuffer", pt_call_numpy_frombuffer),
    TENSOR("numpy._core.numeric", "_frombuffer", pt_call_numpy_frombuffer),
};

/* Element types in the names of classes: FloatStorage, torch.cuda.FloatTensor. */
static const struct {
  const char *name;
  ctorch_dtype dtype;
  bool has_tensors;
} element_types[] = {
    {"BFloat16", CTORCH_DTYPE_BFLOAT16, true},
    {"Bool", CTORCH_DTYPE_BOOL, true},
    {"Byte", CTORCH_DTYPE_UINT8, true},
    {"Char", CTORCH_DTYPE_INT8, true},
    {"ComplexDouble", CTORCH_DTYPE_COMPLEX128, false},
    {"ComplexFloat", CTORCH_DTYPE_COMPLEX64, false},
    {"Double", CTORCH_DTYPE_FLOAT64, true},
    {"Float", CTORCH_DTYPE_FLOAT32, true},
    {"Half", CTORCH_DTYPE_FLOAT16, true},
    {"Int", CTORCH_DTYPE_INT32, true},
    {"Long", CTORCH_DTYPE_INT64, true},
    {"QInt32", CTORCH_DTYPE_QINT32, false},
    {"QInt8", CTORCH_DTYPE_QINT8, false},
    {"QUInt2x4", CTORCH_DTYPE_QUINT2X4, false},
    {"QUInt4x2", CTORCH_DTYPE_QUINT4X2, false},
    {"QUInt8", CTORCH_DTYPE_QUINT8, false},
    {"Short", CTORCH_DTYPE_INT16, true},
};

/* The element type of a class whose name ends so; -1 if it is none. */
static ctorch_dtype element_type(const char *name, const char *ending, bool is_tensor) {
  const size_t len = strlen(name), ending_len = strlen(ending);
  if (len <= ending_len || strcmp(name + len - ending_len, ending) != 0) {
    return -1;
  }
  for (size_t i = 0; i < sizeof element_types / sizeof *element_types; i++) {
    if (strlen(element_types[i].name) == len - ending_len &&
        strncmp(element_types[i].name, name, len - ending_len) == 0) {
      return is_tensor && !element_types[i].has_tensors ? -1 : element_types[i].dtype;
    }
  }
  return -1;
}

static bool is_torch(const char *module) { return strcmp(module, "torch") == 0 || strncmp(module, "torch.", 6) == 0; }

static bool is_sparse(const char *module) {
  return strcmp(module, "torch.sparse") == 0 || strcmp(module, "torch.cuda.sparse") == 0;
}

bool pickle_global_find(struct pickle_global *out, const char *module, const char *name) {
  for (size_t i = 0; i < sizeof globals / sizeof *globals; i++) {
    if (strcmp(globals[i].module, module) == 0 && strcmp(globals[i].name, name) == 0) {
      *out = globals[i];
      return true;
    }
  }
  if (!is_torch(module)) {
    return false;
  }
  const ctorch_dtype stored = element_type(name, "Storage", false), held = element_type(name, "Tensor", true);
  if (stored >= 0) {
    *out = (struct pickle_global){module, name, NULL, false, stored};
    return true;
  }
  if (strcmp(module, "torch.storage") == 0 &&
      (strcmp(name, "UntypedStorage") == 0 || strcmp(name, "TypedStorage") == 0 ||
       strcmp(name, "_UntypedStorage") == 0)) {
    *out = (struct pickle_global){module, name, NULL, false, CTORCH_DTYPE_UINT8};
    return true;
  }
  if (held >= 0 && (is_sparse(module) || strcmp(module, "torch") == 0 || strcmp(module, "torch.cuda") == 0)) {
    *out = (struct pickle_global){
        module, name, is_sparse(module) ? pt_call_legacy_sparse : pt_call_legacy_tensor, true, held};
    return true;
  }
  return false;
}

bool pickle_global_of(struct pickle_global *out, const ctorch_value *value) {
  const char *module = ctorch_value_python_module(value), *name = ctorch_value_python_name(value);
  return ctorch_value_kind_of(value) == CTORCH_VALUE_PYTHON_OBJECT && pickle_global_find(out, module, name);
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
  if (self->allow == NULL || is_blocked(module)) {
    *out = false;
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
  CTORCH_TRY(module_callback_error(self->function, "allow", status, failure));
  CTORCH_TRY(ctorch_value_from_bool(&answer, is_allowed));
  error = ctorch_value_dict_put(self->answers, known, answer);
  ctorch_value_release(answer);
  *out = is_allowed;
  return error;
}

static ctorch_error *refuse(const struct unpickler *self, const char *module, const char *name) {
  return is_blocked(module)
             ? pickle_error(
                   self, "'%.200s.%.200s' is refused: nothing of module '%s' may be in a file", module, name, module)
             : pickle_error(
                   self,
                   "'%.200s.%.200s' is not among the classes and functions that may be in a file; if the file is to be "
                   "trusted with it, the allow callback of ctorch_serialization_load_with can allow it",
                   module, name);
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
  if (!pickle_global_find(&global, module, name)) {
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
