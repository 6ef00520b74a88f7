/* Tokenizers. An input is a tokenizer.json in one line, and a text behind it. What is loaded can be written and loaded
 * again, and tokens stand in their order in the text that they are of. */
#include <stdlib.h>

#include "fuzz/fuzz.h"

static bool open_json(ctorch_tokenizer **out, const char *json) {
  ctorch_reader *reader;
  if (!fuzz_ok(&reader, ctorch_reader_from_data(&reader, json, strlen(json), NULL, NULL))) {
    return false;
  }
  const bool is_open = fuzz_ok(out, ctorch_tokenizer_open(out, reader));
  fuzz_release(ctorch_reader, reader);
  return is_open;
}

static const int64_t *column(const ctorch_encoding *encoding, const char *name) {
  const int64_t *data;
  size_t len;
  fuzz_must(ctorch_encoding_column(&data, &len, encoding, name));
  fuzz_assert(len == ctorch_encoding_len(encoding));
  return data;
}

static void check_decoding(const ctorch_tokenizer *tokenizer, const int64_t *ids, size_t len) {
  ctorch_string *text;
  ctorch_decode_stream *stream;
  if (fuzz_ok(&text, ctorch_tokenizer_decode(&text, tokenizer, ids, len, false))) {
    fuzz_assert(fuzz_is_utf8(ctorch_string_data(text)));
    fuzz_release(ctorch_string, text);
  }
  if (!fuzz_ok(&stream, ctorch_decode_stream_new(&stream, tokenizer, true))) {
    return;
  }
  for (size_t i = 0; i < len && i < 64; i++) {
    if (fuzz_ok(&text, ctorch_decode_stream_step(&text, stream, ids[i])) && text != NULL) {
      fuzz_assert(fuzz_is_utf8(ctorch_string_data(text)));
      fuzz_release(ctorch_string, text);
    }
  }
  fuzz_release(ctorch_decode_stream, stream);
}

static void check_encoding(const ctorch_tokenizer *tokenizer, const ctorch_encoding *encoding, size_t text_len) {
  const size_t len = ctorch_encoding_len(encoding);
  const int64_t *ids = column(encoding, "ids"), *sequences = column(encoding, "sequence_ids");
  const int64_t *starts = column(encoding, "starts"), *ends = column(encoding, "ends");
  const int64_t *byte_starts = column(encoding, "byte_starts"), *byte_ends = column(encoding, "byte_ends");
  for (size_t i = 0; i < len; i++) {
    const char *token;
    size_t token_len;
    fuzz_must(ctorch_encoding_token(&token, &token_len, encoding, i));
    fuzz_assert(strlen(token) <= token_len && ids[i] >= 0 && ids[i] <= UINT32_MAX);
    fuzz_assert(0 <= starts[i] && starts[i] <= ends[i] && 0 <= byte_starts[i] && byte_starts[i] <= byte_ends[i]);
    fuzz_assert(sequences[i] != 0 || (size_t)byte_ends[i] <= text_len);
  }
  check_decoding(tokenizer, ids, len);
}

static void encode(const ctorch_tokenizer *tokenizer, const char *text) {
  const char *const texts[] = {text, "b", text};
  const size_t len = strlen(text);
  ctorch_encoding *encoding;
  ctorch_encoding_batch *batch;
  ctorch_tensor *ids;
  if (!fuzz_ok(&encoding, ctorch_tokenizer_encode(&encoding, tokenizer, text, len, NULL, 0, true))) {
    return;
  }
  check_encoding(tokenizer, encoding, len);
  if (fuzz_ok(&ids, ctorch_tokenizer_encode_tensor(&ids, tokenizer, text, len, true))) {
    fuzz_assert((size_t)ctorch_tensor_numel(ids) == ctorch_encoding_len(encoding));
    fuzz_release(ctorch_tensor, ids);
  }
  fuzz_release(ctorch_encoding, encoding);
  if (fuzz_ok(&encoding, ctorch_tokenizer_encode(&encoding, tokenizer, "a b", 3, text, len, true))) {
    check_encoding(tokenizer, encoding, 3);
    fuzz_release(ctorch_encoding, encoding);
  }
  if (fuzz_ok(&batch, ctorch_tokenizer_encode_batch(&batch, tokenizer, texts, 3, NULL, 0, NULL, 0, false, 1))) {
    fuzz_assert(ctorch_encoding_batch_len(batch) == 3);
    if (fuzz_ok(&ids, ctorch_encoding_batch_tensor(&ids, batch, "ids", -1))) {
      fuzz_assert(ctorch_tensor_ndim(ids) == 2 && ctorch_tensor_sizes(ids)[0] == 3);
      fuzz_release(ctorch_tensor, ids);
    }
    fuzz_release(ctorch_encoding_batch, batch);
  }
}

static void tokenizer_input(fuzz_input *input) {
  char *json = fuzz_line(input), *text = fuzz_rest(input);
  ctorch_tokenizer *tokenizer, *again;
  ctorch_string *written;
  if (open_json(&tokenizer, json)) {
    if (fuzz_ok(&written, ctorch_tokenizer_to_json(&written, tokenizer, false))) {
      fuzz_assert(open_json(&again, ctorch_string_data(written)));
      fuzz_assert(ctorch_tokenizer_vocab_size(again, true) == ctorch_tokenizer_vocab_size(tokenizer, true));
      fuzz_release(ctorch_tokenizer, again);
      fuzz_release(ctorch_string, written);
    }
    encode(tokenizer, text);
    fuzz_release(ctorch_tokenizer, tokenizer);
  }
  free(json);
  free(text);
}

FUZZ_TARGET(tokenizer_input)
