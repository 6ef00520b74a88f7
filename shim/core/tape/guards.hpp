// Guards: what must be as it was when a step was captured, and is looked at before each replay.
#pragma once

#include <c10/core/DispatchKeySet.h>

#include <string>
#include <vector>

#include "core/tape/recording.hpp"

namespace ctorch::tape {

/// The modes of a thread that decide what operators do.
class Modes {
 public:
  /// Those of this thread.
  Modes();
  /// VALUE, with what differs, unless this thread has the same.
  void check() const;

 private:
  c10::DispatchKeySet included_, excluded_;
  at::ScalarType autocast_;
  bool grad_, inference_;
};

/// Tensors of the program that a step uses where they are.
class Guards {
 public:
  /// Those of a recording that somebody has now.
  void add_all(const Recording &recording);

  /// VALUE, with the tensor and what differs, unless all are as they were. Those that are no more are left out.
  void check() const;
  /// Tell autograd that what the step writes was written.
  void bump_versions() const;

 private:
  struct TensorGuard {
    c10::weak_intrusive_ptr<at::TensorImpl> tensor;
    at::Tensor alias;
    bool requires_grad;
    std::string place;
  };
  struct Place {
    c10::Storage storage;
    const void *data;
    std::string place;
  };

  std::vector<TensorGuard> tensors_;
  std::vector<Place> places_;
  std::vector<c10::VariableVersion> versions_;
};

}  // namespace ctorch::tape
