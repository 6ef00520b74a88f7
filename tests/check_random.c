/* Random numbers. The expected ones are Python's for the same seed: torch.manual_seed(0); torch.rand(3) and
 * torch.rand(3, generator=torch.Generator().manual_seed(42)). */
#include "values.h"

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
  ck_ok(ctorch_manual_seed(0));
  ck_floats(three_of(NULL), CTORCH_INTS(3), SEED_0);
  ck_ok(ctorch_manual_seed(0));
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
  ck_ok(ctorch_manual_seed(0));
  ck_floats(three_of(generator_of(42)), CTORCH_INTS(3), SEED_42);
  ck_floats(three_of(NULL), CTORCH_INTS(3), SEED_0);
}
END_TEST

START_TEST(the_default_generator_is_shared) {
  ctorch_generator *generator = NULL;
  uint64_t seed = 0;
  ck_ok(ctorch_generator_default(&generator, NULL));
  ck_ok(ctorch_manual_seed(7));
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
  ck_scoped_case(suite, bad_arguments_are_refused);
  return ck_main(suite);
}
