/* The table of handles: slots in pages that are never freed, each with a generation, pins and owners. */
#include "word/handles.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

/*
 * A handle has 24 bits of slot and 28 of generation, which begins at 1: so it is at least 2^24, below 2^52, and no
 * small number is one. A slot whose generations are used up is not used again.
 *
 * The state of a slot is one word, so that whoever changes it sees all of it:
 *
 *     generation 28 | owners 17 | writer 1 | pins 18
 *
 * The object lives while there is an owner, the writer or a pin; who takes away the last of them destroys it.
 */
enum { SLOT_BITS = 24, GENERATION_BITS = 28, CHUNK_BITS = 12 };
#define PIN UINT64_C(1)
#define PINS ((UINT64_C(1) << 18) - 1)
#define WRITER (UINT64_C(1) << 18)
#define OWNER (UINT64_C(1) << 19)
#define OWNERS (((UINT64_C(1) << 17) - 1) << 19)
#define GENERATION_SHIFT 36
#define LAST_GENERATION ((UINT64_C(1) << GENERATION_BITS) - 1)
#define NO_SLOT UINT32_MAX

typedef struct slot {
  _Atomic uint64_t state;
  void *object;
  _Atomic uint32_t kind;
  _Atomic uint32_t next;  // the free slot below this one
} slot;

// Chunks are made when they are needed and stay, so a slot may be looked at without knowing whether it is in use.
static _Atomic(slot *) chunks[1u << (SLOT_BITS - CHUNK_BITS)];
static _Atomic uint32_t used;
// A stack of free slots: the number of the top one, and a count of changes that tells apart two states with equal tops.
static _Atomic uint64_t free_slots = NO_SLOT;

static slot *slot_at(uint32_t number) {
  slot *chunk = atomic_load_explicit(&chunks[number >> CHUNK_BITS], memory_order_acquire);
  return chunk == NULL ? NULL : &chunk[number & ((1u << CHUNK_BITS) - 1)];
}

static uint32_t kind_of(slot *used_slot) { return atomic_load_explicit(&used_slot->kind, memory_order_relaxed); }

static uint64_t generation(uint64_t state) { return state >> GENERATION_SHIFT; }

/** The slot of a number that may be a handle; NULL if it cannot be one. */
static slot *slot_of(int64_t handle, uint64_t *wanted) {
  uint64_t number = (uint64_t)handle;
  if (number >> (SLOT_BITS + GENERATION_BITS) != 0 || number >> SLOT_BITS == 0) {
    return NULL;
  }
  *wanted = number >> SLOT_BITS;
  return slot_at((uint32_t)(number & ((1u << SLOT_BITS) - 1)));
}

static uint32_t pop_free(void) {
  uint64_t top = atomic_load_explicit(&free_slots, memory_order_acquire);
  while ((uint32_t)top != NO_SLOT) {
    uint32_t next = atomic_load_explicit(&slot_at((uint32_t)top)->next, memory_order_relaxed);
    uint64_t after = ((top >> 32) + 1) << 32 | next;
    if (atomic_compare_exchange_weak_explicit(&free_slots, &top, after, memory_order_acquire, memory_order_acquire)) {
      return (uint32_t)top;
    }
  }
  return NO_SLOT;
}

static void push_free(uint32_t number, slot *freed) {
  uint64_t top = atomic_load_explicit(&free_slots, memory_order_relaxed);
  uint64_t after;
  do {
    atomic_store_explicit(&freed->next, (uint32_t)top, memory_order_relaxed);
    after = ((top >> 32) + 1) << 32 | number;
  } while (
      !atomic_compare_exchange_weak_explicit(&free_slots, &top, after, memory_order_release, memory_order_relaxed));
}

/** A slot that was never used; NO_SLOT if there are no more. */
static uint32_t next_unused(void) {
  uint32_t number = atomic_load_explicit(&used, memory_order_relaxed);
  do {
    if (number >> SLOT_BITS != 0) {
      return NO_SLOT;
    }
    if (slot_at(number) == NULL) {
      slot *chunk = calloc(1u << CHUNK_BITS, sizeof(slot));
      if (chunk == NULL) {
        return NO_SLOT;
      }
      slot *none = NULL;
      if (!atomic_compare_exchange_strong(&chunks[number >> CHUNK_BITS], &none, chunk)) {
        free(chunk);
      }
    }
  } while (!atomic_compare_exchange_weak(&used, &number, number + 1));
  return number;
}

int64_t word_handle_new(uint32_t kind, void *object) {
  uint32_t number = pop_free();
  if (number == NO_SLOT) {
    number = next_unused();
    if (number == NO_SLOT) {
      return 0;
    }
  }
  slot *made = slot_at(number);
  made->object = object;
  atomic_store_explicit(&made->kind, kind, memory_order_relaxed);
  uint64_t next = generation(atomic_load_explicit(&made->state, memory_order_relaxed)) + 1;
  atomic_store_explicit(&made->state, next << GENERATION_SHIFT | OWNER, memory_order_release);
  return (int64_t)(next << SLOT_BITS | number);
}

/** Nobody uses the slot any more: it can be handed out again, under the next generation. */
static void recycle(uint32_t number, slot *unused) {
  if (generation(atomic_load_explicit(&unused->state, memory_order_relaxed)) < LAST_GENERATION) {
    push_free(number, unused);
  }
}

static void destroy(uint32_t number, slot *unused) {
  word_kinds[kind_of(unused)].destroy(unused->object);
  recycle(number, unused);
}

/** Whether a state is one of a live handle of that generation. */
static bool is_live(uint64_t state, uint64_t wanted) { return generation(state) == wanted && (state & OWNERS) != 0; }

word_handle_state word_handle_pin(int64_t handle, uint32_t *kind, void **object) {
  uint64_t wanted;
  slot *found = slot_of(handle, &wanted);
  if (found == NULL) {
    return WORD_HANDLE_STALE;
  }
  uint64_t state = atomic_load_explicit(&found->state, memory_order_acquire);
  for (;;) {
    if (!is_live(state, wanted)) {
      return WORD_HANDLE_STALE;
    }
    if ((state & PINS) == PINS) {
      return WORD_HANDLE_BUSY;
    }
    if ((state & WRITER) != 0) {  // for a few instructions: no writer waits for anything
      sched_yield();
      state = atomic_load_explicit(&found->state, memory_order_acquire);
    } else if (atomic_compare_exchange_weak_explicit(
                   &found->state, &state, state + PIN, memory_order_acquire, memory_order_acquire)) {
      *kind = kind_of(found);
      *object = found->object;
      return WORD_HANDLE_FINE;
    }
  }
}

uint32_t word_handle_slot(int64_t handle) { return (uint32_t)handle & ((1u << SLOT_BITS) - 1); }

void word_handle_unpin(uint32_t number) {
  slot *pinned = slot_at(number);
  uint64_t before = atomic_fetch_sub_explicit(&pinned->state, PIN, memory_order_acq_rel);
  if ((before & (OWNERS | WRITER | PINS)) == PIN) {
    destroy(number, pinned);
  }
}

word_handle_state word_handle_exclude(int64_t handle) {
  slot *pinned = slot_at(word_handle_slot(handle));
  uint64_t state = atomic_load_explicit(&pinned->state, memory_order_relaxed);
  do {
    if ((state & PINS) != PIN || (state & WRITER) != 0) {
      return WORD_HANDLE_BUSY;
    }
  } while (!atomic_compare_exchange_weak_explicit(
      &pinned->state, &state, (state - PIN) | WRITER, memory_order_acquire, memory_order_relaxed));
  return WORD_HANDLE_FINE;
}

void word_handle_share(int64_t handle) {
  uint32_t number = word_handle_slot(handle);
  slot *changed = slot_at(number);
  uint64_t before = atomic_fetch_and_explicit(&changed->state, ~WRITER, memory_order_acq_rel);
  if ((before & OWNERS) == 0) {
    destroy(number, changed);
  }
}

word_handle_state word_handle_retain(int64_t handle) {
  uint64_t wanted;
  slot *found = slot_of(handle, &wanted);
  if (found == NULL) {
    return WORD_HANDLE_STALE;
  }
  uint64_t state = atomic_load_explicit(&found->state, memory_order_relaxed);
  do {
    if (!is_live(state, wanted)) {
      return WORD_HANDLE_STALE;
    }
    if ((state & OWNERS) == OWNERS) {
      return WORD_HANDLE_BUSY;
    }
  } while (!atomic_compare_exchange_weak_explicit(
      &found->state, &state, state + OWNER, memory_order_relaxed, memory_order_relaxed));
  return WORD_HANDLE_FINE;
}

word_handle_state word_handle_release(int64_t handle) {
  uint64_t wanted;
  slot *found = slot_of(handle, &wanted);
  if (found == NULL) {
    return WORD_HANDLE_STALE;
  }
  uint64_t state = atomic_load_explicit(&found->state, memory_order_relaxed);
  do {
    if (!is_live(state, wanted)) {
      return WORD_HANDLE_STALE;
    }
  } while (!atomic_compare_exchange_weak_explicit(
      &found->state, &state, state - OWNER, memory_order_acq_rel, memory_order_relaxed));
  if ((state & OWNERS) == OWNER) {
    if ((state & (WRITER | PINS)) == 0) {
      destroy(word_handle_slot(handle), found);
    }
  }
  return WORD_HANDLE_FINE;
}

word_handle_state word_handle_take(int64_t handle) {
  uint32_t number = word_handle_slot(handle);
  slot *pinned = slot_at(number);
  uint64_t state = atomic_load_explicit(&pinned->state, memory_order_relaxed);
  do {
    if ((state & OWNERS) == 0) {
      return WORD_HANDLE_STALE;
    }
    if ((state & (OWNERS | WRITER | PINS)) != (OWNER | PIN)) {
      return WORD_HANDLE_BUSY;
    }
  } while (!atomic_compare_exchange_weak_explicit(
      &pinned->state, &state, state - OWNER - PIN, memory_order_acq_rel, memory_order_relaxed));
  recycle(number, pinned);
  return WORD_HANDLE_FINE;
}

uint32_t word_handle_kind(int64_t handle) {
  uint64_t wanted;
  slot *found = slot_of(handle, &wanted);
  return found != NULL && is_live(atomic_load_explicit(&found->state, memory_order_acquire), wanted) ? kind_of(found)
                                                                                                     : 0;
}

int64_t word_handle_count(void) {
  int64_t live = 0;
  uint32_t end = atomic_load(&used);
  for (uint32_t number = 0; number < end; number++) {
    live += (atomic_load_explicit(&slot_at(number)->state, memory_order_relaxed) & OWNERS) != 0;
  }
  return live;
}
