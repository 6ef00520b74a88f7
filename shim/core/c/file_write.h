/* write() and pwrite() that fail with EFBIG where a file would grow beyond the process's limit (`ulimit -f`). By itself
 * the system sends SIGXFSZ as well, which ends a program that does not know of it; here it is held back and taken, on
 * this thread alone. */
#ifndef CTORCH_SHIM_CORE_C_FILE_WRITE_H
#define CTORCH_SHIM_CORE_C_FILE_WRITE_H

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

struct file_limit {
  sigset_t before;
  int was_pending;
};

static inline void file_limit_hold(struct file_limit *self) {
  sigset_t limit, pending;
  sigemptyset(&limit);
  sigaddset(&limit, SIGXFSZ);
  sigemptyset(&pending);
  sigpending(&pending);
  self->was_pending = sigismember(&pending, SIGXFSZ) == 1;
  pthread_sigmask(SIG_BLOCK, &limit, &self->before);
}

/* errno stays. */
static inline void file_limit_release(const struct file_limit *self) {
  const struct timespec now = {0, 0};
  const int reason = errno;
  sigset_t limit;
  if (reason == EFBIG && !self->was_pending) {
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    while (sigtimedwait(&limit, NULL, &now) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &self->before, NULL);
  errno = reason;
}

static inline ssize_t file_write(int file, const void *data, size_t nbytes) {
  struct file_limit limit;
  file_limit_hold(&limit);
  errno = 0;
  const ssize_t done = write(file, data, nbytes);
  file_limit_release(&limit);
  return done;
}

static inline ssize_t file_pwrite(int file, const void *data, size_t nbytes, off_t offset) {
  struct file_limit limit;
  file_limit_hold(&limit);
  errno = 0;
  const ssize_t done = pwrite(file, data, nbytes, offset);
  file_limit_release(&limit);
  return done;
}

#endif
