/* Patterns, compiled by PCRE2 to machine code where it can. Its limits end a search that would take too long. */
#define _GNU_SOURCE /* memmem */
#include "tokenizers/pattern.h"

#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "tokenizers/character.h"
#include "tokenizers/pattern_syntax.h"

#if CTORCH_HAS_LIBPCRE2_8
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#endif

enum { MATCH_LIMIT = 2000000, DEPTH_LIMIT = 100000, HEAP_LIMIT_KIB = 64 << 10, PATTERN_MOST_NBYTES = 1 << 16 };

struct pattern {
  char *literal; /* what is searched for, or NULL */
  size_t literal_len;
  bool is_compiled; /* to machine code */
#if CTORCH_HAS_LIBPCRE2_8
  pcre2_code *code;
  pcre2_match_context *limits;
#endif
};

static bool find_literal(struct span *out, const struct pattern *self, const char *data, size_t len, size_t at) {
  const char *found = at >= len ? NULL : memmem(data + at, len - at, self->literal, self->literal_len);
  if (found == NULL) {
    return false;
  }
  *out = (struct span){(uint32_t)(found - data), (uint32_t)((size_t)(found - data) + self->literal_len), true};
  return true;
}

#if CTORCH_HAS_LIBPCRE2_8
bool pattern_is_supported(void) { return true; }

void pattern_free(struct pattern *self) {
  if (self != NULL) {
    pcre2_code_free(self->code);
    pcre2_match_context_free(self->limits);
    free(self->literal);
    free(self);
  }
}

static ctorch_error *compile(
    const char *function, struct pattern *self, const char *text, size_t len, enum pattern_syntax syntax) {
  pcre2_compile_context *context = pcre2_compile_context_create(NULL);
  if (context == NULL) {
    return error_memory(function, 0);
  }
  pcre2_set_newline(context, PCRE2_NEWLINE_LF);
  pcre2_set_parens_nest_limit(context, 100);
  const uint32_t options =
      PCRE2_UTF | PCRE2_UCP | (syntax == PATTERN_ONIGURUMA ? PCRE2_MULTILINE : PCRE2_DOLLAR_ENDONLY);
  int failure = 0;
  size_t at = 0;
  self->code = pcre2_compile((PCRE2_SPTR)text, len, options, &failure, &at, context);
  pcre2_compile_context_free(context);
  if (self->code == NULL) {
    PCRE2_UCHAR message[160] = "";
    pcre2_get_error_message(failure, message, sizeof message);
    return error_make(function, CTORCH_ERROR_FORMAT, "a pattern that PCRE2 refuses: %s", (const char *)message);
  }
  self->is_compiled = pcre2_jit_compile(self->code, PCRE2_JIT_COMPLETE) == 0;
  self->limits = pcre2_match_context_create(NULL);
  if (self->limits == NULL) {
    return error_memory(function, 0);
  }
  pcre2_set_match_limit(self->limits, MATCH_LIMIT);
  pcre2_set_depth_limit(self->limits, DEPTH_LIMIT);
  pcre2_set_heap_limit(self->limits, HEAP_LIMIT_KIB);
  return NULL;
}

ctorch_error *pattern_new(
    const char *function, struct pattern **out, const char *text, size_t len, enum pattern_syntax syntax) {
  if (len > PATTERN_MOST_NBYTES) {
    return error_make(function, CTORCH_ERROR_UNSUPPORTED, "a pattern of %zu bytes", len);
  }
  struct text translated = {.function = function};
  struct pattern *self = calloc(1, sizeof *self);
  ctorch_error *error = self == NULL ? error_memory(function, sizeof *self) : NULL;
  THEN(error, pattern_translate(function, &translated, text, len, syntax));
  THEN(
      error, translated.error == NULL ? compile(function, self, text_data(&translated), translated.len, syntax) : NULL);
  ctorch_error *text_error = text_end(&translated);
  if (error == NULL) {
    error = text_error;
  } else {
    ctorch_error_release(text_error);
  }
  if (error != NULL) {
    pattern_free(self);
    return error;
  }
  *out = self;
  return NULL;
}

static void match_free(void *match) { pcre2_match_data_free(match); }

static pcre2_match_data *match_of(struct workspace *workspace) {
  if (workspace->match == NULL) {
    workspace->match = pcre2_match_data_create(1, NULL);
    workspace->match_free = match_free;
    if (workspace->match == NULL) {
      workspace_fail(workspace, error_memory(workspace->function, 0));
    }
  }
  return workspace->match;
}

bool pattern_find(
    struct workspace *workspace,
    struct span *out,
    const struct pattern *self,
    const char *data,
    size_t len,
    size_t at) {
  if (self->literal != NULL) {
    return find_literal(out, self, data, len, at);
  }
  pcre2_match_data *match = match_of(workspace);
  int rc = PCRE2_ERROR_JIT_STACKLIMIT;
  if (self->is_compiled) {
    rc = pcre2_jit_match(self->code, (PCRE2_SPTR)data, len, at, 0, match, self->limits);
  }
  if (rc == PCRE2_ERROR_JIT_STACKLIMIT) {
    rc = pcre2_match(self->code, (PCRE2_SPTR)data, len, at, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, match, self->limits);
  }
  if (rc == PCRE2_ERROR_NOMATCH) {
    return false;
  }
  if (rc < 0) {
    PCRE2_UCHAR message[160] = "";
    pcre2_get_error_message(rc, message, sizeof message);
    workspace_fail(
        workspace,
        error_make(workspace->function, CTORCH_ERROR_RUNTIME, "a pattern: PCRE2 says %s", (const char *)message));
  }
  const size_t *found = pcre2_get_ovector_pointer(match);
  const size_t begin = found[0] < at ? at : found[0]; /* \K in a lookahead may lead anywhere */
  *out = (struct span){(uint32_t)begin, (uint32_t)(found[1] < begin ? begin : found[1]), true};
  return true;
}
#else
bool pattern_is_supported(void) { return false; }

void pattern_free(struct pattern *self) {
  if (self != NULL) {
    free(self->literal);
    free(self);
  }
}

ctorch_error *pattern_new(
    const char *function, struct pattern **out, const char *text, size_t len, enum pattern_syntax syntax) {
  (void)out;
  (void)text;
  (void)len;
  (void)syntax;
  return error_make(function, CTORCH_ERROR_UNSUPPORTED, "a pattern: ctorch was built without PCRE2");
}

bool pattern_find(
    struct workspace *workspace,
    struct span *out,
    const struct pattern *self,
    const char *data,
    size_t len,
    size_t at) {
  (void)workspace;
  return find_literal(out, self, data, len, at);
}
#endif

ctorch_error *pattern_of_text(const char *function, struct pattern **out, const char *text, size_t len) {
  if (len == 0) {
    return pattern_new(function, out, "", 0, PATTERN_RUST);
  }
  struct pattern *self = calloc(1, sizeof *self);
  char *literal = self == NULL ? NULL : malloc(len);
  if (literal == NULL) {
    free(self);
    return error_memory(function, len);
  }
  memcpy(literal, text, len);
  self->literal = literal;
  self->literal_len = len;
  *out = self;
  return NULL;
}

void pattern_find_all(
    struct workspace *workspace, struct spans *out, const struct pattern *self, const char *data, size_t len) {
  size_t done = 0, at = 0;
  bool has_match = false;
  for (struct span found; at <= len && pattern_find(workspace, &found, self, data, len, at);) {
    /* An empty match right behind another is none. */
    if (found.begin == found.end && has_match && found.end == done) {
      at += at < len ? utf8_len_from(data[at]) : 1;
      continue;
    }
    if (done < found.begin) {
      WORKSPACE_PUSH(workspace, out, ((struct span){(uint32_t)done, found.begin, false}));
    }
    WORKSPACE_PUSH(workspace, out, found);
    done = at = found.end;
    has_match = true;
  }
  if (done < len) {
    WORKSPACE_PUSH(workspace, out, ((struct span){(uint32_t)done, (uint32_t)len, false}));
  }
}
