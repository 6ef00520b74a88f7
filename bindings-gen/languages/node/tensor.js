// Tensors: making them from JavaScript values, what they know of themselves, indexing.
import koffi from "koffi";
import { C } from "./library.js";
import { Complex } from "./convert.js";
import { CtorchError, exact, refuse } from "./errors.js";
import { classes } from "./handles.js";
import { aten, functionsByName as core, operatorNames } from "./operators.js";

export const Tensor = classes.tensor;

const accessors = {
  ndim: "tensor_ndim",
  numel: "tensor_numel",
  dtype: "tensor_dtype",
  layout: "tensor_layout",
  device: "tensor_device",
  isLeaf: "tensor_is_leaf",
  gradFn: "tensor_grad_fn",
  nbytes: "tensor_nbytes",
};

function property(name, get, set) {
  Object.defineProperty(Tensor.prototype, name, { get, set, configurable: true });
}

for (const [name, func] of Object.entries(accessors)) {
  property(name, function () {
    return core[func](this);
  });
}

function dims(read) {
  return function () {
    const ndim = Number(C.ctorch_tensor_ndim(this.pointer));
    return ndim === 0 ? [] : Array.from(koffi.decode(read(this.pointer), "int64_t", ndim), Number);
  };
}

property(
  "shape",
  dims((pointer) => C.ctorch_tensor_sizes(pointer)),
);
property(
  "strides",
  dims((pointer) => C.ctorch_tensor_strides(pointer)),
);
property("T", function () {
  return aten.t(this);
});
property(
  "grad",
  function () {
    return core.tensor_grad(this);
  },
  function (value) {
    core.tensor_set_grad(this, value);
  },
);
property(
  "requiresGrad",
  function () {
    return core.tensor_requires_grad(this);
  },
  function (value) {
    core.tensor_set_requires_grad(this, value);
  },
);

const ARRAYS = {
  float64: Float64Array,
  float32: Float32Array,
  int64: BigInt64Array,
  int32: Int32Array,
  int16: Int16Array,
  int8: Int8Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  bool: Uint8Array,
  complex128: Float64Array,
  complex64: Float32Array,
};
// The dtype of a typed array; no dtype for a DataView.
const DTYPES = new Map(Object.entries(ARRAYS).map(([dtype, type]) => [type, dtype]));
DTYPES.set(Uint8Array, "uint8").set(Float64Array, "float64").set(Float32Array, "float32");
DTYPES.set(Uint8ClampedArray, "uint8");
if (globalThis.Float16Array) {
  DTYPES.set(globalThis.Float16Array, "float16");
}
const WIDER = { float16: "float32", bfloat16: "float32", complex32: "complex64" };

/** Python's `start:stop:step`; any of the three may be null. */
export class Slice {
  constructor(start = null, stop = null, step = null) {
    this.start = start;
    this.stop = stop;
    this.step = step;
  }
}

export const slice = (start, stop, step) => new Slice(start, stop, step);

function makeIndex(items) {
  const index = core.index_new();
  try {
    for (const item of items) {
      if (item === null) {
        core.index_push_none(index);
      } else if (item === "...") {
        core.index_push_ellipsis(index);
      } else if (typeof item === "number" || typeof item === "bigint") {
        core.index_push_int(index, item);
      } else if (typeof item === "boolean") {
        core.index_push_bool(index, item);
      } else if (item instanceof Slice) {
        core.index_push_slice(index, item.start, item.stop, item.step);
      } else if (item instanceof Tensor) {
        core.index_push_tensor(index, item);
      } else if (Array.isArray(item)) {
        (typeof item[0] === "boolean" ? core.index_push_bools : core.index_push_ints)(index, item);
      } else {
        refuse("index", 'a number, slice, array, boolean, tensor, null or "..."', item);
      }
    }
  } catch (failure) {
    index.close();
    throw failure;
  }
  return index;
}

function nest(values, shape) {
  if (shape.length === 0) {
    return values.next().value;
  }
  return Array.from({ length: shape[0] }, () => nest(values, shape.slice(1)));
}

const methods = {
  /** Size of a dimension, or of all. */
  size(dim) {
    return dim === undefined ? this.shape : core.tensor_size(this, dim);
  },
  /** The value of a tensor with one element. */
  item() {
    return core.tensor_item(this);
  },
  backward({ gradient = null, retainGraph = null, createGraph = false } = {}) {
    core.tensor_backward(this, gradient, retainGraph, createGraph);
  },
  requiresGrad_(value = true) {
    core.tensor_set_requires_grad(this, value);
    return this;
  },
  /** Call `func(grad)` when the gradient of this tensor is there; a tensor that it returns replaces the gradient. */
  registerHook(func) {
    return core.tensor_register_hook(this, func);
  },
  /** A copy of another dtype or on another device, or the tensor itself if it is that already. */
  to({ dtype = null, device = null, nonBlocking = false, copy = false, memoryFormat = null }) {
    return core.tensor_to(this, dtype, device, nonBlocking, copy, memoryFormat);
  },
  /** The elements in row-major order: a typed array, BigInt for 64-bit integers, pairs for complex numbers. */
  toTypedArray() {
    const dtype = this.dtype;
    if (!ARRAYS[dtype]) {
      const wide = this.to({ dtype: WIDER[dtype] ?? "float32" });
      try {
        return wide.toTypedArray();
      } finally {
        wide.close();
      }
    }
    const parts = dtype.startsWith("complex") ? 2 : 1;
    const found = new ARRAYS[dtype](Number(this.numel) * parts);
    core.tensor_copy_to_buffer(this, found, dtype);
    return found;
  },
  /** The bytes of the elements in row-major order. */
  toBytes() {
    const found = new Uint8Array(Number(this.numel) * Number(C.ctorch_tensor_itemsize(this.pointer)));
    core.tensor_copy_to_buffer(this, found, this.dtype);
    return found;
  },
  /** The elements as nested arrays; the element itself if there is no dimension. */
  toArray() {
    const dtype = this.dtype;
    const flat = this.toTypedArray();
    const values = (function* () {
      if (dtype.startsWith("complex")) {
        for (let i = 0; i < flat.length; i += 2) {
          yield new Complex(flat[i], flat[i + 1]);
        }
        return;
      }
      for (const value of flat) {
        yield dtype === "bool" ? value !== 0 : typeof value === "bigint" ? exact(value) : value;
      }
    })();
    return nest(values, this.shape);
  },
  /** `tensor[items]` of Python: `x.at(0, slice(1, 3), "...", null, mask)`. */
  at(...items) {
    const index = makeIndex(items);
    try {
      return core.tensor_index(this, index);
    } finally {
      index.close();
    }
  },
  /** `tensor[items] = value` of Python: `x.setAt([0, slice(1, 3)], value)`. */
  setAt(items, value) {
    const index = makeIndex(items);
    try {
      (value instanceof Tensor ? core.tensor_index_put : core.tensor_index_put_scalar)(this, index, value);
    } finally {
      index.close();
    }
  },
  /** What JSON.stringify writes: the nested arrays. JSON has neither dtypes nor NaN, and no integers beyond 2^53. */
  toJSON() {
    return this.toArray();
  },
  toString() {
    return this.closed ? "Tensor (closed)" : core.tensor_repr(this);
  },
  *[Symbol.iterator]() {
    for (let i = 0; i < this.size(0); i++) {
      yield this.at(i);
    }
  },
};

for (const name of Reflect.ownKeys(methods)) {
  Object.defineProperty(Tensor.prototype, name, { value: methods[name], configurable: true, writable: true });
}

// The operators as methods, where nothing else has that name: `x.add(y)`.
for (const name of Object.keys(operatorNames)) {
  if (!(name in Tensor.prototype)) {
    Object.defineProperty(Tensor.prototype, name, {
      value(...given) {
        return aten[name](this, ...given);
      },
      configurable: true,
      writable: true,
    });
  }
}

/** The bytes of a typed array as a tensor of this shape and dtype; copied. */
export function fromData(data, shape, dtype) {
  return core.tensor_from_data(data, shape, dtype);
}

// The dtype of the elements of a typed array, also of a subclass such as Buffer; undefined for anything else.
function dtypeOf(values) {
  if (!ArrayBuffer.isView(values)) {
    return undefined;
  }
  for (const [type, dtype] of DTYPES) {
    if (values instanceof type) {
      return dtype;
    }
  }
}

const isList = (values) => Array.isArray(values) || dtypeOf(values) !== undefined;

// The shape of nested arrays, their first element, and the dtype if the innermost are typed arrays.
function shapeOf(values) {
  const shape = [];
  let [first, typed] = [values, undefined];
  while (isList(first)) {
    shape.push(first.length);
    typed = dtypeOf(first);
    first = first[0];
  }
  return [shape, first, typed];
}

function flatten(values, shape, dim, out) {
  if (dim === shape.length) {
    out.push(values);
    return;
  }
  if (!isList(values) || values.length !== shape[dim]) {
    throw new CtorchError("VALUE", "tensor: the arrays are not of one length");
  }
  for (const value of values) {
    flatten(value, shape, dim + 1, out);
  }
}

/**
 * A tensor of nested arrays of numbers, BigInts or booleans, of which the innermost may be typed arrays. Without `dtype`
 * it is float32, int64 or bool, or what the typed arrays hold. The elements are copied.
 */
export function tensor(values, { dtype = null, device = null, requiresGrad = false } = {}) {
  const typedAlone = dtypeOf(values);
  if (typedAlone !== undefined) {
    return placed(fromData(values, [values.length], typedAlone), dtype ?? typedAlone, device, requiresGrad);
  }
  const [shape, first, typed] = shapeOf(values);
  const flat = [];
  flatten(values, shape, 0, flat);
  let made;
  if (typeof first === "boolean") {
    if (!flat.every((value) => typeof value === "boolean")) {
      refuse(
        "tensor",
        "booleans",
        flat.find((value) => typeof value !== "boolean"),
      );
    }
    made = fromData(Uint8Array.from(flat, Number), shape, "bool");
  } else if (typed === "uint64" && dtype === null) {
    made = fromData(BigUint64Array.from(flat), shape, "uint64");
  } else if (typeof first === "bigint" || dtype?.includes("int")) {
    const integers = flat.map((value) =>
      typeof value === "bigint" || Number.isSafeInteger(value) ? BigInt(value) : refuse("tensor", "integers", value),
    );
    if (integers.some((value) => value !== BigInt.asIntN(64, value))) {
      refuse(
        "tensor",
        "integers of 64 bits",
        integers.find((value) => value !== BigInt.asIntN(64, value)),
      );
    }
    made = fromData(BigInt64Array.from(integers), shape, "int64");
  } else {
    const numbers = flat.map((value) => (typeof value === "number" ? value : refuse("tensor", "numbers", value)));
    made = fromData(Float64Array.from(numbers), shape, "float64");
  }
  return placed(made, dtype ?? typed ?? (made.dtype === "float64" ? "float32" : made.dtype), device, requiresGrad);
}

function placed(made, wanted, device, requiresGrad) {
  if (wanted !== made.dtype || device !== null) {
    const wide = made;
    made = wide.to({ dtype: wanted, device });
    wide.close();
  }
  return requiresGrad ? made.requiresGrad_() : made;
}
