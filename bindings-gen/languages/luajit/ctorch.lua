-- ctorch for LuaJIT.
--
--     local ctorch = require("ctorch")
--     local x = ctorch.tensor({ { 1, 2 }, { 3, 4 } })
--     local y = (x * 2):sum({ dim = 0 })
--     print(y, y.dtype, y.shape[1])
--
-- `ctorch.aten.<operator>` are the operators; those that are not named otherwise here also go as `ctorch.<operator>`
-- and `tensor:<operator>`. `ctorch.nn` makes modules, `ctorch.init` gives parameters their initial values, `ctorch.optim`
-- trains them, and `ctorch.Trainer` does so with what `ctorch.data` and `ctorch.datasets` load and `ctorch.transforms`
-- change. `ctorch.save` and `ctorch.load` are torch's, `ctorch.safetensors`, `npy`, `npz` and `sharded` other
-- formats; `ctorch.Weights` reads any of them, `ctorch.Snapshots` lets a training run go on, `ctorch.capture`
-- replays a step; `ctorch.JitModule`, `Package` and `ExportedProgram` are models that Python wrote. `ctorch.Tokenizer`
-- makes ids of texts, `ctorch.metrics` say how good predictions are, and a `ctorch.SummaryWriter` logs for TensorBoard.
-- `ctorch.core.<function>` are the other functions of the C library without their prefix, and `ctorch.C` is the library
-- itself: raw calls that compile to what a C compiler makes of them. Where C takes a value of any type, Lua's own stand for it; `ctorch.value`
-- has what Lua lacks (values.lua). Dimensions and indices count from 0, as they do in PyTorch. Errors have backtraces
-- after `ctorch.compile_calls(false)` (handles.lua says why).
local ffi = require("ffi")
local C = require("ctorch.library")
local autograd = require("ctorch.autograd")
local call = require("ctorch.call")
local convert = require("ctorch.convert")
local data = require("ctorch.data")
local deployment = require("ctorch.deployment")
local errors = require("ctorch.errors")
local formats = require("ctorch.formats")
local handles = require("ctorch.handles")
local modules = require("ctorch.modules")
local operators = require("ctorch.operators")
local optimizers = require("ctorch.optimizers")
local schedulers = require("ctorch.schedulers")
local serialization = require("ctorch.serialization")
local summary = require("ctorch.summary")
local tensors = require("ctorch.tensor")
local text = require("ctorch.text")
local transforms = require("ctorch.transforms")

local signatures = require("ctorch.generated.functions")

local ctorch = {
  C = C,
  Error = errors.Error,
  ExportedProgram = deployment.ExportedProgram,
  JitModule = deployment.JitModule,
  Logger = summary.Logger,
  Package = deployment.Package,
  Snapshots = require("ctorch.snapshots"),
  SummaryReader = summary.SummaryReader,
  SummaryWriter = summary.SummaryWriter,
  Tiktoken = text.Tiktoken,
  Tokenizer = text.Tokenizer,
  Trainer = require("ctorch.trainer"),
  Weights = require("ctorch.weights"),
  amp = require("ctorch.grad_scaler"),
  aten = operators.aten,
  capture = require("ctorch.tape"),
  compile_calls = handles.compile_calls,
  compile_script = deployment.compile_script,
  complex = convert.complex, -- a Scalar for sure, where a Lua number would be one of another kind
  core = tensors.core,
  custom_function = autograd.custom_function,
  data = data.data,
  datasets = operators.datasets,
  enable_grad = autograd.enable_grad,
  error = errors.new,
  float = convert.float,
  from_data = tensors.from_data,
  functions = signatures,
  grad = autograd.grad,
  held_bytes = handles.held_bytes,
  inference_mode = autograd.inference_mode,
  int = convert.int,
  is_error = errors.is_error,
  is_tensor = handles.is_tensor,
  load = serialization.load,
  metrics = require("ctorch.metrics"),
  nn = modules.nn,
  no_grad = autograd.no_grad,
  none = handles.none,
  npy = formats.npy,
  npz = formats.npz,
  optim = optimizers.optim,
  runs = summary.runs,
  safetensors = formats.safetensors,
  save = serialization.save,
  scope = handles.scope,
  sharded = formats.sharded,
  slice = tensors.slice,
  tensor = tensors.tensor,
  trace_script = deployment.trace_script,
  transforms = transforms.transforms,
  tv_tensors = operators.tv_tensors,
  value = require("ctorch.values"), -- Lua's values as values of any type, and back
  with_mode = autograd.with_mode,
}

ctorch.optim.lr_scheduler = schedulers.lr_scheduler

-- Bytes that tensors waiting for the garbage collector may take before it runs.
function ctorch.set_memory_threshold(bytes)
  handles.memory_threshold = convert.number(bytes, "set_memory_threshold")
end

-- Seeds the default generators of the CPU and of every device; returns that of the CPU.
function ctorch.manual_seed(seed)
  if type(seed) == "number" and seed < 0 or type(seed) == "cdata" and ffi.istype("int64_t", seed) then
    seed = ffi.cast("uint64_t", ffi.cast("int64_t", convert.integer(seed, "int64_t", "manual_seed: seed")))
  end
  tensors.core.random_manual_seed(seed)
  return tensors.core.generator_default()
end

-- What the default generator of the CPU was last seeded with.
function ctorch.initial_seed()
  return tensors.core.random_initial_seed()
end

function ctorch.is_grad_enabled()
  return tensors.core.grad_mode_enabled()
end

-- How many threads an operator may use on the CPU.
function ctorch.set_num_threads(number)
  tensors.core.threads_set_num(number)
end

function ctorch.get_num_threads()
  return tensors.core.threads_num()
end

function ctorch.version()
  return ffi.string(C.ctorch_version())
end

-- Handles that are not given back, after a garbage collection; nil unless CTORCH_DEBUG_HANDLES=1.
function ctorch.live_handles()
  local count, before
  repeat -- what is collected may have kept others
    before = count
    collectgarbage()
    collectgarbage()
    count = tonumber(C.ctorch_debug_live_handles())
  until count == before
  return count >= 0 and count or nil
end

return setmetatable(ctorch, {
  __index = function(_, name)
    return operators[name] or operators.aten[name] -- `nn`, `init`; `add`
  end,
})
