/**
 * Records of event files: the length of the data (8 bytes), the masked CRC-32C of the length (4), the data, the masked
 * CRC-32C of the data (4), little-endian.
 */
#ifndef CTORCH_SHIM_TENSORBOARD_RECORDS_H
#define CTORCH_SHIM_TENSORBOARD_RECORDS_H

#include "tensorboard/messages.h"

enum { RECORD_HEAD = 12, RECORD_TAIL = 4 };

/** CRC-32C (Castagnoli), as in RFC 3720. */
uint32_t records_crc(const void *data, size_t len);
/** What records have in its place: rotated and added to, so that the CRC of data with a CRC in it stays good. */
uint32_t records_crc_masked(const void *data, size_t len);

/** Leave room for the head of a record; false if memory has run out. */
bool record_open(struct buffer *buffer, size_t *start);
/** Close the record that began at `start`, with all that was put behind its head; false if memory has run out. */
bool record_close(struct buffer *buffer, size_t start);

enum record_state { RECORD_WHOLE, RECORD_TORN, RECORD_DAMAGED, RECORD_FAILED, RECORD_MEMORY };

/** A file of records, and what was read last. */
struct records {
  int file; /* -1 for none */
  uint64_t offset;
  uint64_t left;       /* bytes behind it, of the last look */
  struct buffer ahead; /* of the file, from `ahead_offset` on */
  uint64_t ahead_offset;
};

/** The next record. TORN is an end of the file, with `left` bytes of a record. Of errno after FAILED. */
enum record_state records_next(struct records *self, const unsigned char **data, size_t *len);

#endif
