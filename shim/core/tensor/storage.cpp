// storage.h: the memory behind tensors, as bytes.
#include "ctorch/tensor/storage.h"

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/copy_ops.h>
#include <ATen/ops/empty_ops.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/set_ops.h>
#include <c10/core/CPUAllocator.h>

#include <algorithm>

#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/to.hpp"

using namespace ctorch;

namespace {

void check_nbytes(size_t nbytes) {
  if (nbytes > INT64_MAX) {
    fail_argument("nbytes", "absurd size " + std::to_string(nbytes));
  }
}

void check_has_memory(const at::Storage &storage) {
  if (storage.device().is_meta()) {
    fail(CTORCH_ERROR_RUNTIME, "a meta storage has no memory");
  }
}

void check_range(const at::Storage &storage, size_t offset, const void *data, size_t data_nbytes) {
  if (data == nullptr && data_nbytes != 0) {
    fail_null("data");
  }
  if (offset > storage.nbytes() || data_nbytes > storage.nbytes() - offset) {
    fail(
        CTORCH_ERROR_INDEX, std::to_string(data_nbytes) + " bytes from byte " + std::to_string(offset) +
                                " on, but the storage has " + std::to_string(storage.nbytes()));
  }
  check_has_memory(storage);
}

/// A part of a storage as a tensor of bytes.
at::Tensor bytes(const at::Storage &storage, size_t offset, size_t nbytes) {
  at::Tensor tensor = at::_ops::empty_memory_format::call(
      c10::SymIntArrayRef({0}), at::kByte, at::kStrided, storage.device(), false, std::nullopt);
  const c10::SymInt size(static_cast<int64_t>(nbytes)), stride(1);
  return at::_ops::set__source_Storage_storage_offset::call(
      tensor, storage, static_cast<int64_t>(offset), {&size, 1}, {&stride, 1});
}

/// Caller memory as a tensor of bytes.
at::Tensor buffer(void *data, size_t nbytes) {
  return at::from_blob(data, {static_cast<int64_t>(nbytes)}, at::TensorOptions(at::kByte));
}

void copy(at::Tensor &&to, const at::Tensor &from, bool non_blocking = false) {
  if (to.numel() != 0) {
    at::_ops::copy_::call(to, from, non_blocking);
  }
}

}  // namespace

ctorch_error *ctorch_storage_new(ctorch_storage **out, size_t nbytes) {
  return guard(__func__, [&] {
    to::require(out, "out");
    check_nbytes(nbytes);
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
  if (self != nullptr && take_back({self, Kind::Storage})) {
    release({self, Kind::Storage});
  }
}

size_t ctorch_storage_nbytes(const ctorch_storage *self) { return self == nullptr ? 0 : impl(self)->nbytes(); }

ctorch_error *ctorch_storage_data(void **out, ctorch_storage *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    at::Storage storage = from::storage(self, "self");
    check_has_memory(storage);
    *out = storage.mutable_data();
  });
}

ctorch_error *ctorch_storage_device(ctorch_device *out, const ctorch_storage *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out = to::device(from::storage(self, "self").device());
  });
}

bool ctorch_storage_resizable(const ctorch_storage *self) { return self != nullptr && impl(self)->resizable(); }

ctorch_error *ctorch_storage_resize(ctorch_storage *self, size_t nbytes) {
  return guard(__func__, [&] {
    at::Storage storage = from::storage(self, "self");
    check_nbytes(nbytes);
    if (!storage.resizable()) {
      fail(CTORCH_ERROR_RUNTIME, "the storage is not resizable");
    }
    // As the resize functions of the devices do it: those for CUDA are in a library that may not be there.
    at::Storage resized(c10::make_intrusive<c10::StorageImpl>(
        c10::StorageImpl::use_byte_size_t(), static_cast<int64_t>(nbytes), storage.allocator(), /*resizable=*/true));
    const size_t kept = std::min(nbytes, storage.nbytes());
    copy(bytes(resized, 0, kept), bytes(storage, 0, kept));
    storage.unsafeGetStorageImpl()->mutable_data_ptr() = std::move(resized.unsafeGetStorageImpl()->mutable_data_ptr());
    storage.set_nbytes(nbytes);
  });
}

ctorch_error *ctorch_storage_read(const ctorch_storage *self, size_t offset, void *data, size_t data_nbytes) {
  return guard(__func__, [&] {
    const at::Storage storage = from::storage(self, "self");
    check_range(storage, offset, data, data_nbytes);
    copy(buffer(data, data_nbytes), bytes(storage, offset, data_nbytes));
  });
}

ctorch_error *ctorch_storage_write(ctorch_storage *self, size_t offset, const void *data, size_t data_nbytes) {
  return guard(__func__, [&] {
    const at::Storage storage = from::storage(self, "self");
    check_range(storage, offset, data, data_nbytes);
    copy(bytes(storage, offset, data_nbytes), buffer(const_cast<void *>(data), data_nbytes));
  });
}

ctorch_error *ctorch_storage_copy(ctorch_storage *self, const ctorch_storage *source, bool non_blocking) {
  return guard(__func__, [&] {
    const at::Storage to = from::storage(self, "self"), from = from::storage(source, "source");
    if (to.nbytes() != from.nbytes()) {
      fail_argument("source", std::to_string(from.nbytes()) + " bytes, but self has " + std::to_string(to.nbytes()));
    }
    check_has_memory(to);
    check_has_memory(from);
    copy(bytes(to, 0, to.nbytes()), bytes(from, 0, from.nbytes()), non_blocking);
  });
}
