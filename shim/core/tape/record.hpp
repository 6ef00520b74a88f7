// What a tape knows of an operator that was called while it was captured, and what runs it again.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

#include <memory>
#include <vector>

namespace ctorch::tape {

/// A call. Its tensors are the tape's own: plain strided CPU tensors without autograd whose memory stays where it is
/// for as long as the tape lives, so that their addresses may be kept.
struct Record {
  c10::OperatorHandle op;
  std::vector<c10::IValue> args;  // as many as the schema has
  std::vector<c10::IValue> outs;  // results as they are to be; where an argument is one of them, that argument
  bool is_constant = false;       // fills memory with what only depends on numbers and sizes
};

/// A call made ready to be run again and again.
class Step {
 public:
  Step() = default;
  Step(const Step &) = delete;
  Step &operator=(const Step &) = delete;
  virtual ~Step() = default;

  /// From the arguments' memory as it is now to the results'.
  virtual void run() = 0;
};

/// By a structured kernel of LibTorch whose checks and iterators are made here, once (generated/structured_*.cpp); null
/// if there is none for these arguments.
std::unique_ptr<Step> structured_step(const Record &record);

/// By a loop of ctorch's own, or LibTorch's copy, that puts values elsewhere and computes none; null if there is none.
std::unique_ptr<Step> moving_step(const Record &record);

/// By a loop or a BLAS call of ctorch's own, which may differ from LibTorch in the last digits; null if there is none.
std::unique_ptr<Step> fast_step(const Record &record);

}  // namespace ctorch::tape
