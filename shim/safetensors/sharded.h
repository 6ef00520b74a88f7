/* Weights in several files: names of the files, and how tensors are split. */
#ifndef CTORCH_SHIM_SAFETENSORS_SHARDED_H
#define CTORCH_SHIM_SAFETENSORS_SHARDED_H

#include "ctorch/safetensors/sharded.h"
#include "io/tensor_dict.h"
#include "io/weights_table.h"

#define SHARDED_INDEX_SUFFIX ".index.json"

bool sharded_ends_with(const char *text, const char *suffix);

/* Two texts as one, with "/" between them; free() it, NULL is out of memory. */
char *sharded_join(const char *folder, const char *name);

/* Which tensor goes to which file. */
struct split {
  size_t *order; /* indexes of the named tensors: those of the first shard in the order of its file, … */
  size_t *shard; /* of order[i] */
  size_t len, shards;
  uint64_t total_nbytes; /* of their storages, each once */
};

/* As huggingface_hub's split_torch_state_dict_into_shards. */
ctorch_error *split_tensors(const char *function, struct split *out, const struct named *tensors, uint64_t most_nbytes)
    __attribute__((warn_unused_result));
void split_end(struct split *self);

/* The names of shards that an index lists, one after the other in a buffer that the caller frees: each ends with NUL,
 * the last with two. NULL where there is no such file, or it is no index. */
ctorch_error *sharded_names_of(const char *function, char **out, const char *path) __attribute__((warn_unused_result));

/* The file to open for a folder, which the caller frees: the index in it, or the only file of weights. NULL with a path
 * that is no folder. */
ctorch_error *weights_find_in_folder(const char *function, char **out, const char *path)
    __attribute__((warn_unused_result));

extern const weights_format weights_sharded;

#endif
