// The profiler's table of rows that are given as text, for test_profiler.py: no machine has them all, and no profile
// has a time that is known beforehand.
//
// Standard input, a line each: "device <number or -1>", "memory <0|1>", "flops <0|1>", "sort_by <name>", "header
// <text>", "time_unit <name>", "row_limit <n>", "source_width <n>", "name_width <n>", "shapes_width <n>" (-1 for none),
// "top_level <0|1>", then rows, whose fields a tab separates.
#include <iostream>
#include <sstream>
#include <string>

#include "core/profiler/profiler_result.hpp"

namespace {

std::vector<std::string> split(const std::string &line, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(line);
  for (std::string part; std::getline(stream, part, separator);) {
    parts.push_back(part);
  }
  return parts;
}

std::optional<size_t> width(const std::string &text) {
  long long value = std::stoll(text);
  return value < 0 ? std::nullopt : std::optional<size_t>(value);
}

ctorch::profile::Row row_of(const std::string &line) {
  std::vector<std::string> fields = split(line, '\t');
  fields.resize(19);
  size_t next = 0;
  auto text = [&] { return fields[next++]; };
  auto number = [&] { return std::stod(fields[next++]); };
  auto integer = [&] { return std::stoll(fields[next++]); };
  ctorch::profile::Row row;
  row.key = text();
  row.overload_name = text();
  row.input_shapes = text();
  row.device_type = static_cast<c10::DeviceType>(integer());
  row.is_async = integer() != 0;
  row.is_user_annotation = integer() != 0;
  row.is_legacy = integer() != 0;
  row.has_parent = integer() != 0;
  row.count = integer();
  row.cpu_time_total = number();
  row.self_cpu_time_total = number();
  row.device_time_total = number();
  row.self_device_time_total = number();
  row.cpu_memory = integer();
  row.self_cpu_memory = integer();
  row.device_memory = integer();
  row.self_device_memory = integer();
  row.flops = std::stoull(text());
  row.stack = split(text(), '\x1f');
  return row;
}

}  // namespace

int main() {
  ctorch::profile::Settings settings;
  ctorch::profile::TableLayout layout;
  std::vector<ctorch::profile::Row> rows;
  for (std::string line; std::getline(std::cin, line);) {
    if (line.find('\t') != std::string::npos) {
      rows.push_back(row_of(line));
      continue;
    }
    std::string name = line.substr(0, line.find(' ')), value = line.substr(line.find(' ') + 1);
    if (name == "device") {
      settings.device = value == "-1" ? std::nullopt : std::optional(static_cast<c10::DeviceType>(std::stoi(value)));
    } else if (name == "memory") {
      settings.profile_memory = value == "1";
    } else if (name == "flops") {
      settings.with_flops = value == "1";
    } else if (name == "sort_by") {
      layout.sort_by = value;
    } else if (name == "header") {
      layout.header = value;
    } else if (name == "time_unit") {
      layout.time_unit = value;
    } else if (name == "row_limit") {
      layout.row_limit = std::stoll(value);
    } else if (name == "source_width") {
      layout.source_width = width(value);
    } else if (name == "name_width") {
      layout.name_width = width(value);
    } else if (name == "shapes_width") {
      layout.shapes_width = width(value);
    } else if (name == "top_level") {
      layout.top_level_only = value == "1";
    } else {
      std::cerr << "unknown line: " << line << '\n';
      return 1;
    }
  }
  std::cout << ctorch::profile::table(rows, settings, layout);
  return 0;
}
