/* Objects made by the name of their class. */
#include "base/creation.h"

#include "core/c/error.h"

static const ctorch_value *or_null(const ctorch_value *values) {
  return values != NULL && ctorch_value_kind_of(values) == CTORCH_VALUE_NONE ? NULL : values;
}

ctorch_error *creation_check(
    const char *function, const void *out, const char *name, const ctorch_value **args, const ctorch_value **kwargs) {
  CTORCH_TRY(error_refusal(function));
  if (out == NULL || name == NULL) {
    return error_null(function, out == NULL ? "out" : "name");
  }
  CTORCH_TRY(error_unless_text(function, "name", name));
  *args = or_null(*args);
  *kwargs = or_null(*kwargs);
  ctorch_value_kind kind = *args == NULL ? CTORCH_VALUE_TUPLE : ctorch_value_kind_of(*args);
  if (kind != CTORCH_VALUE_TUPLE && kind != CTORCH_VALUE_LIST) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "args: expected a tuple or list, found %s", ctorch_value_kind_name(kind));
  }
  kind = *kwargs == NULL ? CTORCH_VALUE_DICT : ctorch_value_kind_of(*kwargs);
  if (kind != CTORCH_VALUE_DICT) {
    return error_make(function, CTORCH_ERROR_TYPE, "kwargs: expected a dict, found %s", ctorch_value_kind_name(kind));
  }
  return NULL;
}
