/* The loss behind a linear layer, whole and in chunks: against the two operators that it is made of. */
#include "harness/check.h"

enum { ROWS = 7, FEATURES = 3, CLASSES = 5 };

struct data {
  ctorch_tensor *input, *weight, *target;
};

static struct data data(void) {
  struct data d = {NULL, NULL, NULL};
  ck_ok(ctorch_random_manual_seed(3));
  ck_ok(ctorch_aten_randn(&d.input, CTORCH_INTS(ROWS, FEATURES), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_aten_randn(&d.weight, CTORCH_INTS(CLASSES, FEATURES), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_aten_randint(&d.target, CLASSES, CTORCH_INTS(ROWS), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_tensor_set_requires_grad(d.input, true));
  ck_ok(ctorch_tensor_set_requires_grad(d.weight, true));
  return d;
}

static void drop(struct data *d) {
  ctorch_tensor_release(d->input);
  ctorch_tensor_release(d->weight);
  ctorch_tensor_release(d->target);
}

static void take_grads(struct data *d, ctorch_tensor *loss, ctorch_tensor *grads[2]) {
  ck_ok(ctorch_tensor_backward(loss, NULL, false, false));
  ck_ok(ctorch_tensor_grad(&grads[0], d->input));
  ck_ok(ctorch_tensor_grad(&grads[1], d->weight));
  ck_ok(ctorch_tensor_set_grad(d->input, NULL));
  ck_ok(ctorch_tensor_set_grad(d->weight, NULL));
}

static void check_close(const ctorch_tensor *one, const ctorch_tensor *other) {
  bool close = false;
  ck_ok(ctorch_aten_allclose(&close, one, other, 1e-5, 1e-6, false));
  ck_assert(close);
}

static const char *const reductions[] = {"mean", "sum"};

START_TEST(chunks_give_what_the_whole_gives) {
  const char *reduction = reductions[_i % 2];
  struct data d = data();
  ctorch_tensor *logits = NULL, *expected = NULL, *loss = NULL, *wanted[2] = {NULL}, *grads[2] = {NULL};
  const int64_t rows = 1 + _i;
  ck_ok(ctorch_aten_linear(&logits, d.input, d.weight, NULL));
  ck_ok(ctorch_functional_cross_entropy(&expected, logits, d.target, NULL, -100, reduction, 0));
  take_grads(&d, expected, wanted);
  ck_ok(ctorch_functional_linear_cross_entropy_chunked(
      &loss, d.input, d.weight, d.target, "auto", NULL, NULL, reduction, NULL, 0, "auto", &rows, NULL, true));
  check_close(loss, expected);
  take_grads(&d, loss, grads);
  for (int i = 0; i < 2; i++) {
    check_close(grads[i], wanted[i]);
    ctorch_tensor_release(grads[i]);
    ctorch_tensor_release(wanted[i]);
  }
  ctorch_tensor_release(loss);
  ctorch_tensor_release(expected);
  ctorch_tensor_release(logits);
  drop(&d);
}
END_TEST

START_TEST(the_module_is_the_function_on_its_own_weight) {
  struct data d = data();
  ctorch_module *whole = NULL, *chunked = NULL;
  ctorch_tensor *one = NULL, *other = NULL, *third = NULL, *weight = NULL;
  ck_ok(ctorch_random_manual_seed(5));
  ck_ok(ctorch_nn_LinearCrossEntropyLoss(&whole, FEATURES, CLASSES, NULL, 0, false, NULL, NULL, "mean", NULL, NULL, 0));
  ck_ok(ctorch_random_manual_seed(5));
  ck_ok(ctorch_nn_LinearCrossEntropyLoss_chunked(
      &chunked, FEATURES, CLASSES, "auto", NULL, 0, false, NULL, NULL, "mean", NULL, NULL, 0, "auto", NULL, NULL,
      false));
  ck_ok(ctorch_nn_LinearCrossEntropyLoss_forward(&one, whole, d.input, d.target));
  ck_ok(ctorch_nn_LinearCrossEntropyLoss_forward(&other, chunked, d.input, d.target));
  ck_ok(ctorch_module_get_parameter(&weight, whole, "linear.weight"));
  ck_ok(ctorch_functional_linear_cross_entropy(&third, d.input, weight, d.target, NULL, NULL, "mean", NULL, 0));
  check_close(one, other);
  check_close(one, third);
  ctorch_tensor_release(one);
  ctorch_tensor_release(other);
  ctorch_tensor_release(third);
  ctorch_tensor_release(weight);
  ctorch_module_release(whole);
  ctorch_module_release(chunked);
  drop(&d);
}
END_TEST

START_TEST(bad_choices_are_named) {
  struct data d = data();
  ctorch_tensor *out = NULL;
  const int64_t none = 0;
  ck_call_fails(
      ctorch_functional_linear_cross_entropy_chunked,
      (&out, d.input, d.weight, d.target, "often", NULL, NULL, "mean", NULL, 0, "auto", NULL, NULL, false),
      CTORCH_ERROR_VALUE, "acc_policy");
  ck_call_fails(
      ctorch_functional_linear_cross_entropy_chunked,
      (&out, d.input, d.weight, d.target, "auto", NULL, NULL, "mean", NULL, 0, "rows", NULL, NULL, false),
      CTORCH_ERROR_VALUE, "chunking_method");
  ck_call_fails(
      ctorch_functional_linear_cross_entropy_chunked,
      (&out, d.input, d.weight, d.target, "auto", NULL, NULL, "mean", NULL, 0, "auto", &none, NULL, false),
      CTORCH_ERROR_VALUE, "batch_chunk_size");
  ck_call_fails(
      ctorch_functional_linear_cross_entropy_chunked,
      (&out, d.input, d.weight, d.target, NULL, NULL, NULL, "mean", NULL, 0, "auto", NULL, NULL, false),
      CTORCH_ERROR_NULL_ARGUMENT, "acc_policy");
  ck_call_fails(
      ctorch_functional_linear_cross_entropy, (&out, d.input, d.weight, d.target, NULL, NULL, "most", NULL, 0),
      CTORCH_ERROR_VALUE, "most");
  ck_fails(
      ctorch_functional_linear_cross_entropy(&out, d.input, d.weight, d.target, NULL, NULL, "mean", NULL, 2),
      CTORCH_ERROR_RUNTIME, "label_smoothing");
  drop(&d);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("linear_cross_entropy");
  ck_case_loop(suite, chunks_give_what_the_whole_gives, ROWS + 1);
  ck_case(suite, the_module_is_the_function_on_its_own_weight);
  ck_case(suite, bad_choices_are_named);
  return ck_main(suite);
}
