/* The sums of chunked_cross_entropy.h. Every function here leaves what it makes to the innermost scope, but for what
 * has as many numbers as there are rows, or more: that goes as soon as nothing needs it. */
#include "nn/chunked_cross_entropy.h"

#include <math.h>

#define ALL CTORCH_DEFAULT_LIST

/* What lives as long as the whole: `at` stands for the rows of the chunk that is being worked on. */
struct work {
  const struct chunked_given *given;
  const struct chunked_how *how;
  int64_t len, features, classes; /* N, D, C */
  ctorch_dtype dtype, logits_dtype, grad_input_dtype;
  bool is_mixed;                          /* sums are of another dtype than the input */
  const ctorch_tensor *weight, *bias;     /* as logits have them */
  ctorch_tensor *target, *row_weights;    /* without places of ignored rows; (N) */
  ctorch_tensor *logits, *scratch;        /* (rows, C), (rows) */
  ctorch_tensor *input_acc, *grad_rows;   /* (rows, D) or NULL */
  ctorch_tensor *logits_acc, *grad_chunk; /* (rows, C), (C, D) or NULL */
  ctorch_tensor *bias_chunk;              /* (C) or NULL */
  ctorch_tensor *grads[CHUNKED_GRADS];
};

/* The same of some rows. */
struct chunk {
  int64_t start, len;
  ctorch_tensor *input, *target, *row_weights, *logits, *input_acc;
};

static ctorch_error *empty(
    ctorch_tensor **out, const struct work *self, int64_t rows, int64_t columns, ctorch_dtype dtype) {
  return ctorch_aten_new_empty(
      out, self->given->input, (const int64_t[]){rows, columns}, columns < 0 ? 1 : 2, &dtype, NULL, NULL, NULL);
}

static ctorch_error *zeros(
    ctorch_tensor **out, const struct work *self, int64_t rows, int64_t columns, ctorch_dtype dtype) {
  return ctorch_aten_new_zeros(
      out, self->given->input, (const int64_t[]){rows, columns}, columns < 0 ? 1 : 2, &dtype, NULL, NULL, NULL);
}

static ctorch_error *cast(ctorch_tensor **out, const ctorch_tensor *tensor, ctorch_dtype dtype) {
  return ctorch_aten_to_dtype(out, tensor, dtype, false, false, NULL);
}

static ctorch_error *rows_of(ctorch_tensor **out, const ctorch_tensor *tensor, int64_t start, int64_t len) {
  return ctorch_aten_narrow(out, tensor, 0, start, len);
}

/* The weight of each row: that of its class, zero where it is ignored, divided by their sum for a mean, and negated
 * where it is one of gradients. */
static ctorch_error *weigh_rows(struct work *self, const ctorch_tensor *is_ignored, const ctorch_tensor *grad_losses) {
  const ctorch_dtype dtype = self->is_mixed ? self->how->acc_dtype : self->dtype;
  const ctorch_tensor *weights = self->given->class_weight;
  ctorch_tensor *found, *sum, *is_zero, **out = &self->row_weights;
  if (weights == NULL) {
    CTORCH_TRY(ctorch_aten_logical_not(&found, is_ignored));
    CTORCH_TRY(cast(out, found, dtype));
    ctorch_scope_discard(found);
  } else {
    CTORCH_TRY(ctorch_aten_index_select(&found, weights, 0, self->target));
    CTORCH_REPLACE(&found, cast(&found, found, dtype));
    CTORCH_TRY(ctorch_aten_where_ScalarSelf(out, is_ignored, CTORCH_INT(0), found));
    ctorch_scope_discard(found);
  }
  if (self->how->reduction == CHUNKED_MEAN) {
    CTORCH_TRY(ctorch_aten_sum(&sum, *out, NULL));
    CTORCH_TRY(ctorch_aten_eq_Scalar(&is_zero, sum, CTORCH_INT(0)));
    CTORCH_REPLACE(&sum, ctorch_aten_neg(&sum, sum));
    CTORCH_REPLACE(&sum, ctorch_aten_where_ScalarSelf(&sum, is_zero, CTORCH_FLOAT((double)NAN), sum));
    ctorch_scope_discard(is_zero);
    CTORCH_TRY(ctorch_aten_div__Tensor(*out, sum));
    ctorch_scope_discard(sum);
    return NULL;
  }
  if (self->how->reduction == CHUNKED_SUM) {
    return ctorch_aten_neg_(*out);
  }
  if (grad_losses != NULL) {
    CTORCH_TRY(ctorch_aten_neg_(*out));
    CTORCH_TRY(cast(&found, grad_losses, ctorch_tensor_dtype(*out)));
    CTORCH_TRY(ctorch_aten_mul__Tensor(*out, found));
    ctorch_scope_discard(found);
  }
  return NULL;
}

/* Half precision with sums in float32: float16 keeps its logits as they are where memory counts, and everything else
 * has them in float32. */
static ctorch_error *begin(
    struct work *self,
    const struct chunked_given *given,
    const struct chunked_how *how,
    const ctorch_tensor *grad_losses) {
  const ctorch_dtype dtype = ctorch_tensor_dtype(given->input);
  const bool is_mixed = dtype != how->acc_dtype, saves_memory = how->policy != CHUNKED_ACCURATE;
  *self = (struct work){
      .given = given,
      .how = how,
      .len = ctorch_tensor_sizes(given->input)[0],
      .features = ctorch_tensor_sizes(given->input)[1],
      .classes = ctorch_tensor_sizes(given->weight)[0],
      .dtype = dtype,
      .logits_dtype = is_mixed && !(dtype == CTORCH_DTYPE_FLOAT16 && saves_memory) ? how->acc_dtype : dtype,
      .grad_input_dtype = is_mixed && !saves_memory ? how->acc_dtype : dtype,
      .is_mixed = is_mixed,
  };
  ctorch_tensor *is_ignored, *made;
  CTORCH_TRY(ctorch_aten_eq_Scalar(&is_ignored, given->target, CTORCH_INT(how->ignore_index)));
  if (how->ignore_index < 0 || how->ignore_index >= self->classes) {
    CTORCH_TRY(ctorch_aten_where_ScalarSelf(&self->target, is_ignored, CTORCH_INT(0), given->target));
  } else {
    CTORCH_TRY(ctorch_aten_alias(&self->target, given->target));
  }
  CTORCH_TRY(weigh_rows(self, is_ignored, grad_losses));
  ctorch_scope_discard(is_ignored);
  CTORCH_TRY(cast(&made, given->weight, self->logits_dtype));
  self->weight = made;
  if (given->bias != NULL) {
    CTORCH_TRY(cast(&made, given->bias, self->logits_dtype));
    self->bias = made;
  }
  CTORCH_TRY(empty(&self->logits, self, how->rows, self->classes, self->logits_dtype));
  CTORCH_TRY(empty(&self->scratch, self, how->rows, -1, self->logits_dtype));
  if (is_mixed && (how->needs[CHUNKED_WEIGHT] || dtype != self->logits_dtype)) {
    CTORCH_TRY(empty(&self->input_acc, self, how->rows, self->features, how->acc_dtype));
  }
  return NULL;
}

/* What gradients are added up in. */
static ctorch_error *begin_grads(struct work *self) {
  const struct chunked_how *how = self->how;
  if (how->needs[CHUNKED_INPUT]) {
    CTORCH_TRY(empty(&self->grads[CHUNKED_INPUT], self, self->len, self->features, self->grad_input_dtype));
    if (self->grad_input_dtype != self->logits_dtype) {
      CTORCH_TRY(empty(&self->grad_rows, self, how->rows, self->features, self->logits_dtype));
    }
  }
  if (how->needs[CHUNKED_WEIGHT]) {
    CTORCH_TRY(zeros(&self->grads[CHUNKED_WEIGHT], self, self->classes, self->features, self->dtype));
    if (how->policy != CHUNKED_COMPACT || self->logits_dtype != self->dtype) {
      CTORCH_TRY(empty(&self->grad_chunk, self, self->classes, self->features, how->acc_dtype));
      if (self->logits_dtype != how->acc_dtype) {
        CTORCH_TRY(empty(&self->logits_acc, self, how->rows, self->classes, how->acc_dtype));
      }
    }
  }
  if (how->needs[CHUNKED_BIAS]) {
    CTORCH_TRY(zeros(&self->grads[CHUNKED_BIAS], self, self->classes, -1, self->dtype));
    if (self->is_mixed) {
      CTORCH_TRY(empty(&self->bias_chunk, self, self->classes, -1, how->acc_dtype));
    }
  }
  return NULL;
}

/* The chunk's rows, and their logits less the greatest of each row. */
static ctorch_error *open_chunk(struct chunk *out, struct work *self, int64_t start) {
  int64_t len = self->len - start < self->how->rows ? self->len - start : self->how->rows;
  ctorch_tensor *greatest, *across, *factor;
  *out = (struct chunk){.start = start, .len = len};
  CTORCH_TRY(rows_of(&out->input, self->given->input, start, len));
  CTORCH_TRY(rows_of(&out->target, self->target, start, len));
  CTORCH_TRY(rows_of(&out->row_weights, self->row_weights, start, len));
  CTORCH_TRY(rows_of(&out->logits, self->logits, 0, len));
  out->input_acc = out->input;
  if (self->input_acc != NULL) {
    CTORCH_TRY(rows_of(&out->input_acc, self->input_acc, 0, len));
    CTORCH_TRY(ctorch_aten_copy_(out->input_acc, out->input, false));
  }
  factor = self->is_mixed && self->dtype != self->logits_dtype ? out->input_acc : out->input;
  CTORCH_TRY(ctorch_aten_t(&across, self->weight));
  CTORCH_TRY(ctorch_aten_mm_out(factor, across, out->logits));
  if (self->bias != NULL) {
    CTORCH_TRY(ctorch_aten_add__Tensor(out->logits, self->bias, NULL));
  }
  CTORCH_TRY(rows_of(&greatest, self->scratch, 0, len));
  CTORCH_TRY(ctorch_aten_unsqueeze(&greatest, greatest, 1));
  CTORCH_TRY(ctorch_aten_amax_out(out->logits, CTORCH_INTS(1), true, greatest));
  return ctorch_aten_sub__Tensor(out->logits, greatest, NULL);
}

/* The logit of each row's target. */
static ctorch_error *logits_of_targets(ctorch_tensor **out, const struct chunk *chunk, ctorch_dtype dtype) {
  ctorch_tensor *index, *found;
  CTORCH_TRY(ctorch_aten_unsqueeze(&index, chunk->target, 1));
  CTORCH_TRY(ctorch_aten_gather(&found, chunk->logits, 1, index, false));
  CTORCH_REPLACE(&found, ctorch_aten_squeeze_dim(&found, found, 1));
  CTORCH_TRY(cast(out, found, dtype));
  ctorch_scope_discard(found);
  return NULL;
}

/* Logits become their exponentials; the sum of each row. */
static ctorch_error *exponentials(ctorch_tensor **out, struct work *self, struct chunk *chunk) {
  CTORCH_TRY(ctorch_aten_exp_(chunk->logits));
  return ctorch_aten_sum_dim_IntList(out, chunk->logits, CTORCH_INTS(1), false, &self->how->acc_dtype);
}

static ctorch_error *losses_of_chunk(ctorch_tensor *out, struct work *self, int64_t start) {
  struct chunk chunk;
  ctorch_tensor *of_target, *sums, *weights, *rows;
  CTORCH_TRY(open_chunk(&chunk, self, start));
  CTORCH_TRY(logits_of_targets(&of_target, &chunk, self->how->acc_dtype));
  CTORCH_TRY(exponentials(&sums, self, &chunk));
  CTORCH_TRY(ctorch_aten_log_(sums));
  CTORCH_TRY(ctorch_aten_sub__Tensor(sums, of_target, NULL));
  ctorch_scope_discard(of_target);
  CTORCH_TRY(cast(&weights, chunk.row_weights, self->how->acc_dtype));
  CTORCH_TRY(ctorch_aten_mul__Tensor(sums, weights));
  CTORCH_TRY(rows_of(&rows, out, start, chunk.len));
  return ctorch_aten_copy_(rows, sums, false);
}

static ctorch_error *add_bias_grad(struct work *self, const struct chunk *chunk) {
  ctorch_tensor *to = self->grads[CHUNKED_BIAS], *sum;
  if (self->bias_chunk != NULL) {
    to = self->bias_chunk;
    CTORCH_TRY(ctorch_aten_zero_(to));
  }
  const ctorch_dtype dtype = self->is_mixed ? self->how->acc_dtype : self->dtype;
  CTORCH_TRY(ctorch_aten_sum_dim_IntList(&sum, chunk->logits, CTORCH_INTS(0), false, &dtype));
  CTORCH_TRY(ctorch_aten_sub__Tensor(to, sum, NULL));
  ctorch_scope_discard(sum);
  return ctorch_aten_index_add_(to, 0, chunk->target, chunk->row_weights, NULL);
}

static ctorch_error *put_input_grad(struct work *self, const struct chunk *chunk) {
  ctorch_tensor *to, *of_target, *weights, *rows;
  CTORCH_TRY(rows_of(&rows, self->grads[CHUNKED_INPUT], chunk->start, chunk->len));
  to = rows;
  if (self->grad_rows != NULL) {
    CTORCH_TRY(rows_of(&to, self->grad_rows, 0, chunk->len));
  }
  CTORCH_TRY(ctorch_aten_index_select(&of_target, self->weight, 0, chunk->target));
  CTORCH_TRY(cast(&weights, chunk->row_weights, ctorch_tensor_dtype(to)));
  CTORCH_REPLACE(&weights, ctorch_aten_unsqueeze(&weights, weights, 1));
  CTORCH_TRY(ctorch_aten_mul_out(of_target, weights, to));
  ctorch_scope_discard(of_target);
  ctorch_scope_discard(weights);
  CTORCH_TRY(ctorch_aten_addmm_out(to, chunk->logits, self->weight, NULL, CTORCH_INT(-1), to));
  return self->grad_rows == NULL ? NULL : ctorch_aten_copy_(rows, to, false);
}

/* The input's rows, each by its weight: in the place of what is not needed any more, if there is room. */
static ctorch_error *weighted_rows(ctorch_tensor **out, struct work *self, const struct chunk *chunk) {
  ctorch_tensor *weights, *place;
  CTORCH_TRY(ctorch_aten_unsqueeze(&weights, chunk->row_weights, 1));
  if (self->is_mixed) {
    *out = chunk->input_acc;
    return ctorch_aten_mul__Tensor(chunk->input_acc, weights);
  }
  if (self->classes < self->features) {
    return ctorch_aten_mul_Tensor(out, chunk->input_acc, weights);
  }
  CTORCH_TRY(ctorch_aten_narrow(&place, chunk->logits, 1, 0, self->features));
  *out = place;
  return ctorch_aten_mul_out(chunk->input_acc, weights, place);
}

static ctorch_error *add_weight_grad(struct work *self, const struct chunk *chunk) {
  ctorch_tensor *to = self->grads[CHUNKED_WEIGHT], *logits = chunk->logits, *across, *rows;
  if (self->grad_chunk == NULL) {
    CTORCH_TRY(ctorch_aten_t(&across, logits));
    CTORCH_TRY(ctorch_aten_addmm_(to, across, chunk->input, NULL, CTORCH_INT(-1)));
    CTORCH_TRY(weighted_rows(&rows, self, chunk));
    CTORCH_REPLACE(&rows, cast(&rows, rows, self->dtype));
    return ctorch_aten_index_add_(to, 0, chunk->target, rows, NULL);
  }
  if (self->logits_acc != NULL) {
    CTORCH_TRY(rows_of(&logits, self->logits_acc, 0, chunk->len));
    CTORCH_TRY(ctorch_aten_copy_(logits, chunk->logits, false));
  }
  CTORCH_TRY(ctorch_aten_t(&across, logits));
  CTORCH_TRY(ctorch_aten_mm_out(across, chunk->input_acc, self->grad_chunk));
  CTORCH_TRY(weighted_rows(&rows, self, chunk));
  CTORCH_TRY(ctorch_aten_index_add_(self->grad_chunk, 0, chunk->target, rows, CTORCH_INT(-1)));
  return ctorch_aten_sub__Tensor(to, self->grad_chunk, NULL);
}

static bool needs_any(const struct chunked_how *how) {
  return how->needs[CHUNKED_INPUT] || how->needs[CHUNKED_WEIGHT] || how->needs[CHUNKED_BIAS];
}

static ctorch_error *loss_of_chunk(ctorch_tensor *loss, struct work *self, int64_t start) {
  struct chunk chunk;
  ctorch_tensor *found, *sums, *factor, *weights;
  CTORCH_TRY(open_chunk(&chunk, self, start));
  CTORCH_TRY(logits_of_targets(&found, &chunk, ctorch_tensor_dtype(chunk.row_weights)));
  CTORCH_REPLACE(&found, ctorch_aten_dot(&found, chunk.row_weights, found));
  CTORCH_TRY(ctorch_aten_add__Tensor(loss, found, NULL));
  ctorch_scope_discard(found);
  CTORCH_TRY(exponentials(&sums, self, &chunk));
  if (needs_any(self->how)) {
    CTORCH_TRY(rows_of(&factor, self->scratch, 0, chunk.len));
    CTORCH_TRY(ctorch_aten_div_out(chunk.row_weights, sums, factor));
    CTORCH_TRY(ctorch_aten_unsqueeze(&factor, factor, 1));
    CTORCH_TRY(ctorch_aten_mul__Tensor(chunk.logits, factor));
  }
  CTORCH_TRY(cast(&weights, chunk.row_weights, self->how->acc_dtype));
  CTORCH_TRY(ctorch_aten_log_(sums));
  CTORCH_REPLACE(&sums, ctorch_aten_dot(&sums, weights, sums));
  CTORCH_TRY(ctorch_aten_sub__Tensor(loss, sums, NULL));
  ctorch_scope_discard(sums);
  ctorch_scope_discard(weights);
  if (self->how->needs[CHUNKED_BIAS]) { /* before the logits give their place up */
    CTORCH_TRY(add_bias_grad(self, &chunk));
    if (self->bias_chunk != NULL) {
      CTORCH_TRY(cast(&found, self->bias_chunk, self->dtype));
      CTORCH_TRY(ctorch_aten_add__Tensor(self->grads[CHUNKED_BIAS], found, NULL));
      ctorch_scope_discard(found);
    }
  }
  CTORCH_TRY(self->how->needs[CHUNKED_INPUT] ? put_input_grad(self, &chunk) : NULL);
  return self->how->needs[CHUNKED_WEIGHT] ? add_weight_grad(self, &chunk) : NULL;
}

/* Each chunk in a scope of its own. */
static ctorch_error *for_each_chunk(
    ctorch_tensor *out,
    struct work *self,
    ctorch_error *(*call)(ctorch_tensor *out, struct work *self, int64_t start)) {
  for (int64_t start = 0; start < self->len; start += self->how->rows) {
    ctorch_scope *scope = NULL;
    CTORCH_TRY(ctorch_scope_begin(&scope));
    ctorch_error *error = call(out, self, start);
    ctorch_scope_end(scope);
    CTORCH_TRY(error);
  }
  return NULL;
}

ctorch_error *chunked_losses(ctorch_tensor **out, const struct chunked_given *given, const struct chunked_how *how) {
  struct work work;
  CTORCH_TRY(begin(&work, given, how, NULL));
  CTORCH_TRY(empty(out, &work, work.len, -1, work.dtype));
  return for_each_chunk(*out, &work, losses_of_chunk);
}

ctorch_error *chunked_loss(
    ctorch_tensor **out,
    ctorch_tensor *grads[CHUNKED_GRADS],
    const struct chunked_given *given,
    const struct chunked_how *how,
    const ctorch_tensor *grad_losses) {
  struct work work;
  ctorch_tensor *loss;
  CTORCH_TRY(begin(&work, given, how, grad_losses));
  CTORCH_TRY(begin_grads(&work));
  const ctorch_dtype dtype = work.dtype == CTORCH_DTYPE_FLOAT16 ? how->acc_dtype : work.dtype;
  CTORCH_TRY(ctorch_aten_new_zeros(&loss, given->input, ALL, &dtype, NULL, NULL, NULL));
  if (how->reduction == CHUNKED_MEAN && work.len == 0) {
    CTORCH_TRY(ctorch_aten_fill__Scalar(loss, CTORCH_FLOAT((double)NAN)));
  }
  CTORCH_TRY(for_each_chunk(loss, &work, loss_of_chunk));
  if (work.grads[CHUNKED_INPUT] != NULL) {
    CTORCH_REPLACE(&work.grads[CHUNKED_INPUT], cast(&work.grads[CHUNKED_INPUT], work.grads[CHUNKED_INPUT], work.dtype));
  }
  for (int i = 0; i < CHUNKED_GRADS; i++) {
    grads[i] = work.grads[i];
  }
  return cast(out, loss, work.dtype);
}
