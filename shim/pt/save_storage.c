/* Storages in files of torch.save.
 *
 * Python's files give each storage the dtype of the tensors that look at it, but those of the newest dtypes, which tell
 * it themselves. Where tensors of several dtypes look at one storage, Python refuses to write; here they are all
 * written as the newest ones are. That is known only when the last of them was met, after which all is written once
 * more. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "core/c/error.h"
#include "pt/save.h"

static size_t *slot_of(const struct pt_save *self, const ctorch_storage *storage) {
  uint64_t hash = (uint64_t)(uintptr_t)storage * UINT64_C(0x9e3779b97f4a7c15);
  for (size_t i = (size_t)(hash >> 20);; i++) {
    size_t *slot = &self->storage_slots[i & (self->storage_slots_len - 1)];
    if (*slot == 0 || self->storages[*slot - 1].storage == storage) {
      return slot;
    }
  }
}

static bool grow_slots(struct pt_save *self) {
  if (self->storages_len < self->storage_slots_len / 2) {
    return true;
  }
  size_t len = self->storage_slots_len == 0 ? 64 : 2 * self->storage_slots_len;
  size_t *slots = calloc(len, sizeof *slots);
  if (slots == NULL) {
    pickle_fail(&self->pickle, error_memory(self->pickle.function, len * sizeof *slots));
    return false;
  }
  free(self->storage_slots);
  self->storage_slots = slots;
  self->storage_slots_len = len;
  for (size_t i = 0; i < self->storages_len; i++) {
    *slot_of(self, self->storages[i].storage) = i + 1;
  }
  return true;
}

/* What is known of a storage; NULL, and an error, if there is no memory for that. */
static struct saved_storage *note(struct pt_save *self, const ctorch_storage *storage) {
  if (!grow_slots(self)) {
    return NULL;
  }
  size_t *slot = slot_of(self, storage);
  if (*slot == 0) {
    ctorch_error *error =
        array_grow(self->pickle.function, &self->storages, self->storages_len, sizeof *self->storages);
    if (error != NULL) {
      pickle_fail(&self->pickle, error);
      return NULL;
    }
    ctorch_storage_retain(storage);
    self->storages[self->storages_len++] =
        (struct saved_storage){.storage = (ctorch_storage *)storage, .number = SIZE_MAX};
    *slot = self->storages_len;
  }
  struct saved_storage *saved = &self->storages[*slot - 1];
  if (saved->number == SIZE_MAX) {
    saved->number = self->numbers++;
  }
  return saved;
}

bool pt_save_note_storage(struct pt_save *self, const ctorch_storage *storage, ctorch_dtype dtype) {
  const char *class = dtype == UNTYPED ? NULL : pt_storage_class(dtype);
  struct saved_storage *saved = note(self, storage);
  if (saved == NULL) {
    return false;
  }
  if (!saved->is_noted) {
    saved->is_noted = true;
    saved->class = class;
  } else if (saved->class != class && !saved->is_mixed) {
    saved->is_mixed = true;
    self->has_mixed = true;
  }
  return class != NULL && !saved->is_mixed;
}

/* Where it lies, in the words of torch.serialization.location_tag. All but some are made anew each time. */
static void save_location(struct pt_save *self, const ctorch_storage *storage) {
  ctorch_device device = {0};
  pickle_fail(&self->pickle, ctorch_storage_device(&device, storage));
  const char *type = ctorch_device_type_name(device.type);
  if (device.type == CTORCH_DEVICE_TYPE_CPU || device.type == CTORCH_DEVICE_TYPE_MPS) {
    pickle_word(&self->pickle, type);
    return;
  }
  char location[64];
  if (device.index < 0) {
    snprintf(location, sizeof location, "%s", type);
  } else {
    snprintf(location, sizeof location, "%s:%" PRId32, type, device.index);
  }
  pickle_new_text(&self->pickle, location, NULL);
}

void pt_save_reference(struct pt_save *self, const ctorch_storage *storage, const char *class, size_t itemsize) {
  struct pickle *pickle = &self->pickle;
  const struct saved_storage *saved = note(self, storage);
  if (saved == NULL) {
    return;
  }
  pickle_op(pickle, OP_MARK);
  pickle_word(pickle, "storage");
  pickle_global(pickle, class != NULL ? "torch" : "torch.storage", class != NULL ? class : "UntypedStorage");
  if (!pickle_recall(pickle, storage)) {
    char key[24];
    snprintf(key, sizeof key, "%zu", saved->number);
    pickle_new_text(pickle, key, storage);
  }
  save_location(self, storage);
  pickle_int(pickle, (int64_t)(ctorch_storage_nbytes(storage) / (class != NULL ? itemsize : 1)));
  pickle_tuple(pickle, 5);
  pickle_op(pickle, OP_BINPERSID);
}

void pt_save_storage(struct pt_save *self, const ctorch_storage *storage) {
  ctorch_device device = {0};
  pickle_fail(&self->pickle, ctorch_storage_device(&device, storage));
  if (device.type == CTORCH_DEVICE_TYPE_META) {
    pt_save_refuse(self, "a storage on the meta device, which has no bytes");
    return;
  }
  (void)pt_save_note_storage(self, storage, UNTYPED);
  pt_save_reference(self, storage, NULL, 1);
}

void pt_save_forget_storages(struct pt_save *self) {
  for (size_t i = 0; i < self->storages_len; i++) {
    ctorch_storage_release(self->storages[i].storage);
  }
  free(self->storages);
  free(self->storage_slots);
}

void pt_save_begin_again(struct pt_save *self) {
  for (size_t i = 0; i < self->storages_len; i++) {
    self->storages[i].number = SIZE_MAX;
  }
  self->numbers = 0;
  self->has_mixed = false;
}
