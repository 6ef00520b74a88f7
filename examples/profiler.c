/* The profiler: which operators a piece of code runs, how often, and for how long.
 *
 * The code is one step of linear regression. The library that collects the events says on standard error that it starts
 * and stops, unless the environment has KINETO_LOG_LEVEL=6. */
#include <ctorch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ctorch_error *compute_loss(
    ctorch_tensor **out, const ctorch_tensor *x, const ctorch_tensor *y, const ctorch_tensor *weight) {
  enum { MEAN = 1 };
  ctorch_tensor *prediction;
  CTORCH_TRY(ctorch_aten_mm(&prediction, x, weight));
  return ctorch_aten_mse_loss(out, prediction, y, MEAN);
}

/* A range appears among the operators under its name. It is popped, like a mode, whether the work succeeded or not. */
static ctorch_error *step(const ctorch_tensor *x, const ctorch_tensor *y, ctorch_tensor *weight) {
  ctorch_tensor *loss, *grad;
  CTORCH_TRY(ctorch_record_function_push("forward", NULL));
  ctorch_error *error = compute_loss(&loss, x, y, weight);
  CTORCH_TRY(ctorch_error_first(error, ctorch_record_function_pop()));
  CTORCH_TRY(ctorch_tensor_backward(loss, NULL, NULL, false));
  CTORCH_TRY(ctorch_tensor_grad(&grad, weight));
  CTORCH_TRY(ctorch_tensor_set_grad(weight, NULL));
  CTORCH_TRY(ctorch_grad_mode_push(false));
  error = ctorch_aten_add__Tensor(weight, grad, CTORCH_FLOAT(-0.1));
  return ctorch_error_first(error, ctorch_grad_mode_pop());
}

static ctorch_error *profile_steps(ctorch_profiler_result **out, int steps) {
  ctorch_tensor *x, *y, *weight;
  CTORCH_TRY(ctorch_random_manual_seed(0));
  CTORCH_TRY(ctorch_aten_randn(&x, CTORCH_INTS(64, 8), NULL, NULL, NULL, NULL));
  CTORCH_TRY(ctorch_aten_randn(&y, CTORCH_INTS(64, 1), NULL, NULL, NULL, NULL));
  CTORCH_TRY(ctorch_aten_zeros(&weight, CTORCH_INTS(8, 1), NULL, NULL, NULL, NULL));
  CTORCH_TRY(ctorch_tensor_set_requires_grad(weight, true));
  CTORCH_TRY(ctorch_profiler_start(CTORCH_DEFAULT_LIST, CTORCH_PROFILER_RECORD_SHAPES));
  ctorch_error *error = NULL;
  for (int i = 0; error == NULL && i < steps; i++) {
    error = step(x, y, weight);
  }
  return ctorch_error_first(error, ctorch_profiler_stop(error == NULL ? out : NULL));
}

/* Sums by operator, and as the table that Python prints. */
static ctorch_error *show_sums(const ctorch_profiler_result *profile) {
  ctorch_profiler_averages *sums;
  ctorch_string *table;
  CTORCH_TRY(ctorch_profiler_result_key_averages(&sums, profile, false, 0, false));
  CTORCH_TRY(ctorch_profiler_averages_table(
      &table, sums, "cpu_time_total", CTORCH_SOME(int64_t, 8), NULL, NULL, NULL, NULL, false, "us"));
  printf("%s\n", ctorch_string_data(table));
  for (size_t row = 0; row < ctorch_profiler_averages_len(sums); row++) {
    printf("%zu x %s\n", ctorch_profiler_averages_count(sums, row), ctorch_profiler_averages_key(sums, row));
  }
  return NULL;
}

/* Single events, in the order in which they began, with what was recorded of each. */
static void show_events(const ctorch_profiler_result *profile, const char *name) {
  for (size_t event = 0; event < ctorch_profiler_result_len(profile); event++) {
    if (strcmp(ctorch_profiler_result_event_name(profile, event), name) != 0) {
      continue;
    }
    printf("%s of", name);
    for (size_t input = 0; input < ctorch_profiler_result_event_num_inputs(profile, event); input++) {
      const int64_t *shape = NULL;
      size_t len = 0;
      (void)!ctorch_profiler_result_event_input_shape(profile, event, input, &shape, &len);
      printf(" [");
      for (size_t i = 0; i < len; i++) {
        printf(i == 0 ? "%d" : " %d", (int)shape[i]);
      }
      printf("]");
    }
    const int64_t parent = ctorch_profiler_result_event_parent(profile, event);
    printf(", in %s\n", parent < 0 ? "nothing" : ctorch_profiler_result_event_name(profile, (size_t)parent));
  }
}

static ctorch_error *run(void) {
  ctorch_profiler_result *profile;
  CTORCH_TRY(profile_steps(&profile, 3));
  CTORCH_TRY(show_sums(profile));
  show_events(profile, "aten::mm");
  return NULL;
}

int main(void) {
  ctorch_scope *scope = NULL;
  ctorch_error *error = ctorch_scope_begin(&scope);
  if (error == NULL) {
    error = run();
  }
  ctorch_scope_end(scope);
  return ctorch_error_finish(error);
}
