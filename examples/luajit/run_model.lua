-- Run a model that Python wrote on lists of Lua: ../run_model.c in Lua.
--
--     luajit run_model.lua script model.pt         torch.jit.save
--     luajit run_model.lua program model.pt2       torch.export.save
--     luajit run_model.lua package model.pt2       torch._inductor.aoti_compile_and_package
local ctorch = require("ctorch")

local FEATURES = { { 0, 0.1, 0.2, 0.3 }, { 0.4, 0.5, 0.6, 0.7 } }

local function bytes(path)
  local file = assert(io.open(path, "rb"))
  local data = file:read("*a")
  file:close()
  return ctorch.value.bytes(data)
end

local load = {
  script = function(path) return ctorch.JitModule(bytes(path)) end,
  program = function(path) return ctorch.ExportedProgram(bytes(path)):module() end,
  package = ctorch.Package,
}

local kind, path = ...
if not path or not load[kind] then
  io.stderr:write("usage: run_model.lua script|program|package MODEL\n")
  os.exit(2)
end
for _, row in ipairs(load[kind](path)(ctorch.tensor(FEATURES)):totable()) do
  for _, score in ipairs(row) do
    print(("%.9g"):format(score))
  end
end
