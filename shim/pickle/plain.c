/* The opcodes that make numbers, texts and bytes. */
#define _POSIX_C_SOURCE 200809L
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "ctorch.h"
#include "pickle/machine.h"
#include "pickle/text.h"
#include "pickle/values.h"

static ctorch_error *push_made(struct machine *self, ctorch_value *value, ctorch_error *error) {
  return error != NULL ? pickle_refuse(self->pickle, error) : machine_push(self, value);
}

static ctorch_error *push_int(struct machine *self, int64_t number) {
  ctorch_value *value = NULL;
  ctorch_error *error = ctorch_value_from_int(&value, number);
  return push_made(self, value, error);
}

static ctorch_error *push_bool(struct machine *self, bool flag) {
  ctorch_value *value = NULL;
  ctorch_error *error = ctorch_value_from_bool(&value, flag);
  return push_made(self, value, error);
}

static ctorch_error *push_double(struct machine *self, double number) {
  ctorch_value *value = NULL;
  ctorch_error *error = ctorch_value_from_double(&value, number);
  return push_made(self, value, error);
}

static ctorch_error *push_bytes(struct machine *self, const unsigned char *bytes, size_t len) {
  ctorch_value *value = NULL;
  ctorch_error *error = ctorch_value_from_bytes(&value, (const char *)bytes, len);
  return push_made(self, value, error);
}

static ctorch_error *push_text(struct machine *self, const unsigned char *text, size_t len) {
  ctorch_value *value = NULL;
  if (!pickle_is_text(text, len)) {
    return pickle_error(self->pickle, "a text that is not UTF-8");
  }
  ctorch_error *error = ctorch_value_from_string_data(&value, (const char *)text, len);
  return push_made(self, value, error);
}

/* A str of Python 2 was bytes: a text where it is one. */
static ctorch_error *push_python2_str(struct machine *self, const unsigned char *text, size_t len) {
  return pickle_is_text(text, len) ? push_text(self, text, len) : push_bytes(self, text, len);
}

enum content { TEXT, BYTES, PYTHON2_STR, LONG };

/* Content behind its length. */
static ctorch_error *push_sized(struct machine *self, size_t length_nbytes, bool is_signed, enum content content) {
  uint64_t len = 0;
  const unsigned char *data = NULL;
  CTORCH_TRY(machine_take_number(self, &len, length_nbytes));
  if (is_signed && (len >> (8 * length_nbytes - 1)) != 0) {
    return pickle_error(self->pickle, "a negative length");
  }
  CTORCH_TRY(machine_take(self, &data, len));
  if (content == LONG) {
    ctorch_value *value = NULL;
    ctorch_error *error = ctorch_value_from_int_bytes(&value, (const char *)data, (size_t)len);
    return push_made(self, value, error);
  }
  return content == TEXT    ? push_text(self, data, (size_t)len)
         : content == BYTES ? push_bytes(self, data, (size_t)len)
                            : push_python2_str(self, data, (size_t)len);
}

/* A bytearray: an object, because values know no bytes that change. */
static ctorch_error *push_bytearray(struct machine *self) {
  uint64_t len = 0;
  const unsigned char *data = NULL;
  ctorch_value *bytes = NULL, *args = NULL, *value = NULL;
  CTORCH_TRY(machine_take_number(self, &len, 8));
  CTORCH_TRY(machine_take(self, &data, len));
  CTORCH_TRY(pickle_refuse(self->pickle, ctorch_value_from_bytes(&bytes, (const char *)data, (size_t)len)));
  const ctorch_value *only[] = {bytes};
  ctorch_error *error = ctorch_value_from_tuple(&args, only, 1);
  THEN(error, ctorch_value_from_python_object(&value, "builtins", "bytearray", args, NULL, NULL));
  ctorch_value_release(args);
  ctorch_value_release(bytes);
  return error != NULL ? pickle_refuse(self->pickle, error) : machine_push_container(self, value);
}

/* Protocol 0: everything is a line. ------------------------------------------------------------------------------- */

bool machine_read_decimal(uint64_t *out, const unsigned char *text, size_t len) {
  uint64_t value = 0;
  for (size_t i = 0; i < len; i++) {
    if (text[i] < '0' || text[i] > '9' || value > (UINT64_MAX - 9) / 10) {
      return false;
    }
    value = value * 10 + (uint64_t)(text[i] - '0');
  }
  *out = value;
  return len > 0;
}

/* The line as a C string; free() it. */
static ctorch_error *copy_line(struct machine *self, char **out) {
  const unsigned char *line = NULL;
  size_t len = 0;
  CTORCH_TRY(machine_take_line(self, &line, &len));
  if (memchr(line, '\0', len) != NULL) {
    return pickle_error(self->pickle, "NUL in a line");
  }
  char *copy = malloc(len + 1);
  if (copy == NULL) {
    return error_memory(self->pickle->function, len + 1);
  }
  memcpy(copy, line, len);
  copy[len] = '\0';
  *out = copy;
  return NULL;
}

static ctorch_error *push_line_int(struct machine *self, bool is_long) {
  char *line = NULL;
  ctorch_value *value = NULL;
  CTORCH_TRY(copy_line(self, &line));
  const size_t len = strlen(line);
  ctorch_error *error = NULL;
  if (!is_long && (strcmp(line, "00") == 0 || strcmp(line, "01") == 0)) {
    error = push_bool(self, line[1] == '1');
  } else {
    if (is_long && len > 0 && line[len - 1] == 'L') {
      line[len - 1] = '\0';
    }
    error = ctorch_value_from_decimal(&value, line);
    error = push_made(self, value, error);
  }
  free(line);
  return error;
}

/* The number in a text, whatever the locale: Python's float() of what its repr() wrote. */
static bool read_double(double *out, const char *text) {
  const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (c == (locale_t)0) {
    return false;
  }
  const locale_t before = uselocale(c);
  char *end = NULL;
  *out = strtod(text, &end);
  uselocale(before);
  freelocale(c);
  return end != text && *end == '\0';
}

static ctorch_error *push_line_double(struct machine *self) {
  char *line = NULL;
  double number = 0;
  CTORCH_TRY(copy_line(self, &line));
  ctorch_error *error =
      read_double(&number, line) ? push_double(self, number) : pickle_error(self->pickle, "'%.40s' is no float", line);
  free(line);
  return error;
}

static int hexadecimal(unsigned char digit) {
  return digit >= '0' && digit <= '9'   ? digit - '0'
         : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
         : digit >= 'A' && digit <= 'F' ? digit - 'A' + 10
                                        : -1;
}

/* The number in `len` hexadecimal digits; -1 if they are none. */
static int32_t read_hexadecimal(const unsigned char *text, size_t len) {
  int32_t value = 0;
  for (size_t i = 0; i < len; i++) {
    const int digit = hexadecimal(text[i]);
    if (digit < 0 || value > 0x10ffff) {
      return -1;
    }
    value = value * 16 + digit;
  }
  return value;
}

static size_t put_utf8(unsigned char *to, int32_t code) {
  const unsigned char last = (unsigned char)(0x80 | (code & 0x3f));
  if (code < 0x80) {
    to[0] = (unsigned char)code;
    return 1;
  }
  if (code < 0x800) {
    to[0] = (unsigned char)(0xc0 | code >> 6);
    to[1] = last;
    return 2;
  }
  if (code < 0x10000) {
    to[0] = (unsigned char)(0xe0 | code >> 12);
    to[1] = (unsigned char)(0x80 | (code >> 6 & 0x3f));
    to[2] = last;
    return 3;
  }
  to[0] = (unsigned char)(0xf0 | code >> 18);
  to[1] = (unsigned char)(0x80 | (code >> 12 & 0x3f));
  to[2] = (unsigned char)(0x80 | (code >> 6 & 0x3f));
  to[3] = last;
  return 4;
}

/* Latin-1 with \uXXXX and \UXXXXXXXX, Python's "raw-unicode-escape". */
static ctorch_error *push_line_text(struct machine *self) {
  const unsigned char *line = NULL;
  size_t len = 0, done = 0;
  CTORCH_TRY(machine_take_line(self, &line, &len));
  unsigned char *text = malloc(2 * len + 1);
  if (text == NULL) {
    return error_memory(self->pickle->function, 2 * len + 1);
  }
  for (size_t i = 0; i < len;) {
    /* A backslash behind an odd number of others is none that escapes. */
    if (line[i] == '\\' && i + 1 < len && line[i + 1] != 'u' && line[i + 1] != 'U') {
      text[done++] = line[i++];
      done += put_utf8(text + done, line[i++]);
      continue;
    }
    const size_t digits = line[i] != '\\' || i + 1 >= len ? 0 : line[i + 1] == 'u' ? 4 : 8;
    const int32_t code = digits == 0 ? line[i] : len - i - 2 < digits ? -1 : read_hexadecimal(line + i + 2, digits);
    if (code < 0 || code > 0x10ffff) {
      free(text);
      return pickle_error(self->pickle, "a wrong escape in a text");
    }
    done += put_utf8(text + done, code);
    i += digits == 0 ? 1 : digits + 2;
  }
  ctorch_error *error = push_text(self, text, done);
  free(text);
  return error;
}

/* One escape of a bytes literal, behind its backslash; false if it is none. */
static bool read_escape(const unsigned char *text, size_t len, size_t *used, unsigned char *out, bool *is_kept) {
  static const char names[] = "\\'\"abfnrtv", values[] = "\\'\"\a\b\f\n\r\t\v";
  const char *name = text[0] == '\0' ? NULL : strchr(names, text[0]);
  *is_kept = true;
  *used = 1;
  if (name != NULL) {
    *out = (unsigned char)values[name - names];
    return true;
  }
  if (text[0] == 'x') {
    const int32_t code = len < 3 ? -1 : read_hexadecimal(text + 1, 2);
    *out = (unsigned char)code;
    *used = 3;
    return code >= 0;
  }
  int code = 0;
  size_t digits = 0;
  for (; digits < 3 && digits < len && text[digits] >= '0' && text[digits] <= '7'; digits++) {
    code = code * 8 + (text[digits] - '0');
  }
  *is_kept = digits > 0;
  *used = digits;
  *out = (unsigned char)code;
  return true;
}

/* A str of Python 2, as its repr wrote it. */
static ctorch_error *push_line_str(struct machine *self) {
  const unsigned char *line = NULL;
  size_t len = 0, done = 0;
  CTORCH_TRY(machine_take_line(self, &line, &len));
  while (len > 0 && (line[len - 1] == '\r' || line[len - 1] == ' ')) {
    len--;
  }
  if (len < 2 || line[0] != line[len - 1] || (line[0] != '\'' && line[0] != '"')) {
    return pickle_error(self->pickle, "a str without quotes");
  }
  unsigned char *text = malloc(len);
  if (text == NULL) {
    return error_memory(self->pickle->function, len);
  }
  bool is_right = true;
  for (size_t i = 1; is_right && i < len - 1;) {
    if (line[i] != '\\') {
      text[done++] = line[i++];
      continue;
    }
    size_t used = 0;
    bool is_known = false;
    unsigned char byte = 0;
    is_right = i + 1 < len - 1 && read_escape(line + i + 1, len - 2 - i, &used, &byte, &is_known);
    text[done++] = is_known ? byte : '\\';
    i += 1 + used;
  }
  ctorch_error *error =
      is_right ? push_python2_str(self, text, done) : pickle_error(self->pickle, "a wrong escape in a str");
  free(text);
  return error;
}

static ctorch_error *push_binary_double(struct machine *self) {
  const unsigned char *bytes = NULL;
  uint64_t bits = 0;
  double number = 0;
  CTORCH_TRY(machine_take(self, &bytes, 8));
  for (int i = 0; i < 8; i++) {
    bits = bits << 8 | bytes[i];
  }
  memcpy(&number, &bits, sizeof number);
  return push_double(self, number);
}

ctorch_error *machine_push_plain(struct machine *self, bool *out_is_known, unsigned char opcode) {
  uint64_t number = 0;
  ctorch_value *none = NULL;
  ctorch_error *error = NULL;
  *out_is_known = true;
  switch (opcode) {
    case 'N':
      error = ctorch_value_from_none(&none);
      return push_made(self, none, error);
    case 0x88: /* NEWTRUE */
    case 0x89: /* NEWFALSE */
      return push_bool(self, opcode == 0x88);
    case 'J': /* BININT */
      CTORCH_TRY(machine_take_number(self, &number, 4));
      return push_int(self, (int32_t)(uint32_t)number);
    case 'K': /* BININT1 */
    case 'M': /* BININT2 */
      CTORCH_TRY(machine_take_number(self, &number, opcode == 'K' ? 1 : 2));
      return push_int(self, (int64_t)number);
    case 'G': /* BINFLOAT */
      return push_binary_double(self);
    case 0x8a: /* LONG1 */
      return push_sized(self, 1, false, LONG);
    case 0x8b: /* LONG4 */
      return push_sized(self, 4, true, LONG);
    case 'X': /* BINUNICODE */
      return push_sized(self, 4, false, TEXT);
    case 0x8c: /* SHORT_BINUNICODE */
      return push_sized(self, 1, false, TEXT);
    case 0x8d: /* BINUNICODE8 */
      return push_sized(self, 8, false, TEXT);
    case 'B': /* BINBYTES */
      return push_sized(self, 4, false, BYTES);
    case 'C': /* SHORT_BINBYTES */
      return push_sized(self, 1, false, BYTES);
    case 0x8e: /* BINBYTES8 */
      return push_sized(self, 8, false, BYTES);
    case 0x96: /* BYTEARRAY8 */
      return push_bytearray(self);
    case 'T': /* BINSTRING */
      return push_sized(self, 4, true, PYTHON2_STR);
    case 'U': /* SHORT_BINSTRING */
      return push_sized(self, 1, false, PYTHON2_STR);
    case 'I': /* INT */
    case 'L': /* LONG */
      return push_line_int(self, opcode == 'L');
    case 'F': /* FLOAT */
      return push_line_double(self);
    case 'S': /* STRING */
      return push_line_str(self);
    case 'V': /* UNICODE */
      return push_line_text(self);
    default:
      *out_is_known = false;
      return NULL;
  }
}
