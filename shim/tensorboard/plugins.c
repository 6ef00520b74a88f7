/* Precision-recall curves, meshes and layouts of custom scalars in summaries. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "tensorboard/tensor.h"
#include "tensorboard/writer.h"

enum { MOST_THRESHOLDS = 127, CURVES = 6, FACE = 2, MESH_PARTS = 3 };

/* Curves ----------------------------------------------------------------------------------------------------------- */

static ctorch_error *add_curves(
    const char *function,
    ctorch_summary_writer *self,
    const char *tag,
    const float *curves,
    int64_t len,
    int64_t num_thresholds,
    int64_t global_step,
    const double *walltime) {
  struct buffer content = {NULL, 0, 0};
  const int64_t shape[2] = {CURVES, len};
  ctorch_error *error = message_pr_curve(function, num_thresholds, &content);
  if (error == NULL) {
    const struct summary_value value = {
        .tag = tag,
        .plugin = "pr_curves",
        .plugin_content = {content.data, content.len},
        .what = SUMMARY_TENSOR,
        .tensor = {TENSOR_FLOAT, shape, 2, LIST_FLOAT, curves, (size_t)(CURVES * len)}};
    error = summary_add(function, self, &value, 1, global_step, walltime);
  }
  free(content.data);
  return error;
}

/* From the weights of what is true and false in each of `len` bins of the prediction: as compute_curve of Python. */
static void put_curves(float *out, const double *true_bins, const double *false_bins, int64_t len) {
  const double least = 1e-7;
  double tp = 0, fp = 0, all_tp = 0, all_fp = 0;
  double tps[MOST_THRESHOLDS], fps[MOST_THRESHOLDS];
  for (int64_t i = len; i-- > 0;) {
    tp += true_bins[i];
    fp += false_bins[i];
    tps[i] = tp;
    fps[i] = fp;
  }
  all_tp = tps[0];
  all_fp = fps[0];
  for (int64_t i = 0; i < len; i++) {
    const double tn = all_fp - fps[i], fn = all_tp - tps[i];
    const double curves[CURVES] = {
        tps[i], fps[i], tn, fn, tps[i] / fmax(least, tps[i] + fps[i]), tps[i] / fmax(least, tps[i] + fn)};
    for (int curve = 0; curve < CURVES; curve++) {
      out[curve * len + i] = (float)curves[curve];
    }
  }
}

struct samples {
  const double *labels, *predictions, *weights; /* the last may be NULL */
  int64_t len;
  bool is_single; /* predictions are of float32 */
};

static void count_samples(const struct samples *samples, double *true_bins, double *false_bins, int64_t len) {
  for (int64_t i = 0; i < samples->len; i++) {
    const double prediction = samples->predictions[i], weight = samples->weights == NULL ? 1 : samples->weights[i];
    const double place = samples->is_single ? floor((double)((float)prediction * (float)(len - 1)))
                                            : floor(prediction * (double)(len - 1));
    if (place >= 0 && place < (double)len) {
      true_bins[(int64_t)place] += samples->labels[i] * weight;
      false_bins[(int64_t)place] += (1 - samples->labels[i]) * weight;
    }
  }
}

static ctorch_error *doubles(
    const char *function,
    const char *name,
    const ctorch_tensor *from,
    int64_t len,
    ctorch_tensor **kept,
    const double **out) {
  const void *data = NULL;
  if (ctorch_tensor_numel(from) != len) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "%s: expected as many as there are labels, %" PRId64 ", got %" PRId64, name, len,
        ctorch_tensor_numel(from));
  }
  CTORCH_TRY(summary_plain(function, kept, from, CTORCH_DTYPE_FLOAT64));
  CTORCH_TRY(error_of(function, ctorch_tensor_const_data(&data, *kept)));
  *out = data;
  return NULL;
}

static ctorch_error *check_thresholds(const char *function, int64_t num_thresholds) {
  return num_thresholds < 2
             ? error_argument(function, "num_thresholds", "expected at least 2, got %" PRId64, num_thresholds)
             : NULL;
}

ctorch_error *ctorch_summary_writer_add_pr_curve(
    ctorch_summary_writer *self,
    const char *tag,
    const ctorch_tensor *labels,
    const ctorch_tensor *predictions,
    int64_t global_step,
    int64_t num_thresholds,
    const ctorch_tensor *weights,
    const double *walltime) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(summary_check(__func__, self, tag));
  if (labels == NULL || predictions == NULL) {
    return error_null(__func__, labels == NULL ? "labels" : "predictions");
  }
  CTORCH_TRY(check_thresholds(__func__, num_thresholds));
  const int64_t len = num_thresholds < MOST_THRESHOLDS ? num_thresholds : MOST_THRESHOLDS;
  struct samples samples = {
      .len = ctorch_tensor_numel(labels), .is_single = ctorch_tensor_dtype(predictions) == CTORCH_DTYPE_FLOAT32};
  ctorch_tensor *kept[3] = {NULL, NULL, NULL};
  ctorch_error *error = doubles(__func__, "labels", labels, samples.len, &kept[0], &samples.labels);
  THEN(error, doubles(__func__, "predictions", predictions, samples.len, &kept[1], &samples.predictions));
  if (error == NULL && weights != NULL) {
    error = doubles(__func__, "weights", weights, samples.len, &kept[2], &samples.weights);
  }
  if (error == NULL) {
    double true_bins[MOST_THRESHOLDS] = {0}, false_bins[MOST_THRESHOLDS] = {0};
    float curves[CURVES * MOST_THRESHOLDS];
    count_samples(&samples, true_bins, false_bins, len);
    put_curves(curves, true_bins, false_bins, len);
    error = add_curves(__func__, self, tag, curves, len, len, global_step, walltime);
  }
  for (int i = 0; i < 3; i++) {
    ctorch_tensor_release(kept[i]);
  }
  return error;
}

ctorch_error *ctorch_summary_writer_add_pr_curve_raw(
    ctorch_summary_writer *self,
    const char *tag,
    const ctorch_tensor *curves,
    int64_t global_step,
    int64_t num_thresholds,
    const double *walltime) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(summary_check(__func__, self, tag));
  if (curves == NULL) {
    return error_null(__func__, "curves");
  }
  CTORCH_TRY(check_thresholds(__func__, num_thresholds));
  const int64_t *sizes = ctorch_tensor_sizes(curves); /* a nested tensor has none */
  if (sizes == NULL || ctorch_tensor_ndim(curves) != 2 || sizes[0] != CURVES) {
    return error_make(__func__, CTORCH_ERROR_VALUE, "curves: expected six rows");
  }
  ctorch_tensor *plain = NULL;
  const void *data = NULL;
  CTORCH_TRY(summary_plain(__func__, &plain, curves, CTORCH_DTYPE_FLOAT32));
  ctorch_error *error = error_of(__func__, ctorch_tensor_const_data(&data, plain));
  THEN(
      error, add_curves(
                 __func__, self, tag, data, sizes[1],
                 num_thresholds < MOST_THRESHOLDS ? num_thresholds : MOST_THRESHOLDS, global_step, walltime));
  ctorch_tensor_release(plain);
  return error;
}

/* Meshes ----------------------------------------------------------------------------------------------------------- */

struct mesh_part {
  const char *name; /* of the argument */
  const char *end;  /* of its tag */
  int32_t content_type;
  const ctorch_tensor *tensor; /* NULL for none */
  ctorch_tensor *plain;
  struct text tag;
  struct buffer content;
};

static ctorch_error *put_part(
    const char *function,
    struct mesh_part *self,
    const char *tag,
    const char *json_config,
    uint32_t components,
    struct summary_value *out) {
  const void *data = NULL;
  if (ctorch_tensor_ndim(self->tensor) != 3) {
    return error_make(function, CTORCH_ERROR_VALUE, "%s: expected three dimensions", self->name);
  }
  CTORCH_TRY(summary_plain(function, &self->plain, self->tensor, CTORCH_DTYPE_FLOAT32));
  CTORCH_TRY(error_of(function, ctorch_tensor_const_data(&data, self->plain)));
  const int64_t *shape = ctorch_tensor_sizes(self->plain);
  CTORCH_TRY(message_mesh(function, tag, self->content_type, json_config, shape, components, &self->content));
  self->tag.function = function;
  text_add(&self->tag, "%s_%s", tag, self->end);
  *out = (struct summary_value){
      .tag = text_data(&self->tag),
      .plugin = "mesh",
      .plugin_content = {self->content.data, self->content.len},
      .what = SUMMARY_TENSOR,
      .tensor = {TENSOR_FLOAT, shape, 3, LIST_FLOAT, data, (size_t)ctorch_tensor_numel(self->plain)}};
  return NULL;
}

ctorch_error *ctorch_summary_writer_add_mesh(
    ctorch_summary_writer *self,
    const char *tag,
    const ctorch_tensor *vertices,
    const ctorch_tensor *colors,
    const ctorch_tensor *faces,
    const char *config_json,
    int64_t global_step,
    const double *walltime) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(summary_check(__func__, self, tag));
  if (vertices == NULL) {
    return error_null(__func__, "vertices");
  }
  CTORCH_TRY(config_json == NULL ? NULL : error_unless_text(__func__, "config_json", config_json));
  struct mesh_part parts[MESH_PARTS] = {
      {.name = "vertices", .end = "VERTEX", .content_type = 1, .tensor = vertices},
      {.name = "faces", .end = "FACE", .content_type = FACE, .tensor = faces},
      {.name = "colors", .end = "COLOR", .content_type = 3, .tensor = colors}};
  struct summary_value values[MESH_PARTS];
  uint32_t components = 0;
  size_t len = 0;
  ctorch_error *error = NULL;
  for (int i = 0; i < MESH_PARTS; i++) {
    components |= parts[i].tensor != NULL ? 1U << parts[i].content_type : 0;
  }
  for (int i = 0; error == NULL && i < MESH_PARTS; i++) {
    if (parts[i].tensor != NULL) {
      error = put_part(__func__, &parts[i], tag, config_json == NULL ? "{}" : config_json, components, &values[len++]);
    }
  }
  THEN(error, summary_add(__func__, self, values, len, global_step, walltime));
  for (int i = 0; i < MESH_PARTS; i++) {
    ctorch_error *failure = text_end(&parts[i].tag);
    ctorch_error_release(error == NULL ? NULL : failure);
    THEN(error, failure);
    free(parts[i].content.data);
    ctorch_tensor_release(parts[i].plain);
  }
  return error;
}

/* Layouts ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *add_layout(
    const char *function, ctorch_summary_writer *self, const struct chart *charts, size_t len, const double *walltime) {
  struct buffer layout = {NULL, 0, 0};
  static const int64_t NO_SHAPE = 0;
  ctorch_error *error = message_layout(function, charts, len, &layout);
  if (error == NULL) {
    const struct bytes bytes = {layout.data, layout.len};
    const struct summary_value value = {
        .tag = "custom_scalars__config__",
        .plugin = "custom_scalars",
        .what = SUMMARY_TENSOR,
        .tensor = {TENSOR_STRING, &NO_SHAPE, 0, LIST_STRING, &bytes, 1}};
    error = summary_add(function, self, &value, 1, 0, walltime);
  }
  free(layout.data);
  return error;
}

static ctorch_error *check_chart(
    const char *function, const char *const *tags, size_t tags_len, const char *category, const char *title) {
  CTORCH_TRY(error_unless_list(function, "tags", tags, tags_len));
  for (size_t i = 0; i < tags_len; i++) {
    CTORCH_TRY(summary_check_text(function, "tags", tags[i]));
  }
  CTORCH_TRY(category == NULL ? NULL : error_unless_text(function, "category", category));
  return title == NULL ? NULL : error_unless_text(function, "title", title);
}

ctorch_error *ctorch_summary_writer_add_custom_scalars_multilinechart(
    ctorch_summary_writer *self,
    const char *const *tags,
    size_t tags_len,
    const char *category,
    const char *title,
    const double *walltime) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(summary_check_writer(__func__, self));
  CTORCH_TRY(check_chart(__func__, tags, tags_len, category, title));
  const struct chart chart = {
      category == NULL ? "default" : category, title == NULL ? "untitled" : title, false, tags, tags_len};
  return add_layout(__func__, self, &chart, 1, walltime);
}

ctorch_error *ctorch_summary_writer_add_custom_scalars_marginchart(
    ctorch_summary_writer *self,
    const char *const *tags,
    size_t tags_len,
    const char *category,
    const char *title,
    const double *walltime) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(summary_check_writer(__func__, self));
  CTORCH_TRY(check_chart(__func__, tags, tags_len, category, title));
  if (tags_len != 3) {
    return error_make(__func__, CTORCH_ERROR_VALUE, "tags: expected 3 tags, got %zu", tags_len);
  }
  const struct chart chart = {
      category == NULL ? "default" : category, title == NULL ? "untitled" : title, true, tags, tags_len};
  return add_layout(__func__, self, &chart, 1, walltime);
}

/* What is read of a layout, with the values that its texts are borrowed from. */
struct read_layout {
  struct chart *charts;
  size_t len;
  ctorch_value **kept;
  size_t kept_len;
};

static void end_layout(struct read_layout *self) {
  for (size_t i = 0; i < self->len; i++) {
    free((void *)self->charts[i].tags);
  }
  for (size_t i = 0; i < self->kept_len; i++) {
    ctorch_value_release(self->kept[i]);
  }
  free(self->charts);
  free(self->kept);
}

/* Have room for one value more to be kept. */
static ctorch_error *keep(const char *function, struct read_layout *self, ctorch_value ***out) {
  CTORCH_TRY(array_grow(function, &self->kept, self->kept_len, sizeof(ctorch_value *)));
  *out = &self->kept[self->kept_len];
  **out = NULL;
  self->kept_len++;
  return NULL;
}

static ctorch_error *wrong_layout(const char *function) {
  return error_make(
      function, CTORCH_ERROR_VALUE,
      "layout: expected {category: {title: ['Multiline', tags]}} or ['Margin', three tags], all of them texts");
}

static ctorch_error *read_text(const char *function, const ctorch_value *from, const char **out) {
  size_t len = 0;
  if (ctorch_value_kind_of(from) != CTORCH_VALUE_STRING) {
    return wrong_layout(function);
  }
  CTORCH_TRY(ctorch_value_to_string(out, &len, from));
  return strlen(*out) == len ? NULL : wrong_layout(function);
}

static ctorch_error *get(
    const char *function, struct read_layout *self, const ctorch_value *list, size_t index, ctorch_value **out) {
  ctorch_value **place = NULL;
  CTORCH_TRY(keep(function, self, &place));
  CTORCH_TRY(error_of(function, ctorch_value_get(place, list, index)));
  *out = *place;
  return NULL;
}

static bool is_sequence(const ctorch_value *value) {
  return ctorch_value_kind_of(value) == CTORCH_VALUE_LIST || ctorch_value_kind_of(value) == CTORCH_VALUE_TUPLE;
}

/* [kind, tags] */
static ctorch_error *read_chart(
    const char *function, struct read_layout *self, const char *category, const char *title, const ctorch_value *from) {
  ctorch_value *kind = NULL, *tags = NULL;
  const char *name = NULL;
  if (!is_sequence(from) || ctorch_value_len(from) != 2) {
    return wrong_layout(function);
  }
  CTORCH_TRY(get(function, self, from, 0, &kind));
  CTORCH_TRY(get(function, self, from, 1, &tags));
  CTORCH_TRY(read_text(function, kind, &name));
  const size_t len = is_sequence(tags) ? ctorch_value_len(tags) : 0;
  const bool is_margin = strcmp(name, "Margin") == 0;
  if (!is_sequence(tags) || (is_margin && len != 3)) {
    return wrong_layout(function);
  }
  CTORCH_TRY(array_grow(function, &self->charts, self->len, sizeof *self->charts));
  const char **texts = calloc(len + 1, sizeof *texts);
  self->charts[self->len++] = (struct chart){category, title, is_margin, texts, len};
  if (texts == NULL) {
    return error_memory(function, (len + 1) * sizeof *texts);
  }
  for (size_t i = 0; i < len; i++) {
    ctorch_value *tag = NULL;
    CTORCH_TRY(get(function, self, tags, i, &tag));
    CTORCH_TRY(read_text(function, tag, &texts[i]));
  }
  return NULL;
}

/* Each entry of a dict, with its key; `read` is given what `above` it stands. */
static ctorch_error *read_entries(
    const char *function,
    struct read_layout *self,
    const char *above,
    const ctorch_value *dict,
    ctorch_error *(*read)(const char *, struct read_layout *, const char *, const char *, const ctorch_value *)) {
  ctorch_value **place = NULL, *keys = NULL, *values = NULL;
  if (ctorch_value_kind_of(dict) != CTORCH_VALUE_DICT) {
    return wrong_layout(function);
  }
  CTORCH_TRY(keep(function, self, &place));
  CTORCH_TRY(error_of(function, ctorch_value_dict_keys(place, dict)));
  keys = *place;
  CTORCH_TRY(keep(function, self, &place));
  CTORCH_TRY(error_of(function, ctorch_value_dict_values(place, dict)));
  values = *place;
  for (size_t i = 0; i < ctorch_value_len(keys); i++) {
    ctorch_value *key = NULL, *value = NULL;
    const char *name = NULL;
    CTORCH_TRY(get(function, self, keys, i, &key));
    CTORCH_TRY(get(function, self, values, i, &value));
    CTORCH_TRY(read_text(function, key, &name));
    CTORCH_TRY(read(function, self, above, name, value));
  }
  return NULL;
}

static ctorch_error *read_category(
    const char *function, struct read_layout *self, const char *above, const char *name, const ctorch_value *charts) {
  (void)above;
  return read_entries(function, self, name, charts, read_chart);
}

ctorch_error *ctorch_summary_writer_add_custom_scalars(
    ctorch_summary_writer *self, const ctorch_value *layout, const double *walltime) {
  CTORCH_TRY(error_refusal(__func__));
  struct read_layout read = {NULL, 0, NULL, 0};
  CTORCH_TRY(summary_check_writer(__func__, self));
  if (layout == NULL) {
    return error_null(__func__, "layout");
  }
  ctorch_error *error = read_entries(__func__, &read, NULL, layout, read_category);
  THEN(error, add_layout(__func__, self, read.charts, read.len, walltime));
  end_layout(&read);
  return error;
}
