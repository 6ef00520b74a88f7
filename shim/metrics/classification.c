/* Metrics of classes: arguments, inputs, labels. */
#include "metrics/classification.h"

#include <inttypes.h>

#include "core/c/error.h"

const char *const AVERAGES[] = {"micro", "macro", "weighted", "none", NULL};
const char *const MULTIDIM_AVERAGES[] = {"global", "samplewise", NULL};

bool counting_ignores_class(const struct counting *self) {
  return self->has_ignore && self->ignore_index >= 0 && self->ignore_index < self->classes;
}

/* Arguments -------------------------------------------------------------------------------------------------------- */

void check_threshold(ctorch_error **error, const char *function, double threshold) {
  if (*error == NULL && !(threshold >= 0 && threshold <= 1)) {
    *error = error_make(
        function, CTORCH_ERROR_VALUE, "Expected argument `threshold` to be a float in the [0,1] range, but got %g.",
        threshold);
  }
}

void check_classes(ctorch_error **error, const char *function, const char *name, int64_t classes) {
  if (*error == NULL && classes < 2) {
    *error = error_make(
        function, CTORCH_ERROR_VALUE, "Expected argument `%s` to be an integer larger than 1, but got %" PRId64, name,
        classes);
  }
}

void check_zero_division(ctorch_error **error, const char *function, double zero_division) {
  if (*error == NULL && zero_division != 0 && zero_division != 1) {
    *error = error_make(
        function, CTORCH_ERROR_VALUE, "Expected argument `zero_division` to be 0 or 1, but got %g.", zero_division);
  }
}

/* Inputs ----------------------------------------------------------------------------------------------------------- */

static void check_dims(
    struct calculation *c, const ctorch_tensor *preds, const ctorch_tensor *target, int64_t dims, const char *why) {
  if (c->error == NULL && (ctorch_tensor_ndim(preds) < dims || ctorch_tensor_ndim(target) < 1)) {
    calc_fail(
        c, CTORCH_ERROR_VALUE, "preds: expected at least %" PRId64 " dimensions%s, got %" PRId64, dims, why,
        ctorch_tensor_ndim(preds));
  }
}

void check_labels(
    struct calculation *c, const struct counting *counting, const ctorch_tensor *labels, const char *name) {
  double least = 0, greatest = 0;
  if (c->error != NULL || ctorch_tensor_dtype(labels) == CTORCH_DTYPE_BOOL || ctorch_tensor_numel(labels) == 0) {
    return;
  }
  if (!calc_is_floating(labels)) {
    calc_extremes(c, labels, &least, &greatest);
    if (c->error != NULL || (least >= 0 && greatest <= 1)) {
      return;
    }
  }
  ctorch_tensor *wrong = calc_and(c, calc_differs(c, labels, whole(0)), calc_differs(c, labels, whole(1)));
  if (counting->has_ignore) {
    wrong = calc_and(c, wrong, calc_differs(c, labels, whole(counting->ignore_index)));
  }
  if (calc_any(c, wrong)) {
    calc_fail(c, CTORCH_ERROR_RUNTIME, "Detected values in `%s` that are neither 0 nor 1 nor ignored", name);
  }
}

void check_class_indices(
    struct calculation *c, const struct counting *counting, const ctorch_tensor *classes, const char *name) {
  double least = 0, greatest = 0;
  if (c->error != NULL || counting->classes == 0 || ctorch_tensor_numel(classes) == 0 ||
      ctorch_tensor_dtype(classes) == CTORCH_DTYPE_BOOL) {
    return;
  }
  calc_extremes(c, classes, &least, &greatest);
  if (c->error != NULL || (least >= 0 && greatest < (double)counting->classes)) {
    return;
  }
  ctorch_tensor *wrong =
      calc_or(c, calc_less(c, classes, whole(0)), calc_greater_equal(c, classes, whole(counting->classes)));
  if (counting->has_ignore) {
    wrong = calc_and(c, wrong, calc_differs(c, classes, whole(counting->ignore_index)));
  }
  if (calc_any(c, wrong)) {
    calc_fail(
        c, CTORCH_ERROR_RUNTIME,
        "Detected values in `%s` that are no classes: expected 0 to %" PRId64
        ", or what is ignored, got %.17g to %.17g",
        name, counting->classes - 1, least, greatest);
  }
}

void check_binary(
    struct calculation *c, const struct counting *counting, const ctorch_tensor *preds, const ctorch_tensor *target) {
  metric_check_shapes(c, preds, target);
  if (!counting->validates) {
    check_dims(c, preds, target, 1, "");
    return;
  }
  check_labels(c, counting, target, "target");
  if (!calc_is_floating(preds)) {
    struct counting none = *counting;
    none.has_ignore = false;
    check_labels(c, &none, preds, "preds");
  }
  check_dims(
      c, preds, target, counting->samplewise ? 2 : 1,
      counting->samplewise ? " when multidim_average is set to `samplewise`" : "");
}

static void check_size(struct calculation *c, const struct counting *counting, const ctorch_tensor *preds) {
  if (c->error == NULL && calc_size(preds, 1) != counting->classes) {
    calc_fail(
        c, CTORCH_ERROR_VALUE,
        "Expected `preds.shape[1]` to be equal to the number of %s but got %" PRId64 " and expected %" PRId64,
        counting->task == TASK_MULTILABEL ? "labels" : "classes", calc_size(preds, 1), counting->classes);
  }
}

void check_multilabel(
    struct calculation *c, const struct counting *counting, const ctorch_tensor *preds, const ctorch_tensor *target) {
  check_dims(c, preds, target, 2, "");
  check_binary(c, counting, preds, target);
  check_size(c, counting, preds);
  if (counting->samplewise && c->error == NULL && ctorch_tensor_ndim(preds) < 3) {
    calc_fail(c, CTORCH_ERROR_VALUE, "Expected input to be at least 3D when multidim_average is set to `samplewise`");
  }
}

/* Scores (N, C, …) for targets (N, …). */
static void check_scores_of_classes(
    struct calculation *c, const struct counting *counting, const ctorch_tensor *preds, const ctorch_tensor *target) {
  int64_t ndim = ctorch_tensor_ndim(preds);
  if (!calc_is_floating(preds)) {
    calc_fail(
        c, CTORCH_ERROR_VALUE, "If `preds` have one dimension more than `target`, `preds` should be a float tensor.");
  }
  if (counting->classes > 0) {
    check_size(c, counting, preds);
  }
  bool fits = calc_size(preds, 0) == calc_size(target, 0);
  for (int64_t dim = 2; dim < ndim; dim++) {
    fits = fits && calc_size(preds, dim) == calc_size(target, dim - 1);
  }
  if (!fits && c->error == NULL) {
    calc_fail_with(
        c,
        error_shape(
            c->function, ctorch_tensor_sizes(target), (size_t)ctorch_tensor_ndim(target), ctorch_tensor_sizes(preds),
            (size_t)ndim, "the shape of `preds` should be (N, C, ...), and the shape of `target` should be (N, ...)"));
  }
  if (counting->samplewise) {
    check_dims(c, preds, target, 3, " when multidim_average is set to `samplewise`");
  }
}

void check_multiclass(
    struct calculation *c, const struct counting *counting, const ctorch_tensor *preds, const ctorch_tensor *target) {
  int64_t ndim = ctorch_tensor_ndim(preds), target_ndim = ctorch_tensor_ndim(target);
  check_dims(c, preds, target, 1, "");
  if (c->error == NULL && ndim == target_ndim + 1) {
    check_scores_of_classes(c, counting, preds, target);
  } else if (c->error == NULL && ndim == target_ndim) {
    metric_check_shapes(c, preds, target);
    if (counting->samplewise) {
      check_dims(c, preds, target, 2, " when multidim_average is set to `samplewise`");
    }
    if (counting->top_k > 1) {
      calc_fail(c, CTORCH_ERROR_VALUE, "preds: `top_k` above 1 needs scores (N, C, ...)");
    }
  } else {
    calc_fail(
        c, CTORCH_ERROR_VALUE,
        "Either `preds` and `target` both should have the (same) shape (N, ...), or `target` should be (N, ...)"
        " and `preds` should be (N, C, ...).");
  }
  if (counting->validates) {
    check_class_indices(c, counting, target, "target");
    if (!calc_is_floating(preds)) {
      check_class_indices(c, counting, preds, "preds");
    }
  }
}

void check_scores(struct calculation *c, const ctorch_tensor *preds, const ctorch_tensor *target) {
  if (calc_is_floating(target)) {
    calc_fail(
        c, CTORCH_ERROR_VALUE,
        "Expected argument `target` to be an int or long tensor with ground truth labels but"
        " got tensor with dtype %s",
        ctorch_dtype_name(ctorch_tensor_dtype(target)));
  } else if (!calc_is_floating(preds)) {
    calc_fail(
        c, CTORCH_ERROR_VALUE,
        "Expected argument `preds` to be an floating tensor with probability/logit scores, but"
        " got tensor with dtype %s",
        ctorch_dtype_name(ctorch_tensor_dtype(preds)));
  }
}

/* Labels ----------------------------------------------------------------------------------------------------------- */

ctorch_tensor *above_threshold(struct calculation *c, const struct counting *counting, const ctorch_tensor *preds) {
  return calc_is_floating(preds) ? calc_greater(c, metric_probabilities(c, preds, false), floating(counting->threshold))
                                 : (ctorch_tensor *)preds;
}

void leave_out_ignored(
    struct calculation *c, const struct counting *counting, ctorch_tensor **preds, ctorch_tensor **target) {
  if (counting->has_ignore) {
    ctorch_tensor *counts = calc_differs(c, *target, whole(counting->ignore_index));
    *preds = calc_index(c, *preds, counts);
    *target = calc_index(c, *target, counts);
  }
}

ctorch_tensor *flat_behind(struct calculation *c, const ctorch_tensor *x, size_t dims) {
  int64_t sizes[3] = {0};
  if (c->error != NULL || x == NULL) {
    return NULL;
  }
  int64_t numel = 1, all = ctorch_tensor_numel(x);
  for (size_t i = 0; i < dims; i++) {
    sizes[i] = calc_size(x, (int64_t)i);
    numel *= sizes[i];
  }
  sizes[dims] = numel > 0 ? all / numel : 0;
  return calc_reshape(c, x, sizes, dims + 1);
}

ctorch_tensor *rows_of_classes(struct calculation *c, const ctorch_tensor *x, int64_t classes) {
  return calc_rows(c, calc_movedim(c, x, 1, -1), classes);
}
