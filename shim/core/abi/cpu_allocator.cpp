// The allocator that counts, and how it is put in place.
#include "core/abi/cpu_allocator.hpp"

#include <c10/core/CPUAllocator.h>

#include <atomic>
#include <mutex>
#include <unordered_map>

#include "core/abi/error.hpp"
#include "core/abi/fork.hpp"
#include "core/c/footprint.h"

#if defined(__APPLE__)
#include <malloc/malloc.h>
#elif defined(__linux__)
#include <malloc.h>
#endif

namespace ctorch::cpu_allocator {

namespace {

/// The size of a block of malloc's; 0 where the system does not tell.
size_t block_nbytes([[maybe_unused]] void *block) noexcept {
#if defined(__APPLE__)
  return malloc_size(block);
#elif defined(__linux__)
  return malloc_usable_size(block);
#else
  return 0;
#endif
}

std::atomic<int64_t> noted = 0;

/// LibTorch's allocator behind one that counts. It stays in place once it is there: memory that came from it outlives
/// any wish to stop counting.
class CountingAllocator final : public at::Allocator {
 public:
  explicit CountingAllocator(at::Allocator *base)
      : base_(base), free_(base->raw_deleter()), has_blocks_(base == c10::GetDefaultCPUAllocator()) {}

  at::DataPtr allocate(size_t nbytes) override {
    at::DataPtr data = base_->allocate(nbytes);
    if (has_blocks_) {
      total_.fetch_add(static_cast<int64_t>(block_nbytes(data.get())), std::memory_order_relaxed);
    }
    if (enabled_.load(std::memory_order_relaxed) && data.get() != nullptr) {
      std::lock_guard lock(mutex);
      sizes_.emplace(data.get(), static_cast<int64_t>(nbytes));
      recorded_.store(sizes_.size(), std::memory_order_relaxed);
      statistics_.allocations.rise(1);
      statistics_.bytes.rise(static_cast<int64_t>(nbytes));
    }
    // All of it, recorded or not: raw_deleter() promises that.
    TORCH_INTERNAL_ASSERT(data.compare_exchange_deleter(free_, &CountingAllocator::free));
    return data;
  }

  at::DeleterFnPtr raw_deleter() const override { return &CountingAllocator::free; }

  void copy_data(void *dest, const void *src, size_t count) const override { base_->copy_data(dest, src, count); }

  void record(bool enabled) {
    enabled_.store(enabled, std::memory_order_relaxed);
    was_enabled_.store(true, std::memory_order_relaxed);
  }

  bool has_recorded() const { return was_enabled_.load(std::memory_order_relaxed); }

  /// Change or read the statistics, the rest locked out.
  template <class Use>
  auto locked(Use &&use) {
    std::lock_guard lock(mutex);
    return use(statistics_);
  }

  int64_t total() const noexcept { return total_.load(std::memory_order_relaxed); }

  /// Never destroyed; null until it is first asked for.
  static std::atomic<CountingAllocator *> instance;

 private:
  static void free(void *data) {
    CountingAllocator &self = *instance.load(std::memory_order_acquire);
    if (self.has_blocks_) {
      self.total_.fetch_sub(static_cast<int64_t>(block_nbytes(data)), std::memory_order_relaxed);
    }
    // Relaxed: whoever frees a block came to it by way of who allocated it, and so sees it counted.
    if (self.recorded_.load(std::memory_order_relaxed) > 0) {
      self.forget(data);
    }
    self.free_(data);
  }

  void forget(void *data) {
    std::lock_guard lock(mutex);
    if (auto found = sizes_.find(data); found != sizes_.end()) {
      statistics_.allocations.fall(1);
      statistics_.bytes.fall(found->second);
      sizes_.erase(found);
      recorded_.store(sizes_.size(), std::memory_order_relaxed);
    }
  }

  at::Allocator *base_;
  at::DeleterFnPtr free_;
  const bool has_blocks_;
  std::atomic<int64_t> total_ = 0;
  std::atomic<bool> enabled_ = false, was_enabled_ = false;
  static Mutex &mutex;
  std::unordered_map<void *, int64_t> sizes_;
  std::atomic<size_t> recorded_ = 0;  // how many are in sizes_
  Statistics statistics_;
};

Mutex &CountingAllocator::mutex = *new Mutex(LockOrder::CpuAllocations);

std::atomic<CountingAllocator *> CountingAllocator::instance = nullptr;

Mutex &placing = *new Mutex(LockOrder::CpuAllocator);

/// Null if the allocator in place cannot be wrapped.
CountingAllocator *put_in_place() {
  std::lock_guard lock(placing);
  if (CountingAllocator *there = CountingAllocator::instance.load(std::memory_order_acquire)) {
    return there;
  }
  at::Allocator *base = c10::GetCPUAllocator();
  if (base->raw_deleter() == nullptr) {
    return nullptr;
  }
  auto *allocator = new CountingAllocator(base);
  CountingAllocator::instance.store(allocator, std::memory_order_release);
  c10::SetCPUAllocator(allocator, UINT8_MAX);
  return allocator;
}

CountingAllocator &recorder() {
  CountingAllocator *allocator = CountingAllocator::instance.load(std::memory_order_acquire);
  if (allocator == nullptr || !allocator->has_recorded()) {
    fail(
        CTORCH_ERROR_UNSUPPORTED,
        "the memory of the CPU is not recorded: turn recording on first (ctorch_memory_record_cpu)");
  }
  return *allocator;
}

}  // namespace

void record(bool enabled) {
  if (enabled) {
    CountingAllocator *allocator = put_in_place();
    if (allocator == nullptr) {
      fail(CTORCH_ERROR_UNSUPPORTED, "the allocator for the CPU cannot be wrapped: it has no deleter of its own");
    }
    allocator->record(true);
  } else if (CountingAllocator *allocator = CountingAllocator::instance.load(std::memory_order_acquire)) {
    allocator->record(false);
  }
}

Statistics statistics() {
  return recorder().locked([](const Statistics &statistics) { return statistics; });
}

void reset_peaks() {
  recorder().locked([](Statistics &statistics) {
    for (Counter *counter : {&statistics.allocations, &statistics.bytes}) {
      counter->peak = counter->current;
    }
  });
}

void reset_totals() {
  recorder().locked([](Statistics &statistics) {
    for (Counter *counter : {&statistics.allocations, &statistics.bytes}) {
      counter->allocated = counter->freed = 0;
    }
  });
}

void begin_total() { (void)put_in_place(); }

uint64_t total() noexcept {
  const CountingAllocator *allocator = CountingAllocator::instance.load(std::memory_order_acquire);
  const int64_t allocated = allocator == nullptr ? 0 : allocator->total();
  return static_cast<uint64_t>(std::max<int64_t>(allocated + noted.load(std::memory_order_relaxed), 0));
}

void note(ptrdiff_t nbytes) noexcept { noted.fetch_add(nbytes, std::memory_order_relaxed); }

}  // namespace ctorch::cpu_allocator

void footprint_note(ptrdiff_t nbytes) { ctorch::cpu_allocator::note(nbytes); }
