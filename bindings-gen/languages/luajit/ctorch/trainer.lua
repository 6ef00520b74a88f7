-- The trainer: the usual loop over batches.
--
--     local trainer = ctorch.Trainer(model, optimizer)
--       :set_loss(nn.CrossEntropyLoss())
--       :set_length({ epochs = 10 })
--       :add_metric("accuracy")
--       :set_validation(validation)
--       :set_snapshots(ctorch.Snapshots("run", { keep_last = 2 }))
--       :on("epoch_end", function(trainer) print(trainer.epoch, trainer.history[trainer.epoch].loss) end)
--     trainer:fit(loader)
--
-- A batch is a list of inputs and, at its end, the target; `set_step` takes batches of any form. What it knows of a run
-- are metrics by name: "loss", those of add_metric, and of validation the same with "val_" before it.
--
-- A callback that needs the trainer takes it as its argument: one that refers to it by itself keeps it for ever, unless
-- it is closed.
local core = require("ctorch.core")
local data = require("ctorch.data")
local errors = require("ctorch.errors")
local optimizers = require("ctorch.optimizers")

jit.off(true, true) -- these call C, which may call Lua

local unbox = optimizers.unbox
local methods, meta = data.class("trainer", function() return "trainer" end)

local fields = {
  -- How many epochs are over, and steps of the optimizer.
  epoch = core.trainer_epoch,
  step = core.trainer_step,
  -- Whether it ended because it was stopped.
  stopped = core.trainer_stopped,
  -- The loss of the last batch.
  loss = core.trainer_loss,
}

-- The metrics of each epoch that is over: tables with `epoch`, `step`, `loss` and so on.
function fields.history(box)
  local found = unbox(core.trainer_history(box))
  for i = 1, found.n do
    found[i] = optimizers.named(found[i])
  end
  return found
end

function meta.__index(box, name)
  local method = methods[name]
  if method ~= nil then
    return method
  end
  local read = fields[name]
  if read then
    return read(box)
  end
end

function meta.__newindex(_, name)
  error(errors.new("TYPE", ("a trainer has no field %s; its methods say what it does"):format(tostring(name))), 0)
end

local option = require("ctorch.convert").option

-- What it does. Each gives the trainer again.

-- Computes the loss by a module: `loss(model(inputs…), target)`.
function methods.set_loss(box, loss)
  core.trainer_set_loss(box, loss)
  return box
end

-- Computes the loss of a batch by `step(trainer, model, batch)`, also in validation; nil for that of a module again.
function methods.set_step(box, step)
  if step ~= nil then
    data.check_function(step, "set_step")
  end
  core.trainer_set_step(box, step and function(trainer, model, batch)
    return step(trainer, model, unbox(batch))
  end)
  return box
end

-- Computes a metric of each batch by `metric(output, batch)`, which gives the mean over its samples; without it the share
-- of targets that are the index of the greatest output.
function methods.add_metric(box, name, metric)
  if metric ~= nil then
    data.check_function(metric, "add_metric")
  end
  core.trainer_add_metric(box, name, metric and function(output, batch)
    return metric(unbox(output), unbox(batch))
  end)
  return box
end

-- Logs what it knows after each epoch, and the loss after so many steps.
function methods.add_logger(box, logger, options)
  core.trainer_add_logger(box, logger, option(options, "every_steps", 0))
  return box
end

-- How many `epochs`, and `steps` of the optimizer: whatever comes first, 0 for no limit.
function methods.set_length(box, length)
  core.trainer_set_length(box, option(length, "epochs", 0), option(length, "steps", 0))
  return box
end

-- Steps after several batches.
function methods.set_accumulation(box, batches)
  core.trainer_set_accumulation(box, batches)
  return box
end

-- Computes losses under autocast: `dtype`, `enabled`.
function methods.set_autocast(box, device_type, options)
  core.trainer_set_autocast(box, device_type, option(options, "enabled", true), option(options, "dtype"))
  return box
end

-- Scales losses, and steps through a scaler; nil for none.
function methods.set_grad_scaler(box, scaler)
  core.trainer_set_grad_scaler(box, scaler)
  return box
end

-- Clips gradients before each step: `max_norm`, `norm_type` (2), `clip_value`; 0 for no clipping.
function methods.set_clipping(box, options)
  core.trainer_set_clipping(
    box, option(options, "max_norm", 0), option(options, "norm_type", 2), option(options, "clip_value", 0))
  return box
end

-- Steps a scheduler after each epoch, or with `each_step` each step; ReduceLROnPlateau is told the `metric`.
function methods.set_lr_scheduler(box, scheduler, options)
  core.trainer_set_lr_scheduler(box, scheduler, option(options, "each_step", false), option(options, "metric"))
  return box
end

-- Validates with another loader after each epoch, and after `every_steps`; nil for no validation.
function methods.set_validation(box, loader, options)
  core.trainer_set_validation(box, loader, option(options, "every_steps", 0))
  return box
end

-- Stops when a metric has not become better for `patience` epochs, by `min_delta`, greater with `maximize`; nil for no
-- early stopping.
function methods.set_early_stopping(box, metric, options)
  core.trainer_set_early_stopping(
    box, metric, option(options, "maximize", false), option(options, "patience", 0), option(options, "min_delta", 0))
  return box
end

-- Saves snapshots after each epoch, and after `every_steps`, and goes on from the last one; nil for none. `metric` is that
-- by which the best are kept.
function methods.set_snapshots(box, snapshots, options)
  core.trainer_set_snapshots(box, snapshots, option(options, "every_steps", 0), option(options, "metric"))
  return box
end

-- Shows on the standard error stream how far it is: "none", "lines", "live", "auto".
function methods.set_progress(box, progress)
  core.trainer_set_progress(box, progress)
  return box
end

-- Captures steps and replays them, one tape for each form of a batch, `most` of them; 0 for none.
function methods.set_tape(box, most, options)
  core.trainer_set_tape(box, most or 4, options and options.fast or false)
  return box
end

-- Lets Ctrl-C stop it as `stop` does, while fit runs.
function methods.set_interruptible(box, interruptible)
  core.trainer_set_interruptible(box, interruptible ~= false)
  return box
end

-- Calls `func(trainer, event)` at a point of the loop: "begin", "epoch_begin", "batch_end", "gradients", "step",
-- "validation", "epoch_end", "snapshot", "end".
function methods.on(box, event, func)
  data.check_function(func, "on")
  core.trainer_add_callback(box, event, function(trainer, at)
    func(trainer, at)
  end)
  return box
end

-- Training

-- Trains until the length is reached, it is stopped, or something fails. Called again, it goes on where it was.
function methods.fit(box, loader)
  core.trainer_fit(box, loader)
end

-- The mean loss and the metrics over a loader, by their names.
function methods.evaluate(box, loader)
  return optimizers.named(unbox(core.trainer_evaluate(box, loader)))
end

-- Lets it stop after the step that it is at, with a snapshot if it has any.
function methods.stop(box)
  core.trainer_stop(box)
end

return function(model, optimizer)
  return core.trainer_new(model, optimizer)
end
