// State of threads, and what of LibTorch's is gone while a thread ends.
#include "core/abi/thread.hpp"

#include <ATen/FuncTorchTLS.h>
#include <ATen/PythonTorchFunctionTLS.h>
#include <ATen/SavedTensorHooks.h>
#include <ATen/ThreadLocalPythonObjects.h>
#include <ATen/record_function.h>
#include <c10/core/AutogradState.h>
#include <c10/core/impl/TorchDispatchModeTLS.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <limits.h>
#include <pthread.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/graph_task.h>
#include <torch/csrc/jit/frontend/error_report.h>

#include <utility>

namespace ctorch {

namespace {

__thread PerThread *objects = nullptr;  // the latest first

constexpr int ROUNDS = _POSIX_THREAD_DESTRUCTOR_ITERATIONS;  // as pthread keys have

/// The queue of a thread that calls backward: the engine has a way to make one, for those who are engines.
struct ReadyQueueAccess : torch::autograd::Engine {
  static void make() {
    constexpr auto init = &ReadyQueueAccess::init_local_ready_queue;
    (Engine::get_default_engine().*init)(nullptr);
  }
};

/// Make LibTorch's thread-local objects exist, so that they are destroyed after what is made next.
void make_libtorchs_objects() {
  c10::AutogradState::get_tls_state();
  c10::impl::TorchDispatchModeTLS::get_state();
  c10::ThreadLocalDebugInfo::current();
  at::hasThreadLocalCallbacks();
  at::SavedTensorDefaultHooks::get_tls_state();
  at::impl::PythonTorchFunctionTLS::get_state();
  at::impl::ThreadLocalPythonObjects::get_state();
  at::functorch::functorchTLSAccessor();
  torch::autograd::get_current_graph_task_id();
  torch::autograd::get_current_node();
  ReadyQueueAccess::make();
  torch::jit::ErrorReport::current_call_stack();
}

/// Destroyed before all of these.
struct End {
  ~End() {
    // What callbacks make meanwhile is met in the next round; what the last one leaves, the key below meets.
    for (int round = 0; round < ROUNDS && objects != nullptr; round++) {
      empty_thread();
    }
    thread_phase = THREAD_ENDING;
  }
};

// The destructors of pthread keys run after those of thread_local objects, in rounds: a key that was set again gets
// another, up to the fourth, and what is made after that stays. A thread whose first call is in one of them has no
// other end than this; LibTorch's objects are made there and never destroyed.
pthread_key_t key;
const bool has_key = pthread_key_create(&key, [](void *) { empty_thread(); }) == 0;

}  // namespace

void empty_thread() noexcept {
  // Callbacks of one may fill another, or make new ones.
  for (int round = 0; round < ROUNDS; round++) {
    for (PerThread *object = objects; object != nullptr; object = object->earlier_) {
      object->thread_ends(/*with_libtorch=*/thread_phase == THREAD_LIVE);
    }
  }
  PerThread *left = std::exchange(objects, nullptr);
  for (PerThread *object = left; object != nullptr; object = object->earlier_) {
    object->forget_();
  }
  while (left != nullptr) {
    delete std::exchange(left, left->earlier_);
  }
}

void enter_thread() {
  if (thread_phase == THREAD_NEW) {
    make_libtorchs_objects();
    thread_local End end;
    (void)&end;  // constructed here, to be destroyed with the thread
    thread_phase = THREAD_LIVE;
  }
}

void add_to_thread(PerThread *object, void (*forget)()) noexcept {
  object->forget_ = forget;
  object->earlier_ = objects;
  objects = object;
  if (has_key) {
    (void)pthread_setspecific(key, &objects);  // without memory for it, what is made after the end stays
  }
}

}  // namespace ctorch
