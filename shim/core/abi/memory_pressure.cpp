// The book of BYTES: which memory the live handles look at, each piece counted once. What is behind that, in graphs and
// modules, is in the total of abi/cpu_allocator.hpp alone; growth of either calls back.
//
// It remembers what it noted for each handle rather than asking the tensor again when that is given back: an in-place
// operator may have given it other memory meanwhile.
#include "core/abi/memory_pressure.hpp"

#include <ATen/SparseCsrTensorImpl.h>
#include <ATen/SparseTensorImpl.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <thread>

#include "core/abi/callback.hpp"
#include "core/abi/cpu_allocator.hpp"
#include "core/abi/fork.hpp"
#include "core/abi/pointer_table.hpp"

namespace ctorch {

namespace {

struct Listener {
  Listener(
      ctorch_memory_pressure_callback callback,
      uint64_t threshold,
      void (*destroy)(void *payload),
      void *payload,
      MayThread may_thread)
      : callback(callback), threshold(threshold), payload(destroy, payload), may_thread(may_thread) {}

  bool hears_this_thread() const { return may_thread == MayThread::Yes || std::this_thread::get_id() == thread; }

  ctorch_memory_pressure_callback callback;
  uint64_t threshold;
  Payload payload;
  MayThread may_thread;
  std::thread::id thread = std::this_thread::get_id();
};

/// Memory is known by its storage, or by the tensor that has none.
struct Memory {
  uint64_t bytes = 0;
  size_t handles = 0;
};
struct Noted {
  const void *memory = nullptr;
  size_t references = 0;
};

struct Book {
  Mutex mutex{LockOrder::MemoryPressure};
  PointerTable<Noted> handles;  // by tensor or storage
  PointerTable<Memory> memories;
  uint64_t bytes = 0;
  uint64_t lowest = 0;        // since the callback last ran
  uint64_t lowest_total = 0;  // the same of cpu_allocator::total()
  uint64_t patience = 1;      // how many thresholds the total may grow by
  size_t callbacks_running = 0;
  uint64_t forks = 0;  // when they began to run
  std::shared_ptr<Listener> listener;
};

// Never destroyed: handles may be released by destructors that run after ours.
Book &book = *new Book;

thread_local bool in_callback = false;

/// How many threads are in the callback. Those that were in it when this process was forked off are not here.
size_t &callbacks_running() {
  if (book.forks != forks()) {
    book.forks = forks();
    book.callbacks_running = in_callback ? 1 : 0;
  }
  return book.callbacks_running;
}

uint64_t nbytes(const at::Tensor &tensor) { return tensor.defined() ? tensor.nbytes() : 0; }

uint64_t nbytes(const c10::StorageImpl &storage) {
  return storage.device().is_meta() ? 0 : storage.sym_nbytes().maybe_as_int().value_or(0);
}

uint64_t nbytes_without_storage(const at::TensorImpl &tensor) {
  if (tensor.is_meta()) {
    return 0;
  }
  switch (tensor.layout()) {
    case at::kSparse: {
      auto &sparse = static_cast<const at::SparseTensorImpl &>(tensor);
      return nbytes(sparse.indices()) + nbytes(sparse.values());
    }
    case at::kSparseCsr:
    case at::kSparseCsc:
    case at::kSparseBsr:
    case at::kSparseBsc: {
      auto &sparse = static_cast<const at::SparseCsrTensorImpl &>(tensor);
      return nbytes(sparse.compressed_indices()) + nbytes(sparse.plain_indices()) + nbytes(sparse.values());
    }
    case at::kMkldnn:
      return static_cast<uint64_t>(tensor.numel()) * tensor.itemsize();
    default:
      return 0;  // a wrapper around another tensor
  }
}

struct Measured {
  const void *memory;
  uint64_t bytes;
};

Measured measure(const at::TensorImpl *tensor) {
  if (!tensor->has_storage()) {
    return {tensor, nbytes_without_storage(*tensor)};
  }
  const c10::StorageImpl *storage = tensor->unsafe_storage().unsafeGetStorageImpl();
  return {storage, nbytes(*storage)};
}
Measured measure(const c10::StorageImpl *storage) { return {storage, nbytes(*storage)}; }

/// Visit the tensors and storages behind handles, until `visit` answers false.
template <class Visit>
void each(std::initializer_list<Handle> handles, Visit &&visit) {
  for (Handle handle : handles) {
    if (!is_owned(handle)) {
      continue;
    }
    if (handle.kind == Kind::Tensor) {
      visit(static_cast<const at::TensorImpl *>(handle.pointer));
    } else if (handle.kind == Kind::Storage) {
      visit(static_cast<const c10::StorageImpl *>(handle.pointer));
    } else if (handle.kind == Kind::TensorList) {
      auto list = static_cast<const ctorch_tensor_list *>(handle.pointer);
      for (size_t i = 0; i < list->tensors.size(); i++) {
        if (list->data()[i] != nullptr) {
          visit(static_cast<const at::TensorImpl *>(impl(list->data()[i])));
        }
      }
    }
  }
}

template <class T>
void add(const T *handle) {
  const Measured measured = measure(handle);
  book.handles.make_room();
  book.memories.make_room();
  Noted &noted = book.handles[handle];
  Memory *memory;
  if (noted.references++ == 0) {
    noted.memory = measured.memory;
    memory = &book.memories[measured.memory];
    memory->handles++;
  } else if (noted.memory == measured.memory) {
    memory = book.memories.find(measured.memory);
  } else {
    return;  // it was given other memory since: that of the first time counts
  }
  book.bytes += measured.bytes - memory->bytes;  // modulo 2^64, also if it has shrunk
  memory->bytes = measured.bytes;
}

void subtract(const void *handle) noexcept {
  Noted *noted = book.handles.find(handle);
  if (noted == nullptr || --noted->references > 0) {
    return;
  }
  Memory *memory = book.memories.find(noted->memory);
  book.handles.erase(noted);
  if (--memory->handles == 0) {
    book.bytes -= memory->bytes;
    book.memories.erase(memory);
  }
}

void add_all(std::initializer_list<Handle> handles) {
  size_t added = 0;
  try {
    each(handles, [&](auto *handle) {
      add(handle);
      added++;
    });
  } catch (...) {
    each(handles, [&](auto *handle) {
      if (added > 0) {
        subtract(handle);
        added--;
      }
    });
    throw;
  }
}

void note_lowest() noexcept {
  book.lowest = std::min(book.lowest, book.bytes);
  book.lowest_total = std::min(book.lowest_total, cpu_allocator::total());
}

/// By how much the total has to grow. An eighth more than asked for, because malloc's blocks are larger than what they
/// are for: tensors alone are then counted by `bytes`, exactly.
uint64_t total_threshold() { return (book.listener->threshold + book.listener->threshold / 8) * book.patience; }

bool has_grown() {
  return book.bytes - book.lowest >= book.listener->threshold ||
         cpu_allocator::total() - book.lowest_total >= total_threshold();
}

/// Much of the total may be in use, such as the graph of a training step. So the callback that frees less than a
/// quarter of what has been allocated since the last time is called half as often, down to an eighth, until it frees
/// more.
void adapt(uint64_t total_before) {
  constexpr uint64_t most_patience = 8;
  const uint64_t grown = total_before - std::min(book.lowest_total, total_before), total = cpu_allocator::total();
  const uint64_t freed = total_before - std::min(total, total_before);
  if (grown >= book.listener->threshold) {
    book.patience = freed < grown / 4 ? std::min(book.patience * 2, most_patience) : 1;
  }
}

/// One run of the callback, the book unlocked.
class Call {
 public:
  explicit Call(std::unique_lock<Mutex> &lock)
      : lock_(lock), listener_(book.listener), total_before_(cpu_allocator::total()) {
    callbacks_running()++;
    in_callback = true;
    held_bytes_ = book.bytes;
    lock_.unlock();
  }
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;
  ~Call() {
    lock_.lock();
    callbacks_running()--;
    in_callback = false;
    if (book.listener != nullptr) {  // else the callback has cleared itself
      adapt(total_before_);
    }
    book.lowest = book.bytes;
    book.lowest_total = cpu_allocator::total();
    lock_.unlock();  // the last owner of the listener calls its destroy function
  }

  void run(ctorch_memory_pressure reason, uint64_t requested_bytes) {
    run_callback("of memory pressure", [&](ctorch_error **error) {
      return listener_->callback(reason, held_bytes_, requested_bytes, error, listener_->payload.get());
    });
  }

 private:
  std::unique_lock<Mutex> &lock_;
  std::shared_ptr<Listener> listener_;
  uint64_t held_bytes_, total_before_;
};

}  // namespace

void hold(std::initializer_list<Handle> handles, Growth growth) {
  std::unique_lock lock(book.mutex);
  if (book.listener == nullptr) {
    return;  // cleared since the caller looked
  }
  add_all(handles);
  note_lowest();
  const Listener &listener = *book.listener;
  if (growth == Growth::Silent || listener.threshold == 0 || callbacks_running() > 0 || !listener.hears_this_thread() ||
      !has_grown()) {
    return;
  }
  try {
    Call(lock).run(CTORCH_MEMORY_PRESSURE_GROWTH, 0);
  } catch (...) {
    let_go(handles);
    throw;
  }
}

void let_go(std::initializer_list<Handle> handles) noexcept {
  std::lock_guard lock(book.mutex);
  each(handles, [&](auto *handle) { subtract(handle); });
  note_lowest();
}

bool relieve(uint64_t requested_bytes) {
  if (in_callback || !keeps(BYTES)) {
    return false;
  }
  std::unique_lock lock(book.mutex);
  if (book.listener == nullptr || !book.listener->hears_this_thread()) {
    return false;
  }
  Call(lock).run(CTORCH_MEMORY_PRESSURE_OUT_OF_MEMORY, requested_bytes);
  return true;
}

void set_memory_pressure_callback(
    ctorch_memory_pressure_callback callback,
    uint64_t threshold,
    void (*destroy)(void *payload),
    void *payload,
    MayThread may_thread) {
  auto listener = std::make_shared<Listener>(callback, threshold, destroy, payload, may_thread);
  listener->payload.own();
  cpu_allocator::begin_total();
  {
    std::lock_guard lock(book.mutex);
    std::swap(book.listener, listener);
    book.lowest = book.bytes;
    book.lowest_total = cpu_allocator::total();
    book.patience = 1;
    __atomic_fetch_or(&bookkeeping, BYTES, __ATOMIC_RELAXED);
    __atomic_fetch_or(&precautions, REPEATS, __ATOMIC_RELAXED);
  }
  // Here, unlocked, the one before is given up.
}

void clear_memory_pressure_callback() {
  std::shared_ptr<Listener> listener;  // given up last, unlocked
  std::lock_guard lock(book.mutex);
  __atomic_fetch_and(&precautions, static_cast<uint8_t>(~REPEATS), __ATOMIC_RELAXED);
  __atomic_fetch_and(&bookkeeping, ~BYTES, __ATOMIC_RELAXED);
  std::swap(book.listener, listener);
  book.handles.clear();
  book.memories.clear();
  book.bytes = book.lowest = 0;
}

uint64_t held_bytes() {
  std::lock_guard lock(book.mutex);
  return book.bytes;
}

}  // namespace ctorch
