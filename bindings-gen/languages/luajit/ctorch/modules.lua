-- Modules: layers, networks of them, and classes of your own, as torch.nn.Module has them.
--
--     local Net = nn.class("Net")
--
--     function Net:init(channels)
--       self.conv = nn.Conv2d(1, channels, 3, { padding = 1 })
--       self.scale = nn.Parameter(ctorch.ones({ channels, 1, 1 }))
--     end
--
--     function Net:forward(x)
--       return self.conv(x):relu() * self.scale
--     end
--
--     local net = Net(32)
--     local y = net(x)
--
-- A module is called to apply it, with its hooks; a table of names as the last argument gives arguments by name. A class
-- may also have `extra_repr`, `reset_parameters`, `get_extra_state` and `set_extra_state`, and `right_inverse` as a
-- parametrization. What a module holds stands in C, where a class of your own is a module like any other: part of an
-- `nn.Sequential`, copied, printed, saved and loaded; what else is assigned to its fields lives as long as the module.
-- Classes of your own are callbacks: from the first one on the binding is interpreted (callbacks.lua).
local ffi = require("ffi")
local C = require("ctorch.library")
local call = require("ctorch.call")
local callbacks = require("ctorch.callbacks")
local core = require("ctorch.core")
local errors = require("ctorch.errors")
local handles = require("ctorch.handles")
local layers = require("ctorch.generated.layers")
local operators = require("ctorch.operators")
local values = require("ctorch.values")

jit.off(true, true) -- these call C, which may call Lua

local none, Module = handles.none, handles.types.module
local methods = handles.methods.module
local check = errors.check

local modules = {}

local function refuse(text, ...)
  error(errors.new("TYPE", text:format(...)), 0)
end

-- What Lua keeps of a module of one's own, by its address in C, for as long as C keeps the module.
local states = {}

local function address(box)
  return tonumber(ffi.cast("intptr_t", ffi.cast("void *", handles.pointer("module", box, "module"))))
end

local function state_of(box)
  return box.handle[0] ~= nil and states[address(box)] or nil
end

local function is_module(value)
  return type(value) == "cdata" and ffi.istype(Module, value)
end

-- Parameters: tensors that are to be trained, in a table until a module has them.
local Parameter = {}
Parameter.__index = Parameter

local function parameter(data, options)
  local tensor = data:detach()
  tensor:requires_grad_(not (options and options.requires_grad == false))
  return setmetatable({ tensor = handles.keep(tensor) }, Parameter)
end

-- Fields

local function member(box, name)
  local kind = core.module_member_kind_of(box, name)
  if kind == "nothing" then
    return nil
  elseif kind == "option" then
    return values.get(core.module_get_option(box, name))
  end
  local get = kind == "parameter" and core.module_get_parameter or kind == "module" and core.module_get_submodule
    or kind == "computed" and core.module_get_tensor or core.module_get_buffer
  local ok, found = pcall(get, box, name)
  if ok then
    return found
  elseif errors.is_error(found) and found.name == "INDEX" then
    return nil -- registered as nothing
  end
  error(found, 0)
end

local meta = handles.module_meta

function meta.__index(box, name)
  local method = methods[name]
  if method ~= nil or type(name) ~= "string" then
    return method
  end
  local state = state_of(box)
  if state then
    local found = state.fields[name]
    if found == nil then
      found = state.class[name]
    end
    if found ~= nil then
      return found
    end
  end
  return member(box, name)
end

function meta.__newindex(box, name, value)
  local kind = core.module_member_kind_of(box, name)
  local wanted = is_module(value) and "module" or getmetatable(value) == Parameter and "parameter"
  if kind == "computed" then
    if not handles.is_tensor(value) then
      refuse("%s, which is computed: cannot assign a %s", name, type(value))
    end
    core.module_set_parametrized(box, name, value)
  elseif wanted then
    if kind ~= "nothing" and kind ~= "option" and kind ~= wanted then
      core.module_unregister(box, name)
    end
    box[wanted == "module" and "register_module" or "register_parameter"](box, name, value)
    local state = state_of(box)
    if state then
      state.fields[name] = nil -- `self.downsample = false` may have stood there before
    end
  elseif kind == "buffer" or kind == "transient_buffer" then
    if value ~= nil and not rawequal(value, none) and not handles.is_tensor(value) then
      refuse("buffer %s: expected a tensor, got %s", name, type(value))
    end
    box:register_buffer(name, value, { persistent = kind == "buffer" })
  elseif kind == "option" then
    core.module_set_option(box, name, value)
  elseif kind ~= "nothing" then
    if value ~= nil and not rawequal(value, none) then
      refuse("%s %s: cannot assign a %s", kind, name, handles.is_tensor(value) and "tensor" or type(value))
    end
    box[kind == "module" and "register_module" or "register_parameter"](box, name, nil)
  else
    local state = state_of(box)
    if not state then
      refuse("a %s has no field %s", core.module_name(box), name)
    end
    state.fields[name] = value
  end
end

function meta.__tostring(box)
  return box.handle[0] == nil and "ctorch.module (closed)" or core.module_repr(box)
end

-- Applying

local function unbox(box)
  local found = values.get(box)
  if box ~= nil then
    box:close()
  end
  return found
end

local function flat(found)
  if type(found) == "table" and values.is_tuple(found) then
    return unpack(found, 1, found.n)
  end
  return found
end

function meta.__call(box, ...)
  local count = select("#", ...)
  local last = count > 0 and select(count, ...) or nil
  local options = type(last) == "table" and call.is_options(last) and last or nil
  if count == 1 and not options and handles.is_tensor(last) and not state_of(box) and layers[core.module_name(box)] then
    return core.module_forward(box, last)
  end
  local args = { ... }
  for i = 1, count do
    args[i] = args[i] == nil and none or args[i]
  end
  count = options and count - 1 or count
  local named = values.of(options or values.dict(), "the arguments by name")
  return flat(unbox(core.module_call(box, values.tuple(unpack(args, 1, count)), named)))
end

-- What the module computes; a class of your own has its own forward.
function methods.forward(box, ...)
  local state = state_of(box)
  if state and state.class.forward then
    return state.class.forward(box, ...)
  end
  return box(...)
end

-- What it holds

function methods.register_parameter(box, name, value)
  if value ~= nil and not rawequal(value, none) and getmetatable(value) ~= Parameter then
    refuse("parameter %s: expected a Parameter, got %s", name, handles.is_tensor(value) and "a tensor" or type(value))
  end
  core.module_register_parameter(box, name, getmetatable(value) == Parameter and value.tensor or nil)
end

function methods.register_buffer(box, name, tensor, options)
  core.module_register_buffer(box, name, tensor, not (options and options.persistent == false))
end

function methods.register_module(box, name, module)
  core.module_register_module(box, name, module)
end

function methods.unregister(box, name)
  core.module_unregister(box, name)
end

local option = require("ctorch.convert").option

-- The parameters, each once: what an optimizer is given.
function methods.parameters(box, options)
  return core.module_parameters(box, option(options, "recurse", true))
end

function methods.buffers(box, options)
  return core.module_buffers(box, option(options, "recurse", true))
end

-- { { name, tensor or module }, … }
local function named(found, kind)
  local list = {}
  for i = 1, tonumber(core["named_" .. kind .. "_len"](found)) do
    list[i] = { core["named_" .. kind .. "_name"](found, i - 1), core["named_" .. kind .. "_get"](found, i - 1) }
  end
  found:close()
  return list
end

local function named_tensors(function_name)
  return function(box, options)
    local recurse, once = option(options, "recurse", true), option(options, "remove_duplicate", true)
    return named(core[function_name](box, option(options, "prefix"), recurse, once), "tensors")
  end
end

methods.named_parameters = named_tensors("module_named_parameters")
methods.named_buffers = named_tensors("module_named_buffers")

function methods.named_modules(box, options)
  local once = option(options, "remove_duplicate", true)
  return named(core.module_named_modules(box, option(options, "prefix"), once), "modules")
end

function methods.named_children(box)
  return named(core.module_named_children(box), "modules")
end

local function seconds(list)
  local found = {}
  for i, pair in ipairs(list) do
    found[i] = pair[2]
  end
  return found
end

function methods.modules(box)
  return seconds(box:named_modules())
end

function methods.children(box)
  return seconds(box:named_children())
end

function methods.get_parameter(box, target)
  return core.module_get_parameter(box, target)
end

function methods.get_buffer(box, target)
  return core.module_get_buffer(box, target)
end

function methods.get_submodule(box, target)
  return core.module_get_submodule(box, target)
end

function methods.set_submodule(box, target, module, options)
  core.module_set_submodule(box, target, module, option(options, "strict", false))
end

-- What is done to all of it

-- Captures calls without gradients and replays them, one tape for each form of the inputs, `most` of them; 0 for none.
function methods.set_tape(box, most, options)
  core.module_set_tape(box, most or 4, options and options.fast or false)
  return box
end

function methods.train(box, mode)
  core.module_train(box, mode == nil or mode)
  return box
end

function methods.eval(box)
  return box:train(false)
end

function methods.is_training(box)
  return core.module_training(box)
end

function methods.requires_grad_(box, requires_grad)
  core.module_requires_grad_(box, requires_grad == nil or requires_grad)
  return box
end

function methods.zero_grad(box, options)
  core.module_zero_grad(box, option(options, "set_to_none", true))
end

-- `to("float64")`, `to("cuda:0")`, or `to({ device = …, dtype = …, memory_format = … })`; parameters stay what they are.
function methods.to(box, target)
  local options = target
  if type(target) == "string" then
    options = require("ctorch.generated.enums").dtype[target] and { dtype = target } or { device = target }
  end
  core.module_to(
    box, options.device, options.dtype, option(options, "non_blocking", false), option(options, "memory_format"))
  return box
end

function methods.to_empty(box, device, options)
  core.module_to_empty(box, device, option(options, "recurse", true))
  return box
end

-- Call a function with every module inside, and with this one as the last.
function methods.apply(box, func)
  core.module_apply(box, function(module)
    func(module)
  end)
  return box
end

function methods.num_parameters(box, options)
  return core.module_num_parameters(box, option(options, "trainable", false))
end

-- A copy with tensors of its own.
function methods.copy(box)
  return core.module_copy(box)
end

function methods.name(box)
  return core.module_name(box)
end

-- State

-- A dict (values.lua) from dotted names to tensors, and another with the versions by the names of modules, which is its
-- `metadata` too.
function methods.state_dict(box, options)
  local state, metadata = core.module_state_dict(box, option(options, "prefix"), option(options, "keep_vars", false))
  local dict = unbox(state)
  dict.metadata = unbox(metadata)
  return dict, dict.metadata
end

-- Two lists: the names that were missing, and those that were unexpected.
function methods.load_state_dict(box, state_dict, options)
  local strict, assign = option(options, "strict", true), option(options, "assign", false)
  local metadata = option(options, "metadata", getmetatable(state_dict) and state_dict.metadata)
  local missing, unexpected = core.module_load_state_dict(box, state_dict, metadata, strict, assign)
  return unbox(missing), unbox(unexpected)
end

-- Hooks: each gives a handle, which `core.hook_remove` takes out again. What one returns replaces what it was given.

local function boxed(result)
  if result == nil then
    return nil
  end
  return values.of(result, "what the hook returned")
end

-- `hook(module, args, kwargs)`
function methods.register_forward_pre_hook(box, hook, options)
  return core.module_register_forward_pre_hook(box, function(module, args, kwargs)
    return boxed(hook(module, values.get(args), values.get(kwargs)))
  end, option(options, "with_kwargs", false), option(options, "prepend", false))
end

-- `hook(module, args, kwargs, output)`
function methods.register_forward_hook(box, hook, options)
  return core.module_register_forward_hook(box, function(module, args, kwargs, output)
    return boxed(hook(module, values.get(args), values.get(kwargs), values.get(output)))
  end, option(options, "always_call", false), option(options, "prepend", false))
end

-- `hook(module, grad_inputs, grad_outputs)`
function methods.register_full_backward_hook(box, hook, options)
  return core.module_register_backward_hook(box, hook, option(options, "prepend", false))
end

-- `hook(module, grad_outputs)`
function methods.register_full_backward_pre_hook(box, hook, options)
  return core.module_register_backward_pre_hook(box, hook, option(options, "prepend", false))
end

-- Lists

-- The module at a place, counted from 0, or from the end: -1 is the last.
function methods.at(box, index)
  return core.module_at(box, index)
end

function methods.append(box, module)
  core.module_append(box, module)
  return box
end

function methods.insert(box, index, module)
  core.module_insert(box, index, module)
  return box
end

function methods.remove_at(box, index)
  core.module_remove_at(box, index)
  return box
end

function meta.__len(box)
  return tonumber(core.module_len(box))
end

-- Classes of one's own

local Class = {}

function Class.__call(class, ...)
  local box = modules.make(class, {})
  if class.init then
    class.init(box, ...)
  end
  return box
end

-- Copies of tables within tables; tensors are copied, what cannot be is shared.
local function deep(value, made)
  if handles.is_tensor(value) then
    return handles.keep(value:detach():clone())
  elseif type(value) ~= "table" or rawequal(value, none) then
    return value
  elseif made[value] == nil then
    made[value] = setmetatable({}, getmetatable(value))
    for key, entry in pairs(value) do
      made[value][key] = deep(entry, made)
    end
  end
  return made[value]
end

-- C functions with a callback and a payload, which C gives back by itself.
local function set(function_name, box, kinds, functions)
  local payload = callbacks.hold(functions)
  local entries = {}
  for i, kind in ipairs(kinds) do
    entries[i] = callbacks.entry(kind)
  end
  table.insert(entries, callbacks.destroy())
  table.insert(entries, payload)
  local failure = C["ctorch_module_" .. function_name](box.handle[0], unpack(entries))
  if failure ~= nil then
    callbacks.let_go(payload)
  end
  check(failure)
end

-- A module in C for a class; `fields` is what else it has.
function modules.make(class, fields)
  local state = { class = class, fields = fields }
  -- What C calls for a method that takes and gives any values.
  local function caller(method)
    return function(module, args, kwargs)
      local given, options = unbox(args), unbox(kwargs)
      local count = given.n
      if #options.keys > 0 then
        count = count + 1
        given[count] = {}
        for i, name in ipairs(options.keys) do
          given[count][name] = options.values[i]
        end
      end
      for i = 1, count do
        given[i] = not rawequal(given[i], none) and given[i] or nil
      end
      local results = { n = 0 }
      local function take(...)
        results = { n = select("#", ...), ... }
      end
      take(class[method](module, unpack(given, 1, count)))
      for i = 1, results.n do
        results[i] = results[i] == nil and none or results[i]
      end
      local result = results.n > 1 and values.tuple(unpack(results, 1, results.n)) or results[1]
      return values.of(result, class.__name .. "." .. method)
    end
  end
  local functions = { module_call = caller("forward") }
  local box = Module()
  local payload = callbacks.hold(functions)
  local failure = C.ctorch_module_new_of_values(
    ffi.cast("ctorch_module **", box.handle), class.__name, class.forward and callbacks.entry("module_call") or nil,
    modules.destroy(), payload)
  if failure ~= nil then
    callbacks.let_go(payload)
  end
  check(failure)
  handles.own("module", box)
  local at = address(box)
  functions.address = at
  states[at] = state
  if class.extra_repr then
    set("set_extra_repr", box, { "module_value" }, {
      module_value = function(module) return values.of(tostring(class.extra_repr(module))) end,
    })
  end
  if class.reset_parameters then
    set("set_reset_parameters", box, { "module" }, {
      module = function(module) class.reset_parameters(module) end,
    })
  end
  if class.right_inverse then
    set("set_right_inverse", box, { "module_call" }, { module_call = caller("right_inverse") })
  end
  if class.get_extra_state and class.set_extra_state then
    set("set_extra_state", box, { "module_value", "module_set_value" }, {
      module_value = function(module) return values.of(class.get_extra_state(module)) end,
      module_set_value = function(module, value) class.set_extra_state(module, unbox(value)) end,
    })
  end
  set("set_copy", box, { "module_copy" }, {
    module_copy = function() return modules.make(class, deep(state.fields, {})) end,
  })
  return box
end

local destroy

-- What C calls when a module is gone: its fields go with it.
function modules.destroy()
  if not destroy then
    callbacks.destroy() -- from here on there are callbacks
    destroy = ffi.cast("void (*)(void *)", function(payload)
      states[callbacks.held(payload).address] = nil
      callbacks.let_go(payload)
    end)
  end
  return destroy
end

-- A class of one's own, which is called to make a module.
function modules.class(name)
  local class = { __name = name }
  return setmetatable(class, Class)
end

-- Containers

local function pairs_of(entries)
  local found = {}
  for name in pairs(entries) do
    table.insert(found, name)
  end
  table.sort(found)
  return found
end

local containers = {}

function containers.Sequential(made, ...)
  for i = 1, select("#", ...) do
    made:append((select(i, ...)))
  end
end

function containers.ModuleList(made, list)
  for _, module in ipairs(list or {}) do
    made:append(module)
  end
end

-- By name, in the order of the names, as a table of Lua's has none: register_module keeps another one.
function containers.ModuleDict(made, entries)
  for _, name in ipairs(pairs_of(entries or {})) do
    made:register_module(name, entries[name])
  end
end

function containers.ParameterList(made, list)
  for i, entry in ipairs(list or {}) do
    made:register_parameter(tostring(i - 1), entry)
  end
end

function containers.ParameterDict(made, entries)
  for _, name in ipairs(pairs_of(entries or {})) do
    made:register_parameter(name, entries[name])
  end
end

local nn = { Parameter = parameter, class = modules.class }

for name, fill in pairs(containers) do
  local make = operators.nn[name]
  nn[name] = setmetatable({}, {
    __index = make,
    __tostring = function() return tostring(make) end,
    __call = function(_, ...)
      local made = name == "ParameterList" and make({}) or make()
      fill(made, ...)
      return made
    end,
  })
end

-- Whether a value is a module.
function nn.is_module(value)
  return is_module(value)
end

modules.nn = setmetatable(nn, { __index = operators.nn })
return modules
