// JavaScript values as values of the C API, and back: what operators called by name and custom operators exchange.
//
//     null                     None                    Dtype, Layout, MemoryFormat   torch.float32, torch.strided, …
//     boolean, string          bool, str               Device, Stream                device, stream
//     a safe integer, BigInt   int of any size         Array, Tuple                  list, tuple
//     another Number, float(2) float                   Map, plain object             dict
//     Complex                  complex                 Set                           set
//     Uint8Array, Buffer       bytes                   PythonObject                  an object of a class of Python's
//
// and tensors, generators, storages, modules, transforms. A Number, BigInt or object comes back as the Number, Map or Buffer that equals it.
// Functions that take a value take any of these; what they give is a handle, `classes.value`, to the very list or dict
// that C holds: fromValue copies it.
import koffi from "koffi";
import { cell, Complex, enums, Stream, toMemory, TypedScalar } from "./convert.js";
import { check, CtorchError, describe, exact } from "./errors.js";
import { classes, own } from "./handles.js";
import { C, declare } from "./library.js";

const DEEPEST = 1000;
const HANDLES = ["tensor", "generator", "storage", "module", "transform"];
const kinds = enums.value_kind;

class Constant {
  constructor(name) {
    if (!Object.hasOwn(enums[this.enumeration], name)) {
      throw new CtorchError("VALUE", `no ${this.enumeration}: ${describe(name)}`);
    }
    this.name = name;
    Object.freeze(this);
  }

  toString() {
    return this.name;
  }
}

/** A dtype as a value: `new Dtype("float32")`. Where an argument is a dtype, its name is enough. */
export class Dtype extends Constant {}
/** A layout as a value: `new Layout("strided")`. */
export class Layout extends Constant {}
/** A memory format as a value: `new MemoryFormat("channels_last")`. */
export class MemoryFormat extends Constant {}

const constants = { dtype: Dtype, layout: Layout, memory_format: MemoryFormat };
for (const [enumeration, kind] of Object.entries(constants)) {
  Object.defineProperty(kind.prototype, "enumeration", { value: enumeration });
}

/** A device as a value: `new Device("cuda:0")`. Where an argument is a device, its name is enough. */
export class Device {
  constructor(name) {
    toMemory([name], "device", "Device");
    this.name = name;
    Object.freeze(this);
  }

  toString() {
    return this.name;
  }
}

/** Python's tuple: an array of its own kind. */
export class Tuple extends Array {
  static of(...entries) {
    const made = new Tuple();
    made.push(...entries);
    return made;
  }
}

/**
 * A NamedTuple of TorchScript: a tuple of a class of that name, whose fields are properties too. The names stand in
 * `constructor.fields`; a field called `length` or `constructor` is reached by its index alone.
 */
export class NamedTuple extends Tuple {
  static fields = Object.freeze([]);
  static get [Symbol.species]() {
    return Tuple;
  }
}

const namedTuples = new Map();

function namedTuple(name, fields) {
  const key = JSON.stringify([name, fields]);
  if (!namedTuples.has(key)) {
    const made = { [name]: class extends NamedTuple {} }[name];
    made.fields = Object.freeze(fields);
    fields.forEach((field, i) => {
      if (field !== "constructor") {
        Object.defineProperty(made.prototype, field, { get() { return this[i]; }, configurable: true });
      }
    });
    namedTuples.set(key, made);
  }
  return new (namedTuples.get(key))();
}

/**
 * An object of a class of Python's as a file describes it: `module.name(...args)`, then its items, then its state.
 * Nothing is imported or called. Without `args` (null) it stands for the class or function itself.
 */
export class PythonObject {
  constructor(module, name, args = null, { items = null, state = null } = {}) {
    this.module = module;
    this.name = name;
    this.args = args === null ? null : Tuple.of(...args);
    this.items = items;
    this.state = state;
  }

  /** The state where it is a dict, as it mostly is; else empty. */
  get attributes() {
    return this.state instanceof Map ? this.state : new Map(isPlain(this.state) ? Object.entries(this.state) : []);
  }

  toString() {
    return `<${this.module}.${this.name}>`;
  }
}

function isPlain(value) {
  if (typeof value !== "object" || value === null) {
    return false;
  }
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

// To C

const out = (make) => {
  const pointer = new BigUint64Array(1);
  check(make(pointer));
  return pointer[0];
};

// The pointers of values made for one conversion, which are given back when it is over. What lies in two places is
// made once.
class Writer {
  constructor(where) {
    this.where = where;
    this.pointers = [];
    this.made = new Map(); // null while it is being made
    this.depth = 0;
  }

  close() {
    for (const pointer of this.pointers) {
      C.ctorch_value_release(pointer);
    }
  }

  refuse(value) {
    throw new CtorchError("TYPE", `${this.where}: no value can hold ${describe(value)}`);
  }

  keep(make) {
    const pointer = out(make);
    this.pointers.push(pointer);
    return pointer;
  }

  write(value) {
    const isCalled = typeof value === "function" && value.kind !== undefined; // a module, a transform
    if ((typeof value !== "object" && !isCalled) || value === null) {
      return this.keep(this.plain(value));
    }
    if (value.kind === "value" && value instanceof classes.value) {
      return this.open(value);
    }
    const flat = this.flat(value);
    if (flat !== null) {
      return this.keep(flat);
    }
    const known = this.made.get(value);
    if (known === null || this.depth >= DEEPEST) {
      throw new CtorchError("VALUE", `${this.where}: nested more than ${DEEPEST} deep, or contains itself`);
    }
    if (known !== undefined) {
      return known;
    }
    this.made.set(value, null);
    this.depth += 1;
    const pointer = this.container(value);
    this.depth -= 1;
    this.made.set(value, pointer);
    return pointer;
  }

  plain(value) {
    switch (typeof value) {
      case "undefined":
      case "object":
        return (at) => C.ctorch_value_from_none(at);
      case "boolean":
        return (at) => C.ctorch_value_from_bool(at, value);
      case "number":
        return Number.isSafeInteger(value) && !Object.is(value, -0)
          ? (at) => C.ctorch_value_from_int(at, value)
          : (at) => C.ctorch_value_from_double(at, value);
      case "bigint":
        return bigint(value);
      case "string": {
        if (value.isWellFormed?.() === false) {
          throw new CtorchError("VALUE", `${this.where}: text with half a character`);
        }
        const bytes = Buffer.from(value, "utf8");
        return (at) => C.ctorch_value_from_string_data(at, bytes, bytes.length);
      }
      default:
        return this.refuse(value);
    }
  }

  // What makes a value that holds no others; null for a container.
  flat(value) {
    if (value instanceof TypedScalar) {
      return value.kind === "int"
        ? bigint(BigInt(value.value))
        : (at) => C.ctorch_value_from_double(at, Number(value.value));
    }
    if (value instanceof Complex) {
      return (at) => C.ctorch_value_from_complex(at, value.re, value.im);
    }
    if (value instanceof Uint8Array) {
      return (at) => C.ctorch_value_from_bytes(at, value, value.length);
    }
    if (value instanceof Constant) {
      const number = enums[value.enumeration][value.name];
      return (at) => declare(`ctorch_value_from_${value.enumeration}`)(at, number);
    }
    if (value instanceof Device || value instanceof Stream) {
      const type = value instanceof Device ? "device" : "stream";
      const memory = toMemory([type === "device" ? value.name : value], type, this.where);
      return (at) => declare(`ctorch_value_from_${type}`)(at, memory);
    }
    if (HANDLES.includes(value.kind) && value instanceof classes[value.kind]) {
      const pointer = this.open(value);
      return (at) => declare(`ctorch_value_from_${value.kind}`)(at, pointer);
    }
    return null;
  }

  open(handle) {
    if (handle.closed) {
      throw new CtorchError("INVALID_HANDLE", `${this.where}: the ${handle.kind} is closed`);
    }
    return handle.pointer;
  }

  container(value) {
    if (Array.isArray(value)) {
      const make = value instanceof Tuple ? C.ctorch_value_from_tuple : C.ctorch_value_from_list;
      const [memory, length] = this.all(value);
      return this.keep((at) => make(at, memory, length));
    }
    if (value instanceof Set) {
      const [memory, length] = this.all([...value]);
      return this.keep((at) => C.ctorch_value_from_set(at, memory, length));
    }
    if (value instanceof PythonObject) {
      return this.pythonObject(value);
    }
    if (value instanceof Map && value.metadata instanceof Map) {
      return this.pythonObject(stateDict(value));
    }
    if (value instanceof Map || isPlain(value)) {
      const entries = value instanceof Map ? [...value] : Object.entries(value);
      const [keys, length] = this.all(entries.map(([key]) => key));
      const [values] = this.all(entries.map(([, entry]) => entry));
      return this.keep((at) => C.ctorch_value_from_dict(at, keys, length, values, length));
    }
    return this.refuse(value);
  }

  all(values) {
    const memory = new BigUint64Array(Math.max(values.length, 1));
    for (let i = 0; i < values.length; i++) {
      memory[i] = this.write(values[i]); // also where an array has holes
    }
    return [memory, values.length];
  }

  pythonObject({ module, name, args, items, state }) {
    for (const text of [module, name]) {
      if (typeof text !== "string" || text.includes("\0") || text.isWellFormed?.() === false) {
        throw new CtorchError("TYPE", `${this.where}: a Python object of no name: ${describe(text)}`);
      }
    }
    const [given, held, kept] = [args === null ? null : Tuple.of(...args), items, state].map((part) =>
      part === null || part === undefined ? null : this.write(part),
    );
    return this.keep((at) => C.ctorch_value_from_python_object(at, module, name, given, held, kept));
  }
}

// A Map with `metadata` is what a module's stateDict gives, and Python's is an OrderedDict with an attribute.
function stateDict(map) {
  const state = new Map([["_metadata", new PythonObject("collections", "OrderedDict", [], { items: map.metadata })]]);
  return { module: "collections", name: "OrderedDict", args: [], items: new Map(map), state };
}

function asStateDict(object) {
  const { module, name, args, items, state } = object;
  const ordered = module === "collections" && name === "OrderedDict" && args?.length === 0;
  if (ordered && items instanceof Map && state?.size === 1 && state.get("_metadata") instanceof PythonObject) {
    const metadata = state.get("_metadata").items;
    return metadata instanceof Map ? Object.defineProperty(items, "metadata", { value: metadata }) : object;
  }
  return object;
}

function bigint(value) {
  if (BigInt.asIntN(64, value) === value) {
    return (at) => C.ctorch_value_from_int(at, value);
  }
  const bytes = [];
  for (let rest = value; ; rest >>= 8n) {
    bytes.push(Number(rest & 255n));
    if (rest === 0n || rest === -1n) {
      break;
    }
  }
  const memory = Uint8Array.from(bytes); // two's complement: the last byte is the sign alone
  return (at) => C.ctorch_value_from_int_bytes(at, memory, memory.length);
}

/** A value, as a handle: `classes.value`. */
export function toValue(value, where = "toValue") {
  const writer = new Writer(where);
  try {
    const pointer = writer.write(value);
    C.ctorch_value_retain(pointer);
    return own("value", pointer);
  } finally {
    writer.close();
  }
}

// From C

const cellOf = (type, read, pointer) => {
  const found = cell(type);
  check(read(found.memory, pointer));
  return found.read();
};

// What is read of a value that C makes for it.
function using(make, read) {
  const pointer = out(make);
  try {
    return pointer === 0n ? null : read(pointer);
  } finally {
    C.ctorch_value_release(pointer);
  }
}

function bytes(pointer) {
  const memory = Buffer.alloc(Number(C.ctorch_value_len(pointer)));
  check(C.ctorch_value_read_bytes(pointer, memory, memory.length));
  return memory;
}

function integer(pointer) {
  const memory = new BigInt64Array(1);
  const failure = C.ctorch_value_to_int(memory, pointer);
  if (failure === null) {
    return exact(memory[0]);
  }
  C.ctorch_error_release(failure); // more than 64 bits, or what the next call says as well
  const data = using((at) => C.ctorch_value_to_int_bytes(at, pointer), bytes);
  let digits = "0x";
  for (let i = data.length; i-- > 0; ) {
    digits += data[i].toString(16).padStart(2, "0");
  }
  return BigInt.asIntN(8 * data.length, BigInt(digits));
}

function text(pointer) {
  const data = new BigUint64Array(1);
  const length = new BigUint64Array(1);
  check(C.ctorch_value_to_string(data, length, pointer));
  return length[0] === 0n ? "" : Buffer.from(koffi.decode(data[0], "uint8_t", Number(length[0]))).toString("utf8");
}

function entries(pointer, depth) {
  const found = new Array(Number(C.ctorch_value_len(pointer)));
  for (let i = 0; i < found.length; i++) {
    found[i] = using(
      (at) => C.ctorch_value_get(at, pointer, i),
      (entry) => read(entry, depth),
    );
  }
  return found;
}

function tuple(pointer, depth) {
  const [name, held] = [C.ctorch_value_tuple_name(pointer), entries(pointer, depth)];
  const made = name === null ? new Tuple() : namedTuple(name, held.map((_, i) => C.ctorch_value_field_name(pointer, i)));
  held.forEach((entry, i) => (made[i] = entry));
  return made;
}

function part(name, pointer, depth) {
  return using(
    (at) => declare(`ctorch_value_${name}`)(at, pointer),
    (made) => read(made, depth),
  );
}

function list(name, pointer, depth) {
  return using(
    (at) => declare(`ctorch_value_${name}`)(at, pointer),
    (made) => entries(made, depth),
  );
}

function map(pointer, depth) {
  const keys = list("dict_keys", pointer, depth);
  const values = list("dict_values", pointer, depth);
  const found = new Map(keys.map((key, i) => [key, values[i]]));
  return distinct(found, keys.length, "dict");
}

// 1 and 1.0 are two keys of a dict in LibTorch, and one in JavaScript.
function distinct(found, length, what) {
  if (found.size !== length) {
    throw new CtorchError("VALUE", `fromValue: the ${what} has entries that are equal in JavaScript, as 1 and 1.0`);
  }
  return found;
}

const handle = (kind) => (pointer) => own(kind, out((at) => declare(`ctorch_value_to_${kind}`)(at, pointer)));
const constant = (type) => (pointer) =>
  new constants[type](cellOf(type, declare(`ctorch_value_to_${type}`), pointer));

const readers = {
  [kinds.none]: () => null,
  [kinds.tensor]: handle("tensor"),
  [kinds.int]: integer,
  [kinds.double]: (pointer) => cellOf("double", C.ctorch_value_to_double, pointer),
  [kinds.bool]: (pointer) => cellOf("bool", C.ctorch_value_to_bool, pointer),
  [kinds.complex]: (pointer) => {
    const [re, im] = [new Float64Array(1), new Float64Array(1)];
    check(C.ctorch_value_to_complex(re, im, pointer));
    return new Complex(re[0], im[0]);
  },
  [kinds.string]: text,
  [kinds.list]: entries,
  [kinds.tuple]: tuple,
  [kinds.dict]: map,
  [kinds.device]: (pointer) => new Device(cellOf("device", C.ctorch_value_to_device, pointer)),
  [kinds.stream]: (pointer) => cellOf("stream", C.ctorch_value_to_stream, pointer),
  [kinds.generator]: handle("generator"),
  [kinds.storage]: handle("storage"),
  [kinds.module]: handle("module"),
  [kinds.transform]: handle("transform"),
  [kinds.object]: (pointer) => {
    C.ctorch_value_retain(pointer);
    return own("value", pointer);
  },
  [kinds.bytes]: bytes,
  [kinds.set]: (pointer, depth) => {
    const found = list("set_values", pointer, depth);
    return distinct(new Set(found), found.length, "set");
  },
  [kinds.dtype]: constant("dtype"),
  [kinds.layout]: constant("layout"),
  [kinds.memory_format]: constant("memory_format"),
  [kinds.python_object]: (pointer, depth) => {
    const [module, name] = [C.ctorch_value_python_module(pointer), C.ctorch_value_python_name(pointer)];
    const [args, items, state] = ["args", "items", "state"].map((word) => part(`python_${word}`, pointer, depth));
    return asStateDict(new PythonObject(module, name, args, { items, state }));
  },
};

function read(pointer, depth) {
  if (depth > DEEPEST) {
    throw new CtorchError("RUNTIME", `fromValue: nested more than ${DEEPEST} deep, or contains itself`);
  }
  return readers[C.ctorch_value_kind_of(pointer)](pointer, depth + 1);
}

/** What a value holds, in JavaScript; the handle for what has no form there, as an object of TorchScript. */
export function fromValue(value) {
  if (value === null) {
    return null;
  }
  if (!(value instanceof classes.value)) {
    throw new CtorchError("TYPE", `fromValue: expected a value, got ${describe(value)}`);
  }
  return read(value.pointer, 0);
}
