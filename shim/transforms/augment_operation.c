/* What the automatic augmentations draw from. */
#include "transforms/augment_operation.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "constructors/transforms_functional.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "transforms/picture.h"

/* Settings. */

void augment_finalize(void *object) {
  struct augment *self = object;
  fills_end(&self->fills);
  free(self->interpolation);
}

ctorch_error *augment_begin(
    const char *function, struct augment *self, const char *interpolation, const ctorch_value *fill) {
  size_t nbytes = strlen(interpolation) + 1;
  ctorch_value *none = NULL;
  self->interpolation = malloc(nbytes);
  if (self->interpolation == NULL) {
    return error_memory(function, nbytes);
  }
  memcpy(self->interpolation, interpolation, nbytes);
  CTORCH_TRY(ctorch_value_from_none(&none));
  ctorch_error *error = fills_begin(function, &self->fills, fill == NULL ? none : fill);
  ctorch_value_release(none);
  return error;
}

void augment_repr(const ctorch_transform *transform, struct text *text) {
  const struct augment *self = (const struct augment *)transform;
  transform_repr_text(text, "interpolation", self->interpolation);
  transform_repr_fill(text, &self->fills);
}

/* Samples. */

static ctorch_error *find_picture(
    const ctorch_transform *self, const struct transform_call *call, struct augment_sample *out) {
  size_t found = 0;
  for (size_t i = 0; i < out->leaves.len; i++) {
    const ctorch_tensor *tensor = out->leaves.tensors[i];
    ctorch_tv_tensor_kind kind = ctorch_tv_tensor_kind_of(tensor);
    bool is_picture = (TRANSFORM_PICTURES & 1U << kind) != 0;
    if (tensor != NULL && !is_picture) {
      return error_make(
          call->function, CTORCH_ERROR_TYPE, "Inputs of type %s are not supported by %s()",
          ctorch_tv_tensor_kind_name(kind), ctorch_transform_name(self));
    }
    if (out->leaves.is_transformed[i]) {
      out->at = found == 0 ? i : out->at;
      found++;
    }
  }
  if (found != 1) {
    return found == 0 ? error_make(call->function, CTORCH_ERROR_TYPE, "Found no image in the sample.")
                      : error_make(
                            call->function, CTORCH_ERROR_TYPE,
                            "Auto augment transformations are only properly defined for a single image or video, but "
                            "found %zu.",
                            found);
  }
  out->image = out->leaves.tensors[out->at];
  return NULL;
}

ctorch_error *augment_start(
    const ctorch_transform *self,
    const struct transform_call *call,
    struct augment_sample *out,
    const ctorch_value *input) {
  CTORCH_TRY(transform_flatten(call->function, &out->leaves, input, TRANSFORM_TENSORS));
  CTORCH_TRY(find_picture(self, call, out));
  const struct transform_inputs one = {.data = &out->image, .len = 1};
  return transform_query_size(call, &out->height, &out->width, &one);
}

ctorch_error *augment_end(
    const struct transform_call *call,
    ctorch_value **out,
    struct augment_sample *self,
    const ctorch_value *input,
    ctorch_tensor *image,
    ctorch_error *error) {
  ctorch_value *value = NULL;
  THEN(error, ctorch_value_from_tensor(&value, image));
  ctorch_tensor_release(image);
  if (error == NULL) {
    ctorch_value_release(self->leaves.values[self->at]);
    self->leaves.values[self->at] = value;
    error = transform_unflatten(call->function, out, input, &self->leaves);
  }
  transform_leaves_end(&self->leaves);
  return error;
}

/* Magnitudes, by the operators that Python has them from: they are float32. */

static ctorch_error *linear(ctorch_tensor **out, double first, double last, int64_t bins) {
  static const ctorch_dtype float32 = CTORCH_DTYPE_FLOAT32;
  static const ctorch_device cpu = {.type = CTORCH_DEVICE_TYPE_CPU, .index = -1};
  return ctorch_aten_linspace(out, CTORCH_FLOAT(first), CTORCH_FLOAT(last), bins, &float32, NULL, &cpu, NULL);
}

static ctorch_error *bits(ctorch_tensor **out, double first, double fewer, int64_t bins) {
  static const ctorch_dtype int32 = CTORCH_DTYPE_INT32, int64 = CTORCH_DTYPE_INT64;
  static const ctorch_device cpu = {.type = CTORCH_DEVICE_TYPE_CPU, .index = -1};
  enum { BINS, LESS, EXACT, ROUNDED, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_error *error = ctorch_aten_arange(&t[BINS], CTORCH_INT(bins), &int64, NULL, &cpu, NULL);
  THEN(error, number_over(&t[LESS], t[BINS], CTORCH_FLOAT((double)(bins - 1) / fewer)));
  THEN(error, ctorch_aten_rsub_Scalar(&t[EXACT], t[LESS], CTORCH_INT((int64_t)first), NULL));
  THEN(error, ctorch_aten_round(&t[ROUNDED], t[EXACT]));
  THEN(error, ctorch_tensor_to(out, t[ROUNDED], &int32, NULL, false, false, NULL));
  return picture_end(t, TENSORS, error);
}

ctorch_error *augment_magnitudes(
    ctorch_tensor **out, const struct augment_entry *entry, int64_t bins, const struct augment_sample *sample) {
  switch (entry->scale) {
    case AUGMENT_LINEAR:
      return linear(out, entry->from, entry->most, bins);
    case AUGMENT_OF_WIDTH:
      return linear(out, 0.0, entry->most * (double)sample->width / entry->divisor, bins);
    case AUGMENT_OF_HEIGHT:
      return linear(out, 0.0, entry->most * (double)sample->height / entry->divisor, bins);
    case AUGMENT_OF_BITS:
      return bits(out, entry->from, entry->most, bins);
    default:
      *out = NULL;
      return NULL;
  }
}

static ctorch_error *read_magnitude(double *out, ctorch_tensor *magnitudes, int64_t bin) {
  ctorch_tensor *one = NULL;
  ctorch_error *error = ctorch_aten_select_int(&one, magnitudes, 0, bin);
  THEN(error, ctorch_tensor_item_double(out, one));
  ctorch_tensor_release(one);
  return error;
}

static ctorch_error *draw_sign(const struct transform_call *call, double *magnitude) {
  float drawn = 0;
  CTORCH_TRY(draw_rand(call, &drawn, 1));
  *magnitude = drawn <= 0.5F ? -*magnitude : *magnitude;
  return NULL;
}

/* Operations. */

struct affinity {
  double shear[2], translate[2];
  bool has_center;
};

static ctorch_error *move(
    const struct augment *self,
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *image,
    const struct affinity *how) {
  const struct fill *fill = fills_for(&self->fills, image);
  return transforms_functional_affine(
      function, out,
      &(const struct transforms_functional_affine_options){
          .inpt = image,
          .angle = 0.0,
          .translate = {how->translate[0], how->translate[1]},
          .scale = 1.0,
          .shear = {how->shear[0], how->shear[1]},
          .interpolation = self->interpolation,
          .fill = fill->is_given ? fill->values : NULL,
          .fill_len = fill->len,
          .has_center = how->has_center}); /* (0, 0), or else the middle */
}

static ctorch_error *rotate(
    const struct augment *self, const char *function, ctorch_tensor **out, const ctorch_tensor *image, double angle) {
  const struct fill *fill = fills_for(&self->fills, image);
  return transforms_functional_rotate(
      function, out,
      &(const struct transforms_functional_rotate_options){
          .inpt = image,
          .angle = angle,
          .interpolation = self->interpolation,
          .fill = fill->is_given ? fill->values : NULL,
          .fill_len = fill->len});
}

#define WITH(name, ...)         \
  transforms_functional_##name( \
      function, out, &(const struct transforms_functional_##name##_options){.inpt = image, __VA_ARGS__})

/* Python's math.degrees(math.atan(x)). */
static double slope(double x) { return atan(x) * (180.0 / 3.141592653589793238462643); }

static ctorch_error *operate(
    const struct augment *self,
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *image,
    enum augment_operation operation,
    double magnitude) {
  switch (operation) {
    case AUGMENT_SHEAR_X:
      return move(
          self, function, out, image, &(const struct affinity){.shear = {slope(magnitude), 0.0}, .has_center = true});
    case AUGMENT_SHEAR_Y:
      return move(
          self, function, out, image, &(const struct affinity){.shear = {0.0, slope(magnitude)}, .has_center = true});
    case AUGMENT_TRANSLATE_X:
      return move(self, function, out, image, &(const struct affinity){.translate = {trunc(magnitude), 0.0}});
    case AUGMENT_TRANSLATE_Y:
      return move(self, function, out, image, &(const struct affinity){.translate = {0.0, trunc(magnitude)}});
    case AUGMENT_ROTATE:
      return rotate(self, function, out, image, magnitude);
    case AUGMENT_BRIGHTNESS:
      return WITH(adjust_brightness, .brightness_factor = 1.0 + magnitude);
    case AUGMENT_COLOR:
      return WITH(adjust_saturation, .saturation_factor = 1.0 + magnitude);
    case AUGMENT_CONTRAST:
      return WITH(adjust_contrast, .contrast_factor = 1.0 + magnitude);
    case AUGMENT_SHARPNESS:
      return WITH(adjust_sharpness, .sharpness_factor = 1.0 + magnitude);
    case AUGMENT_POSTERIZE:
      return WITH(posterize, .bits = (int64_t)magnitude);
    case AUGMENT_SOLARIZE:
      return WITH(solarize, .threshold = (double)dtype_max_value(ctorch_tensor_dtype(image)) * magnitude);
    case AUGMENT_AUTO_CONTRAST:
      return WITH(autocontrast, );
    case AUGMENT_EQUALIZE:
      return WITH(equalize, );
    case AUGMENT_INVERT:
      return WITH(invert, );
    default:
      return tensor_give(function, out, image);
  }
}

ctorch_error *augment_apply(
    const struct augment *self,
    struct transform_call *call,
    ctorch_tensor **image,
    const struct augment_entry *entry,
    ctorch_tensor *magnitudes,
    int64_t bin) {
  double magnitude = 0.0;
  ctorch_tensor *made = NULL;
  ctorch_error *error = NULL;
  if (magnitudes != NULL) {
    error = read_magnitude(&magnitude, magnitudes, bin);
    ctorch_tensor_release(magnitudes);
    if (error == NULL && entry->is_signed) {
      error = draw_sign(call, &magnitude);
    }
  }
  THEN(error, operate(self, call->function, &made, *image, entry->operation, magnitude));
  if (error == NULL) {
    picture_take(image, &made);
  }
  return error;
}
