/* Headers of npy files: six bytes of magic, the version, the length of a text, and the text, which is a Python dict
 * with just these keys:
 *
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
 *
 * NumPy evaluates it; here it is read by a grammar that has no more than headers need. */
#include <ctorch.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "core/c/error.h"
#include "io/elements.h"
#include "io/reader.h"
#include "io/weights_table.h"
#include "numpy/npy.h"

enum { MAGIC_NBYTES = 6, VERSION_NBYTES = 2 };
static const unsigned char magic[MAGIC_NBYTES] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

bool npy_is_magic(const unsigned char *data, size_t len) {
  return len >= MAGIC_NBYTES && memcmp(data, magic, MAGIC_NBYTES) == 0;
}

ctorch_error *npy_header_nbytes(
    const char *function, uint64_t *out, const ctorch_reader *reader, const unsigned char *data, size_t len) {
  if (!npy_is_magic(data, len) || len < MAGIC_NBYTES + VERSION_NBYTES) {
    return reader_error(function, reader, "no npy file");
  }
  unsigned version = data[MAGIC_NBYTES];
  if (version < 1 || version > 3 || data[MAGIC_NBYTES + 1] != 0) {
    return reader_error(
        function, reader, "npy version %u.%u, of which 1.0, 2.0 and 3.0 are known", version, data[MAGIC_NBYTES + 1]);
  }
  size_t prefix = MAGIC_NBYTES + VERSION_NBYTES, length_nbytes = version == 1 ? 2 : 4;
  if (len < prefix + length_nbytes) {
    return reader_error(function, reader, "ends early, in its npy header");
  }
  uint64_t length = 0;
  for (size_t i = length_nbytes; i-- > 0;) {
    length = length << 8 | data[prefix + i];
  }
  if (length > NPY_MOST_NBYTES) {
    return reader_error(
        function, reader, "an npy header of %llu bytes, more than %d", (unsigned long long)length,
        (int)NPY_MOST_NBYTES);
  }
  *out = prefix + length_nbytes + length;
  return NULL;
}

/* The text of a header on its way. */
struct parser {
  const char *function;
  const ctorch_reader *reader;
  const char *at, *end;
  const char *begin;
  bool may_be_long; /* of Python 2: 3L */
  struct npy_header *header;
  bool has_descr, has_order, has_shape;
};

static ctorch_error *bad(const struct parser *self, const char *what) {
  return reader_error(self->function, self->reader, "npy header, at %zu: %s", (size_t)(self->at - self->begin), what);
}

static bool is_one_of(char c, const char *characters) { return c != '\0' && strchr(characters, c) != NULL; }

static void skip_space(struct parser *self) {
  while (self->at < self->end && is_one_of(*self->at, " \t\r\n\f")) {
    self->at++;
  }
}

/* Whether the next character is this one, which is passed. */
static bool pass(struct parser *self, char expected) {
  skip_space(self);
  bool is_there = self->at < self->end && *self->at == expected;
  self->at += is_there;
  return is_there;
}

/* A text in quotes, without escapes. */
static ctorch_error *read_quoted(struct parser *self, const char **out, size_t *out_len) {
  skip_space(self);
  if (self->at == self->end || (*self->at != '\'' && *self->at != '"')) {
    return bad(self, "expected a text in quotes");
  }
  char quote = *self->at++;
  const char *first = self->at;
  while (self->at < self->end && *self->at != quote) {
    if (*self->at == '\\' || *self->at == '\n') {
      return bad(self, "a text with an escape or a line's end");
    }
    self->at++;
  }
  if (self->at == self->end) {
    return bad(self, "a text without its end");
  }
  *out = first;
  *out_len = (size_t)(self->at - first);
  self->at++;
  return NULL;
}

static bool pass_word(struct parser *self, const char *word) {
  size_t len = strlen(word);
  skip_space(self);
  bool is_there = (size_t)(self->end - self->at) >= len && memcmp(self->at, word, len) == 0;
  self->at += is_there ? len : 0;
  return is_there;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static ctorch_error *read_size(struct parser *self, int64_t *out) {
  skip_space(self);
  int64_t size = 0;
  const char *first = self->at;
  while (self->at < self->end && is_digit(*self->at)) {
    int digit = *self->at - '0';
    if (size > (INT64_MAX - digit) / 10) {
      return bad(self, "a size beyond 64 bits");
    }
    size = size * 10 + digit;
    self->at++;
  }
  if (self->at == first) {
    return bad(self, "expected a size");
  }
  if (*first == '0' && size != 0) {
    return bad(self, "a size that begins with 0");
  }
  if (self->may_be_long && self->at < self->end && *self->at == 'L') {
    self->at++;
  }
  *out = size;
  return NULL;
}

/* (), (3,), (3, 4), (3, 4, ); of one size the comma is due. */
static ctorch_error *read_shape(struct parser *self) {
  struct npy_header *header = self->header;
  bool has_comma = true;
  if (!pass(self, '(')) {
    return bad(self, "expected a tuple of sizes");
  }
  while (!pass(self, ')')) {
    if (!has_comma) {
      return bad(self, "expected a comma");
    }
    CTORCH_TRY(array_grow(self->function, &header->shape, header->shape_len, sizeof *header->shape));
    CTORCH_TRY(read_size(self, &header->shape[header->shape_len]));
    header->shape_len++;
    has_comma = pass(self, ',');
  }
  return header->shape_len == 1 && !has_comma ? bad(self, "expected a tuple, which has a comma") : NULL;
}

static ctorch_error *read_order(struct parser *self) {
  if (pass_word(self, "True")) {
    self->header->is_fortran = true;
    return NULL;
  }
  return pass_word(self, "False") ? NULL : bad(self, "expected True or False");
}

/* The dtypes of NumPy's that PyTorch has. */
static ctorch_dtype dtype_of(const char *type, size_t len) {
  static const struct {
    const char *type;
    ctorch_dtype dtype;
  } known[] = {
      {"?", CTORCH_DTYPE_BOOL},     {"b1", CTORCH_DTYPE_BOOL},      {"i1", CTORCH_DTYPE_INT8},
      {"i2", CTORCH_DTYPE_INT16},   {"i4", CTORCH_DTYPE_INT32},     {"i8", CTORCH_DTYPE_INT64},
      {"u1", CTORCH_DTYPE_UINT8},   {"u2", CTORCH_DTYPE_UINT16},    {"u4", CTORCH_DTYPE_UINT32},
      {"u8", CTORCH_DTYPE_UINT64},  {"f2", CTORCH_DTYPE_FLOAT16},   {"f4", CTORCH_DTYPE_FLOAT32},
      {"f8", CTORCH_DTYPE_FLOAT64}, {"c8", CTORCH_DTYPE_COMPLEX64}, {"c16", CTORCH_DTYPE_COMPLEX128},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strlen(known[i].type) == len && memcmp(known[i].type, type, len) == 0) {
      return known[i].dtype;
    }
  }
  return WEIGHTS_NO_DTYPE;
}

const char *npy_no_dtype(const char *type) {
  if (strchr(type, 'O') != NULL) {
    return "objects in a pickle, which is not run";
  }
  if (strchr(type, 'V') != NULL) {
    return "bytes without a meaning, such as ml_dtypes makes of bfloat16";
  }
  return "which PyTorch has not";
}

static void set_type(struct npy_header *header, const char *type, size_t len) {
  if (len >= sizeof header->type) {
    len = sizeof header->type - 1;
  }
  for (size_t i = 0; i < len; i++) {
    header->type[i] = type[i] >= 0x20 && type[i] < 0x7f ? type[i] : '?'; /* it is shown to people */
  }
  header->type[len] = '\0';
}

/* Go over a list, tuple or dict with whatever is in it: brackets are counted, texts passed. */
static ctorch_error *skip_nested(struct parser *self) {
  size_t depth = 0;
  do {
    const char *text;
    size_t len;
    skip_space(self);
    if (self->at == self->end) {
      return bad(self, "a bracket without its end");
    }
    if (*self->at == '\'' || *self->at == '"') {
      CTORCH_TRY(read_quoted(self, &text, &len));
      continue;
    }
    depth += is_one_of(*self->at, "([{");
    depth -= is_one_of(*self->at, ")]}");
    self->at++;
  } while (depth > 0);
  return NULL;
}

static ctorch_error *read_descr(struct parser *self) {
  struct npy_header *header = self->header;
  const char *type = NULL;
  size_t len = 0;
  skip_space(self);
  if (self->at < self->end && is_one_of(*self->at, "([{")) { /* fields with names, or arrays as elements */
    set_type(header, "structured", strlen("structured"));
    header->dtype = WEIGHTS_NO_DTYPE;
    return skip_nested(self);
  }
  CTORCH_TRY(read_quoted(self, &type, &len));
  set_type(header, type, len);
  header->is_big_endian = len > 0 && type[0] == '>';
  size_t order = len > 0 && is_one_of(type[0], "<>|=");
  header->dtype = dtype_of(type + order, len - order);
  return NULL;
}

static ctorch_error *read_item(struct parser *self) {
  const char *key = NULL;
  size_t len = 0;
  CTORCH_TRY(read_quoted(self, &key, &len));
  static const struct {
    const char *key;
    size_t seen;
    ctorch_error *(*read)(struct parser *self);
  } keys[] = {
      {"descr", offsetof(struct parser, has_descr), read_descr},
      {"fortran_order", offsetof(struct parser, has_order), read_order},
      {"shape", offsetof(struct parser, has_shape), read_shape},
  };
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    bool *seen = (bool *)((char *)self + keys[i].seen);
    if (strlen(keys[i].key) == len && memcmp(keys[i].key, key, len) == 0 && !*seen) {
      *seen = true;
      return pass(self, ':') ? keys[i].read(self) : bad(self, "expected a colon");
    }
  }
  return bad(self, "a key that does not belong there");
}

static ctorch_error *read_dict(struct parser *self) {
  bool has_comma = true;
  if (!pass(self, '{')) {
    return bad(self, "expected a dict");
  }
  while (!pass(self, '}')) {
    if (!has_comma) {
      return bad(self, "expected a comma");
    }
    CTORCH_TRY(read_item(self));
    has_comma = pass(self, ',');
  }
  skip_space(self);
  if (self->at != self->end) {
    return bad(self, "something behind the dict");
  }
  return self->has_descr && self->has_order && self->has_shape
             ? NULL
             : bad(self, "expected 'descr', 'fortran_order' and 'shape'");
}

ctorch_error *npy_header_read(
    const char *function, struct npy_header *out, const ctorch_reader *reader, const unsigned char *data, size_t len) {
  uint64_t nbytes = 0;
  CTORCH_TRY(npy_header_nbytes(function, &nbytes, reader, data, len));
  if (nbytes > len) {
    return reader_error(function, reader, "ends early, in its npy header");
  }
  struct npy_header header = {.header_nbytes = nbytes};
  unsigned version = data[MAGIC_NBYTES];
  const char *text = (const char *)data + MAGIC_NBYTES + VERSION_NBYTES + (version == 1 ? 2 : 4);
  struct parser parser = {
      .function = function,
      .reader = reader,
      .at = text,
      .begin = text,
      .end = (const char *)data + nbytes,
      .may_be_long = version < 3,
      .header = &header};
  ctorch_error *error = read_dict(&parser);
  size_t itemsize = header.dtype == WEIGHTS_NO_DTYPE ? 1 : ctorch_dtype_itemsize(header.dtype);
  if (error == NULL && !elements_nbytes(&header.nbytes, header.shape, header.shape_len, itemsize)) {
    error = reader_error(function, reader, "npy header: the shape is too large");
  }
  if (header.dtype == WEIGHTS_NO_DTYPE) {
    header.nbytes = 0;
  }
  if (error != NULL) {
    free(header.shape);
    return error;
  }
  *out = header;
  return NULL;
}
