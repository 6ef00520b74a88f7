-- Errors: what a failed call raises.
--
-- An error is a table, so `pcall` hands it over with its fields; tostring() makes one line of it.
--
--     code      number of the kind (ctorch_error_kind): 20
--     name      its name: "SHAPE_MISMATCH"
--     message   PyTorch's message, or ctorch's own
--     func      the C function that failed; "" where the arguments were refused before C was called
--     details   what is known beyond the message: expected_shape and got_shape (lists), expected_device and got_device
--               ("cpu"), expected_dtype and got_dtype ("float32"), requested_bytes and available_bytes; empty if nothing
local ffi = require("ffi")
local C = require("ctorch.library")
local enums = require("ctorch.generated.enums")

jit.off(true, true) -- C walks the stack here; handles.lua says why that must not be compiled code

local errors = {}

local Error = {}
Error.__index = Error

-- ctorch's own messages begin with the function, PyTorch's do not.
function Error:__tostring()
  local named = self.message:sub(1, #self.func) == self.func
  local func = named and "" or self.func .. ": "
  return ("%s%s [%s]"):format(func, self.message, self.name)
end

errors.Error = Error

-- Names of the codes in capitals, as C has them.
local names = {}
for name, code in pairs(enums.error_kind) do
  names[code] = name:upper()
end

-- A new error; `name` is that of a code: "VALUE". Raise it with error().
function errors.new(name, message, func)
  local code = enums.error_kind[name:lower()] or error("unknown kind of error: " .. name, 2)
  return setmetatable({ code = code, name = names[code], message = message, func = func or "", details = {} }, Error)
end

function errors.is_error(value)
  return getmetatable(value) == Error
end

-- Raise an error about an argument that no call was made with.
function errors.refuse(where, expected, got)
  local kind = type(got)
  if kind == "cdata" then
    kind = tostring(ffi.typeof(got))
  elseif kind == "number" or kind == "string" then
    kind = ("%s %s"):format(kind, tostring(got))
  end
  error(errors.new("TYPE", ("%s: expected %s, got %s"):format(where, expected, kind)), 0)
end

local function device_text(device)
  local name = ffi.string(C.ctorch_device_type_name(device.type))
  return device.index < 0 and name or ("%s:%d"):format(name, device.index)
end

-- What an error carries beyond its message: each reader answers whether it has anything.
local function shape(read)
  return function(handle)
    local dims, len = ffi.new("const int64_t *[1]"), ffi.new("size_t[1]")
    if read(handle, dims, len) then
      local list = {}
      for i = 1, tonumber(len[0]) do
        list[i] = tonumber(dims[0][i - 1])
      end
      return list
    end
  end
end

local function one(c_type, read, convert)
  return function(handle)
    local cell = ffi.new(c_type .. "[1]")
    if read(handle, cell) then
      return convert(cell[0])
    end
  end
end

local function dtype_text(dtype)
  return ffi.string(C.ctorch_dtype_name(dtype))
end

local readers = {
  expected_shape = shape(C.ctorch_error_expected_shape),
  got_shape = shape(C.ctorch_error_got_shape),
  expected_device = one("ctorch_device", C.ctorch_error_expected_device, device_text),
  got_device = one("ctorch_device", C.ctorch_error_got_device, device_text),
  expected_dtype = one("ctorch_dtype", C.ctorch_error_expected_dtype, dtype_text),
  got_dtype = one("ctorch_dtype", C.ctorch_error_got_dtype, dtype_text),
  requested_bytes = one("uint64_t", C.ctorch_error_requested_bytes, tonumber),
  available_bytes = one("uint64_t", C.ctorch_error_available_bytes, tonumber),
}

local function take(handle)
  local code = C.ctorch_error_kind_of(handle)
  local details = {}
  for name, read in pairs(readers) do
    details[name] = read(handle)
  end
  local found = {
    code = code,
    name = names[code] or tostring(code),
    message = ffi.string(C.ctorch_error_message(handle)),
    func = ffi.string(C.ctorch_error_function(handle)),
    details = details,
  }
  C.ctorch_error_release(handle)
  return setmetatable(found, Error)
end

-- What Lua functions that C called have raised, by the address of the C error that stands for it. C hands that very
-- error to the outer call, so the same Lua value is raised there. Where C dropped the error (of a warning, say),
-- another may have its address by now: that one has another text, or a function that failed. What C called may have
-- said where it arose, in front of the text: "part loader: …".
local raised = {}

local function address(handle)
  return tostring(ffi.cast("uintptr_t", handle))
end

-- A C error for a Lua value that a callback raised.
function errors.export(value)
  local cell = ffi.new("ctorch_error *[1]")
  local shown, message = pcall(tostring, value) -- nothing may be raised through C, whatever __tostring does
  message = shown and message:gsub("%z", "?") or "a value that cannot be shown"
  local code = errors.is_error(value) and value.code or enums.error_kind.callback
  local failure = C.ctorch_error_new(cell, code, message)
  if failure ~= nil then -- text that is not UTF-8
    C.ctorch_error_release(failure)
    failure = C.ctorch_error_new(cell, code, "a Lua callback failed")
  end
  if failure ~= nil then
    return failure
  end
  raised[address(cell[0])] = { value = value, message = ffi.string(C.ctorch_error_message(cell[0])) }
  return cell[0]
end

-- What `errors.export` made this error of, as { value = … }; nil if it is another.
local function find_raised(handle)
  local found = raised[address(handle)]
  local same = found and C.ctorch_error_function(handle)[0] == 0
  local message = same and ffi.string(C.ctorch_error_message(handle))
  if same and (message == found.message or message:sub(-#found.message - 2) == ": " .. found.message) then
    return found
  end
end

-- Raise what a call answered. The call's arguments come along only to be alive until it has returned.
function errors.raise(handle)
  local exported = find_raised(handle)
  if exported then
    raised[address(handle)] = nil
    C.ctorch_error_release(handle)
    error(exported.value, 0)
  end
  error(take(handle), 0)
end

-- Raise unless a call succeeded.
function errors.check(handle)
  if handle ~= nil then
    errors.raise(handle)
  end
end

-- After a call ran out of memory, collect garbage and say that it is worth a second attempt.
function errors.exhausted(handle)
  if C.ctorch_error_kind_of(handle) ~= enums.error_kind.out_of_memory or find_raised(handle) then
    return false
  end
  C.ctorch_error_release(handle)
  collectgarbage()
  collectgarbage()
  return true
end

return errors
