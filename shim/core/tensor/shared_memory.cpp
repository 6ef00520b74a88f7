// shared_memory.h: storages that other processes map, by file descriptor or name.
#include "ctorch/tensor/shared_memory.h"

#include <ATen/MapAllocator.h>
#include <ATen/StorageUtils.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <system_error>

#include "core/abi/error.hpp"
#include "core/abi/excerpt.hpp"
#include "core/abi/from.hpp"
#include "core/abi/to.hpp"

using namespace ctorch;
using at::MapAllocator;
using at::RefcountedMapAllocator;

namespace {

// Before the bytes, memory with a name has the count of those who use it.
constexpr size_t HEADER = 64;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() {
    if (number_ >= 0) {
      close(number_);
    }
  }
  int get() const { return number_; }
  int leave() { return std::exchange(number_, -1); }

 private:
  int number_;
};

std::string reason() { return std::generic_category().message(errno); }

/// LibTorch would make a shorter file longer.
void check_size(int file_descriptor, size_t nbytes, const char *argument) {
  struct stat status = {};
  if (fstat(file_descriptor, &status) != 0) {
    fail_argument(argument, reason());
  }
  if (nbytes > static_cast<size_t>(status.st_size)) {
    fail_argument("nbytes", std::to_string(nbytes) + " of " + std::to_string(status.st_size) + " bytes");
  }
}

void check_shared_nbytes(size_t nbytes) {
  if (nbytes > INT64_MAX - HEADER) {
    fail_argument("nbytes", "absurd size " + std::to_string(nbytes));
  }
}

c10::intrusive_ptr<c10::StorageImpl> storage_of(at::DataPtr &&data, size_t nbytes) {
  return c10::make_intrusive<c10::StorageImpl>(
      c10::StorageImpl::use_byte_size_t(), static_cast<int64_t>(nbytes), std::move(data), /*allocator=*/nullptr,
      /*resizable=*/false);
}

/// A storage in new shared memory. LibTorch's own would leave the name behind where the memory does not suffice.
template <class Allocator>
c10::intrusive_ptr<c10::StorageImpl> new_storage(int flags, size_t nbytes) {
  const std::string name = at::NewProcessWideShmHandle();
  try {
    flags |= at::ALLOCATOR_MAPPED_SHAREDMEM | at::ALLOCATOR_MAPPED_EXCLUSIVE;
    return storage_of(Allocator::makeDataPtr(name.c_str(), flags, nbytes, nullptr), nbytes);
  } catch (...) {
    shm_unlink(name.c_str());
    throw;
  }
}

c10::intrusive_ptr<c10::StorageImpl> new_unnamed_storage(size_t nbytes) {
  return new_storage<MapAllocator>(at::ALLOCATOR_MAPPED_KEEPFD | at::ALLOCATOR_MAPPED_UNLINK, nbytes);
}

bool is_shared(const at::Storage &storage) noexcept {
  try {
    return storage.device_type() == at::kCUDA || MapAllocator::fromDataPtr(storage.data_ptr()) != nullptr ||
           RefcountedMapAllocator::fromDataPtr(storage.data_ptr()) != nullptr;
  } catch (...) {
    return false;  // the address is not to be asked for, as that of a fake tensor
  }
}

void check_can_be_shared(const at::Storage &storage) {
  if (storage.device().is_meta()) {
    fail(CTORCH_ERROR_RUNTIME, "a meta storage has no memory to share");
  }
  if (storage.nbytes() != 0 && storage.data() == nullptr) {  // _efficientzerotensor
    fail(CTORCH_ERROR_RUNTIME, "a storage that stands for zeros has no memory to share");
  }
}

/// Copy the bytes, and put the new memory in the place of the old.
void move_to(at::Storage &storage, c10::intrusive_ptr<c10::StorageImpl> &&memory) {
  at::Storage shared(std::move(memory));
  at::storage_copy(shared, storage);
  c10::StorageImpl &self = *storage.unsafeGetStorageImpl();
  self.mutable_data_ptr() = std::move(shared.unsafeGetStorageImpl()->mutable_data_ptr());
  self.set_resizable(false);
}

void share_memory(at::Storage storage) {
  check_can_be_shared(storage);
  if (storage.device().is_cpu() && !is_shared(storage)) {
    move_to(storage, new_unnamed_storage(storage.nbytes()));
  }
}

}  // namespace

ctorch_error *ctorch_tensor_share_memory(ctorch_tensor *self) {
  return guard(__func__, [&] { share_memory(from::tensor(self, "self").storage()); });
}

bool ctorch_tensor_is_shared(const ctorch_tensor *self) {
  return self != nullptr && impl(self)->unsafe_storage() && is_shared(impl(self)->unsafe_storage());
}

bool ctorch_storage_is_shared(const ctorch_storage *self) {
  return self != nullptr && is_shared(from::unchecked::storage(self, "self"));
}

ctorch_error *ctorch_storage_share_memory(ctorch_storage *self) {
  return guard(__func__, [&] { share_memory(from::storage(self, "self")); });
}

ctorch_error *ctorch_storage_new_shared(ctorch_storage **out, size_t nbytes) {
  return guard(__func__, [&] {
    to::require(out, "out");
    check_shared_nbytes(nbytes);
    to::give(new_unnamed_storage(nbytes), out);
  });
}

ctorch_error *ctorch_storage_shared_descriptor(int32_t *out, const ctorch_storage *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const at::Storage storage = from::storage(self, "self");
    const MapAllocator *allocator = MapAllocator::fromDataPtr(storage.data_ptr());
    if (allocator == nullptr || allocator->fd() < 0) {
      fail(CTORCH_ERROR_RUNTIME, "the storage is not shared by file descriptor");
    }
    *out = allocator->fd();
  });
}

ctorch_error *ctorch_storage_from_shared_descriptor(ctorch_storage **out, int32_t file_descriptor, size_t nbytes) {
  return guard(__func__, [&] {
    to::require(out, "out");
    check_shared_nbytes(nbytes);
    check_size(file_descriptor, nbytes, "file_descriptor");
    Descriptor own(fcntl(file_descriptor, F_DUPFD_CLOEXEC, 0));
    if (own.get() < 0) {
      fail(CTORCH_ERROR_RUNTIME, "cannot duplicate the file descriptor: " + reason());
    }
    at::DataPtr data = MapAllocator::makeDataPtr(
        at::WITH_FD, "", own.get(),
        at::ALLOCATOR_MAPPED_SHAREDMEM | at::ALLOCATOR_MAPPED_NOCREATE | at::ALLOCATOR_MAPPED_KEEPFD |
            at::ALLOCATOR_MAPPED_FROMFD,
        nbytes, nullptr);
    own.leave();
    to::give(storage_of(std::move(data), nbytes), out);
  });
}

ctorch_error *ctorch_storage_share_memory_named(ctorch_string **out_name, ctorch_storage *self) {
  return guard(__func__, [&] {
    to::require(out_name, "out_name");
    at::Storage storage = from::storage(self, "self");
    check_can_be_shared(storage);
    if (!storage.device().is_cpu() || MapAllocator::fromDataPtr(storage.data_ptr()) != nullptr) {
      fail(CTORCH_ERROR_RUNTIME, "the storage is already shared in another way, which has no name");
    }
    if (RefcountedMapAllocator::fromDataPtr(storage.data_ptr()) == nullptr) {
      move_to(storage, new_storage<RefcountedMapAllocator>(0, storage.nbytes()));
    }
    to::give(std::string(RefcountedMapAllocator::fromDataPtr(storage.data_ptr())->filename()), out_name);
  });
}

ctorch_error *ctorch_storage_from_shared_name(ctorch_storage **out, const char *name, size_t nbytes) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const std::string text(from::string(name, "name"));
    check_shared_nbytes(nbytes);
    {
      Descriptor memory(shm_open(text.c_str(), O_RDWR, 0));
      if (memory.get() < 0) {
        fail(CTORCH_ERROR_RUNTIME, "no shared memory \"" + excerpt(text) + "\": " + reason());
      }
      check_size(memory.get(), nbytes + HEADER, "name");
    }
    at::DataPtr data = RefcountedMapAllocator::makeDataPtr(
        text.c_str(), at::ALLOCATOR_MAPPED_SHAREDMEM | at::ALLOCATOR_MAPPED_NOCREATE, nbytes, nullptr);
    to::give(storage_of(std::move(data), nbytes), out);
  });
}
