/* Batches whose samples are mixed with one another, and their labels alike: MixUp (Zhang et al. 2017, arXiv:1710.09412)
 * and CutMix (Yun et al. 2019, arXiv:1905.04899). Each sample is mixed with the one before it in the batch. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "constructors/transforms.h"
#include "core/c/error.h"
#include "transforms/labels.h"
#include "transforms/picture.h"
#include "transforms/transform.h"

enum { UNMIXABLE = TRANSFORM_MASK | TRANSFORM_BOUNDING_BOXES | TRANSFORM_KEY_POINTS };

struct mixing {
  ctorch_transform transform;
  double alpha;
  int64_t num_classes;
  bool has_num_classes;
  struct labels_getter getter;
};

static void finalize(void *self) { labels_end(&((struct mixing *)self)->getter); }

static bool may_thread(const ctorch_transform *self) {
  return transform_parts_may_thread(&((const struct mixing *)self)->getter.parts);
}

/* What is drawn for a batch. */
struct mixture {
  double part; /* of each sample itself */
  int64_t left, top, right, bottom;
};

/* How one of the two draws, and what it makes of images or videos. */
typedef struct mixing_class {
  transform_class transform;
  ctorch_error *(*draw)(const struct transform_call *call, struct mixture *out, const struct transform_inputs *inputs);
  ctorch_error *(*mix)(ctorch_tensor **out, const ctorch_tensor *input, const struct mixture *mixture);
} mixing_class;

/* Labels. */

static ctorch_error *check_labels(const struct mixing *self, const char *function, const ctorch_tensor *labels) {
  int64_t ndim = ctorch_tensor_ndim(labels);
  if (ndim != 1 && ndim != 2) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "labels should be index based with shape (batch_size,) or probability based with shape (batch_size, "
        "num_classes), but got a tensor of %" PRId64 " dimensions",
        ndim);
  }
  if (ndim == 1 && !self->has_num_classes) {
    return error_make(function, CTORCH_ERROR_VALUE, "num_classes must be passed if the labels are index-based (1D)");
  }
  int64_t classes = ctorch_tensor_sizes(labels)[ndim - 1];
  if (ndim == 2 && self->has_num_classes && classes != self->num_classes) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "When passing 2D labels, the number of elements in last dimension must match num_classes: %" PRId64
        " != %" PRId64,
        classes, self->num_classes);
  }
  return NULL;
}

static ctorch_error *labels_of(
    const struct mixing *self, struct transform_call *call, ctorch_tensor **out, const ctorch_value *input) {
  ctorch_value *found = NULL;
  ctorch_tensor *labels = NULL;
  CTORCH_TRY(labels_get(&self->getter, call, &found, input));
  ctorch_error *error = ctorch_value_kind_of(found) == CTORCH_VALUE_TENSOR
                            ? ctorch_value_to_tensor(&labels, found)
                            : error_make(
                                  call->function, CTORCH_ERROR_VALUE, "The labels must be a tensor, but got a %s",
                                  ctorch_value_kind_name(ctorch_value_kind_of(found)));
  ctorch_value_release(found);
  THEN(error, check_labels(self, call->function, labels));
  if (error != NULL) {
    ctorch_tensor_release(labels);
    return error;
  }
  *out = labels;
  return NULL;
}

/* Mixing. */

/* part * input + (1 - part) * the ones before. */
static ctorch_error *blend(ctorch_tensor **out, const ctorch_tensor *input, double part) {
  enum { ROLLED, OWN, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_error *error = ctorch_aten_roll(&t[ROLLED], input, CTORCH_INTS(1), CTORCH_INTS(0));
  THEN(error, number_times_(t[ROLLED], CTORCH_FLOAT(1.0 - part)));
  THEN(error, number_times(&t[OWN], input, CTORCH_FLOAT(part)));
  THEN(error, ctorch_aten_add__Tensor(t[ROLLED], t[OWN], NULL));
  if (error == NULL) {
    *out = t[ROLLED];
    t[ROLLED] = NULL;
  }
  return picture_end(t, TENSORS, error);
}

static ctorch_error *mix_up(ctorch_tensor **out, const ctorch_tensor *input, const struct mixture *mixture) {
  return blend(out, input, mixture->part);
}

/* The rectangle comes from the ones before. */
static ctorch_error *cut(ctorch_tensor **out, const ctorch_tensor *input, const struct mixture *mixture) {
  enum { ROLLED, PART, OUTPUT, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_index *index = NULL;
  CTORCH_TRY(ctorch_index_from_text(
      &index, "..., %d:%d, %d:%d", CTORCH_INTS(mixture->top, mixture->bottom, mixture->left, mixture->right),
      CTORCH_DEFAULT_LIST));
  ctorch_error *error = ctorch_aten_roll(&t[ROLLED], input, CTORCH_INTS(1), CTORCH_INTS(0));
  THEN(error, ctorch_aten_clone(&t[OUTPUT], input, NULL));
  THEN(error, ctorch_tensor_index(&t[PART], t[ROLLED], index));
  THEN(error, ctorch_tensor_index_put(t[OUTPUT], index, t[PART]));
  ctorch_index_release(index);
  if (error == NULL) {
    *out = t[OUTPUT];
    t[OUTPUT] = NULL;
  }
  return picture_end(t, TENSORS, error);
}

static ctorch_error *mix_labels(
    const struct mixing *self, ctorch_tensor **out, const ctorch_tensor *labels, double part) {
  static const ctorch_dtype float32 = CTORCH_DTYPE_FLOAT32;
  enum { CLASSES, FLOAT, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  const ctorch_tensor *from = labels;
  ctorch_error *error = NULL;
  if (ctorch_tensor_ndim(labels) == 1) {
    error = ctorch_aten_one_hot(&t[CLASSES], labels, self->num_classes);
    from = t[CLASSES];
  }
  if (error == NULL && !tensor_is_floating_point(from)) {
    error = ctorch_tensor_to(&t[FLOAT], from, &float32, NULL, false, false, NULL);
    from = t[FLOAT];
  }
  THEN(error, blend(out, from, part));
  return picture_end(t, TENSORS, error);
}

static ctorch_error *check_batch(const char *function, const ctorch_tensor *input, int64_t batch_size) {
  int64_t ndim = ctorch_tensor_ndim(input);
  int64_t expected = ctorch_tv_tensor_kind_of(input) == CTORCH_TV_TENSOR_VIDEO ? 5 : 4;
  if (ndim != expected) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "Expected a batched input with %" PRId64 " dims, but got %" PRId64 " dimensions instead.", expected, ndim);
  }
  return ctorch_tensor_sizes(input)[0] == batch_size
             ? NULL
             : error_make(
                   function, CTORCH_ERROR_VALUE,
                   "The batch size of the image or video does not match the batch size of the labels: %" PRId64
                   " != %" PRId64,
                   ctorch_tensor_sizes(input)[0], batch_size);
}

/* Draws. */

/* Of a beta distribution with both parameters alpha, which is a Dirichlet distribution of two. */
static ctorch_error *draw_part(const struct mixing *self, const struct transform_call *call, struct mixture *out) {
  static const ctorch_dtype float32 = CTORCH_DTYPE_FLOAT32;
  enum { ALPHA, DRAWN, FIRST, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_device cpu = {CTORCH_DEVICE_TYPE_CPU, -1};
  ctorch_error *error =
      ctorch_aten_full(&t[ALPHA], CTORCH_INTS(1, 2), CTORCH_FLOAT(self->alpha), &float32, NULL, &cpu, NULL);
  THEN(error, ctorch_aten__sample_dirichlet(&t[DRAWN], t[ALPHA], call->generator));
  THEN(error, ctorch_aten_select_int(&t[FIRST], t[DRAWN], -1, 0));
  THEN(error, ctorch_tensor_item_double(&out->part, t[FIRST]));
  return picture_end(t, TENSORS, error);
}

static int64_t between(int64_t x, int64_t least, int64_t most) { return x < least ? least : x > most ? most : x; }

/* A rectangle around a point that is drawn, of which what is outside is cut off; `part` becomes what it leaves. */
static ctorch_error *draw_rectangle(
    const struct transform_call *call, struct mixture *out, const struct transform_inputs *inputs) {
  int64_t height = 0, width = 0, x = 0, y = 0;
  CTORCH_TRY(transform_query_size(call, &height, &width, inputs));
  CTORCH_TRY(draw_randint(call, &x, 0, width));
  CTORCH_TRY(draw_randint(call, &y, 0, height));
  double ratio = 0.5 * sqrt(1.0 - out->part);
  if (!isfinite(ratio)) {
    return error_make(call->function, CTORCH_ERROR_VALUE, "the part that was drawn is no number from 0 to 1");
  }
  int64_t half_width = (int64_t)(ratio * (double)width), half_height = (int64_t)(ratio * (double)height);
  out->left = between(x - half_width, 0, width);
  out->top = between(y - half_height, 0, height);
  out->right = between(x + half_width, 0, width);
  out->bottom = between(y + half_height, 0, height);
  double cut_out = (double)(out->right - out->left) * (double)(out->bottom - out->top);
  out->part = 1.0 - cut_out / ((double)width * (double)height);
  return NULL;
}

/* Calls. */

/* What becomes of one tensor of the sample. */
static ctorch_error *mix_one(
    const struct mixing *self,
    const struct transform_call *call,
    ctorch_value **out,
    const ctorch_tensor *input,
    const ctorch_tensor *labels,
    const struct mixture *mixture) {
  const mixing_class *class = (const mixing_class *)transform_class_of(&self->transform);
  ctorch_tensor *made = NULL, *marked = NULL;
  ctorch_error *error = NULL;
  if (input == labels) {
    error = mix_labels(self, &marked, input, mixture->part);
  } else {
    error = check_batch(call->function, input, ctorch_tensor_sizes(labels)[0]);
    THEN(error, class->mix(&made, input, mixture));
    error = tv_tensor_give(call->function, &marked, made, tv_tensor_of(input), error);
  }
  THEN(error, ctorch_value_from_tensor(out, marked));
  ctorch_tensor_release(marked);
  return error;
}

/* Those that are transformed as images or videos. */
static ctorch_error *draw_mixture(
    const struct mixing *self,
    struct transform_call *call,
    struct mixture *out,
    const struct transform_leaves *leaves) {
  const mixing_class *class = (const mixing_class *)transform_class_of(&self->transform);
  CTORCH_TRY(draw_part(self, call, out));
  if (class->draw == NULL) {
    return NULL;
  }
  struct transform_inputs inputs = {.data = malloc((leaves->len + 1) * sizeof *inputs.data)};
  if (inputs.data == NULL) {
    return error_memory(call->function, (leaves->len + 1) * sizeof *inputs.data);
  }
  for (size_t i = 0; i < leaves->len; i++) {
    if (leaves->is_transformed[i]) {
      inputs.data[inputs.len++] = leaves->tensors[i];
    }
  }
  ctorch_error *error = class->draw(call, out, &inputs);
  free(inputs.data);
  return error;
}

/* Labels are transformed wherever they lie, though they are no image. */
static ctorch_error *mark_labels(const char *function, struct transform_leaves *leaves, const ctorch_tensor *labels) {
  for (size_t i = 0; i < leaves->len; i++) {
    if (leaves->tensors[i] == labels) {
      leaves->is_transformed[i] = true;
      return NULL;
    }
  }
  return error_make(function, CTORCH_ERROR_VALUE, "The labels that the labels_getter gives do not lie in the sample");
}

static ctorch_error *mix_leaves(
    const struct mixing *self,
    struct transform_call *call,
    struct transform_leaves *leaves,
    const ctorch_tensor *labels) {
  struct mixture mixture = {0};
  CTORCH_TRY(draw_mixture(self, call, &mixture, leaves));
  CTORCH_TRY(mark_labels(call->function, leaves, labels));
  for (size_t i = 0; i < leaves->len; i++) {
    if (leaves->is_transformed[i]) {
      ctorch_value *made = NULL;
      CTORCH_TRY(mix_one(self, call, &made, leaves->tensors[i], labels, &mixture));
      ctorch_value_release(leaves->values[i]);
      leaves->values[i] = made;
    }
  }
  return NULL;
}

static ctorch_error *call(
    const ctorch_transform *transform, struct transform_call *call, ctorch_value **out, const ctorch_value *input) {
  const struct mixing *self = (const struct mixing *)transform;
  struct transform_leaves leaves = {0};
  ctorch_tensor *labels = NULL;
  ctorch_error *error = transform_flatten(call->function, &leaves, input, TRANSFORM_TENSORS);
  if (error == NULL && transform_has(&leaves, UNMIXABLE)) {
    error = error_make(
        call->function, CTORCH_ERROR_VALUE, "%s() does not support bounding boxes, keypoints and masks.",
        ctorch_transform_name(transform));
  }
  THEN(error, labels_of(self, call, &labels, input));
  THEN(error, mix_leaves(self, call, &leaves, labels));
  THEN(error, transform_unflatten(call->function, out, input, &leaves));
  ctorch_tensor_release(labels);
  transform_leaves_end(&leaves);
  return error;
}

/* Making. */

static void extra_repr(const ctorch_transform *transform, struct text *text) {
  const struct mixing *self = (const struct mixing *)transform;
  transform_repr_double(text, "alpha", self->alpha);
  if (self->has_num_classes) {
    transform_repr_int(text, "num_classes", self->num_classes);
  }
}

static ctorch_error *make(
    const char *function,
    ctorch_transform **out,
    const mixing_class *class,
    double alpha,
    const int64_t *num_classes,
    const ctorch_value *labels_getter) {
  if (!(alpha > 0)) {
    return error_make(function, CTORCH_ERROR_VALUE, "alpha: expected a number above 0, got %g", alpha);
  }
  struct mixing *self = transform_new(&class->transform);
  ctorch_error *error = NULL;
  if (self != NULL) {
    self->alpha = alpha;
    self->has_num_classes = num_classes != NULL;
    self->num_classes = num_classes == NULL ? 0 : *num_classes;
    error = labels_begin(function, &self->getter, &self->transform, labels_getter, true);
  }
  return transform_give(function, out, (ctorch_transform *)self, error);
}

#define CLASS(named, does, draws)                                                                             \
  static const mixing_class named##_class = {                                                                 \
      {.object = TRANSFORM_OBJECT_WITH(struct mixing, finalize),                                              \
       .name = #named,                                                                                        \
       .call = call,                                                                                          \
       .extra_repr = extra_repr,                                                                              \
       .may_thread = may_thread},                                                                             \
      draws,                                                                                                  \
      does};                                                                                                  \
  ctorch_error *transforms_##named(                                                                           \
      const char *function, ctorch_transform **out, const struct transforms_##named##_options *options) {     \
    return make(function, out, &named##_class, options->alpha, options->num_classes, options->labels_getter); \
  }

CLASS(MixUp, mix_up, NULL)
CLASS(CutMix, cut, draw_rectangle)
