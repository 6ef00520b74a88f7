/* What belongs to a thread: its last error, and the scope it is in. */
#include "thread.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "objects.h"
#include "word.h"

typedef struct word_scope {
  struct word_scope *outer;
  int64_t handle;
  int64_t *made;
  size_t made_len;
  size_t made_capacity;
} word_scope;

typedef struct thread_state {
  ctorch_error *error;
  const char *function;
  word_scope *scope;
} thread_state;

static _Thread_local thread_state this_thread;
static _Atomic int64_t open_scopes;

// The key is there for its destructor alone, which runs when a thread ends.
static pthread_key_t at_exit;
static pthread_once_t at_exit_once = PTHREAD_ONCE_INIT;

static void thread_ends(void *state) {
  (void)state;
  word_last_error_clear();
  word_scopes_end();
}

static void make_key(void) { (void)pthread_key_create(&at_exit, thread_ends); }

static void clean_up_at_exit(void) {
  (void)pthread_once(&at_exit_once, make_key);
  (void)pthread_setspecific(at_exit, &this_thread);
}

/* The last error */

void word_last_error_set(ctorch_error *error, const char *function) {
  if (this_thread.error == NULL) {
    clean_up_at_exit();
  }
  ctorch_error_release(this_thread.error);
  this_thread.error = error;
  this_thread.function = function;
}

void word_last_error_clear(void) {
  ctorch_error_release(this_thread.error);
  this_thread.error = NULL;
}

static int64_t address_of_text(const char *text) { return (int64_t)(intptr_t)text; }

int64_t rt_ctorch_last_error(void) {
  return this_thread.error == NULL ? 0 : address_of_text(ctorch_error_message(this_thread.error));
}

int64_t rt_ctorch_last_error_text(void) {
  word_call call = word_begin("rt_ctorch_last_error_text");
  const char *message = this_thread.error == NULL ? NULL : ctorch_error_message(this_thread.error);
  return word_end_new(&call, word_from_text(&call, message));
}

int64_t rt_ctorch_last_error_code(void) { return ctorch_error_kind_of(this_thread.error); }

int64_t rt_ctorch_last_error_name(void) {
  return address_of_text(ctorch_error_kind_name(ctorch_error_kind_of(this_thread.error)));
}

int64_t rt_ctorch_last_error_function(void) {
  if (this_thread.error == NULL) {
    return 0;
  }
  const char *function = ctorch_error_function(this_thread.error);
  return address_of_text(function[0] == '\0' ? this_thread.function : function);
}

int64_t rt_ctorch_last_error_take(void) {
  word_call call = word_begin("rt_ctorch_last_error_take");
  ctorch_error *error = this_thread.error;
  this_thread.error = NULL;
  return word_end(&call, word_from_handle(&call, RT_CTORCH_KIND_ERROR, error));  // no scope's: it leaves them
}

int64_t rt_ctorch_last_error_clear(void) {
  word_last_error_clear();
  return 1;
}

/* Scopes */

void word_scope_destroy(void *object) {
  word_scope *scope = object;
  free(scope->made);
  free(scope);
}

/** Room for one more handle; those that were given back early make it, if there are enough of them. */
static bool make_room(word_scope *scope) {
  size_t kept = 0;
  for (size_t i = 0; i < scope->made_len; i++) {
    uint32_t kind;
    void *object;
    word_handle_state state = word_handle_pin(scope->made[i], &kind, &object);
    if (state == WORD_HANDLE_FINE) {
      word_handle_unpin(word_handle_slot(scope->made[i]));
    }
    if (state != WORD_HANDLE_STALE) {
      scope->made[kept++] = scope->made[i];
    }
  }
  scope->made_len = kept;
  if (kept < scope->made_capacity / 2) {
    return true;
  }
  size_t capacity = scope->made_capacity == 0 ? 64 : scope->made_capacity * 2;
  int64_t *made = realloc(scope->made, capacity * sizeof *made);
  if (made == NULL) {
    return kept < scope->made_capacity;
  }
  scope->made = made;
  scope->made_capacity = capacity;
  return true;
}

static void record(word_scope *scope, int64_t handle) {
  if (scope->made_len == scope->made_capacity && !make_room(scope)) {
    return;  // without memory the handle is the caller's own
  }
  scope->made[scope->made_len++] = handle;
}

void word_scope_record(int64_t handle) {
  if (atomic_load_explicit(&open_scopes, memory_order_relaxed) != 0 && this_thread.scope != NULL) {
    record(this_thread.scope, handle);
  }
}

static void end_innermost(void) {
  word_scope *scope = this_thread.scope;
  this_thread.scope = scope->outer;
  atomic_fetch_sub_explicit(&open_scopes, 1, memory_order_relaxed);
  for (size_t i = scope->made_len; i-- > 0;) {
    (void)word_handle_release(scope->made[i]);
  }
  (void)word_handle_release(scope->handle);
}

void word_scopes_end(void) {
  while (this_thread.scope != NULL) {
    end_innermost();
  }
}

static bool is_open(const word_scope *wanted) {
  for (const word_scope *scope = this_thread.scope; scope != NULL; scope = scope->outer) {
    if (scope == wanted) {
      return true;
    }
  }
  return false;
}

void word_scope_close(word_call *call, const void *scope) {
  if (!is_open(scope)) {
    word_fail(call, CTORCH_ERROR_INVALID_ARGUMENT, "self: the scope was opened by another thread");
    return;
  }
  bool last;
  do {
    last = this_thread.scope == scope;
    end_innermost();
  } while (!last);
}

int64_t rt_ctorch_scope_begin(void) {
  word_call call = word_begin("ctorch_scope_begin");
  word_scope *scope = calloc(1, sizeof *scope);
  if (scope == NULL) {
    word_fail_memory(&call);
    return word_end(&call, 0);
  }
  scope->outer = this_thread.scope;
  scope->handle = word_from_handle(&call, RT_CTORCH_KIND_SCOPE, scope);
  if (call.error == NULL) {
    clean_up_at_exit();
    this_thread.scope = scope;
    atomic_fetch_add_explicit(&open_scopes, 1, memory_order_relaxed);
  }
  return word_end(&call, call.error == NULL ? scope->handle : 0);
}

int64_t rt_ctorch_scope_end(int64_t self) { return word_release("ctorch_scope_end", self, RT_CTORCH_KIND_SCOPE); }

/** Take a handle out of what was made in a scope, the latest first. */
static bool take_out(word_scope *scope, int64_t handle) {
  for (size_t i = scope->made_len; i-- > 0;) {
    if (scope->made[i] == handle) {
      memmove(&scope->made[i], &scope->made[i + 1], (scope->made_len - i - 1) * sizeof handle);
      scope->made_len--;
      return true;
    }
  }
  return false;
}

/** Take a handle out of the innermost scope that has it, up to and with `last`; all of them for NULL. */
static bool forget(const word_scope *last, int64_t handle) {
  for (word_scope *scope = this_thread.scope; scope != NULL; scope = scope == last ? NULL : scope->outer) {
    if (take_out(scope, handle)) {
      return true;
    }
  }
  return false;
}

int64_t rt_ctorch_scope_keep(int64_t self, int64_t handle) {
  word_call call = word_begin("ctorch_scope_keep");
  const word_scope *scope = word_handle(&call, "self", self, RT_CTORCH_KIND_SCOPE | WORD_OPTIONAL);
  if (call.error == NULL && scope != NULL && !is_open(scope)) {
    word_fail(&call, CTORCH_ERROR_INVALID_ARGUMENT, "self: the scope was opened by another thread");
  }
  uint32_t kind;
  (void)word_any(&call, "handle", handle, &kind);
  if (call.error == NULL && forget(scope, handle) && scope != NULL && scope->outer != NULL) {
    record(scope->outer, handle);
  }
  return word_end_done(&call);
}

int64_t rt_ctorch_scope_discard(int64_t handle) {
  word_call call = word_begin("ctorch_scope_discard");
  uint32_t kind;
  (void)word_any(&call, "handle", handle, &kind);
  if (call.error == NULL && this_thread.scope != NULL && take_out(this_thread.scope, handle)) {
    (void)word_handle_release(handle);
  }
  return word_end_done(&call);
}

int64_t rt_ctorch_scope_owns(int64_t handle) {
  word_call call = word_begin("ctorch_scope_owns");
  uint32_t kind;
  (void)word_any(&call, "handle", handle, &kind);
  bool owns = false;
  if (call.error == NULL && this_thread.scope != NULL) {
    const word_scope *scope = this_thread.scope;
    for (size_t i = scope->made_len; i-- > 0 && !owns;) {
      owns = scope->made[i] == handle;
    }
  }
  return word_end(&call, owns);
}
