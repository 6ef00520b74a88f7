/* A request that is whole is queued, and its connection suspended until a worker has the answer; what is asked of the
 * server itself is answered at once. While a connection is suspended nobody looks at its socket: whether the client is
 * still there is seen before its turn comes. */
#define _GNU_SOURCE /* POLLRDHUP */
#include "exchange.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "headers.h"
#include "infer.h"

typedef enum MHD_Result (*answerer)(http_server *self, struct MHD_Connection *connection);

typedef enum exchange_state {
  EXCHANGE_READING,
  EXCHANGE_WAITING,
  EXCHANGE_ANSWERED,
  EXCHANGE_ABANDONED
} exchange_state;

/* A request and its answer. */
typedef struct exchange {
  job job; /* first: a job that is finished is its exchange */
  http_server *server;
  struct MHD_Connection *connection;
  struct connection *socket;
  exchange_state state;
  answerer answerer; /* of what asks the server itself; NULL for the model */
  char *body;
  size_t body_len, body_capacity, json_len;
  bool is_whole, is_too_large;
  infer_request request;
  unsigned status;
  infer_answer answer;
} exchange;

/* Answers ---------------------------------------------------------------------------------------------------------- */

static const char json_type[] = EXCHANGE_JSON_TYPE;

/* The memory goes to the response. */
static enum MHD_Result respond_with(
    http_server *self,
    struct MHD_Connection *connection,
    unsigned status,
    const char *type,
    infer_answer *answer,
    const char *allow) {
  char number[32];
  char *data = answer->data;
  struct MHD_Response *response =
      data != NULL ? MHD_create_response_from_buffer(answer->len, data, MHD_RESPMEM_MUST_FREE) : NULL;
  answer->data = NULL;
  if (response == NULL) { /* there is no memory */
    free(data);
    return MHD_NO;
  }
  MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
  if (answer->is_binary) {
    snprintf(number, sizeof number, "%zu", answer->json_len);
    MHD_add_response_header(response, "Inference-Header-Content-Length", number);
  }
  if (allow != NULL) {
    MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, allow);
  }
  if (status == MHD_HTTP_SERVICE_UNAVAILABLE) {
    MHD_add_response_header(response, MHD_HTTP_HEADER_RETRY_AFTER, "1");
  }
  if (atomic_load(&self->is_stopping)) {
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
  }
  const enum MHD_Result result = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  metrics_add_response(self->metrics, status);
  return result;
}

/* A text that malloc made, which becomes the response's. */
static enum MHD_Result respond_text(
    http_server *self, struct MHD_Connection *connection, unsigned status, const char *type, char *text) {
  infer_answer answer = {.data = text, .len = text != NULL ? strlen(text) : 0};
  return respond_with(self, connection, status, type, &answer, NULL);
}

static enum MHD_Result refuse(
    http_server *self, struct MHD_Connection *connection, unsigned status, const char *message) {
  return respond_text(self, connection, status, json_type, infer_error(message));
}

/* Remember an answer until the connection's turn comes. */
static void set_answer(exchange *self, unsigned status, char *text) {
  self->status = status;
  self->answer = (infer_answer){.data = text, .len = text != NULL ? strlen(text) : 0};
}

static unsigned status_of(const ctorch_error *error) {
  const ctorch_error_kind kind = ctorch_error_kind_of(error);
  const bool is_the_clients =
      (kind < CTORCH_ERROR_NULL_ARGUMENT && kind != CTORCH_ERROR_OUT_OF_MEMORY && kind != CTORCH_ERROR_ACCELERATOR) ||
      kind == CTORCH_ERROR_FORMAT;
  return is_the_clients ? MHD_HTTP_BAD_REQUEST : MHD_HTTP_INTERNAL_SERVER_ERROR;
}

static void set_error(exchange *self, const ctorch_error *error) {
  set_answer(self, status_of(error), infer_error(ctorch_error_message(error)));
}

/* Jobs ------------------------------------------------------------------------------------------------------------- */

static bool is_vanished(const job *job) {
  const exchange *self = (const exchange *)job;
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(self->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  struct pollfd file = {.fd = info->connect_fd, .events = POLLRDHUP};
  return poll(&file, 1, 0) > 0 && (file.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

static void set_computed(exchange *self, const job_result *result) {
  ctorch_error *error =
      infer_answer_write(&self->answer, &self->request, self->server->model, result->outputs, result->outputs_len);
  self->status = MHD_HTTP_OK;
  if (error != NULL) {
    set_error(self, error);
    ctorch_error_release(error);
  }
}

/* On whichever thread is done with it. The connection's own thread goes on with it as soon as it is resumed. */
static void finish(job *job, const job_result *result) {
  exchange *self = (exchange *)job;
  self->state = EXCHANGE_ANSWERED;
  switch (result->status) {
    case JOB_COMPUTED:
      set_computed(self, result);
      break;
    case JOB_FAILED:
      set_error(self, result->error);
      break;
    case JOB_EXPIRED:
      set_answer(self, MHD_HTTP_GATEWAY_TIMEOUT, infer_error("the deadline has passed before the model was free"));
      break;
    case JOB_VANISHED:
      atomic_fetch_add(&self->server->metrics->vanished, 1);
      self->state = EXCHANGE_ABANDONED;
      break;
  }
  histogram_add(&self->server->metrics->duration, (clock_now() - self->job.received) / 1000);
  MHD_resume_connection(self->connection);
}

static void set_deadline(exchange *self) {
  const uint64_t longest = self->server->options.timeout, asked = self->request.timeout;
  const bool is_shorter = asked > 0 && asked < longest / 1000;
  self->job.deadline = self->job.received + (is_shorter ? asked * 1000 : longest);
}

/* Queue what has been read. A connection is suspended before its job is queued, for a worker may be faster than the
 * next line. */
static enum MHD_Result submit(exchange *self) {
  http_server *server = self->server;
  self->job.received = clock_now();
  ctorch_error *error = infer_request_read(
      &self->request, server->model, self->body != NULL ? self->body : "", self->body_len, self->json_len);
  if (error != NULL) {
    set_error(self, error);
    ctorch_error_release(error);
    return respond_with(server, self->connection, self->status, json_type, &self->answer, NULL);
  }
  self->job.input = self->request.input;
  set_deadline(self);
  self->state = EXCHANGE_WAITING;
  connection_sends(self->socket, SOCKETS_NEVER);
  MHD_suspend_connection(self->connection);
  const batcher_answer answer = batcher_submit(server->batcher, &self->job);
  if (answer != BATCHER_QUEUED) {
    self->state = EXCHANGE_ANSWERED;
    set_answer(
        self, MHD_HTTP_SERVICE_UNAVAILABLE,
        infer_error(answer == BATCHER_FULL ? "the queue is full" : "the server is stopping"));
    MHD_resume_connection(self->connection);
  }
  return MHD_YES;
}

/* What the server says of itself ----------------------------------------------------------------------------------- */

static enum MHD_Result answer_empty(http_server *self, struct MHD_Connection *connection) {
  return respond_text(self, connection, MHD_HTTP_OK, json_type, strdup("{}"));
}

static enum MHD_Result answer_ready(http_server *self, struct MHD_Connection *connection) {
  return atomic_load(&self->is_stopping)
             ? refuse(self, connection, MHD_HTTP_SERVICE_UNAVAILABLE, "the server is stopping")
             : answer_empty(self, connection);
}

static enum MHD_Result answer_server(http_server *self, struct MHD_Connection *connection) {
  static const char text[] = "{\"name\":\"serve\",\"version\":\"1\",\"extensions\":[\"binary_tensor_data\"]}";
  return respond_text(self, connection, MHD_HTTP_OK, json_type, strdup(text));
}

static enum MHD_Result answer_model(http_server *self, struct MHD_Connection *connection) {
  return respond_text(self, connection, MHD_HTTP_OK, json_type, infer_metadata(self->model));
}

static size_t requests_of(http_server *self) {
  pthread_mutex_lock(&self->mutex);
  const size_t requests = self->requests;
  pthread_mutex_unlock(&self->mutex);
  return requests;
}

static enum MHD_Result answer_metrics(http_server *self, struct MHD_Connection *connection) {
  const gauges gauges = {
      .queue_len = batcher_len(self->batcher),
      .queue_capacity = batcher_capacity(self->batcher),
      .requests = requests_of(self),
      .connections = atomic_load(&self->connections),
  };
  char *text = NULL;
  size_t len = 0;
  FILE *file = open_memstream(&text, &len);
  if (file != NULL) {
    metrics_write(self->metrics, &gauges, file);
    fclose(file);
  }
  return respond_text(self, connection, MHD_HTTP_OK, "text/plain; version=0.0.4; charset=utf-8", text);
}

static const struct {
  const char *path; /* `*` stands for the model's name */
  const char *method, *allow;
  answerer answer; /* NULL for what has a body */
} routes[] = {
    {"/v2", MHD_HTTP_METHOD_GET, "GET, HEAD", answer_server},
    {"/v2/health/live", MHD_HTTP_METHOD_GET, "GET, HEAD", answer_empty},
    {"/v2/health/ready", MHD_HTTP_METHOD_GET, "GET, HEAD", answer_ready},
    {"/v2/models/*", MHD_HTTP_METHOD_GET, "GET, HEAD", answer_model},
    {"/v2/models/*/ready", MHD_HTTP_METHOD_GET, "GET, HEAD", answer_ready},
    {"/v2/models/*/infer", MHD_HTTP_METHOD_POST, "POST", NULL},
    {"/v2/models/*/versions/1", MHD_HTTP_METHOD_GET, "GET, HEAD", answer_model},
    {"/v2/models/*/versions/1/ready", MHD_HTTP_METHOD_GET, "GET, HEAD", answer_ready},
    {"/v2/models/*/versions/1/infer", MHD_HTTP_METHOD_POST, "POST", NULL},
    {"/metrics", MHD_HTTP_METHOD_GET, "GET, HEAD", answer_metrics},
};

enum { ROUTES = sizeof routes / sizeof *routes };

static bool is_route(const char *route, const char *path, const char *name) {
  const char *star = strchr(route, '*');
  const size_t before = star != NULL ? (size_t)(star - route) : 0, len = strlen(name);
  return star == NULL ? strcmp(route, path) == 0
                      : strncmp(path, route, before) == 0 && strncmp(path + before, name, len) == 0 &&
                            strcmp(path + before + len, star + 1) == 0;
}

/* Reading ---------------------------------------------------------------------------------------------------------- */

/* What can be told of a request for the model from its headers. */
static enum MHD_Result begin_infer(exchange *self) {
  http_server *server = self->server;
  size_t len;
  if (!headers_are_of_infer(self->connection)) {
    return refuse(
        server, self->connection, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE,
        "application/json or application/octet-stream is expected, without an encoding");
  }
  if (!headers_size(&len, self->connection, MHD_HTTP_HEADER_CONTENT_LENGTH) ||
      !headers_size(&self->json_len, self->connection, "Inference-Header-Content-Length")) {
    return refuse(
        server, self->connection, MHD_HTTP_BAD_REQUEST,
        "Content-Length and Inference-Header-Content-Length are whole numbers, each there once at most");
  }
  if (len != HEADERS_NO_LENGTH && len > server->options.max_body) {
    return refuse(server, self->connection, MHD_HTTP_CONTENT_TOO_LARGE, "the body is larger than --max-body");
  }
  return MHD_YES;
}

/* An answer before the body is read closes the connection, so that refusals alone are given here. What the client still
 * sends is read after that, by sockets.h. */
static enum MHD_Result begin(exchange *self, const char *path, const char *method, const char *version) {
  int route = 0;
  const char *problem = headers_problem(self->connection, version);
  if (problem != NULL) {
    return refuse(self->server, self->connection, MHD_HTTP_BAD_REQUEST, problem);
  }
  while (route < ROUTES && !is_route(routes[route].path, path, self->server->model->name)) {
    route++;
  }
  if (route == ROUTES) {
    return refuse(self->server, self->connection, MHD_HTTP_NOT_FOUND, "no such path or model");
  }
  const bool is_head = strcmp(method, MHD_HTTP_METHOD_HEAD) == 0 && routes[route].answer != NULL;
  if (strcmp(method, routes[route].method) != 0 && !is_head) {
    char *text = infer_error("this path does not take this method");
    infer_answer answer = {.data = text, .len = text != NULL ? strlen(text) : 0};
    return respond_with(
        self->server, self->connection, MHD_HTTP_METHOD_NOT_ALLOWED, json_type, &answer, routes[route].allow);
  }
  self->answerer = routes[route].answer;
  return self->answerer != NULL ? MHD_YES : begin_infer(self);
}

/* More of the body. What is too large is read and forgotten, for a client listens only when it has sent everything. */
static enum MHD_Result add_to_body(exchange *self, const char *data, size_t len) {
  if (len > self->server->options.max_body - self->body_len) {
    self->is_too_large = true;
  }
  if (self->is_too_large || self->answerer != NULL) {
    return MHD_YES;
  }
  if (self->body_capacity - self->body_len < len) {
    const size_t capacity = 2 * (self->body_len + len);
    char *body = realloc(self->body, capacity);
    if (body == NULL) {
      return MHD_NO;
    }
    self->body = body;
    self->body_capacity = capacity;
  }
  memcpy(self->body + self->body_len, data, len);
  self->body_len += len;
  return MHD_YES;
}

static uint64_t idle_time(const http_server *self) { return (uint64_t)self->options.idle_timeout * CLOCK_SECOND; }

/* The library's calls -------------------------------------------------------------------------------------------- */

static exchange *exchange_new(http_server *server, struct MHD_Connection *connection) {
  exchange *self = calloc(1, sizeof *self);
  if (self != NULL) {
    self->job.is_vanished = is_vanished;
    self->job.finish = finish;
    self->server = server;
    self->connection = connection;
    self->socket = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
    pthread_mutex_lock(&server->mutex);
    server->requests++;
    pthread_mutex_unlock(&server->mutex);
  }
  return self;
}

enum MHD_Result exchange_handle(
    void *cls,
    struct MHD_Connection *connection,
    const char *path,
    const char *method,
    const char *version,
    const char *data,
    size_t *data_len,
    void **slot) {
  http_server *server = cls;
  exchange *self = *slot;
  if (self == NULL) {
    *slot = self = exchange_new(server, connection);
    if (self == NULL || self->socket == NULL) {
      return MHD_NO; /* which closes the connection */
    }
    connection_receives(self->socket, clock_now() + server->options.timeout);
    return begin(self, path, method, version);
  }
  if (self->state == EXCHANGE_ANSWERED) {
    connection_sends(self->socket, clock_now() + idle_time(server));
    const char *type = self->answer.is_binary ? "application/octet-stream" : json_type;
    return respond_with(server, connection, self->status, type, &self->answer, NULL);
  }
  if (self->state == EXCHANGE_ABANDONED) {
    return MHD_NO;
  }
  if (*data_len > 0) {
    const size_t len = *data_len;
    *data_len = 0;
    return add_to_body(self, data, len);
  }
  self->is_whole = true;
  connection_sends(self->socket, clock_now() + idle_time(server));
  if (self->answerer != NULL) {
    return self->answerer(server, connection);
  }
  return self->is_too_large
             ? refuse(server, connection, MHD_HTTP_CONTENT_TOO_LARGE, "the body is larger than --max-body")
             : submit(self);
}

void exchange_complete(void *cls, struct MHD_Connection *connection, void **slot, enum MHD_RequestTerminationCode why) {
  http_server *server = cls;
  exchange *self = *slot;
  (void)connection, (void)why;
  if (self == NULL) {
    return;
  }
  *slot = NULL;
  if (self->is_whole && !atomic_load(&server->is_stopping)) { /* the next one may come */
    connection_receives(self->socket, clock_now() + idle_time(server) + server->options.timeout);
  }
  infer_request_clear(&self->request);
  free(self->body);
  free(self->answer.data);
  free(self);
  pthread_mutex_lock(&server->mutex);
  if (--server->requests == 0) {
    pthread_cond_broadcast(&server->idle);
  }
  pthread_mutex_unlock(&server->mutex);
}
