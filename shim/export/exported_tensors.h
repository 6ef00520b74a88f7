/* The tensors of exported programs, as their archives keep them: a table in JSON, and a record of bytes for each
 * storage; in files of older LibTorch, one file of torch.save. */
#ifndef CTORCH_SHIM_EXPORT_EXPORTED_TENSORS_H
#define CTORCH_SHIM_EXPORT_EXPORTED_TENSORS_H

#include "export/pt2_archive.h"

enum { EXPORTED_MOST_DIMS = 64 };

/* Where the tensors of one kind lie. */
struct exported_place {
  const struct pt_record *config; /* the table; else NULL */
  const struct pt_record *file;   /* of torch.save; else NULL */
  const char *folder;             /* of records that the table names */
};

/* Where state dict and constants of a model lie. Older archives have one program, of any name. */
struct exported_place exported_state_dict(const struct pt2_archive *archive, const char *model_name);
struct exported_place exported_constants(const struct pt2_archive *archive, const char *model_name);

#if CTORCH_HAS_JANSSON

/* A tensor that a table describes. */
struct exported_tensor {
  const struct pt_record *record;
  bool is_pickled; /* the record is a file of torch.save, and what follows is not known */
  ctorch_dtype dtype;
  int64_t sizes[EXPORTED_MOST_DIMS], strides[EXPORTED_MOST_DIMS], offset;
  size_t len;
};

/* PyTorch's dtype of a number in the JSON; -1 for none. */
ctorch_dtype exported_dtype(json_int_t number);

/* Read an entry of the table. *out_is_tensor is false for an object of a class. */
ctorch_error *exported_tensor_describe(
    const char *function,
    const struct pt2_archive *archive,
    struct exported_tensor *out,
    bool *out_is_tensor,
    const struct exported_place *place,
    const json_t *entry) __attribute__((warn_unused_result));

/* Read it; a handle that the caller releases. */
ctorch_error *exported_tensor_read(
    const char *function, struct pt2_archive *archive, ctorch_tensor **out, const struct exported_tensor *tensor)
    __attribute__((warn_unused_result));

/* The entries of the table, a borrowed object of `config`; FORMAT if it has none. */
ctorch_error *exported_entries(
    const char *function, const struct pt2_archive *archive, json_t **out, const json_t *config)
    __attribute__((warn_unused_result));

/* All tensors of a place, a dict that the caller releases. */
ctorch_error *exported_tensors_read(
    const char *function, struct pt2_archive *archive, ctorch_value **out, const struct exported_place *place)
    __attribute__((warn_unused_result));

#endif

#endif
