/* What goes wrong with files, and what concerns folders. */
#define _POSIX_C_SOURCE 200809L
#include "base/file_system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/c/error.h"

ctorch_error *system_error(const char *function, const char *what, const char *path) {
  char text[256];
  int number = errno;
  if (strerror_r(number, text, sizeof(text)) != 0) {
    strcpy(text, "unknown error");
  }
  return error_make(function, CTORCH_ERROR_IO, "cannot %s %.1000s: %s", what, path, text);
}

char *system_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  if (slash == NULL) {
    return strdup(".");
  }
  return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

ctorch_error *system_sync_folder(const char *function, const char *folder) {
  int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) {
    return errno == EACCES ? NULL : system_error(function, "open", folder);
  }
  int result;
  do {
    result = fsync(file);
  } while (result != 0 && errno == EINTR);
  ctorch_error *error = NULL;
  if (result != 0 && errno != EINVAL && errno != ENOTSUP) { /* not every file system can */
    error = system_error(function, "sync", folder);
  }
  close(file);
  return error;
}
