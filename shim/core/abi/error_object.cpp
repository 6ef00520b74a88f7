// Errors as objects. Nothing here throws an error of ctorch's own.
#include "core/abi/error_object.hpp"

#include <utility>

#include "core/abi/excerpt.hpp"
#include "core/abi/handle.hpp"
#include "core/abi/utf8.hpp"

namespace ctorch {

namespace {

// Out of memory while reporting: no details, but the code and a message that cost nothing.
ctorch_error out_of_memory_error{CTORCH_ERROR_OUT_OF_MEMORY, "out of memory", "", {}, nullptr, {}, {}, {}, {}};

struct Name {
  ctorch_error_kind kind;
  const char *name;
};
constexpr Name NAMES[] = {
    {CTORCH_ERROR_RUNTIME, "RUNTIME"},
    {CTORCH_ERROR_INDEX, "INDEX"},
    {CTORCH_ERROR_VALUE, "VALUE"},
    {CTORCH_ERROR_TYPE, "TYPE"},
    {CTORCH_ERROR_NOT_IMPLEMENTED, "NOT_IMPLEMENTED"},
    {CTORCH_ERROR_LINALG, "LINALG"},
    {CTORCH_ERROR_OUT_OF_MEMORY, "OUT_OF_MEMORY"},
    {CTORCH_ERROR_SYNTAX, "SYNTAX"},
    {CTORCH_ERROR_BUFFER, "BUFFER"},
    {CTORCH_ERROR_ACCELERATOR, "ACCELERATOR"},
    {CTORCH_ERROR_DIST, "DIST"},
    {CTORCH_ERROR_DIST_BACKEND, "DIST_BACKEND"},
    {CTORCH_ERROR_DIST_STORE, "DIST_STORE"},
    {CTORCH_ERROR_DIST_NETWORK, "DIST_NETWORK"},
    {CTORCH_ERROR_DIST_QUEUE_EMPTY, "DIST_QUEUE_EMPTY"},
    {CTORCH_ERROR_SHAPE_MISMATCH, "SHAPE_MISMATCH"},
    {CTORCH_ERROR_DEVICE_MISMATCH, "DEVICE_MISMATCH"},
    {CTORCH_ERROR_DTYPE_MISMATCH, "DTYPE_MISMATCH"},
    {CTORCH_ERROR_NULL_ARGUMENT, "NULL_ARGUMENT"},
    {CTORCH_ERROR_INVALID_ARGUMENT, "INVALID_ARGUMENT"},
    {CTORCH_ERROR_UNSUPPORTED, "UNSUPPORTED"},
    {CTORCH_ERROR_INVALID_HANDLE, "INVALID_HANDLE"},
    {CTORCH_ERROR_IO, "IO"},
    {CTORCH_ERROR_FORMAT, "FORMAT"},
    {CTORCH_ERROR_CALLBACK, "CALLBACK"},
    {CTORCH_ERROR_PYTHON, "PYTHON"},
    {CTORCH_ERROR_STD, "STD"},
    {CTORCH_ERROR_INTERNAL, "INTERNAL"},
    {CTORCH_ERROR_UNKNOWN, "UNKNOWN"},
};

__thread uint64_t failures = 0;

constexpr size_t FIRST_FRAMES = 32, LAST_FRAMES = 32;

}  // namespace

void Trace::add(const char *file, int32_t line, const char *function) {
  std::string frame;
  if (file != nullptr) {
    frame = as_utf8(excerpt(file));
    if (line > 0) {
      frame += ":" + std::to_string(line);
    }
  }
  if (function != nullptr) {
    frame += (frame.empty() ? "" : ": ") + as_utf8(excerpt(function));
  }
  if (frame.empty()) {
    return;
  }
  frame += '\n';
  if (first_ < FIRST_FRAMES) {
    text_ += frame;
    first_len_ = text_.size();
    first_++;
    return;
  }
  last_.push_back(std::move(frame));
  if (last_.size() > LAST_FRAMES) {
    last_.pop_front();
    left_out_++;
  }
  std::string text = text_.substr(0, first_len_);
  if (left_out_ > 0) {
    text += "... " + std::to_string(left_out_) + " more ...\n";
  }
  for (const std::string &later : last_) {
    text += later;
  }
  text_ = std::move(text);
}

uint64_t failures_of_this_thread() noexcept { return failures; }

void count_failure() noexcept { failures++; }

ctorch_error *make_error(
    ctorch_error_kind code,
    std::string message,
    const char *function,
    ErrorDetails details,
    std::exception_ptr exception) {
  count_failure();
  std::unique_ptr<ctorch_error> error(
      new ctorch_error{code, std::move(message), function, std::move(details), std::move(exception), {}, {}, {}, {}});
  if (error->exception == nullptr) {
    error->stack = Stack::here();
  }
  if (keeps(LEAKS)) {
    count_up({error.get(), Kind::Error});
  }
  return error.release();
}

ctorch_error *out_of_memory() noexcept { return &out_of_memory_error; }

void release_error(ctorch_error *self) noexcept {
  if (self == nullptr) {
    return;
  }
  if (self == &out_of_memory_error || (keeps(LEAKS) && !count_down({self, Kind::Error}))) {
    return;
  }
  free_later(self, [](void *freed) { delete static_cast<ctorch_error *>(freed); });
}

const char *kind_name(ctorch_error_kind kind) noexcept {
  for (const Name &entry : NAMES) {
    if (entry.kind == kind) {
      return entry.name;
    }
  }
  return nullptr;
}

}  // namespace ctorch
