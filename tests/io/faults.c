/* Faults of the system, to be loaded in front of a program (LD_PRELOAD): what writes files counts its calls, and one of
 * them goes wrong.
 *
 *     FAULT=kill FAULT_AT=7       the process dies, as by kill -9, before its 7th call
 *     FAULT=half FAULT_AT=7       if that is a write, half of it is done before
 *     FAULT=fail FAULT_AT=7       it fails: the disk is full
 *     FAULT=interrupt             every call is interrupted before it succeeds, and writes take a part alone
 *     FAULT_NAMED=1               files without a name cannot be made
 *     FAULT_NO_PROC=1             /proc is not there
 *
 * What is counted are calls in the folder FAULT_FOLDER or on what was opened there. At its end the program says on
 * stderr how many went wrong. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { MOST_FILES = 1024 };
static bool is_watched[MOST_FILES];
static int calls, interrupted, wrong;

static bool is(const char *name, const char *value) {
  const char *given = getenv(name);
  return given != NULL && strcmp(given, value) == 0;
}

static bool is_inside(const char *path) {
  const char *folder = getenv("FAULT_FOLDER");
  return folder != NULL && strncmp(path, folder, strlen(folder)) == 0;
}

static bool is_open(int file) { return file >= 0 && file < MOST_FILES && is_watched[file]; }

/* Whether this call fails; errno says how. */
static bool goes_wrong(void) {
  const char *at = getenv("FAULT_AT");
  calls++;
  if (is("FAULT", "interrupt") && ++interrupted % 2 == 1) {
    errno = EINTR;
    wrong++;
    return true;
  }
  if (at == NULL || calls != atoi(at)) {
    return false;
  }
  if (is("FAULT", "kill") || is("FAULT", "half")) {
    kill(getpid(), SIGKILL);
  }
  if (!is("FAULT", "fail")) {
    return false;
  }
  errno = ENOSPC;
  wrong++;
  return true;
}

static bool is_half(void) {
  const char *at = getenv("FAULT_AT");
  return is("FAULT", "half") && at != NULL && calls + 1 == atoi(at);
}

/* Of a program that goes on, how many of its calls did not. */
__attribute__((destructor)) static void tell(void) { fprintf(stderr, "%d calls went wrong\n", wrong); }

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int opened(const char *path, int flags, mode_t mode) {
  bool writes = (flags & O_ACCMODE) != O_RDONLY && is_inside(path);
  if (writes && (flags & O_TMPFILE) == O_TMPFILE && is("FAULT_NAMED", "1")) {
    errno = EOPNOTSUPP;
    return -1;
  }
  if (writes && goes_wrong()) {
    return -1;
  }
  int file = REAL(open)(path, flags, mode);
  if (is_inside(path) && file >= 0 && file < MOST_FILES) {
    is_watched[file] = true;
  }
  return file;
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return opened(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return opened(path, flags, mode);
}

int close(int file) {
  if (is_open(file)) {
    is_watched[file] = false;
  }
  return REAL(close)(file);
}

ssize_t write(int file, const void *data, size_t nbytes) {
  if (is_open(file)) {
    if (is_half()) {
      (void)!REAL(write)(file, data, nbytes / 2);
    }
    if (goes_wrong()) {
      return -1;
    }
    if (is("FAULT", "interrupt")) {
      nbytes = (nbytes + 1) / 2;
    }
  }
  return REAL(write)(file, data, nbytes);
}

int fsync(int file) { return is_open(file) && goes_wrong() ? -1 : REAL(fsync)(file); }

static bool is_missing(const char *path) { return is("FAULT_NO_PROC", "1") && strncmp(path, "/proc/", 6) == 0; }

int access(const char *path, int how) {
  if (is_missing(path)) {
    errno = ENOENT;
    return -1;
  }
  return REAL(access)(path, how);
}

int linkat(int from, const char *path, int to, const char *name, int flags) {
  if (is_missing(path)) {
    errno = ENOENT;
    return -1;
  }
  /* Linking and renaming are not interrupted. */
  return is_inside(name) && !is("FAULT", "interrupt") && goes_wrong() ? -1 : REAL(linkat)(from, path, to, name, flags);
}

int rename(const char *from, const char *to) {
  return is_inside(to) && !is("FAULT", "interrupt") && goes_wrong() ? -1 : REAL(rename)(from, to);
}

int unlink(const char *path) {
  return is_inside(path) && !is("FAULT", "interrupt") && goes_wrong() ? -1 : REAL(unlink)(path);
}
