-- Lua functions that C calls: custom functions, hooks, kernels, warnings; and what happens when they fail.
local ctorch = require("ctorch")
local check = require("check")

local aten, core, equal, that = ctorch.aten, ctorch.core, check.equal, check.that

local function leaf(...)
  return ctorch.tensor({ ... }):requires_grad_()
end

local cube = ctorch.custom_function({
  name = "Cube",
  forward = function(context, inputs)
    context:save_for_backward(inputs[1])
    return inputs[1] ^ 3
  end,
  backward = function(context, grads)
    local x = context:saved_tensors()
    return grads[1] * x * x * 3
  end,
})

that("a custom function, its gradient and its node", function()
  local x = leaf(1, 2, -3)
  local y = cube(x)
  equal(y:totable(), { 1, 8, -27 })
  equal(core.node_name(y.grad_fn), "CubeBackward")
  y:sum():backward()
  equal(x.grad:totable(), { 3, 12, 27 })
end)

that("a custom function is differentiated twice", function()
  local x = leaf(2)
  local first = ctorch.grad({ cube(x) }, { x }, { create_graph = true })[1]
  equal(first:item(), 12)
  equal(ctorch.grad({ first }, { x })[1]:item(), 12)
end)

that("several inputs and outputs, and none", function()
  local pair = ctorch.custom_function({
    forward = function(_, inputs) return { inputs[1] * 2, inputs[2] * 3 } end,
    backward = function(_, grads) return { grads[1] * 2, ctorch.none } end,
  })
  local a, b = leaf(1), leaf(1)
  local x, y = pair(a, b)
  aten.sum(x + y):backward()
  equal({ a.grad:item(), b.grad == nil }, { 2, true })
end)

local function failing(value)
  return ctorch.custom_function({
    forward = function(_, inputs) return inputs[1] * 1 end,
    backward = function() error(value, 0) end,
  })
end

that("the very value that a backward raises comes out of backward()", function()
  for _, value in ipairs({ { mine = true }, "text", 42, function() end }) do
    local caught = check.raises(function() failing(value)(leaf(1)):sum():backward() end)
    assert(rawequal(caught, value), tostring(caught))
  end
end)

that("a failing forward", function()
  local value = {}
  local broken = ctorch.custom_function({ forward = function() error(value) end, backward = function() end })
  assert(rawequal(check.raises(broken, leaf(1)), value))
end)

that("an error of ctorch inside a callback is that error outside", function()
  local inner
  local broken = ctorch.custom_function({
    forward = function(_, inputs)
      local _, failure = pcall(aten.mm, inputs[1], inputs[1])
      inner = failure
      error(failure)
    end,
    backward = function() end,
  })
  local caught = check.raises(broken, leaf(1))
  assert(rawequal(caught, inner) and ctorch.is_error(caught))
end)

that("wrong results of a callback are errors", function()
  local broken = ctorch.custom_function({ forward = function() return 5 end, backward = function() end })
  check.fails("TYPE", "what the callback returned", broken, leaf(1))
end)

that("a hook sees the gradient and replaces it", function()
  local x, seen = leaf(1, 2), nil
  local hook = x:register_hook(function(grad)
    seen = grad:totable()
    return grad * 10
  end)
  aten.sum(x * 3):backward()
  equal({ seen, x.grad:totable() }, { { 3, 3 }, { 30, 30 } })
  hook:remove()
  x.grad = nil
  aten.sum(x * 3):backward()
  equal(x.grad:totable(), { 3, 3 })
end)

that("a failing hook stops backward and leaves no gradient", function()
  local x, value = leaf(1), {}
  x:register_hook(function() error(value) end)
  assert(rawequal(check.raises(function() (x * 2):backward() end), value))
  equal(x.grad, nil)
end)

that("functions are let go with what they belong to", function()
  local count = require("ctorch.callbacks").count
  ctorch.live_handles()
  local before = count()
  do
    local x = leaf(1)
    x:register_hook(function() end)
    equal(count(), before + 1)
  end
  ctorch.live_handles()
  equal(count(), before)
  for _ = 1, 2000 do -- more than LuaJIT has room for, if each were a function pointer of its own
    local x = leaf(1)
    x:register_hook(function() end)
    x:close()
  end
  ctorch.live_handles()
  equal(count(), before)
end)

that("a kernel of a custom operator", function()
  local library = core.library_new("lua_test")
  core.library_define(library, "twice(Tensor x) -> Tensor")
  core.library_implement(library, "twice", "CPU", function(args)
    return core.value_to_tensor(args[1]) * 2
  end)
  local op = core.op_find("lua_test::twice", nil)
  local result = core.op_call(op, { core.value_from_tensor(ctorch.tensor({ 1, 2 })) })
  equal(core.value_to_tensor(result):totable(), { 2, 4 })
  library:close()
end)

that("a kernel's results that are no tensors outlive what Lua made of them", function()
  local library = core.library_new("lua_words")
  core.library_define(library, "words(Tensor x) -> str[]")
  core.library_implement(library, "words", "CPU", function() return { "a", "b" } end)
  local op = core.op_find("lua_words::words", nil)
  local results = {}
  for i = 1, 20 do
    results[i] = core.op_call(op, { core.value_from_tensor(ctorch.tensor({ 1 })) })
    collectgarbage()
  end
  for i = 1, 20 do
    equal(core.value_repr(results[i]), "['a', 'b']")
  end
  library:close()
end)

that("warnings", function()
  local seen = {}
  core.warning_set_callback(function(kind, message) table.insert(seen, { kind, message }) end)
  core.warning_emit("deprecation", "mind this")
  core.warning_set_callback(function() error("stop", 0) end)
  core.warning_emit("user", "a failing callback stops no warning")
  equal(seen, { { "deprecation", "mind this" } })
  core.warning_set_callback(function() end)
end)

that("saved tensors are packed and unpacked by Lua", function()
  local packed, x = 0, leaf(3)
  core.saved_tensors_hooks_push(
    function(tensor) packed = packed + 1 return { list = tensor:totable() } end,
    function(value) return ctorch.tensor(value.list) end)
  local y = x * x
  core.saved_tensors_hooks_pop()
  y:sum():backward()
  equal({ packed, x.grad:item() }, { 2, 6 })
end)

that("functions that are only called during the call", function()
  local before = require("ctorch.callbacks").count()
  local gradients = core.func_grad(function(inputs) return (inputs[1] ^ 3):sum() end, { leaf(2) }, { 0 }, 0)
  equal(gradients[1]:item(), 12)
  local value = {}
  assert(rawequal(check.raises(core.func_grad, function() error(value) end, { leaf(2) }, { 0 }, 0), value))
  equal(require("ctorch.callbacks").count(), before)
end)

that("callbacks that are nested too deep fail before PyTorch leaves the thread", function()
  local deep
  local depth = 0
  deep = ctorch.custom_function({
    forward = function(_, inputs) return inputs[1] * 1 end,
    backward = function(_, grads)
      depth = depth + 1
      ctorch.with_mode(core.grad_mode_push, core.grad_mode_pop, true, function() deep(leaf(1)):backward() end)
      return grads[1]
    end,
  })
  check.fails("RUNTIME", "nested", function() deep(leaf(1)):backward() end)
  equal(depth, 50)
  deep:close()
end)

that("gradients inside a no_grad region", function()
  local x = leaf(1)
  equal(ctorch.no_grad(function() return (x * 2).requires_grad end), false)
  local value = {}
  assert(rawequal(check.raises(ctorch.no_grad, error, value), value))
  equal(core.grad_mode_enabled(), true)
end)

cube = nil
that("a value that cannot be shown is raised outside as itself", function()
  local value = setmetatable({}, { __tostring = function() error("no text") end })
  local x = leaf(1)
  local y = x * 2
  y:register_hook(function() error(value) end)
  equal(rawequal(check.raises(y.backward, y), value), true)
  local z = x * 2
  z:register_hook(function() coroutine.yield(1) end) -- a way out that Lua itself refuses
  equal(tostring(check.raises(z.backward, z)):find("attempt to yield", 1, true) ~= nil, true)
end)

-- Nothing is given back by a close in the middle of the call that uses it.
local function keeps(close)
  local before = ctorch.C.ctorch_debug_live_handles()
  close()
  return before == ctorch.C.ctorch_debug_live_handles()
end

that("a call keeps what its callback closes", function()
  local x = ctorch.tensor({ 3 }):requires_grad_()
  local y, kept = x * x
  y:register_hook(function()
    kept = keeps(function() y:close() end)
  end)
  y:backward()
  equal({ kept, y.closed, x.grad:totable() }, { true, true, { 6 } })
  check.fails("INVALID_HANDLE", "closed", function() y:backward() end)

  local dataset
  dataset = ctorch.data.Dataset.from({ length = 2, at = function(_, i)
    kept = keeps(function() dataset:close() end)
    return i
  end })
  equal({ dataset:at(1), kept }, { 1, true })

  local inputs = { ctorch.ones({ 2 }):mul(1.5), ctorch.ones({ 2 }):mul(2.5) }
  local made = ctorch.core.checkpoint(function(given)
    kept = keeps(function()
      for i = 1, 2 do
        inputs[i]:close()
        inputs[i] = nil
      end
    end)
    return given[1] * given[2]
  end, { inputs[1], inputs[2] })
  equal({ kept, made[1]:totable() }, { true, { 3.75, 3.75 } })
end)

check.done()
