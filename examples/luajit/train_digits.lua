-- Train a small convolutional network on handwritten digits: ../train_digits.c in Lua, step by step the same, so that
-- the same options give the same losses.
--
--     luajit train_digits.lua [--epochs N] [--batch-size N] [--lr X] [--seed N] [--threads N] [--data DIR] [--losses FILE]
--
-- Each step runs in a scope, which closes the tensors it made.
local ctorch = require("ctorch")

local aten, nn, optim = ctorch.aten, ctorch.nn, ctorch.optim
local CLASSES, SIZE, MAX_PIXEL = 10, 8, 16
local MOMENTUM, WEIGHT_DECAY, DISTORTION = 0.9, 1e-3, 0.2

-- Data: a pair of IDX files (data/README.md)

local function read_file(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

local function read_idx(path, ndim)
  local text = read_file(path)
  local function big_endian(at)
    local a, b, c, d = text:byte(at, at + 3)
    return ((a * 256 + b) * 256 + c) * 256 + d
  end
  assert(#text >= 4 + 4 * ndim and text:sub(1, 4) == "\0\0\8" .. string.char(ndim), path .. ": no IDX file of bytes")
  local shape, count = {}, 1
  for i = 1, ndim do
    shape[i] = big_endian(1 + 4 * i)
    count = count * shape[i]
  end
  assert(#text == 4 + 4 * ndim + count, path .. ": truncated")
  return ctorch.from_data(text:sub(5 + 4 * ndim), shape, "uint8")
end

-- Images (count, 1, 8, 8) from 0 (paper) to 1 (ink), and their labels.
local function read_digits(folder, part)
  local images = read_idx(("%s/%s-images-idx3-ubyte"):format(folder, part), 3)
  local labels = read_idx(("%s/%s-labels-idx1-ubyte"):format(folder, part), 1)
  assert(images:size(1) == SIZE and images:size(2) == SIZE and #images == #labels, "not such images and labels")
  assert(images:max():item() <= MAX_PIXEL and labels:max():item() < CLASSES, "a value out of range")
  return { images = images:unsqueeze(1) / MAX_PIXEL, labels = labels:to("int64"), count = #images }
end

local Network = nn.class("Network")

function Network:init()
  self.conv1 = nn.Conv2d(1, 32, 3, { padding = 1 })
  self.conv2 = nn.Conv2d(32, 64, 3, { padding = 1 })
  self.fc1 = nn.Linear(64 * 4 * 4, 128)
  self.fc2 = nn.Linear(128, CLASSES)
end

-- Images (N, 1, 8, 8) to a score for each class (N, 10).
function Network:forward(images)
  local x = self.conv2(self.conv1(images):relu()):relu():max_pool2d({ 2, 2 }):flatten(1, -1)
  return self.fc2(self.fc1(x):relu())
end

-- Training

-- Each image turned, sheared, stretched and shifted a little, anew each time.
local function distort(images)
  local BILINEAR, ZEROS = 0, 0
  local count = #images
  local identity = ctorch.eye(2, 3)
  local maps = ctorch.empty({ count, 2, 3 }):uniform_(-DISTORTION, DISTORTION):add_(identity)
  local grid = aten.affine_grid_generator(maps, { count, 1, SIZE, SIZE }, false)
  return aten.grid_sampler(images, grid, BILINEAR, ZEROS, false)
end

local function train_step(net, optimizer, data, batch)
  local images = distort(data.images:index_select(0, batch))
  local labels = data.labels:index_select(0, batch)
  local loss = aten.cross_entropy_loss(net(images), labels)
  optimizer:zero_grad()
  loss:backward()
  optimizer:step()
  return loss:item()
end

-- One pass over the images in a new order; the mean loss.
local function train_epoch(net, optimizer, data, batch_size)
  local sum = 0
  for _, batch in ipairs(ctorch.randperm(data.count):split(batch_size)) do
    local loss = ctorch.scope(train_step, net, optimizer, data, batch)
    assert(loss - loss == 0, "the loss is not finite: try a smaller --lr")
    sum = sum + loss * #batch
  end
  return sum / data.count
end

-- Testing

-- Predictions counted by label and prediction.
local function test(net, data)
  return ctorch.no_grad(function()
    local predictions = net(data.images):argmax(1)
    return (data.labels * CLASSES + predictions):bincount({ minlength = CLASSES * CLASSES }):totable()
  end)
end

local function print_result(counts)
  local right, total = 0, 0
  print("confusion matrix: a row for each label, a column for each prediction")
  print("        0   1   2   3   4   5   6   7   8   9")
  for label = 0, CLASSES - 1 do
    local row = { ("%4d "):format(label) }
    for prediction = 0, CLASSES - 1 do
      local count = counts[label * CLASSES + prediction + 1]
      table.insert(row, count == 0 and "   ." or ("%4d"):format(count))
      total = total + count
      right = right + (label == prediction and count or 0)
    end
    print(table.concat(row))
  end
  print(("test accuracy %.2f %% (%d of %d)"):format(100 * right / total, right, total))
end

local function parse_options(args)
  local folder = args[0]:match("^(.*)/[^/]*$") or "."
  local options = {
    epochs = 30, ["batch-size"] = 32, lr = 0.05, seed = 0, threads = 1, data = folder .. "/../data", losses = "",
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

local function main(options)
  ctorch.core.threads_set_num(options.threads)
  ctorch.core.random_manual_seed(options.seed)
  local test_data = read_digits(options.data, "t10k")
  local net = Network()
  local optimizer =
    optim.SGD(net:parameters(), options.lr, { momentum = MOMENTUM, weight_decay = WEIGHT_DECAY })
  local data = read_digits(options.data, "train")
  local losses = options.losses ~= "" and assert(io.open(options.losses, "w"))
  for epoch = 0, options.epochs - 1 do
    optimizer.param_groups[1].lr = options.lr * (1 - epoch / options.epochs)
    local loss = train_epoch(net, optimizer, data, options["batch-size"])
    print(("epoch %2d/%d  loss %.4f"):format(epoch + 1, options.epochs, loss))
    if losses then
      losses:write(("%.17g\n"):format(loss))
    end
  end
  if losses then
    losses:close()
  end
  print_result(test(net, test_data))
end

local ok, failure = pcall(main, parse_options(arg))
if ok and (ctorch.live_handles() or 0) > 0 then -- counted with CTORCH_DEBUG_HANDLES=1
  ok, failure = false, ctorch.live_handles() .. " handles leaked"
end
if not ok then
  io.stderr:write("train_digits: ", tostring(failure), "\n")
  os.exit(1)
end
