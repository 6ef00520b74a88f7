/* One list of connections and one thread, which sleeps until the next deadline, or until a connection that is read to
 * its end has sent something. */
#define _GNU_SOURCE /* F_DUPFD_CLOEXEC */
#include "sockets.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"

/* How long the client of a connection that is closing may be silent. */
static const uint64_t LONGEST_SILENCE = UINT64_C(2) * CLOCK_SECOND;

struct connection {
  sockets *sockets;
  connection *previous, *next;
  int file;
  bool is_receiving, is_closing; /* closing: its file is our own, and is read until the client closes it too */
  uint64_t deadline, end;        /* end: of what is closing, however much its client sends */
};

struct sockets {
  pthread_mutex_t mutex;
  pthread_t thread;
  int wake; /* an event for the thread */
  bool is_stopping;
  connection *first;
  uint64_t next_wake, closing_time;
  size_t closing_len, closing_max;
  struct pollfd *files; /* of the event, and of the connections that are closing */
  connection **closing; /* those; [0] is not used */
};

static void wake(sockets *self) {
  const uint64_t one = 1;
  (void)!write(self->wake, &one, sizeof one);
}

static void link_in(sockets *self, connection *one) {
  one->previous = NULL;
  one->next = self->first;
  if (self->first != NULL) {
    self->first->previous = one;
  }
  self->first = one;
}

static void unlink_from(sockets *self, connection *one) {
  *(one->previous != NULL ? &one->previous->next : &self->first) = one->next;
  if (one->next != NULL) {
    one->next->previous = one->previous;
  }
}

static void set_deadline(connection *self, uint64_t deadline) {
  self->deadline = deadline;
  if (deadline < self->sockets->next_wake) {
    self->sockets->next_wake = deadline;
    wake(self->sockets);
  }
}

static void set_closing_deadline(connection *self) {
  const uint64_t silent = clock_now() + LONGEST_SILENCE;
  set_deadline(self, silent < self->end ? silent : self->end);
}

/* The thread ------------------------------------------------------------------------------------------------------- */

static void close_now(sockets *self, connection *one) {
  unlink_from(self, one);
  self->closing_len--;
  close(one->file);
  free(one);
}

static void expire(sockets *self) {
  const uint64_t now = clock_now();
  self->next_wake = SOCKETS_NEVER;
  for (connection *one = self->first, *next; one != NULL; one = next) {
    next = one->next;
    if (one->deadline <= now && one->is_closing) {
      close_now(self, one);
      continue;
    }
    if (one->deadline <= now) {
      shutdown(one->file, SHUT_RDWR); /* whoever reads it sees its end */
      one->deadline = SOCKETS_NEVER;
    }
    self->next_wake = one->deadline < self->next_wake ? one->deadline : self->next_wake;
  }
}

/* What the thread waits for. */
static size_t gather(sockets *self) {
  size_t len = 1;
  self->files[0] = (struct pollfd){.fd = self->wake, .events = POLLIN};
  for (connection *one = self->first; one != NULL; one = one->next) {
    if (one->is_closing) {
      self->files[len] = (struct pollfd){.fd = one->file, .events = POLLIN};
      self->closing[len++] = one;
    }
  }
  return len;
}

/* A piece at a time, so that a fast client does not keep the thread from the others. */
static void discard(sockets *self, connection *one) {
  char bytes[64 * 1024];
  const ssize_t len = recv(one->file, bytes, sizeof bytes, MSG_DONTWAIT);
  if (len == 0 || (len < 0 && errno != EAGAIN && errno != EINTR)) {
    close_now(self, one);
  } else if (len > 0) {
    set_closing_deadline(one);
  }
}

static int milliseconds_until(uint64_t moment) {
  const uint64_t now = clock_now();
  if (moment == SOCKETS_NEVER) {
    return -1;
  }
  const uint64_t left = moment > now ? (moment - now) / (CLOCK_SECOND / 1000) + 1 : 0;
  return left < INT_MAX ? (int)left : INT_MAX;
}

static void *watch(void *argument) {
  sockets *self = argument;
  uint64_t events;
  pthread_mutex_lock(&self->mutex);
  while (!self->is_stopping) {
    expire(self);
    const size_t len = gather(self);
    const int timeout = milliseconds_until(self->next_wake);
    pthread_mutex_unlock(&self->mutex);
    poll(self->files, len, timeout);
    pthread_mutex_lock(&self->mutex);
    if (self->files[0].revents != 0) {
      (void)!read(self->wake, &events, sizeof events);
    }
    for (size_t i = 1; i < len; i++) { /* nobody else takes these out of the list */
      if (self->files[i].revents != 0) {
        discard(self, self->closing[i]);
      }
    }
  }
  pthread_mutex_unlock(&self->mutex);
  return NULL;
}

/* Connections ------------------------------------------------------------------------------------------------------ */

connection *sockets_add(sockets *self, int file, uint64_t deadline) {
  connection *one = malloc(sizeof *one);
  if (one == NULL) {
    return NULL;
  }
  *one = (connection){.sockets = self, .file = file, .is_receiving = true};
  pthread_mutex_lock(&self->mutex);
  link_in(self, one);
  set_deadline(one, deadline);
  pthread_mutex_unlock(&self->mutex);
  return one;
}

static void change(connection *self, bool is_receiving, uint64_t deadline) {
  pthread_mutex_lock(&self->sockets->mutex);
  self->is_receiving = is_receiving;
  set_deadline(self, deadline);
  pthread_mutex_unlock(&self->sockets->mutex);
}

void connection_receives(connection *self, uint64_t deadline) { change(self, true, deadline); }

void connection_sends(connection *self, uint64_t deadline) { change(self, false, deadline); }

/* The client sees that nothing more comes; what it still sends is read. False if there are too many such connections. */
static bool begin_closing(connection *self) {
  sockets *sockets = self->sockets;
  if (sockets->closing_len == sockets->closing_max) {
    return false;
  }
  sockets->closing_len++;
  shutdown(self->file, SHUT_WR);
  self->is_closing = true;
  self->end = clock_now() + sockets->closing_time;
  set_closing_deadline(self);
  wake(sockets);
  return true;
}

void connection_end(connection *self, bool is_read) {
  sockets *sockets = self->sockets;
  const int file = is_read && self->is_receiving ? fcntl(self->file, F_DUPFD_CLOEXEC, 0) : -1;
  pthread_mutex_lock(&sockets->mutex);
  self->file = file;
  if (file < 0 || !begin_closing(self)) {
    unlink_from(sockets, self);
    free(self);
    if (file >= 0) {
      close(file);
    }
  }
  pthread_mutex_unlock(&sockets->mutex);
}

void sockets_answer(sockets *self, int file, const char *text) {
  connection *one = sockets_add(self, file, SOCKETS_NEVER);
  (void)!send(file, text, strlen(text), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (one != NULL) {
    connection_end(one, true);
  }
  close(file);
}

bool sockets_are_busy(sockets *self) {
  bool are_busy = false;
  pthread_mutex_lock(&self->mutex);
  for (const connection *one = self->first; one != NULL && !are_busy; one = one->next) {
    struct pollfd file = {.fd = one->file, .events = POLLIN};
    are_busy = one->is_closing || poll(&file, 1, 0) > 0;
  }
  pthread_mutex_unlock(&self->mutex);
  return are_busy;
}

/* Their life ------------------------------------------------------------------------------------------------------- */

static void release(sockets *self) {
  if (self->wake >= 0) {
    close(self->wake);
  }
  free(self->files);
  free(self->closing);
  pthread_mutex_destroy(&self->mutex);
  free(self);
}

sockets *sockets_start(size_t closing_max, uint64_t closing_time) {
  sockets *self = malloc(sizeof *self);
  if (self == NULL) {
    return NULL;
  }
  *self = (sockets){
      .wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
      .next_wake = SOCKETS_NEVER,
      .closing_time = closing_time,
      .closing_max = closing_max,
      .files = calloc(closing_max + 1, sizeof *self->files),
      .closing = calloc(closing_max + 1, sizeof(connection *)),
  };
  pthread_mutex_init(&self->mutex, NULL);
  if (self->wake < 0 || self->files == NULL || self->closing == NULL ||
      pthread_create(&self->thread, NULL, watch, self) != 0) {
    release(self);
    return NULL;
  }
  return self;
}

void sockets_stop(sockets *self) {
  if (self == NULL) {
    return;
  }
  pthread_mutex_lock(&self->mutex);
  self->is_stopping = true;
  wake(self);
  pthread_mutex_unlock(&self->mutex);
  pthread_join(self->thread, NULL);
  while (self->first != NULL) {
    close_now(self, self->first);
  }
  release(self);
}
