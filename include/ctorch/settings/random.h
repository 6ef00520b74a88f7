/**
 * Random numbers: seeds, generators and their states.
 *
 * A generator may be shared by threads: every function locks it. The numbers that a call draws are in one piece, but
 * which thread draws first is up to them.
 */
#ifndef CTORCH_RANDOM_H
#define CTORCH_RANDOM_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/**
 * Seed the default generators of the CPU and of every device (`torch.manual_seed`).
 *
 * @param seed  any value.
 * @return NULL, or what a device's runtime answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_random_manual_seed(uint64_t seed);

/**
 * Seed the default generators of the CPU and of every device with a number that nobody could foresee (`torch.seed`).
 *
 * @param[out] out  that number.
 * @return NULL, or NULL_ARGUMENT, or what a device's runtime answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_random_seed(uint64_t *out);

/**
 * The seed that a default generator was started from (`torch.initial_seed`, `torch.cuda.initial_seed`).
 *
 * @param[out] out  the seed.
 * @param device    borrowed; NULL for the CPU.
 * @return NULL, or NULL_ARGUMENT (`out`), INVALID_ARGUMENT (unknown device), RUNTIME or NOT_IMPLEMENTED (no such
 *         device).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_random_initial_seed(uint64_t *out, const ctorch_device *device);

/**
 * Remember the states of default generators on this thread, until ctorch_random_join puts them back: what is drawn in
 * between leaves no trace (`torch.random.fork_rng`). Forks nest.
 *
 * @param devices      borrowed; those whose generators to remember beside the CPU's. NULL with length 0 for every
 *                     device of the accelerator, a pointer with length 0 for the CPU alone.
 * @param devices_len  their number.
 * @return NULL, or NULL_ARGUMENT (`devices` NULL with a length), INVALID_ARGUMENT (unknown device), RUNTIME or
 *         NOT_IMPLEMENTED (no such device).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_random_fork(const ctorch_device *devices, size_t devices_len);

/**
 * Put the states back that the last ctorch_random_fork on this thread remembered.
 *
 * @return NULL, or RUNTIME (nothing was forked), or what a device's runtime answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_random_join(void);

/**
 * Make a generator of its own.
 *
 * @param[out] out  owned; seeded with PyTorch's default seed.
 * @param device    borrowed; NULL for the CPU.
 * @return NULL, or NULL_ARGUMENT (`out`), INVALID_ARGUMENT (unknown device), RUNTIME or NOT_IMPLEMENTED (no such
 *         device).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_generator_new(ctorch_generator **out, const ctorch_device *device);

/**
 * The generator that operators use when none is given.
 *
 * @param[out] out  owned; shared with every other user of it.
 * @param device    borrowed; NULL for the CPU.
 * @return NULL, or NULL_ARGUMENT (`out`), INVALID_ARGUMENT (unknown device), RUNTIME or NOT_IMPLEMENTED (no such
 *         device).
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

/**
 * Restart a generator from a seed that nobody could foresee (`Generator.seed`).
 *
 * @param[out] out  that seed.
 * @param self      exclusive.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_generator_seed(uint64_t *out, ctorch_generator *self);

/**
 * All that decides a generator's next numbers (`Generator.get_state`).
 *
 * @param[out] out  owned; uint8 on the CPU, of a length that depends on the generator's device; a copy.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_generator_get_state(ctorch_tensor **out, const ctorch_generator *self);

/**
 * Have a generator go on from a state (`Generator.set_state`).
 *
 * @param self   exclusive.
 * @param state  borrowed; what ctorch_generator_get_state gave for a generator of the same type of device.
 * @return NULL, or NULL_ARGUMENT, TYPE (not uint8 on the CPU), RUNTIME (another length or not contiguous),
 *         INVALID_ARGUMENT or RUNTIME (no state of a generator).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_generator_set_state(ctorch_generator *self, const ctorch_tensor *state);

/**
 * How many numbers a Philox generator has given since its seed (`Generator.get_offset`).
 *
 * @param[out] out  the offset.
 * @param self      borrowed; a generator of CUDA, XPU, MPS or MTIA.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (a generator without an offset, as the CPU's).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_generator_get_offset(uint64_t *out, const ctorch_generator *self);

/**
 * Have a Philox generator go on at an offset from its seed (`Generator.set_offset`).
 *
 * @param self    exclusive; a generator of CUDA, XPU, MPS or MTIA.
 * @param offset  a multiple of 4 on CUDA.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (a generator without an offset, as the CPU's; not such a multiple).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_generator_set_offset(ctorch_generator *self, uint64_t offset);

/**
 * A generator of its own that will give the same numbers (`Generator.clone_state`).
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_generator_clone(ctorch_generator **out, const ctorch_generator *self);

/**
 * A generator that shares its state with another, for CUDA graphs (`Generator.graphsafe_get_state`).
 *
 * @param[out] out  owned.
 * @param self      borrowed; a generator of CUDA.
 * @return NULL, or NULL_ARGUMENT, NOT_IMPLEMENTED (another device).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_generator_get_graphsafe_state(ctorch_generator **out, const ctorch_generator *self);

/**
 * Have a generator share its state with another, for CUDA graphs (`Generator.graphsafe_set_state`).
 *
 * @param self   exclusive; a generator of CUDA.
 * @param state  borrowed; what ctorch_generator_get_graphsafe_state gave.
 * @return NULL, or NULL_ARGUMENT, NOT_IMPLEMENTED (another device), RUNTIME (of another device than `self`).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_generator_set_graphsafe_state(ctorch_generator *self, const ctorch_generator *state);

/**
 * The device that a generator draws for.
 *
 * @param[out] out  the device.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_generator_device(ctorch_device *out, const ctorch_generator *self);

CTORCH_END_DECLS

#endif
