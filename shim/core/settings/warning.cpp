// LibTorch asks each thread for its handler of warnings, and a thread that nobody gave one uses the default handler, an
// object that all threads share. To hear every thread, that object's virtual functions are replaced by ours: it has
// no data, so its table of functions is all there is to it. A handler that somebody gave a thread (Python's while it
// calls LibTorch, autograd's that carries warnings home, our collectors) goes before the default one and is left alone.
#include "ctorch/settings/warning.h"

#include <c10/util/Exception.h>

#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "core/abi/callback.hpp"
#include "core/abi/fork.hpp"
#include "core/abi/from.hpp"
#include "core/abi/handle.hpp"
#include "core/abi/mode.hpp"
#include "core/abi/thread.hpp"
#include "core/abi/to.hpp"

using namespace ctorch;

namespace {

struct Entry {
  ctorch_warning_kind kind;
  std::string message, file, function;
  uint32_t line;
  size_t count;
};

ctorch_warning_kind kind_of(const c10::Warning &warning) {
  return std::holds_alternative<c10::DeprecationWarning>(warning.type()) ? CTORCH_WARNING_DEPRECATION
                                                                         : CTORCH_WARNING_USER;
}

}  // namespace

struct ctorch_warnings final : Object {
  const char *type_name() const noexcept override { return "warnings"; }

  void add(const c10::Warning &warning) {
    const c10::SourceLocation &location = warning.source_location();
    ctorch_warning_kind kind = kind_of(warning);
    std::string key = std::to_string(kind) + location.file + ':' + std::to_string(location.line) + ':' + warning.msg();
    auto [place, is_new] = places.try_emplace(std::move(key), entries.size());
    if (is_new) {
      entries.push_back({kind, warning.msg(), location.file, location.function, location.line, 0});
    }
    entries[place->second].count++;
  }

  const Entry *at(size_t index) const { return index < entries.size() ? &entries[index] : nullptr; }

  std::vector<Entry> entries;
  std::unordered_map<std::string, size_t> places;
};

namespace {

/// What LibTorch does by itself.
void print(const c10::Warning &warning) noexcept {
  try {
    c10::WarningHandler().process(warning);
  } catch (...) {  // out of memory: it is only a warning
    return;
  }
}

/// The same, with what the callback failed with.
void print_failure(const c10::Warning &warning) noexcept {
  ctorch_error *error = error_from_current_exception("ctorch_warning_set_callback");
  try {
    std::string message = warning.msg() + " (the callback of warnings failed: " + ctorch_error_message(error) + ")";
    print(c10::Warning(warning.type(), warning.source_location(), std::move(message), warning.verbatim()));
  } catch (...) {
    print(warning);
  }
  ctorch_error_release(error);
}

// The callback --------------------------------------------------------------------------------------------------------

struct Callback {
  ctorch_warning_callback function;
  Payload payload;
};

/// The callback of the process.
struct Registered {
  std::shared_ptr<Callback> exchange(std::shared_ptr<Callback> other) {
    std::lock_guard lock(mutex);
    return std::exchange(callback, std::move(other));
  }
  std::shared_ptr<Callback> get() {
    std::lock_guard lock(mutex);
    return callback;
  }

  Mutex mutex{LockOrder::WarningCallback};
  std::shared_ptr<Callback> callback;
};
Registered &registered = *new Registered;  // never destroyed: threads may warn until the end

thread_local bool in_callback = false;

/// Nothing may be thrown from here: warnings come from destructors too, and from noexcept functions.
class CallbackHandler final : public c10::WarningHandler {
 public:
  void process(const c10::Warning &warning) noexcept override {
    std::shared_ptr<Callback> callback = registered.get();
    if (callback == nullptr || in_callback || std::uncaught_exceptions() > 0) {
      return print(warning);
    }
    in_callback = true;
    try {
      const c10::SourceLocation &location = warning.source_location();
      run_callback("of warnings", [&](ctorch_error **error) {
        return callback->function(
            kind_of(warning), warning.msg().c_str(), location.file, location.function, location.line, error,
            callback->payload.get());
      });
    } catch (...) {
      print_failure(warning);
    }
    callback.reset();  // may destroy the payload, which may warn
    in_callback = false;
  }
};

/// Makes LibTorch's default handler one of ours, as long as this library is loaded. Another copy of this library in the
/// process may make it one of its own after that: the last to set a callback is the one that is heard.
class DefaultHandler {
 public:
  DefaultHandler() {
    // A thread without a handler of its own answers the default one.
    c10::WarningUtils::WarningHandlerGuard none(nullptr);
    handler_ = c10::WarningUtils::get_warning_handler();
    static_assert(sizeof(c10::WarningHandler) == sizeof(void *), "it has data of its own now");
  }
  ~DefaultHandler() {
    if (functions_of(handler_) == functions_of(&ours_)) {
      set_functions(functions_of(&libtorchs_));
    }
  }

  void become_ours() { set_functions(functions_of(&ours_)); }

 private:
  static void *functions_of(const c10::WarningHandler *handler) {
    void *functions;
    std::memcpy(&functions, static_cast<const void *>(handler), sizeof functions);
    return functions;
  }
  void set_functions(void *functions) {  // in one piece: other threads may be about to call one
    __atomic_store_n(reinterpret_cast<void **>(handler_), functions, __ATOMIC_RELEASE);
  }

  const CallbackHandler ours_;
  const c10::WarningHandler libtorchs_;
  c10::WarningHandler *handler_;
};

DefaultHandler default_handler;

// Collecting ----------------------------------------------------------------------------------------------------------

class Collector final : public c10::WarningHandler {
 public:
  void process(const c10::Warning &warning) noexcept override {
    if (is_over) {
      return outer->process(warning);
    }
    try {
      collected->add(warning);
    } catch (...) {  // out of memory
      print(warning);
    }
  }

  c10::intrusive_ptr<ctorch_warnings> collected = c10::make_intrusive<ctorch_warnings>();
  c10::WarningHandler *outer = c10::WarningUtils::get_warning_handler();
  bool is_over = false;
};

struct Collectors final : PerThread {
  ~Collectors() override {  // a thread that ends may go on to warn
    if (stack.empty() && over.empty()) {
      return;
    }
    c10::WarningHandler *const now = c10::WarningUtils::get_warning_handler();
    c10::WarningHandler *left = stack.empty() ? now : stack.front()->outer;
    for (auto gone = over.rbegin(); gone != over.rend(); ++gone) {
      left = left == gone->get() ? (*gone)->outer : left;
    }
    if (left != now) {
      c10::WarningUtils::set_warning_handler(left);
    }
  }

  std::vector<std::unique_ptr<Collector>> stack;
  // Taken back while another handler was in front, which will put them back as what was before it.
  std::vector<std::unique_ptr<Collector>> over;
};

void take_back_collector(uintptr_t) noexcept {
  auto &collectors = per_thread<Collectors>();
  if (collectors.stack.empty()) {
    return;
  }
  std::unique_ptr<Collector> last = std::move(collectors.stack.back());
  collectors.stack.pop_back();
  if (c10::WarningUtils::get_warning_handler() == last.get()) {
    c10::WarningUtils::set_warning_handler(last->outer);
    return;
  }
  last->is_over = true;
  try {
    collectors.over.push_back(std::move(last));
  } catch (...) {  // without memory for it
    (void)last.release();
  }
}

const ModeKind collecting_of_warnings = {"collecting of warnings", take_back_collector, false};

}  // namespace

ctorch_error *ctorch_warning_set_callback(
    ctorch_warning_callback callback, void (*destroy)(void *payload), void *payload) {
  return guard_while_ending(__func__, [&] {
    std::shared_ptr<Callback> kept;
    if (callback != nullptr) {
      kept.reset(new Callback{callback, {destroy, payload}});
      kept->payload.own();
      default_handler.become_ours();
    }
    registered.exchange(std::move(kept));
  });
}

ctorch_error *ctorch_warning_emit(ctorch_warning_kind kind, const char *message) {
  return guard_while_ending(__func__, [&] {
    if (kind != CTORCH_WARNING_USER && kind != CTORCH_WARNING_DEPRECATION) {
      fail_argument("kind", "unknown kind of warning " + std::to_string(kind));
    }
    std::string text(from::string(message, "message"));
    c10::Warning::warning_variant_t type = c10::UserWarning();
    if (kind == CTORCH_WARNING_DEPRECATION) {
      type = c10::DeprecationWarning();
    }
    c10::warn(c10::Warning(
        type, c10::SourceLocation{"ctorch_warning_emit", "ctorch", 0}, std::move(text), /*verbatim=*/true));
  });
}

ctorch_error *ctorch_warnings_push(void) {
  return guard_while_ending(__func__, [&] {
    push_mode(collecting_of_warnings, [] {
      auto &collectors = per_thread<Collectors>().stack;
      collectors.push_back(std::make_unique<Collector>());
      c10::WarningUtils::set_warning_handler(collectors.back().get());
      return 0;
    });
  });
}

ctorch_error *ctorch_warnings_pop(ctorch_warnings **out) {
  return guard_while_ending(__func__, [&] {
    pop_mode(collecting_of_warnings, [&] {
      auto &collectors = per_thread<Collectors>().stack;
      if (collectors.empty()) {
        fail(CTORCH_ERROR_RUNTIME, "no collecting of warnings was pushed on this thread");
      }
      Collector &collector = *collectors.back();
      if (c10::WarningUtils::get_warning_handler() != &collector) {
        fail(CTORCH_ERROR_RUNTIME, "another handler of warnings was put on this thread since the push");
      }
      if (out != nullptr) {
        auto collected = collector.collected;
        to::give(std::move(collected), out);
      }
      c10::WarningUtils::set_warning_handler(collector.outer);
      collectors.pop_back();
    });
  });
}

void ctorch_warnings_retain(const ctorch_warnings *self) { retain_object(self); }

void ctorch_warnings_release(ctorch_warnings *self) { release_object(self); }

size_t ctorch_warnings_len(const ctorch_warnings *self) { return is_there(self) ? self->entries.size() : 0; }

namespace {

template <class T, class Result>
Result of_entry(const ctorch_warnings *self, size_t index, T Entry::*member, Result otherwise) {
  const Entry *entry = is_there(self) ? self->at(index) : nullptr;
  if (entry == nullptr) {
    return otherwise;
  }
  if constexpr (std::is_same_v<T, std::string>) {
    return (entry->*member).c_str();
  } else {
    return entry->*member;
  }
}

}  // namespace

ctorch_warning_kind ctorch_warnings_kind(const ctorch_warnings *self, size_t index) {
  return of_entry(self, index, &Entry::kind, -1);
}

const char *ctorch_warnings_message(const ctorch_warnings *self, size_t index) {
  return of_entry(self, index, &Entry::message, "");
}

const char *ctorch_warnings_file(const ctorch_warnings *self, size_t index) {
  return of_entry(self, index, &Entry::file, "");
}

const char *ctorch_warnings_function(const ctorch_warnings *self, size_t index) {
  return of_entry(self, index, &Entry::function, "");
}

uint32_t ctorch_warnings_line(const ctorch_warnings *self, size_t index) {
  return of_entry(self, index, &Entry::line, uint32_t{0});
}

size_t ctorch_warnings_count(const ctorch_warnings *self, size_t index) {
  return of_entry(self, index, &Entry::count, size_t{0});
}

bool ctorch_warning_always(void) { return c10::WarningUtils::get_warnAlways(); }

ctorch_error *ctorch_warning_set_always(bool enabled) {
  return guard_while_ending(__func__, [&] { c10::WarningUtils::set_warnAlways(enabled); });
}
