/**
 * Programs that `torch.export` exported and `torch.export.save` wrote (".pt2"): graphs of operators with their weights.
 *
 *     ctorch_exported_program *program = NULL;
 *     ctorch_value *result = NULL;
 *     CTORCH_TRY(ctorch_exported_program_load_file(&program, "model.pt2"));
 *     CTORCH_TRY(ctorch_exported_program_call(&result, program, args, args_len, NULL));
 *
 * LibTorch itself cannot run them without Python. Here each operator of the graph is called by name: as fast, or slow, as
 * eager code without Python, with its gradients, and with no compiler (package.h has compiled ones). Operators that a
 * library registered (library.h) are found too. What is not here is said by ctorch_exported_program_missing, and the
 * weights can be read all the same.
 *
 * A file is data: nothing of it is run but the operators that the graph names.
 */
#ifndef CTORCH_EXPORTED_PROGRAM_H
#define CTORCH_EXPORTED_PROGRAM_H

#include "ctorch/base.h"
#include "ctorch/reader.h"
#include "ctorch/string.h"
#include "ctorch/types.h"
#include "ctorch/value.h"

CTORCH_BEGIN_DECLS

/** A graph of operators, with its parameters, buffers and constants. */
typedef struct ctorch_exported_program ctorch_exported_program;

/**
 * Load a program that torch.export.save of PyTorch 2.5 or later wrote.
 *
 * @param[out] out  owned.
 * @param reader    borrowed; the bytes are copied.
 * @return NULL, or NULL_ARGUMENT, FORMAT (damaged, or no such file: says what is wrong), UNSUPPORTED (weights of a
 *         device or kind that is not here; jansson is not in this build), OUT_OF_MEMORY, or what the reader failed with.
 *         That the graph cannot be run is no error here.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_exported_program_load(ctorch_exported_program **out, const ctorch_reader *reader);

/**
 * Load a program from a file.
 *
 * @param[out] out  owned.
 * @param path      borrowed; UTF-8.
 * @return NULL, or what ctorch_exported_program_load answers, IO (no such file, no permission, a folder; names it).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_exported_program_load_file(ctorch_exported_program **out, const char *path);

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

/**
 * Call it as the Python model was called: `program.module()(*args, **kwargs)`. Gradients are recorded as grad mode says,
 * and buffers that the model changes are changed.
 *
 * Several threads may call one program whose model changes no buffers.
 *
 * @param[out] out  owned; lists, tuples and dicts as the model gives them. A namedtuple or other class is a tuple.
 * @param self      borrowed.
 * @param args      borrowed; positional arguments. NULL elements are None.
 * @param args_len  number of these.
 * @param kwargs    borrowed; a dict from texts to arguments by name. NULL for none.
 * @return NULL, or NULL_ARGUMENT, TYPE (arguments other than those the program was exported with), SHAPE_MISMATCH (a
 *         tensor of other sizes than it was exported for), VALUE (an argument that has to be what it was at the export),
 *         UNSUPPORTED (what ctorch_exported_program_missing names), or what an operator fails with, with the line of
 *         Python that called it.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_exported_program_call(
    ctorch_value **out,
    const ctorch_exported_program *self,
    const ctorch_value *const *args,
    size_t args_len,
    const ctorch_value *kwargs);

/**
 * What would be needed to run it and is not here: operators that nobody registered, control flow and classes that are not
 * known.
 *
 * @param[out] out  owned; a list of texts, empty if it can be run.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_exported_program_missing(ctorch_value **out, const ctorch_exported_program *self);

/**
 * The parameters and persistent buffers (`ExportedProgram.state_dict`).
 *
 * @param[out] out  owned; a new dict from names to the very tensors that the program computes with.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_exported_program_state_dict(ctorch_value **out, const ctorch_exported_program *self);

/**
 * The tensors that are constants of the graph, and buffers that are not persistent (`ExportedProgram.constants`).
 *
 * @param[out] out  owned; a new dict from names to the very tensors.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_exported_program_constants(ctorch_value **out, const ctorch_exported_program *self);

/**
 * The inputs that it was exported with (`ExportedProgram.example_inputs`).
 *
 * @param[out] out  owned; a tuple of positional arguments and a dict; None if the file has none.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_exported_program_example_inputs(
    ctorch_value **out, const ctorch_exported_program *self);

/**
 * What the file says of itself: the versions of its form, of the operators and of PyTorch, the ranges of symbols
 * ("range_constraints"), whether it is for training or inference ("verifiers"), and the "signature" that says what each
 * input and output of the graph is.
 *
 * @param[out] out  owned; a dict from texts to what JSON has. What the file does not say is not there.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_exported_program_metadata(ctorch_value **out, const ctorch_exported_program *self);

/**
 * The graph's operators.
 *
 * @param[out] out  owned; a dict from names such as "torch.ops.aten.add.Tensor" to whether they are here.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_exported_program_operators(ctorch_value **out, const ctorch_exported_program *self);

/**
 * The graph for people: a line for each operator, as Python would call it.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_exported_program_text(ctorch_string **out, const ctorch_exported_program *self);

CTORCH_END_DECLS

#endif
