// Reading zip files of torch.save by LibTorch: c/archive_reader.h.
#include "core/c/archive_reader.h"

#include <caffe2/serialize/inline_container.h>

#include <memory>
#include <string>

#include "core/abi/error.hpp"

using namespace ctorch;

namespace {

/// The bytes of an archive. LibTorch reads through a library of C, which an exception would leave half done: a failure
/// is kept, and what was read is too short.
class Source final : public caffe2::serialize::ReadAdapterInterface {
 public:
  explicit Source(const archive_source &source) : source_(source) {}
  Source(const Source &) = delete;
  Source &operator=(const Source &) = delete;
  ~Source() override { ctorch_error_release(error_); }

  void begin(const char *function) {
    function_ = function;
    ctorch_error_release(std::exchange(error_, nullptr));
  }
  /// What the last call failed with, if it was for reading.
  ctorch_error *take_error() { return std::exchange(error_, nullptr); }

  size_t size() const override { return source_.nbytes; }

  size_t read(uint64_t pos, void *data, size_t nbytes, const char *) const override {
    if (error_ != nullptr || nbytes == 0 || pos > source_.nbytes || nbytes > source_.nbytes - pos) {
      return 0;
    }
    error_ = source_.read(function_, pos, data, nbytes, source_.payload);
    return error_ == nullptr ? nbytes : 0;
  }

 private:
  const archive_source source_;
  const char *function_ = "";
  mutable ctorch_error *error_ = nullptr;
};

}  // namespace

struct archive_reader {
  std::shared_ptr<Source> source;
  std::unique_ptr<caffe2::serialize::PyTorchStreamReader> reader;
};

namespace {

/// Run what reads; a failure of the source is what comes out.
template <class Read>
ctorch_error *reading(const char *function, Source *source, Read &&read) {
  if (source != nullptr) {
    source->begin(function);
  }
  ctorch_error *error = guard(function, read);
  ctorch_error *cause = source == nullptr ? nullptr : source->take_error();
  if (cause != nullptr) {
    ctorch_error_release(error);
    return cause;
  }
  return error;
}

}  // namespace

ctorch_error *archive_reader_open(const char *function, archive_reader **out, const archive_source *source) {
  std::shared_ptr<Source> bytes;
  ctorch_error *error = guard(function, [&] { bytes = std::make_shared<Source>(*source); });
  if (error != nullptr) {
    return error;
  }
  std::unique_ptr<archive_reader> self;
  error = reading(function, bytes.get(), [&] {
    self = std::make_unique<archive_reader>();
    self->source = bytes;
    self->reader = std::make_unique<caffe2::serialize::PyTorchStreamReader>(
        std::shared_ptr<caffe2::serialize::ReadAdapterInterface>(bytes));
  });
  if (error == nullptr) {
    *out = self.release();
  }
  return error;
}

void archive_reader_close(archive_reader *self) { delete self; }

ctorch_error *archive_reader_read(
    const char *function, archive_reader *self, const char *name, void *data, uint64_t nbytes) {
  return reading(function, self->source.get(), [&] {
    const size_t size = self->reader->getRecordSize(name);
    if (size != nbytes) {
      fail(CTORCH_ERROR_RUNTIME, "a record of " + std::to_string(size) + " bytes, not " + std::to_string(nbytes));
    }
    if (nbytes != 0) {
      self->reader->getRecord(name, data, nbytes);
    }
  });
}
