/* Random sequences of calls with arguments of the right type, on several threads, each with a pool of live handles:
 * what one call makes, the next ones use. Callbacks call on, scopes and modes nest, and in the end no handle is
 * left. The functions come from api.json (sequence_calls.py).
 *
 *     check_sequence [SEED [STEPS [THREADS]]]
 *
 * A failure prints the seed, and the thread, step and function where it happened; the same arguments bring it
 * back. */
#include "fuzz/sequence.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { STEPS = 600, THREADS = 3, MAX_THREADS = 64 };

typedef struct sequence_call {
  const char *name;
  void (*call)(sequence *s);
} sequence_call;

static uint64_t seed = 1;
static sequence *sequences[MAX_THREADS];
__thread sequence *current;

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

/* Calls */

void begin(sequence *s, const char *function) { s->function = function; }

/* Whether it succeeded; that it left its outputs alone if not. */
bool finish(sequence *s, ctorch_error *error, const out_slot *slots, size_t slots_len) {
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

static void keep(sequence *s, int kind, void *handle);

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

/* A file in memory, as it would be on a disk: what a value or a few tensors become in some format. */
static ctorch_error *write_some(ctorch_writer *writer, sequence *s) {
  const ctorch_value *value = draw_handle(s, KIND_ctorch_value, false);
  ctorch_tensor *tensor = draw_handle(s, KIND_ctorch_tensor, false);
  ctorch_value *key = NULL, *item = NULL, *dict = NULL;
  const size_t format = draw_below(s, 4);
  if (format == 0) {
    return ctorch_serialization_save(writer, value, draw_bool(s) ? CTORCH_SAVE_ANY : 0);
  }
  if (format == 1 || tensor == NULL) {
    return ctorch_npy_write(writer, tensor);
  }
  ctorch_error *error = ctorch_value_from_string(&key, "weight");
  error = error != NULL ? error : ctorch_value_from_tensor(&item, tensor);
  error = error != NULL ? error
                        : ctorch_value_from_dict(
                              &dict, (const ctorch_value *const[]){key}, 1, (const ctorch_value *const[]){item}, 1);
  if (error == NULL) {
    error = format == 2 ? ctorch_npz_write(writer, dict, draw_bool(s)) : ctorch_safetensors_write(writer, dict, NULL);
  }
  ctorch_value_release(dict);
  ctorch_value_release(item);
  ctorch_value_release(key);
  return error;
}

static void make_file(sequence *s) {
  ctorch_writer *writer = NULL;
  ctorch_reader *reader = NULL;
  begin(s, "a file");
  ctorch_error *error = ctorch_writer_new(&writer);
  error = error != NULL ? error : write_some(writer, s);
  error = error != NULL ? error : ctorch_writer_finish(writer);
  error = error != NULL
              ? error
              : ctorch_reader_from_data(&reader, ctorch_writer_data(writer), ctorch_writer_nbytes(writer), NULL, NULL);
  ctorch_writer_release(writer);
  if (finish(s, error, NULL, 0)) {
    keep(s, KIND_ctorch_reader, reader);
  }
}

static void step(sequence *s, int least_scopes) {
  s->step++;
  const size_t what = draw_below(s, 100);
  if (what < 4) {
    fill(s);
  } else if (what < 9) {
    differentiate(s);
  } else if (what < 11) {
    if (draw_bool(s)) {
      find_operator(s);
    } else {
      make_file(s);
    }
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

void run_steps(sequence *s, long steps) {
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
