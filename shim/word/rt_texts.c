/* rt_ctorch_text_*: building texts and reading them. */
#define _GNU_SOURCE  // process_vm_readv
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "word/lists.h"
#include "word/texts.h"

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
  word_buffer *text = word_text_new(&call, NULL, 0);
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

int64_t rt_ctorch_text_len(int64_t text) {
  word_call call = word_begin("rt_ctorch_text_len");
  return word_end(&call, (int64_t)word_text_bytes(&call, "text", text).len);
}

int64_t rt_ctorch_text_byte(int64_t text, int64_t index) {
  word_call call = word_begin("rt_ctorch_text_byte");
  word_list bytes = word_text_bytes(&call, "text", text);
  size_t at = word_index(&call, index, bytes.len);
  return word_end(&call, call.error == NULL ? ((const uint8_t *)bytes.data)[at] : 0);
}

int64_t rt_ctorch_text_address(int64_t text) {
  word_call call = word_begin("rt_ctorch_text_address");
  return word_end(&call, (int64_t)(intptr_t)word_text_bytes(&call, "text", text).data);
}
