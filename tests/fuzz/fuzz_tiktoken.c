/* tiktoken's encodings. An input is a pattern in one line, a text in another, and a file of ranks. Where every byte has a
 * rank, the tokens of a text are its bytes. */
#include <stdlib.h>

#include "fuzz/fuzz.h"

static void check_ids(const ctorch_tiktoken *encoding, const ctorch_tensor *ids, const char *text) {
  const size_t len = (size_t)ctorch_tensor_numel(ids);
  int64_t *numbers = fuzz_memory(len * sizeof *numbers);
  ctorch_tensor *bytes;
  ctorch_string *decoded;
  fuzz_must(ctorch_tensor_copy_to_buffer(ids, numbers, len * sizeof *numbers, CTORCH_DTYPE_INT64));
  if (fuzz_ok(&bytes, ctorch_tiktoken_decode_bytes(&bytes, encoding, numbers, len))) {
    const size_t nbytes = (size_t)ctorch_tensor_numel(bytes);
    char *data = fuzz_memory(nbytes);
    fuzz_must(ctorch_tensor_copy_to_buffer(bytes, data, nbytes, CTORCH_DTYPE_UINT8));
    fuzz_assert(nbytes <= strlen(text) && (nbytes < strlen(text) || memcmp(data, text, nbytes) == 0));
    free(data);
    fuzz_release(ctorch_tensor, bytes);
  }
  if (fuzz_ok(&decoded, ctorch_tiktoken_decode(&decoded, encoding, numbers, len))) {
    fuzz_assert(fuzz_is_utf8(ctorch_string_data(decoded)));
    fuzz_release(ctorch_string, decoded);
  }
  free(numbers);
}

static void encode(const ctorch_tiktoken *encoding, const char *text) {
  static const char *const all[] = {"all"};
  ctorch_tensor *ids;
  if (fuzz_ok(&ids, ctorch_tiktoken_encode_ordinary(&ids, encoding, text, strlen(text)))) {
    check_ids(encoding, ids, text);
    fuzz_release(ctorch_tensor, ids);
  }
  if (fuzz_ok(&ids, ctorch_tiktoken_encode(&ids, encoding, text, strlen(text), all, 1, NULL, 0))) {
    check_ids(encoding, ids, text);
    fuzz_release(ctorch_tensor, ids);
  }
  (void)fuzz_ok(&ids, ctorch_tiktoken_encode(&ids, encoding, text, strlen(text), NULL, 0, all, 1));
  fuzz_release(ctorch_tensor, ids);
}

static void tiktoken_input(fuzz_input *input) {
  static const char *const specials[] = {"<|end|>"};
  static const int64_t special_ids[] = {100000};
  char *pattern = fuzz_line(input), *text = fuzz_line(input);
  ctorch_reader *ranks;
  ctorch_tiktoken *encoding;
  if (fuzz_ok(&ranks, ctorch_reader_from_data(&ranks, input->data, input->len, NULL, NULL))) {
    if (fuzz_ok(&encoding, ctorch_tiktoken_open(&encoding, ranks, pattern, specials, 1, special_ids, 1))) {
      encode(encoding, text);
      fuzz_release(ctorch_tiktoken, encoding);
    }
    fuzz_release(ctorch_reader, ranks);
  }
  free(pattern);
  free(text);
}

FUZZ_TARGET(tiktoken_input)
