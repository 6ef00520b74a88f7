/* Metrics by the name of their class. */
#include <string.h>

#include "base/creation.h"
#include "constructors/metrics.h"
#include "core/c/error.h"

ctorch_error *ctorch_metric_create(
    ctorch_metric **out, const char *name, const ctorch_value *args, const ctorch_value *kwargs) {
  bool fits = false;
  CTORCH_TRY(creation_check(__func__, out, name, &args, &kwargs));
  for (const struct option_metric_creator *creator = metrics_creators; creator->name != NULL; creator++) {
    if (strcmp(creator->name, name) == 0) {
      return creator->create(__func__, out, args, kwargs, &fits);
    }
  }
  return error_make(__func__, CTORCH_ERROR_INDEX, "module 'torchmetrics' has no metric '%.80s' here", name);
}
