/* Readers and writers as minizip has files. */
#ifndef CTORCH_SHIM_IO_ZIP_STREAM_H
#define CTORCH_SHIM_IO_ZIP_STREAM_H

#if CTORCH_HAS_MINIZIP
#include <minizip/ioapi.h>
#endif

#include "ctorch/io/reader.h"
#include "ctorch/io/writer.h"

/* One reader or one writer, and where in it minizip stands. */
struct minizip_stream {
  const char *function;
  const ctorch_reader *reader;
  ctorch_writer *writer;
  uint64_t at, begin;  /* a zip file that is written begins where the writer stood */
  ctorch_error *error; /* the first one; minizip knows only that there is one */
};

#if CTORCH_HAS_MINIZIP
void minizip_stream_functions(zlib_filefunc64_def *out, struct minizip_stream *self);
#endif

#endif
