-- Files of `torch.save`: Lua values written so that torch loads them, and read as torch wrote them.
--
--     ctorch.save(model:state_dict(), "model.pt")
--     model:load_state_dict(ctorch.load("model.pt", { map_location = "cpu", mmap = true }))
--
-- streams.lua says what may stand for a path; values.lua how values look. Loading runs nothing: what a file may make is
-- a fixed table of classes, and what `allow` allows becomes a `value.python_object`, a description.
local core = require("ctorch.core")
local convert = require("ctorch.convert")
local enums = require("ctorch.generated.enums")
local errors = require("ctorch.errors")
local optimizers = require("ctorch.optimizers")
local streams = require("ctorch.streams")
local values = require("ctorch.values")

jit.off(true, true) -- these call C, which may call Lua

local serialization = {}

-- Writes what a value can hold; without a target the bytes are returned. `crc32 = false` leaves the checksums 0,
-- `skip_data` holes in the places of tensors' bytes, `weights_only = false` writes also what torch reads with
-- `weights_only=False` alone, `progress(nbytes)` hears how many bytes were written.
function serialization.save(object, target, options)
  options = options or {}
  local flags = (options.crc32 == false and enums.save_flags.no_crc32 or 0)
    + (options.skip_data and enums.save_flags.skip_data or 0)
    + (options.weights_only == false and enums.save_flags.any or 0)
  local box = values.of(object, "save: object")
  return streams.writing(target, options, "save", function(writer)
    core.serialization_save(writer, box, flags)
  end)
end

local function places(map_location)
  if map_location == nil or type(map_location) == "function" then
    return map_location
  elseif type(map_location) == "table" then
    return function(location) return map_location[location] end
  end
  local device = convert.device(map_location, "load: map_location")
  return function() return device end
end

local function allowed(allow)
  if allow == nil or type(allow) == "function" then
    return allow
  elseif type(allow) ~= "table" then
    errors.refuse("load: allow", "a list of names or a function", allow)
  end
  local names = {}
  for _, name in ipairs(allow) do
    names[name] = true
  end
  return function(module, name) return names[module .. "." .. name] or false end
end

-- Reads a value. `map_location` is a device, a table from the file's devices to those to use, or a function that is
-- given the file's device ("cuda:0") and returns one, or nil for that one. With `mmap` tensors share a mapping of the
-- file. `allow` has the names of further classes that may be in it ("argparse.Namespace"), or is a function that is
-- asked with module and name. `progress(nbytes)` hears how many bytes were read.
function serialization.load(source, options)
  options = options or {}
  return streams.reading(source, options, "load", function(reader)
    local map_location = options.map_location
    if options.allow == nil and type(map_location) ~= "function" and type(map_location) ~= "table" then
      return optimizers.unbox(core.serialization_load(reader, map_location))
    end
    return optimizers.unbox(core.serialization_load_with(reader, places(map_location), allowed(options.allow)))
  end)
end

return serialization
