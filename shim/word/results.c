/* Handles that come out of a call, tuples of them, and addresses. */
#include <inttypes.h>
#include <stdlib.h>

#include "word/immediate.h"
#include "word/objects.h"
#include "word/word.h"

int64_t word_from_handle(word_call *call, uint32_t kind, void *object) {
  if (call->error != NULL || object == NULL) {
    return 0;
  }
  int64_t handle = word_handle_new(kind, object);
  if (handle == 0) {
    word_kinds[kind].destroy(object);
    word_fail_memory(call);
  }
  return handle;
}

int64_t word_from_count(word_call *call, int64_t count) {
  if (count < 0 && call->error == NULL) {
    word_fail(call, CTORCH_ERROR_UNSUPPORTED, "the answer is %" PRId64 ", which no word stands for", count);
  }
  return count;
}

int64_t word_from_address(word_call *call, const void *address) {
  return call->error == NULL ? (int64_t)(intptr_t)address : 0;
}

/* Tuples */

static void release_item(int64_t item) {
  if (item > 0 && item < WORD_INTS_BEGIN) {
    (void)word_handle_release(item);
  }
}

void word_tuple_destroy(void *object) {
  const word_tuple *tuple = object;
  for (uint32_t i = 0; i < tuple->len; i++) {
    release_item(tuple->items[i]);
  }
  free(object);
}

int64_t word_from_tuple(word_call *call, const int64_t *items, uint32_t len) {
  word_tuple *tuple = malloc(sizeof *tuple + len * sizeof *items);
  if (tuple == NULL || call->error != NULL) {
    word_fail_memory(call);
    for (uint32_t i = 0; i < len; i++) {
      release_item(items[i]);
    }
    free(tuple);
    return 0;
  }
  tuple->len = len;
  for (uint32_t i = 0; i < len; i++) {
    tuple->items[i] = items[i];
  }
  return word_from_handle(call, RT_CTORCH_KIND_TUPLE, tuple);
}

/* Addresses */

void word_address_destroy(void *object) { (void)object; }

void *word_address(word_call *call, const char *name, int64_t word, bool optional) {
  return word_handle(call, name, word, RT_CTORCH_KIND_ADDRESS | (optional ? WORD_OPTIONAL : 0));
}
