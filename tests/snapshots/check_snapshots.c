/* Snapshots: which are kept, and what is refused. tests/io has resuming and killed processes. */
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/values.h"

static char folder[] = "/tmp/check_snapshots_XXXXXX";

static ctorch_snapshots *opened(void) {
  ctorch_snapshots *snapshots = NULL;
  if (strcmp(folder + strlen(folder) - 6, "XXXXXX") == 0) {
    ck_assert_ptr_nonnull(mkdtemp(folder));
  }
  ck_ok(ctorch_snapshots_open(&snapshots, folder));
  return snapshots;
}

static void remove_all(const ctorch_snapshots *snapshots) {
  for (size_t i = 0; i < ctorch_snapshots_len(snapshots); i++) {
    ctorch_string *path = NULL;
    ck_ok(ctorch_snapshots_path(&path, snapshots, i));
    ck_assert_int_eq(unlink(ctorch_string_data(path)), 0);
  }
  ck_assert_msg(rmdir(folder) == 0, "%s holds something else", folder);
}

static void ck_steps(const ctorch_snapshots *snapshots, const int64_t *steps, size_t len) {
  ck_assert_uint_eq(ctorch_snapshots_len(snapshots), len);
  for (size_t i = 0; i < len; i++) {
    ck_assert_int_eq(ctorch_snapshots_step_of(snapshots, i), steps[i]);
  }
}

/* The snapshots that are there, for this object and for a new one. */
#define ck_there(snapshots, ...)                   \
  do {                                             \
    ck_steps(snapshots, CTORCH_INTS(__VA_ARGS__)); \
    ck_steps(opened(), CTORCH_INTS(__VA_ARGS__));  \
  } while (0)

static ctorch_value *dict_of(const char *key, int64_t number) {
  ctorch_value *dict = NULL, *value = NULL;
  ck_ok(ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
  ck_ok(ctorch_value_from_int(&value, number));
  ck_ok(ctorch_value_dict_put(dict, key, value));
  return dict;
}

static int64_t number_in(const ctorch_value *dict, const char *key) {
  ctorch_value *value = NULL;
  int64_t number = 0;
  ck_ok(ctorch_value_dict_at(&value, dict, key));
  ck_ok(ctorch_value_to_int(&number, value));
  return number;
}

START_TEST(every_so_many_steps_one_is_saved) {
  ctorch_snapshots *snapshots = opened();
  ck_ok(ctorch_snapshots_set_every(snapshots, 3));
  for (int64_t step = 0; step <= 10; step++) {
    bool saved = false;
    ck_ok(ctorch_snapshots_step(&saved, snapshots, 0, step, NULL));
    ck_assert_int_eq(saved, step > 0 && step % 3 == 0);
  }
  ck_there(snapshots, 3, 6, 9);
  remove_all(snapshots);
}
END_TEST

START_TEST(the_last_are_kept) {
  ctorch_snapshots *snapshots = opened();
  ck_ok(ctorch_snapshots_set_keep(snapshots, 2, 0, false));
  for (int64_t step = 1; step <= 5; step++) {
    ck_ok(ctorch_snapshots_save(snapshots, 0, step, NULL));
  }
  ck_there(snapshots, 4, 5);
  ck_ok(ctorch_snapshots_set_keep(snapshots, 0, 0, false));
  ck_ok(ctorch_snapshots_save(snapshots, 0, 2, NULL)); /* the one just saved stays, whatever its step */
  ck_there(snapshots, 2);
  remove_all(snapshots);
}
END_TEST

START_TEST(the_best_are_kept) {
  const double metrics[] = {3, 1, NAN, 2, 1, 7};
  for (int maximize = 0; maximize < 2; maximize++) {
    ctorch_snapshots *snapshots = opened();
    ck_ok(ctorch_snapshots_set_keep(snapshots, 1, 2, maximize));
    for (int64_t step = 0; step < 6; step++) {
      ck_ok(ctorch_snapshots_save(snapshots, 0, step, step == 2 ? NULL : &metrics[step]));
    }
    if (maximize) {
      ck_there(snapshots, 0, 5);
    } else {
      ck_there(snapshots, 1, 4, 5);
    }
    /* A new object reads the metrics of the files. */
    snapshots = opened();
    ck_ok(ctorch_snapshots_set_keep(snapshots, 0, 1, maximize));
    double metric = 0;
    ck_ok(ctorch_snapshots_metric(&metric, snapshots, 0));
    ck_assert_double_eq(metric, maximize ? 3 : 1);
    const double bad = maximize ? -1 : 100;
    ck_ok(ctorch_snapshots_save(snapshots, 0, 9, &bad));
    if (maximize) {
      ck_there(snapshots, 5, 9);
    } else {
      ck_there(snapshots, 4, 9); /* of equal ones the newer */
    }
    remove_all(snapshots);
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
  }
}
END_TEST

START_TEST(resuming_hands_the_state_back) {
  ctorch_snapshots *snapshots = opened();
  ctorch_value *dict = dict_of("seen", 7);
  bool found = true;
  int64_t epoch = -1, step = -1;
  ck_ok(ctorch_snapshots_add_value(snapshots, "loader", dict));
  ck_ok(ctorch_snapshots_resume(&found, &epoch, &step, snapshots, NULL));
  ck_assert(!found && epoch == -1 && step == -1);
  ctorch_tensor *x = NULL, *y = NULL;
  ck_ok(ctorch_random_manual_seed(3));
  ck_ok(ctorch_snapshots_save(snapshots, 4, 44, NULL));
  ck_ok(ctorch_aten_rand(&x, CTORCH_INTS(5), NULL, NULL, NULL, NULL));
  ctorch_value *other = NULL;
  ck_ok(ctorch_value_from_int(&other, 8));
  ck_ok(ctorch_value_dict_put(dict, "seen", other));
  ck_ok(ctorch_value_dict_put(dict, "more", other));
  ck_ok(ctorch_snapshots_resume(&found, &epoch, &step, snapshots, "last"));
  ck_assert(found && epoch == 4 && step == 44);
  ck_assert_int_eq(number_in(dict, "seen"), 7);
  ck_assert_uint_eq(ctorch_value_len(dict), 1);
  ck_ok(ctorch_aten_rand(&y, CTORCH_INTS(5), NULL, NULL, NULL, NULL));
  bool same = false;
  ck_ok(ctorch_aten_equal(&same, x, y));
  ck_assert(same); /* the generator stands where it stood */
  remove_all(snapshots);
}
END_TEST

START_TEST(the_best_is_found) {
  ctorch_snapshots *snapshots = opened();
  ctorch_value *dict = dict_of("n", 0), *value = NULL;
  ck_ok(ctorch_snapshots_add_value(snapshots, "value", dict));
  const double metrics[] = {3, 1, 2};
  for (int64_t step = 0; step < 3; step++) {
    ck_ok(ctorch_value_from_int(&value, step));
    ck_ok(ctorch_value_dict_put(dict, "n", value));
    ck_ok(ctorch_snapshots_save(snapshots, 0, step, &metrics[step]));
  }
  snapshots = opened();
  ck_ok(ctorch_snapshots_add_value(snapshots, "value", dict));
  ck_ok(ctorch_snapshots_resume(NULL, NULL, NULL, snapshots, "best"));
  ck_assert_int_eq(number_in(dict, "n"), 1);
  ck_ok(ctorch_snapshots_set_keep(snapshots, -1, 0, true));
  ck_ok(ctorch_snapshots_resume(NULL, NULL, NULL, snapshots, "best"));
  ck_assert_int_eq(number_in(dict, "n"), 0);
  ctorch_string *path = NULL;
  ck_ok(ctorch_snapshots_path(&path, snapshots, 2));
  ck_ok(ctorch_snapshots_resume(NULL, NULL, NULL, snapshots, ctorch_string_data(path)));
  ck_assert_int_eq(number_in(dict, "n"), 2);
  remove_all(snapshots);
}
END_TEST

START_TEST(another_thread_writes) {
  ctorch_snapshots *snapshots = opened();
  ctorch_tensor *x = NULL;
  ctorch_value *dict = dict_of("n", 1), *value = NULL;
  ck_ok(ctorch_aten_ones(&x, CTORCH_INTS(1000), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_value_from_tensor(&value, x));
  ck_ok(ctorch_value_dict_put(dict, "x", value));
  ck_ok(ctorch_snapshots_add_value(snapshots, "value", dict));
  ck_ok(ctorch_snapshots_set_async(snapshots, true));
  ck_ok(ctorch_snapshots_save(snapshots, 0, 1, NULL));
  ck_ok(ctorch_aten_zero_(x)); /* it has a copy */
  ck_ok(ctorch_snapshots_wait(snapshots));
  ck_there(snapshots, 1);
  ck_ok(ctorch_snapshots_resume(NULL, NULL, NULL, snapshots, NULL));
  ck_ok(ctorch_value_dict_at(&value, dict, "x"));
  ck_ok(ctorch_value_to_tensor(&x, value));
  ctorch_tensor *sum = NULL;
  ck_ok(ctorch_aten_sum(&sum, x, NULL));
  ck_floats(sum, NO_DIMS, 1000);
  /* What it failed with comes later. */
  ck_ok(ctorch_snapshots_save(snapshots, 0, 2, NULL));
  ck_ok(ctorch_snapshots_wait(snapshots));
  remove_all(snapshots);
  ck_ok(ctorch_snapshots_save(snapshots, 0, 3, NULL));
  ck_fails(ctorch_snapshots_save(snapshots, 0, 4, NULL), CTORCH_ERROR_IO, "snapshot-000000000003.pt");
  ck_ok(ctorch_snapshots_wait(snapshots));
}
END_TEST

struct part {
  int saved, loaded, destroyed;
  bool fails;
};

static ctorch_callback_status save_part(ctorch_value **out, ctorch_error **error, void *payload) {
  struct part *part = payload;
  part->saved++;
  if (part->fails) {
    ck_ok(ctorch_error_new(error, CTORCH_ERROR_RUNTIME, "not now"));
    return 0;
  }
  *error = ctorch_value_from_int(out, 5);
  return CTORCH_CALLBACK_OK;
}

static ctorch_callback_status load_part(const ctorch_value *state, ctorch_error **error, void *payload) {
  struct part *part = payload;
  int64_t number = 0;
  *error = ctorch_value_to_int(&number, state);
  part->loaded += (int)number;
  return CTORCH_CALLBACK_OK;
}

static void destroy_part(void *payload) { ((struct part *)payload)->destroyed++; }

START_TEST(a_part_may_be_the_callers) {
  struct part part = {0};
  ctorch_snapshots *snapshots = opened();
  ck_ok(ctorch_snapshots_add_callback(snapshots, "mine", save_part, load_part, destroy_part, &part));
  ck_ok(ctorch_snapshots_save(snapshots, 0, 1, NULL));
  ck_ok(ctorch_snapshots_resume(NULL, NULL, NULL, snapshots, NULL));
  ck_assert_int_eq(part.saved, 1);
  ck_assert_int_eq(part.loaded, 5);
  part.fails = true;
  ck_fails(ctorch_snapshots_save(snapshots, 0, 2, NULL), CTORCH_ERROR_RUNTIME, "not now");
  ck_there(snapshots, 1);
  remove_all(snapshots);
  ctorch_snapshots_release(snapshots);
  ck_assert_int_eq(part.destroyed, 1);
}
END_TEST

static ctorch_callback_status save_nothing(ctorch_value **out, ctorch_error **error, void *payload) {
  (void)out;
  (void)error;
  (void)payload;
  return 0;
}

START_TEST(errors_name_the_function_that_was_called) {
  ctorch_snapshots *snapshots = opened();
  struct part part = {0};
  ck_ok(ctorch_snapshots_set_every(snapshots, 2));
  ck_ok(ctorch_snapshots_add_callback(snapshots, "mine", save_nothing, load_part, NULL, &part));
  ck_call_fails(ctorch_snapshots_step, (NULL, snapshots, 0, 2, NULL), CTORCH_ERROR_CALLBACK, "part mine: ");
  remove_all(snapshots);
}
END_TEST

START_TEST(what_is_wrong_is_told) {
  ctorch_snapshots *snapshots = opened(), *none = NULL;
  ctorch_value *dict = dict_of("n", 1), *list = NULL;
  ctorch_string *path = NULL;
  double metric = 0;
  ck_ok(ctorch_value_from_list(&list, NULL, 0));
  ck_fails(ctorch_snapshots_open(NULL, folder), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_snapshots_open(&none, NULL), CTORCH_ERROR_NULL_ARGUMENT, "folder");
  ck_fails(ctorch_snapshots_open(&none, ""), CTORCH_ERROR_INVALID_ARGUMENT, "folder");
  ck_fails(ctorch_snapshots_open(&none, "/dev/null/x"), CTORCH_ERROR_IO, "/dev/null");
  ck_fails(ctorch_snapshots_add_value(snapshots, "a", list), CTORCH_ERROR_TYPE, "expected a dict, got list");
  ck_fails(ctorch_snapshots_add_value(snapshots, NULL, dict), CTORCH_ERROR_NULL_ARGUMENT, "name");
  ck_fails(ctorch_snapshots_add_value(snapshots, "\xff", dict), CTORCH_ERROR_INVALID_ARGUMENT, "name");
  ck_ok(ctorch_snapshots_add_value(snapshots, "a", dict));
  ck_fails(ctorch_snapshots_add_value(snapshots, "a", dict), CTORCH_ERROR_VALUE, "there is a part a");
  ck_fails(ctorch_snapshots_add_module(snapshots, "b", NULL), CTORCH_ERROR_NULL_ARGUMENT, "module");
  ck_fails(ctorch_snapshots_set_every(snapshots, -1), CTORCH_ERROR_VALUE, "steps");
  ck_fails(ctorch_snapshots_set_keep(snapshots, -2, 0, false), CTORCH_ERROR_VALUE, "last");
  ck_fails(ctorch_snapshots_set_keep(snapshots, 0, -1, false), CTORCH_ERROR_VALUE, "best");
  ck_fails(ctorch_snapshots_save(snapshots, 0, -1, NULL), CTORCH_ERROR_VALUE, "step");
  ck_fails(ctorch_snapshots_path(&path, snapshots, 0), CTORCH_ERROR_INDEX, "index");
  ck_fails(ctorch_snapshots_metric(&metric, snapshots, 0), CTORCH_ERROR_INDEX, "index");
  ck_fails(ctorch_snapshots_resume(NULL, NULL, NULL, snapshots, "/no/such/file"), CTORCH_ERROR_IO, "/no/such/file");
  ck_ok(ctorch_snapshots_save(snapshots, 0, 1, NULL));
  ctorch_snapshots *more = opened();
  ck_ok(ctorch_snapshots_add_value(more, "a", dict));
  ck_ok(ctorch_snapshots_add_value(more, "z", dict));
  ck_fails(ctorch_snapshots_resume(NULL, NULL, NULL, more, NULL), CTORCH_ERROR_INDEX, "has no part z");
  ck_ok(ctorch_snapshots_path(&path, snapshots, 0));
  ck_ok(ctorch_serialization_save_file(dict, ctorch_string_data(path)));
  ck_fails(ctorch_snapshots_resume(NULL, NULL, NULL, snapshots, NULL), CTORCH_ERROR_FORMAT, "not a snapshot");
  remove_all(snapshots);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("snapshots");
  ck_scoped_case(suite, every_so_many_steps_one_is_saved);
  ck_scoped_case(suite, the_last_are_kept);
  ck_scoped_case(suite, the_best_are_kept);
  ck_scoped_case(suite, resuming_hands_the_state_back);
  ck_scoped_case(suite, the_best_is_found);
  ck_scoped_case(suite, another_thread_writes);
  ck_scoped_case(suite, a_part_may_be_the_callers);
  ck_scoped_case(suite, errors_name_the_function_that_was_called);
  ck_scoped_case(suite, what_is_wrong_is_told);
  return ck_main(suite);
}
