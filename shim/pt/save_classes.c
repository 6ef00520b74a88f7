/* The classes and functions that torch.load makes and calls with weights_only=True. */
#include <string.h>

#include "pt/save.h"

#define LEN(array) (sizeof(array) / sizeof *(array))

static const char *const storage_classes[] = {
    [CTORCH_DTYPE_UINT8] = "ByteStorage",
    [CTORCH_DTYPE_INT8] = "CharStorage",
    [CTORCH_DTYPE_INT16] = "ShortStorage",
    [CTORCH_DTYPE_INT32] = "IntStorage",
    [CTORCH_DTYPE_INT64] = "LongStorage",
    [CTORCH_DTYPE_FLOAT16] = "HalfStorage",
    [CTORCH_DTYPE_FLOAT32] = "FloatStorage",
    [CTORCH_DTYPE_FLOAT64] = "DoubleStorage",
    [CTORCH_DTYPE_COMPLEX64] = "ComplexFloatStorage",
    [CTORCH_DTYPE_COMPLEX128] = "ComplexDoubleStorage",
    [CTORCH_DTYPE_BOOL] = "BoolStorage",
    [CTORCH_DTYPE_QINT8] = "QInt8Storage",
    [CTORCH_DTYPE_QUINT8] = "QUInt8Storage",
    [CTORCH_DTYPE_QINT32] = "QInt32Storage",
    [CTORCH_DTYPE_BFLOAT16] = "BFloat16Storage",
    [CTORCH_DTYPE_QUINT4X2] = "QUInt4x2Storage",
    [CTORCH_DTYPE_QUINT2X4] = "QUInt2x4Storage",
};

const char *pt_storage_class(ctorch_dtype dtype) {
  return dtype >= 0 && (size_t)dtype < LEN(storage_classes) ? storage_classes[dtype] : NULL;
}

/* Tensors and storages as PyTorch had them when each dtype had classes of its own. */
static bool is_legacy_class(const char *module, const char *name) {
  static const char *const modules[] = {"torch", "torch.cuda", "torch.sparse", "torch.cuda.sparse"};
  static const char *const dtypes[] = {"Double", "Float", "Half", "BFloat16", "Long",
                                       "Int",    "Short", "Char", "Byte",     "Bool"};
  bool is_module = false;
  for (size_t i = 0; i < LEN(modules); i++) {
    is_module = is_module || strcmp(module, modules[i]) == 0;
  }
  for (size_t i = 0; is_module && i < LEN(dtypes); i++) {
    size_t len = strlen(dtypes[i]);
    if (strncmp(name, dtypes[i], len) == 0 &&
        (strcmp(name + len, "Tensor") == 0 ||
         (strcmp(name + len, "Storage") == 0 && strstr(module, "sparse") == NULL))) {
      return true;
    }
  }
  return false;
}

bool pt_class_is_allowed(const char *module, const char *name) {
  static const struct {
    const char *module, *name;
  } allowed[] = {
      {"_codecs", "encode"},
      {"builtins", "bytearray"},
      {"builtins", "complex"},
      {"builtins", "set"},
      {"collections", "Counter"},
      {"collections", "OrderedDict"},
      {"torch", "Size"},
      {"torch", "Tensor"},
      {"torch", "device"},
      {"torch", "per_channel_affine"},
      {"torch", "per_channel_affine_float_qparams"},
      {"torch", "per_channel_symmetric"},
      {"torch", "per_tensor_affine"},
      {"torch", "per_tensor_symmetric"},
      {"torch._tensor", "_rebuild_from_type_v2"},
      {"torch._utils", "_rebuild_device_tensor_from_cpu_tensor"},
      {"torch._utils", "_rebuild_device_tensor_from_numpy"},
      {"torch._utils", "_rebuild_meta_tensor_no_storage"},
      {"torch._utils", "_rebuild_nested_tensor"},
      {"torch._utils", "_rebuild_parameter"},
      {"torch._utils", "_rebuild_parameter_with_state"},
      {"torch._utils", "_rebuild_qtensor"},
      {"torch._utils", "_rebuild_sparse_tensor"},
      {"torch._utils", "_rebuild_tensor"},
      {"torch._utils", "_rebuild_tensor_v2"},
      {"torch._utils", "_rebuild_tensor_v3"},
      {"torch._utils", "_rebuild_wrapper_subclass"},
      {"torch.nn.parameter", "Parameter"},
      {"torch.serialization", "_get_layout"},
      {"torch.storage", "TypedStorage"},
      {"torch.storage", "UntypedStorage"},
  };
  for (size_t i = 0; i < LEN(allowed); i++) {
    if (strcmp(module, allowed[i].module) == 0 && strcmp(name, allowed[i].name) == 0) {
      return true;
    }
  }
  if (strcmp(module, "torch") == 0) {
    for (ctorch_dtype dtype = 0; ctorch_dtype_name(dtype) != NULL; dtype++) {
      const char *storage = pt_storage_class(dtype);
      if (strcmp(name, ctorch_dtype_name(dtype)) == 0 || (storage != NULL && strcmp(name, storage) == 0)) {
        return true;
      }
    }
  }
  return is_legacy_class(module, name);
}

static bool is_dict(const char *module, const char *name) {
  return strcmp(module, "collections") == 0 && (strcmp(name, "OrderedDict") == 0 || strcmp(name, "Counter") == 0);
}

bool pt_class_may_have_items(const char *module, const char *name) { return is_dict(module, name); }

bool pt_class_may_have_state(const char *module, const char *name) {
  return is_dict(module, name) || (strcmp(module, "torch.nn.parameter") == 0 && strcmp(name, "Parameter") == 0) ||
         (strcmp(module, "torch") == 0 && strcmp(name, "Tensor") == 0);
}
