/* To which lengths a tokenizer cuts and fills encodings, and how much memory it may take:
 * <ctorch/tokenizers/tokenizer.h>. */
#include <ctorch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "tokenizers/tokenizer.h"

static ctorch_error *read_choice(
    const char *function, const char *argument, const char *text, const char *const *names, int names_len, int *out) {
  for (int i = 0; text != NULL && i < names_len; i++) {
    if (strcmp(names[i], text) == 0) {
      *out = i;
      return NULL;
    }
  }
  return text == NULL ? NULL : error_argument(function, argument, "\"%.40s\" is none of those there are", text);
}

static const char *const DIRECTIONS[] = {"right", "left"};
static const char *const STRATEGIES[] = {"longest_first", "only_first", "only_second"};

static ctorch_error *check_number(const char *function, const char *argument, int64_t value) {
  return value >= 0 && value < UINT32_MAX / 2
             ? NULL
             : error_argument(function, argument, "expected a number from 0 to 2^31, got %" PRId64, value);
}

ctorch_error *ctorch_tokenizer_enable_truncation(
    ctorch_tokenizer *self, int64_t max_length, int64_t stride, const char *strategy, const char *direction) {
  CTORCH_TRY(error_refusal(__func__));
  int strategy_number = 0, direction_number = 0;
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  CTORCH_TRY(check_number(__func__, "max_length", max_length));
  CTORCH_TRY(check_number(__func__, "stride", stride));
  CTORCH_TRY(read_choice(__func__, "strategy", strategy, STRATEGIES, 3, &strategy_number));
  CTORCH_TRY(read_choice(__func__, "direction", direction, DIRECTIONS, 2, &direction_number));
  const int64_t left = max_length - post_processor_added(self->post_processor, false);
  if (left < stride) {
    return error_argument(
        __func__, "stride", "expected at most the %" PRId64 " tokens that are left for the text, got %" PRId64, left,
        stride);
  }
  self->truncation = (struct truncation){
      .is_on = true,
      .is_left = direction_number == 1,
      .strategy = strategy_number,
      .max_length = (uint32_t)max_length,
      .stride = (uint32_t)stride,
  };
  return NULL;
}

ctorch_error *ctorch_tokenizer_no_truncation(ctorch_tokenizer *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  self->truncation.is_on = false;
  return NULL;
}

ctorch_error *ctorch_tokenizer_enable_padding(
    ctorch_tokenizer *self,
    int64_t pad_id,
    int64_t pad_type_id,
    const char *pad_token,
    int64_t length,
    int64_t pad_to_multiple_of,
    const char *direction) {
  CTORCH_TRY(error_refusal(__func__));
  int direction_number = 0;
  if (self == NULL || pad_token == NULL) {
    return error_null(__func__, self == NULL ? "self" : "pad_token");
  }
  CTORCH_TRY(check_number(__func__, "pad_id", pad_id));
  CTORCH_TRY(check_number(__func__, "pad_type_id", pad_type_id));
  CTORCH_TRY(length == -1 ? NULL : check_number(__func__, "length", length));
  CTORCH_TRY(check_number(__func__, "pad_to_multiple_of", pad_to_multiple_of));
  CTORCH_TRY(read_choice(__func__, "direction", direction, DIRECTIONS, 2, &direction_number));
  CTORCH_TRY(tokenizer_check_text(__func__, "pad_token", pad_token, strlen(pad_token)));
  const size_t len = strlen(pad_token);
  char *token = malloc(len + 1);
  if (token == NULL) {
    return error_memory(__func__, len);
  }
  memcpy(token, pad_token, len + 1);
  free(self->padding.token);
  self->padding = (struct padding){
      .is_on = true,
      .is_left = direction_number == 1,
      .is_fixed = length >= 0,
      .length = length < 0 ? 0 : (uint32_t)length,
      .multiple_of = (uint32_t)pad_to_multiple_of,
      .id = (uint32_t)pad_id,
      .type_id = (uint32_t)pad_type_id,
      .token = token,
      .token_len = (uint32_t)len,
  };
  return NULL;
}

ctorch_error *ctorch_tokenizer_no_padding(ctorch_tokenizer *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  self->padding.is_on = false;
  return NULL;
}

ctorch_error *ctorch_tokenizer_set_limit(ctorch_tokenizer *self, int64_t limit) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  if (limit < 0) {
    return error_argument(__func__, "limit", "expected a number of bytes from 0 on, got %" PRId64, limit);
  }
  self->limit = (size_t)limit;
  return NULL;
}

size_t tokenizer_limit(const ctorch_tokenizer *self, size_t len) {
  enum { EACH = 1024 };
  return len > (SIZE_MAX - self->limit) / EACH ? SIZE_MAX : self->limit + EACH * len;
}

/* What was set ----------------------------------------------------------------------------------------------------- */

/* Set an entry of a dict. `value` is taken over; `error` says why there is none. */
static ctorch_error *set_entry(ctorch_value *dict, const char *name, ctorch_value *value, ctorch_error *error) {
  THEN(error, ctorch_value_dict_put(dict, name, value));
  ctorch_value_release(value);
  return error;
}

static ctorch_error *set_number(ctorch_value *dict, const char *name, int64_t number) {
  ctorch_value *value = NULL;
  ctorch_error *error = ctorch_value_from_int(&value, number);
  return set_entry(dict, name, value, error);
}

static ctorch_error *set_none(ctorch_value *dict, const char *name) {
  ctorch_value *value = NULL;
  ctorch_error *error = ctorch_value_from_none(&value);
  return set_entry(dict, name, value, error);
}

static ctorch_error *set_text(ctorch_value *dict, const char *name, const char *text) {
  ctorch_value *value = NULL;
  ctorch_error *error = ctorch_value_from_string(&value, text);
  return set_entry(dict, name, value, error);
}

static ctorch_error *set_truncation(ctorch_value *dict, const ctorch_tokenizer *self) {
  const struct truncation *truncation = &self->truncation;
  CTORCH_TRY(set_number(dict, "max_length", truncation->max_length));
  CTORCH_TRY(set_number(dict, "stride", truncation->stride));
  CTORCH_TRY(set_text(dict, "strategy", STRATEGIES[truncation->strategy]));
  return set_text(dict, "direction", DIRECTIONS[truncation->is_left]);
}

static ctorch_error *set_padding(ctorch_value *dict, const ctorch_tokenizer *self) {
  const struct padding *padding = &self->padding;
  CTORCH_TRY(padding->is_fixed ? set_number(dict, "length", padding->length) : set_none(dict, "length"));
  CTORCH_TRY(
      padding->multiple_of != 0 ? set_number(dict, "pad_to_multiple_of", padding->multiple_of)
                                : set_none(dict, "pad_to_multiple_of"));
  CTORCH_TRY(set_number(dict, "pad_id", padding->id));
  CTORCH_TRY(set_text(dict, "pad_token", padding->token));
  CTORCH_TRY(set_number(dict, "pad_type_id", padding->type_id));
  return set_text(dict, "direction", DIRECTIONS[padding->is_left]);
}

/* A dict that `set` fills in, or None. */
static ctorch_error *describe(
    const char *function,
    ctorch_value **out,
    const ctorch_tokenizer *self,
    bool is_on,
    ctorch_error *(*set)(ctorch_value *dict, const ctorch_tokenizer *self)) {
  ctorch_value *made = NULL;
  ctorch_error *error = is_on ? ctorch_value_from_dict(&made, NULL, 0, NULL, 0) : ctorch_value_from_none(&made);
  if (is_on) {
    THEN(error, set(made, self));
  }
  if (error != NULL) {
    ctorch_value_release(made);
    return error_of(function, error);
  }
  *out = made;
  return NULL;
}

ctorch_error *ctorch_tokenizer_truncation(ctorch_value **out, const ctorch_tokenizer *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  return describe(__func__, out, self, self->truncation.is_on, set_truncation);
}

ctorch_error *ctorch_tokenizer_padding(ctorch_value **out, const ctorch_tokenizer *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  return describe(__func__, out, self, self->padding.is_on, set_padding);
}
