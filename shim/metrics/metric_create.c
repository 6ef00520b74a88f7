/* Metrics by the name of their class. */
#include <string.h>

#include "constructors/metrics.h"
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

ctorch_error *ctorch_metric_create(
    ctorch_metric **out, const char *name, const ctorch_value *args, const ctorch_value *kwargs) {
  CTORCH_TRY(error_refusal(__func__));
  bool fits = false;
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || name == NULL) {
    return error_null(__func__, out == NULL ? "out" : "name");
  }
  CTORCH_TRY(error_unless_text(__func__, "name", name));
  args = or_null(args);
  kwargs = or_null(kwargs);
  CTORCH_TRY(check_arguments(__func__, args, kwargs));
  for (const struct option_metric_creator *creator = metrics_creators; creator->name != NULL; creator++) {
    if (strcmp(creator->name, name) == 0) {
      return creator->create(__func__, out, args, kwargs, &fits);
    }
  }
  return error_make(__func__, CTORCH_ERROR_INDEX, "module 'torchmetrics' has no metric '%.80s' here", name);
}
