-- Train on a folder of images: ../image_folder.c in Lua. The folder has `train` and `test`, which have a folder for each
-- class. Worker threads read, decode and transform the images; the result does not depend on their number.
--
--     luajit image_folder.lua [FOLDER]
local ctorch = require("ctorch")

local data, datasets, nn, optim, transforms = ctorch.data, ctorch.datasets, ctorch.nn, ctorch.optim, ctorch.transforms
local folder = arg[1] or (arg[0]:match("^(.*)/[^/]*$") or ".") .. "/../data/shapes"

-- Convolutions with batch norm, after each the image is halved; the greatest values of what is left; a linear layer.
local function network(classes)
  local function halved(from, to)
    return nn.Sequential(
      nn.Conv2d(from, to, 3, { padding = 1 }), nn.BatchNorm2d(to), nn.ReLU(true), nn.MaxPool2d(2))
  end
  return nn.Sequential(
    halved(3, 16), halved(16, 32), halved(32, 64),
    nn.AdaptiveMaxPool2d(1), nn.Flatten(), nn.Linear(64, classes))
end

-- Numbers from -1 to 1.
local numbers = transforms.Compose({
  transforms.ToDtype("float32", { scale = true }),
  transforms.Normalize({ 0.5, 0.5, 0.5 }, { 0.5, 0.5, 0.5 }),
})
-- The same of a part of the image, of another size, flipped or not, in other colours.
local augmented = transforms.Compose({
  transforms.RandomResizedCrop({ 32 }, { scale = { 0.8, 1 } }),
  transforms.RandomHorizontalFlip(),
  transforms.ColorJitter({ brightness = { 0.2 }, contrast = { 0.2 }, hue = { 0.5 } }),
  numbers,
})

ctorch.set_num_threads(1) -- the tensors are too small for more
ctorch.manual_seed(0)
local images = datasets.ImageFolder(folder .. "/train", augmented)
local test_images = datasets.ImageFolder(folder .. "/test", numbers)
local classes = images:attribute("classes")
print(("classes ['%s']"):format(table.concat(classes, "', '")))

local model = network(#classes)
local trainer = ctorch.Trainer(model, optim.AdamW(model:parameters(), { lr = 3e-3 }))
  :set_loss(nn.CrossEntropyLoss())
  :add_metric("accuracy")
  :set_length({ epochs = 15 })
  :set_validation(data.DataLoader(test_images, 20, { num_workers = 2 }))
trainer:fit(data.DataLoader(images, 20, { shuffle = true, num_workers = 2 }))
for i, epoch in ipairs(trainer.history) do
  local text = "epoch %2d  loss %.4f  val_loss %.4f  val_accuracy %.4f"
  print(text:format(i, epoch.loss, epoch.val_loss, epoch.val_accuracy))
end
