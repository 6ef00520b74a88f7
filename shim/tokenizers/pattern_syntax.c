/* Patterns in others' words put into PCRE2's: the classes of Unicode are written out, because `\s`, `\w`, `\h` and `\v`
 * mean other characters there; `(?m)` is Ruby's; sets within sets are refused. */
#include "tokenizers/pattern_syntax.h"

#include <string.h>

#include "base/text.h"
#include "core/c/error.h"

/* White_Space; Alphabetic, M, Nd, Pc and Join_Control; what else there is. */
#define SPACE "\\t-\\r \\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}"
#define NO_SPACE                                                                                               \
  "\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{84}\\x{86}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}" \
  "\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{10ffff}"
#define WORD                                                                                                         \
  "\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}\\x{200c}\\x{200d}\\x{24b6}-\\x{24e9}\\x{1f130}-\\x{1f149}\\x{1f150}-\\x{1f169}" \
  "\\x{1f170}-\\x{1f189}"
/* Oniguruma does not count joiners; outside of sets it counts Latin-1's fractions and exponents. */
#define ONIGURUMA_WORD                                                        \
  "\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}\\x{24b6}-\\x{24e9}\\x{1f130}-\\x{1f149}" \
  "\\x{1f150}-\\x{1f169}\\x{1f170}-\\x{1f189}"
#define LATIN_NUMBERS "\\x{b2}\\x{b3}\\x{b9}\\x{bc}-\\x{be}"
#define HEXADECIMAL "0-9A-Fa-f"
#define NO_HEXADECIMAL "\\x{0}-/:-@G-`g-\\x{10ffff}"

struct translation {
  const char *function;
  struct text *out;
  const char *at, *end;
  enum pattern_syntax syntax;
  size_t atom;       /* where what a quantifier is for begins in `out` */
  size_t groups[64]; /* where the groups that are open begin */
  size_t groups_len;
};

static ctorch_error *unsupported(const struct translation *self, const char *what) {
  return error_make(self->function, CTORCH_ERROR_UNSUPPORTED, "a pattern with %s: PCRE2 has no such thing", what);
}

static ctorch_error *refuse_escape(const struct translation *self, char escaped) {
  return error_make(self->function, CTORCH_ERROR_UNSUPPORTED, "a pattern with \\%c: it is not known here", escaped);
}

static const char *word_of(const struct translation *self) {
  return self->syntax == PATTERN_ONIGURUMA ? ONIGURUMA_WORD : WORD;
}

static void add(struct translation *self, const char *text) { text_bytes(self->out, text, strlen(text)); }

/* Long names of properties, as PCRE2 has them; what stands neither here nor has one or two letters is a script. */
static const char *const PROPERTIES[][2] = {
    {"letter", "L"},
    {"mark", "M"},
    {"number", "N"},
    {"punctuation", "P"},
    {"punct", "P"},
    {"symbol", "S"},
    {"separator", "Z"},
    {"other", "C"},
    {"alpha", "Alphabetic"},
    {"alphabetic", "Alphabetic"},
    {"digit", "Nd"},
    {"upper", "Uppercase"},
    {"uppercase", "Uppercase"},
    {"lower", "Lowercase"},
    {"lowercase", "Lowercase"},
    {"space", "White_Space"},
    {"whitespace", "White_Space"},
    {"uppercaseletter", "Lu"},
    {"lowercaseletter", "Ll"},
    {"titlecaseletter", "Lt"},
    {"modifierletter", "Lm"},
    {"otherletter", "Lo"},
    {"decimalnumber", "Nd"},
    {"letternumber", "Nl"},
    {"othernumber", "No"},
    {"nonspacingmark", "Mn"},
    {"spacingmark", "Mc"},
    {"control", "Cc"},
    {"cntrl", "Cc"},
    {"format", "Cf"},
    {"any", "Any"},
    {"emoji", "Emoji"},
    {"emojipresentation", "Emoji_Presentation"},
    {"emojimodifier", "Emoji_Modifier"},
    {"extendedpictographic", "Extended_Pictographic"},
    {"ideographic", "Ideographic"},
};

static const char *property(const char *name) {
  for (size_t i = 0; i < sizeof PROPERTIES / sizeof *PROPERTIES; i++) {
    if (strcmp(PROPERTIES[i][0], name) == 0) {
      return PROPERTIES[i][1];
    }
  }
  return NULL;
}

/* `\p{…}`, behind the `p`. */
static ctorch_error *translate_property(struct translation *self, bool is_negated) {
  char name[64], bare[64];
  size_t len = 0, bare_len = 0;
  if (self->at < self->end && *self->at != '{') {
    name[len++] = *self->at++;
  } else {
    const char *close = self->at < self->end ? memchr(self->at, '}', (size_t)(self->end - self->at)) : NULL;
    if (close == NULL || close - self->at > 48) {
      return error_make(self->function, CTORCH_ERROR_FORMAT, "a pattern with \\p that names nothing");
    }
    const char *from = self->at + 1;
    if (*from == '^') {
      is_negated = !is_negated;
      from++;
    }
    len = (size_t)(close - from);
    memcpy(name, from, len);
    self->at = close + 1;
  }
  name[len] = '\0';
  for (size_t i = 0; i < len; i++) {
    const char c = name[i];
    if (c != ' ' && c != '_' && c != '-') {
      bare[bare_len++] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
    }
  }
  bare[bare_len] = '\0';
  const char *known = property(bare);
  const char *kind = known == NULL && bare_len > 2 && strchr(name, ':') == NULL ? "sc:" : "";
  text_add(self->out, "\\%c{%s%s}", is_negated ? 'P' : 'p', kind, known != NULL ? known : name);
  return NULL;
}

/* `[:alpha:]`, behind the bracket. */
static ctorch_error *translate_posix(struct translation *self) {
  static const char *const NAMES[][2] = {
      {"alpha", "\\p{Alphabetic}"},
      {"alnum", "\\p{Alphabetic}\\p{Nd}"},
      {"digit", "\\p{Nd}"},
      {"lower", "\\p{Lowercase}"},
      {"upper", "\\p{Uppercase}"},
      {"punct", "\\p{P}\\p{S}"},
      {"space", SPACE},
      {"word", ONIGURUMA_WORD},
      {"xdigit", HEXADECIMAL},
      {"blank", "\\t\\p{Zs}"},
      {"cntrl", "\\p{Cc}"}};
  for (size_t i = 0; self->syntax == PATTERN_ONIGURUMA && i < sizeof NAMES / sizeof *NAMES; i++) {
    const size_t len = strlen(NAMES[i][0]);
    if ((size_t)(self->end - self->at) > len + 2 && memcmp(self->at + 1, NAMES[i][0], len) == 0 &&
        memcmp(self->at + 1 + len, ":]", 2) == 0) {
      self->at += len + 3;
      add(self, NAMES[i][1]);
      return NULL;
    }
  }
  return unsupported(self, "a POSIX bracket of another kind than [:alpha:], [:digit:] and the like");
}

static bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static ctorch_error *translate_set_escape(struct translation *self, char escaped) {
  switch (escaped) {
    case 's':
      return add(self, SPACE), NULL;
    case 'S':
      return add(self, NO_SPACE), NULL;
    case 'w':
      return add(self, word_of(self)), NULL;
    case 'h':
      return add(self, HEXADECIMAL), NULL;
    case 'H':
      return add(self, NO_HEXADECIMAL), NULL;
    case 'b':
      return add(self, "\\x08"), NULL;
    default:
      return refuse_escape(self, escaped);
  }
}

static ctorch_error *translate_plain_escape(struct translation *self, char escaped) {
  const char *word = self->syntax == PATTERN_ONIGURUMA ? ONIGURUMA_WORD LATIN_NUMBERS : WORD;
  switch (escaped) {
    case 's':
      return add(self, "[" SPACE "]"), NULL;
    case 'S':
      return add(self, "[^" SPACE "]"), NULL;
    case 'w':
      return text_add(self->out, "[%s]", word), NULL;
    case 'W':
      return text_add(self->out, "[^%s]", word), NULL;
    case 'h':
      return add(self, "[" HEXADECIMAL "]"), NULL;
    case 'H':
      return add(self, "[^" HEXADECIMAL "]"), NULL;
    case 'b':
      return text_add(self->out, "(?:(?<=[%s])(?![%s])|(?<![%s])(?=[%s]))", word, word, word, word), NULL;
    case 'B':
      return text_add(self->out, "(?:(?<=[%s])(?=[%s])|(?<![%s])(?![%s]))", word, word, word, word), NULL;
    default:
      if (strchr("AzZGKRXkg123456789", escaped) == NULL) {
        return refuse_escape(self, escaped);
      }
      text_add(self->out, "\\%c", escaped);
      return NULL;
  }
}

/* Behind the backslash. */
static ctorch_error *translate_escape(struct translation *self, bool in_set) {
  if (self->at == self->end) {
    return error_make(self->function, CTORCH_ERROR_FORMAT, "a pattern that ends with a backslash");
  }
  const char escaped = *self->at++;
  switch (escaped) {
    case 'p':
    case 'P':
      return translate_property(self, escaped == 'P');
    case 'd':
      return add(self, "\\p{Nd}"), NULL;
    case 'D':
      return add(self, "\\P{Nd}"), NULL;
    case 'v':
      return add(self, "\\x0b"), NULL;
    case 'u':
      if (self->end - self->at < 4) {
        return refuse_escape(self, escaped);
      }
      text_add(self->out, "\\x{%.4s}", self->at);
      self->at += 4;
      return NULL;
    default:
      break;
  }
  if (!is_word_character(escaped)) {
    if ((unsigned char)escaped < 0x80) {
      add(self, "\\");
    }
    text_bytes(self->out, &escaped, 1);
    return NULL;
  }
  if (escaped == 'x' && self->at < self->end && *self->at == '{') {
    const char *close = memchr(self->at, '}', (size_t)(self->end - self->at));
    if (close == NULL) {
      return refuse_escape(self, escaped);
    }
    add(self, "\\x");
    text_bytes(self->out, self->at, (size_t)(close + 1 - self->at));
    self->at = close + 1;
    return NULL;
  }
  if (strchr("ntrfaex0", escaped) != NULL) {
    text_add(self->out, "\\%c", escaped);
    return NULL;
  }
  return in_set ? translate_set_escape(self, escaped) : translate_plain_escape(self, escaped);
}

/* `[…]`, behind the bracket. */
static ctorch_error *translate_set(struct translation *self) {
  add(self, "[");
  if (self->at < self->end && *self->at == '^') {
    add(self, "^");
    self->at++;
  }
  for (bool is_first = true; self->at < self->end; is_first = false) {
    const char c = *self->at++;
    const char next = self->at < self->end ? *self->at : '\0';
    if (c == ']' && !is_first) {
      add(self, "]");
      return NULL;
    }
    if (c == '\\') {
      CTORCH_TRY(translate_escape(self, true));
    } else if (c == '[' && next == ':') {
      CTORCH_TRY(translate_posix(self));
    } else if (c == '[') {
      return unsupported(self, "a set in a set");
    } else if (next == c && (c == '&' || (self->syntax == PATTERN_RUST && (c == '-' || c == '~')))) {
      return unsupported(self, "an intersection of sets");
    } else {
      text_bytes(self->out, c == ']' ? "\\]" : &c, c == ']' ? 2 : 1);
    }
  }
  return error_make(self->function, CTORCH_ERROR_FORMAT, "a pattern with a set that does not end");
}

/* `(?…`, behind the question mark: flags, up to `:` or `)`. */
static ctorch_error *translate_group(struct translation *self) {
  const char *at = self->at;
  while (at < self->end && strchr("imsx-", *at) != NULL && *at != '\0') {
    at++;
  }
  const bool is_flags = at < self->end && (*at == ':' || *at == ')');
  if (!is_flags && self->at < self->end && strchr("~(&{", *self->at) != NULL) {
    return unsupported(self, "an absence, a condition or a call");
  }
  for (; is_flags && self->at < at; self->at++) {
    const char flag = *self->at;
    const bool is_ruby = self->syntax == PATTERN_ONIGURUMA;
    text_bytes(self->out, is_ruby && flag == 'm' ? "s" : &flag, 1);
  }
  return NULL;
}

/* `{…}`, at the bracket; false if it is none. */
static bool translate_interval(struct translation *self) {
  const char *at = self->at + 1, *begin = at;
  while (at < self->end && ((*at >= '0' && *at <= '9') || *at == ',')) {
    at++;
  }
  if (at == self->end || *at != '}' || at == begin || (*begin == ',' && at == begin + 1)) {
    return false;
  }
  add(self, "{");
  add(self, *begin == ',' ? "0" : "");
  text_bytes(self->out, begin, (size_t)(at - begin));
  add(self, "}");
  self->at = at + 1;
  return true;
}

/* A quantifier of what is repeated already: `a{1,2}+` is no possessive one in Oniguruma. */
static void wrap_atom(struct translation *self) {
  struct text *out = self->out;
  const size_t len = out->len - self->atom;
  add(self, "(?:)");
  if (out->error == NULL) {
    memmove(out->data + self->atom + 3, out->data + self->atom, len);
    memcpy(out->data + self->atom, "(?:", 3);
    out->data[out->len - 1] = ')';
  }
}

static ctorch_error *translate_open(struct translation *self) {
  if (self->groups_len == sizeof self->groups / sizeof *self->groups) {
    return unsupported(self, "more than 64 groups in one another");
  }
  self->groups[self->groups_len++] = self->out->len;
  add(self, "(");
  if (self->at < self->end && *self->at == '?') {
    self->at++;
    add(self, "?");
    return translate_group(self);
  }
  if (self->at < self->end && *self->at == '*') {
    return unsupported(self, "a verb");
  }
  return NULL;
}

static ctorch_error *translate_next(struct translation *self) {
  const char c = *self->at;
  const size_t begin = self->out->len;
  if (c == '{' && translate_interval(self)) {
    if (self->syntax == PATTERN_ONIGURUMA && self->at < self->end && *self->at == '+') {
      wrap_atom(self);
    }
    return NULL;
  }
  self->at++;
  switch (c) {
    case '*':
    case '+':
    case '?':
      text_bytes(self->out, &c, 1);
      return NULL;
    case '(':
      return translate_open(self);
    case ')':
      self->atom = self->groups_len > 0 ? self->groups[--self->groups_len] : begin;
      add(self, ")");
      return NULL;
    case '\\':
      self->atom = begin;
      return translate_escape(self, false);
    case '[':
      self->atom = begin;
      return translate_set(self);
    case '{':
      self->atom = begin;
      return add(self, "\\{"), NULL;
    default:
      self->atom = ((unsigned char)c & 0xc0) == 0x80 ? self->atom : begin;
      text_bytes(self->out, &c, 1);
      return NULL;
  }
}

ctorch_error *pattern_translate(
    const char *function, struct text *out, const char *pattern, size_t len, enum pattern_syntax syntax) {
  struct translation self = {
      .function = function, .out = out, .at = pattern, .end = pattern + len, .syntax = syntax, .groups_len = 0};
  while (self.at < self.end) {
    CTORCH_TRY(translate_next(&self));
  }
  return NULL;
}
