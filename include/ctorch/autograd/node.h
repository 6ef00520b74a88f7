/**
 * Nodes: the graph that backward walks.
 *
 * A node is the derivative of one recorded operator ("MulBackward0"). Its inputs are gradients, one for each result of
 * that operator; its outputs are gradients too, one for each argument, and lead to the nodes that made the arguments.
 * A leaf has a node that accumulates into it. This is `torch.autograd.graph.Node`.
 */
#ifndef CTORCH_NODE_H
#define CTORCH_NODE_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"
#include "ctorch/autograd/hook.h"

CTORCH_BEGIN_DECLS

/** A node of the graph. It keeps alive what backward would pass from there on. */
typedef struct ctorch_node ctorch_node;

/**
 * Look at the gradients that go into a node, and replace them if need be.
 *
 * @param[out] out          owned; as many gradients as there are, each of the shape, dtype and device that it replaces,
 *                          a NULL element for an undefined one; left alone (NULL) to keep them.
 * @param grad_outputs      borrowed; not to be changed. NULL elements are undefined.
 * @param grad_outputs_len  number of gradients.
 * @param[out] error        owned; why it failed, left alone (NULL) otherwise.
 * @param payload           of the registration.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_node_prehook_callback)(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload);

/**
 * Look at the gradients that came out of a node, and replace them if need be.
 *
 * @param[out] out          owned; as many gradients as came out, each of the shape, dtype and device that it replaces,
 *                          a NULL element for an undefined one; left alone (NULL) to keep them.
 * @param grad_inputs       borrowed; what came out; not to be changed. NULL elements are undefined.
 * @param grad_inputs_len   number of gradients.
 * @param grad_outputs      borrowed; what went in; not to be changed. NULL elements are undefined.
 * @param grad_outputs_len  number of gradients.
 * @param[out] error        owned; why it failed, left alone (NULL) otherwise.
 * @param payload           of the registration.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_node_hook_callback)(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *grad_inputs,
    size_t grad_inputs_len,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload);

/**
 * The node that computes the gradients of the operator which made a tensor (`Tensor.grad_fn`).
 *
 * @param[out] out  owned; NULL for a leaf.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_grad_fn(ctorch_node **out, const ctorch_tensor *self);

/**
 * Where the gradient of a tensor goes (`torch.autograd.graph.get_gradient_edge`): its grad_fn, or for a leaf the node
 * that accumulates into it.
 *
 * @param[out] out           owned.
 * @param[out] out_input_nr  which input of the node it is; may be NULL.
 * @param self               borrowed.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (does not require grad).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_gradient_edge(
    ctorch_node **out, int64_t *out_input_nr, const ctorch_tensor *self);

/**
 * The node that backward is running on this thread, for a hook or custom function to ask.
 *
 * @param[out] out  owned; NULL if there is none.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_node_current(ctorch_node **out);

/**
 * Give a node back.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_node_release(ctorch_node *self);

/**
 * Add a reference: one more ctorch_node_release is due.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_node_retain(const ctorch_node *self);

/**
 * Whether two handles are of the same node; there may be several.
 *
 * @param self   borrowed; may be NULL.
 * @param other  borrowed; may be NULL.
 * @return true for twice NULL.
 */
CTORCH_API bool ctorch_node_equal(const ctorch_node *self, const ctorch_node *other);

/**
 * A number for tables of nodes: equal for equal nodes, and as long as both live, different for different ones.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API uint64_t ctorch_node_id(const ctorch_node *self);

/**
 * The name, as Python's `Node.name()` gives it: "MulBackward0", "torch::autograd::AccumulateGrad".
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_node_name(ctorch_string **out, const ctorch_node *self);

/**
 * Number of this node among those its thread has made; backward runs later ones first.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL; 2^64 - 1 for a node that accumulates into a leaf.
 */
CTORCH_API uint64_t ctorch_node_sequence_nr(const ctorch_node *self);

/**
 * Number of gradients that go in: the results of the operator.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API int64_t ctorch_node_num_inputs(const ctorch_node *self);

/**
 * Number of gradients that come out: the tensors among the arguments of the operator.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL, and for a node that accumulates into a leaf.
 */
CTORCH_API int64_t ctorch_node_num_outputs(const ctorch_node *self);

/**
 * Where a gradient that comes out goes (an element of Python's `Node.next_functions`).
 *
 * @param[out] out           owned; NULL if the argument does not require grad.
 * @param[out] out_input_nr  which input of that node it is; may be NULL.
 * @param self               borrowed.
 * @param index              from 0 to ctorch_node_num_outputs - 1.
 * @return NULL, or NULL_ARGUMENT, INDEX.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_node_next(
    ctorch_node **out, int64_t *out_input_nr, const ctorch_node *self, int64_t index);

/**
 * The leaf that a node accumulates into.
 *
 * @param[out] out  owned; NULL for a node of another kind.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_node_variable(ctorch_tensor **out, const ctorch_node *self);

/**
 * What a gradient that goes in looks like (an element of Python's `Node._input_metadata`).
 *
 * @param[out] out_dtype      may be NULL.
 * @param[out] out_device     may be NULL.
 * @param[out] out_sizes      borrowed from `self`; the shape; may be NULL.
 * @param[out] out_sizes_len  number of dimensions; may be NULL.
 * @param self                borrowed.
 * @param index               from 0 to ctorch_node_num_inputs - 1.
 * @return NULL, or NULL_ARGUMENT, INDEX, RUNTIME (a result that the operator does not have, so it was not described),
 *         UNSUPPORTED (the shape of a nested tensor, or one of symbols, is asked for).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_node_input_metadata(
    ctorch_dtype *out_dtype,
    ctorch_device *out_device,
    const int64_t **out_sizes,
    size_t *out_sizes_len,
    const ctorch_node *self,
    int64_t index);

/**
 * Run a single node, without hooks (Python's `node(*grad_outputs)`); a node that accumulates into a leaf does so.
 *
 * @param[out] out          owned; ctorch_node_num_outputs gradients, NULL elements where there is none.
 * @param self              borrowed.
 * @param grad_outputs      borrowed; the gradients that go in. NULL elements are undefined.
 * @param grad_outputs_len  ctorch_node_num_inputs.
 * @return NULL, or NULL_ARGUMENT, TYPE (another number of gradients), SHAPE_MISMATCH or RUNTIME (a gradient that does
 *         not fit), RUNTIME (what the node needs was freed by a backward), or what a custom function failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_node_call(
    ctorch_tensor_list **out,
    const ctorch_node *self,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len);

/**
 * Call back each time before a node runs (`Node.register_prehook`).
 *
 * @param[out] out  owned; may be NULL for a hook that is never removed.
 * @param self      exclusive.
 * @param callback  the hook.
 * @param destroy   called once with `payload` when the hook is gone, on whichever thread that is; NULL if none. It is
 *                  not called if this function fails.
 * @param payload   handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_node_register_prehook(
    ctorch_hook **out,
    ctorch_node *self,
    ctorch_node_prehook_callback callback,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Call back each time after a node ran (`Node.register_hook`).
 *
 * @param[out] out  owned; may be NULL for a hook that is never removed.
 * @param self      exclusive.
 * @param callback  the hook.
 * @param destroy   called once with `payload` when the hook is gone, on whichever thread that is; NULL if none. It is
 *                  not called if this function fails.
 * @param payload   handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_node_register_hook(
    ctorch_hook **out,
    ctorch_node *self,
    ctorch_node_hook_callback callback,
    void (*destroy)(void *payload),
    void *payload);

CTORCH_END_DECLS

#endif
