// Files of other formats than torch's: safetensors, NumPy's, and weights in several files.
//
//     safetensors.saveFile(model.stateDict(), "model.safetensors", { format: "pt" });
//     const tensors = safetensors.loadFile("model.safetensors");
//     npy.save("x.npy", x);
//
// Tensors by their names are a Map or a plain object; what is read is a Map. streams.js says what may stand for a path:
// null as a target has the bytes returned.
import { CtorchError } from "./errors.js";
import { functionsByName as core } from "./operators.js";
import { taken } from "./optimizers.js";
import { byName, toPath, writing } from "./streams.js";
import { Weights } from "./weights.js";

function using(weights, body) {
  try {
    return body(weights);
  } finally {
    weights.close();
  }
}

// Call `body` with the weights of a file of that very format.
function opened(source, where, format, body) {
  return using(new Weights(source, { mmap: false }), (weights) => {
    if (weights.format !== format) {
      throw new CtorchError("FORMAT", `${where}: the format of the file is ${weights.format}, not ${format}`);
    }
    return body(weights);
  });
}

/** Hugging Face's files, by the names of the package `safetensors.torch`. */
export const safetensors = {
  /** Write tensors, and metadata: texts by names. */
  saveFile(tensors, target, metadata = null) {
    const [named, told] = [byName(tensors), byName(metadata)];
    return writing(target, {}, "saveFile", (writer) => core.safetensors_write(writer, named, told));
  },

  /** The bytes of such a file. */
  save(tensors, metadata = null) {
    return safetensors.saveFile(tensors, null, metadata);
  },

  loadFile(source, options = {}) {
    return opened(source, "loadFile", "safetensors", (weights) => weights.load(options));
  },

  /** The tensors of a file that is there as bytes. */
  load(data) {
    return safetensors.loadFile(data);
  },

  /** Write the state dict of a model whose tensors may share memory: of those that do, one. */
  saveModel(model, target, metadata = null) {
    const told = byName(metadata);
    return writing(target, {}, "saveModel", (writer) => core.safetensors_write_model(writer, model, told));
  },

  /** Load a model whose tensors may share memory, from a file of any format; tells which names did not fit. */
  loadModel(model, source, { strict = true } = {}) {
    const [missing, unexpected] = using(new Weights(source), (weights) =>
      core.safetensors_load_model(model, weights, strict),
    );
    return { missingKeys: taken(missing), unexpectedKeys: taken(unexpected) };
  },
};

/** NumPy's files of one tensor. */
export const npy = {
  /** Write a tensor. Nothing is appended to the path. */
  save(target, tensor) {
    return writing(target, {}, "save", (writer) => core.npy_write(writer, tensor));
  },

  load(source) {
    return opened(source, "load", "npy", (weights) => weights.tensor(""));
  },
};

/** NumPy's files of tensors by their names. */
export const npz = {
  /** Write tensors, deflated if `compressed`. Nothing is appended to the path. */
  save(target, tensors, { compressed = false } = {}) {
    const named = byName(tensors);
    return writing(target, {}, "save", (writer) => core.npz_write(writer, named, compressed));
  },

  load(source) {
    return opened(source, "load", "npz", (weights) => weights.load());
  },
};

/** Weights in several files and an index, as Hugging Face has them. */
export const sharded = {
  /** Write tensors to a folder that is there; `format` is "safetensors" or "pt", `maxShardSize` the bytes in a file. */
  save(tensors, path, { metadata = null, format = "safetensors", maxShardSize = 0 } = {}) {
    core.sharded_write(byName(tensors), byName(metadata), toPath(path), format, maxShardSize);
  },

  /** All tensors of a folder, or of the files that an index lists. */
  load(path, options = {}) {
    return using(new Weights(path), (weights) => weights.load(options));
  },
};
