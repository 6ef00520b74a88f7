/* Random sequences of calls with arguments of the right type, on several threads, each with a pool of live handles:
 * what one call makes, the next ones use. Callbacks call on, scopes and modes nest, and in the end no handle is
 * left. The functions come from api.json (sequence_calls.py).
 *
 *     check_sequence [SEED [STEPS [THREADS]]]
 *
 * A failure prints the seed, and the thread, step and function where it happened; the same arguments bring it
 * back. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fuzz.h"

enum {
  STEPS = 600,
  THREADS = 3,
  MAX_THREADS = 64,
  MAX_KINDS = 64,
  MOST = 24,        /* handles of a kind */
  LIST = 3,         /* entries of a list argument */
  MAX_NUMEL = 4096, /* of a tensor that is kept */
  MAX_DEPTH = 2,    /* of callbacks that call on */
  MAX_SCOPES = 4
};

typedef struct entry {
  void *handle;
  int scopes; /* how many were open when it was made */
} entry;

typedef struct sequence {
  uint64_t random;
  int number;
  pthread_t thread;
  volatile long step;
  const char *volatile function;
  long steps, succeeded;
  int depth;
  ctorch_scope *scopes[MAX_SCOPES];
  int scopes_len;
  entry pool[MAX_KINDS][MOST];
  size_t len[MAX_KINDS];
} sequence;

typedef struct sequence_call {
  const char *name;
  void (*call)(sequence *s);
} sequence_call;

typedef struct out_slot {
  void *slot;
  size_t bytes;
} out_slot;

typedef struct enumeration {
  const int32_t *values;
  size_t len;
} enumeration;

static uint64_t seed = 1;
static sequence *sequences[MAX_THREADS];
static __thread sequence *current;

int LLVMFuzzerInitialize(int *argc, char ***argv);

/* What failed */

/* References go round in circles here: lists that hold themselves, gradients with a graph that hangs on their own leaf.
 * Nobody frees those, so LeakSanitizer is of no use; what ctorch owes is that no handle is live in the end. */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) { return 1; }

static void say_where(void) {
  char text[256];
  if (current != NULL) {
    const int len = snprintf(
        text, sizeof text, "\nsequence: seed %llu, thread %d, step %ld: %s\n", (unsigned long long)seed,
        current->number, current->step, current->function);
    (void)!write(2, text, (size_t)len);
  }
}

static void on_signal(int number) {
  say_where();
  signal(number, SIG_DFL);
  raise(number);
}

void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void watch(void) {
  static const int SIGNALS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  if (__sanitizer_set_death_callback != NULL) {
    __sanitizer_set_death_callback(say_where);
    signal(SIGABRT, on_signal);
    return;
  }
  for (size_t i = 0; i < sizeof SIGNALS / sizeof *SIGNALS; i++) {
    signal(SIGNALS[i], on_signal);
  }
}

/* Random numbers: splitmix64 */

static uint64_t draw(sequence *s) {
  uint64_t z = s->random += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static size_t draw_below(sequence *s, size_t bound) { return (size_t)(draw(s) % bound); }
static bool draw_bool(sequence *s) { return (draw(s) & 1) != 0; }
static int64_t draw_int64_t(sequence *s) { return (int64_t)draw_below(s, 7) - 2; }
static uint64_t draw_uint64_t(sequence *s) { return draw_below(s, 5); }
static uint8_t draw_uint8_t(sequence *s) { return (uint8_t)draw_below(s, 9); }
static uint16_t draw_uint16_t(sequence *s) { return (uint16_t)draw_below(s, 3); }
static size_t draw_size_t(sequence *s) { return draw_below(s, 5); }
static int32_t draw_int32_t(sequence *s) { return (int32_t)draw_below(s, 5) - 1; }
static int64_t draw_dim(sequence *s) { return (int64_t)draw_below(s, 5) - 2; }
static double draw_double(sequence *s) {
  static const double SOME[] = {0.0, 1.0, -1.0, 0.5, 2.0, 1e-3, 100.0};
  return SOME[draw_below(s, sizeof SOME / sizeof *SOME)];
}
static ctorch_scalar draw_ctorch_scalar(sequence *s) {
  const ctorch_scalar made = {(int32_t)draw_below(s, 4), 0, draw_int64_t(s), draw_double(s), draw_double(s)};
  return made;
}
static ctorch_device draw_ctorch_device(sequence *s) {
  const ctorch_device made = {draw_below(s, 8) == 0 ? CTORCH_DEVICE_TYPE_META : CTORCH_DEVICE_TYPE_CPU, -1};
  return made;
}
static ctorch_stream draw_ctorch_stream(sequence *s) {
  const ctorch_stream made = {0, (int32_t)draw_below(s, 2), 0};
  return made;
}
static int32_t draw_enum(sequence *s, enumeration of) {
  /* Mostly one of the first, among which are the plain dtypes, layouts and devices. */
  return of.values[draw_below(s, draw_below(s, 4) != 0 && of.len > 12 ? 12 : of.len)];
}

static const char *draw_text(sequence *s, const char *name, bool optional) {
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

static void *draw_handle(sequence *s, int kind, bool optional) {
  if (s->len[kind] == 0 || (optional && draw_bool(s))) {
    return NULL;
  }
  return s->pool[kind][draw_below(s, s->len[kind])].handle;
}

static size_t draw_handles(sequence *s, int kind, const void **handles) {
  size_t len = draw_below(s, LIST + 1);
  for (size_t i = 0; i < len; i++) {
    handles[i] = draw_handle(s, kind, draw_below(s, 8) == 0);
  }
  return len;
}

static void keep(sequence *s, int kind, void *handle);

/* Calls */

static void begin(sequence *s, const char *function) { s->function = function; }

/* Whether it succeeded; that it left its outputs alone if not. */
static bool finish(sequence *s, ctorch_error *error, const out_slot *slots, size_t slots_len) {
  if (error == NULL) {
    s->succeeded++;
    return true;
  }
  for (size_t i = 0; i < slots_len; i++) {
    for (size_t k = 0; k < slots[i].bytes; k++) {
      if (((const unsigned char *)slots[i].slot)[k] != 0xa5) {
        fuzz_fail("%s: failed, and wrote an output: %s", s->function, ctorch_error_message(error));
      }
    }
  }
  /* What a callback refused comes out as it is; some functions put a module's name in front of it. */
  fuzz_check_error(s->function, error, strstr(ctorch_error_message(error), "refused by the sequence") == NULL);
  return false;
}

static void run_steps(sequence *s, long steps);

/* Callbacks: some fail, some call on, and what they answer mostly fits. */

static void destroy_payload(void *payload) { (void)payload; }

static ctorch_callback_status refuse(ctorch_error **error) {
  fuzz_must(ctorch_error_new(error, CTORCH_ERROR_CALLBACK, "refused by the sequence"));
  return 0;
}

/* On the thread of the sequence; elsewhere its pool must be left alone. */
static sequence *own(void *payload) {
  sequence *s = payload;
  return pthread_equal(s->thread, pthread_self()) ? s : NULL;
}

static bool fails(sequence *s) { return s != NULL && draw_below(s, 12) == 0; }

static void call_on(sequence *s) {
  if (s != NULL && s->depth < MAX_DEPTH && draw_bool(s)) {
    const char *function = s->function;
    s->depth++;
    run_steps(s, 3);
    s->depth--;
    s->function = function;
  }
}

static ctorch_callback_status answer_tensors(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    sequence *s) {
  if (fails(s)) {
    return refuse(error);
  }
  call_on(s);
  const ctorch_tensor *input = inputs_len == 0 ? NULL : inputs[0];
  ctorch_tensor *made = NULL;
  ctorch_error *failure = NULL;
  if (input != NULL) {
    switch (s == NULL ? 0 : draw_below(s, 4)) {
      case 0:
        failure = ctorch_aten_sum(&made, input, NULL);
        break;
      case 1:
        failure = ctorch_aten_mul_Tensor(&made, input, inputs[inputs_len - 1] == NULL ? input : inputs[inputs_len - 1]);
        break;
      case 2:
        failure = ctorch_aten_sin(&made, input);
        break;
      default:
        break;
    }
  }
  if (failure == NULL) {
    const ctorch_tensor *answer = made == NULL ? input : made;
    failure = ctorch_tensor_list_new(out, &answer, 1);
  }
  ctorch_tensor_release(made);
  *error = failure;
  return failure == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_callback_status run_tensors_callback(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload) {
  return answer_tensors(out, inputs, inputs_len, error, own(payload));
}

static ctorch_callback_status run_tensor_hook_callback(
    ctorch_tensor **out, const ctorch_tensor *grad, ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  if (fails(s)) {
    return refuse(error);
  }
  call_on(s);
  if (s != NULL && grad != NULL && draw_bool(s)) {
    *error = ctorch_aten_neg(out, grad);
  }
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_callback_status run_post_accumulate_grad_hook_callback(
    ctorch_tensor *self, ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  (void)self;
  if (fails(s)) {
    return refuse(error);
  }
  call_on(s);
  return CTORCH_CALLBACK_OK;
}

static ctorch_callback_status run_module_callback(ctorch_module *module, ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  if (fails(s)) {
    return refuse(error);
  }
  call_on(s);
  if (s != NULL && draw_bool(s)) {
    *error = ctorch_module_train(module, draw_bool(s));
  }
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

/* What most hooks of modules do: fail, or call something. */
static ctorch_callback_status act(ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  if (fails(s)) {
    return refuse(error);
  }
  call_on(s);
  return CTORCH_CALLBACK_OK;
}

/* Modules of one's own: what they compute, tell and take over. */

static ctorch_callback_status run_module_forward_callback(
    ctorch_tensor **out, ctorch_module *module, const ctorch_tensor *input, ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  (void)module;
  if (s == NULL || draw_below(s, 8) != 0) { /* else it gives nothing, which is refused */
    *error = ctorch_aten_neg(out, input);
  }
  return *error == NULL ? act(error, payload) : 0;
}

static ctorch_callback_status run_module_call_callback(
    ctorch_value **out,
    ctorch_module *module,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    ctorch_error **error,
    void *payload) {
  sequence *s = own(payload);
  (void)module;
  *error = ctorch_value_copy(out, s != NULL && draw_bool(s) ? kwargs : args);
  return *error == NULL ? act(error, payload) : 0;
}

static ctorch_callback_status run_module_value_callback(
    ctorch_value **out, ctorch_module *module, ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  (void)module;
  *error = s != NULL && draw_bool(s) ? ctorch_value_from_int(out, 1) : ctorch_value_from_string(out, "options");
  return *error == NULL ? act(error, payload) : 0;
}

static ctorch_callback_status run_module_set_value_callback(
    ctorch_module *module, const ctorch_value *value, ctorch_error **error, void *payload) {
  (void)module, (void)value;
  return act(error, payload);
}

static ctorch_callback_status run_module_copy_callback(
    ctorch_module **out, ctorch_module *module, ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  if (s != NULL && draw_below(s, 8) == 0) { /* itself, which is refused */
    ctorch_module_retain(module);
    *out = module;
  } else {
    *error = ctorch_module_new(out, "Copy", run_module_forward_callback, NULL, NULL);
  }
  return *error == NULL ? act(error, payload) : 0;
}

static ctorch_callback_status run_module_forward_pre_hook_callback(
    ctorch_value **out,
    ctorch_module *module,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    ctorch_error **error,
    void *payload) {
  sequence *s = own(payload);
  (void)module, (void)kwargs;
  if (s != NULL && draw_below(s, 4) == 0) {
    *error = ctorch_value_copy(out, args);
  }
  return *error == NULL ? act(error, payload) : 0;
}

static ctorch_callback_status run_module_forward_hook_callback(
    ctorch_value **out,
    ctorch_module *module,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    const ctorch_value *output,
    ctorch_error **error,
    void *payload) {
  sequence *s = own(payload);
  (void)module, (void)kwargs;
  if (s != NULL && draw_below(s, 4) == 0) {
    *error = ctorch_value_copy(out, output == NULL || draw_bool(s) ? args : output);
  }
  return *error == NULL ? act(error, payload) : 0;
}

static ctorch_callback_status run_module_backward_pre_hook_callback(
    ctorch_tensor_list **out,
    ctorch_module *module,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload) {
  sequence *s = own(payload);
  (void)module;
  if (s != NULL && draw_bool(s)) {
    *error = ctorch_tensor_list_new(out, grad_outputs, draw_below(s, 4) == 0 ? 0 : grad_outputs_len);
  }
  return *error == NULL ? act(error, payload) : 0;
}

static ctorch_callback_status run_module_backward_hook_callback(
    ctorch_tensor_list **out,
    ctorch_module *module,
    const ctorch_tensor *const *grad_inputs,
    size_t grad_inputs_len,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload) {
  (void)grad_outputs, (void)grad_outputs_len;
  return run_module_backward_pre_hook_callback(out, module, grad_inputs, grad_inputs_len, error, payload);
}

static ctorch_callback_status run_module_state_dict_pre_hook_callback(
    ctorch_module *module, const char *prefix, bool keep_vars, ctorch_error **error, void *payload) {
  (void)module, (void)prefix, (void)keep_vars;
  return act(error, payload);
}

static ctorch_callback_status run_module_state_dict_hook_callback(
    ctorch_module *module,
    ctorch_value *state_dict,
    const char *prefix,
    ctorch_value *metadata,
    ctorch_error **error,
    void *payload) {
  sequence *s = own(payload);
  (void)module;
  if (s != NULL && draw_below(s, 4) == 0) {
    *error = draw_bool(s) ? ctorch_value_clear(state_dict) : ctorch_value_dict_put(metadata, prefix, NULL);
  }
  return *error == NULL ? act(error, payload) : 0;
}

static ctorch_callback_status run_module_load_state_dict_pre_hook_callback(
    ctorch_module *module,
    ctorch_value *state_dict,
    const char *prefix,
    int64_t version,
    ctorch_value *missing,
    ctorch_value *unexpected,
    ctorch_error **error,
    void *payload) {
  sequence *s = own(payload);
  (void)module, (void)version;
  if (s != NULL && draw_below(s, 4) == 0) {
    *error = draw_bool(s) ? ctorch_value_dict_put(state_dict, prefix, missing) : ctorch_value_clear(unexpected);
  }
  return *error == NULL ? act(error, payload) : 0;
}

static ctorch_callback_status run_module_load_state_dict_post_hook_callback(
    ctorch_module *module, ctorch_value *missing, ctorch_value *unexpected, ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  (void)module;
  if (s != NULL && draw_below(s, 4) == 0) {
    *error = ctorch_value_list_append(missing, draw_bool(s) ? unexpected : NULL);
  }
  return *error == NULL ? act(error, payload) : 0;
}

static ctorch_callback_status run_optimizer_callback(ctorch_optimizer *optimizer, ctorch_error **error, void *payload) {
  (void)optimizer;
  return act(error, payload);
}

static ctorch_callback_status run_optimizer_state_dict_callback(
    ctorch_value **out, ctorch_optimizer *optimizer, ctorch_value *state_dict, ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  (void)optimizer;
  if (s != NULL && draw_below(s, 4) == 0) {
    *error = draw_bool(s) ? ctorch_value_copy(out, state_dict) : ctorch_value_from_int(out, 1);
  }
  return *error == NULL ? act(error, payload) : 0;
}

/* A loss, or none; gradients are as they are. */
static ctorch_callback_status run_optimizer_closure(ctorch_tensor **out, ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  if (s != NULL && draw_bool(s)) {
    *error = ctorch_aten_ones(out, NULL, 0, NULL, NULL, NULL, NULL);
  }
  return *error == NULL ? act(error, payload) : 0;
}

static ctorch_callback_status run_lr_lambda_callback(
    double *out, int64_t group, int64_t epoch, ctorch_error **error, void *payload) {
  *out = (double)(group + 1) / (double)(epoch + 1);
  return act(error, payload);
}

static ctorch_callback_status run_lr_scale_callback(double *out, double x, ctorch_error **error, void *payload) {
  *out = x / 2;
  return act(error, payload);
}

static ctorch_callback_status run_node_prehook_callback(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload) {
  sequence *s = own(payload);
  if (fails(s)) {
    return refuse(error);
  }
  if (s != NULL && draw_bool(s)) {
    *error = ctorch_tensor_list_new(out, grad_outputs, grad_outputs_len);
  }
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_callback_status run_node_hook_callback(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *grad_inputs,
    size_t grad_inputs_len,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload) {
  (void)grad_outputs, (void)grad_outputs_len;
  return run_node_prehook_callback(out, grad_inputs, grad_inputs_len, error, payload);
}

static ctorch_callback_status run_saved_tensors_pack_callback(
    void **out, const ctorch_tensor *tensor, ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  if (fails(s)) {
    return refuse(error);
  }
  ctorch_tensor *copy = NULL;
  *error = ctorch_aten_detach(&copy, tensor);
  if (*error != NULL) {
    return 0;
  }
  fuzz_must(ctorch_scope_keep(NULL, copy)); /* it outlives the scopes of this moment */
  *out = copy;
  return CTORCH_CALLBACK_OK;
}

static ctorch_callback_status run_saved_tensors_unpack_callback(
    ctorch_tensor **out, void *packed, ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  if (fails(s)) {
    return refuse(error);
  }
  ctorch_tensor_retain(packed);
  *out = packed;
  return CTORCH_CALLBACK_OK;
}

static void run_saved_tensors_destroy_callback(void *packed, void *payload) {
  (void)payload;
  ctorch_tensor_release(packed);
}

static ctorch_callback_status run_autograd_function_forward_callback(
    ctorch_tensor_list **out,
    ctorch_autograd_context *context,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload) {
  sequence *s = own(payload);
  if (s != NULL && draw_bool(s) &&
      (*error = ctorch_autograd_context_save_for_backward(context, inputs, inputs_len)) != NULL) {
    return 0;
  }
  return answer_tensors(out, inputs, inputs_len, error, s);
}

static ctorch_callback_status run_autograd_function_backward_callback(
    ctorch_tensor_list **out,
    const ctorch_autograd_context *context,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload) {
  sequence *s = own(payload);
  if (fails(s)) {
    return refuse(error);
  }
  const ctorch_tensor *grads[16];
  const size_t len = ctorch_autograd_context_inputs_len(context);
  for (size_t i = 0; i < len && i < 16; i++) {
    grads[i] = grad_outputs_len == 0 ? NULL : grad_outputs[0];
  }
  *error = ctorch_tensor_list_new(out, grads, len < 16 ? len : 16);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_callback_status run_autograd_function_jvp_callback(
    ctorch_tensor_list **out,
    const ctorch_autograd_context *context,
    const ctorch_tensor *const *tangents,
    size_t tangents_len,
    ctorch_error **error,
    void *payload) {
  (void)context;
  return answer_tensors(out, tangents, tangents_len, error, own(payload));
}

static ctorch_callback_status run_kernel(
    ctorch_value **results,
    size_t results_len,
    const ctorch_value *const *args,
    size_t args_len,
    ctorch_error **error,
    void *payload) {
  (void)results_len, (void)args_len, (void)payload;
  if (fails(current)) {
    return refuse(error);
  }
  call_on(current);
  ctorch_value_retain(args[0]);
  results[0] = (ctorch_value *)args[0];
  return CTORCH_CALLBACK_OK;
}

#include "sequence_calls.h"

_Static_assert((int)KINDS <= (int)MAX_KINDS, "more kinds of handle than pools");

/* Before it goes: a list that holds itself would stay for ever. */
static void prepare_to_go(int kind, void *handle) {
  if (kind == KIND_ctorch_value) {
    fuzz_dismantle(handle);
  }
}

/* Give back an entry that the innermost scope has, if one is open: of the others nobody could tell whose goes. */
static bool give_back(sequence *s, int kind, size_t at) {
  const entry gone = s->pool[kind][at];
  if (gone.scopes != s->scopes_len) {
    return false;
  }
  s->pool[kind][at] = s->pool[kind][--s->len[kind]];
  prepare_to_go(kind, gone.handle);
  GIVE_BACK[kind](gone.handle);
  return true;
}

static void keep(sequence *s, int kind, void *handle) {
  if (handle == NULL) {
    return;
  }
  const bool is_large = kind == KIND_ctorch_tensor && ctorch_tensor_numel(handle) > MAX_NUMEL;
  if (is_large || (s->len[kind] == MOST && !give_back(s, kind, draw_below(s, MOST)))) {
    prepare_to_go(kind, handle);
    GIVE_BACK[kind](handle);
    return;
  }
  s->pool[kind][s->len[kind]++] = (entry){handle, s->scopes_len};
}

static void open_scope(sequence *s) {
  begin(s, "ctorch_scope_begin");
  fuzz_must(ctorch_scope_begin(&s->scopes[s->scopes_len]));
  s->scopes_len++;
}

static void close_scope(sequence *s) {
  s->scopes_len--;
  for (int kind = 0; kind < KINDS; kind++) {
    for (size_t i = s->len[kind]; i-- > 0;) {
      entry *at = &s->pool[kind][i];
      if (at->scopes <= s->scopes_len) {
        continue;
      }
      if (draw_below(s, 4) == 0) { /* one may outlive the scope */
        begin(s, "ctorch_scope_keep");
        fuzz_must(ctorch_scope_keep(s->scopes[s->scopes_len], at->handle));
        at->scopes = s->scopes_len;
      } else {
        prepare_to_go(kind, at->handle);
        *at = s->pool[kind][--s->len[kind]];
      }
    }
  }
  begin(s, "ctorch_scope_end");
  ctorch_scope_end(s->scopes[s->scopes_len]);
}

/* A graph with what hangs on it, and a pass through it. */
static void differentiate(sequence *s) {
  ctorch_tensor *x = draw_handle(s, KIND_ctorch_tensor, false), *y = NULL, *z = NULL;
  if (x == NULL) {
    return;
  }
  begin(s, "ctorch_aten_mul_Tensor");
  if (finish(s, ctorch_aten_mul_Tensor(&y, x, x), NULL, 0)) {
    begin(s, "ctorch_aten_sum");
    if (finish(s, ctorch_aten_sum(&z, y, NULL), NULL, 0)) {
      ctorch_hook *hook = NULL;
      begin(s, "ctorch_tensor_register_hook");
      if (draw_bool(s) &&
          finish(s, ctorch_tensor_register_hook(&hook, y, run_tensor_hook_callback, destroy_payload, s), NULL, 0)) {
        keep(s, KIND_ctorch_hook, hook);
      }
      begin(s, "ctorch_tensor_backward");
      const bool retain_graph = draw_bool(s);
      (void)!finish(s, ctorch_tensor_backward(z, NULL, &retain_graph, false), NULL, 0);
    }
  }
  keep(s, KIND_ctorch_tensor, z);
  keep(s, KIND_ctorch_tensor, y);
}

static void fill(sequence *s) {
  static const ctorch_dtype DTYPES[] = {
      CTORCH_DTYPE_FLOAT32, CTORCH_DTYPE_FLOAT64, CTORCH_DTYPE_INT64, CTORCH_DTYPE_BOOL, CTORCH_DTYPE_COMPLEX64};
  static const int64_t SIZES[][2] = {{2, 3}, {3, 3}, {1, 3}, {2, 0}};
  begin(s, "ctorch_aten_ones");
  const ctorch_dtype dtype = DTYPES[draw_below(s, 2) == 0 ? 0 : draw_below(s, 5)];
  ctorch_tensor *made = NULL;
  if (!finish(
          s, ctorch_aten_ones(&made, SIZES[draw_below(s, 4)], draw_below(s, 3), &dtype, NULL, NULL, NULL), NULL, 0)) {
    return;
  }
  if (dtype <= CTORCH_DTYPE_FLOAT64 && dtype >= CTORCH_DTYPE_FLOAT32 && draw_bool(s)) {
    begin(s, "ctorch_tensor_set_requires_grad");
    (void)!finish(s, ctorch_tensor_set_requires_grad(made, true), NULL, 0);
  }
  keep(s, KIND_ctorch_tensor, made);
}

static void find_operator(sequence *s) {
  static const char *const NAMES[] = {"aten::add.Tensor", "aten::sum",      "aten::cat",
                                      "aten::relu",       "sequence::same", "aten::t"};
  ctorch_op *op = NULL;
  begin(s, "ctorch_op_find");
  if (finish(s, ctorch_op_find(&op, NAMES[draw_below(s, sizeof NAMES / sizeof *NAMES)], NULL), NULL, 0)) {
    keep(s, KIND_ctorch_op, op);
  }
}

/* Modules for the tensors of three columns that are there. */
static ctorch_error *some_module(ctorch_module **out, sequence *s) {
  const ctorch_dtype *dtype = draw_below(s, 4) != 0 ? NULL : (const ctorch_dtype[]){CTORCH_DTYPE_FLOAT64};
  switch (draw_below(s, 12)) {
    case 0:
      return ctorch_nn_Conv2d(out, 1, 2, CTORCH_INTS(1, 1), NULL, 0, NULL, 0, NULL, 0, 1, true, NULL, NULL, NULL);
    case 1:
      return ctorch_nn_LazyLinear(out, 3, draw_bool(s), NULL, dtype);
    case 2:
      return ctorch_nn_LSTM(out, 3, 3, 1, true, draw_bool(s), 0, draw_bool(s), 0, NULL, dtype);
    case 3:
      return ctorch_nn_BatchNorm1d(out, 3, 1e-5, 0.1, draw_bool(s), draw_bool(s), NULL, dtype, true);
    case 4:
      return ctorch_nn_Dropout(out, 0.5, draw_bool(s));
    case 5:
      return ctorch_module_new(out, "Own", run_module_forward_callback, destroy_payload, s);
    case 6:
      return ctorch_module_new_of_values(out, "Any", run_module_call_callback, destroy_payload, s);
    case 7:
      return ctorch_nn_ReLU(out, draw_bool(s));
    case 8:
      return ctorch_nn_Sequential(out);
    default:
      return ctorch_nn_Linear(out, 3, 3, draw_bool(s), NULL, dtype);
  }
}

static void make_module(sequence *s) {
  ctorch_module *module = NULL;
  begin(s, "a module");
  if (finish(s, some_module(&module, s), NULL, 0)) {
    keep(s, KIND_ctorch_module, module);
  }
}

/* An optimizer of leaves that are there, or of a module's parameters; and a learning rate for it. */
static void make_optimizer(sequence *s) {
  static const char *const NAMES[] = {"SGD",      "Adam",  "AdamW",  "Adagrad",   "RMSprop",
                                      "Adadelta", "ASGD",  "Adamax", "NAdam",     "RAdam",
                                      "Rprop",    "LBFGS", "Muon",   "Adafactor", "SparseAdam"};
  const ctorch_module *module = draw_handle(s, KIND_ctorch_module, false);
  const ctorch_tensor *tensors[2] = {
      draw_handle(s, KIND_ctorch_tensor, false), draw_handle(s, KIND_ctorch_tensor, false)};
  ctorch_tensor_list *list = NULL;
  ctorch_value *params = NULL, *args = NULL;
  ctorch_optimizer *optimizer = NULL;
  begin(s, "ctorch_optim_create");
  ctorch_error *error = draw_bool(s) && module != NULL ? ctorch_module_parameters(&list, module, true)
                                                       : ctorch_tensor_list_new(&list, tensors, draw_below(s, 2) + 1);
  error = error != NULL
              ? error
              : ctorch_value_from_tensors(&params, ctorch_tensor_list_data(list), ctorch_tensor_list_len(list));
  error = error != NULL ? error : ctorch_value_from_tuple(&args, (const ctorch_value *const[]){params}, 1);
  const char *name = NAMES[draw_below(s, sizeof NAMES / sizeof *NAMES)];
  error = error != NULL ? error : ctorch_optim_create(&optimizer, name, args, NULL);
  ctorch_value_release(args);
  ctorch_value_release(params);
  ctorch_tensor_list_release(list);
  if (finish(s, error, NULL, 0)) {
    keep(s, KIND_ctorch_optimizer, optimizer);
  }
}

/* One module in another; or one applied to a tensor, and gradients of what it gives. */
static void use_module(sequence *s) {
  ctorch_module *module = draw_handle(s, KIND_ctorch_module, false);
  const ctorch_module *other = draw_handle(s, KIND_ctorch_module, false);
  const ctorch_tensor *input = draw_handle(s, KIND_ctorch_tensor, false);
  ctorch_tensor *output = NULL, *sum = NULL;
  if (module == NULL || input == NULL) {
    return;
  }
  if (draw_below(s, 4) == 0) {
    begin(s, "ctorch_module_append");
    (void)!finish(s, ctorch_module_append(module, other), NULL, 0);
    return;
  }
  begin(s, "ctorch_module_forward");
  if (!finish(s, ctorch_module_forward(&output, module, input), NULL, 0)) {
    return;
  }
  begin(s, "ctorch_tensor_backward");
  if (draw_bool(s) && finish(s, ctorch_aten_sum(&sum, output, NULL), NULL, 0)) {
    const bool retain_graph = draw_bool(s);
    (void)!finish(s, ctorch_tensor_backward(sum, NULL, &retain_graph, false), NULL, 0);
    keep(s, KIND_ctorch_tensor, sum);
  }
  keep(s, KIND_ctorch_tensor, output);
}

static void step(sequence *s, int least_scopes) {
  s->step++;
  const size_t what = draw_below(s, 100);
  if (what < 4) {
    fill(s);
  } else if (what < 9) {
    differentiate(s);
  } else if (what < 11) {
    find_operator(s);
  } else if (what < 12) {
    make_module(s);
  } else if (what < 13) {
    if (draw_below(s, 3) == 0) {
      make_optimizer(s);
    } else {
      use_module(s);
    }
  } else if (what < 16 && s->scopes_len < MAX_SCOPES) {
    open_scope(s);
  } else if (what < 19 && s->scopes_len > least_scopes) {
    close_scope(s);
  } else if (what < 26) {
    const int kind = (int)draw_below(s, KINDS);
    if (s->len[kind] > 0) {
      begin(s, "release");
      (void)!give_back(s, kind, draw_below(s, s->len[kind]));
    }
  } else {
    const size_t all = sizeof CALLS / sizeof *CALLS;
    CALLS[what < 75 ? draw_below(s, FUNCTIONS_LEN) : draw_below(s, all)].call(s);
  }
}

static void run_steps(sequence *s, long steps) {
  const int outer = s->scopes_len;
  for (long i = 0; i < steps; i++) {
    step(s, outer);
  }
  while (s->scopes_len > outer) {
    close_scope(s);
  }
}

static void *run(void *argument) {
  sequence *s = argument;
  s->thread = pthread_self();
  current = s;
  open_scope(s); /* takes back the modes */
  for (int i = 0; i < 8; i++) {
    fill(s);
  }
  run_steps(s, s->steps);
  while (s->scopes_len > 0) {
    close_scope(s);
  }
  for (int kind = 0; kind < KINDS; kind++) {
    while (s->len[kind] > 0) {
      begin(s, "release at the end");
      (void)!give_back(s, kind, s->len[kind] - 1);
    }
  }
  return NULL;
}

static ctorch_callback_status ignore(
    ctorch_warning_kind kind,
    const char *message,
    const char *file,
    const char *function,
    uint32_t line,
    ctorch_error **error,
    void *payload) {
  (void)kind, (void)message, (void)file, (void)function, (void)line, (void)error, (void)payload;
  return CTORCH_CALLBACK_OK;
}

int main(int argc, char **argv) {
  LLVMFuzzerInitialize(&argc, &argv);
  seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  const long steps = argc > 2 ? strtol(argv[2], NULL, 10) : STEPS;
  const long threads = argc > 3 ? strtol(argv[3], NULL, 10) : THREADS;
  fuzz_assert(threads > 0 && threads <= MAX_THREADS);
  watch();
  printf(
      "sequence: seed %llu, %ld steps, %ld threads, %zu calls\n", (unsigned long long)seed, steps, threads,
      sizeof CALLS / sizeof *CALLS);
  fflush(stdout);
  fuzz_must(ctorch_warning_set_callback(ignore, NULL, NULL));
  fuzz_must(ctorch_random_manual_seed(seed));
  const int64_t live = ctorch_debug_live_handles();

  ctorch_library *library;
  fuzz_must(ctorch_library_new(&library, "sequence"));
  fuzz_must(ctorch_library_define(library, "same(Tensor x) -> Tensor"));
  fuzz_must(ctorch_library_implement(library, "same", "CompositeExplicitAutograd", run_kernel, NULL, NULL));

  pthread_t ids[MAX_THREADS];
  for (long i = 0; i < threads; i++) {
    sequence *s = calloc(1, sizeof *s);
    fuzz_assert(s != NULL);
    s->random = seed * UINT64_C(1000003) + (uint64_t)i;
    s->number = (int)i;
    s->steps = steps;
    s->function = "";
    sequences[i] = s;
    fuzz_assert(pthread_create(&ids[i], NULL, run, s) == 0);
  }
  long done = 0, succeeded = 0;
  for (long i = 0; i < threads; i++) {
    pthread_join(ids[i], NULL);
    done += sequences[i]->step;
    succeeded += sequences[i]->succeeded;
  }
  ctorch_library_release(library);
  if (ctorch_debug_live_handles() != live) {
    ctorch_string *report = NULL;
    fuzz_must(ctorch_debug_report(&report));
    fuzz_fail(
        "seed %llu: %+lld live handles\n%s", (unsigned long long)seed, (long long)(ctorch_debug_live_handles() - live),
        ctorch_string_data(report));
  }
  printf("sequence: %ld steps, %ld calls succeeded\n", done, succeeded);
  for (long i = 0; i < threads; i++) {
    free(sequences[i]); /* payloads of callbacks until here */
  }
  return 0;
}
