// Tapes: a step that runs once, and is replayed without dispatch, allocations and autograd.
//
//     const step = capture([x], (x) => model.call(x));
//     const y = step.replay([batch]); // as if the function had been called with `batch`
//
// What is noted are the operators that the function calls; what JavaScript does between them is not done again.
import { toFunction } from "./callbacks.js";
import { classes, Handle } from "./handles.js";
import { Objects } from "./objects.js";
import { functionsByName as core } from "./operators.js";

const objects = new Objects("tape", () => Tape);

/** A captured step. Its outputs are the same tensors after each replay, with other values: clone what is to be kept. */
export class Tape extends Handle {
  #outputs;
  #isSingle;

  constructor(inputs, step, { fast = false, verify = false } = {}) {
    super(typeof inputs === "bigint" ? inputs : objects.pointerTo(() => core.tape_begin([...inputs], fast, verify)));
    objects.remember(this);
    try {
      const made = toFunction(step, "capture")(...inputs) ?? [];
      this.#isSingle = made instanceof classes.tensor;
      core.tape_end(this, this.#isSingle ? [made] : [...made]);
      this.#outputs = [...core.tape_outputs(this)];
    } catch (failure) {
      this.close();
      throw failure;
    }
  }

  /** What the function gave: a tensor, or an array of tensors. */
  get outputs() {
    return this.#isSingle ? this.#outputs[0] : this.#outputs;
  }

  /** Make the step with these inputs, which are copied. */
  replay(inputs = []) {
    core.tape_replay(this, [...inputs]);
    return this.outputs;
  }

  /** A table of its operators, and how each is run again. */
  get text() {
    return `${core.tape_text(this)}`;
  }

  /** The memory that it keeps, in bytes. */
  get bytes() {
    return core.tape_bytes(this);
  }
}

/**
 * Call a function with these tensors, and capture what it does. With `fast` results may differ in the last digits; with
 * `verify` each replay is compared with the operators one by one.
 */
export function capture(inputs, step, options = {}) {
  return new Tape(inputs, step, options);
}

Object.defineProperty(Tape.prototype, "kind", { value: "tape" });
classes.tape = Tape;
