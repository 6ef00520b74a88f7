/* A few threads wait for all connections at once, so that a slow client holds up nobody; exchange.h has what they do for
 * a request. The library's own timeout is for silence; that a request comes, and its answer is taken, in a given time is
 * what sockets.h watches. */
#define _GNU_SOURCE /* accept4 */
#include "http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "clock.h"
#include "exchange.h"
#include "infer.h"

static void watch_connection(
    void *cls, struct MHD_Connection *connection, void **slot, enum MHD_ConnectionNotificationCode what) {
  http_server *server = cls;
  if (what == MHD_CONNECTION_NOTIFY_STARTED) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    *slot = sockets_add(server->sockets, info->connect_fd, clock_now() + server->options.timeout);
    atomic_fetch_add(&server->connections, 1);
    return;
  }
  atomic_fetch_sub(&server->connections, 1);
  if (*slot != NULL) {
    connection_end(*slot, !atomic_load(&server->is_ending));
  }
}

/* What the library says until it has started; later it is about clients. */
static void keep_problem(void *cls, const char *format, va_list arguments) {
  http_server *server = cls;
  if (!atomic_load(&server->is_started)) {
    vsnprintf(server->problem, sizeof server->problem, format, arguments);
    server->problem[strcspn(server->problem, "\n")] = '\0';
  }
}

/* Its life --------------------------------------------------------------------------------------------------------- */

/* poll, not epoll: with the latter libmicrohttpd misses now and then that a client has gone who had sent a part, and
 * keeps the connection until it has been silent for too long. For as many connections as here poll is as fast. */
static struct MHD_Daemon *start_daemon(http_server *self) {
  const tls *tls = self->options.tls;
  const bool is_tls = tls->certificate != NULL;
  const unsigned flags =
      MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG | (is_tls ? MHD_USE_TLS : 0U);
  struct MHD_OptionItem keys[] = {
      {is_tls ? MHD_OPTION_HTTPS_MEM_CERT : MHD_OPTION_END, 0, tls->certificate},
      {MHD_OPTION_HTTPS_MEM_KEY, 0, tls->key},
      {MHD_OPTION_END, 0, NULL},
  };
  return MHD_start_daemon(
      flags, 0, NULL, NULL, exchange_handle, self, MHD_OPTION_EXTERNAL_LOGGER, keep_problem, self,
      MHD_OPTION_LISTEN_SOCKET, self->listener->file, MHD_OPTION_NOTIFY_COMPLETED, exchange_complete, self,
      MHD_OPTION_NOTIFY_CONNECTION, watch_connection, self, MHD_OPTION_CONNECTION_LIMIT,
      (unsigned)self->options.connections, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)self->options.idle_timeout,
      MHD_OPTION_THREAD_POOL_SIZE, self->options.threads > 1 ? (unsigned)self->options.threads : 0U, MHD_OPTION_ARRAY,
      keys, MHD_OPTION_END);
}

static ctorch_error *start(http_server *self) {
  self->sockets = sockets_start((size_t)self->options.connections, self->options.timeout);
  if (self->sockets == NULL) {
    return ctorch_error_format(CTORCH_ERROR_OUT_OF_MEMORY, "no memory or thread for the server");
  }
  self->daemon = start_daemon(self);
  atomic_store(&self->is_started, true);
  if (self->daemon == NULL) {
    const char *hint = self->options.tls->certificate != NULL ? " Is --tls-cert PEM, and --tls-key its key?" : "";
    return ctorch_error_format(CTORCH_ERROR_STD, "libmicrohttpd does not start: %s%s", self->problem, hint);
  }
  return NULL;
}

ctorch_error *http_server_start(
    http_server **out,
    listener *listener,
    const model *model,
    batcher *batcher,
    metrics *metrics,
    const http_options *options) {
  pthread_condattr_t attributes;
  http_server *self = malloc(sizeof *self);
  if (self == NULL) {
    return ctorch_error_format(CTORCH_ERROR_OUT_OF_MEMORY, "no memory for the server");
  }
  *self =
      (http_server){.listener = listener, .model = model, .batcher = batcher, .metrics = metrics, .options = *options};
  pthread_mutex_init(&self->mutex, NULL);
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&self->idle, &attributes);
  pthread_condattr_destroy(&attributes);
  ctorch_error *error = start(self);
  if (error != NULL) {
    http_server_stop(self, 0);
    return error;
  }
  *out = self;
  return NULL;
}

/* The connections that the system has taken, and the library not yet, because there are --connections already. TLS has
 * no answer before the client has spoken, so they are closed. */
static void answer_waiting(http_server *self) {
  char *body = infer_error("the server is stopping"), text[512] = "";
  if (body != NULL && self->options.tls->certificate == NULL) {
    snprintf(
        text, sizeof text,
        "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\nContent-Type: %s\r\n"
        "Content-Length: %zu\r\n\r\n%s",
        EXCHANGE_JSON_TYPE, strlen(body), body);
  }
  free(body);
  for (int file; (file = accept4(self->listener->file, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0;) {
    metrics_add_response(self->metrics, MHD_HTTP_SERVICE_UNAVAILABLE);
    sockets_answer(self->sockets, file, text);
  }
}

/* Requests that are being read have been counted when their headers are whole; before that their bytes are seen. */
static void wait_until_idle(http_server *self, uint64_t grace) {
  enum { LOOK_AGAIN = CLOCK_SECOND / 200, TIMES = 3 };
  const uint64_t end = clock_now() + grace;
  int idle = 0;
  pthread_mutex_lock(&self->mutex);
  while (idle < TIMES && clock_now() < end) {
    const uint64_t next = clock_now() + LOOK_AGAIN;
    const struct timespec until = clock_timespec(next < end ? next : end);
    pthread_cond_timedwait(&self->idle, &self->mutex, &until);
    idle = self->requests == 0 && !sockets_are_busy(self->sockets) ? idle + 1 : 0;
  }
  pthread_mutex_unlock(&self->mutex);
}

void http_server_stop(http_server *self, uint64_t grace) {
  if (self == NULL) {
    return;
  }
  if (self->daemon != NULL) {
    atomic_store(&self->is_stopping, true);
    MHD_quiesce_daemon(self->daemon); /* the socket is ours again */
    answer_waiting(self);
    listener_close(self->listener);
    batcher_drain(self->batcher);
    wait_until_idle(self, grace);
    atomic_store(&self->is_ending, true);
    MHD_stop_daemon(self->daemon);
  }
  sockets_stop(self->sockets);
  pthread_cond_destroy(&self->idle);
  pthread_mutex_destroy(&self->mutex);
  free(self);
}
