/* Hue: to hue, saturation and value, and back, as Pillow converts them. */
#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "transforms/colour.h"
#include "transforms/picture.h"

/* The planes of a picture of 3 channels, views of it. */
static ctorch_error *planes_of(ctorch_tensor **planes, const ctorch_tensor *image) {
  ctorch_tensor_list *list = NULL;
  CTORCH_TRY(ctorch_aten_unbind_int(&list, image, -3));
  ctorch_error *error = NULL;
  for (size_t i = 0; i < 3; i++) {
    THEN(error, ctorch_tensor_list_get(&planes[i], list, i));
  }
  ctorch_tensor_list_release(list);
  return error;
}

static ctorch_error *stack(ctorch_tensor **out, const ctorch_tensor *const *planes, size_t len) {
  return ctorch_aten_stack(out, planes, len, -3);
}

/* How far each channel is from the brightest, in parts of the range between darkest and brightest: 0 to 1. */
static ctorch_error *distances(
    ctorch_tensor **planes, const ctorch_tensor *image, const ctorch_tensor *most, ctorch_tensor *range) {
  enum { MOST, DIFFERENCE, DISTANCE, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_error *error = ctorch_aten_unsqueeze_(range, -3);
  THEN(error, ctorch_aten_unsqueeze(&t[MOST], most, -3));
  THEN(error, ctorch_aten_sub_Tensor(&t[DIFFERENCE], t[MOST], image, NULL));
  THEN(error, ctorch_aten_div_Tensor(&t[DISTANCE], t[DIFFERENCE], range));
  THEN(error, planes_of(planes, t[DISTANCE]));
  return picture_end(t, TENSORS, error);
}

/* The hue from the three distances, in the place of the last: what belongs to the brightest channel. */
static ctorch_error *hue_of(ctorch_tensor *const *from, const ctorch_tensor *most, const ctorch_tensor *image) {
  enum { RED, GREEN, BLUE, NOT_RED, IS_RED, IS_GREEN, GREEN_NOT_RED, OF_GREEN, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL}, *r = from[0], *g = from[1], *b = from[2];
  ctorch_error *error = planes_of(&t[RED], image);
  THEN(error, ctorch_aten_ne_Tensor(&t[NOT_RED], most, t[RED]));
  THEN(error, ctorch_aten_eq_Tensor(&t[IS_GREEN], most, t[GREEN]));
  THEN(error, ctorch_aten_bitwise_and_Tensor(&t[GREEN_NOT_RED], t[IS_GREEN], t[NOT_RED]));
  THEN(error, number_plus(&t[OF_GREEN], r, CTORCH_FLOAT(2.0)));
  THEN(error, ctorch_aten_sub__Tensor(t[OF_GREEN], b, NULL));
  THEN(error, ctorch_aten_mul__Tensor(t[OF_GREEN], t[GREEN_NOT_RED]));
  THEN(error, ctorch_aten_bitwise_not(&t[IS_RED], t[NOT_RED]));
  THEN(error, ctorch_aten_sub__Tensor(b, g, NULL)); /* from here on of red */
  THEN(error, ctorch_aten_mul__Tensor(b, t[IS_RED]));
  THEN(error, ctorch_aten_logical_not_(t[IS_GREEN]));
  THEN(error, ctorch_aten_logical_and_(t[NOT_RED], t[IS_GREEN]));
  THEN(error, number_plus_(g, CTORCH_FLOAT(4.0))); /* from here on of blue */
  THEN(error, ctorch_aten_sub__Tensor(g, r, NULL));
  THEN(error, ctorch_aten_mul__Tensor(g, t[NOT_RED]));
  THEN(error, ctorch_aten_add__Tensor(b, t[OF_GREEN], NULL));
  THEN(error, ctorch_aten_add__Tensor(b, g, NULL));
  THEN(error, number_times_(b, CTORCH_FLOAT(1.0 / 6.0)));
  THEN(error, number_plus_(b, CTORCH_FLOAT(1.0)));
  THEN(error, ctorch_aten_fmod__Scalar(b, CTORCH_FLOAT(1.0)));
  return picture_end(t, TENSORS, error);
}

/* Where darkest and brightest are equal there is neither hue nor saturation: 1 in their place divides nothing. */
static ctorch_error *hsv_of(ctorch_tensor **out, const ctorch_tensor *image) {
  enum { LEAST, MOST, EQUAL, RANGE, ONES, DIVISOR, SATURATION, RED, GREEN, HUE, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_error *error = ctorch_aten_aminmax(&t[LEAST], &t[MOST], image, CTORCH_SOME(int64_t, -3), false);
  THEN(error, ctorch_aten_eq_Tensor(&t[EQUAL], t[MOST], t[LEAST]));
  THEN(error, ctorch_aten_sub_Tensor(&t[RANGE], t[MOST], t[LEAST], NULL));
  THEN(error, ctorch_aten_ones_like(&t[ONES], t[MOST], NULL, NULL, NULL, NULL, NULL));
  THEN(error, ctorch_aten_where_self(&t[DIVISOR], t[EQUAL], t[ONES], t[MOST]));
  THEN(error, ctorch_aten_div_Tensor(&t[SATURATION], t[RANGE], t[DIVISOR]));
  if (error == NULL) {
    ctorch_tensor_release(t[DIVISOR]);
    t[DIVISOR] = NULL;
  }
  THEN(error, ctorch_aten_where_self(&t[DIVISOR], t[EQUAL], t[ONES], t[RANGE]));
  THEN(error, distances(&t[RED], image, t[MOST], t[DIVISOR]));
  THEN(error, hue_of(&t[RED], t[MOST], image));
  THEN(error, stack(out, (const ctorch_tensor *[]){t[HUE], t[SATURATION], t[MOST]}, 3));
  return picture_end(t, TENSORS, error);
}

/* Which of value, p, q and t each channel is, by the sextant of the hue. */
static ctorch_error *choose(ctorch_tensor **out, const ctorch_tensor *sextant) {
  static const int64_t choices[3][6] = {{0, 2, 1, 1, 3, 0}, {3, 0, 0, 2, 1, 1}, {1, 1, 3, 0, 0, 2}};
  enum { HOST, TABLE, CHOSEN, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_device device = {0};
  CTORCH_TRY(ctorch_tensor_device(&device, sextant));
  ctorch_error *error =
      ctorch_tensor_from_data(&t[HOST], choices, sizeof choices, CTORCH_INTS(3, 6), CTORCH_DTYPE_INT64);
  THEN(error, ctorch_tensor_to(&t[TABLE], t[HOST], NULL, &device, true, false, NULL));
  THEN(error, ctorch_tensor_index_text(&t[CHOSEN], t[TABLE], ":, %t", CTORCH_DEFAULT_LIST, CTORCH_TENSORS(sextant)));
  THEN(error, ctorch_aten_movedim_int(out, t[CHOSEN], 0, -3));
  return picture_end(t, TENSORS, error);
}

/* (1 - x) * value, or x * value of what `x` has become, from 0 to 1. */
static ctorch_error *within(ctorch_tensor *x, const ctorch_tensor *value) {
  CTORCH_TRY(ctorch_aten_mul__Tensor(x, value));
  return ctorch_aten_clamp_(x, CTORCH_FLOAT(0.0), CTORCH_FLOAT(1.0));
}

static ctorch_error *rgb_of(ctorch_tensor **out, const ctorch_tensor *hsv) {
  enum { HUE, SATURATION, VALUE, SIX, FLOOR, SEXTANT, T, P, Q, FOUR, CHOSEN, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_dtype int32 = CTORCH_DTYPE_INT32;
  ctorch_error *error = planes_of(&t[HUE], hsv);
  THEN(error, number_times(&t[SIX], t[HUE], CTORCH_INT(6)));
  THEN(error, ctorch_aten_floor(&t[FLOOR], t[SIX]));
  THEN(error, ctorch_aten_sub__Tensor(t[SIX], t[FLOOR], NULL)); /* the place in the sextant */
  THEN(error, ctorch_tensor_to(&t[SEXTANT], t[FLOOR], &int32, NULL, false, false, NULL));
  THEN(error, ctorch_aten_mul_Tensor(&t[T], t[SATURATION], t[SIX]));
  THEN(error, ctorch_aten_rsub_Scalar(&t[P], t[SATURATION], CTORCH_FLOAT(1.0), NULL));
  THEN(error, ctorch_aten_rsub_Scalar(&t[Q], t[T], CTORCH_FLOAT(1.0), NULL));
  THEN(error, within(t[Q], t[VALUE]));
  THEN(error, ctorch_aten_add__Tensor(t[T], t[P], NULL));
  THEN(error, within(t[T], t[VALUE]));
  THEN(error, within(t[P], t[VALUE]));
  THEN(error, ctorch_aten_remainder__Scalar(t[SEXTANT], CTORCH_INT(6)));
  THEN(error, stack(&t[FOUR], (const ctorch_tensor *[]){t[VALUE], t[P], t[Q], t[T]}, 4));
  THEN(error, choose(&t[CHOSEN], t[SEXTANT]));
  THEN(error, ctorch_aten_gather(out, t[FOUR], -3, t[CHOSEN], false));
  return picture_end(t, TENSORS, error);
}

static ctorch_error *turn(ctorch_tensor **out, const ctorch_tensor *hsv, double factor) {
  enum { HUE, SATURATION, VALUE, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_error *error = planes_of(&t[HUE], hsv);
  THEN(error, number_plus_(t[HUE], CTORCH_FLOAT(factor)));
  THEN(error, ctorch_aten_remainder__Scalar(t[HUE], CTORCH_FLOAT(1.0)));
  THEN(error, stack(out, (const ctorch_tensor *[]){t[HUE], t[SATURATION], t[VALUE]}, 3));
  return picture_end(t, TENSORS, error);
}

ctorch_error *colour_hue(const char *function, ctorch_tensor **out, const ctorch_tensor *image, double factor) {
  int64_t channels = 0;
  if (!(factor >= -0.5 && factor <= 0.5)) {
    return error_make(function, CTORCH_ERROR_VALUE, "hue_factor (%g) is not in [-0.5, 0.5]", factor);
  }
  CTORCH_TRY(picture_one_or_three(function, &channels, image));
  if (channels == 1 || ctorch_tensor_numel(image) == 0) {
    return tensor_give(function, out, image);
  }
  enum { FLOAT, HSV, TURNED, RGB, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_error *error = picture_scaled(function, &t[FLOAT], image, CTORCH_DTYPE_FLOAT32);
  THEN(error, hsv_of(&t[HSV], t[FLOAT]));
  THEN(error, turn(&t[TURNED], t[HSV], factor));
  THEN(error, rgb_of(&t[RGB], t[TURNED]));
  THEN(error, picture_scaled(function, out, t[RGB], ctorch_tensor_dtype(image)));
  return picture_end(t, TENSORS, error);
}
