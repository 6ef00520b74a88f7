// The loops themselves, which loops.cpp includes once for each kind of processor.

typedef float V __attribute__((vector_size(4 * WIDTH)));
typedef int32_t I __attribute__((vector_size(4 * WIDTH)));
typedef float Unaligned __attribute__((vector_size(4 * WIDTH), aligned(4), may_alias));
typedef float Quarter __attribute__((vector_size(16)));
typedef float UnalignedQuarter __attribute__((vector_size(16), aligned(4), may_alias));

INLINE V load(const float *p) { return *reinterpret_cast<const Unaligned *>(p); }
INLINE void store(float *p, V v) { *reinterpret_cast<Unaligned *>(p) = v; }
INLINE V all(float value) { return value - V{}; }

#if WIDTH == 8
INLINE __m256i first(size_t few) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(few)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
#endif
/// The first few, and zeros.
INLINE V load_few(const float *p, size_t few) {
#if WIDTH == 16
  return (V)_mm512_maskz_loadu_ps(static_cast<__mmask16>((1U << few) - 1), p);
#elif WIDTH == 8
  return (V)_mm256_maskload_ps(p, first(few));
#else
  float t[WIDTH] = {};
  for (size_t i = 0; i < few; i++) {
    t[i] = p[i];
  }
  return load(t);
#endif
}
INLINE void store_few(float *p, V v, size_t few) {
#if WIDTH == 16
  _mm512_mask_storeu_ps(p, static_cast<__mmask16>((1U << few) - 1), (__m512)v);
#elif WIDTH == 8
  _mm256_maskstore_ps(p, first(few), (__m256)v);
#else
  float t[WIDTH];
  store(t, v);
  for (size_t i = 0; i < few; i++) {
    p[i] = t[i];
  }
#endif
}

// Functions -------------------------------------------------------------------------------------------------------

INLINE V as_floats(I bits) {
  V v;
  memcpy(&v, &bits, sizeof v);
  return v;
}
INLINE I as_ints(V v) {
  I bits;
  memcpy(&bits, &v, sizeof v);
  return bits;
}
INLINE V choose(I where, V yes, V no) { return as_floats((where & as_ints(yes)) | (~where & as_ints(no))); }
INLINE V magnitude(V x) { return as_floats(as_ints(x) & 0x7fffffff); }
INLINE V with_sign_of(V x, V sign) { return as_floats(as_ints(x) | (as_ints(sign) & INT32_MIN)); }
INLINE V root(V x) {
#if WIDTH == 16
  return (V)_mm512_maskz_sqrt_ps(0xffff, (__m512)x);  // GCC 12 warns of the plain one
#elif WIDTH == 8
  return (V)_mm256_sqrt_ps((__m256)x);
#elif defined(__x86_64__)
  return (V)_mm_sqrt_ps((__m128)x);
#else
  float t[WIDTH];
  store(t, x);
  for (size_t i = 0; i < WIDTH; i++) {
    t[i] = __builtin_sqrtf(t[i]);
  }
  return load(t);
#endif
}

/// e^x: the nearest power of two, and a polynomial for what is left, within ln 2 / 2 of 0 (its Taylor series).
INLINE V exponential(V x) {
  const float magic = 12582912;  // 1.5 * 2^23: adding it rounds to an integer, which its last bits are then
  x = choose(x < -104, all(-104), x);
  x = choose(x > 104, all(104), x);
  const V shifted = x * 1.44269504F + magic;
  const V n = shifted - magic;
  V r = x - n * 0.693145752F;
  r = r - n * 1.42860677e-6F;
  V p = r * (1.0F / 5040) + 1.0F / 720;
  p = p * r + 1.0F / 120;
  p = p * r + 1.0F / 24;
  p = p * r + 1.0F / 6;
  p = p * r + 0.5F;
  p = p * (r * r) + r + 1;
  // By halves: 2^n itself may be no float.
  const I whole = as_ints(shifted) - 0x4b400000, half = whole >> 1;
  return p * as_floats((half + 127) << 23) * as_floats((whole - half + 127) << 23);
}

INLINE V sigmoid_of(V x) { return 1 / (1 + exponential(-x)); }

/// Near 0 a polynomial (Cephes, tanhf.c), else by e^2x.
INLINE V tanh_of(V x) {
  const V size = magnitude(x), z = x * x;
  V p = z * -5.70498872745e-3F + 2.06390887954e-2F;
  p = p * z - 5.37397155531e-2F;
  p = p * z + 1.33314422036e-1F;
  p = p * z - 3.33332819422e-1F;
  const V near = p * z * x + x;
  const V far = with_sign_of(1 - 2 / (exponential(size + size) + 1), x);
  return choose(size < 0.625F, near, far);
}

/// Half of erfc(|x| / sqrt 2), as Abramowitz and Stegun have it (7.1.26) with two more terms: within 1e-8.
INLINE V upper_tail(V x) {
  const V t = 1 / (1 + 0.231641892F * magnitude(x));
  V p = t * -0.129032413F + 0.440333463F;
  p = p * t - 0.297507236F;
  p = p * t + 0.342554553F;
  p = p * t + 0.0895240353F;
  p = p * t + 0.185156141F;
  p = p * t + 0.184134895F;
  p = p * t + 0.184836577F;
  return 0.5F * (p * t * exponential(-0.5F * (x * x)));
}
/// The normal distribution's.
INLINE V cumulative(V x) { return choose(x < 0, upper_tail(x), 1 - upper_tail(x)); }

INLINE V gelu_tanh_inner(V x) { return tanh_of(0.797884561F * (x + 0.044715F * (x * x * x))); }

// Element by element ----------------------------------------------------------------------------------------------

#define UNARY(name, value)                                    \
  static void name(float *out, const float *in, size_t len) { \
    size_t i = 0;                                             \
    for (; i + WIDTH <= len; i += WIDTH) {                    \
      const V x = load(in + i);                               \
      store(out + i, value);                                  \
    }                                                         \
    if (i < len) {                                            \
      const V x = load_few(in + i, len - i);                  \
      store_few(out + i, value, len - i);                     \
    }                                                         \
  }

UNARY(relu, choose(x < 0, V{}, x))
UNARY(sigmoid, sigmoid_of(x))
UNARY(tanh, tanh_of(x))
UNARY(silu, x / (1 + exponential(-x)))
UNARY(gelu, x *cumulative(x))
UNARY(gelu_tanh, 0.5F * x * (1 + gelu_tanh_inner(x)))
UNARY(exp, exponential(x))
#undef UNARY

#define WITH_NUMBER(name, value)                                           \
  static void name(float *out, const float *a, float number, size_t len) { \
    size_t i = 0;                                                          \
    for (; i + WIDTH <= len; i += WIDTH) {                                 \
      const V x = load(a + i);                                             \
      store(out + i, value);                                               \
    }                                                                      \
    if (i < len) {                                                         \
      const V x = load_few(a + i, len - i);                                \
      store_few(out + i, value, len - i);                                  \
    }                                                                      \
  }

WITH_NUMBER(add_number, x + number)
WITH_NUMBER(mul_number, x *number)
WITH_NUMBER(div_number, x / number)
#undef WITH_NUMBER

#define TWO(name, number, value)                                                    \
  static void name(float *out, const float *a, const float *b number, size_t len) { \
    size_t i = 0;                                                                   \
    for (; i + WIDTH <= len; i += WIDTH) {                                          \
      const V x = load(a + i), y = load(b + i);                                     \
      store(out + i, value);                                                        \
    }                                                                               \
    if (i < len) {                                                                  \
      const V x = load_few(a + i, len - i), y = load_few(b + i, len - i);           \
      store_few(out + i, value, len - i);                                           \
    }                                                                               \
  }
#define NO_NUMBER
#define ONE_NUMBER , float number

TWO(mul, NO_NUMBER, x *y)
TWO(div, NO_NUMBER, x / y)
TWO(sigmoid_backward, NO_NUMBER, x *(y * (1 - y)))
TWO(tanh_backward, NO_NUMBER, x * (1 - y * y))
TWO(gelu_backward, NO_NUMBER, x *(cumulative(y) + y * exponential(-0.5F * (y * y)) * 0.398942280F))
TWO(add, ONE_NUMBER, x + number * y)
TWO(threshold_backward, ONE_NUMBER, choose(y <= number, V{}, x))

/// By the nearer end, as LibTorch does.
INLINE V between(V x, V y, float number) {
  return magnitude(all(number))[0] < 0.5F ? x + number * (y - x) : y - (y - x) * (1 - number);
}
TWO(lerp, ONE_NUMBER, between(x, y, number))

INLINE V gelu_tanh_slope(V x) {
  const V t = gelu_tanh_inner(x);
  return 0.5F * (1 + t) + 0.5F * x * (1 - t * t) * (0.797884561F * (1 + 3 * 0.044715F * (x * x)));
}
TWO(gelu_tanh_backward, NO_NUMBER, x *gelu_tanh_slope(y))
#undef TWO
#undef NO_NUMBER
#undef ONE_NUMBER

// Sums ------------------------------------------------------------------------------------------------------------

#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define SHUFFLES 1
#endif
#endif

/// The sums of every fourth.
INLINE Quarter quarter(V v) {
#if WIDTH == 16 && defined(SHUFFLES)
  typedef float Half __attribute__((vector_size(32)));
  const Half h = __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) +
                 __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
  return __builtin_shufflevector(h, h, 0, 1, 2, 3) + __builtin_shufflevector(h, h, 4, 5, 6, 7);
#elif WIDTH == 8 && defined(SHUFFLES)
  return __builtin_shufflevector(v, v, 0, 1, 2, 3) + __builtin_shufflevector(v, v, 4, 5, 6, 7);
#else
  Quarter parts[WIDTH / 4], all = {};
  memcpy(parts, &v, sizeof v);
  for (size_t i = 0; i < WIDTH / 4; i++) {
    all += parts[i];
  }
  return all;
#endif
}
INLINE float total(V v) {
  const Quarter q = quarter(v);
  return (q[0] + q[2]) + (q[1] + q[3]);
}
/// The totals of four.
INLINE Quarter totals(V a, V b, V c, V d) {
#ifdef SHUFFLES
  const Quarter qa = quarter(a), qb = quarter(b), qc = quarter(c), qd = quarter(d);
  const Quarter ab = __builtin_shufflevector(qa, qb, 0, 4, 1, 5) + __builtin_shufflevector(qa, qb, 2, 6, 3, 7);
  const Quarter cd = __builtin_shufflevector(qc, qd, 0, 4, 1, 5) + __builtin_shufflevector(qc, qd, 2, 6, 3, 7);
  return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
#else
  return Quarter{total(a), total(b), total(c), total(d)};
#endif
}

static float sum(const float *in, size_t len) {
  V s[4] = {};
  size_t i = 0;
  for (; i + 4 * WIDTH <= len; i += 4 * WIDTH) {
    for (size_t k = 0; k < 4; k++) {
      s[k] += load(in + i + k * WIDTH);
    }
  }
  for (; i + WIDTH <= len; i += WIDTH) {
    s[0] += load(in + i);
  }
  s[1] += load_few(in + i, len - i);
  return total((s[0] + s[1]) + (s[2] + s[3]));
}

static void sum_columns(float *out, const float *in, size_t rows, size_t columns, size_t stride) {
  for (size_t j = 0; j < columns; j += WIDTH) {
    const size_t few = columns - j < WIDTH ? columns - j : WIDTH;
    const bool full = few == WIDTH;
    const float *p = in + j;
    V s[4] = {};
    size_t i = 0;
    for (; i + 4 <= rows; i += 4, p += 4 * stride) {
#pragma GCC unroll 4
      for (size_t k = 0; k < 4; k++) {
        s[k] += full ? load(p + k * stride) : load_few(p + k * stride, few);
      }
    }
    for (; i < rows; i++, p += stride) {
      s[0] += full ? load(p) : load_few(p, few);
    }
    store_few(out + j, (s[0] + s[1]) + (s[2] + s[3]), few);
  }
}

// Rows ------------------------------------------------------------------------------------------------------------

INLINE float greater(float a, float b) { return a > b ? a : b; }

/// Of all; NaN is none.
INLINE float greatest(const float *in, size_t len) {
  float most = -INFINITY;
  if (len < WIDTH) {
    for (size_t i = 0; i < len; i++) {
      most = greater(in[i], most);
    }
    return most;
  }
  V m = all(-INFINITY);
  for (size_t i = 0; i < len; i += WIDTH) {
    const V x = load(in + (i + WIDTH <= len ? i : len - WIDTH));  // the last once more, where they do not fill one
    m = choose(x > m, x, m);
  }
  float t[WIDTH];
  store(t, m);
  for (size_t half = WIDTH / 2; half > 0; half /= 2) {
    for (size_t i = 0; i < half; i++) {
      t[i] = greater(t[i], t[i + half]);
    }
  }
  return t[0];
}

/// The sum of e^(in - most), which `out` gets if it is not null.
INLINE float exponentials(float *out, const float *in, float most, size_t len) {
  V s = {};
  size_t i = 0;
  for (; i + WIDTH <= len; i += WIDTH) {
    const V e = exponential(load(in + i) - most);
    s += e;
    if (out != nullptr) {
      store(out + i, e);
    }
  }
  if (i < len) {
    const size_t few = len - i;
    const V e = exponential(load_few(in + i, few) - most);
    s += load_few(reinterpret_cast<const float *>(&e), few);
    if (out != nullptr) {
      store_few(out + i, e, few);
    }
  }
  return total(s);
}

static void softmax(float *out, const float *in, size_t len) {
  const float whole = exponentials(out, in, greatest(in, len), len);
  mul_number(out, out, 1 / whole, len);
}

static void log_softmax(float *out, const float *in, size_t len) {
  const float most = greatest(in, len), log = __builtin_logf(exponentials(nullptr, in, most, len));
  size_t i = 0;
  for (; i + WIDTH <= len; i += WIDTH) {
    store(out + i, load(in + i) - most - log);
  }
  for (; i < len; i++) {
    out[i] = in[i] - most - log;
  }
}

static float attend(float *row, size_t len) {
  const float greatest_of_all = greatest(row, len), most = greatest_of_all == -INFINITY ? 0 : greatest_of_all;
  const float whole = exponentials(row, row, most, len);
  if (whole == 0) {
    return 0;
  }
  mul_number(row, row, 1 / whole, len);
  return most + __builtin_logf(whole);
}

static void softmax_backward(float *out, const float *grad, const float *output, size_t len) {
  V s = {};
  size_t i = 0;
  for (; i + WIDTH <= len; i += WIDTH) {
    s += load(grad + i) * load(output + i);
  }
  s += load_few(grad + i, len - i) * load_few(output + i, len - i);
  const float whole = total(s);
  for (i = 0; i + WIDTH <= len; i += WIDTH) {
    store(out + i, (load(grad + i) - whole) * load(output + i));
  }
  for (; i < len; i++) {
    out[i] = (grad[i] - whole) * output[i];
  }
}

static void log_softmax_backward(float *out, const float *grad, const float *output, size_t len) {
  const float whole = sum(grad, len);
  size_t i = 0;
  for (; i + WIDTH <= len; i += WIDTH) {
    store(out + i, load(grad + i) - exponential(load(output + i)) * whole);
  }
  if (i < len) {
    store_few(out + i, load_few(grad + i, len - i) - exponential(load_few(output + i, len - i)) * whole, len - i);
  }
}

static void layer_norm(
    float *out,
    float *mean,
    float *rstd,
    const float *in,
    const float *weight,
    const float *bias,
    float eps,
    size_t len) {
  const float m = sum(in, len) / static_cast<float>(len);
  V squares = {};
  size_t i = 0;
  for (; i + WIDTH <= len; i += WIDTH) {
    const V x = load(in + i) - m;
    squares += x * x;
  }
  float square = total(squares);
  for (; i < len; i++) {
    square += (in[i] - m) * (in[i] - m);
  }
  const float r = 1 / __builtin_sqrtf(square / static_cast<float>(len) + eps);
  *mean = m;
  *rstd = r;
  for (i = 0; i + WIDTH <= len; i += WIDTH) {
    V x = (load(in + i) - m) * r;
    x = weight != nullptr ? x * load(weight + i) : x;
    store(out + i, bias != nullptr ? x + load(bias + i) : x);
  }
  for (; i < len; i++) {
    float x = (in[i] - m) * r;
    x = weight != nullptr ? x * weight[i] : x;
    out[i] = bias != nullptr ? x + bias[i] : x;
  }
}

static void layer_norm_backward(
    float *out,
    float *weight_grad,
    float *bias_grad,
    const float *grad,
    const float *in,
    const float *weight,
    float mean,
    float rstd,
    size_t len) {
  V sums = {}, products = {};
  for (size_t i = 0; i < len; i += WIDTH) {
    const size_t few = len - i < WIDTH ? len - i : WIDTH;
    V g = few == WIDTH ? load(grad + i) : load_few(grad + i, few);
    // Where there is nothing, g is 0.
    const V x = ((few == WIDTH ? load(in + i) : load_few(in + i, few)) - mean) * rstd;
    if (bias_grad != nullptr) {
      store_few(bias_grad + i, load_few(bias_grad + i, few) + g, few);
    }
    if (weight_grad != nullptr) {
      store_few(weight_grad + i, load_few(weight_grad + i, few) + g * x, few);
    }
    g = weight != nullptr ? g * (few == WIDTH ? load(weight + i) : load_few(weight + i, few)) : g;
    sums += g;
    products += g * x;
  }
  if (out == nullptr) {
    return;
  }
  const float n = static_cast<float>(len), a = total(sums) / n, b = total(products) / n;
  for (size_t i = 0; i < len; i += WIDTH) {
    const size_t few = len - i < WIDTH ? len - i : WIDTH;
    V g = few == WIDTH ? load(grad + i) : load_few(grad + i, few);
    g = weight != nullptr ? g * (few == WIDTH ? load(weight + i) : load_few(weight + i, few)) : g;
    const V x = ((few == WIDTH ? load(in + i) : load_few(in + i, few)) - mean) * rstd;
    const V result = (g - a - x * b) * rstd;
    if (few == WIDTH) {
      store(out + i, result);
    } else {
      store_few(out + i, result, few);
    }
  }
}

// Products --------------------------------------------------------------------------------------------------------

static void dots(
    float *y,
    size_t y_stride,
    const float *w,
    size_t w_stride,
    const float *x,
    size_t rows,
    size_t len,
    float alpha,
    bool adds) {
  const size_t whole = len - len % WIDTH, few = len - whole;
  const V rest = load_few(x + whole, few);
  size_t i = 0;
  for (; i + 8 <= rows; i += 8) {
    V s[8] = {};
    const float *row = w + i * w_stride;
    for (size_t k = 0; k < whole; k += WIDTH) {
      const V v = load(x + k);
#pragma GCC unroll 8
      for (size_t r = 0; r < 8; r++) {
        s[r] += load(row + r * w_stride + k) * v;
      }
    }
    if (few != 0) {
#pragma GCC unroll 8
      for (size_t r = 0; r < 8; r++) {
        s[r] += load_few(row + r * w_stride + whole, few) * rest;
      }
    }
#pragma GCC unroll 2
    for (size_t r = 0; r < 8; r += 4) {
      const Quarter t = totals(s[r], s[r + 1], s[r + 2], s[r + 3]) * alpha;
      if (y_stride == 1) {
        UnalignedQuarter *to = reinterpret_cast<UnalignedQuarter *>(y + i + r);
        *to = adds ? *to + t : t;
        continue;
      }
      for (size_t q = 0; q < 4; q++) {
        float *to = y + (i + r + q) * y_stride;
        *to = adds ? *to + t[q] : t[q];
      }
    }
  }
  for (; i < rows; i++) {
    V s = {};
    const float *row = w + i * w_stride;
    for (size_t k = 0; k < whole; k += WIDTH) {
      s += load(row + k) * load(x + k);
    }
    s += load_few(row + whole, few) * rest;
    const float t = total(s) * alpha;
    y[i * y_stride] = adds ? y[i * y_stride] + t : t;
  }
}

/// Some vectors of combine(). With `few`, the last of which only so many floats are there.
#define COMBINE(vectors, few)                                                                  \
  {                                                                                            \
    V s[vectors] = {};                                                                         \
    for (size_t k = 0; k < rows; k++) {                                                        \
      const float *row = w + k * w_stride + j;                                                 \
      const float v = x[k * x_stride];                                                         \
      _Pragma("GCC unroll 8") for (size_t q = 0; q < (vectors); q++) {                         \
        s[q] += v * ((few) == WIDTH ? load(row + q * WIDTH) : load_few(row + q * WIDTH, few)); \
      }                                                                                        \
    }                                                                                          \
    _Pragma("GCC unroll 8") for (size_t q = 0; q < (vectors); q++) {                           \
      float *to = y + j + q * WIDTH;                                                           \
      if ((few) == WIDTH) {                                                                    \
        store(to, adds ? load(to) + s[q] * alpha : s[q] * alpha);                              \
      } else {                                                                                 \
        store_few(to, adds ? load_few(to, few) + s[q] * alpha : s[q] * alpha, few);            \
      }                                                                                        \
    }                                                                                          \
  }

static void combine(
    float *y,
    const float *w,
    size_t w_stride,
    const float *x,
    size_t x_stride,
    size_t rows,
    size_t len,
    float alpha,
    bool adds) {
  size_t j = 0;
  for (; j + 8 * WIDTH <= len; j += 8 * WIDTH) {
    COMBINE(8, WIDTH)
  }
  for (; j + WIDTH <= len; j += WIDTH) {
    COMBINE(1, WIDTH)
  }
  if (j < len) {
    COMBINE(1, len - j)
  }
}
#undef COMBINE

/// A block of multiply(): so many rows of so many vectors, each of which has `few` floats.
#define BLOCK(height, vectors, few)                                                                           \
  {                                                                                                           \
    V s[height][vectors] = {};                                                                                \
    if (adds) {                                                                                               \
      _Pragma("GCC unroll 4") for (size_t r = 0; r < (height); r++) {                                         \
        _Pragma("GCC unroll 2") for (size_t q = 0; q < (vectors); q++) {                                      \
          const float *from = c + (i + r) * c_stride + j + q * WIDTH;                                         \
          s[r][q] = (few) == WIDTH ? load(from) : load_few(from, few);                                        \
        }                                                                                                     \
      }                                                                                                       \
    }                                                                                                         \
    for (size_t k = 0; k < len; k++) {                                                                        \
      const float *from = a + i * a_row + k * a_column, *row = b + k * b_stride + j;                          \
      V v[vectors];                                                                                           \
      _Pragma("GCC unroll 2") for (size_t q = 0; q < (vectors); q++) {                                        \
        v[q] = (few) == WIDTH ? load(row + q * WIDTH) : load_few(row + q * WIDTH, few);                       \
      }                                                                                                       \
      _Pragma("GCC unroll 4") for (size_t r = 0; r < (height); r++) {                                         \
        _Pragma("GCC unroll 2") for (size_t q = 0; q < (vectors); q++) { s[r][q] += from[r * a_row] * v[q]; } \
      }                                                                                                       \
    }                                                                                                         \
    _Pragma("GCC unroll 4") for (size_t r = 0; r < (height); r++) {                                           \
      _Pragma("GCC unroll 2") for (size_t q = 0; q < (vectors); q++) {                                        \
        float *to = c + (i + r) * c_stride + j + q * WIDTH;                                                   \
        (few) == WIDTH ? store(to, s[r][q]) : store_few(to, s[r][q], few);                                    \
      }                                                                                                       \
    }                                                                                                         \
  }
/// All rows of so many columns.
#define STRIP(vectors, few)         \
  {                                 \
    size_t i = 0;                   \
    for (; i + 4 <= rows; i += 4) { \
      BLOCK(4, vectors, few)        \
    }                               \
    for (; i < rows; i++) {         \
      BLOCK(1, vectors, few)        \
    }                               \
  }

static void multiply(
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
    bool adds) {
  size_t j = 0;
  for (; j + 2 * WIDTH <= columns; j += 2 * WIDTH) {
    STRIP(2, WIDTH)
  }
  for (; j + WIDTH <= columns; j += WIDTH) {
    STRIP(1, WIDTH)
  }
  if (j < columns) {
    STRIP(1, columns - j)
  }
}
#undef STRIP
#undef BLOCK

// Optimizers ------------------------------------------------------------------------------------------------------

/// What is too small for all digits is 0: many processors are slow with it, and averages that fade would stay there.
INLINE V normal(V x) { return choose(magnitude(x) < FLT_MIN, V{}, x); }

static void adam(
    float *param,
    const float *grad,
    float *exp_avg,
    float *exp_avg_sq,
    float *max_exp_avg_sq,
    const AdamNumbers &numbers,
    size_t len) {
  const AdamNumbers n = numbers;
  const float over = 1 / n.root_of_correction;
  for (size_t i = 0; i < len; i += WIDTH) {
    const size_t few = len - i < WIDTH ? len - i : WIDTH;
    const bool full = few == WIDTH;
    V p = full ? load(param + i) : load_few(param + i, few), g = full ? load(grad + i) : load_few(grad + i, few);
    V m = full ? load(exp_avg + i) : load_few(exp_avg + i, few);
    V v = full ? load(exp_avg_sq + i) : load_few(exp_avg_sq + i, few);
    g = n.maximize ? -g : g;
    p = p * n.decay;
    g = n.weight_decay != 0 ? g + p * n.weight_decay : g;
    m = normal(between(m, g, n.one_less_beta1));
    v = normal(v * n.beta2 + normal(n.one_less_beta2 * g * g));
    V most = v;
    if (max_exp_avg_sq != nullptr) {
      const V before = full ? load(max_exp_avg_sq + i) : load_few(max_exp_avg_sq + i, few);
      most = choose((v > before) | (v != v), v, before);
    }
    p = p - n.step_size * m / (root(most) * over + n.eps);
    if (full) {
      store(param + i, p);
      store(exp_avg + i, m);
      store(exp_avg_sq + i, v);
    } else {
      store_few(param + i, p, few);
      store_few(exp_avg + i, m, few);
      store_few(exp_avg_sq + i, v, few);
    }
    if (max_exp_avg_sq != nullptr) {
      store_few(max_exp_avg_sq + i, most, few);
    }
  }
}

static void sgd(float *param, const float *grad, float *momentum, const SgdNumbers &numbers, size_t len) {
  const SgdNumbers n = numbers;
  for (size_t i = 0; i < len; i += WIDTH) {
    const size_t few = len - i < WIDTH ? len - i : WIDTH;
    const V p = load_few(param + i, few);
    V g = load_few(grad + i, few);
    g = n.maximize ? -g : g;
    g = n.weight_decay != 0 ? g + p * n.weight_decay : g;
    if (momentum != nullptr) {
      const V b = n.first ? g : load_few(momentum + i, few) * n.momentum + g * n.one_less_dampening;
      store_few(momentum + i, b, few);
      g = n.nesterov ? g + b * n.momentum : b;
    }
    store_few(param + i, p - g * n.lr, few);
  }
}

static const Loops loops = {
    relu,
    sigmoid,
    tanh,
    silu,
    gelu,
    gelu_tanh,
    exp,
    mul,
    div,
    sigmoid_backward,
    tanh_backward,
    gelu_backward,
    gelu_tanh_backward,
    add_number,
    mul_number,
    div_number,
    add,
    threshold_backward,
    lerp,
    sum,
    sum_columns,
    softmax,
    log_softmax,
    attend,
    softmax_backward,
    log_softmax_backward,
    layer_norm,
    layer_norm_backward,
    dots,
    combine,
    multiply,
    adam,
    sgd,
};
#undef SHUFFLES
