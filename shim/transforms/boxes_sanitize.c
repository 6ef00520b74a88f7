/* Boxes and keypoints that are no use any more are removed, with their labels and masks. */
#include <inttypes.h>

#include "base/sequence.h"
#include "constructors/transforms.h"
#include "constructors/transforms_functional.h"
#include "core/c/error.h"
#include "transforms/boxes.h"
#include "transforms/labels.h"
#include "transforms/transform.h"

/* Which are valid. */

static ctorch_tensor *difference(struct calculation *c, const ctorch_tensor *x, int64_t first, int64_t second) {
  return calc_sub(c, calc_column(c, x, first), calc_column(c, x, second));
}

static ctorch_tensor *length(struct calculation *c, const ctorch_tensor *x, const ctorch_tensor *y) {
  return calc_sqrt(c, calc_add(c, calc_square(c, x), calc_square(c, y)));
}

static ctorch_tensor *all_in_row(struct calculation *c, const ctorch_tensor *x) {
  ctorch_tensor *made = NULL;
  if (calc_goes_on(c, x, x)) {
    calc_fail_with(c, ctorch_aten_all_dim(&made, x, -1, false));
  }
  return made;
}

const ctorch_tensor *boxes_valid(
    struct calculation *c, const ctorch_tensor *boxes, const struct tv_tensor *mark, double min_size, double min_area) {
  bool is_rotated = box_format_is_rotated(mark->format);
  const ctorch_tensor *x = boxes_convert(c, boxes, mark->format, is_rotated ? BOX_XYXYXYXY : BOX_XYXY, false);
  ctorch_tensor *widths = NULL, *heights = NULL;
  if (is_rotated) { /* as torchvision takes the second side, with x and y in turn */
    widths = length(c, difference(c, x, 0, 2), difference(c, x, 1, 3));
    heights = length(c, difference(c, x, 3, 5), difference(c, x, 4, 6));
  } else {
    widths = difference(c, x, 2, 0);
    heights = difference(c, x, 3, 1);
  }
  ctorch_tensor *valid = calc_and(
      c, calc_greater_equal(c, widths, floating(min_size)), calc_greater_equal(c, heights, floating(min_size)));
  valid = calc_and(c, valid, all_in_row(c, calc_greater_equal(c, x, whole(0))));
  valid = calc_and(c, valid, calc_greater_equal(c, calc_mul(c, widths, heights), floating(min_area)));
  for (int64_t column = 0; column < (is_rotated ? 8 : 4); column++) {
    int64_t most = mark->canvas_size[column % 2 == 0 ? 1 : 0];
    valid = calc_and(c, valid, calc_less_equal(c, calc_column(c, x, column), whole(most)));
  }
  return valid;
}

const ctorch_tensor *keypoints_valid(
    struct calculation *c, const ctorch_tensor *keypoints, const int64_t canvas_size[2]) {
  ctorch_tensor *x = calc_column(c, keypoints, 0), *y = calc_column(c, keypoints, 1), *flat = NULL;
  ctorch_tensor *valid = calc_and(c, calc_greater_equal(c, x, whole(0)), calc_less(c, x, whole(canvas_size[1])));
  valid = calc_and(c, valid, calc_greater_equal(c, y, whole(0)));
  valid = calc_and(c, valid, calc_less(c, y, whole(canvas_size[0])));
  if (!calc_goes_on(c, valid, valid) || ctorch_tensor_ndim(valid) <= 1) {
    return valid;
  }
  calc_fail_with(c, ctorch_aten_flatten_using_ints(&flat, valid, 1, -1));
  return all_in_row(c, flat);
}

/* The functionals. */

ctorch_error *transforms_functional_sanitize_bounding_boxes(
    const char *function,
    ctorch_tensor **out,
    ctorch_tensor **out_valid,
    const struct transforms_functional_sanitize_bounding_boxes_options *options) {
  const ctorch_tensor *boxes = options->bounding_boxes;
  const struct tv_tensor *old_mark = tv_tensor_of(boxes);
  struct tv_tensor mark = {0};
  if (old_mark != NULL) {
    if (old_mark->kind != CTORCH_TV_TENSOR_BOUNDING_BOXES) {
      return error_make(
          function, CTORCH_ERROR_VALUE, "bounding_boxes must be a tv_tensors.BoundingBoxes instance or a pure tensor.");
    }
    if (options->format != NULL || options->has_canvas_size) {
      return error_make(
          function, CTORCH_ERROR_VALUE,
          "format and canvas_size must be None when bounding_boxes is a tv_tensors.BoundingBoxes instance.");
    }
    mark = *old_mark;
  } else {
    if (options->format == NULL || !options->has_canvas_size) {
      return error_make(
          function, CTORCH_ERROR_VALUE, "format and canvas_size cannot be None if bounding_boxes is a pure tensor.");
    }
    CTORCH_TRY(box_format_read(function, &mark.format, options->format));
    mark.canvas_size[0] = options->canvas_size[0];
    mark.canvas_size[1] = options->canvas_size[1];
  }
  struct calculation c;
  calculation_begin(&c, function);
  const ctorch_tensor *valid = boxes_valid(&c, boxes, &mark, options->min_size, options->min_area);
  return tv_tensor_end_two(&c, out, calc_index(&c, boxes, valid), old_mark, out_valid, valid);
}

ctorch_error *transforms_functional_sanitize_keypoints(
    const char *function,
    ctorch_tensor **out,
    ctorch_tensor **out_valid,
    const struct transforms_functional_sanitize_keypoints_options *options) {
  const ctorch_tensor *keypoints = options->key_points;
  const struct tv_tensor *mark = tv_tensor_of(keypoints);
  if (mark != NULL && mark->kind != CTORCH_TV_TENSOR_KEY_POINTS) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "key_points must be a tv_tensors.KeyPoints instance or a pure tensor.");
  }
  if ((mark != NULL) == options->has_canvas_size) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        mark != NULL ? "canvas_size must be None when key_points is a tv_tensors.KeyPoints instance."
                     : "canvas_size cannot be None if key_points is a pure tensor.");
  }
  struct calculation c;
  calculation_begin(&c, function);
  const ctorch_tensor *valid = keypoints_valid(&c, keypoints, mark != NULL ? mark->canvas_size : options->canvas_size);
  return tv_tensor_end_two(&c, out, calc_index(&c, keypoints, valid), mark, out_valid, valid);
}

/* The transforms. */

struct sanitizer {
  ctorch_transform transform;
  double min_size, min_area; /* of boxes */
  struct labels_getter labels;
};

static void finalize(void *object) { labels_end(&((struct sanitizer *)object)->labels); }

/* Labels as a list of tensors; empty for none. */
struct labels {
  ctorch_tensor_list *list;
  size_t len;
};

static ctorch_error *refuse_labels(const char *function, const ctorch_value *found) {
  return error_make(
      function, CTORCH_ERROR_VALUE, "The labels in the input must be a tensor or None, got %s instead.",
      ctorch_value_kind_name(ctorch_value_kind_of(found)));
}

static ctorch_error *read_labels(
    const struct sanitizer *self, struct transform_call *call, struct labels *out, const ctorch_value *sample) {
  ctorch_value *found = NULL;
  CTORCH_TRY(labels_get(&self->labels, call, &found, sample));
  ctorch_value_kind kind = ctorch_value_kind_of(found);
  ctorch_error *error = NULL;
  if (kind == CTORCH_VALUE_TENSOR) {
    ctorch_tensor *tensor = NULL;
    error = ctorch_value_to_tensor(&tensor, found);
    THEN(error, ctorch_tensor_list_new(&out->list, (const ctorch_tensor *const[]){tensor}, 1));
    ctorch_tensor_release(tensor);
  } else if (kind == CTORCH_VALUE_TUPLE || kind == CTORCH_VALUE_LIST) {
    error = ctorch_value_to_tensors(&out->list, found);
    if (error != NULL && ctorch_error_kind_of(error) == CTORCH_ERROR_TYPE) {
      ctorch_error_release(error);
      error = refuse_labels(call->function, found);
    }
  } else if (kind != CTORCH_VALUE_NONE) {
    error = refuse_labels(call->function, found);
  }
  out->len = error == NULL && out->list != NULL ? ctorch_tensor_list_len(out->list) : 0;
  for (size_t i = 0; error == NULL && i < out->len; i++) {
    if (ctorch_tensor_list_data(out->list)[i] == NULL) {
      error = refuse_labels(call->function, found);
    }
  }
  ctorch_value_release(found);
  return error;
}

static bool is_label(const struct labels *labels, const ctorch_tensor *tensor) {
  for (size_t i = 0; i < labels->len; i++) {
    if (ctorch_tensor_list_data(labels->list)[i] == tensor) {
      return true;
    }
  }
  return false;
}

static int64_t first_size(const ctorch_tensor *tensor) {
  return ctorch_tensor_ndim(tensor) == 0 ? -1 : ctorch_tensor_sizes(tensor)[0];
}

static ctorch_error *check_labels(
    const char *function, const struct labels *labels, const ctorch_tensor *marked, const char *what) {
  for (size_t i = 0; i < labels->len; i++) {
    int64_t len = first_size(ctorch_tensor_list_data(labels->list)[i]);
    if (len != first_size(marked)) {
      return error_make(
          function, CTORCH_ERROR_VALUE,
          "The number of %s must match the number of labels: there are %" PRId64 " and %" PRId64, what,
          first_size(marked), len);
    }
  }
  return NULL;
}

/* What stays of a tensor. */
static ctorch_error *keep_valid(
    const char *function,
    ctorch_value **value,
    const ctorch_tensor *tensor,
    const ctorch_tensor *valid,
    bool is_label) {
  const struct tv_tensor *mark = is_label ? NULL : tv_tensor_of(tensor);
  ctorch_tensor *rows = NULL, *made = NULL;
  ctorch_error *error = ctorch_aten_index_Tensor(&rows, tensor, &valid, 1);
  CTORCH_TRY(tv_tensor_give(function, &made, rows, mark, error));
  ctorch_value *kept = NULL;
  error = ctorch_value_from_tensor(&kept, made);
  ctorch_tensor_release(made);
  if (error == NULL) {
    ctorch_value_release(*value);
    *value = kept;
  }
  return error;
}

/* The mask of those that stay, of the first boxes or keypoints of a sample. */
static ctorch_error *find_valid(
    const struct sanitizer *self, const char *function, ctorch_tensor **out, const ctorch_tensor *marked) {
  const struct tv_tensor *mark = tv_tensor_of(marked);
  struct calculation c;
  calculation_begin(&c, function);
  const ctorch_tensor *valid = mark->kind == CTORCH_TV_TENSOR_BOUNDING_BOXES
                                   ? boxes_valid(&c, marked, mark, self->min_size, self->min_area)
                                   : keypoints_valid(&c, marked, mark->canvas_size);
  return tv_tensor_end(&c, out, valid, NULL);
}

/* All leaves, without what does not stay. */
static ctorch_error *sanitize(
    const struct sanitizer *self,
    const char *function,
    struct transform_leaves *leaves,
    const struct labels *labels,
    ctorch_tv_tensor_kind kind) {
  const ctorch_tensor *marked = transform_find(leaves, kind);
  bool is_boxes = kind == CTORCH_TV_TENSOR_BOUNDING_BOXES;
  if (marked == NULL) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "No %s were found in the sample", is_boxes ? "bounding boxes" : "keypoints");
  }
  CTORCH_TRY(check_labels(function, labels, marked, is_boxes ? "boxes" : "keypoints"));
  ctorch_tensor *valid = NULL;
  CTORCH_TRY(find_valid(self, function, &valid, marked));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < leaves->len; i++) {
    const ctorch_tensor *tensor = leaves->tensors[i];
    ctorch_tv_tensor_kind here = ctorch_tv_tensor_kind_of(tensor);
    bool is_labels = tensor != NULL && is_label(labels, tensor);
    if (is_boxes && tensor != NULL && first_size(tensor) != first_size(valid)) {
      continue; /* as a mask for the whole image */
    }
    if (is_labels || (tensor != NULL && here == kind) || (is_boxes && here == CTORCH_TV_TENSOR_MASK)) {
      error = keep_valid(function, &leaves->values[i], tensor, valid, is_labels);
    }
  }
  ctorch_tensor_release(valid);
  return error;
}

static ctorch_error *call_on(
    const ctorch_transform *object,
    struct transform_call *call,
    ctorch_value **out,
    const ctorch_value *sample,
    ctorch_tv_tensor_kind kind) {
  const struct sanitizer *self = (const struct sanitizer *)object;
  struct labels labels = {0};
  struct transform_leaves leaves = {0};
  ctorch_error *error = read_labels(self, call, &labels, sample);
  THEN(error, transform_flatten(call->function, &leaves, sample, TRANSFORM_TENSORS));
  THEN(error, sanitize(self, call->function, &leaves, &labels, kind));
  THEN(error, transform_unflatten(call->function, out, sample, &leaves));
  transform_leaves_end(&leaves);
  ctorch_tensor_list_release(labels.list);
  return error;
}

static ctorch_error *sanitize_boxes(
    const ctorch_transform *self, struct transform_call *call, ctorch_value **out, const ctorch_value *sample) {
  return call_on(self, call, out, sample, CTORCH_TV_TENSOR_BOUNDING_BOXES);
}

static ctorch_error *sanitize_keypoints(
    const ctorch_transform *self, struct transform_call *call, ctorch_value **out, const ctorch_value *sample) {
  return call_on(self, call, out, sample, CTORCH_TV_TENSOR_KEY_POINTS);
}

static bool may_thread(const ctorch_transform *self) {
  return transform_parts_may_thread(&((const struct sanitizer *)self)->labels.parts);
}

static void repr_boxes(const ctorch_transform *object, struct text *text) {
  const struct sanitizer *self = (const struct sanitizer *)object;
  transform_repr_double(text, "min_size", self->min_size);
  transform_repr_double(text, "min_area", self->min_area);
  transform_repr_labels(text, &self->labels);
}

static void repr_keypoints(const ctorch_transform *self, struct text *text) {
  transform_repr_labels(text, &((const struct sanitizer *)self)->labels);
}

static const transform_class boxes_class = {
    .object = TRANSFORM_OBJECT_WITH(struct sanitizer, finalize),
    .name = "SanitizeBoundingBoxes",
    .call = sanitize_boxes,
    .extra_repr = repr_boxes,
    .may_thread = may_thread,
};
static const transform_class keypoints_class = {
    .object = TRANSFORM_OBJECT_WITH(struct sanitizer, finalize),
    .name = "SanitizeKeyPoints",
    .call = sanitize_keypoints,
    .extra_repr = repr_keypoints,
    .may_thread = may_thread,
};

ctorch_error *transforms_SanitizeBoundingBoxes(
    const char *function, ctorch_transform **out, const struct transforms_SanitizeBoundingBoxes_options *options) {
  if (!(options->min_size >= 1) || !(options->min_area >= 1)) {
    bool is_size = !(options->min_size >= 1);
    return error_make(
        function, CTORCH_ERROR_VALUE, "%s must be >= 1, got %g.", is_size ? "min_size" : "min_area",
        is_size ? options->min_size : options->min_area);
  }
  struct sanitizer *self = transform_new(&boxes_class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  self->min_size = options->min_size;
  self->min_area = options->min_area;
  ctorch_error *error = labels_begin(function, &self->labels, &self->transform, options->labels_getter, true);
  return transform_give(function, out, &self->transform, error);
}

ctorch_error *transforms_SanitizeKeyPoints(
    const char *function, ctorch_transform **out, const struct transforms_SanitizeKeyPoints_options *options) {
  struct sanitizer *self = transform_new(&keypoints_class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  ctorch_error *error = labels_begin(function, &self->labels, &self->transform, options->labels_getter, false);
  return transform_give(function, out, &self->transform, error);
}
