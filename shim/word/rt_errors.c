/* rt_ctorch_last_error*: what the last call of this thread failed with. */
#include "word/thread.h"
#include "word/word.h"

static int64_t address_of_text(const char *text) { return (int64_t)(intptr_t)text; }

int64_t rt_ctorch_last_error(void) {
  return word_last_error() == NULL ? 0 : address_of_text(ctorch_error_message(word_last_error()));
}

int64_t rt_ctorch_last_error_text(void) {
  word_call call = word_begin("rt_ctorch_last_error_text");
  const char *message = word_last_error() == NULL ? NULL : ctorch_error_message(word_last_error());
  return word_end_new(&call, word_from_text(&call, message));
}

int64_t rt_ctorch_last_error_code(void) { return ctorch_error_kind_of(word_last_error()); }

int64_t rt_ctorch_last_error_name(void) {
  return address_of_text(ctorch_error_kind_name(ctorch_error_kind_of(word_last_error())));
}

int64_t rt_ctorch_last_error_function(void) {
  if (word_last_error() == NULL) {
    return 0;
  }
  const char *function = ctorch_error_function(word_last_error());
  return address_of_text(function[0] == '\0' ? word_last_error_function() : function);
}

int64_t rt_ctorch_last_error_take(void) {
  word_call call = word_begin("rt_ctorch_last_error_take");
  return word_end(
      &call, word_from_handle(&call, RT_CTORCH_KIND_ERROR, word_last_error_take()));  // no scope's: it leaves them
}

int64_t rt_ctorch_last_error_clear(void) {
  word_last_error_clear();
  return 1;
}
