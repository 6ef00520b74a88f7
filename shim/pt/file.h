/* A file of torch.save while it is read: its pickles, and the storages that they name. */
#ifndef CTORCH_SHIM_PT_FILE_H
#define CTORCH_SHIM_PT_FILE_H

#include "ctorch/tensor/storage.h"
#include "pickle/read.h"
#include "pt/zip.h"

struct outline;

struct pt_storage {
  ctorch_storage *memory; /* NULL until it is read */
  ctorch_dtype dtype;     /* of the first that named it */
  ctorch_device device;   /* where it is to lie */
  bool has_device;        /* `device` was asked for */
  uint64_t nbytes;
  const struct pt_record *record; /* in a zip file; else NULL */
  bool is_placed;                 /* `offset` is known */
  uint64_t offset;                /* of its bytes, in the reader; of a view, in its root */
  size_t root;                    /* of a view (files before 0.4), 1 + the number of the storage that it is a part of */
};

struct pt_file {
  struct unpickler pickle; /* first: its callbacks find the file by it */
  ctorch_serialization_map_location_callback map_location;
  const ctorch_device *device; /* for all storages; NULL: where the file says, or map_location */
  bool is_big_endian;
  struct pt_zip zip;
  const char *folder; /* in which the zip file has storages: "data/" */
  struct pt_storage *storages;
  size_t len;
  ctorch_value *by_key;    /* a dict from the keys of storages to their numbers */
  size_t *by_address;      /* a table of 1 + numbers, by where the memory's object is */
  size_t by_address_len;   /* how many fit; a power of two */
  ctorch_value *objects;   /* of tar files: a dict from ids to what they stand for */
  struct outline *outline; /* of what is only described, which is then no value; NULL: it is one */
  uint32_t root;           /* the node in it */
  int depth;               /* of descriptions in descriptions, while they are followed */
};

/* Add a storage that a pickle names. Its key may be NULL: then no other is this one. */
ctorch_error *pt_storage_add(
    struct pt_file *self, size_t *out, const ctorch_value *key, const struct pt_storage *storage)
    __attribute__((warn_unused_result));
/* Find its device from its location, once. Where calls are described, it is the CPU. */
ctorch_error *pt_storage_set_place(struct pt_file *self, size_t index, const char *location)
    __attribute__((warn_unused_result));
/* The number of the storage with a key; *out_is_there is false if there is none yet. */
ctorch_error *pt_storage_find(struct pt_file *self, size_t *out, bool *out_is_there, const ctorch_value *key)
    __attribute__((warn_unused_result));

/* The description of a storage. */
ctorch_error *pt_storage_describe(ctorch_value **out, size_t index) __attribute__((warn_unused_result));
/* A storage as a value, for the stack: read by now; or, where calls are described, a description. */
ctorch_error *pt_storage_value(struct pt_file *self, ctorch_value **out, size_t index)
    __attribute__((warn_unused_result));
/* The number of the storage that such a value is. */
ctorch_error *pt_storage_arg(const struct pt_file *self, size_t *out, const ctorch_value *args, size_t index)
    __attribute__((warn_unused_result));

/* Read [offset, offset + nbytes) of a storage, which it has, to where it is to lie. A handle to release. */
ctorch_error *pt_storage_read(
    struct pt_file *self, ctorch_storage **out, size_t index, uint64_t offset, uint64_t nbytes)
    __attribute__((warn_unused_result));

/* The number of bytes of so many elements; FORMAT if it is negative or too large. */
ctorch_error *pt_storage_nbytes(const struct pt_file *self, uint64_t *out, int64_t numel, ctorch_dtype dtype)
    __attribute__((warn_unused_result));

/* The device that a location names, or where the caller wants it. */
ctorch_error *pt_place(struct pt_file *self, ctorch_device *out, const char *location)
    __attribute__((warn_unused_result));

#endif
