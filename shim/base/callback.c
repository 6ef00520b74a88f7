/* Errors of callbacks. */
#include "base/callback.h"

#include "core/c/error.h"

ctorch_error *callback_error(
    const char *function, const char *name, ctorch_callback_status status, ctorch_error *error) {
  if (error != NULL || status == CTORCH_CALLBACK_OK) {
    return error;
  }
  return error_make(
      function, CTORCH_ERROR_CALLBACK, "the callback %s answered %d without an error; success is %d", name, (int)status,
      (int)CTORCH_CALLBACK_OK);
}
