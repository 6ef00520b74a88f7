// Differentiation: modes, gradients, and functions with a backward of their own.
import { classes } from "./handles.js";
import { functionsByName as core } from "./operators.js";

// Modes belong to the thread: not for functions that await.
function withMode(mode, value, body) {
  core[`${mode}_push`](value);
  try {
    return body();
  } finally {
    core[`${mode}_pop`]();
  }
}

/** Call `body()` without recording for backward. Not for functions that await: the mode belongs to the thread. */
export const noGrad = (body) => withMode("grad_mode", false, body);

/** Call `body()` with recording, within noGrad. Not for functions that await. */
export const enableGrad = (body) => withMode("grad_mode", true, body);

/** Call `body()` in inference mode: nothing is recorded, and what it makes never can be. Not for functions that await. */
export const inferenceMode = (body) => withMode("inference_mode", true, body);

/** Whether operators are recorded for backward. */
export const isGradEnabled = () => core.grad_mode_enabled();

/** Gradients of `outputs` with respect to `inputs`. */
export function grad(
  outputs,
  inputs,
  { gradOutputs, retainGraph, createGraph = false, allowUnused, materializeGrads = false } = {},
) {
  return core.autograd_grad(outputs, inputs, gradOutputs, retainGraph, createGraph, allowUnused, false, materializeGrads);
}

// What forward and backward of a custom function get as their first argument.
Object.assign(classes.autograd_context.prototype, {
  saveForBackward(...tensors) {
    core.autograd_context_save_for_backward(this, tensors);
  },
  savedTensors() {
    return core.autograd_context_saved_tensors(this);
  },
  needsInputGrad(index) {
    return core.autograd_context_needs_input_grad(this, index);
  },
  markDirty(...tensors) {
    core.autograd_context_mark_dirty(this, tensors);
  },
  markNonDifferentiable(...tensors) {
    core.autograd_context_mark_non_differentiable(this, tensors);
  },
  setMaterializeGrads(value) {
    core.autograd_context_set_materialize_grads(this, value);
  },
});

/**
 * A differentiable function of your own: `forward(context, inputs)` gives the output or an array of them,
 * `backward(context, gradOutputs)` a gradient for each input, null for none; `jvp(context, tangents)` and
 * `onceDifferentiable` are optional. Call what comes back with tensors; it gives the array of outputs. A function whose
 * own code refers to it is not collected: close() it when it is not called any more.
 */
export function customFunction({ name = "Function", forward, backward, jvp = null, onceDifferentiable = false }) {
  const handle = core.autograd_function_new(name, forward, backward, jvp, onceDifferentiable);
  const apply = (...inputs) => core.autograd_function_apply(handle, inputs);
  apply.close = () => handle.close();
  return apply;
}
