// DLPack inside the library: what the six dlpack_*.cpp share.
//
//   dlpack_types.cpp     dtypes and devices, DLPack's numbers and LibTorch's
//   dlpack_export.cpp    a tensor -> DLTensor, DLManagedTensor, DLManagedTensorVersioned
//   dlpack_import.cpp    and back
//   dlpack_capsule.cpp   the end of the PyCapsule that a tensor travels in
//   dlpack_exchange.cpp  the table of functions that libraries exchange tensors with
//   dlpack_python.cpp    the table for a binding for Python
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <utility>

#include "core/abi/outside_scopes.hpp"
#include "core/dlpack/dlpack_structs.hpp"
#include "ctorch/dlpack/dlpack.h"

namespace ctorch::dlpack {

// Types ---------------------------------------------------------------------------------------------------------------

struct ElementType {
  DLDataType type;
  uint64_t flags;  // IS_SUBBYTE_TYPE_PADDED or 0
};

/// BUFFER for a dtype that DLPack does not know.
ElementType element_type(at::ScalarType dtype);
/// The bytes that hold an element: what a consumer is told that cannot be told of padding, as by PyTorch.
DLDataType as_bytes(const ElementType &element);
/// BUFFER for elements that LibTorch does not know.
at::ScalarType dtype_of(DLDataType type, uint64_t flags);

/// BUFFER for a device that DLPack does not know.
DLDevice device_of(at::Device device);
/// BUFFER for a device that LibTorch does not know. A device of oneAPI is known by its memory, `data`. Here as below,
/// `name` is the argument that an INVALID_ARGUMENT names.
at::Device device_of(DLDevice device, const void *data, const char *name);
/// The same for a device that a copy is to be made on.
at::Device requested_device(DLDevice device, const char *name);
/// UNSUPPORTED for a kind of device that the LibTorch at hand was built without, INVALID_ARGUMENT for one it has fewer
/// of.
void require_device(at::Device device, const char *name);

// Exchange ------------------------------------------------------------------------------------------------------------

constexpr int64_t NO_STREAM = -1;

struct ExportOptions {
  int64_t stream = NO_STREAM;  // a consumer's, as Python numbers it
  std::optional<at::Device> device = std::nullopt;
  std::optional<bool> copy = std::nullopt;
  bool read_only = false;
  bool padding_is_known = true;  // of IS_SUBBYTE_TYPE_PADDED, by the consumer
  bool with_gradient = false;    // also a tensor that requires one
};

/// A new DLManagedTensor or DLManagedTensorVersioned; never null.
template <class Managed>
Managed *export_tensor(const at::Tensor &tensor, const ExportOptions &options);

/// Describe a tensor; data, shape and strides are the tensor's own.
void describe(const at::Tensor &tensor, bool read_only, DLTensor &out);

/// Sole owner of a managed tensor: its deleter runs unless it is given on.
template <class Managed>
class Owned {
 public:
  explicit Owned(Managed *managed) noexcept : managed_(managed) {}
  Owned(const Owned &) = delete;
  Owned &operator=(const Owned &) = delete;
  ~Owned() { destroy(managed_); }

  Managed *get() const noexcept { return managed_; }
  Managed *release() noexcept { return std::exchange(managed_, nullptr); }

  static void destroy(void *managed) noexcept {
    auto *self = static_cast<Managed *>(managed);
    if (self != nullptr && self->deleter != nullptr) {
      const OutsideScopes outside;
      self->deleter(self);
    }
  }

 private:
  Managed *managed_;
};

/// The tensor that is described, whose memory is given back by the deleter of `owned`; its flags in `flags`.
at::Tensor import_tensor(Owned<DLManagedTensorVersioned> &owned, uint64_t &flags, const char *name);
/// A tensor on memory that it does not keep.
at::Tensor borrow_tensor(const DLTensor &source, const char *name);

/// The shape of a description, checked: INVALID_ARGUMENT if it is none.
at::IntArrayRef shape_of(const DLTensor &source, const char *name);

}  // namespace ctorch::dlpack
