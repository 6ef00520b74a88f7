// Modules: layers, networks of them, and classes of your own, as torch.nn.Module has them.
//
//     class Net extends Module {
//       constructor() {
//         super();
//         this.conv = nn.Conv2d(1, 32, 3, { padding: 1 });
//         this.scale = new Parameter(aten.ones([32, 1, 1]));
//       }
//       forward(x) {
//         return this.conv(x).relu().mul(this.scale);
//       }
//     }
//     const net = new Net();
//     const y = net(x);
//
// A module is called to apply it, with its hooks; a plain object as the last argument gives arguments by name. What it
// holds stands in C, where a class of your own is a module like any other: part of an nn.Sequential, copied, printed,
// saved and loaded. The object of such a module lives as long as something in JavaScript needs it, or a module around it.
import { isOptions } from "./call.js";
import { CtorchError, describe } from "./errors.js";
import { classes, Handle, makers } from "./handles.js";
import { C, table } from "./library.js";
import { constructorOf } from "./objects.js";
import { functionsByName as core, lazily, namespaced } from "./operators.js";
import { fromValue, toValue, Tuple } from "./values.js";

const layers = table("layers"); // name -> whether such a module takes and gives one tensor

const known = new Map(); // the C pointer of a module -> a WeakRef to its object
const gone = new FinalizationRegistry((pointer) => {
  if (known.get(pointer)?.deref() === undefined) {
    known.delete(pointer);
  }
});
const inside = new WeakMap(); // object -> the objects of the modules in it by name, which live as long
const own = new WeakSet(); // objects of classes of one's own

// Objects

const traps = {
  apply: (target, _, given) => call(target.object, given),
  get: (target, name, object) =>
    typeof name !== "string" || Reflect.has(target, name) ? Reflect.get(target, name, object) : member(object, name),
  has: (target, name) => Reflect.has(target, name) || kindOf(target.object, name) !== "nothing",
  set: (target, name, value) => assign(target, name, value) || Reflect.set(target, name, value),
  defineProperty: (target, name, descriptor) =>
    ("value" in descriptor && assign(target, name, descriptor.value)) ||
    Reflect.defineProperty(target, name, descriptor),
  deleteProperty(target, name) {
    if (Reflect.has(target, name) || kindOf(target.object, name) === "nothing") {
      return Reflect.deleteProperty(target, name);
    }
    core.module_unregister(target.object, name);
    inside.get(target.object).delete(name);
    return true;
  },
};

// The body of a module's object: a function, so that the module can be called, which C is asked about what it lacks.
function callable(prototype) {
  const target = () => undefined;
  delete target.length;
  delete target.name;
  Object.setPrototypeOf(target, prototype);
  const object = new Proxy(target, traps);
  Reflect.defineProperty(target, "object", { value: object });
  return object;
}

function kindOf(object, name) {
  return typeof name !== "string" || !inside.has(object) || object.closed
    ? "nothing"
    : core.module_member_kind_of(object, name);
}

function member(object, name) {
  const kind = kindOf(object, name);
  if (kind === "nothing") {
    return undefined;
  }
  if (kind === "option") {
    return fromValue(core.module_get_option(object, name));
  }
  const readers = {
    parameter: core.module_get_parameter,
    module: core.module_get_submodule,
    computed: core.module_get_tensor,
  };
  const get = readers[kind] ?? core.module_get_buffer;
  try {
    return get(object, name);
  } catch (failure) {
    if (failure.codeName === "INDEX") {
      return null; // registered as nothing
    }
    throw failure;
  }
}

// Whether a property is what the module in C holds: modules, parameters, and what takes the place of one.
function assign(target, name, value) {
  const { object } = target;
  if (typeof name !== "string" || !inside.has(object)) {
    return false;
  }
  if (kindOf(object, name) === "computed" && value instanceof classes.tensor) {
    core.module_set_parametrized(object, name, value);
    return true;
  }
  if (value instanceof Module || value instanceof Parameter) {
    const before = kindOf(object, name);
    if (before === "computed") {
      throw new CtorchError("TYPE", `cannot assign ${describe(value)} as ${name}, which is computed`);
    }
    const kind = value instanceof Module ? "module" : "parameter";
    if (before !== "nothing" && before !== "option" && before !== kind) {
      core.module_unregister(object, name);
    }
    object[kind === "module" ? "registerModule" : "registerParameter"](name, value);
    if (Object.hasOwn(target, name)) {
      Reflect.deleteProperty(target, name); // `this.downsample = null` may have stood there before
    }
    return true;
  }
  const kind = kindOf(object, name);
  if (kind === "nothing") {
    return false;
  }
  if (kind === "option") {
    core.module_set_option(object, name, toValue(value, name));
    return true;
  }
  const isBuffer = kind === "buffer" || kind === "transient_buffer";
  if (value !== null && !(isBuffer && value instanceof classes.tensor)) {
    throw new CtorchError("TYPE", `cannot assign ${describe(value)} as ${kind.replace("_", " ")} ${name}`);
  }
  if (isBuffer) {
    core.module_register_buffer(object, name, value, kind === "buffer");
  } else {
    object[kind === "module" ? "registerModule" : "registerParameter"](name, null);
  }
  return true;
}

// While C makes a module for an object that is under construction, its pointer is wanted.
let wantsPointer = false;
let copies = []; // objects made for a copy, until what holds them is there

// The object for a reference to a module that we own.
makers.module = (pointer, lent) => {
  if (wantsPointer) {
    return pointer;
  }
  let object = known.get(pointer)?.deref();
  if (object !== undefined && !object.closed) {
    C.ctorch_module_release(pointer);
  } else {
    const name = C.ctorch_module_type_before_parametrizations(pointer);
    object = new (CONTAINERS[name] ?? Module)(pointer);
  }
  if (!lent && copies.length > 0) {
    const alive = copies;
    copies = [];
    holdAll(object, new Set());
    alive.length = 0;
  }
  return object;
};

function holdAll(object, seen) {
  seen.add(object);
  for (const [name, child] of object.namedChildren()) {
    inside.get(object).set(name, child);
    if (!seen.has(child)) {
      holdAll(child, seen);
    }
  }
}

function pointerTo(make) {
  wantsPointer = true;
  try {
    return make();
  } finally {
    wantsPointer = false;
  }
}

// From C's values to the arguments of a forward.
function unpack(args, kwargs) {
  const given = fromValue(args);
  const named = kwargs === null ? new Map() : fromValue(kwargs);
  args.close();
  kwargs?.close();
  return named.size > 0 ? [...given, Object.fromEntries(named)] : given;
}

function taken(value) {
  try {
    return fromValue(value);
  } finally {
    value?.close();
  }
}

// The C module of an object of one's own class; `box` has a WeakRef to the object, as soon as there is one.
function begin(kind, box) {
  const has = (method) => kind.prototype[method] !== undefined && kind.prototype[method] !== Module.prototype[method];
  box.find = () => {
    const object = box.weak?.deref();
    if (object === undefined) {
      const text = `the object of this ${kind.name} is gone: keep it, or one of a module around it`;
      throw new CtorchError("RUNTIME", text);
    }
    return object;
  };
  const forward = (_, args, kwargs) => toValue(box.find().forward(...unpack(args, kwargs)), `${kind.name}.forward`);
  box.finish = (object) => {
    if (has("extraRepr")) {
      core.module_set_extra_repr(object, () => toValue(String(box.find().extraRepr())));
    }
    if (has("resetParameters")) {
      core.module_set_reset_parameters(object, () => box.find().resetParameters());
    }
    if (has("rightInverse")) {
      const invert = (_, args, kwargs) =>
        toValue(box.find().rightInverse(...unpack(args, kwargs)), `${kind.name}.rightInverse`);
      core.module_set_right_inverse(object, invert);
    }
    if (has("getExtraState") && has("setExtraState")) {
      const set = (_, state) => box.find().setExtraState(taken(state));
      core.module_set_extra_state(object, () => toValue(box.find().getExtraState()), set);
    }
    core.module_set_copy(object, () => copyOf(box.find()));
  };
  return pointerTo(() => core.module_new_of_values(kind.name || "Module", has("forward") ? forward : null));
}

function copyOf(object) {
  const before = copies;
  copies = [];
  const made = Reflect.construct(Module, [], object.constructor);
  for (const [name, value] of Object.entries(object)) {
    if (name !== "uncloneable") {
      made[name] = structuredClone(value);
    }
  }
  copies = [...before, made];
  return made;
}

function call(object, given) {
  const named = given.length > 0 && isOptions(given.at(-1)) ? given.at(-1) : null;
  const args = named === null ? given : given.slice(0, -1);
  if (named === null && args.length === 1 && args[0] instanceof classes.tensor && !own.has(object) && layers[object.name]) {
    return core.module_forward(object, args[0]);
  }
  return taken(core.module_call(object, Tuple.of(...args), new Map(Object.entries(named ?? {}))));
}

function* named(found, kind) {
  try {
    const length = Number(core[`named_${kind}_len`](found));
    for (let i = 0; i < length; i++) {
      yield [core[`named_${kind}_name`](found, i), core[`named_${kind}_get`](found, i)];
    }
  } finally {
    found.close();
  }
}

/** A tensor that a module takes for one of its parameters when it is assigned to it. It shares the memory of `data`. */
export class Parameter extends classes.tensor {
  constructor(data, { requiresGrad = true } = {}) {
    const leaf = data.detach();
    C.ctorch_tensor_retain(leaf.pointer);
    super(leaf.pointer);
    leaf.close();
    this.requiresGrad = requiresGrad;
  }
}

/** What every layer is, and what a class of your own is derived from. Calling it applies it. */
export class Module extends Handle {
  constructor(pointer) {
    const box = {};
    super(pointer ?? begin(new.target, box), callable(new.target.prototype));
    inside.set(this, new Map());
    known.set(this.pointer, new WeakRef(this));
    gone.register(this, this.pointer);
    if (box.finish !== undefined) {
      own.add(this);
      box.weak = new WeakRef(this);
      box.finish(this);
    }
  }

  /** What the module computes. A class of your own has its own forward. */
  forward(...given) {
    if (own.has(this)) {
      const text = `Module [${this.name}] is missing the required "forward" function`;
      throw new CtorchError("NOT_IMPLEMENTED", text);
    }
    return call(this, given);
  }

  /** Name of the class, as the module's text shows it. */
  get name() {
    return core.module_name(this);
  }

  toString() {
    return core.module_repr(this);
  }

  // What it holds

  /** Give it a parameter; null for a name that stands for nothing. */
  registerParameter(name, parameter) {
    if (parameter !== null && !(parameter instanceof Parameter)) {
      throw new CtorchError("TYPE", `parameter ${name}: expected a Parameter or null, got ${describe(parameter)}`);
    }
    core.module_register_parameter(this, name, parameter);
  }

  /** Give it a tensor that is no parameter; one that is not persistent is in no state dict. */
  registerBuffer(name, tensor, { persistent = true } = {}) {
    core.module_register_buffer(this, name, tensor, persistent);
  }

  /** Put a module inside this one. */
  registerModule(name, module) {
    core.module_register_module(this, name, module);
    inside.get(this).delete(name);
    if (module !== null) {
      inside.get(this).set(name, module);
    }
  }

  /** The parameters, each once: what an optimizer is given. */
  parameters({ recurse = true } = {}) {
    return core.module_parameters(this, recurse);
  }

  /** [name, tensor] of each parameter. */
  namedParameters({ prefix = "", recurse = true, removeDuplicate = true } = {}) {
    return [...named(core.module_named_parameters(this, prefix, recurse, removeDuplicate), "tensors")];
  }

  /** The buffers, each once. */
  buffers({ recurse = true } = {}) {
    return core.module_buffers(this, recurse);
  }

  /** [name, tensor] of each buffer. */
  namedBuffers({ prefix = "", recurse = true, removeDuplicate = true } = {}) {
    return [...named(core.module_named_buffers(this, prefix, recurse, removeDuplicate), "tensors")];
  }

  /** The modules that this one holds itself. */
  children() {
    return this.namedChildren().map(([, module]) => module);
  }

  /** [name, module] of each of them. */
  namedChildren() {
    return [...named(core.module_named_children(this), "modules")];
  }

  /** This module and all inside it. */
  modules() {
    return this.namedModules().map(([, module]) => module);
  }

  /** [dotted name, module] of each of them. */
  namedModules({ prefix = "", removeDuplicate = true } = {}) {
    return [...named(core.module_named_modules(this, prefix, removeDuplicate), "modules")];
  }

  getParameter(target) {
    return core.module_get_parameter(this, target);
  }

  getBuffer(target) {
    return core.module_get_buffer(this, target);
  }

  getSubmodule(target) {
    return core.module_get_submodule(this, target);
  }

  /** Put a module under a dotted name, in the place of the one that is there. */
  setSubmodule(target, module, { strict = false } = {}) {
    core.module_set_submodule(this, target, module, strict);
    const at = target.lastIndexOf(".");
    inside.get(at < 0 ? this : this.getSubmodule(target.slice(0, at))).set(target.slice(at + 1), module);
  }

  // What is done to all of it

  /** Whether it is in training mode; train() and eval() change it. */
  get training() {
    return core.module_training(this);
  }

  /** Capture calls without gradients and replay them, one tape for each form of the inputs, `most` of them; 0 for none. */
  setTape(most = 4, { fast = false } = {}) {
    core.module_set_tape(this, most, fast);
    return this;
  }

  train(mode = true) {
    core.module_train(this, mode);
    return this;
  }

  eval() {
    return this.train(false);
  }

  requiresGrad_(requiresGrad = true) {
    core.module_requires_grad_(this, requiresGrad);
    return this;
  }

  zeroGrad({ setToNone = true } = {}) {
    core.module_zero_grad(this, setToNone);
  }

  /** Move it to a device, a dtype; parameters stay the tensors that they are. */
  to({ device = null, dtype = null, nonBlocking = false, memoryFormat = null } = {}) {
    core.module_to(this, device, dtype, nonBlocking, memoryFormat);
    return this;
  }

  toEmpty({ device, recurse = true }) {
    core.module_to_empty(this, device, recurse);
    return this;
  }

  /** Call a function with every module inside, and with this one as the last. */
  apply(func) {
    core.module_apply(this, (module) => void func(module));
    return this;
  }

  numParameters({ trainable = false } = {}) {
    return core.module_num_parameters(this, trainable);
  }

  resetParameters() {
    core.module_reset_parameters(this);
  }

  /** A copy with tensors of its own. */
  copy() {
    return core.module_copy(this);
  }

  // State

  /** A Map from dotted names to tensors; its `metadata` has the versions. */
  stateDict({ prefix = "", keepVars = false } = {}) {
    const [state, metadata] = core.module_state_dict(this, prefix, keepVars);
    return Object.defineProperty(taken(state), "metadata", { value: taken(metadata) });
  }

  /** Take parameters and buffers over; tells which names were missing and unexpected. */
  loadStateDict(stateDict, { strict = true, assign = false } = {}) {
    const entries = stateDict instanceof Map ? stateDict : new Map(Object.entries(stateDict));
    const [missing, unexpected] = core.module_load_state_dict(this, entries, stateDict.metadata ?? null, strict, assign);
    return { missingKeys: taken(missing), unexpectedKeys: taken(unexpected) };
  }

  // Hooks: each gives a handle, which removeHook takes out again.

  /** Call `hook(module, args, kwargs)`; what it returns replaces the arguments. */
  registerForwardPreHook(hook, { prepend = false, withKwargs = false } = {}) {
    const run = (module, args, kwargs) => {
      const answer = hook(module, taken(args), Object.fromEntries(taken(kwargs)));
      return answer === undefined || answer === null ? null : toValue(answer, "what the hook returned");
    };
    return core.module_register_forward_pre_hook(this, run, withKwargs, prepend);
  }

  /** Call `hook(module, args, kwargs, output)`; what it returns replaces the output. */
  registerForwardHook(hook, { prepend = false, alwaysCall = false } = {}) {
    const run = (module, args, kwargs, output) => {
      const result = output === null ? undefined : taken(output);
      const answer = hook(module, taken(args), Object.fromEntries(taken(kwargs)), result);
      return answer === undefined || answer === null ? null : toValue(answer, "what the hook returned");
    };
    return core.module_register_forward_hook(this, run, alwaysCall, prepend);
  }

  /** Call `hook(module, gradInputs, gradOutputs)`; what it returns replaces the gradients of the inputs. */
  registerFullBackwardHook(hook, { prepend = false } = {}) {
    return core.module_register_backward_hook(this, hook, prepend);
  }

  /** Call `hook(module, gradOutputs)`; what it returns replaces them. */
  registerFullBackwardPreHook(hook, { prepend = false } = {}) {
    return core.module_register_backward_pre_hook(this, hook, prepend);
  }
}

Object.defineProperty(Module.prototype, "kind", { value: "module" });
classes.module = Module;

// What holds modules, or parameters

class InOrder extends Module {
  get length() {
    return Number(core.module_len(this));
  }

  /** The module at a place, which may be counted from the end. */
  at(index) {
    return core.module_at(this, index);
  }

  *[Symbol.iterator]() {
    for (let i = 0; i < this.length; i++) {
      yield this.at(i);
    }
  }

  /** Add modules at the end. */
  append(...modules) {
    modules.forEach((module) => core.module_append(this, module));
    return this.counted();
  }

  insert(index, module) {
    core.module_insert(this, index, module);
    return this.counted();
  }

  /** Take a module out, and give it. */
  pop(index = -1) {
    const module = this.at(index);
    core.module_remove_at(this, index);
    this.counted();
    return module;
  }

  // The names were counted anew.
  counted() {
    inside.set(this, new Map(this.namedChildren()));
    return this;
  }
}

class ByName extends Module {
  get(name) {
    return kindOf(this, name) === "nothing" ? undefined : member(this, name);
  }

  set(name, value) {
    assign(this, name, value);
    return this;
  }

  delete(name) {
    return delete this[name];
  }

  [Symbol.iterator]() {
    return this.entries()[Symbol.iterator]();
  }

  keys() {
    return this.entries().map(([name]) => name);
  }
}

class Sequential extends InOrder {}
class ModuleList extends InOrder {}
class ModuleDict extends ByName {
  entries() {
    return this.namedChildren();
  }
}
class ParameterList extends Module {
  get length() {
    return this.parameters({ recurse: false }).length;
  }

  at(index) {
    return this.getParameter(String(index < 0 ? index + this.length : index));
  }

  append(...parameters) {
    parameters.forEach((parameter) => this.registerParameter(String(this.length), parameter));
    return this;
  }

  [Symbol.iterator]() {
    return this.parameters({ recurse: false })[Symbol.iterator]();
  }
}
class ParameterDict extends ByName {
  entries() {
    return this.namedParameters({ recurse: false });
  }
}
const CONTAINERS = { Sequential, ModuleList, ModuleDict, ParameterList, ParameterDict };

const fill = {
  Sequential: (made, given) =>
    given.length === 1 && (given[0] instanceof Map || isOptions(given[0]))
      ? pairs(given[0]).forEach(([name, module]) => made.registerModule(name, module))
      : made.append(...given),
  ModuleList: (made, [modules = []]) => made.append(...modules),
  ModuleDict: (made, [modules = {}]) => pairs(modules).forEach(([name, module]) => made.registerModule(name, module)),
  ParameterList: (made, [parameters = []]) => made.append(...parameters),
  ParameterDict: (made, [parameters = {}]) =>
    pairs(parameters).forEach(([name, parameter]) => made.registerParameter(name, parameter)),
};

function pairs(given) {
  return given instanceof Map ? [...given] : Object.entries(given);
}

// The function that makes a layer.
function layer(name) {
  const make = namespaced.nn[name];
  const has = (object) => object instanceof Module && !own.has(object) && !object.closed && object.name === name;
  if (fill[name] === undefined) {
    return constructorOf(name, make, has);
  }
  return constructorOf(name, make, has, (...given) => {
    const made = name === "ParameterList" ? make([]) : make();
    fill[name](made, given);
    return made;
  });
}

const made = new Map();

/** torch.nn: `nn.Conv2d(1, 32, 3, { padding: 1 })`, `nn.Sequential(a, b)`, `nn.Module` to derive from. */
export const nn = lazily({ ...layers, Module, Parameter }, (name) => {
  if (name === "Module" || name === "Parameter") {
    return name === "Module" ? Module : Parameter;
  }
  if (typeof name !== "string" || !Object.hasOwn(layers, name)) {
    return namespaced.nn[name];
  }
  if (!made.has(name)) {
    made.set(name, layer(name));
  }
  return made.get(name);
});
