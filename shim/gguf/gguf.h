/* GGUF, the files of llama.cpp (github.com/ggml-org/ggml, docs/gguf.md): a magic number and counts, keys with values,
 * the names, shapes, types and places of tensors, then their elements. */
#ifndef CTORCH_SHIM_GGUF_GGUF_H
#define CTORCH_SHIM_GGUF_GGUF_H

#include "ctorch/io/reader.h"
#include "io/weights_table.h"

/* What a file says before its keys; of ctorch_weights: content. */
struct gguf {
  uint32_t version;
  bool is_big_endian;
  uint64_t keys, tensors; /* how many */
  uint64_t keys_at;       /* where the first key is */
  uint32_t alignment;     /* of the elements of tensors */
  uint64_t elements;      /* bytes of the elements of all tensors, which lie beside one another */
  char **types;           /* owned; the names of element types that are not known */
  size_t types_len;
};

/* Types of values. */
enum {
  GGUF_UINT8 = 0,
  GGUF_INT8 = 1,
  GGUF_UINT16 = 2,
  GGUF_INT16 = 3,
  GGUF_UINT32 = 4,
  GGUF_INT32 = 5,
  GGUF_FLOAT32 = 6,
  GGUF_BOOL = 7,
  GGUF_STRING = 8,
  GGUF_ARRAY = 9,
  GGUF_UINT64 = 10,
  GGUF_INT64 = 11,
  GGUF_FLOAT64 = 12
};

/* A way through a reader, from front to back. What does not lie in it is FORMAT "ends early". */
struct gguf_cursor {
  const char *function;
  const ctorch_reader *reader;
  const struct gguf *file;
  uint64_t at; /* of the next byte */
  uint64_t buffer_at;
  size_t buffer_len;
  unsigned char buffer[4096];
};

void gguf_cursor_begin(
    struct gguf_cursor *self, const char *function, const ctorch_reader *reader, const struct gguf *file, uint64_t at);
/* Bytes from the cursor to the end. */
uint64_t gguf_rest(const struct gguf_cursor *self);
ctorch_error *gguf_bytes(struct gguf_cursor *self, void *data, uint64_t nbytes) __attribute__((warn_unused_result));
ctorch_error *gguf_skip(struct gguf_cursor *self, uint64_t nbytes) __attribute__((warn_unused_result));
/* A number of 1, 2, 4 or 8 bytes. */
ctorch_error *gguf_number(struct gguf_cursor *self, uint64_t *out, size_t nbytes) __attribute__((warn_unused_result));
/* A length or a size: of 4 bytes in version 1, of 8 since. */
ctorch_error *gguf_length(struct gguf_cursor *self, uint64_t *out) __attribute__((warn_unused_result));
/* A text with a NUL behind it, which the caller frees. */
ctorch_error *gguf_string(struct gguf_cursor *self, char **out, size_t *out_len) __attribute__((warn_unused_result));
/* The same of UTF-8 without a NUL in it; `what` names it in errors. */
ctorch_error *gguf_text(struct gguf_cursor *self, char **out, const char *what) __attribute__((warn_unused_result));
ctorch_error *gguf_skip_string(struct gguf_cursor *self) __attribute__((warn_unused_result));

/* Bytes of a value of a type that has always the same; 0 for others. */
size_t gguf_value_nbytes(uint64_t type);
ctorch_error *gguf_skip_value(struct gguf_cursor *self, uint64_t type) __attribute__((warn_unused_result));
ctorch_error *gguf_read_value(struct gguf_cursor *self, ctorch_value **out, uint64_t type)
    __attribute__((warn_unused_result));
ctorch_error *gguf_metadata(const char *function, ctorch_value **out, const ctorch_weights *self)
    __attribute__((warn_unused_result));

/* A block of quantized elements on its way to float32; the numbers in it have their highest byte first if that is
 * said. */
typedef void (*gguf_dequantize)(float *out, const unsigned char *block, bool is_big_endian);

/* An element type. */
struct gguf_type {
  const char *name;
  uint32_t len, nbytes;       /* of a block: how many elements, how many bytes */
  ctorch_dtype dtype;         /* with which it is read; WEIGHTS_NO_DTYPE if it is not */
  gguf_dequantize dequantize; /* NULL for elements that are read as they are */
};

enum { GGUF_MOST_LEN = 256 }; /* of a block */

/* By the number in the file; NULL for one that is not known. */
const struct gguf_type *gguf_type_of(uint64_t number);

/* gguf_blocks.c, gguf_blocks_k.c */
void gguf_q4_0(float *out, const unsigned char *block, bool is_big_endian);
void gguf_q4_1(float *out, const unsigned char *block, bool is_big_endian);
void gguf_q5_0(float *out, const unsigned char *block, bool is_big_endian);
void gguf_q5_1(float *out, const unsigned char *block, bool is_big_endian);
void gguf_q8_0(float *out, const unsigned char *block, bool is_big_endian);
void gguf_mxfp4(float *out, const unsigned char *block, bool is_big_endian);
void gguf_nvfp4(float *out, const unsigned char *block, bool is_big_endian);
void gguf_iq4_nl(float *out, const unsigned char *block, bool is_big_endian);
void gguf_iq4_xs(float *out, const unsigned char *block, bool is_big_endian);
void gguf_q2_k(float *out, const unsigned char *block, bool is_big_endian);
void gguf_q3_k(float *out, const unsigned char *block, bool is_big_endian);
void gguf_q4_k(float *out, const unsigned char *block, bool is_big_endian);
void gguf_q5_k(float *out, const unsigned char *block, bool is_big_endian);
void gguf_q6_k(float *out, const unsigned char *block, bool is_big_endian);
void gguf_q8_k(float *out, const unsigned char *block, bool is_big_endian);
void gguf_tq1_0(float *out, const unsigned char *block, bool is_big_endian);
void gguf_tq2_0(float *out, const unsigned char *block, bool is_big_endian);

/* Read [begin, end) of each dimension of a quantized tensor as float32, and no more blocks than that takes. */
ctorch_error *gguf_read_blocks(
    const char *function,
    ctorch_tensor **out,
    const ctorch_weights *self,
    const struct weights_entry *entry,
    const int64_t *begin,
    const int64_t *end) __attribute__((warn_unused_result));

extern const weights_format weights_gguf;

#endif
