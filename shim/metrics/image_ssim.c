/* The structural similarity of images and volumes (Wang et al. 2004): means, variances and covariances in windows. */
#include <string.h>

#include "base/sequence.h"
#include "constructors/metrics.h"
#include "core/c/error.h"
#include "metrics/image.h"

enum { SIMILARITY, TOTAL, IMAGE };
enum { MOST_DIMS = 3 };

struct ssim {
  ctorch_metric metric;
  struct data_range range;
  double sigma[MOST_DIMS], k1, k2;
  int64_t kernel_size[MOST_DIMS];
  size_t sigma_len, kernel_size_len; /* 0 for one number of all dimensions */
  enum image_reduction reduction;
  bool is_gaussian, returns_full_image, returns_contrast;
};

static bool returns_image(const struct ssim *self) { return self->returns_full_image || self->returns_contrast; }

/* Kernels ---------------------------------------------------------------------------------------------------------- */

/* Sizes of the window and their standard deviations, for each dimension. */
struct window {
  int64_t sizes[MOST_DIMS];
  double sigma[MOST_DIMS];
  int64_t halves[MOST_DIMS];   /* by how much an image is padded on either side */
  int64_t pads[2 * MOST_DIMS]; /* the same as pad takes it: the last dimension first */
  size_t dims;
};

static struct window window_of(const struct ssim *self, size_t dims) {
  struct window window = {.dims = dims};
  for (size_t i = 0; i < dims; i++) {
    const int64_t size = self->kernel_size[self->kernel_size_len == 0 ? 0 : i];
    window.sigma[i] = self->sigma[self->sigma_len == 0 ? 0 : i];
    window.sizes[i] = self->is_gaussian ? (int64_t)(3.5 * window.sigma[i] + 0.5) * 2 + 1 : size;
    /* torchmetrics pads the third dimension by the size that is given. */
    window.halves[i] = i == 2 ? (size - 1) / 2 : (window.sizes[i] - 1) / 2;
  }
  /* And it pads the last dimension of volumes by what it calls depth, their first by height. */
  for (size_t i = 0; i < dims; i++) {
    const int64_t half = window.halves[dims - 1 - i];
    window.pads[2 * i] = half;
    window.pads[2 * i + 1] = half;
  }
  return window;
}

/* exp(-(distance / sigma)² / 2), which adds up to 1: (1, size). */
static ctorch_tensor *gaussian(struct calculation *c, int64_t size, double sigma, const ctorch_tensor *like) {
  ctorch_device device;
  ctorch_tensor *distance = NULL;
  const ctorch_dtype dtype = ctorch_tensor_dtype(like);
  calc_fail_with(c, ctorch_tensor_device(&device, like));
  if (c->error == NULL) {
    calc_fail_with(
        c, ctorch_aten_arange_start_step(
               &distance, CTORCH_FLOAT((double)(1 - size) / 2), CTORCH_FLOAT((double)(1 + size) / 2), CTORCH_INT(1),
               &dtype, NULL, &device, NULL));
  }
  ctorch_tensor *square = calc_pow(c, calc_div_number(c, distance, floating(sigma)), whole(2));
  ctorch_tensor *weights = calc_exp(c, calc_div_number(c, calc_neg(c, square), whole(2)));
  return calc_unsqueeze(c, calc_div(c, weights, calc_sum(c, weights)), 0);
}

static ctorch_tensor *gaussian_kernel(
    struct calculation *c, const struct window *window, int64_t channels, const ctorch_tensor *like) {
  const int64_t *sizes = window->sizes, two[] = {channels, 1, sizes[0], sizes[1]},
                three[] = {channels, 1, sizes[0], sizes[1], sizes[2]};
  ctorch_tensor *x = c->error == NULL ? gaussian(c, sizes[0], window->sigma[0], like) : NULL;
  ctorch_tensor *y = c->error == NULL ? gaussian(c, sizes[1], window->sigma[1], like) : NULL;
  ctorch_tensor *kernel = calc_matmul(c, calc_transpose(c, x, 0, 1), y);
  if (window->dims == 2) {
    return calc_expand(c, kernel, two, 4);
  }
  ctorch_tensor *z = c->error == NULL ? gaussian(c, sizes[2], window->sigma[2], like) : NULL;
  return calc_expand(c, calc_mul(c, calc_unsqueeze(c, kernel, -1), calc_unsqueeze(c, z, 0)), three, 5);
}

static ctorch_tensor *uniform_kernel(
    struct calculation *c, const struct window *window, int64_t channels, const ctorch_tensor *like) {
  int64_t sizes[2 + MOST_DIMS] = {channels, 1}, numel = 1;
  for (size_t i = 0; i < window->dims; i++) {
    sizes[2 + i] = window->sizes[i];
    numel *= window->sizes[i];
  }
  const ctorch_dtype dtype = ctorch_tensor_dtype(like);
  ctorch_tensor *ones = calc_full(c, sizes, 2 + window->dims, floating(1), dtype, like);
  return calc_div(c, ones, calc_float(c, (double)numel, dtype, like));
}

/* Similarity ------------------------------------------------------------------------------------------------------- */

/* Images, their squares and products, as their windows average them. */
struct moments {
  ctorch_tensor *pred, *target, *pred_square, *target_square, *product;
};

static ctorch_tensor *padded(struct calculation *c, const struct window *window, const ctorch_tensor *image) {
  ctorch_tensor *made = NULL;
  if (calc_goes_on(c, image, image)) {
    calc_fail_with(c, ctorch_aten_pad(&made, image, window->pads, 2 * window->dims, "reflect", NULL));
  }
  return made;
}

static struct moments moments_of(
    struct calculation *c,
    const struct ssim *self,
    const struct window *window,
    const ctorch_tensor *preds,
    const ctorch_tensor *target) {
  const int64_t batch = calc_size(preds, 0), channels = calc_size(preds, 1);
  ctorch_tensor *a = padded(c, window, preds), *b = padded(c, window, target), *made = NULL;
  ctorch_tensor *all[] = {a, b, calc_mul(c, a, a), calc_mul(c, b, b), calc_mul(c, a, b)};
  ctorch_tensor *stacked = c->error == NULL ? calc_cat_all(c, all, 5) : NULL;
  if (c->error != NULL) {
    return (struct moments){0};
  }
  ctorch_tensor *kernel = (self->is_gaussian ? gaussian_kernel : uniform_kernel)(c, window, channels, a);
  if (c->error == NULL) {
    calc_fail_with(
        c, (window->dims == 2 ? ctorch_aten_conv2d : ctorch_aten_conv3d)(
               &made, stacked, kernel, NULL, CTORCH_DEFAULT_LIST, CTORCH_DEFAULT_LIST, CTORCH_DEFAULT_LIST, channels));
  }
  return (struct moments){
      calc_slice(c, made, 0, 0, batch), calc_slice(c, made, 0, batch, 2 * batch),
      calc_slice(c, made, 0, 2 * batch, 3 * batch), calc_slice(c, made, 0, 3 * batch, 4 * batch),
      calc_slice(c, made, 0, 4 * batch, 5 * batch)};
}

/* (k * range)², as a tensor that the range is, or a number. */
struct constants {
  ctorch_tensor *c1, *c2; /* NULL for the numbers */
  double number1, number2;
};

static ctorch_tensor *with(struct calculation *c, ctorch_tensor *x, ctorch_tensor *constant, double number) {
  return constant != NULL ? calc_add(c, x, constant) : calc_add_number(c, x, floating(number));
}

static ctorch_tensor *extent(struct calculation *c, const ctorch_tensor *image) {
  return calc_sub(c, calc_max(c, image), calc_min(c, image));
}

static struct constants constants_of(
    struct calculation *c, const struct ssim *self, const ctorch_tensor *preds, const ctorch_tensor *target) {
  if (self->range.has_size) {
    const double a = self->k1 * self->range.size, b = self->k2 * self->range.size;
    return (struct constants){.number1 = a * a, .number2 = b * b};
  }
  ctorch_tensor *range = calc_maximum(c, extent(c, preds), extent(c, target));
  return (struct constants){
      .c1 = calc_pow(c, calc_mul_number(c, range, floating(self->k1)), whole(2)),
      .c2 = calc_pow(c, calc_mul_number(c, range, floating(self->k2)), whole(2))};
}

/* x.reshape(x.shape[0], -1) */
static ctorch_tensor *flat_images(struct calculation *c, const ctorch_tensor *x) {
  return c->error == NULL ? calc_reshape(c, x, (const int64_t[]){calc_size(x, 0), -1}, 2) : NULL;
}

/* The mean of each image. */
static ctorch_tensor *mean_of_each(struct calculation *c, const ctorch_tensor *x) {
  return calc_mean_dim(c, flat_images(c, x), -1);
}

/* Without the edges that were made by padding. torchmetrics leaves nothing of a dimension that was not padded. */
static ctorch_tensor *without_edges(struct calculation *c, const struct window *window, ctorch_tensor *image) {
  for (size_t i = 0; i < window->dims; i++) {
    image = calc_slice(c, image, (int64_t)(2 + i), window->halves[i], -window->halves[i]);
  }
  return image;
}

/* Similarity of each image, and of its pixels or their contrast if that is asked for. */
static void count_similarities(
    struct calculation *c,
    const struct ssim *self,
    const ctorch_tensor *preds,
    const ctorch_tensor *target,
    ctorch_tensor **similarity,
    ctorch_tensor **image) {
  static const double zero = 0;
  const struct constants k = constants_of(c, self, preds, target);
  preds = image_clamped(c, &self->range, preds);
  target = c->error == NULL ? image_clamped(c, &self->range, target) : NULL;
  if (c->error != NULL) {
    return;
  }
  const struct window window = window_of(self, (size_t)ctorch_tensor_ndim(preds) - 2);
  const struct moments m = moments_of(c, self, &window, preds, target);
  ctorch_tensor *pred_square = calc_pow(c, m.pred, whole(2)), *target_square = calc_pow(c, m.target, whole(2));
  ctorch_tensor *product = calc_mul(c, m.pred, m.target);
  ctorch_tensor *pred_variance = calc_clamp(c, calc_sub(c, m.pred_square, pred_square), &zero, NULL);
  ctorch_tensor *target_variance = calc_clamp(c, calc_sub(c, m.target_square, target_square), &zero, NULL);
  ctorch_tensor *covariance = calc_sub(c, m.product, product);
  ctorch_tensor *upper = with(c, calc_mul_number(c, covariance, whole(2)), k.c2, k.number2);
  ctorch_tensor *lower = with(c, calc_add(c, pred_variance, target_variance), k.c2, k.number2);
  ctorch_tensor *above = calc_mul(c, with(c, calc_mul_number(c, product, whole(2)), k.c1, k.number1), upper);
  ctorch_tensor *below = calc_mul(c, with(c, calc_add(c, pred_square, target_square), k.c1, k.number1), lower);
  ctorch_tensor *full = calc_div(c, above, below);
  *similarity = mean_of_each(c, full);
  if (self->returns_contrast) {
    *image = mean_of_each(c, without_edges(c, &window, calc_div(c, upper, lower)));
  } else if (self->returns_full_image) {
    *image = full;
  }
}

static void check(struct calculation *c, const struct ssim *self, const ctorch_tensor *preds) {
  const int64_t ndim = ctorch_tensor_ndim(preds);
  if (c->error == NULL && ndim != 4 && ndim != 5) {
    calc_fail(
        c, CTORCH_ERROR_VALUE, "Expected `preds` and `target` to have BxCxHxW or BxCxDxHxW shape, got %d dimensions",
        (int)ndim);
  }
  const size_t dims = (size_t)ndim - 2;
  if ((self->sigma_len != 0 && self->sigma_len != dims) ||
      (self->kernel_size_len != 0 && self->kernel_size_len != dims)) {
    calc_fail(
        c, CTORCH_ERROR_VALUE,
        "`kernel_size` and `sigma` have dimension %zu and %zu, but expected to be two less that "
        "target dimensionality, which is: %d",
        self->kernel_size_len, self->sigma_len, (int)ndim);
  }
}

static void update(const ctorch_metric *metric, struct metric_batch *batch) {
  const struct ssim *self = (const struct ssim *)metric;
  struct calculation *c = &batch->c;
  metric_check_shapes(c, batch->preds, batch->target);
  check(c, self, batch->preds);
  if (c->error != NULL) {
    return;
  }
  const ctorch_tensor *target = calc_to(c, batch->target, ctorch_tensor_dtype(batch->preds));
  ctorch_tensor *similarity = NULL, *image = NULL;
  if (c->error == NULL) {
    count_similarities(c, self, batch->preds, target, &similarity, &image);
  }
  batch->counts[SIMILARITY] = self->reduction == IMAGE_NONE ? similarity : calc_sum(c, similarity);
  batch->counts[TOTAL] = calc_int(c, calc_size(batch->preds, 0), batch->preds);
  if (returns_image(self)) {
    batch->counts[IMAGE] = image;
  }
}

static ctorch_value *compute(const ctorch_metric *metric, struct calculation *c) {
  const struct ssim *self = (const struct ssim *)metric;
  ctorch_tensor *similarity = metric_state(c, metric, SIMILARITY);
  ctorch_value *result = metric_result(
      c, self->reduction == IMAGE_MEAN ? calc_div(c, similarity, metric_state(c, metric, TOTAL)) : similarity);
  if (!returns_image(self)) {
    return result;
  }
  return metric_tuple(c, (ctorch_value *[]){result, metric_result(c, metric_state(c, metric, IMAGE))}, 2);
}

/* Making ----------------------------------------------------------------------------------------------------------- */

static ctorch_error *read_window(
    const char *function, struct ssim *self, const ctorch_value *sigma, const ctorch_value *kernel_size) {
  double sizes[MOST_DIMS] = {11};
  self->sigma[0] = 1.5;
  if (sigma != NULL) {
    CTORCH_TRY(image_numbers(function, "sigma", self->sigma, &self->sigma_len, MOST_DIMS, sigma));
  }
  if (kernel_size != NULL) {
    CTORCH_TRY(image_numbers(function, "kernel_size", sizes, &self->kernel_size_len, MOST_DIMS, kernel_size));
  }
  for (size_t i = 0; i < (self->sigma_len == 0 ? 1 : self->sigma_len); i++) {
    if (!(self->sigma[i] > 0 && self->sigma[i] < 1e6)) {
      return error_make(
          function, CTORCH_ERROR_VALUE, "Expected `sigma` to have positive number. Got %g.", self->sigma[i]);
    }
  }
  for (size_t i = 0; i < (self->kernel_size_len == 0 ? 1 : self->kernel_size_len); i++) {
    bool is_odd =
        sizes[i] >= 1 && sizes[i] < 1e6 && (int64_t)sizes[i] % 2 == 1 && (double)(int64_t)sizes[i] == sizes[i];
    if (!is_odd) {
      return error_make(
          function, CTORCH_ERROR_VALUE, "Expected `kernel_size` to have odd positive number. Got %g.", sizes[i]);
    }
    self->kernel_size[i] = (int64_t)sizes[i];
  }
  return NULL;
}

ctorch_error *metrics_StructuralSimilarityIndexMeasure(
    const char *function, ctorch_metric **out, const struct metrics_StructuralSimilarityIndexMeasure_options *options) {
  static const metric_class class = {
      .object = METRIC_OBJECT(struct ssim),
      .name = "StructuralSimilarityIndexMeasure",
      .update = update,
      .compute = compute};
  ctorch_error *error = NULL;
  int reduction = metric_choice(&error, function, "reduction", options->reduction, IMAGE_REDUCTIONS);
  if (error == NULL && options->return_full_image && options->return_contrast_sensitivity) {
    error = error_make(
        function, CTORCH_ERROR_VALUE,
        "Arguments `return_full_image` and `return_contrast_sensitivity` are mutually exclusive.");
  }
  struct ssim *self = error == NULL ? metric_new(&class) : NULL;
  if (error != NULL || self == NULL) {
    return metric_give(function, out, NULL, error);
  }
  ctorch_metric *metric = &self->metric;
  self->is_gaussian = options->gaussian_kernel;
  self->reduction = (enum image_reduction)reduction;
  self->returns_full_image = options->return_full_image;
  self->returns_contrast = options->return_contrast_sensitivity;
  self->k1 = options->k1;
  self->k2 = options->k2;
  error = image_data_range(function, &self->range, options->data_range);
  THEN(error, read_window(function, self, options->sigma, options->kernel_size));
  if (self->reduction == IMAGE_NONE) {
    metric_add_list(&error, metric, "similarity");
  } else {
    metric_add_state(&error, metric, "similarity", METRIC_SUM, metric->dtype, 0, NULL, 0);
  }
  metric_add_state(&error, metric, "total", METRIC_SUM, metric->dtype, 0, NULL, 0);
  if (returns_image(self)) {
    metric_add_list(&error, metric, "image_return");
  }
  return metric_give(function, out, metric, error);
}
