/* A voice detector: the strengths of 129 frequencies in four pieces of a chunk, by a convolution whose weights are a
 * windowed Fourier transform; four more convolutions, which make one vector of them; an LSTM, which remembers the
 * chunks before; and a probability from what it says. */
#include "voice_detector.h"

#include <string.h>

enum { STEP = 128, TRANSFORM = 2 * STEP, FREQUENCIES = STEP + 1, WIDTH = 128 };

static const struct {
  const char *name;
  int64_t in, out, stride;
} convolutions[] = {
    {"conv1", FREQUENCIES, 128, 1},
    {"conv2", 128, 64, 2},
    {"conv3", 64, 64, 2},
    {"conv4", 64, WIDTH, 1},
};

enum { CONVOLUTIONS = sizeof convolutions / sizeof *convolutions };

static ctorch_error *convolution(
    ctorch_module **out, int64_t in, int64_t channels, int64_t kernel, int64_t stride, bool bias) {
  const int64_t padding = kernel == 3 ? 1 : 0;
  return ctorch_nn_Conv1d(
      out, in, channels, CTORCH_INTS(kernel), CTORCH_INTS(stride), CTORCH_INTS(padding), CTORCH_INTS(1), 1, bias,
      "zeros", NULL, NULL);
}

/* Each part has the name of its weights in the file. */
static ctorch_error *network_new(voice_detector *out) {
  CTORCH_TRY(ctorch_nn_ModuleDict(&out->all));
  CTORCH_TRY(convolution(&out->stft, 1, 2 * FREQUENCIES, TRANSFORM, STEP, false));
  CTORCH_TRY(ctorch_module_register_module(out->all, "stft_conv", out->stft));
  for (int i = 0; i < CONVOLUTIONS; i++) {
    CTORCH_TRY(
        convolution(&out->convolutions[i], convolutions[i].in, convolutions[i].out, 3, convolutions[i].stride, true));
    CTORCH_TRY(ctorch_module_register_module(out->all, convolutions[i].name, out->convolutions[i]));
  }
  CTORCH_TRY(ctorch_nn_LSTMCell(&out->lstm, WIDTH, WIDTH, true, NULL, NULL));
  CTORCH_TRY(ctorch_module_register_module(out->all, "lstm_cell", out->lstm));
  CTORCH_TRY(convolution(&out->last, WIDTH, 1, 1, 1, true));
  return ctorch_module_register_module(out->all, "final_conv", out->last);
}

ctorch_error *voice_detector_open(voice_detector *out, const char *path) {
  ctorch_weights *file;
  ctorch_value *state;
  *out = (voice_detector){NULL};
  CTORCH_TRY(ctorch_weights_open_file(&file, path, true));
  CTORCH_TRY(ctorch_weights_load(&state, file, NULL));
  CTORCH_TRY(network_new(out));
  CTORCH_TRY(ctorch_module_load_state_dict(NULL, NULL, out->all, state, NULL, true, false));
  CTORCH_TRY(ctorch_zeros(&out->hidden, CTORCH_INTS(1, WIDTH)));
  return ctorch_zeros(&out->cells, CTORCH_INTS(1, WIDTH));
}

static ctorch_error *forward(ctorch_tensor **out, voice_detector *self) {
  ctorch_tensor *x, *real, *imaginary, *hidden, *cells;
  CTORCH_TRY(ctorch_tensor_from_data(
      &x, self->window, sizeof self->window, CTORCH_INTS(1, 1, VOICE_DETECTOR_CONTEXT + VOICE_DETECTOR_CHUNK),
      CTORCH_DTYPE_FLOAT32));
  CTORCH_TRY(ctorch_aten_reflection_pad1d(&x, x, CTORCH_INTS(0, STEP / 2)));
  CTORCH_TRY(ctorch_module_forward(&x, self->stft, x));
  CTORCH_TRY(ctorch_aten_narrow(&real, x, 1, 0, FREQUENCIES));
  CTORCH_TRY(ctorch_aten_narrow(&imaginary, x, 1, FREQUENCIES, FREQUENCIES));
  CTORCH_TRY(ctorch_aten_hypot(&x, real, imaginary));
  for (int i = 0; i < CONVOLUTIONS; i++) {
    CTORCH_TRY(ctorch_module_forward(&x, self->convolutions[i], x));
    CTORCH_TRY(ctorch_aten_relu(&x, x));
  }
  CTORCH_TRY(ctorch_aten_squeeze_dim(&x, x, -1));
  CTORCH_TRY(ctorch_nn_LSTMCell_forward(&hidden, &cells, self->lstm, x, CTORCH_TENSORS(self->hidden, self->cells)));
  CTORCH_TRY(ctorch_aten_copy_(self->hidden, hidden, false));
  CTORCH_TRY(ctorch_aten_copy_(self->cells, cells, false));
  CTORCH_TRY(ctorch_aten_relu(&x, hidden));
  CTORCH_TRY(ctorch_aten_unsqueeze(&x, x, -1));
  CTORCH_TRY(ctorch_module_forward(&x, self->last, x));
  return ctorch_aten_sigmoid(out, x);
}

static ctorch_error *judge(float *out, voice_detector *self) {
  ctorch_tensor *probability;
  CTORCH_TRY(ctorch_grad_mode_push(false)); /* until the scope ends */
  CTORCH_TRY(forward(&probability, self));
  return ctorch_tensor_copy_to_buffer(probability, out, sizeof *out, CTORCH_DTYPE_FLOAT32);
}

ctorch_error *voice_detector_next(float *out, voice_detector *self, const float *chunk) {
  ctorch_scope *scope = NULL;
  memmove(self->window, self->window + VOICE_DETECTOR_CHUNK, VOICE_DETECTOR_CONTEXT * sizeof *chunk);
  memcpy(self->window + VOICE_DETECTOR_CONTEXT, chunk, VOICE_DETECTOR_CHUNK * sizeof *chunk);
  CTORCH_TRY(ctorch_scope_begin(&scope));
  ctorch_error *error = judge(out, self);
  ctorch_scope_end(scope);
  return error;
}
