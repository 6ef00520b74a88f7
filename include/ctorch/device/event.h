/**
 * Events: marks in a stream, to wait for and to measure time with.
 *
 * A CPU's work is done when a call returns, so there an event has happened as soon as it is recorded, waiting for it
 * takes no time, and the time between two is that of the machine's clock.
 */
#ifndef CTORCH_EVENT_H
#define CTORCH_EVENT_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/** A mark in a stream (`torch.Event`). */
typedef struct ctorch_event ctorch_event;

/**
 * Make an event for devices of a type.
 *
 * @param[out] out        owned.
 * @param type            type of the devices on whose streams it will be recorded.
 * @param enable_timing   whether it notes the time; without, it is cheaper.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown type), RUNTIME (LibTorch was built without it).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_event_new(ctorch_event **out, ctorch_device_type type, bool enable_timing);

/**
 * Add a reference: one more ctorch_event_release is due.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_event_retain(const ctorch_event *self);

/**
 * Give a reference back. Any thread may do this, also while streams wait for the event.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_event_release(ctorch_event *self);

/**
 * Put the event behind the work that is queued on a stream so far. It may be recorded again: then it is the last place
 * that counts, but for streams that wait for it already.
 *
 * @param self    exclusive; always of one device, once it was recorded.
 * @param stream  borrowed; NULL for the current stream of the current device.
 * @return NULL, or NULL_ARGUMENT (`self`), INVALID_ARGUMENT (unknown device), DEVICE_MISMATCH (another type of device),
 *         RUNTIME (no such device at hand, recorded on another device before, or a backend without events).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_event_record(ctorch_event *self, const ctorch_stream *stream);

/**
 * Let a stream wait for the event, without blocking the caller. An event that was not recorded keeps nobody waiting.
 *
 * @param self    borrowed.
 * @param stream  borrowed; NULL for the current stream of the current device.
 * @return NULL, or NULL_ARGUMENT (`self`), INVALID_ARGUMENT (unknown device), DEVICE_MISMATCH (another type of device),
 *         RUNTIME (no such device at hand).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_event_wait(const ctorch_event *self, const ctorch_stream *stream);

/**
 * Ask whether the work before the event is done.
 *
 * @param[out] out  true if it is, and if the event was not recorded.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, or the error of the queued work.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_event_query(bool *out, const ctorch_event *self);

/**
 * Wait until the work before the event is done.
 *
 * @param self  borrowed.
 * @return NULL, or NULL_ARGUMENT, or the error of the queued work.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_event_synchronize(const ctorch_event *self);

/**
 * The time between two events.
 *
 * @param[out] out  milliseconds from `self` to `end`; negative if they happened the other way round.
 * @param self      borrowed; the beginning.
 * @param end       borrowed; the end.
 * @return NULL, or NULL_ARGUMENT, DEVICE_MISMATCH (another type of device), VALUE (one does not note the time, or was
 *       not recorded), RUNTIME (one has not happened yet).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_event_elapsed_time(double *out, const ctorch_event *self, const ctorch_event *end);

/**
 * The device that the event was recorded on.
 *
 * @param[out] out  the device; without index if it was not recorded.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_event_device(ctorch_device *out, const ctorch_event *self);

/**
 * What the device's runtime calls the event: a `cudaEvent_t`.
 *
 * @param[out] out  borrowed from `self`; NULL if it was not recorded, and for a CPU.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_event_native_handle(void **out, const ctorch_event *self);

CTORCH_END_DECLS

#endif
