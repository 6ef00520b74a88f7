/* Adaptive softmax (Grave et al. 2016, arXiv:1609.04309): rare classes in clusters behind the frequent ones. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "constructors/nn.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/layer.h"

struct adaptive {
  ctorch_module module;
  int64_t in_features, n_classes;
  int64_t *cutoffs; /* allocated; n_classes is the last */
  size_t clusters;  /* one fewer than cutoffs */
};

static void adaptive_finalize(void *object) {
  free(((struct adaptive *)object)->cutoffs);
  module_finalize(object);
}

static ctorch_error *adaptive_copied(const char *function, ctorch_module *module) {
  struct adaptive *self = (struct adaptive *)module;
  const int64_t *cutoffs = self->cutoffs;
  self->cutoffs = NULL;
  return layer_copy_ints(function, &self->cutoffs, cutoffs, self->clusters + 1);
}

static ctorch_error *apply_head(ctorch_tensor **out, const ctorch_module *self, const ctorch_tensor *input) {
  ctorch_module *head = module_child(self, "head");
  return head == NULL ? error_make(FORWARD, CTORCH_ERROR_RUNTIME, "the module has no head")
                      : ctorch_module_forward(out, head, input);
}

/* Log probabilities within a cluster. */
static ctorch_error *apply_cluster(
    ctorch_tensor **out, const ctorch_module *self, size_t cluster, const ctorch_tensor *input) {
  const ctorch_module *tail = module_child(self, "tail");
  ctorch_module *projection = tail == NULL ? NULL : module_child_at(tail, cluster);
  struct steps s = {0};
  if (projection == NULL) {
    return error_make(FORWARD, CTORCH_ERROR_RUNTIME, "the module has no tail.%zu", cluster);
  }
  STEP(&s, ctorch_module_forward(&s.next, projection, input));
  STEP(&s, ctorch_aten_log_softmax_int(&s.next, s.at, 1, NULL));
  return steps_end(&s, out);
}

/* Where the targets of a cluster are: `*mask` of all, `*rows` by number. */
static ctorch_error *find_rows(
    ctorch_tensor **mask, ctorch_tensor **rows, const ctorch_tensor *target, int64_t low, int64_t high) {
  const ctorch_scalar least = whole(low), limit = whole(high);
  ctorch_tensor *below = NULL;
  struct steps s = {0}, numbers = {0};
  CTORCH_TRY(ctorch_aten_lt_Scalar(&below, target, &limit));
  STEP(&s, ctorch_aten_ge_Scalar(&s.next, target, &least));
  STEP(&s, ctorch_aten_bitwise_and_Tensor(&s.next, s.at, below));
  ctorch_tensor_release(below);
  numbers.error = s.error;
  STEP(&numbers, ctorch_aten_nonzero(&numbers.next, s.at));
  STEP(&numbers, ctorch_aten_squeeze_dim(&numbers.next, numbers.at, 1));
  ctorch_error *error = steps_end(&numbers, rows);
  if (error != NULL) {
    ctorch_tensor_release(s.at);
    return error;
  }
  *mask = s.at;
  return NULL;
}

/* What a forward works with; the tensors are owned. */
struct work {
  const struct adaptive *self;
  ctorch_tensor *input, *target, *output, *places; /* places: where in the head's output each row looks */
};

/* The rows of the frequent classes look there directly. */
static ctorch_error *place_shortlist(struct work *w, const ctorch_tensor *mask, const ctorch_tensor *rows) {
  ctorch_tensor *own = NULL;
  CTORCH_TRY(ctorch_aten_masked_select(&own, w->target, mask));
  ctorch_error *error = ctorch_aten_index_copy_(w->places, 0, rows, own);
  ctorch_tensor_release(own);
  return error;
}

/* The others look at their cluster, and have a probability within it. */
static ctorch_error *place_cluster(
    struct work *w, size_t cluster, const ctorch_tensor *mask, const ctorch_tensor *rows) {
  const ctorch_module *self = &w->self->module;
  const ctorch_scalar low = whole(w->self->cutoffs[cluster]);
  const ctorch_scalar place = whole(w->self->cutoffs[0] + (int64_t)cluster);
  ctorch_tensor *relative = NULL;
  struct steps s = {0}, r = {0};
  STEP(&r, ctorch_aten_masked_select(&r.next, w->target, mask));
  STEP(&r, ctorch_aten_sub_Scalar(&r.next, r.at, &low, NULL));
  STEP(&r, ctorch_aten_unsqueeze(&r.next, r.at, 1));
  CTORCH_TRY(steps_end(&r, &relative));
  STEP(&s, ctorch_aten_index_select(&s.next, w->input, 0, rows));
  STEP(&s, apply_cluster(&s.next, self, cluster, s.at));
  THEN(s.error, ctorch_aten_index_fill__int_Scalar(w->places, 0, rows, &place));
  STEP(&s, ctorch_aten_gather(&s.next, s.at, 1, relative, false));
  ctorch_tensor_release(relative);
  STEP(&s, ctorch_aten_squeeze_dim(&s.next, s.at, 1));
  THEN(s.error, ctorch_aten_index_copy_(w->output, 0, rows, s.at));
  ctorch_tensor_release(s.at);
  return s.error;
}

static ctorch_error *place_rows(const char *function, struct work *w) {
  const struct adaptive *self = w->self;
  int64_t used = 0;
  for (size_t i = 0; i <= self->clusters; i++) {
    ctorch_tensor *mask = NULL, *rows = NULL;
    CTORCH_TRY(find_rows(&mask, &rows, w->target, i == 0 ? 0 : self->cutoffs[i - 1], self->cutoffs[i]));
    int64_t count = ctorch_tensor_numel(rows);
    ctorch_error *error = count == 0 ? NULL
                          : i == 0   ? place_shortlist(w, mask, rows)
                                     : place_cluster(w, i - 1, mask, rows);
    ctorch_tensor_release(mask);
    ctorch_tensor_release(rows);
    CTORCH_TRY(error);
    used += count;
  }
  return used == ctorch_tensor_sizes(w->target)[0]
             ? NULL
             : error_make(
                   function, CTORCH_ERROR_RUNTIME, "Target values should be in [0, %" PRId64 "], but others were found",
                   self->n_classes - 1);
}

static ctorch_error *check_inputs(const char *function, const ctorch_tensor *input, const ctorch_tensor *target) {
  int64_t ndim = ctorch_tensor_ndim(target), input_ndim = ctorch_tensor_ndim(input);
  if (ndim > 1) {
    return error_make(function, CTORCH_ERROR_RUNTIME, "0D or 1D target tensor expected, multi-target not supported");
  }
  if (input_ndim != ndim + 1) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME,
        "%" PRId64 "D target tensor expects %" PRId64 "D input tensors, found %" PRId64 "D", ndim, ndim + 1,
        input_ndim);
  }
  return ndim == 0 || ctorch_tensor_sizes(input)[0] == ctorch_tensor_sizes(target)[0]
             ? NULL
             : error_make(
                   function, CTORCH_ERROR_RUNTIME,
                   "Input and target should have the same size in the batch dimension.");
}

/* The probability that the head gives each row, added to `output`; and the loss. */
static ctorch_error *finish(struct work *w, ctorch_tensor **out_loss) {
  ctorch_tensor *places = NULL;
  struct steps s = {0}, loss = {0};
  CTORCH_TRY(ctorch_aten_unsqueeze(&places, w->places, 1));
  STEP(&s, apply_head(&s.next, &w->self->module, w->input));
  STEP(&s, ctorch_aten_log_softmax_int(&s.next, s.at, 1, NULL));
  STEP(&s, ctorch_aten_gather(&s.next, s.at, 1, places, false));
  ctorch_tensor_release(places);
  STEP(&s, ctorch_aten_squeeze_dim(&s.next, s.at, 1));
  THEN(s.error, ctorch_aten_add__Tensor(w->output, s.at, NULL));
  ctorch_tensor_release(s.at);
  loss.error = s.error;
  STEP(&loss, ctorch_aten_neg(&loss.next, w->output));
  STEP(&loss, ctorch_aten_mean(&loss.next, loss.at, NULL));
  return steps_end(&loss, out_loss);
}

ctorch_error *nn_AdaptiveLogSoftmaxWithLoss_forward(
    const char *function,
    ctorch_tensor **out_output,
    ctorch_tensor **out_loss,
    const struct nn_AdaptiveLogSoftmaxWithLoss_forward_options *o) {
  bool is_batched = ctorch_tensor_ndim(o->target_) > 0;
  struct work w = {.self = (const struct adaptive *)o->self};
  ctorch_tensor *loss = NULL, *one = NULL;
  CTORCH_TRY(check_inputs(function, o->input_, o->target_));
  ctorch_error *error =
      is_batched ? tensor_give(function, &w.input, o->input_) : ctorch_aten_unsqueeze(&w.input, o->input_, 0);
  THEN(
      error,
      is_batched ? tensor_give(function, &w.target, o->target_) : ctorch_aten_unsqueeze(&w.target, o->target_, 0));
  if (error == NULL) {
    int64_t batch = ctorch_tensor_sizes(w.target)[0];
    THEN(error, ctorch_aten_new_zeros(&w.output, w.input, CTORCH_INTS(batch), NULL, NULL, NULL, NULL));
    THEN(error, ctorch_aten_new_zeros(&w.places, w.target, CTORCH_INTS(batch), NULL, NULL, NULL, NULL));
  }
  THEN(error, place_rows(function, &w));
  THEN(error, finish(&w, &loss));
  if (error == NULL && !is_batched) {
    error = ctorch_aten_squeeze_dim(&one, w.output, 0);
    ctorch_tensor_release(w.output);
    w.output = one;
  }
  ctorch_tensor_release(w.input);
  ctorch_tensor_release(w.target);
  ctorch_tensor_release(w.places);
  if (error != NULL) {
    ctorch_tensor_release(w.output);
    ctorch_tensor_release(loss);
    return error;
  }
  *out_output = w.output;
  *out_loss = loss;
  return NULL;
}

/* Log probabilities of a cluster's classes: within it, and of the cluster itself. */
static ctorch_error *whole_cluster(
    ctorch_tensor **out,
    const struct adaptive *self,
    size_t cluster,
    const ctorch_tensor *input,
    const ctorch_tensor *head) {
  ctorch_tensor *own = NULL;
  struct steps s = {0};
  CTORCH_TRY(ctorch_aten_narrow(&own, head, 1, self->cutoffs[0] + (int64_t)cluster, 1));
  STEP(&s, apply_cluster(&s.next, &self->module, cluster, input));
  STEP(&s, ctorch_aten_add_Tensor(&s.next, s.at, own, NULL));
  ctorch_tensor_release(own);
  return steps_end(&s, out);
}

/* Log probabilities of all classes, from the head's output. */
static ctorch_error *all_classes(
    const char *function,
    ctorch_tensor **out,
    const struct adaptive *self,
    const ctorch_tensor *input,
    const ctorch_tensor *head_output) {
  size_t count = self->clusters + 1;
  ctorch_tensor *head = NULL, **parts = calloc(count, sizeof *parts);
  if (parts == NULL) {
    return error_memory(function, count * sizeof *parts);
  }
  ctorch_error *error = ctorch_aten_log_softmax_int(&head, head_output, 1, NULL);
  THEN(error, ctorch_aten_narrow(&parts[0], head, 1, 0, self->cutoffs[0]));
  for (size_t i = 1; i < count; i++) {
    THEN(error, whole_cluster(&parts[i], self, i - 1, input, head));
  }
  THEN(error, ctorch_aten_cat(out, (const ctorch_tensor *const *)parts, count, 1));
  for (size_t i = 0; i < count; i++) {
    ctorch_tensor_release(parts[i]);
  }
  ctorch_tensor_release(head);
  free(parts);
  return error;
}

static ctorch_error *check_class(const char *function, const ctorch_module *self) {
  return strcmp(module_class_of(self)->name, "AdaptiveLogSoftmaxWithLoss") == 0 &&
                 module_class_of(self)->name_of == NULL
             ? NULL
             : error_make(
                   function, CTORCH_ERROR_TYPE, "self must be a module AdaptiveLogSoftmaxWithLoss, not %s",
                   module_name(self));
}

ctorch_error *nn_AdaptiveLogSoftmaxWithLoss_log_prob(
    const char *function, ctorch_tensor **out, const struct nn_AdaptiveLogSoftmaxWithLoss_log_prob_options *o) {
  ctorch_tensor *head = NULL;
  CTORCH_TRY(check_class(function, o->self));
  CTORCH_TRY(apply_head(&head, o->self, o->input));
  ctorch_error *error = all_classes(function, out, (const struct adaptive *)o->self, o->input, head);
  ctorch_tensor_release(head);
  return error;
}

/* The most probable class of the rows whose head chose a cluster, put into `chosen`. */
static ctorch_error *look_into_clusters(
    const char *function,
    ctorch_tensor *chosen,
    const struct adaptive *self,
    const ctorch_tensor *input,
    const ctorch_tensor *head) {
  const ctorch_scalar shortlist = whole(self->cutoffs[0]);
  const int64_t along = 1;
  ctorch_tensor *rows = NULL, *own_input = NULL, *own_head = NULL;
  struct steps r = {0}, s = {0};
  STEP(&r, ctorch_aten_ge_Scalar(&r.next, chosen, &shortlist));
  STEP(&r, ctorch_aten_nonzero(&r.next, r.at));
  STEP(&r, ctorch_aten_squeeze_dim(&r.next, r.at, 1));
  CTORCH_TRY(steps_end(&r, &rows));
  if (ctorch_tensor_numel(rows) > 0) {
    THEN(s.error, ctorch_aten_index_select(&own_input, input, 0, rows));
    THEN(s.error, ctorch_aten_index_select(&own_head, head, 0, rows));
    STEP(&s, all_classes(function, &s.next, self, own_input, own_head));
    STEP(&s, ctorch_aten_argmax(&s.next, s.at, &along, false));
    THEN(s.error, ctorch_aten_index_copy_(chosen, 0, rows, s.at));
    ctorch_tensor_release(s.at);
    ctorch_tensor_release(own_input);
    ctorch_tensor_release(own_head);
  }
  ctorch_tensor_release(rows);
  return s.error;
}

ctorch_error *nn_AdaptiveLogSoftmaxWithLoss_predict(
    const char *function, ctorch_tensor **out, const struct nn_AdaptiveLogSoftmaxWithLoss_predict_options *o) {
  const int64_t along = 1;
  ctorch_tensor *head = NULL, *chosen = NULL;
  CTORCH_TRY(check_class(function, o->self));
  CTORCH_TRY(apply_head(&head, o->self, o->input));
  ctorch_error *error = ctorch_aten_argmax(&chosen, head, &along, false);
  THEN(error, look_into_clusters(function, chosen, (const struct adaptive *)o->self, o->input, head));
  ctorch_tensor_release(head);
  if (error != NULL) {
    ctorch_tensor_release(chosen);
    return error;
  }
  *out = chosen;
  return NULL;
}

/* Making it. */

static ctorch_error *check_cutoffs(const char *function, const struct nn_AdaptiveLogSoftmaxWithLoss_options *options) {
  const int64_t *cutoffs = options->cutoffs;
  size_t len = options->cutoffs_len;
  if (len == 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "cutoffs should be a sequence of length larger than 0");
  }
  for (size_t i = 0; i < len; i++) {
    if (cutoffs[i] <= (i == 0 ? 0 : cutoffs[i - 1]) || cutoffs[i] >= options->n_classes) {
      return error_make(
          function, CTORCH_ERROR_VALUE,
          "cutoffs should be unique, positive and increasing, each between 1 and n_classes-1, got %" PRId64,
          cutoffs[i]);
    }
  }
  return options->div_value != 0 ? NULL : error_make(function, CTORCH_ERROR_VALUE, "div_value must not be 0");
}

/* Python's `//` of floating-point numbers. */
static double floor_division(double a, double b) {
  double rest = fmod(a, b), quotient = (a - rest) / b;
  return floor(rest != 0 && (b < 0) != (rest < 0) ? quotient - 1 : quotient + 0.0);
}

static ctorch_error *new_linear(
    const char *function,
    ctorch_module **out,
    const struct nn_AdaptiveLogSoftmaxWithLoss_options *options,
    int64_t in,
    int64_t width,
    bool bias) {
  return nn_Linear_new(
      function, out,
      &(const struct nn_Linear_options){
          .in_features = in, .out_features = width, .bias = bias, .device = options->device, .dtype = options->dtype});
}

static ctorch_error *add_cluster(
    const char *function,
    ctorch_module *tail,
    const struct nn_AdaptiveLogSoftmaxWithLoss_options *options,
    const struct adaptive *self,
    size_t cluster) {
  double hidden = floor_division((double)self->in_features, pow(options->div_value, (double)cluster + 1));
  ctorch_module *projection = NULL, *first = NULL, *second = NULL;
  if (!(fabs(hidden) < 9e18)) {
    return error_make(function, CTORCH_ERROR_VALUE, "div_value: %g gives no size", options->div_value);
  }
  ctorch_error *error = new_linear(function, &first, options, self->in_features, (int64_t)hidden, false);
  THEN(
      error,
      new_linear(
          function, &second, options, (int64_t)hidden, self->cutoffs[cluster + 1] - self->cutoffs[cluster], false));
  THEN(error, nn_Sequential_new(function, &projection, &(const struct nn_Sequential_options){0}));
  THEN(error, ctorch_module_append(projection, first));
  THEN(error, ctorch_module_append(projection, second));
  THEN(error, ctorch_module_append(tail, projection));
  ctorch_module_release(projection);
  ctorch_module_release(first);
  ctorch_module_release(second);
  return error;
}

static ctorch_error *fill(
    const char *function, struct adaptive *self, const struct nn_AdaptiveLogSoftmaxWithLoss_options *options) {
  size_t len = options->cutoffs_len;
  ctorch_module *head = NULL, *tail = NULL;
  self->in_features = options->in_features;
  self->n_classes = options->n_classes;
  self->cutoffs = malloc((len + 1) * sizeof *self->cutoffs);
  if (self->cutoffs == NULL) {
    return error_memory(function, (len + 1) * sizeof *self->cutoffs);
  }
  memcpy(self->cutoffs, options->cutoffs, len * sizeof *self->cutoffs);
  self->cutoffs[len] = options->n_classes;
  self->clusters = len;
  ctorch_error *error =
      new_linear(function, &head, options, self->in_features, self->cutoffs[0] + (int64_t)len, options->head_bias);
  THEN(error, module_add_child(function, &self->module, "head", head));
  ctorch_module_release(head);
  THEN(error, nn_ModuleList_new(function, &tail, &(const struct nn_ModuleList_options){0}));
  THEN(error, module_add_child(function, &self->module, "tail", tail));
  for (size_t i = 0; i < len; i++) {
    THEN(error, add_cluster(function, tail, options, self, i));
  }
  ctorch_module_release(tail);
  return error;
}

ctorch_error *nn_AdaptiveLogSoftmaxWithLoss(
    const char *function, ctorch_module **out, const struct nn_AdaptiveLogSoftmaxWithLoss_options *options) {
  static const module_class class = {
      .object = {"module", sizeof(struct adaptive), adaptive_finalize},
      .name = "AdaptiveLogSoftmaxWithLoss",
      .call = nn_AdaptiveLogSoftmaxWithLoss_call,
      .copied = adaptive_copied};
  CTORCH_TRY(check_cutoffs(function, options));
  struct adaptive *self = module_new(&class);
  return module_give(function, out, &self->module, self == NULL ? NULL : fill(function, self, options));
}
