/* Random draws as torchvision makes them: each by the operator that it calls, on the CPU, so that the same numbers come
 * out of the same generator. */
#include "base/sequence.h"
#include "core/c/error.h"
#include "transforms/transform.h"

static const ctorch_dtype FLOAT32 = CTORCH_DTYPE_FLOAT32, INT64 = CTORCH_DTYPE_INT64;
static const ctorch_device CPU = {.type = CTORCH_DEVICE_TYPE_CPU, .index = -1};

/* Copy numbers out of a tensor, which is consumed, also if there is an error. */
static ctorch_error *read_numbers(
    void *out, size_t nbytes, ctorch_tensor *tensor, ctorch_dtype dtype, ctorch_error *error) {
  THEN(error, ctorch_tensor_copy_to_buffer(tensor, out, nbytes, dtype));
  ctorch_tensor_release(tensor);
  return error;
}

ctorch_error *draw_rand(const struct transform_call *call, float *out, size_t len) {
  ctorch_tensor *drawn = NULL;
  int64_t size = (int64_t)len;
  ctorch_error *error = ctorch_aten_rand_generator(&drawn, &size, 1, call->generator, &FLOAT32, NULL, &CPU, NULL);
  return read_numbers(out, len * sizeof *out, drawn, FLOAT32, error);
}

ctorch_error *draw_uniform(const struct transform_call *call, double *out, double low, double high) {
  ctorch_tensor *drawn = NULL;
  float number = 0;
  CTORCH_TRY(ctorch_aten_empty_memory_format(&drawn, (int64_t[]){1}, 1, &FLOAT32, NULL, &CPU, NULL, NULL));
  ctorch_error *error = ctorch_aten_uniform_(drawn, low, high, call->generator);
  CTORCH_TRY(read_numbers(&number, sizeof number, drawn, FLOAT32, error));
  *out = number;
  return NULL;
}

ctorch_error *draw_randint(const struct transform_call *call, int64_t *out, int64_t low, int64_t high) {
  ctorch_tensor *drawn = NULL;
  ctorch_error *error =
      ctorch_aten_randint_low_generator(&drawn, low, high, NULL, 0, call->generator, &INT64, NULL, &CPU, NULL);
  return read_numbers(out, sizeof *out, drawn, INT64, error);
}

ctorch_error *draw_permutation(const struct transform_call *call, int64_t *out, size_t len) {
  ctorch_tensor *drawn = NULL;
  ctorch_error *error = ctorch_aten_randperm_generator(&drawn, (int64_t)len, call->generator, &INT64, NULL, &CPU, NULL);
  return read_numbers(out, len * sizeof *out, drawn, INT64, error);
}

ctorch_error *draw_multinomial(const struct transform_call *call, int64_t *out, const double *weights, size_t len) {
  ctorch_tensor *doubles = NULL, *floats = NULL, *drawn = NULL;
  int64_t size = (int64_t)len;
  CTORCH_TRY(ctorch_tensor_from_data(&doubles, weights, len * sizeof *weights, &size, 1, CTORCH_DTYPE_FLOAT64));
  ctorch_error *error = ctorch_aten_to_dtype(&floats, doubles, FLOAT32, false, false, NULL);
  THEN(error, ctorch_aten_multinomial(&drawn, floats, 1, false, call->generator));
  ctorch_tensor_release(doubles);
  ctorch_tensor_release(floats);
  return read_numbers(out, sizeof *out, drawn, INT64, error);
}
