/* What is shown while a trainer works: a line for each epoch, or one that changes. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/sequence.h"
#include "data/loader.h"
#include "trainer/trainer.h"

enum { CURVE = sizeof(((struct trainer_progress *)0)->curve) / sizeof(double) };
static const int64_t SECOND = 1000000000;

/* The curve: each entry is the mean of as many batches; when there is no more room, of twice as many. */
static void add_to_curve(struct trainer_progress *self, double loss) {
  if (self->bin == 0) {
    self->bin = 1;
  }
  self->bin_sum += loss;
  if (++self->in_bin < self->bin) {
    return;
  }
  if (self->curve_len == CURVE) {
    for (int i = 0; i < CURVE / 2; i++) {
      self->curve[i] = (self->curve[2 * i] + self->curve[2 * i + 1]) / 2;
    }
    self->curve_len = CURVE / 2;
    self->bin *= 2;
    if (self->in_bin < self->bin) {
      return;
    }
  }
  self->curve[self->curve_len++] = self->bin_sum / (double)self->in_bin;
  self->bin_sum = 0;
  self->in_bin = 0;
}

static void print_curve(const struct trainer_progress *self) {
  static const char *const bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  double least = INFINITY, most = -INFINITY;
  for (int i = 0; i < self->curve_len; i++) {
    least = fmin(least, self->curve[i]);
    most = fmax(most, self->curve[i]);
  }
  for (int i = 0; i < self->curve_len; i++) {
    double height = most > least ? (self->curve[i] - least) / (most - least) : 0;
    fputs(height >= 0 && height <= 1 ? bars[(int)(height * 7.999)] : "?", stderr);
  }
}

static void print_time(double seconds) {
  int64_t whole = seconds < 1e9 ? (int64_t)seconds : 1000000000;
  if (whole >= 3600) {
    fprintf(stderr, "%" PRId64 ":%02" PRId64 ":%02" PRId64, whole / 3600, whole / 60 % 60, whole % 60);
  } else {
    fprintf(stderr, "%" PRId64 ":%02" PRId64, whole / 60, whole % 60);
  }
}

static void print_epoch(const ctorch_trainer *self, int64_t epoch) {
  fprintf(stderr, "epoch %" PRId64, epoch);
  if (self->epochs > 0) {
    fprintf(stderr, "/%" PRId64, self->epochs);
  }
}

static void show(ctorch_trainer *self) {
  const struct trainer_progress *p = &self->progress;
  double seconds = (double)(p->shown - p->began) / (double)SECOND;
  fputs("\r\033[K", stderr);
  print_epoch(self, self->epoch + 1);
  fprintf(stderr, "  batch %" PRId64, p->batches);
  if (p->total >= 0) {
    fprintf(stderr, "/%" PRId64, p->total);
  }
  fprintf(stderr, "  loss %.4g  ", self->sums.sums[0] / self->sums.losses);
  if (seconds > 0) {
    fprintf(stderr, "%.1f/s  ", (double)p->batches / seconds);
    if (p->total >= p->batches && p->batches > 0) {
      print_time(seconds / (double)p->batches * (double)(p->total - p->batches));
      fputs(" left  ", stderr);
    }
  }
  print_curve(p);
  fflush(stderr);
}

void progress_epoch(ctorch_trainer *self, const ctorch_loader *loader) {
  struct trainer_progress *p = &self->progress;
  ctorch_trainer_progress kind = self->progress_kind;
  p->is_live = kind == CTORCH_TRAINER_PROGRESS_LIVE || (kind == CTORCH_TRAINER_PROGRESS_AUTO && isatty(2) == 1);
  p->began = p->shown = clock_now();
  p->batches = 0;
  ctorch_error *error = ctorch_loader_len(&p->total, loader);
  if (error != NULL) {
    p->total = -1;
    ctorch_error_release(error);
  }
}

void progress_batch(ctorch_trainer *self) {
  struct trainer_progress *p = &self->progress;
  double loss = 0;
  p->batches++;
  if (!p->is_live || self->sums.deferred != NULL) {
    return;
  }
  ctorch_error *error = ctorch_trainer_loss(&loss, self);
  if (error != NULL) {
    ctorch_error_release(error);
    return;
  }
  add_to_curve(p, loss);
  if (clock_now() - p->shown >= SECOND / 10) {
    p->shown = clock_now();
    show(self);
  }
}

static void print_metric(const char *name, double number) { fprintf(stderr, "  %s %.4g", name, number); }

static void print_metrics(const ctorch_value *metrics) {
  ctorch_value *keys = NULL;
  ctorch_error *error = ctorch_value_dict_keys(&keys, metrics);
  for (size_t i = 0; error == NULL && i < ctorch_value_len(keys); i++) {
    ctorch_value *key = NULL, *value = NULL;
    const char *name = NULL;
    double number = 0;
    error = ctorch_value_get(&key, keys, i);
    THEN(error, ctorch_value_to_string(&name, NULL, key));
    THEN(error, ctorch_value_dict_get(&value, metrics, key));
    THEN(error, ctorch_value_to_double(&number, value));
    if (error == NULL && strcmp(name, "epoch") != 0 && strcmp(name, "step") != 0) {
      print_metric(name, number);
    }
    ctorch_value_release(value);
    ctorch_value_release(key);
  }
  ctorch_value_release(keys);
  ctorch_error_release(error);
}

void progress_epoch_end(ctorch_trainer *self, const ctorch_value *metrics) {
  struct trainer_progress *p = &self->progress;
  if (self->progress_kind == CTORCH_TRAINER_PROGRESS_NONE) {
    return;
  }
  double seconds = (double)(clock_now() - p->began) / (double)SECOND;
  fputs(p->is_live ? "\r\033[K" : "", stderr);
  print_epoch(self, self->epoch);
  print_metrics(metrics);
  fputs("  ", stderr);
  print_time(seconds);
  if (seconds > 0) {
    fprintf(stderr, "  %.1f batches/s", (double)p->batches / seconds);
  }
  fputs("\n", stderr);
}
