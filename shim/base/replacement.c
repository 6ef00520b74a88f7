/* Files that replace others when they are complete: replacement.h. */
#define _GNU_SOURCE
#include "base/replacement.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file_system.h"

#define PREFIX ".ctorch-"

enum { NAMES = 100 };

static int open_again(const char *path, int flags) {
  int file;
  do {
    file = open(path, flags | O_CLOEXEC, 0666);
  } while (file < 0 && errno == EINTR);
  return file;
}

/* Names of dead processes ------------------------------------------------------------------------------------------ */

static bool is_ours(const char *name) {
  long process;
  unsigned number;
  unsigned long moment;
  int len = 0;
  return sscanf(name, PREFIX "%ld-%u-%lx%n", &process, &number, &moment, &len) == 3 && name[len] == '\0';
}

/* Remove a file whose lock nobody has, which is then nobody's. */
static void remove_stale(int folder, const char *name) {
  struct stat status;
  const int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) {
    return;
  }
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && flock(file, LOCK_EX | LOCK_NB) == 0) {
    unlinkat(folder, name, 0);
  }
  close(file);
}

/* Once for a folder, as long as no other one is written to: a process leaves nothing behind while it lives. */
static bool is_swept(const struct stat *folder) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static dev_t device;
  static ino_t inode;
  pthread_mutex_lock(&mutex);
  const bool is_the_last = folder->st_dev == device && folder->st_ino == inode;
  device = folder->st_dev;
  inode = folder->st_ino;
  pthread_mutex_unlock(&mutex);
  return is_the_last;
}

static void sweep(const char *folder) {
  struct stat status;
  DIR *names = opendir(folder);
  if (names == NULL) {
    return;
  }
  if (fstat(dirfd(names), &status) == 0 && !is_swept(&status)) {
    for (const struct dirent *entry; (entry = readdir(names)) != NULL;) {
      if (is_ours(entry->d_name)) {
        remove_stale(dirfd(names), entry->d_name);
      }
    }
  }
  closedir(names);
}

/* Names of our own ------------------------------------------------------------------------------------------------- */

/* A new name in a folder; NULL is out of memory. */
static char *new_name(const char *folder) {
  static atomic_uint made = 0;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  char *name = NULL;
  unsigned number = atomic_fetch_add(&made, 1);
  if (asprintf(&name, "%s/" PREFIX "%ld-%u-%lx", folder, (long)getpid(), number, (unsigned long)now.tv_nsec) < 0) {
    errno = ENOMEM;
    return NULL;
  }
  return name;
}

/* Where files can be locked, until they are closed. False if another process took this one for a dead one's, in the
 * moment between its creation and this call. */
static bool lock(int file) {
  struct stat status;
  flock(file, LOCK_EX | LOCK_NB);
  return fstat(file, &status) != 0 || status.st_nlink > 0;
}

static int create(const char *name) {
  const int file = open_again(name, O_RDWR | O_CREAT | O_EXCL);
  if (file >= 0 && !lock(file)) {
    close(file);
    errno = EEXIST;
    return -1;
  }
  return file;
}

static bool open_named(struct replacement *self, const char *folder) {
  sweep(folder);
  errno = EEXIST;
  for (int tries = 0; self->file < 0 && errno == EEXIST && tries < NAMES; tries++) {
    char *name = new_name(folder);
    if (name == NULL) {
      return false;
    }
    self->file = create(name);
    if (self->file >= 0) {
      self->temporary = name;
    } else {
      const int reason = errno;
      free(name);
      errno = reason;
    }
  }
  return self->file >= 0;
}

/* Files without a name --------------------------------------------------------------------------------------------- */

typedef struct descriptor_path {
  char text[32];
} descriptor_path;

static descriptor_path path_of(int file) {
  descriptor_path path;
  snprintf(path.text, sizeof path.text, "/proc/self/fd/%d", file);
  return path;
}

static bool open_unnamed(struct replacement *self, const char *folder) {
  self->file = open_again(folder, O_TMPFILE | O_RDWR);
  if (self->file >= 0 && access(path_of(self->file).text, F_OK) != 0) { /* it could not be named */
    close(self->file);
    self->file = -1;
  }
  return self->file >= 0;
}

static bool link_as(const struct replacement *self, const char *name) {
  return linkat(AT_FDCWD, path_of(self->file).text, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

/* Give it the name that rename() moves. */
static bool name_meanwhile(struct replacement *self) {
  char *folder = system_folder(self->target);
  if (folder == NULL) {
    errno = ENOMEM;
    return false;
  }
  sweep(folder);
  lock(self->file);
  errno = EEXIST;
  for (int tries = 0; self->temporary == NULL && errno == EEXIST && tries < NAMES; tries++) {
    char *name = new_name(folder);
    if (name != NULL && link_as(self, name)) {
      self->temporary = name;
    } else {
      const int reason = errno;
      free(name);
      errno = reason;
    }
  }
  const int reason = errno;
  free(folder);
  errno = reason;
  return self->temporary != NULL;
}

/* Their life ------------------------------------------------------------------------------------------------------- */

bool replacement_open(struct replacement *self, char *target) {
  *self = (struct replacement){.file = -1, .target = target};
  char *folder = system_folder(target);
  if (folder == NULL) {
    errno = ENOMEM;
    return false;
  }
  const bool is_open = open_unnamed(self, folder) || open_named(self, folder);
  const int reason = errno;
  free(folder);
  errno = reason;
  return is_open;
}

bool replacement_publish(struct replacement *self) {
  if (self->temporary == NULL) {
    if (link_as(self, self->target)) {
      return true;
    }
    if (errno != EEXIST || !name_meanwhile(self)) {
      return false;
    }
  }
  if (rename(self->temporary, self->target) != 0) {
    return false;
  }
  free(self->temporary);
  self->temporary = NULL;
  return true;
}

bool replacement_close(struct replacement *self) {
  bool is_closed = true;
  if (self->temporary != NULL) {
    unlink(self->temporary);
  }
  if (self->file >= 0) {
    is_closed = close(self->file) == 0 || errno == EINTR;
  }
  free(self->target);
  free(self->temporary);
  *self = (struct replacement){.file = -1};
  return is_closed;
}
