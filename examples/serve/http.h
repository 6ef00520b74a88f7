/** The server itself: HTTP, by libmicrohttpd (gnu.org/software/libmicrohttpd), and what is answered at which path. */
#ifndef EXAMPLES_SERVE_HTTP_H
#define EXAMPLES_SERVE_HTTP_H

#include "batcher.h"
#include "listener.h"
#include "tls.h"

typedef struct http_options {
  int32_t threads;
  int32_t connections;
  size_t max_body;       /* bytes */
  uint64_t timeout;      /* nanoseconds: to read a request, and then until its computation begins */
  uint32_t idle_timeout; /* seconds without a byte after which a connection is closed, and to take an answer */
  const tls *tls;        /* borrowed as long as the server runs */
} http_options;

typedef struct http_server http_server;

/**
 * Start to serve.
 *
 * @param[out] out  owned; give it back with http_server_stop.
 * @param listener  borrowed until then.
 * @param model     borrowed until then.
 * @param batcher   borrowed until then; what it takes is finished before its end.
 * @param metrics   borrowed until then.
 * @param options   borrowed.
 * @return NULL, or OUT_OF_MEMORY, STD (with what the library says, of a certificate for example).
 */
ctorch_error *http_server_start(
    http_server **out,
    listener *listener,
    const model *model,
    batcher *batcher,
    metrics *metrics,
    const http_options *options);

/**
 * Stop: no connection is taken any more, and those that nobody has taken are answered that the server is stopping; what
 * is queued is computed; what has been read in part has a while to come in, and is refused then; answers are sent.
 *
 * @param self   owned; NULL is allowed.
 * @param grace  nanoseconds that clients may take to send the rest, and to take their answers.
 */
void http_server_stop(http_server *self, uint64_t grace);

#endif
