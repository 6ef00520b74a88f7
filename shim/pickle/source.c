/* The bytes of pickles. */
#include "pickle/source.h"

#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"
#include "ctorch.h"
#include "io/reader.h"

enum { STEP = 1 << 16 };

void pickle_source_open(struct pickle_source *self, const ctorch_reader *reader, uint64_t offset, uint64_t nbytes) {
  *self = (struct pickle_source){.reader = reader, .next = offset, .end = offset + nbytes};
  const void *data = reader_at(reader, offset, nbytes);
  if (data != NULL) {
    pickle_source_from_memory(self, data, (size_t)nbytes);
  }
}

void pickle_source_from_memory(struct pickle_source *self, const void *data, size_t len) {
  *self = (struct pickle_source){.data = data, .len = len};
}

void pickle_source_close(struct pickle_source *self) { free(self->own); }

/* Have `nbytes` more than what is in memory beside what was not taken yet, or all that there is. */
static ctorch_error *read_more(const char *function, struct pickle_source *self, uint64_t nbytes) {
  const size_t rest = self->len - self->at;
  const uint64_t left = self->reader == NULL ? 0 : self->end - self->next;
  const size_t more = (size_t)(left < nbytes ? left : nbytes);
  if (more == 0) {
    return NULL;
  }
  if (rest + more > self->capacity) {
    size_t capacity = self->capacity == 0 ? STEP : self->capacity;
    while (capacity < rest + more) {
      capacity *= 2;
    }
    unsigned char *grown = malloc(capacity);
    if (grown == NULL) {
      return error_memory(function, capacity);
    }
    if (rest > 0 && self->data != NULL) {
      memcpy(grown, self->data + self->at, rest);
    }
    free(self->own);
    self->own = grown;
    self->capacity = capacity;
  } else if (rest > 0 && self->data != NULL) {
    memmove(self->own, self->data + self->at, rest);
  }
  self->done += self->at;
  self->data = self->own;
  self->at = 0;
  self->len = rest;
  CTORCH_TRY(reader_read(function, self->reader, self->next, self->own + rest, more));
  self->next += more;
  self->len += more;
  return NULL;
}

ctorch_error *pickle_source_take(
    const char *function, struct pickle_source *self, const unsigned char **out, uint64_t nbytes) {
  const size_t rest = self->len - self->at;
  *out = NULL;
  if (nbytes > rest) {
    const uint64_t missing = nbytes - rest;
    if (self->reader == NULL || missing > self->end - self->next) {
      return NULL;
    }
    CTORCH_TRY(read_more(function, self, missing < STEP ? STEP : missing));
  }
  *out = self->data == NULL ? (const unsigned char *)"" : self->data + self->at;
  self->at += (size_t)nbytes;
  return NULL;
}

ctorch_error *pickle_source_take_line(
    const char *function, struct pickle_source *self, const unsigned char **out, size_t *out_len) {
  size_t looked = 0;
  *out = NULL;
  while (true) {
    const size_t rest = self->len - self->at;
    const unsigned char *begin = rest == 0 || self->data == NULL ? NULL : self->data + self->at;
    const unsigned char *end = begin == NULL || rest == looked ? NULL : memchr(begin + looked, '\n', rest - looked);
    if (end != NULL) {
      *out = begin;
      *out_len = (size_t)(end - begin);
      self->at += *out_len + 1;
      return NULL;
    }
    looked = rest;
    CTORCH_TRY(read_more(function, self, rest < STEP ? STEP : rest));
    if (self->len - self->at == looked) {
      return NULL;
    }
  }
}
