// CTORCH_DEBUG_HANDLES=1: a table of every live reference and where it was made.
#include "ctorch/debug.h"

#include <c10/util/Backtrace.h>
#include <c10/util/Logging.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "abi/error.hpp"
#include "abi/handle.hpp"
#include "abi/to.hpp"

namespace ctorch {

// Read once, before anything can be handed out: a handle is either counted both ways or not at all.
uintptr_t bookkeeping = [] {
  const char *value = getenv("CTORCH_DEBUG_HANDLES");
  return value != nullptr && strcmp(value, "") != 0 && strcmp(value, "0") != 0 ? LEAKS : 0;
}();

namespace {

constexpr int FRAMES = 12;

std::atomic_bool notes_stacks = true;

/// LibTorch's own, or nothing.
c10::Backtrace stack() {
  return notes_stacks ? c10::get_lazy_backtrace(/*frames_to_skip=*/1)
                      : std::make_shared<c10::PrecomputedLazyValue<std::string>>("");
}

struct Origin {
  Kind kind;
  int len;
  void *frames[FRAMES];
};

struct Table {
  std::mutex mutex;
  std::unordered_multimap<const void *, Origin> live;
};

// Never destroyed: handles may be released by destructors that run after ours.
Table &table() {
  static Table *instance = new Table;
  return *instance;
}

const char *name(const void *pointer, Kind kind) {
  switch (kind) {
    case Kind::Tensor:
      return "tensor";
    case Kind::TensorList:
      return "tensor_list";
    case Kind::Storage:
      return "storage";
    case Kind::Generator:
      return "generator";
    case Kind::String:
      return "string";
    case Kind::Object:
      return static_cast<const Object *>(pointer)->type_name();
    case Kind::CObject:
      return c_object_name(pointer);
    case Kind::Error:
      return "error";
    case Kind::Scope:
      return "scope";
  }
  return "handle";
}

std::string frame_text(void *address) {
  Dl_info info;
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) {
    return "unknown code";
  }
  const char *file = strrchr(info.dli_fname, '/');
  file = file == nullptr ? info.dli_fname : file + 1;
  char text[512];
  if (info.dli_sname != nullptr) {
    auto offset = static_cast<char *>(address) - static_cast<char *>(info.dli_saddr);
    snprintf(text, sizeof text, "%s+0x%zx (%s)", info.dli_sname, static_cast<size_t>(offset), file);
  } else {  // what addr2line -e takes
    auto offset = static_cast<char *>(address) - static_cast<char *>(info.dli_fbase);
    snprintf(text, sizeof text, "%s+0x%zx", file, static_cast<size_t>(offset));
  }
  return text;
}

/// Whether the function called itself, by way of attempt() in error.hpp.
bool is_attempt_of(const Dl_info &function, const Origin &origin, int i) {
  Dl_info other;
  return i < origin.len && dladdr(origin.frames[i], &other) != 0 && other.dli_saddr == function.dli_saddr;
}

/// The last frame inside ctorch is the function that was called, the next one its caller.
std::string origin_text(const void *pointer, const Origin &origin) {
  std::string function = "ctorch", caller = "unknown code";
  for (int i = 0; i < origin.len; i++) {
    Dl_info info;
    bool named = dladdr(origin.frames[i], &info) != 0 && info.dli_sname != nullptr;
    if (named && strncmp(info.dli_sname, "ctorch_", 7) == 0) {
      function = info.dli_sname;
      i += is_attempt_of(info, origin, i + 2) ? 2 : 0;
      caller = i + 1 < origin.len ? frame_text(origin.frames[i + 1]) : caller;
      break;
    }
  }
  return std::string(name(pointer, origin.kind)) + " made by " + function + ", called from " + caller + "\n";
}

std::string report() {
  std::string text;
  std::lock_guard lock(table().mutex);
  for (const auto &[pointer, origin] : table().live) {
    text += origin_text(pointer, origin);
  }
  return text;
}

struct AtExit {
  ~AtExit() {
    if (keeps(LEAKS)) {
      std::string text = report();
      if (!text.empty()) {
        fprintf(stderr, "ctorch: handles that were not released:\n%s", text.c_str());
      }
    }
  }
} at_exit;

}  // namespace

void count_up(Handle handle) {
  Origin origin{handle.kind, 0, {}};
  origin.len = notes_stacks ? backtrace(origin.frames, FRAMES) : 0;
  std::lock_guard lock(table().mutex);
  table().live.emplace(handle.pointer, origin);
}

void count_down(Handle handle) noexcept {
  std::lock_guard lock(table().mutex);
  auto &live = table().live;
  auto [begin, end] = live.equal_range(handle.pointer);
  if (begin != end) {
    live.erase(begin);
  }
}

}  // namespace ctorch

using namespace ctorch;

int64_t ctorch_debug_live_handles(void) {
  if (!keeps(LEAKS)) {
    return -1;
  }
  std::lock_guard lock(table().mutex);
  return static_cast<int64_t>(table().live.size());
}

ctorch_error *ctorch_debug_report(ctorch_string **out) {
  return guard(__func__, [&] {
    to::require(out, "out");
    if (!keeps(LEAKS)) {
      fail(CTORCH_ERROR_UNSUPPORTED, "set CTORCH_DEBUG_HANDLES=1 in the environment before ctorch is loaded");
    }
    to::give(report(), out);
  });
}

ctorch_error *ctorch_debug_set_error_backtraces(bool enabled) {
  return guard(__func__, [&] {
    notes_stacks = enabled;
    static const bool fetches = [] {  // whoever never asks for this keeps the fetcher that is there
      c10::SetStackTraceFetcher(std::function<c10::Backtrace()>(stack));
      return true;
    }();
    (void)fetches;
  });
}

bool ctorch_debug_error_backtraces(void) { return notes_stacks; }
