// _build_table of torch/autograd/profiler_util.py of LibTorch 2.13, character for character.
#include <c10/core/DeviceType.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>
#include <type_traits>

#include "core/profiler/profiler_result.hpp"

namespace ctorch::profile {

namespace {

// Text: Python counts characters, of which UTF-8 marks each one's first byte. ----------------------------------------

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

size_t length(const std::string &text) { return std::count_if(text.begin(), text.end(), begins_character); }

/// Where a character begins.
size_t position(const std::string &text, size_t character) {
  size_t i = 0;
  for (; i < text.size(); i++) {
    if (begins_character(text[i]) && character-- == 0) {
      break;
    }
  }
  return i;
}

/// text[:end] and text[begin:]
std::string before(const std::string &text, size_t end) { return text.substr(0, position(text, end)); }
std::string after(const std::string &text, size_t begin) { return text.substr(position(text, begin)); }

std::string padding(const std::string &text, size_t width) {
  size_t taken = length(text);
  return std::string(taken < width ? width - taken : 0, ' ');
}

template <class... Arguments>
std::string format(const char *pattern, Arguments... arguments) {
  std::string text(static_cast<size_t>(std::snprintf(nullptr, 0, pattern, arguments...)), '\0');
  std::snprintf(text.data(), text.size() + 1, pattern, arguments...);
  return text;
}

// Numbers -------------------------------------------------------------------------------------------------------------

std::string format_time(double us, const std::optional<std::string> &unit) {
  constexpr double us_in_second = 1000.0 * 1000.0, us_in_ms = 1000.0;
  if (unit == "s" || (!unit && us >= us_in_second)) {
    return format("%.3fs", us / us_in_second);
  }
  if (unit == "ms" || (!unit && us >= us_in_ms)) {
    return format("%.3fms", us / us_in_ms);
  }
  return format("%.3fus", us);
}

std::string format_share(double us, double total_us) {
  return total_us == 0 ? "NaN" : format("%.2f%%", us * 100.0 / total_us);
}

std::string format_memory(int64_t bytes) {
  constexpr double kb = 1024, mb = 1024 * kb, gb = 1024 * mb;
  const auto size = static_cast<double>(bytes);
  return std::abs(size) >= gb   ? format("%.2f GB", size / gb)
         : std::abs(size) >= mb ? format("%.2f MB", size / mb)
         : std::abs(size) >= kb ? format("%.2f KB", size / kb)
                                : std::to_string(bytes) + " B";
}

/// The unit of a column of operations, after its smallest number.
struct FlopsScale {
  explicit FlopsScale(uint64_t least) {
    static const char *const headers[] = {"FLOPs", "KFLOPs", "MFLOPs", "GFLOPs", "TFLOPs", "PFLOPs"};
    double thousands = std::max(0.0, std::min(std::log10(static_cast<double>(least)) / 3, 5.0));
    factor = std::pow(10.0, std::floor(thousands) * -3.0);
    header = headers[static_cast<size_t>(thousands)];
  }

  double factor;
  const char *header;
};

// Order ---------------------------------------------------------------------------------------------------------------

using Key = std::function<double(const Row &)>;

/// What rows are sorted by under a name; nothing for an unknown one. Names of devices all mean the profile's.
Key sort_key(std::string name) {
  for (const char *device : {"cuda", "xpu", "privateuse1"}) {
    for (size_t at; (at = name.find(device)) != std::string::npos;) {
      name.replace(at, std::string(device).size(), "device");
    }
  }
  static const std::pair<const char *, Key> keys[] = {
      {"cpu_time", &Row::cpu_time},
      {"cpu_time_total", &Row::cpu_time_total},
      {"self_cpu_time_total", &Row::self_cpu_time_total},
      {"cpu_memory_usage", &Row::cpu_memory},
      {"self_cpu_memory_usage", &Row::self_cpu_memory},
      {"device_time", &Row::device_time},
      {"device_time_total", &Row::device_time_total},
      {"self_device_time_total", &Row::self_device_time_total},
      {"device_memory_usage", &Row::device_memory},
      {"self_device_memory_usage", &Row::self_device_memory},
      {"count", &Row::count},
      {"flops", &Row::flops},
  };
  for (const auto &[known, key] : keys) {
    if (name == known) {
      return key;
    }
  }
  return nullptr;
}

std::vector<const Row *> sorted(const std::vector<Row> &rows, const std::optional<std::string> &by) {
  std::vector<const Row *> result(rows.size());
  std::transform(rows.begin(), rows.end(), result.begin(), [](const Row &row) { return &row; });
  if (by == "key") {
    std::stable_sort(result.begin(), result.end(), [](const Row *a, const Row *b) { return a->key > b->key; });
  } else if (by) {
    Key key = sort_key(*by);
    std::stable_sort(result.begin(), result.end(), [&](const Row *a, const Row *b) { return key(*a) > key(*b); });
  }
  return result;
}

// The table -----------------------------------------------------------------------------------------------------------

struct Column {
  std::string header;
  size_t width;
  bool to_the_left = false;
};

constexpr size_t WIDTH = 12, SPACING = 2;

template <class Member>
bool any(const std::vector<const Row *> &rows, Member Row::*member) {
  return std::any_of(rows.begin(), rows.end(), [&](const Row *row) {
    if constexpr (std::is_arithmetic_v<Member>) {
      return row->*member > 0;
    } else {
      return !(row->*member).empty();
    }
  });
}

size_t limited(size_t width, const std::optional<size_t> &limit) { return std::min(width, limit.value_or(width)); }

class Table {
 public:
  Table(std::vector<const Row *> rows, const Settings &settings, const TableLayout &layout)
      : rows_(std::move(rows)), settings_(settings), layout_(layout) {
    if (settings_.device) {
      device_ = c10::DeviceTypeName(*settings_.device);
    }
    add_up();
    add_columns();
  }

  std::string text() const {
    std::string lines;
    size_t line_length = 0;
    for (const Column &column : columns_) {
      line_length += column.width + SPACING;
    }
    line_length -= SPACING;
    std::string separator;
    std::vector<std::string> headers;
    for (const Column &column : columns_) {
      separator += std::string(column.width, '-') + std::string(SPACING, ' ');
      headers.push_back(column.header);
    }
    separator += '\n';
    if (layout_.header) {
      lines += std::string(line_length, '=') + '\n' + *layout_.header + '\n';
    }
    if (layout_.top_level_only) {
      lines += std::string(line_length, '=') + "\nThis report only display top-level ops statistics\n";
    }
    lines += separator + line(headers) + separator;
    int64_t shown = 0;
    for (const Row *row : rows_) {
      if (shown == layout_.row_limit) {
        break;
      }
      if (!layout_.top_level_only || !row->has_parent) {
        shown++;
        lines += lines_of(*row);
      }
    }
    lines += separator + "Self CPU time total: " + time(cpu_total_) + '\n';
    if (has_device_time_) {
      lines += "Self " + device_ + " time total: " + time(device_total_) + '\n';
    }
    return lines;
  }

 private:
  std::string time(double us) const { return format_time(us, layout_.time_unit); }

  void add_up() {
    has_device_time_ = any(rows_, &Row::self_device_time_total);
    has_device_memory_ = settings_.device && any(rows_, &Row::self_device_memory);
    for (const Row *row : rows_) {
      cpu_total_ += row->self_cpu_time_total;
      bool is_kernel = row->device_type == c10::kCUDA || row->device_type == c10::kPrivateUse1 ||
                       row->device_type == c10::kMTIA || row->device_type == c10::kXPU;
      if ((row->device_type == c10::kCPU && row->is_legacy) || (is_kernel && !row->is_user_annotation)) {
        device_total_ += row->self_device_time_total;
      }
    }
  }

  void add_columns() {
    size_t name_width = 0, shapes_width = 0;
    for (const Row *row : rows_) {
      name_width = std::max(name_width, length(row->key) + 4);
      shapes_width = std::max(shapes_width, length(row->input_shapes) + 4);
    }
    name_width = limited(name_width, layout_.name_width);
    shapes_width_ = limited(shapes_width, layout_.shapes_width);
    has_overload_names_ = any(rows_, &Row::overload_name);
    has_shapes_ = std::any_of(rows_.begin(), rows_.end(), [](const Row *row) {
      return !row->input_shapes.empty() && row->input_shapes != "[]";  // an empty list, in Python
    });
    has_stacks_ = any(rows_, &Row::stack);

    columns_.push_back({"Name", name_width});
    if (has_overload_names_) {
      columns_.push_back({"Overload Name", name_width});
    }
    for (const char *header : {"Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg"}) {
      columns_.push_back({header, WIDTH});
    }
    if (has_device_time_) {
      columns_.push_back({"Self " + device_, WIDTH});
      columns_.push_back({"Self " + device_ + " %", WIDTH});
      columns_.push_back({device_ + " total", WIDTH});
      columns_.push_back({device_ + " time avg", WIDTH});
    }
    if (settings_.profile_memory) {
      columns_.push_back({"CPU Mem", WIDTH});
      columns_.push_back({"Self CPU Mem", WIDTH});
      if (has_device_memory_) {
        columns_.push_back({device_ + " Mem", WIDTH});
        columns_.push_back({"Self " + device_ + " Mem", WIDTH});
      }
    }
    columns_.push_back({"# of Calls", WIDTH});
    if (has_shapes_) {
      columns_.push_back({"Input Shapes", shapes_width_});
    }
    if (has_stacks_) {
      for (const Row *row : rows_) {
        for (const std::string &frame : row->stack) {
          source_width_ = std::max(source_width_, length(frame) + 4);
        }
      }
      source_width_ = limited(source_width_, layout_.source_width);
      columns_.push_back({"Source Location", source_width_, /*to_the_left=*/true});
    }
    add_flops_column();
  }

  void add_flops_column() {
    uint64_t least = 0;
    for (const Row *row : rows_) {
      if (row->flops > 0) {
        least = least == 0 ? row->flops : std::min(least, row->flops);
      }
    }
    if (settings_.with_flops && least > 0) {
      flops_ = FlopsScale(least);
      columns_.push_back({std::string("Total ") + flops_->header, WIDTH});
    }
  }

  std::string shortened(const std::string &name) const {
    if (!layout_.name_width || length(name) + 3 < *layout_.name_width) {
      return name;
    }
    size_t width = *layout_.name_width, all = length(name);
    // Python's name[:width - 3]: below 0 it counts from the end
    size_t kept = width >= 3 ? width - 3 : all + width >= 3 ? all + width - 3 : 0;
    return before(name, kept) + "...";
  }

  std::string trimmed(const std::string &frame) const {
    size_t all = length(frame);
    if (all <= source_width_) {
      return frame;
    }
    std::string end = after(frame, all - source_width_);
    return source_width_ > 3 ? "..." + after(end, 3) : end;
  }

  std::string line(const std::vector<std::string> &cells) const {
    std::string text;
    for (size_t i = 0; i < columns_.size(); i++) {
      std::string space = padding(cells[i], columns_[i].width);
      text += (columns_[i].to_the_left ? cells[i] + space : space + cells[i]) + std::string(SPACING, ' ');
    }
    return text + '\n';
  }

  std::string lines_of(const Row &row) const {
    std::vector<std::string> cells = {shortened(row.key)};
    if (has_overload_names_) {
      cells.push_back(shortened(row.overload_name));
    }
    cells.push_back(format_share(row.self_cpu_time_total, cpu_total_));
    cells.push_back(time(row.self_cpu_time_total));
    cells.push_back(row.is_async ? "0" : format_share(row.cpu_time_total, cpu_total_));
    cells.push_back(time(row.cpu_time_total));
    cells.push_back(time(row.cpu_time()));
    if (has_device_time_) {
      cells.push_back(time(row.self_device_time_total));
      cells.push_back(format_share(row.self_device_time_total, device_total_));
      cells.push_back(time(row.device_time_total));
      cells.push_back(time(row.device_time()));
    }
    if (settings_.profile_memory) {
      cells.push_back(format_memory(row.cpu_memory));
      cells.push_back(format_memory(row.self_cpu_memory));
      if (has_device_memory_) {
        cells.push_back(format_memory(row.device_memory));
        cells.push_back(format_memory(row.self_device_memory));
      }
    }
    cells.push_back(std::to_string(row.count));
    if (has_shapes_) {
      cells.push_back(before(row.input_shapes, shapes_width_));
    }
    // Python appends the operations before the stack, though the columns stand the other way round.
    if (flops_) {
      cells.push_back(row.flops == 0 ? "--" : format("%8.3f", static_cast<double>(row.flops) * flops_->factor));
    }
    if (has_stacks_) {
      cells.push_back(row.stack.empty() ? "" : trimmed(row.stack.front()));
    }
    std::string lines = line(cells);
    if (has_stacks_) {
      std::vector<std::string> empty(columns_.size());
      for (size_t i = 1; i < row.stack.size(); i++) {
        empty.back() = trimmed(row.stack[i]);
        lines += line(empty);
      }
      empty.back().clear();
      lines += line(empty);
    }
    return lines;
  }

  std::vector<const Row *> rows_;
  Settings settings_;
  TableLayout layout_;
  std::string device_ = "None";
  bool has_device_time_ = false, has_device_memory_ = false;
  bool has_overload_names_ = false, has_shapes_ = false, has_stacks_ = false;
  double cpu_total_ = 0, device_total_ = 0;
  size_t shapes_width_ = 0, source_width_ = 0;
  std::optional<FlopsScale> flops_;
  std::vector<Column> columns_;
};

}  // namespace

bool is_sort_key(const std::string &name) { return name == "key" || sort_key(name) != nullptr; }

std::string table(const std::vector<Row> &rows, const Settings &settings, const TableLayout &layout) {
  return rows.empty() ? "" : Table(sorted(rows, layout.sort_by), settings, layout).text();
}

}  // namespace ctorch::profile
