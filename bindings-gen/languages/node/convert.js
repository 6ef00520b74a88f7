// JavaScript values to C values and back. `where` names function and argument, for the error.
//
// 64-bit integers are exact: a Number where it is a safe integer, a BigInt beyond that; either may be given. A Number
// that is a safe integer is an integer where a Scalar is wanted, any other is a float; `float(2)` is 2.0 for sure.
import koffi from "koffi";
import { C, stringAddress, table } from "./library.js";
import { check, CtorchError, exact, refuse } from "./errors.js";
import { own, pointerOf } from "./handles.js";

export const enums = table("enums");

const enumNames = Object.fromEntries(
  Object.entries(enums).map(([name, values]) => [name, new Map(Object.entries(values).map(([k, v]) => [v, k]))]),
);

// Numbers

const RANGES = {
  int64_t: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64_t: [0n, 2n ** 64n - 1n],
  size_t: [0n, 2n ** 64n - 1n],
  int32_t: [-(2n ** 31n), 2n ** 31n - 1n],
  uint32_t: [0n, 2n ** 32n - 1n],
  uint16_t: [0n, 2n ** 16n - 1n],
  uint8_t: [0n, 255n],
};

function integer(value, type, where) {
  const [low, high] = RANGES[type];
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) {
      refuse(where, "a safe integer or a BigInt", value);
    }
  } else if (typeof value !== "bigint") {
    refuse(where, "an integer", value);
  }
  if (value < low || value > high) {
    refuse(where, `an integer from ${low} to ${high}`, value);
  }
  return value;
}

function number(value, where) {
  if (typeof value === "bigint") {
    return Number(value);
  }
  return typeof value === "number" ? value : refuse(where, "a number", value);
}

function enumeration(value, name, where) {
  const found = Object.hasOwn(enums[name], value) ? enums[name][value] : undefined;
  if (typeof value === "string" && found !== undefined) {
    return found;
  }
  if (typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 2 ** 31) {
    return value;
  }
  return refuse(where, `a ${name}, as "${Object.keys(enums[name])[0]}"`, value);
}

// Structures

/** A complex number. */
export class Complex {
  constructor(re, im = 0) {
    this.re = re;
    this.im = im;
  }
}

/** A Scalar of a kind for sure, where a Number would be one of another kind. */
export class TypedScalar {
  constructor(kind, value) {
    this.kind = kind;
    this.value = value;
  }
}

export const int = (value) => new TypedScalar("int", integer(value, "int64_t", "int"));
export const float = (value) => new TypedScalar("float", number(value, "float"));
export const complex = (re, im) => new Complex(number(re, "complex"), number(im ?? 0, "complex"));

function scalarKind(value, where) {
  switch (typeof value) {
    case "boolean":
      return ["bool", value ? 1n : 0n];
    case "bigint":
      if (value < RANGES.int64_t[0] || value > RANGES.uint64_t[1]) {
        refuse(where, "an integer of 64 bits", value);
      }
      return [value > RANGES.int64_t[1] ? "uint" : "int", value];
    case "number":
      return Number.isSafeInteger(value) && !Object.is(value, -0) ? ["int", BigInt(value)] : ["float", value];
    default:
      break;
  }
  if (value instanceof TypedScalar) {
    return [value.kind, value.kind === "int" ? BigInt(value.value) : value.value];
  }
  return value instanceof Complex ? ["complex", value] : refuse(where, "a number, boolean or Complex", value);
}

function writeScalar(view, at, value, where) {
  const [kind, content] = scalarKind(value, where);
  view.setInt32(at, enums.scalar_kind[kind], true);
  if (kind === "float") {
    view.setFloat64(at + 16, content, true);
  } else if (kind === "complex") {
    view.setFloat64(at + 16, number(content.re, where), true);
    view.setFloat64(at + 24, number(content.im, where), true);
  } else {
    view.setBigInt64(at + 8, BigInt.asIntN(64, content), true);
  }
}

function readScalar(view) {
  switch (view.getInt32(0, true)) {
    case enums.scalar_kind.int:
      return exact(view.getBigInt64(8, true));
    case enums.scalar_kind.float:
      return view.getFloat64(16, true);
    case enums.scalar_kind.bool:
      return view.getBigInt64(8, true) !== 0n;
    case enums.scalar_kind.complex:
      return new Complex(view.getFloat64(16, true), view.getFloat64(24, true));
    default:
      return view.getBigUint64(8, true);
  }
}

function writeDevice(view, at, value, where) {
  const found = typeof value === "string" ? /^([a-z0-9]+)(?::(\d{1,8}))?$/.exec(value) : null;
  if (found === null || !Object.hasOwn(enums.device_type, found[1])) {
    refuse(where, 'a device, as "cpu" or "cuda:0"', value);
  }
  view.setInt32(at, enums.device_type[found[1]], true);
  view.setInt32(at + 4, found[2] === undefined ? -1 : Number(found[2]), true);
}

function readDevice(view) {
  const name = enumNames.device_type.get(view.getInt32(0, true));
  const index = view.getInt32(4, true);
  return index < 0 ? name : `${name}:${index}`;
}

/** A queue of work on a device: three numbers. */
export class Stream {
  constructor(id, deviceType, deviceIndex) {
    this.id = id;
    this.deviceType = deviceType;
    this.deviceIndex = deviceIndex;
  }
}

function writeStream(view, at, value, where) {
  if (!(value instanceof Stream)) {
    refuse(where, "a Stream", value);
  }
  view.setBigInt64(at, BigInt(integer(value.id, "int64_t", where)), true);
  view.setInt32(at + 8, enumeration(value.deviceType, "device_type", where), true);
  view.setInt32(at + 12, Number(integer(value.deviceIndex, "int32_t", where)), true);
}

function readStream(view) {
  const type = enumNames.device_type.get(view.getInt32(8, true)) ?? view.getInt32(8, true);
  return new Stream(exact(view.getBigInt64(0, true)), type, view.getInt32(12, true));
}

const structs = {
  scalar: { size: 32, write: writeScalar, read: readScalar },
  device: { size: 8, write: writeDevice, read: readDevice },
  stream: { size: 16, write: writeStream, read: readStream },
};

// Types by their names in signatures

const ARRAYS = {
  bool: Uint8Array,
  double: Float64Array,
  int64_t: BigInt64Array,
  uint64_t: BigUint64Array,
  size_t: BigUint64Array,
  int32_t: Int32Array,
  uint32_t: Uint32Array,
  uint16_t: Uint16Array,
  uint8_t: Uint8Array,
};

export function toC(value, type, where) {
  if (type === "bool") {
    return typeof value === "boolean" ? value : refuse(where, "a boolean", value);
  }
  if (type === "double") {
    return number(value, where);
  }
  return enums[type] ? enumeration(value, type, where) : integer(value, type, where);
}

export function fromC(value, type) {
  if (enums[type]) {
    return enumNames[type].get(value) ?? value;
  }
  if (typeof value === "bigint") {
    return exact(value);
  }
  return value;
}

// Memory for values of a type, filled: what C gets as a pointer.
export function toMemory(values, type, where) {
  if (structs[type]) {
    const { size, write } = structs[type];
    const memory = new Uint8Array(Math.max(values.length, 1) * size);
    const view = new DataView(memory.buffer);
    values.forEach((value, i) => write(view, i * size, value, where));
    return memory;
  }
  const memory = new (ARRAYS[type] ?? Int32Array)(Math.max(values.length, 1));
  const big = memory instanceof BigInt64Array || memory instanceof BigUint64Array;
  values.forEach((value, i) => {
    const found = toC(value, type, where);
    memory[i] = big ? BigInt(found) : Number(found);
  });
  return memory;
}

// Memory for one result of a type, and what it holds afterwards.
export function cell(type) {
  if (structs[type]) {
    const memory = new Uint8Array(structs[type].size);
    return { memory, read: () => structs[type].read(new DataView(memory.buffer)) };
  }
  const memory = new (ARRAYS[type] ?? Int32Array)(1);
  return { memory, read: () => (type === "bool" ? memory[0] !== 0 : fromC(memory[0], type)) };
}

// A list: its memory and length. Absent is NULL; an empty list is a pointer with length 0. One value may stand for all
// entries of a list of fixed length.
export function toList(value, type, fixed, where) {
  if (value === null || value === undefined) {
    return [null, 0];
  }
  let values = value;
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    values = Array.from(value);
  } else if (!Array.isArray(value)) {
    values = fixed > 0 ? new Array(fixed).fill(value) : refuse(where, "an array", value);
  }
  return [toMemory(Array.from(values), type, where), values.length];
}

export function toHandles(value, kind, where) {
  if (value === null || value === undefined) {
    return [null, 0];
  }
  if (!Array.isArray(value)) {
    refuse(where, `an array of ${kind}s`, value);
  }
  const memory = new BigUint64Array(Math.max(value.length, 1));
  for (let i = 0; i < value.length; i++) {
    const item = value[i];
    memory[i] = item === null || item === undefined ? 0n : BigInt(pointerOf(kind, item, where));
  }
  return [memory, value.length];
}

export function toText(value, where) {
  if (typeof value !== "string") {
    refuse(where, "a string", value);
  }
  if (value.includes("\0") || value.isWellFormed?.() === false) {
    throw new CtorchError("VALUE", `${where}: text with a NUL or half a character`);
  }
  return value;
}

export function toBytes(value, where) {
  if (typeof value === "string") {
    const bytes = Buffer.from(value, "utf8");
    return [bytes, bytes.length];
  }
  if (ArrayBuffer.isView(value)) {
    return [new Uint8Array(value.buffer, value.byteOffset, value.byteLength), value.byteLength];
  }
  return refuse(where, "a typed array or a string", value);
}

export function takeString(pointer) {
  if (pointer === 0n) {
    return null;
  }
  const text = textAt(BigInt(stringAddress(pointer)), C.ctorch_string_len(pointer));
  C.ctorch_string_release(pointer);
  return text;
}

/** The text of so many bytes at an address; NUL may be among them. */
export function textAt(address, length) {
  return address === 0n || Number(length) === 0
    ? ""
    : Buffer.from(koffi.decode(address, "uint8_t", Number(length))).toString("utf8");
}

// The tensors of a list, which is given back.
export function takeTensors(list) {
  const length = Number(C.ctorch_tensor_list_len(list));
  const found = [];
  try {
    const out = new BigUint64Array(1);
    for (let i = 0; i < length; i++) {
      out[0] = 0n;
      check(C.ctorch_tensor_list_get(out, list, i));
      found.push(own("tensor", out[0]));
    }
  } finally {
    C.ctorch_tensor_list_release(list);
  }
  return found;
}
