// Making LibTorch's writer of zip archives, which takes an alignment since LibTorch 2.7.
#pragma once

#include <caffe2/serialize/inline_container.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>

namespace ctorch::libtorch {

using ArchiveWriter = caffe2::serialize::PyTorchStreamWriter;
using ArchiveWrite = std::function<size_t(const void *, size_t)>;

/// Where records of what Python writes begin: at multiples of this.
constexpr uint64_t ARCHIVE_ALIGNMENT = 64;

// The writer names the folder in an archive after the file that it opens itself, or "archive" if it does not open one:
// there is no way to have both a name and bytes that go elsewhere. The names of private members may be written in an
// explicit instantiation, which is how the folder gets its name here.
template <std::string ArchiveWriter::*folder, std::string ArchiveWriter::*prefix>
struct ArchiveFolder {
  friend void set_archive_folder(ArchiveWriter &writer, const std::string &name) {
    writer.*folder = name;
    writer.*prefix = name + "/";
  }
};
void set_archive_folder(ArchiveWriter &writer, const std::string &name);
template struct ArchiveFolder<&ArchiveWriter::archive_name_, &ArchiveWriter::archive_name_plus_slash_>;

template <class Writer = ArchiveWriter>
std::unique_ptr<Writer> new_archive_writer(ArchiveWrite write, bool crc32) {
  if constexpr (std::is_constructible_v<Writer, ArchiveWrite, bool, uint64_t>) {
    return std::make_unique<Writer>(std::move(write), crc32, ARCHIVE_ALIGNMENT);
  } else {
    return std::make_unique<Writer>(std::move(write), crc32);
  }
}

}  // namespace ctorch::libtorch
