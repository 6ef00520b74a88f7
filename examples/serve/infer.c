#include "infer.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "json_array.h"

#define OUTPUT "OUTPUT__"

/* Requests --------------------------------------------------------------------------------------------------------- */

static ctorch_error *wrong(const char *where, const char *what) {
  return ctorch_error_format(CTORCH_ERROR_FORMAT, "%s: %s", where, what);
}

static ctorch_error *no_memory(void) {
  return ctorch_error_format(CTORCH_ERROR_OUT_OF_MEMORY, "no memory for a request");
}

/* "[-1,1,8,8]" */
static void form_text(char *out, size_t capacity, const array_form *form) {
  size_t len = (size_t)snprintf(out, capacity, "[");
  for (size_t i = 0; i < form->ndim && len < capacity; i++) {
    len += (size_t)snprintf(out + len, capacity - len, "%s%" PRId64, i > 0 ? "," : "", form->sizes[i]);
  }
  if (len < capacity) {
    snprintf(out + len, capacity - len, "]");
  }
}

static ctorch_error *read_shape(array_form *out, const json_t *json) {
  size_t i;
  const json_t *size;
  out->ndim = json_array_size(json);
  if (!json_is_array(json) || out->ndim == 0 || out->ndim > ARRAY_MAX_DIMS) {
    return wrong("inputs[0].shape", "a list of sizes is expected, the first of them the number of rows");
  }
  json_array_foreach(json, i, size) {
    out->sizes[i] = json_integer_value(size);
    if (!json_is_integer(size) || out->sizes[i] < (i == 0 ? 1 : 0) || out->sizes[i] > INT32_MAX) {
      return wrong("inputs[0].shape", "sizes are whole numbers, and there is at least one row");
    }
  }
  return NULL;
}

static ctorch_error *check_form(array *input, const model *model) {
  char got[512], expected[512];
  if (!array_form_fits(&input->form, &model->input)) {
    form_text(got, sizeof got, &input->form);
    form_text(expected, sizeof expected, &model->input);
    return ctorch_error_format(
        CTORCH_ERROR_FORMAT, "inputs[0]: %s%s does not fit %s%s", array_datatype(input->form.dtype), got,
        array_datatype(model->input.dtype), expected);
  }
  return array_form_nbytes(&input->nbytes, &input->form) ? NULL : wrong("inputs[0].shape", "too many elements");
}

/* A byte that is neither 0 nor 1 is no bool of C's, nor of LibTorch's. */
static ctorch_error *check_bools(const array *input) {
  const unsigned char *bytes = input->data;
  for (size_t i = 0; input->form.dtype == CTORCH_DTYPE_BOOL && i < input->nbytes; i++) {
    if (bytes[i] > 1) {
      return wrong("inputs[0]", "a BOOL is a byte of 0 or 1");
    }
  }
  return NULL;
}

static ctorch_error *take_bytes(infer_request *self, const char *bytes, size_t len) {
  if (len != self->input.nbytes) {
    return ctorch_error_format(
        CTORCH_ERROR_FORMAT, "inputs[0]: %zu bytes are expected after the JSON, and there are %zu", self->input.nbytes,
        len);
  }
  self->input.data = (void *)bytes; /* only read */
  return check_bools(&self->input);
}

/* Numbers take at least two bytes of JSON each, so that no memory is taken for what is not there. */
static ctorch_error *read_numbers(infer_request *self, json_span list) {
  if (list.begin == NULL) {
    return wrong("inputs[0].data", "a list is expected");
  }
  if (self->input.nbytes / ctorch_dtype_itemsize(self->input.form.dtype) > (size_t)(list.end - list.begin)) {
    return wrong("inputs[0].data", "fewer numbers than the shape has");
  }
  self->numbers = malloc(self->input.nbytes > 0 ? self->input.nbytes : 1);
  self->input.data = self->numbers;
  return self->numbers != NULL ? json_array_read(&self->input, list) : no_memory();
}

/* The text of a request: its JSON, in that the list of numbers, and the bytes behind. */
typedef struct request_text {
  json_span json, list, bytes;
} request_text;

/* What other servers do with these parameters is not done here, and an answer without it would be another one. */
static ctorch_error *check_parameters(const json_t *parameters, const char *where) {
  static const char *const unknown[] = {"classification", "shared_memory_region", "sequence_id"};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    if (json_object_get(parameters, unknown[i]) != NULL) {
      return ctorch_error_format(
          CTORCH_ERROR_FORMAT, "%s.%s: this server does not have this extension", where, unknown[i]);
    }
  }
  return NULL;
}

static ctorch_error *read_input(infer_request *self, const model *model, const json_t *json, const request_text *text) {
  const size_t bytes_len = (size_t)(text->bytes.end - text->bytes.begin);
  const char *name = json_string_value(json_object_get(json, "name"));
  const char *datatype = json_string_value(json_object_get(json, "datatype"));
  const json_t *parameters = json_object_get(json, "parameters");
  const json_t *size = json_object_get(parameters, "binary_data_size");
  const json_t *data = json_object_get(json, "data");
  if (name == NULL || strcmp(name, INFER_INPUT) != 0) {
    return wrong("inputs[0].name", "the model's input is \"" INFER_INPUT "\"");
  }
  if (datatype == NULL || !array_dtype_of(&self->input.form.dtype, datatype)) {
    return wrong("inputs[0].datatype", "\"FP32\", \"INT64\" or the like is expected");
  }
  CTORCH_TRY(check_parameters(parameters, "inputs[0].parameters"));
  CTORCH_TRY(read_shape(&self->input.form, json_object_get(json, "shape")));
  CTORCH_TRY(check_form(&self->input, model));
  if (size == NULL) {
    if (bytes_len > 0) {
      return wrong("body", "bytes after the JSON that no input has");
    }
    return read_numbers(self, text->list);
  }
  if (data != NULL || !json_is_integer(size) || json_integer_value(size) < 0 ||
      (uint64_t)json_integer_value(size) != bytes_len) {
    return wrong("inputs[0].parameters.binary_data_size", "the number of bytes after the JSON, without \"data\"");
  }
  return take_bytes(self, text->bytes.begin, bytes_len);
}

/* A member that is true or false, or is not there. */
static ctorch_error *read_flag(bool *out, const json_t *json, const char *name, const char *where) {
  const json_t *flag = json_object_get(json, name);
  if (flag != NULL && !json_is_boolean(flag)) {
    return ctorch_error_format(CTORCH_ERROR_FORMAT, "%s.%s: neither true nor false", where, name);
  }
  *out = flag != NULL ? json_is_true(flag) : *out;
  return NULL;
}

static ctorch_error *read_output(infer_request *self, const json_t *json) {
  const char *name = json_string_value(json_object_get(json, "name"));
  const json_t *parameters = json_object_get(json, "parameters");
  char *end = NULL;
  if (name == NULL || strncmp(name, OUTPUT, strlen(OUTPUT)) != 0) {
    return wrong("outputs", "the model's outputs are \"" OUTPUT "0\" and so on");
  }
  const char *number = name + strlen(OUTPUT);
  const unsigned long index = strtoul(number, &end, 10);
  if (*number < '0' || *number > '9' || *end != '\0' || index >= MODEL_MAX_OUTPUTS ||
      self->outputs_len == MODEL_MAX_OUTPUTS) {
    return wrong("outputs", "the model has no such output");
  }
  self->outputs[self->outputs_len].index = index;
  self->outputs[self->outputs_len].is_binary = self->is_binary;
  CTORCH_TRY(check_parameters(parameters, "outputs.parameters"));
  CTORCH_TRY(read_flag(&self->outputs[self->outputs_len].is_binary, parameters, "binary_data", "outputs.parameters"));
  self->outputs_len++;
  return NULL;
}

static ctorch_error *read_options(infer_request *self, const model *model, const json_t *json) {
  const json_t *id = json_object_get(json, "id"), *outputs = json_object_get(json, "outputs"), *output;
  const json_t *parameters = json_object_get(json, "parameters"), *timeout = json_object_get(parameters, "timeout");
  size_t i;
  if ((id != NULL && !json_is_string(id)) || (outputs != NULL && !json_is_array(outputs)) ||
      (parameters != NULL && !json_is_object(parameters))) {
    return wrong("body", "\"id\" is a text, \"outputs\" a list and \"parameters\" an object");
  }
  CTORCH_TRY(check_parameters(parameters, "parameters"));
  if (timeout != NULL && (!json_is_integer(timeout) || json_integer_value(timeout) <= 0)) {
    return wrong("parameters.timeout", "microseconds are expected");
  }
  self->timeout = (uint64_t)json_integer_value(timeout);
  CTORCH_TRY(read_flag(&self->is_binary, parameters, "binary_data_output", "parameters"));
  json_array_foreach(outputs, i, output) {
    CTORCH_TRY(read_output(self, output));
    if (model->outputs_len > 0 && self->outputs[i].index >= model->outputs_len) {
      return wrong("outputs", "the model has no such output");
    }
  }
  if (id != NULL) {
    self->id = strdup(json_string_value(id));
    return self->id != NULL ? NULL : no_memory();
  }
  return NULL;
}

/* The JSON for its reader, with `null` in the place of the numbers: what comes before, that, and what comes after. */
typedef struct request_pieces {
  json_span pieces[3];
  int at;
} request_pieces;

static size_t next_piece(void *buffer, size_t capacity, void *payload) {
  request_pieces *self = payload;
  while (self->at < 3 && self->pieces[self->at].begin == self->pieces[self->at].end) {
    self->at++;
  }
  if (self->at == 3) {
    return 0;
  }
  json_span *piece = &self->pieces[self->at];
  const size_t left = (size_t)(piece->end - piece->begin), len = left < capacity ? left : capacity;
  memcpy(buffer, piece->begin, len);
  piece->begin += len;
  return len;
}

static json_t *parse(const request_text *text, json_error_t *problem) {
  static const char null[] = "null";
  request_pieces pieces = {.pieces = {text->json}};
  if (text->list.begin != NULL) {
    pieces.pieces[0].end = text->list.begin;
    pieces.pieces[1] = (json_span){null, null + strlen(null)};
    pieces.pieces[2] = (json_span){text->list.end, text->json.end};
  }
  return json_load_callback(next_piece, &pieces, JSON_REJECT_DUPLICATES, problem);
}

static ctorch_error *read_json(
    infer_request *self, const model *model, const char *body, size_t body_len, size_t json_len) {
  json_error_t problem;
  const size_t len = json_len == INFER_ALL_JSON ? body_len : json_len;
  request_text text = {.json = {body, body + len}, .bytes = {body + len, body + body_len}};
  if (!json_array_find(&text.list, body, len, "inputs", "data")) {
    text.list = (json_span){NULL, NULL};
  }
  json_t *json = parse(&text, &problem);
  if (json == NULL) {
    return ctorch_error_format(
        CTORCH_ERROR_FORMAT, "body: no JSON: line %d, column %d: %s", problem.line, problem.column, problem.text);
  }
  const json_t *inputs = json_object_get(json, "inputs");
  ctorch_error *error = json_array_size(inputs) == 1 ? read_input(self, model, json_array_get(inputs, 0), &text)
                                                     : wrong("inputs", "a list of one input is expected");
  error = error != NULL ? error : read_options(self, model, json);
  json_decref(json);
  return error;
}

/* A tensor alone: as many rows as there are bytes for. */
static ctorch_error *read_tensor(infer_request *self, const model *model, const char *body, size_t body_len) {
  size_t row;
  self->is_binary = true;
  self->input.form = model->input;
  self->input.form.sizes[0] = 1;
  if (!array_form_nbytes(&row, &self->input.form) || row == 0) {
    return wrong("body", "the model takes tensors of several sizes, so that JSON must tell which it is");
  }
  if (body_len == 0 || body_len % row != 0 || body_len / row > INT32_MAX) {
    return ctorch_error_format(CTORCH_ERROR_FORMAT, "body: %zu bytes are no number of rows of %zu", body_len, row);
  }
  self->input.form.sizes[0] = (int64_t)(body_len / row);
  self->input.nbytes = body_len;
  return take_bytes(self, body, body_len);
}

ctorch_error *infer_request_read(
    infer_request *out, const model *model, const char *body, size_t body_len, size_t json_len) {
  *out = (infer_request){.numbers = NULL};
  if (json_len == 0) {
    return read_tensor(out, model, body, body_len);
  }
  if (json_len != INFER_ALL_JSON && json_len > body_len) {
    return wrong("Inference-Header-Content-Length", "more than the body has");
  }
  return read_json(out, model, body, body_len, json_len);
}

void infer_request_clear(infer_request *self) {
  free(self->numbers);
  free(self->id);
  *self = (infer_request){.numbers = NULL};
}

/* Answers ---------------------------------------------------------------------------------------------------------- */

static void write_text(FILE *file, const char *text) {
  json_t *json = json_string(text);
  if (json == NULL || json_dumpf(json, file, JSON_ENCODE_ANY) != 0) {
    fputs("\"\"", file);
  }
  json_decref(json);
}

static void write_form(FILE *file, const char *name, size_t index, const array_form *form) {
  char shape[512];
  form_text(shape, sizeof shape, form);
  fprintf(file, "{\"name\":\"%s", name);
  fprintf(file, "%zu\",\"datatype\":\"%s\",\"shape\":%s", index, array_datatype(form->dtype), shape);
}

static ctorch_error *write_output(FILE *file, const array *output, size_t index, bool is_binary) {
  ctorch_error *error = NULL;
  write_form(file, OUTPUT, index, &output->form);
  if (is_binary) {
    fprintf(file, ",\"parameters\":{\"binary_data_size\":%zu}", output->nbytes);
  } else {
    fputs(",\"data\":", file);
    error = json_array_write(output, file);
  }
  fputc('}', file);
  return error;
}

/* The outputs that are asked for: which, and how. */
static size_t asked_len(const infer_request *request, size_t outputs_len) {
  return request->outputs_len > 0 ? request->outputs_len : outputs_len;
}

static size_t asked_index(const infer_request *request, size_t i) {
  return request->outputs_len > 0 ? request->outputs[i].index : i;
}

static bool asked_binary(const infer_request *request, size_t i) {
  return request->outputs_len > 0 ? request->outputs[i].is_binary : request->is_binary;
}

static ctorch_error *write_json(
    FILE *file, const infer_request *request, const model *model, const array *outputs, size_t outputs_len) {
  fputs("{\"model_name\":", file);
  write_text(file, model->name);
  fputs(",\"model_version\":\"1\"", file);
  if (request->id != NULL) {
    fputs(",\"id\":", file);
    write_text(file, request->id);
  }
  fputs(",\"outputs\":[", file);
  for (size_t i = 0; i < asked_len(request, outputs_len); i++) {
    const size_t index = asked_index(request, i);
    if (index >= outputs_len) {
      return wrong("outputs", "the model has no such output");
    }
    if (i > 0) {
      fputc(',', file);
    }
    CTORCH_TRY(write_output(file, &outputs[index], index, asked_binary(request, i)));
  }
  fputs("]}", file);
  return NULL;
}

static void write_bytes(
    infer_answer *out, FILE *file, const infer_request *request, const array *outputs, size_t outputs_len) {
  fflush(file); /* which sets `len` */
  out->json_len = out->len;
  for (size_t i = 0; i < asked_len(request, outputs_len); i++) {
    if (asked_binary(request, i)) {
      out->is_binary = true;
      fwrite(outputs[asked_index(request, i)].data, 1, outputs[asked_index(request, i)].nbytes, file);
    }
  }
}

ctorch_error *infer_answer_write(
    infer_answer *out, const infer_request *request, const model *model, const array *outputs, size_t outputs_len) {
  infer_answer answer = {.data = NULL};
  FILE *file = open_memstream(&answer.data, &answer.len);
  if (file == NULL) {
    return no_memory();
  }
  ctorch_error *error = write_json(file, request, model, outputs, outputs_len);
  if (error == NULL) {
    write_bytes(&answer, file, request, outputs, outputs_len);
  }
  const bool is_whole = !ferror(file);
  if ((fclose(file) != 0 || !is_whole) && error == NULL) {
    error = no_memory();
  }
  if (error != NULL) {
    free(answer.data);
    return error;
  }
  *out = answer;
  return NULL;
}

char *infer_metadata(const model *model) {
  char *data = NULL;
  size_t len = 0;
  FILE *file = open_memstream(&data, &len);
  if (file == NULL) {
    return NULL;
  }
  fputs("{\"name\":", file);
  write_text(file, model->name);
  fprintf(file, ",\"versions\":[\"1\"],\"platform\":\"%s\",\"inputs\":[", model->kind->platform);
  write_form(file, "INPUT__", 0, &model->input);
  fputs("}],\"outputs\":[", file);
  for (size_t i = 0; i < model->outputs_len; i++) {
    fputs(i > 0 ? "," : "", file);
    write_form(file, OUTPUT, i, &model->outputs[i]);
    fputc('}', file);
  }
  fputs("]}", file);
  fclose(file);
  return data;
}

char *infer_error(const char *message) {
  json_t *json = json_pack("{s:s}", "error", message);
  char *text = json_dumps(json, JSON_COMPACT);
  json_decref(json);
  return text;
}
