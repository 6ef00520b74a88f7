/** What belongs to a thread: its last error, and the scopes it has open. */
#ifndef CTORCH_SHIM_WORD_THREAD_H
#define CTORCH_SHIM_WORD_THREAD_H

#include <ctorch.h>

/** Store an error as the last one of this thread; takes it over. */
void word_last_error_set(ctorch_error *error, const char *function);
void word_last_error_clear(void);
/** NULL if nothing failed. */
const ctorch_error *word_last_error(void);
/** The function that it was set for. */
const char *word_last_error_function(void);
/** The same, which the caller takes over. */
ctorch_error *word_last_error_take(void);

typedef struct word_scope word_scope;

/** A scope that is not open yet; NULL if memory runs out. */
word_scope *word_scope_new(void);
/** Open it on this thread, inside those that are. */
void word_scope_enter(word_scope *scope, int64_t handle);
/** Whether it is one of this thread's. */
bool word_scope_is_open(const word_scope *scope);
/** End it and those inside it; false if it is not of this thread. */
bool word_scope_close(const word_scope *scope);
/** End every scope of this thread. */
void word_scopes_end(void);

/** Record a new handle in the innermost scope of this thread, if there is one. */
void word_scope_record(int64_t handle);
/** Move a handle's record from the innermost scope that has it, as long as that is `scope` or inside it, to the one
 * around `scope`; with NULL the record goes, whichever scope has it. */
void word_scope_keep(const word_scope *scope, int64_t handle);
/** Take a handle's record out of the innermost scope; false if there is none. */
bool word_scope_take_out(int64_t handle);
/** Whether the innermost scope has a record of it. */
bool word_scope_has(int64_t handle);

#endif
