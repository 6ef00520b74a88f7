/**
 * Weights: the tensors of a file by their names, whichever format it has, each read when it is asked for.
 *
 *     ctorch_weights *file = NULL;
 *     CTORCH_TRY(ctorch_weights_open_file(&file, "model.safetensors", true));
 *     for (size_t i = 0; i < ctorch_weights_len(file); i++) {
 *       puts(ctorch_weights_name(file, i));
 *     }
 *     CTORCH_TRY(ctorch_weights_tensor(&embedding, file, "embedding.weight"));
 *
 * Opening reads the table of contents alone. The formats, which a file's content tells:
 *
 * - "pt": what `torch.save` writes. Names lead through dicts, lists and tuples by dots: "model.layer.weight", and
 *   through modules that were saved whole as in their state dict. Objects of other classes are in the metadata, and not
 *   looked into (ctorch_weights_object_name). Memory is linear in the file, whatever the keys of its dicts are.
 * - "safetensors".
 * - "npy", "npz": NumPy's. The one tensor of an npy file has the name "".
 * - "gguf": llama.cpp's. Quantized tensors are read as float32, but for those of the types IQ1_S, IQ1_M, IQ2_XXS,
 *   IQ2_XS, IQ2_S, IQ3_XXS, IQ3_S, Q1_0 and Q8_1: they are listed with their types, and reading one is UNSUPPORTED.
 * - "pt2": the state dict and constants of what `torch.export.save` writes, from LibTorch 2.9 on.
 * - "sharded": several files that a "….index.json" lists, as Hugging Face has them.
 *
 * What the content of a file claims is checked before memory is taken for it. Checksums, which npz files have, are
 * checked where a tensor is copied as a whole, not where it shares the reader's memory, nor in parts.
 *
 * An object is not changed by being read, and several threads may read it at once.
 */
#ifndef CTORCH_WEIGHTS_H
#define CTORCH_WEIGHTS_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"
#include "ctorch/io/reader.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/** The table of contents of a file of tensors, and a way to them. */
typedef struct ctorch_weights ctorch_weights;

/**
 * Read the table of contents.
 *
 * @param[out] out  owned.
 * @param reader    borrowed, gets a reference.
 * @return NULL, or NULL_ARGUMENT, FORMAT (of no known format, damaged; an index of shards from elsewhere than a file),
 *         UNSUPPORTED (this build has no reader for the format), IO, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_weights_open(ctorch_weights **out, const ctorch_reader *reader);

/**
 * Read the table of contents of a file, or of several that an index lists: those are opened when something is asked of
 * one of their tensors.
 *
 * @param[out] out  owned.
 * @param path      borrowed; UTF-8. A file, an index of shards, or a folder with one such index, or without one but
 *                  with one safetensors file. Of several, "model.safetensors.index.json" counts, then
 *                  "pytorch_model.bin.index.json"; "model.safetensors", then "pytorch_model.bin".
 * @param mmap      map files to memory.
 * @return NULL, or what ctorch_reader_open and ctorch_weights_open answer; FORMAT for a folder with none or several.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_weights_open_file(ctorch_weights **out, const char *path, bool mmap);

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_weights_retain(const ctorch_weights *self);

/**
 * Give a reference back. Any thread may do this.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_weights_release(ctorch_weights *self);

/**
 * The format's name: "pt", "safetensors", "npy", "npz", "gguf", "pt2" or "sharded".
 *
 * @param self  borrowed; may be NULL.
 * @return static text; NULL for NULL.
 */
CTORCH_API const char *ctorch_weights_format(const ctorch_weights *self);

/**
 * The names of all formats that ctorch knows.
 *
 * @param index  from 0.
 * @return static text; NULL beyond the end.
 */
CTORCH_API const char *ctorch_weights_format_name(size_t index);

/**
 * Whether this build reads a format: safetensors, shards and pt2 need jansson, npz needs minizip.
 *
 * @param format  borrowed; one of those names, may be NULL.
 * @return false for NULL and other names.
 */
CTORCH_API bool ctorch_weights_supports(const char *format);

/**
 * How many tensors there are.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API size_t ctorch_weights_len(const ctorch_weights *self);

/**
 * The name of a tensor, in the order of the file.
 *
 * @param self   borrowed; may be NULL.
 * @param index  from 0.
 * @return borrowed from `self`; NULL beyond the end.
 */
CTORCH_API const char *ctorch_weights_name(const ctorch_weights *self, size_t index);

/**
 * Where a tensor stands.
 *
 * @param[out] out  its index.
 * @param self      borrowed.
 * @param name      borrowed.
 * @return NULL, or NULL_ARGUMENT, INDEX (there is none).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_weights_find(size_t *out, const ctorch_weights *self, const char *name);

/**
 * The dtype with which a tensor is read.
 *
 * @param[out] out  the dtype.
 * @param self      borrowed.
 * @param index     from 0.
 * @return NULL, or NULL_ARGUMENT, INDEX, UNSUPPORTED (a type that PyTorch has not, such as NumPy's texts), or what
 *         opening a shard answers: IO for one that is not there, FORMAT for one that lacks the tensor.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_weights_dtype(ctorch_dtype *out, const ctorch_weights *self, size_t index);

/**
 * The shape of a tensor.
 *
 * @param[out] out      borrowed from `self`; sizes, outermost first.
 * @param[out] out_len  how many.
 * @param self          borrowed.
 * @param index         from 0.
 * @return NULL, or NULL_ARGUMENT, INDEX, or what opening a shard answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_weights_shape(
    const int64_t **out, size_t *out_len, const ctorch_weights *self, size_t index);

/**
 * The element type in the format's own words: "BF16", "Q4_K", "<f4", "torch.float32".
 *
 * @param self   borrowed; may be NULL.
 * @param index  from 0.
 * @return borrowed from `self`; NULL beyond the end, and where a shard cannot be opened.
 */
CTORCH_API const char *ctorch_weights_type(const ctorch_weights *self, size_t index);

/**
 * How many bytes a tensor takes in the file, before it is compressed.
 *
 * @param self   borrowed; may be NULL.
 * @param index  from 0.
 * @return bytes; 0 beyond the end, and where a shard cannot be opened.
 */
CTORCH_API size_t ctorch_weights_nbytes(const ctorch_weights *self, size_t index);

/**
 * Read a tensor.
 *
 * @param[out] out  owned; on the CPU. It shares the reader's memory where that is possible.
 * @param self      borrowed.
 * @param name      borrowed.
 * @return NULL, or NULL_ARGUMENT, INDEX (no such name), UNSUPPORTED (a type that PyTorch has not), FORMAT, IO,
 *         OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_weights_tensor(ctorch_tensor **out, const ctorch_weights *self, const char *name);

/**
 * Read a part of a tensor, and no more than that: [begin, end) of each of the first dimensions.
 *
 * @param[out] out   owned; on the CPU. It shares the reader's memory where that is possible.
 * @param self       borrowed.
 * @param name       borrowed.
 * @param begin      for each dimension where the part begins, as Python's slices count: negative from the end.
 * @param begin_len  at most the number of dimensions; what is not named is read whole.
 * @param end        for each dimension where it ends.
 * @param end_len    `begin_len`.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (other than one end for each begin, more than there are dimensions),
 *         INDEX (no such name), UNSUPPORTED, FORMAT, IO, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_weights_slice(
    ctorch_tensor **out,
    const ctorch_weights *self,
    const char *name,
    const int64_t *begin,
    size_t begin_len,
    const int64_t *end,
    size_t end_len);

/**
 * What the file says beside its tensors: safetensors' `__metadata__`, the keys of GGUF, the index's "metadata"; for
 * "pt2" the versions, for "pt" the numbers and texts that are no tensors, under dotted names.
 *
 * @param[out] out  owned; a dict from texts.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, FORMAT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_weights_metadata(ctorch_value **out, const ctorch_weights *self);

/**
 * How many objects of other classes than ctorch knows a file of torch.save has: what is in them is left out.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL and other formats.
 */
CTORCH_API size_t ctorch_weights_objects_len(const ctorch_weights *self);

/**
 * The dotted name of such an object, as ctorch_weights_metadata has it.
 *
 * @param self   borrowed; may be NULL.
 * @param index  from 0.
 * @return borrowed from `self`; NULL beyond the end.
 */
CTORCH_API const char *ctorch_weights_object_name(const ctorch_weights *self, size_t index);

/**
 * The class of such an object, in Python: "argparse.Namespace".
 *
 * @param self   borrowed; may be NULL.
 * @param index  from 0.
 * @return borrowed from `self`; NULL beyond the end.
 */
CTORCH_API const char *ctorch_weights_object_class(const ctorch_weights *self, size_t index);

/**
 * Read all tensors.
 *
 * @param[out] out  owned; a dict from names to tensors, in the order of the file. For ctorch_module_load_state_dict.
 * @param self      borrowed.
 * @param device    where they are to lie; NULL for the CPU.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (`device`), UNSUPPORTED, FORMAT, RUNTIME (a device that is not
 *         there), IO, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_weights_load(
    ctorch_value **out, const ctorch_weights *self, const ctorch_device *device);

CTORCH_END_DECLS

#endif
