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
  | Transform
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
/** A NamedTuple of TorchScript: its fields by index and as properties; `constructor.fields` has their names. */
export declare class NamedTuple extends Tuple {
  static readonly fields: readonly string[];
  readonly [field: string]: any;
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

/** A tensor that a module takes for one of its parameters when it is assigned to it. */
export interface Parameter extends Tensor {}
export declare const Parameter: {
  prototype: Parameter;
  new (data: Tensor, options?: { requiresGrad?: boolean }): Parameter;
};
export interface IncompatibleKeys {
  missingKeys: string[];
  unexpectedKeys: string[];
}
type Hook = Handle<"hook">;
/** A layer, a network of them, or a class of your own. Calling it applies it. */
export interface Module extends Handle<"module"> {
  (...given: any[]): any;
  forward(...given: any[]): any;
  readonly name: string;
  readonly training: boolean;
  registerParameter(name: string, parameter: Parameter | null): void;
  registerBuffer(name: string, tensor: Tensor | null, options?: { persistent?: boolean }): void;
  registerModule(name: string, module: Module | null): void;
  parameters(options?: { recurse?: boolean }): Tensor[];
  namedParameters(options?: { prefix?: string; recurse?: boolean; removeDuplicate?: boolean }): [string, Tensor][];
  buffers(options?: { recurse?: boolean }): Tensor[];
  namedBuffers(options?: { prefix?: string; recurse?: boolean; removeDuplicate?: boolean }): [string, Tensor][];
  children(): Module[];
  namedChildren(): [string, Module][];
  modules(): Module[];
  namedModules(options?: { prefix?: string; removeDuplicate?: boolean }): [string, Module][];
  getParameter(target: string): Tensor;
  getBuffer(target: string): Tensor;
  getSubmodule(target: string): Module;
  setSubmodule(target: string, module: Module, options?: { strict?: boolean }): void;
  setTape(most?: number, options?: { fast?: boolean }): this;
  train(mode?: boolean): this;
  eval(): this;
  requiresGrad_(requiresGrad?: boolean): this;
  zeroGrad(options?: { setToNone?: boolean }): void;
  to(options: {
    device?: string | null;
    dtype?: string | null;
    nonBlocking?: boolean;
    memoryFormat?: string | null;
  }): this;
  toEmpty(options: { device: string; recurse?: boolean }): this;
  apply(func: (module: Module) => void): this;
  numParameters(options?: { trainable?: boolean }): Int;
  resetParameters(): void;
  copy(): this;
  stateDict(options?: { prefix?: string; keepVars?: boolean }): Map<string, any> & { metadata: Map<string, any> };
  loadStateDict(
    stateDict: ReadonlyMap<string, any> | Record<string, any>,
    options?: { strict?: boolean; assign?: boolean },
  ): IncompatibleKeys;
  registerForwardPreHook(
    hook: (module: Module, args: any[], kwargs: Record<string, any>) => any,
    options?: { prepend?: boolean; withKwargs?: boolean },
  ): Hook;
  registerForwardHook(
    hook: (module: Module, args: any[], kwargs: Record<string, any>, output: any) => any,
    options?: { prepend?: boolean; alwaysCall?: boolean },
  ): Hook;
  registerFullBackwardHook(
    hook: (module: Module, gradInputs: (Tensor | null)[], gradOutputs: (Tensor | null)[]) => any,
    options?: { prepend?: boolean },
  ): Hook;
  registerFullBackwardPreHook(
    hook: (module: Module, gradOutputs: (Tensor | null)[]) => any,
    options?: { prepend?: boolean },
  ): Hook;
  /** Parameters, buffers and modules, and what a class of your own has. */
  [name: string]: any;
}
export declare const Module: { prototype: Module; new (): Module };
interface InOrder extends Module, Iterable<Module> {
  readonly length: number;
  at(index: number): Module;
  append(...modules: Module[]): this;
  insert(index: number, module: Module): this;
  pop(index?: number): Module;
}
interface ByName<T> extends Module, Iterable<[string, T]> {
  get(name: string): T | undefined;
  set(name: string, value: T): this;
  delete(name: string): boolean;
  keys(): string[];
  entries(): [string, T][];
}
type Named<T> = ReadonlyMap<string, T> | Record<string, T>;
interface Containers {
  Module: typeof Module;
  Parameter: typeof Parameter;
  Sequential: { (...modules: Module[]): InOrder; (modules: Named<Module>): InOrder };
  ModuleList: (modules?: readonly Module[]) => InOrder;
  ModuleDict: (modules?: Named<Module>) => ByName<Module>;
  ParameterList: (parameters?: readonly Parameter[]) => Module & Iterable<Tensor>;
  ParameterDict: (parameters?: Named<Parameter>) => ByName<Tensor>;
}

/** An option of a group, of C's: a number, a text, a boolean, a tensor, an array of these, or null. */
export interface ParamGroup {
  readonly params: Tensor[];
  lr: any;
  [option: string]: any;
}
type Params = Iterable<Tensor | [string, Tensor] | { params: Iterable<Tensor | [string, Tensor]>; [option: string]: any }>;
type Options = Record<string, any>;
type Closure = () => any;
/** What changes parameters by their gradients; its classes are in `optim`. */
export declare class Optimizer extends Handle<"optimizer"> {
  readonly name: string;
  readonly paramGroups: ParamGroup[];
  readonly defaults: Options;
  readonly state: Iterable<[Tensor, Options]> & {
    get(parameter: Tensor): Options;
    set(parameter: Tensor, state: Options): unknown;
  };
  step(closure?: Closure | null): any;
  zeroGrad(options?: { setToNone?: boolean }): void;
  setTape(most?: number, options?: { fast?: boolean }): this;
  addParamGroup(group: { params: Tensor | Iterable<Tensor | [string, Tensor]>; [option: string]: any }): void;
  stateDict(): Map<string, any>;
  loadStateDict(stateDict: ReadonlyMap<string, any> | Options): void;
  registerStepPreHook(hook: (optimizer: Optimizer) => void): Hook;
  registerStepPostHook(hook: (optimizer: Optimizer) => void): Hook;
  registerStateDictPreHook(hook: (optimizer: Optimizer) => void, options?: { prepend?: boolean }): Hook;
  registerStateDictPostHook(
    hook: (optimizer: Optimizer, stateDict: Map<string, any>) => any,
    options?: { prepend?: boolean },
  ): Hook;
  registerLoadStateDictPreHook(
    hook: (optimizer: Optimizer, stateDict: Map<string, any>) => any,
    options?: { prepend?: boolean },
  ): Hook;
  registerLoadStateDictPostHook(hook: (optimizer: Optimizer) => void, options?: { prepend?: boolean }): Hook;
}
/** What changes the learning rates of an optimizer; its classes are in `optim.lr_scheduler`. */
export declare class LRScheduler extends Handle<"lr_scheduler"> {
  readonly name: string;
  readonly optimizer: Optimizer;
  lastEpoch: number;
  step(metricOrEpoch?: number | Tensor | null): void;
  getLastLr(): any[];
  getLr(): any[];
  get(name: string): any;
  set(name: string, value: Native): this;
  stateDict(): Map<string, any>;
  loadStateDict(stateDict: ReadonlyMap<string, any> | Options): void;
}
type OptimizerClass = { new (params: Params, ...given: any[]): Optimizer; prototype: Optimizer };
type SchedulerClass = { new (optimizer: Optimizer, ...given: any[]): LRScheduler; prototype: LRScheduler };
type EpochFunction = (epoch: number) => number | Tensor;
type ByFunctions = {
  new (
    optimizer: Optimizer,
    lrLambda: EpochFunction | readonly EpochFunction[],
    options?: { last_epoch?: number },
  ): LRScheduler;
  prototype: LRScheduler;
};
interface Schedulers extends Record<Exclude<keyof Namespaces["lr_scheduler"], "ChainedScheduler">, SchedulerClass> {
  LRScheduler: typeof LRScheduler;
  LambdaLR: ByFunctions;
  MultiplicativeLR: ByFunctions;
  ChainedScheduler: {
    new (schedulers: readonly LRScheduler[], optimizer?: Optimizer | null): LRScheduler;
    prototype: LRScheduler;
  };
}
interface Optimizers extends Record<keyof Namespaces["optim"], OptimizerClass> {
  Optimizer: typeof Optimizer;
  lr_scheduler: Schedulers;
  registerOptimizerStepPreHook(hook: (optimizer: Optimizer) => void): Hook;
  registerOptimizerStepPostHook(hook: (optimizer: Optimizer) => void): Hook;
}
/** Multiplies a loss before backward, so that gradients of 16 bits do not vanish, and divides the gradients by it. */
export declare class GradScaler extends Handle<"grad_scaler"> {
  constructor(
    device?: string,
    options?: {
      init_scale?: number;
      growth_factor?: number;
      backoff_factor?: number;
      growth_interval?: number;
      enabled?: boolean;
    },
  );
  scale(outputs: Tensor): Tensor;
  scale<T extends Native>(outputs: T): T;
  unscale_(optimizer: Optimizer): void;
  step(optimizer: Optimizer, closure?: Closure | null): any;
  update(newScale?: number | Tensor | null): void;
  getScale(): number;
  getGrowthFactor(): number;
  setGrowthFactor(newFactor: number): void;
  getBackoffFactor(): number;
  setBackoffFactor(newFactor: number): void;
  getGrowthInterval(): Int;
  setGrowthInterval(newInterval: Int): void;
  isEnabled(): boolean;
  stateDict(): Map<string, any>;
  loadStateDict(stateDict: ReadonlyMap<string, any> | Options): void;
}

/** Where one is in a sequence of values. */
export declare class ValueIterator extends Handle<"iterator"> implements IterableIterator<any> {
  next(): IteratorResult<any>;
  [Symbol.iterator](): this;
  stateDict(): Map<string, any>;
  loadStateDict(stateDict: ReadonlyMap<string, any> | Options): void;
}
/** What can be gone through again and again: a function that gives an iterable, or an iterable. */
export type Repeatable<T = Native> = Iterable<T> | (() => Iterable<T>);
/** Samples to train with: by index, or one after another. */
export declare class Dataset extends Handle<"dataset"> implements Iterable<any> {
  static from(source: { readonly length: number; at(index: number): Native }): Dataset;
  static fromIterable(source: Repeatable, options?: { length?: number | null }): Dataset;
  readonly name: string;
  readonly length: number;
  readonly isIterable: boolean;
  at(index: number): any;
  attribute(name: string): any;
  iterate(): ValueIterator;
  [Symbol.iterator](): IterableIterator<any>;
}
/** In which order a loader takes samples. */
export declare class Sampler extends Handle<"sampler"> implements Iterable<any> {
  static from(source: Repeatable<number | readonly number[]>, options?: { length?: number | null }): Sampler;
  readonly name: string;
  readonly length: number;
  setEpoch(epoch: number): void;
  iterate(): ValueIterator;
  [Symbol.iterator](): IterableIterator<any>;
}
/** What makes batches of a dataset. */
export interface DataLoader extends Handle<"loader">, Iterable<any> {
  readonly length: number;
  readonly statistics: { batches: number; consumerWaited: number; workersWaited: number; workersWorked: number };
  iterate(): ValueIterator;
  iterateFrom(stateDict: ReadonlyMap<string, any> | Options): ValueIterator;
  [Symbol.iterator](): IterableIterator<any>;
}
interface LoaderOptions {
  batch_size?: number;
  shuffle?: boolean;
  sampler?: Sampler | null;
  batch_sampler?: Sampler | null;
  num_workers?: number;
  collate_fn?: ((samples: any) => Native) | null;
  pin_memory?: boolean;
  drop_last?: boolean;
  timeout?: number;
  worker_init_fn?: ((worker: number) => void) | null;
  generator?: Handle<"generator"> | null;
  prefetch_factor?: number | null;
  persistent_workers?: boolean;
  in_order?: boolean;
}
export declare const DataLoader: {
  (dataset: Dataset, options?: LoaderOptions): DataLoader;
  (dataset: Dataset, batchSize: number, options?: LoaderOptions): DataLoader;
  new (dataset: Dataset, options?: LoaderOptions): DataLoader;
  new (dataset: Dataset, batchSize: number, options?: LoaderOptions): DataLoader;
  from(source: Repeatable, options?: { length?: number | null }): DataLoader;
  prototype: DataLoader;
};
type Split = (
  dataset: Dataset,
  lengths: readonly number[],
  options?: { generator?: Handle<"generator"> | null },
) => Dataset[];
interface Data {
  Dataset: typeof Dataset;
  Sampler: typeof Sampler;
  DataLoader: typeof DataLoader;
  getWorkerInfo(): { id: number; numWorkers: number; seed: Int } | null;
  random_split: Split;
  default_collate(batch: Native): any;
  default_convert(data: Native): any;
}
/** What is done to a sample. It is called. */
export interface Transform extends Handle<"transform"> {
  (...inputs: any[]): any;
  readonly name: string;
}
export declare const Transform: {
  from(
    call: (input: any, generator: Handle<"generator"> | null) => Native,
    options?: { name?: string | null },
  ): Transform;
  create(name: string, ...given: any[]): Transform;
  prototype: Transform;
};
/** A transform, or a function `(input, generator)` that stands for one. */
export type TransformLike = (...inputs: any[]) => any;

type TrainerEvent = import("./generated/operators.js").TrainerEvent;
/** The usual loop over batches. */
export declare class Trainer extends Handle<"trainer"> {
  constructor(model: Module, optimizer: Optimizer);
  setLoss(loss: Module): this;
  setStep(step: ((trainer: Trainer, model: Module, batch: any) => Tensor) | null): this;
  addLogger(logger: Logger, options?: { everySteps?: Int }): this;
  addMetric(name: string, metric?: ((output: any, batch: any) => number | Tensor) | null): this;
  setLength(length: { epochs?: number; steps?: number }): this;
  setAccumulation(batches: number): this;
  setAutocast(deviceType: string, options?: { enabled?: boolean; dtype?: string | null }): this;
  setGradScaler(gradScaler: GradScaler | null): this;
  setClipping(options: { maxNorm?: number; normType?: number; clipValue?: number }): this;
  setLRScheduler(lrScheduler: LRScheduler | null, options?: { eachStep?: boolean; metric?: string | null }): this;
  setValidation(loader: DataLoader | null, options?: { everySteps?: number }): this;
  setEarlyStopping(
    metric: string | null,
    options?: { maximize?: boolean; patience?: number; minDelta?: number },
  ): this;
  setSnapshots(snapshots: Snapshots | null, options?: { everySteps?: number; metric?: string | null }): this;
  setProgress(progress: "none" | "lines" | "live" | "auto"): this;
  setTape(most?: number, options?: { fast?: boolean }): this;
  setInterruptible(interruptible?: boolean): this;
  on(event: TrainerEvent, call: (trainer: Trainer, event: TrainerEvent) => void): this;
  fit(loader: DataLoader): void;
  evaluate(loader: DataLoader): Record<string, number>;
  stop(): void;
  readonly epoch: number;
  readonly step: number;
  readonly stopped: boolean;
  readonly loss: number;
  readonly history: Record<string, number>[];
}

type FileURL = { readonly href: string; readonly protocol: string };
/** A path, a file URL, bytes, a file descriptor, or something that is asked for the bytes. */
export type Source =
  | string
  | FileURL
  | number
  | ArrayBufferView
  | { nbytes: number; read(nbytes: number, offset: number): ArrayBufferView };
/** A path, a file URL, a file descriptor, or a function that gets the bytes, piece by piece. */
export type Target = string | FileURL | number | ((data: Uint8Array) => void);
type Progress = ((nbytes: number) => void) | null;
type Place = string | null | undefined;
export interface SaveOptions {
  crc32?: boolean;
  skipData?: boolean;
  weightsOnly?: boolean;
  progress?: Progress;
}
/** Write a file as `torch.save` does. */
export declare function save(value: Native, target: Target, options?: SaveOptions): void;
export declare function save(value: Native, target?: null, options?: SaveOptions): Uint8Array;
export declare namespace save {
  function async(value: Native, target: Target, options?: SaveOptions): Promise<void>;
  function async(value: Native, target?: null, options?: SaveOptions): Promise<Uint8Array>;
}
export interface LoadOptions {
  mapLocation?: string | Named<Place> | ((location: string) => Place) | null;
  mmap?: boolean;
  allow?: string | Iterable<string> | ((module: string, name: string) => boolean) | null;
  progress?: Progress;
}
/** Read a file of `torch.save`. */
export declare function load(source: Source, options?: LoadOptions): any;
export declare namespace load {
  function async(source: Source, options?: LoadOptions): Promise<any>;
}
/** The tensors of a file by their names, each read when it is asked for. */
export declare class Weights extends Handle<"weights"> implements Iterable<[string, Tensor]> {
  constructor(source: Source, options?: { mmap?: boolean; progress?: Progress });
  readonly format: string;
  readonly size: number;
  names(): string[];
  has(name: string): boolean;
  shape(name: string): Int[];
  dtype(name: string): string;
  type(name: string): string;
  nbytes(name: string): Int;
  tensor(name: string): Tensor;
  slice(name: string, begin: readonly Int[], end: readonly Int[]): Tensor;
  metadata(): Map<string, any>;
  load(options?: { device?: string | null }): Map<string, Tensor>;
  [Symbol.iterator](): IterableIterator<[string, Tensor]>;
}
type Texts = Named<string> | null;
export declare const safetensors: {
  saveFile(tensors: Named<Tensor>, target: Target, metadata?: Texts): void;
  save(tensors: Named<Tensor>, metadata?: Texts): Uint8Array;
  loadFile(source: Source, options?: { device?: string | null }): Map<string, Tensor>;
  load(data: ArrayBufferView): Map<string, Tensor>;
  saveModel(model: Module, target: Target, metadata?: Texts): void;
  saveModel(model: Module, target?: null, metadata?: Texts): Uint8Array;
  loadModel(model: Module, source: Source, options?: { strict?: boolean }): IncompatibleKeys;
};
export declare const npy: {
  save(target: Target, tensor: Tensor): void;
  save(target: null, tensor: Tensor): Uint8Array;
  load(source: Source): Tensor;
};
export declare const npz: {
  save(target: Target, tensors: Named<Tensor>, options?: { compressed?: boolean }): void;
  save(target: null, tensors: Named<Tensor>, options?: { compressed?: boolean }): Uint8Array;
  load(source: Source): Map<string, Tensor>;
};
export declare const sharded: {
  save(
    tensors: Named<Tensor>,
    path: string | FileURL,
    options?: { metadata?: Texts; format?: "safetensors" | "pt"; maxShardSize?: number },
  ): void;
  load(path: string | FileURL, options?: { device?: string | null }): Map<string, Tensor>;
};
/** A folder of snapshots of a training run, and what they are taken of. */
export declare class Snapshots extends Handle<"snapshots"> {
  constructor(
    folder: string | FileURL,
    options?: { every?: number; keepLast?: number; keepBest?: number; maximize?: boolean; async?: boolean },
  );
  add(
    name: string,
    part:
      | Module
      | Optimizer
      | LRScheduler
      | GradScaler
      | Handle<"generator">
      | { stateDict(): Native; loadStateDict(state: any): unknown }
      | Map<Native, Native>
      | { [name: string]: Native },
  ): void;
  addCallbacks(name: string, save: () => Native, load: (state: any) => void): void;
  step(epoch: Int, step: Int, metric?: number | null): boolean;
  save(epoch: Int, step: Int, metric?: number | null): void;
  wait(): void;
  resume(which?: string | FileURL): { epoch: Int; step: Int } | null;
  readonly steps: Int[];
  readonly paths: string[];
  readonly metrics: number[];
}

/** A module of TorchScript. */
export declare class JitModule extends Handle<"jit_module"> {
  constructor(source: Source, options?: { device?: string | null });
  static compile(source: string): JitModule;
  static trace(module: Module, inputs: readonly Native[]): JitModule;
  call(...given: Native[]): any;
  method(name: string, ...given: Native[]): any;
  methodNames(): string[];
  namedParameters(): Map<string, Tensor>;
  attribute(name: string): any;
  setAttribute(name: string, value: Native): void;
  train(mode?: boolean): this;
  eval(): this;
  code(method?: string): string;
  save(target: Target): void;
  save(target?: null): Uint8Array;
}
/** A compiled model of AOTInductor: a program, so load those alone whose origin you trust. */
export declare class Package extends Handle<"package"> {
  constructor(
    path: string | FileURL,
    options?: { modelName?: string | null; singleThreaded?: boolean; numRunners?: Int; device?: string | null },
  );
  static modelNames(path: string | FileURL): string[];
  call(...given: Native[]): any;
  run(...inputs: Tensor[]): Tensor[];
  metadata(): Map<string, string>;
  constants(): Map<string, Tensor>;
}
/** A program of torch.export, which runs as a module. */
export declare class ExportedProgram extends Handle<"exported_program"> {
  constructor(source: Source, options?: { modelName?: string | null });
  module(): Module;
  stateDict(): Map<string, Tensor>;
  metadata(): Map<string, any>;
  missingOperators(): string[];
  readonly text: string;
}

/** What a tokenizer makes of a text: columns with an entry for each token. */
export declare class Encoding extends Handle<"encoding"> {
  readonly length: number;
  readonly ids: number[];
  readonly tokens: string[];
  /** Where the tokens stand in their text, in characters (code points). */
  readonly offsets: [number, number][];
  readonly byteOffsets: [number, number][];
  readonly typeIds: number[];
  readonly attentionMask: number[];
  readonly specialTokensMask: number[];
  readonly wordIds: (number | null)[];
  readonly sequenceIds: (number | null)[];
  readonly overflowing: Encoding[];
  tensor(column?: string): Tensor;
}
export declare class EncodingBatch extends Handle<"encoding_batch"> {
  readonly length: number;
  at(index: number): Encoding | undefined;
  tensor(column?: string, options?: { fillValue?: Int }): Tensor;
  [Symbol.iterator](): IterableIterator<Encoding>;
}
export declare class DecodeStream extends Handle<"decode_stream"> {
  /** What the text has grown by; "" as long as its last character is not complete. */
  step(id: Int): string;
}
type Encode = { addSpecialTokens?: boolean };
type Decode = { skipSpecialTokens?: boolean };
/** What a `tokenizer.json` describes. */
export declare class Tokenizer extends Handle<"tokenizer"> {
  constructor(source: Source);
  toJson(options?: { pretty?: boolean }): string;
  encode(text: string, pair?: string | null, options?: Encode): Encoding;
  encodeWords(words: readonly string[], pair?: readonly string[] | null, options?: Encode): Encoding;
  encodeBatch(
    texts: readonly string[],
    pairs?: readonly string[] | null,
    options?: Encode & { numThreads?: number },
  ): EncodingBatch;
  encodeTensor(text: string, options?: Encode): Tensor;
  decode(ids: readonly Int[], options?: Decode): string;
  decodeBatch(ids: Tensor, options?: Decode): string[];
  decodeStream(options?: Decode): DecodeStream;
  tokenToId(token: string): number | undefined;
  idToToken(id: Int): string | undefined;
  readonly vocabSize: number;
  vocab(options?: { withAddedTokens?: boolean }): Map<string, number>;
  addTokens(tokens: readonly string[], options?: { special?: boolean }): number;
  enableTruncation(
    maxLength: Int,
    options?: {
      stride?: Int;
      strategy?: "longest_first" | "only_first" | "only_second";
      direction?: "right" | "left";
    },
  ): this;
  noTruncation(): this;
  enablePadding(options?: {
    padId?: Int;
    padTypeId?: Int;
    padToken?: string;
    length?: Int | null;
    padToMultipleOf?: Int | null;
    direction?: "right" | "left";
  }): this;
  noPadding(): this;
}
/** An encoding of tiktoken: one that is published by its name, or one of a pattern of your own. */
export declare class Tiktoken extends Handle<"tiktoken"> {
  constructor(ranks: Source, options: { name: string } | { pattern: string; specialTokens?: Named<number> });
  encodeOrdinary(text: string): number[];
  encode(
    text: string,
    options?: { allowedSpecial?: "all" | readonly string[]; disallowedSpecial?: "all" | readonly string[] },
  ): number[];
  decode(ids: readonly Int[]): string;
  decodeBytes(ids: readonly Int[]): Uint8Array;
  readonly vocabSize: number;
}

/** What accumulates how good predictions are. */
export declare class Metric extends Handle<"metric"> {
  static create(name: string, ...given: Native[]): Metric;
  readonly name: string;
  update(...inputs: Native[]): void;
  /** A tensor, or an array or a Map of such. */
  compute(): any;
  forward(...inputs: Native[]): any;
  reset(): void;
  readonly updateCount: number;
  merge(other: Metric): this;
  clone(): this;
  stateDict(): Map<string, Tensor | Tensor[]>;
  loadStateDict(stateDict: Named<Tensor | readonly Tensor[]>): void;
  readonly reductions: Map<string, "sum" | "min" | "max" | "cat">;
  to(options: { device?: string | null; dtype?: string | null }): this;
}
export declare class MetricCollection extends Metric {
  constructor(
    metrics: readonly Metric[] | Named<Metric>,
    options?: { prefix?: string | null; postfix?: string | null },
  );
  compute(): Map<string, any>;
}

type Walltime = { walltime?: number | null };
/** What writes the events of a run, for TensorBoard. */
export declare class SummaryWriter extends Handle<"summary_writer"> {
  constructor(
    logDir?: string | FileURL | null,
    options?: {
      comment?: string | null;
      purgeStep?: Int | null;
      maxQueue?: Int;
      flushSecs?: number;
      filenameSuffix?: string | null;
    },
  );
  readonly logDir: string;
  readonly path: string;
  setRotation(limits: { maxBytes?: Int; maxSecs?: number }): this;
  addScalar(
    tag: string,
    value: number | Tensor,
    step?: Int,
    options?: Walltime & { newStyle?: boolean; doublePrecision?: boolean },
  ): void;
  addScalars(mainTag: string, values: Named<number | Tensor>, step?: Int, options?: Walltime): void;
  addTensor(tag: string, tensor: Tensor, step?: Int, options?: Walltime): void;
  addHistogram(
    tag: string,
    values: Tensor,
    step?: Int,
    options?: Walltime & { bins?: string | readonly number[]; maxBins?: Int },
  ): void;
  addImage(tag: string, image: Tensor, step?: Int, options?: Walltime & { dataformats?: string | null }): void;
  addAudio(tag: string, sound: Tensor, step?: Int, options?: Walltime & { sampleRate?: Int }): void;
  addText(tag: string, text: string, step?: Int, options?: Walltime): void;
  addGraph(model: Module, inputs: Native, options?: Walltime): void;
  addHparams(
    hparams: Named<Native>,
    metrics: Named<number>,
    options?: Walltime & { domain?: Named<readonly Native[]> | null; runName?: string | null; step?: Int },
  ): void;
  addEmbedding(
    vectors: Tensor,
    options?: {
      metadata?: readonly Native[] | null;
      labelImages?: Tensor | null;
      step?: Int;
      tag?: string;
      metadataHeader?: readonly string[] | null;
    },
  ): void;
  addPrCurve(
    tag: string,
    labels: Tensor,
    predictions: Tensor,
    step?: Int,
    options?: Walltime & { numThresholds?: Int; weights?: Tensor | null },
  ): void;
  addCustomScalars(layout: Named<Native>): void;
  flush(): void;
}
/** A value of an event file: a scalar's number, a text, a tensor, a histogram's edges and counts; null of others. */
export interface SummaryEvent {
  readonly tag: string;
  readonly step: number;
  readonly wallTime: number;
  readonly kind: import("./generated/operators.js").SummaryKind;
  readonly value: number | string | Tensor | [Tensor, Tensor] | null;
}
export declare class SummaryReader extends Handle<"summary_reader"> {
  constructor(path: string | FileURL);
  static runs(folder: string | FileURL): string[];
  [Symbol.iterator](): IterableIterator<SummaryEvent>;
}
/** What takes the numbers of a run by their names. */
export declare class Logger extends Handle<"logger"> {
  static csv(path: string | FileURL): Logger;
  static jsonLines(path: string | FileURL): Logger;
  static of(target: SummaryWriter | ((values: Record<string, number>, step: number, walltime: number) => void)): Logger;
  log(values: Named<number | Tensor>, step: Int, options?: Walltime): void;
  flush(): void;
}

/** A captured step, whose outputs are the same tensors after each replay. */
export declare class Tape<T extends Tensor | Tensor[] | void = any> extends Handle<"tape"> {
  constructor(inputs: Tensor[], step: (...inputs: Tensor[]) => T, options?: { fast?: boolean; verify?: boolean });
  replay(inputs?: Tensor[]): T;
  readonly outputs: T;
  readonly text: string;
  readonly bytes: Int;
}
export declare function capture<T extends Tensor | Tensor[] | void>(
  inputs: Tensor[],
  step: (...inputs: Tensor[]) => T,
  options?: { fast?: boolean; verify?: boolean },
): Tape<T>;

export declare function collect(): number;
export declare function setMemoryThreshold(bytes: number): void;
export declare function heldBytes(): number;
export declare function liveHandles(): number | null;
export declare function heldCallbacks(): number;
export declare function version(): string;

export declare const aten: Operators;
export declare const data: Omit<Namespaces["data"], keyof Data> & Data;
export declare const datasets: Namespaces["datasets"];
export declare const functional: Namespaces["functional"];
export declare const init: Namespaces["init"];
export declare const metrics: Namespaces["metrics"] & {
  Metric: typeof Metric;
  MetricCollection: typeof MetricCollection;
};
export declare const nn: Omit<Namespaces["nn"], keyof Containers> & Containers;
export declare const transforms: Namespaces["transforms"] & {
  Transform: typeof Transform;
  functional: Namespaces["transforms_functional"];
};
export declare const tv_tensors: Namespaces["tv_tensors"];
export declare const utils: Namespaces["utils"];
export declare const optim: Optimizers;
export declare const amp: { GradScaler: typeof GradScaler };
export declare const core: Functions;
export declare const C: Record<string, (...given: any[]) => any>;
export declare const classes: Record<string, typeof Handle>;
export declare const operatorNames: Record<string, string[]>;
export declare const functionNames: string[];
