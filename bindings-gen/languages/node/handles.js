// Handles: who owns what C handed out, and when it is given back.
//
// A handle is closed by close(), by `using`, or after nobody uses it any more. The last takes a garbage collection,
// which JavaScript starts by the size of its own objects: so ctorch's callback for memory pressure collects when
// tensors that handles keep alive have grown by a threshold. A loop that never awaits would keep every handle until it
// ends (FinalizationRegistry runs between tasks, and a WeakRef holds its target for as long as the task runs);
// evaluating a script with a microtask queue of its own ends that hold, so a collection works in the middle of a loop
// as well.
//
// What a call uses is given back when the call is over, also if it is closed meanwhile: in a callback, or while a worker
// thread makes the call.
import v8 from "node:v8";
import vm from "node:vm";
import { isMainThread } from "node:worker_threads";
import koffi from "koffi";
import { C, declare, table } from "./library.js";
import { CtorchError, describe, exportError, refuse } from "./errors.js";

const releases = table("handles");

const live = new Map(); // number -> what to release when the handle is gone
let last = 0;

// To JavaScript a handle is an object of some bytes, and to the callback for memory a small tensor is as small: a loop
// that never awaits would keep a kilobyte for each. So handles are counted too.
const HANDLES = 20_000;
let limit = HANDLES; // how many may live before a collection

const registry = new FinalizationRegistry((number) => finish(number));

function finish(number) {
  const entry = live.get(number);
  if (entry !== undefined) {
    live.delete(number);
    declare(releases[entry.kind])(entry.pointer);
  }
}

// What structuredClone and postMessage stumble over: they copy the properties of an object, and not what is behind it.
const uncloneable = Symbol("a handle of ctorch belongs to its thread: send x.toTypedArray(), which");

// What a constructor returns becomes `this` of the classes derived from it: a module's is a proxy (modules.js).
class Body {
  constructor(body) {
    if (body !== undefined) {
      return body;
    }
  }
}

/** A reference to an object of the C library. */
export class Handle extends Body {
  #pointer;
  #number;
  #calls = 0; // that use it
  uncloneable = uncloneable;

  constructor(pointer, body) {
    super(body);
    this.#pointer = pointer;
    this.#number = ++last;
    live.set(this.#number, { kind: this.kind, pointer, handle: new WeakRef(this) });
    registry.register(this, this.#number, this);
    if (live.size > limit) {
      collect();
      limit = 2 * live.size + HANDLES;
    }
  }

  /** Give the reference back, once no call uses it any more; nothing to do a second time. */
  close() {
    if (this.#pointer !== null) {
      this.#pointer = null;
      registry.unregister(this);
      if (this.#calls === 0) {
        finish(this.#number);
      }
    }
  }

  /** A call begins to use a handle. */
  static begin(handle) {
    handle.#calls += 1;
  }

  /** The call is over. */
  static end(handle) {
    handle.#calls -= 1;
    if (handle.#calls === 0 && handle.#pointer === null) {
      finish(handle.#number);
    }
  }

  get closed() {
    return this.#pointer === null;
  }

  /** The C pointer, for raw calls; an error if the handle is closed. */
  get pointer() {
    if (this.#pointer === null) {
      throw new CtorchError("INVALID_HANDLE", `the ${this.kind} is closed`);
    }
    return this.#pointer;
  }

  [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
    this.close();
  }

  [Symbol.for("nodejs.util.inspect.custom")]() {
    return this.closed ? `${this.constructor.name} (closed)` : this.toString();
  }

  toString() {
    return `[${this.constructor.name}]`;
  }

  toJSON() {
    throw new CtorchError("TYPE", `JSON has nothing for a ${this.kind}`);
  }
}

/** The class of the handles of each kind: `classes.generator`. */
export const classes = {};

for (const kind of Object.keys(releases)) {
  const name = kind.replace(/(^|_)(\w)/g, (_, __, letter) => letter.toUpperCase());
  classes[kind] = { [name]: class extends Handle {} }[name];
  Object.defineProperty(classes[kind].prototype, "kind", { value: kind });
}

// What makes the handle for a reference that we own, where that is not simply a new one.
export const makers = {};

// What makes a handle of what may be given in its place: a transform of a function.
export const adapters = {};

// A handle for a reference that we own; null for NULL.
export function own(kind, pointer) {
  if (pointer === null || pointer === 0n) {
    return null;
  }
  return makers[kind] === undefined ? new classes[kind](pointer) : makers[kind](pointer);
}

// A handle with a reference of its own, for what C lends.
export function borrow(kind, pointer) {
  if (pointer === null || pointer === 0n) {
    return null;
  }
  declare(`ctorch_${kind}_retain`)(pointer);
  return makers[kind] === undefined ? new classes[kind](pointer) : makers[kind](pointer, true);
}

// The C pointer of an argument that should be a handle of this kind, or the bare pointer.
export function pointerOf(kind, value, where) {
  if (value instanceof classes[kind]) {
    if (value.closed) {
      throw new CtorchError("INVALID_HANDLE", `${where}: the ${kind} is closed`);
    }
    return value.pointer;
  }
  if (typeof value === "bigint" && value > 0n) {
    return value;
  }
  return refuse(where, `a ${kind}`, value);
}

// Memory pressure

let tools;

function collector() {
  if (tools === undefined) {
    v8.setFlagsFromString("--expose-gc");
    const gc = vm.runInNewContext("gc");
    const context = vm.createContext({}, { microtaskMode: "afterEvaluate" });
    tools = { gc, context, script: new vm.Script("0") };
  }
  return tools;
}

/** Collect garbage now and close the handles that nobody uses any more. Returns how many that were. */
export function collect() {
  const { gc, context, script } = collector();
  script.runInContext(context); // ends the hold that WeakRefs have on their targets
  gc();
  const before = live.size;
  for (const [number, entry] of live) {
    if (entry.handle.deref() === undefined) {
      finish(number);
    }
  }
  script.runInContext(context);
  return before - live.size;
}

let pressure; // koffi's pointer to the callback

/**
 * Collect whenever tensors that handles keep alive have grown by this many bytes, and when memory runs out; 0 for the
 * latter only.
 */
export function setMemoryThreshold(bytes) {
  pressure ??= koffi.register((_reason, _held, _requested, error, _payload) => {
    try {
      collect();
      return 1;
    } catch (failure) {
      exportError(error, failure);
      return 0;
    }
  }, "ctorch_memory_pressure_callback");
  const failure = C.ctorch_memory_pressure_set_thread_callback(pressure, bytes, null, null);
  if (failure !== null) {
    C.ctorch_error_release(failure);
    throw new CtorchError("VALUE", `setMemoryThreshold: expected bytes, 0 or more, got ${describe(bytes)}`);
  }
}

if (isMainThread) {
  setMemoryThreshold(128 * 2 ** 20);
  process.on("exit", () => C.ctorch_memory_pressure_clear_callback()); // JavaScript cannot be called any more
}

/** Bytes that handles keep alive, as far as they are counted. */
export function heldBytes() {
  return Number(C.ctorch_memory_pressure_held_bytes());
}

/** Handles that are not given back, after a collection; null unless CTORCH_DEBUG_HANDLES=1. */
export function liveHandles() {
  while (collect() > 0) {
    // what was closed may have kept others
  }
  const count = Number(C.ctorch_debug_live_handles());
  return count < 0 ? null : count;
}
