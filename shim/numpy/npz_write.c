/* Writing npz files: <ctorch/numpy/npz.h>. Names and order are those of the dict, dates are zip's first day, and what
 * is stored lies at a multiple of 64, by an extra field in front of it, so that it can be shared by who maps the
 * file. */
#include <ctorch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "io/tensor_dict.h"
#include "io/writer.h"
#include "io/zip_stream.h"
#include "numpy/npy.h"

#if CTORCH_HAS_MINIZIP
#include <minizip/zip.h>

enum { ALIGNMENT = 64, LOCAL_NBYTES = 30, LOCAL_ZIP64_NBYTES = 20, EXTRA_NBYTES = 4, MOST_NAME_NBYTES = 65000 };
enum { FIRST_DAY = 1 << 21 | 1 << 16, FLAG_UTF8 = 1 << 11, STEP_NBYTES = 16 << 20 };
enum { EXTRA_ID = 0xd935 }; /* "alignment", as Android's zipalign calls it; readers pass over what they do not know */
#define ZIP64_FROM 0xf0000000U

struct zip {
  const char *function;
  struct minizip_stream stream;
  zipFile file;
};

static ctorch_error *zip_error(struct zip *self, int status) {
  ctorch_error *error = self->stream.error;
  self->stream.error = NULL;
  return error != NULL ? error
                       : error_make(
                             self->function, CTORCH_ERROR_IO, "%.1000s: zip: cannot be written (%d)",
                             writer_name(self->stream.writer), status);
}

static bool is_ascii(const char *name) {
  while (*name != '\0' && (unsigned char)*name < 0x80) {
    name++;
  }
  return *name == '\0';
}

/* The bytes of the extra field that brings the header of the array to a multiple of 64. */
static size_t extra_nbytes(uint64_t at, size_t name_len, bool is_zip64) {
  uint64_t begin = at + LOCAL_NBYTES + name_len + EXTRA_NBYTES + (is_zip64 ? LOCAL_ZIP64_NBYTES : 0);
  return EXTRA_NBYTES + (size_t)((ALIGNMENT - begin % ALIGNMENT) % ALIGNMENT);
}

static ctorch_error *begin_entry(struct zip *self, const char *name, uint64_t nbytes, bool compressed) {
  unsigned char extra[EXTRA_NBYTES + ALIGNMENT] = {EXTRA_ID & 0xff, EXTRA_ID >> 8};
  bool is_zip64 = nbytes >= ZIP64_FROM;
  size_t extra_len = compressed ? 0 : extra_nbytes(self->stream.begin + self->stream.at, strlen(name), is_zip64);
  extra[2] = (unsigned char)(extra_len - (compressed ? 0 : EXTRA_NBYTES));
  const zip_fileinfo info = {.dosDate = FIRST_DAY};
  int status = zipOpenNewFileInZip4_64(
      self->file, name, &info, extra, (uInt)extra_len, NULL, 0, NULL, compressed ? Z_DEFLATED : 0,
      compressed ? Z_DEFAULT_COMPRESSION : 0, 0, -MAX_WBITS, DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, NULL, 0, 0,
      is_ascii(name) ? 0 : FLAG_UTF8, is_zip64);
  return status == ZIP_OK ? NULL : zip_error(self, status);
}

static ctorch_error *write_bytes(struct zip *self, const void *data, uint64_t nbytes) {
  for (uint64_t done = 0; done < nbytes;) {
    uint64_t step = nbytes - done < STEP_NBYTES ? nbytes - done : STEP_NBYTES;
    int status = zipWriteInFileInZip(self->file, (const char *)data + done, (unsigned)step);
    if (status != ZIP_OK || self->stream.error != NULL) {
      return zip_error(self, status);
    }
    done += step;
  }
  return NULL;
}

static ctorch_error *write_array(
    struct zip *self, const char *name, const struct text *header, const struct npy_array *array, bool compressed) {
  CTORCH_TRY(begin_entry(self, name, header->len + array->nbytes, compressed));
  ctorch_error *error = write_bytes(self, header->data, header->len);
  THEN(error, write_bytes(self, array->data, array->nbytes));
  int status = zipCloseFileInZip(self->file);
  return error != NULL || status == ZIP_OK ? error : zip_error(self, status);
}

static ctorch_error *write_entry(struct zip *self, const struct named_entry *entry, bool compressed) {
  struct text name = {.function = self->function}, header = {.function = self->function};
  struct npy_array array = {0};
  if (strlen(entry->name) > MOST_NAME_NBYTES) {
    return error_make(
        self->function, CTORCH_ERROR_VALUE, "tensors: \"%.64s\" is longer than %d bytes", entry->name,
        (int)MOST_NAME_NBYTES);
  }
  text_add(&name, "%s.npy", entry->name);
  ctorch_error *error = npy_array_read(self->function, &array, &header, "tensors", entry->name, entry->tensor);
  if (error == NULL && name.error == NULL && header.error == NULL) {
    error = write_array(self, text_data(&name), &header, &array, compressed);
  }
  npy_array_end(&array);
  return ctorch_error_first(error, ctorch_error_first(text_end(&name), text_end(&header)));
}

static ctorch_error *write_zip(
    const char *function, ctorch_writer *writer, const struct named *tensors, bool compressed) {
  struct zip zip = {
      .function = function, .stream = {.function = function, .writer = writer, .begin = ctorch_writer_nbytes(writer)}};
  zlib_filefunc64_def functions;
  minizip_stream_functions(&functions, &zip.stream);
  zip.file = zipOpen2_64("", APPEND_STATUS_CREATE, NULL, &functions);
  if (zip.file == NULL) {
    return zip_error(&zip, ZIP_INTERNALERROR);
  }
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < tensors->len; i++) {
    error = write_entry(&zip, &tensors->data[i], compressed);
  }
  if (error != NULL && zip.stream.error == NULL) {
    zip.stream.error = error_make(function, CTORCH_ERROR_IO, "given up"); /* to write nothing more */
  }
  int status = zipClose(zip.file, NULL);
  if (error == NULL && (status != ZIP_OK || zip.stream.error != NULL)) {
    error = zip_error(&zip, status);
  }
  ctorch_error_release(zip.stream.error);
  return error;
}

/* A zip file is written with gaps that are filled later: where that cannot be, it is made in memory first. */
static ctorch_error *write_named(
    const char *function, ctorch_writer *writer, const struct named *tensors, bool compressed) {
  ctorch_writer *memory = NULL;
  if (writer_can_rewrite(writer)) {
    return write_zip(function, writer, tensors, compressed);
  }
  CTORCH_TRY(ctorch_writer_new(&memory));
  ctorch_error *error = write_zip(function, memory, tensors, compressed);
  error =
      error != NULL ? error : writer_write(function, writer, ctorch_writer_data(memory), ctorch_writer_nbytes(memory));
  ctorch_writer_release(memory);
  return error;
}

#else

static ctorch_error *write_named(
    const char *function, ctorch_writer *writer, const struct named *tensors, bool compressed) {
  (void)tensors;
  (void)compressed;
  return error_make(
      function, CTORCH_ERROR_UNSUPPORTED, "%.1000s: npz cannot be written by this build, which has no minizip",
      writer_name(writer));
}

#endif

static ctorch_error *write_dict(
    const char *function, ctorch_writer *writer, const ctorch_value *tensors, bool compressed) {
  struct named named = {0};
  CTORCH_TRY(named_read(function, &named, "tensors", tensors));
  ctorch_error *error = write_named(function, writer, &named, compressed);
  named_end(&named);
  return error;
}

ctorch_error *ctorch_npz_write(ctorch_writer *writer, const ctorch_value *tensors, bool compressed) {
  CTORCH_TRY(error_refusal(__func__));
  return writer == NULL ? error_null(__func__, "writer")
                        : error_of(__func__, write_dict(__func__, writer, tensors, compressed));
}

ctorch_error *ctorch_npz_write_file(const ctorch_value *tensors, bool compressed, const char *path) {
  CTORCH_TRY(error_refusal(__func__));
  ctorch_writer *writer = NULL;
  if (tensors == NULL || path == NULL) {
    return error_null(__func__, tensors == NULL ? "tensors" : "path");
  }
  CTORCH_TRY(error_of(__func__, ctorch_writer_open(&writer, path)));
  ctorch_error *error = write_dict(__func__, writer, tensors, compressed);
  THEN(error, ctorch_writer_finish(writer));
  ctorch_writer_release(writer);
  return error_of(__func__, error);
}
