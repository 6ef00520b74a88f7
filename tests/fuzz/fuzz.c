/* The properties of fuzz.h, and the surroundings of a fuzzer: counted handles, one thread, bounded allocations. */
#include "fuzz/fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/self.h"

enum { MAX_MESSAGE = 65536 };

bool fuzz_in_scope;
static const char *current_target = "";

_Noreturn void fuzz_fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s%s: ", current_target, fuzz_in_scope ? " (in a scope)" : "");
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  abort();
}

/* Inputs */

uint8_t fuzz_byte(fuzz_input *input) {
  if (input->len == 0) {
    return 0;
  }
  input->len--;
  return *input->data++;
}

size_t fuzz_below(fuzz_input *input, size_t bound) { return bound == 0 ? 0 : fuzz_byte(input) % bound; }

static uint64_t word(fuzz_input *input) {
  uint64_t value = 0;
  for (int i = 0; i < 8; i++) {
    value = value << 8 | fuzz_byte(input);
  }
  return value;
}

int64_t fuzz_int64(fuzz_input *input) {
  static const int64_t EDGES[] = {INT64_MAX,
                                  INT64_MIN,
                                  INT64_MAX - 1,
                                  INT64_MIN + 1,
                                  INT32_MAX,
                                  INT32_MIN,
                                  INT64_C(1) << 31,
                                  INT64_C(1) << 32,
                                  UINT32_MAX,
                                  INT64_C(1) << 53,
                                  INT64_C(1) << 52,
                                  INT64_C(1) << 62,
                                  255,
                                  256,
                                  -(INT64_C(1) << 62),
                                  1000};
  const uint8_t first = fuzz_byte(input);
  if (first < 192) {
    return (int8_t)(first < 128 ? first % 16 : 128 - first);
  }
  return first < 240 ? EDGES[first % 16] : (int64_t)word(input);
}

double fuzz_double(fuzz_input *input) {
  static const double PLAIN[] = {0.0, -0.0, 1.0, -1.0, 0.5, 2.5, 1e300, 1e-310, 4294967296.0, -1e-9, 1e17};
  const uint8_t first = fuzz_byte(input);
  if (first < 128) {
    return PLAIN[first % (sizeof PLAIN / sizeof *PLAIN)];
  }
  const uint64_t bits = word(input);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

void *fuzz_memory(size_t bytes) {
  void *made = malloc(bytes == 0 ? 1 : bytes);
  if (made == NULL) {
    fuzz_fail("no memory for %zu bytes", bytes);
  }
  return made;
}

static char *text_of(fuzz_input *input, size_t len) {
  char *text = fuzz_memory(len + 1);
  if (len != 0) {
    memcpy(text, input->data, len);
  }
  text[len] = '\0';
  return text;
}

char *fuzz_line(fuzz_input *input) {
  size_t len = 0;
  while (len < input->len && input->data[len] != '\0' && input->data[len] != '\n') {
    len++;
  }
  char *text = text_of(input, len);
  const size_t taken = len < input->len ? len + 1 : len;
  input->data += taken;
  input->len -= taken;
  return text;
}

char *fuzz_rest(fuzz_input *input) {
  const size_t len = input->len == 0 ? 0 : strnlen((const char *)input->data, input->len);
  char *text = text_of(input, len);
  input->data += input->len;
  input->len = 0;
  return text;
}

/* Properties */

/* As RFC 3629 has it: neither surrogates nor more bytes than needed. */
bool fuzz_is_utf8(const char *text) {
  const unsigned char *at = (const unsigned char *)text;
  while (*at != 0) {
    const unsigned char lead = *at++;
    if (lead < 0x80) {
      continue;
    }
    if (lead < 0xc2 || lead > 0xf4) {
      return false;
    }
    unsigned char low = 0x80, high = 0xbf;
    if (lead == 0xe0) {
      low = 0xa0;
    } else if (lead == 0xed) {
      high = 0x9f;
    } else if (lead == 0xf0) {
      low = 0x90;
    } else if (lead == 0xf4) {
      high = 0x8f;
    }
    for (int more = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3; more > 0; more--) {
      if (*at < low || *at > high) {
        return false;
      }
      at++;
      low = 0x80;
      high = 0xbf;
    }
  }
  return true;
}

static void check_shape(const char *call, bool has, const int64_t *dims, size_t dims_len) {
  if (has && dims == NULL && dims_len != 0) {
    fuzz_fail("%s: an error with %zu dimensions nowhere", call, dims_len);
  }
  for (size_t i = 0; has && i < dims_len; i++) {
    (void)*(const volatile int64_t *)&dims[i];
  }
}

void fuzz_check_error(const char *call, ctorch_error *error, bool has_function) {
  const char *message = ctorch_error_message(error), *function = ctorch_error_function(error);
  const ctorch_error_kind kind = ctorch_error_kind_of(error);
  if (ctorch_error_kind_name(kind) == NULL || kind == CTORCH_ERROR_UNKNOWN || kind == CTORCH_ERROR_INTERNAL) {
    fuzz_fail("%s: an error of kind %d: %s", call, (int)kind, message);
  }
  if (message == NULL || *message == '\0') {
    fuzz_fail("%s: an error without a message", call);
  }
  if (strlen(message) > MAX_MESSAGE) {
    fuzz_fail("%s: a message of %zu bytes: %.200s", call, strlen(message), message);
  }
  if (!fuzz_is_utf8(message)) {
    fuzz_fail("%s: a message that is not UTF-8: %.200s", call, message);
  }
  if (function == NULL || (has_function && strncmp(function, "ctorch_", 7) != 0)) {
    fuzz_fail("%s: an error of the function '%s': %s", call, function == NULL ? "NULL" : function, message);
  }
  const int64_t *dims = NULL;
  size_t dims_len = 0;
  bool has = ctorch_error_expected_shape(error, &dims, &dims_len);
  check_shape(call, has, dims, dims_len);
  has = ctorch_error_got_shape(error, &dims, &dims_len);
  check_shape(call, has, dims, dims_len);
  ctorch_dtype dtype;
  if (ctorch_error_expected_dtype(error, &dtype) || ctorch_error_got_dtype(error, &dtype)) {
    if (ctorch_dtype_name(dtype) == NULL) {
      fuzz_fail("%s: an error with the dtype %d: %s", call, (int)dtype, message);
    }
  }
  ctorch_device device;
  if (ctorch_error_expected_device(error, &device) || ctorch_error_got_device(error, &device)) {
    if (ctorch_device_type_name(device.type) == NULL) {
      fuzz_fail("%s: an error with the device type %d: %s", call, (int)device.type, message);
    }
  }
  ctorch_error_release(error);
}

bool fuzz_done(const char *call, ctorch_error *error) {
  if (error != NULL) {
    fuzz_check_error(call, error, true);
  }
  return error == NULL;
}

bool fuzz_answered(const char *call, ctorch_error *error, void *out, size_t bytes) {
  if (error == NULL) {
    return true;
  }
  for (size_t i = 0; i < bytes; i++) {
    if (((const unsigned char *)out)[i] != 0xa5) {
      fuzz_fail("%s: failed, and wrote an output: %s", call, ctorch_error_message(error));
    }
  }
  memset(out, 0, bytes);
  return fuzz_done(call, error);
}

void fuzz_dismantle(ctorch_value *first) {
  enum { REACHED = 4096 };
  ctorch_value **reached = fuzz_memory(REACHED * sizeof(ctorch_value *));
  size_t len = 0;
  ctorch_value_retain(first);
  reached[len++] = first;
  for (size_t at = 0; at < len; at++) {
    ctorch_value *self = reached[at], *part;
    ctorch_value *parts[3] = {NULL, NULL, NULL};
    switch (ctorch_value_kind_of(self)) {
      case CTORCH_VALUE_PYTHON_OBJECT:
        fuzz_must(ctorch_value_python_args(&parts[0], self));
        fuzz_must(ctorch_value_python_items(&parts[1], self));
        fuzz_must(ctorch_value_python_state(&parts[2], self));
        (void)!fuzz_try(ctorch_value_set_python_state(self, NULL));
        break;
      case CTORCH_VALUE_DICT:
        fuzz_must(ctorch_value_dict_keys(&parts[0], self));
        fuzz_must(ctorch_value_dict_values(&parts[1], self));
        break;
      case CTORCH_VALUE_SET:
        fuzz_must(ctorch_value_set_values(&parts[0], self));
        break;
      case CTORCH_VALUE_LIST:
      case CTORCH_VALUE_TUPLE:
        for (size_t i = 0; i < ctorch_value_len(self) && len < REACHED; i++) {
          fuzz_must(ctorch_value_get(&part, self, i));
          reached[len++] = part;
        }
        break;
      default:
        break;
    }
    for (int i = 0; i < 3; i++) {
      if (parts[i] != NULL && len < REACHED) {
        reached[len++] = parts[i];
      } else {
        ctorch_value_release(parts[i]);
      }
    }
    (void)!fuzz_try(ctorch_value_clear(self));
  }
  while (len > 0) {
    ctorch_value_release(reached[--len]);
  }
  free(reached);
}

static void check_live(int64_t before) {
  const int64_t after = ctorch_debug_live_handles();
  if (after != before) {
    ctorch_string *report = NULL;
    if (fuzz_try(ctorch_debug_report(&report))) {
      fprintf(stderr, "%s\n", ctorch_string_data(report));
    }
    fuzz_fail("%+lld live handles", (long long)(after - before));
  }
}

static ctorch_callback_status ignore_warning(
    ctorch_warning_kind kind,
    const char *message,
    const char *file,
    const char *function,
    uint32_t line,
    ctorch_error **error,
    void *payload) {
  (void)kind, (void)file, (void)function, (void)line, (void)error, (void)payload;
  if (!fuzz_is_utf8(message)) {
    fuzz_fail("a warning that is not UTF-8: %.200s", message);
  }
  return CTORCH_CALLBACK_OK;
}

static void prepare(const char *target, void (*run)(fuzz_input *input)) {
  if (strcmp(current_target, target) == 0) {
    return;
  }
  current_target = target;
  fuzz_must(ctorch_warning_set_callback(ignore_warning, NULL, NULL));
  fuzz_input empty = {(const uint8_t *)"", 0};
  run(&empty); /* what a target keeps from its first input on is made now */
}

static void run_and_check(void (*run)(fuzz_input *input), const uint8_t *data, size_t len, bool in_scope) {
  fuzz_input input = {len == 0 ? (const uint8_t *)"" : data, len};
  fuzz_in_scope = in_scope;
  const int64_t live = ctorch_debug_live_handles();
  ctorch_scope *scope = NULL;
  if (in_scope) {
    fuzz_must(ctorch_scope_begin(&scope));
  }
  run(&input);
  ctorch_scope_end(scope);
  check_live(live);
  fuzz_in_scope = false;
}

void fuzz_run(const char *target, void (*run)(fuzz_input *input), const uint8_t *data, size_t len) {
  prepare(target, run);
  run_and_check(run, data, len, false);
  run_and_check(run, data, len, true);
}

void fuzz_run_once(const char *target, void (*run)(fuzz_input *input), const uint8_t *data, size_t len) {
  prepare(target, run);
  run_and_check(run, data, len, false);
}

/* Surroundings */

/* Handles are counted from the moment that the library is loaded, and threads would make runs differ. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc;
  if (ctorch_debug_live_handles() < 0 || getenv("OMP_NUM_THREADS") == NULL) {
    setenv("CTORCH_DEBUG_HANDLES", "1", 1);
    setenv("OMP_NUM_THREADS", "1", 1);
    exec_self(*argv);
    fuzz_fail("handles are not counted: set CTORCH_DEBUG_HANDLES=1");
  }
  return 0;
}

/* An allocation beyond 256 MiB is refused, which has to come back as an error. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1:max_allocation_size_mb=256:detect_stack_use_after_return=0:strict_string_checks="
         "1";
}
const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void) { return "halt_on_error=1:print_stacktrace=1"; }
