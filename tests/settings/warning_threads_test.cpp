// Warnings that LibTorch raises on threads of its own, of which the C ABI has no way to ask for one: they reach the
// callback too. And where nothing may be thrown, or an exception is on its way, a failing callback does no harm.
#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <c10/util/Exception.h>
#include <torch/csrc/autograd/autograd.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

#include "ctorch.h"

namespace {

int failures = 0;

void expect(bool condition, const char *claim) {
  if (!condition) {
    std::fprintf(stderr, "failed: %s\n", claim);
    failures++;
  }
}

std::mutex mutex;
std::multiset<std::string> heard;
std::set<std::thread::id> threads;

ctorch_callback_status hear(
    ctorch_warning_kind, const char *message, const char *, const char *, uint32_t, ctorch_error **, void *) {
  std::lock_guard lock(mutex);
  heard.insert(message);
  threads.insert(std::this_thread::get_id());
  return CTORCH_CALLBACK_OK;
}

ctorch_callback_status fail(
    ctorch_warning_kind kind,
    const char *message,
    const char *file,
    const char *function,
    uint32_t line,
    ctorch_error **error,
    void *payload) {
  hear(kind, message, file, function, line, error, payload);
  return 0;
}

size_t take(const char *message) {
  std::lock_guard lock(mutex);
  size_t count = heard.count(message);
  heard.clear();
  return count;
}

void set(ctorch_warning_callback callback) {
  if (ctorch_warning_set_callback(callback, nullptr, nullptr) != nullptr) {
    std::abort();
  }
}

struct WarnsAtItsEnd {
  ~WarnsAtItsEnd() { TORCH_WARN("destructor"); }
};

}  // namespace

int main() {
  // A worker that has been there, and has warned, before anybody listened.
  std::promise<void> listening, warned;
  std::thread old([&] {
    TORCH_WARN("printed: nobody listens yet");
    warned.set_value();
    listening.get_future().wait();
    TORCH_WARN("old thread");
  });
  warned.get_future().wait();

  set(hear);
  listening.set_value();
  old.join();
  expect(take("old thread") == 1, "a thread that had the default handler is heard");

  std::thread([] { TORCH_WARN("new thread"); }).join();
  expect(take("new thread") == 1, "the first warning of a thread is heard");

  at::set_num_threads(4);
  threads.clear();
  at::parallel_for(0, 4, 1, [](int64_t, int64_t) { TORCH_WARN("parallel"); });
  expect(take("parallel") == 4, "each worker of at::parallel_for is heard");
  expect(threads.size() == 4, "at::parallel_for used four threads");

  std::promise<void> launched;
  at::launch([&] {
    TORCH_WARN("interop");
    launched.set_value();
  });
  launched.get_future().wait();
  expect(take("interop") == 1, "the interop pool is heard");

  // Autograd's handler carries them to the thread that called backward.
  threads.clear();
  at::Tensor x = at::ones({1}).requires_grad_();
  at::Tensor y = at::mul(x, x);
  y.register_hook([](const at::Tensor &) { TORCH_WARN("backward"); });
  torch::autograd::backward({at::sum(y)}, {});
  expect(take("backward") == 1, "backward is heard");
  expect(threads.count(std::this_thread::get_id()) == 1, "on the thread that called it");

  // A handler that somebody gave a thread goes first, and is found again.
  struct Mine : c10::WarningHandler {
    void process(const c10::Warning &) override { count++; }
    int count = 0;
  } mine;
  {
    c10::WarningUtils::WarningHandlerGuard guard(&mine);
    TORCH_WARN("mine");
    ctorch_warnings *collected = nullptr;
    expect(ctorch_warnings_push() == nullptr, "push");
    TORCH_WARN("collected");
    expect(ctorch_warnings_pop(&collected) == nullptr, "pop");
    expect(ctorch_warnings_len(collected) == 1, "collected above another handler");
    ctorch_warnings_release(collected);
    TORCH_WARN("mine");
    expect(ctorch_warnings_push() == nullptr, "push");
    c10::WarningUtils::set_warning_handler(&mine);
    ctorch_error *error = ctorch_warnings_pop(nullptr);
    expect(ctorch_error_kind_of(error) == CTORCH_ERROR_RUNTIME, "a pop under another handler is refused");
    ctorch_error_release(error);
  }
  expect(mine.count == 2 && heard.empty(), "a thread's own handler goes first");

  // While an exception unwinds the stack the callback is left alone.
  try {
    WarnsAtItsEnd object;
    throw std::runtime_error("on its way");
  } catch (const std::runtime_error &) {
  }
  expect(take("destructor") == 0, "no callback while an exception is on its way");
  { WarnsAtItsEnd object; }
  expect(take("destructor") == 1, "the same destructor is heard otherwise");

  // Neither destructors nor workers can pass an error on.
  set(fail);
  { WarnsAtItsEnd object; }
  expect(take("destructor") == 1, "a failing callback in a destructor");
  std::thread([] { TORCH_WARN("new thread"); }).join();
  expect(take("new thread") == 1, "a failing callback on a thread without anybody to tell");

  set(nullptr);
  TORCH_WARN("printed: nobody listens any more");
  expect(heard.empty(), "without a callback nothing is heard");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
