// Looking at what a step needs before it is replayed: guards.hpp.
#include "core/tape/guards.hpp"

#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include "core/abi/text_stream.hpp"
#include "core/tape/refusal.hpp"
#include "core/tape/tensors.hpp"
#include "core/torch/autocast.hpp"

namespace ctorch::tape {

namespace {

[[noreturn]] void fail_mode(const char *mode, bool was_on) {
  fail_refused(
      CTORCH_ERROR_VALUE,
      std::string("the step was captured with ") + mode + (was_on ? " on, and it is off" : " off, and it is on"));
}

[[noreturn]] void fail_tensor(const std::string &place, const std::string &problem) {
  fail_refused(CTORCH_ERROR_VALUE, place + " " + problem + " than when the step was captured");
}

template <class T>
std::string text_of(const T &value) {
  TextStream text;
  text << value;
  return text.str();
}

}  // namespace

Modes::Modes()
    : included_(c10::impl::tls_local_dispatch_key_set().included_),
      excluded_(c10::impl::tls_local_dispatch_key_set().excluded_),
      autocast_(at::autocast::get_autocast_dtype(at::kCPU)),
      grad_(c10::GradMode::is_enabled()),
      inference_(c10::InferenceMode::is_enabled()) {}

void Modes::check() const {
  const Modes now;
  if (now.grad_ != grad_) {
    fail_mode("grad mode", grad_);
  }
  if (now.included_ == included_ && now.excluded_ == excluded_ && now.autocast_ == autocast_) {
    return;
  }
  if (now.inference_ != inference_) {
    fail_mode("inference mode", inference_);
  }
  const bool was_on = !excluded_.has(c10::DispatchKey::AutocastCPU);
  if (was_on == now.excluded_.has(c10::DispatchKey::AutocastCPU)) {
    fail_mode("autocast", was_on);
  }
  if (now.autocast_ != autocast_ && was_on) {
    fail_refused(CTORCH_ERROR_VALUE, "the step was captured with another dtype of autocast");
  }
  if (now.included_ != included_ || now.excluded_ != excluded_) {
    fail_refused(CTORCH_ERROR_VALUE, "the step was captured in another mode of this thread's operators");
  }
}

void Guards::add_all(const Recording &recording) {
  std::unordered_set<const c10::StorageImpl *> known;
  for (const Alias &alias : recording.aliases) {
    const auto memory = recording.memories.find(alias.tensor.storage().unsafeGetStorageImpl());
    if (alias.is_input || memory == recording.memories.end()) {
      continue;  // the tape's own
    }
    const bool is_made = memory->second.is_made;
    if (!is_made && known.insert(memory->first).second) {
      places_.push_back({memory->second.storage, memory->second.storage.data(), alias.place});
    }
    const auto tensor = alias.stands_for.lock();
    if (tensor == nullptr) {
      continue;
    }
    if (!is_made) {
      tensors_.push_back({alias.stands_for, alias.tensor, tensor->requires_grad(), alias.place});
    }
    if ((is_made || memory->second.writes > 0) && !tensor->is_inference()) {
      versions_.push_back(tensor->version_counter());
    }
  }
}

void Guards::check() const {
  for (const Place &place : places_) {
    if (place.storage.data() != place.data) {
      fail_tensor(place.place, "has other memory");
    }
  }
  for (const TensorGuard &guarded : tensors_) {
    const auto impl = guarded.tensor.lock();
    if (impl == nullptr) {
      continue;
    }
    const at::Tensor tensor(impl);
    const at::Tensor &alias = guarded.alias;
    if (tensor.dtype() != alias.dtype()) {
      fail_tensor(
          guarded.place, "has another dtype (" + text_of(tensor.dtype()) + ", was " + text_of(alias.dtype()) + ")");
    }
    if (tensor.sizes() != alias.sizes() || tensor.strides() != alias.strides()) {
      fail_tensor(
          guarded.place,
          "has other sizes or strides (" + text_of(tensor.sizes()) + ", were " + text_of(alias.sizes()) + ")");
    }
    if (!tensor.has_storage() || tensor.storage().unsafeGetStorageImpl() != alias.storage().unsafeGetStorageImpl() ||
        tensor.storage_offset() != alias.storage_offset()) {
      fail_tensor(guarded.place, "has other memory");
    }
    if (tensor.requires_grad() != guarded.requires_grad) {
      fail_tensor(guarded.place, tensor.requires_grad() ? "requires gradients, other" : "requires no gradients, other");
    }
  }
}

void Guards::bump_versions() const {
  for (c10::VariableVersion version : versions_) {
    version.bump();
  }
}

}  // namespace ctorch::tape
