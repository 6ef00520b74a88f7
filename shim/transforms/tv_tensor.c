/* Tensors that are marked as what they are: torchvision.tv_tensors. */
#include "transforms/tv_tensor.h"

#include <inttypes.h>
#include <string.h>

#include "base/sequence.h"
#include "constructors/tv_tensors.h"
#include "core/c/error.h"
#include "core/c/mark.h"
#include "core/c/tensor.h"
#include "transforms/element_type.h"

static const object_class tv_tensor_class = {"tv_tensor", sizeof(struct tv_tensor), NULL};

static const char *const FORMATS[] = {"XYXY", "XYWH", "CXCYWH", "XYWHR", "CXCYWHR", "XYXYXYXY"};
enum { FORMATS_LEN = sizeof FORMATS / sizeof *FORMATS };

bool box_format_is_rotated(enum box_format format) { return format >= BOX_XYWHR; }

int64_t box_format_len(enum box_format format) {
  return format == BOX_XYXYXYXY ? 8 : box_format_is_rotated(format) ? 5 : 4;
}

const char *box_format_name(enum box_format format) { return FORMATS[format]; }

/* Whether two texts are equal but for the case of ASCII letters. */
static bool is_name(const char *given, const char *name) {
  for (; *given != '\0' && *name != '\0'; given++, name++) {
    char upper = *given >= 'a' && *given <= 'z' ? (char)(*given - 'a' + 'A') : *given;
    if (upper != *name) {
      return false;
    }
  }
  return *given == *name;
}

ctorch_error *box_format_read(const char *function, enum box_format *out, const char *name) {
  for (int i = 0; i < FORMATS_LEN; i++) {
    if (is_name(name, FORMATS[i])) {
      *out = (enum box_format)i;
      return NULL;
    }
  }
  return error_make(function, CTORCH_ERROR_INDEX, "format: there is no BoundingBoxFormat '%.40s'", name);
}

ctorch_error *clamping_mode_read(const char *function, enum clamping_mode *out, const char *name) {
  static const char *const names[] = {"none", "soft", "hard"};
  for (int i = 0; i < 3; i++) {
    if (strcmp(name, names[i]) == 0) {
      *out = (enum clamping_mode)i;
      return NULL;
    }
  }
  return error_make(function, CTORCH_ERROR_VALUE, "clamping_mode must be none, hard or soft, got %.40s", name);
}

const char *clamping_mode_name(enum clamping_mode mode) {
  return mode == CLAMPING_SOFT ? "soft" : mode == CLAMPING_HARD ? "hard" : NULL;
}

const struct tv_tensor *tv_tensor_of(const ctorch_tensor *self) { return tensor_marked(self, &tv_tensor_class); }

/* What such a tensor has to be like; `*leads` is whether it gets a first size of 1. */
static ctorch_error *check_sizes(
    const char *function, bool *leads, const ctorch_tensor *tensor, ctorch_tv_tensor_kind kind) {
  int64_t ndim = ctorch_tensor_ndim(tensor);
  const int64_t *sizes = ctorch_tensor_sizes(tensor);
  *leads = false;
  switch (kind) {
    case CTORCH_TV_TENSOR_BOUNDING_BOXES:
      *leads = ndim == 1;
      if (ndim != 1 && ndim != 2) {
        return error_make(function, CTORCH_ERROR_VALUE, "Expected a 1D or 2D tensor, got %" PRId64 "D", ndim);
      }
      return NULL;
    case CTORCH_TV_TENSOR_KEY_POINTS:
      *leads = ndim == 1;
      if (ndim == 0) {
        return error_make(function, CTORCH_ERROR_INDEX, "Expected a tensor of shape (..., 2), not a scalar");
      }
      if (ndim != 1 && sizes[ndim - 1] != 2) {
        return error_make(
            function, CTORCH_ERROR_VALUE, "Expected a tensor of shape (..., 2), got a last size of %" PRId64,
            sizes[ndim - 1]);
      }
      return NULL;
    default:
      return NULL;
  }
}

ctorch_error *tv_tensor_wrap(
    const char *function, ctorch_tensor **out, const ctorch_tensor *tensor, const struct tv_tensor *mark) {
  bool leads = false;
  if (mark == NULL) {
    return tensor_give(function, out, tensor);
  }
  CTORCH_TRY(check_sizes(function, &leads, tensor, mark->kind));
  struct tv_tensor *object = object_new(&tv_tensor_class);
  if (object == NULL) {
    return error_memory(function, sizeof *object);
  }
  *object = *mark;
  ctorch_tensor *led = NULL;
  ctorch_error *error = leads ? ctorch_aten_unsqueeze(&led, tensor, 0) : NULL;
  THEN(error, tensor_mark(function, out, leads ? led : tensor, object));
  ctorch_tensor_release(led);
  object_unref(object);
  return error;
}

ctorch_error *tv_tensor_give(
    const char *function, ctorch_tensor **out, ctorch_tensor *made, const struct tv_tensor *mark, ctorch_error *error) {
  if (error == NULL && mark == NULL) {
    *out = made;
    return NULL;
  }
  THEN(error, tv_tensor_wrap(function, out, made, mark));
  ctorch_tensor_release(made);
  return error;
}

ctorch_error *tv_tensor_end(
    struct calculation *calculation, ctorch_tensor **out, const ctorch_tensor *result, const struct tv_tensor *mark) {
  ctorch_tensor *kept = calculation->error == NULL ? tensor_ref(result) : NULL;
  ctorch_error *error = calculation_end(calculation);
  THEN(error, tv_tensor_wrap(calculation->function, out, kept, mark));
  tensor_unref(kept);
  return error;
}

ctorch_error *tv_tensor_end_two(
    struct calculation *calculation,
    ctorch_tensor **out,
    const ctorch_tensor *result,
    const struct tv_tensor *mark,
    ctorch_tensor **other_out,
    const ctorch_tensor *other) {
  ctorch_tensor *kept = calculation->error == NULL ? tensor_ref(other) : NULL, *first = NULL, *second = NULL;
  ctorch_error *error = tv_tensor_end(calculation, &first, result, mark);
  THEN(error, tensor_give(calculation->function, &second, kept));
  tensor_unref(kept);
  if (error != NULL) {
    ctorch_tensor_release(first);
    return error;
  }
  *out = first;
  *other_out = second;
  return NULL;
}

/* Making. */

/* `data` in the type and on the device that are asked for, and without gradients if none are to be recorded. */
static ctorch_error *convert(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *data,
    const ctorch_dtype *dtype,
    const ctorch_device *device,
    bool requires_grad) {
  ctorch_tensor *converted = NULL;
  CTORCH_TRY(ctorch_aten_to_dtype_layout(&converted, data, dtype, NULL, device, NULL, false, false, NULL));
  if (requires_grad || !ctorch_tensor_requires_grad(converted)) {
    *out = converted;
    return NULL;
  }
  ctorch_error *error =
      ctorch_tensor_is_leaf(converted)
          ? ctorch_aten_detach(out, converted)
          : error_make(
                function, CTORCH_ERROR_RUNTIME, "requires_grad: only leaf tensors can be made to record no gradients");
  ctorch_tensor_release(converted);
  return error;
}

struct request {
  const ctorch_tensor *data;
  const ctorch_dtype *dtype;
  const ctorch_device *device;
  const bool *requires_grad;
};

#define REQUEST(options) {(options)->data, (options)->dtype, (options)->device, (options)->requires_grad}

/* A marked tensor of what is asked for; `*leads` is whether it gets a first size of 1 beyond those of its mark. */
static ctorch_error *make(
    const char *function,
    ctorch_tensor **out,
    const struct request *request,
    const struct tv_tensor *mark,
    bool leads) {
  bool requires_grad =
      request->requires_grad != NULL ? *request->requires_grad : ctorch_tensor_requires_grad(request->data);
  ctorch_tensor *converted = NULL, *led = NULL, *made = NULL;
  CTORCH_TRY(convert(function, &converted, request->data, request->dtype, request->device, requires_grad));
  ctorch_error *error = leads ? ctorch_aten_unsqueeze(&led, converted, 0) : NULL;
  THEN(error, tv_tensor_wrap(function, &made, leads ? led : converted, mark));
  ctorch_tensor_release(led);
  ctorch_tensor_release(converted);
  if (error == NULL && requires_grad && !ctorch_tensor_requires_grad(made)) {
    error = ctorch_tensor_set_requires_grad(made, true);
  }
  if (error != NULL) {
    ctorch_tensor_release(made);
    return error;
  }
  *out = made;
  return NULL;
}

ctorch_error *tv_tensors_Image(
    const char *function, ctorch_tensor **out, const struct tv_tensors_Image_options *options) {
  struct request request = REQUEST(options);
  int64_t ndim = ctorch_tensor_ndim(options->data);
  if (ndim < 2) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "data: Tensor must be 2D or higher, got %" PRId64 "D tensor.", ndim);
  }
  return make(function, out, &request, &(struct tv_tensor){.kind = CTORCH_TV_TENSOR_IMAGE}, ndim == 2);
}

ctorch_error *tv_tensors_Video(
    const char *function, ctorch_tensor **out, const struct tv_tensors_Video_options *options) {
  struct request request = REQUEST(options);
  int64_t ndim = ctorch_tensor_ndim(options->data);
  if (ndim < 4) {
    return error_make(function, CTORCH_ERROR_VALUE, "data: a video has at least four dimensions, got %" PRId64, ndim);
  }
  return make(function, out, &request, &(struct tv_tensor){.kind = CTORCH_TV_TENSOR_VIDEO}, false);
}

ctorch_error *tv_tensors_Mask(
    const char *function, ctorch_tensor **out, const struct tv_tensors_Mask_options *options) {
  struct request request = REQUEST(options);
  return make(function, out, &request, &(struct tv_tensor){.kind = CTORCH_TV_TENSOR_MASK}, false);
}

ctorch_error *tv_tensors_BoundingBoxes(
    const char *function, ctorch_tensor **out, const struct tv_tensors_BoundingBoxes_options *options) {
  struct request request = REQUEST(options);
  struct tv_tensor mark = {
      .kind = CTORCH_TV_TENSOR_BOUNDING_BOXES, .canvas_size = {options->canvas_size[0], options->canvas_size[1]}};
  CTORCH_TRY(box_format_read(function, &mark.format, options->format));
  CTORCH_TRY(clamping_mode_read(function, &mark.clamping, options->clamping_mode));
  ctorch_dtype dtype = options->dtype != NULL ? *options->dtype : ctorch_tensor_dtype(options->data);
  if (box_format_is_rotated(mark.format) && !dtype_is_floating_point(dtype)) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "Rotated bounding boxes should be floating point tensors, got torch.%s.",
        ctorch_dtype_name(dtype));
  }
  return make(function, out, &request, &mark, false);
}

ctorch_error *tv_tensors_KeyPoints(
    const char *function, ctorch_tensor **out, const struct tv_tensors_KeyPoints_options *options) {
  struct request request = REQUEST(options);
  struct tv_tensor mark = {
      .kind = CTORCH_TV_TENSOR_KEY_POINTS, .canvas_size = {options->canvas_size[0], options->canvas_size[1]}};
  return make(function, out, &request, &mark, false);
}

ctorch_error *tv_tensors_wrap(
    const char *function, ctorch_tensor **out, const struct tv_tensors_wrap_options *options) {
  const struct tv_tensor *like = tv_tensor_of(options->like);
  if (like == NULL) {
    return tensor_give(function, out, options->wrappee);
  }
  struct tv_tensor mark = *like;
  if (options->format != NULL) {
    CTORCH_TRY(box_format_read(function, &mark.format, options->format));
  }
  if (options->clamping_mode != NULL) {
    CTORCH_TRY(clamping_mode_read(function, &mark.clamping, options->clamping_mode));
  }
  if (options->has_canvas_size) {
    mark.canvas_size[0] = options->canvas_size[0];
    mark.canvas_size[1] = options->canvas_size[1];
  }
  return tv_tensor_wrap(function, out, options->wrappee, &mark);
}

ctorch_error *tv_tensors_is_rotated_bounding_format(
    const char *function, bool *out, const struct tv_tensors_is_rotated_bounding_format_options *options) {
  (void)function;
  *out = false;
  for (int i = BOX_XYWHR; i < FORMATS_LEN; i++) {
    *out = *out || strcmp(options->format, FORMATS[i]) == 0;
  }
  return NULL;
}

/* Asking. */

ctorch_tv_tensor_kind ctorch_tv_tensor_kind_of(const ctorch_tensor *self) {
  const struct tv_tensor *mark = tv_tensor_of(self);
  return mark == NULL ? CTORCH_TV_TENSOR_NONE : mark->kind;
}

const char *ctorch_tv_tensor_kind_name(ctorch_tv_tensor_kind kind) {
  static const char *const names[] = {"Tensor", "Image", "Video", "Mask", "BoundingBoxes", "KeyPoints"};
  return kind < 0 || kind > CTORCH_TV_TENSOR_KEY_POINTS ? NULL : names[kind];
}

static bool has_boxes(const struct tv_tensor *mark) {
  return mark != NULL && mark->kind == CTORCH_TV_TENSOR_BOUNDING_BOXES;
}

const char *ctorch_tv_tensor_format(const ctorch_tensor *self) {
  const struct tv_tensor *mark = tv_tensor_of(self);
  return has_boxes(mark) ? box_format_name(mark->format) : NULL;
}

const char *ctorch_tv_tensor_clamping_mode(const ctorch_tensor *self) {
  const struct tv_tensor *mark = tv_tensor_of(self);
  return has_boxes(mark) ? clamping_mode_name(mark->clamping) : NULL;
}

ctorch_error *ctorch_tv_tensor_canvas_size(int64_t *out_height, int64_t *out_width, const ctorch_tensor *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out_height == NULL || out_width == NULL || self == NULL) {
    return error_null(__func__, out_height == NULL ? "out_height" : out_width == NULL ? "out_width" : "self");
  }
  const struct tv_tensor *mark = tv_tensor_of(self);
  if (!has_boxes(mark) && (mark == NULL || mark->kind != CTORCH_TV_TENSOR_KEY_POINTS)) {
    return error_make(
        __func__, CTORCH_ERROR_TYPE,
        "self: expected bounding boxes or keypoints, found a tensor without a size of its image");
  }
  *out_height = mark->canvas_size[0];
  *out_width = mark->canvas_size[1];
  return NULL;
}
