// Devices, streams, events, memory and graphs of an accelerator, without one: a runtime of this file's own stands where
// LibTorch for CUDA registers its own, and notes what it is asked. What is shown is that ctorch asks the right thing
// and hands on the answer; check_cuda.c shows what a GPU makes of it.
#include <ATen/Context.h>
#include <ATen/core/CachingHostAllocator.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <stdio.h>
#include <string.h>
#include <torch/version.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "ctorch.h"

namespace {

using c10::Device;
using c10::DeviceIndex;
using c10::Stream;

constexpr DeviceIndex DEVICES = 2;

// The runtime: streams are numbers, and an event happens when the clock has passed its recording ---------------------

thread_local DeviceIndex current_device = 0;
thread_local int64_t current_streams[DEVICES] = {};
std::string calls;  // what it was asked, and in which order
int64_t clock_ms = 0;
int live_events = 0;
int64_t next_stream = 11;
int64_t capturing_stream = -1;

std::string name(const Stream &stream) {
  return std::to_string(stream.device_index()) + "/" + std::to_string(stream.id());
}

struct Event {
  int64_t recorded, due;
};

struct Runtime final : c10::impl::DeviceGuardImplInterface {
  c10::DeviceType type() const override { return at::kCUDA; }
  Device exchangeDevice(Device device) const override {
    return Device(at::kCUDA, std::exchange(current_device, device.index()));
  }
  Device getDevice() const override { return Device(at::kCUDA, current_device); }
  void setDevice(Device device) const override { current_device = device.index(); }
  void uncheckedSetDevice(Device device) const noexcept override { current_device = device.index(); }
  Stream getStream(Device device) const override {
    return Stream(Stream::UNSAFE, device, current_streams[device.index()]);
  }
  Stream getDefaultStream(Device device) const override { return Stream(Stream::DEFAULT, device); }
  Stream getStreamFromGlobalPool(Device device, bool high) const override {
    return Stream(Stream::UNSAFE, device, high ? 7 : 5);
  }
  Stream getNewStream(Device device, int priority) const override {
    calls += "new " + std::to_string(priority) + "; ";
    return Stream(Stream::UNSAFE, device, next_stream += 2);
  }
  Stream exchangeStream(Stream stream) const override {
    return Stream(Stream::UNSAFE, stream.device(), std::exchange(current_streams[stream.device_index()], stream.id()));
  }
  DeviceIndex deviceCount() const noexcept override { return DEVICES; }
  void *getStreamNativeHandle(const Stream stream) const override { return reinterpret_cast<void *>(stream.id()); }
  bool queryStream(const Stream &stream) const override { return stream.id() != 13; }
  void synchronizeStream(const Stream &stream) const override { calls += "synchronize " + name(stream) + "; "; }
  bool isStreamCapturing(const Stream &stream) const override { return stream.id() == capturing_stream; }
  void synchronizeDevice(const DeviceIndex index) const override {
    calls += "synchronize device " + std::to_string(index) + "; ";
  }
  c10::DeviceCapability getDeviceCapability(Device) const override {
    c10::DeviceCapability capability;
    capability.capability_data.supported_scalar_types.has_Double = 0;
    return capability;
  }

  void record(void **event, const Stream &stream, const DeviceIndex index, const c10::EventFlag flag) const override {
    TORCH_CHECK(index == -1 || index == stream.device_index(), "recorded on another device");
    if (*event == nullptr) {
      *event = new Event;
      live_events++;
    }
    *static_cast<Event *>(*event) = {clock_ms, clock_ms + 10};
    calls += std::string("record ") + (flag == c10::EventFlag::BACKEND_DEFAULT ? "timed " : "") + name(stream) + "; ";
  }
  void block(void *, const Stream &stream) const override { calls += "block " + name(stream) + "; "; }
  bool queryEvent(void *event) const override { return clock_ms >= static_cast<Event *>(event)->due; }
  void synchronizeEvent(void *event) const override { clock_ms = static_cast<Event *>(event)->due; }
  double elapsedTime(void *start, void *end, const DeviceIndex) const override {
    return static_cast<double>(static_cast<Event *>(end)->recorded - static_cast<Event *>(start)->recorded);
  }
  void destroyEvent(void *event, const DeviceIndex) const noexcept override {
    delete static_cast<Event *>(event);
    live_events--;
  }
};

// The allocators: their numbers are made up, each another one ---------------------------------------------------------

bool allocator_used = false;

struct Allocator final : c10::DeviceAllocator {
  at::DataPtr allocate(size_t) override { return {}; }
  void copy_data(void *dest, const void *src, size_t count) const override { default_copy_data(dest, src, count); }
  bool initialized() override { return allocator_used; }
  void emptyCache(c10::MempoolId_t) override { calls += "empty; "; }
  void recordStream(const at::DataPtr &, Stream) override {}
  c10::CachingDeviceAllocator::DeviceStats getDeviceStats(DeviceIndex device) override {
    c10::CachingDeviceAllocator::DeviceStats stats;
    stats.allocated_bytes[0] = {1000 + device, 2000, 5000, 4000};
    stats.allocated_bytes[1].current = 300;  // small pool
    stats.allocated_bytes[2].current = 700;  // large pool
    stats.reserved_bytes[0].peak = 4096;
    stats.allocation[0].allocated = 17;
    stats.oversize_segments.current = 3;
    stats.num_ooms = 2;
    stats.num_alloc_retries = 5;
    stats.max_split_size = 1 << 20;
    return stats;
  }
  void resetAccumulatedStats(DeviceIndex device) override { calls += "totals " + std::to_string(device) + "; "; }
  void resetPeakStats(DeviceIndex device) override { calls += "peaks " + std::to_string(device) + "; "; }
  std::pair<size_t, size_t> getMemoryInfo(DeviceIndex device) override {
    return {static_cast<size_t>(600 + device), 1000};
  }
};

struct PinnedAllocator final : at::HostAllocator {
  at::DataPtr allocate(size_t) override { return {}; }
  void copy_data(void *dest, const void *src, size_t count) const override { default_copy_data(dest, src, count); }
  bool record_event(void *, void *, Stream) override { return true; }
  void empty_cache() override { calls += "empty host; "; }
  at::HostStats get_stats() override {
    at::HostStats stats;
    stats.active_bytes.current = 64;
    stats.allocated_bytes.peak = 128;
    stats.num_host_alloc = 4;
    stats.host_alloc_time = {90, 50, 10, 3};
    return stats;
  }
  void reset_accumulated_stats() override { calls += "host totals; "; }
  void reset_peak_stats() override { calls += "host peaks; "; }
};

}  // namespace

namespace at::cuda {
// The registry knows the class by this name.
struct CUDAHooks final : at::CUDAHooksInterface {
  explicit CUDAHooks(at::CUDAHooksArgs) {}
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  void init() const override {}
  bool hasCUDA() const override { return true; }
  bool compiledWithCuDNN() const override { return true; }
  long versionCUDART() const override { return 13000; }
  long versionCuDNN() const override { return 91002; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
};
using at::CUDAHooksRegistry;
using at::RegistererCUDAHooksRegistry;
REGISTER_CUDA_HOOKS(CUDAHooks)
}  // namespace at::cuda

// What libtorch_cuda exports: ctorch finds it by name. The class is as large as its own, and ctorch does not know it.
enum cudaStreamCaptureMode { capture_global = 0, capture_thread_local = 1, capture_relaxed = 2 };

namespace {
int live_graphs = 0;
std::vector<std::string> history;
}  // namespace

namespace at::cuda {

using Pool = std::pair<unsigned long long, unsigned long long>;

[[gnu::visibility("default")]] Pool graph_pool_handle() { return {0, 42}; }

struct [[gnu::visibility("default")]] CUDAGraph {
  CUDAGraph(bool keep_graph);
  ~CUDAGraph();
  void capture_begin(Pool pool, cudaStreamCaptureMode mode);
  void capture_end();
  void instantiate();
  void replay();
  void reset();
  Pool pool();
  void enable_debug_mode();
  void debug_dump(const std::string &path);
  void *raw_cuda_graph();  // since 2.14, instead of debug_dump

 private:
  std::string state = "empty";
  Pool used = {};
  bool keep;
  char rest[1024] = {};
};

CUDAGraph::CUDAGraph(bool keep_graph) : keep(keep_graph) { live_graphs++; }
CUDAGraph::~CUDAGraph() { live_graphs--; }
void CUDAGraph::capture_begin(Pool pool, cudaStreamCaptureMode mode) {
  TORCH_CHECK(state == "empty", "This CUDAGraph instance already owns a captured graph.");
  calls += "begin " + std::to_string(pool.first) + "," + std::to_string(pool.second) + " mode " +
           std::to_string(static_cast<int>(mode)) + "; ";
  used = pool == Pool() ? Pool(9, 0) : pool;
  state = "capturing";
  capturing_stream = current_streams[current_device];
}
void CUDAGraph::capture_end() {
  TORCH_CHECK(state == "capturing", "no capture");
  capturing_stream = -1;
  state = keep ? "captured" : "ready";
}
void CUDAGraph::instantiate() {
  TORCH_CHECK(state == "captured", "instantiate() without a capture");
  state = "ready";
}
void CUDAGraph::replay() {
  TORCH_CHECK(state == "ready", "Called CUDAGraph::replay without a preceding successful capture.");
  calls += "replay; ";
}
void CUDAGraph::reset() { state = "empty"; }
Pool CUDAGraph::pool() {
  TORCH_CHECK(state != "empty", "Called CUDAGraph::pool() without a preceding successful capture.");
  return used;
}
void CUDAGraph::enable_debug_mode() { calls += "debug; "; }
void CUDAGraph::debug_dump(const std::string &path) { calls += "dump " + path + "; "; }
void *CUDAGraph::raw_cuda_graph() { return &state; }

}  // namespace at::cuda

extern "C" [[gnu::visibility("default")]] int cudaGraphDebugDotPrint(void *, const char *path, unsigned int) {
  calls += "dump " + std::string(path) + "; ";
  return 0;
}

namespace torch::cuda {

[[gnu::visibility("default")]] std::string _memory_snapshot_pickled() { return std::string("pick\0led", 8); }

[[gnu::visibility("default")]] void _record_memory_history(
    bool enabled,
    bool record_context,
    int64_t max_entries,
    bool,
    bool,
    bool,
    bool,
    bool,
    const std::vector<std::string> &
#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 14
    ,
    bool,
    bool
#endif
) {
  history.push_back(std::to_string(enabled) + " " + std::to_string(record_context) + " " + std::to_string(max_entries));
}

}  // namespace torch::cuda

namespace {

int failures = 0;

#define CHECK(condition)                                                     \
  do {                                                                       \
    if (!(condition)) {                                                      \
      ++failures;                                                            \
      fprintf(stderr, "%s:%d: wrong: %s\n", __FILE__, __LINE__, #condition); \
      fprintf(stderr, "  the runtime was asked: %s\n", calls.c_str());       \
    }                                                                        \
  } while (0)

#define OK(call) CHECK(succeeds(call))
#define FAILS(call, code, text) CHECK(fails(call, code, text))

bool succeeds(ctorch_error *error) {
  if (error != nullptr) {
    fprintf(stderr, "  %s\n", ctorch_error_message(error));
    ctorch_error_release(error);
    return false;
  }
  return true;
}

bool fails(ctorch_error *error, ctorch_error_kind code, const char *text) {
  bool as_expected = ctorch_error_kind_of(error) == code && strstr(ctorch_error_message(error), text) != nullptr;
  if (!as_expected) {
    fprintf(stderr, "  got %s\n", error == nullptr ? "success" : ctorch_error_message(error));
  }
  ctorch_error_release(error);
  return as_expected;
}

std::string asked() { return std::exchange(calls, ""); }

constexpr ctorch_device CUDA = {CTORCH_DEVICE_TYPE_CUDA, -1}, CUDA0 = {CTORCH_DEVICE_TYPE_CUDA, 0},
                        CUDA1 = {CTORCH_DEVICE_TYPE_CUDA, 1}, CUDA2 = {CTORCH_DEVICE_TYPE_CUDA, 2};

int32_t current() {
  ctorch_device device = {9, 9};
  OK(ctorch_device_current(&device, CTORCH_DEVICE_TYPE_CUDA));
  CHECK(device.type == CTORCH_DEVICE_TYPE_CUDA);
  return device.index;
}

int64_t current_stream_of(const ctorch_device &device) {
  ctorch_stream stream = {};
  OK(ctorch_stream_current(&stream, &device));
  return stream.id;
}

void devices() {
  CHECK(ctorch_device_accelerator_type() == CTORCH_DEVICE_TYPE_CUDA);
  CHECK(ctorch_device_is_built(CTORCH_DEVICE_TYPE_CUDA) && ctorch_device_cuda_is_available());
  CHECK(ctorch_device_count(CTORCH_DEVICE_TYPE_CUDA) == 2 && current() == 0);
  OK(ctorch_device_push(&CUDA1));
  OK(ctorch_device_push(&CUDA0));
  OK(ctorch_device_push(&CUDA));  // the current one
  CHECK(current() == 0);
  OK(ctorch_device_pop());
  OK(ctorch_device_pop());
  CHECK(current() == 1);
  FAILS(ctorch_device_push(&CUDA2), CTORCH_ERROR_RUNTIME, "there is no cuda:2, only 2");
  OK(ctorch_device_synchronize(&CUDA));
  CHECK(asked() == "synchronize device 1; ");
  OK(ctorch_device_pop());
  CHECK(current() == 0);
  FAILS(ctorch_device_pop(), CTORCH_ERROR_RUNTIME, "no device was pushed");
  OK(ctorch_device_set_current(&CUDA1));
  CHECK(current() == 1);
  OK(ctorch_device_set_current(&CUDA0));

  bool supported = true;
  OK(ctorch_device_supports_dtype(&supported, CTORCH_DTYPE_FLOAT64, &CUDA));
  CHECK(!supported);
  OK(ctorch_device_supports_dtype(&supported, CTORCH_DTYPE_FLOAT32, &CUDA));
  CHECK(supported);
}

void properties() {
  ctorch_string *text = nullptr;
  OK(ctorch_device_name(&text, &CUDA));
  CHECK(strcmp(ctorch_string_data(text), "Pretended GPU") == 0);
  ctorch_string_release(text);
  text = nullptr;
  FAILS(
      ctorch_device_name(&text, &CUDA1), CTORCH_ERROR_ACCELERATOR,
      "cuDeviceGetName of the CUDA driver failed with 999");
  CHECK(text == nullptr);
  int32_t major = 0, minor = 0, count = 0;
  OK(ctorch_device_compute_capability(&major, &minor, &CUDA0));
  CHECK(major == 9 && minor == 1);
  OK(ctorch_device_multiprocessor_count(&count, &CUDA1));
  CHECK(count == 133);
  CHECK(ctorch_build_has_feature(CTORCH_FEATURE_CUDA) && ctorch_build_has_feature(CTORCH_FEATURE_CUDNN));
  int64_t version = 0;
  OK(ctorch_build_cuda_version(&version));
  CHECK(version == 13000);
  OK(ctorch_build_cudnn_version(&version));
  CHECK(version == 91002);
}

void streams() {
  ctorch_stream a = {}, b = {}, pooled = {};
  OK(ctorch_stream_new(&a, -2, &CUDA1));
  OK(ctorch_stream_new(&b, 0, &CUDA));
  CHECK(asked() == "new -2; new 0; " && a.id == 13 && a.device_index == 1 && b.id == 15 && b.device_index == 0);
  OK(ctorch_stream_from_pool(&pooled, true, &CUDA1));
  CHECK(pooled.id == 7 && pooled.device_index == 1);
  OK(ctorch_stream_from_pool(&pooled, false, &CUDA1));
  CHECK(pooled.id == 5);

  OK(ctorch_stream_push(&a));  // and its device
  CHECK(current() == 1 && current_stream_of(CUDA1) == 13 && current_stream_of(CUDA0) == 0);
  OK(ctorch_stream_push(&b));
  CHECK(current() == 0 && current_stream_of(CUDA1) == 13 && current_stream_of(CUDA0) == 15);
  OK(ctorch_stream_pop());
  CHECK(current() == 1 && current_stream_of(CUDA1) == 13 && current_stream_of(CUDA0) == 0);
  OK(ctorch_stream_pop());
  CHECK(current() == 0 && current_stream_of(CUDA1) == 0);
  OK(ctorch_stream_set_current(&a));
  CHECK(current() == 1 && current_stream_of(CUDA1) == 13);
  ctorch_stream standard = {};
  OK(ctorch_stream_default(&standard, &CUDA1));
  CHECK(standard.id == 0 && standard.device_index == 1);
  OK(ctorch_stream_set_current(&standard));
  OK(ctorch_device_set_current(&CUDA0));

  bool answer = true;
  OK(ctorch_stream_query(&answer, &a));
  CHECK(!answer);
  OK(ctorch_stream_query(&answer, &b));
  CHECK(answer);
  OK(ctorch_stream_synchronize(&a));
  OK(ctorch_stream_wait_stream(&b, &a));
  CHECK(asked() == "synchronize 1/13; record 1/13; block 0/15; " && live_events == 0);
  ctorch_stream cpu = {0, CTORCH_DEVICE_TYPE_CPU, 0}, missing = {0, CTORCH_DEVICE_TYPE_CUDA, 2};
  FAILS(ctorch_stream_wait_stream(&b, &cpu), CTORCH_ERROR_DEVICE_MISMATCH, "other belongs to cpu:0, expected cuda");
  FAILS(ctorch_stream_push(&missing), CTORCH_ERROR_RUNTIME, "there is no cuda:2");
  FAILS(ctorch_stream_synchronize(&missing), CTORCH_ERROR_RUNTIME, "there is no cuda:2");
  FAILS(ctorch_stream_pop(), CTORCH_ERROR_RUNTIME, "no stream was pushed");

  void *handle = nullptr;
  alignas(16) static char outside[16];
  ctorch_stream external = {};
  OK(ctorch_stream_from_native(&external, outside, &CUDA1));
  CHECK(external.device_index == 1);
  OK(ctorch_stream_native_handle(&handle, &external));
  CHECK(handle == outside);
  OK(ctorch_stream_from_native(&external, nullptr, &CUDA0));
  CHECK(external.id == 0);
  FAILS(ctorch_stream_from_native(&external, outside + 1, &CUDA0), CTORCH_ERROR_INVALID_ARGUMENT, "odd address");
  CHECK(asked().empty());
}

void events() {
  ctorch_event *start = nullptr, *end = nullptr, *plain = nullptr;
  OK(ctorch_event_new(&start, CTORCH_DEVICE_TYPE_CUDA, true));
  OK(ctorch_event_new(&end, CTORCH_DEVICE_TYPE_CUDA, true));
  OK(ctorch_event_new(&plain, CTORCH_DEVICE_TYPE_CUDA, false));
  bool done = false;
  OK(ctorch_event_query(&done, start));
  CHECK(done);
  OK(ctorch_event_wait(start, nullptr));
  CHECK(asked().empty());  // nobody waits for what was not recorded
  ctorch_stream a = {13, CTORCH_DEVICE_TYPE_CUDA, 1}, b = {15, CTORCH_DEVICE_TYPE_CUDA, 0};
  OK(ctorch_event_record(start, &a));
  clock_ms += 7;
  OK(ctorch_event_record(end, &a));
  OK(ctorch_event_wait(end, &b));
  OK(ctorch_event_record(plain, nullptr));  // the current stream of the current device
  CHECK(asked() == "record timed 1/13; record timed 1/13; block 0/15; record 0/0; ");
  OK(ctorch_event_query(&done, end));
  CHECK(!done);
  double ms = 0;
  FAILS(ctorch_event_elapsed_time(&ms, start, end), CTORCH_ERROR_RUNTIME, "must be completed");
  OK(ctorch_event_synchronize(end));
  OK(ctorch_event_query(&done, end));
  CHECK(done);
  OK(ctorch_event_elapsed_time(&ms, start, end));
  CHECK(ms == 7);
  FAILS(ctorch_event_elapsed_time(&ms, start, plain), CTORCH_ERROR_VALUE, "enable_timing=True");
  FAILS(ctorch_event_record(start, &b), CTORCH_ERROR_RUNTIME, "recorded on another device");
  ctorch_device device = {};
  OK(ctorch_event_device(&device, start));
  CHECK(device.type == CTORCH_DEVICE_TYPE_CUDA && device.index == 1);
  void *handle = nullptr;
  OK(ctorch_event_native_handle(&handle, start));
  CHECK(handle != nullptr && live_events == 3);
  ctorch_stream cpu = {0, CTORCH_DEVICE_TYPE_CPU, 0};
  FAILS(ctorch_event_record(start, &cpu), CTORCH_ERROR_DEVICE_MISMATCH, "stream belongs to cpu:0, expected cuda");
  ctorch_event_release(start);
  ctorch_event_release(end);
  ctorch_event_release(plain);
  CHECK(live_events == 0);
  asked();
}

int64_t number(const ctorch_memory_stats *stats, const char *name) {
  int64_t out = -1;
  CHECK(ctorch_memory_stats_find(stats, name, &out));
  return out;
}

void memory() {
  ctorch_memory_stats *stats = nullptr;
  OK(ctorch_memory_stats_of_device(&stats, &CUDA));  // not used yet: nothing is asked
  CHECK(ctorch_memory_stats_len(stats) == 0);
  ctorch_memory_stats_release(stats);
  OK(ctorch_memory_empty_cache(CTORCH_DEVICE_TYPE_CUDA));
  OK(ctorch_memory_reset_peak_stats(&CUDA1));
  CHECK(asked().empty());

  allocator_used = true;
  OK(ctorch_memory_stats_of_device(&stats, &CUDA1));
  CHECK(ctorch_memory_stats_len(stats) == 9 * 3 * 4 + 2 * 4 + 6);
  CHECK(number(stats, "allocated_bytes.all.current") == 1001 && number(stats, "allocated_bytes.all.peak") == 2000);
  CHECK(number(stats, "allocated_bytes.all.allocated") == 5000 && number(stats, "allocated_bytes.all.freed") == 4000);
  CHECK(number(stats, "allocated_bytes.small_pool.current") == 300);
  CHECK(number(stats, "allocated_bytes.large_pool.current") == 700);
  CHECK(number(stats, "reserved_bytes.all.peak") == 4096 && number(stats, "allocation.all.allocated") == 17);
  CHECK(number(stats, "oversize_segments.current") == 3 && number(stats, "num_ooms") == 2);
  CHECK(number(stats, "num_alloc_retries") == 5 && number(stats, "max_split_size") == 1 << 20);
  ctorch_memory_stats_release(stats);
  OK(ctorch_memory_reset_peak_stats(&CUDA1));
  OK(ctorch_memory_reset_accumulated_stats(&CUDA));
  OK(ctorch_memory_empty_cache(CTORCH_DEVICE_TYPE_CUDA));
  CHECK(asked() == "peaks 1; totals 0; empty; ");
  uint64_t available = 0, total = 0;
  OK(ctorch_memory_info(&available, &total, &CUDA1));
  CHECK(available == 601 && total == 1000);

  OK(ctorch_memory_stats_of_host(&stats, CTORCH_DEVICE_TYPE_CUDA));
  CHECK(number(stats, "active_bytes.current") == 64 && number(stats, "allocated_bytes.peak") == 128);
  CHECK(number(stats, "num_host_alloc") == 4 && number(stats, "host_alloc_time.total") == 90);
  CHECK(number(stats, "host_alloc_time.max") == 50 && number(stats, "host_alloc_time.min") == 10);
  CHECK(number(stats, "host_alloc_time.count") == 3 && number(stats, "host_alloc_time.avg") == 30);
  CHECK(number(stats, "host_free_time.avg") == 0);
  ctorch_memory_stats_release(stats);
  OK(ctorch_memory_reset_host_peak_stats(CTORCH_DEVICE_TYPE_CUDA));
  OK(ctorch_memory_reset_host_accumulated_stats(CTORCH_DEVICE_TYPE_CUDA));
  OK(ctorch_memory_empty_host_cache(CTORCH_DEVICE_TYPE_CUDA));
  CHECK(asked() == "host peaks; host totals; empty host; ");
}

void snapshots() {
  OK(ctorch_memory_record_history(true, 1000));
  OK(ctorch_memory_record_history(false, UINT64_MAX));
  CHECK(history.size() == 2 && history[0] == "1 1 1000" && history[1] == "0 1 9223372036854775807");
  std::string path = "accelerator_test." + std::to_string(getpid());
  OK(ctorch_memory_snapshot(path.c_str()));
  OK(ctorch_memory_snapshot(path.c_str()));  // in place of the first
  std::ifstream file(path, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(file), {}};
  CHECK(content == std::string("pick\0led", 8));
  unlink(path.c_str());
  FAILS(ctorch_memory_snapshot("/nowhere/at/all"), CTORCH_ERROR_IO, "/nowhere/at/all");
  FAILS(ctorch_memory_snapshot(""), CTORCH_ERROR_IO, "cannot");
}

void graphs() {
  ctorch_graph *graph = nullptr, *kept = nullptr;
  OK(ctorch_graph_new(&graph, CTORCH_DEVICE_TYPE_CUDA, false));
  FAILS(ctorch_graph_replay(graph), CTORCH_ERROR_RUNTIME, "without a preceding successful capture");
  uint64_t pool[2] = {7, 7};
  FAILS(ctorch_graph_pool(&pool[0], &pool[1], graph), CTORCH_ERROR_RUNTIME, "pool()");
  CHECK(pool[0] == 7 && pool[1] == 7);
  FAILS(
      ctorch_graph_capture_begin(graph, pool, 1, 0), CTORCH_ERROR_INVALID_ARGUMENT, "pool: expected 2 entries, got 1");
  FAILS(ctorch_graph_capture_begin(graph, nullptr, 2, 0), CTORCH_ERROR_NULL_ARGUMENT, "pool");
  FAILS(ctorch_graph_capture_begin(graph, nullptr, 0, 4), CTORCH_ERROR_INVALID_ARGUMENT, "mode");
  FAILS(ctorch_graph_capture_begin(graph, nullptr, 0, -1), CTORCH_ERROR_INVALID_ARGUMENT, "mode");
  CHECK(asked().empty());
  OK(ctorch_graph_capture_begin(graph, nullptr, 0, CTORCH_GRAPH_CAPTURE_DEFAULT));
  ctorch_stream stream = {0, CTORCH_DEVICE_TYPE_CUDA, 0};
  bool capturing = false;
  OK(ctorch_stream_is_capturing(&capturing, &stream));
  CHECK(capturing);
  OK(ctorch_graph_capture_end(graph));
  OK(ctorch_stream_is_capturing(&capturing, &stream));
  CHECK(!capturing);
  OK(ctorch_graph_replay(graph));
  OK(ctorch_graph_pool(&pool[0], &pool[1], graph));
  CHECK(pool[0] == 9 && pool[1] == 0 && asked() == "begin 0,0 mode 0; replay; ");
  FAILS(ctorch_graph_capture_begin(graph, nullptr, 0, 0), CTORCH_ERROR_RUNTIME, "already owns");
  OK(ctorch_graph_reset(graph));
  OK(ctorch_graph_pool_new(&pool[0], &pool[1], CTORCH_DEVICE_TYPE_CUDA));
  CHECK(pool[0] == 0 && pool[1] == 42);
  OK(ctorch_graph_new(&kept, CTORCH_DEVICE_TYPE_CUDA, true));
  OK(ctorch_graph_enable_debug_mode(kept));
  OK(ctorch_graph_capture_begin(kept, pool, 2, CTORCH_GRAPH_CAPTURE_GLOBAL));
  OK(ctorch_graph_capture_end(kept));
  FAILS(ctorch_graph_replay(kept), CTORCH_ERROR_RUNTIME, "replay");
  OK(ctorch_graph_instantiate(kept));
  OK(ctorch_graph_replay(kept));
  OK(ctorch_graph_debug_dump(kept, "a file"));
  FAILS(ctorch_graph_debug_dump(kept, nullptr), CTORCH_ERROR_NULL_ARGUMENT, "path");
  OK(ctorch_graph_capture_begin(graph, pool, 2, CTORCH_GRAPH_CAPTURE_THREAD_LOCAL));
  OK(ctorch_graph_capture_end(graph));
  OK(ctorch_graph_reset(graph));
  OK(ctorch_graph_capture_begin(graph, pool, 0, CTORCH_GRAPH_CAPTURE_RELAXED));
  CHECK(asked() == "debug; begin 0,42 mode 0; replay; dump a file; begin 0,42 mode 1; begin 0,0 mode 2; ");
  CHECK(live_graphs == 2);
  ctorch_graph_release(graph);
  ctorch_graph_release(kept);
  CHECK(live_graphs == 0);
}

}  // namespace

int main() {
  c10::impl::DeviceGuardImplRegistrar registrar(at::kCUDA, new Runtime);
  c10::SetAllocator(at::kCUDA, new Allocator);
  at::setHostAllocator(at::kCUDA, new PinnedAllocator);
  devices();
  properties();
  streams();
  events();
  memory();
  snapshots();
  graphs();
  printf("%d wrong\n", failures);
  return failures == 0 ? 0 : 1;
}
