/* Objects of Python's classes in files of torch.save: what is called, with which arguments, then the items and the
 * state of what that returns. */
#include <stdlib.h>
#include <string.h>

#include "core/c/boxed.h"
#include "core/c/error.h"
#include "pt/save.h"

/* What is under way. */
enum { CLASS, NEW_CLASS, NEW_ARGS, ARGS, ITEMS, STATE, PARAMETER_STATE };

static void set_stage(struct step *step, int stage) {
  step->stage = stage;
  step->place = stage == CLASS || stage == ITEMS ? "" : stage == STATE || stage == PARAMETER_STATE ? ".state" : ".args";
}

static bool is_named(const ctorch_value *value, const char *module, const char *name) {
  return strcmp(ctorch_value_python_module(value), module) == 0 && strcmp(ctorch_value_python_name(value), name) == 0;
}

/* False, after an error, of what torch.load does not take. */
static bool check(struct pt_save *self, bool is_allowed, const ctorch_value *value, const char *what) {
  if (!is_allowed && (self->flags & CTORCH_SAVE_ANY) == 0) {
    pickle_fail(
        &self->pickle,
        error_make(
            self->pickle.function, CTORCH_ERROR_UNSUPPORTED,
            "torch.load does not take %s%.200s.%.200s with weights_only=True; a flag writes it nevertheless "
            "(CTORCH_SAVE_ANY)",
            what, ctorch_value_python_module(value), ctorch_value_python_name(value)));
    return false;
  }
  return true;
}

/* Give what a call made its number. False if its arguments led back to it, so that it was written already. */
static bool end_call(struct pt_save *self, const void *identity) {
  struct pickle *pickle = &self->pickle;
  if (!pickle_is_known(pickle, identity)) {
    pickle_remember(pickle, identity);
    return true;
  }
  if (pt_save_may_write(self, "an object that is made of itself")) {
    pickle_op(pickle, OP_POP);
    pickle_recall(pickle, identity);
  }
  return false;
}

/* Parameters ------------------------------------------------------------------------------------------------------- */

/* The tensor of a torch.nn.Parameter that is told as one; NULL for everything else. */
static ctorch_tensor *parameter_data(struct pt_save *self, const ctorch_value *value, bool *requires_grad) {
  ctorch_value *args = NULL, *data = NULL, *flag = NULL;
  ctorch_tensor *tensor = NULL;
  struct pickle *pickle = &self->pickle;
  if (!is_named(value, "torch.nn.parameter", "Parameter")) {
    return NULL;
  }
  pickle_fail(pickle, ctorch_value_python_args(&args, value));
  size_t len = ctorch_value_len(args);
  if (len >= 1 && len <= 2) {
    pickle_fail(pickle, ctorch_value_get(&data, args, 0));
    if (len == 2) {
      pickle_fail(pickle, ctorch_value_get(&flag, args, 1));
    }
    *requires_grad = true;
    if (ctorch_value_kind_of(flag) == CTORCH_VALUE_BOOL) {
      pickle_fail(pickle, ctorch_value_to_bool(requires_grad, flag));
    }
    if (ctorch_value_kind_of(data) == CTORCH_VALUE_TENSOR &&
        (flag == NULL || ctorch_value_kind_of(flag) == CTORCH_VALUE_BOOL)) {
      pickle_fail(pickle, ctorch_value_to_tensor(&tensor, data));
    }
  }
  ctorch_value_release(flag);
  ctorch_value_release(data);
  ctorch_value_release(args);
  return tensor;
}

/* A parameter as far as its state, which may follow. */
static void begin_parameter(struct pt_save *self, const ctorch_tensor *tensor, bool requires_grad, bool has_state) {
  struct pickle *pickle = &self->pickle;
  pickle_global(pickle, "torch._utils", has_state ? "_rebuild_parameter_with_state" : "_rebuild_parameter");
  if (has_state) {
    pickle_op(pickle, OP_MARK);
  }
  pt_save_tensor(self, tensor, false);
  pickle_number(pickle);
  pickle_bool(pickle, requires_grad);
  pt_save_no_hooks(self);
}

static void end_parameter(struct pt_save *self, const void *identity, bool has_state) {
  struct pickle *pickle = &self->pickle;
  pickle_tuple(pickle, has_state ? 4 : 3);
  pickle_op(pickle, OP_REDUCE);
  (void)end_call(self, identity);
}

void pt_save_parameter(struct pt_save *self, const ctorch_tensor *tensor, const void *identity) {
  begin_parameter(self, tensor, ctorch_tensor_requires_grad(tensor), false);
  end_parameter(self, identity, false);
}

/* Objects ---------------------------------------------------------------------------------------------------------- */

/* The class that copyreg.__newobj__ is to make an object of, and the arguments for it. */
static void begin_new(struct pt_save *self, struct step *step) {
  ctorch_value *args = NULL, *first = NULL;
  struct pickle *pickle = &self->pickle;
  pickle_fail(pickle, ctorch_value_python_args(&args, step->values));
  if (ctorch_value_len(args) == 0) {
    pt_save_refuse(self, "copyreg.__newobj__ without a class");
  } else {
    pickle_fail(pickle, ctorch_value_get(&first, args, 0));
  }
  ctorch_value_release(args);
  set_stage(step, NEW_CLASS);
  self->begin(self, first);
}

/* The arguments behind the class. */
static void begin_new_args(struct pt_save *self, struct step *step) {
  struct pickle *pickle = &self->pickle;
  ctorch_value *args = NULL, *rest = NULL;
  pickle_fail(pickle, ctorch_value_python_args(&args, step->values));
  size_t len = ctorch_value_len(args);
  ctorch_value **entries = calloc(len + 1, sizeof *entries);
  if (entries == NULL) {
    pickle_fail(pickle, error_memory(pickle->function, len * sizeof *entries));
    len = 0;
  }
  for (size_t i = 1; i < len; i++) {
    pickle_fail(pickle, ctorch_value_get(&entries[i - 1], args, i));
  }
  if (pickle->error == NULL) {
    pickle_fail(pickle, ctorch_value_from_tuple(&rest, (const ctorch_value *const *)entries, len - 1));
  }
  for (size_t i = 1; i < len; i++) {
    ctorch_value_release(entries[i - 1]);
  }
  free(entries);
  ctorch_value_release(args);
  set_stage(step, NEW_ARGS);
  self->begin(self, rest);
}

static void begin_class(struct pt_save *self, struct step *step) {
  bool requires_grad = true;
  ctorch_value *args = NULL, *state = NULL, *items = NULL;
  const ctorch_value *value = step->values;
  struct pickle *pickle = &self->pickle;
  ctorch_tensor *data = parameter_data(self, value, &requires_grad);
  if (data != NULL) {
    const void *identity = step->identity;
    pickle_fail(pickle, ctorch_value_python_state(&state, value));
    pickle_fail(pickle, ctorch_value_python_items(&items, value));
    if (items != NULL) {
      pt_save_refuse(self, "a parameter with items");
    }
    ctorch_value_release(items);
    begin_parameter(self, data, requires_grad, state != NULL);
    ctorch_tensor_release(data);
    if (state != NULL) {
      set_stage(step, PARAMETER_STATE);
      self->begin(self, state);
    } else {
      end_parameter(self, identity, false);
      pt_save_end_step(self);
    }
    return;
  }
  if (is_named(value, "copyreg", "__newobj__")) {
    begin_new(self, step);
    return;
  }
  if (!check(
          self, pt_class_is_allowed(ctorch_value_python_module(value), ctorch_value_python_name(value)), value, "")) {
    return;
  }
  pickle_global(pickle, ctorch_value_python_module(value), ctorch_value_python_name(value));
  pickle_fail(pickle, ctorch_value_python_args(&args, value));
  set_stage(step, ARGS);
  self->begin(self, args);
}

/* The object is made: give it its number, and begin its items. */
static void begin_items(struct pt_save *self, struct step *step, int opcode) {
  struct pickle *pickle = &self->pickle;
  ctorch_value *items = NULL;
  pickle_op(pickle, opcode);
  if (!end_call(self, step->identity)) {
    pt_save_end_step(self);
    return;
  }
  set_stage(step, ITEMS);
  pickle_fail(pickle, ctorch_value_python_items(&items, step->values));
  if (items == NULL) {
    return;
  }
  const ctorch_value *value = step->values;
  if (ctorch_value_kind_of(items) == CTORCH_VALUE_SET) {
    pt_save_refuse(self, "an object with a set for its items");
  } else if (check(
                 self,
                 ctorch_value_kind_of(items) == CTORCH_VALUE_DICT &&
                     pt_class_may_have_items(ctorch_value_python_module(value), ctorch_value_python_name(value)),
                 value, "items of ")) {
    pt_save_begin_entries(self, items, true);
  }
  ctorch_value_release(items);
}

static void begin_state(struct pt_save *self, struct step *step) {
  const ctorch_value *value = step->values;
  ctorch_value *state = NULL;
  pickle_fail(&self->pickle, ctorch_value_python_state(&state, value));
  if (state == NULL) {
    pt_save_end_step(self);
    return;
  }
  set_stage(step, STATE);
  if (check(
          self, pt_class_may_have_state(ctorch_value_python_module(value), ctorch_value_python_name(value)), value,
          "a state of ")) {
    self->begin(self, state);
  } else {
    ctorch_value_release(state);
  }
}

static void continue_object(struct pt_save *self, struct step *step) {
  switch (step->stage) {
    case CLASS:
      begin_class(self, step);
      break;
    case NEW_CLASS:
      begin_new_args(self, step);
      break;
    case NEW_ARGS:
      begin_items(self, step, OP_NEWOBJ);
      break;
    case ARGS:
      begin_items(self, step, OP_REDUCE);
      break;
    case ITEMS:
      begin_state(self, step);
      break;
    case PARAMETER_STATE:
      end_parameter(self, step->identity, true);
      pt_save_end_step(self);
      break;
    default:
      pickle_op(&self->pickle, OP_BUILD);
      pt_save_end_step(self);
      break;
  }
}

void pt_save_begin_object(struct pt_save *self, ctorch_value *value) {
  const char *module = ctorch_value_python_module(value), *name = ctorch_value_python_name(value);
  const void *identity = value_identity(value);
  if (identity != NULL) {
    ctorch_value_retain(value);
    struct step step = {
        .kind = STEP_OBJECT,
        .go_on = continue_object,
        .stage = CLASS,
        .place = "",
        .identity = identity,
        .values = value};
    pt_save_push(self, &step);
  } else if (check(self, pt_class_is_allowed(module, name), value, "")) {
    pickle_global(&self->pickle, module, name);
  }
}
