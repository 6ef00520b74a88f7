/* The machine that reads a pickle as an outline: its stack of nodes with marks, and its memory of those that come
 * again. */
#ifndef CTORCH_SHIM_PT_OUTLINE_MACHINE_H
#define CTORCH_SHIM_PT_OUTLINE_MACHINE_H

#include "pickle/machine.h"
#include "pt/outline.h"

struct outliner {
  struct machine machine; /* for its bytes, and for one value without parts at a time */
  struct outline *outline;
  uint32_t *stack;
  size_t len;
  size_t *marks; /* how high the stack was */
  size_t marks_len;
  uint32_t *memo; /* 0: nothing yet */
  size_t memo_len;
};

static inline const char *outliner_function(const struct outliner *self) { return self->machine.pickle->function; }

static inline struct outline_node *outliner_node(const struct outliner *self, uint32_t node) {
  return &self->outline->nodes[node - 1];
}

/* The last node. */
static inline uint32_t outliner_top(const struct outliner *self) { return self->stack[self->len - 1]; }

/* outline_stack.c. */
ctorch_error *outliner_push(struct outliner *self, uint32_t node) __attribute__((warn_unused_result));
ctorch_error *outliner_push_node(struct outliner *self, const struct outline_node *node)
    __attribute__((warn_unused_result));
/* A list, tuple, dict or set of the nodes from `first` on, in their place. */
ctorch_error *outliner_push_list(struct outliner *self, enum outline_kind kind, size_t first)
    __attribute__((warn_unused_result));
/* Append the nodes from `first` on to `out`; they leave the stack. */
ctorch_error *outliner_take_entries(struct outliner *self, struct outline_list *out, size_t first)
    __attribute__((warn_unused_result));
/* FORMAT unless so many nodes are above the last mark. */
ctorch_error *outliner_need(const struct outliner *self, size_t len) __attribute__((warn_unused_result));
/* Take the last mark away: what was above it begins at `*first`. */
ctorch_error *outliner_pop_mark(struct outliner *self, size_t *first) __attribute__((warn_unused_result));

/* outline_calls.c: a class or function, an object that one makes of a tuple, and the opcodes that do so; *out_is_known
 * tells whether it is one. */
ctorch_error *outliner_push_global(
    struct outliner *self, const char *module, size_t module_len, const char *name, size_t name_len)
    __attribute__((warn_unused_result));
ctorch_error *outliner_push_object(struct outliner *self, uint32_t function, uint32_t args)
    __attribute__((warn_unused_result));
ctorch_error *outliner_run_call(struct outliner *self, bool *out_is_known, unsigned char opcode)
    __attribute__((warn_unused_result));

#endif
