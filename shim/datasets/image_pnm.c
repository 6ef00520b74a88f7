/* Reading the files of netpbm (netpbm.sourceforge.net/doc/pnm.html): P1 and P4 are bits, P2 and P5 grey, P3 and P6
 * colours; the former of each pair are numbers in ASCII. Samples are stretched to 255, or to 65535, as Pillow does. */
#include <ctorch.h>
#include <string.h>

#include "core/c/error.h"
#include "datasets/image_pixels.h"

enum { MOST_MAXVAL = 65535 };

static bool is_space(int byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

static bool detect(const unsigned char *head, size_t len) {
  return len >= 3 && head[0] == 'P' && head[1] >= '1' && head[1] <= '6' && (is_space(head[2]) || head[2] == '#');
}

struct file {
  const struct image_source *source;
  struct image_pixels *pixels;
  size_t at;             /* of the next byte */
  uint32_t maxval, most; /* what the largest sample is in the file, and here */
};

static ctorch_error *ends_early(const struct file *self) { return image_error(self->source, "pnm: ends early"); }

/* Pass over blanks, and comments up to the end of their line. */
static void skip_blanks(struct file *self) {
  const struct image_source *source = self->source;
  while (self->at < source->nbytes && (is_space(source->data[self->at]) || source->data[self->at] == '#')) {
    if (source->data[self->at] == '#') {
      while (self->at < source->nbytes && source->data[self->at] != '\n' && source->data[self->at] != '\r') {
        self->at++;
      }
    } else {
      self->at++;
    }
  }
}

/* A number in ASCII, of at most `most`. */
static ctorch_error *read_number(struct file *self, const char *what, uint32_t most, uint32_t *out) {
  const struct image_source *source = self->source;
  uint64_t value = 0;
  skip_blanks(self);
  if (self->at >= source->nbytes) {
    return ends_early(self);
  }
  const size_t begin = self->at;
  while (self->at < source->nbytes && source->data[self->at] >= '0' && source->data[self->at] <= '9' && value <= most) {
    value = value * 10 + (uint64_t)(source->data[self->at++] - '0');
  }
  if (self->at == begin || value > most) {
    return image_error(source, "pnm: the %s at byte %zu is no number up to %lu", what, begin, (unsigned long)most);
  }
  *out = (uint32_t)value;
  return NULL;
}

/* Stretched, and rounded to even as Python rounds. */
static uint32_t stretch(const struct file *self, uint32_t sample) {
  if (self->maxval == self->most) {
    return sample;
  }
  const double value = (double)sample / self->maxval * self->most;
  uint32_t result = (uint32_t)value;
  const double rest = value - result;
  if (rest > 0.5 || (rest == 0.5 && result % 2 == 1)) {
    result++;
  }
  return result < self->most ? result : self->most;
}

static void put(struct file *self, size_t index, uint32_t sample) {
  if (self->pixels->is_uint16) {
    ((uint16_t *)self->pixels->data)[index] = (uint16_t)stretch(self, sample);
  } else {
    ((uint8_t *)self->pixels->data)[index] = (uint8_t)stretch(self, sample);
  }
}

static size_t samples_of(const struct image_pixels *pixels) {
  return (size_t)(pixels->height * pixels->width) * (size_t)pixels->channels;
}

/* Bits ----------------------------------------------------------------------------------------------------------------
 * 1 is black. */

static ctorch_error *read_plain_bits(struct file *self) {
  uint8_t *out = self->pixels->data;
  const size_t len = samples_of(self->pixels);
  for (size_t i = 0; i < len; i++) {
    skip_blanks(self);
    if (self->at >= self->source->nbytes) {
      return ends_early(self);
    }
    const unsigned char bit = self->source->data[self->at++];
    if (bit != '0' && bit != '1') {
      return image_error(self->source, "pnm: byte %zu is neither 0 nor 1", self->at - 1);
    }
    out[i] = bit == '0' ? 255 : 0;
  }
  return NULL;
}

static void read_bits(struct file *self) {
  uint8_t *out = self->pixels->data;
  const unsigned char *row = self->source->data + self->at;
  const size_t width = (size_t)self->pixels->width, height = (size_t)self->pixels->height;
  for (size_t y = 0; y < height; y++, row += (width + 7) / 8) {
    for (size_t x = 0; x < width; x++) {
      *out++ = (row[x / 8] >> (7 - x % 8) & 1) != 0 ? 0 : 255;
    }
  }
}

/* Samples ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *read_plain_samples(struct file *self) {
  const size_t len = samples_of(self->pixels);
  for (size_t i = 0; i < len; i++) {
    uint32_t sample = 0;
    CTORCH_TRY(read_number(self, "sample", self->maxval, &sample));
    put(self, i, sample);
  }
  return NULL;
}

static void read_samples(struct file *self) {
  const unsigned char *in = self->source->data + self->at;
  const size_t len = samples_of(self->pixels);
  if (self->maxval == UINT8_MAX && self->most == UINT8_MAX) {
    memcpy(self->pixels->data, in, len);
    return;
  }
  const bool is_wide = self->maxval > UINT8_MAX;
  for (size_t i = 0; i < len; i++) {
    const uint32_t sample = is_wide ? (uint32_t)in[2 * i] << 8 | in[2 * i + 1] : in[i];
    put(self, i, sample);
  }
}

/* ------------------------------------------------------------------------------------------------------------------ */

/* How many bytes the pixels take at least. */
static uint64_t least_nbytes(const struct file *self, bool is_plain, bool is_bits) {
  const uint64_t width = (uint64_t)self->pixels->width, height = (uint64_t)self->pixels->height;
  if (is_bits) {
    return is_plain ? width * height : (width + 7) / 8 * height;
  }
  const uint64_t samples = width * height * (uint64_t)self->pixels->channels;
  return is_plain ? 2 * samples - 1 : samples * (self->maxval > UINT8_MAX ? 2 : 1);
}

static ctorch_error *read_header(struct file *self, bool is_bits) {
  uint32_t width = 0, height = 0;
  CTORCH_TRY(read_number(self, "width", INT32_MAX, &width));
  CTORCH_TRY(read_number(self, "height", INT32_MAX, &height));
  self->maxval = 1;
  if (!is_bits) {
    CTORCH_TRY(read_number(self, "largest sample", MOST_MAXVAL, &self->maxval));
    if (self->maxval == 0) {
      return image_error(self->source, "pnm: the largest sample is 0");
    }
  }
  if (self->at >= self->source->nbytes || !is_space(self->source->data[self->at])) {
    return image_error(self->source, "pnm: no blank behind the header");
  }
  self->at++;
  self->pixels->width = width;
  self->pixels->height = height;
  return image_check_size(self->source, height, width);
}

static ctorch_error *decode(struct image_pixels *out, const struct image_source *source) {
  const int kind = source->data[1] - '1'; /* from 0 */
  const bool is_plain = kind < 3, is_bits = kind % 3 == 0;
  struct file self = {.source = source, .pixels = out, .at = 2};
  CTORCH_TRY(read_header(&self, is_bits));
  out->channels = kind % 3 == 2 ? 3 : 1;
  out->is_uint16 = self.maxval > UINT8_MAX && (source->flags & CTORCH_IMAGE_UINT16) != 0;
  self.most = out->is_uint16 ? UINT16_MAX : UINT8_MAX;
  if (least_nbytes(&self, is_plain, is_bits) > source->nbytes - self.at) {
    return ends_early(&self);
  }
  CTORCH_TRY(image_allocate(source->function, out));
  if (is_plain) {
    return is_bits ? read_plain_bits(&self) : read_plain_samples(&self);
  }
  if (is_bits) {
    read_bits(&self);
  } else {
    read_samples(&self);
  }
  return NULL;
}

const image_format image_pnm = {.name = "pnm", .detect = detect, .decode = decode};
