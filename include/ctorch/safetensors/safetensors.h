/**
 * Writing safetensors, Hugging Face's format for tensors by their names. ctorch_weights_open reads it.
 *
 *     CTORCH_TRY(ctorch_safetensors_write_file(state, NULL, "model.safetensors"));
 *
 * The bytes are those that the Python package `safetensors` writes; where that writes metadata in any order, they are
 * sorted by name here. What it can hold are dense tensors of these dtypes: bool, int8 to int64, uint8 to uint64,
 * float16, bfloat16, float32, float64, complex64, the float8 dtypes and float4_e2m1fn_x2.
 */
#ifndef CTORCH_SAFETENSORS_H
#define CTORCH_SAFETENSORS_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"
#include "ctorch/io/writer.h"
#include "ctorch/module/module.h"
#include "ctorch/value/value.h"
#include "ctorch/weights/weights.h"

CTORCH_BEGIN_DECLS

/**
 * Write tensors (`safetensors.torch.save`).
 *
 * @param writer    exclusive; ctorch_writer_finish is still to be called.
 * @param tensors   borrowed; a dict from texts to tensors. Those on a device are copied from it, one at a time, and so
 *                  are those that do not lie row by row, which Python refuses.
 * @param metadata  borrowed; a dict from texts to texts. NULL for none.
 * @return NULL, or NULL_ARGUMENT, TYPE (no dict, no text, no tensor), VALUE (sparse and nested tensors; a name with a
 *         NUL, or that is "__metadata__"; names and shapes of more than 100 MB), UNSUPPORTED (another dtype), RUNTIME
 *         (tensors that share memory), or what ctorch_writer_write answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_safetensors_write(
    ctorch_writer *writer, const ctorch_value *tensors, const ctorch_value *metadata);

/**
 * Write a file (`safetensors.torch.save_file`): ctorch_writer_open, ctorch_safetensors_write, ctorch_writer_finish.
 *
 * @param tensors   borrowed; a dict from texts to tensors.
 * @param metadata  borrowed; a dict from texts to texts. NULL for none.
 * @param path      borrowed; UTF-8.
 * @return NULL, or what those answer.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_safetensors_write_file(
    const ctorch_value *tensors, const ctorch_value *metadata, const char *path);

/**
 * Write the state dict of a model whose tensors may share memory (`safetensors.torch.save_model`).
 *
 * Of tensors that share memory one is written: of those that cover their whole storage, the one whose name comes first.
 * The metadata tell of the others: "its name" is "the name of the one that was written", unless they have that name
 * already.
 *
 * @param writer    exclusive; ctorch_writer_finish is still to be called.
 * @param model     borrowed; its hooks for state dicts run.
 * @param metadata  borrowed; a dict from texts to texts. NULL for none.
 * @return NULL, or what ctorch_safetensors_write answers; RUNTIME where no tensor covers the storage, also of one that
 *         shares it with none.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_safetensors_write_model(
    ctorch_writer *writer, ctorch_module *model, const ctorch_value *metadata);

/**
 * Write the state dict of a model to a file: ctorch_writer_open, ctorch_safetensors_write_model, ctorch_writer_finish.
 *
 * @param model     borrowed; its hooks for state dicts run.
 * @param metadata  borrowed; a dict from texts to texts. NULL for none.
 * @param path      borrowed; UTF-8.
 * @return NULL, or what those answer.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_safetensors_write_model_file(
    ctorch_module *model, const ctorch_value *metadata, const char *path);

/**
 * Load a model whose tensors may share memory (`safetensors.torch.load_model`).
 *
 * Of tensors that share memory the file needs to have one, whichever of those that cover their whole storage it is.
 *
 * @param[out] out_missing     owned; a list of the names that the model has and the file lacks. NULL if it is not
 *                             wanted.
 * @param[out] out_unexpected  owned; a list of the names that the file has and the model lacks, or has no need of. NULL
 *                             if it is not wanted.
 * @param model                exclusive.
 * @param weights              borrowed; of any format.
 * @param strict               fail if either list would have an entry; what fits is loaded nevertheless.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (what ctorch_module_load_state_dict answers; where no tensor of the model
 *         covers the storage), or what ctorch_weights_load answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_safetensors_load_model(
    ctorch_value **out_missing,
    ctorch_value **out_unexpected,
    ctorch_module *model,
    const ctorch_weights *weights,
    bool strict);

/**
 * Load a model from a file: ctorch_weights_open_file, ctorch_safetensors_load_model.
 *
 * @param[out] out_missing     owned; a list of texts. NULL if it is not wanted.
 * @param[out] out_unexpected  owned; a list of texts. NULL if it is not wanted.
 * @param model                exclusive.
 * @param path                 borrowed; UTF-8.
 * @param strict               fail if either list would have an entry.
 * @return NULL, or what those answer.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_safetensors_load_model_file(
    ctorch_value **out_missing, ctorch_value **out_unexpected, ctorch_module *model, const char *path, bool strict);

CTORCH_END_DECLS

#endif
