// Datasets, samplers, loaders and their iterators, as torch.utils.data has them, and datasets of files.
//
//     const digits = datasets.IDXFile("images.gz", "labels.gz", { transform: (image) => image.div(255) });
//     const loader = data.DataLoader(digits, { batch_size: 64, shuffle: true, num_workers: 2 });
//     for (const [images, labels] of loader) {
//       …
//     }
//
// What stands in schema files has Python's names, also for arguments. Samples and batches are what values hold: tensors,
// numbers, texts, arrays, a Tuple for a tuple, a Map for a dict.
//
// JavaScript functions are called on the thread that takes batches, also by a loader with workers: these then do what the
// library does by itself, as transforms of its own and making batches.
import { isOptions } from "./call.js";
import { Made, toFunction } from "./callbacks.js";
import { CtorchError, describe } from "./errors.js";
import { classes, Handle } from "./handles.js";
import { table } from "./library.js";
import { constructorOf } from "./objects.js";
import { functionsByName as core, lazily, namespaced } from "./operators.js";
import { taken } from "./optimizers.js";
import { toValue } from "./values.js";

const namespaces = table("namespaces");

const give = (value, where) => new Made(toValue(value, where));

// Iterators

/** Where one is in a sequence of values. It goes through them once; `break` leaves it where it is. */
export class ValueIterator extends Handle {
  next() {
    const value = core.iterator_next(this);
    return value === null ? { value: undefined, done: true } : { value: taken(value), done: false };
  }

  [Symbol.iterator]() {
    return this;
  }

  /** A Map that tells where it is, to be saved. */
  stateDict() {
    return taken(core.iterator_state_dict(this));
  }

  /** Go on where another iterator was; nothing was taken from this one yet. */
  loadStateDict(stateDict) {
    core.iterator_load_state_dict(this, toValue(stateDict, "loadStateDict: stateDict"));
  }
}

// The values of an iterator that nobody else has: it is closed when they are through, or nobody wants more.
function* valuesOf(iterator) {
  try {
    yield* iterator;
  } finally {
    iterator.close();
  }
}

// The C iterator of what a function gives, or of what can be gone through again. If its iterator has `stateDict` and
// `loadStateDict`, C can tell where it is.
function iterate(source, what) {
  const iterable = typeof source === "function" ? source() : source;
  if (iterable instanceof ValueIterator) {
    return iterable;
  }
  if (typeof iterable?.[Symbol.iterator] !== "function") {
    throw new CtorchError("TYPE", `${what} must give what can be iterated over, not ${describe(iterable)}`);
  }
  const iterator = iterable[Symbol.iterator]();
  let ended = false;
  const next = () => {
    const { value, done } = iterator.next();
    ended = done === true;
    return ended ? null : give(value, what);
  };
  next.leave = () => {
    if (!ended) {
      ended = true;
      iterator.return?.();
    }
  };
  if (typeof iterator.stateDict !== "function" || typeof iterator.loadStateDict !== "function") {
    return new Made(core.iterator_from_callback(next));
  }
  const save = () => give(iterator.stateDict(), what);
  const load = (state) => void iterator.loadStateDict(taken(state));
  return new Made(core.iterator_from_stateful_callback(next, save, load));
}

// What goes through `source` again and again, and how long it is, if that is known.
function repeatable(source, given, what) {
  const length = given ?? (Array.isArray(source) ? source.length : null);
  if (typeof source !== "function" && typeof source?.[Symbol.iterator] !== "function") {
    const expected = "what can be iterated over, or a function that gives it";
    throw new CtorchError("TYPE", `${what}: expected ${expected}, got ${describe(source)}`);
  }
  return [length, () => iterate(source, what)];
}

// Datasets

/** Samples to train with: by index, or one after another. */
export class Dataset extends Handle {
  /** Samples of your own, by index: an array, or an object with `length` and a method `at`. */
  static from(source) {
    if (typeof source?.at !== "function" || typeof source.length !== "number") {
      throw new CtorchError("TYPE", `Dataset.from: expected an object with length and at, got ${describe(source)}`);
    }
    return core.dataset_from_callback(source.length, (index) => give(source.at(index), "a sample"));
  }

  /**
   * Samples of your own, one after another: a function that gives what can be iterated over, as a generator is, or that
   * itself. Each worker of a loader goes through it by itself: data.getWorkerInfo tells which one asks.
   */
  static fromIterable(source, { length = null } = {}) {
    return core.dataset_from_iterable(...repeatable(source, length, "Dataset.fromIterable"));
  }

  /** Name of the class. */
  get name() {
    return core.dataset_name(this);
  }

  /** Number of samples. */
  get length() {
    return core.dataset_len(this);
  }

  /** Whether its samples come one after another, and not by index. */
  get isIterable() {
    return core.dataset_is_iterable(this);
  }

  /** A sample; a negative index counts from the end. */
  at(index) {
    return taken(core.dataset_get(this, index));
  }

  /** Something that it knows besides its samples: "classes". */
  attribute(name) {
    return taken(core.dataset_attribute(this, name));
  }

  iterate() {
    return core.dataset_iterate(this);
  }

  [Symbol.iterator]() {
    return valuesOf(this.iterate());
  }

  toString() {
    return this.name;
  }
}

// Samplers

/** In which order a loader takes samples: an index, or an array of them, one after another. */
export class Sampler extends Handle {
  /** An order of your own: a function that gives indices to iterate over for each epoch, or an array of them. */
  static from(source, { length = null } = {}) {
    return core.sampler_from_callback(...repeatable(source, length, "Sampler.from"));
  }

  /** Name of the class. */
  get name() {
    return core.sampler_name(this);
  }

  /** Number of indices, or of batches. */
  get length() {
    return core.sampler_len(this);
  }

  /** Let the next order be that of an epoch, as DistributedSampler has it. */
  setEpoch(epoch) {
    core.sampler_set_epoch(this, epoch);
  }

  iterate() {
    return core.sampler_iterate(this);
  }

  [Symbol.iterator]() {
    return valuesOf(this.iterate());
  }

  toString() {
    return this.name;
  }
}

// Loaders

class Loader extends Handle {
  get name() {
    return "DataLoader";
  }

  /** Number of batches. */
  get length() {
    return core.loader_len(this);
  }

  /** Begin an epoch: an iterator whose position can be saved. */
  iterate() {
    return core.loader_iterate(this);
  }

  /** Begin where an iterator of such a loader was. */
  iterateFrom(stateDict) {
    return core.loader_iterate_from(this, toValue(stateDict, "iterateFrom: stateDict"));
  }

  [Symbol.iterator]() {
    return valuesOf(this.iterate());
  }

  /** Which side is slow: how many batches were handed out, and how many seconds the two sides waited and worked. */
  get statistics() {
    const [batches, consumerWaited, workersWaited, workersWorked] = core.loader_statistics(this);
    return { batches, consumerWaited, workersWaited, workersWorked };
  }

  toString() {
    return this.name;
  }
}

const kinds = { dataset: Dataset, iterator: ValueIterator, loader: Loader, sampler: Sampler };
for (const [kind, one] of Object.entries(kinds)) {
  Object.defineProperty(one.prototype, "kind", { value: kind });
  classes[kind] = one;
}

function makeLoader(...given) {
  const options = isOptions(given.at(-1)) ? given.pop() : {};
  const { collate_fn: collate = null, worker_init_fn: begin = null, ...named } = options;
  const loader = namespaced.data.DataLoader(...given, named);
  try {
    if (collate !== null) {
      const run = toFunction(collate, "collate_fn");
      core.loader_set_collate(loader, (samples) => give(run(taken(samples)), "collate_fn"));
    }
    if (begin !== null) {
      const run = toFunction(begin, "worker_init_fn");
      core.loader_set_worker_init(loader, (worker) => void run(worker));
    }
  } catch (failure) {
    loader.close();
    throw failure;
  }
  return loader;
}

/** What makes batches of a dataset; besides Python's arguments it takes `collate_fn` and `worker_init_fn`. */
export const DataLoader = constructorOf(
  "DataLoader",
  namespaced.data.DataLoader,
  (object) => object instanceof Loader,
  makeLoader,
);

/** Batches of your own: a function that gives what to iterate over for each epoch, or an array of them. */
DataLoader.from = (source, { length = null } = {}) =>
  core.loader_from_callback(...repeatable(source, length, "DataLoader.from"));

// Namespaces

// A namespace of classes that C knows by name, and what stands beside them.
export function namespaceOf(name, kinds, beside = {}) {
  const made = new Map(Object.entries(beside));
  return lazily({ ...namespaces[name], ...beside }, (member) => {
    if (!made.has(member)) {
      const found = namespaced[name][member];
      const has = (object) =>
        kinds.some((kind) => object instanceof classes[kind]) && !object.closed && object.name === member;
      made.set(member, found === undefined ? undefined : constructorOf(member, found, has));
    }
    return made.get(member);
  });
}

/** The worker that calls this function of a dataset: `{ id, numWorkers, seed }`; null where no worker is at work. */
function getWorkerInfo() {
  const [id, numWorkers, seed] = core.loader_worker_info();
  return id < 0 ? null : { id, numWorkers, seed };
}

/** Split a dataset at random, by lengths or by fractions that add up to 1: a data.Subset for each. */
function randomSplit(dataset, ...given) {
  const parts = namespaced.data.random_split(dataset, ...given);
  return parts.map((indices) => {
    try {
      return namespaced.data.Subset.tensor(dataset, indices);
    } finally {
      indices.close();
    }
  });
}

/** torch.utils.data: `data.TensorDataset([x, y])`, `data.DataLoader(dataset, { batch_size: 64 })`. */
export const data = namespaceOf("data", ["dataset", "sampler"], {
  Dataset,
  Sampler,
  DataLoader,
  getWorkerInfo,
  random_split: randomSplit,
  default_collate: (batch) => taken(namespaced.data.default_collate(batch)),
  default_convert: (sample) => taken(namespaced.data.default_convert(sample)),
});

/** Datasets of files, as torchvision.datasets has them: `datasets.ImageFolder("photos", { transform })`. */
export const datasets = namespaceOf("datasets", ["dataset"]);
