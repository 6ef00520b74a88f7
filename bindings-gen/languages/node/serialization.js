// Files of `torch.save`: values written so that torch loads them, and read as torch wrote them.
//
//     save(model.stateDict(), "model.pt");
//     model.loadStateDict(load("model.pt", { mapLocation: "cpu", mmap: true }));
//
// streams.js says what may stand for a path, values.js how values look. Loading runs nothing: what a file may make is a
// fixed table of classes, and what `allow` allows becomes a PythonObject, a description.
import { enums } from "./convert.js";
import { functionsByName as core } from "./operators.js";
import { taken } from "./optimizers.js";
import { reading, writing, writingLater } from "./streams.js";
import { Device, toValue } from "./values.js";

/**
 * Write what a value can hold; without a target the bytes are returned. Without `crc32` the checksums are left 0, with
 * `skipData` there are holes in the places of tensors' bytes. What torch reads with `weights_only=False` alone is
 * written without `weightsOnly`. `progress` hears how many bytes were written.
 */
export function save(value, target = null, options = {}) {
  const made = toValue(value, "save: value");
  try {
    return writing(target, options, "save", (writer) => core.serialization_save(writer, made, flagsOf(options)));
  } finally {
    made.close();
  }
}

/** The same on a worker thread; what the value holds must not be changed meanwhile. */
save.async = async (value, target = null, options = {}) => {
  const made = toValue(value, "save: value");
  try {
    const write = (writer) => core.serialization_save.async(writer, made, flagsOf(options));
    return await writingLater(target, options, "save", write);
  } finally {
    made.close();
  }
};

function flagsOf({ crc32 = true, skipData = false, weightsOnly = true }) {
  const { no_crc32, skip_data, any } = enums.save_flags;
  return (crc32 ? 0 : no_crc32) | (skipData ? skip_data : 0) | (weightsOnly ? 0 : any);
}

/**
 * Read a value. `mapLocation` is a device, a Map or an object from the file's devices to those to use, or a function
 * that is given the file's device ("cuda:0") and returns one, or nothing for that one. With `mmap` tensors share a
 * mapping of the file. `allow` has the names of further classes that may be in it ("argparse.Namespace"), or is a
 * function that is asked with module and name. `progress` hears how many bytes were read.
 */
export function load(source, options = {}) {
  const [read, given] = readerOf(options);
  return reading(source, options, "load", (reader) => taken(read(reader, ...given)));
}

/** The same on a worker thread. Functions among the options run on the thread of the event loop nevertheless. */
load.async = async (source, options = {}) => {
  const [read, given] = readerOf(options);
  return reading(source, options, "load", async (reader) => taken(await read.async(reader, ...given)));
};

// The function that reads, and what it is given.
function readerOf({ mapLocation = null, allow = null }) {
  if (allow === null && (mapLocation === null || typeof mapLocation === "string")) {
    return [core.serialization_load, [mapLocation]];
  }
  return [core.serialization_load_with, [places(mapLocation), allowed(allow)]];
}

function places(mapLocation) {
  if (mapLocation === null || typeof mapLocation === "function") {
    return mapLocation;
  }
  if (typeof mapLocation === "string") {
    const { name } = new Device(mapLocation);
    return () => name;
  }
  return (location) => (mapLocation instanceof Map ? mapLocation.get(location) : mapLocation[location]);
}

function allowed(allow) {
  if (allow === null || typeof allow === "function") {
    return allow;
  }
  const names = new Set(typeof allow === "string" ? [allow] : allow);
  return (module, name) => names.has(`${module}.${name}`);
}
