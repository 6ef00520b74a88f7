-- ctorch for LuaJIT.
--
--     local ctorch = require("ctorch")
--     local x = ctorch.tensor({ { 1, 2 }, { 3, 4 } })
--     local y = (x * 2):sum({ dim = 0 })
--     print(y, y.dtype, y.shape[1])
--
-- `ctorch.aten.<operator>` are the operators; those that are not named otherwise here also go as `ctorch.<operator>`
-- and `tensor:<operator>`. `ctorch.nn` makes modules, `ctorch.init` gives parameters their initial values. `ctorch.core.<function>` are the other functions of the C library without their prefix, and
-- `ctorch.C` is the library itself: raw calls that compile to what a C compiler makes of them. Dimensions and indices
-- count from 0, as they do in PyTorch. Errors have backtraces after `ctorch.compile_calls(false)` (handles.lua says why).
local ffi = require("ffi")
local C = require("ctorch.library")
local autograd = require("ctorch.autograd")
local call = require("ctorch.call")
local convert = require("ctorch.convert")
local errors = require("ctorch.errors")
local handles = require("ctorch.handles")
local operators = require("ctorch.operators")
local tensors = require("ctorch.tensor")

local signatures = require("ctorch.generated.functions")

local ctorch = {
  C = C,
  Error = errors.Error,
  aten = operators.aten,
  compile_calls = handles.compile_calls,
  complex = convert.complex, -- a Scalar for sure, where a Lua number would be one of another kind
  core = tensors.core,
  custom_function = autograd.custom_function,
  error = errors.new,
  float = convert.float,
  from_data = tensors.from_data,
  functions = signatures,
  grad = autograd.grad,
  held_bytes = handles.held_bytes,
  int = convert.int,
  is_error = errors.is_error,
  is_tensor = handles.is_tensor,
  no_grad = autograd.no_grad,
  none = handles.none,
  scope = handles.scope,
  slice = tensors.slice,
  tensor = tensors.tensor,
  with_mode = autograd.with_mode,
}

-- Bytes that tensors waiting for the garbage collector may take before it runs.
function ctorch.set_memory_threshold(bytes)
  handles.memory_threshold = convert.number(bytes, "set_memory_threshold")
end

function ctorch.version()
  return ffi.string(C.ctorch_version())
end

-- Handles that are not given back, after a garbage collection; nil unless CTORCH_DEBUG_HANDLES=1.
function ctorch.live_handles()
  collectgarbage()
  collectgarbage()
  local count = tonumber(C.ctorch_debug_live_handles())
  return count >= 0 and count or nil
end

return setmetatable(ctorch, {
  __index = function(_, name)
    return operators[name] or operators.aten[name] -- `nn`, `init`; `add`
  end,
})
