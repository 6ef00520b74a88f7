/**
 * Streams: queues of work on a device. A CPU has one, which is always done.
 */
#ifndef CTORCH_STREAM_H
#define CTORCH_STREAM_H

#include "ctorch/base.h"
#include "ctorch/types.h"

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

CTORCH_END_DECLS

#endif
