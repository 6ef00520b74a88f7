/**
 * Samplers written in C: a struct that begins with a ctorch_sampler, and a class that says what comes next.
 *
 * Where one is in an order is a cursor: `place` is the class's own struct, zeros at first. What a class draws it draws
 * from `cursor->generator`, which it asks for in its first step.
 */
#ifndef CTORCH_SHIM_DATA_SAMPLER_H
#define CTORCH_SHIM_DATA_SAMPLER_H

#include <ctorch.h>

#include "core/c/object.h"

/** Indices of one step: of one sample, or of a batch. */
struct indices {
  int64_t *data;
  size_t len, capacity;
  bool is_batch;
};

ctorch_error *indices_add(const char *function, struct indices *self, int64_t index)
    __attribute__((warn_unused_result));
void indices_free(struct indices *self);

struct sampler_cursor {
  const ctorch_sampler *sampler; /* a reference */
  void *place;                   /* of the class */
  bool has_begun, has_ended;
  int64_t yielded; /* steps so far */
  /* What is drawn from: the user's generator, the default one, one of its own that was seeded from that, or one that
   * stands for the user's since a state was loaded. Taken; NULL until something is drawn. */
  ctorch_generator *generator;
  ctorch_tensor *began;       /* its state before the first draw, taken; NULL if nothing is drawn */
  ctorch_generator *replaced; /* the user's, which gets the state at the end; taken; NULL for none */
};

typedef struct sampler_class {
  object_class object;
  /** As Python calls it: "RandomSampler". */
  const char *name;
  /** Of a cursor's `place`. */
  size_t place_size;
  /** Number of steps; NULL for what does not know. */
  ctorch_error *(*len)(const char *function, const ctorch_sampler *self, int64_t *out);
  /** Add the indices of a step to `out`, which is empty; `*more` is false at the end. */
  ctorch_error *(*next)(const char *function, struct sampler_cursor *cursor, struct indices *out, bool *more);
  /** Free what `place` holds; NULL for nothing. */
  void (*end)(void *place);
  /** More that tells where a cursor is, or began: entries of a dict. NULL for nothing. */
  ctorch_error *(*state)(const char *function, const struct sampler_cursor *cursor, ctorch_value *state);
  ctorch_error *(*load_state)(const char *function, struct sampler_cursor *cursor, const ctorch_value *state);
  /** NULL for what has no epochs. */
  ctorch_error *(*set_epoch)(const char *function, ctorch_sampler *self, int64_t epoch);
  /** The user's generator, borrowed; NULL for none. */
  ctorch_generator *(*generator)(const ctorch_sampler *self);
  /** Whether each step is a batch. */
  bool makes_batches;
} sampler_class;

struct ctorch_sampler {
  char unused;
};

#define SAMPLER_OBJECT(type, finalize) {"sampler", sizeof(type), finalize}

const sampler_class *sampler_class_of(const ctorch_sampler *self);
ctorch_error *sampler_len(const char *function, const ctorch_sampler *self, int64_t *out)
    __attribute__((warn_unused_result));

/** Begin an order. */
ctorch_error *cursor_begin(const char *function, struct sampler_cursor *self, const ctorch_sampler *sampler)
    __attribute__((warn_unused_result));
void cursor_end(struct sampler_cursor *self);
/** The next step, in place of what `out` holds; false in `*more` at the end. */
ctorch_error *cursor_next(const char *function, struct sampler_cursor *self, struct indices *out, bool *more)
    __attribute__((warn_unused_result));
/** What an order began from, without how far it is: a dict. */
ctorch_error *cursor_state(const char *function, const struct sampler_cursor *self, ctorch_value **out)
    __attribute__((warn_unused_result));
/** Begin where another began, and go over `yielded` steps. */
ctorch_error *cursor_load_state(
    const char *function, struct sampler_cursor *self, const ctorch_value *state, int64_t yielded)
    __attribute__((warn_unused_result));

/** In a class's first step: make `cursor->generator` the user's, or the default one, and remember its state. */
ctorch_error *cursor_draw_from(const char *function, struct sampler_cursor *self, ctorch_generator *generator)
    __attribute__((warn_unused_result));
/** In a class's first step: make `cursor->generator` a new one with a seed from the default one. */
ctorch_error *cursor_draw_from_own(const char *function, struct sampler_cursor *self)
    __attribute__((warn_unused_result));
/** A seed as Python draws them for base seeds and generators: `torch.empty((), dtype=torch.int64).random_()`. */
ctorch_error *draw_seed(const char *function, ctorch_generator *generator, uint64_t *out)
    __attribute__((warn_unused_result));

#endif
