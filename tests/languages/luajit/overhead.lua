-- What a call costs from LuaJIT: `name ns` lines, the best of 5 rounds.
--
-- `add_raw` is what a C program does, `add` the binding with close() in a scope, where tensors have no finalizer;
-- `add_collected` leaves the tensors to the garbage collector. With --interpreted calls that can fail are not compiled,
-- as is the default.
local ffi = require("ffi")
local ctorch = require("ctorch")
local C = ctorch.C

ffi.cdef([[
typedef struct { int64_t seconds, nanoseconds; } benchmark_time;
int clock_gettime(int clock, benchmark_time *time);
]])

local ROUNDS = 5
local time = ffi.new("benchmark_time")

local function now()
  ffi.C.clock_gettime(1, time)
  return tonumber(time.seconds) * 1e9 + tonumber(time.nanoseconds)
end

local function measure(name, count, body)
  local best = math.huge
  collectgarbage() -- what the case before has left: finalizers that run meanwhile also keep LuaJIT from compiling
  collectgarbage()
  for _ = 1, ROUNDS do
    local start = now()
    body(count)
    best = math.min(best, (now() - start) / count)
  end
  print(("%s %.1f"):format(name, best))
end

C.ctorch_threads_set_num(1)
ctorch.compile_calls(arg[1] ~= "--interpreted")
local ones = ctorch.tensor({ 1, 1, 1, 1, 1, 1, 1, 1 })
local raw = ones.handle[0]
local add, cat, size = ctorch.aten.add.Tensor, ctorch.aten.cat.default, ones.size

measure("version", 10000000, function(count)
  local sum = 0
  for _ = 1, count do
    sum = sum + C.ctorch_version()[0]
  end
  return sum
end)

measure("size", 5000000, function(count)
  local sum = 0
  for _ = 1, count do
    sum = sum + size(ones, 0)
  end
  return sum
end)

measure("add_raw", 1000000, function(count)
  local out = ffi.new("ctorch_tensor *[1]")
  for _ = 1, count do
    if C.ctorch_aten_add_Tensor(out, raw, raw, nil) ~= nil then
      error("add")
    end
    C.ctorch_tensor_release(out[0])
  end
end)

measure("add", 1000000, function(count)
  ctorch.scope(function()
    for _ = 1, count do
      add(ones, ones):close()
    end
  end)
end)

measure("add_collected", 300000, function(count)
  for _ = 1, count do
    add(ones, ones)
  end
end)

measure("cat", 300000, function(count)
  local list = { ones, ones, ones, ones }
  ctorch.scope(function()
    for _ = 1, count do
      cat(list, 0):close()
    end
  end)
end)
