/* Embeddings for TensorBoard's projector: files in a folder for each, and one that lists them. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file_system.h"
#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "tensorboard/image.h"
#include "tensorboard/tensor.h"
#include "tensorboard/writer.h"

static ctorch_error *write_bytes(
    const char *function, const char *folder, const char *name, const void *data, size_t len) {
  struct text path = {.function = function};
  ctorch_writer *file = NULL;
  text_add(&path, "%s/%s", folder, name);
  ctorch_error *error = path.error == NULL ? ctorch_writer_open(&file, text_data(&path)) : NULL;
  if (file != NULL) {
    THEN(error, ctorch_writer_write(file, data, len));
  }
  if (file != NULL) {
    THEN(error, ctorch_writer_finish(file));
  }
  ctorch_writer_release(file);
  ctorch_error *failure = text_end(&path);
  return error_of(function, error != NULL ? error : failure);
}

static ctorch_error *write_text(const char *function, const char *folder, const char *name, struct text *text) {
  ctorch_error *error = text->error == NULL ? write_bytes(function, folder, name, text_data(text), text->len) : NULL;
  ctorch_error *failure = text_end(text);
  return error != NULL ? error : failure;
}

/* The rows of a matrix, its numbers as Python prints them. */
static ctorch_error *write_matrix(const char *function, const char *folder, const ctorch_tensor *mat) {
  const ctorch_dtype dtype = ctorch_tensor_dtype(mat);
  const bool is_float = dtype == CTORCH_DTYPE_FLOAT16 || dtype == CTORCH_DTYPE_BFLOAT16 ||
                        dtype == CTORCH_DTYPE_FLOAT32 || dtype == CTORCH_DTYPE_FLOAT64;
  const int64_t rows = ctorch_tensor_sizes(mat)[0], columns = ctorch_tensor_sizes(mat)[1];
  struct text text = {.function = function};
  ctorch_tensor *plain = NULL;
  const void *data = NULL;
  CTORCH_TRY(summary_plain(function, &plain, mat, is_float ? CTORCH_DTYPE_FLOAT64 : CTORCH_DTYPE_INT64));
  ctorch_error *error = error_of(function, ctorch_tensor_const_data(&data, plain));
  for (int64_t i = 0; error == NULL && i < rows * columns; i++) {
    if (is_float) {
      text_double(&text, ((const double *)data)[i]);
    } else if (dtype == CTORCH_DTYPE_BOOL) {
      text_bool(&text, ((const int64_t *)data)[i] != 0);
    } else {
      text_add(&text, "%" PRId64, ((const int64_t *)data)[i]);
    }
    text_add(&text, (i + 1) % columns == 0 ? "\n" : "\t");
  }
  ctorch_tensor_release(plain);
  if (error != NULL) {
    ctorch_error_release(text_end(&text));
    return error;
  }
  return write_text(function, folder, "tensors.tsv", &text);
}

/* Metadata --------------------------------------------------------------------------------------------------------- */

/* As Python's str. */
static ctorch_error *put_str(const char *function, struct text *text, const ctorch_value *value) {
  const char *data = NULL;
  size_t len = 0;
  ctorch_string *repr = NULL;
  if (ctorch_value_kind_of(value) == CTORCH_VALUE_STRING) {
    CTORCH_TRY(error_of(function, ctorch_value_to_string(&data, &len, value)));
    text_bytes(text, data, len);
    return NULL;
  }
  CTORCH_TRY(error_of(function, ctorch_value_repr(&repr, value)));
  text_add(text, "%s", ctorch_string_data(repr));
  ctorch_string_release(repr);
  return NULL;
}

static ctorch_error *put_row(const char *function, struct text *text, const ctorch_value *row) {
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < ctorch_value_len(row); i++) {
    ctorch_value *cell = NULL;
    text_add(text, i == 0 ? "" : "\t");
    error = error_of(function, ctorch_value_get(&cell, row, i));
    THEN(error, put_str(function, text, cell));
    ctorch_value_release(cell);
  }
  return error;
}

static bool is_sequence(const ctorch_value *value) {
  return ctorch_value_kind_of(value) == CTORCH_VALUE_LIST || ctorch_value_kind_of(value) == CTORCH_VALUE_TUPLE;
}

static ctorch_error *put_rows(
    const char *function,
    struct text *text,
    const ctorch_value *metadata,
    const char *const *header,
    size_t header_len) {
  ctorch_error *error = NULL;
  for (size_t i = 0; i < header_len; i++) {
    text_add(text, "%s%s", header[i], i + 1 == header_len ? "\n" : "\t");
  }
  for (size_t i = 0; error == NULL && i < ctorch_value_len(metadata); i++) {
    ctorch_value *row = NULL;
    error = error_of(function, ctorch_value_get(&row, metadata, i));
    if (error == NULL && header_len == 0) {
      error = put_str(function, text, row);
    } else if (error == NULL) {
      error = is_sequence(row) && ctorch_value_len(row) == header_len
                  ? put_row(function, text, row)
                  : error_make(
                        function, CTORCH_ERROR_VALUE,
                        "metadata: expected rows of as many columns as the header has, %zu", header_len);
    }
    text_add(text, "\n");
    ctorch_value_release(row);
  }
  return error;
}

static ctorch_error *write_metadata(
    const char *function,
    const char *folder,
    const ctorch_value *metadata,
    const char *const *header,
    size_t header_len) {
  struct text text = {.function = function};
  ctorch_error *error = put_rows(function, &text, metadata, header, header_len);
  if (error != NULL) {
    ctorch_error_release(text_end(&text));
    return error;
  }
  return write_text(function, folder, "metadata.tsv", &text);
}

/* Sprites ---------------------------------------------------------------------------------------------------------- */

/* All images in a square of rows, black where there are none. */
static ctorch_error *write_sprite(const char *function, const char *folder, const ctorch_tensor *images) {
  const int64_t *sizes = ctorch_tensor_sizes(images);
  const int64_t n = sizes[0], channels = sizes[1], height = sizes[2], width = sizes[3];
  int64_t columns = (int64_t)ceil(sqrt((double)n));
  const int64_t side = columns * width, rows = (n + columns - 1) / columns;
  ctorch_tensor *plain = NULL;
  ctorch_writer *png = NULL;
  const void *data = NULL;
  if (rows * height > side || side > 1 << 14) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "label_img: %" PRId64 " rows of %" PRId64 " pixels make no square of %" PRId64,
        rows, height, side);
  }
  CTORCH_TRY(summary_plain(function, &plain, images, CTORCH_DTYPE_FLOAT64));
  uint8_t *pixels = calloc((size_t)(3 * side), (size_t)side);
  ctorch_error *error = pixels == NULL ? error_memory(function, (uint64_t)(3 * side * side))
                                       : error_of(function, ctorch_tensor_const_data(&data, plain));
  for (int64_t i = 0; error == NULL && i < n * 3 * height * width; i++) {
    const int64_t x = i % width, y = i / width % height, c = i / width / height % 3, image = i / width / height / 3;
    const double *values = data;
    const double value = 255 * values[((image * channels + (channels == 1 ? 0 : c)) * height + y) * width + x];
    pixels[(c * side + image / columns * height + y) * side + image % columns * width + x] =
        (uint8_t)(value >= 255 ? 255
                  : value > 0  ? value
                               : 0);
  }
  THEN(error, error_of(function, ctorch_writer_new(&png)));
  THEN(error, summary_encode(function, pixels, 3, side, side, png));
  THEN(error, write_bytes(function, folder, "sprite.png", ctorch_writer_data(png), ctorch_writer_nbytes(png)));
  ctorch_writer_release(png);
  free(pixels);
  ctorch_tensor_release(plain);
  return error;
}

/* The list of embeddings ------------------------------------------------------------------------------------------- */

/* A text in quotes, as protobuf's text format has it. */
static void put_quoted(struct text *text, const char *value) {
  text_add(text, "\"");
  for (const unsigned char *at = (const unsigned char *)value; *at != '\0'; at++) {
    if (*at == '"' || *at == '\\') {
      text_add(text, "\\%c", *at);
    } else if (*at < 0x20 || *at == 0x7f) {
      text_add(text, "\\%03o", *at);
    } else {
      text_bytes(text, (const char *)at, 1);
    }
  }
  text_add(text, "\"");
}

static void put_field(struct text *text, const char *name, const char *folder, const char *file) {
  struct text path = {.function = text->function};
  text_add(&path, "%s%s", folder, file);
  text_add(text, "%s: ", name);
  put_quoted(text, text_data(&path));
  text_add(text, "\n");
  ctorch_error *error = text_end(&path);
  if (text->error == NULL) {
    text->error = error;
  } else {
    ctorch_error_release(error);
  }
}

static void put_entry(
    struct text *text,
    const char *subdir,
    const char *tag,
    int64_t step,
    bool has_metadata,
    const ctorch_tensor *label_img) {
  char number[32];
  snprintf(number, sizeof number, ":%05" PRId64, step);
  text_add(text, "embeddings {\n");
  put_field(text, "  tensor_name", tag, number);
  if (has_metadata) {
    put_field(text, "  metadata_path", subdir, "/metadata.tsv");
  }
  if (label_img != NULL) {
    text_add(text, "  sprite {\n");
    put_field(text, "    image_path", subdir, "/sprite.png");
    text_add(text, "    single_image_dim: %" PRId64 "\n", ctorch_tensor_sizes(label_img)[3]);
    text_add(text, "    single_image_dim: %" PRId64 "\n  }\n", ctorch_tensor_sizes(label_img)[2]);
  }
  put_field(text, "  tensor_path", subdir, "/tensors.tsv");
  text_add(text, "}\n");
}

/* Add one to the list, and write that anew. */
static ctorch_error *list_embedding(const char *function, ctorch_summary_writer *self, const char *entry) {
  const size_t before = self->projector == NULL ? 0 : strlen(self->projector), more = strlen(entry);
  char *all = malloc(before + more + 1);
  if (all == NULL) {
    return error_memory(function, before + more + 1);
  }
  memcpy(all, self->projector == NULL ? "" : self->projector, before);
  memcpy(all + before, entry, more + 1);
  ctorch_error *error = write_bytes(function, self->folder, "projector_config.pbtxt", all, before + more);
  if (error != NULL) {
    free(all);
    return error;
  }
  free(self->projector);
  self->projector = all;
  return NULL;
}

/* Adding ----------------------------------------------------------------------------------------------------------- */

static ctorch_error *check_label_images(const char *function, const ctorch_tensor *images, int64_t rows) {
  if (images == NULL) {
    return NULL;
  }
  const int64_t *sizes = ctorch_tensor_sizes(images); /* a nested tensor has none */
  if (sizes == NULL || ctorch_tensor_ndim(images) != 4 || (sizes[1] != 1 && sizes[1] != 3)) {
    return error_make(function, CTORCH_ERROR_VALUE, "label_img: expected (N, C, H, W) with 1 or 3 channels");
  }
  return sizes[0] == rows && ctorch_tensor_numel(images) > 0
             ? NULL
             : error_make(function, CTORCH_ERROR_VALUE, "label_img: #images should equal with #data points");
}

static ctorch_error *check_embedding(
    const char *function, const ctorch_tensor *mat, const ctorch_value *metadata, const ctorch_tensor *label_img) {
  if (mat == NULL) {
    return error_null(function, "mat");
  }
  const int64_t *sizes = ctorch_tensor_sizes(mat); /* a nested tensor has none */
  if (sizes == NULL || ctorch_tensor_ndim(mat) != 2 || ctorch_tensor_numel(mat) == 0) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "mat: should be 2D, where mat.size(0) is the number of data points");
  }
  const int64_t rows = sizes[0];
  if (metadata != NULL && !is_sequence(metadata)) {
    return error_make(function, CTORCH_ERROR_TYPE, "metadata: expected a list");
  }
  if (metadata != NULL && (int64_t)ctorch_value_len(metadata) != rows) {
    return error_make(function, CTORCH_ERROR_VALUE, "metadata: #labels should equal with #data points");
  }
  return check_label_images(function, label_img, rows);
}

/* "<step>/<tag>", of which "%", "/" and "\" are written as bytes. */
static void put_subdir(struct text *text, int64_t step, const char *tag) {
  text_add(text, "%05" PRId64 "/", step);
  for (const char *at = tag; *at != '\0'; at++) {
    if (*at == '%' || *at == '/' || *at == '\\') {
      text_add(text, "%%%02x", (unsigned)*at);
    } else {
      text_bytes(text, at, 1);
    }
  }
}

static ctorch_error *make_folder(const char *function, const char *folder) {
  char *above = system_folder(folder);
  if (above == NULL) {
    return error_memory(function, strlen(folder));
  }
  bool is_made = mkdir(above, 0777) == 0 || errno == EEXIST;
  is_made = is_made && (mkdir(folder, 0777) == 0 || errno == EEXIST);
  ctorch_error *error = is_made ? NULL : system_error(function, "create", folder);
  free(above);
  return error;
}

struct embedding {
  const ctorch_tensor *mat, *label_img;
  const ctorch_value *metadata;
  const char *const *header;
  size_t header_len;
  const char *tag;
  int64_t step;
};

static ctorch_error *write_files(const char *function, const char *folder, const struct embedding *from) {
  CTORCH_TRY(make_folder(function, folder));
  if (from->metadata != NULL) {
    CTORCH_TRY(write_metadata(function, folder, from->metadata, from->header, from->header_len));
  }
  if (from->label_img != NULL) {
    CTORCH_TRY(write_sprite(function, folder, from->label_img));
  }
  return write_matrix(function, folder, from->mat);
}

static ctorch_error *add_embedding(const char *function, ctorch_summary_writer *self, const struct embedding *from) {
  struct text subdir = {.function = function}, folder = {.function = function}, entry = {.function = function};
  put_subdir(&subdir, from->step, from->tag);
  text_add(&folder, "%s/%s", self->folder, text_data(&subdir));
  put_entry(&entry, text_data(&subdir), from->tag, from->step, from->metadata != NULL, from->label_img);
  ctorch_error *error = NULL;
  if (subdir.error == NULL && folder.error == NULL && entry.error == NULL) {
    error = write_files(function, text_data(&folder), from);
    pthread_mutex_lock(&self->lock);
    THEN(error, list_embedding(function, self, text_data(&entry)));
    pthread_mutex_unlock(&self->lock);
  }
  ctorch_error *failures[] = {text_end(&subdir), text_end(&folder), text_end(&entry)};
  for (int i = 0; i < 3; i++) {
    if (error == NULL) {
      error = failures[i];
    } else {
      ctorch_error_release(failures[i]);
    }
  }
  return error;
}

ctorch_error *ctorch_summary_writer_add_embedding(
    ctorch_summary_writer *self,
    const ctorch_tensor *mat,
    const ctorch_value *metadata,
    const ctorch_tensor *label_img,
    int64_t global_step,
    const char *tag,
    const char *const *metadata_header,
    size_t metadata_header_len) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(summary_check_writer(__func__, self));
  CTORCH_TRY(tag == NULL ? NULL : error_unless_text(__func__, "tag", tag));
  CTORCH_TRY(check_embedding(__func__, mat, metadata, label_img));
  CTORCH_TRY(error_unless_list(__func__, "metadata_header", metadata_header, metadata_header_len));
  for (size_t i = 0; i < metadata_header_len; i++) {
    CTORCH_TRY(summary_check_text(__func__, "metadata_header", metadata_header[i]));
  }
  const struct embedding from = {
      mat, label_img, metadata, metadata_header, metadata_header_len, tag == NULL ? "default" : tag, global_step};
  return add_embedding(__func__, self, &from);
}
