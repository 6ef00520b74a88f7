// Recording: the operators that a thread calls, noted below autograd.
//
// A kernel for all operators at the dispatch key Fake, which is below autograd and functorch and above the backends,
// sees every call while the key is included. It notes the call with shallow aliases of its tensors: what a step made
// may not be kept alive, because autograd asks how often its tensors are referred to.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/util/intrusive_ptr.h>

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/abi/capture.hpp"
#include "core/abi/object.hpp"
#include "core/tape/record.hpp"

namespace ctorch::tape {

/// A tensor as the tape has it.
struct Alias {
  at::Tensor tensor;  // its own, on the same storage
  c10::weak_intrusive_ptr<at::TensorImpl> stands_for;
  std::string place;  // where it was first seen: "argument 'self' of aten::mm (call 3)"
  bool is_written = false;
  bool is_input = false;  // or in the memory of one
};

/// What a storage is to the step.
struct Memory {
  c10::Storage storage;
  bool is_made = false;   // in the step
  bool is_unset = false;  // made without content
  size_t writes = 0;      // calls that write to it, without the one that made it
};

class Recording final : public Capture {
 public:
  Recording();
  Recording(const Recording &) = delete;
  Recording &operator=(const Recording &) = delete;

  /// Note what this thread calls from now on. The thread refers to `owner`, whose recording this is, until the end.
  void begin(c10::intrusive_ptr<Object> owner);
  /// Answers what the thread referred to: when that goes, the recording may go.
  c10::intrusive_ptr<Object> end() noexcept;
  /// End the recording of this thread whose owner nobody but the thread has.
  static void end_abandoned() noexcept;

  void refuse(const char *reason) noexcept override;
  void refuse(const std::string &reason) noexcept { refuse(reason.c_str()); }
  void add(std::unique_ptr<ReplayPart> &&part) override { parts.push_back(std::move(part)); }
  void pause() noexcept override;
  void resume() noexcept override;
  /// Throws why the step cannot be replayed, if it cannot.
  void require_replayable() const;

  /// The tape's alias of a tensor. One that `may_change` got its sizes by the call that is being noted.
  at::Tensor alias_of(const at::Tensor &tensor, const std::string &place, bool may_change = false);
  /// What is known of the storage of an alias.
  Memory &memory_of(const at::Tensor &alias);
  /// Whether no operator has written to the memory of an alias since it was made. LibTorch has kernels that write to
  /// memory which they got by a call, and are no call below autograd themselves: `max_pool1d` without gradients.
  bool is_unset(const at::Tensor &alias);

  /// A call, by the kernel.
  void note(const c10::OperatorHandle &op, c10::DispatchKeySet below, std::vector<c10::IValue> *stack);

  std::vector<Record> records;
  std::vector<std::unique_ptr<ReplayPart>> parts;
  std::vector<Alias> aliases;
  std::unordered_map<c10::StorageImpl *, Memory> memories;

 private:
  void fail(const c10::OperatorHandle &op, const std::string &problem) noexcept;
  bool is_refused() const { return !reason_.empty() || has_failed_; }
  bool is_made_here(const at::Tensor &tensor) const;
  bool check(const c10::OperatorHandle &op, const std::vector<c10::IValue> &stack);
  void write_down(
      const c10::OperatorHandle &op, const std::vector<c10::IValue> &given, const std::vector<c10::IValue> &stack);
  void keep(Record &&record);
  void keep_content(const at::Tensor &tensor);

  std::unordered_map<at::TensorImpl *, size_t> by_impl_;
  c10::intrusive_ptr<Object> owner_;
  std::string reason_;  // the first why it cannot be replayed
  size_t calls_ = 0;
  size_t known_memories_ = 0;  // before the call that is being noted
  uint64_t foreign_calls_ = 0;
  bool has_failed_ = false;  // an operator, or there was no memory to note it
};

}  // namespace ctorch::tape
