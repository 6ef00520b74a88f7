/**
 * Modules written in C: a struct that begins with a ctorch_module, and a class that says what it does.
 *
 *     struct relu {
 *       ctorch_module module;
 *       bool inplace;
 *     };
 *
 *     static ctorch_error *forward(ctorch_module *self, ctorch_tensor **out, const ctorch_tensor *input) { … }
 *     static void extra_repr(const ctorch_module *self, struct text *text) {
 *       text_add(text, "%s", ((const struct relu *)self)->inplace ? "inplace=True" : "");
 *     }
 *     static const module_class relu_class = {
 *         .object = MODULE_OBJECT(struct relu), .name = "ReLU", .forward = forward, .extra_repr = extra_repr};
 *
 *     ctorch_error *nn_ReLU(const char *function, ctorch_module **out, const struct nn_ReLU_options *options) {
 *       struct relu *self = module_new(&relu_class);
 *       if (self != NULL) {
 *         self->inplace = options->inplace;
 *       }
 *       return module_give(function, out, &self->module, NULL);
 *     }
 *
 * Parameters, buffers and children stand in the order in which they were registered, each under the number that this
 * order gives it: a class registers its own first, and calls them by an enumeration,
 *
 *     enum { WEIGHT, BIAS };
 *     CTORCH_TRY(module_add_parameter(function, &self->module, "weight", weight));  // consumed
 *     CTORCH_TRY(module_add_parameter(function, &self->module, "bias", NULL));      // absent, but its name is known
 *     …
 *     ctorch_aten_linear(out, input, module_parameter_at(self, WEIGHT), module_parameter_at(self, BIAS));
 *
 * A struct keeps no pointer to them: a user may put others in their place, and a copy of the module has its own.
 *
 * A class that takes or gives anything but one tensor has `call`, which the generator writes from the `forward(…)` line
 * of its schema entry: `nn_LSTM_call` unpacks values and calls the typed `nn_LSTM_forward`, which the class defines.
 */
#ifndef CTORCH_SHIM_MODULE_MODULE_H
#define CTORCH_SHIM_MODULE_MODULE_H

#include <ctorch.h>

#include "base/name_index.h"
#include "core/c/object.h"

struct text; /* text.h */

/** What a class is given when a state dict is loaded (state.c). */
struct module_loading {
  const char *function;
  ctorch_value *state_dict; /* this call's own: entries may be added, renamed and removed */
  const char *prefix;       /* of this module's keys: "", "layer1.0." */
  int64_t version;          /* that the state dict was saved with; -1 if it does not say */
  bool strict, assign;
  ctorch_value *missing, *unexpected, *messages; /* lists of texts */
};

/** One more line of the error that loading ends with, if it is that `function` cannot go on with it. */
ctorch_error *module_loading_fails(struct module_loading *loading, const char *format, ...)
    __attribute__((format(printf, 2, 3), warn_unused_result));

/** What all modules of one kind have in common. Whatever a class does not need is NULL. */
typedef struct module_class {
  object_class object;
  /** As Python prints it: "Conv2d". */
  const char *name;
  /** One tensor to one tensor. `*out` is the caller's; every intermediate is released at once. */
  ctorch_error *(*forward)(ctorch_module *self, ctorch_tensor **out, const ctorch_tensor *input);
  /** Any values to a value. `args` is a tuple, `kwargs` a dict from texts or NULL. Asked where `forward` is NULL, or
   * where there is more than one tensor. */
  ctorch_error *(*call)(ctorch_module *self, ctorch_value **out, const ctorch_value *args, const ctorch_value *kwargs);
  /** The public function of a loss of an input and a target, which need not pass through values then. */
  ctorch_error *(*of_pair)(
      ctorch_tensor **out, ctorch_module *self, const ctorch_tensor *input, const ctorch_tensor *target);
  /** What stands between the parentheses of its text. */
  void (*extra_repr)(const ctorch_module *self, struct text *text);
  /** The name where it is not always the same (a user's class); NULL for `name`. */
  const char *(*name_of)(const ctorch_module *self);
  /** `self` is a copy, byte for byte, of what follows the ctorch_module in a struct: make its own what may not be
   * shared, such as an allocated array. If that fails, whatever `finalize` would give up is to be NULL. */
  ctorch_error *(*copied)(const char *function, ctorch_module *self);
  /** After `training` was changed. */
  void (*trained)(ctorch_module *self);
  /** Draw the initial values anew, as the constructor does (Python's reset_parameters). */
  ctorch_error *(*reset_parameters)(const char *function, ctorch_module *self);
  /** Version of the state dict; 0 stands for 1, which most have. */
  int64_t version;
  /** Before the module takes its values out of a state dict: what older versions lack is put in there. */
  ctorch_error *(*loading)(ctorch_module *self, struct module_loading *loading);
  /** Text of the children in place of Python's default; true if it wrote one (ModuleList folds equal ones). */
  bool (*children_repr)(const ctorch_module *self, struct text *text);
  /** A new module of the same kind without what it holds, where that takes more than a copy of its bytes. It is an
   * object of C; what it holds is replaced. */
  ctorch_error *(*copy)(const char *function, ctorch_module **out, const ctorch_module *self);
  /** State besides tensors (Python's get_extra_state and set_extra_state). A class has both or neither, and may know of
   * each module whether it has any. */
  bool (*has_extra_state)(const ctorch_module *self);
  ctorch_error *(*extra_state)(const ctorch_module *self, ctorch_value **out);
  ctorch_error *(*set_extra_state)(ctorch_module *self, const ctorch_value *state);
  /** What it makes `value` of, as a parametrization: a tensor, or a list or tuple of tensors. A class that has
   * `has_right_inverse` knows of each module whether it has one. */
  bool (*has_right_inverse)(const ctorch_module *self);
  ctorch_error *(*right_inverse)(ctorch_module *self, ctorch_value **out, const ctorch_value *value);
  /** Its forward reads its tensors by ctorch_module_get_tensor: what is computed whenever it is read is left to it. */
  bool reads_by_name;
  /** Before the first call: sizes that its input tells. The module is of the class `becomes` from then on, whose
   * structs are the same. Such a class has no `forward` (lazy.h). */
  ctorch_error *(*infer)(const char *function, ctorch_module *self, const ctorch_tensor *input);
  const struct module_class *becomes;
} module_class;

/** How a tensor is computed from others of its module before each call, as a normalized weight is. It begins an object,
 * which copies of the module share. */
struct module_computed {
  ctorch_error *(*compute)(const struct module_computed *self, ctorch_tensor **out, const ctorch_module *module);
  /* For what is computed whenever it is read, also outside of calls: a tensor without memory that has the place until
   * then, so that nothing of a call is kept. NULL for what stays as the last call had it. */
  ctorch_tensor *placeholder;
  /* What it adds to the metadata of its module's state, and does to a state that is loaded; or NULL. */
  ctorch_error *(*saving)(const struct module_computed *self, ctorch_value *metadata);
  ctorch_error *(*loading)(
      const struct module_computed *self, struct module_loading *loading, const ctorch_value *metadata);
};

/** Parameters and buffers, and what is registered as None. What is computed keeps its number, by which its class reads
 * it, but is no parameter: lists, state dicts and conversions leave it aside (module_held). */
struct module_tensor {
  char *name;
  ctorch_tensor *tensor;
  bool is_transient;                /* a buffer that no state dict has */
  bool is_lazy;                     /* its sizes are not known yet: an empty tensor of its type and device (lazy.h) */
  struct module_computed *computed; /* a reference; NULL for what the module holds itself */
};

struct module_child {
  char *name;
  ctorch_module *module;
};

struct module_tensors {
  struct module_tensor *data;
  size_t len;
  struct name_index index;
};

struct module_children {
  struct module_child *data;
  size_t len;
  struct name_index index;
};

struct module_hooks;   /* module_hooks.h */
struct module_options; /* module_options.h */

struct ctorch_module {
  struct module_tensors parameters, buffers;
  struct module_children children;
  struct module_hooks *hooks;     /* NULL for none */
  struct module_options *options; /* of the constructor; a reference, NULL for none */
  bool is_evaluating;             /* so that zero is Python's default, training */
};

#define MODULE_OBJECT(type) {"module", sizeof(type), module_finalize}

/** A new module of a class; NULL if memory has run out, which module_give makes an error of. */
void *module_new(const module_class *type);

/** Gives up what every module has: the last thing that a class's own does, or all of it. */
void module_finalize(void *self);
/** Gives up what a module holds, its hooks and options. */
void module_clear(ctorch_module *self);

const module_class *module_class_of(const ctorch_module *self);
const char *module_name(const ctorch_module *self);
/** The name without what parametrizations put in front of it. */
const char *module_class_name(const ctorch_module *self);
static inline bool module_is_training(const ctorch_module *self) { return !self->is_evaluating; }

/** Register a tensor, which requires gradients from now on, or None. Consumed, also on failure. */
ctorch_error *module_add_parameter(const char *function, ctorch_module *self, const char *name, ctorch_tensor *tensor)
    __attribute__((warn_unused_result));

/** Register a buffer, or None. Consumed, also on failure. A buffer that is not persistent is in no state dict. */
ctorch_error *module_add_buffer(
    const char *function, ctorch_module *self, const char *name, ctorch_tensor *tensor, bool persistent)
    __attribute__((warn_unused_result));

/** Register a child, which gets a reference, or None. RUNTIME if the child is or contains `self`. */
ctorch_error *module_add_child(const char *function, ctorch_module *self, const char *name, const ctorch_module *child)
    __attribute__((warn_unused_result));

/** By number, in the order of registration; borrowed, NULL where there is None or no such number. */
static inline ctorch_tensor *module_parameter_at(const ctorch_module *self, size_t index) {
  return index < self->parameters.len ? self->parameters.data[index].tensor : NULL;
}
static inline ctorch_tensor *module_buffer_at(const ctorch_module *self, size_t index) {
  return index < self->buffers.len ? self->buffers.data[index].tensor : NULL;
}
static inline ctorch_module *module_child_at(const ctorch_module *self, size_t index) {
  return index < self->children.len ? self->children.data[index].module : NULL;
}

/** The tensor of an entry, if it is one that the module holds itself; borrowed. */
static inline ctorch_tensor *module_held(const struct module_tensor *entry) {
  return entry->computed == NULL ? entry->tensor : NULL;
}

/** By name; borrowed, NULL where there is None or nothing. */
ctorch_tensor *module_parameter(const ctorch_module *self, const char *name);
ctorch_tensor *module_buffer(const ctorch_module *self, const char *name);
ctorch_module *module_child(const ctorch_module *self, const char *name);

/** The entry of this name, NULL for none. */
struct module_tensor *module_find_tensor(const struct module_tensors *self, const char *name);
struct module_child *module_find_child(const ctorch_module *self, const char *name);

/** Put another tensor, which is given a reference, into an entry; NULL for None. */
void module_replace(struct module_tensor *entry, const ctorch_tensor *tensor);

/** Hand a new module out, or give it up if there is an error. NULL is out of memory. */
ctorch_error *module_give(const char *function, ctorch_module **out, ctorch_module *self, ctorch_error *error)
    __attribute__((warn_unused_result));

#endif
