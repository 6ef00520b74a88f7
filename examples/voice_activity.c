/* When somebody speaks in a recording: the spans of speech in seconds (`voice_activity MODEL FILE [THRESHOLD]`), found
 * by a network that was trained elsewhere and is read as it is published. A Python package has it:
 *
 *     pip install --no-deps silero-vad
 *     voice_activity …/site-packages/silero_vad/data/silero_vad_16k.safetensors recording.wav
 *
 * libsndfile reads the recording, WAV, FLAC, Ogg, MP3 …, of 16,000 samples a second; of several channels the mean is
 * taken. It is heard as it is read, so that its length does not matter. `--probabilities` before the model prints how
 * likely speech is in each 512 samples. */
#include <ctorch.h>
#include <inttypes.h>
#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "speech_spans.h"
#include "voice_detector.h"

/* A recording that is read chunk by chunk. */
typedef struct recording {
  const char *path;
  SNDFILE *file;
  SF_INFO info;
  float *frames; /* of a chunk, all channels */
  int64_t len;   /* samples so far */
} recording;

static ctorch_error *recording_open(recording *out, const char *path) {
  *out = (recording){.path = path};
  out->file = sf_open(path, SFM_READ, &out->info);
  if (out->file == NULL) {
    return ctorch_error_format(CTORCH_ERROR_FORMAT, "%s: %s", path, sf_strerror(NULL));
  }
  if (out->info.samplerate != VOICE_DETECTOR_RATE) {
    return ctorch_error_format(
        CTORCH_ERROR_FORMAT,
        "%s: %d samples a second, and the model knows %d; `ffmpeg -i FILE -ar %d out.wav` converts", path,
        out->info.samplerate, VOICE_DETECTOR_RATE, VOICE_DETECTOR_RATE);
  }
  out->frames = malloc(sizeof *out->frames * VOICE_DETECTOR_CHUNK * (size_t)out->info.channels);
  return out->frames != NULL ? NULL : ctorch_error_format(CTORCH_ERROR_OUT_OF_MEMORY, "no memory for a chunk");
}

static void recording_close(recording *self) {
  free(self->frames);
  if (self->file != NULL) {
    sf_close(self->file);
  }
}

/* The next chunk, with zeros after the end of the last; `*out` tells whether there was one. */
static ctorch_error *recording_next(bool *out, recording *self, float chunk[VOICE_DETECTOR_CHUNK]) {
  const int channels = self->info.channels;
  const sf_count_t len = sf_readf_float(self->file, self->frames, VOICE_DETECTOR_CHUNK);
  if (sf_error(self->file) != SF_ERR_NO_ERROR) {
    return ctorch_error_format(CTORCH_ERROR_IO, "%s: %s", self->path, sf_strerror(self->file));
  }
  for (sf_count_t i = 0; i < VOICE_DETECTOR_CHUNK; i++) {
    chunk[i] = 0;
    for (int channel = 0; i < len && channel < channels; channel++) {
      chunk[i] += self->frames[i * channels + channel] / (float)channels;
    }
    if (!isfinite(chunk[i])) {
      return ctorch_error_format(
          CTORCH_ERROR_FORMAT, "%s: sample %" PRId64 " is not a finite number", self->path, self->len + i);
    }
  }
  self->len += len;
  *out = len > 0;
  return NULL;
}

static void print_span(speech_span span) {
  printf("%.3f to %.3f s\n", (double)span.begin / VOICE_DETECTOR_RATE, (double)span.end / VOICE_DETECTOR_RATE);
}

static ctorch_error *listen(recording *audio, voice_detector *detector, double threshold, bool probabilities) {
  float chunk[VOICE_DETECTOR_CHUNK], probability;
  speech_spans spans = {.threshold = threshold};
  speech_span span;
  for (bool more = true;;) {
    CTORCH_TRY(recording_next(&more, audio, chunk));
    if (!more) {
      break;
    }
    CTORCH_TRY(voice_detector_next(&probability, detector, chunk));
    const bool over = speech_spans_next(&span, &spans, (double)probability);
    if (probabilities) {
      printf("%.9g\n", (double)probability);
    } else if (over) {
      print_span(span);
    }
  }
  if (speech_spans_finish(&span, &spans, audio->len) && !probabilities) {
    print_span(span);
  }
  return NULL;
}

static ctorch_error *run(const char *model, const char *path, double threshold, bool probabilities) {
  voice_detector detector;
  recording audio;
  CTORCH_TRY(ctorch_threads_set_num(1)); /* the tensors are too small for more */
  CTORCH_TRY(voice_detector_open(&detector, model));
  ctorch_error *error = recording_open(&audio, path);
  error = error != NULL ? error : listen(&audio, &detector, threshold, probabilities);
  recording_close(&audio);
  return error;
}

int main(int argc, char **argv) {
  const bool probabilities = argc > 1 && strcmp(argv[1], "--probabilities") == 0;
  char **arguments = argv + (probabilities ? 2 : 1), *rest = "";
  const int len = argc - (probabilities ? 2 : 1);
  const double threshold = len == 3 ? strtod(arguments[2], &rest) : 0.5;
  if (len < 2 || len > 3 || arguments[0][0] == '-' || *rest != '\0' || !(threshold > 0 && threshold <= 1)) {
    fprintf(stderr, "usage: %s [--probabilities] MODEL FILE [THRESHOLD]\nTHRESHOLD is 0.5 if not given\n", argv[0]);
    return 2;
  }
  ctorch_scope *scope = NULL;
  ctorch_error *error = ctorch_scope_begin(&scope);
  if (error == NULL) {
    error = run(arguments[0], arguments[1], threshold, probabilities);
  }
  ctorch_scope_end(scope);
  return ctorch_error_finish(error);
}
