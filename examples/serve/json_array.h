/** The numbers of arrays in JSON. Types of 16 bits that are no integers are not among them, as the inference protocol
 * has it: they travel as bytes. */
#ifndef EXAMPLES_SERVE_JSON_ARRAY_H
#define EXAMPLES_SERVE_JSON_ARRAY_H

#include <jansson.h>
#include <stdio.h>

#include "array.h"

/**
 * Read numbers, in a flat list or in lists of lists.
 *
 * @param self  its form is given, and `data` has room for as many.
 * @param json  borrowed.
 * @return NULL, or FORMAT (more numbers or fewer, what is no number, or is beyond the type's range).
 */
ctorch_error *json_array_read(array *self, const json_t *json);

/**
 * Write numbers as a flat list. What JSON cannot say, an infinity and what is not a number, is `null`.
 *
 * @param self  borrowed.
 * @param file  the numbers are exact there: read as the same type they are the same.
 * @return NULL, or FORMAT (a type that does not go in JSON).
 */
ctorch_error *json_array_write(const array *self, FILE *file);

#endif
