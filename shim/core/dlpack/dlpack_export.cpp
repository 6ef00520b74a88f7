// A tensor for another library. LibTorch's own toDLPack points into the tensor's shape, which moves when the tensor is
// resized; what is made here is one allocation that holds a copy of the shape and a share of the memory.
#include <ATen/core/Tensor.h>

#include <ATen/ops/clone_ops.h>
#include <ATen/ops/to_ops.h>
#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <new>
#include <type_traits>

#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/to.hpp"
#include "core/dlpack/dlpack.hpp"

using namespace ctorch;
using namespace ctorch::dlpack;

namespace {

/// What Python's `__dlpack__` refuses, in its words, and what it should: tensors that have no memory of their own, or
/// whose memory holds other values than they do. Exchange tables hand out tensors that require gradients.
void check_exportable(const at::Tensor &tensor, bool with_gradient) {
  const char *problem = nullptr;
  if (tensor.requires_grad() && !with_gradient) {
    problem = "Can't export tensors that require gradient, use tensor.detach()";
  } else if (tensor.is_conj()) {
    problem = "Can't export tensors with the conjugate bit set";
  } else if (tensor.is_neg()) {
    problem = "Can't export tensors with the negative bit set";
  } else if (tensor.layout() != at::kStrided) {
    problem = "Can't export tensors with layout other than torch.strided";
  } else if (tensor.is_nested()) {
    problem = "Can't export nested tensors";
  } else if (tensor._is_zerotensor()) {
    problem = "Can't export zero tensors";
  } else if (!tensor.has_storage()) {
    problem = "Can't export tensors without storage";
  }
  if (problem != nullptr) {
    fail(CTORCH_ERROR_BUFFER, problem);
  }
}

void check_current_device(at::Device device) {
  if (!device.is_cuda()) {
    return;
  }
  auto current = c10::impl::VirtualGuardImpl(device.type()).getDevice().index();
  if (device.index() != current) {
    fail(
        CTORCH_ERROR_BUFFER, "Can't export tensors on a different CUDA device index. Expected: " +
                                 std::to_string(device.index()) + ". Current device: " + std::to_string(current) + ".");
  }
}

/// The stream that a consumer names: Python's rules, of which ROCm's differ in what 0 to 2 mean.
c10::Stream consumer_stream(at::Device device, int64_t stream) {
  bool rocm = device_of(device).device_type == ROCM;
  if (stream == (rocm ? 0 : 1)) {
    return c10::impl::VirtualGuardImpl(device.type()).getDefaultStream(device);
  }
  if (stream == 2 && !rocm) {
    fail(CTORCH_ERROR_BUFFER, "per-thread default stream is not supported.");
  }
  // A stream that LibTorch did not make goes by its address, which is even.
  if (stream <= 2 || stream % 2 != 0) {
    fail_argument(
        "stream", std::string("unsupported stream on ") + (rocm ? "ROCm: " : "CUDA: ") + std::to_string(stream));
  }
  return c10::Stream(c10::Stream::UNSAFE, device, stream);
}

int64_t number_of(const int64_t *stream) { return stream == nullptr ? NO_STREAM : *stream; }

/// Make the consumer's stream wait for what is queued on ours.
void synchronize(at::Device device, int64_t stream) {
  if (stream == NO_STREAM) {
    return;
  }
  if (device.is_cpu()) {
    fail_argument("stream", "stream should be None on cpu.");
  }
  if (!device.is_cuda()) {
    return;
  }
  c10::Stream theirs = consumer_stream(device, stream);
  c10::Stream ours = c10::impl::VirtualGuardImpl(device.type()).getStream(device);
  if (theirs != ours) {
    c10::Event event(device.type());
    event.record(ours);
    event.block(theirs);
  }
}

/// A device without an index is the current one, where an exported tensor is (check_current_device).
bool is_elsewhere(at::Device wanted, at::Device from) {
  return wanted.type() != from.type() || (wanted.has_index() && from.has_index() && wanted.index() != from.index());
}

bool wants_copy(at::Device from, const ExportOptions &options) {
  return options.copy == true || (options.device && is_elsewhere(*options.device, from));
}

at::Tensor copied(const at::Tensor &tensor, const ExportOptions &options) {
  at::Device from = tensor.device();
  if (!options.device || !is_elsewhere(*options.device, from)) {
    return at::_ops::clone::call(tensor, std::nullopt);
  }
  if (options.copy == false) {
    fail(
        CTORCH_ERROR_VALUE, "cannot move (i.e. copy=False) tensor from " + from.str() + " to " + options.device->str() +
                                " without copying.");
  }
  return at::_ops::to_device::call(tensor, *options.device, tensor.scalar_type(), false, true, std::nullopt);
}

/// Where DLTensor::data points: to the first element, or for Metal, where it is a handle, to the whole storage.
void locate(const at::TensorImpl &tensor, bool read_only, DLTensor &out) {
  out.byte_offset = 0;
  if (tensor.device_type() == at::kMPS) {
    const at::Storage &storage = tensor.unsafe_storage();
    out.data = read_only ? const_cast<void *>(storage.data()) : storage.mutable_data();
    out.byte_offset = static_cast<uint64_t>(tensor.storage_offset()) * tensor.itemsize();
  } else {
    out.data = read_only ? const_cast<void *>(tensor.data()) : const_cast<at::TensorImpl &>(tensor).mutable_data();
  }
  if (out.data == nullptr && tensor.numel() != 0) {
    fail(CTORCH_ERROR_BUFFER, "Can't export tensors without memory");
  }
}

/// Everything but shape and strides.
DLTensor described(const at::TensorImpl &tensor, bool read_only, DLDataType dtype) {
  DLTensor out;
  out.device = device_of(tensor.device());
  out.ndim = static_cast<int32_t>(tensor.dim());
  out.dtype = dtype;
  locate(tensor, read_only, out);
  return out;
}

/// The allocation of an export: the shape, then the strides follow it.
template <class Managed>
struct Export {
  Managed managed;
  at::Storage storage;

  static void destroy(Managed *managed) {
    auto *self = static_cast<Export *>(managed->manager_ctx);
    self->~Export();
    ::operator delete(self);
  }
};
static_assert(alignof(Export<DLManagedTensorVersioned>) >= alignof(int64_t));

template <class Managed>
Managed *pack(const at::TensorImpl &tensor, const ExportOptions &options, uint64_t flags) {
  ElementType element = element_type(c10::typeMetaToScalarType(tensor.dtype()));
  DLTensor description =
      described(tensor, options.read_only, options.padding_is_known ? element.type : as_bytes(element));
  at::IntArrayRef sizes = tensor.sizes(), strides = tensor.strides();
  const at::Storage &storage = tensor.storage();

  size_t nbytes = sizeof(Export<Managed>) + 2 * sizes.size() * sizeof(int64_t);
  auto *self = new (::operator new(nbytes)) Export<Managed>{{}, storage};
  description.shape = reinterpret_cast<int64_t *>(self + 1);
  description.strides = description.shape + sizes.size();
  for (size_t i = 0; i < sizes.size(); i++) {
    description.shape[i] = sizes[i];
    description.strides[i] = strides[i];
  }
  self->managed.dl_tensor = description;
  self->managed.manager_ctx = self;
  self->managed.deleter = Export<Managed>::destroy;
  if constexpr (std::is_same_v<Managed, DLManagedTensorVersioned>) {
    self->managed.version = VERSION;
    self->managed.flags =
        flags | (options.read_only ? CTORCH_DLPACK_FLAG_READ_ONLY : 0) | (options.padding_is_known ? element.flags : 0);
  }
  return &self->managed;
}

}  // namespace

namespace ctorch::dlpack {

template <class Managed>
Managed *export_tensor(const at::Tensor &tensor, const ExportOptions &options) {
  check_exportable(tensor, options.with_gradient);
  check_current_device(tensor.device());
  if (!wants_copy(tensor.device(), options)) {
    synchronize(tensor.device(), options.stream);
    return pack<Managed>(*tensor.unsafeGetTensorImpl(), options, 0);
  }
  at::Tensor copy = copied(tensor, options);
  synchronize(copy.device(), options.stream);
  return pack<Managed>(*copy.unsafeGetTensorImpl(), options, CTORCH_DLPACK_FLAG_IS_COPIED);
}

template DLManagedTensor *export_tensor(const at::Tensor &, const ExportOptions &);
template DLManagedTensorVersioned *export_tensor(const at::Tensor &, const ExportOptions &);

void describe(const at::Tensor &tensor, bool read_only, DLTensor &out) {
  check_exportable(tensor, true);
  const at::TensorImpl &impl = *tensor.unsafeGetTensorImpl();
  DLTensor description = described(impl, read_only, as_bytes(element_type(tensor.scalar_type())));
  description.shape = const_cast<int64_t *>(impl.sizes().data());
  description.strides = const_cast<int64_t *>(impl.strides().data());
  out = description;
}

}  // namespace ctorch::dlpack

ctorch_error *ctorch_tensor_to_dlpack(
    struct DLManagedTensorVersioned **out,
    ctorch_tensor *self,
    const int64_t *stream,
    const ctorch_device *device,
    const bool *copy,
    bool read_only) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out = export_tensor<DLManagedTensorVersioned>(
        from::tensor(self, "self"),
        {number_of(stream), from::optional_device(device, "device"), from::optional(copy), read_only});
  });
}

ctorch_error *ctorch_tensor_to_dlpack_unversioned(
    struct DLManagedTensor **out,
    ctorch_tensor *self,
    const int64_t *stream,
    const ctorch_device *device,
    const bool *copy) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out = export_tensor<DLManagedTensor>(
        from::tensor(self, "self"),
        {number_of(stream), from::optional_device(device, "device"), from::optional(copy), false, false});
  });
}

ctorch_error *ctorch_tensor_dlpack(
    void **out,
    const char **out_name,
    ctorch_tensor *self,
    const int64_t *stream,
    const int64_t *max_version,
    size_t max_version_len,
    const int32_t *dl_device,
    size_t dl_device_len,
    const bool *copy) {
  return guard(__func__, [&] {
    to::require(out, "out");
    to::require(out_name, "out_name");
    const at::Tensor &tensor = from::tensor(self, "self");
    auto check_pair = [](const void *data, size_t len, const char *name) {
      from::check_list(data, len, name);
      if (len != 0 && len != 2) {
        from::fail_length(len, 2, name);
      }
      return len == 2;
    };
    std::pair<int64_t, int64_t> newest = {0, 0};
    if (check_pair(max_version, max_version_len, "max_version")) {
      newest = {max_version[0], max_version[1]};
    }
    ExportOptions options = {number_of(stream), std::nullopt, from::optional(copy)};
    options.padding_is_known = newest >= std::pair<int64_t, int64_t>(1, 1);
    if (check_pair(dl_device, dl_device_len, "dl_device")) {
      options.device = requested_device({dl_device[0], dl_device[1]}, "dl_device");
    }
    if (newest.first >= 1) {
      *out = export_tensor<DLManagedTensorVersioned>(tensor, options);
      *out_name = "dltensor_versioned";
    } else {
      *out = export_tensor<DLManagedTensor>(tensor, options);
      *out_name = "dltensor";
    }
  });
}

ctorch_error *ctorch_tensor_to_dltensor(void *out, ctorch_tensor *self, bool read_only) {
  return guard(__func__, [&] {
    to::require(out, "out");
    describe(from::tensor(self, "self"), read_only, *static_cast<DLTensor *>(out));
  });
}

void ctorch_dlpack_release(struct DLManagedTensorVersioned *self) { Owned<DLManagedTensorVersioned>::destroy(self); }

void ctorch_dlpack_unversioned_release(struct DLManagedTensor *self) { Owned<DLManagedTensor>::destroy(self); }
