// DLPack on CUDA, without CUDA: a runtime of this file's own stands where LibTorch for CUDA registers its own, notes
// what it is asked, and has its "device memory" on the CPU. What is shown is which stream waits for which, in which
// case, and what is refused; not that CUDA does it. With the argument "rocm", LibTorch is one for ROCm.
#include <ATen/Context.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <string>

#include "core/dlpack/dlpack_structs.hpp"
#include "ctorch.h"

namespace {

using c10::Device;
using c10::DeviceIndex;
using c10::Stream;

constexpr DeviceIndex DEVICES = 2;
constexpr int64_t SIDE_STREAM = 77;

bool rocm = false;
DeviceIndex current_device = 0;
int64_t current_stream = 0;
std::string calls;  // what the runtime was asked, and in which order

std::string name(const Stream &stream) {
  return std::to_string(stream.device_index()) + "/" + std::to_string(stream.id());
}

struct Runtime final : c10::impl::DeviceGuardImplInterface {
  c10::DeviceType type() const override { return at::kCUDA; }
  Device exchangeDevice(Device device) const override {
    return Device(at::kCUDA, std::exchange(current_device, device.index()));
  }
  Device getDevice() const override { return Device(at::kCUDA, current_device); }
  void setDevice(Device device) const override { current_device = device.index(); }
  void uncheckedSetDevice(Device device) const noexcept override { current_device = device.index(); }
  Stream getStream(Device device) const override { return Stream(Stream::UNSAFE, device, current_stream); }
  Stream getDefaultStream(Device device) const override { return Stream(Stream::DEFAULT, device); }
  Stream exchangeStream(Stream stream) const override { return getStream(stream.device()); }
  DeviceIndex deviceCount() const noexcept override { return DEVICES; }
  void *getStreamNativeHandle(const Stream stream) const override { return reinterpret_cast<void *>(stream.id()); }
  void record(void **event, const Stream &stream, const DeviceIndex, const c10::EventFlag) const override {
    *event = &calls;
    calls += "record " + name(stream) + "; ";
  }
  void block(void *event, const Stream &stream) const override {
    calls += event == &calls ? "block " + name(stream) + "; " : "block on another event; ";
  }
  void destroyEvent(void *, const DeviceIndex) const noexcept override { calls += "destroy"; }
};

const void *pinned = nullptr;

}  // namespace

namespace at::cuda {
// The registry knows the class by this name.
struct CUDAHooks final : at::CUDAHooksInterface {
  explicit CUDAHooks(at::CUDAHooksArgs) {}
  bool isBuilt() const override { return true; }
  void init() const override {}
  bool hasCUDA() const override { return true; }
  bool hasROCM() const override { return rocm; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
  bool isPinnedPtr(const void *data) const override { return data == pinned; }
};
using at::CUDAHooksRegistry;
using at::RegistererCUDAHooksRegistry;
REGISTER_CUDA_HOOKS(CUDAHooks)
}  // namespace at::cuda

namespace {

int failures = 0;

#define EXPECT(condition)                                                                        \
  do {                                                                                           \
    if (!(condition)) {                                                                          \
      failures++;                                                                                \
      printf("%s:%d: failed: %s\n  calls: %s\n", __FILE__, __LINE__, #condition, calls.c_str()); \
    }                                                                                            \
  } while (0)

bool succeeds(ctorch_error *error) {
  if (error != nullptr) {
    printf("  %s: %s\n", ctorch_error_kind_name(ctorch_error_kind_of(error)), ctorch_error_message(error));
  }
  ctorch_error_release(error);
  return error == nullptr;
}

bool fails(ctorch_error *error, ctorch_error_kind code, const char *message) {
  bool as_expected = ctorch_error_kind_of(error) == code && strstr(ctorch_error_message(error), message) != nullptr;
  if (!as_expected) {
    printf("  %s: %s\n", ctorch_error_kind_name(ctorch_error_kind_of(error)), ctorch_error_message(error));
  }
  ctorch_error_release(error);
  return as_expected;
}

float memory[4] = {1, 2, 3, 4};
int64_t shape[] = {2};
int64_t strides[] = {1};

int32_t device_type() { return rocm ? ctorch::dlpack::ROCM : ctorch::dlpack::CUDA; }

DLTensor on_device(int32_t id) { return {memory, {device_type(), id}, 1, {2, 32, 1}, shape, strides, 0}; }

ctorch_tensor *tensor_on(int32_t id) {
  DLTensor description = on_device(id);
  ctorch_tensor *out = nullptr;
  EXPECT(succeeds(ctorch_tensor_from_dltensor(&out, &description, nullptr, nullptr)));
  return out;
}

/// Export for a consumer on this stream; what the runtime was asked is left in `calls`.
ctorch_error *export_to(ctorch_tensor *tensor, const int64_t *stream) {
  calls.clear();
  DLManagedTensorVersioned *managed = nullptr;
  ctorch_error *error = ctorch_tensor_to_dlpack(&managed, tensor, stream, nullptr, nullptr, false);
  if (managed != nullptr) {
    EXPECT(managed->dl_tensor.data == memory);
    EXPECT(managed->dl_tensor.device.device_type == device_type());
  }
  ctorch_dlpack_release(managed);
  return error;
}
ctorch_error *export_to(ctorch_tensor *tensor, int64_t stream) { return export_to(tensor, &stream); }

void imports_are_on_the_device() {
  for (int32_t id = 0; id < DEVICES; id++) {
    ctorch_tensor *tensor = tensor_on(id);
    ctorch_device device = {};
    const void *data = nullptr;
    int32_t type = 0, where = -1;
    EXPECT(succeeds(ctorch_tensor_device(&device, tensor)));
    EXPECT(device.type == CTORCH_DEVICE_TYPE_CUDA && device.index == id);
    EXPECT(succeeds(ctorch_tensor_const_data(&data, tensor)) && data == memory);
    EXPECT(succeeds(ctorch_tensor_dlpack_device(&type, &where, tensor)));
    EXPECT(type == device_type() && where == id);
    ctorch_tensor_release(tensor);
  }
  ctorch_tensor *none = nullptr;
  DLTensor description = on_device(DEVICES);
  EXPECT(fails(
      ctorch_tensor_from_dltensor(&none, &description, nullptr, nullptr), CTORCH_ERROR_INVALID_ARGUMENT,
      "there is no device cuda:2"));
  // The other vendor's devices.
  description.device = {rocm ? ctorch::dlpack::CUDA : ctorch::dlpack::ROCM, 0};
  EXPECT(fails(
      ctorch_tensor_from_dltensor(&none, &description, nullptr, nullptr),
      rocm ? CTORCH_ERROR_BUFFER : CTORCH_ERROR_UNSUPPORTED, rocm ? "Unsupported device_type: 2" : "hip"));
  EXPECT(none == nullptr);
}

void nothing_waits_unless_asked() {
  ctorch_tensor *tensor = tensor_on(0);
  current_stream = SIDE_STREAM;
  EXPECT(succeeds(export_to(tensor, nullptr)) && calls.empty());
  EXPECT(succeeds(export_to(tensor, -1)) && calls.empty());
  ctorch_tensor_release(tensor);
}

void the_consumers_stream_waits_for_ours() {
  ctorch_tensor *tensor = tensor_on(1);
  current_device = 1;
  const int64_t default_stream = rocm ? 0 : 1;
  current_stream = SIDE_STREAM;
  EXPECT(succeeds(export_to(tensor, default_stream)) && calls == "record 1/77; block 1/0; destroy");
  EXPECT(succeeds(export_to(tensor, 4096)) && calls == "record 1/77; block 1/4096; destroy");
  // Not for itself.
  current_stream = 0;
  EXPECT(succeeds(export_to(tensor, default_stream)) && calls.empty());
  current_stream = 4096;
  EXPECT(succeeds(export_to(tensor, 4096)) && calls.empty());
  current_device = 0;
  ctorch_tensor_release(tensor);
}

void streams_that_are_none_are_refused() {
  ctorch_tensor *tensor = tensor_on(0);
  const char *what = rocm ? "unsupported stream on ROCm: " : "unsupported stream on CUDA: ";
  for (int64_t stream : {int64_t{-2}, INT64_MIN, int64_t{3}, INT64_MAX, int64_t{rocm ? 1 : 0}}) {
    EXPECT(fails(export_to(tensor, stream), CTORCH_ERROR_INVALID_ARGUMENT, (what + std::to_string(stream)).c_str()));
  }
  if (rocm) {
    EXPECT(fails(export_to(tensor, 2), CTORCH_ERROR_INVALID_ARGUMENT, "unsupported stream on ROCm: 2"));
  } else {
    EXPECT(fails(export_to(tensor, 2), CTORCH_ERROR_BUFFER, "per-thread default stream is not supported."));
  }
  EXPECT(calls.empty());
  ctorch_tensor_release(tensor);
}

void only_the_current_devices_tensors_are_exported() {
  ctorch_tensor *tensor = tensor_on(1);
  EXPECT(fails(
      export_to(tensor, nullptr), CTORCH_ERROR_BUFFER,
      "Can't export tensors on a different CUDA device index. Expected: 1. Current device: 0."));
  ctorch_tensor_release(tensor);
}

void a_device_is_where_the_tensor_is_or_another() {
  ctorch_tensor *tensor = tensor_on(0);
  DLManagedTensorVersioned *managed = nullptr;
  const bool no_copy = false;
  for (int32_t index : {-1, 0}) {  // -1 is the current one
    ctorch_device device = {CTORCH_DEVICE_TYPE_CUDA, index};
    EXPECT(succeeds(ctorch_tensor_to_dlpack(&managed, tensor, nullptr, &device, &no_copy, false)));
    ctorch_dlpack_release(managed);
  }
  ctorch_device other = {CTORCH_DEVICE_TYPE_CUDA, 1};
  EXPECT(fails(
      ctorch_tensor_to_dlpack(&managed, tensor, nullptr, &other, &no_copy, false), CTORCH_ERROR_VALUE,
      "from cuda:0 to cuda:1 without copying."));
  ctorch_tensor_release(tensor);
}

void pinned_memory_says_so() {
  const int64_t one = 1;
  ctorch_tensor *tensor = nullptr;
  int32_t type = 0, id = -1;
  EXPECT(succeeds(
      ctorch_tensor_from_buffer(&tensor, memory, &one, 1, nullptr, 0, CTORCH_DTYPE_FLOAT32, nullptr, nullptr)));
  EXPECT(succeeds(ctorch_tensor_dlpack_device(&type, &id, tensor)) && type == ctorch::dlpack::CPU && id == 0);
  pinned = memory;
  EXPECT(succeeds(ctorch_tensor_dlpack_device(&type, &id, tensor)) && id == 0);
  EXPECT(type == (rocm ? ctorch::dlpack::ROCM_HOST : ctorch::dlpack::CUDA_HOST));
  pinned = nullptr;
  ctorch_tensor_release(tensor);
}

void the_table_tells_the_current_stream() {
  current_stream = SIDE_STREAM;
  const DLPackExchangeAPI *api = ctorch_dlpack_exchange_api();
  void *stream = nullptr;
  EXPECT(api->current_work_stream(device_type(), 1, &stream) == 0);
  EXPECT(stream == reinterpret_cast<void *>(SIDE_STREAM));
  EXPECT(api->current_work_stream(device_type(), DEVICES, &stream) == -1);
  ctorch_device device = {CTORCH_DEVICE_TYPE_CUDA, 1};
  stream = nullptr;
  EXPECT(succeeds(ctorch_dlpack_exchange_stream(&stream, api, &device)));
  EXPECT(stream == reinterpret_cast<void *>(SIDE_STREAM));
}

}  // namespace

int main(int argc, char **argv) {
  rocm = argc > 1 && strcmp(argv[1], "rocm") == 0;
  static Runtime runtime;
  c10::impl::registerDeviceGuard(at::kCUDA, &runtime);
  at::globalContext().lazyInitDevice(at::kCUDA);
  imports_are_on_the_device();
  nothing_waits_unless_asked();
  the_consumers_stream_waits_for_ours();
  streams_that_are_none_are_refused();
  only_the_current_devices_tensors_are_exported();
  a_device_is_where_the_tensor_is_or_another();
  pinned_memory_says_so();
  the_table_tells_the_current_stream();
  printf("%s: %d failures\n", rocm ? "ROCm" : "CUDA", failures);
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
