// Scopes: a stack per thread of lists of handles.
#include "ctorch/scope.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "abi/c/object.h"
#include "abi/error.hpp"
#include "abi/handle.hpp"
#include "abi/memory_pressure.hpp"

struct ctorch_scope {
  ctorch_scope *parent;
  std::vector<ctorch::Handle> handles;
};

namespace ctorch {

__thread ctorch_scope *open_scope = nullptr;

namespace {

bool is_open(const ctorch_scope *self) {
  for (const ctorch_scope *scope = open_scope; scope != nullptr; scope = scope->parent) {
    if (scope == self) {
      return true;
    }
  }
  return false;
}

/// The latest record of a handle in a scope, or end().
std::vector<Handle>::iterator find(ctorch_scope &scope, const void *pointer) {
  auto &handles = scope.handles;
  auto found = std::find_if(handles.rbegin(), handles.rend(), [&](const Handle &h) { return h.pointer == pointer; });
  return found == handles.rend() ? handles.end() : std::next(found).base();
}

/// The books, without the scopes.
void strike_out(Handle handle) noexcept {
  if (keeps(BYTES)) {
    let_go({handle});
  }
  if (keeps(LEAKS)) {
    count_down(handle);
  }
}

void end_innermost() {
  ctorch_scope *scope = open_scope;
  // A release may call back into ctorch (the destroy function of a buffer) and there release handles of this scope,
  // make new ones, or end scopes, this one too. So each record is taken out before its release, and the scope is looked
  // at only while it is the innermost.
  while (open_scope == scope && !scope->handles.empty()) {
    Handle handle = scope->handles.back();
    scope->handles.pop_back();
    strike_out(handle);
    release(handle);
  }
  if (open_scope == scope) {
    open_scope = scope->parent;
    strike_out({scope, Kind::Scope});
    delete scope;
  }
}

/// Ends the scopes that a thread leaves open.
struct AtThreadExit {
  ~AtThreadExit() {
    while (open_scope != nullptr) {
      end_innermost();
    }
  }
};

/// Room for handles in the innermost scope, so that taking them in cannot fail.
void make_room(size_t len) {
  if (open_scope != nullptr) {
    auto &list = open_scope->handles;
    if (list.capacity() - list.size() < len) {
      list.reserve(std::max(2 * list.capacity(), list.size() + len));
    }
  }
}

void take_in(std::initializer_list<Handle> handles) {
  if (open_scope != nullptr) {
    for (const Handle &handle : handles) {
      if (is_owned(handle)) {
        open_scope->handles.push_back(handle);
      }
    }
  }
}

/// The book of LEAKS, all or none.
void count_all_up(std::initializer_list<Handle> handles) {
  auto counted = handles.begin();
  try {
    for (; counted != handles.end(); ++counted) {
      if (is_owned(*counted)) {
        count_up(*counted);
      }
    }
  } catch (...) {
    while (counted != handles.begin()) {
      if (is_owned(*--counted)) {
        count_down(*counted);
      }
    }
    throw;
  }
}

/// The books and the scope, all or none.
void write_down(std::initializer_list<Handle> handles, Growth growth) {
  if (keeps(BYTES)) {
    hold(handles, growth);  // first, because it calls back, and a callback may end scopes
  }
  try {
    make_room(handles.size());
    if (keeps(LEAKS)) {
      count_all_up(handles);
    }
  } catch (...) {
    if (keeps(BYTES)) {
      let_go(handles);
    }
    throw;
  }
  take_in(handles);
}

}  // namespace

void record(std::initializer_list<Handle> handles) {
  if (keeps(LEAKS | BYTES)) {
    write_down(handles, Growth::Reported);
  } else {
    make_room(handles.size());
    take_in(handles);
  }
}

void record_retained(Handle handle) noexcept {
  try {
    write_down({handle}, Growth::Silent);
  } catch (...) {  // an unrecorded reference leaks at worst
  }
}

void record_released(std::initializer_list<Handle> handles) {
  try {
    record(handles);
  } catch (...) {
    for (const Handle &handle : handles) {
      if (is_owned(handle)) {
        release(handle);
      }
    }
    throw;
  }
}

void forget(Handle handle) noexcept {
  for (ctorch_scope *scope = open_scope; scope != nullptr; scope = scope->parent) {
    auto &handles = scope->handles;
    if (!handles.empty() && handles.back().pointer == handle.pointer) {  // most are short-lived
      handles.pop_back();
      break;
    }
    if (auto found = find(*scope, handle.pointer); found != handles.end()) {
      handles.erase(found);
      break;
    }
  }
  if (keeps(LEAKS | BYTES)) {
    strike_out(handle);
  }
}

void release(Handle handle) noexcept {
  switch (handle.kind) {
    case Kind::Tensor:
      c10::raw::intrusive_ptr::decref(static_cast<at::TensorImpl *>(handle.pointer));
      break;
    case Kind::TensorList:
      delete static_cast<ctorch_tensor_list *>(handle.pointer);
      break;
    case Kind::Storage:
      c10::raw::intrusive_ptr::decref(static_cast<c10::StorageImpl *>(handle.pointer));
      break;
    case Kind::Generator:
      c10::raw::intrusive_ptr::decref(static_cast<c10::GeneratorImpl *>(handle.pointer));
      break;
    case Kind::String:
      delete static_cast<ctorch_string *>(handle.pointer);
      break;
    case Kind::Object:
      c10::raw::intrusive_ptr::decref(static_cast<Object *>(handle.pointer));
      break;
    case Kind::CObject:
      object_unref(handle.pointer);
      break;
    case Kind::Error:
    case Kind::Scope:
      break;  // never belong to a scope
  }
}

}  // namespace ctorch

using namespace ctorch;

ctorch_error *ctorch_scope_begin(ctorch_scope **out) {
  return guard(__func__, [&] {
    if (out == nullptr) {
      fail_null("out");
    }
    thread_local AtThreadExit at_thread_exit;
    (void)&at_thread_exit;  // constructed on first use, to be destroyed with the thread
    auto scope = std::make_unique<ctorch_scope>(ctorch_scope{open_scope, {}});
    if (keeps(LEAKS)) {
      count_up({scope.get(), Kind::Scope});
    }
    *out = open_scope = scope.release();
  });
}

void ctorch_scope_end(ctorch_scope *self) {
  // Asked anew each time: what a release calls back into may end scopes as well.
  while (self != nullptr && is_open(self)) {
    end_innermost();
  }
}

ctorch_error *ctorch_scope_keep(ctorch_scope *self, const void *handle) {
  return guard(__func__, [&] {
    if (self != nullptr && !is_open(self)) {
      fail_argument("self", "this scope is not open on this thread");
    }
    ctorch_scope *beyond = self == nullptr ? nullptr : self->parent;
    for (ctorch_scope *scope = open_scope; scope != beyond; scope = scope->parent) {
      if (auto found = find(*scope, handle); found != scope->handles.end()) {
        if (beyond != nullptr) {
          beyond->handles.push_back(*found);
        }
        scope->handles.erase(found);
        return;
      }
    }
  });
}
