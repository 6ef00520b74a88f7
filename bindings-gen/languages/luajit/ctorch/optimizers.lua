-- Optimizers, as torch.optim.Optimizer has them.
--
--     local optimizer = optim.AdamW(model:parameters(), { lr = 1e-3 })
--     for _, batch in ipairs(batches) do
--       optimizer:zero_grad()
--       local loss = functional.cross_entropy(model(batch.images), batch.labels)
--       loss:backward()
--       optimizer:step()
--     end
--
-- The first argument is a list of tensors, of pairs (a name and a tensor, as named_parameters gives), or of tables, each
-- a group with `params` and options of its own. What an optimizer keeps stands in C: `optimizer.param_groups[1].lr` is
-- read there, and assigned there.
local ffi = require("ffi")
local call = require("ctorch.call")
local core = require("ctorch.core")
local errors = require("ctorch.errors")
local handles = require("ctorch.handles")
local operators = require("ctorch.operators")
local values = require("ctorch.values")

jit.off(true, true) -- these call C, which may call Lua

local none = handles.none
local methods = handles.methods.optimizer

local optimizers = {}

-- What a box of C's value holds, which is given back.
function optimizers.unbox(box)
  local found = values.get(box)
  box:close()
  return found
end

local unbox = optimizers.unbox

-- A table of a dict whose keys are names; what is None there is nil.
function optimizers.named(dict)
  local found = {}
  for i, name in ipairs(dict.keys) do
    local value = dict.values[i]
    if not rawequal(value, none) then
      found[name] = value
    end
  end
  return found
end

-- What is there under a name or number; nil where C finds none.
function optimizers.find(get, ...)
  local ok, found = pcall(get, ...)
  if ok then
    return unbox(found)
  elseif errors.is_error(found) and found.name == "INDEX" then
    return nil
  end
  error(found, 0)
end

-- A tuple of positional arguments and a dict of named ones: those of a call, whose last one may be a table of names.
function optimizers.arguments(...)
  local count = select("#", ...)
  local args, named = { ... }, nil
  if count > 0 and type(args[count]) == "table" and call.is_options(args[count]) then
    named = args[count]
    count = count - 1
  end
  return values.tuple(unpack(args, 1, count)), values.of(named or values.dict(), "the arguments by name")
end

-- A step with a closure, which may give something else than a tensor: what it gave first.
function optimizers.with_closure(step, closure)
  local first, called
  local loss = step(function()
    local given = closure()
    if not called then
      first, called = given, true
    end
    return handles.is_tensor(given) and given or nil
  end)
  if loss ~= nil then
    loss:close() -- another reference to what the closure gave
  end
  return first
end

-- Groups of parameters

local function is_group(entry)
  return type(entry) == "table" and entry.params ~= nil
end

-- Pairs as tuples, in a list of parameters.
local function with_tuples(list)
  if type(list) ~= "table" or getmetatable(list) ~= nil then
    return list
  end
  local found = { n = list.n or #list }
  for i = 1, found.n do
    local entry = list[i]
    local pair = type(entry) == "table" and type(entry[1]) == "string"
    found[i] = pair and values.tuple(entry[1], entry[2]) or entry
  end
  return found
end

local function group_for_c(entry)
  local found = {}
  for name, value in pairs(entry) do
    found[name] = name == "params" and with_tuples(value) or value
  end
  return found
end

local function parameters_for_c(params)
  local found = with_tuples(params)
  if type(found) == "table" then
    for i = 1, found.n or 0 do
      found[i] = is_group(found[i]) and group_for_c(found[i]) or found[i]
    end
  end
  return found
end

local function group_at(box, index)
  return setmetatable({}, {
    __index = function(_, name)
      if name == "params" then
        return core.optimizer_params(box, index)
      end
      return optimizers.find(core.optimizer_get_option, box, index, name)
    end,
    __newindex = function(_, name, value)
      core.optimizer_set_option(box, index, name, values.of(value, name))
    end,
    __tostring = function()
      return ("group %d of a %s"):format(index, core.optimizer_name(box))
    end,
  })
end

local fields = {}

-- The groups, counted from 1: their options are read and assigned by name.
function fields.param_groups(box)
  local found = {}
  for i = 1, tonumber(core.optimizer_num_groups(box)) do
    found[i] = group_at(box, i - 1)
  end
  return found
end

-- The options of a group that names none.
function fields.defaults(box)
  return optimizers.named(unbox(core.optimizer_defaults(box)))
end

-- What is remembered of each parameter: `optimizer.state[parameter].exp_avg`, assigned as a whole.
function fields.state(box)
  return setmetatable({}, {
    __index = function(_, parameter)
      return optimizers.named(unbox(core.optimizer_state(box, parameter)))
    end,
    __newindex = function(_, parameter, state)
      core.optimizer_set_state(box, parameter, values.of(next(state) == nil and values.dict() or state, "the state"))
    end,
  })
end

local meta = handles.optimizer_meta

function meta.__index(box, name)
  local method = methods[name]
  if method ~= nil then
    return method
  end
  local read = fields[name]
  return read and read(box) or nil
end

function meta.__newindex(_, name)
  error(errors.new("TYPE", ("an optimizer has no field %s; options are in its param_groups"):format(tostring(name))), 0)
end

function meta.__tostring(box)
  return box.handle[0] == nil and "ctorch.optimizer (closed)" or core.optimizer_repr(box)
end

-- Steps

-- Change the parameters by their gradients. A closure computes the loss anew, which is what step gives then.
function methods.step(box, closure)
  if closure == nil then
    core.optimizer_step(box)
    return nil
  end
  return optimizers.with_closure(function(loss)
    return core.optimizer_step_closure(box, loss)
  end, closure)
end

local option = require("ctorch.convert").option

function methods.zero_grad(box, options)
  core.optimizer_zero_grad(box, option(options, "set_to_none", true))
end

-- Captures steps and replays them, one tape for each set of gradients, `most` of them; 0 for none.
function methods.set_tape(box, most, options)
  core.optimizer_set_tape(box, most or 4, options and options.fast or false)
  return box
end

-- One more group: a table with `params` and those options that it does not share.
function methods.add_param_group(box, group)
  core.optimizer_add_param_group(box, values.of(is_group(group) and group_for_c(group) or group, "the group"))
end

-- Name of the class.
function methods.name(box)
  return core.optimizer_name(box)
end

-- State

-- A dict (values.lua) with the states and the groups, to be saved.
function methods.state_dict(box)
  return unbox(core.optimizer_state_dict(box))
end

function methods.load_state_dict(box, state_dict)
  core.optimizer_load_state_dict(box, values.of(state_dict, "the state dict"))
end

-- Hooks: each gives a handle, which `core.hook_remove` takes out again.

local function alone(hook)
  return function(box)
    hook(box)
  end
end

-- A hook gets the state dict; what it returns replaces it, and otherwise what it changed in it counts.
local function with_dict(hook)
  return function(box, value)
    local state_dict = values.get(value)
    local answer = hook(box, state_dict)
    return values.of(answer == nil and state_dict or answer, "what the hook returned")
  end
end

-- `hook(optimizer)`
function methods.register_step_pre_hook(box, hook)
  return core.optimizer_register_step_pre_hook(box, alone(hook))
end

-- `hook(optimizer)`
function methods.register_step_post_hook(box, hook)
  return core.optimizer_register_step_post_hook(box, alone(hook))
end

-- `hook(optimizer)`
function methods.register_state_dict_pre_hook(box, hook, options)
  return core.optimizer_register_state_dict_pre_hook(box, alone(hook), option(options, "prepend", false))
end

-- `hook(optimizer, state_dict)`
function methods.register_state_dict_post_hook(box, hook, options)
  return core.optimizer_register_state_dict_post_hook(box, with_dict(hook), option(options, "prepend", false))
end

-- `hook(optimizer, state_dict)`
function methods.register_load_state_dict_pre_hook(box, hook, options)
  return core.optimizer_register_load_state_dict_pre_hook(box, with_dict(hook), option(options, "prepend", false))
end

-- `hook(optimizer)`
function methods.register_load_state_dict_post_hook(box, hook, options)
  return core.optimizer_register_load_state_dict_post_hook(box, alone(hook), option(options, "prepend", false))
end

-- The classes

local optim = {}

-- Whether a value is an optimizer.
function optim.is_optimizer(value)
  return type(value) == "cdata" and ffi.istype(handles.types.optimizer, value)
end

-- `hook(optimizer)` before each step of any optimizer.
function optim.register_optimizer_step_pre_hook(hook)
  return core.optimizer_register_step_pre_hook_for_all(alone(hook))
end

-- `hook(optimizer)` after each step of any optimizer.
function optim.register_optimizer_step_post_hook(hook)
  return core.optimizer_register_step_post_hook_for_all(alone(hook))
end

optimizers.optim = setmetatable(optim, {
  __index = function(_, name)
    local make = operators.optim[name]
    if not make then
      return nil
    end
    local class = setmetatable({}, {
      __index = make, -- the overloads
      __tostring = function() return tostring(make) end,
      __call = function(_, params, ...)
        local args, named = optimizers.arguments(parameters_for_c(params), ...)
        return core.optim_create(name, args, named)
      end,
    })
    rawset(optim, name, class)
    return class
  end,
})

return optimizers
