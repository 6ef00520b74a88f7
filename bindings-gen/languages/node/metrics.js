// Metrics: how good predictions are, accumulated over batches, as torchmetrics has them.
//
//     const accuracy = metrics.MulticlassAccuracy(10);
//     for (const [images, labels] of loader) {
//       accuracy.update(model(images), labels);
//     }
//     console.log(accuracy.compute().item());
//
// Arguments are torchmetrics', under Python's names where they are given by name: `metrics.BinaryAccuracy({ threshold:
// 0.7 })`; the text "none" stands for Python's None of `average`. Inputs are tensors, or texts and arrays of them where
// a metric is of texts. What is computed is a tensor, or an array or a Map of such.
import { namespaceOf } from "./data.js";
import { classes, Handle } from "./handles.js";
import { C } from "./library.js";
import { Objects } from "./objects.js";
import { functionsByName as core } from "./operators.js";
import { taken, toArguments } from "./optimizers.js";
import { byName } from "./streams.js";
import { toValue, Tuple } from "./values.js";

const objects = new Objects("metric", (pointer) => (nameOf(pointer) === "MetricCollection" ? MetricCollection : Metric));

const nameOf = (pointer) => C.ctorch_metric_name(pointer);

/** What accumulates how good predictions are. */
export class Metric extends Handle {
  constructor(pointer) {
    super(pointer);
    objects.remember(this);
  }

  /** A metric by the name of its class, whose arguments are values: `Metric.create("MulticlassAccuracy", 10)`. */
  static create(name, ...given) {
    return core.metric_create(name, ...toArguments(given));
  }

  /** Name of the class. */
  get name() {
    return core.metric_name(this);
  }

  /** Accumulate a batch. */
  update(...inputs) {
    core.metric_update_value(this, Tuple.of(...inputs));
  }

  /** The metric of all that was accumulated. */
  compute() {
    return taken(core.metric_compute(this));
  }

  /** Accumulate a batch, and compute the metric of this batch alone. */
  forward(...inputs) {
    return taken(core.metric_forward(this, Tuple.of(...inputs)));
  }

  /** Forget what was accumulated. */
  reset() {
    core.metric_reset(this);
  }

  /** Number of updates since the last reset. */
  get updateCount() {
    return core.metric_update_count(this);
  }

  /** Add what another metric has accumulated, as if this one had seen it. */
  merge(other) {
    core.metric_merge(this, other);
    return this;
  }

  /** A copy with its own state. */
  clone() {
    return core.metric_clone(this);
  }

  /** A Map of what was accumulated, to be saved or sent. */
  stateDict() {
    return taken(core.metric_state_dict(this));
  }

  /** Take over what a metric of the same kind had accumulated. */
  loadStateDict(stateDict) {
    core.metric_load_state_dict(this, toValue(stateDict, "loadStateDict: stateDict"));
  }

  /** How each state of several processes becomes one: a Map to "sum", "min", "max" or "cat". */
  get reductions() {
    return taken(core.metric_reductions(this));
  }

  /** Bring the state to a device, and sums to a floating point type. */
  to({ device = null, dtype = null } = {}) {
    core.metric_to(this, device, dtype);
    return this;
  }
}

/** Several metrics as one, of an array or by names: an update is one of all, and what is computed is a Map. */
export class MetricCollection extends Metric {
  constructor(metrics, { prefix = null, postfix = null } = {}) {
    super(typeof metrics === "bigint" ? metrics : objects.pointerTo(() => collect(metrics, prefix, postfix)));
  }
}

function collect(metrics, prefix, postfix) {
  const named = Array.isArray(metrics) ? null : byName(metrics);
  const members = named === null ? metrics : [...named.values()];
  return core.metric_collection(members, named === null ? null : [...named.keys()], prefix, postfix);
}

Object.defineProperty(Metric.prototype, "kind", { value: "metric" });
classes.metric = Metric;

/** torchmetrics: `metrics.MulticlassAccuracy(10, { average: "micro" })`, and those of torchmetrics.text. */
export const metrics = namespaceOf("metrics", ["metric"], { Metric, MetricCollection });
