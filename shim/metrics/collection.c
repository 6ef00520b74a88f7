/* Collections of metrics: several as one. */
#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"
#include "metrics/metric.h"

static ctorch_error *check_texts(
    const char *function, const char *const *names, size_t names_len, const char *prefix, const char *postfix) {
  for (size_t i = 0; i < names_len; i++) {
    if (names[i] == NULL) {
      return error_null(function, "names");
    }
    CTORCH_TRY(error_unless_text(function, "names", names[i]));
  }
  CTORCH_TRY(error_unless_text(function, "prefix", prefix == NULL ? "" : prefix));
  return error_unless_text(function, "postfix", postfix == NULL ? "" : postfix);
}

static ctorch_error *add(const char *function, ctorch_metric *self, const ctorch_metric *metric, const char *name) {
  for (size_t i = 0; i < self->members_len; i++) {
    if (strcmp(self->members[i].name, name) == 0) {
      return error_make(function, CTORCH_ERROR_VALUE, "Encountered two metrics both named %.200s", name);
    }
  }
  if (metric->members_len > 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "metrics: '%.200s' is a collection itself", name);
  }
  struct metric_member *member = &self->members[self->members_len++];
  CTORCH_TRY(metric_clone(function, &member->metric, metric, true));
  object_take(member->metric);
  return metric_copy_text(&member->name, name) ? NULL : error_memory(function, strlen(name) + 1);
}

ctorch_error *ctorch_metric_collection(
    ctorch_metric **out,
    const ctorch_metric *const *metrics,
    size_t metrics_len,
    const char *const *names,
    size_t names_len,
    const char *prefix,
    const char *postfix) {
  CTORCH_TRY(error_refusal(__func__));
  static const metric_class class = {.object = METRIC_OBJECT(ctorch_metric), .name = "MetricCollection"};
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  CTORCH_TRY(error_unless_list(__func__, "metrics", metrics, metrics_len));
  CTORCH_TRY(error_unless_list(__func__, "names", names, names_len));
  if (metrics_len == 0) {
    return error_make(__func__, CTORCH_ERROR_VALUE, "metrics: a collection needs at least one");
  }
  if (names_len > 0 && names_len != metrics_len) {
    return error_argument(__func__, "names", "%zu names for %zu metrics", names_len, metrics_len);
  }
  CTORCH_TRY(check_texts(__func__, names, names_len, prefix, postfix));
  ctorch_metric *self = metric_new(&class);
  ctorch_error *error = NULL;
  if (self != NULL) {
    self->members = calloc(metrics_len, sizeof *self->members);
    bool is_whole =
        self->members != NULL && metric_copy_text(&self->prefix, prefix) && metric_copy_text(&self->postfix, postfix);
    error = is_whole ? NULL : error_memory(__func__, metrics_len * sizeof *self->members);
  }
  for (size_t i = 0; self != NULL && error == NULL && i < metrics_len; i++) {
    error = metrics[i] == NULL
                ? error_null(__func__, "metrics")
                : add(__func__, self, metrics[i], names_len > 0 ? names[i] : ctorch_metric_name(metrics[i]));
  }
  return metric_give(__func__, out, self, error);
}
