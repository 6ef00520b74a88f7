// Placement: where the tensors of a tape are.
//
// Each input gets memory of the tape's own; what the step made and nobody has shares one block, in which a tensor's
// place is used again after its last use; everything else stays where it is.
#pragma once

#include <vector>

#include "core/tape/recording.hpp"

namespace ctorch::tape {

struct Placement {
  struct Input {
    at::Tensor place;  // the tape's own
    bool is_written = false;
  };

  std::vector<Input> inputs;
  c10::Storage block;
  size_t block_bytes = 0;  // of the block
  size_t made_bytes = 0;   // of what is in it, had each tensor its own
  size_t bytes = 0;        // all that the step made or is given, with the block
};

/// Byte ranges of a tensor within its storage.
struct Extent {
  size_t begin, end;

  explicit Extent(const at::Tensor &tensor);
  bool is_empty() const { return begin == end; }
  bool overlaps(const Extent &other) const { return begin < other.end && other.begin < end; }
  bool contains(const Extent &other) const { return begin <= other.begin && other.end <= end; }
};

/// Move the aliases of a recording to their places, and drop the records that fill what keeps its content.
Placement place(Recording &recording, const std::vector<at::Tensor> &inputs, const std::vector<at::Tensor> &outputs);

}  // namespace ctorch::tape
