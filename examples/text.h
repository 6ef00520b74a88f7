/** Text files, as the examples that learn texts read them. */
#ifndef EXAMPLES_TEXT_H
#define EXAMPLES_TEXT_H

#include <ctorch.h>

/** The bytes of a file, at most a million, as int64. */
ctorch_error *text_read(ctorch_tensor **out, const char *path);

/** Rows of `len` bytes each, (rows, len), from random places of a text. */
ctorch_error *text_sample(ctorch_tensor **out, const ctorch_tensor *text, int64_t rows, int64_t len);

/** One of the classes, (1, 1), drawn by their scores, (1, classes): of the `top_k` best ones alone, and the sharper the
 * lower the temperature is. */
ctorch_error *text_draw(ctorch_tensor **out, const ctorch_tensor *scores, double temperature, int64_t top_k);

#endif
