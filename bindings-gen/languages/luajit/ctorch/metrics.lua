-- Metrics: how good predictions are, accumulated over batches, as torchmetrics has them.
--
--     local accuracy = ctorch.metrics.MulticlassAccuracy(10)
--     for batch in loader:iterate() do
--       accuracy:update(model(batch[1]), batch[2])
--     end
--     print(accuracy:compute():item())
--
-- Arguments are torchmetrics', which a table of names may give: `metrics.BinaryAccuracy({ threshold = 0.7 })`; the text
-- "none" stands for Python's None of `average`. Inputs are tensors, or texts and lists of them where a metric is of
-- texts. What is computed is a tensor, or a list of such, or a table of them by name.
local call = require("ctorch.call")
local core = require("ctorch.core")
local handles = require("ctorch.handles")
local operators = require("ctorch.operators")
local optimizers = require("ctorch.optimizers")
local values = require("ctorch.values")

jit.off(true, true) -- these call C

local methods = handles.methods.metric
local metrics = {}

local function result(box)
  local found = optimizers.unbox(box)
  return values.is_dict(found) and optimizers.named(found) or found
end

-- Name of the class.
function methods.name(box)
  return core.metric_name(box)
end

-- Accumulates a batch.
function methods.update(box, ...)
  core.metric_update_value(box, values.tuple(...))
end

-- The metric of all that was accumulated.
function methods.compute(box)
  return result(core.metric_compute(box))
end

-- Accumulates a batch, and gives the metric of this batch alone.
function methods.forward(box, ...)
  return result(core.metric_forward(box, values.tuple(...)))
end

-- Forgets what was accumulated.
function methods.reset(box)
  core.metric_reset(box)
end

-- How many updates there were since the last reset.
function methods.update_count(box)
  return core.metric_update_count(box)
end

-- Adds what another metric has accumulated, as if this one had seen it.
function methods.merge(box, other)
  core.metric_merge(box, other)
  return box
end

-- A copy with its own state.
function methods.clone(box)
  return core.metric_clone(box)
end

-- A dict of what was accumulated, to be saved or sent.
function methods.state_dict(box)
  return optimizers.unbox(core.metric_state_dict(box))
end

function methods.load_state_dict(box, state_dict)
  core.metric_load_state_dict(box, values.of(state_dict, "the state dict"))
end

-- How each state of several processes becomes one: "sum", "min", "max" or "cat", by its name.
function methods.reductions(box)
  return optimizers.named(optimizers.unbox(core.metric_reductions(box)))
end

-- Brings the state to a device, and sums to a floating point type.
function methods.to(box, device, dtype)
  core.metric_to(box, device, dtype)
  return box
end

-- A metric by the name of its class, whose arguments are values: `create("MulticlassAccuracy", 10)`.
function metrics.create(name, ...)
  return core.metric_create(name, optimizers.arguments(...))
end

-- Several metrics as one, of a list, or by names: an update is one of all, and what is computed is a table. Options are
-- `prefix` and `postfix` of the names.
function metrics.MetricCollection(members, options)
  local names
  if call.is_options(members) then
    names = {}
    for name in pairs(members) do
      names[#names + 1] = name
    end
    table.sort(names)
    local listed = {}
    for i, name in ipairs(names) do
      listed[i] = members[name]
    end
    members = listed
  end
  return core.metric_collection(members, names, options and options.prefix, options and options.postfix)
end

return setmetatable(metrics, { __index = operators.metrics })
