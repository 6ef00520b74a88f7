// The end of a PyCapsule that carries a tensor of ours. A Python interpreter, if there is one, is called without being
// linked: its functions are found by name.
#include "core/abi/python.hpp"
#include "core/dlpack/dlpack.hpp"

using namespace ctorch;

namespace {

/// The exception that waits to be raised: what runs meanwhile must neither see nor replace it.
class PendingException {
 public:
  PendingException() : restore_(python_function<void(void *, void *, void *)>("PyErr_Restore")) {
    auto *fetch = python_function<void(void **, void **, void **)>("PyErr_Fetch");
    if (fetch != nullptr && restore_ != nullptr) {
      fetch(&type_, &value_, &traceback_);
    }
  }
  PendingException(const PendingException &) = delete;
  PendingException &operator=(const PendingException &) = delete;
  ~PendingException() {
    if (restore_ != nullptr) {
      restore_(type_, value_, traceback_);
    }
  }

 private:
  void (*restore_)(void *, void *, void *);
  void *type_ = nullptr;
  void *value_ = nullptr;
  void *traceback_ = nullptr;
};

}  // namespace

void ctorch_dlpack_capsule_destroy(void *capsule) {
  auto *is_valid = python_function<int(void *, const char *)>("PyCapsule_IsValid");
  auto *pointer = python_function<void *(void *, const char *)>("PyCapsule_GetPointer");
  if (capsule == nullptr || is_valid == nullptr || pointer == nullptr) {
    return;
  }
  const PendingException pending;  // a deleter may well run Python code
  if (is_valid(capsule, "dltensor_versioned") != 0) {
    ctorch_dlpack_release(static_cast<DLManagedTensorVersioned *>(pointer(capsule, "dltensor_versioned")));
  } else if (is_valid(capsule, "dltensor") != 0) {
    ctorch_dlpack_unversioned_release(static_cast<DLManagedTensor *>(pointer(capsule, "dltensor")));
  }
}
