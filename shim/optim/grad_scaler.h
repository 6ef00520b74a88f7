/** What a GradScaler keeps, and what it finds in gradients. */
#ifndef CTORCH_SHIM_OPTIM_GRAD_SCALER_H
#define CTORCH_SHIM_OPTIM_GRAD_SCALER_H

#include <ctorch.h>

#include "optim/optimizer.h"

/** For each device of gradients a tensor of float32, not 0 if one of them was not finite. */
struct found {
  struct found_on {
    ctorch_device device;
    ctorch_tensor *inf;     /* a reference */
    ctorch_tensor *inverse; /* of the factor, for as long as gradients are looked at; a reference */
  } *data;
  size_t len;
};

void found_clear(struct found *self);
/** The entries of another too. */
ctorch_error *found_append(struct found *self, const struct found *other) __attribute__((warn_unused_result));
/** A new tensor, their sum, where another tensor is; NULL of no entries. */
ctorch_error *found_sum(ctorch_tensor **out, const struct found *self, const ctorch_tensor *where)
    __attribute__((warn_unused_result));
/** Whether all are 0, which waits for their devices. */
ctorch_error *found_nothing(bool *out, const struct found *self) __attribute__((warn_unused_result));

/** Multiply the gradients of an optimizer, and find those that are not finite. Gradients are not recorded meanwhile. */
ctorch_error *unscale_gradients(
    const char *function,
    struct found *found,
    const ctorch_optimizer *optimizer,
    const ctorch_tensor *inverse,
    bool allow_float16) __attribute__((warn_unused_result));

/** The tensor where another one is: itself if it is there already, unless it has to be a copy. */
ctorch_error *tensor_to_device_of(
    ctorch_tensor **out, const ctorch_tensor *tensor, const ctorch_tensor *where, bool copy)
    __attribute__((warn_unused_result));

struct scaled_optimizer {
  ctorch_optimizer *optimizer; /* a reference */
  enum { SCALED_READY, SCALED_UNSCALED, SCALED_STEPPED } stage;
  struct found found;
};

struct ctorch_grad_scaler {
  char *device; /* type of the device */
  bool is_enabled;
  bool has_growth_factor, has_backoff_factor, has_growth_interval; /* a disabled one has what it was given */
  double init_scale, growth_factor, backoff_factor;
  int64_t growth_interval, init_growth_tracker;
  ctorch_tensor *scale, *growth_tracker; /* references; NULL until something is scaled */
  struct scaled_optimizer *optimizers;   /* since the last update */
  size_t len;
};

#endif
