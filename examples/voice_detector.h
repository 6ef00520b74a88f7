/** How likely it is that somebody speaks, by the network of Silero VAD (github.com/snakers4/silero-vad) and the weights
 * in its Python package: `silero_vad/data/silero_vad_16k.safetensors`. */
#ifndef EXAMPLES_VOICE_DETECTOR_H
#define EXAMPLES_VOICE_DETECTOR_H

#include <ctorch.h>

enum {
  VOICE_DETECTOR_RATE = 16000, /* samples a second */
  VOICE_DETECTOR_CHUNK = 512,  /* samples that are judged at a time */
  VOICE_DETECTOR_CONTEXT = 64, /* samples before them that are heard as well */
};

typedef struct voice_detector {
  ctorch_module *all, *stft, *convolutions[4], *lstm, *last;
  ctorch_tensor *hidden, *cells;                               /* what it remembers */
  float window[VOICE_DETECTOR_CONTEXT + VOICE_DETECTOR_CHUNK]; /* what it hears */
} voice_detector;

/**
 * Make the network and read its weights. A scope is open, and has everything that is made.
 *
 * @param[out] out  a detector that has heard nothing.
 * @param path      borrowed.
 * @return NULL, or what ctorch_weights_open_file, ctorch_weights_load and ctorch_module_load_state_dict answer.
 */
ctorch_error *voice_detector_open(voice_detector *out, const char *path);

/**
 * Listen to the next chunk.
 *
 * @param[out] out  the probability of speech in it.
 * @param self      exclusive.
 * @param chunk     borrowed; VOICE_DETECTOR_CHUNK samples between -1 and 1.
 * @return NULL, or what an operator answers.
 */
ctorch_error *voice_detector_next(float *out, voice_detector *self, const float *chunk);

#endif
