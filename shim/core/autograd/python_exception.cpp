// Turning an exception of Python's into an error of kind PYTHON.
#include "core/autograd/python_exception.hpp"

#include <dlfcn.h>

#include <cstring>
#include <typeinfo>

#include "core/abi/error.hpp"

namespace ctorch {
namespace {

// A Python interpreter, if there is one, is called without being linked.
template <class Function>
Function *python_function(const char *name) {
  return reinterpret_cast<Function *>(dlsym(RTLD_DEFAULT, name));
}

/// The class of an exception, say PyExc_ValueError.
void *python_class(const char *name) {
  auto *place = static_cast<void **>(dlsym(RTLD_DEFAULT, name));
  return place == nullptr ? nullptr : *place;
}

struct Kind {
  const char *python_class;
  ctorch_error_kind code;
};
// Subclasses before what they are made of.
constexpr Kind KINDS[] = {
    {"PyExc_NotImplementedError", CTORCH_ERROR_NOT_IMPLEMENTED},
    {"PyExc_RuntimeError", CTORCH_ERROR_RUNTIME},
    {"PyExc_IndexError", CTORCH_ERROR_INDEX},
    {"PyExc_ValueError", CTORCH_ERROR_VALUE},
    {"PyExc_TypeError", CTORCH_ERROR_TYPE},
    {"PyExc_MemoryError", CTORCH_ERROR_OUT_OF_MEMORY},
};

/// The code of the exception that is set on this thread, which is cleared.
ctorch_error_kind take_code() {
  auto *ensure = python_function<int(void)>("PyGILState_Ensure");
  auto *release = python_function<void(int)>("PyGILState_Release");
  auto *occurred = python_function<void *(void)>("PyErr_Occurred");
  auto *matches = python_function<int(void *)>("PyErr_ExceptionMatches");
  auto *clear = python_function<void(void)>("PyErr_Clear");
  ctorch_error_kind code = CTORCH_ERROR_PYTHON;
  if (ensure == nullptr || release == nullptr || occurred == nullptr || matches == nullptr || clear == nullptr) {
    return code;
  }
  const int state = ensure();
  if (occurred() != nullptr) {
    for (const Kind &kind : KINDS) {
      void *python = python_class(kind.python_class);
      if (python != nullptr && matches(python) != 0) {
        code = kind.code;
        break;
      }
    }
    clear();
  }
  release(state);
  return code;
}

}  // namespace

void throw_if_pythons(const std::exception &exception) {
  // The class is declared in a header that needs those of Python.
  if (std::strcmp(typeid(exception).name(), "12python_error") == 0) {
    fail(take_code(), exception.what());
  }
}

}  // namespace ctorch
