/* Writers: <ctorch/io/writer.h>; replacement.h has how a file replaces another. */
#define _GNU_SOURCE
#include "io/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/callback.h"
#include "base/file_system.h"
#include "base/replacement.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/file_write.h"
#include "core/c/object.h"
#include "core/c/payload.h"
#include "ctorch.h"

enum { BUFFER = 64 << 10, PROGRESS_STEP = 16 << 20, LINKS = 40 };

enum sink { SINK_MEMORY, SINK_FILE, SINK_CALLBACK };
enum state { WRITING, FINISHED, FAILED };

struct ctorch_writer {
  enum sink sink;
  enum state state;
  size_t nbytes;       /* written, those in the buffer included */
  unsigned char *data; /* SINK_MEMORY: all of it; else what is not yet handed on */
  size_t len, capacity;
  /* SINK_FILE */
  bool in_place; /* a device or pipe, which no file can replace */
  char *path;    /* as given */
  struct replacement file;
  /* SINK_CALLBACK */
  ctorch_writer_write_callback write;
  void (*destroy)(void *payload);
  void *payload;
  ctorch_writer_progress_callback progress;
  void (*progress_destroy)(void *payload);
  void *progress_payload;
};

static void finalize(void *object) {
  ctorch_writer *self = object;
  payload_destroy(self->progress_destroy, self->progress_payload);
  if (self->sink == SINK_FILE) {
    replacement_close(&self->file);
  }
  if (self->sink == SINK_CALLBACK) {
    payload_destroy(self->destroy, self->payload);
  }
  free(self->data);
  free(self->path);
}

static const object_class writer_class = {"writer", sizeof(ctorch_writer), finalize};

void ctorch_writer_retain(const ctorch_writer *self) { object_retain(self); }
void ctorch_writer_release(ctorch_writer *self) { object_release(self); }

/* Files ------------------------------------------------------------------------------------------------------------ */

/* Where a path leads, links followed, which may be where nothing is yet. errno for NULL. */
static char *follow(const char *path) {
  char *at = strdup(path);
  for (int links = 0; at != NULL; links++) {
    char link[PATH_MAX];
    ssize_t len = readlink(at, link, sizeof(link) - 1);
    if (len < 0) {
      return at; /* no link, or nothing: opening it will tell */
    }
    if (links == LINKS) {
      free(at);
      errno = ELOOP;
      return NULL;
    }
    link[len] = '\0';
    char *next = NULL;
    if (link[0] == '/') {
      next = strdup(link);
    } else {
      char *folder = system_folder(at);
      if (folder != NULL && asprintf(&next, "%s/%s", folder, link) < 0) {
        next = NULL;
      }
      free(folder);
    }
    free(at);
    at = next;
  }
  errno = ENOMEM;
  return NULL;
}

static int open_again(const char *path, int flags) {
  int file;
  do {
    file = open(path, flags | O_CLOEXEC, 0666);
  } while (file < 0 && errno == EINTR);
  return file;
}

/* Open where to write to. errno for false. */
static bool open_file(ctorch_writer *self) {
  char *target = follow(self->path);
  if (target == NULL) {
    return false;
  }
  self->file.target = target;
  struct stat status;
  bool exists = stat(target, &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    return false;
  }
  if (exists && access(target, W_OK) != 0) {
    return false;
  }
  self->in_place = exists && !S_ISREG(status.st_mode);
  if (self->in_place) {
    self->file.file = open_again(target, O_WRONLY);
    return self->file.file >= 0;
  }
  if (!replacement_open(&self->file, target)) {
    return false;
  }
  if (exists) {
    /* Who may read it stays; whose it is, where the system lets that be given away. */
    if (fchown(self->file.file, status.st_uid, status.st_gid) != 0) {
      errno = 0;
    }
    if (fchmod(self->file.file, status.st_mode & 07777) != 0) {
      errno = 0;
    }
  }
  return true;
}

ctorch_error *ctorch_writer_open(ctorch_writer **out, const char *path) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  if (path == NULL) {
    return error_null(__func__, "path");
  }
  CTORCH_TRY(error_unless_text(__func__, "path", path));
  if (path[0] == '\0') {
    return error_argument(__func__, "path", "expected the name of a file, got an empty text");
  }
  ctorch_writer *self = object_new(&writer_class);
  if (self == NULL) {
    return object_give(__func__, out, NULL);
  }
  self->sink = SINK_FILE;
  self->file.file = -1;
  self->path = strdup(path);
  if (self->path == NULL) {
    object_unref(self);
    return error_memory(__func__, strlen(path) + 1);
  }
  if (!open_file(self)) {
    ctorch_error *error = system_error(__func__, "create", path);
    object_unref(self);
    return error;
  }
  return object_give(__func__, out, self);
}

static bool write_all(int file, const unsigned char *data, size_t nbytes) {
  while (nbytes > 0) {
    ssize_t done = file_write(file, data, nbytes);
    if (done < 0 && errno == EINTR) {
      continue;
    }
    if (done <= 0) {
      errno = done == 0 ? ENOSPC : errno;
      return false;
    }
    data += done;
    nbytes -= (size_t)done;
  }
  return true;
}

static int sync_file(int file) {
  int result;
  do {
    result = fsync(file);
  } while (result != 0 && errno == EINTR);
  return result;
}

/* Bring a file to the disk, and give it its name. */
static ctorch_error *finish_file(const char *function, ctorch_writer *self) {
  const bool is_synced = sync_file(self->file.file) == 0 || (self->in_place && (errno == EINVAL || errno == ENOTSUP));
  if (!is_synced || (!self->in_place && !replacement_publish(&self->file))) {
    return system_error(function, "write", self->path);
  }
  char *folder = system_folder(self->file.target);
  if (folder == NULL) {
    return error_memory(function, strlen(self->path) + 1);
  }
  ctorch_error *error = NULL;
  if (!replacement_close(&self->file)) {
    error = system_error(function, "write", self->path);
  } else if (!self->in_place) {
    error = system_sync_folder(function, folder);
  }
  free(folder);
  return error;
}

/* Memory and callbacks --------------------------------------------------------------------------------------------- */

ctorch_error *ctorch_writer_new(ctorch_writer **out) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  return object_give(__func__, out, object_new(&writer_class));
}

ctorch_error *ctorch_writer_from_callback(
    ctorch_writer **out, ctorch_writer_write_callback write, void (*destroy)(void *payload), void *payload) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  if (write == NULL) {
    return error_null(__func__, "write");
  }
  ctorch_writer *self = object_new(&writer_class);
  if (self != NULL) {
    self->sink = SINK_CALLBACK;
    self->write = write;
    self->destroy = destroy;
    self->payload = payload;
  }
  return object_give(__func__, out, self);
}

static ctorch_error *reserve(const char *function, ctorch_writer *self, size_t more) {
  if (more <= self->capacity - self->len) {
    return NULL;
  }
  size_t capacity = self->capacity < 4096 ? 4096 : self->capacity;
  while (capacity - self->len < more) {
    if (capacity > SIZE_MAX / 2) {
      return error_memory(function, more);
    }
    capacity *= 2;
  }
  unsigned char *data = realloc(self->data, capacity);
  if (data == NULL) {
    return error_memory(function, capacity);
  }
  self->data = data;
  self->capacity = capacity;
  return NULL;
}

/* Writing ---------------------------------------------------------------------------------------------------------- */

/* Hand bytes on to the file or the callback. */
static ctorch_error *hand_on(const char *function, ctorch_writer *self, const unsigned char *data, size_t nbytes) {
  if (self->sink == SINK_FILE) {
    return write_all(self->file.file, data, nbytes) ? NULL : system_error(function, "write", self->path);
  }
  ctorch_error *failure = NULL;
  ctorch_callback_status status = self->write(data, nbytes, &failure, self->payload);
  return callback_error(function, "write", status, failure);
}

static ctorch_error *flush(const char *function, ctorch_writer *self) {
  if (self->sink == SINK_MEMORY || self->len == 0) {
    return NULL;
  }
  CTORCH_TRY(hand_on(function, self, self->data, self->len));
  self->len = 0;
  return NULL;
}

static ctorch_error *append(const char *function, ctorch_writer *self, const unsigned char *data, size_t nbytes) {
  if (self->sink != SINK_MEMORY && self->len + nbytes > BUFFER) {
    CTORCH_TRY(flush(function, self));
    if (nbytes >= BUFFER) {
      return hand_on(function, self, data, nbytes);
    }
  }
  CTORCH_TRY(reserve(function, self, nbytes));
  memcpy(self->data + self->len, data, nbytes);
  self->len += nbytes;
  return NULL;
}

static ctorch_error *tell(ctorch_writer *self) {
  if (self->progress == NULL) {
    return NULL;
  }
  ctorch_error *failure = NULL;
  ctorch_callback_status status = self->progress(self->nbytes, &failure, self->progress_payload);
  return callback_error("ctorch_writer_set_progress", "callback", status, failure);
}

static ctorch_error *write_parts(const char *function, ctorch_writer *self, const unsigned char *data, size_t nbytes) {
  while (nbytes > 0) {
    size_t part = nbytes;
    if (self->progress != NULL) {
      size_t until = PROGRESS_STEP - self->nbytes % PROGRESS_STEP;
      part = nbytes < until ? nbytes : until;
    }
    CTORCH_TRY(append(function, self, data, part));
    self->nbytes += part;
    data += part;
    nbytes -= part;
    if (self->progress != NULL && self->nbytes % PROGRESS_STEP == 0) {
      CTORCH_TRY(tell(self));
    }
  }
  return NULL;
}

static ctorch_error *check_writing(const char *function, const ctorch_writer *self) {
  if (self->state == WRITING) {
    return NULL;
  }
  const char *why = self->state == FINISHED ? "is finished" : "has failed before";
  return error_make(function, CTORCH_ERROR_RUNTIME, "self: %.1000s %s", writer_name(self), why);
}

ctorch_error *writer_write(const char *function, ctorch_writer *self, const void *data, uint64_t nbytes) {
  CTORCH_TRY(check_writing(function, self));
  if (nbytes > INT64_MAX - (uint64_t)self->nbytes) {
    return error_argument(function, "data_nbytes", "expected a file of at most INT64_MAX bytes");
  }
  ctorch_error *error = write_parts(function, self, data, (size_t)nbytes);
  if (error != NULL) {
    self->state = FAILED;
  }
  return error;
}

ctorch_error *ctorch_writer_write(ctorch_writer *self, const void *data, size_t data_nbytes) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  if (data == NULL && data_nbytes > 0) {
    return error_null(__func__, "data");
  }
  return writer_write(__func__, self, data, data_nbytes);
}

bool writer_can_rewrite(const ctorch_writer *self) {
  return self->sink == SINK_MEMORY || (self->sink == SINK_FILE && !self->in_place);
}

static ctorch_error *rewrite_file(
    const char *function, ctorch_writer *self, uint64_t offset, const unsigned char *data, size_t nbytes) {
  CTORCH_TRY(flush(function, self));
  while (nbytes > 0) {
    ssize_t done = file_pwrite(self->file.file, data, nbytes, (off_t)offset);
    if (done < 0 && errno == EINTR) {
      continue;
    }
    if (done <= 0) {
      return system_error(function, "write", self->path);
    }
    data += done;
    offset += (uint64_t)done;
    nbytes -= (size_t)done;
  }
  return NULL;
}

ctorch_error *writer_rewrite(
    const char *function, ctorch_writer *self, uint64_t offset, const void *data, uint64_t nbytes) {
  CTORCH_TRY(check_writing(function, self));
  if (!writer_can_rewrite(self) || offset > self->nbytes || nbytes > self->nbytes - offset) {
    return error_make(function, CTORCH_ERROR_INTERNAL, "%.1000s cannot be rewritten there", writer_name(self));
  }
  ctorch_error *error = NULL;
  if (self->sink == SINK_FILE) {
    error = rewrite_file(function, self, offset, data, (size_t)nbytes);
  } else if (nbytes > 0) {
    memcpy(self->data + offset, data, (size_t)nbytes);
  }
  if (error != NULL) {
    self->state = FAILED;
  }
  return error;
}

ctorch_error *ctorch_writer_finish(ctorch_writer *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  CTORCH_TRY(check_writing(__func__, self));
  ctorch_error *error = flush(__func__, self);
  THEN(error, tell(self));
  if (error == NULL && self->sink == SINK_FILE) {
    error = finish_file(__func__, self);
  }
  self->state = error == NULL ? FINISHED : FAILED;
  return error;
}

size_t ctorch_writer_nbytes(const ctorch_writer *self) { return self == NULL ? 0 : self->nbytes; }

const void *ctorch_writer_data(const ctorch_writer *self) {
  return self == NULL || self->sink != SINK_MEMORY ? NULL : self->data;
}

const char *writer_path(const ctorch_writer *self) { return self->path; }

const char *writer_name(const ctorch_writer *self) { return self->path == NULL ? "data" : self->path; }

ctorch_error *ctorch_writer_set_progress(
    ctorch_writer *self, ctorch_writer_progress_callback callback, void (*destroy)(void *payload), void *payload) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  payload_destroy(self->progress_destroy, self->progress_payload);
  self->progress = callback;
  self->progress_destroy = destroy;
  self->progress_payload = payload;
  return NULL;
}
