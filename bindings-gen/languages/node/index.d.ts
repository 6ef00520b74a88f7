import type { Functions, Namespaces, Operators } from "./generated/operators.js";

/** A 64-bit integer: a number where it is a safe integer, a bigint beyond that. Both may be given. */
export type Int = number | bigint;
export type Scalar = number | bigint | boolean | Complex;
export type ScalarLike = Scalar | TypedScalar;
export type Callback = (...given: any[]) => any;
export type TypedArray =
  | Float32Array
  | Float64Array
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Uint8Array
  | Uint8ClampedArray
  | Uint16Array
  | Uint32Array
  | BigUint64Array;
export type Values = number | bigint | boolean | TypedArray | readonly Values[];
export type Index = Int | boolean | Slice | Tensor | null | "..." | readonly Int[] | readonly boolean[];

/** A reference to an object of the C library. */
export declare class Handle<Kind extends string = string> {
  readonly kind: Kind;
  readonly closed: boolean;
  /** The C pointer; an error if the handle is closed. */
  readonly pointer: bigint;
  /** Give the reference back; nothing to do a second time. */
  close(): void;
}

interface TensorOperators extends Record<Exclude<keyof Operators, keyof TensorMembers>, (...given: any[]) => any> {}

interface TensorMembers {
  readonly shape: number[];
  readonly strides: number[];
  readonly ndim: number;
  readonly numel: Int;
  readonly nbytes: Int;
  readonly dtype: string;
  readonly layout: string;
  readonly device: string;
  readonly isLeaf: boolean;
  readonly gradFn: Handle<"node"> | null;
  readonly T: Tensor;
  grad: Tensor | null;
  requiresGrad: boolean;
  size(): number[];
  size(dim: number): number;
  item(): Scalar;
  backward(options?: { gradient?: Tensor | null; retainGraph?: boolean | null; createGraph?: boolean }): void;
  requiresGrad_(value?: boolean): Tensor;
  detach(): Tensor;
  registerHook(func: (grad: Tensor | null) => Tensor | null | void): Handle<"hook">;
  to(options: {
    dtype?: string | null;
    device?: string | null;
    nonBlocking?: boolean;
    copy?: boolean;
    memoryFormat?: string | null;
  }): Tensor;
  toTypedArray(): ArrayBufferView & ArrayLike<number | bigint>;
  toBytes(): Uint8Array;
  toArray(): any;
  /** What JSON.stringify writes: the nested arrays. */
  toJSON(): any;
  at(...items: Index[]): Tensor;
  setAt(items: readonly Index[], value: Tensor | ScalarLike): void;
}

export interface Tensor extends Handle<"tensor">, TensorMembers, TensorOperators, Iterable<Tensor> {}
export declare const Tensor: { prototype: Tensor; new (pointer: bigint): Tensor };

/** A failed call. */
export declare class CtorchError extends Error {
  constructor(codeName: string, message: string, options?: { function?: string; details?: CtorchError["details"] });
  readonly code: number;
  /** "SHAPE_MISMATCH" */
  readonly codeName: string;
  /** The C function that failed. */
  readonly function: string;
  readonly details: {
    expectedShape?: number[];
    gotShape?: number[];
    expectedDevice?: string;
    gotDevice?: string;
    expectedDtype?: string;
    gotDtype?: string;
    requestedBytes?: Int;
    availableBytes?: Int;
  };
}

export declare class Complex {
  constructor(re: number, im?: number);
  re: number;
  im: number;
}
export declare class TypedScalar {
  constructor(kind: "int" | "float", value: Int);
  readonly kind: string;
  readonly value: Int;
}
export declare class Stream {
  constructor(id: Int, deviceType: string | number, deviceIndex: number);
  id: Int;
  deviceType: string | number;
  deviceIndex: number;
}
export declare class Slice {
  constructor(start?: Int | null, stop?: Int | null, step?: Int | null);
}

export declare function int(value: Int): TypedScalar;
export declare function float(value: Int): TypedScalar;
export declare function complex(re: number, im?: number): Complex;
export declare function slice(start?: Int | null, stop?: Int | null, step?: Int | null): Slice;
export declare function tensor(
  values: Values,
  options?: { dtype?: string | null; device?: string | null; requiresGrad?: boolean },
): Tensor;
export declare function fromData(data: ArrayBufferView | string, shape: readonly Int[], dtype: string): Tensor;
export declare function noGrad<T>(body: () => T): T;
export declare function enableGrad<T>(body: () => T): T;
export declare function inferenceMode<T>(body: () => T): T;
export declare function isGradEnabled(): boolean;
export declare function manualSeed(seed: Int): Handle<"generator">;
export declare function initialSeed(): Int;
export declare function setNumThreads(number: number): void;
export declare function getNumThreads(): number;

/** What a value of the C API holds, in JavaScript. */
export type Native =
  | null
  | undefined
  | boolean
  | number
  | bigint
  | string
  | Complex
  | TypedScalar
  | Uint8Array
  | Dtype
  | Layout
  | MemoryFormat
  | Device
  | Stream
  | PythonObject
  | Tensor
  | Handle<"generator">
  | Handle<"storage">
  | Handle<"value">
  | readonly Native[]
  | ReadonlyMap<Native, Native>
  | ReadonlySet<Native>
  | { readonly [name: string]: Native };
export declare function toValue(value: Native): Handle<"value">;
export declare function fromValue(value: Handle<"value"> | null): any;
declare class Constant {
  constructor(name: string);
  readonly name: string;
}
/** A dtype as a value. Where an argument is a dtype, its name is enough; so with the others. */
export declare class Dtype extends Constant {
  readonly enumeration: "dtype";
}
export declare class Layout extends Constant {
  readonly enumeration: "layout";
}
export declare class MemoryFormat extends Constant {
  readonly enumeration: "memory_format";
}
export declare class Device {
  constructor(name: string);
  readonly name: string;
}
/** Python's tuple. */
export declare class Tuple<T = any> extends Array<T> {
  static of<T>(...entries: T[]): Tuple<T>;
}
/** An object of a class of Python's, as a file describes it; the class or function itself if `args` is null. */
export declare class PythonObject {
  constructor(
    module: string,
    name: string,
    args?: readonly Native[] | null,
    options?: { items?: Native; state?: Native },
  );
  module: string;
  name: string;
  args: Tuple | null;
  items: any;
  state: any;
  readonly attributes: Map<any, any>;
}
export declare function grad(
  outputs: readonly Tensor[],
  inputs: readonly Tensor[],
  options?: {
    gradOutputs?: readonly (Tensor | null)[];
    retainGraph?: boolean;
    createGraph?: boolean;
    allowUnused?: boolean;
    materializeGrads?: boolean;
  },
): (Tensor | null)[];

export interface AutogradContext extends Handle<"autograd_context"> {
  saveForBackward(...tensors: (Tensor | null)[]): void;
  savedTensors(): (Tensor | null)[];
  needsInputGrad(index: number): boolean;
  markDirty(...tensors: Tensor[]): void;
  markNonDifferentiable(...tensors: Tensor[]): void;
  setMaterializeGrads(value: boolean): void;
}
export declare function customFunction(definition: {
  name?: string;
  forward: (context: AutogradContext, inputs: Tensor[]) => Tensor | (Tensor | null)[];
  backward: (context: AutogradContext, gradOutputs: (Tensor | null)[]) => Tensor | (Tensor | null)[] | null;
  jvp?: (context: AutogradContext, tangents: (Tensor | null)[]) => Tensor | (Tensor | null)[] | null;
  onceDifferentiable?: boolean;
}): ((...inputs: (Tensor | null)[]) => Tensor[]) & { close(): void };

export declare function collect(): number;
export declare function setMemoryThreshold(bytes: number): void;
export declare function heldBytes(): number;
export declare function liveHandles(): number | null;
export declare function heldCallbacks(): number;
export declare function version(): string;

export declare const aten: Operators;
export declare const functional: Namespaces["functional"];
export declare const init: Namespaces["init"];
export declare const nn: Namespaces["nn"];
export declare const utils: Namespaces["utils"];
export declare const core: Functions;
export declare const C: Record<string, (...given: any[]) => any>;
export declare const classes: Record<string, typeof Handle>;
export declare const operatorNames: Record<string, string[]>;
export declare const functionNames: string[];
