/* Writing pickles: Python's pickletools documents the opcodes. */
#include "pickle/write.h"

#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"
#include "pickle/text.h"

enum { PROTOCOL = 2, MIN_CAPACITY = 256 };

/* What has a number: an object, or a text or class, whose bytes stand in the pickle. */
struct pickle_known {
  uint64_t hash;
  const void *identity; /* of an object; else NULL */
  size_t offset, len;   /* of the bytes; 0 for an object */
  uint32_t number;
  bool is_global, is_taken;
};

void pickle_fail(struct pickle *self, ctorch_error *error) {
  if (self->error == NULL) {
    self->error = error;
  } else {
    ctorch_error_release(error);
  }
}

static unsigned char *room(struct pickle *self, size_t more) {
  if (self->error != NULL) {
    return NULL;
  }
  if (more > self->capacity - self->len) {
    size_t capacity = self->capacity < MIN_CAPACITY ? MIN_CAPACITY : self->capacity;
    while (capacity - self->len < more && capacity <= SIZE_MAX / 2) {
      capacity *= 2;
    }
    unsigned char *data = capacity - self->len < more ? NULL : realloc(self->data, capacity);
    if (data == NULL) {
      self->error = error_memory(self->function, more);
      return NULL;
    }
    self->data = data;
    self->capacity = capacity;
  }
  return self->data + self->len;
}

static void add(struct pickle *self, const void *data, size_t len) {
  unsigned char *to = room(self, len);
  if (to != NULL && len > 0) {
    memcpy(to, data, len);
    self->len += len;
  }
}

/* An opcode and a number of `width` bytes, the lowest first. */
static void add_number(struct pickle *self, int opcode, uint64_t number, size_t width) {
  unsigned char bytes[9] = {(unsigned char)opcode};
  for (size_t i = 0; i < width; i++) {
    bytes[1 + i] = (unsigned char)(number >> (8 * i));
  }
  add(self, bytes, 1 + width);
}

void pickler_begin(struct pickle *self) { add_number(self, 0x80, PROTOCOL, 1); }
void pickler_end(struct pickle *self) { pickle_op(self, '.'); }

ctorch_error *pickle_free(struct pickle *self) {
  ctorch_error *error = self->error;
  free(self->data);
  free(self->known);
  memset(self, 0, sizeof *self);
  return error;
}

/* What is known --------------------------------------------------------------------------------------------------- */

static uint64_t mixed(uint64_t hash) {
  hash ^= hash >> 33;
  hash *= UINT64_C(0xff51afd7ed558ccd);
  hash ^= hash >> 33;
  hash *= UINT64_C(0xc4ceb9fe1a85ec53);
  return hash ^ (hash >> 33);
}

static uint64_t hash_of_bytes(const unsigned char *data, size_t len, bool is_global) {
  uint64_t hash = len + (is_global ? UINT64_C(0x9e3779b97f4a7c15) : 0);
  while (len > 0) {
    size_t part = len < 8 ? len : 8;
    uint64_t word = 0;
    memcpy(&word, data, part);
    hash = mixed(hash ^ word) * UINT64_C(0x9fb21c651e98df25);
    data += part;
    len -= part;
  }
  return mixed(hash);
}

/* The entry of what is known, or the free one where it belongs; NULL if there is no table. */
static struct pickle_known *find(const struct pickle *self, const struct pickle_known *wanted) {
  for (size_t i = (size_t)wanted->hash; self->known_capacity > 0; i++) {
    struct pickle_known *entry = &self->known[i & (self->known_capacity - 1)];
    if (!entry->is_taken) {
      return entry;
    }
    if (entry->hash == wanted->hash && entry->identity == wanted->identity && entry->len == wanted->len &&
        entry->is_global == wanted->is_global &&
        memcmp(self->data + entry->offset, self->data + wanted->offset, wanted->len) == 0) {
      return entry;
    }
  }
  return NULL;
}

static bool grow_known(struct pickle *self) {
  if (self->known_len < self->known_capacity / 2) {
    return true;
  }
  size_t capacity = self->known_capacity == 0 ? MIN_CAPACITY : 2 * self->known_capacity;
  struct pickle_known *known = calloc(capacity, sizeof *known);
  if (known == NULL) {
    self->error = error_memory(self->function, capacity * sizeof *known);
    return false;
  }
  struct pickle_known *old = self->known;
  size_t old_capacity = self->known_capacity;
  self->known = known;
  self->known_capacity = capacity;
  for (size_t i = 0; i < old_capacity; i++) {
    if (old[i].is_taken) {
      size_t at = old[i].hash & (capacity - 1);
      while (known[at].is_taken) {
        at = (at + 1) & (capacity - 1);
      }
      known[at] = old[i];
    }
  }
  free(old);
  return true;
}

void pickle_number(struct pickle *self) {
  if (self->next > UINT32_MAX && self->error == NULL) {
    self->error = error_make(self->function, CTORCH_ERROR_UNSUPPORTED, "more than 2^32 objects");
  }
  add_number(self, self->next < 256 ? 'q' : 'r', self->next, self->next < 256 ? 1 : 4);
  self->next++;
}

static bool recall(struct pickle *self, const struct pickle_known *wanted) {
  const struct pickle_known *entry = self->error == NULL ? find(self, wanted) : NULL;
  if (entry == NULL || !entry->is_taken) {
    return false;
  }
  add_number(self, entry->number < 256 ? 'h' : 'j', entry->number, entry->number < 256 ? 1 : 4);
  return true;
}

static void remember(struct pickle *self, const struct pickle_known *what) {
  uint64_t number = self->next;
  pickle_number(self);
  if (self->error == NULL && grow_known(self)) {
    struct pickle_known *entry = find(self, what);
    *entry = *what;
    entry->number = (uint32_t)number;
    entry->is_taken = true;
    self->known_len++;
  }
}

/* Give the bytes that were written last, from `offset` on, a number; or in place of all that was written since `start`,
 * write the one that they have. */
static void remember_or_recall(struct pickle *self, size_t start, size_t offset, bool is_global) {
  if (self->error != NULL) {
    return;
  }
  struct pickle_known what = {.offset = offset, .len = self->len - offset, .is_global = is_global};
  what.hash = hash_of_bytes(self->data + offset, what.len, is_global);
  size_t end = self->len;
  self->len = start; /* the bytes stay where they are until something is written */
  if (!recall(self, &what)) {
    self->len = end;
    remember(self, &what);
  }
}

static struct pickle_known object(const void *identity) {
  return (struct pickle_known){.identity = identity, .hash = mixed((uint64_t)(uintptr_t)identity)};
}

void pickle_remember(struct pickle *self, const void *identity) {
  struct pickle_known what = object(identity);
  remember(self, &what);
}

bool pickle_is_known(const struct pickle *self, const void *identity) {
  struct pickle_known wanted = object(identity);
  const struct pickle_known *entry = find(self, &wanted);
  return entry != NULL && entry->is_taken;
}

bool pickle_recall(struct pickle *self, const void *identity) {
  struct pickle_known wanted = object(identity);
  return recall(self, &wanted);
}

/* Values ----------------------------------------------------------------------------------------------------------- */

void pickle_op(struct pickle *self, int opcode) { add_number(self, opcode, 0, 0); }
void pickle_bool(struct pickle *self, bool value) { pickle_op(self, value ? 0x88 : 0x89); }

void pickle_int(struct pickle *self, int64_t value) {
  if (value >= 0 && value <= UINT8_MAX) {
    add_number(self, 'K', (uint64_t)value, 1);
  } else if (value >= 0 && value <= UINT16_MAX) {
    add_number(self, 'M', (uint64_t)value, 2);
  } else if (value >= INT32_MIN && value <= INT32_MAX) {
    add_number(self, 'J', (uint64_t)value, 4);
  } else {
    unsigned char bytes[8];
    size_t len = 0;
    int64_t rest = value;
    do {
      bytes[len++] = (unsigned char)((uint64_t)rest & 0xff);
      rest = rest < 0 ? -1 - ((-1 - rest) >> 8) : rest >> 8;
    } while (len < sizeof bytes && rest != ((bytes[len - 1] & 0x80) != 0 ? -1 : 0));
    pickle_long(self, bytes, len);
  }
}

void pickle_long(struct pickle *self, const unsigned char *data, size_t len) {
  if (len <= UINT8_MAX) {
    add_number(self, 0x8a, len, 1);
  } else if (len <= INT32_MAX) {
    add_number(self, 0x8b, len, 4);
  } else {
    pickle_fail(self, error_make(self->function, CTORCH_ERROR_UNSUPPORTED, "an int of %zu bytes", len));
  }
  add(self, data, len);
}

void pickle_unsigned(struct pickle *self, uint64_t value) {
  if (value <= INT64_MAX) {
    pickle_int(self, (int64_t)value);
    return;
  }
  unsigned char bytes[9] = {0};
  for (size_t i = 0; i < 8; i++) {
    bytes[i] = (unsigned char)(value >> (8 * i));
  }
  pickle_long(self, bytes, sizeof bytes);
}

void pickle_float(struct pickle *self, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint64_t swapped = 0;
  for (size_t i = 0; i < sizeof bits; i++) {
    swapped |= ((bits >> (8 * i)) & 0xff) << (8 * (sizeof bits - 1 - i));
  }
  add_number(self, 'G', swapped, sizeof swapped);
}

void pickle_close_tuple(struct pickle *self, size_t len) {
  static const unsigned char opcodes[] = {OP_EMPTY_TUPLE, 0x85, 0x86, 0x87};
  pickle_op(self, len < sizeof opcodes ? opcodes[len] : 't');
}

void pickle_tuple(struct pickle *self, size_t len) {
  pickle_close_tuple(self, len);
  if (len > 0) {
    pickle_number(self);
  }
}

void pickle_ints(struct pickle *self, const int64_t *values, size_t len) {
  if (len > 3) {
    pickle_op(self, OP_MARK);
  }
  for (size_t i = 0; i < len; i++) {
    pickle_int(self, values[i]);
  }
  pickle_tuple(self, len);
}

/* What Python 2 called what Python 3 has in these modules: the names that files of protocol 2 have. */
static const struct {
  const char *module, *name, *old_module, *old_name; /* NULL: all others, which keep their names */
} old_names[] = {
    {"builtins", "chr", "__builtin__", "unichr"},
    {"builtins", "filter", "itertools", "ifilter"},
    {"builtins", "int", "__builtin__", "long"},
    {"builtins", "map", "itertools", "imap"},
    {"builtins", "range", "__builtin__", "xrange"},
    {"builtins", "str", "__builtin__", "unicode"},
    {"builtins", "zip", "itertools", "izip"},
    {"builtins", NULL, "__builtin__", NULL},
    {"copyreg", NULL, "copy_reg", NULL},
};

void pickle_global(struct pickle *self, const char *module, const char *name) {
  for (size_t i = 0; i < sizeof old_names / sizeof *old_names; i++) {
    if (strcmp(module, old_names[i].module) == 0 &&
        (old_names[i].name == NULL || strcmp(name, old_names[i].name) == 0)) {
      module = old_names[i].old_module;
      name = old_names[i].old_name != NULL ? old_names[i].old_name : name;
      break;
    }
  }
  size_t start = self->len;
  pickle_op(self, 'c');
  add(self, module, strlen(module));
  add(self, "\n", 1);
  add(self, name, strlen(name));
  add(self, "\n", 1);
  remember_or_recall(self, start, start + 1, true);
}

/* Texts. */

static void add_text(struct pickle *self, const char *data, size_t len) {
  if (len > UINT32_MAX) {
    pickle_fail(self, error_make(self->function, CTORCH_ERROR_UNSUPPORTED, "a text of %zu bytes", len));
  }
  add_number(self, 'X', len, 4);
  add(self, data, len);
}

bool pickle_text(struct pickle *self, const char *data, size_t len) {
  if (!pickle_is_text((const unsigned char *)data, len)) {
    return false;
  }
  size_t start = self->len;
  add_text(self, data, len);
  remember_or_recall(self, start, start + 1, false);
  return true;
}

void pickle_word(struct pickle *self, const char *text) { (void)pickle_text(self, text, strlen(text)); }

void pickle_new_text(struct pickle *self, const char *text, const void *identity) {
  add_text(self, text, strlen(text));
  if (identity != NULL) {
    pickle_remember(self, identity);
  } else {
    pickle_number(self);
  }
}

void pickle_latin1(struct pickle *self, const unsigned char *data, size_t len) {
  size_t high = 0;
  for (size_t i = 0; i < len; i++) {
    high += data[i] >> 7;
  }
  if (high > UINT32_MAX - (len < UINT32_MAX ? len : UINT32_MAX)) {
    pickle_fail(self, error_make(self->function, CTORCH_ERROR_UNSUPPORTED, "%zu bytes", len));
  }
  add_number(self, 'X', len + high, 4);
  unsigned char *to = room(self, len + high);
  if (to == NULL) {
    return;
  }
  for (size_t i = 0; i < len; i++) {
    if (data[i] < 0x80) {
      *to++ = data[i];
    } else {
      *to++ = (unsigned char)(0xc0 | data[i] >> 6);
      *to++ = (unsigned char)(0x80 | (data[i] & 0x3f));
    }
  }
  self->len += len + high;
  pickle_number(self);
}
