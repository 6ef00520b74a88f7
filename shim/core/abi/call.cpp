// What a call does around its body: precautions before it, and a second attempt after memory ran out.
#include <ATen/Parallel.h>

#include <typeinfo>

#include "core/abi/error.hpp"
#include "core/abi/error_object.hpp"
#include "core/abi/handle.hpp"
#include "core/abi/memory_pressure.hpp"

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

namespace {

/// The name at a position in a list of names apart by spaces.
std::string name_at(const char *names, size_t index) {
  std::string_view rest = names;
  for (; index > 0 && rest.find(' ') != rest.npos; index--) {
    rest.remove_prefix(rest.find(' ') + 1);
  }
  return std::string(rest.substr(0, rest.find(' ')));
}

}  // namespace

void HandleArguments::add(const void *pointer, What what) noexcept {
  if (pointer != nullptr && len_ < MOST) {
    arguments_[len_++] = {pointer, 0, index_, what};
  }
}

void HandleArguments::set_length(size_t len) noexcept {
  if (len_ > 0 && arguments_[len_ - 1].index + 1 == index_) {
    arguments_[len_ - 1].len = len;
  }
}

ctorch_error *HandleArguments::check(const char *function, const char *names) const noexcept {
  return error_of(function, [&] {
    for (const Argument *argument = arguments_; argument != arguments_ + len_; argument++) {
      const std::string name = name_at(names, argument->index);
      void *const pointer = const_cast<void *>(argument->pointer);
      switch (argument->what) {
        case Tensor:
          check_usable({pointer, Kind::Tensor}, name.c_str());
          break;
        case Tensors:
          check_all_usable(static_cast<const ctorch_tensor *const *>(pointer), argument->len, name.c_str());
          break;
        case Storage:
          check_usable({pointer, Kind::Storage}, name.c_str());
          break;
        case Generator:
          check_usable({pointer, Kind::Generator}, name.c_str());
          break;
      }
    }
  });
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
