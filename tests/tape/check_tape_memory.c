/* A step that is captured and replayed while there is no more memory: each allocation fails once, the first, the second
 * and so on, and then all from that one on. Whatever comes of it is an error, after which the thread notes nothing, no
 * handle is left over, and another step can be captured. */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "harness/values.h"

enum { SKIPPED = 77 };

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
int main(void) { return SKIPPED; } /* malloc is theirs */
#else

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

/* Until the one that fails. A compiler takes malloc for something that reads no variables. */
static _Thread_local volatile int64_t allocations_left = INT64_MAX;
static _Thread_local volatile bool fails_for_good;

static bool is_to_fail(void) {
  if (allocations_left == INT64_MAX) {
    return false;
  }
  allocations_left--;
  return allocations_left == 0 || (fails_for_good && allocations_left < 0);
}

static void *no_memory(void) {
  errno = ENOMEM;
  return NULL;
}

void *malloc(size_t size) { return is_to_fail() ? no_memory() : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return is_to_fail() ? no_memory() : __libc_calloc(count, size); }
void *realloc(void *memory, size_t size) { return is_to_fail() ? no_memory() : __libc_realloc(memory, size); }
void *memalign(size_t alignment, size_t size) { return is_to_fail() ? no_memory() : __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void **memory, size_t alignment, size_t size) {
  void *made = memalign(alignment, size);
  if (made == NULL) {
    return ENOMEM;
  }
  *memory = made;
  return 0;
}

struct step {
  ctorch_tensor *x, *weight, *bias, *total, *y;
  ctorch_tape *tape;
  bool has_added; /* to total, while it was captured */
};

static ctorch_tensor *filled(double number, const int64_t *sizes, size_t len) {
  const ctorch_scalar value = {CTORCH_SCALAR_FLOAT, 0, 0, number, 0};
  const ctorch_dtype dtype = CTORCH_DTYPE_FLOAT32;
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_aten_full(&out, sizes, len, &value, &dtype, NULL, NULL, NULL));
  return out;
}

static void setup_step(struct step *s) {
  *s = (struct step){
      .x = filled(1, CTORCH_INTS(2, 3)),
      .weight = filled(2, CTORCH_INTS(3, 4)),
      .bias = filled(3, CTORCH_INTS(4)),
      .total = filled(0, CTORCH_INTS(2, 4)),
  };
}

static void teardown_step(struct step *s) {
  ctorch_tape_release(s->tape);
  ctorch_tensor_release(s->y);
  ctorch_tensor_release(s->total);
  ctorch_tensor_release(s->bias);
  ctorch_tensor_release(s->weight);
  ctorch_tensor_release(s->x);
}

/* total += relu(bias + x weight), y = the mean of total */
static ctorch_error *run(struct step *s) {
  ctorch_tensor *product = NULL, *positive = NULL;
  ctorch_error *error = ctorch_aten_addmm(&product, s->bias, s->x, s->weight, NULL, NULL);
  error = error != NULL ? error : ctorch_aten_relu(&positive, product);
  if (error == NULL) {
    error = ctorch_aten_add__Tensor(s->total, positive, NULL);
    s->has_added = error == NULL;
  }
  error = error != NULL ? error : ctorch_aten_mean(&s->y, s->total, NULL);
  ctorch_tensor_release(positive);
  ctorch_tensor_release(product);
  return error;
}

static ctorch_error *capture_and_replay(struct step *s, bool fast, bool verify) {
  ctorch_tensor_list *outputs = NULL;
  ctorch_string *text = NULL;
  ctorch_error *error = ctorch_tape_begin(&s->tape, CTORCH_TENSORS(s->x), fast, verify);
  if (error != NULL) {
    return error;
  }
  error = run(s);
  error = error != NULL ? error : ctorch_tape_end(s->tape, CTORCH_TENSORS(s->y));
  error = error != NULL ? error : ctorch_tape_replay(s->tape, CTORCH_TENSORS(s->x));
  error = error != NULL ? error : ctorch_tape_replay(s->tape, CTORCH_TENSORS(s->x));
  error = error != NULL ? error : ctorch_tape_outputs(&outputs, s->tape);
  error = error != NULL ? error : ctorch_tape_text(&text, s->tape);
  ctorch_string_release(text);
  ctorch_tensor_list_release(outputs);
  return error;
}

/* With memory for all: 9 each time, for a total of 27 after the step and two replays. */
static void ck_works(bool fast, bool verify) {
  struct step s;
  setup_step(&s);
  ck_ok(capture_and_replay(&s, fast, verify));
  ctorch_tensor_list *outputs = NULL;
  double mean = 0;
  ck_ok(ctorch_tape_outputs(&outputs, s.tape));
  ck_ok(ctorch_tensor_item_double(&mean, ctorch_tensor_list_data(outputs)[0]));
  ck_assert_double_eq(mean, 27);
  ctorch_tensor_list_release(outputs);
  teardown_step(&s);
}

static double first_of(const ctorch_tensor *tensor) {
  const void *data = NULL;
  ck_ok(ctorch_tensor_const_data(&data, tensor));
  return *(const float *)data;
}

/* Answers how many allocations there are. */
static int64_t sweep(bool for_good, bool fast, bool verify) {
  int64_t n = 0;
  for (bool is_enough = false; !is_enough;) {
    n++;
    struct step s;
    setup_step(&s);
    fails_for_good = for_good;
    allocations_left = n;
    ctorch_error *error = capture_and_replay(&s, fast, verify);
    is_enough = allocations_left > 0;
    allocations_left = INT64_MAX;
    if (error != NULL) {
      const ctorch_error_kind kind = ctorch_error_kind_of(error);
      ck_assert_msg(
          kind == CTORCH_ERROR_OUT_OF_MEMORY || kind == CTORCH_ERROR_RUNTIME, "allocation %lld: %s", (long long)n,
          ctorch_error_message(error));
      ctorch_error_release(error);
    }
    ck_assert(error == NULL || !is_enough);
    ck_assert_msg(s.has_added == (first_of(s.total) != 0), "allocation %lld", (long long)n); /* or it is no error */
    teardown_step(&s);
    ck_works(fast, verify);
  }
  return n;
}

static size_t used(void) { return mallinfo2().uordblks; }

START_TEST(every_allocation_may_fail) {
  const bool for_good = _i % 2 != 0, fast = _i % 4 / 2 != 0, verify = _i / 4 != 0;
  ck_works(fast, verify);
  const int64_t handles = ctorch_debug_live_handles();
  for (int i = 0; i < 2; i++) { /* what is made once and kept is made here */
    ck_assert_int_gt(sweep(for_good, fast, verify), 50);
  }
  const size_t before = used();
  sweep(for_good, fast, verify);
  ck_assert_msg(used() < before + 32 * 1024, "%zu bytes more", used() - before);
  ck_assert_int_eq(ctorch_debug_live_handles(), handles);
}
END_TEST

/* Whether malloc is the one of this file: under valgrind it is not. */
static bool can_fail(void) {
  allocations_left = 1;
  void *volatile memory = malloc(1);
  allocations_left = INT64_MAX;
  free(memory);
  return memory == NULL;
}

int main(void) {
  if (!can_fail()) {
    return SKIPPED;
  }
  Suite *suite = suite_create("tape_memory");
  ck_case_loop(suite, every_allocation_may_fail, 8);
  return ck_main(suite);
}
#endif
