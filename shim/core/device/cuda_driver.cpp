// Asking the driver's own library about devices.
#include "core/device/cuda_driver.hpp"

#include <dlfcn.h>

#include "core/abi/error.hpp"

namespace ctorch::cuda_driver {

namespace {

using Result = int;  // CUresult; 0 is success
using Device = int;  // CUdevice

struct Driver {
  Result (*init)(unsigned flags);
  Result (*device_get)(Device *device, int ordinal);
  Result (*device_get_name)(char *name, int len, Device device);
  Result (*device_get_attribute)(int *value, int attribute, Device device);
};

template <class Function>
bool find(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

const Driver &driver() {
  static const Driver *const instance = []() -> Driver * {
    void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    auto *driver = new Driver;
    bool complete = library != nullptr && find(library, "cuInit", driver->init) &&
                    find(library, "cuDeviceGet", driver->device_get) &&
                    find(library, "cuDeviceGetName", driver->device_get_name) &&
                    find(library, "cuDeviceGetAttribute", driver->device_get_attribute);
    if (complete && driver->init(0) == 0) {
      return driver;
    }
    delete driver;
    return nullptr;
  }();
  if (instance == nullptr) {
    fail(CTORCH_ERROR_UNSUPPORTED, "the CUDA driver, libcuda.so.1, cannot be asked");
  }
  return *instance;
}

void check(Result result, const char *function) {
  if (result != 0) {
    fail(CTORCH_ERROR_ACCELERATOR, std::string(function) + " of the CUDA driver failed with " + std::to_string(result));
  }
}

Device device(int index) {
  Device device = 0;
  check(driver().device_get(&device, index), "cuDeviceGet");
  return device;
}

}  // namespace

std::string name(int index) {
  char text[256] = {};
  check(driver().device_get_name(text, sizeof text, device(index)), "cuDeviceGetName");
  return text;
}

int attribute(int index, int which) {
  int value = 0;
  check(driver().device_get_attribute(&value, which, device(index)), "cuDeviceGetAttribute");
  return value;
}

}  // namespace ctorch::cuda_driver
