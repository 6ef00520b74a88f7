// A tape as people read it.
#pragma once

#include <string>
#include <vector>

#include "core/tape/placement.hpp"
#include "core/tape/program.hpp"

namespace ctorch::tape {

std::string listing(
    const std::vector<Record> &records, const Program &program, const Placement &placement, uint64_t replays);

}  // namespace ctorch::tape
