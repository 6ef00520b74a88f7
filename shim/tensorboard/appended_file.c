/* Text files to which lines are appended: appended_file.h. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "tensorboard/appended_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_system.h"
#include "core/c/error.h"
#include "core/c/file_write.h"

void appended_file_close(struct appended_file *self) {
  if (self->file >= 0) {
    close(self->file);
  }
  self->file = -1;
}

/* Where the last line ends that is whole, looked for from the end; false by errno. */
static bool find_end(struct appended_file *self, uint64_t size) {
  char piece[4096];
  while (size > 0) {
    const size_t len = size < sizeof piece ? (size_t)size : sizeof piece;
    const ssize_t got = pread(self->file, piece, len, (off_t)(size - len));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return false;
    }
    for (size_t i = (size_t)got; i-- > 0;) {
      if (piece[i] == '\n') {
        self->size = size - len + i + 1;
        return true;
      }
    }
    size -= len;
  }
  self->size = 0;
  return true;
}

ctorch_error *appended_file_open(const char *function, struct appended_file *self) {
  struct stat status;
  self->file = open(self->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (self->file < 0) {
    return system_error(function, "open", self->path);
  }
  if (fstat(self->file, &status) != 0 || !S_ISREG(status.st_mode)) {
    appended_file_close(self);
    return error_make(function, CTORCH_ERROR_IO, "cannot write %s: it is no regular file", self->path);
  }
  if (!find_end(self, (uint64_t)status.st_size) || ftruncate(self->file, (off_t)self->size) != 0) {
    ctorch_error *error = system_error(function, "write", self->path);
    appended_file_close(self);
    return error;
  }
  return NULL;
}

ctorch_error *appended_file_put(const char *function, struct appended_file *self, const char *lines, size_t len) {
  size_t done = 0;
  while (done < len) {
    const ssize_t put = file_pwrite(self->file, lines + done, len - done, (off_t)(self->size + done));
    if (put < 0 && errno == EINTR) {
      continue;
    }
    if (put < 0) {
      ctorch_error *error = system_error(function, "write", self->path);
      while (ftruncate(self->file, (off_t)self->size) != 0 && errno == EINTR) {
      }
      return error;
    }
    done += (size_t)put;
  }
  self->size += len;
  return NULL;
}

ctorch_error *appended_file_read(const char *function, const struct appended_file *self, struct buffer *out) {
  uint64_t done = 0;
  unsigned char *room = buffer_room(out, (size_t)self->size + 1);
  if (room == NULL) {
    return error_memory(function, self->size);
  }
  while (done < self->size) {
    const ssize_t got = pread(self->file, room + done, (size_t)(self->size - done), (off_t)done);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      return got < 0 ? system_error(function, "read", self->path)
                     : error_make(function, CTORCH_ERROR_IO, "%s has become shorter", self->path);
    }
    done += (uint64_t)got;
  }
  out->len += (size_t)self->size;
  return NULL;
}

ctorch_error *appended_file_sync(const char *function, const struct appended_file *self) {
  return fsync(self->file) == 0 ? NULL : system_error(function, "write", self->path);
}
