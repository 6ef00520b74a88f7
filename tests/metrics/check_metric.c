/* Metrics: what every one of them does. tests/metrics compares what they compute with Python's. */
#include "harness/values.h"

static double number_of(const ctorch_metric *metric) {
  ctorch_value *result = NULL;
  ctorch_tensor *tensor = NULL;
  double number = 0;
  ck_ok(ctorch_metric_compute(&result, metric));
  ck_ok(ctorch_value_to_tensor(&tensor, result));
  ck_ok(ctorch_tensor_item_double(&number, tensor));
  return number;
}

static ctorch_metric *accuracy(void) {
  ctorch_metric *metric = NULL;
  ck_ok(ctorch_metrics_BinaryAccuracy(&metric, 0.5, NULL, NULL, true));
  return metric;
}

START_TEST(counts_are_added_over_batches_until_a_reset) {
  ctorch_metric *metric = accuracy();
  ck_assert_str_eq(ctorch_metric_name(metric), "BinaryAccuracy");
  ck_ok(ctorch_metric_update(metric, floats(CTORCH_INTS(2), 0.9F, 0.2F), ints(CTORCH_INTS(2), 1, 1)));
  ck_assert_double_eq(number_of(metric), 0.5);
  ck_ok(ctorch_metric_update(metric, floats(CTORCH_INTS(2), 0.9F, 0.8F), ints(CTORCH_INTS(2), 1, 1)));
  ck_assert_double_eq(number_of(metric), 0.75);
  ck_assert_int_eq(ctorch_metric_update_count(metric), 2);
  ck_ok(ctorch_metric_reset(metric));
  ck_assert_int_eq(ctorch_metric_update_count(metric), 0);
  ck_assert_double_eq(number_of(metric), 0);
}
END_TEST

START_TEST(a_failed_update_counts_nothing) {
  ctorch_metric *metric = accuracy();
  ck_ok(ctorch_metric_update(metric, floats(CTORCH_INTS(2), 0.9F, 0.2F), ints(CTORCH_INTS(2), 1, 1)));
  ck_fails(
      ctorch_metric_update(metric, floats(CTORCH_INTS(2), 0.9F, 0.2F), ints(CTORCH_INTS(2), 1, 2)),
      CTORCH_ERROR_RUNTIME, "target");
  ck_fails(
      ctorch_metric_update(metric, floats(CTORCH_INTS(2), 0.9F, 0.2F), ints(CTORCH_INTS(3), 1, 1, 0)),
      CTORCH_ERROR_SHAPE_MISMATCH, "target");
  ck_fails(ctorch_metric_update(metric, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "preds");
  ck_assert_double_eq(number_of(metric), 0.5);
  ck_assert_int_eq(ctorch_metric_update_count(metric), 1);
}
END_TEST

START_TEST(halves_of_two_processes_merge_by_their_states) {
  ctorch_metric *here = accuracy(), *there = accuracy(), *copy = NULL;
  ctorch_value *state = NULL;
  ck_ok(ctorch_metric_update(here, floats(CTORCH_INTS(2), 0.9F, 0.2F), ints(CTORCH_INTS(2), 1, 1)));
  ck_ok(ctorch_metric_update(there, floats(CTORCH_INTS(2), 0.9F, 0.8F), ints(CTORCH_INTS(2), 1, 1)));
  ck_ok(ctorch_metric_state_dict(&state, there));
  ck_ok(ctorch_metric_clone(&copy, here));
  ck_ok(ctorch_metric_load_state_dict(copy, state));
  ck_ok(ctorch_metric_merge(here, copy));
  ck_assert_double_eq(number_of(here), 0.75);
}
END_TEST

START_TEST(a_metric_by_name_takes_values) {
  ctorch_metric *metric = NULL;
  ctorch_value *kwargs = NULL, *window = NULL, *input = NULL;
  ck_ok(ctorch_value_from_dict(&kwargs, NULL, 0, NULL, 0));
  ck_ok(ctorch_value_from_int(&window, 2));
  ck_ok(ctorch_value_dict_put(kwargs, "window", window));
  ck_ok(ctorch_metric_create(&metric, "RunningMean", NULL, kwargs));
  for (int i = 0; i < 4; i++) {
    ck_ok(ctorch_value_from_double(&input, i));
    ck_ok(ctorch_metric_update_value(metric, input));
  }
  ck_assert_double_eq(number_of(metric), 2.5);
  ck_fails(ctorch_metric_create(&metric, "Accuracies", NULL, NULL), CTORCH_ERROR_INDEX, "Accuracies");
}
END_TEST

START_TEST(texts_are_values) {
  static const char *const preds[] = {"the cat sat", "a dog"}, *const target[] = {"the cat sat down", "a dog"};
  ctorch_metric *metric = NULL;
  ctorch_value *inputs[2] = {NULL}, *args = NULL;
  ck_ok(ctorch_metrics_WordErrorRate(&metric));
  ck_ok(ctorch_value_from_strings(&inputs[0], preds, 2));
  ck_ok(ctorch_value_from_strings(&inputs[1], target, 2));
  ck_ok(ctorch_value_from_tuple(&args, (const ctorch_value *const *)inputs, 2));
  ck_ok(ctorch_metric_update_value(metric, args));
  ck_assert_double_eq_tol(number_of(metric), 1.0 / 6, 1e-6);
}
END_TEST

static const char *const OF_TEXTS[] = {"WordErrorRate", "CharErrorRate",     "MatchErrorRate", "WordInfoLost",
                                       "BLEUScore",     "WordInfoPreserved", "ROUGEScore"};
enum { OF_TEXTS_LEN = sizeof OF_TEXTS / sizeof *OF_TEXTS };

START_TEST(texts_of_any_characters_and_none_are_counted) {
  static const char *const preds[] = {"über  straße\t日本 K İx.\nnext line", "", "a"};
  static const char *const target[] = {"über straße 日本 next\nline", "b c", "a"};
  ctorch_metric *metric = NULL;
  ctorch_value *inputs[2] = {NULL}, *args = NULL, *result = NULL;
  ck_ok(ctorch_metric_create(&metric, OF_TEXTS[_i], NULL, NULL));
  ck_ok(ctorch_value_from_strings(&inputs[0], preds, 3));
  ck_ok(ctorch_value_from_strings(&inputs[1], target, 3));
  ck_ok(ctorch_value_from_tuple(&args, (const ctorch_value *const *)inputs, 2));
  for (int i = 0; i < 3; i++) {
    ck_ok(ctorch_metric_update_value(metric, args));
  }
  ck_ok(ctorch_metric_compute(&result, metric));
  ck_assert_int_eq(ctorch_metric_update_count(metric), 3);
}
END_TEST

START_TEST(a_collection_computes_a_dict) {
  ctorch_metric *parts[] = {accuracy(), NULL}, *all = NULL;
  ctorch_value *result = NULL, *entry = NULL;
  ck_ok(ctorch_metrics_BinaryAUROC(&parts[1], NULL, NULL, NULL, true));
  ck_ok(ctorch_metric_collection(
      &all, (const ctorch_metric *const *)parts, 2, (const char *const[]){"a", "b"}, 2, "val_", NULL));
  ck_ok(ctorch_metric_update(all, floats(CTORCH_INTS(2), 0.9F, 0.2F), ints(CTORCH_INTS(2), 1, 0)));
  ck_ok(ctorch_metric_compute(&result, all));
  ck_assert_uint_eq(ctorch_value_len(result), 2);
  ck_ok(ctorch_value_dict_at(&entry, result, "val_b"));
  ck_assert_int_eq(ctorch_metric_update_count(parts[0]), 0);
}
END_TEST

START_TEST(it_may_be_retained_and_released_without_a_scope) {
  ctorch_metric *metric = accuracy();
  ctorch_metric_retain(metric);
  ctorch_metric_release(metric);
  ctorch_metric_retain(NULL);
  ctorch_metric_release(NULL);
  ck_assert_ptr_null(ctorch_metric_name(NULL));
  ck_assert_int_eq(ctorch_metric_update_count(NULL), 0);
}
END_TEST

START_TEST(updates_leave_no_handles) {
  enum { UPDATES = 500 };
  ctorch_metric *metrics[3] = {accuracy()};
  const ctorch_tensor *preds = floats(CTORCH_INTS(2), 0.9F, 0.2F), *target = ints(CTORCH_INTS(2), 1, 0),
                      *cut = ints(CTORCH_INTS(1), 1);
  ck_ok(ctorch_metrics_BinaryAUROC(&metrics[1], NULL, NULL, NULL, true));
  ck_ok(ctorch_metric_collection(&metrics[2], (const ctorch_metric *[]){metrics[0]}, 1, NULL, 0, NULL, NULL));
  ctorch_value *pair = NULL, *entries[2] = {NULL, NULL}, *result = NULL;
  ck_ok(ctorch_value_from_tensor(&entries[0], preds));
  ck_ok(ctorch_value_from_tensor(&entries[1], target));
  ck_ok(ctorch_value_from_tuple(&pair, (const ctorch_value *const *)entries, 2));
  const int64_t before = ctorch_debug_live_handles();
  ck_assert_int_gt(before, 0);
  for (size_t i = 0; i < 3; i++) {
    for (int update = 0; update < UPDATES; update++) {
      ck_ok(ctorch_metric_update(metrics[i], preds, target));
      ck_ok(ctorch_metric_forward(&result, metrics[i], pair));
      ctorch_value_release(result);
      ck_fails(ctorch_metric_update(metrics[i], preds, cut), CTORCH_ERROR_SHAPE_MISMATCH, "target");
    }
    ck_assert_int_eq(ctorch_metric_update_count(metrics[i]), 2 * UPDATES);
  }
  ck_assert_int_eq(ctorch_debug_live_handles(), before);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("metric");
  ck_scoped_case(suite, counts_are_added_over_batches_until_a_reset);
  ck_scoped_case(suite, a_failed_update_counts_nothing);
  ck_scoped_case(suite, halves_of_two_processes_merge_by_their_states);
  ck_scoped_case(suite, a_metric_by_name_takes_values);
  ck_scoped_case(suite, texts_are_values);
  ck_scoped_case_loop(suite, texts_of_any_characters_and_none_are_counted, OF_TEXTS_LEN);
  ck_scoped_case(suite, a_collection_computes_a_dict);
  ck_scoped_case(suite, it_may_be_retained_and_released_without_a_scope);
  ck_case(suite, updates_leave_no_handles);
  return ck_main(suite);
}
