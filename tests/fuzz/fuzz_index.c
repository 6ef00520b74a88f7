/* Indexes as text. An input is the text; behind a line's end, bytes that choose what is indexed and how many of `%d`
 * and `%t` are given. What the one call answers has to be what the two answer: from_text, then index. */
#include <stdlib.h>

#include "fuzz/fuzz.h"

enum { SELVES = 4, MOST = 8 };
static ctorch_tensor *selves[SELVES], *positions, *mask, *value;

static void prepare(void) {
  fuzz_must(ctorch_aten_zeros(&selves[0], CTORCH_INTS(2, 3, 4), NULL, NULL, NULL, NULL));
  fuzz_must(
      ctorch_aten_zeros(&selves[1], CTORCH_INTS(5), CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_INT64), NULL, NULL, NULL));
  fuzz_must(ctorch_aten_zeros(&selves[2], (const int64_t[1]){0}, 0, NULL, NULL, NULL, NULL));
  fuzz_must(ctorch_aten_zeros(
      &selves[3], CTORCH_INTS(1, 0, 2, 1, 3), CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_BOOL), NULL, NULL, NULL));
  fuzz_must(
      ctorch_aten_zeros(&positions, CTORCH_INTS(2), CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_INT64), NULL, NULL, NULL));
  fuzz_must(ctorch_aten_ones(&mask, CTORCH_INTS(2), CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_BOOL), NULL, NULL, NULL));
  fuzz_must(ctorch_aten_ones(&value, CTORCH_INTS(1), NULL, NULL, NULL, NULL));
}

static size_t count(const char *text, const char *what) {
  size_t found = 0;
  for (const char *at = strstr(text, what); at != NULL; at = strstr(at + 1, what)) {
    found++;
  }
  return found;
}

static void check_same(const ctorch_tensor *a, const ctorch_tensor *b) {
  fuzz_assert(ctorch_tensor_ndim(a) == ctorch_tensor_ndim(b));
  for (int64_t i = 0; i < ctorch_tensor_ndim(a); i++) {
    fuzz_assert(ctorch_tensor_sizes(a)[i] == ctorch_tensor_sizes(b)[i]);
  }
  bool equal;
  fuzz_must(ctorch_aten_equal(&equal, a, b));
  fuzz_assert(equal);
}

static void index_input(fuzz_input *input) {
  if (value == NULL) {
    prepare();
  }
  char *text = fuzz_line(input);
  const ctorch_tensor *self = selves[fuzz_below(input, SELVES)];
  const uint8_t how = fuzz_byte(input);
  size_t ints_len = count(text, "%d"), tensors_len = count(text, "%t");
  if ((how & 1) != 0) {
    ints_len = fuzz_below(input, MOST);
    tensors_len = fuzz_below(input, MOST);
  }
  int64_t *ints = fuzz_memory(ints_len * sizeof *ints);
  const ctorch_tensor **tensors = fuzz_memory(tensors_len * sizeof *tensors);
  for (size_t i = 0; i < ints_len; i++) {
    ints[i] = fuzz_int64(input);
  }
  for (size_t i = 0; i < tensors_len; i++) {
    const ctorch_tensor *choice[] = {positions, mask, value, selves[2], selves[0], NULL};
    tensors[i] = choice[fuzz_below(input, sizeof choice / sizeof *choice)];
  }

  ctorch_index *index = NULL;
  ctorch_tensor *whole = NULL, *parts = NULL;
  const bool parsed = fuzz_ok(&index, ctorch_index_from_text(&index, text, ints, ints_len, tensors, tensors_len));
  const bool indexed =
      fuzz_ok(&whole, ctorch_tensor_index_text(&whole, self, text, ints, ints_len, tensors, tensors_len));
  if (parsed) {
    fuzz_assert(fuzz_ok(&parts, ctorch_tensor_index(&parts, self, index)) == indexed);
    if ((how & 2) != 0 && fuzz_try(ctorch_index_push_slice(index, NULL, &(const int64_t){fuzz_int64(input)}, NULL))) {
      ctorch_tensor *more;
      if (fuzz_ok(&more, ctorch_tensor_index(&more, self, index))) {
        fuzz_release(ctorch_tensor, more);
      }
    }
  } else {
    fuzz_assert(!indexed);
  }
  if (indexed) {
    fuzz_assert(whole != NULL && whole != self);
    check_same(whole, parts);
  }
  if ((how & 4) == 0) {
    ctorch_tensor *target;
    fuzz_must(ctorch_aten_clone(&target, self, NULL));
    const ctorch_scalar two = {CTORCH_SCALAR_INT, 0, 2, 0, 0};
    if (fuzz_try(ctorch_tensor_index_put_scalar_text(target, text, ints, ints_len, tensors, tensors_len, &two))) {
      fuzz_assert(parsed);
    }
    if (fuzz_try(ctorch_tensor_index_put_text(target, text, ints, ints_len, tensors, tensors_len, value))) {
      fuzz_assert(parsed);
    }
    fuzz_release(ctorch_tensor, target);
  }
  fuzz_release(ctorch_tensor, whole);
  fuzz_release(ctorch_tensor, parts);
  fuzz_release(ctorch_index, index);
  free(tensors);
  free(ints);
  free(text);
}

FUZZ_TARGET(index_input)
