/** What a trainer is made of. */
#ifndef CTORCH_SHIM_TRAINER_TRAINER_H
#define CTORCH_SHIM_TRAINER_TRAINER_H

#include <ctorch.h>
#include <stdatomic.h>

#include "module/tapes.h"

struct text; /* text.h */

struct trainer_metric {
  char *name;
  ctorch_trainer_metric_callback metric; /* NULL is accuracy */
  void (*destroy)(void *payload);
  void *payload;
};

/** A metric that is accumulated; each epoch, and each validation, begins with a copy. */
struct trainer_accumulated {
  char *name;
  ctorch_metric *metric; /* a reference */
};

struct trainer_callback {
  ctorch_trainer_event event;
  ctorch_trainer_event_callback callback;
  void (*destroy)(void *payload);
  void *payload;
};

/** Sums over samples, or batches, of what is averaged: the loss first, then the metrics. */
struct trainer_sums {
  double *sums;
  double weight;               /* samples that the metrics are of */
  double losses;               /* batches that the loss is of */
  ctorch_tensor *deferred;     /* losses that are still on a device, added up; taken, NULL for none */
  ctorch_metric **accumulated; /* references */
  size_t accumulated_len;
};

/** What is shown while it trains (progress.c). */
struct trainer_progress {
  bool is_live;
  int64_t began, shown;   /* by the clock of loaders */
  int64_t batches, total; /* of the epoch; the latter is -1 if it is not known */
  double curve[40];       /* losses, each the mean of `bin` batches */
  int curve_len;
  int64_t bin, in_bin;
  double bin_sum;
};

/** What snapshots have of a trainer, which either may outlive. */
struct trainer_link {
  ctorch_trainer *trainer; /* NULL once it is gone */
  atomic_int owners;
};

struct ctorch_trainer {
  ctorch_module *module, *loss; /* references; `loss` may be NULL */
  ctorch_optimizer *optimizer;
  ctorch_tensor_list *parameters; /* of the model, while it trains; taken */
  ctorch_trainer_step_callback step_callback;
  void (*step_destroy)(void *payload);
  void *step_payload;
  struct trainer_metric *metrics;
  size_t metrics_len;
  struct trainer_accumulated *accumulated;
  size_t accumulated_len;
  struct trainer_callback *callbacks;
  size_t callbacks_len;
  int64_t epochs, steps, accumulation;
  bool autocasts, has_dtype;
  ctorch_device_type autocast_device;
  ctorch_dtype autocast_dtype;
  ctorch_grad_scaler *scaler; /* a reference; NULL for none */
  double max_norm, norm_type, clip_value;
  ctorch_lr_scheduler *scheduler; /* a reference; NULL for none */
  bool scheduler_steps;           /* after each step */
  char *scheduler_metric;
  ctorch_loader *validation; /* a reference; NULL for none */
  int64_t validate_every;
  char *stopping_metric; /* NULL for no early stopping */
  bool stopping_maximize;
  int64_t patience;
  double min_delta;
  ctorch_snapshots *snapshots; /* a reference; NULL for none */
  struct trainer_link *link;   /* of those snapshots; NULL until they know of it */
  int64_t save_every;
  char *snapshot_metric;
  ctorch_trainer_progress progress_kind;
  bool interruptible;
  struct tapes *tapes; /* of steps that are captured; NULL for none */

  /* Of a run. */
  bool is_at_work, is_stopped;
  uint64_t interrupts;   /* that there had been when the work began */
  ctorch_loader *loader; /* of the run at hand */
  atomic_bool stop_wanted;
  int64_t epoch, step;
  ctorch_iterator *batches; /* of the epoch at hand; taken, NULL between epochs */
  ctorch_value *position;   /* of a snapshot, where its epoch goes on; taken, NULL for none */
  ctorch_value *history;    /* a list; taken */
  ctorch_value *last;       /* metrics of the last validation; taken, NULL for none */
  struct trainer_sums sums; /* of the epoch */
  ctorch_tensor *last_loss; /* of the last batch, taken; NULL before the first */
  bool has_best;
  double best;
  int64_t waited; /* epochs since the best */
  struct trainer_progress progress;
};

/* loss.c */

/** The loss of a batch, and what the metrics are there, which are added to the sums; without sums the output of the
 * model in their place. `*out` and `*out_output` are owned. */
ctorch_error *trainer_forward(
    const char *function,
    ctorch_trainer *self,
    struct trainer_sums *sums,
    const ctorch_value *batch,
    ctorch_tensor **out,
    ctorch_value **out_output) __attribute__((warn_unused_result));
/** Add the metrics of a batch of which the model gave a tensor. */
ctorch_error *trainer_add_metrics(
    const char *function,
    ctorch_trainer *self,
    struct trainer_sums *sums,
    const ctorch_tensor *output,
    const ctorch_value *batch) __attribute__((warn_unused_result));
/** Add a loss to the sums. */
ctorch_error *trainer_add_loss(const char *function, struct trainer_sums *sums, const ctorch_tensor *loss)
    __attribute__((warn_unused_result));
/** Means under their names, with something before each. */
ctorch_error *trainer_put_means(
    const char *function, const ctorch_trainer *self, struct trainer_sums *sums, const char *before, ctorch_value *dict)
    __attribute__((warn_unused_result));
ctorch_error *trainer_sums_begin(const char *function, const ctorch_trainer *self, struct trainer_sums *sums)
    __attribute__((warn_unused_result));
void trainer_sums_end(struct trainer_sums *sums);
/** Losses that are still on a device become numbers. */
ctorch_error *trainer_sums_settle(const char *function, struct trainer_sums *sums) __attribute__((warn_unused_result));
/** Go over a loader without gradients; names begin with `before`. */
ctorch_error *trainer_validate(
    const char *function, ctorch_trainer *self, ctorch_loader *loader, const char *before, ctorch_value *dict)
    __attribute__((warn_unused_result));

/* accumulated.c */

ctorch_error *trainer_accumulated_begin(const char *function, const ctorch_trainer *self, struct trainer_sums *sums)
    __attribute__((warn_unused_result));
/** Add a copy of a metric. */
ctorch_error *trainer_accumulated_add(
    const char *function, ctorch_trainer *self, const char *name, const ctorch_metric *metric)
    __attribute__((warn_unused_result));
void trainer_accumulated_end(struct trainer_sums *sums);
void trainer_accumulated_free(ctorch_trainer *self);
ctorch_error *trainer_accumulate(
    const char *function, struct trainer_sums *sums, const ctorch_value *output, const ctorch_value *target)
    __attribute__((warn_unused_result));
/** Results under their names, with something before each. */
ctorch_error *trainer_accumulated_put(
    const char *function,
    const ctorch_trainer *self,
    const struct trainer_sums *sums,
    const char *before,
    ctorch_value *dict) __attribute__((warn_unused_result));
void trainer_accumulated_save(ctorch_error **error, ctorch_value *dict, const struct trainer_sums *sums);
ctorch_error *trainer_accumulated_load(const char *function, struct trainer_sums *sums, const ctorch_value *dict)
    __attribute__((warn_unused_result));
/** Whether a name is taken. */
bool trainer_has_metric(const ctorch_trainer *self, const char *name);

/* state.c */

/** Tell snapshots what to save, once, and go on from the last one. */
ctorch_error *trainer_resume(const char *function, ctorch_trainer *self) __attribute__((warn_unused_result));
ctorch_error *trainer_save(const char *function, ctorch_trainer *self, const double *metric)
    __attribute__((warn_unused_result));
/** Bring to the disk what the trainer has logged. */
ctorch_error *trainer_flush_loggers(const ctorch_trainer *self) __attribute__((warn_unused_result));
/** A metric of the last epoch, or VALUE. */
ctorch_error *trainer_metric_of(const char *function, const ctorch_value *metrics, const char *name, double *out)
    __attribute__((warn_unused_result));

void trainer_unlink(ctorch_trainer *self);

/* tape.c */

/** VALUE where steps that are captured leave out what was asked for. */
ctorch_error *trainer_tape_check(const ctorch_trainer *self) __attribute__((warn_unused_result));
/** A batch and its step, which `step` makes where it is not replayed. */
ctorch_error *trainer_tape_batch(
    ctorch_trainer *self, const ctorch_value *batch, ctorch_error *(*step)(ctorch_trainer *))
    __attribute__((warn_unused_result));

/* progress.c */

void progress_epoch(ctorch_trainer *self, const ctorch_loader *loader);
void progress_batch(ctorch_trainer *self);
void progress_epoch_end(ctorch_trainer *self, const ctorch_value *metrics);

#endif
