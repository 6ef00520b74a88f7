-- Makes things and closes none: see forgotten.py.
local ctorch = require("ctorch")
local nn = ctorch.nn

local what, count, file = arg[1], tonumber(arg[2]), arg[3]

if what == "graphs" then
  local first, second = nn.Conv2d(3, 16, 3, { padding = 1 }), nn.Conv2d(16, 4, 3, { padding = 1 })
  local images = ctorch.ones({ 16, 3, 64, 64 })
  for _ = 1, count do
    second(ctorch.aten.relu(first(images))):sum()
  end
elseif what == "modules" then
  for _ = 1, count do
    nn.Linear(2048, 2048)
  end
else
  for _ = 1, count do
    ctorch.Tokenizer(file)
  end
end
