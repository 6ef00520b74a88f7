/* Texts: bytes that may be any, with a NUL after them. */
#define _GNU_SOURCE  // process_vm_readv
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "lists.h"
#include "objects.h"
#include "word.h"

static word_list bytes_of(word_call *call, const char *name, uint32_t kind, const void *object) {
  if (kind == RT_CTORCH_KIND_STRING) {
    return (word_list){ctorch_string_data(object), ctorch_string_len(object)};
  }
  if (kind == RT_CTORCH_KIND_TEXT) {
    return (word_list){((const word_buffer *)object)->data, ((const word_buffer *)object)->len};
  }
  word_fail_kind(call, name, RT_CTORCH_KIND_TEXT, kind);
  return (word_list){NULL, 0};
}

/** The bytes of a TEXT or a STRING. */
static word_list read_text(word_call *call, const char *name, int64_t word) {
  uint32_t kind;
  const void *object = word_any(call, name, word, &kind);
  return bytes_of(call, name, kind, object);
}

const char *word_text(word_call *call, const char *name, int64_t word, bool optional) {
  if (optional && word == 0) {
    return NULL;
  }
  word_list text = read_text(call, name, word);
  if (call->error == NULL && memchr(text.data, '\0', text.len) != NULL) {
    word_fail(call, CTORCH_ERROR_INVALID_ARGUMENT, "%s: the text has a NUL inside", name);
  }
  return text.data;
}

word_list word_bytes(word_call *call, const char *name, int64_t word, bool optional) {
  word_list bytes = {NULL, 0};
  if (optional && word == 0) {
    return bytes;
  }
  uint32_t kind;
  const void *object = word_any(call, name, word, &kind);
  if (kind == RT_CTORCH_KIND_INTS || kind == RT_CTORCH_KIND_DOUBLES) {
    const word_buffer *buffer = object;
    return (word_list){buffer->data, buffer->len * 8};
  }
  return bytes_of(call, name, kind, object);
}

/** A new text, still without a handle; NULL after a failure. */
static word_buffer *new_text(word_call *call, const void *data, size_t len) {
  word_buffer *text = call->error == NULL ? word_buffer_new() : NULL;
  if (text != NULL && word_buffer_append(text, data, len, 1)) {
    return text;
  }
  if (text != NULL) {
    word_buffer_free(text);
  }
  word_fail_memory(call);
  return NULL;
}

int64_t word_from_bytes(word_call *call, const void *data, size_t len) {
  word_buffer *text = new_text(call, data, len);
  return word_from_handle(call, RT_CTORCH_KIND_TEXT, text);
}

int64_t word_from_text(word_call *call, const char *text) {
  return text == NULL || call->error != NULL ? 0 : word_from_bytes(call, text, strlen(text));
}

int64_t rt_ctorch_text_new(void) {
  word_call call = word_begin("rt_ctorch_text_new");
  return word_end_new(&call, word_from_bytes(&call, NULL, 0));
}

int64_t rt_ctorch_text_push(int64_t text, int64_t byte) {
  word_call call = word_begin("rt_ctorch_text_push");
  uint8_t pushed = (uint8_t)word_unsigned(&call, "byte", byte, UINT8_MAX);
  word_append(&call, "text", text, RT_CTORCH_KIND_TEXT, &pushed, 1);
  return word_end_done(&call);
}

int64_t rt_ctorch_text_push_bytes(int64_t text, int64_t bytes, int64_t count) {
  word_call call = word_begin("rt_ctorch_text_push_bytes");
  size_t pushed = (size_t)word_unsigned(&call, "count", count, 7);
  uint8_t low[7];
  for (size_t i = 0; i < sizeof low; i++) {
    low[i] = (uint8_t)((uint64_t)bytes >> 8 * i);
  }
  word_append(&call, "text", text, RT_CTORCH_KIND_TEXT, low, pushed);
  return word_end_done(&call);
}

/* Memory that a caller points to. The kernel copies it, so that an address without memory is an error and no crash. */

/** How many of `len` bytes could be copied. */
static size_t copy_memory(void *to, uint64_t from, size_t len) {
  struct iovec local = {to, len};
  struct iovec remote = {(void *)(uintptr_t)from, len};
  ssize_t copied = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
  if (copied >= 0) {
    return (size_t)copied;
  }
  if (errno == EFAULT) {
    return 0;
  }
  memcpy(to, (const void *)(uintptr_t)from, len);  // a sandbox without that call
  return len;
}

static void fail_address(word_call *call, int64_t address) {
  word_fail(call, CTORCH_ERROR_INVALID_ARGUMENT, "address: nothing can be read at %" PRId64, address);
}

int64_t rt_ctorch_text_from_address(int64_t address) {
  word_call call = word_begin("rt_ctorch_text_from_address");
  word_buffer *text = new_text(&call, NULL, 0);
  bool done = text == NULL;
  for (uint64_t at = (uint64_t)address; !done;) {
    enum { PIECE = 256 };  // pieces end where pages may end
    char piece[PIECE];
    size_t wanted = PIECE - at % PIECE;
    size_t len = at == 0 ? 0 : copy_memory(piece, at, wanted);
    const char *end = memchr(piece, '\0', len);
    if (!word_buffer_append(text, piece, end == NULL ? len : (size_t)(end - piece), 1)) {
      word_fail_memory(&call);
    } else if (end == NULL && len < wanted) {
      fail_address(&call, address);
    }
    done = end != NULL || call.error != NULL;
    at += wanted;
  }
  if (call.error != NULL && text != NULL) {
    word_buffer_free(text);
  }
  return word_end_new(&call, word_from_handle(&call, RT_CTORCH_KIND_TEXT, text));
}

int64_t rt_ctorch_text_from_bytes(int64_t address, int64_t length) {
  word_call call = word_begin("rt_ctorch_text_from_bytes");
  size_t len = (size_t)word_unsigned(&call, "length", length, PTRDIFF_MAX);
  void *room = word_room(&call, len);
  if (call.error == NULL && len > 0 && (address == 0 || copy_memory(room, (uint64_t)address, len) < len)) {
    fail_address(&call, address);
  }
  return word_end_new(&call, word_from_room(&call, room, len));
}

/* A text that is filled during a call: the call's own memory, so that it goes if the call fails. */

void *word_room(word_call *call, size_t len) { return word_memory(call, len); }

int64_t word_from_room(word_call *call, void *room, size_t len) { return word_from_bytes(call, room, len); }

int64_t rt_ctorch_text_len(int64_t text) {
  word_call call = word_begin("rt_ctorch_text_len");
  return word_end(&call, (int64_t)read_text(&call, "text", text).len);
}

int64_t rt_ctorch_text_byte(int64_t text, int64_t index) {
  word_call call = word_begin("rt_ctorch_text_byte");
  word_list bytes = read_text(&call, "text", text);
  size_t at = word_index(&call, index, bytes.len);
  return word_end(&call, call.error == NULL ? ((const uint8_t *)bytes.data)[at] : 0);
}

int64_t rt_ctorch_text_address(int64_t text) {
  word_call call = word_begin("rt_ctorch_text_address");
  return word_end(&call, (int64_t)(intptr_t)read_text(&call, "text", text).data);
}
