/* Reading pickles: protocols 0 to 5, as values. Nothing is run: what a pickle may name is in a table
 * (globals.h), or made a description.
 *
 *     struct unpickler pickle = {.function = __func__, .reader = reader, .place = "data.pkl", …};
 *     unpickler_begin(&pickle);
 *     ctorch_error *error = pickle_load(&pickle, &source, &value);   // as often as there are pickles
 *     unpickler_end(&pickle);
 *
 * Time and memory are bounded by the length of the pickle: what is shared in it is shared in the values, and what calls
 * make beyond is counted (pickle_charge). */
#ifndef CTORCH_SHIM_PICKLE_READ_H
#define CTORCH_SHIM_PICKLE_READ_H

#include "ctorch/pt/serialization.h"
#include "pickle/source.h"

struct pickle_global;

/* What the pickles of one file have in common. */
struct unpickler {
  const char *function; /* the exported one, for errors */
  const ctorch_reader *reader;
  ctorch_serialization_allow_callback allow; /* NULL: nothing beyond the table */
  bool allows_any;                           /* what is not in the table is only named */
  void *payload;
  /* What a persistent id stands for; a value that the caller owns. NULL: there are none. */
  ctorch_error *(*persistent)(struct unpickler *self, ctorch_value **out, const ctorch_value *id);
  /* The table of what may be named (globals.h): whether it has this. */
  bool (*find)(struct pickle_global *out, const char *module, const char *name);
  /* Give what is no Python object of its own its state; *out_is_done is false for what is one. */
  ctorch_error *(*build)(
      struct unpickler *self,
      ctorch_value **out_instead,
      bool *out_is_done,
      ctorch_value *object,
      const ctorch_value *state);
  bool is_script;    /* of TorchScript, which calls the class of an enum with its value, and not with a tuple */
  bool is_described; /* calls that make tensors stay descriptions (tensors.h) */
  /* Where they do: look at each as soon as it is there; NULL for nothing. */
  ctorch_error *(*described)(struct unpickler *self, const ctorch_value *description);
  /* Of descriptions, which nobody else gets: the containers that may hold themselves, emptied in the end. */
  ctorch_value **kept;
  size_t kept_len;

  const char *place;     /* for messages: which of the file's pickles */
  uint64_t offset;       /* and where in it */
  ctorch_value *answers; /* of `allow`, by name */
  uint64_t budget;       /* what calls may make beyond */
  uint64_t visits;       /* of parts of values that are named where they are */
};

void unpickler_begin(struct unpickler *self);
void unpickler_end(struct unpickler *self);

/* Read one pickle; what is behind it is left. *out is outside every scope: value_unref gives it up. */
ctorch_error *pickle_load(struct unpickler *self, struct pickle_source *source, ctorch_value **out)
    __attribute__((warn_unused_result));

#endif
