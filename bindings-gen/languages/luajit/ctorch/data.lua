-- Datasets, samplers, loaders and their iterators, as torch.utils.data has them.
--
--     local digits = ctorch.datasets.IDXFile("images.gz", "labels.gz", { transform = function(image) return image / 255 end })
--     local loader = data.DataLoader(digits, { batch_size = 64, shuffle = true, num_workers = 2 })
--     for batch in loader:iterate() do
--       local images, labels = unpack(batch)
--       …
--     end
--
-- Samples and batches are what values hold (values.lua): tensors, numbers, texts, lists, tuples, dicts; None is
-- `ctorch.none`. Samples count from 0, as in PyTorch.
--
-- Lua functions are called on the thread that takes batches, also by a loader with workers: these then do what the
-- library does by itself, as transforms of its own and making batches. An iterator that is left early ends its workers
-- when it is closed, or collected.
local call = require("ctorch.call")
local callbacks = require("ctorch.callbacks")
local core = require("ctorch.core")
local errors = require("ctorch.errors")
local handles = require("ctorch.handles")
local operators = require("ctorch.operators")
local optimizers = require("ctorch.optimizers")
local values = require("ctorch.values")

jit.off(true, true) -- these call C, which may call Lua

local none, refuse, unbox = handles.none, errors.refuse, optimizers.unbox

local data = {}

local function give(value, where)
  return callbacks.made(values.of(value, where))
end

data.give = give

-- The methods of a kind; `shown` is what tostring gives of one that is open.
local function class(kind, shown)
  local meta, methods = handles[kind .. "_meta"], handles.methods[kind]
  meta.__index = methods
  function meta.__tostring(box)
    return ("ctorch.%s"):format(box.handle[0] == nil and kind .. " (closed)" or shown(box))
  end
  return methods, meta
end

data.class = class

-- Iterators

local iterator, iterator_meta = class("iterator", function() return "iterator" end)

-- The next value, nil at the end: an iterator is called by `for`.
function iterator.next(box)
  local value = core.iterator_next(box)
  if value == nil then
    return nil
  end
  local found = unbox(value)
  return found == nil and none or found
end

function iterator_meta.__call(box)
  return box:next()
end

-- A dict that tells where it is, to be saved.
function iterator.state_dict(box)
  return unbox(core.iterator_state_dict(box))
end

-- Go on where another iterator was; nothing was taken from this one yet.
function iterator.load_state_dict(box, state_dict)
  core.iterator_load_state_dict(box, values.of(state_dict, "the state dict"))
end

local function over(list)
  local i = 0
  return function()
    i = i + 1
    return list[i]
  end
end

-- The C iterator of what `source` gives: what `for` takes, or an object with `next`, and perhaps `state_dict` and
-- `load_state_dict`, with which C can tell where it is, and `close`.
local function iterate(source, where)
  local func, state, control = source()
  if type(func) == "cdata" then
    return func
  end
  local next_value
  if type(func) == "table" and type(func.next) == "function" then
    next_value = function() return func:next() end
  elseif type(func) == "function" then
    next_value = function()
      control = func(state, control)
      return control
    end
  else
    refuse(where, "a function that gives an iterator", func)
  end
  local function step()
    local value = next_value()
    if value ~= nil then
      return give(value, where)
    end
  end
  if type(func) == "table" and func.close then
    callbacks.leaves[step] = function() func:close() end
  end
  if type(func) ~= "table" or not func.state_dict or not func.load_state_dict then
    return callbacks.made(core.iterator_from_callback(step))
  end
  return callbacks.made(core.iterator_from_stateful_callback(step, function()
    return give(func:state_dict(), where)
  end, function(saved)
    func:load_state_dict(unbox(saved))
  end))
end

-- How long a list, or what a function gives, is, if that is known; and what begins to go through it.
local function repeatable(source, options, where)
  local length = options and options.length
  if type(source) == "table" then
    local list = source
    length = length or list.n or #list
    source = function() return over(list) end
  elseif type(source) ~= "function" then
    refuse(where, "a list, or a function that gives an iterator", source)
  end
  return length, function() return iterate(source, where) end
end

-- Datasets

local Dataset = {}
local dataset, dataset_meta = class("dataset", function(box) return box:name() end)

-- Samples of your own: a list, or an object with `length` and a method `at`, which gets numbers from 0 on.
function Dataset.from(source)
  if type(source) ~= "table" then
    refuse("Dataset.from", "a list, or a table with length and at", source)
  end
  local length, at = source.n or #source, function(index) return source[index + 1] end
  if source.at then
    length, at = source.length, function(index) return source:at(index) end
  end
  return core.dataset_from_callback(length, function(index)
    return give(at(index), "a sample")
  end)
end

-- Samples of your own, one after another: a function that gives an iterator, or a list. Each worker of a loader goes
-- through it by itself: data.get_worker_info tells which one asks.
function Dataset.from_iterable(source, options)
  return core.dataset_from_iterable(repeatable(source, options, "Dataset.from_iterable"))
end

-- Name of the class.
function dataset.name(box)
  return core.dataset_name(box)
end

-- Number of samples: `#dataset`.
function dataset.len(box)
  return core.dataset_len(box)
end

dataset_meta.__len = dataset.len

-- Whether its samples come one after another, and not by index.
function dataset.is_iterable(box)
  return core.dataset_is_iterable(box)
end

-- A sample; a negative index counts from the end.
function dataset.at(box, index)
  return unbox(core.dataset_get(box, index))
end

-- Something that it knows besides its samples: "classes".
function dataset.attribute(box, name)
  return unbox(core.dataset_attribute(box, name))
end

function dataset.iterate(box)
  return core.dataset_iterate(box)
end

-- Samplers

local Sampler = {}
local sampler, sampler_meta = class("sampler", function(box) return box:name() end)

-- An order of your own: a function that gives an iterator over indices, or over lists of them, for each epoch; or a list.
function Sampler.from(source, options)
  return core.sampler_from_callback(repeatable(source, options, "Sampler.from"))
end

-- Name of the class.
function sampler.name(box)
  return core.sampler_name(box)
end

-- Number of indices, or of batches: `#sampler`.
function sampler.len(box)
  return core.sampler_len(box)
end

sampler_meta.__len = sampler.len

-- Let the next order be that of an epoch, as DistributedSampler has it.
function sampler.set_epoch(box, epoch)
  core.sampler_set_epoch(box, epoch)
end

function sampler.iterate(box)
  return core.sampler_iterate(box)
end

-- Loaders

local loader, loader_meta = class("loader", function() return "DataLoader" end)

-- Number of batches: `#loader`.
function loader.len(box)
  return core.loader_len(box)
end

loader_meta.__len = loader.len

-- Begin an epoch: an iterator.
function loader.iterate(box)
  return core.loader_iterate(box)
end

-- Begin where an iterator of such a loader was.
function loader.iterate_from(box, state_dict)
  return core.loader_iterate_from(box, values.of(state_dict, "the state dict"))
end

-- Which side is slow: how many batches were handed out, and how many seconds the two sides waited and worked.
function loader.statistics(box)
  local batches, consumer_waited, workers_waited, workers_worked = core.loader_statistics(box)
  return {
    batches = batches,
    consumer_waited = consumer_waited,
    workers_waited = workers_waited,
    workers_worked = workers_worked,
  }
end

local function check_function(func, where)
  if type(func) ~= "function" then
    refuse(where, "a function", func)
  end
end

data.check_function = check_function

-- Besides Python's arguments it takes `collate_fn` and `worker_init_fn`.
local function make_loader(...)
  local given, count = { ... }, select("#", ...)
  local options = type(given[count]) == "table" and call.is_options(given[count]) and given[count] or {}
  local named, collate, begin = {}, options.collate_fn, options.worker_init_fn
  for name, value in pairs(options) do
    if name ~= "collate_fn" and name ~= "worker_init_fn" then
      named[name] = value
    end
  end
  if next(options) then
    given[count] = next(named) and named or nil
  end
  local box = operators.data.DataLoader(unpack(given, 1, count))
  if collate then
    check_function(collate, "DataLoader: collate_fn")
    core.loader_set_collate(box, function(samples)
      return give(collate(unbox(samples)), "collate_fn")
    end)
  end
  if begin then
    check_function(begin, "DataLoader: worker_init_fn")
    core.loader_set_worker_init(box, function(worker) begin(worker) end)
  end
  return box
end

local DataLoader = setmetatable({
  -- Batches of your own: a function that gives an iterator for each epoch, or a list.
  from = function(source, options)
    return core.loader_from_callback(repeatable(source, options, "DataLoader.from"))
  end,
}, { __call = function(_, ...) return make_loader(...) end })

-- Splits a dataset at random, by lengths or by fractions that add up to 1: a data.Subset for each.
local function random_split(...)
  local parts = operators.data.random_split(...)
  local whole = (...)
  for i = 1, parts.n or #parts do
    local indices = parts[i]
    parts[i] = operators.data.Subset.tensor(whole, indices)
    indices:close()
  end
  return parts
end

data.data = setmetatable({
  Dataset = Dataset,
  Sampler = Sampler,
  DataLoader = DataLoader,
  random_split = random_split,
  default_collate = function(batch) return unbox(operators.data.default_collate(batch)) end,
  default_convert = function(sample) return unbox(operators.data.default_convert(sample)) end,
  -- The worker that calls this function of a dataset; nil where no worker is at work.
  get_worker_info = function()
    local id, num_workers, seed = core.loader_worker_info()
    return id >= 0 and { id = id, num_workers = num_workers, seed = seed } or nil
  end,
}, { __index = operators.data })

return data
