// Errors: what a failed call throws.
import koffi from "koffi";
import { C, table } from "./library.js";

const kinds = table("enums").error_kind;
const names = new Map(Object.entries(kinds).map(([name, code]) => [code, name.toUpperCase()]));

/**
 * A call that failed. `code` is a number (ctorch_error_kind), `codeName` its name ("SHAPE_MISMATCH"), `function` the C
 * function, and `details` what PyTorch tells: expectedShape and gotShape, expectedDevice and gotDevice, expectedDtype
 * and gotDtype, requestedBytes and availableBytes.
 */
export class CtorchError extends Error {
  constructor(codeName, message, { function: func = "", details = {} } = {}) {
    super(message);
    this.name = "CtorchError";
    this.code = kinds[codeName.toLowerCase()];
    if (this.code === undefined) {
      throw new TypeError(`unknown kind of error: ${codeName}`);
    }
    this.codeName = codeName;
    this.function = func;
    this.details = details;
  }
}

// Throw an error about an argument that no call was made with.
export function refuse(where, expected, got) {
  throw new CtorchError("TYPE", `${where}: expected ${expected}, got ${describe(got)}`);
}

export function describe(value) {
  if (value === null || value === undefined) {
    return String(value);
  }
  if (typeof value === "object") {
    return value.constructor?.name ?? "object";
  }
  return typeof value === "function" ? "a function" : `${typeof value} ${String(value)}`;
}

export function exact(value) {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER) ? Number(value) : value;
}

function shape(read, handle) {
  const dims = new BigUint64Array(1);
  const length = new BigUint64Array(1);
  if (read(handle, dims, length)) {
    return length[0] === 0n ? [] : Array.from(koffi.decode(dims[0], "int64_t", Number(length[0])), Number);
  }
  return undefined;
}

function device(read, handle) {
  const cell = new Int32Array(2);
  if (read(handle, cell)) {
    const name = C.ctorch_device_type_name(cell[0]);
    return cell[1] < 0 ? name : `${name}:${cell[1]}`;
  }
  return undefined;
}

function dtype(read, handle) {
  const cell = new Int32Array(1);
  return read(handle, cell) ? C.ctorch_dtype_name(cell[0]) : undefined;
}

function bytes(read, handle) {
  const cell = new BigUint64Array(1);
  return read(handle, cell) ? exact(cell[0]) : undefined;
}

const readers = {
  expectedShape: [shape, "expected_shape"],
  gotShape: [shape, "got_shape"],
  expectedDevice: [device, "expected_device"],
  gotDevice: [device, "got_device"],
  expectedDtype: [dtype, "expected_dtype"],
  gotDtype: [dtype, "got_dtype"],
  requestedBytes: [bytes, "requested_bytes"],
  availableBytes: [bytes, "available_bytes"],
};

function take(handle) {
  const details = {};
  for (const [name, [reader, suffix]] of Object.entries(readers)) {
    const value = reader(C[`ctorch_error_${suffix}`], handle);
    if (value !== undefined) {
      details[name] = value;
    }
  }
  const codeName = names.get(C.ctorch_error_kind_of(handle)) ?? "UNKNOWN";
  return new CtorchError(codeName, C.ctorch_error_message(handle), {
    function: C.ctorch_error_function(handle),
    details,
  });
}

// What JavaScript functions that C called have thrown, by the address of the C error that stands for it. C hands that
// very error to the outer call, so the same value is thrown there. Where C dropped the error (of a warning, say),
// another may have its address by now: that one has another text, or a function that failed. What C called may have
// said where it arose, in front of the text: "part loader: …".
const thrown = new Map();

// Store a C error at the address `out`, for a value that a callback threw.
export function exportError(out, value) {
  const code = value instanceof CtorchError ? value.code : kinds.callback;
  let message;
  try {
    message = Buffer.from(String(value?.message ?? value).replaceAll("\0", "?")).toString(); // well-formed
  } catch {
    message = "a callback failed";
  }
  if (C.ctorch_error_new(out, code, message) === null) {
    thrown.set(BigInt(koffi.decode(out, "uint64_t")), { value, message });
  }
}

// What to throw for what a call answered; the C error is released.
export function importError(handle) {
  const address = BigInt(handle);
  const found = thrown.get(address);
  try {
    const message = found && C.ctorch_error_function(handle) === "" ? C.ctorch_error_message(handle) : null;
    if (message !== null && (message === found.message || message.endsWith(`: ${found.message}`))) {
      thrown.delete(address);
      return found.value;
    }
    return take(handle);
  } finally {
    C.ctorch_error_release(handle);
  }
}

export function check(failure) {
  if (failure !== null) {
    throw importError(failure);
  }
}
