/* Event files that are written: event_file.h. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "tensorboard/event_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file_system.h"
#include "base/text.h"
#include "core/c/error.h"
#include "core/c/file_write.h"

enum { MOST_WAITING = 64 << 20, FILE_NAMES = 100000 };

double event_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double elapsed(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void event_file_end(struct event_file *self) {
  if (self->file >= 0) {
    close(self->file);
  }
  self->file = -1;
  free(self->waiting.data);
  free(self->folder);
  free(self->suffix);
  free(self->path);
  self->waiting = (struct buffer){NULL, 0, 0};
  self->folder = self->suffix = self->path = NULL;
}

/* Writing ---------------------------------------------------------------------------------------------------------- */

static bool write_all(int file, const unsigned char *data, size_t len) {
  while (len > 0) {
    ssize_t done = file_write(file, data, len);
    if (done < 0 && errno == EINTR) {
      continue;
    }
    if (done < 0) {
      return false;
    }
    data += done;
    len -= (size_t)done;
  }
  return true;
}

ctorch_error *event_file_write(const char *function, struct event_file *self) {
  self->written = elapsed();
  if (self->waiting.len == 0) {
    return NULL;
  }
  if (!write_all(self->file, self->waiting.data, self->waiting.len)) {
    ctorch_error *error = system_error(function, "write", self->path);
    /* What went in of it would be a torn record in the middle. */
    while (ftruncate(self->file, (off_t)self->size) != 0 && errno == EINTR) {
    }
    (void)lseek(self->file, (off_t)self->size, SEEK_SET);
    return error;
  }
  self->size += self->waiting.len;
  self->waiting.len = 0;
  self->waiting_len = 0;
  return NULL;
}

ctorch_error *event_file_sync(const char *function, struct event_file *self) {
  CTORCH_TRY(event_file_write(function, self));
  if (fsync(self->file) != 0 && errno != EINVAL && errno != EROFS) { /* of a pipe */
    return system_error(function, "write", self->path);
  }
  return NULL;
}

static ctorch_error *put(const char *function, struct event_file *self, const struct event *event) {
  size_t start = 0;
  struct buffer *waiting = &self->waiting;
  ctorch_error *error = NULL;
  const size_t before = waiting->len;
  if (record_open(waiting, &start)) {
    error = message_write(function, event, waiting);
    if (error == NULL && record_close(waiting, start)) {
      self->waiting_len++;
      return NULL;
    }
  }
  waiting->len = before;
  return error != NULL ? error : error_memory(function, 0);
}

/* Beginning -------------------------------------------------------------------------------------------------------- */

static ctorch_error *put_version(const char *function, struct event_file *self) {
  const struct event version = {
      .wall_time = event_time(), .what = EVENT_VERSION, .version = "brain.Event:2", .writer = "ctorch"};
  CTORCH_TRY(put(function, self, &version));
  self->has_events = false;
  self->begun = elapsed();
  return event_file_write(function, self);
}

static ctorch_error *make_folders(const char *function, const char *folder) {
  char *path = strdup(folder);
  if (path == NULL) {
    return error_memory(function, strlen(folder) + 1);
  }
  bool is_made = true;
  for (char *at = path + 1; is_made && *at != '\0'; at++) {
    if (*at == '/') {
      *at = '\0';
      is_made = mkdir(path, 0777) == 0 || errno == EEXIST || access(path, X_OK) == 0;
      *at = '/';
    }
  }
  struct stat status;
  is_made = is_made && (mkdir(path, 0777) == 0 || errno == EEXIST);
  if (is_made && stat(path, &status) == 0 && !S_ISDIR(status.st_mode)) {
    errno = ENOTDIR;
    is_made = false;
  }
  ctorch_error *error = is_made ? NULL : system_error(function, "create", folder);
  free(path);
  return error;
}

/* "events.out.tfevents.<seconds>.<host>.<process>.<number>": TensorBoard reads files in the order of their names. */
static ctorch_error *new_path(const char *function, const struct event_file *self, int64_t stamp, char **out) {
  static atomic_uint numbers = 0;
  char host[256] = "localhost";
  struct text text = {.function = function};
  if (gethostname(host, sizeof host - 1) != 0) {
    strcpy(host, "localhost");
  }
  text_add(
      &text, "%s/events.out.tfevents.%010" PRId64 ".%s.%ld.%u%s", self->folder, stamp, host, (long)getpid(),
      atomic_fetch_add(&numbers, 1), self->suffix == NULL ? "" : self->suffix);
  char *path = text.error == NULL ? strdup(text_data(&text)) : NULL;
  ctorch_error *error = text_end(&text);
  if (error == NULL && path == NULL) {
    error = error_memory(function, 0);
  }
  if (error != NULL) {
    free(path);
    return error;
  }
  *out = path;
  return NULL;
}

/* Make a file that was not there; the one before stays where it fails. */
static ctorch_error *make_file(const char *function, struct event_file *self) {
  const int64_t now = (int64_t)time(NULL), stamp = now > self->stamp ? now : self->stamp + 1;
  for (int tries = 0; tries < FILE_NAMES; tries++) {
    char *path = NULL;
    CTORCH_TRY(new_path(function, self, stamp, &path));
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) {
      if (self->file >= 0) {
        close(self->file);
      }
      free(self->path);
      self->path = path;
      self->file = file;
      self->stamp = stamp;
      self->size = 0;
      return NULL;
    }
    if (errno != EEXIST && errno != EINTR) {
      ctorch_error *error = system_error(function, "create", path);
      free(path);
      return error;
    }
    free(path);
  }
  return error_make(function, CTORCH_ERROR_IO, "cannot create a file in %s: all names are taken", self->folder);
}

ctorch_error *event_file_begin(const char *function, struct event_file *self) {
  self->file = -1;
  CTORCH_TRY(make_folders(function, self->folder));
  CTORCH_TRY(make_file(function, self));
  ctorch_error *error = put_version(function, self);
  return error != NULL ? error : system_sync_folder(function, self->folder);
}

/* Where its whole records end. */
static ctorch_error *find_end(const char *function, struct event_file *self, bool *is_empty) {
  struct records records = {.file = self->file};
  const unsigned char *data = NULL;
  size_t len = 0;
  enum record_state state = RECORD_WHOLE;
  while (state == RECORD_WHOLE) {
    state = records_next(&records, &data, &len);
  }
  self->size = records.offset;
  *is_empty = records.offset == 0;
  int reason = errno;
  free(records.ahead.data);
  errno = reason;
  switch (state) {
    case RECORD_TORN:
      return NULL;
    case RECORD_MEMORY:
      return error_memory(function, 0);
    case RECORD_FAILED:
      return system_error(function, "read", self->path);
    default:
      return error_make(
          function, CTORCH_ERROR_FORMAT, "path: %s has no record at byte %" PRIu64, self->path, self->size);
  }
}

ctorch_error *event_file_continue(const char *function, struct event_file *self) {
  bool is_empty = false;
  struct stat status;
  self->file = open(self->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (self->file < 0) {
    return system_error(function, "open", self->path);
  }
  if (fstat(self->file, &status) != 0 || !S_ISREG(status.st_mode)) {
    return error_make(function, CTORCH_ERROR_IO, "path: %s is no regular file", self->path);
  }
  CTORCH_TRY(find_end(function, self, &is_empty));
  if (is_empty && status.st_size > 0 && status.st_size >= 4096) { /* torn at its first record, which is short */
    return error_make(function, CTORCH_ERROR_FORMAT, "path: %s is no event file", self->path);
  }
  if (ftruncate(self->file, (off_t)self->size) != 0 || lseek(self->file, (off_t)self->size, SEEK_SET) < 0) {
    return system_error(function, "write", self->path);
  }
  self->begun = self->written = elapsed();
  self->has_events = !is_empty;
  return is_empty ? put_version(function, self) : NULL;
}

/* Going on --------------------------------------------------------------------------------------------------------- */

static bool is_old(const struct event_file *self) {
  return self->max_secs > 0 && self->has_events && elapsed() - self->begun >= self->max_secs;
}

/* End this file, and begin the next. */
static ctorch_error *rotate(const char *function, struct event_file *self) {
  CTORCH_TRY(event_file_sync(function, self));
  CTORCH_TRY(make_file(function, self));
  return put_version(function, self);
}

/* Put an event into the file that has room for it. */
static ctorch_error *put_in_turn(const char *function, struct event_file *self, const struct event *event) {
  const size_t before = self->waiting.len;
  const int64_t before_len = self->waiting_len;
  if (self->folder != NULL && is_old(self)) {
    CTORCH_TRY(rotate(function, self));
  }
  CTORCH_TRY(put(function, self, event));
  if (self->folder == NULL || self->max_bytes <= 0 || !self->has_events ||
      self->size + self->waiting.len <= (uint64_t)self->max_bytes) {
    return NULL;
  }
  self->waiting.len = before; /* it goes to the next */
  self->waiting_len = before_len;
  CTORCH_TRY(rotate(function, self));
  return put(function, self, event);
}

ctorch_error *event_file_add(const char *function, struct event_file *self, const struct event *event) {
  if (self->waiting.len > MOST_WAITING) {
    CTORCH_TRY(event_file_write(function, self));
  }
  CTORCH_TRY(put_in_turn(function, self, event));
  self->has_events = true;
  if (self->waiting_len < self->max_queue && elapsed() - self->written < self->flush_secs) {
    return NULL;
  }
  return event_file_write(function, self);
}
