// A program: the steps that records become, each by the fastest way that gives the same.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/tape/record.hpp"

namespace ctorch::tape {

/// How a record is run again.
enum class Way {
  Fast,        // fast_step
  Move,        // moving_step
  Structured,  // structured_step
  Out,         // its overload with `out`, or itself where it writes to its arguments
  Copy,        // itself, and a copy of its results to where they belong
  Fill,        // zeros
};

const char *name_of(Way way);

class Program {
 public:
  /// `is_fast` allows Way::Fast; without `is_lowered` there is nothing but Way::Copy and what writes to its arguments.
  Program(const std::vector<Record> &records, bool is_fast, bool is_lowered);

  void run() {
    for (const auto &step : steps_) {
      step->run();
    }
  }
  /// The same, with the time that each step took added to `seconds`.
  void run_timed();

  size_t len() const { return steps_.size(); }
  Way way(size_t i) const { return ways_[i]; }
  double seconds(size_t i) const { return seconds_[i]; }

 private:
  void add(const Record &record, bool is_fast, bool is_lowered);

  std::vector<std::unique_ptr<Step>> steps_;
  std::vector<Way> ways_;
  std::vector<double> seconds_;
};

}  // namespace ctorch::tape
