-- Files of every kind: read those that Python has written to a folder, and write some for it to read.
local ctorch = require("ctorch")
local callbacks = require("ctorch.callbacks")
local check = require("check")

local nn, optim, value = ctorch.nn, ctorch.optim, ctorch.value
local equal, that, fails, raises = check.equal, check.that, check.fails, check.raises
local folder = arg[1] .. "/"

local function contents(name)
  local file = assert(io.open(folder .. name, "rb"))
  local data = file:read("*a")
  file:close()
  return data
end

local function write(name, data)
  local file = assert(io.open(folder .. name, "wb"))
  file:write(data)
  file:close()
end

local function exists(name)
  local file = io.open(folder .. name)
  return file ~= nil and file:close()
end

local function is_content(found)
  equal({ found:get("epoch"), found:get("lr"), found:get("name") }, { 3, 0.5, "größe" })
  equal({ found:get("data").data, tostring(found:get("list")[4]) }, { "a\0\255", "1180591620717411303424" })
  equal(found:get("tensors"):get("weight")[{ 2, 3 }]:item(), 11)
  equal(found:get("tensors"):get("half").dtype, "bfloat16")
end

local function is_tensors(found, without_half)
  equal({ found.weight.shape, found.number:item(), found.flags:totable() }, { { 3, 4 }, 7, { true, false } })
  equal(found.half and found.half:totable(), not without_half and { { 1 }, { 1 } } or nil)
end

local function without_half(tensors)
  return { weight = tensors.weight, number = tensors.number, flags = tensors.flags }
end

that("files of torch.save are read by path, bytes, file and function", function()
  local data = contents("python.pt")
  is_content(ctorch.load(folder .. "python.pt"))
  is_content(ctorch.load(folder .. "python.pt", { mmap = true }))
  is_content(ctorch.load(value.bytes(data)))
  local file = assert(io.open(folder .. "python.pt", "rb"))
  is_content(ctorch.load(file))
  file:close()
  write("offset", "before" .. data)
  file = assert(io.open(folder .. "offset", "rb"))
  file:seek("set", 6)
  is_content(ctorch.load(file))
  file:close()
  local pipe = assert(io.popen("cat '" .. folder .. "python.pt'"))
  is_content(ctorch.load(pipe))
  pipe:close()
  is_content(ctorch.load({
    nbytes = #data,
    read = function(nbytes, offset) return data:sub(offset + 1, offset + nbytes) end,
  }))
end)

that("what is saved is the same by path, bytes, file and function", function()
  local content = ctorch.load(folder .. "python.pt")
  ctorch.save(content, folder .. "archive.pt")
  local data = ctorch.save(content)
  write("bytes.pt", data)
  local file = assert(io.open(folder .. "stream", "wb"))
  ctorch.save(content, file)
  file:close()
  local parts = {}
  ctorch.save(content, function(part) table.insert(parts, part) end)
  assert(data == contents("stream") and data == table.concat(parts))
  assert(#ctorch.save(content, nil, { skip_data = true, crc32 = false }) == #data)
end)

that("state dicts keep their metadata, and models load them", function()
  local state = ctorch.load(folder .. "python.state.pt")
  local model = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3))
  local missing, unexpected = model:load_state_dict(state)
  equal({ missing.n, unexpected.n }, { 0, 0 })
  equal(model["0"].weight:equal(state:get("0.weight")), true)
  ctorch.save(state, folder .. "state.pt")
  local again = ctorch.load(value.bytes(ctorch.save((model:state_dict()))))
  equal({ state.metadata:get("0"):get("version"), again.keys.n, again.metadata == state.metadata }, { 1, 4, true })
end)

that("devices are mapped", function()
  local path, asked = folder .. "python.pt", {}
  local function device(map_location)
    local found = ctorch.load(path, { map_location = map_location })
    return found:get("tensors"):get("weight").device
  end
  equal({ device("meta"), device({ cpu = "meta" }), device({ cuda = "meta" }) }, { "meta", "meta", "cpu" })
  equal(device(function(location) asked[location] = true end), "cpu")
  equal(asked.cpu, true)
  fails("TYPE", "a device", device, function() return 3 end)
end)

that("classes are allowed", function()
  local path = folder .. "python.class.pt"
  fails("FORMAT", "argparse.Namespace", ctorch.load, path)
  for _, allow in ipairs({ { "argparse.Namespace" }, function(_, name) return name == "Namespace" end }) do
    local found = ctorch.load(path, { allow = allow, map_location = "cpu" })
    equal(found:get("args"):attribute("lr"), 0.5)
    fails("UNSUPPORTED", "", ctorch.save, found)
    assert(#ctorch.save(found, nil, { weights_only = false }) > 0)
  end
  fails("TYPE", "a boolean", ctorch.load, path, { allow = function() return 1 end })
end)

that("progress is heard, and ends it", function()
  local heard = 0
  local data = ctorch.save({ ctorch.ones({ 100 }) }, nil, { progress = function(nbytes) heard = nbytes end })
  equal(heard, #data)
  ctorch.load(value.bytes(data), { progress = function(nbytes) heard = heard + nbytes end })
  assert(heard > #data)
  local function stop() error({ code = "mine" }, 0) end
  equal(raises(ctorch.save, 1, folder .. "none.pt", { progress = stop }).code, "mine")
  equal(raises(ctorch.load, value.bytes(data), { progress = stop }).code, "mine")
  equal(exists("none.pt"), false)
end)

that("what fails is an error, and leaves what was there", function()
  local data = contents("python.damaged.pt")
  fails("FORMAT", "python.damaged.pt", ctorch.load, folder .. "python.damaged.pt")
  fails("FORMAT", "", ctorch.load, value.bytes(data))
  fails("IO", "missing.pt", ctorch.load, folder .. "missing.pt")
  fails("IO", "", ctorch.save, 1, folder .. "no folder/a.pt")
  fails("VALUE", "mapped", ctorch.load, value.bytes(data), { mmap = true })
  fails("TYPE", "a path, bytes", ctorch.load, 3)
  fails("TYPE", "a path, an open file", ctorch.save, 1, 3)
  fails("TYPE", "a value can hold", ctorch.save, { print }, folder .. "none.pt")
  fails("VALUE", "returned 1 bytes", ctorch.load, { nbytes = 1000, read = function() return "x" end })
  fails("TYPE", "a string", ctorch.load, { nbytes = 1000, read = function() end })
  equal(raises(ctorch.save, 1, function() error({ code = "full" }, 0) end).code, "full")
  local file = assert(io.open(folder .. "python.pt", "rb"))
  fails("IO", "", ctorch.save, 1, file) -- which cannot be written to
  file:close()
  equal(exists("none.pt"), false)
end)

that("weights of every format", function()
  local data = contents("python.safetensors")
  local file = assert(io.open(folder .. "python.safetensors", "rb"))
  for _, source in ipairs({ folder .. "python.safetensors", value.bytes(data), file }) do
    local weights = ctorch.Weights(source)
    equal({ weights:format(), weights:len() }, { "safetensors", 4 })
    equal({ weights:has("weight"), weights:has("no") }, { true, false })
    equal({ weights:shape("weight"), weights:dtype("half"), weights:type("half") }, { { 3, 4 }, "bfloat16", "BF16" })
    equal({ weights:nbytes("weight"), weights:metadata().format }, { 48, "pt" })
    equal(weights:tensor("weight"):totable()[3], { 8, 9, 10, 11 })
    equal(weights:slice("weight", { 1, -2 }, { 2, 4 }):totable(), { { 6, 7 } })
    is_tensors(weights:load())
    equal(weights:load("meta").weight.device, "meta")
    fails("INDEX", "no", weights.shape, weights, "no")
    weights:close()
    fails("INVALID_HANDLE", "closed", weights.names, weights)
  end
  file:close()
  local weights = ctorch.Weights(folder .. "python.pt", { progress = function() end })
  equal({ weights:names()[4], weights:metadata().epoch }, { "tensors.weight", 3 })
end)

that("safetensors files", function()
  local tensors = ctorch.safetensors.load_file(folder .. "python.safetensors")
  is_tensors(tensors)
  ctorch.safetensors.save_file(tensors, folder .. "out.safetensors", { format = "pt" })
  local data = ctorch.safetensors.save(tensors, { format = "pt" })
  write("bytes.safetensors", data)
  is_tensors(ctorch.safetensors.load(data))
  equal(ctorch.safetensors.load_file(folder .. "python.safetensors", { device = "meta" }).weight.device, "meta")
  fails("FORMAT", "", ctorch.safetensors.load, data:sub(1, -2))
  fails("FORMAT", "is npy, not safetensors", ctorch.safetensors.load_file, folder .. "python.npy")
  fails("RUNTIME", "share memory", ctorch.safetensors.save, { a = tensors.weight, b = tensors.weight })
  equal(ctorch.safetensors.load(ctorch.safetensors.save({ n = tensors.number })).n:item(), 7)
end)

that("models whose tensors share memory", function()
  local model = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3))
  model["1"].weight = nn.Parameter(model["0"].weight)
  local missing, unexpected = ctorch.safetensors.load_model(model, folder .. "python.model.safetensors")
  equal({ missing.n, unexpected.n }, { 0, 0 })
  ctorch.safetensors.save_model(model, folder .. "out.model.safetensors")
  local other = nn.Linear(3, 3)
  fails("RUNTIME", "0.weight", ctorch.safetensors.load_model, other, folder .. "python.model.safetensors")
  missing = ctorch.safetensors.load_model(other, folder .. "python.model.safetensors", { strict = false })
  equal(missing.n, 2)
end)

that("NumPy's files", function()
  local x = ctorch.npy.load(folder .. "python.npy")
  equal(x:totable()[2], { 4, 5, 6, 7 })
  ctorch.npy.save(folder .. "out.npy", x)
  equal(ctorch.npy.load(value.bytes(ctorch.npy.save(nil, x))):equal(x), true)
  local tensors = ctorch.npz.load(folder .. "python.npz")
  is_tensors(tensors, true)
  ctorch.npz.save(folder .. "out.npz", tensors)
  ctorch.npz.save(folder .. "compressed.npz", tensors, { compressed = true })
  fails("FORMAT", "is npz, not npy", ctorch.npy.load, folder .. "python.npz")
  fails("UNSUPPORTED", "", ctorch.npy.save, nil, x:to("bfloat16"))
end)

that("several files", function()
  local tensors = ctorch.safetensors.load_file(folder .. "python.safetensors")
  ctorch.sharded.save(tensors, folder .. "sharded", { max_shard_size = 48, metadata = { by = "test" } })
  is_tensors(ctorch.sharded.load(folder .. "sharded"))
  local weights = ctorch.Weights(folder .. "sharded/model.safetensors.index.json")
  equal({ weights:format(), weights:metadata().by }, { "sharded", "test" })
  fails("INVALID_ARGUMENT", "format", ctorch.sharded.save, without_half(tensors), folder .. "sharded", { format = "x" })
end)

-- Train up to a step, from where the snapshots stop; the losses, and what the snapshots know.
local function train(name, steps, options)
  ctorch.manual_seed(1)
  local model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 1))
  local optimizer = optim.AdamW(model:parameters(), { lr = 0.1 })
  local scheduler = optim.lr_scheduler.StepLR(optimizer, 2, { gamma = 0.5 })
  local scaler = ctorch.amp.GradScaler("cpu", { growth_interval = 2 })
  local mine, losses = { batches = 0 }, {}
  local snapshots = ctorch.Snapshots(folder .. name, options)
  local parts = { model = model, optimizer = optimizer, scheduler = scheduler, scaler = scaler, mine = mine }
  for part, object in pairs(parts) do
    snapshots:add(part, object)
  end
  local _, step = snapshots:resume()
  for done = (step or 0) + 1, steps do
    optimizer:zero_grad()
    local loss = model(ctorch.randn({ 16, 4 })):pow(2):mean()
    scaler:scale(loss):backward()
    scaler:step(optimizer)
    scaler:update()
    scheduler:step()
    mine.batches = mine.batches + 1
    losses[#losses + 1] = loss:item()
    snapshots:step(0, done, losses[#losses])
  end
  snapshots:wait()
  local found = { losses = losses, batches = mine.batches, steps = snapshots:steps(), metrics = snapshots:metrics() }
  found.paths = snapshots:paths()
  snapshots:close()
  return found
end

that("a run that goes on computes what it would have", function()
  local whole = train("whole", 7)
  equal(train("run", 5, { every = 2, async = true }).steps, { 2, 4 })
  local rest = train("run", 7, { every = 2, keep_last = 2 })
  equal(rest.losses, { whole.losses[5], whole.losses[6], whole.losses[7] })
  equal({ rest.steps, rest.batches, rest.metrics[2] }, { { 4, 6 }, 7, whole.losses[6] })
  equal(ctorch.load(rest.paths[2]):get("step"), 6)
end)

that("parts of one's own, and snapshots that fail", function()
  local snapshots = ctorch.Snapshots(folder .. "own")
  equal(snapshots:resume(), nil)
  local object = { seen = 7 }
  function object:state_dict() return { seen = self.seen } end
  function object:load_state_dict(state) self.seen = state:get("seen") end
  snapshots:add("object", object)
  fails("VALUE", "object", snapshots.add, snapshots, "object", {})
  fails("TYPE", "what has a state", snapshots.add, snapshots, "other", 3)
  fails("TYPE", "two functions", snapshots.add_callbacks, snapshots, "other", print)
  snapshots:save(1, 2, 0.5)
  object.seen = 8
  equal({ snapshots:resume("best") }, { 1, 2 })
  equal(object.seen, 7)
  snapshots:add_callbacks("failing", function() error({ code = "mine" }, 0) end, print)
  equal(raises(snapshots.save, snapshots, 1, 3).code, "mine")
  fails("INDEX", "failing", snapshots.resume, snapshots)
  snapshots:close()
  fails("INVALID_HANDLE", "closed", snapshots.save, snapshots, 1, 3)
end)

that("nothing is held for C any more", function()
  collectgarbage()
  collectgarbage()
  equal(callbacks.count(), 0)
end)

check.done()
