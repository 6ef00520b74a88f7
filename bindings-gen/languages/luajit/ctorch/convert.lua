-- Lua values to C values and back. `where` names function and argument, for the error.
--
-- 64-bit integers are exact: a Lua number holds whole numbers below 2^53; from there on give and get `int64_t` cdata
-- (`123LL`). Enumerations are names ("float32") or numbers, devices texts ("cuda:0"). A Lua number that is whole is an
-- integer where a Scalar is wanted, any other is a float; `convert.float(2)` is 2.0.
local ffi = require("ffi")
local C = require("ctorch.library")
local enums = require("ctorch.generated.enums")
local errors = require("ctorch.errors")
local handles = require("ctorch.handles")

local refuse, none, pointer = errors.refuse, handles.none, handles.pointer
local EXACT = 2 ^ 53

local convert = {}

local Scalar, Device, Stream = ffi.typeof("ctorch_scalar"), ffi.typeof("ctorch_device"), ffi.typeof("ctorch_stream")
local int64, uint64, complex = ffi.typeof("int64_t"), ffi.typeof("uint64_t"), ffi.typeof("complex")
local kinds = enums.scalar_kind

-- The argument of that name in a table of such, which may be nil.
function convert.option(options, name, default)
  local found = options and options[name]
  if found == nil then
    return default
  end
  return found
end

-- Numbers

local RANGES = { -- lowest and highest value of the small types
  int32_t = { -2 ^ 31, 2 ^ 31 - 1 },
  uint32_t = { 0, 2 ^ 32 - 1 },
  uint16_t = { 0, 2 ^ 16 - 1 },
  uint8_t = { 0, 255 },
}

function convert.integer(value, c_type, where)
  local range = RANGES[c_type]
  local unsigned = c_type == "uint64_t" or c_type == "size_t"
  if type(value) == "number" then
    local low, high = -EXACT, EXACT
    if range then
      low, high = range[1], range[2]
    elseif unsigned then
      low = 0
    end
    if value % 1 ~= 0 then
      refuse(where, "an integer", value)
    elseif value < low or value > high then
      refuse(where, range and ("an integer from %d to %d"):format(low, high)
        or unsigned and "an integer from 0 to 2^53, or uint64_t" or "an integer up to 2^53, or int64_t", value)
    end
    return value
  elseif type(value) == "cdata" and (ffi.istype(int64, value) or ffi.istype(uint64, value)) then
    local negative = ffi.istype(int64, value) and value < 0
    if range and (tonumber(value) < range[1] or tonumber(value) > range[2]) or unsigned and negative then
      refuse(where, "an integer of type " .. c_type, value)
    elseif not unsigned and ffi.istype(uint64, value) and value > 0x7fffffffffffffffULL then
      refuse(where, "an integer below 2^63", value)
    end
    return value
  end
  refuse(where, "an integer", value)
end

function convert.number(value, where)
  if type(value) == "number" then
    return value
  elseif type(value) == "cdata" and (ffi.istype(int64, value) or ffi.istype(uint64, value)) then
    return tonumber(value)
  end
  refuse(where, "a number", value)
end

-- A C integer as a number if that is exact, else as it is.
function convert.from_integer(value)
  local number = tonumber(value)
  if number < EXACT and number > -EXACT then
    return number
  end
  return value
end

-- Scalars

local function is_negative_zero(value)
  return value == 0 and 1 / value < 0
end

function convert.int(value)
  return Scalar(kinds.int, 0, convert.integer(value, "int64_t", "int"), 0, 0)
end

function convert.float(value)
  return Scalar(kinds.float, 0, 0, convert.number(value, "float"), 0)
end

function convert.complex(re, im)
  return Scalar(kinds.complex, 0, 0, convert.number(re, "complex"), convert.number(im or 0, "complex"))
end

function convert.scalar(value, where)
  local kind = type(value)
  if kind == "number" then
    if value % 1 == 0 and value <= EXACT and value >= -EXACT and not is_negative_zero(value) then
      return Scalar(kinds.int, 0, value, 0, 0)
    end
    return Scalar(kinds.float, 0, 0, value, 0)
  elseif kind == "boolean" then
    return Scalar(kinds.bool, 0, value and 1 or 0, 0, 0)
  elseif kind == "cdata" then
    if ffi.istype(Scalar, value) then
      return value
    elseif ffi.istype(int64, value) then
      return Scalar(kinds.int, 0, value, 0, 0)
    elseif ffi.istype(uint64, value) then
      local big = value > 0x7fffffffffffffffULL
      return Scalar(big and kinds.uint or kinds.int, 0, ffi.cast(int64, value), 0, 0)
    elseif ffi.istype(complex, value) then
      return Scalar(kinds.complex, 0, 0, value.re, value.im)
    end
  end
  refuse(where, "a number, boolean or complex", value)
end

local from_scalar = {
  [kinds.int] = function(s) return convert.from_integer(s.i) end,
  [kinds.float] = function(s) return s.re end,
  [kinds.bool] = function(s) return s.i ~= 0 end,
  [kinds.complex] = function(s) return complex(s.re, s.im) end,
  [kinds.uint] = function(s) return ffi.cast(uint64, s.i) end,
}

-- Enumerations, devices, streams

local names = {}
for enum, values in pairs(enums) do
  names[enum] = {}
  for name, number in pairs(values) do
    names[enum][number] = name
  end
end

function convert.enum(value, enum, where)
  local number = enums[enum][value]
  if number then
    return number
  elseif type(value) == "number" and value % 1 == 0 and value >= RANGES.int32_t[1] and value <= RANGES.int32_t[2] then
    return value
  end
  refuse(where, ("a %s, as \"%s\""):format(enum, names[enum][0] or names[enum][1] or next(enums[enum])), value)
end

function convert.from_enum(number, enum)
  return names[enum][number] or number
end

local function parse_device(text)
  local name, index = text:match("^(%l+):?(%d*)$")
  local kind = name and enums.device_type[name]
  if kind and (index ~= "" or not text:find(":", 1, true)) and #index < 9 then
    return Device(kind, tonumber(index) or -1)
  end
end

function convert.device(value, where)
  if type(value) == "string" then
    return parse_device(value) or refuse(where, "a device, as \"cpu\" or \"cuda:0\"", value)
  elseif type(value) == "cdata" and ffi.istype(Device, value) then
    return value
  end
  refuse(where, "a device, as \"cpu\" or \"cuda:0\"", value)
end

function convert.from_device(device)
  local name = names.device_type[device.type]
  return device.index < 0 and name or ("%s:%d"):format(name, device.index)
end

function convert.stream(value, where)
  if type(value) == "cdata" and ffi.istype(Stream, value) then
    return value
  end
  refuse(where, "a stream, as core.stream_current gives", value)
end

-- Text

function convert.text(value, where)
  if type(value) ~= "string" then
    refuse(where, "a string", value)
  elseif value:find("\0", 1, true) then
    error(errors.new("VALUE", where .. ": text with a NUL"), 0)
  end
  return value
end

-- One C value of a type that is named as in a signature.

function convert.element(value, c_type, where)
  if c_type == "bool" then
    return type(value) == "boolean" and value or value == true or (value ~= false and refuse(where, "a boolean", value))
  elseif c_type == "double" then
    return convert.number(value, where)
  elseif c_type == "scalar" or c_type == "device" or c_type == "stream" then
    return convert[c_type](value, where)
  elseif enums[c_type] then
    return convert.enum(value, c_type, where)
  end
  return convert.integer(value, c_type, where)
end

local from_struct = {
  scalar = function(s) return from_scalar[s.kind](s) end,
  device = convert.from_device,
  stream = function(s) return Stream(s) end,
}

function convert.from_element(value, c_type)
  if from_struct[c_type] then
    return from_struct[c_type](value)
  elseif enums[c_type] then
    return convert.from_enum(value, c_type)
  elseif c_type == "int64_t" or c_type == "uint64_t" or c_type == "size_t" then
    return convert.from_integer(value)
  end
  return value
end

-- `int64_t` or `ctorch_dtype`: how C spells a type of a signature.
function convert.c_name(c_type)
  return c_type:find("_t$") and c_type or (c_type == "bool" or c_type == "double") and c_type or "ctorch_" .. c_type
end

-- Lists: pointer, length, and what has to stay alive

local arrays = setmetatable({}, {
  __index = function(cache, c_type)
    cache[c_type] = ffi.typeof(c_type .. "[?]")
    return cache[c_type]
  end,
})

-- Short lists are converted by code without a loop. LuaJIT compiles an inner loop by itself, and what is around it in
-- pieces: that costs more than the rest of the call. Nor has it code for making an array of any length. `entry` says how
-- `array[%0]` comes from `list[%i]`; `names` are the upvalues that it uses, by name.
local UNROLLED = 8

local function unrolled(c_type, entry, names)
  local keys = { "array_type" }
  for name in pairs(names) do
    table.insert(keys, name)
  end
  table.sort(keys)
  local upvalues = ("local names = ...\nlocal %s = names.%s\n"):format(
    table.concat(keys, ", "), table.concat(keys, ", names."))
  local functions = {}
  for length = 0, UNROLLED do
    names.array_type = ffi.typeof(("%s[%d]"):format(c_type, math.max(length, 1)))
    local lines = { upvalues, "return function(list, where, array) if array == nil then array = array_type() end" }
    for i = 1, length do
      table.insert(lines, (entry:gsub("%%i", i):gsub("%%0", i - 1)))
    end
    table.insert(lines, "return array end")
    functions[length] = assert(loadstring(table.concat(lines, "\n"), "=list"))(names)
  end
  return functions
end

local short_lists = setmetatable({}, {
  __index = function(cache, c_type)
    local entry = ("array[%%0] = element(list[%%i], %q, where)"):format(c_type)
    cache[c_type] = unrolled(convert.c_name(c_type), entry, { element = convert.element })
    return cache[c_type]
  end,
})

-- An absent list is NULL; an empty one is a pointer with length 0. Where `fixed` entries are wanted, one value may
-- stand for all of them.
function convert.list(value, c_type, fixed, where)
  if value == nil or rawequal(value, none) then
    return nil, 0
  end
  local array = arrays[convert.c_name(c_type)]
  if type(value) ~= "table" then
    if fixed == 0 then
      refuse(where, "a list", value)
    end
    local c_array, element = array(fixed), convert.element(value, c_type, where)
    for i = 0, fixed - 1 do
      c_array[i] = element
    end
    return c_array, fixed
  end
  local length = value.n or #value
  local short = short_lists[c_type][length]
  if short then
    return short(value, where), length
  end
  local c_array = array(length)
  for i = 1, length do
    c_array[i - 1] = convert.element(value[i], c_type, where)
  end
  return c_array, length
end

-- Handles in a spare array: what a caller of `handles` keeps for its next call, so that the collector does not see an
-- array for each.
local SPARE = 64

local pointer_types = setmetatable({}, {
  __index = function(cache, kind)
    local name = ("ctorch_%s *"):format(kind)
    local element, box_type = ffi.typeof(name), handles.types[kind]
    -- A pointer that is no box; NULL for None.
    local function other(item, where)
      if item == nil or rawequal(item, none) then
        return nil
      end
      return ffi.cast(element, pointer(kind, item, where))
    end
    local entry = "local i%i = list[%i] "
      .. "if istype(box_type, i%i) and i%i.handle[0] ~= nil then array[%0] = i%i.handle[0] "
      .. "else array[%0] = other(i%i, where) end"
    local short = unrolled(name, entry, { box_type = box_type, istype = ffi.istype, other = other })
    cache[kind] = {
      array = ffi.typeof(name .. "[?]"),
      spare = ffi.typeof(("%s[%d]"):format(name, SPARE)),
      box = box_type,
      other = other,
      short = short,
    }
    return cache[kind]
  end,
})

-- Pointers and their number, and an array for the next call's `spare`: of what is in it nothing is known. The caller
-- hands it over before and takes it back after the call of C that reads it, so that calls made meanwhile (by a callback,
-- or by a finalizer while the list is read) have arrays of their own.
function convert.handles(value, kind, where, spare)
  if value == nil or rawequal(value, none) then
    return nil, 0, spare
  elseif type(value) ~= "table" then
    refuse(where, ("a list of %ss"):format(kind), value)
  end
  local types = pointer_types[kind]
  local length = value.n or #value
  local c_array
  if length <= SPARE then
    if spare == nil then
      spare = types.spare()
    end
    c_array = spare
    local short = types.short[length]
    if short then
      return short(value, where, c_array), length, spare
    end
  else
    c_array = types.array(length)
  end
  for i = 1, length do
    local item = value[i]
    if ffi.istype(types.box, item) and item.handle[0] ~= nil then
      c_array[i - 1] = item.handle[0]
    else
      c_array[i - 1] = types.other(item, where)
    end
  end
  return c_array, length, spare
end

function convert.strings(value, where)
  if value == nil or rawequal(value, none) then
    return nil, 0
  elseif type(value) ~= "table" then
    refuse(where, "a list of strings", value)
  end
  local c_array = ffi.new("const char *[?]", #value > 0 and #value or 1)
  for i, text in ipairs(value) do
    c_array[i - 1] = convert.text(text, where)
  end
  return c_array, #value
end

-- Memory that is read or written: a string, or cdata of known size.
function convert.memory(value, where)
  if type(value) == "string" then
    return value, #value
  elseif type(value) == "cdata" then
    return value, ffi.sizeof(value)
  end
  refuse(where, "a string or an array", value)
end

-- The same where nil is NULL.
function convert.memory_if_any(value, where)
  if value == nil or value == none then
    return nil, 0
  end
  return convert.memory(value, where)
end

-- The tensors of a list, which is given back.
convert.from_tensor_list = handles.may_fail(function(list)
  local length = tonumber(C.ctorch_tensor_list_len(list))
  local found = { n = length }
  for i = 1, length do
    local box = handles.types.tensor()
    local failure = C.ctorch_tensor_list_get(box.handle, list, i - 1)
    if failure ~= nil then
      C.ctorch_tensor_list_release(list)
      errors.raise(failure)
    end
    found[i] = handles.own_tensor(box) or none
  end
  C.ctorch_tensor_list_release(list)
  return found
end)

return convert
