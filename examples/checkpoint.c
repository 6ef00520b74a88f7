/* Train a deep network in less memory: activation checkpointing (Chen et al. 2016, arXiv:1604.06174).
 *
 * Backward needs what every layer computed. Of a chain of n layers, ctorch_checkpoint keeps only what enters each group
 * of layers, and computes the inside of a group again when backward comes to it. With groups of about sqrt(n) layers
 * the memory for activations is about 2 sqrt(n) layers' worth instead of n, for the price of a second forward.
 *
 * The program runs one step both ways and prints the peak of its memory; the gradients are the same to the bit. */
#include <ctorch.h>
#include <stdio.h>
#include <stdlib.h>

enum { LAYERS = 36, GROUP = 6, ROWS = 4096, WIDTH = 128 };

/* A group of layers: gelu(x weight) with dropout, one after the other. */
typedef struct group {
  ctorch_tensor *weights[GROUP];
} group;

/* Every tensor made here belongs to the scope; the result is kept beyond it. */
static ctorch_error *group_in_scope(ctorch_tensor_list **out, const group *self, const ctorch_tensor *x) {
  for (int i = 0; i < GROUP; i++) {
    ctorch_tensor *product = NULL, *active = NULL, *y = NULL;
    CTORCH_TRY(ctorch_aten_matmul(&product, x, self->weights[i]));
    CTORCH_TRY(ctorch_aten_gelu(&active, product, NULL));
    CTORCH_TRY(ctorch_aten_dropout(&y, active, 0.1, true));
    ctorch_tensor_release(product); /* the graph has what it needs */
    ctorch_tensor_release(active);
    x = y;
  }
  return ctorch_tensor_list_new(out, CTORCH_TENSORS(x));
}

/* The form that ctorch_checkpoint calls. When it runs again, an error ends it early: it is handed over like any other.
 */
static ctorch_callback_status group_forward(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload) {
  ctorch_scope *scope = NULL;
  (void)inputs_len;
  if ((*error = ctorch_scope_begin(&scope)) == NULL) {
    *error = group_in_scope(out, payload, inputs[0]);
  }
  return ctorch_callback_finish(error, scope, *out);
}

static ctorch_error *step(ctorch_tensor_list **out_gradients, group *groups, int64_t rows, bool with_checkpoints) {
  const ctorch_tensor *weights[LAYERS];
  ctorch_tensor *x = NULL, *loss = NULL;
  CTORCH_TRY(ctorch_random_manual_seed(1));
  CTORCH_TRY(ctorch_aten_randn(&x, CTORCH_INTS(rows, WIDTH), NULL, NULL, NULL, NULL));
  for (int i = 0; i < LAYERS / GROUP; i++) {
    ctorch_tensor_list *outputs = NULL;
    if (with_checkpoints) {
      CTORCH_TRY(ctorch_checkpoint(&outputs, group_forward, CTORCH_TENSORS(x), NULL, NULL, NULL, NULL, &groups[i]));
    } else {
      CTORCH_TRY(group_in_scope(&outputs, &groups[i], x));
    }
    ctorch_tensor_release(x);
    CTORCH_TRY(ctorch_tensor_list_get(&x, outputs, 0));
    ctorch_tensor_list_release(outputs);
    for (int j = 0; j < GROUP; j++) {
      weights[i * GROUP + j] = groups[i].weights[j];
    }
  }
  CTORCH_TRY(ctorch_aten_sum(&loss, x, NULL));
  return ctorch_autograd_grad(
      out_gradients, CTORCH_TENSORS(loss), weights, LAYERS, NULL, 0, NULL, false, NULL, false, false);
}

static ctorch_error *groups_new(group *groups) {
  CTORCH_TRY(ctorch_random_manual_seed(0));
  for (int i = 0; i < LAYERS; i++) {
    ctorch_tensor **weight = &groups[i / GROUP].weights[i % GROUP];
    CTORCH_TRY(ctorch_aten_randn(weight, CTORCH_INTS(WIDTH, WIDTH), NULL, NULL, NULL, NULL));
    CTORCH_TRY(ctorch_aten_mul__Scalar(*weight, CTORCH_FLOAT(0.15)));
    CTORCH_TRY(ctorch_tensor_set_requires_grad(*weight, true));
  }
  return NULL;
}

/* The most memory that tensors had at once since the last call, in MiB. */
static ctorch_error *peak(double *out) {
  ctorch_memory_stats *stats = NULL;
  int64_t bytes = 0;
  CTORCH_TRY(ctorch_memory_stats_of_device(&stats, NULL));
  const bool counted = ctorch_memory_stats_find(stats, "allocated_bytes.all.peak", &bytes);
  ctorch_memory_stats_release(stats);
  *out = counted ? (double)bytes / (1024 * 1024) : 0;
  return ctorch_memory_reset_peak_stats(NULL);
}

static ctorch_error *compare(bool *out_same) {
  group groups[LAYERS / GROUP];
  ctorch_tensor_list *frugal = NULL, *plain = NULL;
  ctorch_scope *scope = NULL;
  *out_same = true;
  double with_checkpoints = 0, without = 0;
  CTORCH_TRY(ctorch_memory_record_cpu(true));
  CTORCH_TRY(groups_new(groups));
  CTORCH_TRY(ctorch_scope_begin(&scope));
  CTORCH_TRY(step(&frugal, groups, ROWS, true));
  CTORCH_TRY(ctorch_scope_keep(scope, frugal));
  ctorch_scope_end(scope);
  CTORCH_TRY(peak(&with_checkpoints));
  CTORCH_TRY(step(&plain, groups, ROWS, false));
  CTORCH_TRY(peak(&without));
  for (size_t i = 0; i < LAYERS; i++) {
    bool equal = false;
    CTORCH_TRY(ctorch_aten_equal(&equal, ctorch_tensor_list_data(frugal)[i], ctorch_tensor_list_data(plain)[i]));
    *out_same = *out_same && equal;
  }
  printf("%d layers of %d x %d activations, %d to a checkpoint\n", LAYERS, ROWS, WIDTH, GROUP);
  printf("memory for one step: %.0f MiB with checkpoints, %.0f MiB without\n", with_checkpoints, without);
  printf("gradients are %s\n", *out_same ? "the same to the bit" : "DIFFERENT");
  return NULL;
}

int main(void) {
  ctorch_scope *scope = NULL;
  bool same = false;
  ctorch_error *error = ctorch_scope_begin(&scope);
  if (error == NULL) {
    error = compare(&same);
  }
  ctorch_scope_end(scope);
  if (error != NULL) {
    return ctorch_error_finish(error);
  }
  return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
