/* Tokenizers from C: ids, texts, streams, batches on threads, ranks, training, and what a failure leaves. Encodings are
 * compared with the tokenizers package: tests/tokenizers. */
#include "harness/values.h"

static const char BERT[] =
    "{\"version\": \"1.0\", \"truncation\": null, \"padding\": null, \"added_tokens\": [{\"id\": 1, \"content\": "
    "\"[CLS]\", \"single_word\": false, \"lstrip\": false, \"rstrip\": false, \"normalized\": false, \"special\": "
    "true}], "
    "\"normalizer\": {\"type\": \"BertNormalizer\", \"clean_text\": true, \"handle_chinese_chars\": true, "
    "\"strip_accents\": null, \"lowercase\": true}, \"pre_tokenizer\": {\"type\": \"BertPreTokenizer\"}, "
    "\"post_processor\": {\"type\": \"BertProcessing\", \"sep\": [\"[SEP]\", 2], \"cls\": [\"[CLS]\", 1]}, "
    "\"decoder\": {\"type\": \"WordPiece\", \"prefix\": \"##\", \"cleanup\": true}, \"model\": {\"type\": "
    "\"WordPiece\", "
    "\"unk_token\": \"[UNK]\", \"continuing_subword_prefix\": \"##\", \"max_input_chars_per_word\": 100, \"vocab\": "
    "{\"[UNK]\": 0, \"[CLS]\": 1, \"[SEP]\": 2, \"hello\": 3, \"wor\": 4, \"##ld\": 5, \"!\": 6, \"cafe\": 7}}}";
static const char EMPTY_BPE[] =
    "{\"model\": {\"type\": \"BPE\", \"vocab\": {}, \"merges\": []}, \"pre_tokenizer\": {\"type\": "
    "\"WhitespaceSplit\"}}";

static ctorch_tokenizer *tokenizer_of(const char *json) {
  ctorch_reader *reader = NULL;
  ctorch_tokenizer *tokenizer = NULL;
  ck_ok(ctorch_reader_from_data(&reader, json, strlen(json), NULL, NULL));
  ck_ok(ctorch_tokenizer_open(&tokenizer, reader));
  ctorch_reader_release(reader);
  return tokenizer;
}

START_TEST(a_text_becomes_ids_and_a_text_again) {
  static const int64_t EXPECTED[] = {1, 3, 7, 4, 5, 6, 2}, STARTS[] = {0, 0, 6, 11, 14, 16, 0},
                       BYTE_ENDS[] = {0, 5, 11, 15, 17, 18, 0};
  ctorch_tokenizer *tokenizer = tokenizer_of(BERT);
  const char text[] = "HELLO Caf\xc3\xa9 world!";
  ctorch_encoding *encoding = NULL;
  ctorch_string *decoded = NULL;
  const int64_t *column = NULL;
  size_t len = 0;
  ck_ok(ctorch_tokenizer_encode(&encoding, tokenizer, text, strlen(text), NULL, 0, true));
  ck_ok(ctorch_encoding_column(&column, &len, encoding, "ids"));
  ck_assert_uint_eq(len, 7);
  ck_assert_mem_eq(column, EXPECTED, sizeof EXPECTED);
  ck_ok(ctorch_encoding_column(&column, &len, encoding, "starts"));
  ck_assert_mem_eq(column, STARTS, sizeof STARTS);
  ck_ok(ctorch_encoding_column(&column, &len, encoding, "byte_ends"));
  ck_assert_mem_eq(column, BYTE_ENDS, sizeof BYTE_ENDS);
  ck_ok(ctorch_tokenizer_decode(&decoded, tokenizer, EXPECTED, 7, true));
  ck_assert_str_eq(ctorch_string_data(decoded), "hello cafe world! [SEP]"); /* which was not said to be special */
  ctorch_string_release(decoded);
  ctorch_encoding_release(encoding);
  ctorch_tokenizer_release(tokenizer);
}
END_TEST

START_TEST(an_encoding_outlives_its_tokenizer) {
  ctorch_tokenizer *tokenizer = tokenizer_of(BERT);
  ctorch_encoding *encoding = NULL;
  const char *token = NULL;
  size_t len = 0;
  ck_ok(ctorch_tokenizer_encode(&encoding, tokenizer, "world", 5, "", 0, false));
  ctorch_tokenizer_release(tokenizer);
  ck_ok(ctorch_encoding_token(&token, &len, encoding, 1));
  ck_assert_str_eq(token, "##ld");
  ck_call_fails(ctorch_encoding_token, (&token, &len, encoding, 2), CTORCH_ERROR_INDEX, "2 tokens");
  ctorch_encoding_release(encoding);
}
END_TEST

START_TEST(a_batch_is_padded_and_truncated) {
  static const char *const TEXTS[] = {"hello", "hello world hello world", "!"};
  ctorch_tokenizer *tokenizer = tokenizer_of(BERT);
  ctorch_encoding_batch *batch = NULL;
  ctorch_encoding *encoding = NULL;
  ctorch_tensor *ids = NULL;
  ck_ok(ctorch_tokenizer_enable_truncation(tokenizer, 5, 1, "longest_first", "right"));
  ck_ok(ctorch_tokenizer_enable_padding(tokenizer, 0, 0, "[UNK]", -1, 0, NULL));
  ck_ok(ctorch_tokenizer_encode_batch(&batch, tokenizer, TEXTS, 3, NULL, 0, NULL, 0, true, 3));
  ck_ok(ctorch_encoding_batch_tensor(&ids, batch, "ids", 0));
  ck_assert_int_eq(ctorch_tensor_sizes(ids)[0], 3);
  ck_assert_int_eq(ctorch_tensor_sizes(ids)[1], 5);
  ck_ok(ctorch_encoding_batch_at(&encoding, batch, 1));
  ck_assert_uint_eq(ctorch_encoding_overflowing_len(encoding), 2);
  ctorch_encoding_release(encoding);
  ctorch_tensor_release(ids);
  ctorch_encoding_batch_release(batch);
  ctorch_tokenizer_release(tokenizer);
}
END_TEST

START_TEST(empty_lists_of_lengths_and_pairs_are_none) {
  static const char *const TEXTS[] = {"hello", "world"};
  static const int64_t LENS[] = {1};
  ctorch_tokenizer *tokenizer = tokenizer_of(BERT);
  ctorch_encoding_batch *batch = NULL;
  ck_ok(ctorch_tokenizer_encode_batch(&batch, tokenizer, TEXTS, 2, LENS, 0, TEXTS, 0, true, 1));
  ck_assert_uint_eq(ctorch_encoding_batch_len(batch), 2);
  ctorch_encoding_batch_release(batch);
  ck_call_fails(
      ctorch_tokenizer_encode_batch, (&batch, tokenizer, TEXTS, 2, LENS, 1, NULL, 0, true, 1),
      CTORCH_ERROR_INVALID_ARGUMENT, "lens");
  ck_call_fails(
      ctorch_tokenizer_encode_batch, (&batch, tokenizer, TEXTS, 2, NULL, 0, TEXTS, 1, true, 1),
      CTORCH_ERROR_INVALID_ARGUMENT, "pairs");
  ctorch_tokenizer_release(tokenizer);
}
END_TEST

START_TEST(a_vocabulary_is_learnt) {
  ctorch_tokenizer *tokenizer = tokenizer_of(EMPTY_BPE), *trained = NULL;
  ctorch_tokenizer_trainer *trainer = NULL;
  ctorch_tensor *ids = NULL;
  ck_ok(ctorch_tokenizer_trainer_new(&trainer, tokenizer, 8, 0));
  ck_ok(ctorch_tokenizer_trainer_feed(trainer, "low low lower", 13));
  ck_ok(ctorch_tokenizer_trainer_train(&trained, trainer));
  ck_assert_uint_eq(ctorch_tokenizer_vocab_size(trained, true), 8); /* e l o r w, lo, low, er or lowe */
  ck_ok(ctorch_tokenizer_encode_tensor(&ids, trained, "low", 3, true));
  ck_assert_int_eq(ctorch_tensor_numel(ids), 1);
  ctorch_tensor_release(ids);
  ctorch_tokenizer_release(trained);
  ctorch_tokenizer_trainer_release(trainer);
  ctorch_tokenizer_release(tokenizer);
}
END_TEST

/* Which id a token gets, of the words "low low low lower newest". */
static void check_training(const char *json, const char *token, int64_t id) {
  static const char *const SPECIALS[] = {"[UNK]"};
  ctorch_tokenizer *tokenizer = tokenizer_of(json), *trained = NULL;
  ctorch_tokenizer_trainer *trainer = NULL;
  int64_t found = -1;
  ck_ok(ctorch_tokenizer_trainer_new(&trainer, tokenizer, 16, 0));
  ck_ok(ctorch_tokenizer_trainer_add_special_tokens(trainer, SPECIALS, 1));
  ck_ok(ctorch_tokenizer_trainer_feed(trainer, "low low low lower newest", 24));
  ck_ok(ctorch_tokenizer_trainer_train(&trained, trainer));
  ck_ok(ctorch_tokenizer_token_to_id(&found, trained, token, strlen(token)));
  ck_assert_int_eq(found, id);
  ctorch_tokenizer_release(trained);
  ctorch_tokenizer_trainer_release(trainer);
  ctorch_tokenizer_release(tokenizer);
}

START_TEST(each_model_has_a_trainer) {
  check_training(
      "{\"model\": {\"type\": \"WordLevel\", \"vocab\": {}, \"unk_token\": \"[UNK]\"}, "
      "\"pre_tokenizer\": {\"type\": \"WhitespaceSplit\"}}",
      "low", 1);
  check_training(
      "{\"model\": {\"type\": \"WordPiece\", \"vocab\": {}, \"unk_token\": \"[UNK]\", "
      "\"continuing_subword_prefix\": \"##\", \"max_input_chars_per_word\": 100}, "
      "\"pre_tokenizer\": {\"type\": \"WhitespaceSplit\"}}",
      "##o", 9); /* behind 8 characters */
  check_training(
      "{\"model\": {\"type\": \"Unigram\", \"vocab\": []}, \"pre_tokenizer\": {\"type\": "
      "\"WhitespaceSplit\"}}",
      "low", 1); /* whose score is the highest */
}
END_TEST

START_TEST(a_failure_leaves_outputs_and_handles_alone) {
  ctorch_tokenizer *const before = (ctorch_tokenizer *)(uintptr_t)8;
  ctorch_tokenizer *tokenizer = before;
  ctorch_reader *reader = NULL;
  const char *const wrong[] = {
      "{}", "[]", "{\"model\": {\"type\": \"BPE\", \"vocab\": {\"a\": 0}, \"merges\": [\"a b\"]}}"};
  const int64_t live = ctorch_debug_live_handles();
  for (size_t i = 0; i < 3; i++) {
    ck_ok(ctorch_reader_from_data(&reader, wrong[i], strlen(wrong[i]), NULL, NULL));
    ck_call_fails(ctorch_tokenizer_open, (&tokenizer, reader), CTORCH_ERROR_FORMAT, "data: ");
    ctorch_reader_release(reader);
  }
  ck_call_fails(ctorch_tokenizer_open, (&tokenizer, NULL), CTORCH_ERROR_NULL_ARGUMENT, "reader");
  ck_call_fails(ctorch_tokenizer_open_file, (&tokenizer, "/nowhere/tokenizer.json"), CTORCH_ERROR_IO, "nowhere");
  ck_assert_ptr_eq(tokenizer, before);
  ck_assert_int_eq(ctorch_debug_live_handles(), live);
}
END_TEST

static bool is_supported(void) {
  ctorch_reader *reader = NULL;
  ctorch_tokenizer *tokenizer = NULL;
  ctorch_error *error = ctorch_reader_from_data(&reader, EMPTY_BPE, strlen(EMPTY_BPE), NULL, NULL);
  error = error != NULL ? error : ctorch_tokenizer_open(&tokenizer, reader);
  const bool lacks = error != NULL && ctorch_error_kind_of(error) == CTORCH_ERROR_UNSUPPORTED;
  ctorch_error_release(error);
  ctorch_tokenizer_release(tokenizer);
  ctorch_reader_release(reader);
  return !lacks;
}

int main(void) {
  if (!is_supported()) {
    puts("this build has no tokenizers");
    return 0;
  }
  Suite *suite = suite_create("tokenizer");
  ck_case(suite, a_text_becomes_ids_and_a_text_again);
  ck_case(suite, an_encoding_outlives_its_tokenizer);
  ck_case(suite, a_batch_is_padded_and_truncated);
  ck_case(suite, empty_lists_of_lengths_and_pairs_are_none);
  ck_case(suite, a_vocabulary_is_learnt);
  ck_case(suite, each_model_has_a_trainer);
  ck_case(suite, a_failure_leaves_outputs_and_handles_alone);
  return ck_main(suite);
}
