// Gradient scaling, as torch.amp.GradScaler does it.
//
//     const scaler = new amp.GradScaler("cuda");
//     scaler.scale(loss).backward();
//     scaler.step(optimizer);
//     scaler.update();
import { classes, Handle } from "./handles.js";
import { Objects } from "./objects.js";
import { functionsByName as core } from "./operators.js";
import { taken, withClosure } from "./optimizers.js";
import { toValue } from "./values.js";

const objects = new Objects("grad_scaler", () => GradScaler);

function make(device, options) {
  const { init_scale = 65536, growth_factor = 2, backoff_factor = 0.5, growth_interval = 2000, enabled = true } = options;
  return core.grad_scaler_new(device, init_scale, growth_factor, backoff_factor, growth_interval, enabled);
}

/** Multiplies a loss before backward, so that gradients of 16 bits do not vanish, and divides the gradients by it. */
export class GradScaler extends Handle {
  constructor(device = "cuda", options = {}) {
    super(typeof device === "bigint" ? device : objects.pointerTo(() => make(device, options)));
    objects.remember(this);
  }

  /** A tensor, or all tensors of an array, times the factor. */
  scale(outputs) {
    if (outputs?.kind === "tensor") {
      return core.grad_scaler_scale(this, outputs);
    }
    return taken(core.grad_scaler_scale_value(this, toValue(outputs, "scale: outputs")));
  }

  /** Divide the gradients of an optimizer's parameters by the factor, to clip them before step. */
  unscale_(optimizer) {
    core.grad_scaler_unscale_(this, optimizer);
  }

  /** Let an optimizer step if its gradients are finite. */
  step(optimizer, closure) {
    if (closure === undefined || closure === null) {
      core.grad_scaler_step(this, optimizer);
      return undefined;
    }
    return withClosure((run) => core.grad_scaler_step_closure(this, optimizer, run), closure);
  }

  /** Raise or lower the factor by what the steps found, or set it to a number or a tensor. */
  update(newScale = null) {
    if (newScale?.kind === "tensor") {
      core.grad_scaler_update_tensor(this, newScale);
    } else {
      core.grad_scaler_update(this, newScale);
    }
  }

  getScale() {
    return core.grad_scaler_get_scale(this);
  }

  getGrowthFactor() {
    return core.grad_scaler_get_growth_factor(this);
  }

  setGrowthFactor(newFactor) {
    core.grad_scaler_set_growth_factor(this, newFactor);
  }

  getBackoffFactor() {
    return core.grad_scaler_get_backoff_factor(this);
  }

  setBackoffFactor(newFactor) {
    core.grad_scaler_set_backoff_factor(this, newFactor);
  }

  getGrowthInterval() {
    return core.grad_scaler_get_growth_interval(this);
  }

  setGrowthInterval(newInterval) {
    core.grad_scaler_set_growth_interval(this, newInterval);
  }

  isEnabled() {
    return core.grad_scaler_is_enabled(this);
  }

  /** A Map of what is to be saved. */
  stateDict() {
    return taken(core.grad_scaler_state_dict(this));
  }

  /** Take over what was saved. */
  loadStateDict(stateDict) {
    core.grad_scaler_load_state_dict(this, toValue(stateDict, "loadStateDict: stateDict"));
  }
}

Object.defineProperty(GradScaler.prototype, "kind", { value: "grad_scaler" });
classes.grad_scaler = GradScaler;

/** torch.amp: `new amp.GradScaler("cuda")`. */
export const amp = { GradScaler };
