/**
 * Writing weights in several files, as Hugging Face has them. ctorch_weights_open_file reads them.
 *
 *     CTORCH_TRY(ctorch_sharded_write(state, NULL, "folder", "safetensors", 0));
 *
 *     folder/model-00001-of-00002.safetensors
 *     folder/model-00002-of-00002.safetensors
 *     folder/model.safetensors.index.json
 *
 * What goes to which file, the names of the files and the bytes of the index are those of huggingface_hub's
 * `save_torch_state_dict`. If one file has room for all, it is called "model.safetensors", and there is no index.
 */
#ifndef CTORCH_SHARDED_H
#define CTORCH_SHARDED_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/**
 * Write tensors to several files and an index (`huggingface_hub.save_torch_state_dict`).
 *
 * What was there before can be read until the new index has replaced the old one, which happens at once, whatever
 * happens to the process or the machine: files that the old index lists are not written to, and new ones get names like
 * "model-2-00001-of-00002.safetensors" if theirs are taken. Afterwards shards of the same name and kind that nobody
 * lists any more are removed, where that is possible. Two savings to one folder must not run at once.
 *
 * @param tensors           borrowed; a dict from texts to tensors. With "safetensors", of those that share memory one
 *                          is written, as ctorch_safetensors_write_model does; with "pt" they are in one file.
 * @param metadata          borrowed; a dict from texts to texts, for the index, or for the file if there is but one.
 *                          NULL for none.
 * @param path              borrowed; UTF-8. A folder, or the path of an index: "folder/model.safetensors.index.json".
 *                          The folder has to be there.
 * @param format            borrowed; "safetensors", or "pt": what `torch.save` writes, in files called
 *                          "pytorch_model….bin". NULL is "safetensors".
 * @param max_shard_nbytes  bytes of tensors in a file; one that is larger has a file of its own. 0 for 5 GB.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown format; a path that is neither), RUNTIME ("safetensors": a
 *         tensor that is part of a storage which no tensor covers), IO (names the file), UNSUPPORTED (a build without
 *         jansson), or what ctorch_safetensors_write and ctorch_serialization_save answer.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_sharded_write(
    const ctorch_value *tensors,
    const ctorch_value *metadata,
    const char *path,
    const char *format,
    size_t max_shard_nbytes);

CTORCH_END_DECLS

#endif
