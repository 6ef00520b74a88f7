// Tensors as Python's files have them: parameters, and memory that is shown conjugated or negated (c/python.h).
#include "core/value/parameter.hpp"

#include "core/abi/from.hpp"
#include "core/abi/handle.hpp"
#include "core/c/python.h"

using namespace ctorch;

namespace {

/// LibTorch lets a backend keep what it likes beside a tensor. Views and shallow copies ask for a copy of it, and get
/// none.
struct ParameterMark final : c10::BackendMeta {
  c10::intrusive_ptr<c10::BackendMeta> clone(const c10::intrusive_ptr<c10::BackendMeta> &) const override { return {}; }
};

}  // namespace

namespace ctorch {

void set_parameter(const at::Tensor &tensor) {
  tensor.unsafeGetTensorImpl()->set_backend_meta(c10::make_intrusive<ParameterMark>());
}

bool is_parameter(const at::TensorImpl &tensor) {
  return dynamic_cast<const ParameterMark *>(const_cast<at::TensorImpl &>(tensor).get_backend_meta()) != nullptr;
}

}  // namespace ctorch

ctorch_error *tensor_set_bits(const char *function, ctorch_tensor *self, bool is_conj, bool is_neg) {
  return guard(function, [&] {
    const at::Tensor &tensor = from::tensor(self, "self");
    // Indices and the like are read where they lie.
    if ((is_conj && !tensor.is_complex()) || !(tensor.is_complex() || tensor.is_floating_point())) {
      fail(CTORCH_ERROR_TYPE, "self: such a tensor is never shown conjugated or negated");
    }
    tensor._set_conj(is_conj);
    tensor._set_neg(is_neg);
  });
}

ctorch_error *tensor_set_parameter(const char *function, ctorch_tensor *self) {
  return guard(function, [&] { set_parameter(from::tensor(self, "self")); });
}

bool tensor_is_parameter(const ctorch_tensor *self) { return self != nullptr && is_parameter(*impl(self)); }
