// The exchange table of a binding for Python. Its functions call methods of an object of the binding's, through
// Python's C API, so that what such a method raises is left set for whoever called the table.
#include <atomic>

#include "core/abi/python.hpp"
#include "core/dlpack/dlpack.hpp"

using namespace ctorch;

namespace {

const Python &python() { return Python::get(); }

std::atomic<void *> table_methods = nullptr;

int from_object(void *object, DLManagedTensorVersioned **out) {
  const WithGil gil;
  void *result = python().call(table_methods, "from_object", "(O)", object);
  if (result == nullptr) {
    return -1;
  }
  auto *managed = static_cast<DLManagedTensorVersioned *>(python().address(result));
  python().drop(result);
  if (managed == nullptr && python().occurred() != nullptr) {
    return -1;
  }
  *out = managed;
  return 0;
}

int to_object(DLManagedTensorVersioned *managed, void **out) {
  const WithGil gil;
  void *result = python().call(table_methods, "to_object", "(K)", reinterpret_cast<unsigned long long>(managed));
  if (result == nullptr) {
    return -1;
  }
  *out = result;
  return 0;
}

int describe_object(void *object, DLTensor *out) {
  const WithGil gil;
  void *result = python().call(table_methods, "describe", "(OK)", object, reinterpret_cast<unsigned long long>(out));
  if (result == nullptr) {
    return -1;
  }
  python().drop(result);
  return 0;
}

}  // namespace

const struct DLPackExchangeAPI *ctorch_dlpack_python_exchange_api(void *methods) {
  static const DLPackExchangeAPI *own = ctorch_dlpack_exchange_api();
  static const DLPackExchangeAPI table = {
      own->header, own->managed_tensor_allocator, from_object, to_object, describe_object, own->current_work_stream,
  };
  if (methods == nullptr || !python().is_there()) {
    return nullptr;
  }
  const WithGil gil;
  python().retain(methods);
  if (void *before = table_methods.exchange(methods); before != nullptr) {
    python().drop(before);
  }
  return &table;
}
