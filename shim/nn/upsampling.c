/* Upsampling, and distances between vectors. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "constructors/functional.h"
#include "constructors/nn.h"
#include "core/c/error.h"
#include "module/layer.h"

enum { MOST = 3 };

/* interpolate. */

typedef ctorch_error *interpolate_plainly(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const int64_t *output_size,
    size_t output_size_len,
    const double *scale_factors,
    size_t scale_factors_len);
typedef ctorch_error *interpolate_corners(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners,
    const double *scale_factors,
    size_t scale_factors_len);
typedef ctorch_error *average(
    ctorch_tensor **out, const ctorch_tensor *input, const int64_t *output_size, size_t output_size_len);

/* A mode for a number of dimensions, by whichever operator computes it. */
struct interpolation {
  const char *mode;
  size_t dims;
  bool antialias;
  interpolate_plainly *plainly;
  interpolate_corners *corners;
  average *average;
};

static const struct interpolation interpolations[] = {
    {"nearest", 1, false, ctorch_aten_upsample_nearest1d_vec, NULL, NULL},
    {"nearest", 2, false, ctorch_aten_upsample_nearest2d_vec, NULL, NULL},
    {"nearest", 3, false, ctorch_aten_upsample_nearest3d_vec, NULL, NULL},
    {"nearest-exact", 1, false, ctorch_aten__upsample_nearest_exact1d_vec, NULL, NULL},
    {"nearest-exact", 2, false, ctorch_aten__upsample_nearest_exact2d_vec, NULL, NULL},
    {"nearest-exact", 3, false, ctorch_aten__upsample_nearest_exact3d_vec, NULL, NULL},
    {"area", 1, false, NULL, NULL, ctorch_aten_adaptive_avg_pool1d},
    {"area", 2, false, NULL, NULL, ctorch_aten_adaptive_avg_pool2d},
    {"area", 3, false, NULL, NULL, ctorch_aten_adaptive_avg_pool3d},
    {"linear", 1, false, NULL, ctorch_aten_upsample_linear1d_vec, NULL},
    {"bilinear", 2, false, NULL, ctorch_aten_upsample_bilinear2d_vec, NULL},
    {"bilinear", 2, true, NULL, ctorch_aten__upsample_bilinear2d_aa_vec, NULL},
    {"trilinear", 3, false, NULL, ctorch_aten_upsample_trilinear3d_vec, NULL},
    {"bicubic", 2, false, NULL, ctorch_aten_upsample_bicubic2d_vec, NULL},
    {"bicubic", 2, true, NULL, ctorch_aten__upsample_bicubic2d_aa_vec, NULL},
    {"lanczos", 2, true, NULL, ctorch_aten__upsample_lanczos2d_aa_vec, NULL},
};

static ctorch_error *find_interpolation(
    const char *function,
    const struct interpolation **out,
    const struct functional_interpolate_options *options,
    bool align_corners) {
  int64_t ndim = ctorch_tensor_ndim(options->input);
  bool may_antialias = strcmp(options->mode, "bilinear") == 0 || strcmp(options->mode, "bicubic") == 0 ||
                       strcmp(options->mode, "lanczos") == 0;
  if (options->antialias && !(may_antialias && ndim == 4)) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "antialias is restricted to the modes bilinear, bicubic and lanczos, and to 4D input");
  }
  if (strcmp(options->mode, "lanczos") == 0 && ndim == 4 && (align_corners || !options->antialias)) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        align_corners ? "mode lanczos does not support align_corners" : "mode lanczos requires antialias");
  }
  for (size_t i = 0; i < sizeof interpolations / sizeof *interpolations; i++) {
    const struct interpolation *one = &interpolations[i];
    if (strcmp(one->mode, options->mode) == 0 && (int64_t)one->dims + 2 == ndim &&
        one->antialias == options->antialias) {
      *out = one;
      return NULL;
    }
  }
  return error_make(
      function, CTORCH_ERROR_NOT_IMPLEMENTED, "got %" PRId64 "D input, which mode '%s' does not support", ndim,
      options->mode);
}

/* Sizes or factors of all dimensions: as many as there are, or one for all. */
static ctorch_error *check_len(const char *function, const char *name, size_t len, size_t dims) {
  return len == 1 || len == dims
             ? NULL
             : error_make(
                   function, CTORCH_ERROR_VALUE,
                   "%s must have as many elements as the input has spatial dimensions, %zu, or one, got %zu", name,
                   dims, len);
}

/* The size of a dimension times a factor. */
static ctorch_error *scaled(const char *function, int64_t *out, int64_t size, double factor) {
  double product = (double)size * factor;
  if (!(product > -9e18 && product < 9e18)) {
    return error_make(function, CTORCH_ERROR_VALUE, "scale_factor: %g times %" PRId64 " is no size", factor, size);
  }
  *out = (int64_t)product;
  return NULL;
}

ctorch_error *functional_interpolate(
    const char *function, ctorch_tensor **out, const struct functional_interpolate_options *options) {
  const struct interpolation *how = NULL;
  int64_t ndim = ctorch_tensor_ndim(options->input), sizes[MOST];
  double factors[MOST];
  bool has_size = options->size != NULL, has_factor = options->scale_factor != NULL;
  bool nearest = strncmp(options->mode, "nearest", 7) == 0 || strcmp(options->mode, "area") == 0;
  bool recompute = options->recompute_scale_factor != NULL && *options->recompute_scale_factor;
  bool align_corners = options->align_corners != NULL && *options->align_corners;
  if (nearest && options->align_corners != NULL) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "align_corners goes with the modes linear, bilinear, bicubic and trilinear");
  }
  if (has_size == has_factor) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        has_size ? "only one of size or scale_factor should be defined"
                 : "either size or scale_factor should be defined");
  }
  size_t dims = ndim > 2 ? (size_t)ndim - 2 : 0;
  CTORCH_TRY(check_len(
      function, has_size ? "size" : "scale_factor", has_size ? options->size_len : options->scale_factor_len, dims));
  if (recompute && has_size) {
    return error_make(function, CTORCH_ERROR_VALUE, "recompute_scale_factor is not meaningful with an explicit size");
  }
  CTORCH_TRY(find_interpolation(function, &how, options, align_corners));
  for (size_t i = 0; i < dims; i++) {
    if (has_size) {
      sizes[i] = options->size[options->size_len == 1 ? 0 : i];
      continue;
    }
    factors[i] = options->scale_factor[options->scale_factor_len == 1 ? 0 : i];
    if (recompute || how->average != NULL) {
      CTORCH_TRY(scaled(function, &sizes[i], ctorch_tensor_sizes(options->input)[i + 2], factors[i]));
      has_factor = false;
    }
  }
  const int64_t *size = has_factor ? NULL : sizes;
  const double *factor = has_factor ? factors : NULL;
  size_t size_len = has_factor ? 0 : dims, factor_len = has_factor ? dims : 0;
  if (how->average != NULL) {
    return how->average(out, options->input, size, size_len);
  }
  if (how->plainly == NULL && how->corners == NULL) {
    return error_make(function, CTORCH_ERROR_INTERNAL, "no operator for mode '%s'", options->mode);
  }
  return how->plainly != NULL ? how->plainly(out, options->input, size, size_len, factor, factor_len)
                              : how->corners(out, options->input, size, size_len, align_corners, factor, factor_len);
}

/* Upsample. */

struct upsample {
  ctorch_module module;
  int64_t size[MOST];
  double factor[MOST];
  size_t size_len, factor_len; /* 0 is None */
  char *mode;                  /* allocated */
  bool align_corners, has_align_corners, recompute, has_recompute;
};

static ctorch_error *upsample_forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const struct upsample *self = (const struct upsample *)module;
  return functional_interpolate(
      FORWARD, out,
      &(const struct functional_interpolate_options){
          .input = input,
          .size = self->size_len > 0 ? self->size : NULL,
          .size_len = self->size_len,
          .scale_factor = self->factor_len > 0 ? self->factor : NULL,
          .scale_factor_len = self->factor_len,
          .mode = self->mode,
          .align_corners = self->has_align_corners ? &self->align_corners : NULL,
          .recompute_scale_factor = self->has_recompute ? &self->recompute : NULL});
}

static void upsample_repr(const ctorch_module *module, struct text *text) {
  const struct upsample *self = (const struct upsample *)module;
  if (self->factor_len > 0) {
    text_add(text, self->factor_len > 1 ? "scale_factor=(" : "scale_factor=");
    for (size_t i = 0; i < self->factor_len; i++) {
      text_add(text, "%s", i > 0 ? ", " : "");
      text_double(text, self->factor[i]);
    }
    text_add(text, "%s", self->factor_len > 1 ? ")" : "");
  } else if (self->size_len == 1) {
    text_add(text, "size=%" PRId64, self->size[0]);
  } else if (self->size_len > 1) {
    text_add(text, "size=");
    text_ints(text, self->size, self->size_len);
  } else {
    text_add(text, "size=None");
  }
  text_add(text, ", mode=");
  text_quoted(text, self->mode);
}

static ctorch_error *copy_mode(const char *function, char **out, const char *mode) {
  size_t len = strlen(mode) + 1;
  *out = malloc(len);
  if (*out == NULL) {
    return error_memory(function, len);
  }
  memcpy(*out, mode, len);
  return NULL;
}

static ctorch_error *upsample_copied(const char *function, ctorch_module *module) {
  struct upsample *self = (struct upsample *)module;
  const char *mode = self->mode;
  self->mode = NULL;
  return copy_mode(function, &self->mode, mode);
}

static void upsample_finalize(void *object) {
  free(((struct upsample *)object)->mode);
  module_finalize(object);
}

static ctorch_error *upsample_make(
    const char *function,
    ctorch_module **out,
    const module_class *class,
    const struct functional_interpolate_options *options) {
  if (options->size_len > MOST || options->scale_factor_len > MOST) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "expected at most 3 %s", options->size_len > MOST ? "sizes" : "scale factors");
  }
  struct upsample *self = module_new(class);
  if (self == NULL) {
    return module_give(function, out, NULL, NULL);
  }
  self->size_len = options->size_len;
  self->factor_len = options->scale_factor_len;
  if (self->size_len > 0) {
    memcpy(self->size, options->size, self->size_len * sizeof *self->size);
  }
  if (self->factor_len > 0) {
    memcpy(self->factor, options->scale_factor, self->factor_len * sizeof *self->factor);
  }
  self->has_align_corners = options->align_corners != NULL;
  self->align_corners = options->align_corners != NULL && *options->align_corners;
  self->has_recompute = options->recompute_scale_factor != NULL;
  self->recompute = options->recompute_scale_factor != NULL && *options->recompute_scale_factor;
  return module_give(function, out, &self->module, copy_mode(function, &self->mode, options->mode));
}

#define CLASS(named, ...)                                                                                           \
  ctorch_error *nn_##named(const char *function, ctorch_module **out, const struct nn_##named##_options *options) { \
    static const module_class class = {                                                                             \
        .object = {"module", sizeof(struct upsample), upsample_finalize},                                           \
        .name = #named,                                                                                             \
        .forward = upsample_forward,                                                                                \
        .extra_repr = upsample_repr,                                                                                \
        .copied = upsample_copied};                                                                                 \
    return upsample_make(function, out, &class, &(const struct functional_interpolate_options){__VA_ARGS__});       \
  }

#define GIVEN(field) .field = options->field, .field##_len = options->field##_len
#define PAIR(field) \
  .field = options->has_##field ? options->field : NULL, .field##_len = options->has_##field ? options->field##_len : 0

CLASS(
    Upsample,
    GIVEN(size),
    GIVEN(scale_factor),
    .mode = options->mode,
    .align_corners = options->align_corners,
    .recompute_scale_factor = options->recompute_scale_factor)
CLASS(UpsamplingNearest2d, PAIR(size), PAIR(scale_factor), .mode = "nearest")
CLASS(UpsamplingBilinear2d, PAIR(size), PAIR(scale_factor), .mode = "bilinear", .align_corners = &(const bool){true})

/* Distances. */

struct distance {
  ctorch_module module;
  double p, eps;
  int64_t dim;
  bool keepdim;
};

ctorch_error *nn_PairwiseDistance_forward(
    const char *function, ctorch_tensor **out, const struct nn_PairwiseDistance_forward_options *options) {
  const struct distance *self = (const struct distance *)options->self;
  (void)function;
  return ctorch_aten_pairwise_distance(out, options->x1, options->x2, self->p, self->eps, self->keepdim);
}

ctorch_error *nn_CosineSimilarity_forward(
    const char *function, ctorch_tensor **out, const struct nn_CosineSimilarity_forward_options *options) {
  const struct distance *self = (const struct distance *)options->self;
  (void)function;
  return ctorch_aten_cosine_similarity(out, options->x1, options->x2, self->dim, self->eps);
}

ctorch_error *nn_PairwiseDistance(
    const char *function, ctorch_module **out, const struct nn_PairwiseDistance_options *options) {
  static const module_class class = {
      .object = MODULE_OBJECT(struct distance), .name = "PairwiseDistance", .call = nn_PairwiseDistance_call};
  struct distance *self = module_new(&class);
  if (self != NULL) {
    self->p = options->p;
    self->eps = options->eps;
    self->keepdim = options->keepdim;
  }
  return module_give(function, out, &self->module, NULL);
}

ctorch_error *nn_CosineSimilarity(
    const char *function, ctorch_module **out, const struct nn_CosineSimilarity_options *options) {
  static const module_class class = {
      .object = MODULE_OBJECT(struct distance), .name = "CosineSimilarity", .call = nn_CosineSimilarity_call};
  struct distance *self = module_new(&class);
  if (self != NULL) {
    self->dim = options->dim;
    self->eps = options->eps;
  }
  return module_give(function, out, &self->module, NULL);
}
