// c/archive_writer.h: LibTorch's writer of zip archives, which hands its bytes to C.
#include "core/c/archive_writer.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/copy_ops.h>
#include <ATen/ops/empty_ops.h>
#include <ATen/ops/set_ops.h>

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/handle.hpp"
#include "core/torch/archive_writer.hpp"
#include "ctorch/abi/error.h"

using namespace ctorch;

struct archive_writer {
  archive_writer(const char *name, bool crc32, archive_write write, void *payload) : write(write), payload(payload) {
    writer = libtorch::new_archive_writer(
        [this](const void *data, size_t nbytes) {
          take(data, nbytes);
          return nbytes;
        },
        crc32);
    if (name != nullptr) {
      libtorch::set_archive_folder(*writer, name);
    }
  }
  archive_writer(const archive_writer &) = delete;
  archive_writer &operator=(const archive_writer &) = delete;
  ~archive_writer() {
    failed = true;  // from here on nothing is written
    try {
      if (!writer->finalized()) {
        writer->writeEndOfFile();  // which frees what a destructor alone would not
      }
    } catch (const std::exception &) {  // out of memory
    }
    ctorch_error_release(error);
  }

  /// Hand bytes on; after a failure, drop them. LibTorch is not told: of a writer that failed it would not free all. It
  /// leaves out the data of a hole.
  void take(const void *data, size_t nbytes) noexcept {
    static constexpr std::array<char, 65536> zeros{};
    if (failed || nbytes == 0) {
      return;
    }
    if (data != nullptr) {
      error = write(data, nbytes, payload);
    } else {
      for (size_t done = 0; error == nullptr && done < nbytes; done += std::min(zeros.size(), nbytes - done)) {
        error = write(zeros.data(), std::min(zeros.size(), nbytes - done), payload);
      }
    }
    failed = error != nullptr;
  }

  std::unique_ptr<libtorch::ArchiveWriter> writer;
  const archive_write write;
  void *const payload;
  ctorch_error *error = nullptr;  // what `write` failed with, until it is handed on
  bool failed = false;
};

namespace {

/// What `write` failed with goes before what LibTorch says.
template <class F>
ctorch_error *write_with(const char *function, archive_writer *self, F &&f) {
  ctorch_error *error = guard(function, [&] { f(*self->writer); });
  if (self->error != nullptr) {
    ctorch_error_release(error);
    error = std::exchange(self->error, nullptr);
  }
  return error;
}

/// A storage's bytes on the CPU.
at::Tensor on_cpu(const at::Storage &storage) {
  const c10::SymInt size(static_cast<int64_t>(storage.nbytes())), stride(1);
  at::Tensor bytes = at::_ops::empty_memory_format::call(
      c10::SymIntArrayRef({0}), at::kByte, at::kStrided, storage.device(), false, std::nullopt);
  at::_ops::set__source_Storage_storage_offset::call(bytes, storage, 0, {&size, 1}, {&stride, 1});
  at::Tensor copy = at::_ops::empty_memory_format::call(
      {&size, 1}, at::kByte, at::kStrided, at::Device(at::kCPU), false, std::nullopt);
  return at::_ops::copy_::call(copy, bytes, false);
}

}  // namespace

ctorch_error *archive_writer_new(
    const char *function, archive_writer **out, const char *name, bool crc32, archive_write write, void *payload) {
  return guard(function, [&] { *out = new archive_writer(name, crc32, write, payload); });
}

ctorch_error *archive_writer_record(
    const char *function, archive_writer *self, const char *name, const void *data, size_t nbytes) {
  return write_with(function, self, [&](libtorch::ArchiveWriter &writer) {
    writer.writeRecord(name, data != nullptr ? data : "", nbytes);
  });
}

ctorch_error *archive_writer_storage(
    const char *function, archive_writer *self, const char *name, const ctorch_storage *storage) {
  return write_with(function, self, [&](libtorch::ArchiveWriter &writer) {
    const c10::StorageImpl *source = impl(storage);
    size_t nbytes = source->nbytes();
    if (source->device_type() == at::kCPU || nbytes == 0) {
      writer.writeRecord(name, nbytes != 0 ? source->data() : "", nbytes);
      return;
    }
    at::Tensor copy = on_cpu(from::storage(storage, "storage"));
    writer.writeRecord(name, copy.const_data_ptr(), nbytes);
  });
}

ctorch_error *archive_writer_hole(const char *function, archive_writer *self, const char *name, size_t nbytes) {
  return write_with(
      function, self, [&](libtorch::ArchiveWriter &writer) { writer.writeRecord(name, nullptr, nbytes); });
}

ctorch_error *archive_writer_end(const char *function, archive_writer *self) {
  return write_with(function, self, [](libtorch::ArchiveWriter &writer) { writer.writeEndOfFile(); });
}

void archive_writer_free(archive_writer *self) { delete self; }
