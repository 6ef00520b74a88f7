-- Differentiation: modes, gradients, and functions with a backward of their own.
local core = require("ctorch.core")
local handles = require("ctorch.handles")

local autograd = {}

-- The arguments as a list, `none` for nil.
local function pack(...)
  local found = { n = select("#", ...), ... }
  for i = 1, found.n do
    if found[i] == nil then
      found[i] = handles.none
    end
  end
  return found
end

-- Call `body(...)` in a region that `push(argument)` opens and `pop()` closes.
function autograd.with_mode(push, pop, argument, body, ...)
  push(argument)
  local function finish(ok, ...)
    pop()
    if not ok then
      error((...), 0)
    end
    return ...
  end
  return finish(pcall(body, ...))
end

-- Call `body(...)` without recording for backward.
function autograd.no_grad(body, ...)
  return autograd.with_mode(core.grad_mode_push, core.grad_mode_pop, false, body, ...)
end

-- Call `body(...)` with recording for backward: within no_grad.
function autograd.enable_grad(body, ...)
  return autograd.with_mode(core.grad_mode_push, core.grad_mode_pop, true, body, ...)
end

-- Call `body(...)` in inference mode: nothing is recorded, and what it makes never can be.
function autograd.inference_mode(body, ...)
  return autograd.with_mode(core.inference_mode_push, core.inference_mode_pop, true, body, ...)
end

-- Gradients of `outputs` with respect to `inputs`, both lists of tensors; options as in ctorch_autograd_grad.
function autograd.grad(outputs, inputs, options)
  local given = { create_graph = false, is_grads_batched = false, materialize_grads = false }
  for name, value in pairs(options or {}) do
    given[name] = value
  end
  return core.autograd_grad(outputs, inputs, given)
end

-- What forward and backward of a custom function get as their first argument.
local context = handles.methods.autograd_context

function context:save_for_backward(...)
  core.autograd_context_save_for_backward(self, pack(...))
end

function context:saved_tensors()
  return unpack(core.autograd_context_saved_tensors(self))
end

function context:needs_input_grad(index)
  return core.autograd_context_needs_input_grad(self, index)
end

function context:mark_dirty(...)
  core.autograd_context_mark_dirty(self, pack(...))
end

function context:mark_non_differentiable(...)
  core.autograd_context_mark_non_differentiable(self, pack(...))
end

function context:set_materialize_grads(value)
  core.autograd_context_set_materialize_grads(self, value)
end

-- A differentiable function. `definition` has `name`, `forward(context, inputs)`, which returns the outputs, and
-- `backward(context, grad_outputs)`, which returns a gradient for each input (`none` for an input that has none);
-- optionally `jvp(context, tangents)` and `once_differentiable`. Call the result with tensors; it returns the outputs.
-- A function whose own code refers to it is not collected: `close()` it when it is not called any more.
local Function = {}
Function.__index = Function

function Function:__call(...)
  return unpack(core.autograd_function_apply(self.handle, pack(...)))
end

function Function:close()
  self.handle:close()
end

function autograd.custom_function(definition)
  local handle = core.autograd_function_new(
    definition.name or "Function", definition.forward, definition.backward, definition.jvp,
    definition.once_differentiable or false)
  return setmetatable({ handle = handle }, Function)
end

return autograd
