/* The classes and functions that a file of torch.save may name: those of Python's `weights_only=True`, and beyond them
 * what is as harmless because it is only described: classes of numbers and containers, NumPy's arrays. */
#include <string.h>

#include "ctorch.h"
#include "pickle/values.h"
#include "pt/load.h"
#include "pt/tensors.h"

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
    PLAIN("collections", "Counter", pickle_call_ordered_dict),
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
    PLAIN("numpy", "dtype", pickle_call_described),
    PLAIN("numpy", "ndarray", NULL),
    PLAIN("numpy.core.multiarray", "scalar", pt_call_numpy_scalar),
    PLAIN("numpy._core.multiarray", "scalar", pt_call_numpy_scalar),
    TENSOR("numpy.core.multiarray", "_reconstruct", pickle_call_described),
    TENSOR("numpy._core.multiarray", "_reconstruct", pickle_call_described),
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

bool pt_global_find(struct pickle_global *out, const char *module, const char *name) {
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

ctorch_error *pt_build(
    struct unpickler *self,
    ctorch_value **out_instead,
    bool *out_is_done,
    ctorch_value *object,
    const ctorch_value *state) {
  *out_is_done = true;
  if (ctorch_value_kind_of(object) == CTORCH_VALUE_TENSOR) {
    return pt_tensor_set_state(self, object, state);
  }
  if (!self->is_described && pt_is_numpy_array(object)) {
    return pt_numpy_array(self, out_instead, object, state);
  }
  *out_is_done = false;
  return NULL;
}
