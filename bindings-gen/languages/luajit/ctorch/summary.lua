-- What a run logs: event files of TensorBoard, as torch.utils.tensorboard has them, and loggers.
--
--     local board = ctorch.SummaryWriter("runs/first")
--     board:add_scalar("loss/train", loss, step)
--     board:add_histogram("weights", model.weight, step)
--     board:finish()
--     trainer:add_logger(ctorch.Logger.csv("log.csv"))
--     for event in ctorch.SummaryReader("runs/first"):events() do
--       print(event.tag, event.step, event.value)
--     end
--
-- Numbers may be tensors of one element, a step that is not given is 0, and without a `walltime` among the options
-- (seconds since 1970) it is now.
local core = require("ctorch.core")
local data = require("ctorch.data")
local handles = require("ctorch.handles")
local optimizers = require("ctorch.optimizers")
local values = require("ctorch.values")

jit.off(true, true) -- these call C, which may call Lua

local summary = { Logger = {} }

local option = require("ctorch.convert").option

local function number(value)
  return handles.is_tensor(value) and value:item() or value
end

-- The names of a table, sorted, and its numbers.
local function columns(named)
  local names, numbers = {}, {}
  for name in pairs(named) do
    names[#names + 1] = name
  end
  table.sort(names)
  for i, name in ipairs(names) do
    numbers[i] = number(named[name])
  end
  return names, numbers
end

-- Writers

local writer = handles.methods.summary_writer

-- Writes the events of a run into a folder, without one into one of "runs", which date and machine name. The options are
-- `comment`, `purge_step`, `max_queue`, `flush_secs` and `filename_suffix`.
function summary.SummaryWriter(log_dir, options)
  return core.summary_writer_open(
    log_dir,
    option(options, "comment"),
    option(options, "purge_step"),
    option(options, "max_queue", 10),
    option(options, "flush_secs", 120),
    option(options, "filename_suffix")
  )
end

-- The folder, and the file that events go to now.
for _, name in ipairs({ "log_dir", "path" }) do
  writer[name] = function(box)
    return core["summary_writer_" .. name](box)
  end
end

-- Begins another file when one has `max_bytes`, or is `max_secs` old.
function writer.set_rotation(box, limits)
  core.summary_writer_set_rotation(box, option(limits, "max_bytes", 0), option(limits, "max_secs", 0))
  return box
end

-- Adds a number. `new_style` and `double_precision` say how it is written.
function writer.add_scalar(box, tag, value, step, options)
  local new_style, double = option(options, "new_style", false), option(options, "double_precision", false)
  core.summary_writer_add_scalar(box, tag, number(value), step or 0, option(options, "walltime"), new_style, double)
end

-- Adds the numbers of a table for one chart, each in a folder of its own.
function writer.add_scalars(box, main_tag, named, step, options)
  local names, numbers = columns(named)
  core.summary_writer_add_scalars(box, main_tag, names, numbers, step or 0, option(options, "walltime"))
end

function writer.add_tensor(box, tag, tensor, step, options)
  core.summary_writer_add_tensor(box, tag, tensor, step or 0, option(options, "walltime"))
end

-- Adds how elements are distributed. `bins` is a rule, "tensorflow" or one of NumPy, or a list of edges; `max_bins`.
function writer.add_histogram(box, tag, tensor, step, options)
  local bins = option(options, "bins")
  local add = type(bins) == "table" and core.summary_writer_add_histogram_edges or core.summary_writer_add_histogram
  add(box, tag, tensor, step or 0, bins, option(options, "walltime"), option(options, "max_bins", 0))
end

-- Adds an image or several; `dataformats` says what its dimensions are: "CHW", "NHWC".
function writer.add_image(box, tag, image, step, options)
  local dataformats = option(options, "dataformats")
  core.summary_writer_add_image(box, tag, image, step or 0, option(options, "walltime"), dataformats)
end

-- Adds a sound of `sample_rate` samples a second, else of 44100.
function writer.add_audio(box, tag, sound, step, options)
  local rate = option(options, "sample_rate", 44100)
  core.summary_writer_add_audio(box, tag, sound, step or 0, rate, option(options, "walltime"))
end

function writer.add_text(box, tag, content, step, options)
  core.summary_writer_add_text(box, tag, content, step or 0, option(options, "walltime"))
end

-- Adds what a module computes, by a trace of it on a list of inputs.
function writer.add_graph(box, model, inputs, options)
  core.summary_writer_add_graph(box, model, values.all_of(inputs, "the inputs"), option(options, "walltime"))
end

-- Adds two tables by names: what a run was set to, and what came of it. `run_name`, `domain`, `step`.
function writer.add_hparams(box, hparams, metrics, options)
  local domain = option(options, "domain")
  core.summary_writer_add_hparams(
    box,
    values.of(hparams, "hparams"),
    values.of(metrics, "metrics"),
    domain and values.of(domain, "domain"),
    option(options, "run_name"),
    option(options, "step", 0),
    option(options, "walltime")
  )
end

-- Adds precision over recall. `num_thresholds`, `weights`.
function writer.add_pr_curve(box, tag, labels, predictions, step, options)
  local thresholds, weights = option(options, "num_thresholds", 127), option(options, "weights")
  local walltime = option(options, "walltime")
  core.summary_writer_add_pr_curve(box, tag, labels, predictions, step or 0, thresholds, weights, walltime)
end

-- Writes what waits, and brings it to the disk.
function writer.flush(box)
  core.summary_writer_flush(box)
end

-- The same, and nothing can be added then; `close` does so too, but tells nobody if that fails.
function writer.finish(box)
  core.summary_writer_finish(box)
end

-- Readers

local reader = handles.methods.summary_reader

-- What an event file, or those of a folder, hold.
summary.SummaryReader = core.summary_reader_open

-- A list of the folders below one that have event files, "." for itself.
function summary.runs(folder)
  return optimizers.unbox(core.summary_reader_runs(folder))
end

local read = {
  scalar = core.summary_reader_scalar,
  text = core.summary_reader_data, -- may have NUL inside
  tensor = core.summary_reader_tensor,
  histogram = function(box) return { core.summary_reader_bins(box) } end,
}

-- What `for` takes: tables with `tag`, `step`, `wall_time`, `kind` and a `value`: a scalar's number, a text, a tensor, of
-- a histogram its edges and its counts, nil of others. When a run goes on, another call gives what has come since.
function reader.events(box)
  return function()
    if not core.summary_reader_next(box) then
      return nil
    end
    local kind = core.summary_reader_kind(box)
    return {
      tag = core.summary_reader_tag(box),
      step = core.summary_reader_step(box),
      wall_time = core.summary_reader_wall_time(box),
      kind = kind,
      value = read[kind] and read[kind](box),
    }
  end
end

-- Loggers: what takes the numbers of a run by their names

local logger = handles.methods.logger

-- A table in a file, whose header grows with the names.
summary.Logger.csv = core.logger_open_csv

summary.Logger.json_lines = core.logger_open_json_lines

-- Scalars of a SummaryWriter, or what `target(numbers by name, step, walltime)` makes of them.
function summary.Logger.of(target)
  if type(target) ~= "function" then
    return core.logger_from_summary_writer(target)
  end
  data.check_function(target, "Logger.of")
  return core.logger_from_callback(function(names, numbers, step, walltime)
    local named = {}
    for i, name in ipairs(names) do
      named[name] = numbers[i]
    end
    target(named, step, walltime)
  end)
end

function logger.log(box, named, step, options)
  local names, numbers = columns(named)
  core.logger_log(box, names, numbers, step, option(options, "walltime"))
end

function logger.flush(box)
  core.logger_flush(box)
end

return summary
