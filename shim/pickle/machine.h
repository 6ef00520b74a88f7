/* The machine that a pickle is a program for: a stack of values with marks, and a memory of those that come again. */
#ifndef CTORCH_SHIM_PICKLE_MACHINE_H
#define CTORCH_SHIM_PICKLE_MACHINE_H

#include "pickle/read.h"

struct machine {
  struct unpickler *pickle;
  struct pickle_source *source;
  ctorch_value **stack; /* a reference each, in no scope; so are those below */
  size_t len;
  size_t *marks; /* how high the stack was */
  size_t marks_len;
  ctorch_value **memo; /* NULL: nothing yet */
  size_t memo_len;
  ctorch_value **made; /* the lists, dicts, sets and objects, which may come to hold themselves */
  size_t made_len;
  bool is_shared; /* one of them was fetched again */
};

/* Put a value that is ours on the stack; it is given up if that fails. */
ctorch_error *machine_push_ours(struct machine *self, ctorch_value *value) __attribute__((warn_unused_result));
/* Put a value on the stack: what a function handed out, which is taken over. */
ctorch_error *machine_push(struct machine *self, ctorch_value *value) __attribute__((warn_unused_result));
/* The same for one that may come to hold itself. */
ctorch_error *machine_push_container(struct machine *self, ctorch_value *value) __attribute__((warn_unused_result));

/* Whether a value may come to hold itself. */
bool machine_is_container(const ctorch_value *value);

/* Where the part of the stack begins that opcodes may take from: above the last mark. */
size_t machine_bottom(const struct machine *self);
/* FORMAT unless so many values are there. */
ctorch_error *machine_need(const struct machine *self, size_t len) __attribute__((warn_unused_result));
/* The last value, and all from one on. */
ctorch_value *machine_top(const struct machine *self);
const ctorch_value *const *machine_from(const struct machine *self, size_t first);
void machine_drop(struct machine *self, size_t len);
/* Take the last mark away: what was above it are `*len` values, beginning with the one at `*first`. */
ctorch_error *machine_pop_mark(struct machine *self, size_t *first, size_t *len) __attribute__((warn_unused_result));
/* Put what was made of the values from `first` on in their place; `error` is that of making it. */
ctorch_error *machine_replace(
    struct machine *self, size_t first, ctorch_value *made, bool may_hold_itself, ctorch_error *error)
    __attribute__((warn_unused_result));

/* Take bytes of the pickle. */
ctorch_error *machine_take(struct machine *self, const unsigned char **out, uint64_t nbytes)
    __attribute__((warn_unused_result));
ctorch_error *machine_take_line(struct machine *self, const unsigned char **out, size_t *out_len)
    __attribute__((warn_unused_result));
/* A number of so many bytes, the lowest first. */
ctorch_error *machine_take_number(struct machine *self, uint64_t *out, size_t nbytes)
    __attribute__((warn_unused_result));

/* The number of a remembered value, in so many bytes; 0: in a line. */
ctorch_error *machine_take_index(struct machine *self, uint64_t *out, size_t nbytes)
    __attribute__((warn_unused_result));
/* Picklers count, so that no number is beyond that of the bytes so far: FORMAT for one that is. */
ctorch_error *machine_check_index(const struct machine *self, uint64_t index) __attribute__((warn_unused_result));
/* PROTO and FRAME, which say things about what follows. */
ctorch_error *machine_skip(struct machine *self, unsigned char opcode) __attribute__((warn_unused_result));
/* The error for an opcode that is not known. */
ctorch_error *machine_unknown(const struct machine *self, unsigned char opcode) __attribute__((warn_unused_result));

/* Opcodes that are numbers and texts (plain.c); *out_is_known tells whether it is one. */
ctorch_error *machine_push_plain(struct machine *self, bool *out_is_known, unsigned char opcode)
    __attribute__((warn_unused_result));

/* Opcodes of lists, tuples, dicts and sets (containers.c), the same. */
ctorch_error *machine_run_container(struct machine *self, bool *out_is_known, unsigned char opcode)
    __attribute__((warn_unused_result));

/* A decimal number in a line. */
bool machine_read_decimal(uint64_t *out, const unsigned char *text, size_t len);

#endif
