/* Scopes: who gives a reference back, when, and on which thread.
 *
 * Most tests watch a buffer's tensor: its destroy callback counts, so the moment of the last release is seen. */
#include <pthread.h>

#include "harness/values.h"

static float memory[4] = {1, 2, 3, 4};

static void count(void *payload) { ++*(int *)payload; }

/** A tensor that counts its end. */
static ctorch_tensor *watched(int *gone) {
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_tensor_from_buffer(&out, memory, CTORCH_INTS(4), NULL, 0, CTORCH_DTYPE_FLOAT32, count, gone));
  return out;
}

static ctorch_scope *begin(void) {
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ck_assert_ptr_nonnull(scope);
  return scope;
}

START_TEST(ending_a_scope_releases_what_was_made_in_it) {
  int gone[3] = {0};
  ctorch_scope *scope = begin();
  for (int i = 0; i < 3; i++) {
    ck_assert_ptr_nonnull(watched(&gone[i]));
  }
  ck_assert(gone[0] == 0 && gone[1] == 0 && gone[2] == 0);
  ctorch_scope_end(scope);
  ck_assert(gone[0] == 1 && gone[1] == 1 && gone[2] == 1);
}
END_TEST

START_TEST(what_was_made_before_the_scope_stays) {
  int gone = 0;
  ctorch_tensor *x = watched(&gone);
  ctorch_scope *scope = begin();
  ctorch_tensor *view = NULL;
  ck_ok(ctorch_aten_narrow(&view, x, 0, 0, 2));
  ctorch_scope_end(scope);
  ck_assert_int_eq(gone, 0);
  ck_assert_int_eq(ctorch_tensor_numel(x), 4);
  ctorch_tensor_release(x);
  ck_assert_int_eq(gone, 1);
}
END_TEST

START_TEST(scopes_nest) {
  int outer_gone = 0, inner_gone = 0, late_gone = 0;
  ctorch_scope *outer = begin();
  (void)watched(&outer_gone);
  ctorch_scope *inner = begin();
  (void)watched(&inner_gone);
  ctorch_scope_end(inner);
  ck_assert(inner_gone == 1 && outer_gone == 0);
  (void)watched(&late_gone);
  ck_assert(late_gone == 0);
  ctorch_scope_end(outer);
  ck_assert(inner_gone == 1 && outer_gone == 1 && late_gone == 1);
}
END_TEST

START_TEST(ending_an_outer_scope_ends_the_inner_ones) {
  int gone[3] = {0};
  ctorch_scope *outer = begin();
  (void)watched(&gone[0]);
  (void)begin();
  (void)watched(&gone[1]);
  (void)begin();
  (void)watched(&gone[2]);
  ctorch_scope_end(outer);
  ck_assert(gone[0] == 1 && gone[1] == 1 && gone[2] == 1);
  /* No scope is left open. */
  int after = 0;
  ctorch_tensor *x = watched(&after);
  ctorch_scope_end(begin());
  ck_assert_int_eq(after, 0);
  ctorch_tensor_release(x);
  ck_assert_int_eq(after, 1);
}
END_TEST

START_TEST(kept_for_the_scope_around_it) {
  int gone = 0;
  ctorch_scope *outer = begin(), *inner = begin();
  ctorch_tensor *x = watched(&gone);
  ck_ok(ctorch_scope_keep(inner, x));
  ctorch_scope_end(inner);
  ck_assert_int_eq(gone, 0);
  ctorch_scope_end(outer);
  ck_assert_int_eq(gone, 1);
}
END_TEST

START_TEST(kept_from_the_outermost_scope_it_is_the_callers) {
  int gone = 0;
  ctorch_scope *scope = begin();
  ctorch_tensor *x = watched(&gone);
  ck_ok(ctorch_scope_keep(scope, x));
  ctorch_scope_end(scope);
  ck_assert_int_eq(gone, 0);
  ctorch_tensor_release(x);
  ck_assert_int_eq(gone, 1);
}
END_TEST

START_TEST(kept_beyond_every_scope) {
  int gone = 0;
  ctorch_scope *outer = begin();
  (void)begin();
  (void)begin();
  ctorch_tensor *x = watched(&gone);
  ck_ok(ctorch_scope_keep(NULL, x));
  ctorch_scope_end(outer);
  ck_assert_int_eq(gone, 0);
  ctorch_tensor_release(x);
  ck_assert_int_eq(gone, 1);
}
END_TEST

START_TEST(kept_beyond_a_scope_that_is_not_the_innermost) {
  int gone = 0;
  ctorch_scope *outermost = begin(), *middle = begin();
  (void)begin();
  ctorch_tensor *x = watched(&gone);
  ck_ok(ctorch_scope_keep(middle, x));
  ctorch_scope_end(middle);
  ck_assert_int_eq(gone, 0);
  ctorch_scope_end(outermost);
  ck_assert_int_eq(gone, 1);
}
END_TEST

START_TEST(keeping_what_does_not_belong_changes_nothing) {
  int gone = 0, other = 0;
  ctorch_tensor *before = watched(&other);
  ctorch_scope *outer = begin();
  ctorch_tensor *x = watched(&gone);
  ctorch_scope *inner = begin();
  ck_ok(ctorch_scope_keep(inner, x)); /* it belongs to the outer scope */
  ck_ok(ctorch_scope_keep(inner, before));
  ck_ok(ctorch_scope_keep(inner, NULL));
  ck_ok(ctorch_scope_keep(NULL, before));
  ctorch_scope_end(outer);
  ck_assert(gone == 1 && other == 0);
  ck_ok(ctorch_scope_keep(NULL, before)); /* no scope is open */
  ctorch_tensor_release(before);
  ck_assert_int_eq(other, 1);
}
END_TEST

START_TEST(keeping_needs_an_open_scope) {
  ctorch_scope *scope = begin(), *closed = begin();
  ctorch_scope_end(closed);
  const int not_a_scope = 0;
  ck_fails(ctorch_scope_keep((ctorch_scope *)&not_a_scope, &not_a_scope), CTORCH_ERROR_INVALID_ARGUMENT, "not open");
  ck_fails(ctorch_scope_keep(closed, &not_a_scope), CTORCH_ERROR_INVALID_ARGUMENT, "not open");
  ctorch_scope_end(closed); /* ended before: nothing happens */
  ctorch_scope_end(NULL);
  ctorch_scope_end(scope);
  ck_fails(ctorch_scope_begin(NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
}
END_TEST

START_TEST(errors_survive_the_scope) {
  ctorch_scope *scope = begin();
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *y = NULL;
  ctorch_error *error = ctorch_aten_view(&y, x, CTORCH_INTS(3)), *own = NULL;
  ck_assert_ptr_nonnull(error);
  ck_ok(ctorch_error_new(&own, CTORCH_ERROR_CALLBACK, "mine"));
  ctorch_scope_end(scope);
  ck_assert_ptr_nonnull(strstr(ctorch_error_message(error), "shape '[3]' is invalid"));
  ck_assert_str_eq(ctorch_error_message(own), "mine");
  ctorch_error_release(error);
  ctorch_error_release(own);
}
END_TEST

START_TEST(a_failed_call_adds_nothing_to_the_scope) {
  int gone = 0;
  ctorch_scope *scope = begin();
  ctorch_tensor *x = watched(&gone), *y = x;
  ck_fails(ctorch_aten_view(&y, x, CTORCH_INTS(3)), CTORCH_ERROR_SHAPE_MISMATCH, NULL);
  ck_assert_ptr_eq(x, y);
  ctorch_scope_end(scope);
  ck_assert_int_eq(gone, 1);
}
END_TEST

START_TEST(released_early) {
  int gone = 0, other = 0;
  ctorch_scope *scope = begin();
  ctorch_tensor *x = watched(&gone);
  (void)watched(&other);
  ctorch_tensor_release(x);
  ck_assert_int_eq(gone, 1);
  ctorch_scope_end(scope);
  ck_assert(gone == 1 && other == 1);
}
END_TEST

START_TEST(released_early_from_an_outer_scope) {
  int gone = 0;
  ctorch_scope *outer = begin();
  ctorch_tensor *x = watched(&gone);
  ctorch_scope *inner = begin();
  ctorch_tensor_release(x);
  ck_assert_int_eq(gone, 1);
  ctorch_scope_end(inner);
  ctorch_scope_end(outer);
  ck_assert_int_eq(gone, 1);
}
END_TEST

START_TEST(a_retained_reference_belongs_to_the_scope) {
  int gone = 0;
  ctorch_tensor *x = watched(&gone);
  ctorch_scope *scope = begin();
  ctorch_tensor_retain(x);
  ctorch_tensor_retain(x);
  ctorch_tensor_release(x);
  ctorch_scope_end(scope); /* gives the other one back */
  ck_assert_int_eq(gone, 0);
  ctorch_tensor_release(x);
  ck_assert_int_eq(gone, 1);
}
END_TEST

START_TEST(each_reference_is_kept_by_itself) {
  int gone = 0;
  ctorch_scope *scope = begin();
  ctorch_tensor *x = watched(&gone);
  ctorch_tensor_retain(x);
  ck_ok(ctorch_scope_keep(scope, x));
  ctorch_scope_end(scope);
  ck_assert_int_eq(gone, 0); /* one of the two was kept */
  ctorch_tensor_release(x);
  ck_assert_int_eq(gone, 1);
}
END_TEST

START_TEST(every_kind_of_handle_belongs_to_the_scope) {
  int gone = 0;
  ctorch_scope *scope = begin();
  ctorch_tensor *x = watched(&gone);
  ctorch_tensor_list *list = NULL, *parts = NULL;
  ctorch_storage *storage = NULL;
  ctorch_generator *generator = NULL;
  ctorch_string *text = NULL;
  ck_ok(ctorch_tensor_list_new(&list, CTORCH_TENSORS(x, x)));
  ck_ok(ctorch_aten_split_Tensor(&parts, x, 2, 0));
  ck_ok(ctorch_storage_from_tensor(&storage, x));
  ctorch_storage_retain(storage);
  ck_ok(ctorch_generator_new(&generator, NULL));
  ctorch_generator_retain(generator);
  ck_ok(ctorch_tensor_repr(&text, x, NULL, NULL, NULL, NULL, NULL));
  ctorch_scope_end(scope);
  ck_assert_int_eq(gone, 1); /* list, parts and storage shared it */
}
END_TEST

START_TEST(every_kind_of_handle_can_be_kept) {
  ctorch_scope *scope = begin();
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  ctorch_tensor_list *list = NULL;
  ctorch_storage *storage = NULL;
  ctorch_generator *generator = NULL;
  ctorch_string *text = NULL;
  ck_ok(ctorch_aten_unbind_int(&list, x, 0));
  ck_ok(ctorch_storage_from_tensor(&storage, x));
  ck_ok(ctorch_generator_new(&generator, NULL));
  ck_ok(ctorch_tensor_repr(&text, x, NULL, NULL, NULL, NULL, NULL));
  const void *handles[] = {x, list, storage, generator, text};
  for (size_t i = 0; i < sizeof handles / sizeof *handles; i++) {
    ck_ok(ctorch_scope_keep(scope, handles[i]));
  }
  ctorch_scope_end(scope);
  ck_floats(x, CTORCH_INTS(2), 1, 2);
  ck_assert_uint_eq(ctorch_tensor_list_len(list), 2);
  ck_assert_uint_eq(ctorch_storage_nbytes(storage), 8);
  uint64_t seed = 0;
  ck_ok(ctorch_generator_initial_seed(&seed, generator));
  ck_assert_str_eq(ctorch_string_data(text), "tensor([1., 2.])");
  ctorch_tensor_release(x);
  ctorch_tensor_list_release(list);
  ctorch_storage_release(storage);
  ctorch_generator_release(generator);
  ctorch_string_release(text);
}
END_TEST

START_TEST(all_outputs_of_an_operator_belong_to_the_scope) {
  ctorch_scope *scope = begin();
  ctorch_tensor *x = floats(CTORCH_INTS(2, 2), 1, 2, 3, 4), *values = NULL, *indices = NULL;
  ck_ok(ctorch_aten_max_dim(&values, &indices, x, 1, false));
  ck_ok(ctorch_scope_keep(scope, values));
  ctorch_scope_end(scope);
  ck_floats(values, CTORCH_INTS(2), 2, 4);
  ctorch_tensor_release(values);
}
END_TEST

START_TEST(an_undefined_output_is_not_recorded) {
  ctorch_scope *scope = begin();
  ctorch_tensor *x = floats(CTORCH_INTS(1), 1), *grad = x;
  ck_ok(ctorch_tensor_grad(&grad, x));
  ck_assert_ptr_null(grad);
  ctorch_scope_end(scope);
}
END_TEST

START_TEST(ten_thousand_handles) {
  enum { N = 10000 };
  int gone = 0;
  ctorch_scope *scope = begin();
  ctorch_tensor *kept = NULL, *released = NULL;
  for (int i = 0; i < N; i++) {
    ctorch_tensor *x = watched(&gone);
    kept = i == N / 2 ? x : kept;
    released = i == N / 3 ? x : released;
  }
  ctorch_tensor_release(released);
  ck_assert_int_eq(gone, 1);
  ck_ok(ctorch_scope_keep(scope, kept));
  ctorch_scope_end(scope);
  ck_assert_int_eq(gone, N - 1);
  ctorch_tensor_release(kept);
  ck_assert_int_eq(gone, N);
}
END_TEST

START_TEST(of_two_references_the_scopes_goes_first) {
  int gone = 0;
  ctorch_tensor *y = watched(&gone), *same = NULL;
  ctorch_scope *scope = begin();
  ck_ok(ctorch_aten_contiguous(&same, y, CTORCH_MEMORY_FORMAT_CONTIGUOUS));
  ck_assert_ptr_eq(same, y);
  ctorch_tensor_release(y); /* the scope's reference: ours cannot be told from it */
  ctorch_scope_end(scope);
  ck_assert_int_eq(gone, 0);
  ctorch_tensor_release(y);
  ck_assert_int_eq(gone, 1);
}
END_TEST

/* The rules of scope.h as a model: how many references to each handle a scope has, and how many the caller ---------- */

enum { HANDLES = 64, DEPTH = 48 };

typedef struct model {
  ctorch_tensor *handle[HANDLES];
  int gone[HANDLES];
  int owned[HANDLES];
  int recorded[DEPTH][HANDLES];
  ctorch_scope *scope[DEPTH];
  int depth;
  int fillers; /* handles that each scope begins with, so that others are not among its latest */
} model;

static int references(const model *self, int i) {
  int count = self->owned[i];
  for (int depth = 0; depth < self->depth; depth++) {
    count += self->recorded[depth][i];
  }
  return count;
}

/** The innermost scope that has a reference, or -1. */
static int innermost_with(const model *self, int i) {
  int depth = self->depth - 1;
  while (depth >= 0 && self->recorded[depth][i] == 0) {
    depth--;
  }
  return depth;
}

static void check_model(const model *self, int i) {
  if (self->handle[i] != NULL) {
    ck_assert_int_eq(self->gone[i], references(self, i) == 0);
    if (!self->gone[i]) {
      const bool owns = self->depth > 0 && self->recorded[self->depth - 1][i] > 0;
      ck_assert_int_eq(ctorch_scope_owns(self->handle[i]), owns);
    }
  }
}

static void model_make(model *self, int i) {
  self->gone[i] = 0;
  self->handle[i] = watched(&self->gone[i]);
  ++*(self->depth == 0 ? &self->owned[i] : &self->recorded[self->depth - 1][i]);
}

static void model_begin(model *self) {
  self->scope[self->depth] = begin();
  memset(self->recorded[self->depth], 0, sizeof self->recorded[self->depth]);
  self->depth++;
  for (int i = 0; i < self->fillers; i++) {
    ctorch_tensor_list *list = NULL;
    ck_ok(ctorch_tensor_list_new(&list, NULL, 0));
  }
}

static void model_end(model *self, int depth) {
  ctorch_scope_end(self->scope[depth]);
  self->depth = depth;
}

static void model_retain(model *self, int i) {
  ctorch_tensor_retain(self->handle[i]);
  ++*(self->depth == 0 ? &self->owned[i] : &self->recorded[self->depth - 1][i]);
}

static void model_release(model *self, int i) {
  const int depth = innermost_with(self, i);
  ctorch_tensor_release(self->handle[i]);
  --*(depth < 0 ? &self->owned[i] : &self->recorded[depth][i]);
}

/** Keep beyond the scope at `limit`, or beyond all for -1. */
static void model_keep(model *self, int i, int limit) {
  const int depth = innermost_with(self, i);
  ck_ok(ctorch_scope_keep(limit < 0 ? NULL : self->scope[limit], self->handle[i]));
  if (depth >= (limit < 0 ? 0 : limit)) {
    self->recorded[depth][i]--;
    ++*(limit <= 0 ? &self->owned[i] : &self->recorded[limit - 1][i]);
  }
}

static void model_discard(model *self, int i) {
  ctorch_scope_discard(self->handle[i]);
  if (self->depth > 0 && self->recorded[self->depth - 1][i] > 0) {
    self->recorded[self->depth - 1][i]--;
  }
}

/** One of the things that can be done with handle `i` now; false if this one cannot. */
static bool model_step(model *self, int step, int i) {
  const bool lives = self->handle[i] != NULL && references(self, i) > 0;
  const int last = self->depth - 1;
  switch (step) {
    case 0:
      return self->depth < DEPTH ? model_begin(self), true : false;
    case 1:
      return last >= 0 ? model_end(self, last), true : false;
    case 2:
      return last > 0 ? model_end(self, 0), true : false;
    case 3:
      return !lives ? model_make(self, i), true : false;
    case 4:
      return lives ? model_retain(self, i), true : false;
    case 5:
      return lives ? model_release(self, i), true : false;
    case 6:
      return lives ? model_keep(self, i, -1), true : false;
    case 7:
      return lives && last >= 0 ? model_keep(self, i, last), true : false;
    case 8:
      return lives && last > 0 ? model_keep(self, i, last / 2), true : false;
    default:
      return lives ? model_discard(self, i), true : false;
  }
}
enum { STEPS = 10 };

/** Give everything back, each reference where the model has it. */
static void model_finish(model *self, int handles) {
  if (self->depth > 0) {
    model_end(self, 0);
  }
  for (int i = 0; i < handles; i++) {
    check_model(self, i);
    while (self->handle[i] != NULL && references(self, i) > 0) {
      model_release(self, i);
      check_model(self, i);
    }
  }
}

/** Every sequence of `length` steps on one handle, the first of them those of `number` in base STEPS. */
static void run_sequence(int number, int length, int fillers) {
  static model self;
  memset(&self, 0, sizeof self);
  self.fillers = fillers;
  for (int i = 0; i < length; i++, number /= STEPS) {
    if (!model_step(&self, number % STEPS, 0)) {
      break; /* the same as a shorter sequence */
    }
    check_model(&self, 0);
  }
  model_finish(&self, 1);
}

START_TEST(references_go_in_every_order_as_the_rules_say) {
  const int fillers = _i == 0 ? 0 : 40, length = _i == 0 ? 6 : 5;
  int sequences = 1;
  for (int i = 0; i < length; i++) {
    sequences *= STEPS;
  }
  for (int number = 0; number < sequences; number++) {
    run_sequence(number, length, fillers);
  }
}
END_TEST

START_TEST(many_references_go_in_random_orders_as_the_rules_say) {
  static model self;
  memset(&self, 0, sizeof self);
  self.fillers = _i % 3;
  uint64_t state = 0x9E3779B97F4A7C15U + (uint64_t)_i;
  for (int n = 0; n < 20000; n++) {
    state = state * 6364136223846793005U + 1442695040888963407U; /* Knuth's MMIX */
    const uint32_t random = (uint32_t)(state >> 32);
    const int i = (int)(random % HANDLES);
    int step = (int)(random / HANDLES % 64);
    /* Scopes come and go seldom; the outermost ends hardly ever, so that they are deep and full. */
    step = step < 2 ? 0 : step < 4 ? (self.depth > DEPTH / 2 ? 1 : 0) : step == 4 && n % 97 == 0 ? 2 : 3 + step % 7;
    (void)model_step(&self, step, i);
    check_model(&self, i);
  }
  model_finish(&self, HANDLES);
}
END_TEST

/* Large scopes: whatever is quadratic in these takes longer than a test may ---------------------------------------- */

static int many = 1000000;

static ctorch_tensor_list **many_handles(void) {
  ctorch_tensor_list **handles = malloc((size_t)many * sizeof *handles);
  ck_assert_ptr_nonnull(handles);
  for (int i = 0; i < many; i++) {
    ck_ok(ctorch_tensor_list_new(&handles[i], NULL, 0));
  }
  return handles;
}

START_TEST(many_scopes_end_with_the_outermost) {
  int gone = 0;
  ctorch_scope *outermost = begin();
  (void)watched(&gone);
  ctorch_scope *second = begin();
  for (int i = 0; i < many; i++) {
    (void)begin();
  }
  ctorch_scope_end(second);
  ck_assert_int_eq(gone, 0);
  ctorch_scope_end(outermost);
  ck_assert_int_eq(gone, 1);
}
END_TEST

START_TEST(many_handles_are_released_the_first_made_first) {
  ctorch_scope *scope = begin();
  ctorch_tensor_list **handles = many_handles();
  for (int i = 0; i < many; i++) {
    ctorch_tensor_list_release(handles[i]);
  }
  ctorch_scope_end(scope);
  free(handles);
}
END_TEST

START_TEST(many_handles_made_outside_are_released_in_a_full_scope) {
  ctorch_tensor_list **outside = many_handles();
  ctorch_scope *scope = begin();
  free(many_handles());
  for (int i = 0; i < many; i++) {
    ctorch_tensor_list_release(outside[i]);
  }
  ctorch_scope_end(scope);
  free(outside);
}
END_TEST

START_TEST(many_handles_are_released_inside_many_scopes) {
  ctorch_tensor_list **outside = many_handles();
  ctorch_scope *scope = begin();
  for (int i = 0; i < many; i++) {
    (void)begin();
  }
  for (int i = 0; i < many; i++) {
    ctorch_tensor_list_release(outside[i]);
  }
  ctorch_scope_end(scope);
  free(outside);
}
END_TEST

START_TEST(many_handles_are_kept) {
  int gone = 0;
  ctorch_scope *outer = begin(), *inner = begin();
  ctorch_tensor_list **handles = many_handles();
  ctorch_tensor *x = watched(&gone);
  for (int i = 0; i < many; i++) {
    ck_ok(ctorch_scope_keep(_i == 0 ? inner : NULL, handles[i]));
  }
  ctorch_scope_end(inner);
  ck_assert_int_eq(gone, 1);
  (void)x;
  for (int i = 0; i < many; i++) {
    ctorch_tensor_list_release(handles[i]);
  }
  ctorch_scope_end(outer);
  free(handles);
}
END_TEST

START_TEST(many_handles_are_kept_from_within_many_scopes) {
  ctorch_scope *outer = begin(), *inner = begin();
  ctorch_tensor_list **handles = many_handles();
  for (int i = 0; i < many; i++) {
    (void)begin();
  }
  for (int i = 0; i < many; i++) {
    ck_ok(ctorch_scope_keep(inner, handles[i]));
  }
  ctorch_scope_end(inner);
  for (int i = 0; i < many; i++) {
    ck_assert_uint_eq(ctorch_tensor_list_len(handles[i]), 0);
  }
  ctorch_scope_end(outer);
  free(handles);
}
END_TEST

START_TEST(many_references_to_one_handle) {
  int gone = 0;
  ctorch_tensor *x = watched(&gone);
  ctorch_scope *scope = begin();
  for (int i = 0; i < many; i++) {
    ctorch_tensor_retain(x);
  }
  free(many_handles());
  for (int i = 0; i < many / 2; i++) {
    ctorch_tensor_release(x);
  }
  ctorch_scope_end(scope);
  ck_assert_int_eq(gone, 0);
  ctorch_tensor_release(x);
  ck_assert_int_eq(gone, 1);
}
END_TEST

/* Discard and replace --------------------------------------------------------------------------------------------- */

START_TEST(discard_gives_back_what_the_innermost_scope_has) {
  int gone = 0, outer_gone = 0, outside_gone = 0;
  ctorch_tensor *outside = watched(&outside_gone);
  ctorch_scope_discard(outside); /* no scope is open */
  ck_assert(!ctorch_scope_owns(outside));
  ctorch_scope *outer = begin();
  ctorch_tensor *of_outer = watched(&outer_gone);
  ck_assert(ctorch_scope_owns(of_outer));
  ctorch_scope *inner = begin();
  ctorch_tensor *x = watched(&gone);
  ctorch_tensor_retain(x);
  ck_assert(ctorch_scope_owns(x) && !ctorch_scope_owns(of_outer) && !ctorch_scope_owns(outside));
  ck_assert(!ctorch_scope_owns(NULL));
  ctorch_scope_discard(x);
  ck_assert_int_eq(gone, 0);
  ctorch_scope_discard(x);
  ck_assert_int_eq(gone, 1);
  ctorch_scope_discard(of_outer);
  ctorch_scope_discard(outside);
  ctorch_scope_discard(NULL);
  ctorch_scope_end(inner);
  ck_assert(outer_gone == 0 && outside_gone == 0);
  ctorch_scope_discard(of_outer);
  ck_assert_int_eq(outer_gone, 1);
  ctorch_scope_end(outer);
  ck_assert_int_eq(outside_gone, 0);
  ctorch_tensor_release(outside);
  ck_assert_int_eq(outside_gone, 1);
}
END_TEST

/** A chain that starts from a borrowed argument, and fails at its end. */
static ctorch_error *chain(ctorch_tensor **out, ctorch_tensor *x) {
  CTORCH_REPLACE(&x, ctorch_aten_contiguous(&x, x, CTORCH_MEMORY_FORMAT_CONTIGUOUS)); /* the argument itself */
  CTORCH_REPLACE(&x, ctorch_aten_neg(&x, x));
  CTORCH_REPLACE(&x, ctorch_aten_contiguous(&x, x, CTORCH_MEMORY_FORMAT_CONTIGUOUS));
  CTORCH_REPLACE(&x, ctorch_aten_neg(&x, x));
  *out = x;
  CTORCH_REPLACE(out, ctorch_aten_view(out, *out, CTORCH_INTS(3)));
  return NULL;
}

static ctorch_error *negated(ctorch_tensor **x) {
  CTORCH_REPLACE(x, ctorch_aten_neg(x, *x));
  return NULL;
}

START_TEST(replace_gives_back_the_old_handle_and_no_other) {
  int gone = 0, argument_gone = 0;
  ctorch_tensor *argument = watched(&argument_gone), *y = NULL;
  ctorch_scope *scope = begin();
  ctorch_tensor *x = watched(&gone);
  ck_ok(negated(&x));
  ck_assert_int_eq(gone, 1);
  y = x;
  ck_fails(chain(&y, argument), CTORCH_ERROR_SHAPE_MISMATCH, "shape '[3]' is invalid");
  ck_assert_ptr_ne(y, x);
  ck_floats(y, CTORCH_INTS(4), 1, 2, 3, 4); /* as it was before the call that failed */
  ctorch_scope_end(scope);
  ck_assert_int_eq(argument_gone, 0);
  ctorch_tensor_release(argument);
  ck_assert_int_eq(argument_gone, 1);
}
END_TEST

static ctorch_error *made_contiguous(ctorch_tensor **x) {
  CTORCH_REPLACE(x, ctorch_aten_contiguous(x, *x, CTORCH_MEMORY_FORMAT_CONTIGUOUS));
  return NULL;
}

START_TEST(replace_by_the_same_handle_leaves_one_reference) {
  int gone = 0, argument_gone = 0;
  ctorch_tensor *argument = watched(&argument_gone);
  ctorch_scope *scope = begin();
  ctorch_tensor *x = watched(&gone), *y = argument;
  ck_ok(made_contiguous(&x));
  ck_ok(made_contiguous(&x));
  ctorch_scope_discard(x);
  ck_assert_int_eq(gone, 1);
  ck_ok(made_contiguous(&y)); /* now the scope has a reference to the argument, which can be kept */
  ck_ok(made_contiguous(&y));
  ck_assert_ptr_eq(y, argument);
  ck_ok(ctorch_scope_keep(scope, y));
  ck_assert(!ctorch_scope_owns(y));
  ctorch_scope_end(scope);
  ctorch_tensor_release(y);
  ck_assert_int_eq(argument_gone, 0);
  ctorch_tensor_release(argument);
  ck_assert_int_eq(argument_gone, 1);
}
END_TEST

START_TEST(replace_without_a_scope_gives_nothing_back) {
  int gone = 0;
  ctorch_tensor *x = watched(&gone), *const old = x;
  ck_ok(made_contiguous(&x));
  ctorch_tensor_release(old);
  ck_assert_int_eq(gone, 0);
  ctorch_tensor_release(x);
  ck_assert_int_eq(gone, 1);
}
END_TEST

/* Callbacks that run while a scope ends --------------------------------------------------------------------------- */

struct callback {
  ctorch_tensor *partner;
  ctorch_scope *scope;
  int runs;
  int *gone;
};

static void works_in_a_scope_of_its_own(void *payload) {
  struct callback *self = payload;
  ctorch_scope *scope = begin();
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *y = NULL;
  ck_ok(ctorch_aten_add_Tensor(&y, x, x, NULL));
  ck_floats(y, CTORCH_INTS(2), 2, 4);
  ctorch_scope_end(scope);
  self->runs++;
}

static ctorch_tensor *with_callback(void (*destroy)(void *payload), struct callback *payload) {
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_tensor_from_buffer(&out, memory, CTORCH_INTS(4), NULL, 0, CTORCH_DTYPE_FLOAT32, destroy, payload));
  return out;
}

START_TEST(a_callback_may_work_in_a_scope_of_its_own) {
  struct callback self = {0};
  ctorch_scope *scope = begin();
  for (int i = 0; i < 5; i++) {
    (void)with_callback(works_in_a_scope_of_its_own, &self);
  }
  ctorch_scope_end(scope);
  ck_assert_int_eq(self.runs, 5);
}
END_TEST

static void makes_a_tensor(void *payload) {
  struct callback *self = payload;
  self->partner = watched(self->gone);
  self->runs++;
}

START_TEST(what_a_callback_makes_is_its_own) {
  int gone = 0;
  struct callback self = {.gone = &gone};
  ctorch_scope *outer = begin(), *inner = begin();
  (void)with_callback(makes_a_tensor, &self);
  ctorch_scope_end(inner);
  ck_assert_int_eq(self.runs, 1);
  ctorch_scope_end(outer);
  ck_assert_int_eq(gone, 0);
  ctorch_tensor_release(self.partner);
  ck_assert_int_eq(gone, 1);
}
END_TEST

static void releases_its_partner(void *payload) {
  struct callback *self = payload;
  ctorch_tensor_release(self->partner);
  self->runs++;
}

/* A callback that nothing calls. */
#define UNCALLED(type) ((type)(void (*)(void))abort)

/* What has a destroy function, each made in a scope and gone by its end. */

static void tensor_of_a_buffer(struct callback *self) { (void)with_callback(releases_its_partner, self); }

static void reader_of_data(struct callback *self) {
  ctorch_reader *out = NULL;
  ck_ok(ctorch_reader_from_data(&out, memory, sizeof memory, releases_its_partner, self));
}

static void tensor_hook(struct callback *self) {
  ctorch_hook *out = NULL;
  ctorch_tensor *x = floats(CTORCH_INTS(1), 1);
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  ck_ok(ctorch_tensor_register_hook(&out, x, UNCALLED(ctorch_tensor_hook_callback), releases_its_partner, self));
}

static void saved_tensors_hooks(struct callback *self) {
  ck_ok(ctorch_saved_tensors_hooks_push(
      UNCALLED(ctorch_saved_tensors_pack_callback), UNCALLED(ctorch_saved_tensors_unpack_callback), NULL,
      releases_its_partner, self));
}

static void warning_callback(struct callback *self) {
  ck_ok(ctorch_warning_set_callback(UNCALLED(ctorch_warning_callback), releases_its_partner, self));
  ck_ok(ctorch_warning_set_callback(NULL, NULL, NULL));
}

static void memory_pressure_callback(struct callback *self) {
  ck_ok(ctorch_memory_pressure_set_callback(UNCALLED(ctorch_memory_pressure_callback), 0, releases_its_partner, self));
  ctorch_memory_pressure_clear_callback();
}

static void forward_of_a_module(struct callback *self) {
  ctorch_module *out = NULL;
  ck_ok(ctorch_nn_Identity(&out));
  ck_ok(ctorch_module_set_forward(out, UNCALLED(ctorch_module_call_callback), releases_its_partner, self));
  ck_ok(ctorch_module_set_forward(out, NULL, NULL, NULL));
}

static void transform(struct callback *self) {
  ctorch_transform *out = NULL;
  ck_ok(ctorch_transform_from_callback(
      &out, "Nothing", UNCALLED(ctorch_transform_callback), false, releases_its_partner, self));
}

static void dataset(struct callback *self) {
  ctorch_dataset *out = NULL;
  ck_ok(
      ctorch_dataset_from_callback(&out, 1, UNCALLED(ctorch_dataset_get_callback), false, releases_its_partner, self));
}

static void iterator(struct callback *self) {
  ctorch_iterator *out = NULL;
  ck_ok(ctorch_iterator_from_callback(&out, UNCALLED(ctorch_iterator_next_callback), releases_its_partner, self));
}

static void (*const DESTROYED[])(struct callback *self) = {
    tensor_of_a_buffer,
    reader_of_data,
    tensor_hook,
    saved_tensors_hooks,
    warning_callback,
    memory_pressure_callback,
    forward_of_a_module,
    transform,
    dataset,
    iterator,
};

START_TEST(a_callback_releases_its_own_reference_and_not_the_scope_s) {
  int gone = 0;
  struct callback self = {.partner = watched(&gone)}; /* the callback's reference */
  ctorch_scope *outer = begin(), *scope = begin();
  ctorch_tensor_retain(self.partner); /* the scope's */
  DESTROYED[_i](&self);
  ctorch_tensor_retain(self.partner);
  ck_ok(ctorch_scope_keep(scope, self.partner)); /* that of the scope around */
  ctorch_scope_end(scope);
  ck_assert_int_eq(self.runs, 1);
  ck_assert_int_eq(gone, 0);
  ck_assert(ctorch_scope_owns(self.partner));
  ctorch_scope_end(outer);
  ck_assert_int_eq(gone, 1);
}
END_TEST

static void ends_its_scope(void *payload) {
  struct callback *self = payload;
  ctorch_scope_end(self->scope);
  ck_fails(ctorch_scope_keep(self->scope, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "not open");
  ck_assert(!ctorch_scope_owns(self->partner));
  ctorch_scope_discard(self->partner);
  (void)begin(); /* which nobody ends */
  (void)watched(self->gone);
  self->runs++;
}

START_TEST(a_callback_does_not_find_the_scopes_outside) {
  int gone = 0, own_gone = 0, outer_gone = 0;
  struct callback self = {.gone = &own_gone};
  ctorch_scope *outer = begin();
  (void)watched(&outer_gone);
  self.scope = begin();
  self.partner = watched(&gone);
  for (int i = 1; i <= 3; i++) {
    ctorch_tensor_release(with_callback(ends_its_scope, &self));
    ck_assert(self.runs == i && own_gone == i && gone == 0 && outer_gone == 0);
  }
  (void)with_callback(ends_its_scope, &self);
  ctorch_scope_end(self.scope);
  ck_assert(self.runs == 4 && own_gone == 4 && gone == 1 && outer_gone == 0);
  ctorch_scope_end(outer);
  ck_assert_int_eq(outer_gone, 1);
}
END_TEST

/* Threads --------------------------------------------------------------------------------------------------------- */

static void run_thread(void *(*function)(void *), void *argument) {
  pthread_t thread;
  ck_assert_int_eq(pthread_create(&thread, NULL, function, argument), 0);
  ck_assert_int_eq(pthread_join(thread, NULL), 0);
}

static void *leaves_scopes_open(void *gone) {
  (void)begin();
  (void)watched(gone);
  (void)begin();
  (void)watched(gone);
  return NULL;
}

START_TEST(the_end_of_a_thread_ends_its_scopes) {
  int gone = 0;
  run_thread(leaves_scopes_open, &gone);
  ck_assert_int_eq(gone, 2);
}
END_TEST

static void *leaves_a_scope_open_whose_callback_calls_ctorch(void *payload) {
  (void)begin();
  (void)with_callback(works_in_a_scope_of_its_own, payload);
  return NULL;
}

START_TEST(callbacks_may_call_ctorch_at_the_end_of_a_thread) {
  struct callback self = {0};
  run_thread(leaves_a_scope_open_whose_callback_calls_ctorch, &self);
  ck_assert_int_eq(self.runs, 1);
}
END_TEST

static void *ends_a_foreign_scope(void *scope) {
  ctorch_scope_end(scope);
  ck_fails(ctorch_scope_keep(scope, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "not open on this thread");
  ctorch_scope *own = begin();
  ctorch_scope_end(scope);
  ctorch_scope_end(own);
  return NULL;
}

START_TEST(another_thread_cannot_end_a_scope) {
  int gone = 0;
  ctorch_scope *scope = begin();
  (void)watched(&gone);
  run_thread(ends_a_foreign_scope, scope);
  ck_assert_int_eq(gone, 0);
  ctorch_scope_end(scope);
  ck_assert_int_eq(gone, 1);
}
END_TEST

static void *makes_a_watched_tensor(void *gone) { return watched(gone); }

START_TEST(a_scope_does_not_reach_other_threads) {
  int gone = 0;
  ctorch_scope *scope = begin();
  pthread_t thread;
  void *x = NULL;
  ck_assert_int_eq(pthread_create(&thread, NULL, makes_a_watched_tensor, &gone), 0);
  ck_assert_int_eq(pthread_join(thread, &x), 0);
  ctorch_scope_end(scope);
  ck_assert_int_eq(gone, 0);
  ctorch_tensor_release(x);
  ck_assert_int_eq(gone, 1);
}
END_TEST

static void *releases(void *tensor) {
  ctorch_tensor_release(tensor);
  return NULL;
}

START_TEST(what_was_kept_may_be_released_on_another_thread) {
  int gone = 0;
  ctorch_scope *scope = begin();
  ctorch_tensor *x = watched(&gone);
  ck_ok(ctorch_scope_keep(scope, x));
  run_thread(releases, x);
  ck_assert_int_eq(gone, 1);
  ctorch_scope_end(scope);
  ck_assert_int_eq(gone, 1);
}
END_TEST

static void *works_in_scopes(void *gone) {
  for (int i = 0; i < 200; i++) {
    ctorch_scope *outer = begin();
    for (int j = 0; j < 5; j++) {
      ctorch_scope *inner = begin();
      (void)watched(gone);
      ck_ok(ctorch_scope_keep(inner, watched(gone)));
      ctorch_scope_end(inner);
    }
    ctorch_scope_end(outer);
  }
  return NULL;
}

START_TEST(threads_work_in_scopes_side_by_side) {
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  int gone[THREADS] = {0};
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_create(&threads[i], NULL, works_in_scopes, &gone[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    ck_assert_int_eq(gone[i], 200 * 5 * 2);
  }
}
END_TEST

int main(void) {
  if (getenv("CTORCH_SLOW_TOOL") != NULL) { /* valgrind: tests/slow */
    many = 50000;
  }
  Suite *suite = suite_create("scope");
  ck_case(suite, ending_a_scope_releases_what_was_made_in_it);
  ck_case(suite, what_was_made_before_the_scope_stays);
  ck_case(suite, scopes_nest);
  ck_case(suite, ending_an_outer_scope_ends_the_inner_ones);
  ck_case(suite, kept_for_the_scope_around_it);
  ck_case(suite, kept_from_the_outermost_scope_it_is_the_callers);
  ck_case(suite, kept_beyond_every_scope);
  ck_case(suite, kept_beyond_a_scope_that_is_not_the_innermost);
  ck_case(suite, keeping_what_does_not_belong_changes_nothing);
  ck_case(suite, keeping_needs_an_open_scope);
  ck_case(suite, errors_survive_the_scope);
  ck_case(suite, a_failed_call_adds_nothing_to_the_scope);
  ck_case(suite, released_early);
  ck_case(suite, released_early_from_an_outer_scope);
  ck_case(suite, a_retained_reference_belongs_to_the_scope);
  ck_case(suite, each_reference_is_kept_by_itself);
  ck_case(suite, every_kind_of_handle_belongs_to_the_scope);
  ck_case(suite, every_kind_of_handle_can_be_kept);
  ck_case(suite, all_outputs_of_an_operator_belong_to_the_scope);
  ck_case(suite, an_undefined_output_is_not_recorded);
  ck_case(suite, ten_thousand_handles);
  ck_case(suite, of_two_references_the_scopes_goes_first);
  ck_case_loop(suite, references_go_in_every_order_as_the_rules_say, 2);
  ck_case_loop(suite, many_references_go_in_random_orders_as_the_rules_say, 12);
  ck_case(suite, many_scopes_end_with_the_outermost);
  ck_case(suite, many_handles_are_released_the_first_made_first);
  ck_case(suite, many_handles_made_outside_are_released_in_a_full_scope);
  ck_case(suite, many_handles_are_released_inside_many_scopes);
  ck_case_loop(suite, many_handles_are_kept, 2);
  ck_case(suite, many_handles_are_kept_from_within_many_scopes);
  ck_case(suite, many_references_to_one_handle);
  ck_case(suite, discard_gives_back_what_the_innermost_scope_has);
  ck_case(suite, replace_gives_back_the_old_handle_and_no_other);
  ck_case(suite, replace_by_the_same_handle_leaves_one_reference);
  ck_case(suite, replace_without_a_scope_gives_nothing_back);
  ck_case(suite, a_callback_may_work_in_a_scope_of_its_own);
  ck_case(suite, what_a_callback_makes_is_its_own);
  ck_case_loop(suite, a_callback_releases_its_own_reference_and_not_the_scope_s, sizeof DESTROYED / sizeof *DESTROYED);
  ck_case(suite, a_callback_does_not_find_the_scopes_outside);
  ck_case(suite, the_end_of_a_thread_ends_its_scopes);
  ck_case(suite, callbacks_may_call_ctorch_at_the_end_of_a_thread);
  ck_case(suite, another_thread_cannot_end_a_scope);
  ck_case(suite, a_scope_does_not_reach_other_threads);
  ck_case(suite, what_was_kept_may_be_released_on_another_thread);
  ck_case(suite, threads_work_in_scopes_side_by_side);
  return ck_main(suite);
}
