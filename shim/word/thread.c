/* What belongs to a thread: its last error, and the scopes it has open. */
#include "word/thread.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "word/handles.h"
#include "word/objects.h"

struct word_scope {
  word_scope *outer;
  int64_t handle;
  int64_t *made;
  size_t made_len;
  size_t made_capacity;
};

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

const ctorch_error *word_last_error(void) { return this_thread.error; }

const char *word_last_error_function(void) { return this_thread.function; }

ctorch_error *word_last_error_take(void) {
  ctorch_error *error = this_thread.error;
  this_thread.error = NULL;
  return error;
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

bool word_scope_is_open(const word_scope *wanted) {
  for (const word_scope *scope = this_thread.scope; scope != NULL; scope = scope->outer) {
    if (scope == wanted) {
      return true;
    }
  }
  return false;
}

bool word_scope_close(const word_scope *scope) {
  if (!word_scope_is_open(scope)) {
    return false;
  }
  bool last;
  do {
    last = this_thread.scope == scope;
    end_innermost();
  } while (!last);
  return true;
}

word_scope *word_scope_new(void) { return calloc(1, sizeof(word_scope)); }

void word_scope_enter(word_scope *scope, int64_t handle) {
  clean_up_at_exit();
  scope->outer = this_thread.scope;
  scope->handle = handle;
  this_thread.scope = scope;
  atomic_fetch_add_explicit(&open_scopes, 1, memory_order_relaxed);
}

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

void word_scope_keep(const word_scope *scope, int64_t handle) {
  if (forget(scope, handle) && scope != NULL && scope->outer != NULL) {
    record(scope->outer, handle);
  }
}

bool word_scope_take_out(int64_t handle) { return this_thread.scope != NULL && take_out(this_thread.scope, handle); }

bool word_scope_has(int64_t handle) {
  const word_scope *scope = this_thread.scope;
  for (size_t i = scope == NULL ? 0 : scope->made_len; i-- > 0;) {
    if (scope->made[i] == handle) {
      return true;
    }
  }
  return false;
}
