/* Snapshots: what they are taken of, and which there are. */
#ifndef CTORCH_SHIM_SNAPSHOTS_SNAPSHOTS_H
#define CTORCH_SHIM_SNAPSHOTS_SNAPSHOTS_H

#include <pthread.h>

#include "ctorch/snapshots/snapshots.h"

/* What one kind of thing does to be saved. */
struct snapshot_kind {
  /* Its state, owned by the caller. */
  ctorch_error *(*save)(ctorch_value **out, void *object);
  ctorch_error *(*load)(void *object, const ctorch_value *state);
  void (*release)(void *object);
};

struct snapshot_part {
  char *name;
  const struct snapshot_kind *kind;
  void *object;
};

/* A file of the folder. */
struct snapshot_entry {
  int64_t step;
  double metric;
  bool metric_known; /* else it has to be read from the file */
};

struct ctorch_snapshots {
  char *folder;
  struct snapshot_part *parts;
  size_t parts_len;
  struct snapshot_entry *entries; /* by step */
  size_t entries_len;
  int64_t every, keep_last, keep_best;
  bool maximize, async;
  /* What another thread writes. */
  bool is_writing;
  pthread_t thread;
  ctorch_value *written;
  char *written_path;
  struct snapshot_entry written_entry;
  ctorch_error *written_error;
};

/* snapshots_files.c */

/* The path of a step's snapshot, which the caller frees; NULL is out of memory. */
char *snapshots_path_of(const ctorch_snapshots *self, int64_t step);
/* Find the snapshots that are in the folder. */
ctorch_error *snapshots_list(const char *function, ctorch_snapshots *self) __attribute__((warn_unused_result));
/* Put a new one in its place, and remove those that are not to be kept. */
ctorch_error *snapshots_enter(const char *function, ctorch_snapshots *self, const struct snapshot_entry *entry)
    __attribute__((warn_unused_result));
/* The best one; NULL if there is none. */
ctorch_error *snapshots_best(const char *function, const struct snapshot_entry **out, const ctorch_snapshots *self)
    __attribute__((warn_unused_result));

/* snapshots_state.c */

extern const struct snapshot_kind snapshot_module, snapshot_optimizer, snapshot_lr_scheduler, snapshot_grad_scaler,
    snapshot_generator, snapshot_value;

/* Everything that is saved, as a dict that the caller releases. Errors name what failed in it, not an exported function
 * of snapshots: error_of. */
ctorch_error *snapshots_collect(
    ctorch_value **out, const ctorch_snapshots *self, int64_t epoch, const struct snapshot_entry *entry)
    __attribute__((warn_unused_result));
/* Hand a state that was read on to the parts and the generators. */
ctorch_error *snapshots_restore(
    const char *function,
    int64_t *out_epoch,
    int64_t *out_step,
    const ctorch_snapshots *self,
    const ctorch_value *state,
    const char *path) __attribute__((warn_unused_result));

#endif
