// Checks that print `ok NAME` or `not ok NAME: why`, one a line.
import { isDeepStrictEqual, inspect } from "node:util";
import { CtorchError, liveHandles } from "ctorch";

export function equal(got, expected) {
  if (!isDeepStrictEqual(got, expected)) {
    throw new Error(`got ${inspect(got)}, expected ${inspect(expected)}`);
  }
}

export function raises(func, ...given) {
  try {
    func(...given);
  } catch (failure) {
    return failure;
  }
  throw new Error("nothing was thrown");
}

// ctorch's error of this kind, with this text in its message.
export function fails(codeName, text, func, ...given) {
  return expectError(raises(func, ...given), codeName, text);
}

export function expectError(failure, codeName, text) {
  if (!(failure instanceof CtorchError) || failure.codeName !== codeName || !failure.message.includes(text)) {
    throw new Error(`threw ${failure?.codeName} ${failure}, expected ${codeName} with "${text}"`);
  }
  return failure;
}

export async function that(name, body) {
  try {
    await body();
    console.log(`ok ${name}`);
  } catch (failure) {
    console.log(`not ok ${name}: ${failure?.stack ?? failure}`.replaceAll("\n", " | "));
  }
}

export async function done() {
  await new Promise((resolve) => setImmediate(resolve));
  console.log(`live ${liveHandles()}`);
}
