// Snapshots: everything that a training run needs to go on after it was interrupted, saved again and again.
//
//     const snapshots = new Snapshots("run", { every: 1000, keepLast: 3 });
//     snapshots.add("model", model);
//     snapshots.add("optimizer", optimizer);
//     let { epoch, step } = snapshots.resume() ?? { epoch: 0, step: 0 };
//     while (step < steps) {
//       …
//       snapshots.step(epoch, ++step); // saves after every 1,000 steps
//     }
//
// A snapshot is a file of the folder, which `torch.load` reads. It is complete or not there.
import { describe, CtorchError } from "./errors.js";
import { classes, Handle } from "./handles.js";
import { Objects } from "./objects.js";
import { functionsByName as core } from "./operators.js";
import { taken } from "./optimizers.js";
import { byName, toPath } from "./streams.js";
import { toValue } from "./values.js";

const objects = new Objects("snapshots", () => Snapshots);
const kinds = ["module", "optimizer", "lr_scheduler", "grad_scaler", "generator"];

/**
 * A folder of snapshots, and what they are taken of. `step` saves after `every` so many steps, never without it. Of the
 * snapshots the newest `keepLast` are kept, all without it, and the `keepBest` by their metric, of which with
 * `maximize` a larger one is better. With `async` they are written on another thread: saving takes as long as copying
 * then.
 */
export class Snapshots extends Handle {
  #parts = []; // as long as C has what these objects stand for, they are needed

  constructor(folder, options = {}) {
    super(typeof folder === "bigint" ? folder : objects.pointerTo(() => core.snapshots_open(toPath(folder))));
    objects.remember(this);
    const { every = 0, keepLast = -1, keepBest = 0, maximize = false, async = false } = options;
    try {
      core.snapshots_set_every(this, every);
      core.snapshots_set_keep(this, keepLast, keepBest, maximize);
      core.snapshots_set_async(this, async);
    } catch (failure) {
      this.close();
      throw failure;
    }
  }

  /**
   * Save a module, optimizer, scheduler, scaler or generator, an object with the methods `stateDict` and
   * `loadStateDict`, or a Map or plain object, whose content is replaced when a run goes on.
   */
  add(name, part) {
    const kind = kinds.find((word) => part instanceof classes[word]);
    if (kind !== undefined) {
      core[`snapshots_add_${kind}`](this, name, part);
    } else if (typeof part?.stateDict === "function" && typeof part.loadStateDict === "function") {
      this.addCallbacks(
        name,
        () => part.stateDict(),
        (state) => part.loadStateDict(state),
      );
    } else if (byName(part) instanceof Map) {
      this.addCallbacks(
        name,
        () => part,
        (state) => replace(part, state),
      );
    } else {
      throw new CtorchError("TYPE", `add: expected what has a state, got ${describe(part)}`);
    }
    this.#parts.push(part);
  }

  /** Save what `save()` returns; resuming calls `load(state)` with it. */
  addCallbacks(name, save, load) {
    core.snapshots_add_callback(
      this,
      name,
      () => toValue(save(), "what the callback returned"),
      (state) => void load(taken(state)),
    );
  }

  /** Say that a step is over, and so many are done: whether a snapshot was taken. */
  step(epoch, step, metric = null) {
    return core.snapshots_step(this, epoch, step, metric);
  }

  /** Save now. A snapshot of the same step is replaced. */
  save(epoch, step, metric = null) {
    core.snapshots_save(this, epoch, step, metric);
  }

  /** Wait until what is being written is written. */
  wait() {
    core.snapshots_wait(this);
  }

  /** Go on from the "last" snapshot, the "best", or that of a path: `{ epoch, step }`; null if there is none. */
  resume(which = "last") {
    const [found, epoch, step] = core.snapshots_resume(this, toPath(which));
    return found ? { epoch, step } : null;
  }

  /** The steps of the snapshots, from the oldest on. */
  get steps() {
    return this.#each(core.snapshots_step_of);
  }

  get paths() {
    return this.#each(core.snapshots_path);
  }

  /** Their metrics; NaN for one that has none. */
  get metrics() {
    return this.#each(core.snapshots_metric);
  }

  #each(read) {
    return Array.from({ length: core.snapshots_len(this) }, (_, i) => read(this, i));
  }
}

function replace(part, state) {
  if (part instanceof Map) {
    part.clear();
    state.forEach((value, key) => part.set(key, value));
    return;
  }
  Object.keys(part).forEach((key) => delete part[key]);
  Object.assign(part, Object.fromEntries(state));
}

Object.defineProperty(Snapshots.prototype, "kind", { value: "snapshots" });
classes.snapshots = Snapshots;
