/* Datasets of callbacks, by index and one after another. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/callback.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/payload.h"
#include "data/dataset.h"
#include "data/iterator.h"

struct called {
  ctorch_dataset dataset;
  int64_t len; /* -1 is not known */
  ctorch_dataset_get_callback get;
  ctorch_dataset_iterate_callback iterate;
  bool may_thread;
  void (*destroy)(void *payload);
  void *payload;
};

static void finalize(void *self) {
  struct called *called = self;
  payload_destroy(called->destroy, called->payload);
}

static ctorch_error *len(const char *function, const ctorch_dataset *self, int64_t *out) {
  const struct called *called = (const struct called *)self;
  if (called->len < 0) {
    return error_make(function, CTORCH_ERROR_TYPE, "%s does not know its length", dataset_class_of(self)->name);
  }
  *out = called->len;
  return NULL;
}

/* What the sample that this thread makes draws from; NULL while it makes none. */
static _Thread_local struct fetch *fetching;

/* A call, which may have to be made on another thread. */
struct call {
  const char *function;
  struct fetch *fetch;
  const struct called *dataset;
  int64_t index;
  bool is_distant; /* what it gives leaves this thread */
  ctorch_value *sample;
  ctorch_iterator *iterator;
};

/* The callback may give up the last reference to its dataset. */
static ctorch_error *call_get(void *argument) {
  struct call *call = argument;
  void *kept = object_ref(call->dataset);
  ctorch_error *error = NULL;
  struct fetch *outer = fetching;
  fetching = call->fetch;
  ctorch_callback_status status = call->dataset->get(&call->sample, call->index, &error, call->dataset->payload);
  fetching = outer;
  error = callback_error(call->function, "get", status, error);
  if (error == NULL && call->sample == NULL) {
    error = error_make(call->function, CTORCH_ERROR_CALLBACK, "get gave no sample");
  }
  if (call->is_distant) {
    value_take(call->sample);
  }
  object_unref(kept);
  return error;
}

static struct call_queue *queue_of(const struct fetch *fetch, const struct called *called) {
  return called->may_thread ? NULL : fetch->queue;
}

static ctorch_error *get(struct fetch *fetch, const ctorch_dataset *self, ctorch_value **out, int64_t index) {
  const struct called *called = (const struct called *)self;
  struct call_queue *queue = queue_of(fetch, called);
  struct call call = {
      .function = fetch->function, .fetch = fetch, .dataset = called, .index = index, .is_distant = queue != NULL};
  ctorch_error *error = call_queue_run(queue, fetch->function, call_get, &call);
  if (error != NULL) {
    call.is_distant ? value_unref(call.sample) : ctorch_value_release(call.sample);
    return error;
  }
  if (call.is_distant) {
    return value_give(fetch->function, out, call.sample);
  }
  *out = call.sample;
  return NULL;
}

ctorch_error *ctorch_dataset_generator(ctorch_generator **out) {
  ctorch_generator *generator = NULL;
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  if (fetching != NULL) {
    CTORCH_TRY(error_of(__func__, fetch_generator(fetching, &generator)));
  }
  if (generator == NULL) {
    return error_of(__func__, ctorch_generator_default(out, NULL));
  }
  ctorch_generator_retain(generator);
  *out = generator;
  return NULL;
}

/* Iterators that live on the consumer's thread --------------------------------------------------------------------- */

struct distant {
  ctorch_iterator iterator;
  ctorch_iterator *inner; /* a reference */
  struct call_queue *queue;
  struct queued_release *rest; /* to end the reference */
};

static void distant_finalize(void *self) {
  struct distant *distant = self;
  distant->rest->object = distant->inner;
  call_queue_leave(distant->queue, distant->rest);
}

struct step {
  const char *function;
  ctorch_iterator *iterator;
  ctorch_value *value;
};

static ctorch_error *call_next(void *argument) {
  struct step *step = argument;
  ctorch_error *error = iterator_next(step->function, step->iterator, &step->value);
  value_take(step->value);
  return error;
}

static ctorch_error *distant_next(const char *function, ctorch_iterator *self, ctorch_value **out) {
  struct distant *distant = (struct distant *)self;
  struct step step = {.function = function, .iterator = distant->inner};
  CTORCH_TRY(call_queue_run(distant->queue, function, call_next, &step));
  return value_give(function, out, step.value);
}

static const iterator_class distant_class = {
    .object = ITERATOR_OBJECT(struct distant, distant_finalize), .next = distant_next};

static ctorch_error *call_iterate(void *argument) {
  struct call *call = argument;
  void *kept = object_ref(call->dataset);
  ctorch_error *error = NULL;
  ctorch_callback_status status = call->dataset->iterate(&call->iterator, &error, call->dataset->payload);
  error = callback_error(call->function, "iterate", status, error);
  if (error == NULL && call->iterator == NULL) {
    error = error_make(call->function, CTORCH_ERROR_CALLBACK, "iterate gave no iterator");
  }
  if (call->iterator != NULL) {
    object_take(call->iterator);
  }
  object_unref(kept);
  return error;
}

static ctorch_error *iterate(struct fetch *fetch, const ctorch_dataset *self, ctorch_iterator **out) {
  const struct called *called = (const struct called *)self;
  struct call call = {.function = fetch->function, .dataset = called};
  struct call_queue *queue = queue_of(fetch, called);
  ctorch_error *error = call_queue_run(queue, fetch->function, call_iterate, &call);
  if (error != NULL) {
    object_unref(call.iterator);
    return error;
  }
  if (queue == NULL) {
    return object_give(fetch->function, out, call.iterator);
  }
  struct queued_release *rest = calloc(1, sizeof(*rest));
  struct distant *distant = rest == NULL ? NULL : object_new(&distant_class.object);
  if (distant == NULL) {
    object_unref(call.iterator);
    free(rest);
  } else {
    distant->inner = call.iterator;
    distant->queue = queue;
    distant->rest = rest;
  }
  return object_give(fetch->function, out, distant);
}

static const dataset_class by_index_class = {
    .object = DATASET_OBJECT(struct called, finalize), .name = "Dataset", .len = len, .get = get};

static const dataset_class iterable_class = {
    .object = DATASET_OBJECT(struct called, finalize), .name = "IterableDataset", .len = len, .iterate = iterate};

static ctorch_error *make(
    const char *function, ctorch_dataset **out, const dataset_class *class, const struct called *callbacks) {
  struct called *self = dataset_new(class);
  if (self != NULL) {
    *self = *callbacks;
  }
  return object_give(function, out, self);
}

ctorch_error *ctorch_dataset_from_callback(
    ctorch_dataset **out,
    int64_t len,
    ctorch_dataset_get_callback get,
    bool may_thread,
    void (*destroy)(void *payload),
    void *payload) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || get == NULL) {
    return error_null(__func__, out == NULL ? "out" : "get");
  }
  if (len < 0) {
    return error_argument(__func__, "len", "expected at least 0, got %" PRId64, len);
  }
  const struct called callbacks = {
      .len = len, .get = get, .may_thread = may_thread, .destroy = destroy, .payload = payload};
  return make(__func__, out, &by_index_class, &callbacks);
}

ctorch_error *ctorch_dataset_from_iterable(
    ctorch_dataset **out,
    const int64_t *len,
    ctorch_dataset_iterate_callback iterate,
    bool may_thread,
    void (*destroy)(void *payload),
    void *payload) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || iterate == NULL) {
    return error_null(__func__, out == NULL ? "out" : "iterate");
  }
  if (len != NULL && *len < 0) {
    return error_argument(__func__, "len", "expected at least 0, got %" PRId64, *len);
  }
  const struct called callbacks = {
      .len = len == NULL ? -1 : *len,
      .iterate = iterate,
      .may_thread = may_thread,
      .destroy = destroy,
      .payload = payload};
  return make(__func__, out, &iterable_class, &callbacks);
}
