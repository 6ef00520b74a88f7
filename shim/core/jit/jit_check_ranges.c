/* Where source text came from (code/<name>.py.debug_pkl), which LibTorch reads at the first error, and believes.
 *
 * A tuple of ranges, each (byte in the text, (source, begin, end), tag), where a source is (text, name of the file or
 * None, its first line). Since LibTorch 1.11 it is ("FORMAT_WITH_STRING_TABLE", texts, ranges), and a source (indices
 * of the texts that are its lines, index of its name, its first line). A range may end behind its source. */
#include <string.h>

#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/jit/jit_check.h"
#include "ctorch.h"
#include "pickle/globals.h"
#include "pickle/values.h"

enum { BYTES_PER_LINE = 32 }; /* of a source, as LibTorch keeps it */

struct ranges {
  struct unpickler *pickle;
  size_t texts_len;    /* 0: sources have their text themselves */
  ctorch_value *known; /* the identities of the sources that were looked at: one source has many ranges */
};

static ctorch_error *wrong(const struct ranges *self, const char *what) {
  return pickle_error(self->pickle, "the origin of source text: expected %s", what);
}

/* An entry of a tuple that has one, of this kind. */
static ctorch_error *entry(
    const struct ranges *self,
    ctorch_value **out,
    const ctorch_value *tuple,
    size_t index,
    ctorch_value_kind kind,
    const char *what) {
  ctorch_value *found = NULL;
  if (ctorch_value_kind_of(tuple) != CTORCH_VALUE_TUPLE || index >= ctorch_value_len(tuple)) {
    return wrong(self, what);
  }
  CTORCH_TRY(pickle_refuse(self->pickle, ctorch_value_get(&found, tuple, index)));
  if (ctorch_value_kind_of(found) != kind) {
    ctorch_value_release(found);
    return wrong(self, what);
  }
  *out = found;
  return NULL;
}

/* An int below `end`. */
static ctorch_error *check_int(
    const struct ranges *self, const ctorch_value *tuple, size_t index, int64_t least, uint64_t end, const char *what) {
  ctorch_value *value = NULL;
  int64_t number = 0;
  CTORCH_TRY(entry(self, &value, tuple, index, CTORCH_VALUE_INT, what));
  ctorch_error *error = pickle_refuse(self->pickle, ctorch_value_to_int(&number, value));
  ctorch_value_release(value);
  return error != NULL || (number >= least && (number < 0 || (uint64_t)number < end)) ? error : wrong(self, what);
}

/* torch.jit._pickle.build_intlist of a list of indices of texts. */
static ctorch_error *check_lines(const struct ranges *self, const ctorch_value *source) {
  static const char *const what = "a list of indices of texts";
  ctorch_value *lines = NULL, *args = NULL, *list = NULL;
  CTORCH_TRY(entry(self, &lines, source, 0, CTORCH_VALUE_PYTHON_OBJECT, what));
  ctorch_error *error = pickle_is(lines, "torch.jit._pickle", "build_intlist") && !pickle_is_class(lines)
                            ? pickle_refuse(self->pickle, ctorch_value_python_args(&args, lines))
                            : wrong(self, what);
  THEN(error, entry(self, &list, args, 0, CTORCH_VALUE_LIST, what));
  THEN(error, pickle_charge(self->pickle, ctorch_value_len(list) * BYTES_PER_LINE));
  for (size_t i = 0; error == NULL && i < ctorch_value_len(list); i++) {
    ctorch_value *line = NULL;
    int64_t index = -1;
    error = pickle_refuse(self->pickle, ctorch_value_get(&line, list, i));
    if (error == NULL && ctorch_value_kind_of(line) == CTORCH_VALUE_INT) {
      error = pickle_refuse(self->pickle, ctorch_value_to_int(&index, line));
    }
    if (error == NULL && (index < 0 || (uint64_t)index >= self->texts_len)) {
      error = wrong(self, what);
    }
    ctorch_value_release(line);
  }
  ctorch_value_release(list);
  ctorch_value_release(args);
  ctorch_value_release(lines);
  return error;
}

static ctorch_error *check_text(const struct ranges *self, const ctorch_value *tuple, size_t index, bool may_be_none) {
  ctorch_value *text = NULL;
  if (may_be_none && index < ctorch_value_len(tuple)) {
    CTORCH_TRY(pickle_refuse(self->pickle, ctorch_value_get(&text, tuple, index)));
    const bool is_none = ctorch_value_kind_of(text) == CTORCH_VALUE_NONE;
    ctorch_value_release(text);
    if (is_none) {
      return NULL;
    }
  }
  CTORCH_TRY(entry(self, &text, tuple, index, CTORCH_VALUE_STRING, "a text"));
  ctorch_value_release(text);
  return NULL;
}

static ctorch_error *check_new_source(const struct ranges *self, const ctorch_value *source) {
  if (ctorch_value_len(source) != 3) {
    return wrong(self, "a source of three parts");
  }
  if (self->texts_len == 0) {
    CTORCH_TRY(check_text(self, source, 0, false));
    CTORCH_TRY(check_text(self, source, 1, true));
  } else {
    CTORCH_TRY(check_lines(self, source));
    CTORCH_TRY(check_int(self, source, 1, 0, self->texts_len, "the index of a file's name"));
  }
  return check_int(self, source, 2, INT64_MIN, UINT64_MAX, "the number of a line");
}

static ctorch_error *check_source(struct ranges *self, const ctorch_value *source) {
  ctorch_value *identity = NULL;
  bool is_known = false;
  CTORCH_TRY(ctorch_value_from_int(&identity, (int64_t)(intptr_t)value_identity(source)));
  ctorch_error *error = ctorch_value_set_contains(&is_known, self->known, identity);
  if (!is_known) {
    THEN(error, ctorch_value_set_add(self->known, identity));
  }
  ctorch_value_release(identity);
  return error != NULL || is_known ? error : check_new_source(self, source);
}

static ctorch_error *check_range(struct ranges *self, const ctorch_value *record) {
  ctorch_value *range = NULL, *source = NULL;
  CTORCH_TRY(check_int(self, record, 0, INT64_MIN, UINT64_MAX, "a place in the text"));
  CTORCH_TRY(entry(self, &range, record, 1, CTORCH_VALUE_TUPLE, "a range of a source"));
  ctorch_error *error = ctorch_value_len(range) == 3 ? NULL : wrong(self, "a range of three parts");
  THEN(error, check_int(self, range, 1, 0, UINT64_MAX, "where a range begins"));
  THEN(error, check_int(self, range, 2, 0, UINT64_MAX, "where a range ends"));
  THEN(error, entry(self, &source, range, 0, CTORCH_VALUE_TUPLE, "a source"));
  THEN(error, check_source(self, source));
  ctorch_value_release(source);
  ctorch_value_release(range);
  return error;
}

static ctorch_error *check_ranges(struct ranges *self, const ctorch_value *records) {
  for (size_t i = 0; i < ctorch_value_len(records); i++) {
    ctorch_value *record = NULL;
    CTORCH_TRY(entry(self, &record, records, i, CTORCH_VALUE_TUPLE, "ranges"));
    ctorch_error *error = check_range(self, record);
    ctorch_value_release(record);
    CTORCH_TRY(error);
  }
  return NULL;
}

/* Whether a tuple begins with what tells that texts have a table. */
static bool has_texts(const ctorch_value *value) {
  static const char mark[] = "FORMAT_WITH_STRING_TABLE";
  ctorch_value *first = NULL;
  const char *text = NULL;
  size_t len = 0;
  ctorch_error *error = ctorch_value_get(&first, value, 0);
  if (error == NULL && ctorch_value_kind_of(first) == CTORCH_VALUE_STRING) {
    error = ctorch_value_to_string(&text, &len, first);
  }
  const bool has = error == NULL && len == sizeof mark - 1 && memcmp(text, mark, len) == 0;
  ctorch_error_release(error);
  ctorch_value_release(first);
  return has;
}

static ctorch_error *check_table(struct ranges *self, const ctorch_value *value) {
  ctorch_value *texts = NULL, *records = NULL;
  CTORCH_TRY(entry(self, &texts, value, 1, CTORCH_VALUE_TUPLE, "a tuple of texts"));
  ctorch_error *error = entry(self, &records, value, 2, CTORCH_VALUE_TUPLE, "a tuple of ranges");
  for (size_t i = 0; error == NULL && i < ctorch_value_len(texts); i++) {
    error = check_text(self, texts, i, false);
  }
  self->texts_len = ctorch_value_len(texts);
  THEN(error, check_ranges(self, records));
  ctorch_value_release(records);
  ctorch_value_release(texts);
  return error;
}

ctorch_error *jit_check_ranges(struct unpickler *pickle, const ctorch_value *value) {
  struct ranges self = {.pickle = pickle};
  if (ctorch_value_kind_of(value) != CTORCH_VALUE_TUPLE || ctorch_value_len(value) == 0) {
    return wrong(&self, "a tuple of ranges");
  }
  CTORCH_TRY(ctorch_value_from_set(&self.known, NULL, 0));
  ctorch_error *error = has_texts(value) ? check_table(&self, value) : check_ranges(&self, value);
  ctorch_value_release(self.known);
  return error;
}
