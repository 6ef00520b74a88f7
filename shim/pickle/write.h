/* Writing pickles, protocol 2: the opcodes that Python's own pickler would write, one after the other.
 *
 *     struct pickle pickle = {.function = __func__};
 *     pickler_begin(&pickle);
 *     pickle_global(&pickle, "torch", "Size");
 *     …
 *     pickler_end(&pickle);
 *     use(pickle.data, pickle.len);
 *     error = pickle_free(&pickle);
 *
 * The first failure is kept in `error`, and everything after it does nothing.
 *
 * What is written a second time is named by its number instead, in Python's order of numbers: an object by its address,
 * a class by its name, a text by its content. */
#ifndef CTORCH_SHIM_PICKLE_WRITE_H
#define CTORCH_SHIM_PICKLE_WRITE_H

#include <ctorch.h>

/* The opcodes that pickle_op writes. */
enum {
  OP_APPEND = 'a',
  OP_APPENDS = 'e',
  OP_BUILD = 'b',
  OP_EMPTY_DICT = '}',
  OP_EMPTY_LIST = ']',
  OP_EMPTY_TUPLE = ')',
  OP_MARK = '(',
  OP_NEWOBJ = 0x81,
  OP_NONE = 'N',
  OP_BINPERSID = 'Q',
  OP_POP = '0',
  OP_POP_MARK = '1',
  OP_REDUCE = 'R',
  OP_SETITEM = 's',
  OP_SETITEMS = 'u'
};

struct pickle_known;

struct pickle {
  const char *function; /* the exported function, for errors */
  unsigned char *data;
  size_t len, capacity;
  struct pickle_known *known; /* a hash table of what has a number */
  size_t known_len, known_capacity;
  uint64_t next; /* number */
  ctorch_error *error;
};

void pickler_begin(struct pickle *self);
void pickler_end(struct pickle *self);
/* Free all, and hand over the error that it ran into. */
ctorch_error *pickle_free(struct pickle *self) __attribute__((warn_unused_result));
/* Keep a failure, unless there is one already; consumes it. NULL is allowed. */
void pickle_fail(struct pickle *self, ctorch_error *error);

void pickle_op(struct pickle *self, int opcode);
void pickle_bool(struct pickle *self, bool value);
void pickle_int(struct pickle *self, int64_t value);
void pickle_unsigned(struct pickle *self, uint64_t value);
/* Two's complement, the lowest byte first, in as few bytes as hold it. */
void pickle_long(struct pickle *self, const unsigned char *data, size_t len);
void pickle_float(struct pickle *self, double value);
/* The tuple of what was written since the mark, or of the last `len` values: with a number unless `len` is 0. A tuple
 * of more than three begins with OP_MARK. */
void pickle_tuple(struct pickle *self, size_t len);
/* The same without a number. */
void pickle_close_tuple(struct pickle *self, size_t len);
/* The same for ints. */
void pickle_ints(struct pickle *self, const int64_t *values, size_t len);
/* A class or function, by the name that Python 2 gave it where there is one, as pickle does it. */
void pickle_global(struct pickle *self, const char *module, const char *name);
/* A text that is UTF-8, or has surrogates in it as Python's "surrogatepass" writes them. False if it is neither. */
bool pickle_text(struct pickle *self, const char *data, size_t len);
/* Static text. */
void pickle_word(struct pickle *self, const char *text);
/* A text that Python makes anew, which is therefore never the same as another: only its address leads to it, if it has
 * one. */
void pickle_new_text(struct pickle *self, const char *text, const void *identity);
/* A text of these bytes, each of them a character, made anew. */
void pickle_latin1(struct pickle *self, const unsigned char *data, size_t len);

/* Give what was just written the next number. */
void pickle_number(struct pickle *self);
/* The same, to be found again by its address, which is to stay one as long as the pickle is written. */
void pickle_remember(struct pickle *self, const void *identity);
bool pickle_is_known(const struct pickle *self, const void *identity);
/* Write the number of what is known; false, and nothing, if it is not. */
bool pickle_recall(struct pickle *self, const void *identity);

#endif
