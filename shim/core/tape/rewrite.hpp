// Rewriting: operators that LibTorch itself computes by others, as those others. They have ways to be run again that
// these lack.
#pragma once

#include <vector>

#include "core/tape/record.hpp"

namespace ctorch::tape {

/// The calls that give the same, bit for bit; none if there is no more to be said than the call itself.
std::vector<Record> rewritten(const Record &record);

}  // namespace ctorch::tape
