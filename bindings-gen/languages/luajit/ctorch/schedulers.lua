-- Learning rate schedulers, as torch.optim.lr_scheduler has them.
--
--     local scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, 100)
--     for epoch = 1, 100 do
--       …
--       optimizer:step()
--       scheduler:step()
--     end
--
-- What a scheduler knows stands in C: its fields are Python's attributes (`scheduler.last_epoch`, `scheduler.base_lrs`).
local ffi = require("ffi")
local core = require("ctorch.core")
local errors = require("ctorch.errors")
local handles = require("ctorch.handles")
local operators = require("ctorch.operators")
local optimizers = require("ctorch.optimizers")
local values = require("ctorch.values")

jit.off(true, true) -- these call C, which may call Lua

local methods = handles.methods.lr_scheduler
local unbox = optimizers.unbox

local schedulers = {}

local meta = handles.lr_scheduler_meta

function meta.__index(box, name)
  local method = methods[name]
  if method ~= nil then
    return method
  elseif name == "optimizer" then
    return core.lr_scheduler_optimizer(box)
  end
  return optimizers.find(core.lr_scheduler_attribute, box, name)
end

function meta.__newindex(box, name, value)
  core.lr_scheduler_set_attribute(box, name, values.of(value, name))
end

function meta.__tostring(box)
  return ("ctorch.%s"):format(box.handle[0] == nil and "lr_scheduler (closed)" or core.lr_scheduler_name(box))
end

-- Set the next learning rates, after the optimizer's step. ReduceLROnPlateau takes a metric, others may take an epoch.
function methods.step(box, given)
  if given == nil then
    core.lr_scheduler_step(box)
  elseif core.lr_scheduler_name(box) == "ReduceLROnPlateau" then
    core.lr_scheduler_step_metric(box, handles.is_tensor(given) and given:item() or given)
  else
    core.lr_scheduler_step_epoch(box, given)
  end
end

-- The learning rates that were set last, one for each group.
function methods.get_last_lr(box)
  return unbox(core.lr_scheduler_last_lr(box))
end

-- The learning rates of this step, computed anew.
function methods.get_lr(box)
  return unbox(core.lr_scheduler_get_lr(box))
end

-- A dict (values.lua) of all attributes, to be saved.
function methods.state_dict(box)
  return unbox(core.lr_scheduler_state_dict(box))
end

function methods.load_state_dict(box, state_dict)
  core.lr_scheduler_load_state_dict(box, values.of(state_dict, "the state dict"))
end

-- Name of the class.
function methods.name(box)
  return core.lr_scheduler_name(box)
end

-- The classes

local lr_scheduler = {}

-- Whether a value is a scheduler.
function lr_scheduler.is_scheduler(value)
  return type(value) == "cdata" and ffi.istype(handles.types.lr_scheduler, value)
end

local option = require("ctorch.convert").option

-- A function of the epoch, or a list with one for each group.
local function by_functions(make)
  return function(optimizer, lr_lambda, options)
    local func = lr_lambda
    if type(lr_lambda) == "table" then
      local groups = tonumber(core.optimizer_num_groups(optimizer))
      if #lr_lambda ~= groups then
        error(errors.new("VALUE", ("expected %d functions, one for each group, got %d"):format(groups, #lr_lambda)), 0)
      end
      func = function(group, epoch)
        return lr_lambda[group + 1](epoch)
      end
    elseif type(lr_lambda) == "function" then
      func = function(_, epoch)
        return lr_lambda(epoch)
      end
    end
    return core[make](optimizer, func, option(options, "last_epoch", -1))
  end
end

-- The initial learning rate times what a function gives for the epoch.
lr_scheduler.LambdaLR = by_functions("lr_scheduler_lambda_lr")
-- The learning rate times what a function gives for the epoch, in each step anew.
lr_scheduler.MultiplicativeLR = by_functions("lr_scheduler_multiplicative_lr")

-- Those that step other schedulers are made of lists of them.
lr_scheduler.SequentialLR = operators.lr_scheduler.SequentialLR
lr_scheduler.ChainedScheduler = operators.lr_scheduler.ChainedScheduler

local function create(name, optimizer, ...)
  local args, named = optimizers.arguments(...)
  return core.lr_scheduler_create(name, optimizer, args, named)
end

local function rates(given)
  return type(given) == "number" and { given } or given
end

-- `scale_fn` among the options scales the height of each cycle.
function lr_scheduler.CyclicLR(optimizer, base_lr, max_lr, ...)
  local options = select(select("#", ...), ...)
  if type(options) ~= "table" or not options.scale_fn then
    return create("CyclicLR", optimizer, base_lr, max_lr, ...)
  end
  return core.lr_scheduler_cyclic_lr(
    optimizer, rates(base_lr), rates(max_lr), option(options, "step_size_up", 2000), options.step_size_down,
    options.scale_fn, options.scale_mode, option(options, "cycle_momentum", true),
    option(options, "base_momentum", 0.8), option(options, "max_momentum", 0.9), option(options, "last_epoch", -1))
end

schedulers.lr_scheduler = setmetatable(lr_scheduler, {
  __index = function(_, name)
    if not operators.lr_scheduler[name] then
      return nil
    end
    local function make(optimizer, ...)
      return create(name, optimizer, ...)
    end
    rawset(lr_scheduler, name, make)
    return make
  end,
})

return schedulers
