/* The outline of a pickle: what is in it, as nodes of a few words each. No value, tensor or table is made of a file
 * that is only described, so that its memory is linear in the file whatever the keys of its dicts are.
 *
 *     struct outline outline = {.len = 0};
 *     uint32_t root = 0;
 *     ctorch_error *error = outline_read(&outline, &pickle, &source, &root);
 *     … outline_node(&outline, root)->kind, outline_first, outline_next …
 *     error = outline_value(&outline, &pickle, &value, node, false);   // of the parts that are looked at
 *     outline_end(&outline);
 *
 * Nodes are numbered from 1; 0 is none. */
#ifndef CTORCH_SHIM_PT_OUTLINE_H
#define CTORCH_SHIM_PT_OUTLINE_H

#include "pickle/read.h"

struct pickle_global;

enum outline_kind {
  OUTLINE_NONE,
  OUTLINE_BOOL,
  OUTLINE_INT,
  OUTLINE_LONG, /* an int beyond 64 bits, as its bytes */
  OUTLINE_DOUBLE,
  OUTLINE_TEXT,
  OUTLINE_BYTES,
  OUTLINE_TUPLE,
  OUTLINE_LIST,
  OUTLINE_DICT, /* its entries are keys and values in turn */
  OUTLINE_SET,
  OUTLINE_GLOBAL, /* a class, function or named value: "module", NUL, "name", NUL */
  OUTLINE_OBJECT,
  OUTLINE_STORAGE, /* of the file, by its number */
  OUTLINE_VALUE,   /* one that a persistent id stands for */
};

/* A list of nodes, in outline.links. */
struct outline_list {
  uint32_t first, last, len;
};

struct outline_node {
  unsigned char kind;
  bool has_keys; /* an object whose items are keys and values in turn */
  union {
    int64_t integer; /* also a bool, and the number of a storage or value */
    double real;
    struct {
      uint64_t at, len;
    } text; /* in outline.texts */
    struct {
      struct outline_list entries; /* also the items of an object */
      uint32_t function, args, state;
    };
  };
};

struct outline_link {
  uint32_t node, next; /* of links, from 1 */
};

struct outline {
  struct outline_node *nodes;
  size_t len;
  struct outline_link *links;
  size_t links_len;
  char *texts;
  size_t texts_len, texts_capacity;
  ctorch_value **values; /* of persistent ids, in no scope */
  size_t values_len;
};

/* Read one pickle. Its parts are checked when values are made of them; what it names is checked here. */
ctorch_error *outline_read(struct outline *self, struct unpickler *pickle, struct pickle_source *source, uint32_t *out)
    __attribute__((warn_unused_result));
void outline_end(struct outline *self);

static inline const struct outline_node *outline_node(const struct outline *self, uint32_t node) {
  return &self->nodes[node - 1];
}

/* The entries one by one: `link` is entries.first, and moves on; 0 at the end. */
static inline uint32_t outline_next(const struct outline *self, uint32_t *link) {
  const struct outline_link found = self->links[*link - 1];
  *link = found.next;
  return found.node;
}
/* The first entry of a list or tuple; 0 if there is none. */
uint32_t outline_first(const struct outline *self, uint32_t node);

/* Its bytes; not ended by NUL. */
static inline const char *outline_text(const struct outline *self, const struct outline_node *node) {
  return self->texts + node->text.at;
}
bool outline_is_text(const struct outline *self, uint32_t node, const char *text);
/* The names of a class or function. */
static inline const char *outline_module(const struct outline *self, const struct outline_node *global) {
  return outline_text(self, global);
}
const char *outline_name(const struct outline *self, const struct outline_node *global);
/* The function of the table that an object was made by; false for others, and what is no object. */
bool outline_global_of(
    const struct outline *self, const struct unpickler *pickle, struct pickle_global *out, uint32_t node);

/* Making */
ctorch_error *outline_add(struct outline *self, const char *function, uint32_t *out, const struct outline_node *node)
    __attribute__((warn_unused_result));
ctorch_error *outline_add_text(
    struct outline *self, const char *function, uint32_t *out, enum outline_kind kind, const char *data, size_t len)
    __attribute__((warn_unused_result));
ctorch_error *outline_append(struct outline *self, const char *function, struct outline_list *list, uint32_t entry)
    __attribute__((warn_unused_result));

/* The value of a node, which the caller owns, counted by pickle_charge. Tensors are descriptions. `is_bare`: without
 * what is in dicts and sets, which a description of a tensor does not need. */
ctorch_error *outline_value(
    const struct outline *self, struct unpickler *pickle, ctorch_value **out, uint32_t node, bool is_bare)
    __attribute__((warn_unused_result));
/* A dict of the values of nodes, of which those that have the same name are the last; they share what is shared. */
ctorch_error *outline_values(
    const struct outline *self,
    struct unpickler *pickle,
    ctorch_value **out,
    char *const *names,
    const uint32_t *nodes,
    size_t len) __attribute__((warn_unused_result));

#endif
