/**
 * Text that grows: what modules print of themselves.
 *
 *     static void extra_repr(const ctorch_module *self, struct text *text) {
 *       const struct conv *conv = (const struct conv *)self;
 *       text_add(text, "%" PRId64 ", %" PRId64 ", kernel_size=", conv->in_channels, conv->out_channels);
 *       text_ints(text, conv->kernel_size, 2);
 *     }
 *
 * What fails is kept in `error`, and everything after it does nothing; who began the text looks at it at the end.
 */
#ifndef CTORCH_SHIM_BASE_TEXT_H
#define CTORCH_SHIM_BASE_TEXT_H

#include <ctorch.h>
#include <stdarg.h>

struct text {
  char *data; /* ends with NUL; NULL while there is nothing */
  size_t len, capacity;
  const char *function; /* the exported function, for errors */
  ctorch_error *error;
};

/** printf's rules; floats go through text_double, because printf writes them by the locale's. */
void text_add(struct text *self, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_list(struct text *self, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));
void text_bytes(struct text *self, const char *data, size_t len);

/** As Python's repr: `1e-05`, `0.1`, `1.0`. */
void text_double(struct text *self, double value);
/** As Python's repr: `True`. */
void text_bool(struct text *self, bool value);
/** As a tuple: `(3, 3)`, `(3,)`. */
void text_ints(struct text *self, const int64_t *values, size_t len);
/** The sizes of a tensor: `torch.Size([2, 3])`. */
void text_size(struct text *self, const ctorch_tensor *tensor);
/** As a text in quotes: `'zeros'`. */
void text_quoted(struct text *self, const char *value);
void text_value(struct text *self, const ctorch_value *value);

/** The text so far; "" if there is none. */
const char *text_data(const struct text *self);

/** Free the text, and hand over the error that it ran into. */
ctorch_error *text_end(struct text *self) __attribute__((warn_unused_result));

#endif
