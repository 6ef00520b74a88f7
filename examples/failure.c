#include "failure.h"

#include <stdarg.h>
#include <stdio.h>

ctorch_error *failure(ctorch_error_kind code, const char *format, ...) {
  char message[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);

  ctorch_error *error = NULL;
  ctorch_error *refusal = ctorch_error_new(&error, code, message);
  if (refusal != NULL) { /* a file's name need not be UTF-8: show what is ASCII in it */
    for (char *byte = message; *byte != '\0'; byte++) {
      *byte = (unsigned char)*byte < 0x80 ? *byte : '?';
    }
    ctorch_error_release(refusal);
    refusal = ctorch_error_new(&error, code, message);
  }
  return refusal != NULL ? refusal : error;
}

ctorch_error *first_failure(ctorch_error *first, ctorch_error *second) {
  if (first == NULL) {
    return second;
  }
  ctorch_error_release(second);
  return first;
}
