-- Models that Python wrote (exported_model.write): what they show, take and refuse; and one for Python to read.
local ctorch = require("ctorch")
local check = require("check")

local folder = ...
local equal, that, fails = check.equal, check.that, check.fails
local aten, nn, value = ctorch.aten, ctorch.nn, ctorch.value

local function path(name)
  return folder .. "/" .. name
end

local function content(name)
  local file = assert(io.open(path(name), "rb"))
  local data = file:read("*a")
  file:close()
  return value.bytes(data)
end

local function ones(...)
  return aten.ones({ ... })
end

that("functions are compiled, and take arguments by name", function()
  local functions = ctorch.compile_script("def scale(x: Tensor, by: float = 2.0) -> Tensor:\n    return x * by\n")
  equal(functions:method_names(), { "scale" })
  equal(functions:method("scale", nil, ctorch.tensor({ 1, 2 })):totable(), { 2, 4 })
  equal(functions:method("scale", value.dict({ "by", 3 }), ctorch.tensor({ 1, 2 })):totable(), { 3, 6 })
end)

that("TorchScript comes from a path, bytes and an open file", function()
  for _, source in ipairs({ path("scripted.pt"), content("scripted.pt"), assert(io.open(path("scripted.pt"), "rb")) }) do
    local model = ctorch.JitModule(source)
    local found = model(ones(2, 3), { "a", "b" })
    equal(found[1]:totable(), { { 7, 7 }, { 7, 7 } })
    equal(found[2], "a-b")
    equal(model:named_parameters().keys, { "weight", "bias" })
    model:set_attribute("bias", aten.zeros({ 2 }))
    equal(model(ones(1, 3), {})[1]:totable(), { { 6, 6 } })
    equal(model:train(false):attribute("training"), false)
    fails("RUNTIME", "Traceback of TorchScript", function() return model(ones(1, 4), {}) end)
  end
  fails("FORMAT", "torch.jit.save", ctorch.JitModule, value.bytes("abc"))
end)

that("a NamedTuple keeps its names", function()
  local lines = {}
  for line in io.lines(path("named.txt")) do
    lines[#lines + 1] = line
  end
  local found = ctorch.JitModule(path("named.pt"))(ctorch.tensor({ 1, 2 }))
  local name, fields = value.fields(found)
  equal({ name, unpack(fields) }, lines)
  equal({ found.logits:totable(), found.count, found.n, value.is_tuple(found) }, { { 2, 4 }, 3, 2, true })
  equal({ found[1] == found.logits, found[2], found.none_of_them == nil }, { true, 3, true })
  equal(value.fields(value.tuple(1)), nil)
  equal(value.get(value.of(found))[2], 3)
end)

that("a module is traced and saved", function()
  local net = nn.Linear(3, 2)
  local traced = ctorch.trace_script(net, { ones(1, 3) })
  local x = aten.randn({ 5, 3 })
  equal(traced(x):totable(), net(x):totable())
  traced:save(path("traced.pt"))
  equal(ctorch.JitModule(value.bytes(traced:save()))(x):totable(), net(x):totable())
end)

that("an exported program is a module", function()
  local program = ctorch.ExportedProgram(content("program.pt2"))
  equal(program:state_dict().keys, { "0.weight", "0.bias", "2.weight", "2.bias" })
  equal(program:text():find("linear", 1, true) ~= nil, true)
  local model = program:module()
  equal(model(ones(2, 4)).shape, { 2, 3 })
  fails("FORMAT", "no exported program", ctorch.ExportedProgram, content("scripted.pt"))
end)

that("a package is called and looked at", function()
  local model = ctorch.Package(path("package.pt2"), { num_runners = 2 })
  local y = model(ones(2, 4))
  equal(model:call_with(value.dict(), ones(2, 4)):totable(), y:totable())
  equal(model:constants():get("0.weight").shape, { 16, 4 })
  fails("SHAPE_MISMATCH", "", function() return model(ones(3, 4)) end)
  fails("IO", "missing.pt2", ctorch.Package, path("missing.pt2"))
end)

check.done()
