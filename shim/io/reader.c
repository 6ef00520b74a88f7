/* Readers: <ctorch/io/reader.h>. */
#define _DEFAULT_SOURCE /* MAP_NORESERVE */
#include "io/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/callback.h"
#include "base/file_system.h"
#include "core/c/error.h"
#include "core/c/footprint.h"
#include "core/c/object.h"
#include "core/c/payload.h"
#include "core/c/tensor.h"
#include "ctorch.h"

enum { PROGRESS_STEP = 16 << 20, FEW = 64 << 10 };

/* Where the bytes are. */
enum source { SOURCE_MEMORY, SOURCE_COPY, SOURCE_MAPPING, SOURCE_FILE, SOURCE_CALLBACK };

struct ctorch_reader {
  enum source source;
  size_t nbytes;
  char *path;          /* of a file */
  int file;            /* SOURCE_FILE */
  unsigned char *data; /* SOURCE_MEMORY, SOURCE_COPY, SOURCE_MAPPING */
  ctorch_reader_read_callback read;
  void (*destroy)(void *payload);
  void *payload;
  ctorch_reader_progress_callback progress;
  void (*progress_destroy)(void *payload);
  void *progress_payload;
  atomic_size_t done; /* since the progress callback was set */
};

static void finalize(void *object) {
  ctorch_reader *self = object;
  payload_destroy(self->progress_destroy, self->progress_payload);
  switch (self->source) {
    case SOURCE_MEMORY:
    case SOURCE_CALLBACK:
      payload_destroy(self->destroy, self->payload);
      break;
    case SOURCE_COPY:
      footprint_note(-(ptrdiff_t)self->nbytes);
      free(self->data);
      break;
    case SOURCE_MAPPING:
      footprint_note(-(ptrdiff_t)self->nbytes);
      munmap(self->data, self->nbytes);
      break;
    case SOURCE_FILE:
      close(self->file);
      break;
  }
  free(self->path);
}

static const object_class reader_class = {"reader", sizeof(ctorch_reader), finalize};

void ctorch_reader_retain(const ctorch_reader *self) { object_retain(self); }
void ctorch_reader_release(ctorch_reader *self) { object_release(self); }

/* An open file becomes a reader's, or is closed. */
static ctorch_error *take_file(const char *function, ctorch_reader *self, const char *path, int file, bool map) {
  struct stat status;
  ctorch_error *error = NULL;
  if (fstat(file, &status) != 0) {
    error = system_error(function, "read", path);
  } else if (!S_ISREG(status.st_mode)) {
    errno = S_ISDIR(status.st_mode) ? EISDIR : ESPIPE;
    error = system_error(function, "read", path);
  } else if (map && status.st_size > 0) {
    /* Without a reserve: of a file that is larger than the memory, few pages are ever written to. */
    void *data = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file, 0);
    if (data == MAP_FAILED) {
      error = system_error(function, "map", path);
    } else {
      self->source = SOURCE_MAPPING;
      self->data = data;
      self->nbytes = (size_t)status.st_size;
      footprint_note((ptrdiff_t)self->nbytes);
    }
  } else {
    self->source = SOURCE_FILE;
    self->file = file;
    self->nbytes = (size_t)status.st_size;
    return NULL;
  }
  close(file);
  return error;
}

ctorch_error *ctorch_reader_open(ctorch_reader **out, const char *path, bool mmap) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  if (path == NULL) {
    return error_null(__func__, "path");
  }
  CTORCH_TRY(error_unless_text(__func__, "path", path));
  int file;
  do {
    file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe is refused, not waited for */
  } while (file < 0 && errno == EINTR);
  if (file < 0) {
    return system_error(__func__, "open", path);
  }
  ctorch_reader *self = object_new(&reader_class);
  if (self == NULL) {
    close(file);
    return object_give(__func__, out, NULL);
  }
  ctorch_error *error = take_file(__func__, self, path, file, mmap);
  if (error == NULL) {
    self->path = strdup(path);
    if (self->path == NULL) {
      error = error_memory(__func__, strlen(path) + 1);
    }
  }
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  return object_give(__func__, out, self);
}

ctorch_error *ctorch_reader_from_data(
    ctorch_reader **out, const void *data, size_t data_nbytes, void (*destroy)(void *payload), void *payload) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  if (data == NULL && data_nbytes > 0) {
    return error_null(__func__, "data");
  }
  if (data_nbytes > INT64_MAX) {
    return error_argument(__func__, "data_nbytes", "expected at most INT64_MAX");
  }
  ctorch_reader *self = object_new(&reader_class);
  if (self != NULL && destroy != NULL) {
    /* What is made of the bytes may be written to, as what is made of a mapped file. */
    union {
      const void *given;
      void *kept;
    } bytes = {data};
    self->source = SOURCE_MEMORY;
    self->data = bytes.kept;
    self->destroy = destroy;
    self->payload = payload;
  } else if (self != NULL) {
    self->source = SOURCE_COPY;
    size_t room = data_nbytes / 64 * 64 + 64; /* aligned like the memory of tensors */
    self->data = aligned_alloc(64, room);
    if (self->data == NULL) {
      object_unref(self);
      return error_memory(__func__, room);
    }
    footprint_note((ptrdiff_t)data_nbytes);
    if (data_nbytes > 0) {
      memcpy(self->data, data, data_nbytes);
    }
  }
  if (self != NULL) {
    self->nbytes = data_nbytes;
  }
  return object_give(__func__, out, self);
}

ctorch_error *ctorch_reader_from_callback(
    ctorch_reader **out,
    size_t nbytes,
    ctorch_reader_read_callback read,
    void (*destroy)(void *payload),
    void *payload) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  if (read == NULL) {
    return error_null(__func__, "read");
  }
  if (nbytes > INT64_MAX) {
    return error_argument(__func__, "nbytes", "expected at most INT64_MAX");
  }
  ctorch_reader *self = object_new(&reader_class);
  if (self != NULL) {
    self->source = SOURCE_CALLBACK;
    self->nbytes = nbytes;
    self->read = read;
    self->destroy = destroy;
    self->payload = payload;
  }
  return object_give(__func__, out, self);
}

size_t ctorch_reader_nbytes(const ctorch_reader *self) { return self == NULL ? 0 : self->nbytes; }

const char *ctorch_reader_path(const ctorch_reader *self) { return self == NULL ? NULL : self->path; }

const char *reader_name(const ctorch_reader *self) { return self->path == NULL ? "data" : self->path; }

ctorch_error *reader_error(const char *function, const ctorch_reader *self, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  return error_make(function, CTORCH_ERROR_FORMAT, "%.1000s: %s", reader_name(self), text);
}

ctorch_error *reader_count(const ctorch_reader *self, uint64_t nbytes) {
  if (self->progress == NULL || nbytes == 0) {
    return NULL;
  }
  /* Counting changes nothing of what is read. */
  ctorch_reader *counted = (ctorch_reader *)(uintptr_t)self;
  size_t done = atomic_fetch_add(&counted->done, (size_t)nbytes) + (size_t)nbytes;
  ctorch_error *failure = NULL;
  ctorch_callback_status status = self->progress(done, &failure, self->progress_payload);
  return callback_error("ctorch_reader_set_progress", "callback", status, failure);
}

static ctorch_error *read_file(
    const char *function, const ctorch_reader *self, size_t offset, unsigned char *data, size_t nbytes) {
  while (nbytes > 0) {
    ssize_t got = pread(self->file, data, nbytes, (off_t)offset);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return system_error(function, "read", self->path);
    }
    if (got == 0) {
      return error_make(function, CTORCH_ERROR_IO, "cannot read %.1000s: it has become shorter", self->path);
    }
    data += got;
    offset += (size_t)got;
    nbytes -= (size_t)got;
  }
  return NULL;
}

/* The system would read a mapped file's surroundings of a few bytes, too, and in pieces that later slow down whoever
 * reads it all. It need not take the advice. */
static void read_mapping(const ctorch_reader *self, size_t offset, unsigned char *data, size_t nbytes) {
  const bool few = nbytes < FEW;
  if (few) {
    madvise(self->data, self->nbytes, MADV_RANDOM);
  }
  memcpy(data, self->data + offset, nbytes);
  if (few) {
    madvise(self->data, self->nbytes, MADV_NORMAL);
  }
}

static ctorch_error *read_part(
    const char *function, const ctorch_reader *self, size_t offset, unsigned char *data, size_t nbytes) {
  switch (self->source) {
    case SOURCE_FILE:
      return read_file(function, self, offset, data, nbytes);
    case SOURCE_CALLBACK: {
      ctorch_error *failure = NULL;
      ctorch_callback_status status = self->read(data, nbytes, offset, &failure, self->payload);
      return callback_error(function, "read", status, failure);
    }
    case SOURCE_MAPPING:
      read_mapping(self, offset, data, nbytes);
      return NULL;
    default:
      memcpy(data, self->data + offset, nbytes);
      return NULL;
  }
}

/* All bytes lie in the reader. */
static ctorch_error *read_bytes(
    const char *function, const ctorch_reader *self, size_t offset, unsigned char *data, size_t nbytes) {
  size_t step = self->progress == NULL ? nbytes : PROGRESS_STEP;
  while (nbytes > 0) {
    size_t part = nbytes < step ? nbytes : step;
    CTORCH_TRY(read_part(function, self, offset, data, part));
    CTORCH_TRY(reader_count(self, part));
    data += part;
    offset += part;
    nbytes -= part;
  }
  return NULL;
}

static bool contains(const ctorch_reader *self, uint64_t offset, uint64_t nbytes) {
  return offset <= self->nbytes && nbytes <= self->nbytes - offset;
}

ctorch_error *ctorch_reader_read(const ctorch_reader *self, size_t offset, void *data, size_t data_nbytes) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  if (data == NULL && data_nbytes > 0) {
    return error_null(__func__, "data");
  }
  if (!contains(self, offset, data_nbytes)) {
    return error_make(
        __func__, CTORCH_ERROR_INDEX,
        "offset, data_nbytes: %zu bytes from %zu on do not lie in the %zu bytes of %.1000s", data_nbytes, offset,
        self->nbytes, reader_name(self));
  }
  return read_bytes(__func__, self, offset, data, data_nbytes);
}

ctorch_error *reader_read(
    const char *function, const ctorch_reader *self, uint64_t offset, void *data, uint64_t nbytes) {
  if (!contains(self, offset, nbytes)) {
    return reader_error(function, self, "ends early");
  }
  return read_bytes(function, self, (size_t)offset, data, (size_t)nbytes);
}

void *reader_at(const ctorch_reader *self, uint64_t offset, uint64_t nbytes) {
  return self->data != NULL && contains(self, offset, nbytes) ? self->data + offset : NULL;
}

static void release(void *payload) { object_unref(payload); }

ctorch_error *reader_tensor(
    const char *function,
    ctorch_tensor **out,
    const ctorch_reader *self,
    uint64_t offset,
    uint64_t nbytes,
    size_t alignment) {
  if (!contains(self, offset, nbytes)) {
    return reader_error(function, self, "ends early");
  }
  const int64_t size = (int64_t)nbytes;
  const ctorch_dtype uint8 = CTORCH_DTYPE_UINT8;
  void *data = reader_at(self, offset, nbytes);
  ctorch_tensor *tensor = NULL;
  ctorch_error *error = NULL;
  if (data != NULL && nbytes > 0 && ((uintptr_t)data & (alignment - 1)) == 0) {
    CTORCH_TRY(reader_count(self, nbytes));
    void *kept = object_ref(self);
    error = ctorch_tensor_from_buffer(&tensor, data, &size, 1, NULL, 0, uint8, release, kept);
    if (error != NULL) {
      object_unref(kept);
      return error;
    }
  } else {
    const ctorch_device cpu = {.type = CTORCH_DEVICE_TYPE_CPU, .index = -1};
    CTORCH_TRY(ctorch_aten_empty_memory_format(&tensor, &size, 1, &uint8, NULL, &cpu, NULL, NULL));
    void *memory = NULL;
    error = ctorch_tensor_data(&memory, tensor);
    if (error == NULL && nbytes > 0) {
      error = read_bytes(function, self, (size_t)offset, memory, (size_t)nbytes);
    }
    if (error != NULL) {
      ctorch_tensor_release(tensor);
      return error;
    }
  }
  *out = tensor_take(tensor);
  return NULL;
}

ctorch_error *ctorch_reader_set_progress(
    ctorch_reader *self, ctorch_reader_progress_callback callback, void (*destroy)(void *payload), void *payload) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  payload_destroy(self->progress_destroy, self->progress_payload);
  self->progress = callback;
  self->progress_destroy = destroy;
  self->progress_payload = payload;
  atomic_store(&self->done, 0);
  return NULL;
}
