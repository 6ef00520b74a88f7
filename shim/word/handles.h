/**
 * The table that handles point into.
 *
 * A handle is the number of a slot and the slot's generation, which a release advances: a handle that was given back
 * never becomes valid again. What a call uses it pins, so that another thread's release waits for the end of the call.
 * Nothing here takes a lock.
 */
#ifndef CTORCH_SHIM_WORD_HANDLES_H
#define CTORCH_SHIM_WORD_HANDLES_H

#include <stdbool.h>
#include <stdint.h>

/** Handles of one kind share a type of object; the numbers are the RT_CTORCH_KIND_ constants. */
typedef struct word_kind {
  const char *name;
  /** Gives the object back. */
  void (*destroy)(void *object);
} word_kind;

/** By number; generated. A number that is no kind has a NULL name. */
extern const word_kind word_kinds[];
extern const uint32_t word_kinds_len;

typedef enum word_handle_state {
  WORD_HANDLE_FINE,
  /** Given back, or never handed out. */
  WORD_HANDLE_STALE,
  /** In use by another thread in a way that excludes this one, or by absurdly many. */
  WORD_HANDLE_BUSY
} word_handle_state;

/** A new handle with one owner; 0 if there is no room for it, and then the object is still the caller's. */
int64_t word_handle_new(uint32_t kind, void *object);

/** Keep a handle's object alive until word_handle_unpin. */
word_handle_state word_handle_pin(int64_t handle, uint32_t *kind, void **object);

/** Give a pin back, by the handle or by what word_handle_slot says of it. */
void word_handle_unpin(uint32_t slot);
uint32_t word_handle_slot(int64_t handle);

/** Turn the only pin into the right to change the object, which ends with word_handle_share. */
word_handle_state word_handle_exclude(int64_t handle);
void word_handle_share(int64_t handle);

/** One owner more. */
word_handle_state word_handle_retain(int64_t handle);

/** One owner less; the object goes with the last one. */
word_handle_state word_handle_release(int64_t handle);

/** Take the object out of a handle whose only pin is the caller's; it must have one owner. Pin and handle are gone. */
word_handle_state word_handle_take(int64_t handle);

/** The kind of a live handle, else 0. Another thread may release it meanwhile: whatever follows has to check it again.
 */
uint32_t word_handle_kind(int64_t handle);

/** Handles that have an owner. */
int64_t word_handle_count(void);

#endif
