/* Unpacking gzip by zlib: gzip.h. */
#include "datasets/gzip.h"

#include <ctorch.h>
#include <stdlib.h>

#include "core/c/error.h"
#include "io/reader.h"

ctorch_error *gzip_detect(const char *function, bool *out, const ctorch_reader *reader) {
  unsigned char head[2];
  *out = false;
  if (ctorch_reader_nbytes(reader) >= sizeof head) {
    CTORCH_TRY(reader_read(function, reader, 0, head, sizeof head));
    *out = head[0] == 0x1f && head[1] == 0x8b;
  }
  return NULL;
}

#if CTORCH_HAS_ZLIB
#include <zlib.h>

enum { BUFFER_NBYTES = 64 << 10, GZIP_WINDOW = 16 + MAX_WBITS };

struct gzip {
  const char *function;
  const ctorch_reader *reader;
  uint64_t at; /* of the next byte to be read */
  z_stream stream;
  bool in_member;
  unsigned char buffer[BUFFER_NBYTES];
};

static ctorch_error *zlib_error(const struct gzip *self, int status) {
  return status == Z_MEM_ERROR ? error_memory(self->function, sizeof *self)
                               : reader_error(
                                     self->function, self->reader, "gzip: %s",
                                     self->stream.msg != NULL ? self->stream.msg
                                     : status == Z_BUF_ERROR  ? "ends early"
                                                              : "damaged");
}

ctorch_error *gzip_begin(const char *function, struct gzip **out, const ctorch_reader *reader) {
  struct gzip *self = calloc(1, sizeof *self);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  self->function = function;
  self->reader = reader;
  const int status = inflateInit2(&self->stream, GZIP_WINDOW);
  if (status != Z_OK) {
    ctorch_error *error = zlib_error(self, status);
    free(self);
    return error;
  }
  self->in_member = true;
  *out = self;
  return NULL;
}

static ctorch_error *fill(struct gzip *self) {
  const uint64_t rest = ctorch_reader_nbytes(self->reader) - self->at;
  const size_t len = rest < sizeof self->buffer ? (size_t)rest : sizeof self->buffer;
  CTORCH_TRY(reader_read(self->function, self->reader, self->at, self->buffer, len));
  self->at += len;
  self->stream.next_in = self->buffer;
  self->stream.avail_in = (uInt)len;
  return NULL;
}

/* Behind a member comes another one, or zeros, or nothing. */
static ctorch_error *begin_next_member(struct gzip *self) {
  while (true) {
    while (self->stream.avail_in > 0 && *self->stream.next_in == 0) {
      self->stream.next_in++;
      self->stream.avail_in--;
    }
    if (self->stream.avail_in > 0) {
      self->in_member = true;
      const int status = inflateReset(&self->stream);
      return status == Z_OK ? NULL : zlib_error(self, status);
    }
    if (self->at == ctorch_reader_nbytes(self->reader)) {
      return NULL;
    }
    CTORCH_TRY(fill(self));
  }
}

ctorch_error *gzip_read(struct gzip *self, void *data, size_t nbytes, size_t *got) {
  *got = 0;
  while (*got < nbytes && self->in_member) {
    if (self->stream.avail_in == 0) {
      CTORCH_TRY(fill(self));
    }
    const size_t rest = nbytes - *got;
    const uInt part = rest < BUFFER_NBYTES ? (uInt)rest : BUFFER_NBYTES;
    self->stream.next_out = (unsigned char *)data + *got;
    self->stream.avail_out = part;
    const int status = inflate(&self->stream, Z_NO_FLUSH);
    *got += part - self->stream.avail_out;
    if (status == Z_STREAM_END) {
      self->in_member = false;
      CTORCH_TRY(begin_next_member(self));
    } else if (status != Z_OK) {
      return zlib_error(self, status);
    }
  }
  return NULL;
}

void gzip_end(struct gzip *self) {
  if (self != NULL) {
    inflateEnd(&self->stream);
  }
  free(self);
}

#else

ctorch_error *gzip_begin(const char *function, struct gzip **out, const ctorch_reader *reader) {
  (void)out;
  return error_make(
      function, CTORCH_ERROR_UNSUPPORTED, "%.1000s: gzip cannot be read by this build, which has no zlib",
      reader_name(reader));
}

ctorch_error *gzip_read(struct gzip *self, void *data, size_t nbytes, size_t *got) {
  (void)self;
  (void)data;
  (void)nbytes;
  *got = 0;
  return NULL;
}

void gzip_end(struct gzip *self) { (void)self; }

#endif
