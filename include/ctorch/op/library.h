/**
 * Operators of your own, defined at run time: called by ctorch_op_call, from TorchScript, from a compiled model, and
 * from Python's `torch.ops` in the same process, as PyTorch's are.
 *
 *     ctorch_library_new(&library, "shop");
 *     ctorch_library_define(library, "discount(Tensor price, float rate=0.1) -> Tensor");
 *     ctorch_library_implement(library, "discount", "CPU", discount, NULL, NULL);
 *     ctorch_library_implement(library, "discount", "Meta", discount_shape, NULL, NULL);
 *     ctorch_library_implement(library, "discount", "Autograd", discount_with_gradient, NULL, NULL);
 *
 * Which kernel runs is decided by the dispatch key, as `torch.library` describes them: a device ("CPU", "CUDA"), "Meta"
 * for shapes without memory, "Autograd" (or "AutogradCPU", …) for gradients, "CompositeExplicitAutograd" for all
 * devices, "CompositeImplicitAutograd" for all devices and gradients, which then come from the operators that the
 * kernel calls. A kernel for "Autograd" gets at the computation below by ctorch_op_call_below_autograd.
 */
#ifndef CTORCH_LIBRARY_H
#define CTORCH_LIBRARY_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/** Definitions and kernels of operators, which go when it is released. */
typedef struct ctorch_library ctorch_library;

/**
 * A kernel: computes the results of an operator from its arguments.
 *
 * It runs on the thread that calls the operator, which may be any, also several at once, and a thread of the backward
 * pass.
 *
 * @param[out] results  owned; one slot for each result of the schema, all of them NULL. A slot left so is None; or the
 *                      argument itself where the schema says that the result is one (`Tensor(a!)`).
 * @param results_len   number of results.
 * @param args          borrowed for the call; all arguments of the schema in its order, of its types.
 * @param args_len      number of arguments.
 * @param[out] error    owned; what went wrong.
 * @param payload       what was registered with it.
 * @return CTORCH_CALLBACK_OK, or anything else after a failure.
 */
typedef ctorch_callback_status (*ctorch_kernel_callback)(
    ctorch_value **results,
    size_t results_len,
    const ctorch_value *const *args,
    size_t args_len,
    ctorch_error **error,
    void *payload);

/**
 * Make a library, which may add to a namespace that exists (`torch.library.Library(name, "FRAGMENT")`).
 *
 * @param[out] out    owned.
 * @param name_space  borrowed; letters, digits and underscores, not starting with a digit.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not such a name).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_library_new(ctorch_library **out, const char *name_space);

/**
 * Add a reference.
 *
 * @param self  borrowed; may be NULL.
 */
CTORCH_EXPORT void ctorch_library_retain(const ctorch_library *self);

/**
 * Give a reference back. With the last one go the definitions and kernels of the library, and the payloads of the
 * kernels are destroyed. A ctorch_op of an operator that is gone answers UNSUPPORTED; nobody may be calling it
 * meanwhile on another thread, and Python must not keep it in a variable.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_library_release(ctorch_library *self);

/**
 * The namespace.
 *
 * @param self  borrowed; may be NULL.
 * @return borrowed from `self`; "" for NULL.
 */
CTORCH_API const char *ctorch_library_namespace(const ctorch_library *self);

/**
 * Define an operator, as yet without kernels (`torch.library.Library.define`).
 *
 * @param self    exclusive.
 * @param schema  borrowed; in PyTorch's grammar, "scale_(Tensor(a!) self, float by=2.0) -> Tensor(a!)", an overload as
 *                "scale.out(…)"; without a namespace or with this one.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), SYNTAX (not a schema; more than 1 MiB of text; types
 *         that are nested more than 16 levels deep), VALUE (another namespace; an operator of this name and overload
 *         exists).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_library_define(ctorch_library *self, const char *schema);

/**
 * Give an operator a kernel for a dispatch key. A kernel of another library for the same key comes back when this one
 * goes.
 *
 * Its results are checked: what does not have the type that the schema says fails the call with TYPE.
 *
 * @param self          exclusive.
 * @param name          borrowed; "scale_", or with its overload "scale.out"; defined by this library or any other.
 * @param dispatch_key  borrowed; "CPU", "CUDA", "Meta", "Autograd", "CompositeExplicitAutograd", …; NULL for
 *                      "CompositeImplicitAutograd".
 * @param kernel        what to call.
 * @param destroy       called once with `payload`, when the library goes and no call of the kernel is under way; NULL
 *                      if none. It is not called if this function fails.
 * @param payload       handed to `kernel`; may be NULL.
 * @return NULL, or NULL_ARGUMENT (`self`, `name`, `kernel`), INVALID_ARGUMENT (not UTF-8; no such dispatch key, or none
 *         that can have kernels), VALUE (another namespace; this library has a kernel for the key), UNSUPPORTED (no
 *         such operator).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_library_implement(
    ctorch_library *self,
    const char *name,
    const char *dispatch_key,
    ctorch_kernel_callback kernel,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Make an operator pass over a dispatch key, to the kernel below.
 *
 * @param self          exclusive.
 * @param name          borrowed; as of ctorch_library_implement.
 * @param dispatch_key  borrowed; as of ctorch_library_implement, but no composite key.
 * @return NULL, or what ctorch_library_implement returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_library_fallthrough(ctorch_library *self, const char *name, const char *dispatch_key);

/**
 * Declare that an operator has no gradient: backward through its results fails with RUNTIME that names it, instead of
 * leaving the gradient out.
 *
 * @param self  exclusive.
 * @param name  borrowed; as of ctorch_library_implement.
 * @return NULL, or what ctorch_library_implement returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_library_autograd_not_implemented(ctorch_library *self, const char *name);

CTORCH_END_DECLS

#endif
