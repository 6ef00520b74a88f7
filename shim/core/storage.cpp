#include "ctorch/storage.h"

#include <ATen/Context.h>
#include <c10/core/CPUAllocator.h>

#include "error.hpp"
#include "from.hpp"
#include "to.hpp"

using namespace ctorch;

ctorch_error *ctorch_storage_new(ctorch_storage **out, size_t nbytes) {
  return guard(__func__, [&] {
    to::require(out, "out");
    if (nbytes > INT64_MAX) {
      fail_argument("nbytes", "absurd size " + std::to_string(nbytes));
    }
    to::give(
        c10::make_intrusive<c10::StorageImpl>(
            c10::StorageImpl::use_byte_size_t(), static_cast<int64_t>(nbytes), c10::GetCPUAllocator(),
            /*resizable=*/true),
        out);
  });
}

ctorch_error *ctorch_storage_from_tensor(ctorch_storage **out, const ctorch_tensor *tensor) {
  return guard(__func__, [&] {
    to::require(out, "out");
    at::Storage storage = from::tensor(tensor, "tensor").storage();
    to::give(c10::intrusive_ptr<c10::StorageImpl>::reclaim(storage.unsafeReleaseStorageImpl()), out);
  });
}

void ctorch_storage_retain(const ctorch_storage *self) {
  if (self != nullptr) {
    retain(impl(self), Kind::Storage);
  }
}

void ctorch_storage_release(ctorch_storage *self) {
  if (self != nullptr) {
    take_back({self, Kind::Storage});
    release({self, Kind::Storage});
  }
}

size_t ctorch_storage_nbytes(const ctorch_storage *self) { return self == nullptr ? 0 : impl(self)->nbytes(); }

ctorch_error *ctorch_storage_data(void **out, ctorch_storage *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    at::Storage storage = from::storage(self, "self");
    if (storage.device().is_meta()) {
      fail(CTORCH_ERROR_RUNTIME, "a meta storage has no memory");
    }
    *out = storage.mutable_data();
  });
}

ctorch_error *ctorch_storage_device(ctorch_device *out, const ctorch_storage *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out = to::device(from::storage(self, "self").device());
  });
}
