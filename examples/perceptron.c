/* Linear layers one after another. */
#include "perceptron.h"

ctorch_error *perceptron_new(ctorch_module **out, const char *activation, const int64_t *sizes, size_t len) {
  ctorch_module *layer;
  CTORCH_TRY(ctorch_nn_Sequential(out));
  for (size_t i = 0; i + 1 < len; i++) {
    CTORCH_TRY(ctorch_nn_Linear(&layer, sizes[i], sizes[i + 1], true, NULL, NULL));
    CTORCH_TRY(ctorch_module_append(*out, layer));
    if (i + 2 < len) {
      CTORCH_TRY(ctorch_nn_create(&layer, activation, NULL, NULL));
      CTORCH_TRY(ctorch_module_append(*out, layer));
    }
  }
  return NULL;
}
