/* JSON as files have it: read by jansson, and texts as the writers of others quote them. */
#ifndef CTORCH_IO_JSON_H
#define CTORCH_IO_JSON_H

#include "ctorch/reader.h"

struct text; /* text.h */

/* A document is at most so long, as safetensors has it. */
enum { JSON_MOST_NBYTES = 100000000 };

bool json_is_space(unsigned char c);

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

/* A text in quotes, which is UTF-8: as serde_json has it, or in ASCII as Python's json. */
void json_quote(struct text *text, const char *data, size_t len, bool is_ascii);

#endif
