// A table of a tape's steps: listing.hpp.
#include "core/tape/listing.hpp"
#include "core/abi/text_stream.hpp"

#include <cinttypes>
#include <cstdio>

#include "core/tape/tensors.hpp"

namespace ctorch::tape {

namespace {

/// "[1, 128] float, [1] long".
std::string results_of(const Record &record) {
  TextStream text;
  const char *between = "";
  for (const c10::IValue &out : record.outs) {
    each_tensor(out, [&](const at::Tensor &tensor) {
      text << between << tensor.sizes() << ' ' << c10::toString(tensor.scalar_type());
      between = ", ";
    });
  }
  return text.str();
}

size_t bytes_of(const Record &record) {
  size_t bytes = 0;
  for (const c10::IValue &out : record.outs) {
    each_tensor(out, [&](const at::Tensor &tensor) { bytes += tensor.nbytes(); });
  }
  return bytes;
}

template <class... Arguments>
std::string formatted(const char *format, Arguments... arguments) {
  char text[256];
  const int len = std::snprintf(text, sizeof text, format, arguments...);
  return std::string(text, std::min(static_cast<size_t>(std::max(len, 0)), sizeof text - 1));
}

}  // namespace

std::string listing(
    const std::vector<Record> &records, const Program &program, const Placement &placement, uint64_t replays) {
  double seconds = 0;
  for (size_t i = 0; i < program.len(); i++) {
    seconds += program.seconds(i);
  }
  std::string text = formatted(
      "%zu operators, %zu inputs, %zu bytes (%zu of %zu after memory is used again), replayed %" PRIu64 " times\n",
      records.size(), placement.inputs.size(), placement.bytes, placement.block_bytes, placement.made_bytes, replays);
  text += formatted("%5s  %-40s %-10s %10s %6s  %s\n", "#", "operator", "by", "bytes", "time", "results");
  for (size_t i = 0; i < records.size(); i++) {
    const std::string share = seconds > 0 ? formatted("%.1f%%", 100 * program.seconds(i) / seconds) : std::string("-");
    text += formatted(
        "%5zu  %-40s %-10s %10zu %6s  ", i, name_of(records[i].op).c_str(), name_of(program.way(i)),
        bytes_of(records[i]), share.c_str());
    text += results_of(records[i]) + "\n";
  }
  return text;
}

}  // namespace ctorch::tape
