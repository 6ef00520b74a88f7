/* Transforms while samples are fetched: those that must not run on other threads run on the consumer's. */
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "data/dataset.h"

/* A call, which may have to be made on another thread. */
struct call {
  const ctorch_transform *transform;
  ctorch_generator *generator;
  const ctorch_value *input;
  ctorch_value *result;
  bool is_distant; /* what it gives leaves that thread */
};

static ctorch_error *call_transform(void *argument) {
  struct call *call = argument;
  CTORCH_TRY(ctorch_transform_call(call->transform, &call->result, call->input, call->generator));
  if (call->is_distant) {
    value_take(call->result);
  }
  return NULL;
}

ctorch_error *fetch_transform(
    struct fetch *fetch, const ctorch_transform *transform, ctorch_value **out, const ctorch_value *value) {
  struct call_queue *queue = ctorch_transform_may_thread(transform) ? NULL : fetch->queue;
  struct call call = {.transform = transform, .input = value, .is_distant = queue != NULL};
  CTORCH_TRY(fetch_generator(fetch, &call.generator));
  CTORCH_TRY(error_of(fetch->function, call_queue_run(queue, fetch->function, call_transform, &call)));
  if (call.is_distant) {
    return value_give(fetch->function, out, call.result);
  }
  *out = call.result;
  return NULL;
}
