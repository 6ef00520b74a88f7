-- Files of other formats than torch's: safetensors, NumPy's, and weights in several files.
--
--     ctorch.safetensors.save_file(model:state_dict(), "model.safetensors", { format = "pt" })
--     local tensors = ctorch.safetensors.load_file("model.safetensors")
--     ctorch.npy.save("x.npy", x)
--
-- Tensors by their names are a table, or what `state_dict` gives; what is read is a table. streams.lua says what may
-- stand for a path: nil as a target has the bytes returned.
local core = require("ctorch.core")
local errors = require("ctorch.errors")
local optimizers = require("ctorch.optimizers")
local streams = require("ctorch.streams")
local values = require("ctorch.values")
local Weights = require("ctorch.weights")

jit.off(true, true) -- these call C, which may call Lua

local unbox = optimizers.unbox

-- A dict for a table by names, whatever those are.
local function dict(named, where)
  if named == nil or type(named) ~= "table" or getmetatable(named) ~= nil then
    return named and values.of(named, where)
  end
  local names, pairs_of_dict = {}, {}
  for name in pairs(named) do
    table.insert(names, name)
  end
  table.sort(names)
  for i, name in ipairs(names) do
    pairs_of_dict[i] = { name, named[name] }
  end
  return values.of(values.dict(unpack(pairs_of_dict)), where)
end

-- Calls `body` with the weights of a file of that very format.
local function opened(source, where, format, body)
  return streams.closing(Weights(source, { mmap = false }), function(weights)
    if weights:format() ~= format then
      local message = ("%s: the format of the file is %s, not %s"):format(where, weights:format(), format)
      error(errors.new("FORMAT", message), 0)
    end
    return body(weights)
  end)
end

local safetensors = {}

-- Writes tensors, and metadata: texts by names.
function safetensors.save_file(tensors, target, metadata)
  local box, other = dict(tensors, "save_file: tensors"), dict(metadata, "save_file: metadata")
  return streams.writing(target, {}, "save_file", function(writer)
    core.safetensors_write(writer, box, other)
  end)
end

-- The bytes of such a file.
function safetensors.save(tensors, metadata)
  return safetensors.save_file(tensors, nil, metadata)
end

function safetensors.load_file(source, options)
  return opened(source, "load_file", "safetensors", function(weights)
    return weights:load(options and options.device)
  end)
end

-- The tensors of a file that is there as a string of its bytes.
function safetensors.load(data)
  return safetensors.load_file(values.bytes(data))
end

-- Writes the state dict of a model whose tensors may share memory: of those that do, one.
function safetensors.save_model(model, target, metadata)
  local other = dict(metadata, "save_model: metadata")
  return streams.writing(target, {}, "save_model", function(writer)
    core.safetensors_write_model(writer, model, other)
  end)
end

-- Loads a model whose tensors may share memory, from a file of any format; the lists of the names that the file lacks,
-- and of those that the model lacks. They are empty unless `strict = false`.
function safetensors.load_model(model, source, options)
  return streams.closing(Weights(source), function(weights)
    local strict = not (options and options.strict == false)
    local missing, unexpected = core.safetensors_load_model(model, weights, strict)
    return unbox(missing), unbox(unexpected)
  end)
end

local npy = {}

-- Writes a tensor. Nothing is appended to the path.
function npy.save(target, tensor)
  return streams.writing(target, {}, "save", function(writer)
    core.npy_write(writer, tensor)
  end)
end

function npy.load(source)
  return opened(source, "load", "npy", function(weights)
    return weights:tensor("")
  end)
end

local npz = {}

-- Writes tensors by their names; `compressed = true` deflates them. Nothing is appended to the path.
function npz.save(target, tensors, options)
  local box = dict(tensors, "save: tensors")
  return streams.writing(target, {}, "save", function(writer)
    core.npz_write(writer, box, options ~= nil and options.compressed or false)
  end)
end

function npz.load(source)
  return opened(source, "load", "npz", function(weights)
    return weights:load()
  end)
end

local sharded = {}

-- Writes tensors to several files in a folder that is there, and their index. `format` is "safetensors" or "pt", a file
-- has at most `max_shard_size` bytes of tensors (5 GB), `metadata` are texts by names.
function sharded.save(tensors, path, options)
  options = options or {}
  local box, metadata = dict(tensors, "save: tensors"), dict(options.metadata, "save: metadata")
  core.sharded_write(box, metadata, path, options.format, options.max_shard_size or 0)
end

-- All tensors of a folder, or of the files that an index lists.
function sharded.load(path, options)
  return streams.closing(Weights(path), function(weights)
    return weights:load(options and options.device)
  end)
end

return { safetensors = safetensors, npy = npy, npz = npz, sharded = sharded }
