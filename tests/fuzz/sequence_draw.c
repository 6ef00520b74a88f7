/* What the arguments of a sequence are drawn from: numbers, texts, and the handles of its pool. */
#include "fuzz/sequence.h"

/* Random numbers: splitmix64 */

static uint64_t draw(sequence *s) {
  uint64_t z = s->random += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

size_t draw_below(sequence *s, size_t bound) { return (size_t)(draw(s) % bound); }
bool draw_bool(sequence *s) { return (draw(s) & 1) != 0; }
int64_t draw_int64_t(sequence *s) { return (int64_t)draw_below(s, 7) - 2; }
uint64_t draw_uint64_t(sequence *s) { return draw_below(s, 5); }
uint8_t draw_uint8_t(sequence *s) { return (uint8_t)draw_below(s, 9); }
uint16_t draw_uint16_t(sequence *s) { return (uint16_t)draw_below(s, 3); }
size_t draw_size_t(sequence *s) { return draw_below(s, 5); }
int32_t draw_int32_t(sequence *s) { return (int32_t)draw_below(s, 5) - 1; }
int64_t draw_dim(sequence *s) { return (int64_t)draw_below(s, 5) - 2; }
double draw_double(sequence *s) {
  static const double SOME[] = {0.0, 1.0, -1.0, 0.5, 2.0, 1e-3, 100.0};
  return SOME[draw_below(s, sizeof SOME / sizeof *SOME)];
}
ctorch_scalar draw_ctorch_scalar(sequence *s) {
  const ctorch_scalar made = {(int32_t)draw_below(s, 4), 0, draw_int64_t(s), draw_double(s), draw_double(s)};
  return made;
}
ctorch_device draw_ctorch_device(sequence *s) {
  const ctorch_device made = {draw_below(s, 8) == 0 ? CTORCH_DEVICE_TYPE_META : CTORCH_DEVICE_TYPE_CPU, -1};
  return made;
}
ctorch_stream draw_ctorch_stream(sequence *s) {
  const ctorch_stream made = {0, (int32_t)draw_below(s, 2), 0};
  return made;
}
int32_t draw_enum(sequence *s, enumeration of) {
  /* Mostly one of the first, among which are the plain dtypes, layouts and devices. */
  return of.values[draw_below(s, draw_below(s, 4) != 0 && of.len > 12 ? 12 : of.len)];
}

const char *draw_text(sequence *s, const char *name, bool optional) {
  static const char *const TEXTS[] = {"default", "CPU",    "AutogradCPU", "lr",     "mean", "none",
                                      "reflect", "fan_in", "relu",        "0, ...", ":1",   "ij,jk->ik",
                                      "12",      "floor",  "same",        "shop",   "",     "self_cpu_time_total"};
  static const char *const OF_MODULES[] = {"weight", "bias", "0", "1", "0.weight", "running_mean", "", "own"};
  if (optional && draw_bool(s)) {
    return NULL;
  }
  if (strcmp(name, "of a module") == 0 && draw_below(s, 8) != 0) {
    return OF_MODULES[draw_below(s, draw_bool(s) ? 1 : sizeof OF_MODULES / sizeof *OF_MODULES)];
  }
  if (strcmp(name, "text") == 0 && draw_bool(s)) {
    return TEXTS[9 + draw_below(s, 2)];
  }
  return TEXTS[draw_below(s, sizeof TEXTS / sizeof *TEXTS)];
}
/* The pool */

void *draw_handle(sequence *s, int kind, bool optional) {
  if (s->len[kind] == 0 || (optional && draw_bool(s))) {
    return NULL;
  }
  return s->pool[kind][draw_below(s, s->len[kind])].handle;
}

size_t draw_handles(sequence *s, int kind, const void **handles) {
  size_t len = draw_below(s, LIST + 1);
  for (size_t i = 0; i < len; i++) {
    handles[i] = draw_handle(s, kind, draw_below(s, 8) == 0);
  }
  return len;
}
