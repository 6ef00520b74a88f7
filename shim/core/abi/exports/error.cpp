// error.h: errors made by C, and what an error tells.
#include "ctorch/abi/error.h"

#include <c10/util/Exception.h>

#include <exception>
#include <mutex>

#include "core/abi/error.hpp"
#include "core/abi/error_object.hpp"
#include "core/abi/utf8.hpp"

using ctorch::fail_argument;
using ctorch::fail_null;
using ctorch::guard_while_ending;

ctorch_error *ctorch_error_new(ctorch_error **out, ctorch_error_kind kind, const char *message) {
  return guard_while_ending(__func__, [&] {
    if (out == nullptr) {
      fail_null("out");
    }
    if (message == nullptr) {
      fail_null("message");
    }
    if (ctorch::kind_name(kind) == nullptr) {
      fail_argument("kind", "unknown kind of error " + std::to_string(kind));
    }
    if (!ctorch::is_utf8(message)) {
      fail_argument("message", "not UTF-8");
    }
    *out = ctorch::make_error(kind, message, "");
  });
}

void ctorch_error_release(ctorch_error *self) {
  ctorch::release_error(self);
  __asm__ volatile("");  // no jump in place of the call: LEAKS looks for the frame of this function
}

ctorch_error_kind ctorch_error_kind_of(const ctorch_error *self) { return self == nullptr ? 0 : self->kind; }

const char *ctorch_error_kind_name(ctorch_error_kind kind) { return ctorch::kind_name(kind); }

const char *ctorch_error_message(const ctorch_error *self) { return self == nullptr ? "" : self->message.c_str(); }

const char *ctorch_error_function(const ctorch_error *self) { return self == nullptr ? "" : self->function; }

const char *ctorch_error_backtrace(const ctorch_error *self) {
  if (self == nullptr || self == ctorch::out_of_memory()) {
    return "";
  }
  auto *error = const_cast<ctorch_error *>(self);  // the text is a cache, written once
  try {
    std::call_once(error->rendered, [&] {
      if (error->exception == nullptr) {
        error->backtrace = error->stack.text();
        return;
      }
      try {
        std::rethrow_exception(error->exception);
      } catch (const c10::Error &e) {
        if (const auto &backtrace = e.backtrace()) {
          error->backtrace = backtrace->get();
        }
      } catch (...) {
        error->backtrace.clear();  // only LibTorch's errors record where they were thrown
      }
    });
  } catch (...) {
    return "";
  }
  return error->backtrace.c_str();
}

void ctorch_error_add_frame(ctorch_error *self, const char *file, int32_t line, const char *function) {
  if (self == nullptr || self == ctorch::out_of_memory()) {
    return;  // that one is everybody's
  }
  try {
    self->trace.add(file, line, function);
  } catch (...) {  // without this frame then
  }
}

const char *ctorch_error_trace(const ctorch_error *self) { return self == nullptr ? "" : self->trace.text(); }

namespace {

bool give_shape(const std::vector<int64_t> &shape, const int64_t **out, size_t *out_len) {
  if (out != nullptr) {
    *out = shape.data();
  }
  if (out_len != nullptr) {
    *out_len = shape.size();
  }
  return true;
}

template <class T>
bool give(const T &value, T *out) {
  if (out != nullptr) {
    *out = value;
  }
  return true;
}

}  // namespace

bool ctorch_error_expected_shape(const ctorch_error *self, const int64_t **out, size_t *out_len) {
  return self != nullptr && self->details.shapes && give_shape(self->details.shapes->first, out, out_len);
}

bool ctorch_error_got_shape(const ctorch_error *self, const int64_t **out, size_t *out_len) {
  return self != nullptr && self->details.shapes && give_shape(self->details.shapes->second, out, out_len);
}

bool ctorch_error_expected_device(const ctorch_error *self, ctorch_device *out) {
  return self != nullptr && self->details.devices && give(self->details.devices->first, out);
}

bool ctorch_error_got_device(const ctorch_error *self, ctorch_device *out) {
  return self != nullptr && self->details.devices && give(self->details.devices->second, out);
}

bool ctorch_error_expected_dtype(const ctorch_error *self, ctorch_dtype *out) {
  return self != nullptr && self->details.dtypes && give(self->details.dtypes->first, out);
}

bool ctorch_error_got_dtype(const ctorch_error *self, ctorch_dtype *out) {
  return self != nullptr && self->details.dtypes && give(self->details.dtypes->second, out);
}

bool ctorch_error_requested_bytes(const ctorch_error *self, uint64_t *out) {
  return self != nullptr && self->details.requested_bytes && give(*self->details.requested_bytes, out);
}

bool ctorch_error_available_bytes(const ctorch_error *self, uint64_t *out) {
  return self != nullptr && self->details.available_bytes && give(*self->details.available_bytes, out);
}
