// An allocator in front of LibTorch's for the CPU that counts.
#include "device/cpu_memory.hpp"

#include <c10/core/CPUAllocator.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <unordered_map>

#include "abi/error.hpp"
#include "abi/fork.hpp"
#include "abi/machine.hpp"

namespace ctorch::cpu_memory {

namespace {

struct Counter {
  int64_t current = 0, peak = 0, allocated = 0, freed = 0;

  void rise(int64_t by) {
    current += by;
    allocated += by;
    peak = std::max(peak, current);
  }
  void fall(int64_t by) {
    current -= by;
    freed += by;
  }
  void add_to(allocators::Numbers &numbers, const std::string &name) const {
    allocators::add_counter(numbers, name, current, peak, allocated, freed);
  }
};

/// LibTorch's allocator behind one that counts. It stays in place once it is there: memory that came from it outlives
/// any wish to stop counting.
class CountingAllocator final : public at::Allocator {
 public:
  explicit CountingAllocator(at::Allocator *base) : base_(base), free_(base->raw_deleter()) {}

  at::DataPtr allocate(size_t nbytes) override {
    at::DataPtr data = base_->allocate(nbytes);
    if (enabled_.load(std::memory_order_relaxed) && data.get() != nullptr) {
      std::lock_guard lock(mutex);
      sizes_.emplace(data.get(), static_cast<int64_t>(nbytes));
      allocations_.rise(1);
      bytes_.rise(static_cast<int64_t>(nbytes));
    }
    // All of it, counted or not: raw_deleter() promises that.
    TORCH_INTERNAL_ASSERT(data.compare_exchange_deleter(free_, &CountingAllocator::free));
    return data;
  }

  at::DeleterFnPtr raw_deleter() const override { return &CountingAllocator::free; }

  void copy_data(void *dest, const void *src, size_t count) const override { base_->copy_data(dest, src, count); }

  void enable(bool enabled) { enabled_.store(enabled, std::memory_order_relaxed); }

  allocators::Numbers stats() {
    allocators::Numbers numbers;
    std::lock_guard lock(mutex);
    allocations_.add_to(numbers, "allocation.all");
    bytes_.add_to(numbers, "allocated_bytes.all");
    return numbers;
  }

  void reset_peaks() {
    std::lock_guard lock(mutex);
    for (Counter *counter : {&allocations_, &bytes_}) {
      counter->peak = counter->current;
    }
  }

  void reset_totals() {
    std::lock_guard lock(mutex);
    for (Counter *counter : {&allocations_, &bytes_}) {
      counter->allocated = counter->freed = 0;
    }
  }

  /// Never destroyed; null until it is first asked for.
  static std::atomic<CountingAllocator *> instance;

 private:
  static void free(void *data) {
    CountingAllocator &self = *instance.load(std::memory_order_acquire);
    self.forget(data);
    self.free_(data);
  }

  void forget(void *data) {
    std::lock_guard lock(mutex);
    if (auto found = sizes_.find(data); found != sizes_.end()) {
      allocations_.fall(1);
      bytes_.fall(found->second);
      sizes_.erase(found);
    }
  }

  at::Allocator *base_;
  at::DeleterFnPtr free_;
  std::atomic<bool> enabled_ = false;
  static Mutex &mutex;
  std::unordered_map<void *, int64_t> sizes_;
  Counter allocations_, bytes_;
};

Mutex &CountingAllocator::mutex = *new Mutex(LockOrder::CpuAllocations);

std::atomic<CountingAllocator *> CountingAllocator::instance = nullptr;

CountingAllocator &recorder() {
  CountingAllocator *allocator = CountingAllocator::instance.load(std::memory_order_acquire);
  if (allocator == nullptr) {
    fail(CTORCH_ERROR_UNSUPPORTED, "the memory of the CPU is not recorded; see ctorch_memory_record_cpu");
  }
  return *allocator;
}

Mutex &placing = *new Mutex(LockOrder::CpuAllocator);

CountingAllocator &put_in_place() {
  std::lock_guard lock(placing);
  if (CountingAllocator *there = CountingAllocator::instance.load(std::memory_order_acquire)) {
    return *there;
  }
  at::Allocator *base = c10::GetCPUAllocator();
  if (base->raw_deleter() == nullptr) {
    fail(CTORCH_ERROR_UNSUPPORTED, "the allocator for the CPU cannot be wrapped: it has no deleter of its own");
  }
  auto *allocator = new CountingAllocator(base);
  CountingAllocator::instance.store(allocator, std::memory_order_release);
  c10::SetCPUAllocator(allocator, UINT8_MAX);
  return *allocator;
}

}  // namespace

void record(bool enabled) {
  if (enabled) {
    put_in_place().enable(true);
  } else if (CountingAllocator *allocator = CountingAllocator::instance.load(std::memory_order_acquire)) {
    allocator->enable(false);
  }
}

allocators::Numbers stats() { return recorder().stats(); }
void reset_peaks() { recorder().reset_peaks(); }
void reset_totals() { recorder().reset_totals(); }

std::pair<size_t, size_t> machine_info() {
  const auto memory = machine::memory();
  if (!memory) {
    fail(CTORCH_ERROR_UNSUPPORTED, "this system does not tell how much memory it has");
  }
  return {memory->available, memory->total};
}

}  // namespace ctorch::cpu_memory
