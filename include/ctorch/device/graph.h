/**
 * Graphs of an accelerator: work that is captured once and then started as a whole, which spares the launches.
 *
 *     ctorch_stream_new(&side, 0, &cuda); ctorch_stream_push(&side);        // a capture needs a stream of its own
 *     ctorch_graph_capture_begin(graph, NULL, 0, CTORCH_GRAPH_CAPTURE_DEFAULT);
 *     y = model(x);                                                         // noted, not run
 *     ctorch_graph_capture_end(graph);
 *     ctorch_stream_pop();
 *     ctorch_aten_copy_(x, batch, false); ctorch_graph_replay(graph);       // y holds the answer for the batch
 *
 * The work uses the same memory each time: inputs are copied to where they were, outputs are found where they were, and
 * both must be kept. Run the same work once or twice before it is captured. What cannot be captured fails with
 * ACCELERATOR or RUNTIME; then end the capture all the same.
 */
#ifndef CTORCH_GRAPH_H
#define CTORCH_GRAPH_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/** A graph (`torch.accelerator.Graph`, `torch.cuda.CUDAGraph`). */
typedef struct ctorch_graph ctorch_graph;

/** What other work may do during a capture that would disturb it (at::GraphCaptureMode). */
typedef int32_t ctorch_graph_capture_mode;
enum {
  CTORCH_GRAPH_CAPTURE_DEFAULT = 0,
  CTORCH_GRAPH_CAPTURE_GLOBAL = 1,
  CTORCH_GRAPH_CAPTURE_THREAD_LOCAL = 2,
  CTORCH_GRAPH_CAPTURE_RELAXED = 3
};

/**
 * Make an empty graph.
 *
 * @param[out] out    owned.
 * @param type        type of the device.
 * @param keep_graph  whether ctorch_graph_instantiate is called after the capture rather than by its end.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown type), RUNTIME (no such device at hand), UNSUPPORTED (a
 *       CPU, a backend without graphs, ROCm, a LibTorch before 2.12; before 2.13 for CUDA).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_graph_new(ctorch_graph **out, ctorch_device_type type, bool keep_graph);

/**
 * Add a reference: one more ctorch_graph_release is due.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_graph_retain(const ctorch_graph *self);

/**
 * Give a reference back. Any thread may do this, once the work of the last replay is done.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_graph_release(ctorch_graph *self);

/**
 * Note the work that is queued on the current stream from now on, instead of running it.
 *
 * @param self  exclusive; empty, or reset.
 * @param pool  the two numbers of a memory pool to share, from ctorch_graph_pool or ctorch_graph_pool_new: for graphs
 *              that are replayed in the order in which they were captured. Without, the graph gets its own.
 * @param pool_len  0 or 2.
 * @param mode  a ctorch_graph_capture_mode.
 * @return NULL, or NULL_ARGUMENT (`self`), INVALID_ARGUMENT (neither none nor two numbers, unknown mode), RUNTIME (the
 *         default stream, a graph that is not empty, another capture on this stream), ACCELERATOR.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_graph_capture_begin(
    ctorch_graph *self, const uint64_t *pool, size_t pool_len, ctorch_graph_capture_mode mode);

/**
 * End the capture. Without `keep_graph` the graph can then be replayed.
 *
 * @param self  exclusive.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (no capture, or work that spoilt it), ACCELERATOR.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_graph_capture_end(ctorch_graph *self);

/**
 * Make a captured graph ready to be replayed, which `keep_graph` left to do.
 *
 * @param self  exclusive.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (nothing was captured), ACCELERATOR.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_graph_instantiate(ctorch_graph *self);

/**
 * Queue the captured work on the current stream.
 *
 * @param self  exclusive.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (nothing was captured), ACCELERATOR.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_graph_replay(ctorch_graph *self);

/**
 * Forget what was captured and give its memory back. The graph is empty afterwards.
 *
 * @param self  exclusive.
 * @return NULL, or NULL_ARGUMENT, ACCELERATOR.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_graph_reset(ctorch_graph *self);

/**
 * The memory pool of a captured graph, for another graph to share.
 *
 * @param[out] out_first   first number.
 * @param[out] out_second  second number.
 * @param self             borrowed.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (nothing was captured).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_graph_pool(uint64_t *out_first, uint64_t *out_second, const ctorch_graph *self);

/**
 * The numbers of a new memory pool, for several graphs to share (`torch.cuda.graph_pool_handle`).
 *
 * @param[out] out_first   first number.
 * @param[out] out_second  second number.
 * @param type             type of the device.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown type), RUNTIME (no such device at hand), UNSUPPORTED (not
 *       CUDA, or as ctorch_graph_new).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_graph_pool_new(uint64_t *out_first, uint64_t *out_second, ctorch_device_type type);

/**
 * Keep what ctorch_graph_debug_dump needs.
 *
 * @param self  exclusive; before the capture.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_graph_enable_debug_mode(ctorch_graph *self);

/**
 * Write a captured graph to a file in the backend's own format: for CUDA, Graphviz's.
 *
 * @param self  exclusive.
 * @param path  borrowed; UTF-8.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (invalid UTF-8), or what the backend answers: it may only warn where
 *       it has nothing to write.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_graph_debug_dump(ctorch_graph *self, const char *path);

CTORCH_END_DECLS

#endif
