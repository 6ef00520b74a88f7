/* One call: the words it was given become C, and what it fails with becomes a code. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "word/immediate.h"
#include "word/objects.h"
#include "word/thread.h"
#include "word/word.h"

struct word_memory {
  struct word_memory *next;
  max_align_t bytes[];
};

void word_fail(word_call *call, ctorch_error_kind code, const char *format, ...) {
  if (call->error != NULL) {
    return;
  }
  char problem[256];
  va_list values;
  va_start(values, format);
  (void)vsnprintf(problem, sizeof problem, format, values);
  va_end(values);
  char message[512];
  (void)snprintf(message, sizeof message, "%s: %s", call->function, problem);
  ctorch_error *failed = ctorch_error_new(&call->error, code, message);
  if (failed != NULL) {
    call->error = failed;
  }
}

void word_fail_memory(word_call *call) { word_fail(call, CTORCH_ERROR_OUT_OF_MEMORY, "out of memory"); }

void *word_memory(word_call *call, size_t bytes) {
  if (call->error != NULL) {
    return NULL;
  }
  struct word_memory *made =
      bytes > SIZE_MAX - sizeof(struct word_memory) ? NULL : malloc(sizeof(struct word_memory) + bytes);
  if (made == NULL) {
    word_fail_memory(call);
    return NULL;
  }
  made->next = call->memory;
  call->memory = made;
  return made->bytes;
}

/** What a call held is given back; then it has its answer, or the error becomes the thread's last one. */
int64_t word_end(word_call *call, int64_t word) {
  for (uint32_t i = 0; i < call->pins_len; i++) {
    word_handle_unpin(call->pins[i]);
  }
  while (call->memory != NULL) {
    struct word_memory *next = call->memory->next;
    free(call->memory);
    call->memory = next;
  }
  if (call->error == NULL) {
    return word;
  }
  int64_t code = ctorch_error_kind_of(call->error);
  word_last_error_set(call->error, call->function);
  return -code;
}

int64_t word_end_new(word_call *call, int64_t word) {
  if (call->error == NULL && word > 0 && word < WORD_INTS_BEGIN) {
    word_scope_record(word);
  }
  return word_end(call, word);
}

int64_t word_end_done(word_call *call) { return word_end(call, 1); }

/* Handles */

static const char *kind_name(uint32_t kind) {
  return kind < word_kinds_len && word_kinds[kind].name != NULL ? word_kinds[kind].name : "handle";
}

static void fail_handle(word_call *call, const char *name, int64_t word, uint32_t kind) {
  const char *why = word == 0              ? "it is 0"
                    : word_is_int(word)    ? "it is a number word"
                    : word_is_device(word) ? "it is a device word"
                                           : "no such handle, or it was released";
  const char *what = kind == 0 ? "handle" : kind_name(kind);
  word_fail(call, CTORCH_ERROR_INVALID_HANDLE, "%s: %" PRId64 " is no %s: %s", name, word, what, why);
}

static void fail_busy(word_call *call, const char *name) {
  word_fail(call, CTORCH_ERROR_RUNTIME, "%s: it is in use by another call", name);
}

/** Pin a handle for the rest of the call; false after a failure. `wanted` is for the message. */
static bool pin(word_call *call, const char *name, int64_t word, uint32_t wanted, uint32_t *kind, void **object) {
  if (call->error != NULL) {
    return false;
  }
  switch (word_handle_pin(word, kind, object)) {
    case WORD_HANDLE_FINE:
      if (call->pins_len == WORD_MAX_PINS) {
        word_handle_unpin(word_handle_slot(word));
        word_fail(call, CTORCH_ERROR_INTERNAL, "%s: too many handles", name);
        return false;
      }
      call->pins[call->pins_len++] = word_handle_slot(word);
      return true;
    case WORD_HANDLE_STALE:
      fail_handle(call, name, word, wanted);
      return false;
    default:
      fail_busy(call, name);
      return false;
  }
}

void word_fail_kind(word_call *call, const char *name, uint32_t wanted, uint32_t kind) {
  word_fail(
      call, CTORCH_ERROR_INVALID_HANDLE, "%s: a %s is needed, the handle is of a %s", name, kind_name(wanted),
      kind_name(kind));
}

void *word_handle(word_call *call, const char *name, int64_t word, uint32_t kind) {
  uint32_t wanted = kind & ~(uint32_t)WORD_OPTIONAL;
  if (word == 0 && wanted != kind) {
    return NULL;
  }
  uint32_t found;
  void *object;
  if (!pin(call, name, word, wanted, &found, &object)) {
    return NULL;
  }
  if (found != wanted) {
    word_fail_kind(call, name, wanted, found);
    return NULL;
  }
  return object;
}

void *word_any(word_call *call, const char *name, int64_t word, uint32_t *kind) {
  void *object;
  if (!pin(call, name, word, 0, kind, &object)) {
    *kind = 0;
    return NULL;
  }
  return object;
}

void *word_handle_or_address(word_call *call, const char *name, int64_t word, uint32_t kind) {
  uint32_t wanted = kind & ~(uint32_t)WORD_OPTIONAL;
  if (word == 0 && wanted != kind) {
    return NULL;
  }
  uint32_t found;
  void *object;
  if (!pin(call, name, word, wanted, &found, &object)) {
    return NULL;
  }
  if (found != wanted && found != RT_CTORCH_KIND_ADDRESS) {
    word_fail_kind(call, name, wanted, found);
    return NULL;
  }
  return object;
}

bool word_take(word_call *call, const char *name, int64_t word) {
  if (call->error != NULL) {
    return false;
  }
  if (word_handle_take(word) != WORD_HANDLE_FINE) {  // it was live a moment ago: somebody else has it
    fail_busy(call, name);
    return false;
  }
  call->pins_len--;
  return true;
}

void *word_handle_consumed(word_call *call, const char *name, int64_t word, uint32_t kind) {
  void *object = word_handle_or_address(call, name, word, kind);
  return word_take(call, name, word) ? object : NULL;
}

bool word_change(word_call *call, const char *name, int64_t word) {
  if (call->error != NULL) {
    return false;
  }
  if (word_handle_exclude(word) != WORD_HANDLE_FINE) {
    fail_busy(call, name);
    return false;
  }
  uint32_t slot = word_handle_slot(word);
  for (uint32_t i = 0; i < call->pins_len; i++) {
    if (call->pins[i] == slot) {
      call->pins[i] = call->pins[--call->pins_len];
      break;
    }
  }
  return true;
}

int64_t word_retain(const char *function, int64_t handle, uint32_t kind) {
  word_call call = word_begin(function);
  uint32_t found;
  (void)word_any(&call, "self", handle, &found);
  if (call.error == NULL && kind != 0 && found != kind) {
    word_fail_kind(&call, "self", kind, found);
  } else if (found == RT_CTORCH_KIND_SCOPE) {
    word_fail(&call, CTORCH_ERROR_UNSUPPORTED, "self: a scope has one owner");
  }
  if (call.error == NULL && word_handle_retain(handle) != WORD_HANDLE_FINE) {
    fail_busy(&call, "self");
  }
  return word_end(&call, handle);
}

int64_t word_release(const char *function, int64_t handle, uint32_t kind) {
  uint32_t plainly = word_handle_kind(handle);
  if (plainly != 0 && plainly != RT_CTORCH_KIND_SCOPE && (kind == 0 || kind == plainly) &&
      word_handle_release(handle) == WORD_HANDLE_FINE) {
    return 1;
  }
  word_call call = word_begin(function);
  uint32_t found;
  void *object = NULL;
  if (!pin(&call, "self", handle, kind, &found, &object)) {
    return word_end(&call, 0);
  }
  bool foreign = kind == RT_CTORCH_KIND_DLMANAGEDTENSOR || kind == RT_CTORCH_KIND_DLMANAGEDTENSORVERSIONED;
  if (foreign && found == RT_CTORCH_KIND_ADDRESS) {
    if (word_take(&call, "self", handle)) {
      word_kinds[kind].destroy(object);
    }
  } else if (kind != 0 && found != kind) {
    word_fail_kind(&call, "self", kind, found);
  } else if (found == RT_CTORCH_KIND_SCOPE) {
    if (!word_scope_close(object)) {
      word_fail(&call, CTORCH_ERROR_INVALID_ARGUMENT, "self: the scope was opened by another thread");
    }
  } else if (word_handle_release(handle) != WORD_HANDLE_FINE) {
    fail_handle(&call, "self", handle, kind);
  }
  return word_end_done(&call);
}

/* Plain words */

bool word_flag(word_call *call, const char *name, int64_t word) {
  if (word != 0 && word != 1) {
    word_fail(call, CTORCH_ERROR_INVALID_ARGUMENT, "%s: %" PRId64 " is neither 0 nor 1", name, word);
  }
  return word == 1;
}

int32_t word_int32(word_call *call, const char *name, int64_t word) {
  if (word < INT32_MIN || word > INT32_MAX) {
    word_fail(call, CTORCH_ERROR_INVALID_ARGUMENT, "%s: %" PRId64 " does not fit into 32 bits", name, word);
    return 0;
  }
  return (int32_t)word;
}

uint64_t word_unsigned(word_call *call, const char *name, int64_t word, uint64_t most) {
  if (word < 0 || (uint64_t)word > most) {
    word_fail(call, CTORCH_ERROR_INVALID_ARGUMENT, "%s: %" PRId64 " is not between 0 and %" PRIu64, name, word, most);
    return 0;
  }
  return (uint64_t)word;
}

/* Packs */

word_arguments word_unpack(word_call *call, int64_t pack, uint32_t slots) {
  word_arguments arguments = {NULL, 0};
  const word_pack *found = word_handle(call, "pack", pack, RT_CTORCH_KIND_PACK);
  if (call->error != NULL) {
    return arguments;
  }
  if (found->len > slots) {
    word_fail(
        call, CTORCH_ERROR_INVALID_ARGUMENT, "pack: it has %" PRIu32 " words for %" PRIu32 " arguments", found->len,
        slots);
    return arguments;
  }
  arguments.words = found->words;
  arguments.given = found->given;
  return arguments;
}

int64_t word_required(word_call *call, const char *name, const word_arguments *arguments, uint32_t slot) {
  if ((arguments->given >> slot & 1) == 0) {
    word_fail(call, CTORCH_ERROR_NULL_ARGUMENT, "%s: it has no default and was not set in the pack", name);
    return 0;
  }
  return arguments->words[slot];
}
