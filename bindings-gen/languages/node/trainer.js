// The trainer: the usual loop over batches.
//
//     const trainer = new Trainer(model, optimizer)
//       .setLoss(nn.CrossEntropyLoss())
//       .setLength({ epochs: 10 })
//       .addMetric("accuracy")
//       .setValidation(validation)
//       .setSnapshots(new Snapshots("run", { keepLast: 2 }))
//       .on("epoch_end", (trainer) => console.log(trainer.history.at(-1)));
//     trainer.fit(loader);
//
// A batch is an array of inputs and, at its end, the target; `setStep` takes batches of any form. What it knows of a run
// are metrics by name: "loss", those of addMetric, and of validation the same with "val_" before it.
//
// A callback that needs the trainer takes it as its argument: one that refers to it by itself keeps it for ever, unless
// it is closed. fit runs to its end before anything else: what waits for the event loop waits.
import { toFunction } from "./callbacks.js";
import { classes, Handle } from "./handles.js";
import { Objects } from "./objects.js";
import { functionsByName as core } from "./operators.js";
import { taken } from "./optimizers.js";

const objects = new Objects("trainer", () => Trainer);

/** A loop of training; of one epoch until setLength says something else. */
export class Trainer extends Handle {
  #parts = {}; // as long as C has what these objects stand for, they are needed

  constructor(model, optimizer) {
    super(typeof model === "bigint" ? model : objects.pointerTo(() => core.trainer_new(model, optimizer)));
    objects.remember(this);
    this.#keep({ model, optimizer });
  }

  #keep(parts) {
    Object.assign(this.#parts, parts);
    return this;
  }

  // What it does. Each gives the trainer again.

  /** Compute the loss by a module: `loss(model(...inputs), target)`. */
  setLoss(loss) {
    core.trainer_set_loss(this, loss);
    return this.#keep({ loss });
  }

  /** Compute the loss of a batch by `step(trainer, model, batch)`, also in validation; null for that of a module again. */
  setStep(step) {
    const wrap = (call) => (trainer, model, batch) => call(trainer, model, taken(batch));
    core.trainer_set_step(this, step === null ? null : wrap(toFunction(step, "setStep")));
    return this;
  }

  /**
   * Compute a metric of each batch by `metric(output, batch)`, which gives the mean over its samples; without it the
   * share of targets that are the index of the greatest output.
   */
  addMetric(name, metric = null) {
    const wrap = (call) => (output, batch) => call(taken(output), taken(batch));
    core.trainer_add_metric(this, name, metric === null ? null : wrap(toFunction(metric, "addMetric")));
    return this;
  }

  /** Log what it knows after each epoch, and the loss after so many steps; 0 for epochs alone. */
  addLogger(logger, { everySteps = 0 } = {}) {
    core.trainer_add_logger(this, logger, everySteps);
    return this;
  }

  /** How many epochs, and steps of the optimizer: whatever comes first, 0 for no limit. */
  setLength({ epochs = 0, steps = 0 }) {
    core.trainer_set_length(this, epochs, steps);
    return this;
  }

  /** Step after several batches. */
  setAccumulation(batches) {
    core.trainer_set_accumulation(this, batches);
    return this;
  }

  /** Compute losses under autocast. */
  setAutocast(deviceType, { enabled = true, dtype = null } = {}) {
    core.trainer_set_autocast(this, deviceType, enabled, dtype);
    return this;
  }

  /** Scale losses, and step through a GradScaler; null for none. */
  setGradScaler(gradScaler) {
    core.trainer_set_grad_scaler(this, gradScaler);
    return this.#keep({ gradScaler });
  }

  /** Clip gradients before each step, by their norm and then by value; 0 for no clipping. */
  setClipping({ maxNorm = 0, normType = 2, clipValue = 0 }) {
    core.trainer_set_clipping(this, maxNorm, normType, clipValue);
    return this;
  }

  /** Step a scheduler after each epoch, or each step; ReduceLROnPlateau is told the metric. */
  setLRScheduler(lrScheduler, { eachStep = false, metric = null } = {}) {
    core.trainer_set_lr_scheduler(this, lrScheduler, eachStep, metric);
    return this.#keep({ lrScheduler });
  }

  /** Validate with another loader after each epoch, and after so many steps; null for no validation. */
  setValidation(loader, { everySteps = 0 } = {}) {
    core.trainer_set_validation(this, loader, everySteps);
    return this.#keep({ validation: loader });
  }

  /** Stop when a metric has not become better for `patience` epochs; null for no early stopping. */
  setEarlyStopping(metric, { maximize = false, patience = 0, minDelta = 0 } = {}) {
    core.trainer_set_early_stopping(this, metric, maximize, patience, minDelta);
    return this;
  }

  /** Save Snapshots after each epoch, and after so many steps, and go on from the last one; null for none. */
  setSnapshots(snapshots, { everySteps = 0, metric = null } = {}) {
    core.trainer_set_snapshots(this, snapshots, everySteps, metric);
    return this.#keep({ snapshots });
  }

  /** Show on the standard error stream how far it is: "none", "lines", "live", or "auto". */
  setProgress(progress) {
    core.trainer_set_progress(this, progress);
    return this;
  }

  /** Capture steps and replay them, one tape for each form of a batch, `most` of them; 0 for none. */
  setTape(most = 4, { fast = false } = {}) {
    core.trainer_set_tape(this, most, fast);
    return this;
  }

  /** Let Ctrl-C stop it as `stop` does, while fit runs. */
  setInterruptible(interruptible = true) {
    core.trainer_set_interruptible(this, interruptible);
    return this;
  }

  /**
   * Call `call(trainer, event)` at a point of the loop: "begin", "epoch_begin", "batch_end", "gradients", "step",
   * "validation", "epoch_end", "snapshot", "end".
   */
  on(event, call) {
    const run = toFunction(call, "on");
    core.trainer_add_callback(this, event, (trainer, at) => void run(trainer, at));
    return this;
  }

  // Training

  /** Train until the length is reached, it is stopped, or something fails. Called again, it goes on where it was. */
  fit(loader) {
    core.trainer_fit(this, loader);
  }

  /** The mean loss and the metrics over a loader, by their names. */
  evaluate(loader) {
    return Object.fromEntries(taken(core.trainer_evaluate(this, loader)));
  }

  /** Let it stop after the step that it is at, with a snapshot if it has any. */
  stop() {
    core.trainer_stop(this);
  }

  // What it knows

  /** Number of epochs that are over. */
  get epoch() {
    return core.trainer_epoch(this);
  }

  /** Number of steps so far. */
  get step() {
    return core.trainer_step(this);
  }

  /** Whether it ended because it was stopped. */
  get stopped() {
    return core.trainer_stopped(this);
  }

  /** The loss of the last batch. */
  get loss() {
    return core.trainer_loss(this);
  }

  /** The metrics of each epoch that is over: objects with `epoch`, `step`, `loss` and so on. */
  get history() {
    return taken(core.trainer_history(this)).map((metrics) => Object.fromEntries(metrics));
  }
}

Object.defineProperty(Trainer.prototype, "kind", { value: "trainer" });
classes.trainer = Trainer;
