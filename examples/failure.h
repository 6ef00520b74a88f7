/* Errors of the examples' own: an error object with a printf-style message. */
#ifndef CTORCH_EXAMPLES_FAILURE_H
#define CTORCH_EXAMPLES_FAILURE_H

#include <ctorch.h>

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
/** Make an error: `return failure(CTORCH_ERROR_FORMAT, "%s: no weights file", path);` */
ctorch_error *
failure(ctorch_error_kind code, const char *format, ...);

/** The first of two results of which each may be an error; the other one is released. */
ctorch_error *first_failure(ctorch_error *first, ctorch_error *second);

#endif
