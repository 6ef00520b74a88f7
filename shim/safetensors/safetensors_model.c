/* Models with tensors that share memory in safetensors, as the Python package has them (safetensors.torch: save_model,
 * load_model): <ctorch/safetensors/safetensors.h>. */
#include <ctorch.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "io/weights_table.h"
#include "safetensors/safetensors.h"

/* With the metadata that the dropped names add; the caller's dict stays as it is. */
static ctorch_error *write_state(
    const char *function, ctorch_writer *writer, const ctorch_value *state, const ctorch_value *metadata) {
  struct named named = {0};
  ctorch_value *all = NULL;
  CTORCH_TRY(named_read(function, &named, "model", state));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < named.len; i++) {
    error = named_check_strided(function, "model", &named.data[i]);
  }
  THEN(error, metadata == NULL ? ctorch_value_from_dict(&all, NULL, 0, NULL, 0) : ctorch_value_copy(&all, metadata));
  THEN(error, shared_drop(function, &named, all));
  if (error == NULL) {
    bool is_none = metadata == NULL && ctorch_value_len(all) == 0;
    error = safetensors_write_named(function, writer, "model", &named, is_none ? NULL : all);
  }
  ctorch_value_release(all);
  named_end(&named);
  return error;
}

static ctorch_error *write(
    const char *function, ctorch_writer *writer, ctorch_module *model, const ctorch_value *metadata) {
  ctorch_value *state = NULL;
  CTORCH_TRY(named_check_texts(function, "metadata", metadata));
  CTORCH_TRY(ctorch_module_state_dict(&state, NULL, model, NULL, false));
  ctorch_error *error = write_state(function, writer, state, metadata);
  ctorch_value_release(state);
  return error;
}

ctorch_error *ctorch_safetensors_write_model(
    ctorch_writer *writer, ctorch_module *model, const ctorch_value *metadata) {
  CTORCH_TRY(error_refusal(__func__));
  if (writer == NULL || model == NULL) {
    return error_null(__func__, writer == NULL ? "writer" : "model");
  }
  return error_of(__func__, write(__func__, writer, model, metadata));
}

ctorch_error *ctorch_safetensors_write_model_file(
    ctorch_module *model, const ctorch_value *metadata, const char *path) {
  CTORCH_TRY(error_refusal(__func__));
  ctorch_writer *writer = NULL;
  if (model == NULL || path == NULL) {
    return error_null(__func__, model == NULL ? "model" : "path");
  }
  CTORCH_TRY(error_of(__func__, ctorch_writer_open(&writer, path)));
  ctorch_error *error = write(__func__, writer, model, metadata);
  THEN(error, ctorch_writer_finish(writer));
  ctorch_writer_release(writer);
  return error_of(__func__, error);
}

/* Loading. */

/* Take a text out of a list of texts; false if it is not in it. */
static ctorch_error *take_out(bool *is_there, ctorch_value *list, const char *text) {
  *is_there = false;
  for (size_t i = 0; i < ctorch_value_len(list); i++) {
    ctorch_value *entry = NULL;
    const char *found = NULL;
    CTORCH_TRY(ctorch_value_get(&entry, list, i));
    ctorch_error *error = ctorch_value_to_string(&found, NULL, entry);
    *is_there = error == NULL && strcmp(found, text) == 0;
    ctorch_value_release(entry);
    CTORCH_TRY(error);
    if (*is_there) {
      return ctorch_value_list_remove(list, i);
    }
  }
  return NULL;
}

static ctorch_error *append(ctorch_value *list, const char *text) {
  ctorch_value *value = NULL;
  CTORCH_TRY(ctorch_value_from_string(&value, text));
  ctorch_error *error = ctorch_value_list_append(list, value);
  ctorch_value_release(value);
  return error;
}

static bool is_in_file(const char *name, const void *weights) { return weights_entry_of(weights, name) != NULL; }

/* Of tensors of the model that share memory, the file has one: the others are not missing, and too many if it has them.
 * Without lists, what is refused is. */
static ctorch_error *settle_shared(
    const char *function,
    const struct named *own,
    const ctorch_weights *weights,
    ctorch_value *missing,
    ctorch_value *unexpected) {
  struct shared shared = {0};
  CTORCH_TRY(shared_find(function, &shared, own));
  ctorch_error *error = NULL;
  for (size_t first = 0, end; error == NULL && first < shared.len; first = end) {
    size_t kept = 0;
    end = shared_group_end(&shared, first);
    error = shared_keep(function, &kept, &shared, first, is_in_file, weights);
    for (size_t i = first; error == NULL && missing != NULL && i < end; i++) {
      bool is_missing = true;
      if (i != kept) {
        error = take_out(&is_missing, missing, shared.data[i].name);
      }
      if (!is_missing) {
        THEN(error, append(unexpected, shared.data[i].name));
      }
    }
  }
  shared_end(&shared);
  return error;
}

static void add_names(struct text *text, const char *what, const ctorch_value *names) {
  if (ctorch_value_len(names) > 0) {
    text_add(text, "%s%s ", text->len == 0 ? "" : "; ", what);
    text_value(text, names);
  }
}

static ctorch_error *check_nothing_left(
    const char *function, const ctorch_value *missing, const ctorch_value *unexpected) {
  struct text text = {.function = function};
  add_names(&text, "the file lacks", missing);
  add_names(&text, "the model lacks", unexpected);
  ctorch_error *error =
      text.len == 0 ? NULL : error_make(function, CTORCH_ERROR_RUNTIME, "model: %s", text_data(&text));
  return ctorch_error_first(text_end(&text), error);
}

static ctorch_error *load(
    const char *function,
    ctorch_value **out_missing,
    ctorch_value **out_unexpected,
    ctorch_module *model,
    const ctorch_weights *weights,
    bool strict) {
  ctorch_value *tensors = NULL, *state = NULL, *missing = NULL, *unexpected = NULL;
  struct named own = {0};
  ctorch_error *error = ctorch_weights_load(&tensors, weights, NULL);
  THEN(error, ctorch_module_state_dict(&state, NULL, model, NULL, false));
  THEN(error, named_read(function, &own, "model", state));
  THEN(error, settle_shared(function, &own, weights, NULL, NULL));
  error =
      error != NULL ? error : ctorch_module_load_state_dict(&missing, &unexpected, model, tensors, NULL, false, false);
  THEN(error, settle_shared(function, &own, weights, missing, unexpected));
  if (strict) {
    THEN(error, check_nothing_left(function, missing, unexpected));
  }
  named_end(&own);
  ctorch_value_release(tensors);
  ctorch_value_release(state);
  if (error == NULL && out_missing != NULL) {
    *out_missing = missing;
    missing = NULL;
  }
  if (error == NULL && out_unexpected != NULL) {
    *out_unexpected = unexpected;
    unexpected = NULL;
  }
  ctorch_value_release(missing);
  ctorch_value_release(unexpected);
  return error;
}

ctorch_error *ctorch_safetensors_load_model(
    ctorch_value **out_missing,
    ctorch_value **out_unexpected,
    ctorch_module *model,
    const ctorch_weights *weights,
    bool strict) {
  CTORCH_TRY(error_refusal(__func__));
  if (model == NULL || weights == NULL) {
    return error_null(__func__, model == NULL ? "model" : "weights");
  }
  return error_of(__func__, load(__func__, out_missing, out_unexpected, model, weights, strict));
}

ctorch_error *ctorch_safetensors_load_model_file(
    ctorch_value **out_missing, ctorch_value **out_unexpected, ctorch_module *model, const char *path, bool strict) {
  CTORCH_TRY(error_refusal(__func__));
  ctorch_weights *weights = NULL;
  if (model == NULL || path == NULL) {
    return error_null(__func__, model == NULL ? "model" : "path");
  }
  CTORCH_TRY(error_of(__func__, ctorch_weights_open_file(&weights, path, true)));
  ctorch_error *error = load(__func__, out_missing, out_unexpected, model, weights, strict);
  ctorch_weights_release(weights);
  return error_of(__func__, error);
}
