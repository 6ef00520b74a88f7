/* Another library, for the tests of DLPack: it makes managed tensors and counts what becomes of them.
 *
 *     static producer p;
 *     struct DLManagedTensorVersioned *managed = produce(&p);
 *     managed->dl_tensor.ndim = -1;
 *     ck_fails(ctorch_tensor_from_dlpack(&x, NULL, managed), CTORCH_ERROR_INVALID_ARGUMENT, "ndim");
 *     ck_assert_int_eq(p.deleted, 1);
 *
 * It is static because a scope gives the tensors on its memory back after the test.
 * The structs are those of LibTorch's copy of DLPack's own header, not of ctorch. */
#ifndef CTORCH_TESTS_DLPACK_PRODUCER_H
#define CTORCH_TESTS_DLPACK_PRODUCER_H

#include <dlpack/dlpack.h>

#include "harness/values.h"

typedef struct producer {
  float data[6];
  int64_t shape[2];
  int64_t strides[2];
  DLManagedTensorVersioned versioned;
  DLManagedTensor unversioned;
  int deleted;
} producer;

static inline void producer_delete(struct DLManagedTensorVersioned *self) {
  ((producer *)self->manager_ctx)->deleted++;
}

static inline void producer_delete_unversioned(struct DLManagedTensor *self) {
  ((producer *)self->manager_ctx)->deleted++;
}

/** The float tensor [[0, 1, 2], [3, 4, 5]], in both structs. */
static inline DLManagedTensorVersioned *produce(producer *p) {
  *p = (producer){{0, 1, 2, 3, 4, 5}, {2, 3}, {3, 1}, {{0, 0}, NULL, NULL, 0, {NULL}}, {{NULL}, NULL, NULL}, 0};
  const DLTensor description = {p->data, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, p->shape, p->strides, 0};
  p->versioned.version = (DLPackVersion){DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  p->versioned.manager_ctx = p;
  p->versioned.deleter = producer_delete;
  p->versioned.dl_tensor = description;
  p->unversioned = (DLManagedTensor){description, p, producer_delete_unversioned};
  return &p->versioned;
}

/** The tensor, as it is exported without any wish. */
static inline DLManagedTensorVersioned *exported(ctorch_tensor *x) {
  struct DLManagedTensorVersioned *out = NULL;
  ck_ok(ctorch_tensor_to_dlpack(&out, x, NULL, NULL, NULL, false));
  ck_assert_ptr_nonnull(out);
  return out;
}

/** The tensor that comes of it. */
static inline ctorch_tensor *imported(struct DLManagedTensorVersioned *managed) {
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_tensor_from_dlpack(&out, NULL, managed));
  return out;
}

/** Its first element. */
static inline void *data_of(ctorch_tensor *x) {
  void *data = NULL;
  ck_ok(ctorch_tensor_data(&data, x));
  return data;
}

#endif
