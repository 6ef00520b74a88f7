/* What L-BFGS remembers: the dict that is its state, and the arrays that it computes with. */
#include <stdlib.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "optim/group.h"
#include "optim/lbfgs.h"

static void release_all(ctorch_tensor **tensors, size_t len) {
  for (size_t i = 0; tensors != NULL && i < len; i++) {
    ctorch_tensor_release(tensors[i]);
  }
}

void lbfgs_memory_forget(struct lbfgs_memory *self) {
  release_all(self->old_dirs, self->len);
  release_all(self->old_stps, self->len);
  release_all(self->ro, self->len);
  self->len = 0;
}

void lbfgs_memory_end(struct lbfgs_memory *self) {
  lbfgs_memory_forget(self);
  free(self->old_dirs);
  free(self->old_stps);
  free(self->ro);
  release_all(self->al, self->al_len);
  free(self->al);
  ctorch_tensor_release(self->d);
  ctorch_tensor_release(self->prev_flat_grad);
  quantity_end(&self->t);
  quantity_end(&self->h_diag);
}

static void shift(ctorch_tensor **tensors, size_t len) {
  ctorch_tensor_release(tensors[0]);
  for (size_t i = 1; i < len; i++) {
    tensors[i - 1] = tensors[i];
  }
}

/* Room for so many changes. */
static void reserve(ctorch_error **error, struct lbfgs_memory *self, const char *function, size_t len) {
  ctorch_tensor ***const rows[] = {&self->old_dirs, &self->old_stps, &self->ro};
  if (len <= self->capacity) {
    return;
  }
  for (size_t i = 0; *error == NULL && i < 3; i++) {
    ctorch_tensor **row = len > SIZE_MAX / sizeof *row ? NULL : realloc(*rows[i], len * sizeof *row);
    if (row == NULL) {
      THEN(*error, error_memory(function, len * sizeof *row));
    } else {
      *rows[i] = row;
    }
  }
  self->capacity = *error == NULL ? len : self->capacity;
}

void lbfgs_memory_push(
    ctorch_error **error,
    struct lbfgs_memory *self,
    const char *function,
    size_t most,
    ctorch_tensor *dir,
    ctorch_tensor *stp,
    ctorch_tensor *ro) {
  if (self->len > 0 && self->len == most) {
    shift(self->old_dirs, self->len);
    shift(self->old_stps, self->len);
    shift(self->ro, self->len);
    self->len--;
  }
  if (self->len == self->capacity) {
    reserve(error, self, function, 2 * self->capacity + 8);
  }
  if (*error != NULL) {
    ctorch_tensor_release(dir);
    ctorch_tensor_release(stp);
    ctorch_tensor_release(ro);
    return;
  }
  self->old_dirs[self->len] = dir;
  self->old_stps[self->len] = stp;
  self->ro[self->len++] = ro;
}

/* Reading. */

static void read_int_entry(ctorch_error **error, int64_t *out, const ctorch_value *state, const char *name) {
  ctorch_value *value = NULL;
  THEN(*error, dict_find(&value, state, name));
  if (value != NULL) {
    THEN(*error, ctorch_value_to_int(out, value));
  }
  ctorch_value_release(value);
}

static bool is_given(const ctorch_value *value) {
  return value != NULL && ctorch_value_kind_of(value) != CTORCH_VALUE_NONE;
}

static void read_tensor(ctorch_error **error, ctorch_tensor **out, const ctorch_value *state, const char *name) {
  ctorch_value *value = NULL;
  THEN(*error, dict_find(&value, state, name));
  if (is_given(value)) {
    THEN(*error, ctorch_value_to_tensor(out, value));
  }
  ctorch_value_release(value);
}

static void read_quantity(ctorch_error **error, struct quantity *out, const ctorch_value *state, const char *name) {
  ctorch_value *value = NULL;
  THEN(*error, dict_find(&value, state, name));
  if (is_given(value) && ctorch_value_kind_of(value) == CTORCH_VALUE_TENSOR) {
    out->is_own = true;
    THEN(*error, ctorch_value_to_tensor(&out->tensor, value));
  } else if (is_given(value)) {
    THEN(*error, ctorch_value_to_double(&out->value, value));
  }
  ctorch_value_release(value);
}

/* The tensors of a list, for which `out` has room; returns how many there are. */
static size_t read_tensors(
    ctorch_error **error, ctorch_tensor **out, const char *function, const ctorch_value *list, const char *name) {
  size_t len = 0;
  for (size_t i = 0; *error == NULL && i < ctorch_value_len(list); i++) {
    ctorch_value *entry = NULL;
    out[i] = NULL;
    THEN(*error, ctorch_value_get(&entry, list, i));
    if (is_given(entry) && ctorch_value_kind_of(entry) != CTORCH_VALUE_TENSOR) {
      THEN(
          *error, error_make(
                      function, CTORCH_ERROR_TYPE, "the state of LBFGS: '%s' holds %s, expected tensors", name,
                      ctorch_value_kind_name(ctorch_value_kind_of(entry))));
    } else if (is_given(entry)) {
      THEN(*error, ctorch_value_to_tensor(&out[i], entry));
    }
    len = i + 1;
    ctorch_value_release(entry);
  }
  return len;
}

static bool is_list(const ctorch_value *value) {
  return value != NULL &&
         (ctorch_value_kind_of(value) == CTORCH_VALUE_LIST || ctorch_value_kind_of(value) == CTORCH_VALUE_TUPLE);
}

/* The changes, as many in each of the three lists. */
static void read_changes(
    ctorch_error **error, struct lbfgs_memory *self, const char *function, const ctorch_value *state) {
  static const char *const names[] = {"old_dirs", "old_stps", "ro"};
  ctorch_value *lists[3] = {NULL};
  for (size_t i = 0; i < 3; i++) {
    THEN(*error, dict_find(&lists[i], state, names[i]));
  }
  bool has_all = is_list(lists[0]) && is_list(lists[1]) && is_list(lists[2]);
  if (*error == NULL && has_all) {
    size_t len = ctorch_value_len(lists[0]);
    if (ctorch_value_len(lists[1]) != len || ctorch_value_len(lists[2]) != len) {
      THEN(
          *error,
          error_make(
              function, CTORCH_ERROR_VALUE, "the state of LBFGS: 'old_dirs', 'old_stps' and 'ro' differ in length"));
    }
    reserve(error, self, function, len + 1);
    if (*error == NULL) {
      size_t read = read_tensors(error, self->old_dirs, function, lists[0], names[0]);
      size_t steps = read_tensors(error, self->old_stps, function, lists[1], names[1]);
      size_t factors = read_tensors(error, self->ro, function, lists[2], names[2]);
      bool is_whole = read == len && steps == len && factors == len;
      for (size_t i = 0; is_whole && i < len; i++) {
        is_whole = self->old_dirs[i] != NULL && self->old_stps[i] != NULL && self->ro[i] != NULL;
      }
      if (!is_whole) {
        release_all(self->old_dirs, read);
        release_all(self->old_stps, steps);
        release_all(self->ro, factors);
        THEN(*error, error_make(function, CTORCH_ERROR_TYPE, "the state of LBFGS: a change is None, expected tensors"));
      } else {
        self->len = len;
      }
    }
  }
  for (size_t i = 0; i < 3; i++) {
    ctorch_value_release(lists[i]);
  }
}

static void read_factors(
    ctorch_error **error, struct lbfgs_memory *self, const char *function, const ctorch_value *state) {
  ctorch_value *list = NULL;
  THEN(*error, dict_find(&list, state, "al"));
  if (*error == NULL && is_list(list)) {
    size_t len = ctorch_value_len(list);
    self->al = calloc(len + 1, sizeof *self->al);
    if (self->al == NULL) {
      THEN(*error, error_memory(function, (len + 1) * sizeof *self->al));
    } else {
      self->has_al = true;
      self->al_len = read_tensors(error, self->al, function, list, "al");
    }
  }
  ctorch_value_release(list);
}

void lbfgs_memory_read(
    ctorch_error **error, struct lbfgs_memory *self, const char *function, const ctorch_value *state) {
  read_int_entry(error, &self->func_evals, state, "func_evals");
  read_int_entry(error, &self->n_iter, state, "n_iter");
  read_tensor(error, &self->d, state, "d");
  read_tensor(error, &self->prev_flat_grad, state, "prev_flat_grad");
  read_quantity(error, &self->t, state, "t");
  read_quantity(error, &self->h_diag, state, "H_diag");
  read_changes(error, self, function, state);
  read_factors(error, self, function, state);
}

/* Writing. */

/* `value` is given up. */
static void put(ctorch_error **error, ctorch_value *state, const char *name, ctorch_value *value) {
  THEN(*error, ctorch_value_dict_put(state, name, value));
  ctorch_value_release(value);
}

static void put_int(ctorch_error **error, ctorch_value *state, const char *name, int64_t number) {
  ctorch_value *value = NULL;
  THEN(*error, ctorch_value_from_int(&value, number));
  put(error, state, name, value);
}

static void put_tensor(ctorch_error **error, ctorch_value *state, const char *name, const ctorch_tensor *tensor) {
  ctorch_value *value = NULL;
  THEN(*error, tensor != NULL ? ctorch_value_from_tensor(&value, tensor) : ctorch_value_from_none(&value));
  put(error, state, name, value);
}

static void put_quantity(ctorch_error **error, ctorch_value *state, const char *name, const struct quantity *number) {
  ctorch_value *value = NULL;
  THEN(
      *error, number->tensor != NULL ? ctorch_value_from_tensor(&value, number->tensor)
                                     : ctorch_value_from_double(&value, number->value));
  put(error, state, name, value);
}

static void put_tensors(
    ctorch_error **error, ctorch_value *state, const char *name, ctorch_tensor *const *tensors, size_t len) {
  ctorch_value *list = NULL;
  THEN(*error, ctorch_value_from_list(&list, NULL, 0));
  for (size_t i = 0; i < len; i++) {
    ctorch_value *entry = NULL;
    THEN(*error, tensors[i] != NULL ? ctorch_value_from_tensor(&entry, tensors[i]) : ctorch_value_from_none(&entry));
    THEN(*error, ctorch_value_list_append(list, entry));
    ctorch_value_release(entry);
  }
  put(error, state, name, list);
}

void lbfgs_memory_write(ctorch_error **error, const struct lbfgs_memory *self, ctorch_value *state, bool is_whole) {
  put_int(error, state, "func_evals", self->func_evals);
  put_int(error, state, "n_iter", self->n_iter);
  if (self->has_al) {
    put_tensors(error, state, "al", self->al, self->al_len);
  }
  if (is_whole) {
    ctorch_value *loss = NULL;
    put_tensor(error, state, "d", self->d);
    put_quantity(error, state, "t", &self->t);
    put_tensors(error, state, "old_dirs", self->old_dirs, self->len);
    put_tensors(error, state, "old_stps", self->old_stps, self->len);
    put_tensors(error, state, "ro", self->ro, self->len);
    put_quantity(error, state, "H_diag", &self->h_diag);
    put_tensor(error, state, "prev_flat_grad", self->prev_flat_grad);
    THEN(*error, ctorch_value_from_double(&loss, self->prev_loss));
    put(error, state, "prev_loss", loss);
  }
}
