/* Weights as the formats see them: each format fills a table of contents, and reads what the table names. */
#ifndef CTORCH_SHIM_IO_WEIGHTS_TABLE_H
#define CTORCH_SHIM_IO_WEIGHTS_TABLE_H

#include "ctorch/weights/weights.h"

struct weights_entry {
  char *name;
  const char *type;   /* in the format's words; static, or the format's own */
  ctorch_dtype dtype; /* with which it is read; WEIGHTS_NO_DTYPE where PyTorch has none */
  int64_t *shape;
  size_t shape_len;
  uint64_t offset, nbytes; /* where it lies in the reader, if that is one place */
  uint64_t number;         /* the format's own */
};

enum { WEIGHTS_NO_DTYPE = -1 };

/* What is no tensor, and of a class that only Python has. */
struct weights_object {
  char *name, *class; /* "argparse.Namespace" */
};

/* What the formats have in common. */
typedef struct weights_format {
  const char *name;
  /* Whether a file is of this format, by its first bytes (`len` at most 4096, fewer where the file is shorter). */
  bool (*detect)(const unsigned char *head, size_t len, const ctorch_reader *reader);
  /* Fill self->entries by weights_add, and self->content. Names of entries that are alike are found by the caller. */
  ctorch_error *(*open)(const char *function, ctorch_weights *self);
  /* Read a whole tensor, on the CPU; a handle that the caller releases. */
  ctorch_error *(*tensor)(
      const char *function, ctorch_tensor **out, const ctorch_weights *self, const struct weights_entry *entry);
  /* Read [begin, end) of each dimension, which lie in the shape; NULL: it is cut out of what `tensor` reads. */
  ctorch_error *(*slice)(
      const char *function,
      ctorch_tensor **out,
      const ctorch_weights *self,
      const struct weights_entry *entry,
      const int64_t *begin,
      const int64_t *end);
  /* NULL: the format has none. */
  ctorch_error *(*metadata)(const char *function, ctorch_value **out, const ctorch_weights *self);
  /* Free self->content; NULL for free(). */
  void (*close)(ctorch_weights *self);
  /* For a format whose entries have but a name: the weights, and there the entry, that tell the rest and are read in
   * its place. NULL: entries are complete. */
  ctorch_error *(*resolve)(
      const char *function,
      const ctorch_weights **out,
      const struct weights_entry **out_entry,
      const ctorch_weights *self,
      const struct weights_entry *entry);
} weights_format;

struct ctorch_weights {
  const weights_format *format;
  ctorch_reader *reader;
  struct weights_entry *entries;
  size_t len;
  struct weights_object *objects;
  size_t objects_len;
  void *by_name; /* weights.c */
  void *content; /* the format's own */
  /* Open one of several files, which is no index itself: an object outside every scope (object.h: object_unref). */
  ctorch_error *(*open_part)(const char *function, ctorch_weights **out, const char *path, bool mmap);
};

/* Add an entry; name and shape are copied. */
ctorch_error *weights_add(
    const char *function,
    ctorch_weights *self,
    const char *name,
    const char *type,
    ctorch_dtype dtype,
    const int64_t *shape,
    size_t shape_len,
    uint64_t offset,
    uint64_t nbytes,
    uint64_t number) __attribute__((warn_unused_result));

/* Add an object that is left out; the names are copied. */
ctorch_error *weights_add_object(
    const char *function, ctorch_weights *self, const char *name, const char *module, const char *class)
    __attribute__((warn_unused_result));

/* UNSUPPORTED: an entry of a type that PyTorch has not, which the format answers when it is read; `why` follows the
 * type. */
ctorch_error *weights_no_dtype(
    const char *function, const ctorch_weights *self, const struct weights_entry *entry, const char *why)
    __attribute__((warn_unused_result));

/* Say which tensor an error is of, where that is the file's fault (FORMAT), and not what a callback of the caller's
 * says. Consumes and returns the error; NULL stays NULL. */
ctorch_error *weights_at_tensor(ctorch_error *error, const char *name) __attribute__((warn_unused_result));

/* The entry of a name; NULL if there is none. */
const struct weights_entry *weights_entry_of(const ctorch_weights *self, const char *name);

/* Cut [begin, end) of each dimension out of a tensor: a copy without the rest. */
ctorch_error *weights_cut(ctorch_tensor **out, const ctorch_tensor *tensor, const int64_t *begin, const int64_t *end)
    __attribute__((warn_unused_result));

#endif
