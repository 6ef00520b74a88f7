/** Spans of speech, found in probabilities as they come, by the rules of Silero VAD's get_speech_timestamps. */
#ifndef EXAMPLES_SPEECH_SPANS_H
#define EXAMPLES_SPEECH_SPANS_H

#include <stdbool.h>
#include <stdint.h>

/** Samples from `begin` to before `end`. */
typedef struct speech_span {
  int64_t begin, end;
} speech_span;

/** Begun with `{.threshold = …}`, the probability from which on it is speech. */
typedef struct speech_spans {
  double threshold;
  bool speaking, pausing;
  int64_t at;           /* where the next chunk begins */
  int64_t begin, pause; /* where the speech and the pause in it began */
} speech_spans;

/**
 * Take the probability of the next VOICE_DETECTOR_CHUNK samples.
 *
 * @param[out] out  a span that is over; written only if there is one.
 * @return whether there is one.
 */
bool speech_spans_next(speech_span *out, speech_spans *self, double probability);

/**
 * The audio has ended, after `len` samples.
 *
 * @param[out] out  the span that went on until then; written only if there is one.
 * @return whether there is one.
 */
bool speech_spans_finish(speech_span *out, const speech_spans *self, int64_t len);

#endif
