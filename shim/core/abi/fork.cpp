// fork(): locks are taken before it and given back after it on both sides; a child computes with one thread.
#include "core/abi/fork.hpp"

#include "core/abi/error.hpp"
#include "core/abi/handle.hpp"

namespace ctorch {

namespace {

uint64_t forks_so_far = 0;  // changed by the only thread that there is

}  // namespace

Mutex *Mutex::first = nullptr;

Mutex::Mutex(LockOrder order) noexcept : order_(order) {
  if (first == nullptr) {
    (void)pthread_atfork(before_fork, after_fork, after_fork_in_child);  // without memory for it: as if nobody forked
  }
  Mutex **place = &first;
  while (*place != nullptr && (*place)->order_ <= order_) {
    place = &(*place)->next_;
  }
  next_ = *place;
  *place = this;
}

void Mutex::lock() noexcept {
  // The address of a variable of the thread names it, also in the child; that of this one is had without a call.
  const void *const this_thread = &open_scope;
  if (owner_.load(std::memory_order_relaxed) != this_thread) {
    (void)pthread_mutex_lock(&mutex_);
    owner_.store(this_thread, std::memory_order_relaxed);
  }
  times_++;
}

void Mutex::unlock() noexcept {
  if (--times_ == 0) {
    owner_.store(nullptr, std::memory_order_relaxed);
    (void)pthread_mutex_unlock(&mutex_);
  }
}

// Handlers of others, which run between these on the same thread, may call ctorch.
void Mutex::before_fork() noexcept {
  for (Mutex *mutex = first; mutex != nullptr; mutex = mutex->next_) {
    mutex->lock();
  }
}

void Mutex::after_fork() noexcept {
  for (Mutex *mutex = first; mutex != nullptr; mutex = mutex->next_) {
    mutex->unlock();
  }
}

void Mutex::after_fork_in_child() noexcept {
  forks_so_far++;
  __atomic_fetch_or(&precautions, FORKED, __ATOMIC_RELAXED);  // prepare() does the rest: little may run here
  after_fork();
}

uint64_t forks() noexcept { return forks_so_far; }

}  // namespace ctorch
