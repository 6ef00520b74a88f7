#include "json_array.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The numbers yet to be read, and where to. */
typedef struct reader {
  char *at;
  const char *end;
  ctorch_dtype dtype;
} reader;

static ctorch_error *refuse(const reader *self, const char *what) {
  return ctorch_error_format(CTORCH_ERROR_FORMAT, "data: %s is no %s", what, array_datatype(self->dtype));
}

/* What integer types can hold; UINT64 is read as far as JSON's integers go here, to 2^63 - 1. */
static bool integer_range(int64_t *min, int64_t *max, ctorch_dtype dtype) {
  static const struct {
    ctorch_dtype dtype;
    int64_t min, max;
  } ranges[] = {
      {CTORCH_DTYPE_UINT8, 0, UINT8_MAX},   {CTORCH_DTYPE_INT8, INT8_MIN, INT8_MAX},
      {CTORCH_DTYPE_UINT16, 0, UINT16_MAX}, {CTORCH_DTYPE_INT16, INT16_MIN, INT16_MAX},
      {CTORCH_DTYPE_UINT32, 0, UINT32_MAX}, {CTORCH_DTYPE_INT32, INT32_MIN, INT32_MAX},
      {CTORCH_DTYPE_UINT64, 0, INT64_MAX},  {CTORCH_DTYPE_INT64, INT64_MIN, INT64_MAX},
  };
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
    if (ranges[i].dtype == dtype) {
      *min = ranges[i].min;
      *max = ranges[i].max;
      return true;
    }
  }
  return false;
}

static void put(reader *self, const void *number, size_t nbytes) {
  memcpy(self->at, number, nbytes);
  self->at += nbytes;
}

static ctorch_error *read_float(reader *self, const json_t *json) {
  const double number = json_number_value(json);
  const float single = (float)number;
  if (!json_is_number(json)) {
    return refuse(self, "what is no number");
  }
  if (self->dtype == CTORCH_DTYPE_FLOAT64) {
    put(self, &number, sizeof number);
  } else if (isinf(single)) {
    return refuse(self, "a number beyond its range");
  } else {
    put(self, &single, sizeof single);
  }
  return NULL;
}

static ctorch_error *read_integer(reader *self, const json_t *json, int64_t min, int64_t max) {
  const int64_t number = json_integer_value(json);
  if (!json_is_integer(json)) {
    return refuse(self, "what is no integer");
  }
  if (number < min || number > max) {
    return refuse(self, "a number beyond its range");
  }
  const size_t nbytes = ctorch_dtype_itemsize(self->dtype);
  const uint8_t one = (uint8_t)number;
  const uint16_t two = (uint16_t)number;
  const uint32_t four = (uint32_t)number;
  put(self,
      nbytes == 1   ? (const void *)&one
      : nbytes == 2 ? (const void *)&two
      : nbytes == 4 ? (const void *)&four
                    : (const void *)&number,
      nbytes);
  return NULL;
}

static ctorch_error *read_number(reader *self, const json_t *json) {
  int64_t min, max;
  if (self->at == self->end) {
    return ctorch_error_format(CTORCH_ERROR_FORMAT, "data: more numbers than the shape has");
  }
  if (self->dtype == CTORCH_DTYPE_FLOAT32 || self->dtype == CTORCH_DTYPE_FLOAT64) {
    return read_float(self, json);
  }
  if (integer_range(&min, &max, self->dtype)) {
    return read_integer(self, json, min, max);
  }
  const bool is_true = json_is_true(json);
  if (!json_is_boolean(json)) {
    return refuse(self, "what is neither true nor false");
  }
  put(self, &is_true, sizeof is_true);
  return NULL;
}

/* Lists inside lists end where JSON's own reader ends them. */
static ctorch_error *read_list(reader *self, const json_t *json) {
  size_t i;
  const json_t *element;
  json_array_foreach(json, i, element) {
    CTORCH_TRY(json_is_array(element) ? read_list(self, element) : read_number(self, element));
  }
  return NULL;
}

ctorch_error *json_array_read(array *self, const json_t *json) {
  reader numbers = {.at = self->data, .end = (char *)self->data + self->nbytes, .dtype = self->form.dtype};
  if (self->form.dtype == CTORCH_DTYPE_FLOAT16 || self->form.dtype == CTORCH_DTYPE_BFLOAT16) {
    return refuse(&numbers, "JSON");
  }
  if (!json_is_array(json)) {
    return ctorch_error_format(CTORCH_ERROR_FORMAT, "data: a list is expected");
  }
  CTORCH_TRY(read_list(&numbers, json));
  return numbers.at == numbers.end ? NULL
                                   : ctorch_error_format(CTORCH_ERROR_FORMAT, "data: fewer numbers than the shape has");
}

static void write_float(FILE *file, double number, int digits) {
  if (isfinite(number)) {
    fprintf(file, "%.*g", digits, number);
  } else {
    fputs("null", file);
  }
}

#define WRITE(type, ...)                            \
  do {                                              \
    for (size_t i = 0; i < len; i++) {              \
      type number;                                  \
      memcpy(&number, at + i * itemsize, itemsize); \
      if (i > 0) {                                  \
        fputc(',', file);                           \
      }                                             \
      __VA_ARGS__;                                  \
    }                                               \
  } while (0)

ctorch_error *json_array_write(const array *self, FILE *file) {
  const size_t itemsize = ctorch_dtype_itemsize(self->form.dtype), len = self->nbytes / itemsize;
  const char *at = self->data;
  fputc('[', file);
  switch (self->form.dtype) {
    case CTORCH_DTYPE_FLOAT32:
      WRITE(float, write_float(file, (double)number, FLT_DECIMAL_DIG));
      break;
    case CTORCH_DTYPE_FLOAT64:
      WRITE(double, write_float(file, number, DBL_DECIMAL_DIG));
      break;
    case CTORCH_DTYPE_BOOL:
      WRITE(uint8_t, fputs(number != 0 ? "true" : "false", file));
      break;
    case CTORCH_DTYPE_UINT8:
      WRITE(uint8_t, fprintf(file, "%" PRIu8, number));
      break;
    case CTORCH_DTYPE_INT8:
      WRITE(int8_t, fprintf(file, "%" PRId8, number));
      break;
    case CTORCH_DTYPE_UINT16:
      WRITE(uint16_t, fprintf(file, "%" PRIu16, number));
      break;
    case CTORCH_DTYPE_INT16:
      WRITE(int16_t, fprintf(file, "%" PRId16, number));
      break;
    case CTORCH_DTYPE_UINT32:
      WRITE(uint32_t, fprintf(file, "%" PRIu32, number));
      break;
    case CTORCH_DTYPE_INT32:
      WRITE(int32_t, fprintf(file, "%" PRId32, number));
      break;
    case CTORCH_DTYPE_UINT64:
      WRITE(uint64_t, fprintf(file, "%" PRIu64, number));
      break;
    case CTORCH_DTYPE_INT64:
      WRITE(int64_t, fprintf(file, "%" PRId64, number));
      break;
    default:
      return ctorch_error_format(
          CTORCH_ERROR_FORMAT, "outputs: %s does not go in JSON: ask for binary_data",
          array_datatype(self->form.dtype));
  }
  fputc(']', file);
  return NULL;
}
