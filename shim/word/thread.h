/** What belongs to a thread: its last error, and the scope it is in. */
#ifndef CTORCH_WORD_THREAD_H
#define CTORCH_WORD_THREAD_H

#include <ctorch.h>

/** Store an error as the last one of this thread; takes it over. */
void word_last_error_set(ctorch_error *error, const char *function);
void word_last_error_clear(void);

/** Record a new handle in the innermost scope of this thread, if there is one. */
void word_scope_record(int64_t handle);

/** End every scope of this thread. */
void word_scopes_end(void);

/** End a scope and those inside it; fails if it is not of this thread. */
struct word_call;
void word_scope_close(struct word_call *call, const void *scope);

#endif
