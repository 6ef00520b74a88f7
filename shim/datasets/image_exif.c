/* The orientation that cameras note in Exif data: a TIFF file without pixels, of which tag 0x0112 of the first
 * directory is one of the eight ways that a picture can lie (CIPA DC-008). */
#include <ctorch.h>

#include "datasets/image_pixels.h"

enum { HEADER_NBYTES = 8, ENTRY_NBYTES = 12, TAG_ORIENTATION = 0x0112, MAGIC = 42 };
enum { TYPE_BYTE = 1, TYPE_SHORT = 3, TYPE_LONG = 4 };

struct tiff {
  const unsigned char *data;
  size_t nbytes;
  bool is_big_endian;
};

/* A number that lies in the data. */
static uint32_t number(const struct tiff *self, size_t at, size_t nbytes) {
  uint32_t value = 0;
  for (size_t i = 0; i < nbytes; i++) {
    value |= (uint32_t)self->data[at + i] << 8 * (self->is_big_endian ? nbytes - 1 - i : i);
  }
  return value;
}

/* What an entry says if it is one number. */
static uint32_t entry_value(const struct tiff *self, size_t at) {
  const uint32_t type = number(self, at + 2, 2), count = number(self, at + 4, 4);
  if (count != 1) {
    return 0;
  }
  return type == TYPE_SHORT  ? number(self, at + 8, 2)
         : type == TYPE_LONG ? number(self, at + 8, 4)
         : type == TYPE_BYTE ? number(self, at + 8, 1)
                             : 0;
}

int image_exif_orientation(const unsigned char *data, size_t nbytes) {
  if (nbytes < HEADER_NBYTES || data[0] != data[1] || (data[0] != 'I' && data[0] != 'M')) {
    return 0;
  }
  const struct tiff tiff = {data, nbytes, data[0] == 'M'};
  const size_t directory = number(&tiff, 4, 4);
  if (number(&tiff, 2, 2) != MAGIC || directory > nbytes - 2) {
    return 0;
  }
  const size_t entries = number(&tiff, directory, 2), first = directory + 2;
  for (size_t i = 0; i < entries && (nbytes - first) / ENTRY_NBYTES > i; i++) {
    const size_t at = first + i * ENTRY_NBYTES;
    if (number(&tiff, at, 2) == TAG_ORIENTATION) {
      const uint32_t value = entry_value(&tiff, at);
      return value >= 1 && value <= 8 ? (int)value : 0;
    }
  }
  return 0;
}

/* Orientations are a transposition or none, and then mirrors along the height and the width. */
static const struct {
  bool transposes, mirrors_height, mirrors_width;
} WAYS[9] = {
    [1] = {false, false, false}, [2] = {false, false, true}, [3] = {false, true, true}, [4] = {false, true, false},
    [5] = {true, false, false},  [6] = {true, false, true},  [7] = {true, true, true},  [8] = {true, true, false},
};

ctorch_error *image_upright(ctorch_tensor **out, const ctorch_tensor *image, int orientation) {
  int64_t dims[2] = {0, 0};
  size_t dims_len = 0;
  if (WAYS[orientation].mirrors_height) {
    dims[dims_len++] = 1;
  }
  if (WAYS[orientation].mirrors_width) {
    dims[dims_len++] = 2;
  }
  ctorch_tensor *turned = NULL;
  if (WAYS[orientation].transposes) {
    CTORCH_TRY(ctorch_aten_transpose_int(&turned, image, 1, 2));
  }
  ctorch_error *error = ctorch_aten_flip(out, turned != NULL ? turned : image, dims, dims_len);
  ctorch_tensor_release(turned);
  return error;
}
