/**
 * Datasets written in C: a struct that begins with a ctorch_dataset, and a class that says what its samples are.
 *
 *     struct rows {
 *       ctorch_dataset dataset;
 *       ctorch_tensor *tensor;
 *     };
 *
 *     static ctorch_error *len(const char *function, const ctorch_dataset *self, int64_t *out) { … }
 *     static ctorch_error *get(struct fetch *fetch, const ctorch_dataset *self, ctorch_value **out, int64_t index) { …
 *     } static const dataset_class rows_class = {
 *         .object = DATASET_OBJECT(struct rows, finalize), .name = "Rows", .len = len, .get = get};
 *
 *     struct rows *self = dataset_new(&rows_class);
 *     …
 *     return object_give(function, out, self);
 *
 * A dataset that holds others refers to them by object_ref, and asks dataset_hold for each, which refuses what is
 * nested too deep. It asks for their samples by fetch_get, which hands on how the loader fetches.
 */
#ifndef CTORCH_SHIM_DATA_DATASET_H
#define CTORCH_SHIM_DATA_DATASET_H

#include <ctorch.h>

#include "core/c/object.h"
#include "data/call_queue.h"

/** How samples are fetched at the moment, by one thread. */
struct fetch {
  const char *function;     /* the exported function, for errors */
  struct call_queue *queue; /* through which callbacks reach the consumer's thread; NULL on that thread */
  bool is_seeded;           /* draws depend on `seed` alone; otherwise they are from the default generator */
  uint64_t seed;
  ctorch_generator *generator; /* made and seeded when it is first asked for */
  bool has_drawn;              /* the generator was seeded with `seed` */
};

/** A fetch of the user's own thread, which draws from the default generator. */
#define FETCH(name) {.function = (name)}
/** Let the next sample draw from this seed. */
void fetch_seed(struct fetch *self, uint64_t seed);
/** What a random transform draws from; NULL is the default generator. Borrowed. */
ctorch_error *fetch_generator(struct fetch *self, ctorch_generator **out) __attribute__((warn_unused_result));
void fetch_end(struct fetch *self);

typedef struct dataset_class {
  object_class object;
  /** As Python prints it: "TensorDataset". */
  const char *name;
  /** Number of samples; NULL for what never knows. */
  ctorch_error *(*len)(const char *function, const ctorch_dataset *self, int64_t *out);
  /** A sample, the caller's; `index` is within the length. NULL of an iterable one. Any thread. */
  ctorch_error *(*get)(struct fetch *fetch, const ctorch_dataset *self, ctorch_value **out, int64_t index);
  /** What data.default_collate makes of samples, where that is faster at once; `*out` is left alone where it is not.
   * Indices are within the length. NULL for what has none. */
  ctorch_error *(*get_batch)(
      struct fetch *fetch, const ctorch_dataset *self, ctorch_value **out, const int64_t *indices, size_t len);
  /** Go through the samples of an iterable one, on the thread that fetches. NULL of one by index. */
  ctorch_error *(*iterate)(struct fetch *fetch, const ctorch_dataset *self, ctorch_iterator **out);
  /** Whether it has an attribute, which is written; NULL for what has none. */
  ctorch_error *(*attribute)(const char *function, const ctorch_dataset *self, const char *name, ctorch_value **out);
} dataset_class;

struct ctorch_dataset {
  int32_t depth; /* of datasets inside it */
};

#define DATASET_OBJECT(type, finalize) {"dataset", sizeof(type), finalize}

/** A dataset of a class; NULL is out of memory. */
void *dataset_new(const dataset_class *class);
const dataset_class *dataset_class_of(const ctorch_dataset *self);
bool dataset_is_iterable(const ctorch_dataset *self);
ctorch_error *dataset_len(const char *function, const ctorch_dataset *self, int64_t *out)
    __attribute__((warn_unused_result));
/** Keep another dataset: a reference, in `*at`. RUNTIME if they would be nested too deep. */
ctorch_error *dataset_hold(const char *function, ctorch_dataset *self, ctorch_dataset **at, ctorch_dataset *inner)
    __attribute__((warn_unused_result));
/** TYPE unless its samples come by index; `argument` names it. */
ctorch_error *dataset_check_by_index(const char *function, const char *argument, const ctorch_dataset *dataset)
    __attribute__((warn_unused_result));

/** A sample; a negative index counts from the end, and INDEX is one out of range. */
ctorch_error *fetch_get(struct fetch *fetch, const ctorch_dataset *dataset, ctorch_value **out, int64_t index)
    __attribute__((warn_unused_result));
/** Several at once, collated; `*out` is left alone if it has to be done one by one. */
ctorch_error *fetch_get_batch(
    struct fetch *fetch, const ctorch_dataset *dataset, ctorch_value **out, const int64_t *indices, size_t len)
    __attribute__((warn_unused_result));
/** What a transform gives for a value, which may be called on the consumer's thread; the caller's. */
ctorch_error *fetch_transform(
    struct fetch *fetch, const ctorch_transform *transform, ctorch_value **out, const ctorch_value *value)
    __attribute__((warn_unused_result));
/** Go through an iterable one. */
ctorch_error *fetch_iterate(struct fetch *fetch, const ctorch_dataset *dataset, ctorch_iterator **out)
    __attribute__((warn_unused_result));

#endif
