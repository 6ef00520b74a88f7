/** The numbers of arrays in JSON. They are read from the text itself: as values of a JSON library each would be an
 * allocation. Types of 16 bits that are no integers are not among them, as the inference protocol has it: they travel
 * as bytes. */
#ifndef EXAMPLES_SERVE_JSON_ARRAY_H
#define EXAMPLES_SERVE_JSON_ARRAY_H

#include <stdio.h>

#include "array.h"

/** A part of a text. */
typedef struct json_span {
  const char *begin, *end;
} json_span;

/**
 * Find the list at `{outer: [{key: [...]}]}`, if the text is JSON. Names that are written with escapes are not found.
 *
 * @param[out] out  from its bracket to behind the last one.
 * @param text      borrowed; whatever it is.
 * @param len       bytes.
 * @param outer     borrowed.
 * @param key       borrowed.
 * @return whether there is one.
 */
bool json_array_find(json_span *out, const char *text, size_t len, const char *outer, const char *key);

/**
 * Read numbers, in a flat list or in lists of lists.
 *
 * @param self  its form is given, and `data` has room for as many.
 * @param list  borrowed; of json_array_find.
 * @return NULL, or FORMAT (more numbers or fewer, what is no number, or is beyond the type's range).
 */
ctorch_error *json_array_read(array *self, json_span list);

/**
 * Write numbers as a flat list. What JSON cannot say, an infinity and what is not a number, is `null`.
 *
 * @param self  borrowed.
 * @param file  the numbers are exact there: read as the same type they are the same.
 * @return NULL, or FORMAT (a type that does not go in JSON).
 */
ctorch_error *json_array_write(const array *self, FILE *file);

#endif
