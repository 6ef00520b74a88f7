// The book of LEAKS: a table of every live reference and where it was made.
#include "abi/debug.hpp"

#include <c10/util/Backtrace.h>
#include <c10/util/Logging.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <stdio.h>
#include <string.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "abi/fork.hpp"
#include "abi/handle.hpp"

namespace ctorch {

namespace {

constexpr int FRAMES = 12;

std::atomic_bool stacks_are_noted = true;

/// LibTorch's own, or nothing.
c10::Backtrace stack() {
  return stacks_are_noted ? c10::get_lazy_backtrace(/*frames_to_skip=*/1)
                          : std::make_shared<c10::PrecomputedLazyValue<std::string>>("");
}

struct Origin {
  Kind kind;
  int len;
  void *frames[FRAMES];
};

/// Of each handle the references in the order they were made: the latest is given back first, as in scopes.
struct Table {
  Mutex mutex{LockOrder::Leaks};
  std::unordered_map<const void *, std::vector<Origin>> live;
  size_t references = 0;
};

// Never destroyed: handles may be released by destructors that run after ours.
Table &table = *new Table;

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

struct AtExit {
  ~AtExit() {
    if (keeps(LEAKS)) {
      std::string text = live_handles_text();
      if (!text.empty()) {
        fprintf(stderr, "ctorch: handles that were not released:\n%s", text.c_str());
      }
    }
  }
} at_exit;

}  // namespace

void count_up(Handle handle) {
  Origin origin{handle.kind, 0, {}};
  origin.len = stacks_are_noted ? backtrace(origin.frames, FRAMES) : 0;
  std::lock_guard lock(table.mutex);
  auto [place, is_new] = table.live.try_emplace(handle.pointer);
  try {
    place->second.push_back(origin);
  } catch (...) {
    if (is_new) {
      table.live.erase(place);
    }
    throw;
  }
  table.references++;
}

void count_down(Handle handle) noexcept {
  std::lock_guard lock(table.mutex);
  if (auto place = table.live.find(handle.pointer); place != table.live.end()) {
    place->second.pop_back();
    table.references--;
    if (place->second.empty()) {
      table.live.erase(place);
    }
  }
}

size_t live_handles() {
  std::lock_guard lock(table.mutex);
  return table.references;
}

std::string live_handles_text() {
  std::string text;
  std::lock_guard lock(table.mutex);
  for (const auto &[pointer, origins] : table.live) {
    for (const Origin &origin : origins) {
      text += origin_text(pointer, origin);
    }
  }
  return text;
}

void set_notes_stacks(bool enabled) {
  stacks_are_noted = enabled;
  // Each time: another copy of this library in the process may have put its own there since.
  c10::SetStackTraceFetcher(std::function<c10::Backtrace()>(stack));
}

bool notes_stacks() noexcept { return stacks_are_noted; }

}  // namespace ctorch
