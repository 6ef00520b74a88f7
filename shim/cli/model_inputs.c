/* What goes into a model: of files, or made up. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "cli/model.h"

/* Tensors ---------------------------------------------------------------------------------------------------------- */

void cli_tensors_add(struct cli_tensors *self, ctorch_tensor *tensor) {
  ctorch_tensor **grown = realloc(self->data, (self->len + 1) * sizeof *grown);
  if (grown == NULL) {
    abort();
  }
  self->data = grown;
  self->data[self->len++] = tensor;
}

void cli_tensors_free(struct cli_tensors *self) {
  for (size_t i = 0; i < self->len; i++) {
    ctorch_tensor_release(self->data[i]);
  }
  free(self->data);
}

/* Of files --------------------------------------------------------------------------------------------------------- */

static ctorch_error *exclude_each_other(void) {
  return cli_error(CTORCH_ERROR_INVALID_ARGUMENT, "--input and --arguments exclude each other");
}

ctorch_error *cli_inputs_read_tensors(struct cli_inputs *self, const char *path) {
  ctorch_weights *file = NULL;
  if (cli_inputs_has_arguments(self)) {
    return exclude_each_other();
  }
  self->is_given = true;
  ctorch_error *error = cli_open(&file, path);
  for (size_t i = 0; error == NULL && i < ctorch_weights_len(file); i++) {
    ctorch_tensor *tensor = NULL;
    error = ctorch_weights_tensor(&tensor, file, ctorch_weights_name(file, i));
    if (error == NULL) {
      cli_tensors_add(&self->tensors, tensor);
    }
  }
  ctorch_weights_release(file);
  return error;
}

/* What is not data cannot be an argument. */
static ctorch_callback_status refuse_class(
    bool *out, const char *module, const char *name, ctorch_error **error, void *payload) {
  (void)out;
  *error = cli_error(
      CTORCH_ERROR_FORMAT,
      "--arguments: %.500s has an object of Python's class %.200s.%.200s; arguments are tensors, numbers, texts and "
      "lists, tuples and dicts of them",
      (const char *)payload, module, name);
  return 0;
}

/* What was saved on another device is read to the CPU; the model moves it. */
static ctorch_callback_status to_cpu(ctorch_device *out, const char *location, ctorch_error **error, void *payload) {
  (void)location, (void)error, (void)payload;
  *out = (ctorch_device){CTORCH_DEVICE_TYPE_CPU, -1};
  return CTORCH_CALLBACK_OK;
}

static ctorch_error *load(ctorch_value **out, const char *path) {
  ctorch_reader *reader = NULL;
  CTORCH_TRY(ctorch_reader_open(&reader, path, false));
  ctorch_error *error = ctorch_serialization_load_with(out, reader, to_cpu, refuse_class, (void *)(uintptr_t)path);
  ctorch_reader_release(reader);
  return error;
}

ctorch_error *cli_inputs_read_arguments(struct cli_inputs *self, const char *path) {
  ctorch_value *value = NULL;
  if (self->is_given && !cli_inputs_has_arguments(self)) {
    return exclude_each_other();
  }
  self->is_given = true;
  CTORCH_TRY(load(&value, path));
  const ctorch_value_kind kind = ctorch_value_kind_of(value);
  const bool is_by_name = kind == CTORCH_VALUE_DICT;
  ctorch_value **place = is_by_name ? &self->kwargs : &self->args;
  ctorch_error *error = NULL;
  if (!is_by_name && kind != CTORCH_VALUE_TUPLE && kind != CTORCH_VALUE_LIST) {
    error = cli_error(
        CTORCH_ERROR_TYPE,
        "--arguments: %.500s: expected a tuple or list of positional arguments, or a dict of those by name", path);
  } else if (*place != NULL) {
    error = cli_error(
        CTORCH_ERROR_INVALID_ARGUMENT, "--arguments: %.500s: a second file of %s", path,
        is_by_name ? "arguments by name" : "positional arguments");
  }
  if (error != NULL) {
    ctorch_value_release(value);
    return error;
  }
  *place = value;
  return NULL;
}

bool cli_inputs_has_arguments(const struct cli_inputs *self) { return self->args != NULL || self->kwargs != NULL; }

void cli_inputs_free(struct cli_inputs *self) {
  cli_tensors_free(&self->tensors);
  ctorch_value_release(self->args);
  ctorch_value_release(self->kwargs);
}

/* Made up ---------------------------------------------------------------------------------------------------------- */

/* The text or list that a dict has under a key; *out stays NULL if there is none. */
static ctorch_error *entry_of(ctorch_value **out, const ctorch_value *dict, const char *name) {
  ctorch_value *key = NULL;
  bool is_there = false;
  CTORCH_TRY(ctorch_value_from_string(&key, name));
  ctorch_error *error = ctorch_value_dict_contains(&is_there, dict, key);
  if (error == NULL && is_there) {
    error = ctorch_value_dict_get(out, dict, key);
  }
  ctorch_value_release(key);
  return error;
}

/* The number of a list, if it has one there. */
static ctorch_error *number_of(int64_t *out, const ctorch_value *list, size_t index) {
  ctorch_value *value = NULL;
  if (index >= ctorch_value_len(list)) {
    return NULL;
  }
  CTORCH_TRY(ctorch_value_get(&value, list, index));
  ctorch_error *error = ctorch_value_kind_of(value) == CTORCH_VALUE_INT ? ctorch_value_to_int(out, value) : NULL;
  ctorch_value_release(value);
  return error;
}

enum { MOST_DIMS = 64 };

static ctorch_error *read_sizes(const ctorch_value *input, int64_t *out, size_t *out_len) {
  ctorch_value *sizes = NULL, *least = NULL, *strides = NULL;
  ctorch_error *error = entry_of(&sizes, input, "sizes");
  THEN(error, entry_of(&least, input, "least"));
  THEN(error, entry_of(&strides, input, "strides"));
  *out_len = ctorch_value_len(sizes != NULL ? sizes : strides);
  for (size_t i = 0; error == NULL && i < *out_len && i < MOST_DIMS; i++) {
    out[i] = 1;
    error = number_of(&out[i], least, i);
    THEN(error, number_of(&out[i], sizes, i));
  }
  ctorch_value_release(strides);
  ctorch_value_release(least);
  ctorch_value_release(sizes);
  return error;
}

static ctorch_dtype dtype_called(const char *name) {
  enum { MOST_DTYPES = 64 };
  ctorch_dtype dtype = 0;
  while (dtype < MOST_DTYPES && (ctorch_dtype_name(dtype) == NULL || strcmp(ctorch_dtype_name(dtype), name) != 0)) {
    dtype++;
  }
  return dtype < MOST_DTYPES ? dtype : CTORCH_DTYPE_FLOAT32;
}

static ctorch_error *make_tensor(ctorch_tensor **out, const ctorch_value *input) {
  int64_t sizes[MOST_DIMS];
  size_t len = 0, text_len = 0;
  const char *name = NULL;
  ctorch_value *dtype = NULL;
  ctorch_tensor *random = NULL;
  CTORCH_TRY(entry_of(&dtype, input, "dtype"));
  if (dtype == NULL) {
    return cli_error(CTORCH_ERROR_INVALID_ARGUMENT, "the package does not tell what it takes: give --input");
  }
  ctorch_error *error = read_sizes(input, sizes, &len);
  THEN(error, ctorch_value_to_string(&name, &text_len, dtype));
  if (error == NULL) {
    const ctorch_dtype type = dtype_called(name);
    error = ctorch_aten_rand(&random, sizes, len < MOST_DIMS ? len : MOST_DIMS, NULL, NULL, NULL, NULL);
    THEN(error, ctorch_aten_to_dtype(out, random, type, false, true, NULL));
  }
  ctorch_tensor_release(random);
  ctorch_value_release(dtype);
  return error;
}

ctorch_error *cli_inputs_make(struct cli_inputs *self, const struct cli_model *model) {
  ctorch_value *inputs = NULL;
  if (model->package == NULL) {
    return cli_error(CTORCH_ERROR_INVALID_ARGUMENT, "only packages tell what they take: give --input");
  }
  CTORCH_TRY(ctorch_package_inputs(&inputs, model->package));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < ctorch_value_len(inputs); i++) {
    ctorch_value *input = NULL;
    ctorch_tensor *tensor = NULL;
    error = ctorch_value_get(&input, inputs, i);
    THEN(error, make_tensor(&tensor, input));
    ctorch_value_release(input);
    if (error == NULL) {
      cli_tensors_add(&self->tensors, tensor);
    }
  }
  ctorch_value_release(inputs);
  return error;
}

bool cli_read_number(
    const struct cli_command *command, const char *option, const char *text, int64_t least, int64_t *out) {
  char *end = NULL;
  errno = 0;
  const long long number = strtoll(text, &end, 10);
  if (end == text || *end != '\0' || errno != 0 || number < least || number > 1000000000) {
    cli_misused(command, "%s: expected a number from %" PRId64 " on, got '%s'", option, least, text);
    return false;
  }
  *out = number;
  return true;
}
