/* What plugins of TensorBoard say of themselves, and graphs, as bytes: messages.h. */
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "tensorboard/messages.h"

#if CTORCH_HAS_LIBPROTOBUF_C
#include "graph.pb-c.h"
#include "hparams.pb-c.h"
#include "layout.pb-c.h"
#include "plugins.pb-c.h"

typedef Tensorboard__Hparams__Value Value;

static ctorch_error *pack(const char *function, const ProtobufCMessage *message, struct buffer *buffer) {
  const size_t len = protobuf_c_message_get_packed_size(message);
  unsigned char *at = buffer_room(buffer, len);
  if (at == NULL) {
    return error_memory(function, len);
  }
  protobuf_c_message_pack(message, at);
  buffer->len += len;
  return NULL;
}

/* `len` structs, and the list of their addresses; freed together. */
struct list {
  void *structs;
  void **at;
};

static bool list_new(struct list *self, size_t len, size_t size) {
  self->structs = calloc(len + 1, size);
  self->at = calloc(len + 1, sizeof *self->at);
  for (size_t i = 0; self->structs != NULL && self->at != NULL && i < len; i++) {
    self->at[i] = (char *)self->structs + i * size;
  }
  return self->structs != NULL && self->at != NULL;
}

static void list_free(struct list *self) {
  free(self->structs);
  free(self->at);
}

/* Hyperparameters -------------------------------------------------------------------------------------------------- */

static void put_value(Value *self, bool is_text, double number, const char *text) {
  tensorboard__hparams__value__init(self);
  if (is_text) {
    self->kind_case = TENSORBOARD__HPARAMS__VALUE__KIND_STRING_VALUE;
    self->string_value = (char *)text;
  } else {
    self->kind_case = TENSORBOARD__HPARAMS__VALUE__KIND_NUMBER_VALUE;
    self->number_value = number;
  }
}

static ctorch_error *pack_data(
    const char *function, Tensorboard__Hparams__HParamsPluginData *data, struct buffer *buffer) {
  return pack(function, &data->base, buffer);
}

/* What is known of one hyperparameter; false if memory has run out. */
static bool put_info(
    Tensorboard__Hparams__HParamInfo *self,
    Tensorboard__Hparams__ListValue *domain,
    struct list *values,
    const struct hparam *hparam) {
  tensorboard__hparams__hparam_info__init(self);
  self->name = (char *)hparam->name;
  self->type = hparam->is_text ? TENSORBOARD__HPARAMS__DATA_TYPE__DATA_TYPE_STRING
                               : TENSORBOARD__HPARAMS__DATA_TYPE__DATA_TYPE_FLOAT64;
  if (!hparam->has_domain) {
    return true;
  }
  if (!list_new(values, hparam->domain_len, sizeof(Value))) {
    return false;
  }
  for (size_t i = 0; i < hparam->domain_len; i++) {
    put_value(
        values->at[i], hparam->is_text, hparam->is_text ? 0 : hparam->numbers[i],
        hparam->is_text ? hparam->texts[i] : NULL);
  }
  tensorboard__hparams__list_value__init(domain);
  domain->n_values = hparam->domain_len;
  domain->values = (Value **)values->at;
  self->domain_discrete = domain;
  return true;
}

struct experiment {
  struct list infos, domains, values, metrics, names;
};

static bool put_experiment(
    struct experiment *self,
    Tensorboard__Hparams__Experiment *out,
    const struct hparam *hparams,
    size_t hparams_len,
    const char *const *metrics,
    size_t metrics_len) {
  if (!list_new(&self->infos, hparams_len, sizeof(Tensorboard__Hparams__HParamInfo)) ||
      !list_new(&self->domains, hparams_len, sizeof(Tensorboard__Hparams__ListValue)) ||
      !list_new(&self->values, hparams_len, sizeof(struct list)) ||
      !list_new(&self->metrics, metrics_len, sizeof(Tensorboard__Hparams__MetricInfo)) ||
      !list_new(&self->names, metrics_len, sizeof(Tensorboard__Hparams__MetricName))) {
    return false;
  }
  for (size_t i = 0; i < hparams_len; i++) {
    if (!put_info(self->infos.at[i], self->domains.at[i], self->values.at[i], &hparams[i])) {
      return false;
    }
  }
  for (size_t i = 0; i < metrics_len; i++) {
    Tensorboard__Hparams__MetricInfo *info = self->metrics.at[i];
    tensorboard__hparams__metric_info__init(info);
    tensorboard__hparams__metric_name__init(self->names.at[i]);
    info->name = self->names.at[i];
    info->name->tag = (char *)metrics[i];
  }
  out->n_hparam_infos = hparams_len;
  out->hparam_infos = (Tensorboard__Hparams__HParamInfo **)self->infos.at;
  out->n_metric_infos = metrics_len;
  out->metric_infos = (Tensorboard__Hparams__MetricInfo **)self->metrics.at;
  return true;
}

ctorch_error *message_hparams_experiment(
    const char *function,
    const struct hparam *hparams,
    size_t hparams_len,
    const char *const *metrics,
    size_t metrics_len,
    struct buffer *buffer) {
  struct experiment lists = {0};
  Tensorboard__Hparams__Experiment experiment = TENSORBOARD__HPARAMS__EXPERIMENT__INIT;
  Tensorboard__Hparams__HParamsPluginData data = TENSORBOARD__HPARAMS__HPARAMS_PLUGIN_DATA__INIT;
  data.data_case = TENSORBOARD__HPARAMS__HPARAMS_PLUGIN_DATA__DATA_EXPERIMENT;
  data.experiment = &experiment;
  ctorch_error *error = put_experiment(&lists, &experiment, hparams, hparams_len, metrics, metrics_len)
                            ? pack_data(function, &data, buffer)
                            : error_memory(function, 0);
  for (size_t i = 0; lists.values.at != NULL && lists.values.structs != NULL && i < hparams_len; i++) {
    list_free(lists.values.at[i]);
  }
  list_free(&lists.infos);
  list_free(&lists.domains);
  list_free(&lists.values);
  list_free(&lists.metrics);
  list_free(&lists.names);
  return error;
}

ctorch_error *message_hparams_start(
    const char *function, const struct hparam *hparams, size_t hparams_len, struct buffer *buffer) {
  struct list entries = {0}, values = {0};
  Tensorboard__Hparams__SessionStartInfo start = TENSORBOARD__HPARAMS__SESSION_START_INFO__INIT;
  Tensorboard__Hparams__HParamsPluginData data = TENSORBOARD__HPARAMS__HPARAMS_PLUGIN_DATA__INIT;
  data.data_case = TENSORBOARD__HPARAMS__HPARAMS_PLUGIN_DATA__DATA_SESSION_START_INFO;
  data.session_start_info = &start;
  ctorch_error *error = NULL;
  if (!list_new(&entries, hparams_len, sizeof(Tensorboard__Hparams__SessionStartInfo__HparamsEntry)) ||
      !list_new(&values, hparams_len, sizeof(Value))) {
    error = error_memory(function, 0);
  }
  for (size_t i = 0; error == NULL && i < hparams_len; i++) {
    Tensorboard__Hparams__SessionStartInfo__HparamsEntry *entry = entries.at[i];
    tensorboard__hparams__session_start_info__hparams_entry__init(entry);
    put_value(values.at[i], hparams[i].is_text, hparams[i].number, hparams[i].text);
    entry->key = (char *)hparams[i].name;
    entry->value = values.at[i];
  }
  start.n_hparams = hparams_len;
  start.hparams = (Tensorboard__Hparams__SessionStartInfo__HparamsEntry **)entries.at;
  THEN(error, pack_data(function, &data, buffer));
  list_free(&entries);
  list_free(&values);
  return error;
}

ctorch_error *message_hparams_end(const char *function, struct buffer *buffer) {
  Tensorboard__Hparams__SessionEndInfo end = TENSORBOARD__HPARAMS__SESSION_END_INFO__INIT;
  Tensorboard__Hparams__HParamsPluginData data = TENSORBOARD__HPARAMS__HPARAMS_PLUGIN_DATA__INIT;
  end.status = TENSORBOARD__HPARAMS__STATUS__STATUS_SUCCESS;
  data.data_case = TENSORBOARD__HPARAMS__HPARAMS_PLUGIN_DATA__DATA_SESSION_END_INFO;
  data.session_end_info = &end;
  return pack_data(function, &data, buffer);
}

/* Layouts ---------------------------------------------------------------------------------------------------------- */

/* protobuf-c's structs of one chart. */
struct written_chart {
  Tensorboard__Chart chart;
  Tensorboard__MultilineChartContent multiline;
  Tensorboard__MarginChartContent margin;
  Tensorboard__MarginChartContent__Series series, *series_at;
};

static void put_chart(struct written_chart *self, const struct chart *chart) {
  tensorboard__chart__init(&self->chart);
  self->chart.title = (char *)chart->title;
  if (chart->is_margin) {
    tensorboard__margin_chart_content__init(&self->margin);
    tensorboard__margin_chart_content__series__init(&self->series);
    self->series.value = (char *)chart->tags[0];
    self->series.lower = (char *)chart->tags[1];
    self->series.upper = (char *)chart->tags[2];
    self->series_at = &self->series;
    self->margin.n_series = 1;
    self->margin.series = &self->series_at;
    self->chart.content_case = TENSORBOARD__CHART__CONTENT_MARGIN;
    self->chart.margin = &self->margin;
  } else {
    tensorboard__multiline_chart_content__init(&self->multiline);
    self->multiline.n_tag = chart->tags_len;
    self->multiline.tag = (char **)chart->tags;
    self->chart.content_case = TENSORBOARD__CHART__CONTENT_MULTILINE;
    self->chart.multiline = &self->multiline;
  }
}

/* Charts whose category is the same text, by its address, make one. */
static size_t put_categories(struct list *categories, struct list *charts, const struct chart *from, size_t len) {
  size_t found = 0;
  for (size_t i = 0; i < len; i++) {
    put_chart(charts->at[i], &from[i]);
    if (i == 0 || from[i].category != from[i - 1].category) {
      Tensorboard__Category *category = categories->at[found++];
      tensorboard__category__init(category);
      category->title = (char *)from[i].category;
      category->chart = (Tensorboard__Chart **)&charts->at[i];
    }
    ((Tensorboard__Category *)categories->at[found - 1])->n_chart++;
  }
  return found;
}

ctorch_error *message_layout(
    const char *function, const struct chart *charts, size_t charts_len, struct buffer *buffer) {
  struct list categories = {0}, written = {0};
  Tensorboard__Layout layout = TENSORBOARD__LAYOUT__INIT;
  ctorch_error *error = NULL;
  if (list_new(&categories, charts_len, sizeof(Tensorboard__Category)) &&
      list_new(&written, charts_len, sizeof(struct written_chart))) {
    layout.n_category = put_categories(&categories, &written, charts, charts_len);
    layout.category = (Tensorboard__Category **)categories.at;
    error = pack(function, &layout.base, buffer);
  } else {
    error = error_memory(function, 0);
  }
  list_free(&categories);
  list_free(&written);
  return error;
}

/* Curves and meshes ------------------------------------------------------------------------------------------------ */

ctorch_error *message_pr_curve(const char *function, int64_t num_thresholds, struct buffer *buffer) {
  Tensorboard__PrCurvePluginData data = TENSORBOARD__PR_CURVE_PLUGIN_DATA__INIT;
  data.num_thresholds = (uint32_t)num_thresholds;
  return pack(function, &data.base, buffer);
}

ctorch_error *message_mesh(
    const char *function,
    const char *name,
    int32_t content_type,
    const char *json_config,
    const int64_t *shape,
    uint32_t components,
    struct buffer *buffer) {
  Tensorboard__MeshPluginData data = TENSORBOARD__MESH_PLUGIN_DATA__INIT;
  int32_t sizes[3] = {(int32_t)shape[0], (int32_t)shape[1], (int32_t)shape[2]};
  data.name = (char *)name;
  data.content_type = (Tensorboard__MeshPluginData__ContentType)content_type;
  data.json_config = (char *)json_config;
  data.n_shape = 3;
  data.shape = sizes;
  data.components = components;
  return pack(function, &data.base, buffer);
}

/* Graphs ----------------------------------------------------------------------------------------------------------- */

/* protobuf-c's structs of one node. */
struct written_node {
  Tensorboard__NodeDef node;
  Tensorboard__NodeDef__AttrEntry entries[2], *entries_at[2];
  Tensorboard__AttrValue values[2];
  Tensorboard__AttrValue__ListValue shapes;
  Tensorboard__TensorShapeProto shape, *shape_at;
  struct list dims;
};

static void put_attribute(struct written_node *self, const char *key, size_t index) {
  tensorboard__node_def__attr_entry__init(&self->entries[index]);
  tensorboard__attr_value__init(&self->values[index]);
  self->entries[index].key = (char *)key;
  self->entries[index].value = &self->values[index];
  self->entries_at[index] = &self->entries[index];
  self->node.n_attr = index + 1;
  self->node.attr = self->entries_at;
}

static bool put_shape(struct written_node *self, const struct graph_node *node) {
  if (!list_new(&self->dims, node->ndim, sizeof(Tensorboard__TensorShapeProto__Dim))) {
    return false;
  }
  for (size_t i = 0; i < node->ndim; i++) {
    Tensorboard__TensorShapeProto__Dim *dim = self->dims.at[i];
    tensorboard__tensor_shape_proto__dim__init(dim);
    dim->size = node->shape[i];
  }
  tensorboard__tensor_shape_proto__init(&self->shape);
  tensorboard__attr_value__list_value__init(&self->shapes);
  self->shape.n_dim = node->ndim;
  self->shape.dim = (Tensorboard__TensorShapeProto__Dim **)self->dims.at;
  self->shape_at = &self->shape;
  self->shapes.n_shape = 1;
  self->shapes.shape = &self->shape_at;
  put_attribute(self, "_output_shapes", 1);
  self->values[1].value_case = TENSORBOARD__ATTR_VALUE__VALUE_LIST;
  self->values[1].list = &self->shapes;
  return true;
}

static bool put_node(struct written_node *self, const struct graph_node *node) {
  tensorboard__node_def__init(&self->node);
  self->node.name = (char *)node->name;
  self->node.op = (char *)node->op;
  self->node.n_input = node->inputs_len;
  self->node.input = (char **)node->inputs;
  put_attribute(self, "attr", 0);
  self->values[0].value_case = TENSORBOARD__ATTR_VALUE__VALUE_S;
  self->values[0].s = (ProtobufCBinaryData){strlen(node->attributes), (uint8_t *)node->attributes};
  return !node->has_shape || put_shape(self, node);
}

ctorch_error *message_graph(
    const char *function, const struct graph_node *nodes, size_t nodes_len, struct buffer *buffer) {
  struct list written = {0};
  Tensorboard__GraphDef graph = TENSORBOARD__GRAPH_DEF__INIT;
  Tensorboard__VersionDef versions = TENSORBOARD__VERSION_DEF__INIT;
  bool is_complete = list_new(&written, nodes_len, sizeof(struct written_node));
  for (size_t i = 0; is_complete && i < nodes_len; i++) {
    is_complete = put_node(written.at[i], &nodes[i]);
  }
  versions.producer = 22;
  graph.versions = &versions;
  graph.n_node = nodes_len;
  graph.node = (Tensorboard__NodeDef **)written.at;
  ctorch_error *error = is_complete ? pack(function, &graph.base, buffer) : error_memory(function, 0);
  for (size_t i = 0; written.structs != NULL && i < nodes_len; i++) {
    list_free(&((struct written_node *)written.structs)[i].dims);
  }
  list_free(&written);
  return error;
}

ctorch_error *message_run_metadata(const char *function, struct buffer *buffer) {
  Tensorboard__DeviceStepStats device = TENSORBOARD__DEVICE_STEP_STATS__INIT, *device_at = &device;
  Tensorboard__StepStats stats = TENSORBOARD__STEP_STATS__INIT;
  Tensorboard__RunMetadata run = TENSORBOARD__RUN_METADATA__INIT;
  device.device = (char *)"/device:CPU:0";
  stats.n_dev_stats = 1;
  stats.dev_stats = &device_at;
  run.step_stats = &stats;
  return pack(function, &run.base, buffer);
}

#else

ctorch_error *message_hparams_experiment(
    const char *function,
    const struct hparam *hparams,
    size_t hparams_len,
    const char *const *metrics,
    size_t metrics_len,
    struct buffer *buffer) {
  (void)hparams, (void)hparams_len, (void)metrics, (void)metrics_len, (void)buffer;
  return messages_missing(function);
}

ctorch_error *message_hparams_start(
    const char *function, const struct hparam *hparams, size_t hparams_len, struct buffer *buffer) {
  (void)hparams, (void)hparams_len, (void)buffer;
  return messages_missing(function);
}

ctorch_error *message_hparams_end(const char *function, struct buffer *buffer) {
  (void)buffer;
  return messages_missing(function);
}

ctorch_error *message_layout(
    const char *function, const struct chart *charts, size_t charts_len, struct buffer *buffer) {
  (void)charts, (void)charts_len, (void)buffer;
  return messages_missing(function);
}

ctorch_error *message_pr_curve(const char *function, int64_t num_thresholds, struct buffer *buffer) {
  (void)num_thresholds, (void)buffer;
  return messages_missing(function);
}

ctorch_error *message_mesh(
    const char *function,
    const char *name,
    int32_t content_type,
    const char *json_config,
    const int64_t *shape,
    uint32_t components,
    struct buffer *buffer) {
  (void)name, (void)content_type, (void)json_config, (void)shape, (void)components, (void)buffer;
  return messages_missing(function);
}

ctorch_error *message_graph(
    const char *function, const struct graph_node *nodes, size_t nodes_len, struct buffer *buffer) {
  (void)nodes, (void)nodes_len, (void)buffer;
  return messages_missing(function);
}

ctorch_error *message_run_metadata(const char *function, struct buffer *buffer) {
  (void)buffer;
  return messages_missing(function);
}

#endif
