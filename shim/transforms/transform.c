/* Transforms: handles, calls, texts. */
#include "transforms/transform.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "core/c/tensor.h"

/* The class of an object begins with that of the object. */
const transform_class *transform_class_of(const ctorch_transform *self) {
  return (const transform_class *)(const void *)object_class_of(self);
}

void *transform_new(const transform_class *type) { return object_new(&type->object); }

ctorch_error *transform_give(
    const char *function, ctorch_transform **out, ctorch_transform *self, ctorch_error *error) {
  if (error == NULL && self != NULL && transform_class_of(self)->is_random && !(self->p >= 0 && self->p <= 1)) {
    error = error_make(
        function, CTORCH_ERROR_VALUE, "`p` should be a floating point value in the interval [0.0, 1.0], got %g",
        self->p);
  }
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  return object_give(function, out, self);
}

void ctorch_transform_retain(const ctorch_transform *self) { object_retain(self); }
void ctorch_transform_release(ctorch_transform *self) { object_release(self); }

const char *ctorch_transform_name(const ctorch_transform *self) {
  if (self == NULL) {
    return NULL;
  }
  const transform_class *class = transform_class_of(self);
  return class->name_of != NULL ? class->name_of(self) : class->name;
}

bool ctorch_transform_may_thread(const ctorch_transform *self) {
  if (self == NULL) {
    return false;
  }
  const transform_class *class = transform_class_of(self);
  return class->may_thread == NULL || class->may_thread(self);
}

double round_half_even(double x) { return nearbyint(x); }

/* Calls. */

static unsigned types_of(const transform_class *class) { return class->types != 0 ? class->types : TRANSFORM_TENSORS; }
static unsigned kernels_of(const transform_class *class) {
  return class->kernels != 0 ? class->kernels : TRANSFORM_TENSORS;
}

/* The value that comes in the place of one input. */
static ctorch_error *apply(
    const ctorch_transform *self,
    struct transform_call *call,
    ctorch_value **out,
    const ctorch_tensor *input,
    const void *drawn) {
  const transform_class *class = transform_class_of(self);
  if (class->apply_to_value != NULL) {
    return class->apply_to_value(self, call, out, input, drawn);
  }
  ctorch_tensor *made = NULL;
  CTORCH_TRY(class->apply(self, call, &made, input, drawn));
  ctorch_error *error = ctorch_value_from_tensor(out, made);
  ctorch_tensor_release(made);
  return error;
}

/* Put into the leaves what comes of them. */
static ctorch_error *apply_all(
    const ctorch_transform *self, struct transform_call *call, struct transform_leaves *leaves, const void *drawn) {
  unsigned kernels = kernels_of(transform_class_of(self));
  for (size_t i = 0; i < leaves->len; i++) {
    if (leaves->is_transformed[i] && (kernels & 1u << ctorch_tv_tensor_kind_of(leaves->tensors[i])) != 0) {
      ctorch_value *made = NULL;
      CTORCH_TRY(apply(self, call, &made, leaves->tensors[i], drawn));
      ctorch_value_release(leaves->values[i]);
      leaves->values[i] = made;
    }
  }
  return NULL;
}

/* Draw what is random, and apply it. */
static ctorch_error *draw_and_apply(
    const ctorch_transform *self, struct transform_call *call, struct transform_leaves *leaves) {
  const transform_class *class = transform_class_of(self);
  struct transform_inputs inputs = {.data = malloc((leaves->len + 1) * sizeof *inputs.data)};
  void *drawn = calloc(1, class->drawn_size + 1);
  ctorch_error *error = NULL;
  if (inputs.data == NULL || drawn == NULL) {
    error = error_memory(call->function, class->drawn_size + leaves->len * sizeof *inputs.data);
  }
  for (size_t i = 0; error == NULL && i < leaves->len; i++) {
    if (leaves->is_transformed[i]) {
      inputs.data[inputs.len++] = leaves->tensors[i];
    }
  }
  if (error == NULL && class->draw != NULL) {
    error = class->draw(self, call, drawn, &inputs);
  }
  THEN(error, apply_all(self, call, leaves, drawn));
  if (drawn != NULL && class->drawn_end != NULL) {
    class->drawn_end(drawn);
  }
  free(drawn);
  free(inputs.data);
  return error;
}

/* Whether it happens this time. */
static ctorch_error *happens(const ctorch_transform *self, const struct transform_call *call, bool *out) {
  *out = true;
  if (!transform_class_of(self)->is_random) {
    return NULL;
  }
  float drawn = 0;
  CTORCH_TRY(draw_rand(call, &drawn, 1));
  *out = !(drawn >= (float)self->p);
  return NULL;
}

ctorch_error *transform_run(
    const ctorch_transform *self, struct transform_call *call, ctorch_value **out, const ctorch_value *input) {
  const transform_class *class = transform_class_of(self);
  if (class->call != NULL) {
    return class->call(self, call, out, input);
  }
  struct transform_leaves leaves = {0};
  bool goes_on = true;
  ctorch_error *error = transform_flatten(call->function, &leaves, input, types_of(class));
  if (error == NULL && class->check != NULL) {
    error = class->check(self, call, &leaves);
  }
  THEN(error, happens(self, call, &goes_on));
  if (error == NULL && goes_on) {
    error = draw_and_apply(self, call, &leaves);
    THEN(error, transform_unflatten(call->function, out, input, &leaves));
  } else if (error == NULL) {
    error = transform_pass(out, input);
  }
  transform_leaves_end(&leaves);
  return error;
}

ctorch_error *ctorch_transform_call(
    const ctorch_transform *self, ctorch_value **out, const ctorch_value *input, ctorch_generator *generator) {
  struct transform_call call = {__func__, generator};
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL || input == NULL) {
    return error_null(__func__, self == NULL ? "self" : out == NULL ? "out" : "input");
  }
  return transform_run(self, &call, out, input);
}

ctorch_error *ctorch_transform_call_tensor(
    const ctorch_transform *self, ctorch_tensor **out, const ctorch_tensor *input, ctorch_generator *generator) {
  struct transform_call call = {__func__, generator};
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL || input == NULL) {
    return error_null(__func__, self == NULL ? "self" : out == NULL ? "out" : "input");
  }
  ctorch_value *sample = NULL, *made = NULL;
  CTORCH_TRY(ctorch_value_from_tensor(&sample, input));
  ctorch_error *error = transform_run(self, &call, &made, sample);
  if (error == NULL && ctorch_value_kind_of(made) != CTORCH_VALUE_TENSOR) {
    error = error_make(
        __func__, CTORCH_ERROR_TYPE,
        "%s makes a %s of a tensor: call it for a value of any type (ctorch_transform_call)",
        ctorch_transform_name(self), ctorch_value_kind_name(ctorch_value_kind_of(made)));
  }
  THEN(error, ctorch_value_to_tensor(out, made));
  ctorch_value_release(made);
  ctorch_value_release(sample);
  return error;
}

/* Texts. */

/* As torch.nn.Module puts an extra_repr between its parentheses: several lines are indented. */
static void write_extra(struct text *text, const char *extra) {
  const char *line = extra, *end = strchr(line, '\n');
  if (end == NULL) {
    text_add(text, "%s", extra);
    return;
  }
  for (; line != NULL; line = end == NULL ? NULL : end + 1) {
    end = strchr(line, '\n');
    text_bytes(text, "\n  ", 3);
    text_bytes(text, line, end == NULL ? strlen(line) : (size_t)(end - line));
  }
  text_bytes(text, "\n", 1);
}

ctorch_error *ctorch_transform_repr(ctorch_string **out, const ctorch_transform *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  struct text extra = {.function = __func__}, text = {.function = __func__};
  const transform_class *class = transform_class_of(self);
  if (class->extra_repr != NULL) {
    class->extra_repr(self, &extra);
  }
  text_add(&text, "%s(", ctorch_transform_name(self));
  write_extra(&text, text_data(&extra));
  text_add(&text, ")");
  ctorch_error *error = text_end(&extra);
  if (error == NULL && text.error == NULL) {
    error = string_give(__func__, out, text_data(&text), text.len);
  }
  return ctorch_error_first(error, text_end(&text));
}

static void begin_attribute(struct text *text, const char *name) {
  text_add(text, "%s%s=", text->len > 0 ? ", " : "", name);
}

void transform_repr_int(struct text *text, const char *name, int64_t value) {
  begin_attribute(text, name);
  text_add(text, "%" PRId64, value);
}

void transform_repr_double(struct text *text, const char *name, double value) {
  begin_attribute(text, name);
  text_double(text, value);
}

void transform_repr_bool(struct text *text, const char *name, bool value) {
  begin_attribute(text, name);
  text_bool(text, value);
}

void transform_repr_text(struct text *text, const char *name, const char *value) {
  begin_attribute(text, name);
  text_add(text, "%s", value);
}

static void close_sequence(struct text *text, const char *open, size_t len) {
  text_add(text, *open == '[' ? "]" : len == 1 ? ",)" : ")");
}

void transform_repr_ints(struct text *text, const char *name, const char *open, const int64_t *values, size_t len) {
  begin_attribute(text, name);
  text_add(text, "%s", open);
  for (size_t i = 0; i < len; i++) {
    text_add(text, "%s%" PRId64, i > 0 ? ", " : "", values[i]);
  }
  close_sequence(text, open, len);
}

void transform_repr_doubles(struct text *text, const char *name, const char *open, const double *values, size_t len) {
  begin_attribute(text, name);
  text_add(text, "%s", open);
  for (size_t i = 0; i < len; i++) {
    text_add(text, "%s", i > 0 ? ", " : "");
    text_double(text, values[i]);
  }
  close_sequence(text, open, len);
}

void transform_repr_value(struct text *text, const char *name, const ctorch_value *value) {
  switch (value == NULL ? CTORCH_VALUE_NONE : ctorch_value_kind_of(value)) {
    case CTORCH_VALUE_STRING: {
      const char *chars = NULL;
      text->error = ctorch_error_first(text->error, ctorch_value_to_string(&chars, NULL, value));
      transform_repr_text(text, name, chars == NULL ? "" : chars);
      break;
    }
    case CTORCH_VALUE_INT:
    case CTORCH_VALUE_DOUBLE:
    case CTORCH_VALUE_BOOL:
    case CTORCH_VALUE_LIST:
    case CTORCH_VALUE_TUPLE:
      begin_attribute(text, name);
      text_value(text, value);
      break;
    default:
      break;
  }
}

/* Functionals. */

ctorch_error *functional_refuses(const char *function, const ctorch_tensor *input, unsigned kernels) {
  struct text names = {.function = function};
  for (int kind = CTORCH_TV_TENSOR_NONE; kind <= CTORCH_TV_TENSOR_KEY_POINTS; kind++) {
    if ((kernels & 1u << kind) != 0) {
      text_add(&names, "%s%s", names.len > 0 ? ", " : "", ctorch_tv_tensor_kind_name(kind));
    }
  }
  ctorch_error *error = error_make(
      function, CTORCH_ERROR_TYPE, "inpt: expected %s, got %s", text_data(&names),
      ctorch_tv_tensor_kind_name(ctorch_tv_tensor_kind_of(input)));
  return ctorch_error_first(error, text_end(&names));
}
