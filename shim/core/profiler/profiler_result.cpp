// profiler_result.h: what a profile tells of its events and their sums.
#include "ctorch/profiler/profiler_result.h"

#include <torch/csrc/autograd/profiler_kineto.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <utility>

#include "core/abi/c_locale.hpp"
#include "core/abi/error.hpp"
#include "core/abi/excerpt.hpp"
#include "core/abi/from.hpp"
#include "core/abi/handle.hpp"
#include "core/abi/to.hpp"
#include "core/profiler/profiler_result.hpp"

using namespace ctorch;
using profile::Event;
using profile::Row;

ctorch_profiler_result::ctorch_profiler_result(
    std::unique_ptr<torch::autograd::profiler::ProfilerResult> result, const profile::Settings &settings)
    : result(std::move(result)), settings(settings), events(profile::events_of(*this->result, settings)) {}

ctorch_profiler_result::~ctorch_profiler_result() = default;

void ctorch_profiler_result_retain(const ctorch_profiler_result *self) { retain_object(self); }

void ctorch_profiler_result_release(ctorch_profiler_result *self) { release_object(self); }

size_t ctorch_profiler_result_len(const ctorch_profiler_result *self) {
  return is_there(self) ? self->events.size() : 0;
}

int64_t ctorch_profiler_result_start_ns(const ctorch_profiler_result *self) {
  return is_there(self) ? static_cast<int64_t>(self->result->trace_start_ns()) : 0;
}

// Events --------------------------------------------------------------------------------------------------------------

namespace {

const Event *find(const ctorch_profiler_result *self, size_t event) {
  return is_there(self) && event < self->events.size() ? self->events[event].get() : nullptr;
}

const Row *find(const ctorch_profiler_averages *self, size_t row) {
  return is_there(self) && row < self->rows.size() ? &self->rows[row] : nullptr;
}

/// What a member of an event or a row is, or another value where there is none.
template <class Owner, class Member, class Otherwise>
Otherwise read(const Owner *owner, Member member, Otherwise otherwise) {
  return owner == nullptr ? otherwise : static_cast<Otherwise>(std::invoke(member, *owner));
}
template <class Owner>
const char *read(const Owner *owner, std::string Owner::*member) {
  return owner == nullptr ? "" : (owner->*member).c_str();
}

int64_t number_of(const Event *event) { return event == nullptr ? -1 : static_cast<int64_t>(event->number); }

}  // namespace

const char *ctorch_profiler_result_event_name(const ctorch_profiler_result *self, size_t event) {
  return read(find(self, event), &Event::name);
}

const char *ctorch_profiler_result_event_overload_name(const ctorch_profiler_result *self, size_t event) {
  return read(find(self, event), &Event::overload_name);
}

int64_t ctorch_profiler_result_event_start_ns(const ctorch_profiler_result *self, size_t event) {
  return read(find(self, event), &Event::start_ns, int64_t{0});
}

int64_t ctorch_profiler_result_event_duration_ns(const ctorch_profiler_result *self, size_t event) {
  const Event *found = find(self, event);
  return found == nullptr ? 0 : found->end_ns - found->start_ns;
}

uint64_t ctorch_profiler_result_event_thread(const ctorch_profiler_result *self, size_t event) {
  return read(find(self, event), &Event::thread, uint64_t{0});
}

uint64_t ctorch_profiler_result_event_forward_thread(const ctorch_profiler_result *self, size_t event) {
  return read(find(self, event), &Event::forward_thread, uint64_t{0});
}

int64_t ctorch_profiler_result_event_sequence_number(const ctorch_profiler_result *self, size_t event) {
  return read(find(self, event), &Event::sequence_number, int64_t{-1});
}

int32_t ctorch_profiler_result_event_scope(const ctorch_profiler_result *self, size_t event) {
  return read(find(self, event), &Event::scope, int32_t{-1});
}

ctorch_device_type ctorch_profiler_result_event_device_type(const ctorch_profiler_result *self, size_t event) {
  return read(find(self, event), &Event::device_type, ctorch_device_type{-1});
}

int32_t ctorch_profiler_result_event_device_index(const ctorch_profiler_result *self, size_t event) {
  return read(find(self, event), &Event::device_index, int32_t{-1});
}

bool ctorch_profiler_result_event_is_async(const ctorch_profiler_result *self, size_t event) {
  return read(find(self, event), &Event::is_async, false);
}

bool ctorch_profiler_result_event_is_user_annotation(const ctorch_profiler_result *self, size_t event) {
  return read(find(self, event), &Event::is_user_annotation, false);
}

int64_t ctorch_profiler_result_event_parent(const ctorch_profiler_result *self, size_t event) {
  const Event *found = find(self, event);
  return number_of(found == nullptr ? nullptr : found->parent);
}

size_t ctorch_profiler_result_event_num_children(const ctorch_profiler_result *self, size_t event) {
  const Event *found = find(self, event);
  return found == nullptr ? 0 : found->children.size();
}

int64_t ctorch_profiler_result_event_child(const ctorch_profiler_result *self, size_t event, size_t child) {
  const Event *found = find(self, event);
  return number_of(found != nullptr && child < found->children.size() ? found->children[child] : nullptr);
}

double ctorch_profiler_result_event_cpu_time_total(const ctorch_profiler_result *self, size_t event) {
  return read(find(self, event), &Event::cpu_time_total, 0.0);
}

double ctorch_profiler_result_event_self_cpu_time_total(const ctorch_profiler_result *self, size_t event) {
  return read(find(self, event), &Event::self_cpu_time_total, 0.0);
}

double ctorch_profiler_result_event_device_time_total(const ctorch_profiler_result *self, size_t event) {
  return read(find(self, event), &Event::device_time_total, 0.0);
}

double ctorch_profiler_result_event_self_device_time_total(const ctorch_profiler_result *self, size_t event) {
  return read(find(self, event), &Event::self_device_time_total, 0.0);
}

int64_t ctorch_profiler_result_event_cpu_memory(const ctorch_profiler_result *self, size_t event) {
  return read(find(self, event), &Event::cpu_memory, int64_t{0});
}

int64_t ctorch_profiler_result_event_self_cpu_memory(const ctorch_profiler_result *self, size_t event) {
  return read(find(self, event), &Event::self_cpu_memory, int64_t{0});
}

int64_t ctorch_profiler_result_event_device_memory(const ctorch_profiler_result *self, size_t event) {
  return read(find(self, event), &Event::device_memory, int64_t{0});
}

int64_t ctorch_profiler_result_event_self_device_memory(const ctorch_profiler_result *self, size_t event) {
  return read(find(self, event), &Event::self_device_memory, int64_t{0});
}

uint64_t ctorch_profiler_result_event_flops(const ctorch_profiler_result *self, size_t event) {
  return read(find(self, event), &Event::flops, uint64_t{0});
}

size_t ctorch_profiler_result_event_num_inputs(const ctorch_profiler_result *self, size_t event) {
  const Event *found = find(self, event);
  return found == nullptr ? 0 : found->input_shapes.size();
}

bool ctorch_profiler_result_event_input_shape(
    const ctorch_profiler_result *self, size_t event, size_t input, const int64_t **out, size_t *out_len) {
  const Event *found = find(self, event);
  if (found == nullptr || input >= found->input_shapes.size()) {
    return false;
  }
  const std::vector<int64_t> &shape = found->input_shapes[input];
  if (out != nullptr) {
    *out = shape.empty() ? nullptr : shape.data();
  }
  if (out_len != nullptr) {
    *out_len = shape.size();
  }
  return true;
}

const char *ctorch_profiler_result_event_input_dtype(const ctorch_profiler_result *self, size_t event, size_t input) {
  const Event *found = find(self, event);
  return found == nullptr || input >= found->input_dtypes.size() ? "" : found->input_dtypes[input].c_str();
}

size_t ctorch_profiler_result_event_stack_len(const ctorch_profiler_result *self, size_t event) {
  const Event *found = find(self, event);
  return found == nullptr ? 0 : found->stack.size();
}

const char *ctorch_profiler_result_event_stack(const ctorch_profiler_result *self, size_t event, size_t frame) {
  const Event *found = find(self, event);
  return found == nullptr || frame >= found->stack.size() ? "" : found->stack[frame].c_str();
}

namespace {

[[noreturn]] void fail_io(const std::string &path, const std::string &problem) {
  fail(CTORCH_ERROR_IO, "'" + excerpt(path) + "': " + problem);
}

/// Kineto reports a path that it cannot write on stderr only, and its trace is gone by then.
void check_writable(const std::string &path) {
  std::FILE *file = std::fopen(path.c_str(), "ab");
  if (file == nullptr) {
    fail_io(path, std::strerror(errno));
  }
  std::fclose(file);
}

}  // namespace

ctorch_error *ctorch_profiler_result_export_chrome_trace(ctorch_profiler_result *self, const char *path) {
  return guard(__func__, [&] {
    ctorch_profiler_result &profile = from::object(self, "self");
    std::string file(from::string(path, "path"));
    check_writable(file);
    CLocale locale;
    profile.result->save(file);
  });
}

// Sums ----------------------------------------------------------------------------------------------------------------

namespace {

/// A list of lists as Python writes it.
std::string text_of(const std::vector<std::vector<int64_t>> &shapes) {
  std::string text = "[";
  for (const auto &shape : shapes) {
    text += text.size() > 1 ? ", [" : "[";
    for (size_t i = 0; i < shape.size(); i++) {
      text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
    }
    text += ']';
  }
  return text + ']';
}

void add(Row &row, const Event &event) {
  row.count++;
  row.cpu_time_total += event.cpu_time_total();
  row.self_cpu_time_total += event.self_cpu_time_total();
  row.device_time_total += event.device_time_total();
  row.self_device_time_total += event.self_device_time_total();
  row.cpu_memory += event.cpu_memory;
  row.self_cpu_memory += event.self_cpu_memory();
  row.device_memory += event.device_memory;
  row.self_device_memory += event.self_device_memory();
  row.flops += event.flops;
}

}  // namespace

ctorch_error *ctorch_profiler_result_key_averages(
    ctorch_profiler_averages **out,
    const ctorch_profiler_result *self,
    bool group_by_input_shape,
    int64_t group_by_stack_n,
    bool group_by_overload_name) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const ctorch_profiler_result &profile = from::object(self, "self");
    if (group_by_stack_n < 0) {
      fail_argument("group_by_stack_n", "expected at least 0, got " + std::to_string(group_by_stack_n));
    }
    auto averages = c10::make_intrusive<ctorch_profiler_averages>();
    averages->settings = profile.settings;
    using Group =
        std::tuple<std::string, c10::DeviceType, bool, bool, std::string, std::string, std::vector<std::string>>;
    std::map<Group, size_t> rows;
    for (const auto &event : profile.events) {
      Row row;
      row.key = event->name;
      row.device_type = event->device_type;
      row.is_legacy = event->is_legacy;
      row.is_user_annotation = event->is_user_annotation;
      row.overload_name = group_by_overload_name ? event->overload_name : "";
      row.input_shapes = group_by_input_shape ? text_of(event->input_shapes) : "";
      row.stack.assign(
          event->stack.begin(),
          event->stack.begin() + std::min<int64_t>(group_by_stack_n, static_cast<int64_t>(event->stack.size())));
      row.is_async = event->is_async;
      row.has_parent = event->parent != nullptr;
      auto [place, is_new] = rows.try_emplace(
          Group(
              row.key, row.device_type, row.is_legacy, row.is_user_annotation, row.overload_name, row.input_shapes,
              row.stack),
          averages->rows.size());
      if (is_new) {
        averages->rows.push_back(std::move(row));
      }
      add(averages->rows[place->second], *event);
    }
    to::give(std::move(averages), out);
  });
}

void ctorch_profiler_averages_retain(const ctorch_profiler_averages *self) { retain_object(self); }

void ctorch_profiler_averages_release(ctorch_profiler_averages *self) { release_object(self); }

size_t ctorch_profiler_averages_len(const ctorch_profiler_averages *self) {
  return is_there(self) ? self->rows.size() : 0;
}

const char *ctorch_profiler_averages_key(const ctorch_profiler_averages *self, size_t row) {
  return read(find(self, row), &Row::key);
}

const char *ctorch_profiler_averages_overload_name(const ctorch_profiler_averages *self, size_t row) {
  return read(find(self, row), &Row::overload_name);
}

const char *ctorch_profiler_averages_input_shapes(const ctorch_profiler_averages *self, size_t row) {
  return read(find(self, row), &Row::input_shapes);
}

ctorch_device_type ctorch_profiler_averages_device_type(const ctorch_profiler_averages *self, size_t row) {
  return read(find(self, row), &Row::device_type, ctorch_device_type{-1});
}

size_t ctorch_profiler_averages_count(const ctorch_profiler_averages *self, size_t row) {
  return read(find(self, row), &Row::count, size_t{0});
}

double ctorch_profiler_averages_cpu_time_total(const ctorch_profiler_averages *self, size_t row) {
  return read(find(self, row), &Row::cpu_time_total, 0.0);
}

double ctorch_profiler_averages_self_cpu_time_total(const ctorch_profiler_averages *self, size_t row) {
  return read(find(self, row), &Row::self_cpu_time_total, 0.0);
}

double ctorch_profiler_averages_device_time_total(const ctorch_profiler_averages *self, size_t row) {
  return read(find(self, row), &Row::device_time_total, 0.0);
}

double ctorch_profiler_averages_self_device_time_total(const ctorch_profiler_averages *self, size_t row) {
  return read(find(self, row), &Row::self_device_time_total, 0.0);
}

int64_t ctorch_profiler_averages_cpu_memory(const ctorch_profiler_averages *self, size_t row) {
  return read(find(self, row), &Row::cpu_memory, int64_t{0});
}

int64_t ctorch_profiler_averages_self_cpu_memory(const ctorch_profiler_averages *self, size_t row) {
  return read(find(self, row), &Row::self_cpu_memory, int64_t{0});
}

int64_t ctorch_profiler_averages_device_memory(const ctorch_profiler_averages *self, size_t row) {
  return read(find(self, row), &Row::device_memory, int64_t{0});
}

int64_t ctorch_profiler_averages_self_device_memory(const ctorch_profiler_averages *self, size_t row) {
  return read(find(self, row), &Row::self_device_memory, int64_t{0});
}

uint64_t ctorch_profiler_averages_flops(const ctorch_profiler_averages *self, size_t row) {
  return read(find(self, row), &Row::flops, uint64_t{0});
}

namespace {

std::optional<std::string> optional_text(const char *text, const char *name) {
  return text == nullptr ? std::nullopt : std::optional<std::string>(from::string(text, name));
}

void set_width(std::optional<size_t> &width, const int64_t *given) {
  if (given != nullptr) {
    width = *given < 0 ? std::nullopt : std::optional<size_t>(*given);
  }
}

}  // namespace

ctorch_error *ctorch_profiler_averages_table(
    ctorch_string **out,
    const ctorch_profiler_averages *self,
    const char *sort_by,
    const int64_t *row_limit,
    const int64_t *max_src_column_width,
    const int64_t *max_name_column_width,
    const int64_t *max_shapes_column_width,
    const char *header,
    bool top_level_events_only,
    const char *time_unit) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const ctorch_profiler_averages &averages = from::object(self, "self");
    profile::TableLayout layout;
    layout.sort_by = optional_text(sort_by, "sort_by");
    layout.header = optional_text(header, "header");
    layout.time_unit = optional_text(time_unit, "time_unit");
    if (layout.sort_by && !profile::is_sort_key(*layout.sort_by)) {
      fail_argument("sort_by", "no column is called '" + excerpt(*layout.sort_by) + "'");
    }
    if (layout.time_unit && layout.time_unit != "s" && layout.time_unit != "ms" && layout.time_unit != "us") {
      fail_argument("time_unit", "expected s, ms or us, got '" + excerpt(*layout.time_unit) + "'");
    }
    layout.row_limit = row_limit == nullptr ? layout.row_limit : *row_limit;
    set_width(layout.source_width, max_src_column_width);
    set_width(layout.name_width, max_name_column_width);
    set_width(layout.shapes_width, max_shapes_column_width);
    layout.top_level_only = top_level_events_only;
    CLocale locale;
    to::give(profile::table(averages.rows, averages.settings, layout), out);
  });
}
