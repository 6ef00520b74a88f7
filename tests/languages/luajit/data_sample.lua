-- Loads, transforms and trains what data_sample.py does, and prints it. Its argument is a folder for snapshots.
local ctorch = require("ctorch")
local check = require("check")

local aten, data, nn, optim, transforms = ctorch.aten, ctorch.data, ctorch.nn, ctorch.optim, ctorch.transforms

-- All numbers of nested lists, dicts and tensors.
local function flat(item, found)
  if ctorch.is_tensor(item) then
    for _, number in ipairs(item:flatten():totable()) do
      table.insert(found, ("%.17g"):format(number))
    end
  elseif type(item) == "table" then
    for _, part in ipairs(item.values or item) do
      flat(part, found)
    end
  else
    table.insert(found, ("%.17g"):format(item))
  end
  return found
end

local function print_numbers(name, workers, item)
  print(name, workers, table.concat(flat(item, {}), " "))
end

local function all(source)
  local found = {}
  for item in source:iterate() do
    table.insert(found, item)
  end
  return found
end

local dicts = { length = 7 }

function dicts:at(i)
  return ctorch.value.dict({ "number", i }, { "pair", ctorch.value.tuple(ctorch.float(i / 2), ctorch.arange(i, i + 2)) })
end

local function history(trainer)
  local found = {}
  for i, epoch in ipairs(trainer.history) do
    found[i] = { epoch.loss, epoch.accuracy, epoch.val_loss, epoch.val_accuracy }
  end
  return found
end

local function trained(workers, folder)
  ctorch.manual_seed(0)
  local x, y = ctorch.randn({ 50, 4 }), aten.randint(3, { 50 })
  local vx, vy = ctorch.randn({ 20, 4 }), aten.randint(3, { 20 })
  local batches = data.DataLoader(data.TensorDataset({ x, y }), 8, { shuffle = true, num_workers = workers })
  local validation = data.DataLoader(data.TensorDataset({ vx, vy }), 20, { num_workers = workers })
  local function make(epochs)
    local model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
    local optimizer = optim.SGD(model:parameters(), { lr = 0.1, momentum = 0.9, foreach = false })
    return ctorch.Trainer(model, optimizer)
      :set_loss(nn.CrossEntropyLoss())
      :set_length({ epochs = epochs })
      :add_metric("accuracy")
      :set_clipping({ max_norm = 0.5 })
      :set_lr_scheduler(optim.lr_scheduler.StepLR(optimizer, 1, { gamma = 0.5 }))
      :set_validation(validation), model
  end

  ctorch.manual_seed(1)
  local losses = {}
  local trainer, model = make(2)
  trainer:on("batch_end", function(self) table.insert(losses, self.loss) end):fit(batches)
  print_numbers("trained", workers, { losses, model:parameters() })
  print_numbers("history", workers, history(trainer))

  ctorch.manual_seed(1)
  make(1):set_snapshots(ctorch.Snapshots(folder)):fit(batches)
  ctorch.manual_seed(2)
  local second = make(2)
  second:set_snapshots(ctorch.Snapshots(folder)):fit(batches)
  print_numbers("resumed", workers, history(second))
end

local function loaded(workers)
  local rows = data.TensorDataset({ ctorch.arange(20, { dtype = "float32" }):reshape({ 10, 2 }), ctorch.arange(10) })
  local function load(dataset, options)
    options.num_workers = workers
    return data.DataLoader(dataset, options)
  end

  ctorch.manual_seed(5)
  local loader = load(rows, { batch_size = 4, shuffle = true })
  print_numbers("shuffled", workers, { all(loader), all(loader) })

  ctorch.manual_seed(6)
  local drawn = data.RandomSampler(rows, true, 7)
  print_numbers("drawn", workers, all(load(rows, { batch_size = 4, sampler = drawn, drop_last = true })))

  ctorch.manual_seed(7)
  local weighted = data.WeightedRandomSampler({ 1, 2, 3, 4, 0.5, 0, 1, 1, 1, 1 }, 8)
  print_numbers("weighted", workers, all(load(rows, { batch_sampler = data.BatchSampler(weighted, 3, false) })))

  local part, orders = data.DistributedSampler(rows, 3, 1, { seed = 4 }), {}
  for i, epoch in ipairs({ 0, 3 }) do
    part:set_epoch(epoch)
    orders[i] = all(part)
  end
  print_numbers("distributed", workers, orders)

  ctorch.manual_seed(8)
  local samples = {}
  for _, lengths in ipairs({ { 7, 3 }, { 0.5, 0.5 } }) do
    for _, subset in ipairs(data.random_split(rows, lengths)) do
      table.insert(samples, all(subset))
    end
  end
  print_numbers("split", workers, samples)

  print_numbers("collated", workers, all(load(data.Dataset.from(dicts), { batch_size = 3 })))

  ctorch.manual_seed(9)
  local transform = transforms.Compose({
    transforms.RandomCrop({ 3 }),
    transforms.RandomHorizontalFlip(),
    transforms.Lambda(function(x) return x * 2 end),
  })
  local image, results = ctorch.arange(48, { dtype = "float32" }):reshape({ 3, 4, 4 }), {}
  for i = 1, 4 do
    results[i] = transform(image)
  end
  print_numbers("transformed", workers, results)
end

for _, workers in ipairs({ 0, 2 }) do
  loaded(workers)
  trained(workers, ("%s/run%d"):format(arg[1], workers))
end

check.done()
