/**
 * Exported programs: what `torch.export.save` writes (".pt2"), read and run without Python.
 *
 *     ctorch_exported_program *program = NULL;
 *     ctorch_module *model = NULL;
 *     CTORCH_TRY(ctorch_exported_program_open_file(&program, "model.pt2", NULL));
 *     CTORCH_TRY(ctorch_exported_program_module(&model, program));
 *     CTORCH_TRY(ctorch_module_forward(&y, model, x));
 *
 * A file holds a model's graph of operators, its weights, constants and example inputs, as JSON and as bytes; nothing
 * in it is code that reading runs. Files of LibTorch 2.6 and 2.7, 2.8, and those from 2.9 on differ in where things
 * lie, and are all read; ctorch_weights_open knows them too, so that tensors can be read one by one.
 *
 * LibTorch itself cannot run a graph without Python. The module calls its operators by name, one after the other: it is
 * eager code, with gradients, and no compiler is needed. What is not here is said by
 * ctorch_exported_program_missing_operators. For compiled code, `torch._inductor.aoti_compile_and_package` makes a
 * package of a program, for ctorch_package_load.
 *
 * What the content of a file claims is checked before memory is taken for it. An object is not changed by being read,
 * and several threads may read it at once. All of it needs jansson (see README), and is UNSUPPORTED without.
 */
#ifndef CTORCH_EXPORTED_PROGRAM_H
#define CTORCH_EXPORTED_PROGRAM_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"
#include "ctorch/io/reader.h"
#include "ctorch/module/module.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/** An exported program that can be read. */
typedef struct ctorch_exported_program ctorch_exported_program;

/**
 * Read the program of an archive: its graph, not its tensors.
 *
 * @param[out] out    owned.
 * @param reader      borrowed, gets a reference.
 * @param model_name  borrowed; one of several in the archive; NULL for the only one, or "model".
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (`model_name` not UTF-8), FORMAT (no such archive, damaged, or of a
 *         form that is not known), INDEX (no program of that name), UNSUPPORTED (a major version of the schema that is
 *         newer than what is known; no jansson), IO, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_exported_program_open(
    ctorch_exported_program **out, const ctorch_reader *reader, const char *model_name);

/**
 * Read the program of a file: ctorch_reader_open with the file mapped to memory, ctorch_exported_program_open.
 *
 * @param[out] out    owned.
 * @param path        borrowed; UTF-8.
 * @param model_name  borrowed; NULL for the only one, or "model".
 * @return NULL, or what those answer.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_exported_program_open_file(
    ctorch_exported_program **out, const char *path, const char *model_name);

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_exported_program_retain(const ctorch_exported_program *self);

/**
 * Give a reference back. Any thread may do this.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_exported_program_release(ctorch_exported_program *self);

/* Running ---------------------------------------------------------------------------------------------------------- */

/**
 * A module that runs the graph (`ExportedProgram.module`). It is called as the Python model was: by ctorch_module_call,
 * or ctorch_module_forward where it takes and gives one tensor; it can be trained, moved, copied, saved, taped and
 * traced as any module. Its parameters and buffers have the names they had in Python; constants are buffers that are
 * not saved. Whether the model trains was decided when it was exported.
 *
 * A call fails with TYPE for other arguments than the program was exported with, SHAPE_MISMATCH for a tensor of other
 * sizes than those it was exported for, VALUE for an argument that has to be what it was at the export, UNSUPPORTED for
 * an operator that is not here, and with what operators fail with; the message has the line of Python that called them.
 * Results are lists, tuples and dicts as the model gives them; a class of one's own, a namedtuple too, is a tuple.
 *
 * @param[out] out  owned; in evaluation mode, with tensors of its own or the reader's.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, FORMAT, UNSUPPORTED (objects of classes among what the graph takes), IO,
 *         OUT_OF_MEMORY, RUNTIME (a device that is not there).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_exported_program_module(ctorch_module **out, const ctorch_exported_program *self);

/* Tensors ---------------------------------------------------------------------------------------------------------- */

/**
 * Parameters and persistent buffers (`ExportedProgram.state_dict`).
 *
 * @param[out] out  owned; a dict from names to tensors on the CPU, which share the reader's memory where that is
 *                  possible. For ctorch_module_load_state_dict.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, FORMAT, UNSUPPORTED (a file of a big-endian machine, a dtype that PyTorch has not),
 *         IO, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_exported_program_state_dict(ctorch_value **out, const ctorch_exported_program *self);

/**
 * Constant tensors and buffers that are not persistent (`ExportedProgram.constants`). Objects of custom classes are
 * left out; ctorch_exported_program_inputs names them.
 *
 * @param[out] out  owned; as of ctorch_exported_program_state_dict.
 * @param self      borrowed.
 * @return NULL, or as ctorch_exported_program_state_dict.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_exported_program_constants(ctorch_value **out, const ctorch_exported_program *self);

/**
 * The inputs that it was exported with (`ExportedProgram.example_inputs`).
 *
 * @param[out] out  owned; a tuple of the positional arguments and the dict of those by name; None if the file has none.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, or what ctorch_serialization_load answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_exported_program_example_inputs(
    ctorch_value **out, const ctorch_exported_program *self);

/* What it is ------------------------------------------------------------------------------------------------------- */

/**
 * What the file says of itself: "torch_version", "schema_version" ([8, 20]), "opset_version" (a dict), "verifiers".
 *
 * @param[out] out  owned; a dict. What the file does not say is left out.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, FORMAT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_exported_program_metadata(ctorch_value **out, const ctorch_exported_program *self);

/**
 * What the graph takes (`graph_signature.input_specs`).
 *
 * @param[out] out  owned; a list of dicts: "name" in the graph; "kind", one of "user_input", "parameter", "buffer",
 *                  "tensor_constant", "custom_obj", "constant_input", "token"; "target", the name in the model, where
 *                  it has one; "persistent" of buffers; "value" of constant inputs; and of tensors "dtype", "device"
 *                  and "sizes", each an int or a text such as "s77" or "2*s77".
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, FORMAT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_exported_program_inputs(ctorch_value **out, const ctorch_exported_program *self);

/**
 * What the graph makes (`graph_signature.output_specs`).
 *
 * @param[out] out  owned; a list of dicts as of ctorch_exported_program_inputs, of the kinds "user_output",
 *                  "loss_output", "buffer_mutation", "parameter_mutation", "user_input_mutation",
 *                  "gradient_to_parameter", "gradient_to_user_input", "token".
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, FORMAT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_exported_program_outputs(ctorch_value **out, const ctorch_exported_program *self);

/**
 * Between what the sizes that are symbols may be (`range_constraints`).
 *
 * @param[out] out  owned; a dict from symbols to lists of the least and the most, None where there is no bound.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, FORMAT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_exported_program_range_constraints(
    ctorch_value **out, const ctorch_exported_program *self);

/**
 * What the graph calls, those of graphs inside it among them: operators ("aten::add.Tensor"), higher-order operators
 * ("higher_order::cond"), and functions of Python ("_operator.getitem").
 *
 * @param[out] out  owned; a list of str, sorted.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, FORMAT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_exported_program_operators(ctorch_value **out, const ctorch_exported_program *self);

/**
 * Those of the operators that this process has not: of a newer LibTorch, of an extension that is not loaded, or
 * higher-order ones that Python alone has (cond, while_loop and changes of grad mode and autocast are here).
 *
 * @param[out] out  owned; a list of str, sorted.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, FORMAT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_exported_program_missing_operators(
    ctorch_value **out, const ctorch_exported_program *self);

/**
 * The graph, a line a call: "add: float32[s77, 3] = aten::add.Tensor(mul, b_np)".
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, FORMAT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_exported_program_text(ctorch_string **out, const ctorch_exported_program *self);

/**
 * What is needed to run it, in plain words: how, and what of it this LibTorch lacks.
 *
 * @param[out] out  owned; lines of English, for a person.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, FORMAT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_exported_program_requirements(ctorch_string **out, const ctorch_exported_program *self);

CTORCH_END_DECLS

#endif
