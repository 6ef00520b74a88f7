/* Files of torch.save, as they are written: a pickle of the value (save_value.c), in which tensors name their storages
 * (save_tensor.c), then the bytes of the storages (save.c). */
#ifndef CTORCH_SHIM_PT_SAVE_H
#define CTORCH_SHIM_PT_SAVE_H

#include "ctorch/pt/serialization.h"
#include "pickle/write.h"

/* A storage that is to be written. */
struct saved_storage {
  ctorch_storage *storage; /* owned */
  size_t number;           /* by which the file calls it; SIZE_MAX while it has none */
  const char *class;       /* of the tensor by which it was met first; NULL for one without a dtype */
  bool is_noted;           /* `class` is set */
  bool is_mixed;           /* it was met with several */
};

enum { UNTYPED = -1 };

/* What is being written: a list, tuple, dict, set or object whose entries are under way. */
enum step_kind { STEP_LIST, STEP_TUPLE, STEP_DICT, STEP_SET, STEP_OBJECT };

struct pt_save;

struct step {
  enum step_kind kind;
  bool is_part; /* of a list or dict: what an object holds, which pickle writes a little differently */
  /* Write what comes next, or end the step. Steps that are pushed meanwhile move this one. */
  void (*go_on)(struct pt_save *self, struct step *step);
  int stage;            /* of an object: what is under way (save_object.c) */
  const char *place;    /* of an object: where in it that is */
  size_t index, len;    /* how many entries were begun, of how many */
  const void *identity; /* of a tuple, set or object, which gets its number at the end */
  ctorch_value *values; /* owned; the entries, or the object */
  ctorch_value *keys;   /* owned; of a dict */
};

struct pt_save {
  struct pickle pickle;
  ctorch_save_flags flags;
  /* Write a value that is no container, or begin one; consumed. NULL, after an error, is allowed. */
  void (*begin)(struct pt_save *self, ctorch_value *value);
  struct saved_storage *storages;
  size_t storages_len, numbers;
  size_t *storage_slots; /* a hash table: indices into `storages` plus 1 */
  size_t storage_slots_len;
  bool has_mixed; /* a storage was met with a second dtype, when it was already written with the first */
  struct step *steps;
  size_t steps_len;
  ctorch_value **kept; /* owned: those that have a number by their address */
  size_t kept_len;
};

/* Write the pickle of a value; what fails is in self->pickle.error, with its place in the value. */
void pt_save_value(struct pt_save *self, const ctorch_value *value);

/* save_stack.c: begin what has entries, whose `values` and `keys` are consumed, and end the last one. */
void pt_save_push(struct pt_save *self, const struct step *step);
void pt_save_end_step(struct pt_save *self);

/* save_steps.c: the entries of a list or dict, which pickle has begun already; a tuple; a set. */
void pt_save_begin_entries(struct pt_save *self, ctorch_value *value, bool is_part);
void pt_save_begin_tuple(struct pt_save *self, ctorch_value *value, const void *identity);
void pt_save_begin_set(struct pt_save *self, const ctorch_value *value, const void *identity);
/* Go on until no step is left or something failed. */
void pt_save_go_on(struct pt_save *self);

/* save_object.c: an object of a class of Python's, or a class; a parameter, with its number. */
void pt_save_begin_object(struct pt_save *self, ctorch_value *value);
void pt_save_parameter(struct pt_save *self, const ctorch_tensor *tensor, const void *identity);

/* Write a tensor, but not its number; `requires_grad` is what the file says of it. */
void pt_save_tensor(struct pt_save *self, const ctorch_tensor *tensor, bool requires_grad);
/* Write a storage as a value. */
void pt_save_storage(struct pt_save *self, const ctorch_storage *storage);
/* Note that a tensor of a dtype looks at a storage, or UNTYPED. False if the storage is to be written without a
 * dtype. */
bool pt_save_note_storage(struct pt_save *self, const ctorch_storage *storage, ctorch_dtype dtype);
/* Name a storage, of a class with elements of some bytes, or NULL for one without a dtype. */
void pt_save_reference(struct pt_save *self, const ctorch_storage *storage, const char *class, size_t itemsize);
/* Forget the numbers of storages, but not which of them are mixed, to write the value once more. */
void pt_save_begin_again(struct pt_save *self);
void pt_save_forget_storages(struct pt_save *self);
/* Write an empty OrderedDict, which stands for the hooks of a tensor. */
void pt_save_no_hooks(struct pt_save *self);
void pt_save_layout(struct pt_save *self, ctorch_layout layout);

/* Whether to write what Python loads with weights_only=False alone; it fails with UNSUPPORTED if not. */
bool pt_save_may_write(struct pt_save *self, const char *what);
/* Fail with UNSUPPORTED. */
void pt_save_refuse(struct pt_save *self, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What Python loads with weights_only=True (save_classes.c): a class or function by its name; one whose objects may
 * have items; one whose objects may have a state. */
bool pt_class_is_allowed(const char *module, const char *name);
bool pt_class_may_have_items(const char *module, const char *name);
bool pt_class_may_have_state(const char *module, const char *name);
/* The class of storages of a dtype, in `torch`; NULL for a dtype that is told beside its storage. */
const char *pt_storage_class(ctorch_dtype dtype);

#endif
