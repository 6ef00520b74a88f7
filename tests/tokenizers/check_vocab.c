/* Vocabularies of words from C: counting, lookups, changes, files, and what a failure leaves. They are compared with
 * collections.Counter in tests/tokenizers. */
#include "harness/values.h"

static const char *const WORDS[] = {"b", "a", "c", "b", "a", "b"};

static ctorch_vocab *counted(const int64_t *max_tokens, bool special_first) {
  static const char *const SPECIALS[] = {"<unk>"};
  ctorch_vocab_counter *counter = NULL;
  ctorch_vocab *vocab = NULL;
  ck_ok(ctorch_vocab_counter_new(&counter));
  ck_ok(ctorch_vocab_counter_update(counter, WORDS, 6));
  ck_ok(ctorch_vocab_counter_build(&vocab, counter, 1, max_tokens, SPECIALS, 1, special_first));
  ctorch_vocab_counter_release(counter);
  return vocab;
}

static void check_token(const ctorch_vocab *vocab, int64_t index, const char *expected) {
  ctorch_string *token = NULL;
  ck_ok(ctorch_vocab_lookup_token(&token, vocab, index));
  ck_assert_str_eq(ctorch_string_data(token), expected);
  ctorch_string_release(token);
}

START_TEST(the_most_frequent_token_comes_first) {
  const int64_t most = 3;
  ctorch_vocab *vocab = counted(NULL, true), *small = counted(&most, false);
  ck_assert_uint_eq(ctorch_vocab_len(vocab), 4);
  check_token(vocab, 0, "<unk>");
  check_token(vocab, 1, "b");
  check_token(vocab, 3, "c");
  ck_assert_uint_eq(ctorch_vocab_len(small), 3);
  check_token(small, 1, "a");
  check_token(small, 2, "<unk>");
  ctorch_vocab_release(small);
  ctorch_vocab_release(vocab);
}
END_TEST

START_TEST(tokens_are_indices_and_tokens_again) {
  static const int64_t EXPECTED[] = {1, 2, 3, 1, 2, 1}, UNK = 0;
  ctorch_vocab *vocab = counted(NULL, true);
  ctorch_tensor *indices = NULL;
  ctorch_value *tokens = NULL;
  const void *data = NULL;
  int64_t index = 7;
  ck_ok(ctorch_vocab_lookup_indices(&indices, vocab, WORDS, 6));
  ck_ok(ctorch_tensor_const_data(&data, indices));
  ck_assert_mem_eq(data, EXPECTED, sizeof EXPECTED);
  ck_ok(ctorch_vocab_lookup_tokens(&tokens, vocab, EXPECTED, 6));
  ck_assert_uint_eq(ctorch_value_len(tokens), 6);
  ck_call_fails(ctorch_vocab_lookup_index, (&index, vocab, "d", 1), CTORCH_ERROR_RUNTIME, "\"d\"");
  ck_ok(ctorch_vocab_set_default_index(vocab, &UNK));
  ck_ok(ctorch_vocab_lookup_index(&index, vocab, "d", 1));
  ck_assert_int_eq(index, 0);
  ctorch_value_release(tokens);
  ctorch_tensor_release(indices);
  ctorch_vocab_release(vocab);
}
END_TEST

START_TEST(a_token_is_put_before_others) {
  ctorch_vocab *vocab = counted(NULL, true);
  ck_ok(ctorch_vocab_insert_token(vocab, "new", 3, 1));
  ck_ok(ctorch_vocab_append_token(vocab, "last", 4));
  check_token(vocab, 1, "new");
  check_token(vocab, 2, "b");
  check_token(vocab, 5, "last");
  ck_assert(ctorch_vocab_contains(vocab, "new", 3));
  ck_call_fails(ctorch_vocab_append_token, (vocab, "b", 1), CTORCH_ERROR_RUNTIME, "is in the vocabulary");
  ck_call_fails(ctorch_vocab_insert_token, (vocab, "d", 1, 7), CTORCH_ERROR_INDEX, "from 0 to 6");
  ck_call_fails(ctorch_vocab_append_token, (vocab, "a\0b", 3), CTORCH_ERROR_INVALID_ARGUMENT, "NUL");
  ctorch_vocab_release(vocab);
}
END_TEST

START_TEST(a_failure_leaves_outputs_and_handles_alone) {
  static const char *const TWICE[] = {"a", "b", "a"};
  ctorch_vocab *const before = (ctorch_vocab *)(uintptr_t)8;
  ctorch_vocab *vocab = before;
  ctorch_vocab_counter *counter = NULL;
  ctorch_reader *reader = NULL;
  const int64_t live = ctorch_debug_live_handles(), none = 0;
  ck_call_fails(ctorch_vocab_new, (&vocab, TWICE, 3), CTORCH_ERROR_INVALID_ARGUMENT, "entry 2");
  ck_call_fails(ctorch_vocab_new, (&vocab, TWICE, SIZE_MAX), CTORCH_ERROR_INVALID_ARGUMENT, "absurd");
  ck_call_fails(ctorch_vocab_new, (&vocab, NULL, 1), CTORCH_ERROR_NULL_ARGUMENT, "tokens");
  ck_ok(ctorch_reader_from_data(&reader, "a\nb\na\n", 6, NULL, NULL));
  ck_call_fails(ctorch_vocab_open, (&vocab, reader), CTORCH_ERROR_FORMAT, "line 3");
  ctorch_reader_release(reader);
  ck_ok(ctorch_vocab_counter_new(&counter));
  ck_call_fails(
      ctorch_vocab_counter_build, (&vocab, counter, 1, &none, NULL, 0, true), CTORCH_ERROR_INVALID_ARGUMENT,
      "max_tokens");
  ctorch_vocab_counter_release(counter);
  ck_assert_ptr_eq(vocab, before);
  ck_assert_int_eq(ctorch_debug_live_handles(), live);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("vocab");
  ck_case(suite, the_most_frequent_token_comes_first);
  ck_case(suite, tokens_are_indices_and_tokens_again);
  ck_case(suite, a_token_is_put_before_others);
  ck_case(suite, a_failure_leaves_outputs_and_handles_alone);
  return ck_main(suite);
}
