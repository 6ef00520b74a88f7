// Modes that are pushed and popped: which scope each push was made in, so that the scope's end takes back what is left.
//
// What a push changes and a pop restores is the affair of the service (autograd/grad_mode.cpp and others), each with a
// stack of its own for a thread. Here stands the order of all pushes of a thread.
#pragma once

#include <stdint.h>

#include <utility>

#include "ctorch/abi/base.h"

namespace ctorch {

/// One kind of push and pop. An object for each, which is never destroyed.
struct ModeKind {
  /// "grad mode", for messages.
  const char *name;
  /// Restore what was before the last push of this kind on this thread, whatever comes of it; the push is then gone.
  /// `token` is what its push answered.
  void (*take_back)(uintptr_t token) noexcept;
  /// Restoring needs what LibTorch has for the thread (thread.hpp).
  bool needs_libtorch;
};

/// Note a push that is about to be made, under a number. If it fails it is forgotten.
uint64_t note_push(const ModeKind &kind);
void note_token(uint64_t push, uintptr_t token) noexcept;
void forget_push(uint64_t push) noexcept;

/// The latest push of a kind, 0 if there is none. Fails if a scope has taken back a later one which this pop may be
/// meant for.
uint64_t push_to_pop(const ModeKind &kind);

/// Do `push`, which answers a token, as a push of this kind.
template <class Push>
void push_mode(const ModeKind &kind, Push &&push) {
  const uint64_t number = note_push(kind);
  try {
    note_token(number, std::forward<Push>(push)());
  } catch (...) {
    forget_push(number);
    throw;
  }
}

/// Do `pop`, which fails if there is nothing to pop.
template <class Pop>
void pop_mode(const ModeKind &kind, Pop &&pop) {
  const uint64_t number = push_to_pop(kind);
  std::forward<Pop>(pop)();
  forget_push(number);
}

/// Take back the latest push that was made in the innermost scope, which this is. False if there is none.
bool take_back_push_of(const ctorch_scope *innermost) noexcept;

/// The number of the latest push of this thread, 0 if there was none.
uint64_t latest_push() noexcept;

/// Take back what was pushed after that one and has not been popped, the last first.
void take_back_pushes_after(uint64_t number) noexcept;

}  // namespace ctorch
