/* Readers and writers as minizip has files. */
#include "io/zip_stream.h"

#if CTORCH_HAS_MINIZIP
#include "core/c/error.h"
#include "io/reader.h"
#include "io/writer.h"

static voidpf open_stream(voidpf opaque, const void *name, int mode) {
  (void)name;
  (void)mode;
  return opaque;
}

static int close_stream(voidpf opaque, voidpf stream) {
  (void)opaque;
  (void)stream;
  return 0;
}

static int stream_error(voidpf opaque, voidpf stream) {
  (void)stream;
  return ((struct minizip_stream *)opaque)->error != NULL;
}

static uint64_t nbytes_of(const struct minizip_stream *self) {
  return self->reader != NULL ? ctorch_reader_nbytes(self->reader) : ctorch_writer_nbytes(self->writer) - self->begin;
}

static ZPOS64_T tell(voidpf opaque, voidpf stream) {
  (void)stream;
  return ((struct minizip_stream *)opaque)->at;
}

static long seek(voidpf opaque, voidpf stream, ZPOS64_T offset, int origin) {
  struct minizip_stream *self = opaque;
  uint64_t from = origin == ZLIB_FILEFUNC_SEEK_CUR ? self->at : origin == ZLIB_FILEFUNC_SEEK_END ? nbytes_of(self) : 0;
  (void)stream;
  uint64_t to = from + offset; /* backwards, it wraps around on purpose */
  if (to > nbytes_of(self)) {
    return -1;
  }
  self->at = to;
  return 0;
}

/* To minizip what lies behind the end is zero, in places; here it is a failure. */
static uLong read_stream(voidpf opaque, voidpf stream, void *data, uLong nbytes) {
  struct minizip_stream *self = opaque;
  (void)stream;
  if (self->error != NULL || self->reader == NULL) {
    return 0;
  }
  self->error = reader_read(self->function, self->reader, self->at, data, nbytes);
  if (self->error != NULL) {
    return 0;
  }
  self->at += nbytes;
  return nbytes;
}

static uLong write_stream(voidpf opaque, voidpf stream, const void *data, uLong nbytes) {
  struct minizip_stream *self = opaque;
  uint64_t rest = nbytes_of(self) - self->at, again = nbytes < rest ? nbytes : rest;
  (void)stream;
  if (self->error != NULL || self->writer == NULL) {
    return 0;
  }
  if (again > 0) {
    self->error = writer_rewrite(self->function, self->writer, self->begin + self->at, data, again);
  }
  if (self->error == NULL && nbytes > again) {
    self->error = writer_write(self->function, self->writer, (const char *)data + again, nbytes - again);
  }
  if (self->error != NULL) {
    return 0;
  }
  self->at += nbytes;
  return nbytes;
}

void minizip_stream_functions(zlib_filefunc64_def *out, struct minizip_stream *self) {
  *out = (zlib_filefunc64_def){
      .zopen64_file = open_stream,
      .zread_file = read_stream,
      .zwrite_file = write_stream,
      .ztell64_file = tell,
      .zseek64_file = seek,
      .zclose_file = close_stream,
      .zerror_file = stream_error,
      .opaque = self,
  };
}
#endif
