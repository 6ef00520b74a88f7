/* Hyperparameters in summaries: an experiment, a session that begins and ends, and its metrics, in a folder of its
 * own. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "tensorboard/writer.h"

/* A dict by keys and values, kept while its texts are used. */
struct items {
  ctorch_value *keys, *values;
  ctorch_value **kept; /* two for each */
  size_t len;
};

static void end_items(struct items *self) {
  for (size_t i = 0; self->kept != NULL && i < 2 * self->len; i++) {
    ctorch_value_release(self->kept[i]);
  }
  free(self->kept);
  ctorch_value_release(self->keys);
  ctorch_value_release(self->values);
}

static ctorch_error *begin_items(const char *function, const char *name, struct items *self, const ctorch_value *dict) {
  if (ctorch_value_kind_of(dict) != CTORCH_VALUE_DICT) {
    return error_make(function, CTORCH_ERROR_TYPE, "%s: expected a dict", name);
  }
  CTORCH_TRY(error_of(function, ctorch_value_dict_keys(&self->keys, dict)));
  CTORCH_TRY(error_of(function, ctorch_value_dict_values(&self->values, dict)));
  const size_t len = ctorch_value_len(self->keys);
  self->kept = calloc(2 * len + 1, sizeof(ctorch_value *));
  if (self->kept == NULL) {
    return error_memory(function, (2 * len + 1) * sizeof(ctorch_value *));
  }
  self->len = len;
  for (size_t i = 0; i < len; i++) {
    CTORCH_TRY(error_of(function, ctorch_value_get(&self->kept[2 * i], self->keys, i)));
    CTORCH_TRY(error_of(function, ctorch_value_get(&self->kept[2 * i + 1], self->values, i)));
  }
  return NULL;
}

static ctorch_error *read_text(const char *function, const char *name, const ctorch_value *from, const char **out) {
  size_t len = 0;
  if (ctorch_value_kind_of(from) == CTORCH_VALUE_STRING) {
    CTORCH_TRY(error_of(function, ctorch_value_to_string(out, &len, from)));
    if (strlen(*out) == len) {
      return NULL;
    }
  }
  return error_make(function, CTORCH_ERROR_TYPE, "%s: expected a text without NUL", name);
}

/* A number as Python's float() makes it, of a bool too. */
static ctorch_error *read_number(const char *function, const char *name, const ctorch_value *from, double *out) {
  int64_t integer = 0;
  bool truth = false;
  ctorch_tensor *tensor = NULL;
  ctorch_error *error = NULL;
  switch (ctorch_value_kind_of(from)) {
    case CTORCH_VALUE_BOOL:
      error = ctorch_value_to_bool(&truth, from);
      *out = truth ? 1 : 0;
      return error_of(function, error);
    case CTORCH_VALUE_INT:
      error = ctorch_value_to_int(&integer, from);
      *out = (double)integer;
      return error_of(function, error);
    case CTORCH_VALUE_DOUBLE:
      return error_of(function, ctorch_value_to_double(out, from));
    case CTORCH_VALUE_TENSOR:
      CTORCH_TRY(error_of(function, ctorch_value_to_tensor(&tensor, from)));
      error = ctorch_tensor_item_double(out, tensor);
      ctorch_tensor_release(tensor);
      return error_of(function, error);
    default:
      return error_make(
          function, CTORCH_ERROR_VALUE, "%s: expected a number, a bool, a text or a tensor, got %s", name,
          ctorch_value_kind_name(ctorch_value_kind_of(from)));
  }
}

/* What is read of the arguments. */
struct session {
  struct items hparams, metrics;
  struct hparam *read;
  size_t read_len;
  const char **names; /* of metrics */
  double *numbers;
};

static void end_session(struct session *self) {
  for (size_t i = 0; i < self->read_len; i++) {
    free((void *)self->read[i].numbers);
    for (size_t j = 0; self->read[i].texts != NULL && j < self->read[i].domain_len; j++) {
      free((void *)self->read[i].texts[j]);
    }
    free((void *)self->read[i].texts);
  }
  free(self->read);
  free(self->names);
  free(self->numbers);
  end_items(&self->hparams);
  end_items(&self->metrics);
}

static ctorch_error *read_hparams(const char *function, struct session *self) {
  self->read = calloc(self->hparams.len + 1, sizeof *self->read);
  if (self->read == NULL) {
    return error_memory(function, (self->hparams.len + 1) * sizeof *self->read);
  }
  for (size_t i = 0; i < self->hparams.len; i++) {
    const ctorch_value *value = self->hparams.kept[2 * i + 1];
    struct hparam *hparam = &self->read[self->read_len];
    if (ctorch_value_kind_of(value) == CTORCH_VALUE_NONE) {
      continue;
    }
    CTORCH_TRY(read_text(function, "hparam_dict", self->hparams.kept[2 * i], &hparam->name));
    hparam->is_text = ctorch_value_kind_of(value) == CTORCH_VALUE_STRING;
    CTORCH_TRY(
        hparam->is_text ? read_text(function, "hparam_dict", value, &hparam->text)
                        : read_number(function, "hparam_dict", value, &hparam->number));
    self->read_len++;
  }
  return NULL;
}

static ctorch_error *read_metrics(const char *function, struct session *self) {
  const size_t len = self->metrics.len;
  self->names = calloc(len + 1, sizeof *self->names);
  self->numbers = calloc(len + 1, sizeof *self->numbers);
  if (self->names == NULL || self->numbers == NULL) {
    return error_memory(function, (len + 1) * sizeof *self->numbers);
  }
  for (size_t i = 0; i < len; i++) {
    CTORCH_TRY(read_text(function, "metric_dict", self->metrics.kept[2 * i], &self->names[i]));
    CTORCH_TRY(read_number(function, "metric_dict", self->metrics.kept[2 * i + 1], &self->numbers[i]));
  }
  return NULL;
}

/* All that one hyperparameter may be, a list. */
static ctorch_error *read_domain(const char *function, struct hparam *hparam, const ctorch_value *list) {
  static const char NAME[] = "hparam_domain_discrete";
  if (ctorch_value_kind_of(list) != CTORCH_VALUE_LIST) {
    return error_make(function, CTORCH_ERROR_TYPE, "%s: expected a list for '%s'", NAME, hparam->name);
  }
  const size_t len = ctorch_value_len(list);
  double *numbers = hparam->is_text ? NULL : calloc(len + 1, sizeof *numbers);
  char **texts = hparam->is_text ? calloc(len + 1, sizeof *texts) : NULL;
  hparam->numbers = numbers;
  hparam->texts = (const char *const *)texts;
  hparam->domain_len = len;
  hparam->has_domain = true;
  if (numbers == NULL && texts == NULL) {
    hparam->domain_len = 0;
    return error_memory(function, (len + 1) * sizeof *numbers);
  }
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    ctorch_value *value = NULL;
    const char *text = NULL;
    CTORCH_TRY(error_of(function, ctorch_value_get(&value, list, i)));
    error = hparam->is_text ? read_text(function, NAME, value, &text) : read_number(function, NAME, value, &numbers[i]);
    if (error == NULL && hparam->is_text) {
      texts[i] = strdup(text);
      error = texts[i] == NULL ? error_memory(function, strlen(text) + 1) : NULL;
    }
    ctorch_value_release(value);
  }
  return error;
}

static ctorch_error *read_domains(const char *function, struct session *self, const ctorch_value *domains) {
  struct items items = {NULL, NULL, NULL, 0};
  ctorch_error *error = begin_items(function, "hparam_domain_discrete", &items, domains);
  for (size_t i = 0; error == NULL && i < items.len; i++) {
    const char *name = NULL;
    struct hparam *found = NULL;
    error = read_text(function, "hparam_domain_discrete", items.kept[2 * i], &name);
    for (size_t j = 0; error == NULL && j < self->read_len; j++) {
      found = strcmp(self->read[j].name, name) == 0 ? &self->read[j] : found;
    }
    THEN(
        error, found != NULL ? read_domain(function, found, items.kept[2 * i + 1])
                             : error_make(
                                   function, CTORCH_ERROR_TYPE,
                                   "hparam_domain_discrete: '%s' is no name of hparam_dict with a value", name));
  }
  end_items(&items);
  return error;
}

static ctorch_error *add_content(
    const char *function,
    ctorch_summary_writer *self,
    const char *tag,
    const struct buffer *content,
    int64_t global_step,
    const double *walltime) {
  const struct summary_value value = {
      .tag = tag, .plugin = "hparams", .plugin_content = {content->data, content->len}, .what = SUMMARY_NOTHING};
  return summary_add(function, self, &value, 1, global_step, walltime);
}

static ctorch_error *add_session(
    const char *function,
    ctorch_summary_writer *run,
    const struct session *session,
    int64_t global_step,
    const double *walltime) {
  struct buffer parts[3] = {{NULL, 0, 0}, {NULL, 0, 0}, {NULL, 0, 0}};
  static const char *const TAGS[] = {
      "_hparams_/experiment", "_hparams_/session_start_info", "_hparams_/session_end_info"};
  ctorch_error *error = message_hparams_experiment(
      function, session->read, session->read_len, session->names, session->metrics.len, &parts[0]);
  THEN(error, message_hparams_start(function, session->read, session->read_len, &parts[1]));
  THEN(error, message_hparams_end(function, &parts[2]));
  for (int i = 0; error == NULL && i < 3; i++) {
    error = add_content(function, run, TAGS[i], &parts[i], global_step, walltime);
  }
  for (size_t i = 0; error == NULL && i < session->metrics.len; i++) {
    const struct summary_value value = {
        .tag = session->names[i], .what = SUMMARY_SIMPLE, .simple = (float)session->numbers[i]};
    error = summary_add(function, run, &value, 1, global_step, walltime);
  }
  for (int i = 0; i < 3; i++) {
    free(parts[i].data);
  }
  return error;
}

/* In a folder below that of the writer. */
static ctorch_error *add_run(
    const char *function,
    ctorch_summary_writer *self,
    const struct session *session,
    const char *run_name,
    int64_t global_step,
    const double *walltime) {
  struct text folder = {.function = function};
  ctorch_summary_writer *run = NULL;
  text_add(&folder, "%s/", self->folder);
  if (run_name != NULL) {
    text_add(&folder, "%s", run_name);
  } else {
    text_double(&folder, walltime == NULL ? event_time() : *walltime);
  }
  ctorch_error *error = folder.error == NULL ? summary_open_like(function, &run, self, text_data(&folder)) : NULL;
  ctorch_error *failure = text_end(&folder);
  if (failure != NULL) {
    ctorch_error_release(error);
    return failure;
  }
  THEN(error, add_session(function, run, session, global_step, walltime));
  THEN(error, error_of(function, ctorch_summary_writer_finish(run)));
  ctorch_summary_writer_release(run);
  return error;
}

ctorch_error *ctorch_summary_writer_add_hparams(
    ctorch_summary_writer *self,
    const ctorch_value *hparam_dict,
    const ctorch_value *metric_dict,
    const ctorch_value *hparam_domain_discrete,
    const char *run_name,
    int64_t global_step,
    const double *walltime) {
  CTORCH_TRY(error_refusal(__func__));
  struct session session = {0};
  CTORCH_TRY(summary_check_writer(__func__, self));
  if (hparam_dict == NULL || metric_dict == NULL) {
    return error_null(__func__, hparam_dict == NULL ? "hparam_dict" : "metric_dict");
  }
  CTORCH_TRY(run_name == NULL ? NULL : error_unless_text(__func__, "run_name", run_name));
  ctorch_error *error = begin_items(__func__, "hparam_dict", &session.hparams, hparam_dict);
  THEN(error, begin_items(__func__, "metric_dict", &session.metrics, metric_dict));
  THEN(error, read_hparams(__func__, &session));
  THEN(error, read_metrics(__func__, &session));
  if (error == NULL && hparam_domain_discrete != NULL) {
    error = read_domains(__func__, &session, hparam_domain_discrete);
  }
  THEN(error, add_run(__func__, self, &session, run_name, global_step, walltime));
  end_session(&session);
  return error;
}
