/* A server for inference: requests come by HTTP, wait in a bounded queue, are computed in batches by worker threads,
 * and are answered. `serve --help` tells the options, examples/README.md how to ask.
 *
 * model.h       what computes: a module with weights, TorchScript, or a package of AOTInductor
 * batcher.h     the queue, the batches and the workers, each batch in a scope of its own
 * infer.h       the protocol's JSON and bytes (json_array.h, array.h: the numbers)
 * exchange.h    paths, bodies, refusals (headers.h)
 * http.h        connections (listener.h, tls.h: the socket; sockets.h: who is too slow)
 * metrics.h     what is counted
 */
#include <ctorch.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "batcher.h"
#include "clock.h"
#include "http.h"
#include "model.h"
#include "options.h"

static sigset_t ending_signals(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

/* Until somebody ends the program; who does it twice does not want to wait. */
static void wait_for_signal(void) {
  const sigset_t signals = ending_signals();
  int which;
  sigwait(&signals, &which);
  pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

static void print_where(const options *options, const listener *listener) {
  if (listener->path != NULL) {
    printf("listening at %s\n", listener->path);
  } else {
    const bool is_6 = strchr(options->address, ':') != NULL;
    printf(
        "listening at %s://%s%s%s:%" PRIu16 "\n", options->tls_cert != NULL ? "https" : "http", is_6 ? "[" : "",
        options->address, is_6 ? "]" : "", listener->port);
  }
  fflush(stdout);
}

static ctorch_error *serve(
    const options *options, listener *listener, const model *model, metrics *metrics, const tls *tls) {
  batcher *batcher = NULL;
  http_server *server = NULL;
  const batcher_options batching = {
      .workers = (int32_t)options->workers,
      .rows = (int64_t)options->batch,
      .delay = options->delay * 1000,
      .capacity = options->queue,
  };
  const http_options serving = {
      .threads = (int32_t)options->http_threads,
      .connections = (int32_t)options->connections,
      .max_body = options->max_body,
      .timeout = options->timeout * 1000 * 1000,
      .idle_timeout = (uint32_t)options->idle_timeout,
      .tls = tls,
  };
  CTORCH_TRY(batcher_start(&batcher, model, metrics, &batching));
  ctorch_error *error = http_server_start(&server, listener, model, batcher, metrics, &serving);
  if (error == NULL) {
    print_where(options, listener);
    wait_for_signal();
  }
  http_server_stop(server, options->grace * CLOCK_SECOND);
  batcher_stop(batcher);
  return error;
}

static ctorch_error *run(const options *options) {
  static metrics metrics;
  listener listener;
  model model;
  tls tls;
  CTORCH_TRY(tls_read(&tls, options->tls_cert, options->tls_key));
  CTORCH_TRY(ctorch_threads_set_num(1)); /* each worker computes by itself */
  ctorch_error *error =
      model_open(&model, options->name, options->model, options->weights, &options->input, (int32_t)options->workers);
  if (error == NULL) {
    error = options->socket != NULL ? listener_open_path(&listener, options->socket)
                                    : listener_open_port(&listener, options->address, (uint16_t)options->port);
    if (error == NULL) {
      error = serve(options, &listener, &model, &metrics, &tls);
      listener_close(&listener);
    }
  }
  model_close(&model);
  tls_clear(&tls);
  return error;
}

int main(int argc, char **argv) {
  options options;
  const sigset_t signals = ending_signals();
  const int status = options_parse(&options, argc, argv);
  if (status != OPTIONS_OK) {
    return status;
  }
  pthread_sigmask(SIG_BLOCK, &signals, NULL); /* in all threads, which are made later: one alone waits for them */
  signal(SIGPIPE, SIG_IGN);
  ctorch_error *error = run(&options);
  if (error != NULL) {
    fputs("serve: ", stderr);
  }
  return ctorch_error_finish(error);
}
