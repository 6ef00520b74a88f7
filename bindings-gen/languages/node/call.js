// JavaScript functions for C functions, made from their signatures (bindings-gen/ctorchgen/emit/signatures.py says how
// to read one).
//
// Arguments stand in C's order; a plain object as the last one gives arguments by name, the only way for those that are
// keyword-only. Several results are an array; an undefined tensor is null. Each function has a variant `async`, which
// makes the call on a worker thread and gives a promise. Modes such as noGrad belong to a thread: they do not reach
// there.
import koffi from "koffi";
import * as callbacks from "./callbacks.js";
import {
  cell,
  enums,
  float,
  fromC,
  takeString,
  takeTensors,
  textAt,
  toBytes,
  toC,
  toHandles,
  toList,
  toMemory,
  toText,
} from "./convert.js";
import { CtorchError, exact, importError, refuse } from "./errors.js";
import { adapters, classes, Handle, own, pointerOf } from "./handles.js";
import { declare } from "./library.js";
import { parse } from "./signatures.js";
import { toValue } from "./values.js";

export function isOptions(value) {
  if (typeof value !== "object" || value === null) {
    return false;
  }
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

// Whether what stands at a place, the last one, gives arguments by name. Where C takes any value it may be that: a plain
// object is then options if all its names are those of arguments, the one of that place among them if it must be given.
function areOptions(parsed, value, place) {
  if (!isOptions(value)) {
    return false;
  }
  const word = parsed.positional[place];
  if (word === undefined || !takesAny(word)) {
    return true;
  }
  const names = Object.keys(value);
  return names.every((name) => parsed.index.has(name)) && (word.optional || names.includes(word.name));
}

// The values of all arguments in their order, from positional ones and options.
function gather(parsed, given, where) {
  const values = new Array(parsed.arguments.length).fill(undefined);
  let count = given.length;
  while (count > 0 && given[count - 1] === undefined) {
    count--;
  }
  const options = count > 0 && areOptions(parsed, given[count - 1], count - 1) ? given[--count] : null;
  if (count > parsed.positional.length) {
    throw new CtorchError("TYPE", `${where} takes ${parsed.positional.length} arguments, got ${count}`);
  }
  for (let i = 0; i < count; i++) {
    values[parsed.positional[i].index] = given[i];
  }
  if (options !== null) {
    for (const [name, value] of Object.entries(options)) {
      const index = parsed.index.get(name);
      if (index === undefined) {
        throw new CtorchError("TYPE", `${where} has no argument ${name}`);
      }
      if (values[index] !== undefined) {
        throw new CtorchError("TYPE", `${where}: ${name} is given twice`);
      }
      values[index] = value;
    }
  }
  return values;
}

// Where C takes a value, what a value can hold stands for it: all but `self`, which functions change. A BigInt is an int
// there, not a pointer.
function takesAny(word) {
  return word.type === "value" && word.name !== "self" && word.kind === "handle";
}

function isNative(word, value) {
  if (word.type !== "value" || word.name === "self") {
    return false;
  }
  return !(value instanceof classes.value) && !((value === null || value === undefined) && word.optional);
}

// Where C takes a handle, what stands for one: a function for a transform.
function standsFor(word, value) {
  return adapters[word.type] !== undefined && typeof value === "function" && value.kind === undefined;
}

// The handle that is made for the call of what stands for one; otherwise what was given, which the call keeps.
function hold(frame, word, value) {
  if (!isNative(word, value) && !standsFor(word, value)) {
    if (value instanceof Handle) {
      Handle.begin(value);
      frame.used.push(value);
    }
    return value;
  }
  const made = standsFor(word, value) ? adapters[word.type](value) : toValue(value, word.where);
  frame.made.push(made);
  return made;
}

function letGo(frame) {
  frame.used.splice(0).forEach(Handle.end);
  frame.made.splice(0).forEach((value) => value.close());
}

// Where a number alone decides the dtype, a Number is a float, whole or not: the dtype is that of its type.
const DECIDING = new Set(["ctorch_aten_full", "ctorch_aten_where_Scalar"]);

// What C gets for an argument, in one or two entries of `frame.c`.
const pass = {
  value(word, value, where, frame) {
    const found = value === undefined ? word.fallback : value;
    frame.c.push(toC(found, word.type, where));
  },
  pointer(word, value, where, frame) {
    if (value === null || value === undefined) {
      frame.c.push(word.optional ? null : refuse(where, `a ${word.type}`, value));
    } else {
      const decides = word.type === "scalar" && typeof value === "number" && DECIDING.has(frame.symbol);
      frame.c.push(toMemory([decides ? float(value) : value], word.type, where));
    }
  },
  list(word, value, where, frame) {
    frame.c.push(...toList(value, word.type, word.fixed, where));
  },
  string(word, value, where, frame) {
    frame.c.push((value === null || value === undefined) && word.optional ? null : toText(value, where));
  },
  strings(_word, value, where, frame) {
    if (value === null || value === undefined) {
      frame.c.push(null, 0);
    } else if (Array.isArray(value)) {
      frame.c.push(value.length > 0 ? value.map((text) => toText(text, where)) : new BigUint64Array(1), value.length);
    } else {
      refuse(where, "an array of strings", value);
    }
  },
  handle(word, value, where, frame) {
    const absent = (value === null || value === undefined) && word.optional;
    frame.c.push(absent ? null : pointerOf(word.type, hold(frame, word, value), where));
  },
  handles(word, value, where, frame) {
    const given = Array.isArray(value) ? value.map((item) => hold(frame, word, item)) : value;
    frame.c.push(...toHandles(given, word.type, where));
  },
  bytes(word, value, where, frame) {
    frame.c.push(...(value === null && word.optional ? [null, 0] : toBytes(value, where)));
  },
  buffer(word, value, where, frame) {
    if (!ArrayBuffer.isView(value)) {
      refuse(where, "a typed array", value);
    }
    const unit = word.type === "void" ? 1 : value.BYTES_PER_ELEMENT;
    frame.c.push(value, value.byteLength / unit);
  },
  address(_word, value, where, frame) {
    if (value === null || value === undefined || typeof value === "bigint") {
      frame.c.push(value ?? null);
    } else if (ArrayBuffer.isView(value)) {
      frame.c.push(koffi.address(value));
    } else {
      refuse(where, "a typed array or a BigInt", value);
    }
  },
  callback(word, value, where, frame) {
    if (word.type === "saved_tensors_destroy") {
      frame.c.push(callbacks.entry(word.type)); // lets go of what a pack function returned
    } else if ((value === null || value === undefined) && word.optional) {
      frame.c.push(null);
      return;
    } else if (typeof value === "function") {
      frame.c.push(callbacks.entry(word.type));
    } else {
      refuse(where, "a function", value);
    }
    frame.functions[word.type] = value;
  },
};

// The memory for a result, and what reads it: `frame.results`.
function receive(word, frame) {
  if (frame.lengths.has(word)) {
    const length = frame.lengths.get(word);
    frame.c.push(length);
    frame.results.push(() => exact(length[0]));
    return;
  }
  if (word.kind === "value" || word.kind === "struct") {
    const { memory, read } = cell(word.type);
    frame.c.push(memory);
    frame.results.push(read);
    return;
  }
  const memory = new BigUint64Array(1);
  frame.c.push(memory);
  if (word.kind === "list") {
    const length = new BigUint64Array(1);
    frame.c.push(length);
    frame.results.push(() =>
      length[0] === 0n ? [] : Array.from(koffi.decode(memory[0], word.type, Number(length[0])), exact),
    );
    return;
  }
  if (word.length !== undefined) {
    const length = new BigUint64Array(1);
    frame.lengths.set(word.length, length);
    frame.results.push(() => (memory[0] === 0n ? null : textAt(memory[0], length[0])));
    return;
  }
  frame.results.push(() => (memory[0] === 0n ? null : take(word, memory[0])));
}

// A result that is a pointer.
function take(word, pointer) {
  if (word.kind === "string") {
    return koffi.decode.string(pointer);
  }
  if (word.kind === "address") {
    return pointer;
  }
  if (word.type === "tensor_list") {
    return takeTensors(pointer);
  }
  return word.type === "string" ? takeString(pointer) : own(word.type, pointer);
}

const PERMANENT = new Set(["kernel", "warning", "memory_pressure"]); // C lets go of these after JavaScript has ended

function makeFrame(parsed, given, where, symbol) {
  const values = gather(parsed, given, where);
  const frame = {
    symbol,
    c: [],
    results: [],
    lengths: new Map(),
    functions: {},
    values,
    made: [],
    used: [],
    payload: null,
    kept: false,
  };
  if (parsed.holds) {
    frame.payload = callbacks.reserve();
  }
  try {
    fill(parsed, frame);
  } catch (failure) {
    letGo(frame);
    throw failure;
  }
  if (parsed.holds) {
    callbacks.hold(frame.payload, { ...frame.functions, values: parsed.lends ? values : null });
  }
  return frame;
}

// What C gets for all arguments and results.
function fill(parsed, frame) {
  for (const word of parsed.words) {
    if (word.kind === "payload") {
      frame.c.push(frame.payload);
    } else if (word.kind === "destroy") {
      frame.kept = true;
      const permanent = Object.keys(frame.functions).some((kind) => PERMANENT.has(kind));
      frame.c.push(permanent || !parsed.holds ? null : callbacks.destroy());
    } else if (word.kind === "never") {
      frame.c.push(false);
    } else if (word.result && word.kind !== "buffer") {
      receive(word, frame);
    } else {
      pass[word.kind](word, frame.values[word.index], word.where, frame);
    }
  }
}

function finish(parsed, frame, answer) {
  const failed = parsed.returned === "error" && answer !== null;
  if (frame.payload !== null && (failed || !frame.kept)) {
    callbacks.letGo(frame.payload);
  }
  if (failed) {
    throw importError(answer);
  }
  if (parsed.returned === "error" && frame.results.length === 1) {
    return frame.results[0]();
  }
  const results = frame.results.map((read) => read());
  results.push(...parsed.returns.map((name) => frame.values[parsed.index.get(name)]));
  if (parsed.returned === "value") {
    results.unshift(fromC(answer, parsed.returnedType));
  } else if (parsed.returned !== "error" && parsed.returned !== "nothing") {
    results.unshift(answer);
  }
  return results.length > 1 ? results : results[0];
}

/** The function for a C function; `where` is what errors call it. */
export function compile(symbol, signature, where) {
  const parsed = parse(signature, where);
  let c;
  const call = (...given) => {
    c ??= declare(symbol);
    const frame = makeFrame(parsed, given, where, symbol);
    try {
      return finish(parsed, frame, c(...frame.c));
    } finally {
      letGo(frame);
    }
  };
  call.async = (...given) =>
    new Promise((resolve, reject) => {
      c ??= declare(symbol);
      const frame = makeFrame(parsed, given, where, symbol);
      const answered = (failure, answer) => {
        try {
          if (failure) {
            throw failure;
          }
          resolve(finish(parsed, frame, answer));
        } catch (error) {
          reject(error);
        } finally {
          letGo(frame);
        }
      };
      try {
        c.async(...frame.c, answered);
      } catch (failure) {
        answered(failure);
      }
    });
  return call;
}

// Overloads

function isInteger(value) {
  return typeof value === "bigint" || Number.isSafeInteger(value);
}

function fitsElement(value, type) {
  if (type === "bool") {
    return typeof value === "boolean";
  }
  if (type === "double") {
    return typeof value === "number" || typeof value === "bigint";
  }
  if (type === "scalar") {
    const plain = ["number", "bigint", "boolean"].includes(typeof value);
    return plain || ["Complex", "TypedScalar"].includes(value?.constructor?.name);
  }
  if (type === "device") {
    return typeof value === "string" && Object.hasOwn(enums.device_type, value.split(":")[0]);
  }
  if (enums[type]) {
    return typeof value === "string" && Object.hasOwn(enums[type], value);
  }
  return type === "stream" ? value?.constructor?.name === "Stream" : isInteger(value);
}

const fits = {
  value: (word, value) => fitsElement(value, word.type),
  pointer: (word, value) => fitsElement(value, word.type),
  list: (word, value) =>
    Array.isArray(value) || ArrayBuffer.isView(value)
      ? value.length === 0 || fitsElement(value[0], word.type)
      : word.fixed > 0 && fitsElement(value, word.type),
  string: (_, value) => typeof value === "string",
  handle: (word, value) => value?.kind === word.type || standsFor(word, value),
  handles: (word, value) =>
    Array.isArray(value) && (value.length === 0 || value[0] === null || fits.handle(word, value[0])),
};

/** Whether an overload can take these arguments. */
export function accepts(parsed, given) {
  let values;
  try {
    values = gather(parsed, given, "");
  } catch {
    return false;
  }
  return parsed.arguments.every((word) => {
    const value = values[word.index];
    if (value === undefined) {
      return word.kind === "value" ? word.fallback !== undefined : word.optional && !word.mustBeSaid;
    }
    return value === null ? word.optional : fits[word.kind](word, value);
  });
}
