/* Modules that put elements around the last dimensions. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "constructors/nn.h"
#include "core/c/error.h"
#include "module/module.h"

struct padding {
  ctorch_module module;
  int64_t around[6];   /* before and behind, the last dimension first */
  ctorch_scalar value; /* for the mode constant, as it was given */
};

/* A class, and what its modules do. */
struct padding_class {
  module_class class;
  size_t len;       /* of `around` */
  const char *mode; /* of aten::pad */
  bool says_value;  /* whether the value is an argument of the constructor */
};

static const struct padding_class *kind_of(const ctorch_module *module) {
  return (const struct padding_class *)module_class_of(module);
}

static ctorch_error *forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const struct padding *self = (const struct padding *)module;
  const struct padding_class *kind = kind_of(module);
  double value = self->value.kind == CTORCH_SCALAR_FLOAT ? self->value.re : (double)self->value.i;
  bool is_constant = strcmp(kind->mode, "constant") == 0;
  return ctorch_aten_pad(out, input, self->around, kind->len, kind->mode, is_constant ? &value : NULL);
}

/* Only the circular ones look at the number of dimensions: the others leave it to the operator. */
static ctorch_error *forward_circular(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  int64_t dims = (int64_t)kind_of(module)->len / 2, ndim = ctorch_tensor_ndim(input);
  if (ndim != dims + 1 && ndim != dims + 2) {
    return error_make(
        "ctorch_module_forward", CTORCH_ERROR_VALUE,
        "expected %" PRId64 "D or %" PRId64 "D input (got %" PRId64 "D input)", dims + 1, dims + 2, ndim);
  }
  return forward(module, out, input);
}

static void extra_repr(const ctorch_module *module, struct text *text) {
  const struct padding *self = (const struct padding *)module;
  const struct padding_class *kind = kind_of(module);
  text_add(text, kind->says_value ? "padding=" : "");
  text_ints(text, self->around, kind->len);
  if (kind->says_value) {
    text_add(text, ", value=");
    if (self->value.kind == CTORCH_SCALAR_FLOAT) {
      text_double(text, self->value.re);
    } else {
      text_add(text, "%" PRId64, self->value.i);
    }
  }
}

static ctorch_error *make(
    const char *function,
    ctorch_module **out,
    const struct padding_class *kind,
    const int64_t *around,
    const ctorch_scalar *value) {
  if (value != NULL && value->kind != CTORCH_SCALAR_FLOAT && value->kind != CTORCH_SCALAR_INT) {
    return error_make(function, CTORCH_ERROR_TYPE, "value: expected an integer or floating-point number");
  }
  struct padding *self = module_new(&kind->class);
  if (self != NULL) {
    memcpy(self->around, around, kind->len * sizeof *around);
    self->value = value != NULL ? *value : (ctorch_scalar){.kind = CTORCH_SCALAR_INT};
  }
  return module_give(function, out, &self->module, NULL);
}

#define CLASS(named, does) \
  {.object = MODULE_OBJECT(struct padding), .name = named, .forward = does, .extra_repr = extra_repr}

static const struct padding_class classes[][3] = {
    {{CLASS("ConstantPad1d", forward), 2, "constant", true},
     {CLASS("ConstantPad2d", forward), 4, "constant", true},
     {CLASS("ConstantPad3d", forward), 6, "constant", true}},
    {{CLASS("ZeroPad1d", forward), 2, "constant", false},
     {CLASS("ZeroPad2d", forward), 4, "constant", false},
     {CLASS("ZeroPad3d", forward), 6, "constant", false}},
    {{CLASS("ReflectionPad1d", forward), 2, "reflect", false},
     {CLASS("ReflectionPad2d", forward), 4, "reflect", false},
     {CLASS("ReflectionPad3d", forward), 6, "reflect", false}},
    {{CLASS("ReplicationPad1d", forward), 2, "replicate", false},
     {CLASS("ReplicationPad2d", forward), 4, "replicate", false},
     {CLASS("ReplicationPad3d", forward), 6, "replicate", false}},
    {{CLASS("CircularPad1d", forward_circular), 2, "circular", false},
     {CLASS("CircularPad2d", forward_circular), 4, "circular", false},
     {CLASS("CircularPad3d", forward_circular), 6, "circular", false}},
};
enum { CONSTANT, ZERO, REFLECTION, REPLICATION, CIRCULAR };

ctorch_error *nn_ConstantPad1d(
    const char *function, ctorch_module **out, const struct nn_ConstantPad1d_options *options) {
  return make(function, out, &classes[CONSTANT][0], options->padding, options->value);
}

ctorch_error *nn_ConstantPad2d(
    const char *function, ctorch_module **out, const struct nn_ConstantPad2d_options *options) {
  return make(function, out, &classes[CONSTANT][1], options->padding, options->value);
}

ctorch_error *nn_ConstantPad3d(
    const char *function, ctorch_module **out, const struct nn_ConstantPad3d_options *options) {
  return make(function, out, &classes[CONSTANT][2], options->padding, options->value);
}

ctorch_error *nn_ZeroPad1d(const char *function, ctorch_module **out, const struct nn_ZeroPad1d_options *options) {
  return make(function, out, &classes[ZERO][0], options->padding, NULL);
}

ctorch_error *nn_ZeroPad2d(const char *function, ctorch_module **out, const struct nn_ZeroPad2d_options *options) {
  return make(function, out, &classes[ZERO][1], options->padding, NULL);
}

ctorch_error *nn_ZeroPad3d(const char *function, ctorch_module **out, const struct nn_ZeroPad3d_options *options) {
  return make(function, out, &classes[ZERO][2], options->padding, NULL);
}

ctorch_error *nn_ReflectionPad1d(
    const char *function, ctorch_module **out, const struct nn_ReflectionPad1d_options *options) {
  return make(function, out, &classes[REFLECTION][0], options->padding, NULL);
}

ctorch_error *nn_ReflectionPad2d(
    const char *function, ctorch_module **out, const struct nn_ReflectionPad2d_options *options) {
  return make(function, out, &classes[REFLECTION][1], options->padding, NULL);
}

ctorch_error *nn_ReflectionPad3d(
    const char *function, ctorch_module **out, const struct nn_ReflectionPad3d_options *options) {
  return make(function, out, &classes[REFLECTION][2], options->padding, NULL);
}

ctorch_error *nn_ReplicationPad1d(
    const char *function, ctorch_module **out, const struct nn_ReplicationPad1d_options *options) {
  return make(function, out, &classes[REPLICATION][0], options->padding, NULL);
}

ctorch_error *nn_ReplicationPad2d(
    const char *function, ctorch_module **out, const struct nn_ReplicationPad2d_options *options) {
  return make(function, out, &classes[REPLICATION][1], options->padding, NULL);
}

ctorch_error *nn_ReplicationPad3d(
    const char *function, ctorch_module **out, const struct nn_ReplicationPad3d_options *options) {
  return make(function, out, &classes[REPLICATION][2], options->padding, NULL);
}

ctorch_error *nn_CircularPad1d(
    const char *function, ctorch_module **out, const struct nn_CircularPad1d_options *options) {
  return make(function, out, &classes[CIRCULAR][0], options->padding, NULL);
}

ctorch_error *nn_CircularPad2d(
    const char *function, ctorch_module **out, const struct nn_CircularPad2d_options *options) {
  return make(function, out, &classes[CIRCULAR][1], options->padding, NULL);
}

ctorch_error *nn_CircularPad3d(
    const char *function, ctorch_module **out, const struct nn_CircularPad3d_options *options) {
  return make(function, out, &classes[CIRCULAR][2], options->padding, NULL);
}
