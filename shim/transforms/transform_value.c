/* Transforms as values. */
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "transforms/transform.h"

static ctorch_error *repr(ctorch_string **out, const void *self) { return ctorch_transform_repr(out, self); }

/* What never changes is its own copy. */
static ctorch_error *copy(void **out, const void *self) { return object_give(__func__, out, object_ref(self)); }

static const value_held_class transform_in_value = {
    CTORCH_VALUE_TRANSFORM, "torchvision.transforms.v2.Transform", repr, copy};

ctorch_error *ctorch_value_from_transform(ctorch_value **out, const ctorch_transform *transform) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || transform == NULL) {
    return error_null(__func__, out == NULL ? "out" : "transform");
  }
  return value_hold(__func__, out, &transform_in_value, transform);
}

ctorch_error *ctorch_value_to_transform(ctorch_transform **out, const ctorch_value *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  ctorch_transform *transform = value_held(self, &transform_in_value);
  if (transform == NULL) {
    return error_make(
        __func__, CTORCH_ERROR_TYPE, "expected Transform, found %s",
        ctorch_value_kind_name(ctorch_value_kind_of(self)));
  }
  return object_give(__func__, out, object_ref(transform));
}
