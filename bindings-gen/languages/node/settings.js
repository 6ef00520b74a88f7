// Seeds and threads, by the names that users of PyTorch know.
import { functionsByName as core } from "./operators.js";

/** Seed the default generators of the CPU and of every device; gives that of the CPU. */
export function manualSeed(seed) {
  core.random_manual_seed(typeof seed === "bigint" || (Number.isSafeInteger(seed) && seed < 0) ? BigInt.asUintN(64, BigInt(seed)) : seed);
  return core.generator_default();
}

/** What the default generator of the CPU was last seeded with. */
export const initialSeed = () => core.random_initial_seed();

/** How many threads an operator may use on the CPU. */
export const setNumThreads = (number) => core.threads_set_num(number);
export const getNumThreads = () => core.threads_num();
