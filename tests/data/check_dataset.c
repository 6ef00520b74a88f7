/* Datasets and samplers: what they hold, give and refuse, in the memory that it has. tests/data compares with Python. */
#include "harness/values.h"

enum { LEN = 6 };

static ctorch_dataset *numbers(int64_t begin) {
  ctorch_tensor *tensor = NULL;
  ctorch_dataset *dataset = NULL;
  ck_ok(ctorch_aten_arange_start(&tensor, CTORCH_INT(begin), CTORCH_INT(begin + LEN), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_data_TensorDataset(&dataset, (const ctorch_tensor *const[]){tensor}, 1));
  return dataset;
}

/* The first number of a value, in tuples, lists and dicts as deep as it is. */
static int64_t first_of(const ctorch_value *value) {
  ctorch_value *part = NULL;
  ctorch_tensor *tensor = NULL;
  int64_t number = 0;
  switch (ctorch_value_kind_of(value)) {
    case CTORCH_VALUE_TENSOR:
      ck_ok(ctorch_value_to_tensor(&tensor, value));
      ck_ok(ctorch_tensor_item_int64(&number, tensor));
      return number;
    case CTORCH_VALUE_DICT:
      ck_ok(ctorch_value_dict_values(&part, value));
      return first_of(part);
    case CTORCH_VALUE_INT:
      ck_ok(ctorch_value_to_int(&number, value));
      return number;
    default:
      ck_ok(ctorch_value_get(&part, value, 0));
      return first_of(part);
  }
}

static int64_t len_of(const ctorch_dataset *dataset) {
  int64_t len = 0;
  ck_ok(ctorch_dataset_len(&len, dataset));
  return len;
}

static int64_t at(const ctorch_dataset *dataset, int64_t index) {
  ctorch_value *value = NULL;
  ck_ok(ctorch_dataset_get(&value, dataset, index));
  return first_of(value);
}

START_TEST(datasets_of_datasets) {
  ctorch_dataset *both = NULL, *beside = NULL, *named = NULL, *some = NULL, *cached = NULL;
  ctorch_value *names = NULL, *value = NULL;
  ctorch_dataset *parts[] = {numbers(0), numbers(100)};
  ck_ok(ctorch_data_ConcatDataset(&both, parts, 2));
  ck_ok(ctorch_data_StackDataset(&beside, parts, 2));
  ck_ok(ctorch_value_from_strings(&names, (const char *const[]){"a", "b"}, 2));
  ck_ok(ctorch_data_StackDataset_named(&named, parts, 2, names));
  ck_ok(ctorch_data_Subset(&some, both, CTORCH_INTS(7, 0, 7)));
  ck_ok(ctorch_data_CachedDataset(&cached, some));
  ck_assert(len_of(both) == 2 * LEN && len_of(beside) == LEN && len_of(named) == LEN && len_of(cached) == 3);
  ck_assert(at(both, LEN) == 100 && at(both, -1) == 100 + LEN - 1 && at(beside, 2) == 2 && at(named, 2) == 2);
  for (int i = 0; i < 2; i++) { /* read, then remembered */
    ck_assert(at(cached, 0) == 101 && at(cached, 1) == 0 && at(cached, 2) == 101);
  }
  ck_call_fails(ctorch_dataset_get, (&value, both, 2 * LEN), CTORCH_ERROR_INDEX, "12");
  ck_call_fails(ctorch_dataset_get, (&value, some, 3), CTORCH_ERROR_INDEX, "3");
  ck_assert_str_eq(ctorch_dataset_name(named), "StackDataset");
  ck_assert(!ctorch_dataset_is_iterable(both));
}
END_TEST

START_TEST(a_split_has_each_sample_once) {
  ctorch_tensor_list *parts = NULL;
  ctorch_dataset *dataset = numbers(0);
  int seen[LEN] = {0};
  ck_ok(ctorch_data_random_split(&parts, dataset, CTORCH_INTS(4, 2), NULL));
  for (size_t i = 0; i < 2; i++) {
    ctorch_tensor *indices = NULL;
    ctorch_dataset *part = NULL;
    ck_ok(ctorch_tensor_list_get(&indices, parts, i));
    ck_ok(ctorch_data_Subset_tensor(&part, dataset, indices));
    ck_assert_int_eq(len_of(part), i == 0 ? 4 : 2);
    for (int64_t j = 0; j < len_of(part); j++) {
      seen[at(part, j)]++;
    }
  }
  for (int i = 0; i < LEN; i++) {
    ck_assert_int_eq(seen[i], 1);
  }
  ck_call_fails(ctorch_data_random_split, (&parts, dataset, CTORCH_INTS(4, 1), NULL), CTORCH_ERROR_VALUE, NULL);
}
END_TEST

/* Callbacks --------------------------------------------------------------------------------------------------------- */

struct source {
  int64_t next;
  int destroyed;
};

static void destroy(void *payload) { ((struct source *)payload)->destroyed++; }

static ctorch_callback_status square(ctorch_value **out, int64_t index, ctorch_error **error, void *payload) {
  (void)payload;
  *error = index == 3 ? ctorch_error_format(CTORCH_ERROR_VALUE, "no %d", 3) : ctorch_value_from_int(out, index * index);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_callback_status next(ctorch_value **out, ctorch_error **error, void *payload) {
  struct source *source = payload;
  if (source->next < LEN) {
    *error = ctorch_value_from_int(out, source->next++);
  }
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_callback_status iterate(ctorch_iterator **out, ctorch_error **error, void *payload) {
  ((struct source *)payload)->next = 0;
  *error = ctorch_iterator_from_callback(out, next, NULL, payload);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static int64_t sum_of(ctorch_iterator *iterator) {
  int64_t sum = 0;
  for (;;) {
    ctorch_value *value = NULL;
    ck_ok(ctorch_iterator_next(&value, iterator));
    if (value == NULL) {
      return sum;
    }
    sum += first_of(value);
  }
}

START_TEST(datasets_of_callbacks_are_destroyed_once) {
  struct source source = {0}, other = {0};
  ctorch_scope *scope = NULL;
  ctorch_dataset *dataset = NULL, *iterable = NULL, *chain = NULL;
  ctorch_iterator *iterator = NULL;
  ctorch_value *value = NULL;
  int64_t len = 0;
  ck_ok(ctorch_scope_begin(&scope));
  ck_ok(ctorch_dataset_from_callback(&dataset, LEN, square, true, destroy, &source));
  ck_ok(ctorch_dataset_from_iterable(&iterable, NULL, iterate, true, destroy, &other));
  ck_ok(ctorch_data_ChainDataset(&chain, (ctorch_dataset *const[]){iterable, iterable}, 2));
  ck_assert_int_eq(at(dataset, 5), 25);
  ck_call_fails(ctorch_dataset_get, (&value, dataset, LEN), CTORCH_ERROR_INDEX, NULL);
  ck_fails(ctorch_dataset_get(&value, dataset, 3), CTORCH_ERROR_VALUE, "no 3");
  ck_ok(ctorch_dataset_iterate(&iterator, chain));
  ck_assert_int_eq(sum_of(iterator), LEN * (LEN - 1));
  ck_call_fails(ctorch_dataset_len, (&len, iterable), CTORCH_ERROR_TYPE, "length");
  ck_call_fails(ctorch_dataset_get, (&value, iterable, 0), CTORCH_ERROR_TYPE, NULL);
  ck_assert(source.destroyed == 0 && other.destroyed == 0);
  ctorch_scope_end(scope);
  ck_assert(source.destroyed == 1 && other.destroyed == 1);
}
END_TEST

/* Samplers ---------------------------------------------------------------------------------------------------------- */

START_TEST(samplers_give_indices_of_the_dataset) {
  ctorch_dataset *dataset = numbers(0);
  ctorch_sampler *samplers[5] = {NULL};
  ctorch_iterator *iterator = NULL;
  int64_t len = 0;
  ck_ok(ctorch_data_SequentialSampler(&samplers[0], dataset));
  ck_ok(ctorch_data_RandomSampler(&samplers[1], dataset, false, NULL, NULL));
  ck_ok(ctorch_data_SubsetRandomSampler(&samplers[2], CTORCH_INTS(0, 1, 2, 3, 4, 5), NULL));
  ck_ok(ctorch_data_DistributedSampler(&samplers[3], dataset, 1, 0, true, 0, false));
  ck_ok(ctorch_data_WeightedRandomSampler(&samplers[4], CTORCH_DOUBLES(0, 0, 0, 1), 5, true, NULL));
  for (int i = 0; i < 5; i++) {
    ck_ok(ctorch_sampler_iterate(&iterator, samplers[i]));
    ck_assert_int_eq(sum_of(iterator), 15);
    ck_ok(ctorch_sampler_len(&len, samplers[i]));
    ck_assert_int_eq(len, i == 4 ? 5 : LEN);
  }
  ck_ok(ctorch_sampler_set_epoch(samplers[3], 4));
}
END_TEST

START_TEST(an_iteration_goes_on_from_its_state) {
  ctorch_sampler *sampler = NULL, *batches = NULL;
  ctorch_iterator *one = NULL, *other = NULL;
  ctorch_value *value = NULL, *state = NULL;
  ck_ok(ctorch_data_RandomSampler(&sampler, numbers(0), false, NULL, NULL));
  ck_ok(ctorch_data_BatchSampler(&batches, sampler, 2, false));
  ck_ok(ctorch_sampler_iterate(&one, batches));
  ck_ok(ctorch_iterator_next(&value, one));
  ck_ok(ctorch_iterator_state_dict(&state, one));
  ck_ok(ctorch_sampler_iterate(&other, batches));
  ck_ok(ctorch_iterator_load_state_dict(other, state));
  ck_assert_int_eq(sum_of(other), sum_of(one));
}
END_TEST

START_TEST(what_is_refused) {
  ctorch_dataset *made = NULL;
  ctorch_sampler *sampler = NULL;
  ctorch_value *value = NULL;
  ctorch_dataset *dataset = numbers(0);
  ck_call_fails(ctorch_data_TensorDataset, (&made, NULL, 0), CTORCH_ERROR_VALUE, "tensors");
  ck_call_fails(ctorch_data_ConcatDataset, (&made, NULL, 0), CTORCH_ERROR_VALUE, "datasets");
  ck_call_fails(
      ctorch_data_ConcatDataset, (&made, (ctorch_dataset *const[]){NULL}, 1), CTORCH_ERROR_NULL_ARGUMENT, "datasets");
  ck_call_fails(ctorch_data_BatchSampler, (&sampler, NULL, 2, false), CTORCH_ERROR_NULL_ARGUMENT, "sampler");
  ck_call_fails(ctorch_data_RandomSampler, (&sampler, dataset, false, &(int64_t){0}, NULL), CTORCH_ERROR_VALUE, NULL);
  ck_call_fails(ctorch_data_DistributedSampler, (&sampler, dataset, 2, 2, true, 0, false), CTORCH_ERROR_VALUE, "rank");
  ck_call_fails(
      ctorch_data_WeightedRandomSampler, (&sampler, CTORCH_DOUBLES(1), 0, true, NULL), CTORCH_ERROR_VALUE, NULL);
  ck_call_fails(ctorch_dataset_attribute, (&value, dataset, "classes"), CTORCH_ERROR_INDEX, "classes");
  ck_call_fails(ctorch_dataset_get, (&value, NULL, 0), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(
      ctorch_dataset_from_callback, (&made, -1, square, true, NULL, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "len");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("dataset");
  ck_scoped_case(suite, datasets_of_datasets);
  ck_scoped_case(suite, a_split_has_each_sample_once);
  ck_scoped_case(suite, datasets_of_callbacks_are_destroyed_once);
  ck_scoped_case(suite, samplers_give_indices_of_the_dataset);
  ck_scoped_case(suite, an_iteration_goes_on_from_its_state);
  ck_scoped_case(suite, what_is_refused);
  return ck_main(suite);
}
