// The tensors of a file by their names, whichever format it has, each read when it is asked for.
//
//     const weights = new Weights("model.safetensors");
//     console.log(weights.format, weights.names(), weights.shape("embedding.weight"));
//     const rows = weights.slice("embedding.weight", [0], [100]);
//     weights.close();
//
// The formats are "pt" (what `torch.save` writes), "safetensors", "npy", "npz", "gguf", and "sharded": several files
// that an index lists, or the folder that they are in.
import { classes, Handle } from "./handles.js";
import { Objects } from "./objects.js";
import { functionsByName as core } from "./operators.js";
import { taken } from "./optimizers.js";
import { isPath, reading, toPath } from "./streams.js";

const objects = new Objects("weights", () => Weights);

function open(source, { mmap = isPath(source), progress = null }) {
  if (isPath(source) && progress === null) {
    return core.weights_open_file(toPath(source), mmap); // also a folder, and the index of several files
  }
  return reading(source, { mmap, progress }, "Weights", (reader) => core.weights_open(reader));
}

/**
 * The table of contents of a path or another source (streams.js), and a way to the tensors. A path is mapped unless
 * `mmap` is false: nothing is read until it is looked at, and tensors share the mapping.
 */
export class Weights extends Handle {
  constructor(source, options = {}) {
    super(typeof source === "bigint" ? source : objects.pointerTo(() => open(source, options)));
    objects.remember(this);
  }

  /** The format's name: "safetensors". */
  get format() {
    return core.weights_format(this);
  }

  get size() {
    return core.weights_len(this);
  }

  /** The names, in the order of the file. */
  names() {
    return Array.from({ length: this.size }, (_, i) => core.weights_name(this, i));
  }

  has(name) {
    try {
      core.weights_find(this, name);
      return true;
    } catch (failure) {
      if (failure.codeName === "INDEX") {
        return false;
      }
      throw failure;
    }
  }

  /** The shape of a tensor, which is not read. */
  shape(name) {
    return core.weights_shape(this, core.weights_find(this, name));
  }

  /** The dtype with which a tensor is read. */
  dtype(name) {
    return core.weights_dtype(this, core.weights_find(this, name));
  }

  /** The element type in the format's own words: "BF16", "Q4_K", "<f4". */
  type(name) {
    return core.weights_type(this, core.weights_find(this, name));
  }

  /** How many bytes a tensor takes in the file, before it is compressed. */
  nbytes(name) {
    return core.weights_nbytes(this, core.weights_find(this, name));
  }

  /** Read a tensor. */
  tensor(name) {
    return core.weights_tensor(this, name);
  }

  /** Read a part of a tensor: from `begin` to before `end` in each of its first dimensions, negative from the end. */
  slice(name, begin, end) {
    return core.weights_slice(this, name, begin, end);
  }

  *[Symbol.iterator]() {
    for (const name of this.names()) {
      yield [name, this.tensor(name)];
    }
  }

  /** A Map of what the file says beside its tensors. */
  metadata() {
    return taken(core.weights_metadata(this));
  }

  /** A Map of all tensors by their names, on the CPU or on a device. */
  load({ device = null } = {}) {
    return taken(core.weights_load(this, device));
  }
}

Object.defineProperty(Weights.prototype, "kind", { value: "weights" });
classes.weights = Weights;
