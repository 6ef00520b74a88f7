/* Splitting tensors into shards as huggingface_hub does (split_torch_state_dict_into_shards): in the order of the dict,
 * a shard is full when the next storage does not fit; a storage that is larger than a shard may be is alone; tensors of
 * one storage stay together. */
#include <ctorch.h>
#include <stdlib.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "io/memory_range.h"
#include "safetensors/sharded.h"

/* Where a tensor goes, and in which place there. */
struct position {
  size_t index, shard, rank;
};

static int compare(const void *a, const void *b) {
  const struct position *one = a, *other = b;
  if (one->shard != other->shard) {
    return one->shard < other->shard ? -1 : 1;
  }
  return one->rank < other->rank ? -1 : one->rank > other->rank;
}

struct splitting {
  struct position *positions; /* by the index of the tensor */
  size_t *first;              /* of each tensor: the first one in its storage */
  size_t *nbytes;             /* of its storage */
};

static ctorch_error *read_storages(
    const char *function, struct splitting *self, const struct named *tensors, size_t *later) {
  struct areas areas = {0};
  CTORCH_TRY(areas_read(function, &areas, tensors));
  for (size_t i = 0; i < tensors->len; i++) { /* also those on the meta device, which are in no area */
    self->positions[i] = (struct position){.index = i, .rank = i};
    self->first[i] = i;
    self->nbytes[i] = ctorch_tensor_nbytes(tensors->data[i].tensor);
  }
  for (size_t i = 0; i < areas.len; i++) {
    const struct area *area = &areas.data[i];
    self->first[area->index] = area->first;
    self->nbytes[area->index] = area->storage_nbytes;
    if (area->first != area->index) {
      self->positions[area->index].rank = tensors->len + (*later)++; /* behind all that come first */
    }
  }
  areas_end(&areas);
  return NULL;
}

/* Number the shards in the order in which they are complete. `number` has room for one of each tensor: a shard is known
 * by the order in which it was begun, and gets its number there when it is complete. */
static void fill(struct split *out, struct splitting *self, size_t *number, size_t len, uint64_t most_nbytes) {
  size_t begun = 0, current = 0;
  uint64_t filled = 0;
  bool is_open = false;
  for (size_t i = 0; i < len; i++) {
    uint64_t nbytes = self->nbytes[i];
    if (self->first[i] != i) {
      self->positions[i].shard = self->positions[self->first[i]].shard;
      continue;
    }
    out->total_nbytes += nbytes;
    if (nbytes > most_nbytes) {
      self->positions[i].shard = begun;
      number[begun++] = out->shards++;
      continue;
    }
    if (is_open && nbytes > most_nbytes - filled) {
      number[current] = out->shards++;
      is_open = false;
    }
    if (!is_open) {
      current = begun++;
      filled = 0;
      is_open = true;
    }
    filled += nbytes;
    self->positions[i].shard = current;
  }
  if (is_open) {
    number[current] = out->shards++;
  }
  for (size_t i = 0; i < len; i++) {
    self->positions[i].shard = number[self->positions[i].shard];
  }
}

static ctorch_error *split(
    const char *function, struct split *out, struct splitting *self, const struct named *tensors, uint64_t most) {
  size_t later = 0, len = tensors->len, *number = calloc(len + 1, sizeof *number);
  if (number == NULL) {
    return error_memory(function, (len + 1) * sizeof *number);
  }
  ctorch_error *error = read_storages(function, self, tensors, &later);
  if (error == NULL) {
    fill(out, self, number, len, most);
    qsort(self->positions, len, sizeof *self->positions, compare);
    for (size_t i = 0; i < len; i++) {
      out->order[i] = self->positions[i].index;
      out->shard[i] = self->positions[i].shard;
    }
  }
  free(number);
  return error;
}

ctorch_error *split_tensors(
    const char *function, struct split *out, const struct named *tensors, uint64_t most_nbytes) {
  size_t room = tensors->len + 1;
  struct splitting splitting = {
      calloc(room, sizeof *splitting.positions), calloc(room, sizeof *splitting.first),
      calloc(room, sizeof *splitting.nbytes)};
  struct split made = {
      .order = calloc(room, sizeof *made.order), .shard = calloc(room, sizeof *made.shard), .len = tensors->len};
  ctorch_error *error = NULL;
  if (splitting.positions == NULL || splitting.first == NULL || splitting.nbytes == NULL || made.order == NULL ||
      made.shard == NULL) {
    error = error_memory(function, room * (sizeof *splitting.positions + 4 * sizeof(size_t)));
  }
  THEN(error, split(function, &made, &splitting, tensors, most_nbytes));
  free(splitting.positions);
  free(splitting.first);
  free(splitting.nbytes);
  if (error != NULL) {
    split_end(&made);
    return error;
  }
  *out = made;
  return NULL;
}

void split_end(struct split *self) {
  free(self->order);
  free(self->shard);
}
