/* rt_ctorch_scope_*: scopes of words, apart from those of ctorch. */
#include "word/thread.h"
#include "word/word.h"

int64_t rt_ctorch_scope_begin(void) {
  word_call call = word_begin("ctorch_scope_begin");
  word_scope *scope = word_scope_new();
  if (scope == NULL) {
    word_fail_memory(&call);
  }
  int64_t handle = word_from_handle(&call, RT_CTORCH_KIND_SCOPE, scope);
  if (call.error == NULL) {
    word_scope_enter(scope, handle);
  }
  return word_end(&call, handle);
}

int64_t rt_ctorch_scope_end(int64_t self) { return word_release("ctorch_scope_end", self, RT_CTORCH_KIND_SCOPE); }

int64_t rt_ctorch_scope_keep(int64_t self, int64_t handle) {
  word_call call = word_begin("ctorch_scope_keep");
  const word_scope *scope = word_handle(&call, "self", self, RT_CTORCH_KIND_SCOPE | WORD_OPTIONAL);
  if (call.error == NULL && scope != NULL && !word_scope_is_open(scope)) {
    word_fail(&call, CTORCH_ERROR_INVALID_ARGUMENT, "self: the scope was opened by another thread");
  }
  uint32_t kind;
  (void)word_any(&call, "handle", handle, &kind);
  if (call.error == NULL) {
    word_scope_keep(scope, handle);
  }
  return word_end_done(&call);
}

int64_t rt_ctorch_scope_discard(int64_t handle) {
  word_call call = word_begin("ctorch_scope_discard");
  uint32_t kind;
  (void)word_any(&call, "handle", handle, &kind);
  if (call.error == NULL && word_scope_take_out(handle)) {
    (void)word_handle_release(handle);
  }
  return word_end_done(&call);
}

int64_t rt_ctorch_scope_owns(int64_t handle) {
  word_call call = word_begin("ctorch_scope_owns");
  uint32_t kind;
  (void)word_any(&call, "handle", handle, &kind);
  return word_end(&call, call.error == NULL && word_scope_has(handle));
}
