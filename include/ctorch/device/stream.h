/**
 * Streams: queues of work on a device. A CPU has one, which is always done.
 *
 * Operators queue their work on the current stream of their tensors' device, which each thread has its own of. A tensor
 * that is used on another stream than the one it was made on needs ctorch_aten_record_stream before it is released.
 */
#ifndef CTORCH_STREAM_H
#define CTORCH_STREAM_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/**
 * The default stream of a device.
 *
 * @param[out] out  the stream.
 * @param device    borrowed; NULL for the CPU.
 * @return NULL, or NULL_ARGUMENT (`out`), INVALID_ARGUMENT (unknown device), RUNTIME (no such device at hand).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_stream_default(ctorch_stream *out, const ctorch_device *device);

/**
 * The stream that operators called by this thread use on a device.
 *
 * @param[out] out  the stream.
 * @param device    borrowed; NULL for the CPU.
 * @return NULL, or NULL_ARGUMENT (`out`), INVALID_ARGUMENT (unknown device), RUNTIME (no such device at hand).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_stream_current(ctorch_stream *out, const ctorch_device *device);

/**
 * Wait until all work queued on a stream is done.
 *
 * @param self  borrowed.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown device), RUNTIME (no such device at hand), or the error of
 *         the queued work.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_stream_synchronize(const ctorch_stream *self);

/**
 * Ask whether all work queued on a stream is done.
 *
 * @param[out] out  true if it is.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown device), RUNTIME (no such device at hand), or the error of
 *         the queued work.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_stream_query(bool *out, const ctorch_stream *self);

/**
 * Make a stream of its own (`torch.Stream`). It lives as long as the process.
 *
 * Backends hand out a limited number of streams in turn: CUDA has 32 for each priority of a device.
 *
 * @param[out] out  the stream.
 * @param priority  lower is more urgent: CUDA knows 0 and down to -5, other backends their own numbers.
 * @param device    borrowed; NULL for the CPU, which has one stream only.
 * @return NULL, or NULL_ARGUMENT (`out`), INVALID_ARGUMENT (unknown device), RUNTIME (no such device at hand, or it
 *       makes no streams).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_stream_new(ctorch_stream *out, int32_t priority, const ctorch_device *device);

/**
 * The next stream of the pool that all of LibTorch shares.
 *
 * @param[out] out      the stream.
 * @param high_priority  whether it comes before others.
 * @param device        borrowed; NULL for the CPU, which has one stream only.
 * @return NULL, or NULL_ARGUMENT (`out`), INVALID_ARGUMENT (unknown device), RUNTIME (no such device at hand, or it has
 *       no pool).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_stream_from_pool(ctorch_stream *out, bool high_priority, const ctorch_device *device);

/**
 * A stream that another library made (`torch.cuda.ExternalStream`).
 *
 * @param[out] out  the stream.
 * @param handle    a `cudaStream_t`, or a `sycl::queue *` for XPU; it must live as long as the stream is used. NULL for
 *                  the default stream.
 * @param device    borrowed; the device that `handle` belongs to.
 * @return NULL, or NULL_ARGUMENT (`out`, `device`), INVALID_ARGUMENT (unknown device, an odd address), RUNTIME (no such
 *         device at hand), UNSUPPORTED (its type is neither CUDA nor XPU).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_stream_from_native(ctorch_stream *out, void *handle, const ctorch_device *device);

/**
 * What the device's runtime calls a stream: a `cudaStream_t`, a `sycl::queue *`.
 *
 * @param[out] out  borrowed from LibTorch; NULL for CUDA's default stream.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown device), RUNTIME (no such device at hand, or it does not
 *         tell), UNSUPPORTED (a CPU's stream).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_stream_native_handle(void **out, const ctorch_stream *self);

/**
 * Make a stream current for this thread, and its device (`torch.accelerator.set_stream`).
 *
 * @param self  borrowed.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown device), RUNTIME (no such device at hand).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_stream_set_current(const ctorch_stream *self);

/**
 * Make a stream current for this thread, and its device, until the matching pop (`with stream:`).
 *
 * @param self  borrowed.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown device), RUNTIME (no such device at hand).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_stream_push(const ctorch_stream *self);

/**
 * Return to the stream and the device that were current before the last push on this thread.
 *
 * @return NULL, or RUNTIME (nothing was pushed).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_stream_pop(void);

/**
 * Let a stream wait, without blocking the caller, for the work that is queued on another so far (`Stream.wait_stream`).
 *
 * @param self   borrowed; the one that waits.
 * @param other  borrowed; a stream of the same type of device.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown device), DEVICE_MISMATCH (another type of device), RUNTIME
 *       (no such device at hand, or it has no events).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_stream_wait_stream(const ctorch_stream *self, const ctorch_stream *other);

/**
 * Whether work queued on a stream is being captured into a graph (graph.h) rather than run.
 *
 * @param[out] out  true if it is.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown device), RUNTIME (no such device at hand), UNSUPPORTED
 *       (before LibTorch 2.12).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_stream_is_capturing(bool *out, const ctorch_stream *self);

/**
 * Whether two streams are the same.
 *
 * @param self   borrowed; may be NULL.
 * @param other  borrowed; may be NULL.
 * @return true for two streams with the same number on the same device, and for two NULL.
 */
CTORCH_API bool ctorch_stream_equal(const ctorch_stream *self, const ctorch_stream *other);

CTORCH_END_DECLS

#endif
