-- Models that Python wrote, run without Python.
--
--     local model = ctorch.JitModule("model.pt")                  -- torch.jit.save
--     local model = ctorch.Package("model.pt2")                   -- torch._inductor.aoti_compile_and_package
--     local model = ctorch.ExportedProgram("model.pt2"):module()  -- torch.export.save
--     local y = model(x)
--
-- Arguments are tensors, numbers, texts and what `ctorch.value` makes, and results come back the same way (values.lua);
-- `model:call_with(named, …)` takes a dict of arguments by name too. What may stand for a path of the first and the last
-- says streams.lua.
local core = require("ctorch.core")
local data = require("ctorch.data")
local optimizers = require("ctorch.optimizers")
local streams = require("ctorch.streams")
local values = require("ctorch.values")

jit.off(true, true) -- these call C, which may call Lua

local unbox = optimizers.unbox
local deployment = {}

-- TorchScript

local script, script_meta = data.class("jit_module", function(box) return "JitModule " .. core.jit_module_name(box) end)

-- The module of a source, its tensors on `options.device` or where the file says.
function deployment.JitModule(source, options)
  return streams.reading(source, {}, "JitModule", function(reader)
    return core.jit_load(reader, options and options.device)
  end)
end

-- A module whose methods are the functions of a source text.
deployment.compile_script = core.jit_compile

-- What a module computes on a list of inputs, with its parameters and buffers under their names.
function deployment.trace_script(module, inputs)
  return core.jit_trace_module(module, values.all_of(inputs, "the inputs"))
end

-- Calls a method; `named` is a dict of arguments by name, or nil.
function script.method(box, name, named, ...)
  local args = values.all_of({ n = select("#", ...), ... }, "the arguments")
  return unbox(core.jit_module_call(box, name, args, named and values.of(named, "the arguments by name")))
end

-- Calls forward.
function script_meta.__call(box, ...)
  return script.method(box, "forward", nil, ...)
end

function script.call_with(box, named, ...)
  return script.method(box, "forward", named, ...)
end

function script.method_names(box)
  return unbox(core.jit_module_method_names(box))
end

-- A dict of the parameters by their dotted names.
function script.named_parameters(box)
  return unbox(core.jit_module_named_parameters(box, true))
end

-- An attribute by its dotted name.
function script.attribute(box, name)
  return unbox(core.jit_module_get_attribute(box, name))
end

function script.set_attribute(box, name, value)
  core.jit_module_set_attribute(box, name, values.of(value, "the attribute"))
end

function script.train(box, mode)
  core.jit_module_train(box, mode ~= false)
  return box
end

-- Writes it for torch.jit.load; without a target the bytes are returned.
function script.save(box, target)
  return streams.writing(target, {}, "save", function(writer)
    core.jit_save(box, writer)
  end)
end

-- Compiled models

local package, package_meta = data.class("package", function() return "Package" end)

-- A compiled model, which is a program: load those alone whose origin you trust. The options are `model_name`,
-- `single_threaded`, `num_runners` and `device`.
function deployment.Package(path, options)
  options = options or {}
  local runners = options.num_runners or 1
  return core.package_load(path, options.model_name, options.single_threaded or false, runners, options.device)
end

-- Calls it as the model is called in Python.
function package_meta.__call(box, ...)
  return package.call_with(box, nil, ...)
end

function package.call_with(box, named, ...)
  local args = values.all_of({ n = select("#", ...), ... }, "the arguments")
  return unbox(core.package_call(box, args, named and values.of(named, "the arguments by name")))
end

function package.metadata(box)
  return unbox(core.package_metadata(box))
end

-- A dict of the weights in use by their names.
function package.constants(box)
  return unbox(core.package_constants(box, false))
end

-- Programs of torch.export

local program = data.class("exported_program", function() return "ExportedProgram" end)

-- What a source holds: a graph of operators with its weights.
function deployment.ExportedProgram(source, options)
  return streams.reading(source, {}, "ExportedProgram", function(reader)
    return core.exported_program_open(reader, options and options.model_name)
  end)
end

-- A module that runs the graph on weights of its own, and is trained as any other.
function program.module(box)
  return core.exported_program_module(box)
end

function program.state_dict(box)
  return unbox(core.exported_program_state_dict(box))
end

-- The graph as text.
function program.text(box)
  return tostring(core.exported_program_text(box))
end

return deployment
