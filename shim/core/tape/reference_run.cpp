// The copies that a replay is compared with: reference_run.hpp.
#include "core/tape/reference_run.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <c10/core/CPUAllocator.h>

#include <cstring>
#include <mutex>

#include "core/tape/refusal.hpp"
#include "core/tape/tensors.hpp"

namespace ctorch::tape {

namespace {

bool is_within(const c10::Storage &storage, const c10::Storage &block) {
  const auto *data = static_cast<const char *>(storage.data());
  const auto *begin = static_cast<const char *>(block.data());
  return data != nullptr && begin != nullptr && data >= begin && data < begin + block.nbytes();
}

/// How far two floating tensors are apart in any element, NaNs and infinities at the same places.
bool are_close(const at::Tensor &a, const at::Tensor &b) {
  return !a.is_floating_point() ? at::equal(a, b) : at::allclose(a, b, 1e-5, 1e-6, /*equal_nan=*/true);
}

}  // namespace

ReferenceRun::ReferenceRun(
    const std::vector<Record> &records, const std::vector<Alias> &aliases, const c10::Storage &block) {
  std::unordered_map<const at::TensorImpl *, const Alias *> known;
  for (const Alias &alias : aliases) {
    known.emplace(alias.tensor.unsafeGetTensorImpl(), &alias);
  }
  generators_.push_back(at::detail::getDefaultCPUGenerator());
  std::vector<Record> copies;
  for (const Record &record : records) {
    Record copy{record.op, {}, {}};
    const auto map = [&](const at::Tensor &tensor) { return copy_of(tensor, block); };
    for (const c10::IValue &arg : record.args) {
      copy.args.push_back(map_tensors(arg, map));
      if (arg.isGenerator()) {
        generators_.push_back(arg.toGenerator());
      }
    }
    for (const c10::IValue &out : record.outs) {
      copy.outs.push_back(map_tensors(out, map));
    }
    copies.push_back(std::move(copy));
  }
  for (Pair &pair : pairs_) {
    const auto found = known.find(pair.tensor.unsafeGetTensorImpl());
    pair.place = found == known.end() ? "a tensor" : found->second->place;
  }
  program_ = std::make_unique<Program>(copies, /*is_fast=*/false, /*is_lowered=*/false);
}

at::Tensor ReferenceRun::copy_of(const at::Tensor &tensor, const c10::Storage &block) {
  at::Tensor &reference = by_impl_[tensor.unsafeGetTensorImpl()];
  if (reference.defined()) {
    return reference;
  }
  reference = at::Tensor(tensor.unsafeGetTensorImpl()->shallow_copy_and_detach(c10::VariableVersion(0), true));
  const auto *storage = tensor.storage().unsafeGetStorageImpl();
  const auto [known, is_new] = by_storage_.emplace(storage, pairs_.size());
  if (is_new) {
    const c10::Storage copy(
        c10::Storage::use_byte_size_t(), static_cast<int64_t>(tensor.storage().nbytes()), c10::GetCPUAllocator(),
        /*resizable=*/false);
    pairs_.push_back({tensor.storage(), copy, !is_within(tensor.storage(), block), tensor, reference, {}});
  }
  reference.unsafeGetTensorImpl()->set_storage_keep_dtype(pairs_[known->second].copy);
  return reference;
}

void ReferenceRun::run() {
  for (const Pair &pair : pairs_) {
    if (pair.is_kept && pair.original.nbytes() > 0) {
      std::memcpy(pair.copy.mutable_data(), pair.original.data(), pair.original.nbytes());
    }
  }
  std::vector<at::Tensor> states;
  for (at::Generator &generator : generators_) {
    std::lock_guard<std::mutex> lock(generator.mutex());
    states.push_back(generator.get_state());
  }
  const auto restore = [&] {
    for (size_t i = 0; i < generators_.size(); i++) {
      std::lock_guard<std::mutex> lock(generators_[i].mutex());
      generators_[i].set_state(states[i]);
    }
  };
  try {
    program_->run();
  } catch (...) {
    restore();
    throw;
  }
  restore();
}

void ReferenceRun::compare(bool is_exact) const {
  for (const Pair &pair : pairs_) {
    const size_t bytes = pair.is_kept ? pair.original.nbytes() : 0;
    if (bytes == 0 || std::memcmp(pair.original.data(), pair.copy.data(), bytes) == 0) {
      continue;
    }
    if (is_exact || !are_close(pair.tensor, pair.reference)) {
      fail_refused(
          CTORCH_ERROR_RUNTIME, "a replay differs from the operators run one by one, in the memory of " + pair.place);
    }
  }
}

}  // namespace ctorch::tape
