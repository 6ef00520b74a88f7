/* Numbers and texts in summaries. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "core/c/error.h"
#include "core/c/object.h"
#include "tensorboard/writer.h"

ctorch_error *ctorch_summary_writer_add_scalar(
    ctorch_summary_writer *self,
    const char *tag,
    double scalar_value,
    int64_t global_step,
    const double *walltime,
    bool new_style,
    bool double_precision) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(summary_check(__func__, self, tag));
  const float single = (float)scalar_value;
  struct summary_value value = {.tag = tag, .what = SUMMARY_SIMPLE, .simple = single};
  if (new_style) {
    value.plugin = "scalars";
    value.what = SUMMARY_TENSOR;
    value.tensor = double_precision
                       ? (struct summary_tensor){.type = TENSOR_DOUBLE, .list = LIST_DOUBLE, .values = &scalar_value}
                       : (struct summary_tensor){.type = TENSOR_FLOAT, .list = LIST_FLOAT, .values = &single};
    value.tensor.values_len = 1;
  }
  return summary_add(__func__, self, &value, 1, global_step, walltime);
}

ctorch_error *ctorch_summary_writer_add_text(
    ctorch_summary_writer *self,
    const char *tag,
    const char *text_string,
    int64_t global_step,
    const double *walltime) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(summary_check(__func__, self, tag));
  CTORCH_TRY(summary_check_text(__func__, "text_string", text_string));
  struct text name = {.function = __func__};
  const struct bytes bytes = {text_string, strlen(text_string)};
  const int64_t one = 1;
  text_add(&name, "%s/text_summary", tag);
  struct summary_value value = {.tag = text_data(&name), .plugin = "text", .what = SUMMARY_TENSOR};
  value.tensor = (struct summary_tensor){
      .type = TENSOR_STRING, .shape = &one, .ndim = 1, .list = LIST_STRING, .values = &bytes, .values_len = 1};
  ctorch_error *error = name.error == NULL ? summary_add(__func__, self, &value, 1, global_step, walltime) : NULL;
  ctorch_error *failure = text_end(&name);
  return failure != NULL ? failure : error;
}

/* Several in one chart --------------------------------------------------------------------------------------------- */

static ctorch_error *begin_sub(const char *function, ctorch_summary_writer *self, struct sub_writer *sub) {
  sub->file = (struct event_file){.file = -1, .max_queue = self->file.max_queue, .flush_secs = self->file.flush_secs};
  sub->file.folder = strdup(sub->folder);
  sub->file.suffix = self->file.suffix == NULL ? NULL : strdup(self->file.suffix);
  ctorch_error *error = sub->file.folder == NULL || (self->file.suffix != NULL && sub->file.suffix == NULL)
                            ? error_memory(function, 0)
                            : event_file_begin(function, &sub->file);
  if (error != NULL) {
    event_file_end(&sub->file);
  }
  return error;
}

/* The writer of a folder, which is begun if there is none yet. */
static ctorch_error *find_sub(
    const char *function, ctorch_summary_writer *self, const char *folder, struct event_file **out) {
  for (size_t i = 0; i < self->subs_len; i++) {
    if (strcmp(self->subs[i].folder, folder) == 0) {
      *out = &self->subs[i].file;
      return NULL;
    }
  }
  CTORCH_TRY(array_grow(function, &self->subs, self->subs_len, sizeof *self->subs));
  struct sub_writer *sub = &self->subs[self->subs_len];
  sub->folder = strdup(folder);
  if (sub->folder == NULL) {
    return error_memory(function, strlen(folder) + 1);
  }
  ctorch_error *error = begin_sub(function, self, sub);
  if (error != NULL) {
    free(sub->folder);
    return error;
  }
  self->subs_len++;
  *out = &sub->file;
  return NULL;
}

static ctorch_error *add_one(
    const char *function, ctorch_summary_writer *self, const char *folder, const struct event *event) {
  struct event_file *file = NULL;
  if (self->is_closed) {
    return error_make(function, CTORCH_ERROR_RUNTIME, "self: the writer is closed");
  }
  CTORCH_TRY(find_sub(function, self, folder, &file));
  return event_file_add(function, file, event);
}

/* "<log_dir>/<main_tag>_<tag>" */
static void put_folder(struct text *text, const ctorch_summary_writer *self, const char *main_tag, const char *tag) {
  text_add(text, "%s/%s_%s", self->folder, main_tag, tag);
  for (size_t i = strlen(self->folder) + 1; text->error == NULL && i < text->len - strlen(tag); i++) {
    if (text->data[i] == '/') {
      text->data[i] = '_';
    }
  }
}

ctorch_error *ctorch_summary_writer_add_scalars(
    ctorch_summary_writer *self,
    const char *main_tag,
    const char *const *tags,
    size_t tags_len,
    const double *scalar_values,
    size_t scalar_values_len,
    int64_t global_step,
    const double *walltime) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(summary_check_writer(__func__, self));
  CTORCH_TRY(summary_check_text(__func__, "main_tag", main_tag));
  CTORCH_TRY(error_unless_list(__func__, "tags", tags, tags_len));
  CTORCH_TRY(error_unless_list(__func__, "scalar_values", scalar_values, scalar_values_len));
  if (tags_len != scalar_values_len) {
    return error_argument(
        __func__, "scalar_values", "expected as many as there are tags, %zu, got %zu", tags_len, scalar_values_len);
  }
  for (size_t i = 0; i < tags_len; i++) {
    CTORCH_TRY(summary_check_text(__func__, "tags", tags[i]));
  }
  const double now = walltime == NULL ? event_time() : *walltime;
  for (size_t i = 0; i < tags_len; i++) {
    const struct summary_value value = {.tag = main_tag, .what = SUMMARY_SIMPLE, .simple = (float)scalar_values[i]};
    const struct event event = {
        .wall_time = now, .step = global_step, .what = EVENT_SUMMARY, .values = &value, .values_len = 1};
    struct text folder = {.function = __func__};
    put_folder(&folder, self, main_tag, tags[i]);
    pthread_mutex_lock(&self->lock);
    ctorch_error *error = folder.error == NULL ? add_one(__func__, self, text_data(&folder), &event) : NULL;
    pthread_mutex_unlock(&self->lock);
    ctorch_error *failure = text_end(&folder);
    CTORCH_TRY(failure != NULL ? failure : error);
  }
  return NULL;
}
