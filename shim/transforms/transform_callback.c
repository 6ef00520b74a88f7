/* Transforms that call back. */
#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"
#include "core/c/payload.h"
#include "transforms/transform.h"

struct custom {
  ctorch_transform transform;
  char *name;
  ctorch_transform_callback callback;
  void (*destroy)(void *payload);
  void *payload;
  bool may_thread;
};

static void finalize(void *object) {
  struct custom *self = object;
  payload_destroy(self->destroy, self->payload);
  free(self->name);
}

static ctorch_error *failure(const char *function, ctorch_callback_status status, ctorch_error *error) {
  return error != NULL
             ? error
             : error_make(
                   function, CTORCH_ERROR_CALLBACK, "callback: the transform returned %d and no error, expected %d",
                   (int)status, CTORCH_CALLBACK_OK);
}

static ctorch_error *call_back(
    const ctorch_transform *object, struct transform_call *call, ctorch_value **out, const ctorch_value *input) {
  const struct custom *self = (const struct custom *)object;
  ctorch_value *made = NULL;
  ctorch_error *error = NULL;
  ctorch_callback_status status = self->callback(&made, input, call->generator, &error, self->payload);
  if (status != CTORCH_CALLBACK_OK || error != NULL) {
    ctorch_value_release(made);
    return failure(call->function, status, error);
  }
  if (made == NULL) {
    return ctorch_value_from_none(out);
  }
  *out = made;
  return NULL;
}

static bool may_thread(const ctorch_transform *self) { return ((const struct custom *)self)->may_thread; }

static const char *name_of(const ctorch_transform *object) {
  const struct custom *self = (const struct custom *)object;
  return self->name != NULL ? self->name : "Transform";
}

static const transform_class custom_class = {
    .object = TRANSFORM_OBJECT_WITH(struct custom, finalize),
    .name = "Transform",
    .call = call_back,
    .may_thread = may_thread,
    .name_of = name_of,
};

ctorch_error *ctorch_transform_from_callback(
    ctorch_transform **out,
    const char *name,
    ctorch_transform_callback callback,
    bool may_thread,
    void (*destroy)(void *payload),
    void *payload) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || callback == NULL) {
    return error_null(__func__, out == NULL ? "out" : "callback");
  }
  if (name != NULL) {
    CTORCH_TRY(error_unless_text(__func__, "name", name));
  }
  size_t size = name == NULL ? 0 : strlen(name) + 1;
  char *copy = name == NULL ? NULL : malloc(size);
  struct custom *self = name != NULL && copy == NULL ? NULL : transform_new(&custom_class);
  if (self == NULL) {
    free(copy);
    return error_memory(__func__, size + sizeof *self);
  }
  if (copy != NULL) {
    memcpy(copy, name, size);
  }
  self->name = copy;
  self->callback = callback;
  self->payload = payload;
  self->may_thread = may_thread;
  CTORCH_TRY(transform_give(__func__, out, &self->transform, NULL));
  self->destroy = destroy; /* not before it has succeeded */
  return NULL;
}
