// A tape as people read it.
#pragma once

#include <string>
#include <vector>

#include "tape/placement.hpp"
#include "tape/program.hpp"

namespace ctorch::tape {

std::string listing(
    const std::vector<Record> &records, const Program &program, const Placement &placement, uint64_t replays);

}  // namespace ctorch::tape
