/* Clamping boxes and keypoints, and the mode of it: functionals and transforms. */
#include <string.h>

#include "constructors/transforms.h"
#include "constructors/transforms_functional.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "transforms/boxes.h"
#include "transforms/transform.h"

static bool is_marked(const ctorch_tensor *input, ctorch_tv_tensor_kind kind) {
  return ctorch_tv_tensor_kind_of(input) == kind;
}

/* Boxes as their mark says, in a mode that may be another one. */
static ctorch_error *clamp(const char *function, ctorch_tensor **out, const ctorch_tensor *input, const char *mode) {
  const struct tv_tensor *mark = tv_tensor_of(input);
  struct tv_tensor in_mode = *mark;
  if (strcmp(mode, "auto") != 0) {
    CTORCH_TRY(clamping_mode_read(function, &in_mode.clamping, mode));
  }
  struct calculation c;
  calculation_begin(&c, function);
  return tv_tensor_end(&c, out, boxes_clamp(&c, input, &in_mode), mark);
}

ctorch_error *transforms_functional_clamp_bounding_boxes(
    const char *function,
    ctorch_tensor **out,
    const struct transforms_functional_clamp_bounding_boxes_options *options) {
  struct tv_tensor mark = {.kind = CTORCH_TV_TENSOR_BOUNDING_BOXES};
  bool is_auto = strcmp(options->clamping_mode, "auto") == 0;
  if (!is_auto) {
    CTORCH_TRY(clamping_mode_read(function, &mark.clamping, options->clamping_mode));
  }
  if (is_marked(options->inpt, CTORCH_TV_TENSOR_BOUNDING_BOXES)) {
    return options->format == NULL && !options->has_canvas_size
               ? clamp(function, out, options->inpt, options->clamping_mode)
               : error_make(
                     function, CTORCH_ERROR_VALUE,
                     "For bounding box tv_tensor inputs, `format` and `canvas_size` must not be passed.");
  }
  if (tv_tensor_of(options->inpt) != NULL) {
    return functional_refuses(function, options->inpt, TRANSFORM_PURE | TRANSFORM_BOUNDING_BOXES);
  }
  if (options->format == NULL || !options->has_canvas_size || is_auto) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "For pure tensor inputs, `format`, `canvas_size` and `clamping_mode` have to be passed.");
  }
  CTORCH_TRY(box_format_read(function, &mark.format, options->format));
  mark.canvas_size[0] = options->canvas_size[0];
  mark.canvas_size[1] = options->canvas_size[1];
  struct calculation c;
  calculation_begin(&c, function);
  return tv_tensor_end(&c, out, boxes_clamp(&c, options->inpt, &mark), NULL);
}

static ctorch_error *clamp_keypoints(
    const char *function, ctorch_tensor **out, const ctorch_tensor *input, const int64_t canvas_size[2]) {
  struct calculation c;
  calculation_begin(&c, function);
  return tv_tensor_end(&c, out, keypoints_clamp(&c, input, canvas_size), tv_tensor_of(input));
}

ctorch_error *transforms_functional_clamp_keypoints(
    const char *function, ctorch_tensor **out, const struct transforms_functional_clamp_keypoints_options *options) {
  const struct tv_tensor *mark = tv_tensor_of(options->inpt);
  if (mark != NULL && mark->kind != CTORCH_TV_TENSOR_KEY_POINTS) {
    return functional_refuses(function, options->inpt, TRANSFORM_PURE | TRANSFORM_KEY_POINTS);
  }
  if ((mark != NULL) == options->has_canvas_size) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        mark != NULL ? "For keypoints tv_tensor inputs, `canvas_size` must not be passed."
                     : "For pure tensor inputs, `canvas_size` has to be passed.");
  }
  return clamp_keypoints(function, out, options->inpt, mark != NULL ? mark->canvas_size : options->canvas_size);
}

/* Transforms that have a mode. */

struct clamping {
  ctorch_transform transform;
  ctorch_value *given; /* a text, or None; NULL for "auto" */
  enum clamping_mode mode;
};

static void finalize(void *object) { value_unref(((struct clamping *)object)->given); }

static ctorch_error *apply_clamp(
    const ctorch_transform *object,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  const struct clamping *self = (const struct clamping *)object;
  const char *mode = "auto";
  (void)drawn;
  if (self->given != NULL && ctorch_value_kind_of(self->given) == CTORCH_VALUE_NONE) {
    mode = "none";
  } else if (self->given != NULL) {
    CTORCH_TRY(ctorch_value_to_string(&mode, NULL, self->given));
  }
  return clamp(call->function, out, input, mode);
}

static void repr_clamp(const ctorch_transform *object, struct text *text) {
  const struct clamping *self = (const struct clamping *)object;
  if (self->given == NULL) {
    transform_repr_text(text, "clamping_mode", "auto");
  } else {
    transform_repr_value(text, "clamping_mode", self->given);
  }
}

static const transform_class clamp_class = {
    .object = TRANSFORM_OBJECT_WITH(struct clamping, finalize),
    .name = "ClampBoundingBoxes",
    .types = TRANSFORM_BOUNDING_BOXES,
    .apply = apply_clamp,
    .extra_repr = repr_clamp,
};

ctorch_error *transforms_ClampBoundingBoxes(
    const char *function, ctorch_transform **out, const struct transforms_ClampBoundingBoxes_options *options) {
  ctorch_value_kind kind =
      options->clamping_mode == NULL ? CTORCH_VALUE_NONE : ctorch_value_kind_of(options->clamping_mode);
  if (kind != CTORCH_VALUE_NONE && kind != CTORCH_VALUE_STRING) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "clamping_mode: expected a text or None, found %s", ctorch_value_kind_name(kind));
  }
  struct clamping *self = transform_new(&clamp_class);
  ctorch_error *error = self == NULL ? error_memory(function, sizeof *self) : NULL;
  if (error == NULL && options->clamping_mode != NULL) {
    ctorch_value *given = NULL;
    error = ctorch_value_copy(&given, options->clamping_mode);
    self->given = value_take(given);
  }
  return transform_give(function, out, self == NULL ? NULL : &self->transform, error);
}

static ctorch_error *apply_set(
    const ctorch_transform *self,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  struct tv_tensor mark = *tv_tensor_of(input);
  ctorch_tensor *copy = NULL;
  (void)drawn;
  mark.clamping = ((const struct clamping *)self)->mode;
  ctorch_error *error = ctorch_aten_clone(&copy, input, NULL);
  return tv_tensor_give(call->function, out, copy, &mark, error);
}

static void repr_set(const ctorch_transform *self, struct text *text) {
  const char *mode = clamping_mode_name(((const struct clamping *)self)->mode);
  if (mode != NULL) {
    transform_repr_text(text, "clamping_mode", mode);
  }
}

static const transform_class set_class = {
    .object = TRANSFORM_OBJECT_WITH(struct clamping, finalize),
    .name = "SetClampingMode",
    .types = TRANSFORM_BOUNDING_BOXES,
    .apply = apply_set,
    .extra_repr = repr_set,
};

ctorch_error *transforms_SetClampingMode(
    const char *function, ctorch_transform **out, const struct transforms_SetClampingMode_options *options) {
  enum clamping_mode mode = CLAMPING_NONE;
  if (options->clamping_mode != NULL) {
    CTORCH_TRY(clamping_mode_read(function, &mode, options->clamping_mode));
  }
  struct clamping *self = transform_new(&set_class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  self->mode = mode;
  return transform_give(function, out, &self->transform, NULL);
}

static ctorch_error *apply_to_keypoints(
    const ctorch_transform *self,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  (void)self;
  (void)drawn;
  return clamp_keypoints(call->function, out, input, tv_tensor_of(input)->canvas_size);
}

static const transform_class keypoints_class = {
    .object = TRANSFORM_OBJECT(ctorch_transform),
    .name = "ClampKeyPoints",
    .types = TRANSFORM_KEY_POINTS,
    .apply = apply_to_keypoints,
};

ctorch_error *transforms_ClampKeyPoints(
    const char *function, ctorch_transform **out, const struct transforms_ClampKeyPoints_options *options) {
  (void)options;
  return transform_give(function, out, transform_new(&keypoints_class), NULL);
}
