/* Transforms of transforms: one after another, one of several, in any order, or none. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/sequence.h"
#include "base/text.h"
#include "constructors/transforms.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "transforms/parts.h"
#include "transforms/transform.h"

struct container {
  ctorch_transform transform;
  struct transform_parts parts;
  double *weights; /* of RandomChoice, one for each part, which add up to 1 */
};

static void finalize(void *object) {
  struct container *self = object;
  transform_parts_end(&self->parts);
  free(self->weights);
}

static const struct transform_parts *parts_of(const ctorch_transform *self) {
  return &((const struct container *)self)->parts;
}

static bool may_thread(const ctorch_transform *self) { return transform_parts_may_thread(parts_of(self)); }

/* One part after another, in this order, or in their own. */
static ctorch_error *run_parts(
    const ctorch_transform *self,
    struct transform_call *call,
    ctorch_value **out,
    const ctorch_value *input,
    const int64_t *order) {
  const struct transform_parts *parts = parts_of(self);
  ctorch_value *sample = NULL;
  CTORCH_TRY(transform_pass(&sample, input));
  for (size_t i = 0; i < parts->len; i++) {
    ctorch_value *made = NULL;
    ctorch_error *error = transform_run(parts->data[order == NULL ? i : (size_t)order[i]], call, &made, sample);
    ctorch_value_release(sample);
    if (error != NULL) {
      return error;
    }
    sample = made;
  }
  *out = sample;
  return NULL;
}

static ctorch_error *compose(
    const ctorch_transform *self, struct transform_call *call, ctorch_value **out, const ctorch_value *input) {
  return run_parts(self, call, out, input, NULL);
}

static ctorch_error *apply_sometimes(
    const ctorch_transform *self, struct transform_call *call, ctorch_value **out, const ctorch_value *input) {
  float drawn = 0;
  CTORCH_TRY(draw_rand(call, &drawn, 1));
  return drawn >= (float)self->p ? transform_pass(out, input) : run_parts(self, call, out, input, NULL);
}

static ctorch_error *choose(
    const ctorch_transform *self, struct transform_call *call, ctorch_value **out, const ctorch_value *input) {
  const struct container *container = (const struct container *)self;
  int64_t index = 0;
  CTORCH_TRY(draw_multinomial(call, &index, container->weights, container->parts.len));
  return transform_run(container->parts.data[index], call, out, input);
}

static ctorch_error *run_shuffled(
    const ctorch_transform *self, struct transform_call *call, ctorch_value **out, const ctorch_value *input) {
  size_t len = parts_of(self)->len;
  int64_t *order = malloc(len * sizeof *order);
  ctorch_error *error =
      order == NULL ? error_memory(call->function, len * sizeof *order) : draw_permutation(call, order, len);
  THEN(error, run_parts(self, call, out, input, order));
  free(order);
  return error;
}

/* A line for each. */
static void repr_lines(const ctorch_transform *self, struct text *text) {
  const struct transform_parts *parts = parts_of(self);
  for (size_t i = 0; i < parts->len; i++) {
    text_add(text, "%s    ", i > 0 ? "\n" : "");
    transform_repr_part(text, parts->data[i]);
  }
}

static void repr_list(const ctorch_transform *self, struct text *text) {
  const struct container *container = (const struct container *)self;
  text_add(text, "transforms=[");
  for (size_t i = 0; i < container->parts.len; i++) {
    text_add(text, "%s", i > 0 ? ", " : "");
    transform_repr_part(text, container->parts.data[i]);
  }
  text_add(text, "]");
  if (container->weights != NULL) {
    transform_repr_doubles(text, "p", "[", container->weights, container->parts.len);
  }
}

#define CONTAINER(title, way, repr)                                \
  {                                                                \
      .object = TRANSFORM_OBJECT_WITH(struct container, finalize), \
      .name = title,                                               \
      .call = way,                                                 \
      .extra_repr = repr,                                          \
      .may_thread = may_thread,                                    \
  }
static const transform_class compose_class = CONTAINER("Compose", compose, repr_lines);
static const transform_class random_apply_class = CONTAINER("RandomApply", apply_sometimes, repr_lines);
static const transform_class random_choice_class = CONTAINER("RandomChoice", choose, repr_list);
static const transform_class random_order_class = CONTAINER("RandomOrder", run_shuffled, repr_list);

/* A container of these transforms; owned, NULL with `*error`. */
static struct container *contain(
    const char *function,
    const transform_class *class,
    const ctorch_transform *const *transforms,
    size_t len,
    ctorch_error **error) {
  if (len == 0) {
    *error = error_make(function, CTORCH_ERROR_VALUE, "transforms: Pass at least one transform");
    return NULL;
  }
  struct container *self = transform_new(class);
  if (self == NULL) {
    *error = error_memory(function, sizeof *self);
    return NULL;
  }
  *error = transform_parts_begin(function, &self->parts, &self->transform, transforms, len);
  return self;
}

static ctorch_error *give(const char *function, ctorch_transform **out, struct container *self, ctorch_error *error) {
  return transform_give(function, out, self == NULL ? NULL : &self->transform, error);
}

ctorch_error *transforms_Compose(
    const char *function, ctorch_transform **out, const struct transforms_Compose_options *options) {
  ctorch_error *error = NULL;
  struct container *self = contain(function, &compose_class, options->transforms, options->transforms_len, &error);
  return give(function, out, self, error);
}

ctorch_error *transforms_RandomApply(
    const char *function, ctorch_transform **out, const struct transforms_RandomApply_options *options) {
  ctorch_error *error = NULL;
  if (!(options->p >= 0 && options->p <= 1)) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "`p` should be a floating point value in the interval [0.0, 1.0], got %g",
        options->p);
  }
  struct container *self = contain(function, &random_apply_class, options->transforms, options->transforms_len, &error);
  if (self != NULL) {
    self->transform.p = options->p;
  }
  return give(function, out, self, error);
}

/* Weights that add up to 1. */
static ctorch_error *weigh(const char *function, struct container *self, const double *p, size_t len) {
  size_t parts = self->parts.len;
  double total = 0;
  if (p != NULL && len != parts) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "Length of p doesn't match the number of transforms: %zu != %zu", len, parts);
  }
  self->weights = malloc(parts * sizeof *self->weights);
  if (self->weights == NULL) {
    return error_memory(function, parts * sizeof *self->weights);
  }
  for (size_t i = 0; i < parts; i++) {
    self->weights[i] = p == NULL ? 1 : p[i];
    total += self->weights[i];
  }
  if (total == 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "p: the weights add up to zero");
  }
  for (size_t i = 0; i < parts; i++) {
    self->weights[i] /= total;
  }
  return NULL;
}

ctorch_error *transforms_RandomChoice(
    const char *function, ctorch_transform **out, const struct transforms_RandomChoice_options *options) {
  ctorch_error *error = NULL;
  struct container *self =
      contain(function, &random_choice_class, options->transforms, options->transforms_len, &error);
  THEN(error, weigh(function, self, options->p, options->p_len));
  return give(function, out, self, error);
}

ctorch_error *transforms_RandomOrder(
    const char *function, ctorch_transform **out, const struct transforms_RandomOrder_options *options) {
  ctorch_error *error = NULL;
  struct container *self = contain(function, &random_order_class, options->transforms, options->transforms_len, &error);
  return give(function, out, self, error);
}

/* Identity. */

static ctorch_error *pass(
    const ctorch_transform *self,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  (void)self;
  (void)drawn;
  return tensor_give(call->function, out, input);
}

static const transform_class identity_class = {
    .object = TRANSFORM_OBJECT(ctorch_transform), .name = "Identity", .apply = pass};

ctorch_error *transforms_Identity(
    const char *function, ctorch_transform **out, const struct transforms_Identity_options *options) {
  (void)options;
  return transform_give(function, out, transform_new(&identity_class), NULL);
}
