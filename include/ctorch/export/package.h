/**
 * Compiled models: packages (".pt2") that `torch._inductor.aoti_compile_and_package` writes in Python, run without it.
 *
 *     ctorch_package *model = NULL;
 *     CTORCH_TRY(ctorch_package_load(&model, "model.pt2", NULL, false, 1, NULL));
 *     CTORCH_TRY(ctorch_package_run(&outputs, model, CTORCH_TENSORS(x)));
 *
 * **A package is a program.** It holds a shared library, whose code runs in this process, with all that the process may
 * do, from the moment it is loaded. Load those alone whose origin you trust as you trust that of the program itself:
 * what is checked here finds files that are damaged or made for other machines, not those that mean harm.
 *
 * A package is for one kind of machine and belongs to the LibTorch that it was compiled with. Machine and inputs are
 * compared with what the package tells of them; what it does not tell is not checked. docs/files.md, "Compiled models",
 * says what that is, and what loading unpacks.
 */
#ifndef CTORCH_PACKAGE_H
#define CTORCH_PACKAGE_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/** A compiled model that is loaded. */
typedef struct ctorch_package ctorch_package;

/**
 * The models that a package holds. Reads the table of contents alone, and runs nothing.
 *
 * @param[out] out  owned; a list of str, sorted. Empty for an archive without compiled models, as torch.export writes
 *                  it.
 * @param path      borrowed; UTF-8.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), IO, FORMAT (no such archive, damaged), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_package_model_names(ctorch_value **out, const char *path);

/**
 * Load a model, and run the code that initializes it (`torch._inductor.aoti_load_package`).
 *
 * Weights that the archive holds beside the library (`package_constants_in_so = False`) are loaded too; they are on the
 * CPU, where they are shared with nothing.
 *
 * @param[out] out         owned.
 * @param path             borrowed; UTF-8.
 * @param model_name       borrowed; one of several in the file; NULL for "model".
 * @param single_threaded  leave out what lets several threads run it at once (`run_single_threaded`): a second thread
 *                         gets an error RUNTIME meanwhile.
 * @param num_runners      how many calls compute at the same time, at least 1; the others wait for one of these to end.
 *                         They share the weights.
 * @param device           where it runs, of the type that it was compiled for; NULL for that type's current one.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (`path` or `model_name` not UTF-8, `num_runners`, `device`), IO,
 *         FORMAT (no such archive, damaged, or without compiled code), INDEX (no model of that name), DEVICE_MISMATCH
 *         (compiled for another device than `device`), UNSUPPORTED (for another machine; a device without a runner
 *         here; what this LibTorch is too old for), RUNTIME (the library cannot be opened, or fails), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_package_load(
    ctorch_package **out,
    const char *path,
    const char *model_name,
    bool single_threaded,
    int64_t num_runners,
    const ctorch_device *device);

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_package_retain(const ctorch_package *self);

/**
 * Give a reference back. Any thread may do this. With the last one the library is closed; where its code has variables
 * that the dynamic linker keeps for the whole process, it stays mapped to memory.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_package_release(ctorch_package *self);

/* What it is ------------------------------------------------------------------------------------------------------- */

/**
 * What the package says of itself: AOTI_DEVICE_KEY ("cpu"), AOTI_PLATFORM, AOTI_MACHINE, AOTI_CPU_ISA, and what Python
 * was given as `aot_inductor.metadata`.
 *
 * @param[out] out  owned; a dict from str to str.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, UNSUPPORTED (this build has no jansson).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_package_metadata(ctorch_value **out, const ctorch_package *self);

/**
 * How arguments and results are made of tensors, in the JSON of `torch.utils._pytree`.
 *
 * @param[out] out_arguments  owned; of the tuple of positional arguments and the dict of those by name.
 * @param[out] out_results    owned.
 * @param self                borrowed.
 * @return NULL, or NULL_ARGUMENT, or LibTorch's error.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_package_call_spec(
    ctorch_string **out_arguments, ctorch_string **out_results, const ctorch_package *self);

/**
 * What is known of the inputs of ctorch_package_run, and checked before each run.
 *
 * @param[out] out  owned; a list of dicts, one an input, with those of these keys that are known: "name" (in the
 *                  compiled code), "dtype" and "device" ("cpu") as str, "sizes" and "strides", lists of int or None,
 *                  "least" and "most", the ranges of sizes, in the same form.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_package_inputs(ctorch_value **out, const ctorch_package *self);

/**
 * How many tensors ctorch_package_run takes.
 *
 * @param self  borrowed; may be NULL.
 * @return -1 if that is not known, and for NULL.
 */
CTORCH_API int64_t ctorch_package_num_inputs(const ctorch_package *self);

/**
 * How many tensors ctorch_package_run makes.
 *
 * @param self  borrowed; may be NULL.
 * @return -1 if that is not known, and for NULL.
 */
CTORCH_API int64_t ctorch_package_num_outputs(const ctorch_package *self);

/* Running ---------------------------------------------------------------------------------------------------------- */

/**
 * Run the model with its tensors in a row: those among the arguments of the Python model, from left to right. Nothing
 * is recorded for automatic differentiation. An input that the model changes in place is changed.
 *
 * Several threads may do so at once, unless it was loaded `single_threaded`.
 *
 * @param[out] out    owned; the tensors of the results, from left to right.
 * @param self        borrowed.
 * @param inputs      borrowed.
 * @param inputs_len  ctorch_package_num_inputs.
 * @return NULL, or NULL_ARGUMENT (`out`, `self`, an input), INVALID_ARGUMENT (another number of inputs; one without
 *         strides, conjugated or negated lazily, or laid out otherwise than the code expects), DTYPE_MISMATCH,
 *         DEVICE_MISMATCH, SHAPE_MISMATCH, RUNTIME (it runs in another thread and is single threaded; its constants are
 *         being replaced; what the compiled code says).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_package_run(
    ctorch_tensor_list **out, const ctorch_package *self, const ctorch_tensor *const *inputs, size_t inputs_len);

/**
 * Call the model as it is called in Python, with lists, tuples and dicts that hold tensors.
 *
 * They have the form of those it was exported with: as many positional arguments, the same names, lists and tuples as
 * long (either will do for the other), dicts with the same keys in any order. What was no tensor is in the code: such
 * an argument is taken and not looked at.
 *
 * @param[out] out  owned; the results in the form that the Python model returns, named tuples as tuples.
 * @param self      borrowed.
 * @param args      borrowed; positional arguments; NULL elements are None.
 * @param args_len  how many.
 * @param kwargs    borrowed; a dict of those by name; NULL for none.
 * @return NULL, or NULL_ARGUMENT, TYPE (of another form; the message says where), UNSUPPORTED (an argument of a class;
 *         no jansson), or what ctorch_package_run answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_package_call(
    ctorch_value **out,
    const ctorch_package *self,
    const ctorch_value *const *args,
    size_t args_len,
    const ctorch_value *kwargs);

/**
 * Whether inputs are compared with what the generated source says of them, which is the case at first. PyTorch's
 * compiler narrows the ranges of sizes that a model was exported with: where the export said up to 64, its code may say
 * up to 15, and compute with 64 as well. Without the check the model runs as in Python, which does not look: inputs
 * whose dtypes, devices, sizes or strides differ from the code's read and write memory that is not theirs.
 *
 * @param self     exclusive, but for runs.
 * @param enabled  false to trust the caller.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_package_set_check_inputs(ctorch_package *self, bool enabled);

/* Constants -------------------------------------------------------------------------------------------------------- */

/**
 * The names of weights, buffers and constant tensors, as the state dict of the Python model has them. What the compiler
 * has folded into the code is not there, biases for one, unless it was told
 * `aot_inductor.use_runtime_constant_folding`.
 *
 * @param[out] out  owned; a list of str, sorted.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_package_constant_names(ctorch_value **out, const ctorch_package *self);

/**
 * The constants that the code reads: not copies, so that a write to one is seen by the next run.
 *
 * @param[out] out  owned; a dict from names to tensors. They are valid as long as `self` lives and no constants are
 *                  updated, swapped or freed.
 * @param self      borrowed.
 * @param inactive  those that ctorch_package_swap_constants makes the ones in use.
 * @return NULL, or NULL_ARGUMENT, UNSUPPORTED (before LibTorch 2.7), or LibTorch's error.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_package_constants(ctorch_value **out, const ctorch_package *self, bool inactive);

/**
 * Replace constants (`load_constants`).
 *
 * To replace those in use no run may be under way. To do it while others run, give `inactive`, and then swap: each run
 * sees the constants of before or those of after.
 *
 * @param self          exclusive, but for runs if `inactive`.
 * @param constants     borrowed; a dict from names to tensors of the same sizes and dtypes, a state dict for one.
 * @param inactive      replace those that are not in use. Of the constants that are not given, these are what they
 *                      were: none at first, so that the first time all are to be given. Buffers and constant tensors,
 *                      which a state dict may lack, are then copied from those in use.
 * @param full          INVALID_ARGUMENT unless all parameters are given.
 * @param user_managed  share the tensors' memory instead of copying it, so that several packages have the same weights
 *                      in memory once. The tensors must lie on the model's device and row by row; LibTorch keeps them
 *                      for the rest of the process.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (a name that it has not, one that is missing, a layout that cannot
 *         be shared), TYPE (`constants`), SHAPE_MISMATCH, DTYPE_MISMATCH, DEVICE_MISMATCH, UNSUPPORTED (LibTorch is too
 *         old, or does not tell a constant's sizes), RUNTIME (a run is under way).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_package_update_constants(
    ctorch_package *self, const ctorch_value *constants, bool inactive, bool full, bool user_managed);

/**
 * Make the inactive constants those in use, and the other way round. Runs that are under way end with theirs.
 *
 * @param self  exclusive, but for runs; INVALID_ARGUMENT unless the inactive ones were given by then.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT, RUNTIME (it is single threaded, and a run is under way).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_package_swap_constants(ctorch_package *self);

/**
 * Give the memory of the inactive constants back.
 *
 * @param self  exclusive, but for runs.
 * @return NULL, or NULL_ARGUMENT, UNSUPPORTED (LibTorch is too old).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_package_free_inactive_constants(ctorch_package *self);

CTORCH_END_DECLS

#endif
