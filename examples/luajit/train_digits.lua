-- Train a small convolutional network on handwritten digits: ../train_digits.c in Lua, so that the same options give the
-- same losses.
--
--     luajit train_digits.lua [--epochs N] [--batch-size N] [--lr X] [--seed N] [--threads N] [--workers N] [--data DIR]
--                             [--losses FILE]
local ctorch = require("ctorch")

local nn, optim, transforms = ctorch.nn, ctorch.optim, ctorch.transforms

-- Images (N, 1, 8, 8) to a score for each class (N, 10).
local function network()
  local model = nn.Sequential()
  local relu = nn.ReLU(true) -- one for all three places: it has no parameters
  for _, layer in ipairs({
    { "conv1", nn.Conv2d(1, 32, 3, { padding = 1 }) },
    { "relu1", relu },
    { "conv2", nn.Conv2d(32, 64, 3, { padding = 1 }) },
    { "relu2", relu },
    { "pool", nn.MaxPool2d(2) },
    { "flatten", nn.Flatten() },
    { "fc1", nn.Linear(64 * 4 * 4, 128) },
    { "relu3", relu },
    { "fc2", nn.Linear(128, 10) },
  }) do
    model:register_module(layer[1], layer[2])
  end
  return model
end

-- Batches of a part of the data, "train" or "t10k" as MNIST calls them (../data/README.md): pixels from 0 to 1; and in
-- training each image turned, shifted, stretched and sheared a little, anew each time.
local function batches_of(part, options)
  local training = part == "train"
  local steps = { transforms.ToDtype("float32"), transforms.Normalize({ 0 }, { 16 }) }
  if training then
    steps[3] = transforms.RandomAffine({ 10 }, {
      translate = { 0.1, 0.1 }, scale = { 0.85, 1.15 }, shear = { 10 }, interpolation = "bilinear",
    })
  end
  local files = ("%s/%s-"):format(options.data, part)
  local dataset = ctorch.datasets.IDXFile(
    files .. "images-idx3-ubyte", files .. "labels-idx1-ubyte", { transform = transforms.Compose(steps) })
  return ctorch.data.DataLoader(
    dataset, { batch_size = options["batch-size"], shuffle = training, num_workers = options.workers })
end

local function write_losses(path, history)
  local file = assert(io.open(path, "w"))
  for _, epoch in ipairs(history) do
    file:write(("%.17g\n"):format(epoch.loss))
  end
  file:close()
end

local function main(options)
  ctorch.set_num_threads(options.threads)
  ctorch.manual_seed(options.seed)
  local model = network()
  local optimizer = optim.SGD(model:parameters(), options.lr, { momentum = 0.9, weight_decay = 1e-3 })
  local scheduler = optim.lr_scheduler.LinearLR(optimizer, 1, { end_factor = 0, total_iters = options.epochs })
  local trainer = ctorch.Trainer(model, optimizer)
    :set_loss(nn.CrossEntropyLoss())
    :set_lr_scheduler(scheduler)
    :set_length({ epochs = options.epochs })
    :set_progress("auto")
    :add_metric("accuracy")
  trainer:fit(batches_of("train", options))
  if options.losses ~= "" then
    write_losses(options.losses, trainer.history)
  end
  local found = trainer:evaluate(batches_of("t10k", options))
  print(("test loss %.4f, accuracy %.2f %%"):format(found.loss, 100 * found.accuracy))
end

local function parse_options(args)
  local folder = args[0]:match("^(.*)/[^/]*$") or "."
  local options = {
    epochs = 30, ["batch-size"] = 32, lr = 0.05, seed = 0, threads = 1, workers = 0, data = folder .. "/../data",
    losses = "",
  }
  for i = 1, #args, 2 do
    local name, value = args[i]:match("^%-%-(.*)$"), args[i + 1]
    local default = options[name]
    value = type(default) == "number" and tonumber(value) or type(default) == "string" and value or nil
    if value == nil then
      io.stderr:write(("train_digits: bad option %s %s\n"):format(args[i], tostring(args[i + 1])))
      os.exit(2)
    end
    options[name] = value
  end
  return options
end

local ok, failure = pcall(main, parse_options(arg))
if ok and (ctorch.live_handles() or 0) > 0 then -- counted with CTORCH_DEBUG_HANDLES=1
  ok, failure = false, ctorch.live_handles() .. " handles leaked"
end
if not ok then
  io.stderr:write("train_digits: ", tostring(failure), "\n")
  os.exit(1)
end
