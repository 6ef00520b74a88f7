// A reference run: the records of a tape on copies of all its memory, run one by one as they were called. What a replay
// gives is compared with what it gives.
#pragma once

#include <ATen/core/Generator.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "core/tape/placement.hpp"
#include "core/tape/program.hpp"

namespace ctorch::tape {

class ReferenceRun {
 public:
  ReferenceRun(const std::vector<Record> &records, const std::vector<Alias> &aliases, const c10::Storage &block);

  /// Make the step on copies of the memory as it is now. Generators are left as they are.
  void run();
  /// RUNTIME, with the tensor, if a replay has left other values. `is_exact` asks for the same bits.
  void compare(bool is_exact) const;

 private:
  struct Pair {
    c10::Storage original, copy;
    bool is_kept;       // not in the block, where others take its place
    at::Tensor tensor;  // one that is there, and its reference
    at::Tensor reference;
    std::string place;
  };

  at::Tensor copy_of(const at::Tensor &tensor, const c10::Storage &block);

  std::vector<Pair> pairs_;
  std::unordered_map<const c10::StorageImpl *, size_t> by_storage_;
  std::unordered_map<const at::TensorImpl *, at::Tensor> by_impl_;
  std::vector<at::Generator> generators_;
  std::unique_ptr<Program> program_;
};

}  // namespace ctorch::tape
