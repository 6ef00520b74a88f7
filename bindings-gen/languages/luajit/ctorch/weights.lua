-- The tensors of a file by their names, whichever format it has, each read when it is asked for.
--
--     local weights = ctorch.Weights("model.safetensors")
--     print(weights:format(), weights:names()[1], weights:shape("embedding.weight")[1])
--     local rows = weights:slice("embedding.weight", { 0 }, { 100 })
--     weights:close()
--
-- The formats are "pt" (what `torch.save` writes), "safetensors", "npy", "npz", "gguf", and "sharded": several files
-- that an index lists, or the folder that they are in.
local core = require("ctorch.core")
local errors = require("ctorch.errors")
local handles = require("ctorch.handles")
local optimizers = require("ctorch.optimizers")
local streams = require("ctorch.streams")

jit.off(true, true) -- these call C, which may call Lua

local methods = handles.methods.weights

-- The weights of a path or another source (streams.lua), of which the table of contents is read. A path is mapped
-- unless `mmap = false`: nothing is read until it is looked at, and tensors share the mapping.
local function Weights(source, options)
  options = options or {}
  local is_path = type(source) == "string"
  local mmap = is_path and options.mmap ~= false
  if is_path and not options.progress then -- also a folder, and the index of several files
    return core.weights_open_file(source, mmap)
  end
  return streams.reading(source, { mmap = mmap, progress = options.progress }, "Weights", core.weights_open)
end

-- The format's name.
function methods.format(box)
  handles.pointer("weights", box, "format")
  return core.weights_format(box)
end

-- How many tensors there are.
function methods.len(box)
  handles.pointer("weights", box, "len")
  return core.weights_len(box)
end

-- The names, in the order of the file.
function methods.names(box)
  local found = {}
  for i = 1, methods.len(box) do
    found[i] = core.weights_name(box, i - 1)
  end
  return found
end

-- Whether there is a tensor of that name.
function methods.has(box, name)
  local ok, failure = pcall(core.weights_find, box, name)
  if not ok and not (errors.is_error(failure) and failure.name == "INDEX") then
    error(failure, 0)
  end
  return ok
end

-- Without reading: the shape, the dtype with which the tensor is read, the element type in the format's own words, how
-- many bytes it takes in the file.
for _, word in ipairs({ "shape", "dtype", "type", "nbytes" }) do
  methods[word] = function(box, name)
    return core["weights_" .. word](box, core.weights_find(box, name))
  end
end

-- Reads a tensor.
function methods.tensor(box, name)
  return core.weights_tensor(box, name)
end

-- Reads a part of a tensor, from `first` to before `last` in each of its first dimensions; both count from 0, and
-- negative ones from the end.
function methods.slice(box, name, first, last)
  return core.weights_slice(box, name, first, last)
end

-- A table of what the file says beside its tensors.
function methods.metadata(box)
  return optimizers.named(optimizers.unbox(core.weights_metadata(box)))
end

-- A table of all tensors by their names, on the CPU or on a device.
function methods.load(box, device)
  return optimizers.named(optimizers.unbox(core.weights_load(box, device)))
end

return Weights
