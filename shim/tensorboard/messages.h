/**
 * Events as plain structs, and as the bytes of their records: what of the room knows protobuf-c stands behind these
 * functions.
 *
 * Everything is borrowed. What message_read gives is borrowed from its message.
 */
#ifndef CTORCH_SHIM_TENSORBOARD_MESSAGES_H
#define CTORCH_SHIM_TENSORBOARD_MESSAGES_H

#include <ctorch.h>

/** The numbers of types in a TensorProto. */
enum tensor_type {
  TENSOR_FLOAT = 1,
  TENSOR_DOUBLE = 2,
  TENSOR_INT32 = 3,
  TENSOR_UINT8 = 4,
  TENSOR_INT16 = 5,
  TENSOR_INT8 = 6,
  TENSOR_STRING = 7,
  TENSOR_COMPLEX64 = 8,
  TENSOR_INT64 = 9,
  TENSOR_BOOL = 10,
  TENSOR_BFLOAT16 = 14,
  TENSOR_UINT16 = 17,
  TENSOR_COMPLEX128 = 18,
  TENSOR_HALF = 19,
  TENSOR_UINT32 = 22,
  TENSOR_UINT64 = 23
};

/** Which of its lists has the values: `values` are of the type in brackets. */
enum tensor_list {
  LIST_NONE,
  LIST_CONTENT,  /* bytes as they are in memory */
  LIST_FLOAT,    /* float */
  LIST_DOUBLE,   /* double */
  LIST_INT,      /* int32_t: integers of up to 32 bits */
  LIST_INT64,    /* int64_t */
  LIST_BOOL,     /* protobuf_c_boolean, an int */
  LIST_HALF,     /* int32_t */
  LIST_SCOMPLEX, /* float, pairs */
  LIST_DCOMPLEX, /* double, pairs */
  LIST_UINT32,   /* uint32_t */
  LIST_UINT64,   /* uint64_t */
  LIST_STRING    /* to write, one struct bytes; read by message_string */
};

struct bytes {
  const void *data;
  size_t len;
};

struct summary_tensor {
  int32_t type;
  const int64_t *shape;
  size_t ndim;
  enum tensor_list list;
  const void *values;
  size_t values_len;
};

struct summary_histogram {
  double min, max, num, sum, sum_squares;
  const double *limits, *counts; /* `len` each */
  size_t len;
};

enum summary_what { SUMMARY_NOTHING, SUMMARY_SIMPLE, SUMMARY_HISTOGRAM, SUMMARY_IMAGE, SUMMARY_AUDIO, SUMMARY_TENSOR };

struct summary_value {
  const char *tag;
  const char *plugin; /* NULL for none */
  struct bytes plugin_content;
  enum summary_what what;
  float simple;
  struct summary_histogram histogram;
  int32_t height, width, colorspace; /* of an image */
  float sample_rate;                 /* of a sound */
  int64_t channels, frames;
  struct bytes encoded; /* of either */
  struct summary_tensor tensor;
};

enum event_what { EVENT_NOTHING, EVENT_VERSION, EVENT_GRAPH, EVENT_SUMMARY, EVENT_SESSION, EVENT_RUN_METADATA };

struct event {
  double wall_time;
  int64_t step;
  enum event_what what;
  const char *version, *writer;       /* EVENT_VERSION; `writer` may be NULL */
  int32_t session;                    /* EVENT_SESSION: 1 is its start */
  const char *tag;                    /* EVENT_RUN_METADATA */
  struct bytes data;                  /* EVENT_GRAPH, EVENT_RUN_METADATA */
  const struct summary_value *values; /* EVENT_SUMMARY, to be written */
  size_t values_len;
};

/** Most that one event has of values to write. */
enum { EVENT_VALUES = 4 };

/** Bytes that grow; freed with free. */
struct buffer {
  unsigned char *data;
  size_t len, capacity;
};

/** Room for `more` bytes behind those that are there: where they begin, NULL if memory has run out. */
unsigned char *buffer_room(struct buffer *self, size_t more);

/** Whether protobuf-c is there. */
bool messages_are_there(void);
/** UNSUPPORTED, naming what is missing, unless it is. */
ctorch_error *messages_missing(const char *function) __attribute__((warn_unused_result));

/** Put an event's bytes behind those of a buffer. */
ctorch_error *message_write(const char *function, const struct event *event, struct buffer *buffer)
    __attribute__((warn_unused_result));

/** A message that was read, NULL if the bytes are none, with what stands in it but for its values. */
void *message_read(struct event *out, const unsigned char *data, size_t len);
/** One of its values, `index` below `values_len`; memory that this takes is given to `shape`, to be freed by the
 * caller. */
bool message_value(const void *message, size_t index, struct summary_value *out, int64_t **shape);
/** The first text of a tensor that was read. */
struct bytes message_string(const struct summary_tensor *tensor);
void message_free(void *message);

/** What plugins say of themselves, and what TensorBoard keeps as bytes in bytes. */

struct hparam {
  const char *name;
  bool is_text;
  double number;
  const char *text;
  bool has_domain;
  const double *numbers; /* of the domain, or */
  const char *const *texts;
  size_t domain_len;
};

ctorch_error *message_hparams_experiment(
    const char *function,
    const struct hparam *hparams,
    size_t hparams_len,
    const char *const *metrics,
    size_t metrics_len,
    struct buffer *buffer) __attribute__((warn_unused_result));
ctorch_error *message_hparams_start(
    const char *function, const struct hparam *hparams, size_t hparams_len, struct buffer *buffer)
    __attribute__((warn_unused_result));
ctorch_error *message_hparams_end(const char *function, struct buffer *buffer) __attribute__((warn_unused_result));

struct chart {
  const char *category, *title; /* charts of a category stand together */
  bool is_margin;
  const char *const *tags; /* three for a margin: value, lower, upper */
  size_t tags_len;
};
ctorch_error *message_layout(const char *function, const struct chart *charts, size_t charts_len, struct buffer *buffer)
    __attribute__((warn_unused_result));

ctorch_error *message_pr_curve(const char *function, int64_t num_thresholds, struct buffer *buffer)
    __attribute__((warn_unused_result));

ctorch_error *message_mesh(
    const char *function,
    const char *name,
    int32_t content_type,
    const char *json_config,
    const int64_t *shape,
    uint32_t components,
    struct buffer *buffer) __attribute__((warn_unused_result));

struct graph_node {
  const char *name, *op, *attributes;
  const char *const *inputs;
  size_t inputs_len;
  bool has_shape;
  const int64_t *shape;
  size_t ndim;
};
ctorch_error *message_graph(
    const char *function, const struct graph_node *nodes, size_t nodes_len, struct buffer *buffer)
    __attribute__((warn_unused_result));
/** The RunMetadata that stands beside a graph. */
ctorch_error *message_run_metadata(const char *function, struct buffer *buffer) __attribute__((warn_unused_result));

#endif
