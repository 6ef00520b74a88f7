/**
 * Optimizers written in C: a class that says what options it has, what it remembers of each parameter, and how it
 * steps.
 *
 *     enum { STEP, EXP_AVG, EXP_AVG_SQ };                      // the states of a parameter, by number
 *     struct adam_options { struct optimizer_flags flags; struct optimizer_number lr; double betas[2]; … };
 *
 *     static void adam_read(struct option_reader *reader, void *to) { … read_number(reader, "lr"); … }
 *     static ctorch_error *adam_begin(const struct optimizer_list *list, size_t i) { … the state of a new parameter … }
 *     static ctorch_error *adam_loop(const struct optimizer_list *list, size_t i) { … one parameter … }
 *     static ctorch_error *adam_foreach(struct optimizer_list *list) { … all of them, by operators on lists … }
 *     static ctorch_error *adam_fused(struct optimizer_list *list) { … all of them, by one kernel … }
 *
 *     const optimizer_class optim_Adam_class = {
 *         .object = OPTIMIZER_OBJECT(ctorch_optimizer), .name = "Adam", .states = {"step", "exp_avg", "exp_avg_sq"}, …
 *         };
 *
 * The entry of bindings-gen/schema/optim.schema gives its arguments and their defaults; the generator writes the
 * function that C calls, and the table by which ctorch_optim_create finds the class.
 *
 * optimizer.c keeps groups, step.c goes through them: it collects the parameters that have gradients, chooses among
 * fused, foreach and loop, and hands a class lists of one device and dtype (list.h).
 */
#ifndef CTORCH_SHIM_OPTIM_OPTIMIZER_H
#define CTORCH_SHIM_OPTIM_OPTIMIZER_H

#include <ctorch.h>

#include "core/c/object.h"

#define OPTIMIZER_STATES 6
/** The most options that a class may have. */
#define OPTIMIZER_OPTIONS 16

/* Options. */

/** A number, or the tensor of one element that stands in its place, as a learning rate may. */
struct optimizer_number {
  double value;          /* of the number; not set for a tensor */
  ctorch_tensor *tensor; /* borrowed from the group's options; NULL for a number */
};

/** What all optimizers may be told; what a class has no argument for stays false. */
struct optimizer_flags {
  const bool *foreach, *fused; /* NULL is None */
  bool maximize, capturable, differentiable;
};

/** Reads a group's options. What is missing or of another type is in `error`, and the rest reads zeros. */
struct option_reader {
  const char *function, *name; /* of the class */
  const ctorch_value *options;
  ctorch_error *error;
};

struct optimizer_number read_number(struct option_reader *self, const char *name);
double read_double(struct option_reader *self, const char *name);
int64_t read_int(struct option_reader *self, const char *name);
bool read_bool(struct option_reader *self, const char *name);
/** A tuple or list of as many numbers. */
void read_doubles(struct option_reader *self, const char *name, double *to, size_t len);
void read_numbers(struct option_reader *self, const char *name, struct optimizer_number *to, size_t len);
/** Whether there is an option that is not None. */
bool read_is_given(struct option_reader *self, const char *name);
/** A text, which is borrowed from the options; NULL is None. */
const char *read_text(struct option_reader *self, const char *name);

/** The value of a number, which is read from a tensor if it is one. */
ctorch_error *number_value(double *out, const struct optimizer_number *number) __attribute__((warn_unused_result));

/* What constructors refuse: VALUE, naming the argument. Not a number is not in any range. */
ctorch_error *check_not_negative(const char *function, const char *name, const struct optimizer_number *number)
    __attribute__((warn_unused_result));
/** Within [0, 1). */
ctorch_error *check_below_one(const char *function, const char *name, const struct optimizer_number *number)
    __attribute__((warn_unused_result));
/** Within [0, 1]. */
ctorch_error *check_up_to_one(const char *function, const char *name, const struct optimizer_number *number)
    __attribute__((warn_unused_result));
/** Within (0, infinity). */
ctorch_error *check_positive(const char *function, const char *name, const struct optimizer_number *number)
    __attribute__((warn_unused_result));
#define NUMBER(number) (&(const struct optimizer_number){.value = (number)})

/* Classes. */

struct optimizer_list;  /* list.h */
struct optimizer_param; /* below */
struct optimizer_group;

/** What a step was given: the loss, once more. NULL without a closure. */
struct optimizer_evaluation {
  ctorch_optimizer_closure closure;
  void *payload;
  const char *function;
};

typedef struct optimizer_class {
  object_class object;
  /** As Python prints it: "AdamW". */
  const char *name;
  /** What is remembered of a parameter as tensors, under Python's names, in the order of their numbers. */
  const char *states[OPTIMIZER_STATES + 1];
  /** Size of the struct of options, which begins with optimizer_flags; read from a group's options before a step. */
  size_t options_size;
  void (*read)(struct option_reader *reader, void *options);
  /** What the constructor refuses of its arguments: VALUE, RUNTIME. */
  ctorch_error *(*check)(const char *function, const void *options);
  /** Change what the constructor was given to what Python keeps as defaults; NULL for nothing. */
  ctorch_error *(*defaults)(const char *function, ctorch_value *defaults);
  /** An option that is a pair to Python, "eps", and the two arguments in its place, "eps1" and "eps2", which `defaults`
   * makes one of: ctorch_optim_create takes both. */
  const char *folded[3];
  /** The options in the order of Python's groups, and so of state dicts, where it is not that of the arguments. */
  const char *order[OPTIMIZER_OPTIONS];
  /** More that the constructor checks or does, once all groups are there; NULL for nothing. */
  ctorch_error *(*made)(const char *function, ctorch_optimizer *self);
  /** Which states a step needs with these options, as bits: 1 << STEP. NULL for none. */
  uint32_t (*needs)(const void *options);
  /** Make the state of the `i`-th parameter of a list, whose first gradient it is. NULL if there is none to make. */
  ctorch_error *(*begin)(const struct optimizer_list *list, size_t i);
  /** Change the parameters of a list, which are of one device and dtype. What a class lacks is NULL. */
  ctorch_error *(*fused)(struct optimizer_list *list);
  ctorch_error *(*foreach)(struct optimizer_list *list);
  ctorch_error *(*loop)(struct optimizer_list *list, size_t i);
  /** Where `lr` is in the struct of options, if `fused` takes it as a tensor too: then steps can be captured. */
  size_t lr;
  /** Whether LibTorch's kernels on lists can do with these options; NULL for always. On the CPU they are no faster than
   * the loop, and round otherwise: there they have to be asked for, as in Python. */
  bool (*can_foreach)(const void *options);
  /** Whether LibTorch's fused kernel is right for a parameter with these options; NULL for always. Where it is not, it
   * is not called even if it is asked for. */
  bool (*can_fuse)(const void *options, const ctorch_tensor *param);
  /** Gradients, parameters and states that are complex are seen as twice as many real numbers. */
  bool views_complex_as_real;
  /** fused and foreach negate the gradients themselves where `maximize` asks for it. */
  bool maximizes_itself;
  /** `foreach` may be asked for together with `differentiable`: then it is the loop. */
  bool foreach_differentiable;
  enum { SPARSE_REFUSED, SPARSE_BY_LOOP, SPARSE_ONLY } sparse;
  /** What sparse gradients are refused with; NULL for "<name> does not support sparse gradients". */
  const char *sparse_message;
  /** The whole step, of what does not go parameter by parameter (LBFGS); in its place nothing above is called. */
  ctorch_error *(*step)(ctorch_optimizer *self, ctorch_tensor **loss, const struct optimizer_evaluation *evaluation);
  /** Options besides the flags that old state dicts lack, and that are false for them. */
  const char *late[3];
  /** After a state dict was loaded, and after a state was set; NULL for nothing. */
  ctorch_error *(*loaded)(const char *function, ctorch_optimizer *self);
} optimizer_class;

#define OPTIMIZER_OBJECT(type) {"optimizer", sizeof(type), optimizer_finalize}

struct optimizer_param {
  ctorch_tensor *tensor;                   /* a reference */
  char *name;                              /* NULL for none */
  ctorch_tensor *states[OPTIMIZER_STATES]; /* references; NULL for what is absent */
  ctorch_value *others;                    /* a dict of what is remembered besides; NULL for nothing */
};

struct optimizer_group {
  struct optimizer_param *params;
  size_t len;
  bool has_names;
  ctorch_value *options; /* a dict, without "params" and "param_names" */
  void *read;            /* the class's struct of them */
  bool is_read;          /* whether that is up to date */
  bool foreach, fused;   /* what `flags` of the struct point at */
  ctorch_tensor *rate;   /* `lr` as captured steps read it; taken, NULL until there is one */
};

struct optimizer_hooks; /* optimizer_hooks.h */

struct ctorch_optimizer {
  struct optimizer_group *groups;
  size_t len;
  ctorch_value *defaults;        /* a dict */
  struct optimizer_hooks *hooks; /* NULL for none */
  /* What GradScaler lets fused kernels do: divide gradients by the one, and step only where the other is 0. NULL for no
   * scaler. */
  ctorch_tensor *grad_scale, *found_inf;
  ctorch_value *unassigned; /* a dict of what a loaded state had for no parameter; NULL for nothing */
  struct tapes *tapes;      /* of steps that are captured; NULL for none */
  bool is_capturing;        /* its own step, for those */
  uint64_t steps;           /* that were taken, which schedulers ask */
  uint64_t scheduled;       /* number of the first step after the first scheduler was made, from 1; 0 before that */
};

/** Gives up what every optimizer has: the last thing that a class's own does, or all of it. */
void optimizer_finalize(void *self);

const optimizer_class *optimizer_class_of(const ctorch_optimizer *self);

/* Steps that are captured: captured.c. */

/** Let the step that is captured go along with what changes between replays: learning rates, and the count of steps. */
ctorch_error *optimizer_capture(const char *function, ctorch_optimizer *self) __attribute__((warn_unused_result));
/** What else than gradients and rates a step depends on, as one number. Rates are brought up to date for a replay. */
ctorch_error *optimizer_prepare(const char *function, ctorch_optimizer *self, uint64_t *out_signature)
    __attribute__((warn_unused_result));
/** The place of the learning rate in the options of a group, as long as they are read; NULL for none. */
struct optimizer_number *optimizer_rate(const optimizer_class *class, struct optimizer_group *group);

/** The options of a group as the class's struct, read anew if they have changed. */
ctorch_error *optimizer_read(const char *function, ctorch_optimizer *self, struct optimizer_group *group)
    __attribute__((warn_unused_result));

/** Put a tensor, which is consumed, or NULL, in the place of a state. */
void optimizer_set_state(struct optimizer_param *param, size_t state, ctorch_tensor *tensor);

/** The parameter's entry; NULL for none. */
struct optimizer_param *optimizer_find(const ctorch_optimizer *self, const ctorch_tensor *param);

/** Whether fused kernels may be given a scaler's factor: `fused=True` was said to the constructor. */
bool optimizer_supports_amp_scaling(const ctorch_optimizer *self);

/** Of the tensors in which numbers are counted up. */
ctorch_dtype optimizer_number_dtype(bool is_fused);

/* The step of all groups: step.c. */
ctorch_error *optimizer_step_groups(const char *function, ctorch_optimizer *self) __attribute__((warn_unused_result));

/** Make the states of all parameters, which have none: for a class that does not wait for gradients. */
ctorch_error *optimizer_begin_all(const char *function, ctorch_optimizer *self) __attribute__((warn_unused_result));

/** A step between its hooks, with the closure of `evaluation` or none; the loss to `out`, unless that is NULL. */
ctorch_error *optimizer_step(ctorch_tensor **out, ctorch_optimizer *self, const struct optimizer_evaluation *evaluation)
    __attribute__((warn_unused_result));

/** Call the closure with gradients enabled; `*loss` is owned, NULL for none. */
ctorch_error *optimizer_evaluate(const struct optimizer_evaluation *self, ctorch_tensor **loss)
    __attribute__((warn_unused_result));

/* What the generator writes for each entry of optim.schema. */

struct optimizer_argument {
  const char *name;
  enum { OPTIMIZER_NUMBER, OPTIMIZER_INT, OPTIMIZER_BOOL, OPTIMIZER_TEXT, OPTIMIZER_NUMBERS } kind;
  bool is_optional, is_keyword_only;
  bool is_none;          /* by default */
  const double *numbers; /* the default, for a truth 0 or 1 */
  uint32_t ints;         /* which of those Python has as ints, as bits: it prints `weight_decay: 0` */
  size_t numbers_len;
  const char *text; /* the default of a text */
};

struct optimizer_entry {
  const char *name;
  const optimizer_class *class;
  const struct optimizer_argument *arguments; /* behind `params` */
  size_t len;
};

/** Arguments on their way from a typed function to an optimizer; what fails is in `error`, and the rest does
 * nothing. */
struct optimizer_record {
  const char *function;
  ctorch_value *defaults;
  ctorch_error *error;
};

void optimizer_record_begin(struct optimizer_record *self, const char *function);
/** NULL is None. */
void optimizer_record_double(struct optimizer_record *self, const char *name, const double *value);
void optimizer_record_int(struct optimizer_record *self, const char *name, const int64_t *value);
void optimizer_record_bool(struct optimizer_record *self, const char *name, const bool *value);
void optimizer_record_text(struct optimizer_record *self, const char *name, const char *value);
void optimizer_record_doubles(struct optimizer_record *self, const char *name, const double *values, size_t len);
ctorch_error *optimizer_record_end(
    struct optimizer_record *self,
    ctorch_optimizer **out,
    const optimizer_class *class,
    ctorch_tensor *const *params,
    size_t params_len) __attribute__((warn_unused_result));

#endif
