/* Tensors in files of torch.save: which of PyTorch's functions makes each anew, with which arguments. */
#include <inttypes.h>
#include <stdio.h>

#include "core/c/error.h"
#include "pt/save.h"

void pt_save_no_hooks(struct pt_save *self) {
  pickle_global(&self->pickle, "collections", "OrderedDict");
  pickle_op(&self->pickle, OP_EMPTY_TUPLE);
  pickle_op(&self->pickle, OP_REDUCE);
  pickle_number(&self->pickle);
}

/* Layouts are single objects, which these addresses stand for. */
void pt_save_layout(struct pt_save *self, ctorch_layout layout) {
  static const char identities[CTORCH_LAYOUT_JAGGED + 1];
  struct pickle *pickle = &self->pickle;
  if (layout < 0 || layout > CTORCH_LAYOUT_JAGGED) {
    pt_save_refuse(self, "the layout %" PRId32, layout);
    return;
  }
  if (pickle_recall(pickle, &identities[layout])) {
    return;
  }
  char text[64];
  snprintf(text, sizeof text, "torch.%s", ctorch_layout_name(layout));
  pickle_global(pickle, "torch.serialization", "_get_layout");
  pickle_new_text(pickle, text, NULL);
  pickle_tuple(pickle, 1);
  pickle_op(pickle, OP_REDUCE);
  pickle_remember(pickle, &identities[layout]);
}

static void save_sizes(struct pt_save *self, const ctorch_tensor *tensor) {
  pickle_ints(&self->pickle, ctorch_tensor_sizes(tensor), (size_t)ctorch_tensor_ndim(tensor));
}
static void save_strides(struct pt_save *self, const ctorch_tensor *tensor) {
  pickle_ints(&self->pickle, ctorch_tensor_strides(tensor), (size_t)ctorch_tensor_ndim(tensor));
}
static void save_torch_size(struct pt_save *self, const ctorch_tensor *tensor) {
  pickle_global(&self->pickle, "torch", "Size");
  save_sizes(self, tensor);
  pickle_tuple(&self->pickle, 1);
  pickle_op(&self->pickle, OP_REDUCE);
  pickle_number(&self->pickle);
}

/* A tensor that a part of another is, made by a function for this; consumed. */
static void save_part(struct pt_save *self, ctorch_error *error, ctorch_tensor *part) {
  pickle_fail(&self->pickle, error);
  if (part != NULL) {
    pt_save_tensor(self, part, ctorch_tensor_requires_grad(part));
    pickle_number(&self->pickle);
    ctorch_tensor_release(part);
  }
}

typedef ctorch_error *(*part_of)(ctorch_tensor **out, const ctorch_tensor *self);

static void save_parts(struct pt_save *self, const ctorch_tensor *tensor, const part_of *parts, size_t len) {
  for (size_t i = 0; i < len && self->pickle.error == NULL; i++) {
    ctorch_tensor *part = NULL;
    ctorch_error *error = parts[i](&part, tensor);
    save_part(self, error, part);
  }
}

static void save_meta(struct pt_save *self, const ctorch_tensor *tensor, bool requires_grad) {
  struct pickle *pickle = &self->pickle;
  pickle_global(pickle, "torch._utils", "_rebuild_meta_tensor_no_storage");
  pickle_op(pickle, OP_MARK);
  pickle_global(pickle, "torch", ctorch_dtype_name(ctorch_tensor_dtype(tensor)));
  save_sizes(self, tensor);
  save_strides(self, tensor);
  pickle_bool(pickle, requires_grad);
  pickle_tuple(pickle, 4);
}

static void save_sparse_coo(struct pt_save *self, const ctorch_tensor *tensor) {
  static const part_of parts[] = {ctorch_aten__indices, ctorch_aten__values};
  struct pickle *pickle = &self->pickle;
  bool is_coalesced = false;
  pickle_fail(pickle, ctorch_aten_is_coalesced(&is_coalesced, tensor));
  pickle_global(pickle, "torch._utils", "_rebuild_sparse_tensor");
  pt_save_layout(self, CTORCH_LAYOUT_SPARSE_COO);
  pickle_op(pickle, OP_MARK);
  save_parts(self, tensor, parts, 2);
  save_torch_size(self, tensor);
  pickle_bool(pickle, is_coalesced);
  pickle_tuple(pickle, 4);
  pickle_tuple(pickle, 2);
}

static void save_sparse_compressed(struct pt_save *self, const ctorch_tensor *tensor) {
  static const part_of by_row[] = {ctorch_aten_crow_indices, ctorch_aten_col_indices, ctorch_aten_values};
  static const part_of by_column[] = {ctorch_aten_ccol_indices, ctorch_aten_row_indices, ctorch_aten_values};
  struct pickle *pickle = &self->pickle;
  ctorch_layout layout = ctorch_tensor_layout(tensor);
  pickle_global(pickle, "torch._utils", "_rebuild_sparse_tensor");
  pt_save_layout(self, layout);
  pickle_op(pickle, OP_MARK);
  bool is_by_row = layout == CTORCH_LAYOUT_SPARSE_CSR || layout == CTORCH_LAYOUT_SPARSE_BSR;
  save_parts(self, tensor, is_by_row ? by_row : by_column, 3);
  save_torch_size(self, tensor);
  pickle_tuple(pickle, 4);
  pickle_tuple(pickle, 2);
}

static void save_nested(struct pt_save *self, const ctorch_tensor *tensor) {
  static const part_of parts[] = {
      ctorch_aten_values, ctorch_aten__nested_tensor_size, ctorch_aten__nested_tensor_strides,
      ctorch_aten__nested_tensor_storage_offsets};
  if ((self->flags & CTORCH_SAVE_SKIP_DATA) != 0) {
    pt_save_refuse(self, "a nested tensor without its data");
    return;
  }
  pickle_global(&self->pickle, "torch._utils", "_rebuild_nested_tensor");
  pickle_op(&self->pickle, OP_MARK);
  save_parts(self, tensor, parts, 4);
  pickle_tuple(&self->pickle, 4);
}

/* How a quantized tensor is scaled. */
static void save_quantizer(struct pt_save *self, const ctorch_tensor *tensor) {
  static const part_of parts[] = {ctorch_aten_q_per_channel_scales, ctorch_aten_q_per_channel_zero_points};
  enum { PER_TENSOR_AFFINE = 0, PER_CHANNEL_AFFINE = 1, PER_CHANNEL_AFFINE_FLOAT = 4 }; /* c10::QScheme */
  struct pickle *pickle = &self->pickle;
  int32_t scheme = -1;
  pickle_fail(pickle, ctorch_aten_qscheme(&scheme, tensor));
  if (scheme == PER_TENSOR_AFFINE) {
    double scale = 0;
    int64_t zero_point = 0;
    pickle_fail(pickle, ctorch_aten_q_scale(&scale, tensor));
    pickle_fail(pickle, ctorch_aten_q_zero_point(&zero_point, tensor));
    pickle_global(pickle, "torch", "per_tensor_affine");
    pickle_float(pickle, scale);
    pickle_int(pickle, zero_point);
    pickle_tuple(pickle, 3);
  } else if (scheme == PER_CHANNEL_AFFINE || scheme == PER_CHANNEL_AFFINE_FLOAT) {
    int64_t axis = 0;
    pickle_fail(pickle, ctorch_aten_q_per_channel_axis(&axis, tensor));
    pickle_op(pickle, OP_MARK);
    pickle_global(pickle, "torch", "per_channel_affine");
    save_parts(self, tensor, parts, 2);
    pickle_int(pickle, axis);
    pickle_tuple(pickle, 4);
  } else {
    pt_save_refuse(self, "a tensor of the quantization scheme %" PRId32, scheme);
  }
}

/* What the bits of a view say; nothing if there are none, as in most. */
static void save_metadata(struct pt_save *self, const ctorch_tensor *tensor) {
  struct pickle *pickle = &self->pickle;
  bool is_conj = false, is_neg = false;
  pickle_fail(pickle, ctorch_aten_is_conj(&is_conj, tensor));
  pickle_fail(pickle, ctorch_aten_is_neg(&is_neg, tensor));
  if (!is_conj && !is_neg) {
    return;
  }
  pickle_op(pickle, OP_EMPTY_DICT);
  pickle_number(pickle);
  if (is_conj && is_neg) {
    pickle_op(pickle, OP_MARK);
  }
  if (is_neg) {
    pickle_new_text(pickle, "neg", NULL);
    pickle_bool(pickle, true);
  }
  if (is_conj) {
    pickle_new_text(pickle, "conj", NULL);
    pickle_bool(pickle, true);
  }
  pickle_op(pickle, is_conj && is_neg ? OP_SETITEMS : OP_SETITEM);
}

/* A tensor that looks at a storage. */
static void save_strided(
    struct pt_save *self, const ctorch_tensor *tensor, const ctorch_storage *storage, bool requires_grad) {
  struct pickle *pickle = &self->pickle;
  ctorch_dtype dtype = ctorch_tensor_dtype(tensor);
  bool is_quantized = ctorch_tensor_is_quantized(tensor);
  if (is_quantized && (self->flags & CTORCH_SAVE_SKIP_DATA) != 0) {
    pt_save_refuse(self, "a quantized tensor without its data");
    return;
  }
  bool is_typed = pt_save_note_storage(self, storage, dtype);
  if (is_quantized && !is_typed) {
    pt_save_refuse(self, "a quantized tensor whose memory is seen with other dtypes too");
    return;
  }
  const char *function = is_quantized ? "_rebuild_qtensor" : is_typed ? "_rebuild_tensor_v2" : "_rebuild_tensor_v3";
  pickle_global(pickle, "torch._utils", function);
  pickle_op(pickle, OP_MARK);
  pt_save_reference(self, storage, is_typed ? pt_storage_class(dtype) : NULL, ctorch_tensor_itemsize(tensor));
  pickle_int(pickle, ctorch_tensor_storage_offset(tensor));
  save_sizes(self, tensor);
  save_strides(self, tensor);
  if (is_quantized) {
    save_quantizer(self, tensor);
  }
  pickle_bool(pickle, requires_grad);
  pt_save_no_hooks(self);
  if (!is_typed) {
    pickle_global(pickle, "torch", ctorch_dtype_name(dtype));
  }
  if (!is_quantized) {
    save_metadata(self, tensor);
  }
  pickle_tuple(pickle, 7);
}

void pt_save_tensor(struct pt_save *self, const ctorch_tensor *tensor, bool requires_grad) {
  struct pickle *pickle = &self->pickle;
  bool has_no_elements = false; /* of zeros that are nowhere */
  pickle_fail(pickle, ctorch_aten__is_zerotensor(&has_no_elements, tensor));
  ctorch_layout layout = ctorch_tensor_layout(tensor);
  if (has_no_elements) {
    pt_save_refuse(self, "a ZeroTensor");
  } else if (ctorch_tensor_device_type(tensor) == CTORCH_DEVICE_TYPE_META) {
    save_meta(self, tensor, requires_grad);
  } else if (ctorch_tensor_is_nested(tensor) && layout == CTORCH_LAYOUT_STRIDED) {
    save_nested(self, tensor);
  } else if (layout == CTORCH_LAYOUT_STRIDED) {
    ctorch_storage *storage = NULL;
    ctorch_error *error = ctorch_storage_from_tensor(&storage, tensor);
    if (ctorch_error_kind_of(error) == CTORCH_ERROR_NOT_IMPLEMENTED) {
      ctorch_error_release(error);
      error = NULL;
      pt_save_refuse(self, "a tensor without memory of its own");
    }
    pickle_fail(pickle, error);
    if (storage != NULL) {
      save_strided(self, tensor, storage, requires_grad);
      ctorch_storage_release(storage);
    }
  } else if (layout == CTORCH_LAYOUT_SPARSE_COO) {
    save_sparse_coo(self, tensor);
  } else if (
      layout == CTORCH_LAYOUT_SPARSE_CSR || layout == CTORCH_LAYOUT_SPARSE_CSC || layout == CTORCH_LAYOUT_SPARSE_BSR ||
      layout == CTORCH_LAYOUT_SPARSE_BSC) {
    save_sparse_compressed(self, tensor);
  } else {
    pt_save_refuse(self, "a tensor of the layout %s", ctorch_layout_name(layout));
  }
  pickle_op(pickle, OP_REDUCE);
}
