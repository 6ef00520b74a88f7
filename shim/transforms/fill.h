/**
 * What pixels get that come from outside of an image: None, a number, or one for each channel; for transforms, by the
 * kind of tensor.
 */
#ifndef CTORCH_SHIM_TRANSFORMS_FILL_H
#define CTORCH_SHIM_TRANSFORMS_FILL_H

#include <ctorch.h>

struct text; /* text.h */

struct fill {
  bool is_given;  /* not None */
  bool is_number; /* rather than a list */
  const double *values;
  size_t len;
};

/** Of a functional's `float[]? fill`: a list of one is a number. */
static inline struct fill fill_of(const double *values, size_t len) {
  return (struct fill){values != NULL, len == 1, values, len};
}

/** The fill of a transform, by kinds. */
struct fills {
  ctorch_value *given; /* as it was said, for texts; NULL for 0 */
  double *numbers;     /* of all kinds, one after another */
  struct fill kinds[6];
};

/** A number, a list or tuple of numbers, None, or a dict of these by the names of classes ("Image", "Mask", …) and
 * "others"; NULL is 0. TYPE for what is none of these. */
ctorch_error *fills_begin(const char *function, struct fills *self, const ctorch_value *fill)
    __attribute__((warn_unused_result));
void fills_end(struct fills *self);

/** For what `input` is marked as. */
const struct fill *fills_for(const struct fills *self, const ctorch_tensor *input);

void transform_repr_fill(struct text *text, const struct fills *fills);

#endif
