-- Close, scopes, the garbage collector and its memory.
local ffi = require("ffi")
local ctorch = require("ctorch")
local check = require("check")

local aten, equal, that = ctorch.aten, check.equal, check.that

local function live()
  return ctorch.live_handles()
end

local function resident_bytes()
  for line in io.lines("/proc/self/status") do
    local kilobytes = line:match("^VmRSS:%s+(%d+)")
    if kilobytes then
      return tonumber(kilobytes) * 1024
    end
  end
end

that("close twice", function()
  local before = live()
  local t = ctorch.ones({ 2 })
  equal(live(), before + 1)
  t:close()
  t:close()
  equal({ live(), t.closed, tostring(t) }, { before, true, "tensor (closed)" })
end)

that("the collector closes what is forgotten", function()
  local before = live()
  for _ = 1, 1000 do
    aten.add(ctorch.ones({ 2 }), 1)
  end
  equal(live(), before)
end)

that("a scope closes what it made, and keeps what it returns", function()
  local before = live()
  local inside
  local result, number = ctorch.scope(function()
    inside = ctorch.ones({ 2 })
    return inside + 1, 5
  end)
  equal({ inside.closed, result:totable(), number }, { true, { 2, 2 }, 5 })
  equal(live(), before + 1)
  result:close()
  equal(live(), before)
end)

that("scopes nest, and keep() takes a tensor out", function()
  local outer, inner, kept
  ctorch.scope(function()
    inner = ctorch.scope(function()
      kept = ctorch.ones({ 1 }):keep()
      return ctorch.ones({ 3 })
    end)
    outer = ctorch.ones({ 2 })
    equal(inner.closed, false)
  end)
  equal({ outer.closed, inner.closed, kept.closed }, { true, true, false })
end)

that("a scope is closed by an error too, which comes out as it was", function()
  local before, thrown, inside = live(), {}, nil
  local caught = check.raises(ctorch.scope, function()
    inside = ctorch.ones({ 2 })
    error(thrown)
  end)
  assert(rawequal(caught, thrown) and inside.closed)
  equal(live(), before)
end)

that("close inside a scope", function()
  ctorch.scope(function()
    for _ = 1, 1000 do
      ctorch.ones({ 2 }):close()
    end
  end)
end)

that("use after a scope is an error", function()
  local escaped
  ctorch.scope(function() escaped = ctorch.ones({ 2 }) end)
  check.fails("INVALID_HANDLE", "closed", aten.add, escaped, 1)
end)

that("other handles close as well", function()
  local before = live()
  local generator = ctorch.core.generator_new("cpu")
  local storage = ctorch.core.storage_new(16)
  equal(live(), before + 2)
  generator:close()
  generator:close()
  storage:close()
  equal({ live(), tostring(storage) }, { before, "ctorch.storage (closed)" })
  check.fails("INVALID_HANDLE", "closed", ctorch.core.generator_manual_seed, generator, 1)
end)

that("a handle of another kind is refused", function()
  local generator = ctorch.core.generator_new("cpu")
  check.fails("TYPE", "expected a tensor", aten.neg.default, generator)
  check.fails("TYPE", "expected a tensor", aten.neg.default, ffi.new("int[1]"))
  check.fails("TYPE", "expected a tensor", aten.neg.default, ctorch)
end)

that("memory that a tensor borrows lives as long as it", function()
  local t
  do
    local data = ffi.new("float[1000]")
    for i = 0, 999 do
      data[i] = i
    end
    t = ctorch.core.tensor_from_buffer(data, { 1000 }, nil, "float32")
  end
  collectgarbage()
  collectgarbage()
  equal(t:sum():item(), 499500)
  t:close()
  equal(require("ctorch.callbacks").count(), 0)
end)

that("a list of strides has a length of its own", function()
  local storage = ctorch.core.storage_new(24)
  ctorch.core.tensor_from_storage(storage, 0, { 6 }, nil, "float32"):copy_(ctorch.arange(6))
  local t = ctorch.core.tensor_from_storage(storage, 0, { 2, 3 }, { 1, 2 }, "float32")
  equal({ t:totable(), t.strides }, { { { 0, 2, 4 }, { 1, 3, 5 } }, { 1, 2 } })
  for _, strides in ipairs({ {}, { 1 }, { 1, 2, 1 } }) do
    local message = #strides .. " strides for 2 sizes"
    check.fails("INVALID_ARGUMENT", message, ctorch.core.tensor_from_storage, storage, 0, { 2, 3 }, strides, "float32")
  end
  check.fails("TYPE", "", ctorch.core.tensor_from_storage, storage, 0, { 2, 3 }, 1, "float32")
  t:close()
  storage:close()
end)

-- 10,000 temporaries of 10 MB, all of them written to: without a collection in time they would take 100 GB.
that("garbage stays under the threshold", function()
  local before, highest, seen = resident_bytes(), 0, 0
  local size = 10 * 2 ^ 20
  for i = 1, 10000 do
    ctorch.empty({ size }, { dtype = "uint8" })
    highest = math.max(highest, ctorch.held_bytes())
    if i % 500 == 0 then
      seen = math.max(seen, resident_bytes())
    end
  end
  assert(highest <= 128 * 2 ^ 20 + size, highest)
  assert(highest >= 100 * 2 ^ 20, highest)
  assert(seen - before < 600 * 2 ^ 20, seen - before)
end)

that("garbage that was written to is given back as well", function()
  local before = resident_bytes()
  for _ = 1, 100 do
    ctorch.ones({ 10 * 2 ^ 20 }, { dtype = "uint8" })
  end
  assert(resident_bytes() - before < 500 * 2 ^ 20, resident_bytes() - before)
end)

that("close in a loop keeps nothing for the collector", function()
  ctorch.live_handles()
  local before = ctorch.held_bytes()
  for _ = 1, 100 do
    ctorch.empty({ 2 ^ 20 }):close()
  end
  equal(ctorch.held_bytes(), before)
end)

check.done()
