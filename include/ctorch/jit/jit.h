/**
 * TorchScript: modules that are programs, in one file with their weights (`torch.jit`).
 *
 *     ctorch_jit_module *model = NULL;
 *     ctorch_tensor *y = NULL;
 *     CTORCH_TRY(ctorch_jit_load_file(&model, "model.pt", NULL));
 *     CTORCH_TRY(ctorch_jit_module_forward(&y, model, x));
 *
 * Such a module comes from a file of `torch.jit.save`, from source text (ctorch_jit_compile,
 * ctorch_jit_module_define), or from watching a function of C or a ctorch_module at work (ctorch_jit_trace,
 * ctorch_jit_trace_module); and it is saved as a file that Python and C++ load, run and train.
 *
 * Methods take and give values (value.h), converted as Python does it: an int for a float, a list of anything for a
 * `List[Tensor]`, a dict for a `Dict[str, Tensor]`, NULL or None for an `Optional`; what is left out has its default.
 * What is wrong inside a model is an error whose message has TorchScript's own traceback, with the lines of the source.
 * What a script raises by a class of Python's has the kind of that class: `raise ValueError(…)` is VALUE.
 *
 * Names may be dotted ("layer1.0.weight") wherever something is looked up; what is registered lies in the module
 * itself. Tensors are not copied on the way in and out: a parameter that is read is the one that the module computes
 * with.
 *
 * A file is read as hostile before LibTorch sees it: its table of contents, its pickles, how its dicts hash, where each
 * tensor lies, how deep its source is nested, where that came from; whatever is wrong is an error FORMAT. A module is a
 * program all the same: loading it runs its `__setstate__` methods, and its methods may use any operator that is
 * registered. Run those of people you trust.
 *
 * A `const ctorch_jit_module *` may be called by several threads at once. LibTorch makes a method ready when it is
 * called for the first times, so that the first two calls take longer.
 */
#ifndef CTORCH_JIT_H
#define CTORCH_JIT_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"
#include "ctorch/io/reader.h"
#include "ctorch/io/writer.h"
#include "ctorch/module/module.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/** A TorchScript module: its tensors and other attributes, the modules in it, and methods. */
typedef struct ctorch_jit_module ctorch_jit_module;

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_jit_module_retain(const ctorch_jit_module *self);

/**
 * Give a reference back. Any thread may do this.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_jit_module_release(ctorch_jit_module *self);

/* Files ------------------------------------------------------------------------------------------------------------ */

/**
 * Load a module that `torch.jit.save`, C++ or ctorch_jit_save wrote (`torch.jit.load`).
 *
 * @param[out] out  owned; in the mode, training or not, in which it was saved.
 * @param reader    borrowed; the bytes are copied.
 * @param device    borrowed; where all tensors go. NULL for where the file says.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (no such device), FORMAT (damaged, or no such file: says what is
 *         wrong), UNSUPPORTED (an operator that is not registered), RUNTIME and NOT_IMPLEMENTED (a device that is not
 *         there: pass `device`), OUT_OF_MEMORY, or what the reader failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_load(
    ctorch_jit_module **out, const ctorch_reader *reader, const ctorch_device *device);

/**
 * Load a module from a file.
 *
 * @param[out] out  owned.
 * @param path      borrowed; UTF-8.
 * @param device    borrowed; where all tensors go. NULL for where the file says.
 * @return NULL, or what ctorch_jit_load answers, IO (no such file, no permission, a folder; names the file).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_load_file(ctorch_jit_module **out, const char *path, const ctorch_device *device);

/**
 * The files that were saved beside a module (`_extra_files`). The module itself is not looked at.
 *
 * @param[out] out  owned; a dict from names to bytes, which may be empty.
 * @param reader    borrowed.
 * @return NULL, or NULL_ARGUMENT, FORMAT (no zip file, or a damaged one), OUT_OF_MEMORY, or what the reader failed
 *         with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_extra_files(ctorch_value **out, const ctorch_reader *reader);

/**
 * Write a module, as `torch.jit.save` does.
 *
 * @param self    borrowed.
 * @param writer  exclusive; not finished by this.
 * @return NULL, or NULL_ARGUMENT, RUNTIME and TYPE (what cannot be saved, such as an attribute of a kind that
 *         TorchScript does not have), OUT_OF_MEMORY, or what the writer failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_save(const ctorch_jit_module *self, ctorch_writer *writer);

/**
 * Write a module to a file, which is there when all of it is.
 *
 * @param self  borrowed.
 * @param path  borrowed; UTF-8.
 * @return NULL, or what ctorch_jit_save answers, IO (no such folder, no permission, no space; names the file).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_save_file(const ctorch_jit_module *self, const char *path);

/**
 * Write a module with files beside it, which Python's `torch.jit.load` gives in `_extra_files` and
 * ctorch_jit_extra_files in a dict.
 *
 * @param self         borrowed.
 * @param writer       exclusive; not finished by this.
 * @param extra_files  borrowed; a dict from names to bytes or texts. NULL for none.
 * @return NULL, or what ctorch_jit_save answers, TYPE (`extra_files` is no such dict), VALUE (a name that is empty,
 *         absolute, or leads upwards).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_save_with_extra_files(
    const ctorch_jit_module *self, ctorch_writer *writer, const ctorch_value *extra_files);

/**
 * Write a module for LibTorch's interpreter on phones (`_save_for_lite_interpreter`): with its methods as bytecode
 * beside their source, so that ctorch_jit_load reads the file too.
 *
 * @param self         borrowed.
 * @param writer       exclusive; not finished by this.
 * @param extra_files  borrowed; a dict from names to bytes or texts. NULL for none.
 * @param debug_info   also write what names the places in the source when something fails on the phone.
 * @return NULL, or what ctorch_jit_save_with_extra_files answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_save_for_mobile(
    const ctorch_jit_module *self, ctorch_writer *writer, const ctorch_value *extra_files, bool debug_info);

/* Making modules --------------------------------------------------------------------------------------------------- */

/**
 * Make an empty module.
 *
 * @param[out] out  owned; in training mode.
 * @param name      borrowed; of its class, an identifier: "Net". NULL for "Module".
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (no identifier), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_module_new(ctorch_jit_module **out, const char *name);

/**
 * Compile functions of TorchScript (`torch.jit.CompilationUnit`): each becomes a method of a module without tensors,
 * and they may call one another.
 *
 *     ctorch_jit_compile(&functions,
 *         "def scale(x: Tensor, by: float = 2.0) -> Tensor:\n"
 *         "    return x * by\n");
 *     ctorch_jit_module_call(&out, functions, "scale", args, 1, NULL);
 *
 * @param[out] out  owned.
 * @param source    borrowed; definitions of functions. The types are `Tensor`, `int`, `List[Tensor]` and so on without
 *                  an import; a parameter without one is a tensor.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8, nested deeper than 500), SYNTAX (says where and why),
 *         OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_compile(ctorch_jit_module **out, const char *source);

/**
 * Add methods.
 *
 *     ctorch_jit_module_define(self,
 *         "def forward(self, x: Tensor) -> Tensor:\n"
 *         "    return self.linear.forward(x) + self.shift\n");
 *
 * @param self    exclusive.
 * @param source  borrowed; definitions of functions whose first parameter is `self`.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8, nested deeper than 500), RUNTIME (a method of this name
 *         is there already), SYNTAX (says where and why), OUT_OF_MEMORY. After an error methods that were defined
 *         before the one with the error may be there.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_module_define(ctorch_jit_module *self, const char *source);

/**
 * Register a parameter.
 *
 * @param self    exclusive.
 * @param name    borrowed; an identifier.
 * @param tensor  borrowed, gets a reference; whether it requires gradients stays as it is.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (no identifier), RUNTIME (the name is taken).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_module_register_parameter(
    ctorch_jit_module *self, const char *name, const ctorch_tensor *tensor);

/**
 * Register a buffer: a tensor that moves with the module and is saved, and is no parameter.
 *
 * @param self    exclusive.
 * @param name    borrowed; an identifier.
 * @param tensor  borrowed, gets a reference.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (no identifier), RUNTIME (the name is taken).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_module_register_buffer(
    ctorch_jit_module *self, const char *name, const ctorch_tensor *tensor);

/**
 * Register an attribute of any type.
 *
 * @param self   exclusive.
 * @param name   borrowed; an identifier.
 * @param value  borrowed; its first value. A container of the attribute's own type is shared, others are converted.
 * @param type   borrowed; as TorchScript writes it: "Optional[Tensor]", "Dict[str, int]". NULL for that of the value.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (no identifier), SYNTAX (no type), TYPE (the value is none of it, or
 *         a value that TorchScript has no type for), RUNTIME (the name is taken).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_module_register_attribute(
    ctorch_jit_module *self, const char *name, const ctorch_value *value, const char *type);

/**
 * Register a module inside.
 *
 * @param self    exclusive.
 * @param name    borrowed; an identifier or a number.
 * @param module  borrowed; shared. Its methods and attributes are complete: what is defined or registered later is not
 *                seen by methods of `self`.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (no such name), RUNTIME (the name is taken; `module` is or contains
 *         `self`).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_module_register_module(
    ctorch_jit_module *self, const char *name, const ctorch_jit_module *module);

/* Calling ---------------------------------------------------------------------------------------------------------- */

/**
 * Call `forward` with one tensor, for one tensor.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @param input     borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (it takes other arguments, or gives something else), RUNTIME (no method
 *         "forward"), or what ctorch_jit_module_call answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_module_forward(
    ctorch_tensor **out, const ctorch_jit_module *self, const ctorch_tensor *input);

/**
 * Call a method.
 *
 * @param[out] out  owned; what it returns. Several results are a tuple. NULL if it is not wanted.
 * @param self      borrowed.
 * @param method    borrowed; its name. NULL for "forward".
 * @param args      borrowed; positional arguments. A NULL element is that argument's default, or None.
 * @param args_len  number of arguments.
 * @param kwargs    borrowed; a dict from texts to arguments by name. NULL for none.
 * @return NULL, or NULL_ARGUMENT, TYPE (missing, superfluous or unfit arguments), RUNTIME (no such method, what the
 *         model finds wrong, with TorchScript's traceback), the kind of a class of Python's that the model raises,
 *         OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_module_call(
    ctorch_value **out,
    const ctorch_jit_module *self,
    const char *method,
    const ctorch_value *const *args,
    size_t args_len,
    const ctorch_value *kwargs);

/* Looking into modules --------------------------------------------------------------------------------------------- */

/**
 * The qualified name of the class: "__torch__.torchvision.models.resnet.ResNet".
 *
 * @param self  borrowed; may be NULL.
 * @return borrowed from `self`; NULL for NULL.
 */
CTORCH_API const char *ctorch_jit_module_name(const ctorch_jit_module *self);

/**
 * Whether there is a method.
 *
 * @param self    borrowed; may be NULL.
 * @param method  borrowed; may be NULL.
 * @return false for NULL.
 */
CTORCH_API bool ctorch_jit_module_has_method(const ctorch_jit_module *self, const char *method);

/**
 * The names of all methods, in the order of their definitions.
 *
 * @param[out] out  owned; a list of texts.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_module_method_names(ctorch_value **out, const ctorch_jit_module *self);

/**
 * A method's parameters, with their types and defaults, and what it returns:
 * "forward(__torch__.Net self, Tensor x, float by=2.) -> Tensor".
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @param method    borrowed; NULL for "forward".
 * @return NULL, or NULL_ARGUMENT, RUNTIME (no such method).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_module_schema(
    ctorch_string **out, const ctorch_jit_module *self, const char *method);

/**
 * A method as source text (`Module.code`).
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @param method    borrowed; NULL for "forward".
 * @return NULL, or NULL_ARGUMENT, RUNTIME (no such method).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_module_code(ctorch_string **out, const ctorch_jit_module *self, const char *method);

/**
 * A method as a graph of operators (`Module.graph`, `Module.inlined_graph`).
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @param method    borrowed; NULL for "forward".
 * @param inlined   with the methods that it calls in their places.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (no such method).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_module_graph(
    ctorch_string **out, const ctorch_jit_module *self, const char *method, bool inlined);

/**
 * The parameters by their names (`Module.named_parameters`).
 *
 * @param[out] out  owned; a dict from dotted names to tensors. One that stands in several places has an entry for each.
 * @param self      borrowed.
 * @param recurse   also those of the modules inside.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_module_named_parameters(
    ctorch_value **out, const ctorch_jit_module *self, bool recurse);

/**
 * The buffers by their names (`Module.named_buffers`).
 *
 * @param[out] out  owned; a dict from dotted names to tensors. One that is None is left out.
 * @param self      borrowed.
 * @param recurse   also those of the modules inside.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_module_named_buffers(
    ctorch_value **out, const ctorch_jit_module *self, bool recurse);

/**
 * All attributes but modules by their names, parameters and buffers among them.
 *
 * @param[out] out  owned; a dict from dotted names to values.
 * @param self      borrowed.
 * @param recurse   also those of the modules inside.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_module_named_attributes(
    ctorch_value **out, const ctorch_jit_module *self, bool recurse);

/**
 * The names of the modules inside; ctorch_jit_module_get_module gets one.
 *
 * @param[out] out  owned; a list of dotted names.
 * @param self      borrowed.
 * @param recurse   also those further inside.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_module_module_names(
    ctorch_value **out, const ctorch_jit_module *self, bool recurse);

/**
 * A module inside.
 *
 * @param[out] out  owned; the very one.
 * @param self      borrowed.
 * @param name      borrowed; may be dotted.
 * @return NULL, or NULL_ARGUMENT, INDEX (there is none), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_module_get_module(
    ctorch_jit_module **out, const ctorch_jit_module *self, const char *name);

/**
 * Whether there is an attribute or constant: a parameter, buffer, module or any other.
 *
 * @param self  borrowed; may be NULL.
 * @param name  borrowed; may be dotted, or NULL.
 * @return false for NULL.
 */
CTORCH_API bool ctorch_jit_module_has_attribute(const ctorch_jit_module *self, const char *name);

/**
 * An attribute or constant.
 *
 * @param[out] out  owned; containers are shared with the module. A module is of kind OBJECT.
 * @param self      borrowed.
 * @param name      borrowed; may be dotted.
 * @return NULL, or NULL_ARGUMENT, INDEX (there is none).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_module_get_attribute(
    ctorch_value **out, const ctorch_jit_module *self, const char *name);

/**
 * Give an attribute another value; a parameter or buffer another tensor.
 *
 * @param self   exclusive.
 * @param name   borrowed; may be dotted.
 * @param value  borrowed; NULL for None.
 * @return NULL, or NULL_ARGUMENT, INDEX (there is none), TYPE (of another type, or a constant or module).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_module_set_attribute(
    ctorch_jit_module *self, const char *name, const ctorch_value *value);

/* Changing modules ------------------------------------------------------------------------------------------------- */

/**
 * Set training or evaluation mode, of all modules inside too (`Module.train`).
 *
 * @param self      exclusive.
 * @param training  false for evaluation.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_module_train(ctorch_jit_module *self, bool training);

/**
 * Whether it is in training mode.
 *
 * @param self  borrowed; may be NULL.
 * @return false for NULL, and for a module that was frozen.
 */
CTORCH_API bool ctorch_jit_module_is_training(const ctorch_jit_module *self);

/**
 * Move or convert all parameters and buffers, in place (`Module.to`). They become other tensors' values: who holds one
 * sees the change.
 *
 * @param self          exclusive.
 * @param device        borrowed; NULL to leave them where they are.
 * @param dtype         borrowed; a floating-point or complex type, for what has one. NULL to leave them what they are.
 * @param non_blocking  copy from pinned memory while the host goes on.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (no such device or dtype), TYPE (`dtype` is of integers), RUNTIME
 *         and NOT_IMPLEMENTED (a device that is not there), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_module_to(
    ctorch_jit_module *self, const ctorch_device *device, const ctorch_dtype *dtype, bool non_blocking);

/**
 * A copy with tensors and containers of its own (`copy.deepcopy`).
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_module_copy(ctorch_jit_module **out, const ctorch_jit_module *self);

/**
 * A module whose attributes have become constants of its program, which is simplified by that (`torch.jit.freeze`).
 *
 * @param[out] out             owned; it computes what `self` does, and has only the methods and attributes that are
 *                             kept.
 * @param self                 borrowed; in evaluation mode.
 * @param preserved            borrowed; names of attributes and of methods other than "forward" that are kept. NULL for
 *                             none.
 * @param preserved_len        number of names.
 * @param optimize_numerics    also what may change results in their last bits, such as to fold batch normalization into
 *                             convolutions.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (in training mode, no "forward", an unknown name, what cannot be frozen),
 *         OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_module_freeze(
    ctorch_jit_module **out,
    const ctorch_jit_module *self,
    const char *const *preserved,
    size_t preserved_len,
    bool optimize_numerics);

/**
 * A frozen module that is made faster for one machine (`torch.jit.optimize_for_inference`), whose results may differ in
 * their last bits. Save the module before: what comes out may not be saved.
 *
 * @param[out] out           owned.
 * @param self               borrowed; frozen, or in evaluation mode, and then frozen first.
 * @param other_methods      borrowed; names of methods beside "forward". NULL for none.
 * @param other_methods_len  number of names.
 * @return NULL, or what ctorch_jit_module_freeze answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_module_optimize_for_inference(
    ctorch_jit_module **out, const ctorch_jit_module *self, const char *const *other_methods, size_t other_methods_len);

/* Tracing ---------------------------------------------------------------------------------------------------------- */

/**
 * Compute what is to be noted.
 *
 * @param[out] results  owned; one value: a tensor, or a tuple, list or dict from texts of tensors, which may be nested.
 * @param results_len   1.
 * @param args          borrowed for the call; the inputs.
 * @param args_len      number of inputs.
 * @param[out] error    owned; NULL for success.
 * @param payload       of the call.
 * @return CTORCH_CALLBACK_OK, anything else for failure.
 */
typedef ctorch_callback_status (*ctorch_jit_trace_callback)(
    ctorch_value **results,
    size_t results_len,
    const ctorch_value *const *args,
    size_t args_len,
    ctorch_error **error,
    void *payload);

/**
 * Note the operators that a function calls on these inputs, as the `forward` of a new module (`torch.jit.trace`).
 *
 * Only tensors are followed: what C computes of sizes and numbers, and which way it takes, is as it was this time. A
 * tensor that is no input is a constant of the module; to have it as a parameter, register it with a module and use
 * ctorch_jit_module_trace.
 *
 * @param[out] out    owned.
 * @param function    see its type; called once, on this thread, with the inputs.
 * @param payload     handed to it; may be NULL.
 * @param inputs      borrowed; tensors, or tuples, lists and dicts of them. A list or dict is taken apart once: it has
 *                    as many entries in each call.
 * @param inputs_len  number of inputs.
 * @return NULL, or NULL_ARGUMENT, TYPE (inputs or results of another kind), RUNTIME (a trace is under way; what cannot
 *         be noted), OUT_OF_MEMORY, or what the function failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_trace(
    ctorch_jit_module **out,
    ctorch_jit_trace_callback function,
    void *payload,
    const ctorch_value *const *inputs,
    size_t inputs_len);

/**
 * The same as a method of a module, whose parameters, buffers and other tensors, and those of the modules inside, are
 * its attributes wherever the function uses them.
 *
 * @param self        exclusive.
 * @param method      borrowed; an identifier. NULL for "forward".
 * @param function    see its type; called once, on this thread, with the inputs.
 * @param payload     handed to it; may be NULL.
 * @param inputs      borrowed; see ctorch_jit_trace.
 * @param inputs_len  number of inputs.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (no identifier), RUNTIME (there is such a method), and what
 *         ctorch_jit_trace answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_module_trace(
    ctorch_jit_module *self,
    const char *method,
    ctorch_jit_trace_callback function,
    void *payload,
    const ctorch_value *const *inputs,
    size_t inputs_len);

/**
 * Compare what a module computes with what the function computes, on other inputs (`torch.jit.trace`'s check).
 *
 * @param self        borrowed.
 * @param method      borrowed; NULL for "forward".
 * @param function    see its type; called once.
 * @param payload     handed to it; may be NULL.
 * @param inputs      borrowed; each side has copies of them.
 * @param inputs_len  number of inputs.
 * @param rtol        how far results may differ, as a part of the function's: Python's check has 1e-5.
 * @param atol        how far they may differ beside; Python's check has 1e-5.
 * @return NULL if they agree, or NULL_ARGUMENT, INVALID_ARGUMENT (a negative tolerance), RUNTIME (they differ: says
 *         which result and by how much), or what either side failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_check_trace(
    const ctorch_jit_module *self,
    const char *method,
    ctorch_jit_trace_callback function,
    void *payload,
    const ctorch_value *const *inputs,
    size_t inputs_len,
    double rtol,
    double atol);

/**
 * Note what a module of C computes on these inputs, as the `forward` of a TorchScript module that has the same modules,
 * parameters and buffers under the same names. They are the same tensors, and train as before: a file of it is
 * fine-tuned in Python.
 *
 * Most modules, recurrent ones among them, are noted for batches of any size. Those that make views by the sizes they
 * read, as attention does, hold for the sizes of these inputs: ctorch_jit_check_trace_module tells.
 *
 * @param[out] out    owned; in the mode, training or not, of `module`, in which it stays: operators are noted as they
 *                    were called.
 * @param module      exclusive; called once.
 * @param inputs      borrowed; its positional arguments, see ctorch_jit_trace.
 * @param inputs_len  number of inputs.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (a name that is no identifier or number), what ctorch_jit_trace
 *         answers, or what the module fails with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_trace_module(
    ctorch_jit_module **out, ctorch_module *module, const ctorch_value *const *inputs, size_t inputs_len);

/**
 * Compare what a traced module computes with what the module computes, on other inputs: of other sizes, say.
 *
 * @param self        borrowed.
 * @param module      exclusive; called once.
 * @param inputs      borrowed; each side has copies of them.
 * @param inputs_len  number of inputs.
 * @param rtol        see ctorch_jit_check_trace.
 * @param atol        see ctorch_jit_check_trace.
 * @return NULL if they agree, or what ctorch_jit_check_trace answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jit_check_trace_module(
    const ctorch_jit_module *self,
    ctorch_module *module,
    const ctorch_value *const *inputs,
    size_t inputs_len,
    double rtol,
    double atol);

CTORCH_END_DECLS

#endif
