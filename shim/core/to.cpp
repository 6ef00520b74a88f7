#include "to.hpp"

namespace ctorch::to {

void give_recorded(const at::Tensor &tensor, ctorch_tensor **out) {
  record_released({{tensor.unsafeGetTensorImpl(), Kind::Tensor}});
  *out = owned(tensor);
}

ctorch_scalar scalar(const at::Scalar &value) {
  ctorch_scalar result = {};
  if (value.isComplex()) {
    auto number = value.toComplexDouble();
    result.kind = CTORCH_SCALAR_COMPLEX;
    result.re = number.real();
    result.im = number.imag();
  } else if (value.isFloatingPoint()) {
    result.kind = CTORCH_SCALAR_FLOAT;
    result.re = value.toDouble();
  } else if (value.isBoolean()) {
    result.kind = CTORCH_SCALAR_BOOL;
    result.i = value.toBool();
  } else if (value.type() == at::ScalarType::UInt64) {
    result.kind = CTORCH_SCALAR_UINT;
    result.i = static_cast<int64_t>(value.toUInt64());
  } else {
    result.i = value.toLong();
  }
  return result;
}

}  // namespace ctorch::to
