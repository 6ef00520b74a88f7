/* Modules by the name of their class. */
#include <string.h>

#include "constructors/nn.h"
#include "error.h"
#include "module.h"

ctorch_error *ctorch_nn_create(
    ctorch_module **out, const char *name, const ctorch_value *args, const ctorch_value *kwargs) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || name == NULL) {
    return error_null(__func__, out == NULL ? "out" : "name");
  }
  CTORCH_TRY(error_unless_text(__func__, "name", name));
  ctorch_value_kind kind = args == NULL ? CTORCH_VALUE_TUPLE : ctorch_value_kind_of(args);
  if (kind != CTORCH_VALUE_TUPLE && kind != CTORCH_VALUE_LIST) {
    return error_make(
        __func__, CTORCH_ERROR_TYPE, "args: expected a tuple or list, found %s", ctorch_value_kind_name(kind));
  }
  kind = kwargs == NULL ? CTORCH_VALUE_DICT : ctorch_value_kind_of(kwargs);
  if (kind != CTORCH_VALUE_DICT) {
    return error_make(__func__, CTORCH_ERROR_TYPE, "kwargs: expected a dict, found %s", ctorch_value_kind_name(kind));
  }
  ctorch_error *first = NULL; /* what the first of several overloads says */
  bool is_known = false;
  for (const struct option_creator *creator = nn_creators; creator->name != NULL; creator++) {
    if (strcmp(creator->name, name) == 0) {
      bool fits = false;
      is_known = true;
      ctorch_error *error = creator->create(__func__, out, args, kwargs, &fits);
      if (fits) {
        ctorch_error_release(first);
        return error;
      }
      first = ctorch_error_first(first, error);
    }
  }
  return is_known ? first : error_make(__func__, CTORCH_ERROR_INDEX, "module 'torch.nn' has no attribute '%s'", name);
}
