-- Make the calls of a sample (operator_sample.py) and print what comes out as lines of text.
--
--     luajit sample.lua CALLS
--
-- CALLS is a Lua file that returns the list of calls. Before the lines of each stands `call N`.
local ffi = require("ffi")
local ctorch = require("ctorch")

local CALL_SEED = 4

local function from_hex(text)
  return (text:gsub("%x%x", function(pair) return string.char(tonumber(pair, 16)) end))
end

local function to_hex(bytes)
  return (bytes:gsub(".", function(char) return ("%02x"):format(char:byte()) end))
end

local function to_double(hex)
  local cell = ffi.new("double[1]")
  ffi.copy(cell, from_hex(hex), 8)
  return cell[0]
end

local function to_integer(text)
  return loadstring("return " .. text .. "LL")()
end

local decode

local scalars = {
  int = function(text) return ctorch.int(to_integer(text)) end,
  float = function(hex) return ctorch.float(to_double(hex)) end,
  bool = function(value) return value end,
}

local decoders = {
  tensor = function(value) return ctorch.from_data(from_hex(value[3]), value[2], value[1]) end,
  int = to_integer,
  float = to_double,
  bool = function(value) return value end,
  text = function(value) return value end,
  none = function() return ctorch.none end,
  list = function(value)
    local found = {}
    for i, item in ipairs(value) do
      found[i] = decode(item)
    end
    return found
  end,
  generator = function(seed)
    local made = ctorch.core.generator_new("cpu")
    ctorch.core.generator_manual_seed(made, seed)
    return made
  end,
  scalar = function(value)
    local kind, content = next(value)
    return scalars[kind](content)
  end,
  complex = function(value) return ctorch.complex(to_double(value[1]), to_double(value[2])) end,
}

function decode(value)
  local kind, content = next(value)
  return decoders[kind](content)
end

local function describe(value)
  if value == nil or rawequal(value, ctorch.none) then
    print("none")
  elseif ctorch.is_tensor(value) then
    print(("tensor %s [%s] %s"):format(value.dtype, table.concat(value.shape, ","), to_hex(value:bytes())))
  elseif type(value) == "table" then
    print("list " .. value.n)
    for i = 1, value.n do
      describe(value[i])
    end
  elseif type(value) == "boolean" then
    print("bool " .. tostring(value))
  elseif type(value) == "string" then
    print("text " .. value)
  else
    return false
  end
  return true
end

-- A Lua number does not tell whether it is an integer: the schema does.
local function describe_number(value, c_type)
  if c_type == "double" or c_type == "scalar" and value % 1 ~= 0 then
    print("float " .. to_hex(ffi.string(ffi.new("double[1]", value), 8)))
  else
    print("int " .. (tostring(value):gsub("LL$", "")))
  end
end

local function result_types(call)
  local found = {}
  for _, entry in ipairs(require("ctorch.generated.operators")[call.operator]) do
    if entry[1] == call.overload then
      for c_type in entry[3]:gmatch(">[%w_]+:%w+:([%w_]+)") do
        table.insert(found, c_type)
      end
    end
  end
  return found
end

local function run(call)
  local arguments, given, names = {}, {}, {}
  for name, value in pairs(call.arguments) do
    arguments[name] = decode(value)
    given[arguments[name]] = true
    table.insert(names, name)
  end
  table.sort(names)
  ctorch.core.random_manual_seed(CALL_SEED)
  local results = { ctorch.aten[call.operator][call.overload](arguments) }
  local types = result_types(call)
  for i = 1, #types do
    if not describe(results[i]) then
      describe_number(results[i], types[i])
    end
  end
  for _, name in ipairs(names) do
    local value = arguments[name]
    if ctorch.is_tensor(value) then
      describe(value)
    elseif type(value) == "table" and not rawequal(value, ctorch.none) then
      for _, item in ipairs(value) do
        if ctorch.is_tensor(item) then
          describe(item)
        end
      end
    end
  end
end

ctorch.core.threads_set_num(1)
for i, call in ipairs(dofile(arg[1])) do
  print("call " .. i)
  local ok, failure = pcall(ctorch.scope, run, call)
  if not ok then
    print("error " .. tostring(failure))
  end
end
print("live " .. tostring(ctorch.live_handles()))
