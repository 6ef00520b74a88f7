// Optimizers, as torch.optim.Optimizer has them.
//
//     const optimizer = new optim.AdamW(model.parameters(), { lr: 1e-3 });
//     for (const [images, labels] of batches) {
//       optimizer.zeroGrad();
//       const loss = functional.cross_entropy(model(images), labels);
//       loss.backward();
//       optimizer.step();
//     }
//
// The first argument is an array of tensors, of pairs (a name and a tensor, as namedParameters gives), or of plain
// objects, each a group with `params` and options of its own. What an optimizer keeps stands in C:
// `optimizer.paramGroups[0].lr` is read there, and assigned there.
import { isOptions } from "./call.js";
import { CtorchError, describe } from "./errors.js";
import { classes, Handle } from "./handles.js";
import { C, table } from "./library.js";
import { nameIn, Objects } from "./objects.js";
import { functionsByName as core } from "./operators.js";
import { fromValue, toValue, Tuple } from "./values.js";

const byName = new Map(); // name -> class

const objects = new Objects("optimizer", (pointer) => byName.get(C.ctorch_optimizer_name(pointer)) ?? Optimizer);

/** What a value holds, which is given back. */
export function taken(value) {
  try {
    return fromValue(value);
  } finally {
    value?.close();
  }
}

/** What C gives under a name; undefined where it finds none. */
export function find(get, ...given) {
  try {
    return taken(get(...given));
  } catch (failure) {
    if (failure.codeName === "INDEX") {
      return undefined;
    }
    throw failure;
  }
}

/** Positional arguments as a tuple, and those of a plain object at the end as a dict. */
export function toArguments(given) {
  const named = given.length > 0 && isOptions(given.at(-1)) ? given.at(-1) : {};
  const args = isOptions(given.at(-1)) ? given.slice(0, -1) : given;
  return [Tuple.of(...args), new Map(Object.entries(named))];
}

/** A step with a closure, which may give something else than a tensor: what it gave first. */
export function withClosure(step, closure) {
  const given = [];
  const run = () => {
    given.push(closure());
    return given.at(-1)?.kind === "tensor" ? given.at(-1) : null;
  };
  step(run)?.close(); // another reference to what the closure gave
  return given[0];
}

// Groups of parameters

function toParams(params) {
  if (params?.kind === "tensor" || typeof params?.[Symbol.iterator] !== "function") {
    return params;
  }
  return Array.from(params, (entry) => {
    if (Array.isArray(entry)) {
      return Tuple.of(...entry);
    }
    return isOptions(entry) ? toGroup(entry) : entry;
  });
}

function toGroup(group) {
  return new Map(Object.entries(group).map(([name, value]) => [name, name === "params" ? toParams(value) : value]));
}

function optionNames(optimizer, index) {
  return ["params", ...taken(core.optimizer_options(optimizer, index)).keys()];
}

// The object for a group: its properties are `params` and the options.
function groupAt(optimizer, index) {
  const read = (name) =>
    name === "params"
      ? core.optimizer_params(optimizer, index)
      : find(core.optimizer_get_option, optimizer, index, name);
  const has = (name) => optionNames(optimizer, index).includes(name);
  return new Proxy(
    {},
    {
      get: (_, name) => (typeof name === "string" ? read(name) : undefined),
      set: (_, name, value) => {
        core.optimizer_set_option(optimizer, index, name, toValue(value, name));
        return true;
      },
      has: (_, name) => has(name),
      ownKeys: () => optionNames(optimizer, index),
      getOwnPropertyDescriptor: (_, name) =>
        has(name) ? { value: read(name), enumerable: true, configurable: true, writable: true } : undefined,
      deleteProperty: (_, name) => {
        throw new CtorchError("TYPE", `an option of a group cannot be deleted: ${String(name)}`);
      },
    },
  );
}

/** What an optimizer remembers, by parameter: objects, which are assigned as a whole. */
class State {
  #optimizer;

  constructor(optimizer) {
    this.#optimizer = optimizer;
  }

  get(parameter) {
    return Object.fromEntries(taken(core.optimizer_state(this.#optimizer, parameter)));
  }

  set(parameter, state) {
    core.optimizer_set_state(this.#optimizer, parameter, toValue(state, "the state"));
    return this;
  }

  *[Symbol.iterator]() {
    for (const { params } of this.#optimizer.paramGroups) {
      for (const parameter of params) {
        yield [parameter, this.get(parameter)];
      }
    }
  }
}

// Hooks

const alone = (hook) => (optimizer) => void hook(optimizer);

// A hook gets the state dict; what it returns replaces it, and otherwise what it changed in it counts.
const withDict = (hook) => (optimizer, value) => {
  const stateDict = taken(value);
  return toValue(hook(optimizer, stateDict) ?? stateDict, "what the hook returned");
};

/** What all optimizers have: groups of parameters, a state for each parameter, steps. */
export class Optimizer extends Handle {
  constructor(params, ...given) {
    super(typeof params === "bigint" ? params : make(new.target, params, given));
    objects.remember(this);
  }

  /** Name of the class. */
  get name() {
    return core.optimizer_name(this);
  }

  toString() {
    return core.optimizer_repr(this);
  }

  // Steps

  /** Change the parameters by their gradients. `closure` computes the loss anew, which is what step gives then. */
  step(closure) {
    if (closure === undefined || closure === null) {
      core.optimizer_step(this);
      return undefined;
    }
    return withClosure((run) => core.optimizer_step_closure(this, run), closure);
  }

  zeroGrad({ setToNone = true } = {}) {
    core.optimizer_zero_grad(this, setToNone);
  }

  /** Capture steps and replay them, one tape for each set of gradients, `most` of them; 0 for none. */
  setTape(most = 4, { fast = false } = {}) {
    core.optimizer_set_tape(this, most, fast);
    return this;
  }

  // Groups and state

  /** The groups: objects whose properties are `params` and the options, which may be assigned. */
  get paramGroups() {
    const length = Number(core.optimizer_num_groups(this));
    return Array.from({ length }, (_, index) => groupAt(this, index));
  }

  /** One more group: an object with `params` and those options that it does not share. */
  addParamGroup(group) {
    core.optimizer_add_param_group(this, toValue(isOptions(group) ? toGroup(group) : group, "the group"));
  }

  /** The options of a group that names none. */
  get defaults() {
    return Object.fromEntries(taken(core.optimizer_defaults(this)));
  }

  /** What is remembered of each parameter: `optimizer.state.get(parameter).exp_avg`. */
  get state() {
    return new State(this);
  }

  /** A Map with states and groups, numbers in the place of parameters, to be saved. */
  stateDict() {
    return taken(core.optimizer_state_dict(this));
  }

  /** Take states and options over. */
  loadStateDict(stateDict) {
    core.optimizer_load_state_dict(this, toValue(stateDict, "loadStateDict: stateDict"));
  }

  // Hooks: each gives a handle, which removeHook takes out again.

  /** Call `hook(optimizer)` before each step. */
  registerStepPreHook(hook) {
    return core.optimizer_register_step_pre_hook(this, alone(hook));
  }

  /** Call `hook(optimizer)` after each step. */
  registerStepPostHook(hook) {
    return core.optimizer_register_step_post_hook(this, alone(hook));
  }

  /** Call `hook(optimizer)` before a state dict is made. */
  registerStateDictPreHook(hook, { prepend = false } = {}) {
    return core.optimizer_register_state_dict_pre_hook(this, alone(hook), prepend);
  }

  /** Call `hook(optimizer, stateDict)` with each one that is made; what it returns replaces it. */
  registerStateDictPostHook(hook, { prepend = false } = {}) {
    return core.optimizer_register_state_dict_post_hook(this, withDict(hook), prepend);
  }

  /** Call `hook(optimizer, stateDict)` before one is loaded; what it returns replaces it. */
  registerLoadStateDictPreHook(hook, { prepend = false } = {}) {
    return core.optimizer_register_load_state_dict_pre_hook(this, withDict(hook), prepend);
  }

  /** Call `hook(optimizer)` after a state dict was loaded. */
  registerLoadStateDictPostHook(hook, { prepend = false } = {}) {
    return core.optimizer_register_load_state_dict_post_hook(this, alone(hook), prepend);
  }
}

Object.defineProperty(Optimizer.prototype, "kind", { value: "optimizer" });
classes.optimizer = Optimizer;

function make(kind, params, given) {
  const name = nameIn(byName, kind);
  if (name === undefined || params === undefined) {
    const what = params === undefined ? "needs parameters" : "is none of the optimizers of optim";
    throw new CtorchError("TYPE", `${kind.name} ${what}, got ${describe(params)}`);
  }
  const [args, named] = toArguments(given);
  return objects.pointerTo(() => core.optim_create(name, Tuple.of(toParams(params), ...args), named));
}

for (const name of Object.keys(table("namespaces").optim)) {
  byName.set(name, { [name]: class extends Optimizer {} }[name]);
}

/** The classes of torch.optim, and the hooks of all optimizers. */
export const optimizers = {
  ...Object.fromEntries(byName),
  Optimizer,
  /** Call `hook(optimizer)` before each step of any optimizer. */
  registerOptimizerStepPreHook: (hook) => core.optimizer_register_step_pre_hook_for_all(alone(hook)),
  /** Call `hook(optimizer)` after each step of any optimizer. */
  registerOptimizerStepPostHook: (hook) => core.optimizer_register_step_post_hook_for_all(alone(hook)),
};
