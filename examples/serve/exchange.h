/** Requests and their answers, as libmicrohttpd calls for them: paths, bodies, refusals. */
#ifndef EXAMPLES_SERVE_EXCHANGE_H
#define EXAMPLES_SERVE_EXCHANGE_H

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>

#include "http.h"
#include "sockets.h"

#define EXCHANGE_JSON_TYPE "application/json"

struct http_server {
  struct MHD_Daemon *daemon;
  sockets *sockets;
  listener *listener;
  const model *model;
  batcher *batcher;
  metrics *metrics;
  http_options options;
  char problem[256];                              /* why the daemon did not start */
  atomic_bool is_started, is_stopping, is_ending; /* ending: no connection is waited for any more */
  atomic_size_t connections;
  pthread_mutex_t mutex;
  pthread_cond_t idle; /* no request is left */
  size_t requests;
};

/**
 * Read and answer a request: MHD_AccessHandlerCallback. The library calls it with the headers, then with each piece of the
 * body, then without one, and again after each resumption.
 */
enum MHD_Result exchange_handle(
    void *cls,
    struct MHD_Connection *connection,
    const char *path,
    const char *method,
    const char *version,
    const char *data,
    size_t *data_len,
    void **slot);

/** Forget a request: MHD_RequestCompletedCallback. */
void exchange_complete(void *cls, struct MHD_Connection *connection, void **slot, enum MHD_RequestTerminationCode why);

#endif
