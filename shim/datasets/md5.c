/* MD5 (RFC 1321), with which published files are compared: against accidents, not against attackers. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/c/error.h"
#include "datasets/labelled.h"
#include "io/reader.h"

enum { BLOCK_NBYTES = 64, LENGTH_AT = 56, PIECE_NBYTES = 4096, HEX_NBYTES = 33 };

struct md5 {
  uint32_t state[4], constants[64];
  uint64_t nbytes;
  unsigned char block[BLOCK_NBYTES];
};

static void begin(struct md5 *self) {
  static const uint32_t START[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  memcpy(self->state, START, sizeof START);
  self->nbytes = 0;
  for (int i = 0; i < 64; i++) {
    self->constants[i] = (uint32_t)(fabs(sin(i + 1)) * 4294967296.0);
  }
}

static uint32_t rotate(uint32_t value, int by) { return value << by | value >> (32 - by); }

static void add_block(struct md5 *self) {
  static const int TURNS[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  uint32_t words[16], a = self->state[0], b = self->state[1], c = self->state[2], d = self->state[3];
  for (int i = 0; i < 16; i++) {
    const unsigned char *at = self->block + 4 * i;
    words[i] = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
  }
  for (int i = 0; i < 64; i++) {
    const int round = i / 16;
    const uint32_t mixed = round == 0   ? (b & c) | (~b & d)
                           : round == 1 ? (d & b) | (~d & c)
                           : round == 2 ? b ^ c ^ d
                                        : c ^ (b | ~d);
    const int word = round == 0 ? i : round == 1 ? (5 * i + 1) % 16 : round == 2 ? (3 * i + 5) % 16 : 7 * i % 16;
    const uint32_t sum = a + mixed + self->constants[i] + words[word];
    a = d;
    d = c;
    c = b;
    b += rotate(sum, TURNS[round][i % 4]);
  }
  self->state[0] += a;
  self->state[1] += b;
  self->state[2] += c;
  self->state[3] += d;
}

static void add(struct md5 *self, const unsigned char *data, size_t nbytes) {
  for (size_t i = 0; i < nbytes; i++) {
    self->block[self->nbytes++ % BLOCK_NBYTES] = data[i];
    if (self->nbytes % BLOCK_NBYTES == 0) {
      add_block(self);
    }
  }
}

static void end(struct md5 *self, char *hex) {
  const uint64_t bits = self->nbytes * 8;
  const unsigned char one = 0x80, zero = 0;
  unsigned char length[8];
  for (int i = 0; i < 8; i++) {
    length[i] = (unsigned char)(bits >> 8 * i);
  }
  add(self, &one, 1);
  while (self->nbytes % BLOCK_NBYTES != LENGTH_AT) {
    add(self, &zero, 1);
  }
  add(self, length, sizeof length);
  for (int i = 0; i < 16; i++) {
    snprintf(hex + (size_t)(2 * i), 3, "%02x", (unsigned)(self->state[i / 4] >> 8 * (i % 4) & 0xff));
  }
}

static ctorch_error *digest(const char *function, const ctorch_reader *reader, char *hex) {
  struct md5 md5;
  unsigned char piece[PIECE_NBYTES];
  const size_t nbytes = ctorch_reader_nbytes(reader);
  begin(&md5);
  for (size_t at = 0; at < nbytes; at += sizeof piece) {
    const size_t len = nbytes - at < sizeof piece ? nbytes - at : sizeof piece;
    CTORCH_TRY(reader_read(function, reader, at, piece, len));
    add(&md5, piece, len);
  }
  end(&md5, hex);
  return NULL;
}

ctorch_error *md5_check(const char *function, const char *path, const char *expected) {
  char hex[HEX_NBYTES];
  ctorch_reader *reader = NULL;
  if (expected == NULL) {
    return NULL;
  }
  CTORCH_TRY(error_of(function, ctorch_reader_open(&reader, path, false)));
  ctorch_error *error = digest(function, reader, hex);
  if (error == NULL && strcmp(hex, expected) != 0) {
    error = reader_error(function, reader, "is not the published file: its MD5 is %s, expected %s", hex, expected);
  }
  ctorch_reader_release(reader);
  return error;
}
