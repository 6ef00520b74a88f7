-- Datasets, samplers, loaders, transforms and the trainer: what they show, take and refuse. data_sample.lua has what they
-- load and compute. The argument is a folder.
local ctorch = require("ctorch")
local callbacks = require("ctorch.callbacks")
local check = require("check")

local core, data, datasets, nn, optim, transforms =
  ctorch.core, ctorch.data, ctorch.datasets, ctorch.nn, ctorch.optim, ctorch.transforms
local equal, fails, that = check.equal, check.fails, check.that
local folder = arg[1]

local function floats(length)
  return ctorch.arange(length, { dtype = "float32" })
end

local function lists(iterator)
  local found = {}
  for batch in iterator do
    table.insert(found, ctorch.is_tensor(batch) and batch:totable() or batch)
  end
  return found
end

local function numbers(length)
  local list = {}
  for i = 1, length do
    list[i] = i - 1
  end
  return data.Dataset.from(list)
end

local function raising(value)
  return function() error(value, 0) end
end

local function raises_it(value, ...)
  assert(rawequal(check.raises(...), value), "another value was raised")
end

that("datasets have lengths, samples, names and attributes", function()
  local rows = data.TensorDataset({ floats(6):reshape({ 3, 2 }), ctorch.arange(3) })
  equal({ #rows, rows:len(), rows:name(), tostring(rows), rows:is_iterable() },
    { 3, 3, "TensorDataset", "ctorch.TensorDataset", false })
  local row = rows:at(-1)
  equal({ row[1]:totable(), row[2]:item(), ctorch.value.is_tuple(row) }, { { 4, 5 }, 2, true })
  fails("INDEX", "", rows.at, rows, 3)
  fails("INDEX", "no attribute 'classes'", rows.attribute, rows, "classes")
  fails("VALUE", "", data.TensorDataset, { n = 0 })
  local named = data.StackDataset.named({ rows, rows }, { "a", "b" })
  equal({ named:at(1).keys[1], named:at(1).keys[2] }, { "a", "b" })
  local collated = data.default_collate({ { 1, 2 }, { 3, 4 } })
  equal({ collated[1]:totable(), collated[2]:totable() }, { { 1, 3 }, { 2, 4 } })
  fails("TYPE", "length and at", data.Dataset.from, 5)
end)

that("what a function of a dataset raises arrives, and the loader goes on", function()
  local value = {}
  local source = { length = 8 }
  function source:at(i)
    if i == 3 then
      error(value)
    end
    return i
  end
  for _, workers in ipairs({ 0, 2 }) do
    local batches = data.DataLoader(data.Dataset.from(source), 2, { num_workers = workers }):iterate()
    equal(batches:next():totable(), { 0, 1 })
    raises_it(value, batches.next, batches)
    equal(lists(batches), { { 4, 5 }, { 6, 7 } })
    equal(batches:next(), nil)
  end
  local strange = { length = 1, at = function() return print end }
  fails("TYPE", "a sample", function() data.Dataset.from(strange):at(0) end)
end)

that("a dataset that is gone through by each worker", function()
  for _, workers in ipairs({ 0, 2 }) do
    local begun = {}
    local source = data.Dataset.from_iterable(function()
      local info = data.get_worker_info() or { id = 0, num_workers = 1 }
      local i = info.id - info.num_workers
      return function()
        i = i + info.num_workers
        return i < 6 and i or nil
      end
    end, { length = 6 })
    local function begin(worker)
      table.insert(begun, worker)
    end
    local loader = data.DataLoader(source, 2, { num_workers = workers, worker_init_fn = begin })
    equal({ source:is_iterable(), #source, #loader }, { true, 6, 3 })
    local found = {}
    for batch in loader:iterate() do
      for _, number in ipairs(batch:totable()) do
        table.insert(found, number)
      end
    end
    table.sort(found)
    table.sort(begun)
    equal({ found, begun }, { { 0, 1, 2, 3, 4, 5 }, workers == 0 and {} or { 0, 1 } })
  end
  fails("TYPE", "gives an iterator", data.Dataset.from_iterable, 3)
  fails("TYPE", "gives an iterator", function() data.Dataset.from_iterable(function() return 3 end):iterate() end)
  fails("TYPE", "length", function() return #data.Dataset.from_iterable(print) end)
end)

that("who leaves early leaves nothing behind", function()
  for _, workers in ipairs({ 0, 2 }) do
    ctorch.live_handles()
    local live, held = ctorch.live_handles(), callbacks.count()
    local begun, closed = 0, 0
    local source = data.Dataset.from_iterable(function()
      begun = begun + 1
      local at = 0
      return {
        next = function()
          at = at + 1
          return at
        end,
        close = function() closed = closed + 1 end,
      }
    end)
    local loader = data.DataLoader(source, 3, { num_workers = workers })
    local batches = loader:iterate()
    for batch in batches do
      equal(batch:totable(), { 1, 2, 3 })
      batch:close()
      break
    end
    batches:close()
    equal({ begun > 0, closed }, { true, begun })
    loader:close()
    source:close()
    equal({ ctorch.live_handles(), callbacks.count() }, { live, held })
  end
end)

that("samplers of the library and of one's own", function()
  local mine = data.Sampler.from({ 3, 1, 2 })
  equal({ lists(mine:iterate()), #mine, mine:name(), lists(mine:iterate()) }, { { 3, 1, 2 }, 3, "Sampler", { 3, 1, 2 } })
  local batches = data.BatchSampler(mine, 2, false)
  equal({ lists(batches:iterate()), #batches }, { { { 3, 1 }, { 2 } }, 2 })
  equal(lists(data.DataLoader(numbers(5), 2, { sampler = mine }):iterate()), { { 3, 1 }, { 2 } })
  local pairs_of = data.Sampler.from({ { 0, 4 }, { 2 } })
  equal(lists(data.DataLoader(numbers(5), { batch_sampler = pairs_of }):iterate()), { { 0, 4 }, { 2 } })
  local counted = data.Sampler.from(function()
    return function(last, i)
      return i < last and i + 1 or nil
    end, 2, -1
  end)
  equal(lists(counted:iterate()), { 0, 1, 2 })
  fails("TYPE", "length", function() return #counted end)
  fails("INDEX", "set_epoch", mine.set_epoch, mine, 1)
  local value = {}
  local loader = data.DataLoader(numbers(5), { sampler = data.Sampler.from(raising(value)) })
  raises_it(value, function() lists(loader:iterate()) end)
end)

that("batches made in one's own way", function()
  for _, workers in ipairs({ 0, 2 }) do
    local function join(samples)
      return table.concat(samples, "+")
    end
    local loader = data.DataLoader(numbers(5), 2, { num_workers = workers, collate_fn = join })
    equal({ lists(loader:iterate()), #loader }, { { "0+1", "2+3", "4" }, 3 })
    if workers > 0 then
      local value = {}
      local failing = data.DataLoader(numbers(5), { num_workers = workers, worker_init_fn = raising(value) })
      raises_it(value, function() lists(failing:iterate()) end)
    end
  end
  local statistics = data.DataLoader(numbers(2)):statistics()
  equal({ statistics.batches, statistics.consumer_waited, statistics.workers_worked }, { 0, 0, 0 })
  fails("VALUE", "batch_size", data.DataLoader, numbers(5), -1)
  fails("TYPE", "no argument batches", data.DataLoader, numbers(5), { batches = 2 })
  fails("TYPE", "dataset", data.DataLoader, 5)
  fails("TYPE", "a function", data.DataLoader, numbers(5), { collate_fn = 5 })
end)

that("a loader of one's own", function()
  local loader = data.DataLoader.from({ 1, { 2, "three" } })
  equal({ lists(loader:iterate()), #loader, tostring(loader) }, { { 1, { 2, "three" } }, 2, "ctorch.DataLoader" })
end)

that("a position is saved, and gone on from", function()
  for _, workers in ipairs({ 0, 2 }) do
    ctorch.manual_seed(3)
    local loader = data.DataLoader(numbers(9), 2, { shuffle = true, num_workers = workers })
    local batches = loader:iterate()
    batches:next()
    batches:next()
    local state = batches:state_dict()
    local rest = lists(batches)
    equal(lists(loader:iterate_from(state)), rest)
    local other = loader:iterate()
    other:load_state_dict(state)
    equal(lists(other), rest)
    fails("RUNTIME", "taken", other.load_state_dict, other, state)
    fails("INDEX", "", loader.iterate_from, loader, ctorch.value.dict())
  end
end)

that("an iterator of one's own knows where it is", function()
  local function begin()
    local numbered = { at = 0 }
    function numbered:next()
      self.at = self.at + 1
      return self.at <= 4 and self.at or nil
    end
    function numbered:state_dict()
      return { at = self.at }
    end
    function numbered:load_state_dict(state)
      self.at = state:get("at")
    end
    return numbered
  end
  local loader = data.DataLoader.from(begin)
  local batches = loader:iterate()
  equal({ batches:next(), batches:next() }, { 1, 2 })
  local again = loader:iterate_from(batches:state_dict())
  equal({ lists(batches), lists(again) }, { { 3, 4 }, { 3, 4 } })
  local plain = data.DataLoader.from({ 1 }):iterate()
  fails("UNSUPPORTED", "where it is", plain.state_dict, plain)
end)

that("transforms are called, and draw from a generator", function()
  local image = floats(48):reshape({ 3, 4, 4 })
  local flip = transforms.RandomHorizontalFlip(1)
  equal(flip(image):totable(), image:flip({ 2 }):totable())
  equal({ flip:name(), tostring(flip) }, { "RandomHorizontalFlip", "RandomHorizontalFlip(p=1.0)" })
  local generator = core.generator_new("cpu")
  local function draw(transform)
    core.generator_manual_seed(generator, 4)
    local found = {}
    for i = 1, 5 do
      found[i] = transform(image, { generator = generator }):totable()
    end
    return found
  end
  local crop = transforms.RandomCrop({ 2 })
  local mine = transforms.Transform.from(function(x, given)
    return crop(x, { generator = given })
  end, { name = "Mine" })
  equal(draw(mine), draw(crop))
  core.generator_manual_seed(generator, 4)
  equal(core.transform_call_tensor(crop, image, generator):totable(), draw(crop)[1])
  equal({ tostring(mine), transforms.FiveCrop({ 2 })(image).n }, { "Mine()", 5 })
end)

that("what is in a sample is transformed as what it is marked as", function()
  local boxes = ctorch.tv_tensors.BoundingBoxes(
    ctorch.tensor({ { 0, 0, 1, 2 } }), { format = "XYXY", canvas_size = { 4, 4 } })
  local flip = transforms.RandomHorizontalFlip(1)
  local sample = flip({ image = ctorch.tv_tensors.Image(ctorch.zeros({ 3, 4, 4 })), boxes = boxes, label = "cat" })
  equal({ sample:get("label"), sample:get("boxes"):totable() }, { "cat", { { 3, 0, 4, 2 } } })
  equal(core.tv_tensor_kind_of(sample:get("boxes")), "bounding_boxes")
  local image, label = flip(floats(2):reshape({ 1, 1, 2 }), 7)
  equal({ image:totable(), label }, { { { { 1, 0 } } }, 7 })
  equal(transforms.functional.horizontal_flip(floats(2):reshape({ 1, 1, 2 })):totable(), { { { 1, 0 } } })
end)

that("functions stand for transforms, by names, in values", function()
  local both = transforms.Compose({
    function(x) return x * 2 end,
    transforms.Lambda(function(x) return x + 1 end, { "Tensor" }),
  })
  equal(both(ctorch.tensor({ 1, 2 })):totable(), { 3, 5 })
  local rows = data.TransformedDataset(numbers(3), { transform = function(i) return i * 10 end })
  for _, workers in ipairs({ 0, 2 }) do
    equal(lists(data.DataLoader(rows, 2, { num_workers = workers }):iterate()), { { 0, 10 }, { 20 } })
  end
  local create = transforms.Transform.create
  local made = create("Compose", { transforms.Identity(), create("Resize", { 32 }) })
  equal({ made:name(), tostring(made):find("Resize(size=[32]", 1, true) ~= nil }, { "Compose", true })
  local held = ctorch.value.get(ctorch.value.of({ both }))[1]
  equal(held(ctorch.tensor({ 1, 2 })):totable(), { 3, 5 })
  local value = {}
  raises_it(value, transforms.Compose({ raising(value) }), ctorch.tensor({ 1 }))
  fails("VALUE", "", transforms.Compose, { n = 0 })
  fails("TYPE", "a transform", transforms.Compose, { 5 })
  fails("INDEX", "", create, "NoSuch")
  fails("TYPE", "", transforms.RandomErasing(1), ctorch.tensor({ 1 }))
end)

that("a folder of images", function()
  for name, value in pairs({ cats = 10, dogs = 200 }) do
    os.execute(("mkdir -p %s/images/%s"):format(folder, name))
    for i = 0, 2 do
      local image = ctorch.full({ 3, 4, 5 }, value + i):to("uint8")
      core.image_encode_png_file(image, 6, ("%s/images/%s/%d.png"):format(folder, name, i))
    end
  end
  local images = datasets.ImageFolder(folder .. "/images", {
    transform = transforms.ToDtype("float32", { scale = true }),
    target_transform = function(label) return label + 1 end,
  })
  equal({ #images, images:attribute("targets"):totable() }, { 6, { 0, 0, 0, 1, 1, 1 } })
  equal({ images:attribute("classes")[1], images:attribute("classes")[2] }, { "cats", "dogs" })
  for _, workers in ipairs({ 0, 2 }) do
    local batch = data.DataLoader(images, 6, { num_workers = workers }):iterate():next()
    equal({ batch[1].shape, batch[2]:totable() }, { { 6, 3, 4, 5 }, { 1, 1, 1, 2, 2, 2 } })
    equal((batch[1]:mean({ dim = { 1, 2, 3 } }) * 255):round():totable(), { 10, 11, 12, 200, 201, 202 })
  end
  equal(core.image_decode_file(folder .. "/images/cats/1.png", "gray", 0, 0).shape, { 1, 4, 5 })
  fails("IO", "nowhere", datasets.ImageFolder, "nowhere")
end)

-- A trainer of four weights, its batches and its optimizer.
local function begin()
  ctorch.manual_seed(1)
  local model = nn.Linear(3, 1)
  local optimizer = optim.SGD(model:parameters(), { lr = 0.01 })
  local batches = data.DataLoader(data.TensorDataset({ floats(24):reshape({ 8, 3 }), ctorch.ones({ 8, 1 }) }), 4)
  return ctorch.Trainer(model, optimizer):set_loss(nn.MSELoss()):set_length({ epochs = 2 }), batches, optimizer
end

local function mse(_, model, batch)
  return ((model(batch[1]) - batch[2]) ^ 2):mean()
end

that("a trainer calls back at all points", function()
  local trainer, batches = begin()
  local log = {}
  trainer:set_validation(batches)
  for _, event in ipairs({
    "begin", "epoch_begin", "batch_end", "gradients", "step", "validation", "epoch_end", "end",
  }) do
    trainer:on(event, function(_, at) table.insert(log, at) end)
  end
  trainer:fit(batches)
  local step = "batch_end gradients step "
  local epoch = "epoch_begin " .. step .. step .. "validation epoch_end "
  equal(table.concat(log, " "), "begin " .. epoch .. epoch .. "end")
  equal({ trainer.epoch, trainer.step, trainer.stopped }, { 2, 4, false })
  local last = trainer.history[2]
  equal({ last.epoch, last.step, last.loss > 0, last.val_loss > 0 }, { 2, 4, true, true })
end)

that("a step and metrics of one's own", function()
  local plain, batches = begin()
  plain:fit(batches)
  local trainer = begin()
  trainer:set_step(mse):fit(batches)
  equal({ trainer.history[2].loss, trainer.loss }, { plain.history[2].loss, plain.loss })
  trainer:set_step(nil):add_metric("half", function(output, batch)
    return #output / 2 - #batch[2] / 4
  end)
  equal(trainer:evaluate(batches).half, 1)
end)

that("what a callback of the trainer raises arrives", function()
  local value = {}
  for _, call in ipairs({
    function(trainer) return trainer:set_step(raising(value)) end,
    function(trainer) return trainer:add_metric("mine", raising(value)) end,
    function(trainer) return trainer:on("step", raising(value)) end,
  }) do
    local trainer, batches = begin()
    raises_it(value, function() call(trainer):fit(batches) end)
  end
  local trainer, batches = begin()
  trainer:add_metric("text", function() return "text" end)
  fails("TYPE", "a number", trainer.fit, trainer, batches)
  fails("TYPE", "a function", trainer.on, trainer, "step", 5)
  fails("TYPE", "a function", trainer.set_step, trainer, 5)
  fails("TYPE", "trainer_event", trainer.on, trainer, "lunch", print)
  fails("VALUE", "a metric text already", trainer.add_metric, trainer, "text")
  fails("INVALID_ARGUMENT", "", trainer.set_length, trainer, { epochs = 0 })
  fails("VALUE", "", function() return begin().loss end)
  fails("TYPE", "no field", function() trainer.epochs = 3 end)
end)

that("a trainer stops, and early", function()
  local trainer, batches = begin()
  trainer:on("step", function(self)
    if self.step == 1 then
      self:stop()
    end
  end):fit(batches)
  equal({ trainer.step, trainer.stopped, trainer.epoch }, { 1, true, 0 })
  trainer:fit(batches)
  equal({ trainer.step, trainer.stopped, trainer.epoch }, { 4, false, 2 })
  local early = begin()
  early:set_length({ epochs = 50 }):set_early_stopping("loss", { maximize = true, patience = 1 }):fit(batches)
  equal({ early.epoch < 50, early.stopped }, { true, true })
end)

that("all settings of a trainer", function()
  local trainer, batches, optimizer = begin()
  local scheduler = optim.lr_scheduler.StepLR(optimizer, 1)
  trainer
    :set_accumulation(2)
    :set_autocast("cpu", { dtype = "bfloat16" })
    :set_clipping({ max_norm = 1 })
    :set_lr_scheduler(scheduler, { each_step = true })
    :set_validation(batches, { every_steps = 1 })
    :set_grad_scaler(nil)
    :set_progress("none")
    :set_interruptible()
    :set_snapshots(ctorch.Snapshots(folder .. "/settings"), { every_steps = 1, metric = "val_loss" })
    :fit(batches)
  equal({ trainer.step, scheduler.last_epoch }, { 2, 2 })
end)

that("steps are captured", function()
  local losses = {}
  for i, most in ipairs({ 0, 2 }) do
    local trainer, batches = begin()
    trainer:set_length({ epochs = 4 }):set_tape(most):fit(batches)
    losses[i] = trainer.history[4].loss
  end
  equal(losses[1], losses[2])
  local model = nn.Linear(3, 2)
  ctorch.no_grad(function()
    local step = ctorch.capture({ ctorch.zeros({ 1, 3 }) }, function(x) return model(x), -x end)
    local x = floats(3):reshape({ 1, 3 })
    local expected = model(x):totable()
    local y, minus = step(x)
    equal({ y:totable(), minus:totable() }, { expected, (-x):totable() })
    equal({ tostring(step):find("aten::neg", 1, true) ~= nil, step:bytes() > 0 }, { true, true })
    model:set_tape()
    for _ = 1, 4 do
      equal(model(x):totable(), expected)
    end
    step:close()
    fails("UNSUPPORTED", "aten::nonzero", ctorch.capture, { ctorch.zeros({ 3 }) }, function(z) return z:nonzero() end)
  end)
end)

that("trainers and what they call are let go", function()
  local live, held = ctorch.live_handles(), callbacks.count()
  local trainer, batches = begin()
  trainer:set_step(mse):on("step", print):add_metric("none"):set_step(nil)
  trainer:close()
  batches:close()
  equal({ ctorch.live_handles() - live <= 6, callbacks.count() }, { true, held })
end)

check.done()
