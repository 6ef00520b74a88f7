#include "heap_handles.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/add.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/item.h>
#include <ATen/ops/max.h>
#include <ATen/ops/split.h>
#include <ATen/ops/sum.h>
#include <stdlib.h>
#include <string.h>

struct heap_tensor {
  at::Tensor tensor;
};

namespace {

thread_local char *last_error = nullptr;

template <class Body>
void guarded(Body &&body) {
  try {
    body();
  } catch (const std::exception &e) {
    last_error = strdup(e.what());
  }
}

heap_tensor *heap(at::Tensor tensor) { return new heap_tensor{std::move(tensor)}; }

}  // namespace

heap_tensor *heap_tensor_of(void *tensor_impl) {
  return heap(at::Tensor(c10::intrusive_ptr<at::TensorImpl, at::UndefinedTensorImpl>::unsafe_reclaim_from_nonowning(
      static_cast<at::TensorImpl *>(tensor_impl))));
}

void heap_release(heap_tensor *self) { delete self; }

char *heap_last_error(void) {
  char *text = last_error;
  last_error = nullptr;
  return text;
}

void heap_add(heap_tensor **out, heap_tensor *self, heap_tensor *other) {
  guarded([&] { *out = heap(at::add(self->tensor, other->tensor)); });
}

void heap_add_(heap_tensor *self, heap_tensor *other) {
  guarded([&] { self->tensor.add_(other->tensor); });
}

void heap_add_alpha(heap_tensor **out, heap_tensor *self, heap_tensor *other, double alpha) {
  guarded([&] { *out = heap(at::add(self->tensor, other->tensor, alpha)); });
}

void heap_add_out(heap_tensor *out, heap_tensor *self, heap_tensor *other) {
  guarded([&] { at::add_out(out->tensor, self->tensor, other->tensor); });
}

void heap_cat(heap_tensor **out, heap_tensor **tensors, int tensors_len, int64_t dim) {
  guarded([&] {
    std::vector<at::Tensor> list;
    for (int i = 0; i < tensors_len; i++) {
      list.push_back(tensors[i]->tensor);
    }
    *out = heap(at::cat(list, dim));
  });
}

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
    int64_t groups) {
  guarded([&] {
    *out = heap(at::conv2d(
        input->tensor, weight->tensor, bias != nullptr ? bias->tensor : at::Tensor(),
        at::IntArrayRef(stride, stride_len), at::IntArrayRef(padding, padding_len),
        at::IntArrayRef(dilation, dilation_len), groups));
  });
}

void heap_max_dim(heap_tensor **out, heap_tensor *self, int64_t dim, bool keepdim) {
  guarded([&] {
    auto [values, indices] = at::max(self->tensor, dim, keepdim);
    out[0] = heap(std::move(values));
    out[1] = heap(std::move(indices));
  });
}

void heap_split(heap_tensor ***out, int *out_len, heap_tensor *self, int64_t split_size, int64_t dim) {
  guarded([&] {
    std::vector<at::Tensor> parts = at::split(self->tensor, split_size, dim);
    auto **list = static_cast<heap_tensor **>(malloc(parts.size() * sizeof(heap_tensor *)));
    for (size_t i = 0; i < parts.size(); i++) {
      list[i] = heap(std::move(parts[i]));
    }
    *out = list;
    *out_len = static_cast<int>(parts.size());
  });
}

void heap_sum_dim(heap_tensor **out, heap_tensor *self, int64_t *dim, int dim_len, bool keepdim) {
  guarded([&] { *out = heap(at::sum(self->tensor, at::IntArrayRef(dim, dim_len), keepdim)); });
}

void heap_view(heap_tensor **out, heap_tensor *self, int64_t *size, int size_len) {
  guarded([&] { *out = heap(self->tensor.view(at::IntArrayRef(size, size_len))); });
}

double heap_item(heap_tensor *self) {
  double value = 0;
  guarded([&] { value = self->tensor.item().toDouble(); });
  return value;
}

int64_t heap_ndim(heap_tensor *self) {
  int64_t value = 0;
  guarded([&] { value = self->tensor.dim(); });
  return value;
}

int64_t heap_size(heap_tensor *self, int64_t dim) {
  int64_t value = 0;
  guarded([&] { value = self->tensor.size(dim); });
  return value;
}

int64_t heap_numel(heap_tensor *self) {
  int64_t value = 0;
  guarded([&] { value = self->tensor.numel(); });
  return value;
}

int heap_dtype(heap_tensor *self) {
  int value = 0;
  guarded([&] { value = static_cast<int>(self->tensor.scalar_type()); });
  return value;
}

void *heap_data(heap_tensor *self) {
  void *value = nullptr;
  guarded([&] { value = self->tensor.data_ptr(); });
  return value;
}

void plain_retain(void *tensor_impl) {
  if (tensor_impl != nullptr) {
    c10::raw::intrusive_ptr::incref(static_cast<at::TensorImpl *>(tensor_impl));
  }
}

void plain_release(void *tensor_impl) {
  if (tensor_impl != nullptr) {
    c10::raw::intrusive_ptr::decref(static_cast<at::TensorImpl *>(tensor_impl));
  }
}
