/* Random numbers. The expected ones are Python's for the same seed: torch.manual_seed(0); torch.rand(3) and
 * torch.rand(3, generator=torch.Generator().manual_seed(42)). */
#include <pthread.h>

#include "harness/values.h"

#define SEED_0 0x1.fc2abp-2F, 0x1.89545ep-1F, 0x1.6a675p-4F
#define SEED_42 0x1.c3b8ccp-1F, 0x1.d47b66p-1F, 0x1.880d7p-2F

static ctorch_tensor *three_of(ctorch_generator *generator) {
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_aten_rand_generator(&out, CTORCH_INTS(3), generator, NULL, NULL, NULL, NULL));
  return out;
}

static ctorch_generator *generator_of(uint64_t seed) {
  ctorch_generator *out = NULL;
  ck_ok(ctorch_generator_new(&out, NULL));
  ck_ok(ctorch_generator_manual_seed(out, seed));
  return out;
}

START_TEST(the_seed_decides_the_numbers) {
  ck_ok(ctorch_random_manual_seed(0));
  ck_floats(three_of(NULL), CTORCH_INTS(3), SEED_0);
  ck_ok(ctorch_random_manual_seed(0));
  ck_floats(three_of(NULL), CTORCH_INTS(3), SEED_0);
}
END_TEST

START_TEST(a_generator_goes_on_and_starts_again) {
  ctorch_generator *generator = generator_of(42);
  ctorch_tensor *first = three_of(generator), *second = three_of(generator);
  bool equal = true;
  ck_floats(first, CTORCH_INTS(3), SEED_42);
  ck_ok(ctorch_aten_equal(&equal, first, second));
  ck_assert(!equal);
  ck_ok(ctorch_generator_manual_seed(generator, 42));
  ck_floats(three_of(generator), CTORCH_INTS(3), SEED_42);
}
END_TEST

START_TEST(a_generator_is_apart_from_the_default_one) {
  ck_ok(ctorch_random_manual_seed(0));
  ck_floats(three_of(generator_of(42)), CTORCH_INTS(3), SEED_42);
  ck_floats(three_of(NULL), CTORCH_INTS(3), SEED_0);
}
END_TEST

START_TEST(the_default_generator_is_shared) {
  ctorch_generator *generator = NULL;
  uint64_t seed = 0;
  ck_ok(ctorch_generator_default(&generator, NULL));
  ck_ok(ctorch_random_manual_seed(7));
  ck_ok(ctorch_generator_initial_seed(&seed, generator));
  ck_assert_uint_eq(seed, 7);
  ck_ok(ctorch_generator_manual_seed(generator, 0));
  ck_floats(three_of(NULL), CTORCH_INTS(3), SEED_0);
}
END_TEST

START_TEST(seeds_are_kept_exactly) {
  static const uint64_t seeds[] = {0, 1, UINT64_C(1) << 63, UINT64_MAX};
  for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
    uint64_t seed = 99;
    ck_ok(ctorch_generator_initial_seed(&seed, generator_of(seeds[i])));
    ck_assert(seed == seeds[i]);
  }
}
END_TEST

START_TEST(a_new_generator_has_pytorchs_default_seed) {
  ctorch_generator *generator = NULL;
  uint64_t seed = 0;
  ck_ok(ctorch_generator_new(&generator, CPU));
  ck_ok(ctorch_generator_initial_seed(&seed, generator));
  ck_assert_uint_eq(seed, 67280421310721); /* torch.Generator().initial_seed() */
}
END_TEST

START_TEST(retained_it_lives_on) {
  ctorch_generator *generator = generator_of(42);
  ctorch_generator_retain(generator);
  ctorch_generator_release(generator);
  ck_floats(three_of(generator), CTORCH_INTS(3), SEED_42);
  ctorch_generator_release(generator);
}
END_TEST

static ctorch_tensor *state_of(const ctorch_generator *generator) {
  ctorch_tensor *state = NULL;
  ck_ok(ctorch_generator_get_state(&state, generator));
  return state;
}

static bool equal(const ctorch_tensor *a, const ctorch_tensor *b) {
  bool result = false;
  ck_ok(ctorch_aten_equal(&result, a, b));
  return result;
}

START_TEST(a_generator_goes_on_from_a_state) {
  ctorch_generator *generator = generator_of(42), *other = generator_of(7);
  ctorch_tensor *state = state_of(generator);
  ck_assert_int_eq(ctorch_tensor_dtype(state), CTORCH_DTYPE_UINT8);
  ck_floats(three_of(generator), CTORCH_INTS(3), SEED_42);
  ctorch_tensor *next = three_of(generator);
  ck_ok(ctorch_generator_set_state(generator, state));
  ck_floats(three_of(generator), CTORCH_INTS(3), SEED_42);
  ck_assert(equal(three_of(generator), next));
  ck_ok(ctorch_generator_set_state(other, state)); /* the state is a copy: drawing did not change it */
  ck_floats(three_of(other), CTORCH_INTS(3), SEED_42);
}
END_TEST

START_TEST(a_clone_goes_its_own_way) {
  ctorch_generator *generator = generator_of(42), *clone = NULL;
  ck_ok(ctorch_generator_clone(&clone, generator));
  ck_assert(clone != generator);
  ck_floats(three_of(generator), CTORCH_INTS(3), SEED_42);
  ck_floats(three_of(clone), CTORCH_INTS(3), SEED_42);
  ck_ok(ctorch_generator_manual_seed(clone, 1));
  uint64_t seed = 0;
  ck_ok(ctorch_generator_initial_seed(&seed, generator));
  ck_assert_uint_eq(seed, 42);
}
END_TEST

START_TEST(a_seed_that_nobody_could_foresee) {
  ctorch_generator *generator = generator_of(42), *again = NULL;
  uint64_t first = 42, second = 42, initial = 0;
  ck_ok(ctorch_generator_seed(&first, generator));
  ck_ok(ctorch_generator_initial_seed(&initial, generator));
  ck_assert(first == initial && first != 42);
  again = generator_of(first);
  ck_assert(equal(three_of(generator), three_of(again)));
  ck_ok(ctorch_generator_seed(&second, generator));
  ck_assert(second != first);
  ck_ok(ctorch_random_seed(&first));
  ck_ok(ctorch_random_initial_seed(&initial, NULL));
  ck_assert(first == initial);
  ck_ok(ctorch_random_seed(&second));
  ck_assert(second != first);
  ck_ok(ctorch_random_manual_seed(9));
  ck_ok(ctorch_random_initial_seed(&initial, CPU));
  ck_assert_uint_eq(initial, 9);
}
END_TEST

START_TEST(what_is_drawn_in_a_fork_leaves_no_trace) {
  ck_ok(ctorch_random_manual_seed(0));
  ck_ok(ctorch_random_fork(NULL, 0));
  ck_floats(three_of(NULL), CTORCH_INTS(3), SEED_0);
  ck_ok(ctorch_random_manual_seed(99));
  ctorch_tensor *of_99 = three_of(NULL);
  ck_ok(ctorch_random_manual_seed(99));
  ck_ok(ctorch_random_fork(CPU, 1));
  ck_ok(ctorch_random_manual_seed(5));
  ck_ok(ctorch_random_fork(CPU, 0)); /* a pointer without length: the CPU alone */
  three_of(NULL);
  ck_ok(ctorch_random_join());
  uint64_t seed = 0;
  ck_ok(ctorch_random_initial_seed(&seed, NULL));
  ck_assert_uint_eq(seed, 5);
  ck_ok(ctorch_random_join());
  ck_assert(equal(three_of(NULL), of_99));
  ck_ok(ctorch_random_join());
  ck_floats(three_of(NULL), CTORCH_INTS(3), SEED_0);
  ck_fails(ctorch_random_join(), CTORCH_ERROR_RUNTIME, "nothing was forked");
}
END_TEST

static void *joins(void *unused) {
  (void)unused;
  ck_fails(ctorch_random_join(), CTORCH_ERROR_RUNTIME, "nothing was forked on this thread");
  ck_ok(ctorch_random_fork(NULL, 0)); /* and the thread ends */
  return NULL;
}

START_TEST(a_fork_belongs_to_its_thread) {
  pthread_t thread;
  ck_ok(ctorch_random_fork(NULL, 0));
  ck_assert_int_eq(pthread_create(&thread, NULL, joins, NULL), 0);
  ck_assert_int_eq(pthread_join(thread, NULL), 0);
  ck_ok(ctorch_random_join());
}
END_TEST

START_TEST(a_fork_that_fails_is_none) {
  static const ctorch_device unknown = {21, 0},
                             devices[] = {{CTORCH_DEVICE_TYPE_CPU, -1}, {CTORCH_DEVICE_TYPE_CUDA, 99}};
  ck_fails(ctorch_random_fork(&unknown, 1), CTORCH_ERROR_INVALID_ARGUMENT, "devices[0]");
  ck_fails(ctorch_random_fork(NULL, 1), CTORCH_ERROR_NULL_ARGUMENT, "devices");
  ck_fails(ctorch_random_fork(devices, SIZE_MAX), CTORCH_ERROR_INVALID_ARGUMENT, "devices");
  ctorch_error *error = ctorch_random_fork(devices, 2);
  ck_assert_ptr_nonnull(error);
  ctorch_error_release(error);
  ck_fails(ctorch_random_join(), CTORCH_ERROR_RUNTIME, "nothing was forked");
}
END_TEST

START_TEST(a_generator_knows_its_device) {
  ctorch_device device = {77, 77};
  ck_ok(ctorch_generator_device(&device, generator_of(1)));
  ck_assert_int_eq(device.type, CTORCH_DEVICE_TYPE_CPU);
  ck_assert_int_eq(device.index, -1);
}
END_TEST

START_TEST(the_cpus_generator_has_neither_offset_nor_shared_state) {
  ctorch_generator *generator = generator_of(1), *shared = NULL;
  uint64_t offset = 5;
  ck_fails(ctorch_generator_get_offset(&offset, generator), CTORCH_ERROR_RUNTIME, "does not use offset");
  ck_fails(ctorch_generator_set_offset(generator, 4), CTORCH_ERROR_RUNTIME, "does not use offset");
  ck_fails(
      ctorch_generator_get_graphsafe_state(&shared, generator), CTORCH_ERROR_NOT_IMPLEMENTED,
      "graphsafe_get_state is not supported");
  ck_fails(
      ctorch_generator_set_graphsafe_state(generator, generator), CTORCH_ERROR_NOT_IMPLEMENTED,
      "graphsafe_set_state is not supported");
  ck_assert(offset == 5 && shared == NULL);
}
END_TEST

/** A state with some bytes replaced. */
static ctorch_tensor *damaged(const ctorch_tensor *state, size_t at, const void *bytes, size_t len) {
  ctorch_tensor *copy = NULL;
  void *data = NULL;
  ck_ok(ctorch_aten_clone(&copy, state, NULL));
  ck_ok(ctorch_tensor_data(&data, copy));
  memcpy((char *)data + at, bytes, len);
  return copy;
}

START_TEST(what_is_no_state_is_refused) {
  ctorch_generator *generator = generator_of(42);
  ctorch_tensor *state = state_of(generator), *part = NULL, *steps = NULL, *meta = NULL, *wide = NULL, *zeros = NULL;
  const ctorch_dtype uint8 = CTORCH_DTYPE_UINT8;
  const int64_t len = ctorch_tensor_numel(state);
  static const int32_t all_left = 624, none_left = 0, too_many_left = 625, not_seeded = 0;
  static const uint64_t last = 624, too_far = 625, near_the_end = 2;
  ck_fails(
      ctorch_generator_set_state(generator, floats(CTORCH_INTS(2), 1, 2)), CTORCH_ERROR_TYPE,
      "RNG state must be a torch.ByteTensor");
  ck_ok(ctorch_aten_narrow(&part, state, 0, 0, len - 1));
  ck_fails(ctorch_generator_set_state(generator, part), CTORCH_ERROR_RUNTIME, "size");
  ck_ok(ctorch_aten_narrow(&part, state, 0, 0, 4));
  ck_fails(ctorch_generator_set_state(generator, part), CTORCH_ERROR_RUNTIME, "size");
  ck_ok(ctorch_aten_slice_Tensor(&steps, state, 0, NULL, NULL, 2));
  ck_fails(ctorch_generator_set_state(generator, steps), CTORCH_ERROR_RUNTIME, "contiguous");
  ck_ok(ctorch_aten_empty_memory_format(&meta, &len, 1, &uint8, NULL, META, NULL, NULL));
  ck_fails(ctorch_generator_set_state(generator, meta), CTORCH_ERROR_TYPE, "ByteTensor");
  ck_ok(ctorch_aten__efficientzerotensor(&zeros, &len, 1, &uint8, NULL, NULL, NULL));
  ck_fails(ctorch_generator_set_state(generator, zeros), CTORCH_ERROR_INVALID_ARGUMENT, "has no memory");
  ck_ok(ctorch_aten_zeros(&wide, &len, 1, &uint8, NULL, NULL, NULL));
  ck_fails(ctorch_generator_set_state(generator, wide), CTORCH_ERROR_RUNTIME, "Invalid mt19937 state");
  ck_fails(
      ctorch_generator_set_state(generator, damaged(state, 8, &none_left, 4)), CTORCH_ERROR_RUNTIME,
      "Invalid mt19937 state");
  ck_fails(
      ctorch_generator_set_state(generator, damaged(state, 8, &too_many_left, 4)), CTORCH_ERROR_RUNTIME,
      "Invalid mt19937 state");
  ck_fails(
      ctorch_generator_set_state(generator, damaged(state, 12, &not_seeded, 4)), CTORCH_ERROR_RUNTIME,
      "Invalid mt19937 state");
  ck_fails(
      ctorch_generator_set_state(generator, damaged(state, 16, &too_far, 8)), CTORCH_ERROR_RUNTIME,
      "Invalid mt19937 state");
  /* Each number is valid, but together they lead past the end. */
  ctorch_tensor *both = damaged(damaged(state, 8, &all_left, 4), 16, &last, 8);
  ck_fails(ctorch_generator_set_state(generator, both), CTORCH_ERROR_INVALID_ARGUMENT, "past its end");
  both = damaged(damaged(state, 8, &all_left, 4), 16, &near_the_end, 8);
  ck_fails(ctorch_generator_set_state(generator, both), CTORCH_ERROR_INVALID_ARGUMENT, "past its end");
  ck_floats(three_of(generator), CTORCH_INTS(3), SEED_42); /* none of them left a mark */
}
END_TEST

START_TEST(every_state_on_the_way_is_a_state) {
  ctorch_generator *generator = generator_of(42);
  for (int i = 0; i < 1300; i++) { /* past the 624 words twice */
    ctorch_tensor *state = state_of(generator), *number = NULL;
    ck_ok(ctorch_generator_set_state(generator, state));
    ck_ok(ctorch_aten_rand_generator(&number, CTORCH_INTS(1), generator, NULL, NULL, NULL, NULL));
    ctorch_tensor_release(state);
    ctorch_tensor_release(number);
  }
}
END_TEST

START_TEST(null_is_refused) {
  ctorch_generator *generator = generator_of(1), *out = NULL;
  ctorch_tensor *state = NULL;
  uint64_t number = 5;
  ctorch_device device = {77, 77};
  ck_fails(ctorch_random_seed(NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_random_initial_seed(NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_random_initial_seed(&number, &(const ctorch_device){21, 0}), CTORCH_ERROR_INVALID_ARGUMENT, "device");
  ck_fails(ctorch_generator_seed(NULL, generator), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_generator_seed(&number, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_generator_get_state(NULL, generator), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_generator_get_state(&state, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_generator_set_state(NULL, state_of(generator)), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_generator_set_state(generator, NULL), CTORCH_ERROR_NULL_ARGUMENT, "state");
  ck_fails(ctorch_generator_get_offset(NULL, generator), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_generator_get_offset(&number, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_generator_set_offset(NULL, 0), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_generator_clone(NULL, generator), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_generator_clone(&out, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_generator_get_graphsafe_state(NULL, generator), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_generator_get_graphsafe_state(&out, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_generator_set_graphsafe_state(NULL, generator), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_generator_set_graphsafe_state(generator, NULL), CTORCH_ERROR_NULL_ARGUMENT, "state");
  ck_fails(ctorch_generator_device(NULL, generator), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_generator_device(&device, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_assert(number == 5 && state == NULL && out == NULL && device.type == 77);
}
END_TEST

START_TEST(bad_arguments_are_refused) {
  ctorch_generator *none = NULL, *generator = generator_of(1);
  const ctorch_device unknown = {21, 0}, second_cpu = {CTORCH_DEVICE_TYPE_CPU, 1},
                      gpu99 = {CTORCH_DEVICE_TYPE_CUDA, 99};
  uint64_t seed = 5;
  ck_fails(ctorch_generator_new(NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_generator_new(&none, &unknown), CTORCH_ERROR_INVALID_ARGUMENT, "device type 21");
  ck_fails(ctorch_generator_new(&none, &second_cpu), CTORCH_ERROR_INVALID_ARGUMENT, "index 1");
  ck_fails(ctorch_generator_default(NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_generator_default(&none, &unknown), CTORCH_ERROR_INVALID_ARGUMENT, "device type 21");
  ck_fails(ctorch_generator_manual_seed(NULL, 1), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_generator_initial_seed(&seed, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_generator_initial_seed(NULL, generator), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ctorch_error *const errors[] = {
      ctorch_generator_new(&none, &gpu99), ctorch_generator_default(&none, &gpu99), ctorch_generator_new(&none, META)};
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
    ck_assert_msg(errors[i] != NULL, "call %zu succeeded", i);
    ctorch_error_release(errors[i]);
  }
  ck_assert(none == NULL && seed == 5);
  ctorch_generator_retain(NULL);
  ctorch_generator_release(NULL);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("random");
  ck_scoped_case(suite, the_seed_decides_the_numbers);
  ck_scoped_case(suite, a_generator_goes_on_and_starts_again);
  ck_scoped_case(suite, a_generator_is_apart_from_the_default_one);
  ck_scoped_case(suite, the_default_generator_is_shared);
  ck_scoped_case(suite, seeds_are_kept_exactly);
  ck_scoped_case(suite, a_new_generator_has_pytorchs_default_seed);
  ck_scoped_case(suite, retained_it_lives_on);
  ck_scoped_case(suite, a_generator_goes_on_from_a_state);
  ck_scoped_case(suite, a_clone_goes_its_own_way);
  ck_scoped_case(suite, a_seed_that_nobody_could_foresee);
  ck_scoped_case(suite, what_is_drawn_in_a_fork_leaves_no_trace);
  ck_scoped_case(suite, a_fork_belongs_to_its_thread);
  ck_scoped_case(suite, a_fork_that_fails_is_none);
  ck_scoped_case(suite, a_generator_knows_its_device);
  ck_scoped_case(suite, the_cpus_generator_has_neither_offset_nor_shared_state);
  ck_scoped_case(suite, what_is_no_state_is_refused);
  ck_scoped_case(suite, every_state_on_the_way_is_a_state);
  ck_scoped_case(suite, null_is_refused);
  ck_scoped_case(suite, bad_arguments_are_refused);
  return ck_main(suite);
}
