/** Numbers, devices and streams. */
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "word/immediate.h"
#include "word/numbers.h"
#include "word/word.h"

/* Reading */

/** The number in a word; false after a failure. */
static bool read_number(word_call *call, const char *name, int64_t word, ctorch_scalar *room) {
  *room = (ctorch_scalar){CTORCH_SCALAR_INT, 0, 0, 0.0, 0.0};
  if (word_is_int(word)) {
    room->i = word - WORD_INT_ZERO;
    return call->error == NULL;
  }
  const ctorch_scalar *number = word_handle(call, name, word, RT_CTORCH_KIND_NUMBER);
  if (number == NULL) {
    return false;
  }
  *room = *number;
  return true;
}

static bool read_int(word_call *call, const char *name, int64_t word, int64_t *room) {
  ctorch_scalar number;
  *room = 0;
  if (!read_number(call, name, word, &number)) {
    return false;
  }
  if (number.kind != CTORCH_SCALAR_INT && number.kind != CTORCH_SCALAR_BOOL) {
    word_fail(call, CTORCH_ERROR_TYPE, "%s: an integer of 64 bits is needed, the number is another", name);
    return false;
  }
  *room = number.i;
  return true;
}

double word_double(word_call *call, const char *name, int64_t word) {
  ctorch_scalar number;
  if (!read_number(call, name, word, &number)) {
    return 0.0;
  }
  switch (number.kind) {
    case CTORCH_SCALAR_FLOAT:
      return number.re;
    case CTORCH_SCALAR_UINT:
      return (double)(uint64_t)number.i;
    case CTORCH_SCALAR_COMPLEX:
      word_fail(call, CTORCH_ERROR_TYPE, "%s: a real number is needed, the number is complex", name);
      return 0.0;
    default:
      return (double)number.i;
  }
}

double word_double_or(word_call *call, const char *name, int64_t word, double otherwise) {
  return word == 0 ? otherwise : word_double(call, name, word);
}

const int64_t *word_optional_int64(word_call *call, const char *name, int64_t word, int64_t *room) {
  return word != 0 && read_int(call, name, word, room) ? room : NULL;
}

const int32_t *word_optional_int32(word_call *call, const char *name, int64_t word, int32_t *room) {
  int64_t value;
  if (word == 0 || !read_int(call, name, word, &value)) {
    return NULL;
  }
  *room = word_int32(call, name, value);
  return room;
}

const bool *word_optional_bool(word_call *call, const char *name, int64_t word, bool *room) {
  int64_t value;
  if (word == 0 || !read_int(call, name, word, &value)) {
    return NULL;
  }
  *room = word_flag(call, name, value);
  return room;
}

const double *word_optional_double(word_call *call, const char *name, int64_t word, double *room) {
  if (word == 0) {
    return NULL;
  }
  *room = word_double(call, name, word);
  return room;
}

const ctorch_scalar *word_scalar(word_call *call, const char *name, int64_t word, bool optional, ctorch_scalar *room) {
  if (optional && word == 0) {
    return NULL;
  }
  return read_number(call, name, word, room) ? room : NULL;
}

const ctorch_device *word_device(word_call *call, const char *name, int64_t word, bool optional, ctorch_device *room) {
  if (optional && word == 0) {
    return NULL;
  }
  if (!word_is_device(word)) {
    word_fail(call, CTORCH_ERROR_INVALID_HANDLE, "%s: %" PRId64 " is no device word", name, word);
    return NULL;
  }
  int64_t device = word - WORD_INTS_END;
  room->type = (int32_t)(device / WORD_DEVICE_INDEXES);
  room->index = (int32_t)(device % WORD_DEVICE_INDEXES) - 1;
  return room;
}

const ctorch_stream *word_stream(word_call *call, const char *name, int64_t word, bool optional) {
  return word_handle(call, name, word, RT_CTORCH_KIND_STREAM | (optional ? WORD_OPTIONAL : 0));
}

/* Making */

int64_t word_from_scalar(word_call *call, const ctorch_scalar *value) {
  if (call->error != NULL) {
    return 0;
  }
  if (value->kind == CTORCH_SCALAR_INT && word_int_fits(value->i)) {
    return WORD_INT_ZERO + value->i;
  }
  ctorch_scalar *number = malloc(sizeof *number);
  if (number == NULL) {
    word_fail_memory(call);
    return 0;
  }
  *number = *value;
  return word_from_handle(call, RT_CTORCH_KIND_NUMBER, number);
}

int64_t word_from_int(word_call *call, int64_t value) {
  return word_from_scalar(call, &(const ctorch_scalar){CTORCH_SCALAR_INT, 0, value, 0.0, 0.0});
}

int64_t word_from_uint(word_call *call, uint64_t value) {
  int32_t kind = value > INT64_MAX ? CTORCH_SCALAR_UINT : CTORCH_SCALAR_INT;
  return word_from_scalar(call, &(const ctorch_scalar){kind, 0, (int64_t)value, 0.0, 0.0});
}

int64_t word_from_double(word_call *call, double value) {
  return word_from_scalar(call, &(const ctorch_scalar){CTORCH_SCALAR_FLOAT, 0, 0, value, 0.0});
}

int64_t word_from_device(word_call *call, const ctorch_device *device) {
  if (call->error != NULL) {
    return 0;
  }
  if (device->type < 0 || device->type > UINT16_MAX || device->index < -1 || device->index >= WORD_DEVICE_INDEXES - 1) {
    word_fail(
        call, CTORCH_ERROR_INVALID_ARGUMENT, "device: type %" PRId32 ", index %" PRId32 " is none", device->type,
        device->index);
    return 0;
  }
  return WORD_INTS_END + device->type * WORD_DEVICE_INDEXES + device->index + 1;
}

int64_t word_from_stream(word_call *call, const ctorch_stream *stream) {
  if (call->error != NULL) {
    return 0;
  }
  ctorch_stream *made = malloc(sizeof *made);
  if (made == NULL) {
    word_fail_memory(call);
    return 0;
  }
  *made = *stream;
  return word_from_handle(call, RT_CTORCH_KIND_STREAM, made);
}

/* rt_ctorch_number_* */

int64_t rt_ctorch_number_int(int64_t value) {
  word_call call = word_begin("rt_ctorch_number_int");
  return word_end_new(&call, word_from_int(&call, value));
}

/** Two words of 32 bits as one of 64. */
static uint64_t halves(word_call *call, int64_t high, int64_t low) {
  uint64_t upper = word_unsigned(call, "high", high, UINT32_MAX);
  return upper << 32 | word_unsigned(call, "low", low, UINT32_MAX);
}

int64_t rt_ctorch_number_int_halves(int64_t high, int64_t low) {
  word_call call = word_begin("rt_ctorch_number_int_halves");
  uint64_t upper = (uint32_t)word_int32(&call, "high", high);
  uint64_t lower = word_unsigned(&call, "low", low, UINT32_MAX);
  return word_end_new(&call, word_from_int(&call, (int64_t)(upper << 32 | lower)));
}

int64_t rt_ctorch_number_uint_halves(int64_t high, int64_t low) {
  word_call call = word_begin("rt_ctorch_number_uint_halves");
  return word_end_new(&call, word_from_uint(&call, halves(&call, high, low)));
}

int64_t rt_ctorch_number_bool(int64_t value) {
  word_call call = word_begin("rt_ctorch_number_bool");
  ctorch_scalar number = {CTORCH_SCALAR_BOOL, 0, word_flag(&call, "value", value), 0.0, 0.0};
  return word_end_new(&call, word_from_scalar(&call, &number));
}

int64_t rt_ctorch_number_ratio(int64_t numerator, int64_t denominator) {
  word_call call = word_begin("rt_ctorch_number_ratio");
  return word_end_new(&call, word_from_double(&call, (double)numerator / (double)denominator));
}

static double double_of_bits(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint64_t bits_of_double(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

int64_t rt_ctorch_number_double_halves(int64_t high, int64_t low) {
  word_call call = word_begin("rt_ctorch_number_double_halves");
  return word_end_new(&call, word_from_double(&call, double_of_bits(halves(&call, high, low))));
}

int64_t rt_ctorch_number_double_bits(int64_t bits) {
  word_call call = word_begin("rt_ctorch_number_double_bits");
  return word_end_new(&call, word_from_double(&call, double_of_bits((uint64_t)bits)));
}

int64_t word_from_complex(word_call *call, double real, double imaginary) {
  return word_from_scalar(call, &(const ctorch_scalar){CTORCH_SCALAR_COMPLEX, 0, 0, real, imaginary});
}

int64_t rt_ctorch_number_complex(int64_t real, int64_t imaginary) {
  word_call call = word_begin("rt_ctorch_number_complex");
  double re = word_double(&call, "real", real);
  double im = word_double(&call, "imaginary", imaginary);
  return word_end_new(&call, word_from_complex(&call, re, im));
}

int64_t rt_ctorch_number_kind(int64_t number) {
  word_call call = word_begin("rt_ctorch_number_kind");
  ctorch_scalar read;
  (void)read_number(&call, "number", number, &read);
  return word_end(&call, read.kind);
}

int64_t rt_ctorch_number_to_int(int64_t number) {
  word_call call = word_begin("rt_ctorch_number_to_int");
  int64_t value;
  if (read_int(&call, "number", number, &value)) {
    word_last_error_clear();
  }
  return word_end(&call, value);
}

/** The bits of an integer of any kind. */
static uint64_t read_bits(word_call *call, int64_t number, bool *has_sign) {
  ctorch_scalar read;
  *has_sign = true;
  if (!read_number(call, "number", number, &read)) {
    return 0;
  }
  if (read.kind == CTORCH_SCALAR_FLOAT || read.kind == CTORCH_SCALAR_COMPLEX) {
    word_fail(call, CTORCH_ERROR_TYPE, "number: an integer is needed");
  }
  *has_sign = read.kind != CTORCH_SCALAR_UINT;
  return (uint64_t)read.i;
}

int64_t rt_ctorch_number_to_int_high(int64_t number) {
  word_call call = word_begin("rt_ctorch_number_to_int_high");
  bool has_sign;
  uint32_t high = (uint32_t)(read_bits(&call, number, &has_sign) >> 32);
  return word_end_new(&call, word_from_int(&call, has_sign ? (int32_t)high : (int64_t)high));
}

int64_t rt_ctorch_number_to_int_low(int64_t number) {
  word_call call = word_begin("rt_ctorch_number_to_int_low");
  bool has_sign;
  return word_end(&call, (int64_t)(read_bits(&call, number, &has_sign) & UINT32_MAX));
}

int64_t rt_ctorch_number_to_double_high(int64_t number) {
  word_call call = word_begin("rt_ctorch_number_to_double_high");
  return word_end(&call, (int64_t)(bits_of_double(word_double(&call, "number", number)) >> 32));
}

int64_t rt_ctorch_number_to_double_low(int64_t number) {
  word_call call = word_begin("rt_ctorch_number_to_double_low");
  return word_end(&call, (int64_t)(bits_of_double(word_double(&call, "number", number)) & UINT32_MAX));
}

int64_t rt_ctorch_number_real(int64_t number) {
  word_call call = word_begin("rt_ctorch_number_real");
  ctorch_scalar read;
  if (read_number(&call, "number", number, &read) && read.kind == CTORCH_SCALAR_COMPLEX) {
    read = (ctorch_scalar){CTORCH_SCALAR_FLOAT, 0, 0, read.re, 0.0};
  }
  return word_end_new(&call, word_from_scalar(&call, &read));
}

int64_t rt_ctorch_number_imaginary(int64_t number) {
  word_call call = word_begin("rt_ctorch_number_imaginary");
  ctorch_scalar read;
  if (read_number(&call, "number", number, &read)) {
    read = read.kind == CTORCH_SCALAR_COMPLEX ? (ctorch_scalar){CTORCH_SCALAR_FLOAT, 0, 0, read.im, 0.0}
                                              : (ctorch_scalar){CTORCH_SCALAR_INT, 0, 0, 0.0, 0.0};
  }
  return word_end_new(&call, word_from_scalar(&call, &read));
}

double word_imaginary(word_call *call, const char *name, int64_t word) {
  ctorch_scalar read;
  return read_number(call, name, word, &read) && read.kind == CTORCH_SCALAR_COMPLEX ? read.im : 0.0;
}

/* Numbers as text: as in C's own locale, whatever the program has set. */

static locale_t c_locale;
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;

static void make_locale(void) { c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

static bool use_c_locale(word_call *call, locale_t *before) {
  (void)pthread_once(&c_locale_once, make_locale);
  if (c_locale == (locale_t)0) {
    word_fail_memory(call);
    return false;
  }
  *before = uselocale(c_locale);
  return true;
}

int64_t rt_ctorch_number_parse(int64_t text) {
  word_call call = word_begin("rt_ctorch_number_parse");
  const char *digits = word_text(&call, "text", text, false);
  locale_t before;
  if (call.error != NULL || !use_c_locale(&call, &before)) {
    return word_end(&call, 0);
  }
  size_t sign = digits[0] == '-' || digits[0] == '+';
  bool whole = digits[sign] != '\0' && strspn(digits + sign, "0123456789") == strlen(digits + sign);
  bool starts_well = digits[sign] != '\0' && strchr("0123456789.iInN", digits[sign]) != NULL;
  char *end = NULL;
  errno = 0;
  int64_t word = 0;
  if (whole && digits[0] == '-') {
    int64_t value = strtoll(digits, &end, 10);
    word = errno == 0 ? word_from_int(&call, value) : 0;
  } else if (whole) {
    uint64_t value = strtoull(digits, &end, 10);
    word = errno == 0 ? word_from_uint(&call, value) : 0;
  } else if (starts_well) {
    double value = strtod(digits, &end);
    errno = 0;  // too large is infinity, too small is zero or close to it
    word = word_from_double(&call, value);
  }
  (void)uselocale(before);
  if (call.error == NULL && (end == NULL || *end != '\0' || errno != 0)) {
    word_fail(&call, CTORCH_ERROR_VALUE, "text: it is no number");
    if (word != 0 && !word_is_int(word)) {
      (void)word_handle_release(word);
    }
  }
  return word_end_new(&call, word);
}

/** The shortest digits that read back as the same double, in the form that Python gives them. */
static void print_double(char *text, size_t size, double value, const char *integer_end) {
  if (isnan(value) || isinf(value)) {
    (void)snprintf(text, size, "%s", isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
    return;
  }
  int digits = 0;
  do {
    (void)snprintf(text, size, "%.*e", digits, value);
  } while (strtod(text, NULL) != value && ++digits < DBL_DECIMAL_DIG);
  int exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
  if (exponent < -4 || exponent >= 16) {
    return;
  }
  int decimals = digits > exponent ? digits - exponent : 0;
  (void)snprintf(text, size, "%.*f%s", decimals, value, decimals == 0 ? integer_end : "");
}

int64_t rt_ctorch_number_print(int64_t number) {
  word_call call = word_begin("rt_ctorch_number_print");
  ctorch_scalar read;
  locale_t before;
  if (!read_number(&call, "number", number, &read) || !use_c_locale(&call, &before)) {
    return word_end(&call, 0);
  }
  char text[96];
  char real[40];
  char imaginary[40];
  switch (read.kind) {
    case CTORCH_SCALAR_FLOAT:
      print_double(text, sizeof text, read.re, ".0");
      break;
    case CTORCH_SCALAR_BOOL:
      (void)snprintf(text, sizeof text, "%s", read.i != 0 ? "True" : "False");
      break;
    case CTORCH_SCALAR_COMPLEX:
      print_double(real, sizeof real, read.re, "");
      print_double(imaginary, sizeof imaginary, read.im, "");
      (void)snprintf(text, sizeof text, "(%s%s%sj)", real, signbit(read.im) && !isnan(read.im) ? "" : "+", imaginary);
      break;
    case CTORCH_SCALAR_UINT:
      (void)snprintf(text, sizeof text, "%" PRIu64, (uint64_t)read.i);
      break;
    default:
      (void)snprintf(text, sizeof text, "%" PRId64, read.i);
  }
  (void)uselocale(before);
  return word_end_new(&call, word_from_text(&call, text));
}

/* rt_ctorch_device_word*, rt_ctorch_stream_word* */

int64_t rt_ctorch_device_word(int64_t type, int64_t index) {
  word_call call = word_begin("rt_ctorch_device_word");
  ctorch_device device;
  device.type = word_int32(&call, "type", type);
  device.index = word_int32(&call, "index", index);
  if (call.error == NULL && ctorch_device_type_name(device.type) == NULL) {
    word_fail(&call, CTORCH_ERROR_INVALID_ARGUMENT, "type: %" PRId64 " is no device type", type);
  }
  return word_end(&call, word_from_device(&call, &device));
}

int64_t rt_ctorch_device_word_type(int64_t device) {
  word_call call = word_begin("rt_ctorch_device_word_type");
  ctorch_device read = {0, 0};
  (void)word_device(&call, "device", device, false, &read);
  return word_end(&call, read.type);
}

int64_t rt_ctorch_device_word_index(int64_t device) {
  word_call call = word_begin("rt_ctorch_device_word_index");
  ctorch_device read = {0, 0};
  (void)word_device(&call, "device", device, false, &read);
  return word_end(&call, word_from_int(&call, read.index));
}

int64_t rt_ctorch_stream_word(int64_t id, int64_t device) {
  word_call call = word_begin("rt_ctorch_stream_word");
  ctorch_device on = {0, 0};
  ctorch_stream stream;
  (void)read_int(&call, "id", id, &stream.id);
  (void)word_device(&call, "device", device, false, &on);
  stream.device_type = on.type;
  stream.device_index = on.index;
  if (on.index < 0) {
    word_fail(&call, CTORCH_ERROR_INVALID_ARGUMENT, "device: a stream needs an index");
  }
  return word_end_new(&call, word_from_stream(&call, &stream));
}

int64_t rt_ctorch_stream_word_id(int64_t stream) {
  word_call call = word_begin("rt_ctorch_stream_word_id");
  const ctorch_stream *read = word_stream(&call, "stream", stream, false);
  return word_end_new(&call, read == NULL ? 0 : word_from_int(&call, read->id));
}

int64_t rt_ctorch_stream_word_device(int64_t stream) {
  word_call call = word_begin("rt_ctorch_stream_word_device");
  const ctorch_stream *read = word_stream(&call, "stream", stream, false);
  ctorch_device device = {read == NULL ? 0 : read->device_type, read == NULL ? 0 : read->device_index};
  return word_end(&call, word_from_device(&call, &device));
}
