/** An operator as the function that transforms, checkpoints and gradient checks call: the one callback by words alone.
 */
#include <stdlib.h>

#include "word/word.h"

/** The tensors in what an operator returned. */
static ctorch_error *tensors_in(ctorch_tensor_list **out, const ctorch_value *result) {
  if (ctorch_value_kind_of(result) != CTORCH_VALUE_TENSOR) {
    return ctorch_value_to_tensors(out, result);
  }
  ctorch_tensor *tensor = NULL;
  CTORCH_TRY(ctorch_value_to_tensor(&tensor, result));
  ctorch_error *error = ctorch_tensor_list_new(out, (const ctorch_tensor *const *)&tensor, 1);
  ctorch_tensor_release(tensor);
  return error;
}

/** The `payload` is the ctorch_op; its arguments are the inputs, by position. */
static ctorch_callback_status call_operator(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload) {
  ctorch_value **arguments = calloc(inputs_len + 1, sizeof *arguments);
  ctorch_value *result = NULL;
  ctorch_error *failed = NULL;
  if (arguments == NULL) {
    failed = ctorch_error_new(error, CTORCH_ERROR_OUT_OF_MEMORY, "out of memory");
    ctorch_error_release(failed);
    return 0;
  }
  for (size_t i = 0; i < inputs_len && failed == NULL; i++) {
    failed = ctorch_value_from_tensor(&arguments[i], inputs[i]);
  }
  if (failed == NULL) {
    failed = ctorch_op_call(&result, payload, (const ctorch_value *const *)arguments, inputs_len);
  }
  if (failed == NULL) {
    failed = tensors_in(out, result);
  }
  ctorch_value_release(result);
  for (size_t i = 0; i < inputs_len; i++) {
    ctorch_value_release(arguments[i]);
  }
  free(arguments);
  *error = failed;
  return failed == NULL ? CTORCH_CALLBACK_OK : 0;
}

int64_t rt_ctorch_operator_callback(void) {
  word_call call = word_begin("rt_ctorch_operator_callback");
  ctorch_tensors_callback callback = call_operator;
  return word_end_new(&call, word_from_handle(&call, RT_CTORCH_KIND_ADDRESS, (void *)callback));
}
