/**
 * What stands between a word and C: the generated functions convert their words, call ctorch, and convert the answer.
 *
 *     int64_t rt_ctorch_aten_relu(int64_t self) {
 *       word_call call = word_begin("ctorch_aten_relu");
 *       const ctorch_tensor *c_self = word_handle(&call, "self", self, RT_CTORCH_KIND_TENSOR);
 *       ctorch_tensor *out = NULL;
 *       if (call.error == NULL) {
 *         call.error = ctorch_aten_relu(&out, c_self);
 *       }
 *       return word_end_new(&call, word_from_handle(&call, RT_CTORCH_KIND_TENSOR, out));
 *     }
 *
 * The first word that does not fit sets `call.error`; conversions after that go on with harmless values, and the call
 * of ctorch is left out. bindings-gen/ctorchgen/word.py says what each kind of word means.
 */
#ifndef CTORCH_SHIM_WORD_WORD_H
#define CTORCH_SHIM_WORD_WORD_H

#include <ctorch.h>

#include "rt_ctorch.h"
#include "word/handles.h"

/** More slots than any function has (the generator checks it), and one for the pack. */
enum { WORD_MAX_PINS = 40 };

/** A call on its way: what it keeps alive, and what went wrong. */
typedef struct word_call {
  const char *function;
  ctorch_error *error;
  struct word_memory *memory;
  uint32_t pins_len;
  uint32_t pins[WORD_MAX_PINS];
} word_call;

/** A list argument. */
typedef struct word_list {
  const void *data;
  size_t len;
} word_list;

/** The words of a function with more than eight of them. */
typedef struct word_arguments {
  const int64_t *words;
  uint64_t given;  // a bit for each slot that was set
} word_arguments;

static inline word_call word_begin(const char *function) {
  word_call call;
  call.function = function;
  call.error = NULL;
  call.memory = NULL;
  call.pins_len = 0;
  return call;
}

/** Fail, unless something failed before. The message is one line of ASCII. */
void word_fail(word_call *call, ctorch_error_kind code, const char *format, ...)
    __attribute__((format(printf, 3, 4), cold));
void word_fail_memory(word_call *call);

/** Memory that goes with the call; NULL after it failed. */
void *word_memory(word_call *call, size_t bytes);

/* Arguments. Each takes its name, for the message, and its word. */

enum { WORD_OPTIONAL = 1 << 16 };  // with the number of a kind: 0 is allowed and is NULL

/** The object of a handle; `kind` may have WORD_OPTIONAL. */
void *word_handle(word_call *call, const char *name, int64_t word, uint32_t kind);
/** The object of a handle of any kind; kind 0 after a failure. */
void *word_any(word_call *call, const char *name, int64_t word, uint32_t *kind);
void word_fail_kind(word_call *call, const char *name, uint32_t wanted, uint32_t kind);
/** The object of a handle of that kind, or the address in an ADDRESS. */
void *word_handle_or_address(word_call *call, const char *name, int64_t word, uint32_t kind);
/** The same, which the call takes over: the handle is invalid from now on. */
void *word_handle_consumed(word_call *call, const char *name, int64_t word, uint32_t kind);
/** Take the object out of the handle that was pinned last, which then is invalid; false after a failure. */
bool word_take(word_call *call, const char *name, int64_t word);
/** Turn the pin of a handle into the right to change its object, until word_handle_share; false after a failure. */
bool word_change(word_call *call, const char *name, int64_t word);
bool word_flag(word_call *call, const char *name, int64_t word);
int32_t word_int32(word_call *call, const char *name, int64_t word);
/** 0 to `most`. */
uint64_t word_unsigned(word_call *call, const char *name, int64_t word, uint64_t most);
double word_double(word_call *call, const char *name, int64_t word);
/** 0 is `otherwise`. */
double word_double_or(word_call *call, const char *name, int64_t word, double otherwise);
/** Optional numbers: 0 is NULL, anything else is stored in `room`. */
const int64_t *word_optional_int64(word_call *call, const char *name, int64_t word, int64_t *room);
const int32_t *word_optional_int32(word_call *call, const char *name, int64_t word, int32_t *room);
const bool *word_optional_bool(word_call *call, const char *name, int64_t word, bool *room);
const double *word_optional_double(word_call *call, const char *name, int64_t word, double *room);
/** With `optional`, 0 is NULL. */
const ctorch_scalar *word_scalar(word_call *call, const char *name, int64_t word, bool optional, ctorch_scalar *room);
const ctorch_device *word_device(word_call *call, const char *name, int64_t word, bool optional, ctorch_device *room);
const ctorch_stream *word_stream(word_call *call, const char *name, int64_t word, bool optional);
/** Ends with NUL and has none inside. */
const char *word_text(word_call *call, const char *name, int64_t word, bool optional);
/** Any bytes. */
word_list word_bytes(word_call *call, const char *name, int64_t word, bool optional);
/** Lists; 0 is NULL and length 0. */
word_list word_entries(word_call *call, const char *name, int64_t word, uint32_t kind);
word_list word_tensors(word_call *call, const char *name, int64_t word);
/** Handles of a kind, from a list of integers. */
word_list word_handles(word_call *call, const char *name, int64_t word, uint32_t kind);
word_list word_int32s(word_call *call, const char *name, int64_t word);
word_list word_bools(word_call *call, const char *name, int64_t word);
/** As many entries as a list that goes with it. */
void *word_address(word_call *call, const char *name, int64_t word, bool optional);

/** The words in a pack, for a function with `slots` of them. */
word_arguments word_unpack(word_call *call, int64_t pack, uint32_t slots);
/** A word that is 0 unless it was given. */
static inline int64_t word_given(const word_arguments *arguments, uint32_t slot) {
  return (arguments->given >> slot & 1) != 0 ? arguments->words[slot] : 0;
}
/** A plain word with a default. */
static inline int64_t word_given_or(const word_arguments *arguments, uint32_t slot, int64_t otherwise) {
  return (arguments->given >> slot & 1) != 0 ? arguments->words[slot] : otherwise;
}
/** A plain word without one. */
int64_t word_required(word_call *call, const char *name, const word_arguments *arguments, uint32_t slot);

/* Results. Nothing is converted after a failure; what is owned goes over to the word, or is given back. */

int64_t word_from_handle(word_call *call, uint32_t kind, void *object);
int64_t word_from_count(word_call *call, int64_t count);
int64_t word_from_int(word_call *call, int64_t value);
int64_t word_from_uint(word_call *call, uint64_t value);
int64_t word_from_double(word_call *call, double value);
int64_t word_from_scalar(word_call *call, const ctorch_scalar *value);
int64_t word_from_device(word_call *call, const ctorch_device *device);
int64_t word_from_stream(word_call *call, const ctorch_stream *stream);
/** Copies; NULL is 0. */
int64_t word_from_text(word_call *call, const char *text);
int64_t word_from_bytes(word_call *call, const void *data, size_t len);
int64_t word_from_address(word_call *call, const void *address);
/** Copies; NULL with a length is 0. */
int64_t word_from_ints(word_call *call, const int64_t *values, size_t len);
int64_t word_from_tensors(word_call *call, const ctorch_tensor *const *tensors, size_t len);
/** Memory of `len` bytes to be filled during the call, which becomes a text by word_from_room. */
void *word_room(word_call *call, size_t len);
int64_t word_from_room(word_call *call, void *room, size_t len);
/** Takes the items over. */
int64_t word_from_tuple(word_call *call, const int64_t *items, uint32_t len);

/** End the call: `word`, or minus the code of what failed. */
int64_t word_end(word_call *call, int64_t word);
/** The same for a word that may be a new handle, which the scope of the thread then releases. */
int64_t word_end_new(word_call *call, int64_t word);
/** For functions without a result. */
int64_t word_end_done(word_call *call);

/* rt_ctorch_<kind>_retain and _release */

int64_t word_retain(const char *function, int64_t handle, uint32_t kind);
int64_t word_release(const char *function, int64_t handle, uint32_t kind);

#endif
