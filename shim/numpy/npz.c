/* Reading npz files: zip files of npy files. What is stored as it is lies in the reader like any other array; what is
 * deflated is inflated as a whole, and checked.
 *
 * How much a file may claim is bounded by what it has: an entry inflates to what its npy header says, no further than
 * deflate can go, and entries that lie over each other are refused. */
#include <ctorch.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "io/elements.h"
#include "io/reader.h"
#include "io/weights_table.h"
#include "io/zip_stream.h"
#include "numpy/npy.h"

#if CTORCH_HAS_MINIZIP
#include <minizip/unzip.h>
#endif

enum { LOCAL_NBYTES = 30, NAME_LENGTH_AT = 26, END_NBYTES = 22 };
#define SUFFIX ".npy"
#define SUFFIX_NBYTES (sizeof SUFFIX - 1)

static bool ends_with_suffix(const char *name, size_t len) {
  return len >= SUFFIX_NBYTES && memcmp(name + len - SUFFIX_NBYTES, SUFFIX, SUFFIX_NBYTES) == 0;
}

/* A zip file whose first entry is an npy file, or that has none. */
static bool detect(const unsigned char *head, size_t len, const ctorch_reader *reader) {
  (void)reader;
  if (len >= 4 && memcmp(head, "PK\5\6", 4) == 0) {
    return true;
  }
  if (len < LOCAL_NBYTES || memcmp(head, "PK\3\4", 4) != 0) {
    return false;
  }
  size_t name_len = head[NAME_LENGTH_AT] | (size_t)head[NAME_LENGTH_AT + 1] << 8;
  return name_len <= len - LOCAL_NBYTES && ends_with_suffix((const char *)head + LOCAL_NBYTES, name_len);
}

#if CTORCH_HAS_MINIZIP

enum { STORED = 0, DEFLATED = 8, FLAG_ENCRYPTED = 1, MOST_NAME_NBYTES = 1 << 16, STEP_NBYTES = 16 << 20 };

/* Deflate makes at most 258 bytes of two bits. */
enum { MOST_INFLATED = 1032 };

struct npz_entry {
  unz64_file_pos place;
  struct npy_header header;
  uint64_t stored_at; /* where its elements lie as they are; 0 if they are deflated */
};

struct npz {
  struct npz_entry *entries;
  size_t len;
};

/* A zip file that is being read. Every call opens its own: minizip's have a place where they stand. */
struct zip {
  const char *function;
  const ctorch_reader *reader;
  struct minizip_stream stream;
  unzFile file;
};

static ctorch_error *zip_error(struct zip *self, int status) {
  ctorch_error *error = self->stream.error;
  self->stream.error = NULL;
  if (error != NULL) {
    return error;
  }
  return status == UNZ_CRCERROR ? reader_error(self->function, self->reader, "zip: the checksum is wrong")
                                : reader_error(self->function, self->reader, "zip: damaged (%d)", status);
}

static ctorch_error *zip_open(struct zip *self) {
  zlib_filefunc64_def functions;
  self->stream = (struct minizip_stream){.function = self->function, .reader = self->reader};
  minizip_stream_functions(&functions, &self->stream);
  self->file = unzOpen2_64("", &functions);
  return self->file == NULL ? zip_error(self, UNZ_BADZIPFILE) : NULL;
}

static void zip_close(struct zip *self) {
  unzClose(self->file);
  ctorch_error_release(self->stream.error);
}

static ctorch_error *zip_read(struct zip *self, void *data, uint64_t nbytes) {
  for (uint64_t done = 0; done < nbytes;) {
    uint64_t step = nbytes - done < STEP_NBYTES ? nbytes - done : STEP_NBYTES;
    int got = unzReadCurrentFile(self->file, (char *)data + done, (unsigned)step);
    if (got <= 0 || self->stream.error != NULL) {
      return got < 0 || self->stream.error != NULL ? zip_error(self, got)
                                                   : reader_error(self->function, self->reader, "zip: ends early");
    }
    done += (uint64_t)got;
  }
  return NULL;
}

/* End an entry. That its checksum is wrong is known only if all of it was read. */
static ctorch_error *zip_end_entry(struct zip *self, ctorch_error *error) {
  int status = unzCloseCurrentFile(self->file);
  return error != NULL || status == UNZ_OK ? error : zip_error(self, status);
}

/* The header of the current entry, which is open. */
static ctorch_error *read_header(struct zip *self, struct npy_header *out) {
  unsigned char prefix[NPY_PREFIX_NBYTES];
  uint64_t nbytes = 0;
  CTORCH_TRY(zip_read(self, prefix, sizeof prefix));
  CTORCH_TRY(npy_header_nbytes(self->function, &nbytes, self->reader, prefix, sizeof prefix));
  unsigned char *data = malloc((size_t)nbytes + sizeof prefix);
  if (data == NULL) {
    return error_memory(self->function, nbytes + sizeof prefix);
  }
  memcpy(data, prefix, sizeof prefix);
  ctorch_error *error = nbytes > sizeof prefix ? zip_read(self, data + sizeof prefix, nbytes - sizeof prefix) : NULL;
  THEN(error, npy_header_read(self->function, out, self->reader, data, (size_t)nbytes));
  free(data);
  return error;
}

static ctorch_error *check_entry(struct zip *self, const char *name, const unz_file_info64 *info) {
  if ((info->flag & FLAG_ENCRYPTED) != 0) {
    return error_make(
        self->function, CTORCH_ERROR_UNSUPPORTED, "%.1000s: zip: \"%.256s\" is encrypted", reader_name(self->reader),
        name);
  }
  if (info->compression_method != STORED && info->compression_method != DEFLATED) {
    return error_make(
        self->function, CTORCH_ERROR_UNSUPPORTED,
        "%.1000s: zip: \"%.256s\" is of compression method %lu, of which 0 and 8 are known", reader_name(self->reader),
        name, (unsigned long)info->compression_method);
  }
  bool is_too_large = info->compression_method == STORED
                          ? info->uncompressed_size != info->compressed_size
                          : info->uncompressed_size / MOST_INFLATED > info->compressed_size;
  return is_too_large
             ? reader_error(self->function, self->reader, "zip: an entry says that it is larger than it can be")
             : NULL;
}

static ctorch_error *check_sizes(struct zip *self, const unz_file_info64 *info, const struct npy_header *header) {
  uint64_t nbytes = info->uncompressed_size - header->header_nbytes, expected = header->header_nbytes + header->nbytes;
  if (info->uncompressed_size < header->header_nbytes ||
      (header->dtype != WEIGHTS_NO_DTYPE && nbytes != header->nbytes)) {
    return reader_error(
        self->function, self->reader, "an entry of %llu bytes, expected %llu",
        (unsigned long long)info->uncompressed_size, (unsigned long long)expected);
  }
  return NULL;
}

/* Read what the table of contents needs of the current entry. */
static ctorch_error *read_entry(
    struct zip *self, struct npz_entry *out, const char *name, const unz_file_info64 *info) {
  CTORCH_TRY(check_entry(self, name, info));
  if (unzGetFilePos64(self->file, &out->place) != UNZ_OK) {
    return zip_error(self, UNZ_BADZIPFILE);
  }
  int status = unzOpenCurrentFile(self->file);
  if (status != UNZ_OK) {
    return zip_error(self, status);
  }
  uint64_t at = unzGetCurrentFileZStreamPos64(self->file);
  ctorch_error *error = zip_end_entry(self, read_header(self, &out->header));
  THEN(error, check_sizes(self, info, &out->header));
  if (error == NULL && info->compression_method == STORED) {
    uint64_t all = ctorch_reader_nbytes(self->reader);
    out->stored_at = at + out->header.header_nbytes;
    if (at > all || info->compressed_size > all - at) {
      error = reader_error(self->function, self->reader, "zip: an entry ends early");
    }
  }
  return error;
}

static ctorch_error *add_entry(struct zip *self, ctorch_weights *weights, char *name, const unz_file_info64 *info) {
  struct npz *npz = weights->content;
  CTORCH_TRY(array_grow(self->function, &npz->entries, npz->len, sizeof *npz->entries));
  npz->entries[npz->len] = (struct npz_entry){.stored_at = 0};
  struct npz_entry *entry = &npz->entries[npz->len++];
  name[strlen(name) - SUFFIX_NBYTES] = '\0';
  CTORCH_TRY(weights_at_tensor(read_entry(self, entry, name, info), name));
  const struct npy_header *header = &entry->header;
  return weights_add(
      self->function, weights, name, "", header->dtype, header->shape, header->shape_len, entry->stored_at,
      info->uncompressed_size - header->header_nbytes, npz->len - 1);
}

/* Others than npy files are passed over, as by NumPy. */
static ctorch_error *read_name(struct zip *self, char *name, const unz_file_info64 *info, bool *is_array) {
  *is_array = ends_with_suffix(name, strlen(name));
  if (strlen(name) != info->size_filename) {
    return reader_error(self->function, self->reader, "zip: a name with a NUL");
  }
  ctorch_error *error = error_unless_text(self->function, "name", name);
  if (error != NULL) {
    ctorch_error_release(error);
    return reader_error(self->function, self->reader, "zip: a name that is not UTF-8");
  }
  return NULL;
}

static ctorch_error *read_entries(struct zip *self, ctorch_weights *weights, char *name) {
  uint64_t compressed = 0;
  int status = unzGoToFirstFile(self->file);
  for (; status == UNZ_OK; status = unzGoToNextFile(self->file)) {
    unz_file_info64 info;
    bool is_array = false;
    status = unzGetCurrentFileInfo64(self->file, &info, name, MOST_NAME_NBYTES, NULL, 0, NULL, 0);
    if (status != UNZ_OK) {
      return zip_error(self, status);
    }
    name[info.size_filename < MOST_NAME_NBYTES ? info.size_filename : MOST_NAME_NBYTES - 1] = '\0';
    CTORCH_TRY(read_name(self, name, &info, &is_array));
    if (info.compressed_size > ctorch_reader_nbytes(self->reader) - compressed) {
      return reader_error(self->function, self->reader, "zip: entries that lie over each other");
    }
    compressed += info.compressed_size;
    if (is_array) {
      CTORCH_TRY(add_entry(self, weights, name, &info));
    }
  }
  return status == UNZ_END_OF_LIST_OF_FILE ? NULL : zip_error(self, status);
}

/* A zip file without entries is but its end, which minizip does not find there. */
static ctorch_error *is_nothing(const char *function, bool *out, const ctorch_reader *reader) {
  static const unsigned char nothing[END_NBYTES] = {'P', 'K', 5, 6};
  unsigned char end[END_NBYTES];
  *out = false;
  if (ctorch_reader_nbytes(reader) == END_NBYTES) {
    CTORCH_TRY(reader_read(function, reader, 0, end, END_NBYTES));
    *out = memcmp(end, nothing, END_NBYTES) == 0;
  }
  return NULL;
}

static ctorch_error *open_contents(const char *function, ctorch_weights *self) {
  struct zip zip = {.function = function, .reader = self->reader};
  bool is_empty = false;
  CTORCH_TRY(is_nothing(function, &is_empty, self->reader));
  struct npz *npz = calloc(1, sizeof *npz);
  char *name = malloc(MOST_NAME_NBYTES);
  self->content = npz;
  if (npz == NULL || name == NULL) {
    free(name);
    return error_memory(function, MOST_NAME_NBYTES + sizeof *npz);
  }
  ctorch_error *error = is_empty ? NULL : zip_open(&zip);
  if (error == NULL && !is_empty) {
    error = read_entries(&zip, self, name);
    zip_close(&zip);
  }
  free(name);
  for (size_t i = 0; error == NULL && i < self->len; i++) {
    self->entries[i].type = npz->entries[self->entries[i].number].header.type; /* which moves no more */
  }
  return error;
}

static void close_contents(ctorch_weights *self) {
  struct npz *npz = self->content;
  for (size_t i = 0; npz != NULL && i < npz->len; i++) {
    free(npz->entries[i].header.shape);
  }
  if (npz != NULL) {
    free(npz->entries);
  }
  free(npz);
}

static const struct npz_entry *entry_of(const ctorch_weights *self, const struct weights_entry *entry) {
  return &((const struct npz *)self->content)->entries[entry->number];
}

static struct elements elements_of(const ctorch_weights *self, const struct weights_entry *entry) {
  const struct npz_entry *own = entry_of(self, entry);
  return (struct elements){
      self->reader,           own->stored_at,           entry->dtype, entry->shape, entry->shape_len,
      own->header.is_fortran, own->header.is_big_endian};
}

/* Which entry of which file is inflated. */
struct inflating {
  struct zip zip;
  const struct npz_entry *entry;
};

static ctorch_error *skip(struct zip *self, uint64_t nbytes) {
  unsigned char data[4096];
  while (nbytes > 0) {
    uint64_t step = nbytes < sizeof data ? nbytes : sizeof data;
    CTORCH_TRY(zip_read(self, data, step));
    nbytes -= step;
  }
  return NULL;
}

static ctorch_error *inflate_entry(const char *function, void *data, uint64_t nbytes, void *context) {
  struct inflating *self = context;
  struct zip *zip = &self->zip;
  (void)function;
  CTORCH_TRY(zip_open(zip));
  int status = unzGoToFilePos64(zip->file, &self->entry->place);
  status = status != UNZ_OK ? status : unzOpenCurrentFile(zip->file);
  ctorch_error *error = NULL;
  if (status != UNZ_OK) {
    error = zip_error(zip, status);
  } else {
    error = skip(zip, self->entry->header.header_nbytes);
    THEN(error, zip_read(zip, data, nbytes));
    error = zip_end_entry(zip, error);
  }
  zip_close(zip);
  return error;
}

static ctorch_error *tensor(
    const char *function, ctorch_tensor **out, const ctorch_weights *self, const struct weights_entry *entry) {
  if (entry->dtype == WEIGHTS_NO_DTYPE) {
    return weights_no_dtype(function, self, entry, npy_no_dtype(entry->type));
  }
  const struct elements elements = elements_of(self, entry);
  if (elements.offset != 0 && elements_can_share(&elements)) {
    return elements_read(function, out, &elements);
  }
  struct inflating inflating = {{.function = function, .reader = self->reader}, entry_of(self, entry)};
  return elements_copy(function, out, &elements, inflate_entry, &inflating);
}

static ctorch_error *slice(
    const char *function,
    ctorch_tensor **out,
    const ctorch_weights *self,
    const struct weights_entry *entry,
    const int64_t *begin,
    const int64_t *end) {
  ctorch_tensor *whole = NULL;
  const struct elements elements = elements_of(self, entry);
  if (entry->dtype != WEIGHTS_NO_DTYPE && elements.offset != 0) {
    return elements_slice(function, out, &elements, begin, end);
  }
  CTORCH_TRY(tensor(function, &whole, self, entry));
  ctorch_error *error = weights_cut(out, whole, begin, end);
  ctorch_tensor_release(whole);
  return error;
}

const weights_format weights_npz = {
    .name = "npz",
    .detect = detect,
    .open = open_contents,
    .tensor = tensor,
    .slice = slice,
    .close = close_contents,
};

#else

static ctorch_error *open_contents(const char *function, ctorch_weights *self) {
  return error_make(
      function, CTORCH_ERROR_UNSUPPORTED, "%.1000s: npz cannot be read by this build, which has no minizip",
      reader_name(self->reader));
}

const weights_format weights_npz = {.name = "npz", .detect = detect, .open = open_contents};

#endif
