/* JSON as files have it, read by jansson. */
#ifndef CTORCH_SHIM_IO_JSON_READ_H
#define CTORCH_SHIM_IO_JSON_READ_H

#include "ctorch/io/reader.h"

/* A document is at most so long, as safetensors has it. */
enum { JSON_MOST_NBYTES = 100000000 };

#if CTORCH_HAS_JANSSON
#include <jansson.h>

/* An object or array that lies in a reader; json_decref it. FORMAT says where it is wrong. Keys that are there twice
 * are wrong. What is made of it takes up to some fifty times its bytes. */
ctorch_error *json_read(
    const char *function, json_t **out, const ctorch_reader *reader, uint64_t offset, uint64_t nbytes)
    __attribute__((warn_unused_result));

/* What it says as a value, a handle that the caller releases. FORMAT if it is nested more than a hundred deep. */
ctorch_error *json_value(const char *function, ctorch_value **out, const json_t *json, const ctorch_reader *reader)
    __attribute__((warn_unused_result));

/* An integer that is at least 0. */
bool json_natural(int64_t *out, const json_t *json);
#endif

#endif
