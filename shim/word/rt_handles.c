/* rt_ctorch_* of handles of any kind, tuples, packs and addresses. */
#include <inttypes.h>
#include <stdlib.h>

#include "word/immediate.h"
#include "word/lists.h"
#include "word/objects.h"
#include "word/word.h"

/* Handles of any kind */

int64_t rt_ctorch_release(int64_t word) {
  if (word_is_int(word) || word_is_device(word)) {
    return 1;
  }
  return word_release("rt_ctorch_release", word, 0);
}

int64_t rt_ctorch_retain(int64_t word) {
  if (word_is_int(word) || word_is_device(word)) {
    return word;
  }
  return word_retain("rt_ctorch_retain", word, 0);
}

int64_t rt_ctorch_kind(int64_t word) {
  if (word_is_int(word) || word_is_device(word)) {
    return word_is_int(word) ? RT_CTORCH_KIND_NUMBER : RT_CTORCH_KIND_DEVICE;
  }
  word_call call = word_begin("rt_ctorch_kind");
  uint32_t kind;
  (void)word_any(&call, "word", word, &kind);
  return word_end(&call, kind);
}

int64_t rt_ctorch_live_handles(void) { return word_handle_count(); }

/* Tuples */

int64_t rt_ctorch_tuple_len(int64_t tuple) {
  word_call call = word_begin("rt_ctorch_tuple_len");
  const word_tuple *items = word_handle(&call, "tuple", tuple, RT_CTORCH_KIND_TUPLE);
  return word_end(&call, items == NULL ? 0 : items->len);
}

int64_t rt_ctorch_tuple_get(int64_t tuple, int64_t index) {
  word_call call = word_begin("rt_ctorch_tuple_get");
  const word_tuple *items = word_handle(&call, "tuple", tuple, RT_CTORCH_KIND_TUPLE);
  size_t at = word_index(&call, index, items == NULL ? 0 : items->len);
  int64_t item = call.error == NULL ? items->items[at] : 0;
  if (item > 0 && item < WORD_INTS_BEGIN && word_handle_retain(item) != WORD_HANDLE_FINE) {
    word_fail(&call, CTORCH_ERROR_INVALID_HANDLE, "index: item %zu was released", at);
  }
  return word_end(&call, item);
}

int64_t rt_ctorch_tuple_take(int64_t tuple, int64_t index) {
  word_call call = word_begin("rt_ctorch_tuple_take");
  word_tuple *items = word_handle(&call, "tuple", tuple, RT_CTORCH_KIND_TUPLE);
  size_t at = word_index(&call, index, items == NULL ? 0 : items->len);
  int64_t item = 0;
  if (word_change(&call, "tuple", tuple)) {
    item = items->items[at];
    items->items[at] = 0;
    word_handle_share(tuple);
  }
  return word_end_new(&call, item);
}

/* Packs */

int64_t rt_ctorch_pack_new(void) {
  word_call call = word_begin("rt_ctorch_pack_new");
  word_pack *pack = calloc(1, sizeof *pack);
  if (pack == NULL) {
    word_fail_memory(&call);
  }
  return word_end_new(&call, word_from_handle(&call, RT_CTORCH_KIND_PACK, pack));
}

/** Set slot `index`, or the one after the last for a negative one; with `word` NULL it keeps its default. */
static int64_t set(const char *function, int64_t handle, int64_t index, const int64_t *word) {
  word_call call = word_begin(function);
  word_pack *pack = word_handle(&call, "pack", handle, RT_CTORCH_KIND_PACK);
  if (word_change(&call, "pack", handle)) {
    uint32_t at = index < 0 ? pack->len : (uint32_t)word_index(&call, index, WORD_PACK_SLOTS);
    if (at >= WORD_PACK_SLOTS) {
      word_fail(&call, CTORCH_ERROR_INDEX, "pack: it has no more than %d slots", WORD_PACK_SLOTS);
    }
    if (call.error == NULL) {
      pack->len = at < pack->len ? pack->len : at + 1;
      pack->given |= word != NULL ? UINT64_C(1) << at : 0;
      pack->words[at] = word != NULL ? *word : 0;
    }
    word_handle_share(handle);
  }
  return word_end_done(&call);
}

int64_t rt_ctorch_pack_push(int64_t pack, int64_t word) { return set("rt_ctorch_pack_push", pack, -1, &word); }

int64_t rt_ctorch_pack_skip(int64_t pack) { return set("rt_ctorch_pack_skip", pack, -1, NULL); }

int64_t rt_ctorch_pack_set(int64_t pack, int64_t index, int64_t word) {
  return set("rt_ctorch_pack_set", pack, index < 0 ? INT64_MAX : index, &word);
}

int64_t rt_ctorch_pack_len(int64_t pack) {
  word_call call = word_begin("rt_ctorch_pack_len");
  const word_pack *words = word_handle(&call, "pack", pack, RT_CTORCH_KIND_PACK);
  return word_end(&call, words == NULL ? 0 : words->len);
}

/* Addresses */

int64_t rt_ctorch_address_new(int64_t address) {
  word_call call = word_begin("rt_ctorch_address_new");
  if (address == 0) {
    word_fail(&call, CTORCH_ERROR_INVALID_ARGUMENT, "address: it is 0");
  }
  return word_end_new(&call, word_from_handle(&call, RT_CTORCH_KIND_ADDRESS, (void *)(intptr_t)address));
}

/** Whether the object of that kind is one of ctorch's, or an address. */
static bool has_address(uint32_t kind) {
  return kind == RT_CTORCH_KIND_ADDRESS || (kind >= RT_CTORCH_FIRST_OBJECT_KIND && kind != RT_CTORCH_KIND_SCOPE);
}

int64_t rt_ctorch_address_of(int64_t handle) {
  word_call call = word_begin("rt_ctorch_address_of");
  uint32_t kind;
  const void *object = word_any(&call, "handle", handle, &kind);
  if (call.error == NULL && !has_address(kind)) {
    word_fail_kind(&call, "handle", RT_CTORCH_KIND_ADDRESS, kind);
  }
  return word_end(&call, word_from_address(&call, object));
}

int64_t rt_ctorch_address_take(int64_t handle) {
  word_call call = word_begin("rt_ctorch_address_take");
  uint32_t kind;
  const void *object = word_any(&call, "handle", handle, &kind);
  if (call.error == NULL && !has_address(kind)) {
    word_fail_kind(&call, "handle", RT_CTORCH_KIND_ADDRESS, kind);
  }
  return word_end(&call, word_take(&call, "handle", handle) ? word_from_address(&call, object) : 0);
}

int64_t rt_ctorch_address_adopt(int64_t address, int64_t kind) {
  word_call call = word_begin("rt_ctorch_address_adopt");
  uint32_t adopted = (uint32_t)word_unsigned(&call, "kind", kind, UINT32_MAX);
  if (address == 0) {
    word_fail(&call, CTORCH_ERROR_INVALID_ARGUMENT, "address: it is 0");
  }
  if (adopted >= word_kinds_len || word_kinds[adopted].name == NULL || !has_address(adopted)) {
    word_fail(&call, CTORCH_ERROR_INVALID_ARGUMENT, "kind: %" PRId64 " is no kind of object of ctorch", kind);
  }
  return word_end_new(&call, word_from_handle(&call, adopted, (void *)(intptr_t)address));
}
