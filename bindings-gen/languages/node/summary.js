// What a run logs: event files of TensorBoard, as torch.utils.tensorboard has them, and loggers.
//
//     const board = new SummaryWriter("runs/first");
//     board.addScalar("loss/train", loss, step);
//     board.addHistogram("weights", model.weight, step);
//     board.close();
//     trainer.addLogger(Logger.csv("log.csv"));
//     for (const { tag, step, value } of new SummaryReader("runs/first")) {
//       console.log(tag, step, value);
//     }
//
// Numbers may be tensors of one element. Without a `walltime` (seconds since 1970) it is now.
import { toFunction } from "./callbacks.js";
import { classes, Handle } from "./handles.js";
import { Objects } from "./objects.js";
import { functionsByName as core } from "./operators.js";
import { taken } from "./optimizers.js";
import { byName, isPath, toPath } from "./streams.js";

const writers = new Objects("summary_writer", () => SummaryWriter);
const readers = new Objects("summary_reader", () => SummaryReader);

const number = (value) => Number(value?.kind === "tensor" ? value.item() : value);

// Names and numbers of a plain object or a Map, as C takes them.
function columns(values) {
  const named = byName(values);
  return [[...named.keys()], Array.from(named.values(), number)];
}

/** What writes the events of a run into a folder; without one into one of "runs", named by date and machine. */
export class SummaryWriter extends Handle {
  constructor(logDir = null, options = {}) {
    const { comment = null, purgeStep = null, maxQueue = 10, flushSecs = 120, filenameSuffix = null } = options;
    const folder = isPath(logDir) ? toPath(logDir) : logDir;
    const open = () => core.summary_writer_open(folder, comment, purgeStep, maxQueue, flushSecs, filenameSuffix);
    super(typeof logDir === "bigint" ? logDir : writers.pointerTo(open));
    writers.remember(this);
  }

  get logDir() {
    return core.summary_writer_log_dir(this);
  }

  /** The file that events go to now. */
  get path() {
    return core.summary_writer_path(this);
  }

  /** Begin another file when one is so large or so old; 0 for never. */
  setRotation({ maxBytes = 0, maxSecs = 0 }) {
    core.summary_writer_set_rotation(this, maxBytes, maxSecs);
    return this;
  }

  addScalar(tag, value, step = 0, { walltime = null, newStyle = false, doublePrecision = false } = {}) {
    core.summary_writer_add_scalar(this, tag, number(value), step, walltime, newStyle, doublePrecision);
  }

  /** Several numbers for one chart, each in a folder of its own. */
  addScalars(mainTag, values, step = 0, { walltime = null } = {}) {
    core.summary_writer_add_scalars(this, mainTag, ...columns(values), step, walltime);
  }

  addTensor(tag, tensor, step = 0, { walltime = null } = {}) {
    core.summary_writer_add_tensor(this, tag, tensor, step, walltime);
  }

  /** How elements are distributed. `bins` are a rule, "tensorflow" or one of NumPy, or an array of edges. */
  addHistogram(tag, values, step = 0, { bins = "tensorflow", walltime = null, maxBins = 0 } = {}) {
    const add = typeof bins === "string" ? core.summary_writer_add_histogram : core.summary_writer_add_histogram_edges;
    add(this, tag, values, step, bins, walltime, maxBins);
  }

  /** An image or several; `dataformats` says what its dimensions are: "CHW", "NHWC". */
  addImage(tag, image, step = 0, { walltime = null, dataformats = null } = {}) {
    core.summary_writer_add_image(this, tag, image, step, walltime, dataformats);
  }

  addAudio(tag, sound, step = 0, { sampleRate = 44100, walltime = null } = {}) {
    core.summary_writer_add_audio(this, tag, sound, step, sampleRate, walltime);
  }

  addText(tag, text, step = 0, { walltime = null } = {}) {
    core.summary_writer_add_text(this, tag, text, step, walltime);
  }

  /** What a module computes, by a trace of it on these inputs. */
  addGraph(model, inputs, { walltime = null } = {}) {
    core.summary_writer_add_graph(this, model, [inputs].flat(), walltime);
  }

  addHparams(hparams, metrics, { domain = null, runName = null, step = 0, walltime = null } = {}) {
    core.summary_writer_add_hparams(this, hparams, metrics, domain, runName, step, walltime);
  }

  addEmbedding(vectors, options = {}) {
    const { metadata = null, labelImages = null, step = 0, tag = "default", metadataHeader = null } = options;
    core.summary_writer_add_embedding(this, vectors, metadata, labelImages, step, tag, metadataHeader);
  }

  addPrCurve(tag, labels, predictions, step = 0, { numThresholds = 127, weights = null, walltime = null } = {}) {
    core.summary_writer_add_pr_curve(this, tag, labels, predictions, step, numThresholds, weights, walltime);
  }

  addCustomScalars(layout) {
    core.summary_writer_add_custom_scalars(this, layout, null);
  }

  /** Write what waits, and bring it to the disk. */
  flush() {
    core.summary_writer_flush(this);
  }

  /** Write what waits, and give the writer back. Where that fails it stays open, and may be closed again. */
  close() {
    if (!this.closed) {
      core.summary_writer_finish(this);
      super.close();
    }
  }
}

const VALUES = {
  scalar: core.summary_reader_scalar,
  histogram: core.summary_reader_bins,
  text: (reader) => core.summary_reader_data(reader)[0] ?? "", // may have NUL inside, where summary_reader_text ends
  tensor: core.summary_reader_tensor,
};

/**
 * What an event file, or those of a folder, hold: `{ tag, step, wallTime, kind, value }` one after the other. The value
 * is a scalar's number, a text's string, the tensor of a tensor, of a histogram its edges and its counts; null of
 * others. When a run goes on, iterating again gives what has come since.
 */
export class SummaryReader extends Handle {
  constructor(path) {
    super(typeof path === "bigint" ? path : readers.pointerTo(() => core.summary_reader_open(toPath(path))));
    readers.remember(this);
  }

  /** The folders that have event files below a folder, "." for itself. */
  static runs(folder) {
    return taken(core.summary_reader_runs(toPath(folder)));
  }

  *[Symbol.iterator]() {
    while (core.summary_reader_next(this)) {
      const kind = core.summary_reader_kind(this);
      yield {
        tag: core.summary_reader_tag(this),
        step: core.summary_reader_step(this),
        wallTime: core.summary_reader_wall_time(this),
        kind,
        value: VALUES[kind]?.(this) ?? null,
      };
    }
  }
}

/** What takes the numbers of a run by their names: `trainer.addLogger(logger)`. */
export class Logger extends Handle {
  /** A table, whose header grows with the names. */
  static csv(path) {
    return core.logger_open_csv(toPath(path));
  }

  static jsonLines(path) {
    return core.logger_open_json_lines(toPath(path));
  }

  /** Scalars of a SummaryWriter, or what `call(values, step, walltime)` makes of a plain object of numbers. */
  static of(target) {
    if (target instanceof SummaryWriter) {
      return core.logger_from_summary_writer(target);
    }
    const call = toFunction(target, "Logger.of");
    return core.logger_from_callback((names, numbers, step, walltime) => {
      call(Object.fromEntries(names.map((name, i) => [name, numbers[i]])), step, walltime);
    });
  }

  log(values, step, { walltime = null } = {}) {
    core.logger_log(this, ...columns(values), step, walltime);
  }

  flush() {
    core.logger_flush(this);
  }
}

for (const [kind, one] of Object.entries({ summary_writer: SummaryWriter, summary_reader: SummaryReader, logger: Logger })) {
  Object.defineProperty(one.prototype, "kind", { value: kind });
  classes[kind] = one;
}
