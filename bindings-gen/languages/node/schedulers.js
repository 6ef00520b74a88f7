// Learning rate schedulers, as torch.optim.lr_scheduler has them.
//
//     const scheduler = new optim.lr_scheduler.CosineAnnealingLR(optimizer, 100);
//     for (let epoch = 0; epoch < 100; epoch++) {
//       …
//       optimizer.step();
//       scheduler.step();
//     }
//
// What a scheduler knows stands in C: `get("base_lrs")` reads an attribute under Python's name, `set` assigns one.
import { isOptions } from "./call.js";
import { CtorchError, describe } from "./errors.js";
import { classes, Handle } from "./handles.js";
import { C, table } from "./library.js";
import { nameIn, Objects } from "./objects.js";
import { functionsByName as core, namespaced } from "./operators.js";
import { find, optimizers, taken, toArguments } from "./optimizers.js";
import { toValue } from "./values.js";

const byName = new Map(); // name -> class

const objects = new Objects("lr_scheduler", (pointer) => byName.get(C.ctorch_lr_scheduler_name(pointer)) ?? LRScheduler);

// A function of the epoch, or an array with one for each group.
function byFunctions(make) {
  return (optimizer, lrLambda, { last_epoch: lastEpoch = -1 } = {}) => {
    const functions = Array.isArray(lrLambda) ? lrLambda : null;
    const groups = Number(core.optimizer_num_groups(optimizer));
    if (functions !== null && functions.length !== groups) {
      const text = `expected ${groups} functions, one for each group, got ${functions.length}`;
      throw new CtorchError("VALUE", text);
    }
    for (const func of functions ?? [lrLambda]) {
      if (typeof func !== "function") {
        throw new CtorchError("TYPE", `expected a function of the epoch, got ${describe(func)}`);
      }
    }
    return make(optimizer, (group, epoch) => (functions?.[group] ?? lrLambda)(epoch), lastEpoch);
  };
}

// CyclicLR, where a function scales the height of each cycle.
function cyclic(optimizer, baseLr, maxLr, options) {
  const rates = (given) => (Array.isArray(given) ? given : [given]);
  return core.lr_scheduler_cyclic_lr(
    optimizer,
    rates(baseLr),
    rates(maxLr),
    options.step_size_up ?? 2000,
    options.step_size_down ?? null,
    options.scale_fn,
    options.scale_mode ?? null,
    options.cycle_momentum ?? true,
    options.base_momentum ?? 0.8,
    options.max_momentum ?? 0.9,
    options.last_epoch ?? -1,
  );
}

const special = {
  LambdaLR: byFunctions((...given) => core.lr_scheduler_lambda_lr(...given)),
  MultiplicativeLR: byFunctions((...given) => core.lr_scheduler_multiplicative_lr(...given)),
  SequentialLR: (...given) => namespaced.lr_scheduler.SequentialLR(...given),
  ChainedScheduler: (...given) => namespaced.lr_scheduler.ChainedScheduler(...given),
};

function make(kind, optimizer, given) {
  const name = nameIn(byName, kind);
  if (name === undefined) {
    throw new CtorchError("TYPE", `${kind.name} is none of the schedulers of optim.lr_scheduler`);
  }
  const options = isOptions(given.at(-1)) ? given.at(-1) : {};
  if (name === "CyclicLR" && typeof options.scale_fn === "function") {
    return cyclic(optimizer, ...given);
  }
  if (special[name] !== undefined) {
    return special[name](optimizer, ...given);
  }
  return core.lr_scheduler_create(name, optimizer, ...toArguments(given));
}

/** What all schedulers have: an optimizer, whose learning rates they set, and steps. */
export class LRScheduler extends Handle {
  constructor(optimizer, ...given) {
    super(
      typeof optimizer === "bigint" ? optimizer : objects.pointerTo(() => make(new.target, optimizer, given)),
    );
    objects.remember(this);
  }

  /** Name of the class. */
  get name() {
    return core.lr_scheduler_name(this);
  }

  /** The optimizer whose learning rates it sets. */
  get optimizer() {
    return core.lr_scheduler_optimizer(this);
  }

  /** The number of the last epoch, or step. */
  get lastEpoch() {
    return this.get("last_epoch");
  }

  set lastEpoch(epoch) {
    this.set("last_epoch", epoch);
  }

  /** Set the next learning rates, after the optimizer's step; ReduceLROnPlateau takes a metric, others may take an epoch. */
  step(given) {
    if (given === undefined || given === null) {
      core.lr_scheduler_step(this);
    } else if (this.name === "ReduceLROnPlateau") {
      core.lr_scheduler_step_metric(this, given?.kind === "tensor" ? given.item() : given);
    } else {
      core.lr_scheduler_step_epoch(this, given);
    }
  }

  /** The learning rates that were set last, one for each group. */
  getLastLr() {
    return taken(core.lr_scheduler_last_lr(this));
  }

  /** The learning rates of this step, computed anew. */
  getLr() {
    return taken(core.lr_scheduler_get_lr(this));
  }

  /** An attribute under Python's name: "base_lrs", "T_cur"; undefined if there is none. */
  get(name) {
    return find(core.lr_scheduler_attribute, this, name);
  }

  /** Change an attribute. */
  set(name, value) {
    core.lr_scheduler_set_attribute(this, name, toValue(value, name));
    return this;
  }

  /** A Map of all attributes, to be saved. */
  stateDict() {
    return taken(core.lr_scheduler_state_dict(this));
  }

  /** Take attributes over. */
  loadStateDict(stateDict) {
    core.lr_scheduler_load_state_dict(this, toValue(stateDict, "loadStateDict: stateDict"));
  }
}

Object.defineProperty(LRScheduler.prototype, "kind", { value: "lr_scheduler" });
classes.lr_scheduler = LRScheduler;

for (const name of [...Object.keys(table("namespaces").lr_scheduler), "LambdaLR", "MultiplicativeLR"]) {
  byName.set(name, { [name]: class extends LRScheduler {} }[name]);
}

/** torch.optim: `new optim.AdamW(model.parameters(), { lr: 1e-3 })`, `new optim.lr_scheduler.StepLR(optimizer, 10)`. */
export const optim = { ...optimizers, lr_scheduler: { ...Object.fromEntries(byName), LRScheduler } };
