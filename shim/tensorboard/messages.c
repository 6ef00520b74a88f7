/* Events as the bytes of their records, by protobuf-c: messages.h. */
#include "tensorboard/messages.h"

#include "core/c/error.h"

#if CTORCH_HAS_LIBPROTOBUF_C
#include <stdlib.h>
#include <string.h>

#include "event.pb-c.h"

typedef Tensorboard__Event Event;
typedef Tensorboard__Summary__Value Value;
typedef Tensorboard__TensorProto Tensor;
typedef Tensorboard__TensorShapeProto__Dim Dim;

bool messages_are_there(void) { return true; }

ctorch_error *messages_missing(const char *function) {
  (void)function;
  return NULL;
}

/* Writing ---------------------------------------------------------------------------------------------------------- */

/* protobuf-c's structs of one value. */
struct written_value {
  Value value;
  Tensorboard__SummaryMetadata metadata;
  Tensorboard__SummaryMetadata__PluginData plugin;
  Tensorboard__HistogramProto histogram;
  Tensorboard__Summary__Image image;
  Tensorboard__Summary__Audio audio;
  Tensor tensor;
  Tensorboard__TensorShapeProto shape;
  ProtobufCBinaryData text;
  Dim *dims;
  Dim **dims_at;
};

static ProtobufCBinaryData binary(struct bytes bytes) {
  return (ProtobufCBinaryData){.len = bytes.len, .data = (uint8_t *)bytes.data};
}

static void put_values(struct written_value *self, const struct summary_tensor *tensor) {
  Tensor *out = &self->tensor;
  const size_t len = tensor->values_len;
  void *const values = (void *)tensor->values;
  switch (tensor->list) {
    case LIST_NONE:
      break;
    case LIST_CONTENT:
      out->tensor_content = (ProtobufCBinaryData){.len = len, .data = values};
      break;
    case LIST_FLOAT:
      out->n_float_val = len;
      out->float_val = values;
      break;
    case LIST_DOUBLE:
      out->n_double_val = len;
      out->double_val = values;
      break;
    case LIST_INT:
      out->n_int_val = len;
      out->int_val = values;
      break;
    case LIST_INT64:
      out->n_int64_val = len;
      out->int64_val = values;
      break;
    case LIST_BOOL:
      out->n_bool_val = len;
      out->bool_val = values;
      break;
    case LIST_HALF:
      out->n_half_val = len;
      out->half_val = values;
      break;
    case LIST_SCOMPLEX:
      out->n_scomplex_val = len;
      out->scomplex_val = values;
      break;
    case LIST_DCOMPLEX:
      out->n_dcomplex_val = len;
      out->dcomplex_val = values;
      break;
    case LIST_UINT32:
      out->n_uint32_val = len;
      out->uint32_val = values;
      break;
    case LIST_UINT64:
      out->n_uint64_val = len;
      out->uint64_val = values;
      break;
    case LIST_STRING:
      self->text = binary(*(const struct bytes *)tensor->values);
      out->n_string_val = 1;
      out->string_val = &self->text;
      break;
  }
}

/* False if memory has run out. */
static bool put_tensor(struct written_value *self, const struct summary_tensor *tensor) {
  tensorboard__tensor_proto__init(&self->tensor);
  tensorboard__tensor_shape_proto__init(&self->shape);
  self->tensor.dtype = (Tensorboard__DataType)tensor->type;
  if (tensor->shape != NULL) { /* a new-style scalar has none */
    self->dims = malloc((tensor->ndim + 1) * sizeof *self->dims);
    self->dims_at = malloc((tensor->ndim + 1) * sizeof *self->dims_at);
    if (self->dims == NULL || self->dims_at == NULL) {
      return false;
    }
    for (size_t i = 0; i < tensor->ndim; i++) {
      tensorboard__tensor_shape_proto__dim__init(&self->dims[i]);
      self->dims[i].size = tensor->shape[i];
      self->dims_at[i] = &self->dims[i];
    }
    self->shape.n_dim = tensor->ndim;
    self->shape.dim = self->dims_at;
    self->tensor.tensor_shape = &self->shape;
  }
  put_values(self, tensor);
  return true;
}

static void put_histogram(Tensorboard__HistogramProto *self, const struct summary_histogram *histogram) {
  tensorboard__histogram_proto__init(self);
  self->min = histogram->min;
  self->max = histogram->max;
  self->num = histogram->num;
  self->sum = histogram->sum;
  self->sum_squares = histogram->sum_squares;
  self->n_bucket_limit = self->n_bucket = histogram->len;
  self->bucket_limit = (double *)histogram->limits;
  self->bucket = (double *)histogram->counts;
}

static void put_image(Tensorboard__Summary__Image *self, const struct summary_value *value) {
  tensorboard__summary__image__init(self);
  self->height = value->height;
  self->width = value->width;
  self->colorspace = value->colorspace;
  self->encoded_image_string = binary(value->encoded);
}

static void put_audio(Tensorboard__Summary__Audio *self, const struct summary_value *value) {
  tensorboard__summary__audio__init(self);
  self->sample_rate = value->sample_rate;
  self->num_channels = value->channels;
  self->length_frames = value->frames;
  self->encoded_audio_string = binary(value->encoded);
  self->content_type = (char *)"audio/wav";
}

static void put_plugin(struct written_value *self, const struct summary_value *value) {
  if (value->plugin == NULL) {
    return;
  }
  tensorboard__summary_metadata__init(&self->metadata);
  tensorboard__summary_metadata__plugin_data__init(&self->plugin);
  self->plugin.plugin_name = (char *)value->plugin;
  self->plugin.content = binary(value->plugin_content);
  self->metadata.plugin_data = &self->plugin;
  self->value.metadata = &self->metadata;
}

static bool put_value(struct written_value *self, const struct summary_value *value) {
  tensorboard__summary__value__init(&self->value);
  self->dims = NULL;
  self->dims_at = NULL;
  self->value.tag = (char *)value->tag;
  put_plugin(self, value);
  switch (value->what) {
    case SUMMARY_NOTHING:
      break;
    case SUMMARY_SIMPLE:
      self->value.value_case = TENSORBOARD__SUMMARY__VALUE__VALUE_SIMPLE_VALUE;
      self->value.simple_value = value->simple;
      break;
    case SUMMARY_HISTOGRAM:
      put_histogram(&self->histogram, &value->histogram);
      self->value.value_case = TENSORBOARD__SUMMARY__VALUE__VALUE_HISTO;
      self->value.histo = &self->histogram;
      break;
    case SUMMARY_IMAGE:
      put_image(&self->image, value);
      self->value.value_case = TENSORBOARD__SUMMARY__VALUE__VALUE_IMAGE;
      self->value.image = &self->image;
      break;
    case SUMMARY_AUDIO:
      put_audio(&self->audio, value);
      self->value.value_case = TENSORBOARD__SUMMARY__VALUE__VALUE_AUDIO;
      self->value.audio = &self->audio;
      break;
    case SUMMARY_TENSOR:
      self->value.value_case = TENSORBOARD__SUMMARY__VALUE__VALUE_TENSOR;
      self->value.tensor = &self->tensor;
      return put_tensor(self, &value->tensor);
  }
  return true;
}

static ctorch_error *pack(const char *function, const Event *event, struct buffer *buffer) {
  const size_t len = tensorboard__event__get_packed_size(event);
  unsigned char *at = buffer_room(buffer, len);
  if (at == NULL) {
    return error_memory(function, len);
  }
  tensorboard__event__pack(event, at);
  buffer->len += len;
  return NULL;
}

static ctorch_error *write_summary(const char *function, Event *out, const struct event *event, struct buffer *buffer) {
  struct written_value values[EVENT_VALUES];
  Value *at[EVENT_VALUES];
  Tensorboard__Summary summary = TENSORBOARD__SUMMARY__INIT;
  bool is_complete = true;
  for (size_t i = 0; i < event->values_len; i++) {
    is_complete = put_value(&values[i], &event->values[i]) && is_complete;
    at[i] = &values[i].value;
  }
  summary.n_value = event->values_len;
  summary.value = at;
  out->what_case = TENSORBOARD__EVENT__WHAT_SUMMARY;
  out->summary = &summary;
  ctorch_error *error = is_complete ? pack(function, out, buffer) : error_memory(function, 0);
  for (size_t i = 0; i < event->values_len; i++) {
    free(values[i].dims);
    free(values[i].dims_at);
  }
  out->summary = NULL; /* it was this function's own */
  out->what_case = TENSORBOARD__EVENT__WHAT__NOT_SET;
  return error;
}

ctorch_error *message_write(const char *function, const struct event *event, struct buffer *buffer) {
  Event out = TENSORBOARD__EVENT__INIT;
  Tensorboard__SourceMetadata source = TENSORBOARD__SOURCE_METADATA__INIT;
  Tensorboard__SessionLog session = TENSORBOARD__SESSION_LOG__INIT;
  Tensorboard__TaggedRunMetadata run = TENSORBOARD__TAGGED_RUN_METADATA__INIT;
  out.wall_time = event->wall_time;
  out.step = event->step;
  switch (event->what) {
    case EVENT_NOTHING:
      break;
    case EVENT_VERSION:
      out.what_case = TENSORBOARD__EVENT__WHAT_FILE_VERSION;
      out.file_version = (char *)event->version;
      source.writer = (char *)event->writer;
      out.source_metadata = event->writer != NULL ? &source : NULL;
      break;
    case EVENT_GRAPH:
      out.what_case = TENSORBOARD__EVENT__WHAT_GRAPH_DEF;
      out.graph_def = binary(event->data);
      break;
    case EVENT_SESSION:
      session.status = (Tensorboard__SessionLog__SessionStatus)event->session;
      out.what_case = TENSORBOARD__EVENT__WHAT_SESSION_LOG;
      out.session_log = &session;
      break;
    case EVENT_RUN_METADATA:
      run.tag = (char *)event->tag;
      run.run_metadata = binary(event->data);
      out.what_case = TENSORBOARD__EVENT__WHAT_TAGGED_RUN_METADATA;
      out.tagged_run_metadata = &run;
      break;
    case EVENT_SUMMARY:
      return write_summary(function, &out, event, buffer);
  }
  return pack(function, &out, buffer);
}

/* Reading ---------------------------------------------------------------------------------------------------------- */

static struct bytes bytes_of(ProtobufCBinaryData data) { return (struct bytes){data.data, data.len}; }

void *message_read(struct event *out, const unsigned char *data, size_t len) {
  Event *event = tensorboard__event__unpack(NULL, len, data);
  if (event == NULL) {
    return NULL;
  }
  *out = (struct event){.wall_time = event->wall_time, .step = event->step};
  switch (event->what_case) {
    case TENSORBOARD__EVENT__WHAT_FILE_VERSION:
      out->what = EVENT_VERSION;
      out->version = event->file_version;
      break;
    case TENSORBOARD__EVENT__WHAT_GRAPH_DEF:
      out->what = EVENT_GRAPH;
      out->data = bytes_of(event->graph_def);
      break;
    case TENSORBOARD__EVENT__WHAT_SUMMARY:
      out->what = EVENT_SUMMARY;
      out->values_len = event->summary->n_value;
      break;
    case TENSORBOARD__EVENT__WHAT_SESSION_LOG:
      out->what = EVENT_SESSION;
      out->session = (int32_t)event->session_log->status;
      break;
    case TENSORBOARD__EVENT__WHAT_TAGGED_RUN_METADATA:
      out->what = EVENT_RUN_METADATA;
      out->tag = event->tagged_run_metadata->tag;
      out->data = bytes_of(event->tagged_run_metadata->run_metadata);
      break;
    default:
      break;
  }
  return event;
}

void message_free(void *message) { tensorboard__event__free_unpacked(message, NULL); }

struct bytes message_string(const struct summary_tensor *tensor) {
  return bytes_of(*(const ProtobufCBinaryData *)tensor->values);
}

static bool take(struct summary_tensor *out, enum tensor_list list, const void *values, size_t len) {
  if (len == 0) {
    return false;
  }
  out->list = list;
  out->values = values;
  out->values_len = len;
  return true;
}

static bool get_tensor(const Tensor *tensor, struct summary_tensor *out, int64_t **shape) {
  const size_t ndim = tensor->tensor_shape == NULL ? 0 : tensor->tensor_shape->n_dim;
  *shape = malloc((ndim + 1) * sizeof **shape);
  if (*shape == NULL) {
    return false;
  }
  for (size_t i = 0; i < ndim; i++) {
    (*shape)[i] = tensor->tensor_shape->dim[i]->size;
  }
  out->type = (int32_t)tensor->dtype;
  out->shape = *shape;
  out->ndim = ndim;
  (void)(take(out, LIST_CONTENT, tensor->tensor_content.data, tensor->tensor_content.len) ||
         take(out, LIST_FLOAT, tensor->float_val, tensor->n_float_val) ||
         take(out, LIST_DOUBLE, tensor->double_val, tensor->n_double_val) ||
         take(out, LIST_INT, tensor->int_val, tensor->n_int_val) ||
         take(out, LIST_INT64, tensor->int64_val, tensor->n_int64_val) ||
         take(out, LIST_BOOL, tensor->bool_val, tensor->n_bool_val) ||
         take(out, LIST_HALF, tensor->half_val, tensor->n_half_val) ||
         take(out, LIST_SCOMPLEX, tensor->scomplex_val, tensor->n_scomplex_val) ||
         take(out, LIST_DCOMPLEX, tensor->dcomplex_val, tensor->n_dcomplex_val) ||
         take(out, LIST_UINT32, tensor->uint32_val, tensor->n_uint32_val) ||
         take(out, LIST_UINT64, tensor->uint64_val, tensor->n_uint64_val) ||
         take(out, LIST_STRING, tensor->string_val, tensor->n_string_val));
  return true;
}

static void get_histogram(const Tensorboard__HistogramProto *histogram, struct summary_histogram *out) {
  out->min = histogram->min;
  out->max = histogram->max;
  out->num = histogram->num;
  out->sum = histogram->sum;
  out->sum_squares = histogram->sum_squares;
  out->limits = histogram->bucket_limit;
  out->counts = histogram->bucket;
  out->len = histogram->n_bucket < histogram->n_bucket_limit ? histogram->n_bucket : histogram->n_bucket_limit;
}

static void get_image(const Tensorboard__Summary__Image *image, struct summary_value *out) {
  out->height = image->height;
  out->width = image->width;
  out->colorspace = image->colorspace;
  out->encoded = bytes_of(image->encoded_image_string);
}

static void get_audio(const Tensorboard__Summary__Audio *audio, struct summary_value *out) {
  out->sample_rate = audio->sample_rate;
  out->channels = audio->num_channels;
  out->frames = audio->length_frames;
  out->encoded = bytes_of(audio->encoded_audio_string);
}

bool message_value(const void *message, size_t index, struct summary_value *out, int64_t **shape) {
  const Value *value = ((const Event *)message)->summary->value[index];
  *out = (struct summary_value){.tag = value->tag};
  if (value->metadata != NULL && value->metadata->plugin_data != NULL) {
    out->plugin = value->metadata->plugin_data->plugin_name;
    out->plugin_content = bytes_of(value->metadata->plugin_data->content);
  }
  switch (value->value_case) {
    case TENSORBOARD__SUMMARY__VALUE__VALUE_SIMPLE_VALUE:
      out->what = SUMMARY_SIMPLE;
      out->simple = value->simple_value;
      break;
    case TENSORBOARD__SUMMARY__VALUE__VALUE_HISTO:
      out->what = SUMMARY_HISTOGRAM;
      get_histogram(value->histo, &out->histogram);
      break;
    case TENSORBOARD__SUMMARY__VALUE__VALUE_IMAGE:
      out->what = SUMMARY_IMAGE;
      get_image(value->image, out);
      break;
    case TENSORBOARD__SUMMARY__VALUE__VALUE_AUDIO:
      out->what = SUMMARY_AUDIO;
      get_audio(value->audio, out);
      break;
    case TENSORBOARD__SUMMARY__VALUE__VALUE_TENSOR:
      out->what = SUMMARY_TENSOR;
      return get_tensor(value->tensor, &out->tensor, shape);
    default:
      break;
  }
  return true;
}

#else

bool messages_are_there(void) { return false; }

ctorch_error *messages_missing(const char *function) {
  return error_make(function, CTORCH_ERROR_UNSUPPORTED, "this build has no event files: libprotobuf-c was missing");
}

ctorch_error *message_write(const char *function, const struct event *event, struct buffer *buffer) {
  (void)event;
  (void)buffer;
  return messages_missing(function);
}

void *message_read(struct event *out, const unsigned char *data, size_t len) {
  (void)out;
  (void)data;
  (void)len;
  return NULL;
}

bool message_value(const void *message, size_t index, struct summary_value *out, int64_t **shape) {
  (void)message;
  (void)index;
  (void)out;
  (void)shape;
  return false;
}

struct bytes message_string(const struct summary_tensor *tensor) {
  (void)tensor;
  return (struct bytes){NULL, 0};
}

void message_free(void *message) { (void)message; }

#endif
