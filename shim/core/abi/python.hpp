// Functions of Python's C API, found by name: libctorch is not linked with Python.
#pragma once

#include <dlfcn.h>

namespace ctorch {

/// nullptr in a process without Python.
template <class Function>
Function *python_function(const char *name) {
  return reinterpret_cast<Function *>(dlsym(RTLD_DEFAULT, name));
}

/// What is called in several places. All of it is there if one function is.
struct Python {
  int (*ensure)() = python_function<int()>("PyGILState_Ensure");
  void (*release)(int) = python_function<void(int)>("PyGILState_Release");
  void *(*call)(void *, const char *, const char *, ...) =
      python_function<void *(void *, const char *, const char *, ...)>("PyObject_CallMethod");
  void *(*address)(void *) = python_function<void *(void *)>("PyLong_AsVoidPtr");
  void *(*occurred)() = python_function<void *()>("PyErr_Occurred");
  int (*check_signals)() = python_function<int()>("PyErr_CheckSignals");
  void (*fetch)(void **, void **, void **) = python_function<void(void **, void **, void **)>("PyErr_Fetch");
  void (*normalize)(void **, void **, void **) =
      python_function<void(void **, void **, void **)>("PyErr_NormalizeException");
  void (*restore)(void *, void *, void *) = python_function<void(void *, void *, void *)>("PyErr_Restore");
  void (*clear)() = python_function<void()>("PyErr_Clear");
  void (*retain)(void *) = python_function<void(void *)>("Py_IncRef");
  void (*drop)(void *) = python_function<void(void *)>("Py_DecRef");

  bool is_there() const noexcept { return call != nullptr; }

  static const Python &get() {
    static const Python functions;
    return functions;
  }
};

/// Holds the GIL, on a thread that may hold it already.
class WithGil {
 public:
  WithGil() : state_(Python::get().ensure()) {}
  WithGil(const WithGil &) = delete;
  WithGil &operator=(const WithGil &) = delete;
  ~WithGil() { Python::get().release(state_); }

 private:
  int state_;
};

}  // namespace ctorch
