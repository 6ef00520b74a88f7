// Loops over contiguous floats, which know nothing of LibTorch, compiled for several kinds of processor.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace ctorch::tape {

/// What Adam and AdamW do to each element: the numbers of one step of one tensor.
struct AdamNumbers {
  float beta1, beta2, one_less_beta1, one_less_beta2;
  float decay;         // AdamW: what the parameter is multiplied by
  float weight_decay;  // Adam: how much of the parameter is added to the gradient
  float step_size, root_of_correction, eps;
  bool maximize;
};

struct SgdNumbers {
  float lr, momentum, one_less_dampening, weight_decay;
  bool nesterov, maximize, first;
};

/// An output may be the same memory as an input, unless said otherwise.
struct Loops {
  using Unary = void (*)(float *out, const float *in, size_t len);
  using Binary = void (*)(float *out, const float *a, const float *b, size_t len);
  using WithNumber = void (*)(float *out, const float *a, float number, size_t len);
  using Scaled = void (*)(float *out, const float *a, const float *b, float number, size_t len);

  Unary relu, sigmoid, tanh, silu, gelu, gelu_tanh, exp;
  Binary mul, div, sigmoid_backward, tanh_backward, gelu_backward, gelu_tanh_backward;
  WithNumber add_number, mul_number, div_number;
  Scaled add;                 // a + number * b
  Scaled threshold_backward;  // a where b is above the number
  Scaled lerp;                // from a to b

  float (*sum)(const float *in, size_t len);
  /// out[j]: the sum of in[i][j]; `out` apart from `in`.
  void (*sum_columns)(float *out, const float *in, size_t rows, size_t columns, size_t in_stride);

  Unary softmax, log_softmax;  // of one row
  /// Of one row, in place; it answers the logarithm of what was divided by. If all are -inf, all become 0, and so is
  /// the answer.
  float (*attend)(float *row, size_t len);
  Binary softmax_backward, log_softmax_backward;
  /// Of one row; `weight` and `bias` may be null.
  void (*layer_norm)(
      float *out,
      float *mean,
      float *rstd,
      const float *in,
      const float *weight,
      const float *bias,
      float eps,
      size_t len);
  /// Of one row; `weight` may be null, and so may each of the three results. The latter two are added to.
  void (*layer_norm_backward)(
      float *out,
      float *weight_grad,
      float *bias_grad,
      const float *grad,
      const float *in,
      const float *weight,
      float mean,
      float rstd,
      size_t len);

  /// y[i * y_stride] = (adds ? y[i * y_stride] : 0) + alpha * sum over k of w[i][k] * x[k]; y apart from the others.
  void (*dots)(
      float *y,
      size_t y_stride,
      const float *w,
      size_t w_stride,
      const float *x,
      size_t rows,
      size_t len,
      float alpha,
      bool adds);
  /// y[j] = (adds ? y[j] : 0) + alpha * sum over k of x[k * x_stride] * w[k][j]; y apart from the others.
  void (*combine)(
      float *y,
      const float *w,
      size_t w_stride,
      const float *x,
      size_t x_stride,
      size_t rows,
      size_t len,
      float alpha,
      bool adds);
  /// c[i][j] = (adds ? c[i][j] : 0) + sum over k of a[i * a_row + k * a_column] * b[k][j]; c apart from the others.
  void (*multiply)(
      float *c,
      size_t c_stride,
      const float *a,
      size_t a_row,
      size_t a_column,
      const float *b,
      size_t b_stride,
      size_t rows,
      size_t columns,
      size_t len,
      bool adds);

  /// `max_exp_avg_sq` is null without AMSGrad.
  void (*adam)(
      float *param,
      const float *grad,
      float *exp_avg,
      float *exp_avg_sq,
      float *max_exp_avg_sq,
      const AdamNumbers &numbers,
      size_t len);
  /// `momentum` is null without.
  void (*sgd)(float *param, const float *grad, float *momentum, const SgdNumbers &numbers, size_t len);
};

/// Those for the processor at hand.
const Loops &loops();

}  // namespace ctorch::tape
