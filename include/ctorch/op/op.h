/**
 * Operators called by name: every one that the dispatcher knows, whether of PyTorch, of an extension or defined at run
 * time (library.h), with values as arguments.
 *
 * The functions of generated/aten.h are faster and checked by the compiler; this is for what they do not cover, and for
 * programs that learn at run time what to call. Arguments are checked against the operator's schema before LibTorch
 * sees them and converted as Python converts them: an int where a float or Scalar is asked for, a tuple or a list of
 * anything for a typed list, an int for an `int[2]`, a tensor of no dimensions for a number, and a number for the
 * tensor of an arithmetic operator.
 */
#ifndef CTORCH_OP_H
#define CTORCH_OP_H

#include "ctorch/abi/base.h"

CTORCH_BEGIN_DECLS

/**
 * Find an operator.
 *
 * A handle can be kept and used by several threads. If the library that defined the operator goes, calls fail with
 * UNSUPPORTED, also when another library defines the name anew.
 *
 * @param[out] out  owned.
 * @param name      borrowed; "aten::add", or with its overload "aten::add.Tensor".
 * @param overload  borrowed; "Tensor"; "" or "default" for the overload without a name. NULL for what `name` says.
 * @return NULL, or NULL_ARGUMENT (`out`, `name`), INVALID_ARGUMENT (not UTF-8), UNSUPPORTED (no such operator; if it
 *         has other overloads the message lists them).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_op_find(ctorch_op **out, const char *name, const char *overload);

/**
 * Add a reference.
 *
 * @param self  borrowed; may be NULL.
 */
CTORCH_EXPORT void ctorch_op_retain(const ctorch_op *self);

/**
 * Give a reference back.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_op_release(ctorch_op *self);

/**
 * The names of all operators with their overloads, "aten::add.Tensor", sorted.
 *
 * @param[out] out  owned; a list of str.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_op_list(ctorch_value **out);

/* Calling ---------------------------------------------------------------------------------------------------------- */

/**
 * Call an operator with arguments by position.
 *
 * @param[out] out  owned; the result: None of an operator that returns nothing, a tuple of one that returns several.
 *                  May be NULL if it is not wanted. An operator that returns an argument (in-place, `out=`) returns the
 *                  same tensor.
 * @param self      borrowed.
 * @param args      borrowed; in the order of the schema, keyword-only arguments too. Missing ones at the end and NULL
 *                  elements have their default, or are None.
 * @param args_len  at most ctorch_op_num_arguments.
 * @return NULL, or NULL_ARGUMENT (`self`; a NULL element without a default that is not optional), TYPE (too many or
 *         missing arguments; one of another type), UNSUPPORTED (the operator is gone), or the operator's error.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_op_call(
    ctorch_value **out, const ctorch_op *self, const ctorch_value *const *args, size_t args_len);

/**
 * Call an operator with arguments by position and by name.
 *
 * @param[out] out    owned; the result, as of ctorch_op_call; may be NULL if it is not wanted.
 * @param self        borrowed.
 * @param args        borrowed; as of ctorch_op_call.
 * @param args_len    at most ctorch_op_num_arguments.
 * @param names       borrowed; names of further arguments, each once.
 * @param names_len   number of names.
 * @param values      borrowed; the arguments of these names, NULL elements as in `args`.
 * @param values_len  equal to `names_len`.
 * @return NULL, or what ctorch_op_call returns, INVALID_ARGUMENT (lengths differ), NULL_ARGUMENT (a name), TYPE (no
 *         argument of such a name; an argument given twice).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_op_call_named(
    ctorch_value **out,
    const ctorch_op *self,
    const ctorch_value *const *args,
    size_t args_len,
    const char *const *names,
    size_t names_len,
    const ctorch_value *const *values,
    size_t values_len);

/**
 * Call an operator below automatic differentiation: what a kernel of the dispatch key Autograd calls to have its own
 * operator computed (`at::AutoDispatchBelowAutograd`). Nothing is recorded.
 *
 * @param[out] out  owned; the result, as of ctorch_op_call; may be NULL if it is not wanted.
 * @param self      borrowed.
 * @param args      borrowed; as of ctorch_op_call.
 * @param args_len  at most ctorch_op_num_arguments.
 * @return NULL, or what ctorch_op_call returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_op_call_below_autograd(
    ctorch_value **out, const ctorch_op *self, const ctorch_value *const *args, size_t args_len);

/* Reading schemas -------------------------------------------------------------------------------------------------- */

/**
 * The name of an operator without its overload: "aten::add".
 *
 * @param self  borrowed; may be NULL.
 * @return borrowed from `self`; "" for NULL.
 */
CTORCH_API const char *ctorch_op_name(const ctorch_op *self);

/**
 * The name of its overload: "Tensor".
 *
 * @param self  borrowed; may be NULL.
 * @return borrowed from `self`; "" for the overload without a name and for NULL.
 */
CTORCH_API const char *ctorch_op_overload(const ctorch_op *self);

/**
 * The namespace it is in: "aten".
 *
 * @param self  borrowed; may be NULL.
 * @return borrowed from `self`; "" for NULL.
 */
CTORCH_API const char *ctorch_op_namespace(const ctorch_op *self);

/**
 * Its schema: "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor".
 *
 * @param self  borrowed; may be NULL.
 * @return borrowed from `self`; "" for NULL.
 */
CTORCH_API const char *ctorch_op_schema(const ctorch_op *self);

/**
 * Whether it can be called: false once its library is gone.
 *
 * @param self  borrowed; may be NULL.
 * @return false for NULL.
 */
CTORCH_API bool ctorch_op_is_registered(const ctorch_op *self);

/**
 * Whether it has a kernel for a dispatch key of its own, not by a fallback.
 *
 * @param[out] out      true if it has.
 * @param self          borrowed.
 * @param dispatch_key  borrowed; "CPU", "CUDA", "Meta", "AutogradCPU", "CompositeImplicitAutograd", …
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown dispatch key), UNSUPPORTED (the operator is gone).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_op_has_kernel(bool *out, const ctorch_op *self, const char *dispatch_key);

/**
 * Number of arguments, keyword-only ones too.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API size_t ctorch_op_num_arguments(const ctorch_op *self);

/**
 * Name of an argument.
 *
 * @param self   borrowed; may be NULL.
 * @param index  below ctorch_op_num_arguments.
 * @return borrowed from `self`; NULL if there is no such argument.
 */
CTORCH_API const char *ctorch_op_argument_name(const ctorch_op *self, size_t index);

/**
 * Type of an argument as the schema has it, without its alias annotation: "Tensor", "int[2]", "ScalarType?".
 *
 * @param self   borrowed; may be NULL.
 * @param index  below ctorch_op_num_arguments.
 * @return borrowed from `self`; NULL if there is no such argument.
 */
CTORCH_API const char *ctorch_op_argument_type(const ctorch_op *self, size_t index);

/**
 * Alias annotation of an argument: "a" if a result may share its memory, "a!" if it is also written to.
 *
 * @param self   borrowed; may be NULL.
 * @param index  below ctorch_op_num_arguments.
 * @return borrowed from `self`; "" without annotation, NULL if there is no such argument.
 */
CTORCH_API const char *ctorch_op_argument_alias(const ctorch_op *self, size_t index);

/**
 * Whether the operator changes an argument, or the tensors of a list.
 *
 * @param self   borrowed; may be NULL.
 * @param index  below ctorch_op_num_arguments.
 * @return false if there is no such argument.
 */
CTORCH_API bool ctorch_op_argument_is_mutated(const ctorch_op *self, size_t index);

/**
 * Whether Python takes an argument by name only.
 *
 * @param self   borrowed; may be NULL.
 * @param index  below ctorch_op_num_arguments.
 * @return false if there is no such argument.
 */
CTORCH_API bool ctorch_op_argument_is_keyword_only(const ctorch_op *self, size_t index);

/**
 * Whether an argument has a default, None among them.
 *
 * @param self   borrowed; may be NULL.
 * @param index  below ctorch_op_num_arguments.
 * @return false if there is no such argument.
 */
CTORCH_API bool ctorch_op_argument_has_default(const ctorch_op *self, size_t index);

/**
 * The default of an argument.
 *
 * @param[out] out  owned; a copy. NULL if the argument has none.
 * @param self      borrowed.
 * @param index     below ctorch_op_num_arguments.
 * @return NULL, or NULL_ARGUMENT, INDEX.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_op_argument_default(ctorch_value **out, const ctorch_op *self, size_t index);

/**
 * Number of results.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API size_t ctorch_op_num_returns(const ctorch_op *self);

/**
 * Name of a result.
 *
 * @param self   borrowed; may be NULL.
 * @param index  below ctorch_op_num_returns.
 * @return borrowed from `self`; "" without a name, NULL if there is no such result.
 */
CTORCH_API const char *ctorch_op_return_name(const ctorch_op *self, size_t index);

/**
 * Type of a result as the schema has it, without its alias annotation.
 *
 * @param self   borrowed; may be NULL.
 * @param index  below ctorch_op_num_returns.
 * @return borrowed from `self`; NULL if there is no such result.
 */
CTORCH_API const char *ctorch_op_return_type(const ctorch_op *self, size_t index);

/**
 * Alias annotation of a result: "a" if it may share memory with the argument of that name, "a!" if it is that argument.
 *
 * @param self   borrowed; may be NULL.
 * @param index  below ctorch_op_num_returns.
 * @return borrowed from `self`; "" without annotation, NULL if there is no such result.
 */
CTORCH_API const char *ctorch_op_return_alias(const ctorch_op *self, size_t index);

CTORCH_END_DECLS

#endif
