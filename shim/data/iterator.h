/** Iterators written in C: a struct that begins with a ctorch_iterator, and a class that says how it goes on. */
#ifndef CTORCH_SHIM_DATA_ITERATOR_H
#define CTORCH_SHIM_DATA_ITERATOR_H

#include <ctorch.h>

#include "core/c/object.h"

typedef struct iterator_class {
  object_class object;
  /** The next value, the caller's; `*out` is left alone at the end. */
  ctorch_error *(*next)(const char *function, ctorch_iterator *self, ctorch_value **out);
  /** Where it is; NULL for what cannot tell. A class has both or neither, and may refuse all the same. */
  ctorch_error *(*state)(const char *function, const ctorch_iterator *self, ctorch_value **out);
  ctorch_error *(*load_state)(const char *function, ctorch_iterator *self, const ctorch_value *state);
} iterator_class;

struct ctorch_iterator {
  bool has_begun, has_ended;
  bool is_busy; /* a callback asks it for more while it makes a value */
};

#define ITERATOR_OBJECT(type, finalize) {"iterator", sizeof(type), finalize}

/** What ctorch_iterator_next does, for who reports errors of another function. */
ctorch_error *iterator_next(const char *function, ctorch_iterator *self, ctorch_value **out)
    __attribute__((warn_unused_result));
ctorch_error *iterator_state(const char *function, const ctorch_iterator *self, ctorch_value **out)
    __attribute__((warn_unused_result));
ctorch_error *iterator_load_state(const char *function, ctorch_iterator *self, const ctorch_value *state)
    __attribute__((warn_unused_result));

/* Dicts of states. */

/** Put a value, which is given up, into a dict; after an earlier error nothing but that. */
void state_put(ctorch_error **error, ctorch_value *dict, const char *name, ctorch_value *value);
void state_put_int(ctorch_error **error, ctorch_value *dict, const char *name, int64_t number);
/** An entry, owned; an error that names it if it is missing. */
ctorch_error *state_get(const char *function, const ctorch_value *dict, const char *name, ctorch_value **out)
    __attribute__((warn_unused_result));
/** At least `least`, or VALUE. */
ctorch_error *state_get_int(
    const char *function, const ctorch_value *dict, const char *name, int64_t least, int64_t *out)
    __attribute__((warn_unused_result));

#endif
