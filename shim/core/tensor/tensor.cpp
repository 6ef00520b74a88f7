// Tensors: making them and reading them. Accessors read the TensorImpl itself: going through an operator costs 30 times
// as much.
#include "ctorch/tensor/tensor.h"

#include <ATen/ScalarOps.h>
#include <ATen/ops/_indices_ops.h>
#include <ATen/ops/_values_ops.h>
#include <ATen/ops/ccol_indices_ops.h>
#include <ATen/ops/clone_ops.h>
#include <ATen/ops/col_indices_ops.h>
#include <ATen/ops/contiguous_ops.h>
#include <ATen/ops/crow_indices_ops.h>
#include <ATen/ops/empty_ops.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/item_ops.h>
#include <ATen/ops/q_per_channel_scales_ops.h>
#include <ATen/ops/q_per_channel_zero_points_ops.h>
#include <ATen/ops/resolve_conj_ops.h>
#include <ATen/ops/resolve_neg_ops.h>
#include <ATen/ops/row_indices_ops.h>
#include <ATen/ops/scalar_tensor_ops.h>
#include <ATen/ops/set_ops.h>
#include <ATen/ops/to_ops.h>
#include <ATen/ops/values_ops.h>
#include <string.h>

#include <algorithm>
#include <vector>

#include "core/abi/callback.hpp"
#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/to.hpp"
#include "core/func/func.hpp"

using namespace ctorch;

namespace {

/// Bytes of a tensor; a negative or overflowing shape is refused.
size_t checked_nbytes(const int64_t *sizes, size_t sizes_len, ctorch_dtype dtype) {
  auto nbytes = static_cast<int64_t>(ctorch_dtype_itemsize(dtype));
  bool overflow = false, empty = false;
  for (size_t i = 0; i < sizes_len; i++) {
    if (sizes[i] < 0) {
      fail_argument("sizes", "negative size " + std::to_string(sizes[i]) + " of dimension " + std::to_string(i));
    }
    empty |= sizes[i] == 0;
    overflow |= __builtin_mul_overflow(nbytes, sizes[i], &nbytes);
  }
  if (empty) {
    return 0;
  }
  if (overflow) {
    fail_argument("sizes", "more elements than memory can address");
  }
  return static_cast<size_t>(nbytes);
}

/// The dtype of elements that lie in memory. A quantized tensor needs scales beside them: LibTorch would make one
/// without, and read them from where they are not.
at::ScalarType element_dtype(ctorch_dtype dtype) {
  const at::ScalarType type = from::dtype(dtype, "dtype");
  if (at::isQIntType(type)) {
    fail_argument(
        "dtype", std::string(ctorch_dtype_name(dtype)) +
                     " needs a scale and a zero point; make a tensor of the integers and pass it to the "
                     "operator _make_per_tensor_quantized_tensor");
  }
  return type;
}

void check_buffer(const void *data, size_t data_nbytes, size_t expected) {
  if (data_nbytes != expected) {
    fail_argument("data_nbytes", "expected " + std::to_string(expected) + ", got " + std::to_string(data_nbytes));
  }
  if (data == nullptr && expected != 0) {
    fail_null("data");
  }
}

/// Bytes from the start of the memory to the end of the last element. LibTorch ends the process where that is more than
/// memory can have.
size_t checked_span(at::IntArrayRef sizes, at::IntArrayRef strides, size_t itemsize, int64_t offset = 0) {
  int64_t span = 1;
  bool overflow = false, empty = false;
  for (size_t i = 0; i < sizes.size(); i++) {
    int64_t reach = 0;
    if (strides[i] < 0) {
      fail_argument("strides", "negative stride " + std::to_string(strides[i]) + " of dimension " + std::to_string(i));
    }
    empty |= sizes[i] == 0;
    overflow |= __builtin_mul_overflow(sizes[i] - 1, strides[i], &reach) || __builtin_add_overflow(span, reach, &span);
  }
  if (empty) {
    return 0;  // no element, no span
  }
  if (overflow || __builtin_add_overflow(span, offset, &span) ||
      __builtin_mul_overflow(span, static_cast<int64_t>(itemsize), &span)) {
    fail_argument("strides", "the last element lies beyond what memory can address");
  }
  return static_cast<size_t>(span);
}

std::vector<int64_t> row_major(at::IntArrayRef sizes) {
  std::vector<int64_t> strides(sizes.size());
  int64_t stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    if (__builtin_mul_overflow(stride, std::max(sizes[i], int64_t{1}), &stride)) {
      fail_argument("sizes", "more elements than memory can address");
    }
  }
  return strides;
}

/// The strides that a caller gave, one for each size; nothing for NULL, which is row-major.
at::OptionalIntArrayRef strides_of(at::IntArrayRef sizes, const int64_t *strides, size_t strides_len) {
  if (strides == nullptr && strides_len == 0) {
    return std::nullopt;
  }
  const at::IntArrayRef steps = from::ints(strides, strides_len, "strides");
  if (steps.size() != sizes.size()) {
    fail_argument(
        "strides_len", std::to_string(strides_len) + " strides for " + std::to_string(sizes.size()) + " sizes");
  }
  return steps;
}

void check_has_memory(const at::Tensor &tensor) {
  if (tensor.is_meta() || tensor._is_zerotensor()) {
    fail(CTORCH_ERROR_RUNTIME, "a meta or zero tensor has no memory");
  }
}

/// The result of reading a property, or `otherwise` where the tensor does not have it.
template <class Read, class T>
T property(const ctorch_tensor *self, T otherwise, Read &&read) noexcept {
  if (self == nullptr) {
    return otherwise;
  }
  try {
    return read(*impl(self));
  } catch (...) {
    return otherwise;
  }
}

/// The tensors that a sparse one consists of; none of another one.
std::vector<at::Tensor> parts_of(const at::Tensor &t) {
  switch (t.layout()) {
    case at::kSparse:
      return {at::_ops::_indices::call(t), at::_ops::_values::call(t)};
    case at::kSparseCsr:
    case at::kSparseBsr:
      return {at::_ops::crow_indices::call(t), at::_ops::col_indices::call(t), at::_ops::values::call(t)};
    case at::kSparseCsc:
    case at::kSparseBsc:
      return {at::_ops::ccol_indices::call(t), at::_ops::row_indices::call(t), at::_ops::values::call(t)};
    default:
      return {};
  }
}

size_t element_nbytes(const at::Tensor &t) {
  const std::vector<at::Tensor> parts = parts_of(t);
  if (parts.empty()) {
    return static_cast<size_t>(t.numel()) * t.element_size();
  }
  size_t sum = 0;
  for (const at::Tensor &part : parts) {
    sum += part.nbytes();
  }
  return sum;
}

bool is_per_channel(const at::Tensor &t) {
  return t.is_quantized() && t.qscheme() != at::kPerTensorAffine && t.qscheme() != at::kPerTensorSymmetric;
}

size_t memory_nbytes(const at::Tensor &t) {
  if (t.is_meta()) {
    return 0;
  }
  std::vector<at::Tensor> parts = parts_of(t);
  size_t sum = 0;
  if (t.has_storage()) {
    sum = t.unsafeGetTensorImpl()->unsafe_storage().nbytes();
    if (is_per_channel(t)) {
      parts = {at::_ops::q_per_channel_scales::call(t), at::_ops::q_per_channel_zero_points::call(t)};
    }
  } else if (parts.empty()) {
    return element_nbytes(t);
  }
  for (const at::Tensor &part : parts) {
    sum += memory_nbytes(part);
  }
  return sum;
}

at::Scalar only_element(const ctorch_tensor *self) { return at::_ops::item::call(from::tensor(self, "self")); }

}  // namespace

ctorch_error *ctorch_tensor_from_data(
    ctorch_tensor **out,
    const void *data,
    size_t data_nbytes,
    const int64_t *sizes,
    size_t sizes_len,
    ctorch_dtype dtype) {
  return guard(__func__, [&] {
    to::require(out, "out");
    auto shape = from::symints(sizes, sizes_len, "sizes");
    auto type = element_dtype(dtype);
    check_buffer(data, data_nbytes, checked_nbytes(sizes, sizes_len, dtype));
    at::Tensor tensor = func::filled([&] {
      at::Tensor empty = at::_ops::empty_memory_format::call(shape, type, at::kStrided, at::kCPU, false, std::nullopt);
      if (data_nbytes != 0) {
        memcpy(empty.mutable_data_ptr(), data, data_nbytes);
      }
      return empty;
    });
    to::give(std::move(tensor), out);
  });
}

ctorch_error *ctorch_tensor_from_buffer(
    ctorch_tensor **out,
    void *data,
    const int64_t *sizes,
    size_t sizes_len,
    const int64_t *strides,
    size_t strides_len,
    ctorch_dtype dtype,
    void (*destroy)(void *payload),
    void *payload) {
  return guard(__func__, [&] {
    to::require(out, "out");
    auto shape = from::ints(sizes, sizes_len, "sizes");
    auto type = element_dtype(dtype);
    size_t nbytes = checked_nbytes(sizes, sizes_len, dtype);
    if (data == nullptr && nbytes != 0) {
      fail_null("data");
    }
    const at::OptionalIntArrayRef steps = strides_of(shape, strides, strides_len);
    if (steps) {
      checked_span(shape, *steps, ctorch_dtype_itemsize(dtype));
    }
    auto owner = std::make_unique<Payload>(destroy, payload);  // owns the memory once the tensor is there
    Payload *context = owner.get();
    at::Tensor tensor = at::for_blob(data, shape)
                            .strides(steps)
                            .context(owner.release(), Payload::destroy)
                            .options(at::TensorOptions(type))
                            .make_tensor();
    to::give(std::move(tensor), out);
    context->own();  // not before: a tensor that cannot be handed out is gone by now
  });
}

ctorch_error *ctorch_tensor_from_storage(
    ctorch_tensor **out,
    ctorch_storage *storage,
    int64_t storage_offset,
    const int64_t *sizes,
    size_t sizes_len,
    const int64_t *strides,
    size_t strides_len,
    ctorch_dtype dtype) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const at::Storage memory = from::storage(storage, "storage");
    const at::IntArrayRef shape = from::ints(sizes, sizes_len, "sizes");
    const at::ScalarType type = element_dtype(dtype);
    checked_nbytes(sizes, sizes_len, dtype);
    if (storage_offset < 0) {
      fail_argument("storage_offset", std::to_string(storage_offset) + " is negative");
    }
    const at::OptionalIntArrayRef given = strides_of(shape, strides, strides_len);
    const std::vector<int64_t> steps = given ? given->vec() : row_major(shape);
    const size_t span = checked_span(shape, steps, ctorch_dtype_itemsize(dtype), storage_offset);
    if (span > memory.nbytes()) {
      fail_argument(
          "storage",
          "the elements need " + std::to_string(span) + " bytes, but there are " + std::to_string(memory.nbytes()));
    }
    at::Tensor tensor = at::_ops::empty_memory_format::call(
        c10::SymIntArrayRef({0}), type, at::kStrided, memory.device(), false, std::nullopt);
    to::give(
        at::Tensor(at::_ops::set__source_Storage_storage_offset::call(
            tensor, memory, storage_offset, c10::fromIntArrayRefSlow(shape), c10::fromIntArrayRefSlow(steps))),
        out);
  });
}

ctorch_error *ctorch_tensor_from_scalar(ctorch_tensor **out, const ctorch_scalar *value, const ctorch_dtype *dtype) {
  return guard(__func__, [&] {
    to::require(out, "out");
    at::Scalar number = static_cast<const at::Scalar &>(from::scalar(value, "value"));
    at::ScalarType type = number.type();
    if (number.isFloatingPoint()) {
      type = c10::get_default_dtype_as_scalartype();
    } else if (number.isComplex()) {
      type = c10::toComplexType(c10::get_default_dtype_as_scalartype());
    }
    type = from::optional_dtype_or(dtype, "dtype", type).value();
    to::give(at::_ops::scalar_tensor::call(number, type, at::kStrided, at::kCPU, false), out);
  });
}

ctorch_error *ctorch_tensor_wrapped_number(ctorch_tensor **out, const ctorch_scalar *value) {
  return guard(__func__, [&] {
    to::require(out, "out");
    at::Tensor tensor = c10::scalar_to_tensor(from::scalar(value, "value"));
    tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
    to::give(std::move(tensor), out);
  });
}

void ctorch_tensor_retain(const ctorch_tensor *self) {
  if (self != nullptr) {
    retain(impl(self), Kind::Tensor);
  }
}

void ctorch_tensor_release(ctorch_tensor *self) {
  if (__builtin_expect(self == nullptr, false)) {
    return;
  }
  if (take_back({self, Kind::Tensor})) {
    c10::raw::intrusive_ptr::decref(impl(self));
  }
}

ctorch_error *ctorch_tensor_to(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_dtype *dtype,
    const ctorch_device *device,
    bool non_blocking,
    bool copy,
    const ctorch_memory_format *memory_format) {
  return guard(__func__, [&] {
    to::require(out, "out");
    to::give(
        at::_ops::to_dtype_layout::call(
            from::tensor(self, "self"), from::optional_dtype(dtype, "dtype"), std::nullopt,
            from::optional_device(device, "device"), std::nullopt, non_blocking, copy,
            from::optional_memory_format(memory_format, "memory_format")),
        out);
  });
}

ctorch_error *ctorch_tensor_to_other(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    bool non_blocking,
    bool copy,
    const ctorch_memory_format *memory_format) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const at::Tensor &tensor = from::tensor(self, "self");
    const at::Tensor &model = from::tensor(other, "other");
    to::give(
        at::_ops::to_dtype_layout::call(
            tensor, model.scalar_type(), std::nullopt, model.device(), std::nullopt, non_blocking, copy,
            from::optional_memory_format(memory_format, "memory_format")),
        out);
  });
}

ctorch_error *ctorch_tensor_copy_to_buffer(
    const ctorch_tensor *self, void *data, size_t data_nbytes, ctorch_dtype dtype) {
  return guard(__func__, [&] {
    const at::Tensor &tensor = from::tensor(self, "self");
    at::ScalarType expected = from::dtype(dtype, "dtype");
    if (tensor.scalar_type() != expected) {
      throw Failure{
          CTORCH_ERROR_DTYPE_MISMATCH,
          std::string("the tensor is of dtype ") + ctorch_dtype_name(ctorch_tensor_dtype(self)) + ", not " +
              ctorch_dtype_name(dtype),
          {.dtypes = std::pair(ctorch_tensor_dtype(self), dtype)}};
    }
    check_buffer(data, data_nbytes, static_cast<size_t>(tensor.numel()) * tensor.element_size());
    at::Tensor plain = tensor._is_zerotensor() ? at::_ops::clone::call(tensor, std::nullopt) : tensor;
    check_has_memory(plain);
    if (!plain.device().is_cpu()) {
      plain = at::_ops::to_device::call(plain, at::kCPU, expected, false, false, std::nullopt);
    }
    plain = at::_ops::resolve_neg::call(at::_ops::resolve_conj::call(plain));
    plain = at::_ops::contiguous::call(plain, at::MemoryFormat::Contiguous);
    const void *source = plain.const_data_ptr();
    if (data_nbytes != 0) {
      memcpy(data, source, data_nbytes);
    }
  });
}

ctorch_error *ctorch_tensor_data(void **out, ctorch_tensor *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const at::Tensor &tensor = from::tensor(self, "self");
    check_has_memory(tensor);
    *out = tensor.mutable_data_ptr();
  });
}

ctorch_error *ctorch_tensor_const_data(const void **out, const ctorch_tensor *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const at::Tensor &tensor = from::tensor(self, "self");
    check_has_memory(tensor);
    *out = tensor.const_data_ptr();
  });
}

bool ctorch_tensor_defined(const ctorch_tensor *self) { return self != nullptr; }

int64_t ctorch_tensor_ndim(const ctorch_tensor *self) {
  return property(self, int64_t{0}, [](at::TensorImpl &t) { return t.dim(); });
}

int64_t ctorch_tensor_numel(const ctorch_tensor *self) {
  return property(self, int64_t{0}, [](at::TensorImpl &t) { return t.numel(); });
}

const int64_t *ctorch_tensor_sizes(const ctorch_tensor *self) {
  return property(self, static_cast<const int64_t *>(nullptr), [](at::TensorImpl &t) { return t.sizes().data(); });
}

const int64_t *ctorch_tensor_strides(const ctorch_tensor *self) {
  return property(self, static_cast<const int64_t *>(nullptr), [](at::TensorImpl &t) {
    return t.layout() == at::kStrided ? t.strides().data() : nullptr;
  });
}

ctorch_error *ctorch_tensor_size(int64_t *out, const ctorch_tensor *self, int64_t dim) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out = from::tensor(self, "self").size(dim);
  });
}

int64_t ctorch_tensor_storage_offset(const ctorch_tensor *self) {
  return property(self, int64_t{0}, [](at::TensorImpl &t) { return t.storage_offset(); });
}

ctorch_dtype ctorch_tensor_dtype(const ctorch_tensor *self) {
  return property(self, ctorch_dtype{-1}, [](at::TensorImpl &t) {
    return static_cast<ctorch_dtype>(c10::typeMetaToScalarType(t.dtype()));
  });
}

size_t ctorch_tensor_itemsize(const ctorch_tensor *self) {
  return property(self, size_t{0}, [](at::TensorImpl &t) { return t.dtype().itemsize(); });
}

ctorch_layout ctorch_tensor_layout(const ctorch_tensor *self) {
  return property(self, ctorch_layout{-1}, [](at::TensorImpl &t) { return static_cast<ctorch_layout>(t.layout()); });
}

ctorch_error *ctorch_tensor_device(ctorch_device *out, const ctorch_tensor *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out = to::device(from::tensor(self, "self").device());
  });
}

ctorch_device_type ctorch_tensor_device_type(const ctorch_tensor *self) {
  return property(self, ctorch_device_type{-1}, [](at::TensorImpl &t) {
    return static_cast<ctorch_device_type>(t.device().type());
  });
}

bool ctorch_tensor_is_quantized(const ctorch_tensor *self) {
  return property(self, false, [&](at::TensorImpl &) { return from::unchecked::tensor(self, "self").is_quantized(); });
}

bool ctorch_tensor_is_nested(const ctorch_tensor *self) {
  return property(self, false, [](at::TensorImpl &t) { return t.is_nested(); });
}

size_t ctorch_tensor_nbytes(const ctorch_tensor *self) {
  return property(
      self, size_t{0}, [&](at::TensorImpl &) { return element_nbytes(from::unchecked::tensor(self, "self")); });
}

size_t ctorch_tensor_memory_nbytes(const ctorch_tensor *self) {
  return property(
      self, size_t{0}, [&](at::TensorImpl &) { return memory_nbytes(from::unchecked::tensor(self, "self")); });
}

bool ctorch_tensor_is_contiguous(const ctorch_tensor *self) {
  return property(self, false, [](at::TensorImpl &t) { return t.is_contiguous(); });
}

ctorch_memory_format ctorch_tensor_suggested_memory_format(const ctorch_tensor *self) {
  return property(
      self, ctorch_memory_format{self == nullptr ? -1 : CTORCH_MEMORY_FORMAT_CONTIGUOUS}, [&](at::TensorImpl &) {
        return static_cast<ctorch_memory_format>(from::unchecked::tensor(self, "self").suggest_memory_format());
      });
}

ctorch_error *ctorch_tensor_item(ctorch_scalar *out, const ctorch_tensor *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out = to::scalar(only_element(self));
  });
}

ctorch_error *ctorch_tensor_item_int64(int64_t *out, const ctorch_tensor *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    at::Scalar number = only_element(self);
    if (number.isFloatingPoint() && number.toDouble() == 0x1p63) {  // LibTorch's own check lets this one through
      fail(CTORCH_ERROR_RUNTIME, "2^63 does not fit an int64_t");
    }
    *out = number.toLong();
  });
}

ctorch_error *ctorch_tensor_item_double(double *out, const ctorch_tensor *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out = only_element(self).toDouble();
  });
}

ctorch_error *ctorch_tensor_item_bool(bool *out, const ctorch_tensor *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out = only_element(self).toComplexDouble() != 0.0;
  });
}

ctorch_error *ctorch_tensor_item_complex(double *out_re, double *out_im, const ctorch_tensor *self) {
  return guard(__func__, [&] {
    to::require(out_re, "out_re");
    to::require(out_im, "out_im");
    auto number = only_element(self).toComplexDouble();
    *out_re = number.real();
    *out_im = number.imag();
  });
}
