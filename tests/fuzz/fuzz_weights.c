/* Files of tensors. An input is a byte that says how the file is read, and the file: a copy in memory, memory that
 * tensors share, a callback, or a file on the disk, which may be an index of shards. What a slice shows has to be in
 * the whole tensor, and what was read can be written as another file and is the same there. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fuzz/fuzz.h"

enum { MOST_TENSORS = 32, MOST_DIMS = 8, MOST_ELEMENTS = 1 << 20 };

static char folder[] = "/tmp/ctorch_fuzz_weights_XXXXXX", path[sizeof folder + 32], shard[sizeof folder + 32];

static void remove_folder(void) {
  remove(path);
  remove(shard);
  remove(folder);
}

static void write_file(const char *name, const void *data, size_t len) {
  FILE *file = fopen(name, "wb");
  fuzz_assert(file != NULL && (len == 0 || fwrite(data, 1, len, file) == len) && fclose(file) == 0);
}

/* The folder of an index, with one shard in it. */
static void prepare(void) {
  static const char text[] = "{\"x\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,3]}}";
  char data[8 + sizeof text - 1 + 3] = {(char)(sizeof text - 1)};
  fuzz_assert(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/model.index.json", folder);
  snprintf(shard, sizeof shard, "%s/a.safetensors", folder);
  memcpy(data + 8, text, sizeof text - 1);
  write_file(shard, data, sizeof data);
  atexit(remove_folder);
}

static ctorch_callback_status read_input(
    void *data, size_t nbytes, size_t offset, ctorch_error **error, void *payload) {
  (void)error;
  memcpy(data, (const char *)payload + offset, nbytes);
  return CTORCH_CALLBACK_OK;
}

static bool open_input(ctorch_weights **out, const fuzz_input *input, uint8_t how, const void *data) {
  ctorch_reader *reader = NULL;
  if (how % 4 == 3) {
    write_file(path, data, input->len);
    return fuzz_ok(out, ctorch_weights_open_file(out, path, (how & 4) != 0));
  }
  if (how % 4 == 2) {
    fuzz_must(ctorch_reader_from_callback(&reader, input->len, read_input, NULL, (void *)(uintptr_t)data));
  } else if (how % 4 == 1) {
    void *own = fuzz_memory(input->len);
    if (input->len != 0) {
      memcpy(own, data, input->len);
    }
    fuzz_must(ctorch_reader_from_data(&reader, own, input->len, free, own));
  } else {
    fuzz_must(ctorch_reader_from_data(&reader, data, input->len, NULL, NULL));
  }
  const bool opened = fuzz_ok(out, ctorch_weights_open(out, reader));
  fuzz_release(ctorch_reader, reader);
  return opened;
}

static void check_same(const ctorch_tensor *a, const ctorch_tensor *b) {
  ctorch_tensor *rows[2] = {NULL};
  const void *data[2] = {NULL};
  fuzz_assert(ctorch_tensor_dtype(a) == ctorch_tensor_dtype(b) && ctorch_tensor_ndim(a) == ctorch_tensor_ndim(b));
  for (int64_t i = 0; i < ctorch_tensor_ndim(a); i++) {
    fuzz_assert(ctorch_tensor_sizes(a)[i] == ctorch_tensor_sizes(b)[i]);
  }
  for (int i = 0; i < 2; i++) {
    fuzz_must(ctorch_aten_contiguous(&rows[i], i == 0 ? a : b, CTORCH_MEMORY_FORMAT_CONTIGUOUS));
    fuzz_must(ctorch_tensor_const_data(&data[i], rows[i]));
  }
  fuzz_assert(data[0] == NULL || memcmp(data[0], data[1], ctorch_tensor_nbytes(a)) == 0);
  fuzz_release(ctorch_tensor, rows[0]);
  fuzz_release(ctorch_tensor, rows[1]);
}

/* All but the first and the last of each of the outer dimensions. */
static void check_slice(const ctorch_weights *weights, const char *name, const ctorch_tensor *whole) {
  static const int64_t begin[] = {1, 0, 1, 0, 1, 0, 1, 0}, end[] = {-1, 9, -1, 9, -1, 9, -1, 9};
  const size_t ndim = (size_t)ctorch_tensor_ndim(whole), len = ndim < MOST_DIMS ? ndim : MOST_DIMS;
  ctorch_tensor *part = NULL, *view = NULL;
  fuzz_must(ctorch_weights_slice(&part, weights, name, begin, len, end, len));
  fuzz_must(ctorch_aten_detach(&view, whole));
  for (size_t i = 0; i < len; i++) {
    ctorch_tensor *next = NULL;
    fuzz_must(ctorch_aten_slice_Tensor(&next, view, (int64_t)i, &begin[i], &end[i], 1));
    fuzz_release(ctorch_tensor, view);
    view = next;
  }
  check_same(part, view);
  fuzz_release(ctorch_tensor, part);
  fuzz_release(ctorch_tensor, view);
}

static bool is_small(const int64_t *sizes, size_t len) {
  int64_t elements = 1;
  for (size_t i = 0; i < len; i++) {
    fuzz_assert(sizes[i] >= 0);
    elements *= sizes[i] <= MOST_ELEMENTS ? sizes[i] : MOST_ELEMENTS + 1;
    if (elements > MOST_ELEMENTS) {
      return false;
    }
  }
  return true;
}

/* Whether all tensors were read. */
static bool check_tensors(const ctorch_weights *weights) {
  bool all = true;
  for (size_t i = 0; i < ctorch_weights_len(weights) && i < MOST_TENSORS; i++) {
    const char *name = ctorch_weights_name(weights, i);
    size_t found = 0, len = 0;
    const int64_t *sizes = NULL;
    ctorch_dtype dtype = 0;
    ctorch_tensor *tensor = NULL;
    fuzz_must(ctorch_weights_find(&found, weights, name));
    fuzz_assert(found == i);
    if (!fuzz_try(ctorch_weights_shape(&sizes, &len, weights, i)) || !is_small(sizes, len)) {
      all = false;
      continue;
    }
    const bool has_dtype = fuzz_ok(&dtype, ctorch_weights_dtype(&dtype, weights, i));
    if (!fuzz_ok(&tensor, ctorch_weights_tensor(&tensor, weights, name))) {
      all = false;
      continue;
    }
    fuzz_assert(has_dtype && ctorch_tensor_dtype(tensor) == dtype && (size_t)ctorch_tensor_ndim(tensor) == len);
    fuzz_assert(ctorch_tensor_nbytes(tensor) == ctorch_weights_nbytes(weights, i));
    fuzz_assert(len == 0 || memcmp(ctorch_tensor_sizes(tensor), sizes, len * sizeof *sizes) == 0);
    check_slice(weights, name, tensor);
    fuzz_release(ctorch_tensor, tensor);
  }
  return all && ctorch_weights_len(weights) <= MOST_TENSORS;
}

/* What was written is there again. */
static void check_written(const ctorch_weights *weights, const ctorch_writer *writer) {
  ctorch_reader *reader = NULL;
  ctorch_weights *again = NULL;
  fuzz_must(ctorch_reader_from_data(&reader, ctorch_writer_data(writer), ctorch_writer_nbytes(writer), NULL, NULL));
  fuzz_must(ctorch_weights_open(&again, reader));
  fuzz_assert(ctorch_weights_len(again) == ctorch_weights_len(weights));
  for (size_t i = 0; i < ctorch_weights_len(again); i++) {
    ctorch_tensor *one = NULL, *other = NULL;
    const char *name = ctorch_weights_name(again, i);
    fuzz_must(ctorch_weights_tensor(&one, weights, name));
    fuzz_must(ctorch_weights_tensor(&other, again, name));
    check_same(one, other);
    fuzz_release(ctorch_tensor, one);
    fuzz_release(ctorch_tensor, other);
  }
  fuzz_release(ctorch_weights, again);
  fuzz_release(ctorch_reader, reader);
}

static void write_again(const ctorch_weights *weights, const ctorch_value *tensors) {
  for (int format = 0; format < 3; format++) {
    ctorch_writer *writer = NULL;
    fuzz_must(ctorch_writer_new(&writer));
    const bool written = format == 0 ? fuzz_try(ctorch_safetensors_write(writer, tensors, NULL))
                                     : fuzz_try(ctorch_npz_write(writer, tensors, format == 2));
    if (written) {
      fuzz_must(ctorch_writer_finish(writer));
      check_written(weights, writer);
    }
    fuzz_release(ctorch_writer, writer);
  }
}

/* GGUF and torch.save have targets of their own: of quantized and sparse tensors not all of this is true. */
static bool has_own_target(const ctorch_weights *weights) {
  const char *format = ctorch_weights_format(weights);
  return strcmp(format, "gguf") == 0 || strcmp(format, "pt") == 0;
}

static void weights_input(fuzz_input *input) {
  static bool is_prepared = false;
  if (!is_prepared) {
    prepare();
    is_prepared = true;
  }
  const uint8_t how = fuzz_byte(input);
  ctorch_weights *weights = NULL;
  if (!open_input(&weights, input, how, input->data)) {
    return;
  }
  if (has_own_target(weights)) {
    fuzz_release(ctorch_weights, weights);
    return;
  }
  ctorch_value *value = NULL;
  if (fuzz_ok(&value, ctorch_weights_metadata(&value, weights))) {
    fuzz_release(ctorch_value, value);
  }
  if (check_tensors(weights)) {
    fuzz_must(ctorch_weights_load(&value, weights, NULL));
    fuzz_assert(ctorch_value_len(value) == ctorch_weights_len(weights));
    write_again(weights, value);
    fuzz_release(ctorch_value, value);
  }
  fuzz_release(ctorch_weights, weights);
}

FUZZ_TARGET(weights_input)
