/**
 * The memory of devices: how much there is, what LibTorch's allocators hold, and giving it back.
 *
 * An accelerator's memory comes from a caching allocator, which keeps what tensors give back; so does pinned memory,
 * the memory of the host that a device reads by itself. A CPU's memory comes from the system each time, and nobody
 * counts it: ctorch does if asked (ctorch_memory_record_cpu). Tensors are pinned by ctorch_aten_pin_memory.
 */
#ifndef CTORCH_MEMORY_H
#define CTORCH_MEMORY_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/**
 * How much memory a device has (`torch.accelerator.get_memory_info`).
 *
 * @param[out] out_free   bytes that no process uses.
 * @param[out] out_total  bytes of the device.
 * @param device          borrowed; NULL for the CPU: the machine's memory, what the system can make available counting
 *                        as free.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown device), RUNTIME (no such device at hand), UNSUPPORTED (a
 *         system that does not tell, or a LibTorch before 2.12), NOT_IMPLEMENTED (a backend that does not tell).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_memory_info(uint64_t *out_free, uint64_t *out_total, const ctorch_device *device);

/** What an allocator has counted: numbers with PyTorch's names, sorted by name. */
typedef struct ctorch_memory_stats ctorch_memory_stats;

/**
 * What the allocator of a device has counted (`torch.accelerator.memory_stats`): "allocated_bytes.all.current",
 * "reserved_bytes.all.peak", "num_ooms" and so on.
 *
 * For a CPU it is what ctorch_memory_record_cpu counts, under the names "allocation.all.…" and
 * "allocated_bytes.all.…".
 *
 * @param[out] out  owned; empty if the device's allocator was not used yet.
 * @param device    borrowed; NULL for the CPU.
 * @return NULL, or NULL_ARGUMENT (`out`), INVALID_ARGUMENT (unknown device), RUNTIME (no such device at hand),
 *       UNSUPPORTED (a CPU that is not counted, a backend without such an allocator, a LibTorch before 2.12).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_memory_stats_of_device(ctorch_memory_stats **out, const ctorch_device *device);

/**
 * What the allocator of pinned memory has counted (`torch.cuda.host_memory_stats`): "active_bytes.current",
 * "num_host_alloc", "host_alloc_time.total" in microseconds and so on.
 *
 * @param[out] out  owned; empty if no device of the type was used yet.
 * @param type      type of the devices that the memory is pinned for.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown type), RUNTIME (no such device at hand), UNSUPPORTED (a
 *       CPU, a backend without such an allocator, a LibTorch before 2.12).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_memory_stats_of_host(ctorch_memory_stats **out, ctorch_device_type type);

/**
 * Add a reference: one more ctorch_memory_stats_release is due.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_memory_stats_retain(const ctorch_memory_stats *self);

/**
 * Give a reference back. Any thread may do this.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_memory_stats_release(ctorch_memory_stats *self);

/**
 * How many numbers there are.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API size_t ctorch_memory_stats_len(const ctorch_memory_stats *self);

/**
 * The name of a number.
 *
 * @param self   borrowed; may be NULL.
 * @param index  from 0.
 * @return borrowed from `self`; NULL beyond the last.
 */
CTORCH_API const char *ctorch_memory_stats_name(const ctorch_memory_stats *self, size_t index);

/**
 * A number by its place.
 *
 * @param self   borrowed; may be NULL.
 * @param index  from 0.
 * @return 0 beyond the last.
 */
CTORCH_API int64_t ctorch_memory_stats_value(const ctorch_memory_stats *self, size_t index);

/**
 * A number by its name.
 *
 * @param self      borrowed; may be NULL.
 * @param name      borrowed; may be NULL.
 * @param[out] out  may be NULL.
 * @return whether there is one of that name; if not, `out` is untouched.
 */
CTORCH_API bool ctorch_memory_stats_find(const ctorch_memory_stats *self, const char *name, int64_t *out);

/**
 * Count peaks from what they are now on (`torch.accelerator.reset_peak_memory_stats`).
 *
 * @param device  borrowed; NULL for the CPU.
 * @return NULL, or as ctorch_memory_stats_of_device.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_memory_reset_peak_stats(const ctorch_device *device);

/**
 * Count what was allocated and freed, and events, from zero on (`torch.accelerator.reset_accumulated_memory_stats`).
 *
 * @param device  borrowed; NULL for the CPU.
 * @return NULL, or as ctorch_memory_stats_of_device.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_memory_reset_accumulated_stats(const ctorch_device *device);

/**
 * The same for pinned memory (`torch.cuda.reset_peak_host_memory_stats`).
 *
 * @param type  type of the devices that the memory is pinned for.
 * @return NULL, or as ctorch_memory_stats_of_host.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_memory_reset_host_peak_stats(ctorch_device_type type);

/**
 * The same for pinned memory (`torch.cuda.reset_accumulated_host_memory_stats`).
 *
 * @param type  type of the devices that the memory is pinned for.
 * @return NULL, or as ctorch_memory_stats_of_host.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_memory_reset_host_accumulated_stats(ctorch_device_type type);

/**
 * Give memory that no tensor uses back to the devices of a type (`torch.accelerator.empty_cache`). Rarely of use: the
 * allocator does so itself before it reports that memory ran out.
 *
 * @param type  type of the devices; a CPU has no cache.
 * @return NULL, or INVALID_ARGUMENT (unknown type), RUNTIME (no such device at hand), UNSUPPORTED (a backend without
 *       such an allocator, a LibTorch before 2.12).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_memory_empty_cache(ctorch_device_type type);

/**
 * Give pinned memory that no tensor uses back to the system (`torch.accelerator.empty_host_cache`).
 *
 * @param type  type of the devices that the memory is pinned for; a CPU has no cache.
 * @return NULL, or INVALID_ARGUMENT (unknown type), RUNTIME (no such device at hand), UNSUPPORTED (a backend without
 *       such an allocator, a LibTorch before 2.12).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_memory_empty_host_cache(ctorch_device_type type);

/**
 * Change how the caching allocators work, as the environment variable PYTORCH_ALLOC_CONF does: "max_split_size_mb:100,
 * expandable_segments:True" (`torch._C._accelerator_setAllocatorSettings`). Some settings are only looked at when a
 * device is first used, per_process_memory_fraction among them. A key that LibTorch does not know is left to the
 * backends, and without effect if none knows it.
 *
 * @param settings  borrowed; `key:value` pairs between commas.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (invalid UTF-8), VALUE, INDEX or RUNTIME (no pairs, or a value that
 *         does not suit its key; the pairs before it have been set), UNSUPPORTED (before LibTorch 2.12).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_memory_set_allocator_settings(const char *settings);

/**
 * What was last set, by the environment or by ctorch_memory_set_allocator_settings.
 *
 * @param[out] out  owned; empty if nothing was.
 * @return NULL, or NULL_ARGUMENT, UNSUPPORTED (before LibTorch 2.12).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_memory_allocator_settings(ctorch_string **out);

/**
 * Note what CUDA's allocator does, for ctorch_memory_snapshot (`torch.cuda.memory._record_memory_history`).
 *
 * @param enabled      whether to note it from now on.
 * @param max_entries  how many of the latest events to keep.
 * @return NULL, or UNSUPPORTED (this LibTorch was not built for CUDA, or does not offer it to C++).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_memory_record_history(bool enabled, uint64_t max_entries);

/**
 * Write what CUDA's allocator holds and has done to a file that https://pytorch.org/memory_viz shows
 * (`torch.cuda.memory._dump_snapshot`).
 *
 * @param path  borrowed; UTF-8. A file that is there is replaced once the new one is complete.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (invalid UTF-8), IO, UNSUPPORTED (this LibTorch was not built for
 *       CUDA, or does not offer it to C++).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_memory_snapshot(const char *path);

/**
 * Count the memory of tensors on the CPU, or no longer. PyTorch has nothing like it.
 *
 * From the first call with `true` on, memory for CPU tensors is allocated by way of ctorch, in the same places as
 * before. What was allocated before, or while this is off, is not counted.
 *
 * @param enabled  whether to count what is allocated from now on.
 * @return NULL, or UNSUPPORTED (another allocator was put in place that cannot be wrapped).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_memory_record_cpu(bool enabled);

CTORCH_END_DECLS

#endif
