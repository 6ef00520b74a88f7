-- Transforms: what is done to images and the like before a model sees them, as torchvision.transforms.v2 has them.
--
--     local augment = transforms.Compose({
--       transforms.RandomCrop({ 32 }, { padding = { 4 } }),
--       transforms.RandomHorizontalFlip(),
--       function(image) return image / 255 end,
--     })
--     local image, label = augment(pixels, 3)
--
-- A transform is called with a tensor, or with anything that values hold. What is drawn comes from the default generator,
-- or from the one that is given: `augment(pixels, { generator = generator })`. A function stands for a transform.
local core = require("ctorch.core")
local data = require("ctorch.data")
local handles = require("ctorch.handles")
local operators = require("ctorch.operators")
local optimizers = require("ctorch.optimizers")
local values = require("ctorch.values")

jit.off(true, true) -- these call C, which may call Lua

local methods, meta = data.class("transform", function() return "transform" end)

function meta.__tostring(box)
  return box.handle[0] == nil and "ctorch.transform (closed)" or core.transform_repr(box)
end

local function is_generator(value)
  return type(value) == "table" and getmetatable(value) == nil and value.generator ~= nil
    and next(value, next(value)) == nil
end

-- Several inputs give several results.
function meta.__call(box, ...)
  local count, generator = select("#", ...), nil
  local given = { ... }
  if count > 1 and is_generator(given[count]) then
    generator = given[count].generator
    count = count - 1
  end
  local input = given[1]
  if count ~= 1 then
    input = values.tuple(unpack(given, 1, count))
  end
  local found = optimizers.unbox(core.transform_call(box, values.of(input, "the input"), generator))
  if count > 1 and values.is_tuple(found) then
    return unpack(found, 1, found.n)
  end
  return found
end

-- Name of the class.
function methods.name(box)
  return core.transform_name(box)
end

local Transform = {}

-- A transform of your own. `func(input, generator)` gets what the transform is called with, and where to draw from: nil
-- for the default generator.
function Transform.from(func, options)
  data.check_function(func, "Transform.from")
  return core.transform_from_callback(options and options.name, function(input, generator)
    return data.give(func(optimizers.unbox(input), generator), "what the transform returned")
  end)
end

-- A transform by the name of its class, whose arguments are values: `Transform.create("Resize", { 32 })`.
function Transform.create(name, ...)
  return core.transform_create(name, optimizers.arguments(...))
end

handles.adapters.transform = Transform.from

return {
  transforms = setmetatable({
    Transform = Transform,
    functional = operators.transforms_functional,
  }, { __index = operators.transforms }),
}
