// A tensor of another library. Nothing that a description says is believed: LibTorch's own fromDLPack ends the process
// where strides are negative, and reads past the shape where ndim lies.
#include <ATen/core/Tensor.h>

#include <c10/core/TensorOptions.h>

#include <algorithm>

#include "core/abi/callback.hpp"
#include "core/abi/error.hpp"
#include "core/abi/to.hpp"
#include "core/dlpack/dlpack.hpp"

using namespace ctorch;
using namespace ctorch::dlpack;

namespace {

// A number of dimensions that no tensor has, but garbage does.
constexpr int32_t MAX_NDIM = 256;
constexpr char MORE_THAN_MEMORY[] = "more elements than memory can address";

std::string of_dimension(const char *what, int64_t value, size_t i) {
  return std::string(what) + " " + std::to_string(value) + " of dimension " + std::to_string(i);
}

/// A description that holds together.
struct Checked {
  at::ScalarType dtype;
  at::Device device;
  at::IntArrayRef sizes;
  at::DimVector strides;
  char *data;
  int64_t storage_offset;
  size_t storage_nbytes;
};

/// Row-major strides; sizes whose product fits.
at::DimVector contiguous_strides(at::IntArrayRef sizes, const char *name) {
  at::DimVector strides(sizes.size());
  int64_t stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    if (__builtin_mul_overflow(stride, std::max<int64_t>(sizes[i], 1), &stride)) {
      fail_argument(name, MORE_THAN_MEMORY);
    }
  }
  return strides;
}

at::DimVector strides_of(const DLTensor &source, at::IntArrayRef sizes, const char *name) {
  if (source.strides == nullptr) {  // allowed before DLPack 1.2, and still met
    return contiguous_strides(sizes, name);
  }
  return at::DimVector(source.strides, source.strides + sizes.size());
}

/// Elements from the first to the last, both included; 0 if there are none. A negative stride that leads to no element
/// becomes 1.
int64_t span_of(at::IntArrayRef sizes, at::DimVector &strides, const char *name) {
  bool empty = std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
  int64_t span = empty ? 0 : 1;
  for (size_t i = 0; i < sizes.size(); i++) {
    int64_t reach = 0;
    if (empty || sizes[i] == 1) {
      strides[i] = strides[i] < 0 ? 1 : strides[i];
    } else if (strides[i] < 0) {
      fail(CTORCH_ERROR_BUFFER, "PyTorch has no negative strides: " + of_dimension("stride", strides[i], i));
    } else if (__builtin_mul_overflow(sizes[i] - 1, strides[i], &reach) || __builtin_add_overflow(span, reach, &span)) {
      fail_argument(name, "strides reach further than memory can address");
    }
  }
  return span;
}

/// Where the elements are: the offset is kept as the tensor's, and what is no whole element of it moves the data.
void place(const DLTensor &source, int64_t span, Checked &checked, const char *name) {
  auto itemsize = static_cast<int64_t>(c10::elementSize(checked.dtype));
  checked.data = static_cast<char *>(source.data);
  if (source.data == nullptr && span != 0) {
    fail_argument(name, "data is NULL, but there are elements");
  }
  int64_t end = 0;
  if (source.byte_offset > INT64_MAX ||
      __builtin_add_overflow(static_cast<int64_t>(source.byte_offset) / itemsize, span, &end) ||
      __builtin_mul_overflow(end, itemsize, &end) ||
      static_cast<uint64_t>(end) + itemsize > UINTPTR_MAX - reinterpret_cast<uintptr_t>(source.data)) {
    fail_argument(name, "data and byte_offset lie beyond what memory can address");
  }
  auto offset = static_cast<int64_t>(source.byte_offset);
  checked.storage_offset = offset / itemsize;
  checked.storage_nbytes = span == 0 ? 0 : static_cast<size_t>(end);
  if (int64_t rest = offset % itemsize; rest != 0 && span != 0) {
    if (!checked.device.is_cpu() && !checked.device.is_cuda()) {  // data may be a handle there
      fail_argument(name, "byte_offset is no multiple of the size of an element");
    }
    checked.data += rest;
  }
}

/// `name` is the argument that the description came in.
Checked check(const DLTensor &source, uint64_t flags, const char *name) {
  Checked checked = {
      dtype_of(source.dtype, flags), device_of(source.device, source.data, name), shape_of(source, name), {}, {}, 0, 0};
  require_device(checked.device, name);
  checked.strides = strides_of(source, checked.sizes, name);
  place(source, span_of(checked.sizes, checked.strides, name), checked, name);
  return checked;
}

at::Tensor make(const Checked &checked, void *context, c10::DeleterFnPtr release) {
  at::Storage storage(
      at::Storage::use_byte_size_t(), checked.storage_nbytes,
      c10::DataPtr(checked.data, context, release, checked.device));
  auto tensor = at::detail::make_tensor<at::TensorImpl>(
      std::move(storage), c10::computeDispatchKey(checked.dtype, at::kStrided, checked.device),
      c10::scalarTypeToTypeMeta(checked.dtype));
  tensor.unsafeGetTensorImpl()->set_sizes_and_strides(checked.sizes, checked.strides, checked.storage_offset);
  return tensor;
}

void check_version(const DLManagedTensorVersioned &managed) {
  if (managed.version.major != VERSION.major) {
    fail(
        CTORCH_ERROR_BUFFER, "DLPack " + std::to_string(managed.version.major) + "." +
                                 std::to_string(managed.version.minor) + " is not understood, only 1.x");
  }
}

template <class Managed>
at::Tensor import_checked(Owned<Managed> &owned, const Checked &checked) {
  return make(checked, owned.release(), Owned<Managed>::destroy);
}

}  // namespace

namespace ctorch::dlpack {

at::IntArrayRef shape_of(const DLTensor &source, const char *name) {
  if (source.ndim < 0 || source.ndim > MAX_NDIM) {
    fail_argument(name, "ndim is " + std::to_string(source.ndim));
  }
  auto ndim = static_cast<size_t>(source.ndim);
  if (source.shape == nullptr && ndim != 0) {
    fail_argument(name, "shape is NULL, but ndim is " + std::to_string(ndim));
  }
  int64_t numel = 1;
  for (size_t i = 0; i < ndim; i++) {
    if (source.shape[i] < 0) {
      fail_argument(name, of_dimension("negative size", source.shape[i], i));
    }
    if (__builtin_mul_overflow(numel, source.shape[i], &numel)) {
      fail_argument(name, MORE_THAN_MEMORY);
    }
  }
  return {source.shape, ndim};
}

at::Tensor import_tensor(Owned<DLManagedTensorVersioned> &owned, uint64_t &flags, const char *name) {
  check_version(*owned.get());
  flags = owned.get()->flags;
  return import_checked(owned, check(owned.get()->dl_tensor, flags, name));
}

at::Tensor borrow_tensor(const DLTensor &source, const char *name) {
  return make(check(source, 0, name), nullptr, nullptr);
}

}  // namespace ctorch::dlpack

ctorch_error *ctorch_tensor_from_dlpack(
    ctorch_tensor **out, uint64_t *out_flags, struct DLManagedTensorVersioned *managed) {
  Owned<DLManagedTensorVersioned> owned(managed);  // before anything can fail
  return guard(__func__, [&] {
    to::require(out, "out");
    to::require(managed, "managed");
    uint64_t flags = 0;
    to::give(import_tensor(owned, flags, "managed"), out);
    if (out_flags != nullptr) {
      *out_flags = flags;
    }
  });
}

ctorch_error *ctorch_tensor_from_dlpack_unversioned(ctorch_tensor **out, struct DLManagedTensor *managed) {
  Owned<DLManagedTensor> owned(managed);
  return guard(__func__, [&] {
    to::require(out, "out");
    to::require(managed, "managed");
    to::give(import_checked(owned, check(managed->dl_tensor, 0, "managed")), out);
  });
}

ctorch_error *ctorch_tensor_from_dltensor(
    ctorch_tensor **out, const void *dltensor, void (*destroy)(void *payload), void *payload) {
  return guard(__func__, [&] {
    to::require(out, "out");
    to::require(dltensor, "dltensor");
    Checked checked = check(*static_cast<const DLTensor *>(dltensor), 0, "dltensor");
    auto *owner = new Payload(destroy, payload);  // owns the memory once the tensor is handed out
    to::give(make(checked, owner, Payload::destroy), out);
    owner->own();
  });
}
