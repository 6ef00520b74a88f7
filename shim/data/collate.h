/** Batches of samples: data.default_collate and what else goes through all tensors of a value. */
#ifndef CTORCH_SHIM_DATA_COLLATE_H
#define CTORCH_SHIM_DATA_COLLATE_H

#include <ctorch.h>

/** A batch of samples, of which there is at least one. */
ctorch_error *collate_samples(
    const char *function, ctorch_value **out, ctorch_value *const *samples, size_t samples_len)
    __attribute__((warn_unused_result));

/** A sample as a loader that makes no batches gives it. */
ctorch_error *convert_sample(const char *function, ctorch_value **out, const ctorch_value *sample)
    __attribute__((warn_unused_result));

/** Release values, and free the array that they are in. */
void values_release(ctorch_value **values, size_t len);

/** The same value with its tensors in pinned memory. */
ctorch_error *pin_value(const char *function, ctorch_value **out, const ctorch_value *value)
    __attribute__((warn_unused_result));

#endif
