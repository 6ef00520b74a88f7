/**
 * What the generated typed forwards call: `ctorch_nn_LSTM_forward` is a call like any other, with the path of an error
 * and with hooks, which take values.
 */
#ifndef CTORCH_SHIM_MODULE_TYPED_H
#define CTORCH_SHIM_MODULE_TYPED_H

#include "module/hooks.h"
#include "module/walk.h"

/** TYPE unless the module is of the class of this name; NULL_ARGUMENT for none. */
void option_class(ctorch_error **error, const char *function, const ctorch_module *self, const char *name);

/** The arguments and the results of a typed forward as values; what fails is in `error`, and the rest does nothing. */
struct option_results {
  const char *function;
  ctorch_value *kwargs, *result;
  ctorch_error *error;
};

/** One more argument. */
void option_give_tensor(struct option_results *self, const char *name, const ctorch_tensor *value);
void option_give_tensors(
    struct option_results *self, const char *name, const ctorch_tensor *const *values, size_t len, bool or_none);
void option_give_ints(struct option_results *self, const char *name, const int64_t *values, size_t len);
void option_give_int(struct option_results *self, const char *name, int64_t value);
void option_give_double(struct option_results *self, const char *name, double value);
void option_give_bool(struct option_results *self, const char *name, bool value);
void option_give_text(struct option_results *self, const char *name, const char *value);
void option_give_optional_int(struct option_results *self, const char *name, const int64_t *value);
void option_give_optional_double(struct option_results *self, const char *name, const double *value);
void option_give_optional_bool(struct option_results *self, const char *name, const bool *value);

/** Call the module, hooks and all. */
void option_results_call(struct option_results *self, ctorch_module *module);

/** The result, or the one at `at` of the tuple that it is, or the one at `inner` of the tuple there; -1 is none. */
void option_take_tensor(struct option_results *self, ctorch_tensor **out, int at, int inner);
void option_take_tensors(struct option_results *self, ctorch_tensor_list **out, int at, int inner);

ctorch_error *option_results_end(struct option_results *self) __attribute__((warn_unused_result));

#endif
