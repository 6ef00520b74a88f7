// What a call does around its body: precautions before it, and a second attempt after memory ran out.
#include <ATen/Parallel.h>

#include <typeinfo>

#include "abi/error.hpp"
#include "abi/error_object.hpp"
#include "abi/memory_pressure.hpp"

namespace ctorch {

namespace {

/// Answer an error; but if memory has run out and the callback for that fails, answer what it failed with. `relieved`
/// tells whether it has run.
ctorch_error *relieve_or(ctorch_error *error, const char *function, bool &relieved) {
  if (error == nullptr || error->kind != CTORCH_ERROR_OUT_OF_MEMORY) {
    return error;
  }
  ctorch_error *failure = error_of(function, [&] { relieved = relieve(error->details.requested_bytes.value_or(0)); });
  if (failure == nullptr) {
    return error;
  }
  release_error(error);
  return failure;
}

}  // namespace

ctorch_error *prepare(const char *function) noexcept {
  if (takes(VERSION_MISMATCH)) {
    return refuse_version(function);
  }
  if (thread_phase == THREAD_ENDING) {
    return error_of(function, [] {
      fail(
          CTORCH_ERROR_RUNTIME,
          "this thread is ending: LibTorch's thread-local state is gone, and what does not need it is all that works");
    });
  }
  return error_of(function, [] {
    enter_thread();
    if (takes(FORKED)) {
      // The child has one thread, while LibTorch's pools believe in those of the parent, and a parallel operator would
      // wait for them forever.
      __atomic_fetch_and(&precautions, static_cast<uint8_t>(~FORKED), __ATOMIC_RELAXED);
      at::set_num_threads(1);
    }
  });
}

ctorch_error *report(const std::exception &exception, const char *function) noexcept {
  ctorch_error *error = error_from(exception, function);
  if (typeid(exception) == typeid(CallbackFailure)) {
    return error;  // reported where it was made
  }
  bool relieved = false;
  return relieve_or(error, function, relieved);
}

__thread bool is_attempt = false;

bool next(Attempts &attempts) noexcept {
  if (attempts.made == 0) {
    attempts.error = prepare(attempts.function);
    if (attempts.error != nullptr) {
      return false;
    }
  } else {
    ctorch_error *error = attempts.error;
    // An error of another function came out of a callback: it was reported where it was made.
    if (attempts.made > 1 || error == nullptr || error->function != attempts.function) {
      return false;
    }
    bool relieved = false;
    attempts.error = relieve_or(error, attempts.function, relieved);
    if (!relieved || attempts.error != error) {
      return false;
    }
    release_error(error);
  }
  attempts.made++;
  is_attempt = takes(ANY_PRECAUTION);  // else the call does not look at it: a thread's first is like any other now
  return true;
}

ctorch_error *unsupported(const char *function, const char *operator_name, const char *torch_version) noexcept {
  return guard(function, [&] {
    fail(CTORCH_ERROR_UNSUPPORTED, std::string(operator_name) + " does not exist in LibTorch " + torch_version);
  });
}

}  // namespace ctorch
