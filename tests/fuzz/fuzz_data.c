/* Files of data: IDX, packed with gzip or not, WAV, and everything as CSV and as lines of a text. An input is the file.
 * What is read of it from memory and through a callback has to be the same. */
#include <stdlib.h>

#include "fuzz/fuzz.h"

static ctorch_callback_status read_part(void *data, size_t nbytes, size_t offset, ctorch_error **error, void *payload) {
  const fuzz_input *file = payload;
  (void)error;
  fuzz_assert(nbytes > 0 && offset < file->len && nbytes <= file->len - offset);
  memcpy(data, file->data + offset, nbytes);
  return CTORCH_CALLBACK_OK;
}

static void check_same(const ctorch_tensor *a, const ctorch_tensor *b) {
  const size_t nbytes = ctorch_tensor_nbytes(a);
  const void *data = NULL, *other = NULL;
  fuzz_assert(ctorch_tensor_dtype(a) == ctorch_tensor_dtype(b) && nbytes == ctorch_tensor_nbytes(b));
  fuzz_assert(ctorch_tensor_is_contiguous(a) && ctorch_tensor_is_contiguous(b));
  if (nbytes > 0) {
    fuzz_must(ctorch_tensor_const_data(&data, a));
    fuzz_must(ctorch_tensor_const_data(&other, b));
    fuzz_assert(memcmp(data, other, nbytes) == 0);
  }
}

static void check_idx(const ctorch_reader *memory, const ctorch_reader *callback) {
  ctorch_tensor *tensor, *again;
  const bool is_read = fuzz_ok(&tensor, ctorch_idx_read(&tensor, memory));
  fuzz_assert(fuzz_ok(&again, ctorch_idx_read(&again, callback)) == is_read);
  if (is_read) {
    check_same(tensor, again);
    fuzz_release(ctorch_tensor, again);
    fuzz_release(ctorch_tensor, tensor);
  }
}

static void check_wav(const ctorch_reader *memory, const ctorch_reader *callback, bool normalize) {
  ctorch_tensor *sound, *again, *part;
  int64_t rate;
  const bool is_read = fuzz_ok(&sound, ctorch_wav_read(&sound, &rate, memory, 0, -1, normalize));
  fuzz_assert(fuzz_ok(&again, ctorch_wav_read(&again, &rate, callback, 0, -1, normalize)) == is_read);
  if (!is_read) {
    return;
  }
  check_same(sound, again);
  const int64_t *sizes = ctorch_tensor_sizes(sound);
  fuzz_assert(ctorch_tensor_ndim(sound) == 2 && sizes[0] >= 1);
  fuzz_must(ctorch_wav_read(&part, NULL, memory, 1, 2, normalize));
  const int64_t rest = sizes[1] > 1 ? sizes[1] - 1 : 0;
  fuzz_assert(ctorch_tensor_sizes(part)[1] == (rest < 2 ? rest : 2));
  fuzz_release(ctorch_tensor, part);
  fuzz_release(ctorch_tensor, again);
  fuzz_release(ctorch_tensor, sound);
}

/* Columns are of one length, and their names are texts. */
static void check_table(ctorch_value *table) {
  ctorch_value *columns, *column;
  ctorch_tensor *tensor;
  size_t rows = SIZE_MAX;
  fuzz_must(ctorch_value_dict_values(&columns, table));
  for (size_t i = 0; i < ctorch_value_len(columns); i++) {
    fuzz_must(ctorch_value_get(&column, columns, i));
    size_t len = ctorch_value_len(column);
    if (ctorch_value_kind_of(column) == CTORCH_VALUE_TENSOR) {
      fuzz_must(ctorch_value_to_tensor(&tensor, column));
      len = (size_t)ctorch_tensor_numel(tensor);
      fuzz_release(ctorch_tensor, tensor);
    }
    fuzz_assert(i == 0 || len == rows);
    rows = len;
    fuzz_release(ctorch_value, column);
  }
  fuzz_release(ctorch_value, columns);
}

static void check_csv(const ctorch_reader *memory, const ctorch_reader *callback, bool has_header) {
  static const char *const MISSING[] = {"NA"};
  ctorch_value *table, *again;
  ctorch_string *text, *text_again;
  const bool is_read = fuzz_ok(&table, ctorch_csv_read(&table, memory, NULL, has_header, NULL, 0, MISSING, 1, NULL));
  fuzz_assert(
      fuzz_ok(&again, ctorch_csv_read(&again, callback, NULL, has_header, NULL, 0, MISSING, 1, NULL)) == is_read);
  if (is_read) {
    check_table(table);
    fuzz_must(ctorch_value_repr(&text, table));
    fuzz_must(ctorch_value_repr(&text_again, again));
    fuzz_assert(strcmp(ctorch_string_data(text), ctorch_string_data(text_again)) == 0);
    fuzz_release(ctorch_string, text_again);
    fuzz_release(ctorch_string, text);
    fuzz_release(ctorch_value, again);
    fuzz_release(ctorch_value, table);
  }
}

static void check_lines(const ctorch_reader *memory) {
  ctorch_value *lines;
  if (fuzz_ok(&lines, ctorch_csv_read_lines(&lines, memory))) {
    fuzz_release(ctorch_value, lines);
  }
}

static void data_input(fuzz_input *input) {
  ctorch_reader *memory, *callback;
  fuzz_must(ctorch_reader_from_data(&memory, input->data, input->len, NULL, NULL));
  fuzz_must(ctorch_reader_from_callback(&callback, input->len, read_part, NULL, input));
  check_idx(memory, callback);
  check_wav(memory, callback, input->len % 2 == 0);
  check_csv(memory, callback, true);
  check_csv(memory, callback, false);
  check_lines(memory);
  fuzz_release(ctorch_reader, callback);
  fuzz_release(ctorch_reader, memory);
}

FUZZ_TARGET(data_input)
