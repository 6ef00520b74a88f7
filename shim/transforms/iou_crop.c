/* RandomIoUCrop: a random crop that overlaps with boxes (Liu et al. 2016, SSD, arXiv:1512.02325). */
#include <stdlib.h>

#include "base/sequence.h"
#include "constructors/transforms.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "transforms/boxes.h"
#include "transforms/geometry.h"
#include "transforms/transform.h"

struct iou_crop {
  ctorch_transform transform;
  double scale[2], ratio[2];
  double *options;
  size_t options_len;
  int64_t trials;
};

enum { MOST_ROUNDS = 10000 }; /* torchvision goes on for ever */

struct drawn {
  bool is_cut; /* otherwise the sample stays as it is */
  struct crop crop;
  ctorch_tensor *is_within; /* which boxes have their middle inside; owned, in no scope */
};

static void finalize(void *object) { free(((struct iou_crop *)object)->options); }

static void drawn_end(void *object) { tensor_unref(((struct drawn *)object)->is_within); }

static ctorch_error *check(
    const ctorch_transform *self, const struct transform_call *call, const struct transform_leaves *leaves) {
  return transform_has(leaves, TRANSFORM_BOUNDING_BOXES) && transform_has(leaves, TRANSFORM_PURE | TRANSFORM_IMAGE)
             ? NULL
             : error_make(
                   call->function, CTORCH_ERROR_TYPE,
                   "%s() requires input sample to contain tensor images and bounding boxes. Sample can also contain "
                   "masks.",
                   ctorch_transform_name(self));
}

/* A crop whose ratio is allowed, with an area; `*fits` says whether it is one. */
static ctorch_error *draw_crop(
    const struct iou_crop *self, struct transform_call *call, struct crop *out, struct size image, bool *fits) {
  float share[2], offset[2];
  *fits = false;
  CTORCH_TRY(draw_rand(call, share, 2));
  for (int i = 0; i < 2; i++) {
    share[i] = (float)self->scale[0] + (float)(self->scale[1] - self->scale[0]) * share[i];
  }
  out->width = (int64_t)((float)image.width * share[0]);
  out->height = (int64_t)((float)image.height * share[1]);
  if (out->height == 0) {
    return error_make(
        call->function, CTORCH_ERROR_VALUE, "a crop with a side of 0 pixels has no proportions (division by zero)");
  }
  double ratio = (double)out->width / (double)out->height;
  if (!(self->ratio[0] <= ratio && ratio <= self->ratio[1])) {
    return NULL;
  }
  CTORCH_TRY(draw_rand(call, offset, 2));
  out->left = (int64_t)((float)(image.width - out->width) * offset[0]);
  out->top = (int64_t)((float)(image.height - out->height) * offset[1]);
  *fits = out->width != 0 && out->height != 0;
  return NULL;
}

static ctorch_tensor *middle(struct calculation *c, const ctorch_tensor *boxes, int64_t column) {
  return calc_mul_number(
      c, calc_add(c, calc_column(c, boxes, column), calc_column(c, boxes, column + 2)), floating(0.5));
}

static ctorch_tensor *area_of(struct calculation *c, const ctorch_tensor *boxes) {
  ctorch_tensor *width = calc_sub(c, calc_column(c, boxes, 2), calc_column(c, boxes, 0));
  return calc_mul(c, width, calc_sub(c, calc_column(c, boxes, 3), calc_column(c, boxes, 1)));
}

/* The larger, or smaller, of numbers. */
static ctorch_tensor *outer(struct calculation *c, const ctorch_tensor *a, const ctorch_tensor *b, bool is_larger) {
  ctorch_tensor *made = NULL;
  if (calc_goes_on(c, a, b)) {
    calc_fail_with(c, is_larger ? ctorch_aten_maximum(&made, a, b) : ctorch_aten_minimum(&made, a, b));
  }
  return made;
}

/* Ints that areas are computed in as wide ones. */
static const ctorch_tensor *wide(struct calculation *c, const ctorch_tensor *boxes) {
  switch (ctorch_tensor_dtype(boxes)) {
    case CTORCH_DTYPE_FLOAT16:
    case CTORCH_DTYPE_BFLOAT16:
      return calc_to(c, boxes, CTORCH_DTYPE_FLOAT32);
    case CTORCH_DTYPE_INT8:
    case CTORCH_DTYPE_INT16:
    case CTORCH_DTYPE_UINT8:
      return calc_to(c, boxes, CTORCH_DTYPE_INT32);
    default:
      return boxes;
  }
}

/* The largest overlap of boxes (N, 4) with a crop, as a share of what both cover. */
static double largest_overlap(struct calculation *c, const ctorch_tensor *boxes, const struct crop *crop) {
  double found = 0;
  if (!calc_goes_on(c, boxes, boxes)) {
    return found;
  }
  const int64_t corners[] = {crop->left, crop->top, crop->left + crop->width, crop->top + crop->height};
  const ctorch_tensor *other = calc_rows(c, calc_ints(c, corners, 4, ctorch_tensor_dtype(boxes), boxes), 4);
  ctorch_tensor *area = area_of(c, wide(c, boxes)),
                *other_area = calc_goes_on(c, other, other) ? area_of(c, wide(c, other)) : NULL;
  ctorch_tensor *low = outer(c, calc_columns(c, boxes, 0, 2, 1), calc_columns(c, other, 0, 2, 1), true);
  ctorch_tensor *high = outer(c, calc_columns(c, boxes, 2, 4, 1), calc_columns(c, other, 2, 4, 1), false);
  ctorch_tensor *sides = calc_sub(c, high, low);
  const ctorch_tensor *wide_sides = calc_goes_on(c, sides, sides) ? wide(c, sides) : NULL;
  const ctorch_scalar zero = whole(0);
  ctorch_tensor *positive = NULL, *most = NULL;
  if (calc_goes_on(c, wide_sides, wide_sides)) {
    calc_fail_with(c, ctorch_aten_clamp(&positive, wide_sides, &zero, NULL));
  }
  ctorch_tensor *inter = calc_mul(c, calc_column(c, positive, 0), calc_column(c, positive, 1));
  ctorch_tensor *share = calc_div(c, inter, calc_sub(c, calc_add(c, area, other_area), inter));
  if (calc_goes_on(c, share, share)) {
    calc_fail_with(c, ctorch_aten_max(&most, share));
  }
  most = calc_to(c, most, CTORCH_DTYPE_FLOAT64);
  if (calc_goes_on(c, most, most)) {
    calc_fail_with(c, ctorch_tensor_copy_to_buffer(most, &found, sizeof found, CTORCH_DTYPE_FLOAT64));
  }
  return found;
}

/* Which boxes have their middle inside of the crop. */
static ctorch_tensor *within(struct calculation *c, const ctorch_tensor *boxes, const struct crop *crop) {
  ctorch_tensor *x = middle(c, boxes, 0), *y = middle(c, boxes, 1);
  ctorch_tensor *is_within =
      calc_and(c, calc_greater(c, x, whole(crop->left)), calc_less(c, x, whole(crop->left + crop->width)));
  is_within = calc_and(c, is_within, calc_greater(c, y, whole(crop->top)));
  return calc_and(c, is_within, calc_less(c, y, whole(crop->top + crop->height)));
}

static bool any(struct calculation *c, const ctorch_tensor *mask) {
  ctorch_tensor *made = NULL;
  bool found = false;
  if (calc_goes_on(c, mask, mask)) {
    calc_fail_with(c, ctorch_aten_any(&made, mask));
  }
  if (calc_goes_on(c, made, made)) {
    calc_fail_with(c, ctorch_tensor_copy_to_buffer(made, &found, sizeof found, CTORCH_DTYPE_BOOL));
  }
  return found;
}

/* Keep a crop if boxes overlap with it enough. */
static ctorch_error *consider(
    const char *function, struct drawn *drawn, const struct crop *crop, const ctorch_tensor *input, double least) {
  struct calculation c;
  ctorch_tensor *kept = NULL;
  calculation_begin(&c, function);
  const ctorch_tensor *boxes = boxes_convert(&c, input, tv_tensor_of(input)->format, BOX_XYXY, false);
  ctorch_tensor *is_within = within(&c, boxes, crop);
  /* Python compares as the tensor's type does, which for boxes is float32 or float64. */
  if (any(&c, is_within)) {
    ctorch_tensor *inside = calc_index(&c, boxes, is_within);
    double overlap = largest_overlap(&c, inside, crop);
    bool is_double = ctorch_tensor_dtype(input) == CTORCH_DTYPE_FLOAT64;
    drawn->is_cut = c.error == NULL && !(overlap < (is_double ? least : (double)(float)least));
  }
  if (!drawn->is_cut) {
    return calculation_end(&c);
  }
  drawn->crop = *crop;
  CTORCH_TRY(tv_tensor_end(&c, &kept, is_within, NULL));
  drawn->is_within = tensor_take(kept);
  return NULL;
}

static const ctorch_tensor *boxes_in(const struct transform_inputs *inputs) {
  for (size_t i = 0; i < inputs->len; i++) {
    if (ctorch_tv_tensor_kind_of(inputs->data[i]) == CTORCH_TV_TENSOR_BOUNDING_BOXES) {
      return inputs->data[i];
    }
  }
  return NULL;
}

static ctorch_error *draw(
    const ctorch_transform *object, struct transform_call *call, void *drawn, const struct transform_inputs *inputs) {
  const struct iou_crop *self = (const struct iou_crop *)object;
  struct drawn *plan = drawn;
  struct size image = {0};
  CTORCH_TRY(transform_query_size(call, &image.height, &image.width, inputs));
  const ctorch_tensor *boxes = boxes_in(inputs);
  for (int round = 0; round < MOST_ROUNDS; round++) {
    int64_t index = 0;
    CTORCH_TRY(draw_randint(call, &index, 0, (int64_t)self->options_len));
    if (self->options[index] >= 1) {
      return NULL;
    }
    for (int64_t trial = 0; trial < self->trials; trial++) {
      struct crop crop;
      bool fits = false;
      CTORCH_TRY(draw_crop(self, call, &crop, image, &fits));
      if (!fits) {
        continue;
      }
      CTORCH_TRY(consider(call->function, plan, &crop, boxes, self->options[index]));
      if (plan->is_cut) {
        return NULL;
      }
    }
  }
  return error_make(
      call->function, CTORCH_ERROR_RUNTIME, "no crop was found that overlaps with boxes as sampler_options ask for");
}

static ctorch_error *apply(
    const ctorch_transform *self,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  const struct drawn *plan = drawn;
  ctorch_tensor *cut = NULL, *outside = NULL;
  (void)self;
  if (!plan->is_cut) {
    return tensor_give(call->function, out, input);
  }
  CTORCH_TRY(vision_crop(call->function, &cut, input, &plan->crop));
  if (ctorch_tv_tensor_kind_of(cut) == CTORCH_TV_TENSOR_BOUNDING_BOXES) {
    ctorch_tensor *row_mask = NULL;
    ctorch_error *error = ctorch_aten_bitwise_not(&outside, plan->is_within);
    THEN(error, ctorch_aten_unsqueeze(&row_mask, outside, -1));
    THEN(error, ctorch_aten_masked_fill__Scalar(cut, row_mask, &(const ctorch_scalar){.kind = CTORCH_SCALAR_INT}));
    ctorch_tensor_release(outside);
    ctorch_tensor_release(row_mask);
    if (error != NULL) {
      ctorch_tensor_release(cut);
      return error;
    }
  }
  *out = cut;
  return NULL;
}

static void extra_repr(const ctorch_transform *object, struct text *text) {
  const struct iou_crop *self = (const struct iou_crop *)object;
  transform_repr_double(text, "min_scale", self->scale[0]);
  transform_repr_double(text, "max_scale", self->scale[1]);
  transform_repr_double(text, "min_aspect_ratio", self->ratio[0]);
  transform_repr_double(text, "max_aspect_ratio", self->ratio[1]);
  transform_repr_doubles(text, "options", "[", self->options, self->options_len);
  transform_repr_int(text, "trials", self->trials);
}

static const transform_class iou_crop_class = {
    .object = TRANSFORM_OBJECT_WITH(struct iou_crop, finalize),
    .name = "RandomIoUCrop",
    .check = check,
    .drawn_size = sizeof(struct drawn),
    .drawn_end = drawn_end,
    .draw = draw,
    .apply = apply,
    .extra_repr = extra_repr,
};

ctorch_error *transforms_RandomIoUCrop(
    const char *function, ctorch_transform **out, const struct transforms_RandomIoUCrop_options *options) {
  static const double usual[] = {0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0};
  bool is_given = options->sampler_options != NULL;
  const double *source = is_given ? options->sampler_options : usual;
  size_t len = is_given ? options->sampler_options_len : sizeof usual / sizeof *usual;
  struct iou_crop *self = transform_new(&iou_crop_class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  self->options = malloc((len + 1) * sizeof *self->options);
  if (self->options == NULL) {
    return transform_give(function, out, &self->transform, error_memory(function, (len + 1) * sizeof *self->options));
  }
  self->options_len = len;
  for (size_t i = 0; i < len; i++) {
    self->options[i] = source[i];
  }
  self->scale[0] = options->min_scale;
  self->scale[1] = options->max_scale;
  self->ratio[0] = options->min_aspect_ratio;
  self->ratio[1] = options->max_aspect_ratio;
  self->trials = options->trials;
  return transform_give(function, out, &self->transform, NULL);
}
