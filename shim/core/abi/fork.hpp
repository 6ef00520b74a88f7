// fork() while other threads are in ctorch: the mutexes of the process.
//
// The child has one thread, and memory as it was at that moment. A mutex that another thread held would stay locked
// there for good, over data that is half changed. So whoever forks first takes every mutex of ours, and parent and
// child give them back. They are few, and each is known here: objects of one kind share one (all lists of hooks, say),
// which they hold for moments only.
//
// What LibTorch locks is LibTorch's affair.
#pragma once

#include <pthread.h>
#include <stdint.h>

#include <atomic>

namespace ctorch {

/// In which order a thread takes several: while it holds one it may take those below.
enum class LockOrder : unsigned char {
  DualLevels,
  HookRegistration,
  Checkpoints,
  FunctionContexts,
  TensorHooks,
  HookLists,
  AnomalyModes,
  Operators,
  WarningCallback,
  PrintOptions,
  CpuAllocator,
  MemoryPressure,
  ForgottenScopes,
  Leaks,
  CpuAllocations,
};

/// A mutex that fork() leaves usable. Make it when the library is loaded, and never destroy it. A thread may take one
/// that it holds already, because dropping a tensor may call back into anything.
class Mutex {
 public:
  explicit Mutex(LockOrder order) noexcept;
  Mutex(const Mutex &) = delete;
  Mutex &operator=(const Mutex &) = delete;

  void lock() noexcept;
  void unlock() noexcept;

 private:
  static void before_fork() noexcept;
  static void after_fork() noexcept;
  static void after_fork_in_child() noexcept;
  static Mutex *first;

  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;  // no std::mutex: LockOrder is what makes one safe
  std::atomic<const void *> owner_{nullptr};
  unsigned times_ = 0;  // that the owner has taken it
  const LockOrder order_;
  Mutex *next_ = nullptr;  // the next in the order
};

/// How many times this process and those it stems from have been forked off since the library was loaded. What was
/// counted of other threads before does not count any more.
uint64_t forks() noexcept;

}  // namespace ctorch
