/* Reading the source of a compiled model: the lines that torch/_inductor/codegen/cpp_wrapper_cpu.py writes for its
 * checks of inputs, for the sizes that symbols stand for, and for constants. */
#include "export/compiled_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "core/c/error.h"

enum { LONGEST_LINE = 4000, LONGEST_NAME = 200, MOST_INPUTS = 1 << 16, MOST_CONSTANTS = 1 << 20 };
#define NAME "%199[A-Za-z0-9_]"

static char *copy_text(const char *data, size_t len) {
  char *copy = malloc(len + 1);
  if (copy != NULL) {
    memcpy(copy, data, len);
    copy[len] = '\0';
  }
  return copy;
}

/* Entries ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *input_at(
    const char *function, struct source_input **out, struct compiled_source *self, size_t index) {
  while (self->inputs_len <= index) {
    CTORCH_TRY(array_grow(function, &self->inputs, self->inputs_len, sizeof *self->inputs));
    self->inputs[self->inputs_len++] = (struct source_input){.dtype = SOURCE_UNKNOWN, .device_type = SOURCE_UNKNOWN};
  }
  *out = &self->inputs[index];
  return NULL;
}

static ctorch_error *dim_at(const char *function, struct source_dim **out, struct source_input *self, size_t index) {
  while (self->dims_len <= index) {
    CTORCH_TRY(array_grow(function, &self->dims, self->dims_len, sizeof *self->dims));
    self->dims[self->dims_len++] =
        (struct source_dim){SOURCE_UNKNOWN, SOURCE_UNKNOWN, .least = SOURCE_UNKNOWN, .most = SOURCE_UNKNOWN};
  }
  *out = &self->dims[index];
  return NULL;
}

static struct source_input *input_called(struct compiled_source *self, const char *name, size_t len) {
  for (size_t i = 0; i < self->inputs_len; i++) {
    const char *known = self->inputs[i].name;
    if (known != NULL && strlen(known) == len && memcmp(known, name, len) == 0) {
      return &self->inputs[i];
    }
  }
  return NULL;
}

/* The input that "<name>_size" is of. */
static struct source_input *input_of(struct compiled_source *self, const char *name, const char *end) {
  const size_t len = strlen(name), end_len = strlen(end);
  return len > end_len && strcmp(name + len - end_len, end) == 0 ? input_called(self, name, len - end_len) : NULL;
}

static ctorch_dtype dtype_called(const char *name) {
  enum { MOST_DTYPES = 64 };
  for (ctorch_dtype dtype = 0; dtype < MOST_DTYPES; dtype++) {
    const char *known = ctorch_dtype_name(dtype);
    if (known != NULL && strcmp(known, name) == 0) {
      return dtype;
    }
  }
  return SOURCE_UNKNOWN;
}

/* Lines of the checks ---------------------------------------------------------------------------------------------- */

static ctorch_error *read_input_name(const char *function, struct compiled_source *self, const char *line) {
  size_t index = 0;
  char name[LONGEST_NAME];
  struct source_input *input = NULL;
  if (sscanf(line, "inputs_info_[%zu].name = \"" NAME "\"", &index, name) != 2 || index >= MOST_INPUTS) {
    return NULL;
  }
  CTORCH_TRY(input_at(function, &input, self, index));
  if (input->name == NULL && (input->name = copy_text(name, strlen(name))) == NULL) {
    return error_memory(function, strlen(name) + 1);
  }
  return NULL;
}

static void read_types(struct compiled_source *self, const char *line) {
  char name[LONGEST_NAME], dtype[LONGEST_NAME];
  int device_type = 0;
  struct source_input *input = NULL;
  if (sscanf(line, "int32_t " NAME " = aoti_torch_dtype_" NAME "()", name, dtype) == 2 &&
      (input = input_of(self, name, "_expected_dtype")) != NULL) {
    input->dtype = dtype_called(dtype);
  } else if (
      sscanf(line, "int32_t " NAME " = %d;", name, &device_type) == 2 &&
      (input = input_of(self, name, "_expected_device_type")) != NULL) {
    input->device_type = device_type;
  }
}

/* "if (4 != arg_size[1]) {", "if (arg_size[0] < 2) {", "if (4 != arg_stride[0]) {" */
static ctorch_error *read_condition(const char *function, struct compiled_source *self, const char *line) {
  char name[LONGEST_NAME], relation = '\0';
  long long number = 0;
  size_t dim_index = 0;
  struct source_dim *dim = NULL;
  if (sscanf(line, "if (%lld != " NAME "[%zu])", &number, name, &dim_index) == 3) {
    relation = '=';
  } else if (sscanf(line, "if (" NAME "[%zu] %c %lld)", name, &dim_index, &relation, &number) != 4) {
    return NULL;
  }
  struct source_input *input = input_of(self, name, "_size");
  const bool is_stride = input == NULL;
  input = is_stride ? input_of(self, name, "_stride") : input;
  if (input == NULL || dim_index >= SOURCE_MOST_DIMS || number < 0) {
    return NULL;
  }
  CTORCH_TRY(dim_at(function, &dim, input, dim_index));
  if (relation == '=') {
    *(is_stride ? &dim->stride : &dim->size) = number;
  } else if (!is_stride && (relation == '<' || relation == '>')) {
    *(relation == '<' ? &dim->least : &dim->most) = number;
  }
  return NULL;
}

/* Symbols ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *add_symbol(
    const char *function, struct compiled_source *self, const char *name, const struct source_symbol *symbol) {
  for (size_t i = 0; i < self->symbols_len; i++) {
    struct source_symbol *known = &self->symbols[i];
    if (strcmp(known->name, name) == 0) {
      known->is_ambiguous |=
          known->input != symbol->input || known->dim != symbol->dim || known->is_stride != symbol->is_stride;
      return NULL;
    }
  }
  CTORCH_TRY(array_grow(function, &self->symbols, self->symbols_len, sizeof *self->symbols));
  char *copy = copy_text(name, strlen(name));
  if (copy == NULL) {
    return error_memory(function, strlen(name) + 1);
  }
  self->symbols[self->symbols_len] = *symbol;
  self->symbols[self->symbols_len++].name = copy;
  return NULL;
}

/* "int64_t s77 = arg_size[0];" */
static ctorch_error *read_symbol(const char *function, struct compiled_source *self, const char *line) {
  char symbol[LONGEST_NAME], name[LONGEST_NAME];
  size_t dim = 0;
  char end = '\0';
  if ((sscanf(line, "int64_t " NAME " = " NAME "[%zu]%c", symbol, name, &dim, &end) != 4 &&
       sscanf(line, "auto " NAME " = " NAME "[%zu]%c", symbol, name, &dim, &end) != 4) ||
      end != ';') {
    return NULL;
  }
  const struct source_input *input = input_of(self, name, "_size");
  const bool is_stride = input == NULL;
  input = is_stride ? input_of(self, name, "_stride") : input;
  if (input == NULL || dim >= SOURCE_MOST_DIMS) {
    return NULL;
  }
  const struct source_symbol found = {.input = (size_t)(input - self->inputs), .dim = dim, .is_stride = is_stride};
  return add_symbol(function, self, symbol, &found);
}

/* The next text between commas of "{a, b(c, d), }", and behind it; NULL at the end. */
static const char *next_entry(const char **at, size_t *len) {
  const char *begin = *at + strspn(*at, " ,");
  int depth = 0;
  const char *end = begin;
  for (; *end != '\0' && (depth > 0 || (*end != ',' && *end != '}')); end++) {
    depth += (*end == '(') - (*end == ')');
  }
  *at = end;
  while (end > begin && end[-1] == ' ') {
    end--;
  }
  *len = (size_t)(end - begin);
  return *len == 0 ? NULL : begin;
}

static size_t count_entries(const char *list) {
  size_t count = 0, len = 0;
  while (next_entry(&list, &len) != NULL) {
    count++;
  }
  return count;
}

static ctorch_error *set_text(const char *function, char **text, const char *data, size_t len, bool *out_differs) {
  if (*text != NULL) {
    *out_differs |= strlen(*text) != len || memcmp(*text, data, len) != 0;
    return NULL;
  }
  *text = copy_text(data, len);
  return *text == NULL ? error_memory(function, len + 1) : NULL;
}

/* "assert_size_stride(arg, {s77, 4L}, {4L, 1L}, "input");", where it is of an input. */
static ctorch_error *read_assertion(const char *function, struct compiled_source *self, const char *line) {
  static const char BEGINNING[] = "assert_size_stride(", END[] = ", \"input\");";
  const char *at = strstr(line, BEGINNING);
  if (at == NULL || strstr(at, END) == NULL) {
    return NULL;
  }
  at += strlen(BEGINNING);
  const size_t name_len = strcspn(at, ",");
  struct source_input *input = input_called(self, at, name_len);
  const char *sizes = strchr(at, '{'), *strides = sizes == NULL ? NULL : strchr(sizes + 1, '{');
  if (input == NULL || strides == NULL) {
    return NULL;
  }
  sizes++, strides++;
  const size_t len = count_entries(sizes);
  if (len != count_entries(strides) || len > SOURCE_MOST_DIMS || (input->has_ndim && input->dims_len != len) ||
      input->dims_len > len) {
    input->is_ambiguous = true;
    return NULL;
  }
  for (size_t i = 0, size_len = 0, stride_len = 0; i < len; i++) {
    struct source_dim *dim = NULL;
    const char *size = next_entry(&sizes, &size_len), *stride = next_entry(&strides, &stride_len);
    CTORCH_TRY(dim_at(function, &dim, input, i));
    CTORCH_TRY(set_text(function, &dim->size_text, size, size_len, &input->is_ambiguous));
    CTORCH_TRY(set_text(function, &dim->stride_text, stride, stride_len, &input->is_ambiguous));
  }
  input->has_ndim = true;
  return NULL;
}

/* Constants -------------------------------------------------------------------------------------------------------- */

/* "{3, 4}": how many numbers, 0 if one is none. */
static bool read_numbers(const char *list, int64_t *out, size_t *out_len) {
  size_t len = 0, entry_len = 0;
  for (const char *entry; (entry = next_entry(&list, &entry_len)) != NULL; len++) {
    char *end = NULL;
    const long long number = strtoll(entry, &end, 10);
    if (len >= SOURCE_MOST_DIMS || number < 0 || end == entry || strspn(end, "L") < (size_t)(entry + entry_len - end)) {
      return false;
    }
    out[len] = number;
  }
  *out_len = len;
  return *list == '}';
}

static ctorch_error *constant_at(
    const char *function, struct source_constant **out, struct compiled_source *self, size_t index) {
  while (self->constants_len <= index) {
    CTORCH_TRY(array_grow(function, &self->constants, self->constants_len, sizeof *self->constants));
    self->constants[self->constants_len++] =
        (struct source_constant){.dtype = SOURCE_UNKNOWN, .sizes_len = SIZE_MAX, .strides_len = SIZE_MAX - 1};
  }
  *out = &self->constants[index];
  return NULL;
}

/* "constants_info_[0].shape = {3, 4};" and the like. */
static ctorch_error *read_constant(const char *function, struct compiled_source *self, const char *line) {
  size_t index = 0;
  char field[LONGEST_NAME];
  int used = 0;
  struct source_constant *constant = NULL;
  if (sscanf(line, "constants_info_[%zu]." NAME " = %n", &index, field, &used) != 2 || used == 0 ||
      index >= MOST_CONSTANTS || index > self->constants_len) {
    return NULL;
  }
  const char *value = line + used;
  CTORCH_TRY(constant_at(function, &constant, self, index));
  if (strcmp(field, "original_fqn") == 0 && *value == '"' && constant->name == NULL) {
    const size_t len = strcspn(value + 1, "\"");
    constant->name = copy_text(value + 1, len);
    return constant->name == NULL ? error_memory(function, len + 1) : NULL;
  }
  char dtype[LONGEST_NAME];
  if (strcmp(field, "dtype") == 0 && sscanf(value, "cached_torch_dtype_" NAME, dtype) == 1) {
    constant->dtype = dtype_called(dtype);
  } else if (strcmp(field, "shape") == 0 && *value == '{') {
    constant->sizes_len =
        read_numbers(value + 1, constant->sizes, &constant->sizes_len) ? constant->sizes_len : SIZE_MAX;
  } else if (strcmp(field, "stride") == 0 && *value == '{') {
    constant->strides_len =
        read_numbers(value + 1, constant->strides, &constant->strides_len) ? constant->strides_len : SIZE_MAX - 1;
  }
  return NULL;
}

const struct source_constant *compiled_source_constant(const struct compiled_source *self, const char *name) {
  for (size_t i = 0; i < self->constants_len; i++) {
    const struct source_constant *constant = &self->constants[i];
    if (constant->name != NULL && strcmp(constant->name, name) == 0) {
      return constant->sizes_len == constant->strides_len && constant->dtype != SOURCE_UNKNOWN ? constant : NULL;
    }
  }
  return NULL;
}

/* All lines -------------------------------------------------------------------------------------------------------- */

typedef ctorch_error *(*read_line)(const char *function, struct compiled_source *self, const char *line);

static ctorch_error *read_names(const char *function, struct compiled_source *self, const char *line) {
  CTORCH_TRY(read_input_name(function, self, line));
  return read_constant(function, self, line);
}

static ctorch_error *read_checks(const char *function, struct compiled_source *self, const char *line) {
  read_types(self, line);
  CTORCH_TRY(read_condition(function, self, line));
  return read_symbol(function, self, line);
}

static ctorch_error *each_line(const char *function, struct compiled_source *self, const char *text, read_line read) {
  char line[LONGEST_LINE];
  while (*text != '\0') {
    text += strspn(text, " \t\r\n");
    const size_t len = strcspn(text, "\n");
    if (len < sizeof line) {
      memcpy(line, text, len);
      line[len] = '\0';
      CTORCH_TRY(read(function, self, line));
    }
    text += len;
  }
  return NULL;
}

ctorch_error *compiled_source_read(const char *function, struct compiled_source *self, const char *text) {
  CTORCH_TRY(each_line(function, self, text, read_names));
  CTORCH_TRY(each_line(function, self, text, read_checks));
  return each_line(function, self, text, read_assertion);
}

void compiled_source_end(struct compiled_source *self) {
  for (size_t i = 0; i < self->inputs_len; i++) {
    for (size_t dim = 0; dim < self->inputs[i].dims_len; dim++) {
      free(self->inputs[i].dims[dim].size_text);
      free(self->inputs[i].dims[dim].stride_text);
    }
    free(self->inputs[i].dims);
    free(self->inputs[i].name);
  }
  for (size_t i = 0; i < self->symbols_len; i++) {
    free(self->symbols[i].name);
  }
  for (size_t i = 0; i < self->constants_len; i++) {
    free(self->constants[i].name);
  }
  free(self->inputs);
  free(self->symbols);
  free(self->constants);
  *self = (struct compiled_source){0};
}
