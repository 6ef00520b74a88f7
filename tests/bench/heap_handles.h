/* The opponent "heap": a C wrapper as most bindings of LibTorch are made. A handle is a `new at::Tensor`, a list is
 * copied into a std::vector, and an error is the text of what(), kept per thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct heap_tensor heap_tensor;

heap_tensor *heap_tensor_of(void *tensor_impl);
void heap_release(heap_tensor *self);
char *heap_last_error(void);

void heap_add(heap_tensor **out, heap_tensor *self, heap_tensor *other);
void heap_add_(heap_tensor *self, heap_tensor *other);
void heap_add_alpha(heap_tensor **out, heap_tensor *self, heap_tensor *other, double alpha);
void heap_add_out(heap_tensor *out, heap_tensor *self, heap_tensor *other);
void heap_cat(heap_tensor **out, heap_tensor **tensors, int tensors_len, int64_t dim);
void heap_conv2d(
    heap_tensor **out,
    heap_tensor *input,
    heap_tensor *weight,
    heap_tensor *bias,
    int64_t *stride,
    int stride_len,
    int64_t *padding,
    int padding_len,
    int64_t *dilation,
    int dilation_len,
    int64_t groups);
void heap_max_dim(heap_tensor **out, heap_tensor *self, int64_t dim, bool keepdim);
void heap_split(heap_tensor ***out, int *out_len, heap_tensor *self, int64_t split_size, int64_t dim);
void heap_sum_dim(heap_tensor **out, heap_tensor *self, int64_t *dim, int dim_len, bool keepdim);
void heap_view(heap_tensor **out, heap_tensor *self, int64_t *size, int size_len);
double heap_item(heap_tensor *self);

int64_t heap_ndim(heap_tensor *self);
int64_t heap_size(heap_tensor *self, int64_t dim);
int64_t heap_numel(heap_tensor *self);
int heap_dtype(heap_tensor *self);
void *heap_data(heap_tensor *self);

/* Not heap handles: the reference counting of ctorch without its scopes and handle counting. */
void plain_retain(void *tensor_impl);
void plain_release(void *tensor_impl);

#ifdef __cplusplus
}
#endif
