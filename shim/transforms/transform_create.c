/* Transforms by the name of their class. */
#include <string.h>

#include "constructors/transforms.h"
#include "core/c/error.h"

static const ctorch_value *or_null(const ctorch_value *values) {
  return values != NULL && ctorch_value_kind_of(values) == CTORCH_VALUE_NONE ? NULL : values;
}

static ctorch_error *check_arguments(const char *function, const ctorch_value *args, const ctorch_value *kwargs) {
  ctorch_value_kind kind = args == NULL ? CTORCH_VALUE_TUPLE : ctorch_value_kind_of(args);
  if (kind != CTORCH_VALUE_TUPLE && kind != CTORCH_VALUE_LIST) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "args: expected a tuple or list, found %s", ctorch_value_kind_name(kind));
  }
  kind = kwargs == NULL ? CTORCH_VALUE_DICT : ctorch_value_kind_of(kwargs);
  if (kind != CTORCH_VALUE_DICT) {
    return error_make(function, CTORCH_ERROR_TYPE, "kwargs: expected a dict, found %s", ctorch_value_kind_name(kind));
  }
  return NULL;
}

/* By the overload that the values fit, or else what the first one says. */
static ctorch_error *create(
    const char *function,
    ctorch_transform **out,
    const char *name,
    const ctorch_value *args,
    const ctorch_value *kwargs) {
  ctorch_error *first = NULL;
  bool is_known = false;
  for (const struct option_transform_creator *creator = transforms_creators; creator->name != NULL; creator++) {
    bool fits = false;
    if (strcmp(creator->name, name) != 0) {
      continue;
    }
    is_known = true;
    ctorch_error *error = creator->create(function, out, args, kwargs, &fits);
    if (fits) {
      ctorch_error_release(first);
      return error;
    }
    first = ctorch_error_first(first, error);
  }
  return is_known ? first
                  : error_make(
                        function, CTORCH_ERROR_INDEX,
                        "module 'torchvision.transforms.v2' has no transform '%.80s' here", name);
}

ctorch_error *ctorch_transform_create(
    ctorch_transform **out, const char *name, const ctorch_value *args, const ctorch_value *kwargs) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || name == NULL) {
    return error_null(__func__, out == NULL ? "out" : "name");
  }
  CTORCH_TRY(error_unless_text(__func__, "name", name));
  args = or_null(args);
  kwargs = or_null(kwargs);
  CTORCH_TRY(check_arguments(__func__, args, kwargs));
  return create(__func__, out, name, args, kwargs);
}
