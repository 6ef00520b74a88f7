/* Modules that move elements and compute nothing. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "constructors/nn.h"
#include "core/c/error.h"
#include "module/module.h"

/* Flatten, and what has one number: a factor or groups. */

struct numbers {
  ctorch_module module;
  int64_t first, second;
};

static ctorch_error *make_numbers(
    const char *function, ctorch_module **out, const module_class *class, int64_t first, int64_t second) {
  struct numbers *self = module_new(class);
  if (self != NULL) {
    self->first = first;
    self->second = second;
  }
  return module_give(function, out, &self->module, NULL);
}

static ctorch_error *flatten(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const struct numbers *self = (const struct numbers *)module;
  return ctorch_aten_flatten_using_ints(out, input, self->first, self->second);
}

static void flatten_repr(const ctorch_module *module, struct text *text) {
  const struct numbers *self = (const struct numbers *)module;
  text_add(text, "start_dim=%" PRId64 ", end_dim=%" PRId64, self->first, self->second);
}

ctorch_error *nn_Flatten(const char *function, ctorch_module **out, const struct nn_Flatten_options *options) {
  static const module_class class = {
      .object = MODULE_OBJECT(struct numbers), .name = "Flatten", .forward = flatten, .extra_repr = flatten_repr};
  return make_numbers(function, out, &class, options->start_dim, options->end_dim);
}

static ctorch_error *shuffle_pixels(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  return ctorch_aten_pixel_shuffle(out, input, ((const struct numbers *)module)->first);
}

static void upscale_repr(const ctorch_module *module, struct text *text) {
  text_add(text, "upscale_factor=%" PRId64, ((const struct numbers *)module)->first);
}

ctorch_error *nn_PixelShuffle(
    const char *function, ctorch_module **out, const struct nn_PixelShuffle_options *options) {
  static const module_class class = {
      .object = MODULE_OBJECT(struct numbers),
      .name = "PixelShuffle",
      .forward = shuffle_pixels,
      .extra_repr = upscale_repr};
  return make_numbers(function, out, &class, options->upscale_factor, 0);
}

static ctorch_error *unshuffle_pixels(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  return ctorch_aten_pixel_unshuffle(out, input, ((const struct numbers *)module)->first);
}

static void downscale_repr(const ctorch_module *module, struct text *text) {
  text_add(text, "downscale_factor=%" PRId64, ((const struct numbers *)module)->first);
}

ctorch_error *nn_PixelUnshuffle(
    const char *function, ctorch_module **out, const struct nn_PixelUnshuffle_options *options) {
  static const module_class class = {
      .object = MODULE_OBJECT(struct numbers),
      .name = "PixelUnshuffle",
      .forward = unshuffle_pixels,
      .extra_repr = downscale_repr};
  return make_numbers(function, out, &class, options->downscale_factor, 0);
}

static ctorch_error *shuffle_channels(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  return ctorch_aten_channel_shuffle(out, input, ((const struct numbers *)module)->first);
}

static void groups_repr(const ctorch_module *module, struct text *text) {
  text_add(text, "groups=%" PRId64, ((const struct numbers *)module)->first);
}

ctorch_error *nn_ChannelShuffle(
    const char *function, ctorch_module **out, const struct nn_ChannelShuffle_options *options) {
  static const module_class class = {
      .object = MODULE_OBJECT(struct numbers),
      .name = "ChannelShuffle",
      .forward = shuffle_channels,
      .extra_repr = groups_repr};
  return make_numbers(function, out, &class, options->groups, 0);
}

/* Unflatten. */

struct unflatten {
  ctorch_module module;
  int64_t dim, *sizes; /* allocated */
  size_t sizes_len;
};

static ctorch_error *unflatten(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const struct unflatten *self = (const struct unflatten *)module;
  return ctorch_aten_unflatten_int(out, input, self->dim, self->sizes, self->sizes_len);
}

static void unflatten_repr(const ctorch_module *module, struct text *text) {
  const struct unflatten *self = (const struct unflatten *)module;
  text_add(text, "dim=%" PRId64 ", unflattened_size=", self->dim);
  text_ints(text, self->sizes, self->sizes_len);
}

/* `*out` is a copy of numbers; an empty list has a place too, so that NULL is out of memory alone. */
static ctorch_error *copy_sizes(const char *function, int64_t **out, const int64_t *sizes, size_t len) {
  *out = malloc((len + 1) * sizeof **out);
  if (*out == NULL) {
    return error_memory(function, (len + 1) * sizeof **out);
  }
  if (len > 0) {
    memcpy(*out, sizes, len * sizeof *sizes);
  }
  return NULL;
}

static ctorch_error *unflatten_copied(const char *function, ctorch_module *module) {
  struct unflatten *self = (struct unflatten *)module;
  const int64_t *sizes = self->sizes;
  self->sizes = NULL;
  return copy_sizes(function, &self->sizes, sizes, self->sizes_len);
}

static void unflatten_finalize(void *object) {
  free(((struct unflatten *)object)->sizes);
  module_finalize(object);
}

ctorch_error *nn_Unflatten(const char *function, ctorch_module **out, const struct nn_Unflatten_options *options) {
  static const module_class class = {
      .object = {"module", sizeof(struct unflatten), unflatten_finalize},
      .name = "Unflatten",
      .forward = unflatten,
      .extra_repr = unflatten_repr,
      .copied = unflatten_copied};
  struct unflatten *self = module_new(&class);
  if (self == NULL) {
    return module_give(function, out, NULL, NULL);
  }
  self->dim = options->dim;
  self->sizes_len = options->unflattened_size_len;
  ctorch_error *error = copy_sizes(function, &self->sizes, options->unflattened_size, self->sizes_len);
  return module_give(function, out, &self->module, error);
}

/* Fold and Unfold. */

enum { DIMS = 2 };

/* Two sizes, and how many were given. */
struct pair {
  int64_t values[DIMS];
  size_t given;
};

struct fold {
  ctorch_module module;
  struct pair output_size, kernel_size, dilation, padding, stride;
};

#define PAIR(name) {.values = {options->name[0], options->name[1]}, .given = options->name##_len}

static void add_pair(struct text *text, const char *name, const struct pair *pair) {
  text_add(text, "%s=", name);
  if (pair->given > 1) {
    text_ints(text, pair->values, DIMS);
  } else {
    text_add(text, "%" PRId64, pair->values[0]);
  }
}

static ctorch_error *fold(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const struct fold *self = (const struct fold *)module;
  return ctorch_aten_col2im(
      out, input, self->output_size.values, DIMS, self->kernel_size.values, DIMS, self->dilation.values, DIMS,
      self->padding.values, DIMS, self->stride.values, DIMS);
}

static ctorch_error *unfold(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const struct fold *self = (const struct fold *)module;
  return ctorch_aten_im2col(
      out, input, self->kernel_size.values, DIMS, self->dilation.values, DIMS, self->padding.values, DIMS,
      self->stride.values, DIMS);
}

static void unfold_repr(const ctorch_module *module, struct text *text) {
  const struct fold *self = (const struct fold *)module;
  add_pair(text, "kernel_size", &self->kernel_size);
  add_pair(text, ", dilation", &self->dilation);
  add_pair(text, ", padding", &self->padding);
  add_pair(text, ", stride", &self->stride);
}

static void fold_repr(const ctorch_module *module, struct text *text) {
  add_pair(text, "output_size", &((const struct fold *)module)->output_size);
  text_add(text, ", ");
  unfold_repr(module, text);
}

ctorch_error *nn_Fold(const char *function, ctorch_module **out, const struct nn_Fold_options *options) {
  static const module_class class = {
      .object = MODULE_OBJECT(struct fold), .name = "Fold", .forward = fold, .extra_repr = fold_repr};
  struct fold *self = module_new(&class);
  if (self != NULL) {
    self->output_size = (struct pair)PAIR(output_size);
    self->kernel_size = (struct pair)PAIR(kernel_size);
    self->dilation = (struct pair)PAIR(dilation);
    self->padding = (struct pair)PAIR(padding);
    self->stride = (struct pair)PAIR(stride);
  }
  return module_give(function, out, &self->module, NULL);
}

ctorch_error *nn_Unfold(const char *function, ctorch_module **out, const struct nn_Unfold_options *options) {
  static const module_class class = {
      .object = MODULE_OBJECT(struct fold), .name = "Unfold", .forward = unfold, .extra_repr = unfold_repr};
  struct fold *self = module_new(&class);
  if (self != NULL) {
    self->kernel_size = (struct pair)PAIR(kernel_size);
    self->dilation = (struct pair)PAIR(dilation);
    self->padding = (struct pair)PAIR(padding);
    self->stride = (struct pair)PAIR(stride);
  }
  return module_give(function, out, &self->module, NULL);
}
