-- Tapes: a step that runs once, and is replayed without dispatch, allocations and autograd.
--
--     local step = ctorch.capture({ x }, function(x) return model(x) end)
--     local y = step(batch) -- as if the function had been called with `batch`
--
-- What is noted are the operators that the function calls; what Lua does between them is not done again. The outputs are
-- the same tensors after each call, with other values: clone what is to be kept.
local core = require("ctorch.core")
local errors = require("ctorch.errors")

jit.off(true, true) -- these call C, which may call Lua

local Tape = {}
Tape.__index = Tape

-- Makes the step with these tensors, which are copied, and answers its outputs.
function Tape:__call(...)
  core.tape_replay(self.handle, { ... })
  return self:outputs()
end

-- What the function gave.
function Tape:outputs()
  return unpack(self.made, 1, self.len)
end

-- A table of its operators, and how each is run again.
function Tape:__tostring()
  return tostring(core.tape_text(self.handle))
end

-- The memory that it keeps, in bytes.
function Tape:bytes()
  return core.tape_bytes(self.handle)
end

function Tape:close()
  self.handle:close()
end

-- Calls a function with these tensors, and captures what it does. With `fast` results may differ in the last digits; with
-- `verify` each call is compared with the operators one by one.
local function capture(inputs, step, options)
  if type(step) ~= "function" then
    errors.refuse("capture", "a function", step)
  end
  options = options or {}
  local handle = core.tape_begin(inputs, options.fast or false, options.verify or false)
  local results = { pcall(step, unpack(inputs)) }
  if not results[1] then
    handle:close()
    error(results[2], 0)
  end
  table.remove(results, 1)
  local ended, failure = pcall(core.tape_end, handle, results)
  if not ended then
    handle:close()
    error(failure, 0)
  end
  local list = core.tape_outputs(handle)
  local made = {}
  for i = 1, #results do
    made[i] = list[i]
  end
  return setmetatable({ handle = handle, made = made, len = #results }, Tape)
end

return capture
