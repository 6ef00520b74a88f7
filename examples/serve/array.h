/** Numbers in row-major order with their type and shape, as requests and answers carry them, under the names that the
 * inference protocol has for types: "FP32", "INT64", … */
#ifndef EXAMPLES_SERVE_ARRAY_H
#define EXAMPLES_SERVE_ARRAY_H

#include <ctorch.h>

enum { ARRAY_MAX_DIMS = 16 };

/** What an array looks like. */
typedef struct array_form {
  ctorch_dtype dtype;
  size_t ndim;
  int64_t sizes[ARRAY_MAX_DIMS]; /* -1 for any */
} array_form;

typedef struct array {
  array_form form;
  void *data;
  size_t nbytes;
} array;

/**
 * The protocol's name of a type.
 *
 * @param dtype  any number.
 * @return static text; NULL for what the protocol has no name for.
 */
const char *array_datatype(ctorch_dtype dtype);

/**
 * The type of a name.
 *
 * @param[out] out  the type.
 * @param name      borrowed.
 * @return whether there is one.
 */
bool array_dtype_of(ctorch_dtype *out, const char *name);

/**
 * Read the form of a sample, "FP32:1,8,8" or "INT64:?", as that of a batch of any number of them.
 *
 * @param[out] out  the form, with a first size of -1 before those that `text` has; `?` makes -1 as well.
 * @param text      borrowed.
 * @return whether it is one.
 */
bool array_form_parse(array_form *out, const char *text);

/**
 * Whether an array's form is one that a form allows.
 *
 * @param form     borrowed; with sizes that are known.
 * @param allowed  borrowed.
 */
bool array_form_fits(const array_form *form, const array_form *allowed);

/**
 * Whether two arrays are rows of one batch: the same type, and the same sizes beyond the first.
 *
 * @param form   borrowed.
 * @param other  borrowed.
 */
bool array_form_stacks(const array_form *form, const array_form *other);

/**
 * The bytes that an array of a form takes.
 *
 * @param[out] out  bytes.
 * @param form      borrowed.
 * @return whether its sizes are all known and the bytes a size_t.
 */
bool array_form_nbytes(size_t *out, const array_form *form);

#endif
