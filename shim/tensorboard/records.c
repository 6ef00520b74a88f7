/* Records of event files: records.h. The CRC goes over eight bytes at a time, by eight tables ("slicing by 8", Kounavis
 * and Berry 2005). */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "tensorboard/records.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static uint32_t tables[8][256];

static void make_tables(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; bit++) {
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78U : 0);
    }
    tables[0][i] = crc;
  }
  for (int slice = 1; slice < 8; slice++) {
    for (uint32_t i = 0; i < 256; i++) {
      const uint32_t before = tables[slice - 1][i];
      tables[slice][i] = (before >> 8) ^ tables[0][before & 0xff];
    }
  }
}

static uint32_t get32(const unsigned char *at) {
  return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint64_t get64(const unsigned char *at) { return get32(at) | (uint64_t)get32(at + 4) << 32; }

static void put32(unsigned char *at, uint32_t value) {
  for (int i = 0; i < 4; i++) {
    at[i] = (unsigned char)(value >> (8 * i));
  }
}

uint32_t records_crc(const void *data, size_t len) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_tables);
  const unsigned char *at = data;
  uint32_t crc = 0xffffffffU;
  for (; len >= 8; len -= 8, at += 8) {
    const uint32_t low = crc ^ get32(at), high = get32(at + 4);
    crc = tables[7][low & 0xff] ^ tables[6][(low >> 8) & 0xff] ^ tables[5][(low >> 16) & 0xff] ^ tables[4][low >> 24] ^
          tables[3][high & 0xff] ^ tables[2][(high >> 8) & 0xff] ^ tables[1][(high >> 16) & 0xff] ^
          tables[0][high >> 24];
  }
  for (; len > 0; len--, at++) {
    crc = (crc >> 8) ^ tables[0][(crc ^ *at) & 0xff];
  }
  return ~crc;
}

uint32_t records_crc_masked(const void *data, size_t len) {
  const uint32_t crc = records_crc(data, len);
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8U;
}

/* Writing ---------------------------------------------------------------------------------------------------------- */

bool record_open(struct buffer *buffer, size_t *start) {
  *start = buffer->len;
  if (buffer_room(buffer, RECORD_HEAD) == NULL) {
    return false;
  }
  buffer->len += RECORD_HEAD;
  return true;
}

bool record_close(struct buffer *buffer, size_t start) {
  unsigned char *tail = buffer_room(buffer, RECORD_TAIL);
  if (tail == NULL) {
    return false;
  }
  unsigned char *head = buffer->data + start;
  const uint64_t len = buffer->len - start - RECORD_HEAD;
  put32(head, (uint32_t)len);
  put32(head + 4, (uint32_t)(len >> 32));
  put32(head + 8, records_crc_masked(head, 8));
  put32(tail, records_crc_masked(head + RECORD_HEAD, (size_t)len));
  buffer->len += RECORD_TAIL;
  return true;
}

/* Reading ---------------------------------------------------------------------------------------------------------- */

/* Have `want` bytes from the offset on in memory, which are in the file; false by errno, 0 if it has become shorter. */
static bool look(struct records *self, size_t want) {
  enum { AHEAD = 64 << 10 };
  const size_t passed = (size_t)(self->offset - self->ahead_offset);
  if (passed + want <= self->ahead.len) {
    return true;
  }
  memmove(self->ahead.data, self->ahead.data + passed, self->ahead.len - passed);
  self->ahead.len -= passed;
  self->ahead_offset = self->offset;
  const size_t all = want > AHEAD ? want : self->left < AHEAD ? (size_t)self->left : AHEAD;
  while (self->ahead.len < want) {
    unsigned char *room = buffer_room(&self->ahead, all - self->ahead.len);
    if (room == NULL) {
      errno = ENOMEM;
      return false;
    }
    ssize_t got = pread(self->file, room, all - self->ahead.len, (off_t)(self->offset + self->ahead.len));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      errno = got == 0 ? 0 : errno;
      return false;
    }
    self->ahead.len += (size_t)got;
  }
  return true;
}

static const unsigned char *here(const struct records *self) {
  return self->ahead.data + (self->offset - self->ahead_offset);
}

static enum record_state failed(void) {
  return errno == 0 ? RECORD_TORN : errno == ENOMEM ? RECORD_MEMORY : RECORD_FAILED;
}

/* How much of the file is not read yet. */
static bool measure(struct records *self) {
  struct stat status;
  if (fstat(self->file, &status) != 0) {
    return false;
  }
  const uint64_t size = status.st_size < 0 ? 0 : (uint64_t)status.st_size;
  self->left = size > self->offset ? size - self->offset : 0;
  return true;
}

enum record_state records_next(struct records *self, const unsigned char **data, size_t *len) {
  if (self->ahead.len == 0 && buffer_room(&self->ahead, 1) == NULL) {
    return RECORD_MEMORY;
  }
  if (self->ahead_offset + self->ahead.len <= self->offset + RECORD_HEAD && !measure(self)) {
    return RECORD_FAILED;
  }
  if (self->left < RECORD_HEAD) {
    return RECORD_TORN;
  }
  if (!look(self, RECORD_HEAD)) {
    return failed();
  }
  const uint64_t nbytes = get64(here(self));
  if (get32(here(self) + 8) != records_crc_masked(here(self), 8)) {
    return RECORD_DAMAGED;
  }
  if (nbytes > self->left - RECORD_HEAD || self->left - RECORD_HEAD - nbytes < RECORD_TAIL) {
    if (!measure(self)) {
      return RECORD_FAILED;
    }
    if (nbytes > self->left - RECORD_HEAD || self->left - RECORD_HEAD - nbytes < RECORD_TAIL) {
      return RECORD_TORN;
    }
  }
  const size_t all = RECORD_HEAD + (size_t)nbytes + RECORD_TAIL;
  if (!look(self, all)) {
    return failed();
  }
  if (get32(here(self) + RECORD_HEAD + nbytes) != records_crc_masked(here(self) + RECORD_HEAD, (size_t)nbytes)) {
    return RECORD_DAMAGED;
  }
  *data = here(self) + RECORD_HEAD;
  *len = (size_t)nbytes;
  self->offset += all;
  self->left -= all;
  return RECORD_WHOLE;
}
