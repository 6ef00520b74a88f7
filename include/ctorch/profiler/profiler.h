/**
 * The profiler: which operators ran, when, on which thread and for how long (`torch.profiler`).
 *
 *     CTORCH_TRY(ctorch_profiler_start(NULL, 0, CTORCH_PROFILER_RECORD_SHAPES));
 *     CTORCH_TRY(ctorch_record_function_push("my step", NULL));
 *     …
 *     CTORCH_TRY(ctorch_record_function_pop());
 *     CTORCH_TRY(ctorch_profiler_stop(&profile));
 *
 * and then profiler_result.h. There is one profile at a time in a process, because Kineto, which collects it, has one.
 * It holds what the thread that started it does, and what LibTorch's own threads do for it, autograd's among them; with
 * CTORCH_PROFILER_ALL_THREADS also what other threads do. Kineto says on stderr that it starts and stops; the
 * environment variable KINETO_LOG_LEVEL=6, read when the first profile starts, silences it and its errors.
 */
#ifndef CTORCH_PROFILER_H
#define CTORCH_PROFILER_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/** What was profiled: profiler_result.h. */
typedef struct ctorch_profiler_result ctorch_profiler_result;

/** What to record beside names and times: a sum of these. */
typedef int32_t ctorch_profiler_options;
enum {
  /** Shapes and dtypes of inputs. */
  CTORCH_PROFILER_RECORD_SHAPES = 1,
  /** Bytes that were allocated and freed. */
  CTORCH_PROFILER_PROFILE_MEMORY = 2,
  /** Where an operator was called: in TorchScript, and in Python if it is in the process. */
  CTORCH_PROFILER_WITH_STACK = 4,
  /** Estimates of floating-point operations; records shapes as well. */
  CTORCH_PROFILER_WITH_FLOPS = 8,
  /** The modules of TorchScript that called an operator. */
  CTORCH_PROFILER_WITH_MODULES = 16,
  /** What every thread does, not only the one that starts the profile and LibTorch's own. */
  CTORCH_PROFILER_ALL_THREADS = 32,
  /** The names of overloads: `Tensor` of `add.Tensor`. */
  CTORCH_PROFILER_OVERLOAD_NAMES = 64
};

/**
 * Start a profile.
 *
 * @param activities      borrowed; types of devices whose work to record, at most one beside the CPU. NULL with
 *                        length 0 for all that there are here.
 * @param activities_len  their number.
 * @param options         a sum of ctorch_profiler_options; 0 for none.
 * @return NULL, or NULL_ARGUMENT (`activities` NULL with a length), INVALID_ARGUMENT (unknown device type or option, no
 *         activity, two devices), UNSUPPORTED (no such device here), RUNTIME (a profile is running, this one or
 *         Python's).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_profiler_start(
    const ctorch_device_type *activities, size_t activities_len, ctorch_profiler_options options);

/**
 * End the profile, on the thread that started it.
 *
 * @param[out] out  owned; may be NULL to forget it.
 * @return NULL, or RUNTIME (no profile is running; another thread started it).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_profiler_stop(ctorch_profiler_result **out);

/**
 * Whether a profile is running that this library started.
 *
 * @return true between start and stop, on any thread.
 */
CTORCH_API bool ctorch_profiler_running(void);

/**
 * Begin a range that appears in a profile under a name (`torch.profiler.record_function`). Without a profile it costs
 * little. Ranges of a thread nest.
 *
 * @param name  borrowed.
 * @param args  borrowed; a text that appears as the range's input where shapes are recorded; may be NULL.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_record_function_push(const char *name, const char *args);

/**
 * End the last range that was begun on this thread.
 *
 * @return NULL, or RUNTIME (none was begun).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_record_function_pop(void);

CTORCH_END_DECLS

#endif
