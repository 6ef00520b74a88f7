/* ToImage, ToPureTensor, ToDtype, ConvertImageDtype, Normalize, LinearTransformation, UniformTemporalSubsample. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/calculation.h"
#include "base/sequence.h"
#include "constructors/transforms.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "transforms/element_type.h"
#include "transforms/pixels.h"
#include "transforms/transform.h"
#include "transforms/tv_tensor.h"

/* Marks. */

static ctorch_error *apply_to_image(
    const ctorch_transform *self,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  (void)self;
  (void)drawn;
  return error_of(call->function, ctorch_tv_tensors_Image(out, input, NULL, NULL, NULL));
}

static const transform_class to_image_class = {
    .object = TRANSFORM_OBJECT(ctorch_transform),
    .name = "ToImage",
    .types = TRANSFORM_PURE,
    .apply = apply_to_image,
};

ctorch_error *transforms_ToImage(
    const char *function, ctorch_transform **out, const struct transforms_ToImage_options *options) {
  (void)options;
  return transform_give(function, out, transform_new(&to_image_class), NULL);
}

static ctorch_error *apply_to_pure(
    const ctorch_transform *self,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  (void)self;
  (void)drawn;
  return error_of(call->function, ctorch_aten_alias(out, input));
}

static const transform_class to_pure_class = {
    .object = TRANSFORM_OBJECT(ctorch_transform),
    .name = "ToPureTensor",
    .types = TRANSFORM_MARKED,
    .apply = apply_to_pure,
};

ctorch_error *transforms_ToPureTensor(
    const char *function, ctorch_transform **out, const struct transforms_ToPureTensor_options *options) {
  (void)options;
  return transform_give(function, out, transform_new(&to_pure_class), NULL);
}

/* Types: of each kind one, or none. */

enum { KINDS = CTORCH_TV_TENSOR_KEY_POINTS + 1 };

struct target {
  bool is_said, is_converted; /* not None */
  ctorch_dtype dtype;
};

struct to_dtype {
  ctorch_transform transform;
  struct target targets[KINDS];
  bool scale;
};

static ctorch_error *apply_to_dtype(
    const ctorch_transform *object,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  const struct to_dtype *self = (const struct to_dtype *)object;
  ctorch_tv_tensor_kind kind = ctorch_tv_tensor_kind_of(input);
  const struct target *target = &self->targets[kind];
  (void)drawn;
  if (!target->is_said) {
    return error_make(
        call->function, CTORCH_ERROR_VALUE,
        "No dtype was specified for type %s. You can use \"others\" as a catch-all key.",
        ctorch_tv_tensor_kind_name(kind));
  }
  if (target->is_converted) {
    return vision_to_dtype(call->function, out, input, target->dtype, self->scale);
  }
  if (self->scale && (TRANSFORM_PICTURES & 1u << kind) != 0) {
    CTORCH_TRY(ctorch_warning_emit(
        CTORCH_WARNING_USER,
        "scale was set to True but no dtype was specified for images or videos: no scaling will be done."));
  }
  return tensor_give(call->function, out, input);
}

/* Python writes neither dtypes nor dicts. */
static void repr_to_dtype(const ctorch_transform *self, struct text *text) {
  transform_repr_bool(text, "scale", ((const struct to_dtype *)self)->scale);
}

static const transform_class to_dtype_class = {
    .object = TRANSFORM_OBJECT(struct to_dtype),
    .name = "ToDtype",
    .apply = apply_to_dtype,
    .extra_repr = repr_to_dtype,
};

/* A transform for one type only, which has its own class besides. */
static const transform_class pictures_to_dtype_class = {
    .object = TRANSFORM_OBJECT(struct to_dtype),
    .name = "ToDtype",
    .kernels = TRANSFORM_PICTURES,
    .apply = apply_to_dtype,
    .extra_repr = repr_to_dtype,
};
static const transform_class convert_class = {
    .object = TRANSFORM_OBJECT(struct to_dtype),
    .name = "ConvertImageDtype",
    .apply = apply_to_dtype,
};

static ctorch_error *give_to_dtype(
    const char *function, ctorch_transform **out, const transform_class *class, ctorch_dtype dtype, bool scale) {
  struct to_dtype *self = transform_new(class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  for (int i = 0; i < KINDS; i++) {
    self->targets[i] = (struct target){true, true, dtype};
  }
  self->scale = scale;
  return transform_give(function, out, &self->transform, NULL);
}

ctorch_error *transforms_ToDtype(
    const char *function, ctorch_transform **out, const struct transforms_ToDtype_options *options) {
  return give_to_dtype(function, out, &pictures_to_dtype_class, options->dtype, options->scale);
}

ctorch_error *transforms_ConvertImageDtype(
    const char *function, ctorch_transform **out, const struct transforms_ConvertImageDtype_options *options) {
  ctorch_dtype dtype = options->dtype == NULL ? CTORCH_DTYPE_FLOAT32 : *options->dtype;
  return give_to_dtype(function, out, &convert_class, dtype, true);
}

/* The kind of a key, KINDS for "others", -1 for another. */
static ctorch_error *read_kind(int *out, const ctorch_value *key) {
  const char *name = ctorch_value_python_name(key);
  *out = -1;
  if (ctorch_value_kind_of(key) == CTORCH_VALUE_STRING) {
    CTORCH_TRY(ctorch_value_to_string(&name, NULL, key));
  }
  for (int kind = 0; name != NULL && kind < KINDS; kind++) {
    *out = strcmp(name, ctorch_tv_tensor_kind_name(kind)) == 0 ? kind : *out;
  }
  *out = name != NULL && strcmp(name, "others") == 0 ? KINDS : *out;
  return NULL;
}

static ctorch_error *read_target(const char *function, struct target *out, const ctorch_value *value) {
  ctorch_value_kind kind = ctorch_value_kind_of(value);
  *out = (struct target){.is_said = true, .is_converted = kind != CTORCH_VALUE_NONE};
  if (kind != CTORCH_VALUE_NONE && kind != CTORCH_VALUE_DTYPE && kind != CTORCH_VALUE_INT) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "dtype: expected a torch.dtype or None for each type, found %s",
        ctorch_value_kind_name(kind));
  }
  return out->is_converted ? ctorch_value_to_dtype(&out->dtype, value) : NULL;
}

static ctorch_error *read_targets(const char *function, struct to_dtype *self, const ctorch_value *dict) {
  ctorch_value *keys = NULL;
  struct target others = {0};
  CTORCH_TRY(ctorch_value_dict_keys(&keys, dict));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < ctorch_value_len(keys); i++) {
    ctorch_value *key = NULL, *value = NULL;
    struct target target;
    int kind = -1;
    error = ctorch_value_get(&key, keys, i);
    THEN(error, ctorch_value_dict_get(&value, dict, key));
    THEN(error, read_kind(&kind, key));
    THEN(error, read_target(function, &target, value));
    if (error == NULL && kind == KINDS) {
      others = target;
    } else if (error == NULL && kind >= 0) {
      self->targets[kind] = target;
    }
    ctorch_value_release(key);
    ctorch_value_release(value);
  }
  ctorch_value_release(keys);
  for (int i = 0; i < KINDS; i++) {
    self->targets[i] = self->targets[i].is_said ? self->targets[i] : others;
  }
  return error;
}

ctorch_error *transforms_ToDtype_dict(
    const char *function, ctorch_transform **out, const struct transforms_ToDtype_dict_options *options) {
  ctorch_value_kind kind = ctorch_value_kind_of(options->dtype);
  if (kind != CTORCH_VALUE_DICT) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "dtype must be a dict or a torch.dtype, got %s instead",
        ctorch_value_kind_name(kind));
  }
  struct to_dtype *self = transform_new(&to_dtype_class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  self->scale = options->scale;
  ctorch_error *error = read_targets(function, self, options->dtype);
  return transform_give(function, out, &self->transform, error);
}

/* Normalize. */

struct normalize {
  ctorch_transform transform;
  double *numbers; /* the means, then the deviations */
  size_t mean_len, std_len;
  bool inplace;
};

static void finalize_normalize(void *object) { free(((struct normalize *)object)->numbers); }

static ctorch_error *apply_normalize(
    const ctorch_transform *object,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  const struct normalize *self = (const struct normalize *)object;
  const struct normalization how = {
      self->numbers, self->mean_len, self->numbers + self->mean_len, self->std_len, self->inplace};
  (void)drawn;
  return vision_normalize(call->function, out, input, &how);
}

static void repr_normalize(const ctorch_transform *object, struct text *text) {
  const struct normalize *self = (const struct normalize *)object;
  transform_repr_doubles(text, "mean", "[", self->numbers, self->mean_len);
  transform_repr_doubles(text, "std", "[", self->numbers + self->mean_len, self->std_len);
  transform_repr_bool(text, "inplace", self->inplace);
}

static const transform_class normalize_class = {
    .object = TRANSFORM_OBJECT_WITH(struct normalize, finalize_normalize),
    .name = "Normalize",
    .kernels = TRANSFORM_PICTURES,
    .apply = apply_normalize,
    .extra_repr = repr_normalize,
};

ctorch_error *transforms_Normalize(
    const char *function, ctorch_transform **out, const struct transforms_Normalize_options *options) {
  size_t len = options->mean_len + options->std_len;
  struct normalize *self = transform_new(&normalize_class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  self->numbers = malloc((len + 1) * sizeof *self->numbers);
  if (self->numbers == NULL) {
    return transform_give(function, out, &self->transform, error_memory(function, len * sizeof *self->numbers));
  }
  for (size_t i = 0; i < options->mean_len; i++) {
    self->numbers[i] = options->mean[i];
  }
  for (size_t i = 0; i < options->std_len; i++) {
    self->numbers[options->mean_len + i] = options->std[i];
  }
  self->mean_len = options->mean_len;
  self->std_len = options->std_len;
  self->inplace = options->inplace;
  return transform_give(function, out, &self->transform, NULL);
}

/* LinearTransformation. */

struct linear {
  ctorch_transform transform;
  ctorch_tensor *matrix, *mean;
};

static void finalize_linear(void *object) {
  struct linear *self = object;
  tensor_unref(self->matrix);
  tensor_unref(self->mean);
}

static ctorch_error *apply_linear(
    const ctorch_transform *object,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  const struct linear *self = (const struct linear *)object;
  int64_t ndim = ctorch_tensor_ndim(input), rows = ctorch_tensor_sizes(self->matrix)[0];
  int64_t channels = size_from_end(input, -3), height = size_from_end(input, -2), width = size_from_end(input, -1);
  (void)drawn;
  if (ndim < 3) {
    return error_make(
        call->function, CTORCH_ERROR_INDEX, "input: expected [..., C, H, W], got %" PRId64 " dimensions", ndim);
  }
  if (channels * height * width != rows) {
    return error_make(
        call->function, CTORCH_ERROR_VALUE,
        "Input tensor and transformation matrix have incompatible shape. [%" PRId64 " x %" PRId64 " x %" PRId64
        "] != %" PRId64,
        channels, height, width, rows);
  }
  if (ctorch_tensor_device_type(input) != ctorch_tensor_device_type(self->mean)) {
    return error_make(
        call->function, CTORCH_ERROR_VALUE,
        "Input tensor should be on the same device as transformation matrix and mean vector.");
  }
  struct calculation c;
  calculation_begin(&c, call->function);
  ctorch_tensor *flat = calc_sub(&c, calc_rows(&c, input, rows), self->mean), *product = NULL;
  if (calc_goes_on(&c, flat, flat)) {
    ctorch_tensor *matrix = calc_to(&c, self->matrix, ctorch_tensor_dtype(flat));
    if (calc_goes_on(&c, matrix, matrix)) {
      calc_fail_with(&c, ctorch_aten_mm(&product, flat, matrix));
    }
  }
  return tv_tensor_end(&c, out, calc_reshape_as(&c, product, input), tv_tensor_of(input));
}

static const transform_class linear_class = {
    .object = TRANSFORM_OBJECT_WITH(struct linear, finalize_linear),
    .name = "LinearTransformation",
    .types = TRANSFORM_PICTURES,
    .apply = apply_linear,
};

static ctorch_error *check_linear(const char *function, const ctorch_tensor *matrix, const ctorch_tensor *mean) {
  const int64_t *sizes = ctorch_tensor_sizes(matrix);
  ctorch_device device, other;
  if (ctorch_tensor_ndim(matrix) < 2 || ctorch_tensor_ndim(mean) < 1) {
    return error_make(
        function, CTORCH_ERROR_INDEX,
        "transformation_matrix: expected a matrix and a vector, got %" PRId64 " and %" PRId64 " dimensions",
        ctorch_tensor_ndim(matrix), ctorch_tensor_ndim(mean));
  }
  if (sizes[0] != sizes[1]) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "transformation_matrix should be square. Got (%" PRId64 ", %" PRId64 ") rectangular matrix.", sizes[0],
        sizes[1]);
  }
  if (ctorch_tensor_sizes(mean)[0] != sizes[0]) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "mean_vector should have the same length %" PRId64
        " as any one of the dimensions of the transformation_matrix "
        "[%" PRId64 "]",
        ctorch_tensor_sizes(mean)[0], sizes[0]);
  }
  CTORCH_TRY(ctorch_tensor_device(&device, matrix));
  CTORCH_TRY(ctorch_tensor_device(&other, mean));
  if (device.type != other.type || device.index != other.index) {
    return error_make(function, CTORCH_ERROR_VALUE, "Input tensors should be on the same device.");
  }
  if (ctorch_tensor_dtype(matrix) != ctorch_tensor_dtype(mean)) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "Input tensors should have the same dtype. Got torch.%s and torch.%s",
        ctorch_dtype_name(ctorch_tensor_dtype(matrix)), ctorch_dtype_name(ctorch_tensor_dtype(mean)));
  }
  return NULL;
}

ctorch_error *transforms_LinearTransformation(
    const char *function, ctorch_transform **out, const struct transforms_LinearTransformation_options *options) {
  CTORCH_TRY(check_linear(function, options->transformation_matrix, options->mean_vector));
  struct linear *self = transform_new(&linear_class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  self->matrix = tensor_ref(options->transformation_matrix);
  self->mean = tensor_ref(options->mean_vector);
  return transform_give(function, out, &self->transform, NULL);
}

/* UniformTemporalSubsample. */

struct subsample {
  ctorch_transform transform;
  int64_t num_samples;
};

static ctorch_error *apply_subsample(
    const ctorch_transform *self,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  (void)drawn;
  return vision_uniform_temporal_subsample(call->function, out, input, ((const struct subsample *)self)->num_samples);
}

static void repr_subsample(const ctorch_transform *self, struct text *text) {
  transform_repr_int(text, "num_samples", ((const struct subsample *)self)->num_samples);
}

static const transform_class subsample_class = {
    .object = TRANSFORM_OBJECT(struct subsample),
    .name = "UniformTemporalSubsample",
    .kernels = TRANSFORM_PURE | TRANSFORM_VIDEO,
    .apply = apply_subsample,
    .extra_repr = repr_subsample,
};

ctorch_error *transforms_UniformTemporalSubsample(
    const char *function, ctorch_transform **out, const struct transforms_UniformTemporalSubsample_options *options) {
  struct subsample *self = transform_new(&subsample_class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  self->num_samples = options->num_samples;
  return transform_give(function, out, &self->transform, NULL);
}
