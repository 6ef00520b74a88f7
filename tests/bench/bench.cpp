// Runs the cases and prints one line each: group, case, variant, nanoseconds per call; tab-separated, for run.
//
//   bench           nanoseconds: the variants of a case take turns, and the best of all rounds counts
//   bench --count   under callgrind: a dump for each variant, labelled "group<tab>case<tab>variant<tab>calls"; its
//   total
//                   divided by the calls is the number of instructions per call
#include <ATen/Parallel.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <algorithm>

#include "cases.hpp"
#include "ctorch.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define HAVE_CALLGRIND 1
#else
#define HAVE_CALLGRIND 0
#endif

namespace {

constexpr size_t WARM_UP_CALLS = 5;

struct Group {
  const char *name;
  std::vector<Case> cases;
};

double nanoseconds(const Loop &loop, size_t calls) {
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  loop(calls);
  clock_gettime(CLOCK_MONOTONIC, &end);
  return 1e9 * static_cast<double>(end.tv_sec - begin.tv_sec) + static_cast<double>(end.tv_nsec - begin.tv_nsec);
}

/// As many calls as take about `target` ns: long against the clock, short against a time slice of the scheduler.
size_t calls_for(const Loop &loop, double target) {
  loop(10);
  size_t calls = 1;
  while (calls < (size_t{1} << 30) && nanoseconds(loop, calls) < target) {
    calls *= 2;
  }
  return calls;
}

void time_case(const Group &group, const Case &the_case, int rounds) {
  const auto &variants = the_case.variants;
  std::vector<size_t> calls;
  for (const Variant &variant : variants) {
    calls.push_back(calls_for(variant.loop, 100e3));
  }
  std::vector<double> best(variants.size(), 1e300);
  for (int round = 0; round < rounds; round++) {
    for (size_t k = 0; k < variants.size(); k++) {
      size_t i = (k + static_cast<size_t>(round)) % variants.size();
      best[i] = std::min(best[i], nanoseconds(variants[i].loop, calls[i]) / static_cast<double>(calls[i]));
    }
  }
  for (size_t i = 0; i < variants.size(); i++) {
    printf("%s\t%s\t%s\t%.3f\n", group.name, the_case.name.c_str(), variants[i].name, best[i]);
  }
  fflush(stdout);
}

#if HAVE_CALLGRIND
void count_case(const Group &group, const Case &the_case) {
  if (the_case.counted_calls == 0) {
    return;
  }
  for (const Variant &variant : the_case.variants) {
    std::string label = std::string(group.name) + "\t" + the_case.name + "\t" + variant.name + "\t" +
                        std::to_string(the_case.counted_calls);
    variant.loop(WARM_UP_CALLS);
    CALLGRIND_ZERO_STATS;
    variant.loop(the_case.counted_calls);
    CALLGRIND_DUMP_STATS_AT(label.c_str());
  }
}
#endif

int usage() {
  fprintf(stderr, "usage: bench [--count] [--rounds N] [--only TEXT]\n");
  return 2;
}

}  // namespace

int main(int argc, char **argv) {
  bool count = false;
  int rounds = 300;
  const char *only = "";
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--count") == 0) {
      count = true;
    } else if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc) {
      rounds = atoi(argv[++i]);
    } else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
      only = argv[++i];
    } else {
      return usage();
    }
  }
  if (rounds < 1 || (count && !HAVE_CALLGRIND)) {
    return usage();
  }
  at::set_num_threads(1);
  std::vector<Group> groups = {
      {"operators", operator_cases()}, {"boxed", boxed_cases()},  {"accessors", accessor_cases()},
      {"errors", error_cases()},       {"scopes", scope_cases()}, {"dlpack", dlpack_cases()},
  };
#if HAVE_CALLGRIND
  if (count) {
    CALLGRIND_START_INSTRUMENTATION;
  }
#endif
  for (const Group &group : groups) {
    for (const Case &the_case : group.cases) {
      if (the_case.name.find(only) == std::string::npos) {
        continue;
      }
      if (!count) {
        time_case(group, the_case, rounds);
      }
#if HAVE_CALLGRIND
      if (count) {
        count_case(group, the_case);
      }
#endif
    }
  }
  return 0;
}
