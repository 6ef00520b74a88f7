/* Steps that are captured for tapes. What a replay reads of the program is the learning rate, which schedulers change;
 * all other options have to be as they were. */
#include <stdlib.h>
#include <string.h>

#include "core/c/capture.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/tapes.h"
#include "optim/group.h"
#include "optim/optimizer.h"

struct captured_group {
  void *options; /* the class's struct as it was, without the rate */
  size_t len;    /* of the parameters */
};

struct captured {
  ctorch_optimizer *optimizer; /* a reference */
  struct captured_group *groups;
  size_t len;
};

static void destroy(void *payload) {
  struct captured *self = payload;
  for (size_t i = 0; i < self->len; i++) {
    free(self->groups[i].options);
  }
  free(self->groups);
  object_unref(self->optimizer);
  free(self);
}

struct optimizer_number *optimizer_rate(const optimizer_class *class, struct optimizer_group *group) {
  return class->lr == 0 ? NULL : (struct optimizer_number *)((char *)group->read + class->lr);
}

/* The class's struct of a group without the value of its rate: that of a tensor is whatever it was before. */
static void *options_of(const optimizer_class *class, struct optimizer_group *group) {
  void *copy = malloc(class->options_size);
  if (copy != NULL) {
    memcpy(copy, group->read, class->options_size);
  }
  if (copy != NULL && class->lr != 0) {
    ((struct optimizer_number *)((char *)copy + class->lr))->value = 0;
  }
  return copy;
}

static bool has_options(const optimizer_class *class, struct optimizer_group *group, const void *options) {
  struct optimizer_number *rate = optimizer_rate(class, group);
  double value = rate == NULL ? 0 : rate->value;
  if (rate != NULL) {
    rate->value = 0;
  }
  bool has = memcmp(group->read, options, class->options_size) == 0;
  if (rate != NULL) {
    rate->value = value;
  }
  return has;
}

static ctorch_error *check(const char *function, void *payload) {
  const struct captured *self = payload;
  ctorch_optimizer *optimizer = self->optimizer;
  const optimizer_class *class = optimizer_class_of(optimizer);
  bool is_same = optimizer->len == self->len && optimizer->grad_scale == NULL;
  for (size_t i = 0; is_same && i < self->len; i++) {
    struct optimizer_group *group = &optimizer->groups[i];
    CTORCH_TRY(optimizer_read(function, optimizer, group));
    is_same = group->len == self->groups[i].len && has_options(class, group, self->groups[i].options);
  }
  return is_same ? NULL
                 : error_make(
                       function, CTORCH_ERROR_VALUE,
                       "%s: it has other groups or other options than when its step was captured; only lr may change",
                       class->name);
}

static void write_rate(struct optimizer_group *group, double value) {
  void *data = NULL;
  ctorch_error_release(ctorch_tensor_data(&data, group->rate));
  if (data != NULL) {
    memcpy(data, &value, sizeof value);
  }
}

static void begin(void *payload) {
  const struct captured *self = payload;
  const optimizer_class *class = optimizer_class_of(self->optimizer);
  self->optimizer->steps++;
  for (size_t i = 0; i < self->len; i++) {
    struct optimizer_group *group = &self->optimizer->groups[i];
    const struct optimizer_number *rate = optimizer_rate(class, group);
    if (rate != NULL && rate->tensor == NULL) {
      write_rate(group, rate->value);
    }
  }
}

/* The tensors that fused kernels read rates from, as precise as numbers are. */
static ctorch_error *make_rates(const char *function, ctorch_optimizer *self) {
  const ctorch_dtype dtype = CTORCH_DTYPE_FLOAT64;
  for (size_t i = 0; i < self->len; i++) {
    struct optimizer_group *group = &self->groups[i];
    CTORCH_TRY(optimizer_read(function, self, group));
    const struct optimizer_number *rate = optimizer_rate(optimizer_class_of(self), group);
    if (rate == NULL || rate->tensor != NULL) {
      continue;
    }
    if (group->rate == NULL) {
      ctorch_tensor *tensor = NULL;
      CTORCH_TRY(ctorch_aten_full(&tensor, NULL, 0, CTORCH_FLOAT(0), &dtype, NULL, NULL, NULL));
      group->rate = tensor_take(tensor);
    }
    write_rate(group, rate->value);
  }
  return NULL;
}

static ctorch_error *add(const char *function, ctorch_optimizer *self) {
  const optimizer_class *class = optimizer_class_of(self);
  struct captured *made = calloc(1, sizeof *made);
  if (made == NULL) {
    return error_memory(function, sizeof *made);
  }
  made->optimizer = object_ref(self);
  made->groups = calloc(self->len + 1, sizeof *made->groups);
  bool has_memory = made->groups != NULL;
  for (size_t i = 0; has_memory && i < self->len; i++) {
    made->groups[i].options = options_of(class, &self->groups[i]);
    made->groups[i].len = self->groups[i].len;
    made->len++;
    has_memory = made->groups[i].options != NULL;
  }
  if (!has_memory) {
    destroy(made);
    return error_memory(function, class->options_size);
  }
  const struct capture_part part = {check, begin, destroy, made};
  ctorch_error *error = capture_add(function, &part);
  if (error != NULL) {
    destroy(made);
  }
  return error; /* NOLINT(clang-analyzer-unix.Malloc): the capture has it */
}

ctorch_error *optimizer_capture(const char *function, ctorch_optimizer *self) {
  capture_pause();
  ctorch_error *error = make_rates(function, self);
  capture_resume();
  return error != NULL || self->is_capturing ? error : add(function, self);
}

static uint64_t hash(uint64_t hash, const void *bytes, size_t len) {
  for (size_t i = 0; i < len; i++) {
    hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211U; /* FNV-1a */
  }
  return hash;
}

ctorch_error *optimizer_prepare(const char *function, ctorch_optimizer *self, uint64_t *out_signature) {
  const optimizer_class *class = optimizer_class_of(self);
  *out_signature = 14695981039346656037U;
  CTORCH_TRY(make_rates(function, self));
  for (size_t i = 0; i < self->len; i++) {
    void *options = options_of(class, &self->groups[i]);
    if (options == NULL) {
      return error_memory(function, class->options_size);
    }
    *out_signature = hash(*out_signature, options, class->options_size);
    *out_signature = hash(*out_signature, &self->groups[i].len, sizeof self->groups[i].len);
    free(options);
  }
  *out_signature = hash(*out_signature, &self->grad_scale, sizeof self->grad_scale);
  return NULL;
}

ctorch_error *ctorch_optimizer_set_tape(ctorch_optimizer *self, int64_t most, bool fast) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  if (most > 0 && optimizer_class_of(self)->lr == 0) {
    return error_make(
        __func__, CTORCH_ERROR_UNSUPPORTED, "%s steps by numbers, not by a fused kernel, and is not captured",
        optimizer_class_of(self)->name);
  }
  return tapes_set(__func__, &self->tapes, most, fast);
}
