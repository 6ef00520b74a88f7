// The parts of to.hpp that are not worth inlining.
#include "core/abi/to.hpp"

namespace ctorch::to {

void give_recorded(at::TensorImpl *tensor, ctorch_tensor **out) {
  Handle handle{tensor, Kind::Tensor};
  record_released({handle});
  *out = is_owned(handle) ? reinterpret_cast<ctorch_tensor *>(tensor) : nullptr;
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
