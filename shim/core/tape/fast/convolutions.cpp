// Convolution and pooling of small images: what a kernel sees of an image is laid out as a column, and the rest is a
// product of matrices.
#include <math.h>
#include <string.h>

#include "core/tape/fast/fast.hpp"

namespace ctorch::tape {
namespace {

// What LibTorch's kernels do better: more multiplications, larger images, more elements to pool.
constexpr int64_t MOST_PRODUCTS = 1 << 19, MOST_PLACES = 256, MOST_POOLED = 8192, MOST_POOLED_BACKWARD = 1024;

/// Two numbers; one stands for both.
std::optional<std::pair<int64_t, int64_t>> two(const c10::IValue &value) {
  if (!value.isIntList()) {
    return std::nullopt;
  }
  auto all = value.toIntVector();
  return all.size() == 1   ? std::optional(std::pair(all[0], all[0]))
         : all.size() == 2 ? std::optional(std::pair(all[0], all[1]))
                           : std::nullopt;
}

struct Window {
  int64_t kernel, stride, padding, dilation;
};

/// Sizes of images of so many channels, of what becomes of them, and the windows by height and width.
struct Shape {
  int64_t batch, channels, height, width, out_height, out_width;
  Window y, x;

  int64_t places() const { return out_height * out_width; }
  int64_t seen() const { return channels * y.kernel * x.kernel; }
  int64_t image() const { return channels * height * width; }

  /// Whether stride and dilation are possible at all.
  bool fits(const at::Tensor &in, const at::Tensor &out) {
    if (!is_dense(in) || !is_dense(out) || in.dim() != 4 || out.dim() != 4 || in.size(0) != out.size(0)) {
      return false;
    }
    batch = in.size(0), channels = in.size(1), height = in.size(2), width = in.size(3);
    out_height = out.size(2), out_width = out.size(3);
    return y.stride > 0 && x.stride > 0 && y.dilation > 0 && x.dilation > 0 && y.kernel > 0 && x.kernel > 0;
  }

  /// From `left` until `right` of the columns of results, this column of the kernel is inside of the image.
  void inside(int64_t kernel_x, int64_t &left, int64_t &right) const {
    const int64_t offset = kernel_x * x.dilation - x.padding;
    left = offset >= 0 ? 0 : (-offset + x.stride - 1) / x.stride;
    right = offset >= width ? 0 : (width - 1 - offset) / x.stride + 1;
    left = left > out_width ? out_width : left;
    right = right > out_width ? out_width : right < left ? left : right;
  }
};

/// Of each place in the kernel (of each channel) a row, of what it sees at each place of the result.
void to_columns(float *columns, const float *image, const Shape &s) {
  for (int64_t c = 0; c < s.channels; c++) {
    for (int64_t ky = 0; ky < s.y.kernel; ky++) {
      for (int64_t kx = 0; kx < s.x.kernel; kx++) {
        int64_t left, right;
        s.inside(kx, left, right);
        for (int64_t oy = 0; oy < s.out_height; oy++, columns += s.out_width) {
          const int64_t iy = oy * s.y.stride - s.y.padding + ky * s.y.dilation;
          if (iy < 0 || iy >= s.height) {
            memset(columns, 0, static_cast<size_t>(s.out_width) * sizeof(float));
            continue;
          }
          const float *from = image + (c * s.height + iy) * s.width + kx * s.x.dilation - s.x.padding;
          for (int64_t ox = 0; ox < left; ox++) {
            columns[ox] = 0;
          }
          if (s.x.stride == 1) {
            memcpy(columns + left, from + left, static_cast<size_t>(right - left) * sizeof(float));
          } else {
            for (int64_t ox = left; ox < right; ox++) {
              columns[ox] = from[ox * s.x.stride];
            }
          }
          for (int64_t ox = right; ox < s.out_width; ox++) {
            columns[ox] = 0;
          }
        }
      }
    }
  }
}

/// The other way round: what rows have is added to the places of the image that they saw.
void from_columns(float *image, const float *columns, const Shape &s) {
  memset(image, 0, static_cast<size_t>(s.image()) * sizeof(float));
  for (int64_t c = 0; c < s.channels; c++) {
    for (int64_t ky = 0; ky < s.y.kernel; ky++) {
      for (int64_t kx = 0; kx < s.x.kernel; kx++) {
        int64_t left, right;
        s.inside(kx, left, right);
        for (int64_t oy = 0; oy < s.out_height; oy++, columns += s.out_width) {
          const int64_t iy = oy * s.y.stride - s.y.padding + ky * s.y.dilation;
          if (iy < 0 || iy >= s.height) {
            continue;
          }
          float *to = image + (c * s.height + iy) * s.width + kx * s.x.dilation - s.x.padding;
          for (int64_t ox = left; ox < right; ox++) {
            to[ox * s.x.stride] += columns[ox];
          }
        }
      }
    }
  }
}

/// The same transposed: of each place of the result a row.
void transpose(float *to, const float *from, int64_t rows, int64_t columns) {
  for (int64_t i = 0; i < rows; i++) {
    for (int64_t k = 0; k < columns; k++) {
      to[k * rows + i] = from[i * columns + k];
    }
  }
}

// Convolution ---------------------------------------------------------------------------------------------------------

struct Settings {
  c10::IValue stride, padding, dilation;
};

std::optional<Shape> shape_of(
    const at::Tensor &in, const at::Tensor &weight, const at::Tensor &out, const Settings &settings) {
  auto stride = two(settings.stride), padding = two(settings.padding), dilation = two(settings.dilation);
  if (!stride || !padding || !dilation || !is_dense(weight) || weight.dim() != 4) {
    return std::nullopt;
  }
  Shape s{};
  s.y = {weight.size(2), stride->first, padding->first, dilation->first};
  s.x = {weight.size(3), stride->second, padding->second, dilation->second};
  if (!s.fits(in, out) || weight.size(1) != s.channels || weight.size(0) != out.size(1) || s.places() > MOST_PLACES ||
      s.batch * s.places() * s.seen() * weight.size(0) > MOST_PRODUCTS) {
    return std::nullopt;
  }
  return s;
}

struct Convolution {
  void operator()() {
    for (int64_t b = 0; b < shape.batch; b++) {
      float *to = out + b * filters * shape.places();
      for (int64_t i = 0; i < filters; i++) {
        for (int64_t k = 0; bias != nullptr && k < shape.places(); k++) {
          to[i * shape.places() + k] = bias[i];
        }
      }
      to_columns(columns.data(), in + b * shape.image(), shape);
      with->multiply(
          to, shape.places(), weight, shape.seen(), 1, columns.data(), shape.places(), filters, shape.places(),
          shape.seen(), bias != nullptr);
    }
  }

  Shape shape;
  int64_t filters;
  float *out;
  const float *in, *weight, *bias;
  std::vector<float> columns;
  const Loops *with;
};

std::unique_ptr<Step> convolved(const Record &record, const at::Tensor &bias, const Settings &settings) {
  const at::Tensor &in = tensor(record.args, 0), &weight = tensor(record.args, 1), &out = tensor(record.outs, 0);
  auto shape = shape_of(in, weight, out, settings);
  if (!shape || (bias.defined() && !is_dense(bias)) || !are_apart(out, in) || !are_apart(out, weight) ||
      !are_apart(out, bias)) {
    return nullptr;
  }
  return step(Convolution{
      *shape, weight.size(0), floats(out), floats(in), floats(weight), floats_or_null(bias),
      std::vector<float>(shape->seen() * shape->places()), &loops()});
}

const c10::IValue &ones() {
  static const c10::IValue value(std::vector<int64_t>{1, 1});
  return value;
}

/// self, weight, kernel_size, bias, stride, padding
std::unique_ptr<Step> slow_convolution(const Record &record) {
  return convolved(record, tensor(record.args, 3), {record.args[4], record.args[5], ones()});
}

/// self, weight, bias, padding, stride, dilation, groups
std::unique_ptr<Step> mkldnn_convolution(const Record &record) {
  return record.args[6].toInt() != 1
             ? nullptr
             : convolved(record, tensor(record.args, 2), {record.args[4], record.args[3], record.args[5]});
}

/// input, weight, bias, stride, padding, dilation, transposed, output_padding, groups
std::unique_ptr<Step> convolution(const Record &record) {
  return record.args[6].toBool() || record.args[8].toInt() != 1
             ? nullptr
             : convolved(record, tensor(record.args, 2), {record.args[3], record.args[4], record.args[5]});
}

struct ConvolutionBackward {
  void operator()() {
    const int64_t places = shape.places(), seen = shape.seen();
    for (int64_t i = 0; bias_grad != nullptr && i < filters; i++) {
      float sum = 0;
      for (int64_t b = 0; b < shape.batch; b++) {
        sum += with->sum(grad + (b * filters + i) * places, places);
      }
      bias_grad[i] = sum;
    }
    for (int64_t b = 0; b < shape.batch; b++) {
      const float *from = grad + b * filters * places;
      if (weight_grad != nullptr) {
        to_columns(columns.data(), in + b * shape.image(), shape);
        transpose(transposed.data(), columns.data(), seen, places);
        with->multiply(weight_grad, seen, from, places, 1, transposed.data(), seen, filters, seen, places, b > 0);
      }
      if (in_grad != nullptr) {
        with->multiply(columns.data(), places, weight, 1, seen, from, places, seen, places, filters, false);
        from_columns(in_grad + b * shape.image(), columns.data(), shape);
      }
    }
  }

  Shape shape;
  int64_t filters;
  float *in_grad, *weight_grad, *bias_grad;
  const float *grad, *in, *weight;
  std::vector<float> columns, transposed;
  const Loops *with;
};

std::unique_ptr<Step> convolved_backward(const Record &record, const Settings &settings) {
  const at::Tensor &grad = tensor(record.args, 0), &in = tensor(record.args, 1), &weight = tensor(record.args, 2);
  const at::Tensor &in_grad = tensor(record.outs, 0), &weight_grad = tensor(record.outs, 1),
                   &bias_grad = tensor(record.outs, 2);
  auto shape = shape_of(in, weight, grad, settings);
  bool good = shape && (!in_grad.defined() || (is_dense(in_grad) && in_grad.sizes() == in.sizes())) &&
              (!weight_grad.defined() || (is_dense(weight_grad) && weight_grad.sizes() == weight.sizes())) &&
              (!bias_grad.defined() || (is_dense(bias_grad) && bias_grad.numel() == weight.size(0)));
  for (const at::Tensor *result : {&in_grad, &weight_grad, &bias_grad}) {
    for (const at::Tensor *given : {&grad, &in, &weight}) {
      good = good && are_apart(*result, *given);
    }
  }
  if (!good) {
    return nullptr;
  }
  auto or_null = [](const at::Tensor &t) { return t.defined() ? floats(t) : nullptr; };
  const int64_t size = shape->seen() * shape->places();
  return step(ConvolutionBackward{
      *shape, weight.size(0), or_null(in_grad), or_null(weight_grad), or_null(bias_grad), floats(grad), floats(in),
      floats(weight), std::vector<float>(size), std::vector<float>(size), &loops()});
}

/// grad_output, self, weight, kernel_size, stride, padding, output_mask
std::unique_ptr<Step> slow_convolution_backward(const Record &record) {
  return convolved_backward(record, {record.args[4], record.args[5], ones()});
}

/// grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups, output_mask
std::unique_ptr<Step> convolution_backward(const Record &record) {
  return record.args[7].toBool() || record.args[9].toInt() != 1
             ? nullptr
             : convolved_backward(record, {record.args[4], record.args[5], record.args[6]});
}

// Pooling -------------------------------------------------------------------------------------------------------------

struct MaxPool {
  void operator()() const {
    float *to = out;
    int64_t *number = indices;
    for (int64_t plane = 0; plane < shape.batch * shape.channels; plane++) {
      const float *image = in + plane * shape.height * shape.width;
      for (int64_t oy = 0; oy < shape.out_height; oy++) {
        for (int64_t ox = 0; ox < shape.out_width; ox++) {
          one(*to++, *number++, image, oy * shape.y.stride - shape.y.padding, ox * shape.x.stride - shape.x.padding);
        }
      }
    }
  }
  /// The greatest of a window and where it is; the last NaN, if there is one.
  void one(float &to, int64_t &number, const float *image, int64_t top, int64_t left) const {
    float best = -INFINITY;
    int64_t where = -1;
    for (int64_t ky = 0; ky < shape.y.kernel; ky++) {
      const int64_t y = top + ky * shape.y.dilation;
      for (int64_t kx = 0; y >= 0 && y < shape.height && kx < shape.x.kernel; kx++) {
        const int64_t x = left + kx * shape.x.dilation;
        if (x < 0 || x >= shape.width) {
          continue;
        }
        const float value = image[y * shape.width + x];
        if (where < 0 || value > best || isnan(value)) {
          best = value;
          where = y * shape.width + x;
        }
      }
    }
    to = best;
    number = where;
  }

  Shape shape;
  float *out;
  int64_t *indices;
  const float *in;
};

/// self, kernel_size, stride, padding, dilation, ceil_mode
std::unique_ptr<Step> max_pool(const Record &record) {
  const at::Tensor &in = tensor(record.args, 0), &out = tensor(record.outs, 0), &indices = tensor(record.outs, 1);
  auto kernel = two(record.args[1]), padding = two(record.args[3]), dilation = two(record.args[4]);
  const c10::IValue &strides = record.args[2];
  auto stride = strides.isIntList() && strides.toIntVector().empty() ? kernel : two(strides);
  if (!kernel || !stride || !padding || !dilation || !is_index(indices)) {
    return nullptr;
  }
  Shape s{};
  s.y = {kernel->first, stride->first, padding->first, dilation->first};
  s.x = {kernel->second, stride->second, padding->second, dilation->second};
  if (!s.fits(in, out) || out.size(1) != s.channels || indices.sizes() != out.sizes() || in.numel() > MOST_POOLED ||
      !are_apart(out, in)) {
    return nullptr;
  }
  return step(MaxPool{s, floats(out), indices.data_ptr<int64_t>(), floats(in)});
}

/// grad_output, self, kernel_size, stride, padding, dilation, ceil_mode, indices
std::unique_ptr<Step> max_pool_backward(const Record &record) {
  const at::Tensor &grad = tensor(record.args, 0), &in = tensor(record.args, 1), &indices = tensor(record.args, 7),
                   &out = tensor(record.outs, 0);
  if (!is_dense(grad) || !is_dense(out) || !is_index(indices) || out.dim() != 4 || grad.dim() != 4 ||
      in.sizes() != out.sizes() || indices.sizes() != grad.sizes() || out.numel() > MOST_POOLED_BACKWARD ||
      !are_apart(out, grad) || !are_apart(out, indices)) {
    return nullptr;
  }
  const int64_t planes = out.size(0) * out.size(1);
  return step([to = floats(out), from = floats(grad), numbers = indices.const_data_ptr<int64_t>(), planes,
               image = out.numel() / planes, places = grad.numel() / planes] {
    memset(to, 0, static_cast<size_t>(planes * image) * sizeof(float));
    for (int64_t i = 0; i < planes; i++) {
      for (int64_t k = 0; k < places; k++) {
        const int64_t number = numbers[i * places + k];
        if (number >= 0 && number < image) {
          to[i * image + number] += from[i * places + k];
        }
      }
    }
  });
}

}  // namespace

Makers convolution_makers() {
  static const Maker all[] = {
      {"aten::_slow_conv2d_forward", 6, slow_convolution},
      {"aten::_slow_conv2d_backward.output_mask", 7, slow_convolution_backward},
      {"aten::mkldnn_convolution", 7, mkldnn_convolution},
      {"aten::convolution", 9, convolution},
      {"aten::convolution_backward", 11, convolution_backward},
      {"aten::max_pool2d_with_indices", 6, max_pool},
      {"aten::max_pool2d_with_indices_backward", 8, max_pool_backward},
  };
  return all;
}

}  // namespace ctorch::tape
