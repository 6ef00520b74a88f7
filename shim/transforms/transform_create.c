/* Transforms by the name of their class. */
#include <string.h>

#include "base/creation.h"
#include "constructors/transforms.h"
#include "core/c/error.h"

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
  CTORCH_TRY(creation_check(__func__, out, name, &args, &kwargs));
  return create(__func__, out, name, args, kwargs);
}
