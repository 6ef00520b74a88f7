/* The word ABI, called with words of every sort: an input is a sequence of calls, each with a function of the table
 * and a byte or more for every word. Live handles, stale ones, handles of another kind, numbers and arbitrary
 * integers go in; a failure answers a known code and says why. In the end nothing is live. */
#include <rt_ctorch.h>
#include <stdlib.h>

#include "fuzz/fuzz.h"

enum { MOST = 32, MAX_CALLS = 64 };

typedef void (*word_function)(void);
typedef struct word_call {
  const char *name;
  int arity;
  word_function function;
} word_call;

#include "word_calls.h"

typedef struct machine {
  fuzz_input *input;
  int64_t words[MOST]; /* stale ones among them */
  size_t len;
} machine;

static int64_t any_word(machine *m) {
  const uint8_t what = fuzz_byte(m->input);
  if (what < 128 && m->len > 0) {
    return m->words[m->len - 1 - what % m->len];
  }
  switch (what % 8) {
    case 0:
    case 1:
      return 0;
    case 2:
    case 3:
      return (int64_t)fuzz_below(m->input, 8);
    case 4:
      return rt_ctorch_number_int(fuzz_int64(m->input));
    case 5:
      return rt_ctorch_device_word((int64_t)fuzz_below(m->input, 24), (int64_t)fuzz_below(m->input, 3) - 1);
    case 6:
      return m->len == 0 ? -1 : (int64_t)((uint64_t)m->words[0] + (uint64_t)fuzz_int64(m->input));
    default:
      return fuzz_int64(m->input);
  }
}

static int64_t call_words(const word_call *call, const int64_t *w) {
  const word_function f = call->function;
  switch (call->arity) {
    case 0:
      return ((int64_t(*)(void))f)();
    case 1:
      return ((int64_t(*)(int64_t))f)(w[0]);
    case 2:
      return ((int64_t(*)(int64_t, int64_t))f)(w[0], w[1]);
    case 3:
      return ((int64_t(*)(int64_t, int64_t, int64_t))f)(w[0], w[1], w[2]);
    case 4:
      return ((int64_t(*)(int64_t, int64_t, int64_t, int64_t))f)(w[0], w[1], w[2], w[3]);
    case 5:
      return ((int64_t(*)(int64_t, int64_t, int64_t, int64_t, int64_t))f)(w[0], w[1], w[2], w[3], w[4]);
    case 6:
      return ((int64_t(*)(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t))f)(w[0], w[1], w[2], w[3], w[4], w[5]);
    case 7:
      return ((int64_t(*)(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t))f)(
          w[0], w[1], w[2], w[3], w[4], w[5], w[6]);
    default:
      return ((int64_t(*)(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t))f)(
          w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]);
  }
}

static void check_failure(const char *name, int64_t code) {
  const char *message = (const char *)(uintptr_t)rt_ctorch_last_error();
  if (ctorch_error_kind_name((ctorch_error_kind)code) == NULL || message == NULL || *message == '\0') {
    fuzz_fail("%s: a failure %lld without a message", name, (long long)code);
  }
  if (!fuzz_is_utf8(message)) {
    fuzz_fail("%s: a message that is not UTF-8: %.200s", name, message);
  }
  if (code == CTORCH_ERROR_INTERNAL || code == CTORCH_ERROR_UNKNOWN) {
    fuzz_fail("%s: an error of kind %lld: %s", name, (long long)code, message);
  }
}

static void call_once(machine *m) {
  const size_t number = (size_t)fuzz_byte(m->input) << 8 | fuzz_byte(m->input);
  const word_call *call = &CALLS[number % (sizeof CALLS / sizeof *CALLS)];
  int64_t words[8] = {0};
  for (int i = 0; i < call->arity; i++) {
    words[i] = any_word(m);
  }
  (void)rt_ctorch_last_error_clear();
  const int64_t answer = call_words(call, words);
  const int64_t code = rt_ctorch_last_error_code();
  if (answer < 0 && code == -answer) {
    check_failure(call->name, code);
  }
  if (answer >= INT64_C(1) << 24) {
    if (m->len == MOST) {
      (void)rt_ctorch_release(m->words[0]);
      memmove(m->words, m->words + 1, (MOST - 1) * sizeof *m->words);
      m->len--;
    }
    m->words[m->len++] = answer;
  }
}

static void start(machine *m) {
  const int64_t sizes = rt_ctorch_ints_of(2, 2, 3, 0, 0, 0, 0, 0);
  const int64_t data = rt_ctorch_ints_of(6, 0, 1, 2, 3, 4, 5, 6);
  const int64_t tensor = rt_ctorch_tensor_from_data(data, sizes, CTORCH_DTYPE_INT64);
  const int64_t tensors = rt_ctorch_tensors_of(2, tensor, tensor, 0, 0, 0, 0, 0);
  const int64_t first[] = {sizes, data, tensor, tensors, rt_ctorch_value_from_int(3), rt_ctorch_number_ratio(1, 3)};
  for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
    fuzz_assert(first[i] > 0);
    m->words[m->len++] = first[i];
  }
}

static void word_input(fuzz_input *input) {
  machine m = {.input = input};
  const int64_t live = rt_ctorch_live_handles();
  const int64_t scope = rt_ctorch_scope_begin(); /* takes back modes, and what no word of the machine's is */
  fuzz_assert(scope > 0);
  start(&m);
  for (int i = 0; i < MAX_CALLS && input->len > 0; i++) {
    const uint8_t what = fuzz_byte(input);
    if (what < 16) {
      (void)rt_ctorch_release(any_word(&m));
    } else if (what < 20) {
      const int64_t word = any_word(&m);
      if (rt_ctorch_retain(word) == word && m.len < MOST) {
        m.words[m.len++] = word;
      } else {
        (void)rt_ctorch_release(word);
      }
    } else {
      call_once(&m);
    }
  }
  while (m.len > 0) {
    (void)rt_ctorch_release(m.words[--m.len]);
  }
  (void)rt_ctorch_scope_end(scope);
  (void)rt_ctorch_last_error_clear();
  if (rt_ctorch_live_handles() != live) {
    fuzz_fail("%+lld live words", (long long)(rt_ctorch_live_handles() - live));
  }
}

FUZZ_TARGET_WITHOUT_SCOPE(word_input)
