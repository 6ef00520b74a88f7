/**
 * Random numbers: seeds and generators.
 */
#ifndef CTORCH_RANDOM_H
#define CTORCH_RANDOM_H

#include "ctorch/base.h"
#include "ctorch/types.h"

CTORCH_BEGIN_DECLS

/**
 * Seed the default generators of the CPU and of every device (`torch.manual_seed`).
 *
 * @param seed  any value.
 * @return NULL, or what a device's runtime answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_manual_seed(uint64_t seed);

/**
 * Make a generator of its own.
 *
 * @param[out] out  owned; seeded with PyTorch's default seed.
 * @param device    borrowed; NULL for the CPU.
 * @return NULL, or NULL_ARGUMENT (`out`), INVALID_ARGUMENT (unknown device), RUNTIME or NOT_IMPLEMENTED (no such
 * device).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_generator_new(ctorch_generator **out, const ctorch_device *device);

/**
 * The generator that operators use when none is given.
 *
 * @param[out] out  owned; shared with every other user of it.
 * @param device    borrowed; NULL for the CPU.
 * @return NULL, or NULL_ARGUMENT (`out`), INVALID_ARGUMENT (unknown device), RUNTIME or NOT_IMPLEMENTED (no such
 * device).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_generator_default(ctorch_generator **out, const ctorch_device *device);

/**
 * Add a reference: one more ctorch_generator_release is due.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_generator_retain(const ctorch_generator *self);

/**
 * Give a reference back. Any thread may do this.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_generator_release(ctorch_generator *self);

/**
 * Restart a generator from a seed (`Generator.manual_seed`).
 *
 * @param self  exclusive.
 * @param seed  any value.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_generator_manual_seed(ctorch_generator *self, uint64_t seed);

/**
 * The seed that a generator was started from (`Generator.initial_seed`).
 *
 * @param[out] out  the seed.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_generator_initial_seed(uint64_t *out, const ctorch_generator *self);

CTORCH_END_DECLS

#endif
