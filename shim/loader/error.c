/*
 * Errors while there is no LibTorch: what is asked of them is answered here. With a LibTorch, all errors are its
 * libctorch's, so that the two kinds of object never meet.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctorch.h"
#include "loader/loader.h"

struct ctorch_error {
  ctorch_error_kind kind;
  const char *function; /* static text */
  char *message;
  char *trace;
};

static bool leads_somewhere; /* the entries lead to a libctorch */
static struct text reason;   /* why not, or which one */

static struct ctorch_error out_of_memory = {CTORCH_ERROR_OUT_OF_MEMORY, "", (char *)"out of memory", NULL};

/* `function` is static text, `message` is copied. */
static ctorch_error *error_alone(ctorch_error_kind kind, const char *function, const char *message) {
  struct ctorch_error *self = calloc(1, sizeof(*self));
  char *copy = strdup(message);
  if (self == NULL || copy == NULL) {
    free(self);
    free(copy);
    return &out_of_memory;
  }
  *self = (struct ctorch_error){kind, function, copy, NULL};
  return self;
}

static ctorch_error *new_alone(ctorch_error **out, ctorch_error_kind kind, const char *message) {
  if (out == NULL || message == NULL) {
    return error_alone(
        CTORCH_ERROR_NULL_ARGUMENT, "ctorch_error_new",
        out == NULL ? "out must not be NULL" : "message must not be NULL");
  }
  *out = error_alone(kind, "", message);
  return NULL;
}

static void release_alone(ctorch_error *self) {
  if (self != NULL && self != &out_of_memory) {
    free(self->message);
    free(self->trace);
    free(self);
  }
}

static ctorch_error_kind kind_alone(const ctorch_error *self) { return self == NULL ? 0 : self->kind; }

static const char *kind_name_alone(ctorch_error_kind kind) {
  switch (kind) {
#define KIND(name, number) \
  case number:             \
    return #name;
#include "loader/functions.h"
    default:
      return NULL;
  }
}

static const char *message_alone(const ctorch_error *self) { return self == NULL ? "" : self->message; }

static const char *function_alone(const ctorch_error *self) { return self == NULL ? "" : self->function; }

static void add_frame_alone(ctorch_error *self, const char *file, int32_t line, const char *function) {
  if (self == NULL || self == &out_of_memory) {
    return;
  }
  char *trace;
  const char *before = self->trace == NULL ? "" : self->trace;
  if (asprintf(
          &trace, "%s%s%s:%d: %s", before, *before == '\0' ? "" : "\n", file == NULL ? "?" : file, (int)line,
          function == NULL ? "?" : function) >= 0) {
    free(self->trace);
    self->trace = trace;
  }
}

static const char *trace_alone(const ctorch_error *self) {
  return self == NULL || self->trace == NULL ? "" : self->trace;
}

static const char *version_alone(void) { return LOADER_VERSION; }

void answer_alone(const struct entry *table, size_t len) {
  static const struct {
    const char *name;
    void (*function)(void);
  } answers[] = {
#define ANSWER(name, function) {name, (void (*)(void))(function)}
      ANSWER("ctorch_error_add_frame", add_frame_alone), ANSWER("ctorch_error_function", function_alone),
      ANSWER("ctorch_error_kind_name", kind_name_alone), ANSWER("ctorch_error_kind_of", kind_alone),
      ANSWER("ctorch_error_message", message_alone),     ANSWER("ctorch_error_new", new_alone),
      ANSWER("ctorch_error_release", release_alone),     ANSWER("ctorch_error_trace", trace_alone),
      ANSWER("ctorch_version", version_alone),
  };
  for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
    for (size_t j = 0; j < len; j++) {
      if (strcmp(table[j].name, answers[i].name) == 0) {
        *table[j].target = (void *)(uintptr_t)answers[i].function;
      }
    }
  }
}

void loader_reason(bool is_loaded, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason.bytes, sizeof(reason.bytes), format, arguments);
  va_end(arguments);
  leads_somewhere = is_loaded;
}

ctorch_error *fail_nowhere(const char *name) {
  if (!leads_somewhere) {
    return error_alone(CTORCH_ERROR_UNSUPPORTED, name, reason.bytes);
  }
  /* A function that is newer than the libctorch in use: the error must be that one's. */
  char message[sizeof(reason.bytes) + 256];
  snprintf(message, sizeof(message), "%s has no function %s", reason.bytes, name);
  ctorch_error *error = NULL;
  ctorch_error *failed = ctorch_error_new(&error, CTORCH_ERROR_UNSUPPORTED, message);
  return failed != NULL ? failed : error;
}
