/* Spans of speech: one begins where the probability reaches the threshold, and ends where a pause begins that lasts. It
 * is a pause while the probability, once it was well below the threshold, does not reach it again. */
#include "speech_spans.h"

#include "voice_detector.h"

enum {
  MILLISECOND = VOICE_DETECTOR_RATE / 1000,
  SHORTEST = 250 * MILLISECOND, /* of the spans; what is as short or shorter is a cough */
  PAUSE = 100 * MILLISECOND,    /* that ends one */
  MARGIN = 30 * MILLISECOND,    /* around one; less than half of any pause, so that two never meet */
};

static bool is_long_enough(speech_span *out, const speech_spans *self, int64_t end, int64_t margin) {
  if (end - self->begin <= SHORTEST) {
    return false;
  }
  *out = (speech_span){self->begin > MARGIN ? self->begin - MARGIN : 0, end + margin};
  return true;
}

bool speech_spans_next(speech_span *out, speech_spans *self, double probability) {
  const double lower = self->threshold - 0.15 > 0.01 ? self->threshold - 0.15 : 0.01;
  const int64_t at = self->at;
  self->at += VOICE_DETECTOR_CHUNK;
  if (probability >= self->threshold) {
    self->begin = self->speaking ? self->begin : at;
    self->pausing = false;
    self->speaking = true;
  }
  if (probability < lower && self->speaking && at > self->begin) {
    self->pause = self->pausing ? self->pause : at;
    self->pausing = true;
    if (at - self->pause >= PAUSE) {
      self->speaking = self->pausing = false;
      return is_long_enough(out, self, self->pause, MARGIN);
    }
  }
  return false;
}

bool speech_spans_finish(speech_span *out, const speech_spans *self, int64_t len) {
  return self->speaking && is_long_enough(out, self, len, 0);
}
