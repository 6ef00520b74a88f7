// What each thread has of its own, from its first call to its very last.
//
// When a thread ends, C++ destroys its thread_local objects, the latest first. Code that calls ctorch may run later
// still: destructors of thread_local objects that are older, destructors of pthread keys, and on the main thread atexit
// handlers. So nothing of ours that has a destructor is thread_local. What a service keeps for a thread is an object
// that per_thread() makes; plain pointers, which nobody destroys, lead to it, and a list of the thread owns it. The
// list is emptied when the thread ends, and again by a pthread key if it has been filled after that.
//
// LibTorch's own thread-local objects are thread_local. Those that have a destructor:
//
//     c10::AutogradState (of which only what is not a flag is destroyed), TorchDispatchModeTLS, ThreadLocalDebugInfo
//     at::RecordFunction's callbacks, SavedTensorDefaultHooks, PythonTorchFunctionTLS, ThreadLocalPythonObjects,
//     functorch's FuncTorchTLS; autograd's current graph task, current node and ready queue; jit's ErrorReport
//
// Each operator uses some of them. A thread's first call makes them all exist and only then notes the thread, so that
// the end of the thread is known before the first of them is gone; from then on guard() refuses. The dispatch keys, the
// flags of AutogradState, autocast and the handler of warnings are plain memory, and stay usable.
#pragma once

#include <stdint.h>

#include <memory>

namespace ctorch {

constexpr uint8_t THREAD_LIVE = 0;
constexpr uint8_t THREAD_NEW = 1;     // it has not been noted yet
constexpr uint8_t THREAD_ENDING = 2;  // LibTorch's thread-local objects are gone, or about to be

/// One byte of static TLS, see open_scope in handle.hpp. Each call tests it (must_prepare).
extern __thread uint8_t thread_phase __attribute__((tls_model("initial-exec"), visibility("hidden")));

/// Note this thread, unless that is done. prepare() does it for whatever guard() guards.
void enter_thread();

/// End and destroy what the thread owns.
void empty_thread() noexcept;

/// The base of what per_thread() makes.
class PerThread {
 public:
  PerThread() = default;
  PerThread(const PerThread &) = delete;
  PerThread &operator=(const PerThread &) = delete;
  virtual ~PerThread() = default;

  /// The thread ends, and all of its objects are still there; afterwards they are destroyed. `with_libtorch`: so are
  /// LibTorch's, and operators may be called.
  virtual void thread_ends(bool with_libtorch) noexcept { (void)with_libtorch; }

 private:
  friend void add_to_thread(PerThread *object, void (*forget)()) noexcept;
  friend void empty_thread() noexcept;

  PerThread *earlier_ = nullptr;
  void (*forget_)() = nullptr;  // clears the pointer that leads here
};

/// Let the thread own an object. Its pointer is cleared before it is destroyed: whoever asks meanwhile gets a new one.
void add_to_thread(PerThread *object, void (*forget)()) noexcept;

template <class T>
struct OfThisThread {
  static __thread T *object;
};
template <class T>
__thread T *OfThisThread<T>::object = nullptr;

/// This thread's T, or null if it has none yet.
template <class T>
T *find_per_thread() noexcept {
  return OfThisThread<T>::object;
}

/// This thread's T, made on first use.
template <class T>
T &per_thread() {
  if (OfThisThread<T>::object == nullptr) {
    auto made = std::make_unique<T>();
    add_to_thread(made.get(), [] { OfThisThread<T>::object = nullptr; });
    OfThisThread<T>::object = made.release();
  }
  return *OfThisThread<T>::object;
}

}  // namespace ctorch
