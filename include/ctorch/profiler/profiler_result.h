/**
 * A profile: its events, what they add up to by operator, and both as text.
 *
 * Everything is as in Python (`torch.profiler.profile.events`, `key_averages`, `table`): the same events in the same
 * order, with the same numbers. Times are microseconds where Python's are, in double precision; bytes of memory may be
 * negative, where more was freed than allocated.
 */
#ifndef CTORCH_PROFILER_RESULT_H
#define CTORCH_PROFILER_RESULT_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"
#include "ctorch/profiler/profiler.h"

CTORCH_BEGIN_DECLS

/** Sums over the events of each operator. */
typedef struct ctorch_profiler_averages ctorch_profiler_averages;

/**
 * Add a reference: one more ctorch_profiler_result_release is due.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_profiler_result_retain(const ctorch_profiler_result *self);

/**
 * Give a reference back. Any thread may do this.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_profiler_result_release(ctorch_profiler_result *self);

/**
 * Number of events. They are in the order in which they began; a call is before those it made.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API size_t ctorch_profiler_result_len(const ctorch_profiler_result *self);

/**
 * When the profile started.
 *
 * @param self  borrowed; may be NULL.
 * @return nanoseconds since 1970; 0 for NULL.
 */
CTORCH_API int64_t ctorch_profiler_result_start_ns(const ctorch_profiler_result *self);

/* Events ----------------------------------------------------------------------------------------------------------- */

/**
 * Name of an event: an operator ("aten::mm"), a node of autograd, a range of the program's, a kernel of a device.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @return borrowed from `self`; "" without such an event.
 */
CTORCH_API const char *ctorch_profiler_result_event_name(const ctorch_profiler_result *self, size_t event);

/**
 * Name of the overload that ran, where these are recorded.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @return borrowed from `self`; "" if there is none.
 */
CTORCH_API const char *ctorch_profiler_result_event_overload_name(const ctorch_profiler_result *self, size_t event);

/**
 * When an event began.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @return nanoseconds since the start of the profile; 0 without such an event.
 */
CTORCH_API int64_t ctorch_profiler_result_event_start_ns(const ctorch_profiler_result *self, size_t event);

/**
 * How long an event took.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @return nanoseconds; 0 without such an event.
 */
CTORCH_API int64_t ctorch_profiler_result_event_duration_ns(const ctorch_profiler_result *self, size_t event);

/**
 * The thread that an event began on, by LibTorch's own count.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @return 0 without such an event.
 */
CTORCH_API uint64_t ctorch_profiler_result_event_thread(const ctorch_profiler_result *self, size_t event);

/**
 * The thread of the forward operator whose gradient an event computes.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @return 0 if it computes none.
 */
CTORCH_API uint64_t ctorch_profiler_result_event_forward_thread(const ctorch_profiler_result *self, size_t event);

/**
 * The number that ties a forward operator to the node of its gradient.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @return -1 if there is none.
 */
CTORCH_API int64_t ctorch_profiler_result_event_sequence_number(const ctorch_profiler_result *self, size_t event);

/**
 * What kind of code an event is (at::RecordScope): 0 an operator, 1 a node of autograd, 2 and 3 TorchScript, 7 a range
 * of the program's.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @return -1 without such an event.
 */
CTORCH_API int32_t ctorch_profiler_result_event_scope(const ctorch_profiler_result *self, size_t event);

/**
 * Where an event ran.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @return a ctorch_device_type; -1 without such an event.
 */
CTORCH_API ctorch_device_type
ctorch_profiler_result_event_device_type(const ctorch_profiler_result *self, size_t event);

/**
 * Which device an event ran on.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @return its index; a number of the process's for the CPU; -1 without such an event.
 */
CTORCH_API int32_t ctorch_profiler_result_event_device_index(const ctorch_profiler_result *self, size_t event);

/**
 * Whether an event ended on another thread than it began.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @return false without such an event.
 */
CTORCH_API bool ctorch_profiler_result_event_is_async(const ctorch_profiler_result *self, size_t event);

/**
 * Whether an event is a range of the program's (ctorch_record_function_push).
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @return false without such an event.
 */
CTORCH_API bool ctorch_profiler_result_event_is_user_annotation(const ctorch_profiler_result *self, size_t event);

/**
 * The event that an event is a part of, on the same thread.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @return its number; -1 if there is none.
 */
CTORCH_API int64_t ctorch_profiler_result_event_parent(const ctorch_profiler_result *self, size_t event);

/**
 * How many events are a direct part of an event.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @return 0 without such an event.
 */
CTORCH_API size_t ctorch_profiler_result_event_num_children(const ctorch_profiler_result *self, size_t event);

/**
 * An event that is a direct part of an event.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @param child  below ctorch_profiler_result_event_num_children.
 * @return its number; -1 if there is none.
 */
CTORCH_API int64_t ctorch_profiler_result_event_child(const ctorch_profiler_result *self, size_t event, size_t child);

/**
 * Time on the CPU, with that of its parts.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @return microseconds; 0 for an event of a device.
 */
CTORCH_API double ctorch_profiler_result_event_cpu_time_total(const ctorch_profiler_result *self, size_t event);

/**
 * Time on the CPU, without that of its parts.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @return microseconds; 0 for an event of a device.
 */
CTORCH_API double ctorch_profiler_result_event_self_cpu_time_total(const ctorch_profiler_result *self, size_t event);

/**
 * Time on the device of the kernels that an event launched, with those of its parts.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @return microseconds.
 */
CTORCH_API double ctorch_profiler_result_event_device_time_total(const ctorch_profiler_result *self, size_t event);

/**
 * Time on the device of the kernels that an event launched itself.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @return microseconds.
 */
CTORCH_API double ctorch_profiler_result_event_self_device_time_total(const ctorch_profiler_result *self, size_t event);

/**
 * Memory of the CPU that an event allocated less what it freed, with its parts, where memory is recorded.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @return bytes.
 */
CTORCH_API int64_t ctorch_profiler_result_event_cpu_memory(const ctorch_profiler_result *self, size_t event);

/**
 * Memory of the CPU that an event allocated less what it freed, without its parts.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @return bytes.
 */
CTORCH_API int64_t ctorch_profiler_result_event_self_cpu_memory(const ctorch_profiler_result *self, size_t event);

/**
 * Memory of the device that an event allocated less what it freed, with its parts, where memory is recorded.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @return bytes.
 */
CTORCH_API int64_t ctorch_profiler_result_event_device_memory(const ctorch_profiler_result *self, size_t event);

/**
 * Memory of the device that an event allocated less what it freed, without its parts.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @return bytes.
 */
CTORCH_API int64_t ctorch_profiler_result_event_self_device_memory(const ctorch_profiler_result *self, size_t event);

/**
 * Estimate of the floating-point operations of an event, where these are recorded.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @return 0 if it is unknown.
 */
CTORCH_API uint64_t ctorch_profiler_result_event_flops(const ctorch_profiler_result *self, size_t event);

/**
 * How many inputs an event has, where shapes are recorded.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @return 0 if it is unknown.
 */
CTORCH_API size_t ctorch_profiler_result_event_num_inputs(const ctorch_profiler_result *self, size_t event);

/**
 * Shape of an input.
 *
 * @param self          borrowed; may be NULL.
 * @param event         below ctorch_profiler_result_len.
 * @param input         below ctorch_profiler_result_event_num_inputs.
 * @param[out] out      borrowed from `self`; `out_len` numbers; may be NULL.
 * @param[out] out_len  number of dimensions, 0 for what is not a tensor; may be NULL.
 * @return false without such an input; the outputs are as before then.
 */
CTORCH_API bool ctorch_profiler_result_event_input_shape(
    const ctorch_profiler_result *self, size_t event, size_t input, const int64_t **out, size_t *out_len);

/**
 * Type of an input: "float", "long int", "Scalar", "" for what is neither a tensor nor a number.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @param input  below ctorch_profiler_result_event_num_inputs.
 * @return borrowed from `self`; "" without such an input.
 */
CTORCH_API const char *ctorch_profiler_result_event_input_dtype(
    const ctorch_profiler_result *self, size_t event, size_t input);

/**
 * How many calls are on the stack of an event, where stacks are recorded.
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @return 0 if it is unknown.
 */
CTORCH_API size_t ctorch_profiler_result_event_stack_len(const ctorch_profiler_result *self, size_t event);

/**
 * A call on the stack of an event, the innermost being 0: "file(line): function".
 *
 * @param self   borrowed; may be NULL.
 * @param event  below ctorch_profiler_result_len.
 * @param frame  below ctorch_profiler_result_event_stack_len.
 * @return borrowed from `self`; "" without such a call.
 */
CTORCH_API const char *ctorch_profiler_result_event_stack(
    const ctorch_profiler_result *self, size_t event, size_t frame);

/**
 * Write the profile as a Chrome trace: JSON for chrome://tracing and https://ui.perfetto.dev. Kineto gives it once.
 *
 * @param self  exclusive.
 * @param path  borrowed; a file to write, in place of one that exists.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), IO (cannot be written), RUNTIME (given before).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_profiler_result_export_chrome_trace(ctorch_profiler_result *self, const char *path);

/* Sums ------------------------------------------------------------------------------------------------------------- */

/**
 * Add up the events of each operator (`key_averages`).
 *
 * @param[out] out                owned; in the order in which each operator first ran.
 * @param self                    borrowed.
 * @param group_by_input_shape    keep calls with other shapes apart.
 * @param group_by_stack_n        keep calls apart that differ in so many innermost calls of their stack; at least 0.
 * @param group_by_overload_name  keep overloads apart.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (`group_by_stack_n` below 0).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_profiler_result_key_averages(
    ctorch_profiler_averages **out,
    const ctorch_profiler_result *self,
    bool group_by_input_shape,
    int64_t group_by_stack_n,
    bool group_by_overload_name);

/**
 * Add a reference: one more ctorch_profiler_averages_release is due.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_profiler_averages_retain(const ctorch_profiler_averages *self);

/**
 * Give a reference back. Any thread may do this.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_profiler_averages_release(ctorch_profiler_averages *self);

/**
 * Number of operators.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API size_t ctorch_profiler_averages_len(const ctorch_profiler_averages *self);

/**
 * Name of an operator.
 *
 * @param self  borrowed; may be NULL.
 * @param row   below ctorch_profiler_averages_len.
 * @return borrowed from `self`; "" without such a row.
 */
CTORCH_API const char *ctorch_profiler_averages_key(const ctorch_profiler_averages *self, size_t row);

/**
 * Name of the overload, if these were kept apart.
 *
 * @param self  borrowed; may be NULL.
 * @param row   below ctorch_profiler_averages_len.
 * @return borrowed from `self`; "" otherwise.
 */
CTORCH_API const char *ctorch_profiler_averages_overload_name(const ctorch_profiler_averages *self, size_t row);

/**
 * The shapes of the inputs as Python writes them, "[[8, 8], []]", if these were kept apart.
 *
 * @param self  borrowed; may be NULL.
 * @param row   below ctorch_profiler_averages_len.
 * @return borrowed from `self`; "" otherwise.
 */
CTORCH_API const char *ctorch_profiler_averages_input_shapes(const ctorch_profiler_averages *self, size_t row);

/**
 * Where the operator ran.
 *
 * @param self  borrowed; may be NULL.
 * @param row   below ctorch_profiler_averages_len.
 * @return a ctorch_device_type; -1 without such a row.
 */
CTORCH_API ctorch_device_type ctorch_profiler_averages_device_type(const ctorch_profiler_averages *self, size_t row);

/**
 * How often the operator ran.
 *
 * @param self  borrowed; may be NULL.
 * @param row   below ctorch_profiler_averages_len.
 * @return 0 without such a row.
 */
CTORCH_API size_t ctorch_profiler_averages_count(const ctorch_profiler_averages *self, size_t row);

/**
 * Time on the CPU, with that of parts.
 *
 * @param self  borrowed; may be NULL.
 * @param row   below ctorch_profiler_averages_len.
 * @return microseconds.
 */
CTORCH_API double ctorch_profiler_averages_cpu_time_total(const ctorch_profiler_averages *self, size_t row);

/**
 * Time on the CPU, without that of parts.
 *
 * @param self  borrowed; may be NULL.
 * @param row   below ctorch_profiler_averages_len.
 * @return microseconds.
 */
CTORCH_API double ctorch_profiler_averages_self_cpu_time_total(const ctorch_profiler_averages *self, size_t row);

/**
 * Time on the device, with that of parts.
 *
 * @param self  borrowed; may be NULL.
 * @param row   below ctorch_profiler_averages_len.
 * @return microseconds.
 */
CTORCH_API double ctorch_profiler_averages_device_time_total(const ctorch_profiler_averages *self, size_t row);

/**
 * Time on the device, without that of parts.
 *
 * @param self  borrowed; may be NULL.
 * @param row   below ctorch_profiler_averages_len.
 * @return microseconds.
 */
CTORCH_API double ctorch_profiler_averages_self_device_time_total(const ctorch_profiler_averages *self, size_t row);

/**
 * Memory of the CPU that was allocated less what was freed, with parts.
 *
 * @param self  borrowed; may be NULL.
 * @param row   below ctorch_profiler_averages_len.
 * @return bytes.
 */
CTORCH_API int64_t ctorch_profiler_averages_cpu_memory(const ctorch_profiler_averages *self, size_t row);

/**
 * Memory of the CPU that was allocated less what was freed, without parts.
 *
 * @param self  borrowed; may be NULL.
 * @param row   below ctorch_profiler_averages_len.
 * @return bytes.
 */
CTORCH_API int64_t ctorch_profiler_averages_self_cpu_memory(const ctorch_profiler_averages *self, size_t row);

/**
 * Memory of the device that was allocated less what was freed, with parts.
 *
 * @param self  borrowed; may be NULL.
 * @param row   below ctorch_profiler_averages_len.
 * @return bytes.
 */
CTORCH_API int64_t ctorch_profiler_averages_device_memory(const ctorch_profiler_averages *self, size_t row);

/**
 * Memory of the device that was allocated less what was freed, without parts.
 *
 * @param self  borrowed; may be NULL.
 * @param row   below ctorch_profiler_averages_len.
 * @return bytes.
 */
CTORCH_API int64_t ctorch_profiler_averages_self_device_memory(const ctorch_profiler_averages *self, size_t row);

/**
 * Estimate of the floating-point operations.
 *
 * @param self  borrowed; may be NULL.
 * @param row   below ctorch_profiler_averages_len.
 * @return 0 if it is unknown.
 */
CTORCH_API uint64_t ctorch_profiler_averages_flops(const ctorch_profiler_averages *self, size_t row);

/**
 * The sums as a text table, character for character as in Python (`EventList.table`).
 *
 * @param[out] out                 owned; "" if there is no row.
 * @param self                     borrowed.
 * @param sort_by                  borrowed; largest first: "cpu_time", "cpu_time_total", "self_cpu_time_total",
 *                                 "cpu_memory_usage", "self_cpu_memory_usage", the same with "cuda", "xpu" or "device"
 *                                 for "cpu", "count", "flops", "key". NULL for the order of the rows.
 * @param row_limit                how many rows to show at most, below 0 for all; NULL for 100.
 * @param max_src_column_width     characters of the column of stacks at most, below 0 for any; NULL for 75.
 * @param max_name_column_width    characters of the column of names at most, below 0 for any; NULL for 55.
 * @param max_shapes_column_width  characters of the column of shapes at most, below 0 for any; NULL for 80.
 * @param header                   borrowed; a line above the table; NULL for none.
 * @param top_level_events_only    leave out what only ran as a part of something else.
 * @param time_unit                borrowed; "s", "ms" or "us" for all times; NULL for what suits each.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (`sort_by`, `time_unit`, not UTF-8).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_profiler_averages_table(
    ctorch_string **out,
    const ctorch_profiler_averages *self,
    const char *sort_by,
    const int64_t *row_limit,
    const int64_t *max_src_column_width,
    const int64_t *max_name_column_width,
    const int64_t *max_shapes_column_width,
    const char *header,
    bool top_level_events_only,
    const char *time_unit);

CTORCH_END_DECLS

#endif
