/* Random numbers: seeds, states that are put back, and generators of one's own.
 *
 * The numbers are those of Python's torch for the same seed. */
#include <ctorch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static ctorch_error *print_randoms(const char *name, ctorch_generator *generator) {
  ctorch_tensor *x;
  CTORCH_TRY(ctorch_aten_rand_generator(&x, CTORCH_INTS(3), generator, NULL, NULL, NULL, NULL));
  printf("%s ", name);
  return ctorch_tensor_print(x, NULL);
}

/* Operators draw from the default generator unless they are given another: NULL is the default one. */
static ctorch_error *the_default_generator(void) {
  CTORCH_TRY(ctorch_random_manual_seed(7));
  CTORCH_TRY(print_randoms("seed 7:", NULL));
  CTORCH_TRY(ctorch_random_fork(NULL, 0));
  ctorch_error *error = print_randoms("inside a fork:", NULL);
  ctorch_error *unmatched = ctorch_random_join(); /* as if nothing had been drawn */
  if (error != NULL) {
    ctorch_error_release(unmatched);
    return error;
  }
  CTORCH_TRY(unmatched);
  return print_randoms("after it:", NULL);
}

static ctorch_error *own_generators(void) {
  ctorch_generator *generator, *twin;
  ctorch_tensor *state, *order;
  uint64_t seed = 0;
  CTORCH_TRY(ctorch_generator_new(&generator, NULL));
  CTORCH_TRY(ctorch_generator_manual_seed(generator, 42));
  CTORCH_TRY(print_randoms("seed 42:", generator));

  /* All that decides the next numbers is a tensor, which a program can save. */
  CTORCH_TRY(ctorch_generator_get_state(&state, generator));
  CTORCH_TRY(print_randoms("next:", generator));
  CTORCH_TRY(ctorch_generator_set_state(generator, state));
  CTORCH_TRY(print_randoms("again:", generator));

  CTORCH_TRY(ctorch_generator_clone(&twin, generator));
  CTORCH_TRY(print_randoms("of the one:", generator));
  CTORCH_TRY(print_randoms("of its twin:", twin));

  CTORCH_TRY(ctorch_generator_initial_seed(&seed, generator));
  CTORCH_TRY(ctorch_aten_randperm_generator(&order, 6, generator, NULL, NULL, NULL, NULL));
  printf("an order by seed %" PRIu64 ": ", seed);
  return ctorch_tensor_print(order, NULL);
}

static ctorch_error *run(void) {
  CTORCH_TRY(the_default_generator());
  return own_generators();
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
