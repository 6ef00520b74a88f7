// Element by element: functions of one tensor, of two, of a tensor and a number.
#include "core/tape/fast/fast.hpp"

namespace ctorch::tape {
namespace {

/// Floats of `out` and of inputs that are of its sizes or broadcast to them.
std::optional<Rows> float_rows(const at::Tensor &out, std::initializer_list<at::Tensor> inputs) {
  bool good = is_float(out) && is_small(out.numel());
  for (const at::Tensor &in : inputs) {
    good = good && is_float(in);
  }
  return good ? rows_of(out, inputs) : std::nullopt;
}

// Of one ----------------------------------------------------------------------------------------------------------

std::unique_ptr<Step> unary(const Record &record, Loops::Unary loop) {
  auto rows = float_rows(tensor(record.outs, 0), {tensor(record.args, 0)});
  if (!rows || rows->operands[1].repeats) {
    return nullptr;
  }
  if (rows->rows == 1) {
    return step(
        [loop, out = rows->at<float>(0, 0), in = rows->at<float>(1, 0), len = rows->len] { loop(out, in, len); });
  }
  return by_rows(*rows, [loop](const Rows &r, int64_t i) { loop(r.at<float>(0, i), r.at<float>(1, i), r.len); });
}

template <Loops::Unary Loops::*loop>
std::unique_ptr<Step> unary(const Record &record) {
  return unary(record, loops().*loop);
}

std::unique_ptr<Step> gelu(const Record &record) {
  return unary(record, record.args[1].toStringRef() == "tanh" ? loops().gelu_tanh : loops().gelu);
}

// Of two ----------------------------------------------------------------------------------------------------------

std::unique_ptr<Step> binary(const Record &record, Loops::Binary loop) {
  auto rows = float_rows(tensor(record.outs, 0), {tensor(record.args, 0), tensor(record.args, 1)});
  if (!rows || rows->operands[1].repeats || rows->operands[2].repeats) {
    return nullptr;
  }
  return by_rows(*rows, [loop](const Rows &r, int64_t i) {
    loop(r.at<float>(0, i), r.at<float>(1, i), r.at<float>(2, i), r.len);
  });
}

template <Loops::Binary Loops::*loop>
std::unique_ptr<Step> binary(const Record &record) {
  return binary(record, loops().*loop);
}

std::unique_ptr<Step> gelu_backward(const Record &record) {
  const bool by_tanh = record.args[2].toStringRef() == "tanh";
  return binary(record, by_tanh ? loops().gelu_tanh_backward : loops().gelu_backward);
}

std::unique_ptr<Step> scaled(const Record &record, Loops::Scaled loop, float number) {
  auto rows = float_rows(tensor(record.outs, 0), {tensor(record.args, 0), tensor(record.args, 1)});
  if (!rows || rows->operands[1].repeats || rows->operands[2].repeats) {
    return nullptr;
  }
  return by_rows(*rows, [loop, number](const Rows &r, int64_t i) {
    loop(r.at<float>(0, i), r.at<float>(1, i), r.at<float>(2, i), number, r.len);
  });
}

std::unique_ptr<Step> threshold_backward(const Record &record) {
  return scaled(record, loops().threshold_backward, record.args[2].toScalar().toFloat());
}

std::unique_ptr<Step> lerp(const Record &record) {
  return scaled(record, loops().lerp, record.args[2].toScalar().toFloat());
}

// Of a tensor and a number ----------------------------------------------------------------------------------------

std::unique_ptr<Step> with_number(const Record &record, Loops::WithNumber loop, float number) {
  auto rows = float_rows(tensor(record.outs, 0), {tensor(record.args, 0)});
  if (!rows || rows->operands[1].repeats) {
    return nullptr;
  }
  return by_rows(
      *rows, [loop, number](const Rows &r, int64_t i) { loop(r.at<float>(0, i), r.at<float>(1, i), number, r.len); });
}

/// A tensor of one element, of whichever dtype, as a float.
struct Number {
  static std::optional<Number> of(const at::Tensor &t) {
    const bool known =
        is_readable(t) && t.dim() == 0 &&
        (t.scalar_type() == at::kFloat || t.scalar_type() == at::kDouble || t.scalar_type() == at::kLong);
    return known ? std::optional(Number{t.const_data_ptr(), t.scalar_type()}) : std::nullopt;
  }
  float operator()() const {
    switch (dtype) {
      case at::kFloat:
        return *static_cast<const float *>(data);
      case at::kDouble:
        return static_cast<float>(*static_cast<const double *>(data));
      default:
        return static_cast<float>(*static_cast<const int64_t *>(data));
    }
  }

  const void *data;
  at::ScalarType dtype;
};

std::unique_ptr<Step> with_tensor_number(
    const at::Tensor &out, const at::Tensor &a, const at::Tensor &number, Loops::WithNumber loop, float factor) {
  auto value = Number::of(number);
  auto rows = value && are_apart(out, number) ? float_rows(out, {a}) : std::nullopt;
  if (!rows || rows->operands[1].repeats) {
    return nullptr;
  }
  return by_rows(*rows, [loop, factor, value = *value](const Rows &r, int64_t i) {
    loop(r.at<float>(0, i), r.at<float>(1, i), factor * value(), r.len);
  });
}

/// a + factor * b, where b may be one number, or one a row; and so a, if they are added or multiplied as they are.
std::unique_ptr<Step> add_scaled(const Record &record, float factor) {
  const at::Tensor &out = tensor(record.outs, 0), &a = tensor(record.args, 0), &b = tensor(record.args, 1);
  if (b.defined() && b.dim() == 0 && out.dim() > 0) {
    return with_tensor_number(out, a, b, loops().add_number, factor);
  }
  if (a.defined() && a.dim() == 0 && out.dim() > 0 && factor == 1) {
    return with_tensor_number(out, b, a, loops().add_number, 1);
  }
  auto rows = float_rows(out, {a, b});
  if (!rows || rows->operands[1].repeats) {
    return nullptr;
  }
  if (rows->operands[2].repeats) {
    return by_rows(*rows, [loop = loops().add_number, factor](const Rows &r, int64_t i) {
      loop(r.at<float>(0, i), r.at<float>(1, i), factor * *r.at<float>(2, i), r.len);
    });
  }
  return by_rows(*rows, [loop = loops().add, factor](const Rows &r, int64_t i) {
    loop(r.at<float>(0, i), r.at<float>(1, i), r.at<float>(2, i), factor, r.len);
  });
}

std::unique_ptr<Step> add(const Record &record) { return add_scaled(record, record.args[2].toScalar().toFloat()); }
std::unique_ptr<Step> sub(const Record &record) { return add_scaled(record, -record.args[2].toScalar().toFloat()); }

std::unique_ptr<Step> times(const Record &record, Loops::Binary loop, Loops::WithNumber number, bool commutes) {
  const at::Tensor &out = tensor(record.outs, 0), &a = tensor(record.args, 0), &b = tensor(record.args, 1);
  if (b.defined() && b.dim() == 0 && out.dim() > 0) {
    return with_tensor_number(out, a, b, number, 1);
  }
  if (commutes && a.defined() && a.dim() == 0 && out.dim() > 0) {
    return with_tensor_number(out, b, a, number, 1);
  }
  auto rows = float_rows(out, {a, b});
  if (!rows || rows->operands[1].repeats) {
    return nullptr;
  }
  if (rows->operands[2].repeats) {
    return by_rows(*rows, [number](const Rows &r, int64_t i) {
      number(r.at<float>(0, i), r.at<float>(1, i), *r.at<float>(2, i), r.len);
    });
  }
  return by_rows(*rows, [loop](const Rows &r, int64_t i) {
    loop(r.at<float>(0, i), r.at<float>(1, i), r.at<float>(2, i), r.len);
  });
}

std::unique_ptr<Step> mul(const Record &record) { return times(record, loops().mul, loops().mul_number, true); }
std::unique_ptr<Step> div(const Record &record) { return times(record, loops().div, loops().div_number, false); }

/// Whether a scalar is a real number.
bool is_real(const c10::IValue &value) { return value.isScalar() && !value.toScalar().isComplex(); }

std::unique_ptr<Step> add_scalar(const Record &record) {
  if (!is_real(record.args[1]) || !is_real(record.args[2])) {
    return nullptr;
  }
  const double number = record.args[1].toScalar().toDouble() * record.args[2].toScalar().toDouble();
  return with_number(record, loops().add_number, static_cast<float>(number));
}
std::unique_ptr<Step> sub_scalar(const Record &record) {
  if (!is_real(record.args[1]) || !is_real(record.args[2])) {
    return nullptr;
  }
  const double number = record.args[1].toScalar().toDouble() * record.args[2].toScalar().toDouble();
  return with_number(record, loops().add_number, static_cast<float>(-number));
}
std::unique_ptr<Step> mul_scalar(const Record &record) {
  return is_real(record.args[1]) ? with_number(record, loops().mul_number, record.args[1].toScalar().toFloat())
                                 : nullptr;
}
std::unique_ptr<Step> div_scalar(const Record &record) {
  return is_real(record.args[1]) ? with_number(record, loops().div_number, record.args[1].toScalar().toFloat())
                                 : nullptr;
}

}  // namespace

Makers element_makers() {
  static const Maker all[] = {
      {"aten::relu", 1, unary<&Loops::relu>},
      {"aten::relu_", 1, unary<&Loops::relu>},
      {"aten::sigmoid", 1, unary<&Loops::sigmoid>},
      {"aten::sigmoid_", 1, unary<&Loops::sigmoid>},
      {"aten::tanh", 1, unary<&Loops::tanh>},
      {"aten::tanh_", 1, unary<&Loops::tanh>},
      {"aten::silu", 1, unary<&Loops::silu>},
      {"aten::silu_", 1, unary<&Loops::silu>},
      {"aten::exp", 1, unary<&Loops::exp>},
      {"aten::exp_", 1, unary<&Loops::exp>},
      {"aten::gelu", 2, gelu},
      {"aten::sigmoid_backward", 2, binary<&Loops::sigmoid_backward>},
      {"aten::tanh_backward", 2, binary<&Loops::tanh_backward>},
      {"aten::gelu_backward", 3, gelu_backward},
      {"aten::threshold_backward", 3, threshold_backward},
      {"aten::lerp.Scalar", 3, lerp},
      {"aten::lerp_.Scalar", 3, lerp},
      {"aten::add.Tensor", 3, add},
      {"aten::add_.Tensor", 3, add},
      {"aten::add.out", 4, add},
      {"aten::sub.Tensor", 3, sub},
      {"aten::sub_.Tensor", 3, sub},
      {"aten::sub.out", 4, sub},
      {"aten::mul.Tensor", 2, mul},
      {"aten::mul_.Tensor", 2, mul},
      {"aten::mul.out", 3, mul},
      {"aten::div.Tensor", 2, div},
      {"aten::div_.Tensor", 2, div},
      {"aten::div.out", 3, div},
      {"aten::add.Scalar", 3, add_scalar},
      {"aten::add_.Scalar", 3, add_scalar},
      {"aten::sub.Scalar", 3, sub_scalar},
      {"aten::sub_.Scalar", 3, sub_scalar},
      {"aten::mul.Scalar", 2, mul_scalar},
      {"aten::mul_.Scalar", 2, mul_scalar},
      {"aten::div.Scalar", 2, div_scalar},
      {"aten::div_.Scalar", 2, div_scalar},
  };
  return all;
}

}  // namespace ctorch::tape
