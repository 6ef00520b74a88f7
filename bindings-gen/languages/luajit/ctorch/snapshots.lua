-- Snapshots: everything that a training run needs to go on after it was interrupted, saved again and again.
--
--     local snapshots = ctorch.Snapshots("run", { every = 1000, keep_last = 3 })
--     snapshots:add("model", model)
--     snapshots:add("optimizer", optimizer)
--     local epoch, step = snapshots:resume()
--     for done = (step or 0) + 1, steps do
--       …
--       snapshots:step(epoch or 0, done) -- saves after every 1,000 steps
--     end
--
-- A snapshot is a file of the folder, which `torch.load` reads. It is complete or not there.
local ffi = require("ffi")
local core = require("ctorch.core")
local errors = require("ctorch.errors")
local handles = require("ctorch.handles")
local optimizers = require("ctorch.optimizers")
local values = require("ctorch.values")

jit.off(true, true) -- these call C, which may call Lua

local methods = handles.methods.snapshots

-- A folder of snapshots. `step` saves after `every` so many steps, never without it. Of the snapshots the newest
-- `keep_last` are kept, all without it, and the `keep_best` by their metric, of which with `maximize` a larger one is
-- better. With `async` they are written on another thread: saving takes as long as copying then.
local function Snapshots(folder, options)
  options = options or {}
  local box = core.snapshots_open(folder)
  core.snapshots_set_every(box, options.every or 0)
  core.snapshots_set_keep(box, options.keep_last or -1, options.keep_best or 0, options.maximize or false)
  core.snapshots_set_async(box, options.async or false)
  return box
end

-- Saves what `save()` returns; resuming calls `load(state)` with it.
function methods.add_callbacks(box, name, save, load)
  for _, func in ipairs({ save or false, load or false }) do
    if type(func) ~= "function" then
      errors.refuse("add_callbacks", "two functions", func)
    end
  end
  core.snapshots_add_callback(box, name, function()
    return values.of(save(), "what the callback returned")
  end, function(state)
    load(optimizers.unbox(state))
  end)
end

-- The content of a table replaced by that of a list or dict.
local function replace(part, state)
  for key in pairs(part) do
    part[key] = nil
  end
  for i = 1, state.n or 0 do
    part[i] = state[i]
  end
  for i, key in ipairs(state.keys or {}) do
    part[key] = state.values[i]
  end
end

local kinds = { "module", "optimizer", "lr_scheduler", "grad_scaler", "generator" }

-- Saves a module, optimizer, scheduler, scaler or generator, an object with the methods `state_dict` and
-- `load_state_dict`, or a table, whose content is replaced when a run goes on.
function methods.add(box, name, part)
  for _, kind in ipairs(kinds) do
    if type(part) == "cdata" and ffi.istype(handles.types[kind], part) then
      return core["snapshots_add_" .. kind](box, name, part)
    end
  end
  if type(part) ~= "table" then
    errors.refuse("add", "what has a state", part)
  elseif type(part.state_dict) == "function" and type(part.load_state_dict) == "function" then
    return box:add_callbacks(name, function() return part:state_dict() end, function(state)
      part:load_state_dict(state)
    end)
  end
  box:add_callbacks(name, function() return part end, function(state) replace(part, state) end)
end

-- Says that a step is over, and `step` of them are done: whether a snapshot was taken.
function methods.step(box, epoch, step, metric)
  return core.snapshots_step(box, epoch, step, metric)
end

-- Saves now. A snapshot of the same step is replaced.
function methods.save(box, epoch, step, metric)
  core.snapshots_save(box, epoch, step, metric)
end

-- Waits until what is being written is written.
function methods.wait(box)
  core.snapshots_wait(box)
end

-- Goes on where a snapshot was taken: the "last", the "best", or that of a path. Its epoch and step; nil if there is
-- none.
function methods.resume(box, which)
  local found, epoch, step = core.snapshots_resume(box, which or "last")
  if found then
    return epoch, step
  end
end

-- Of each snapshot, from the oldest on, the step, the path and the metric, which is NaN for one that has none.
local function of_each(read)
  return function(box)
    handles.pointer("snapshots", box, "snapshots")
    local found = {}
    for i = 1, core.snapshots_len(box) do
      found[i] = core[read](box, i - 1)
    end
    return found
  end
end

methods.steps, methods.paths = of_each("snapshots_step_of"), of_each("snapshots_path")
methods.metrics = of_each("snapshots_metric")

return Snapshots
