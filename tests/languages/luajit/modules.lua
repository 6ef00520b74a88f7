-- Modules: torch.nn's classes, classes of one's own, and what they hold.
local ctorch = require("ctorch")
local check = require("check")

local aten, nn, core, equal, that, fails = ctorch.aten, ctorch.nn, ctorch.core, check.equal, check.that, check.fails

local Block = nn.class("Block")

function Block:init(size)
  self.linear = nn.Linear(size, size)
  self.scale = nn.Parameter(ctorch.full({ size }, 2.5))
  self:register_buffer("offset", ctorch.ones({ size }))
  self:register_buffer("cache", ctorch.ones({ 1 }), { persistent = false })
  self.note = { 1 }
end

function Block:forward(x, options)
  local y = self.linear(x) * self.scale + self.offset
  return (options and options.residual == false) and y or x + y
end

function Block:extra_repr()
  return "mine"
end

local function first(list)
  local found = {}
  for i, pair in ipairs(list) do
    found[i] = pair[1]
  end
  return found
end

that("a class of one's own computes, prints, and has names", function()
  ctorch.manual_seed(1)
  local block = Block(2)
  ctorch.manual_seed(1)
  local linear = nn.Linear(2, 2)
  local x = ctorch.tensor({ { 1.5, 2 } })
  equal(block(x):totable(), (x + (linear(x) * 2.5 + 1)):totable())
  equal(block(x, { residual = false }):totable(), (linear(x) * 2.5 + 1):totable())
  equal(tostring(block), "Block(\n  mine\n  (linear): Linear(in_features=2, out_features=2, bias=True)\n)")
  equal(first(block:named_parameters()), { "scale", "linear.weight", "linear.bias" })
  local state, metadata = block:state_dict()
  equal({ unpack(state.keys) }, { "scale", "offset", "linear.weight", "linear.bias" })
  equal(metadata:get("linear"):get("version"), 1)
  block(x):sum():backward()
  equal(block.scale.grad.shape, { 2 })
  block:zero_grad()
  equal(block.scale.grad, nil)
end)

that("a lazy layer becomes another when it is first called", function()
  local layer = nn.LazyConv1d(4, 3)
  local net = nn.Sequential(layer, nn.LazyBatchNorm1d())
  fails("VALUE", "uninitialized parameter", function() net:num_parameters() end)
  equal(net(ctorch.ones({ 2, 5, 6 })).shape, { 2, 4, 4 })
  equal(tostring(layer), "Conv1d(5, 4, kernel_size=(3,), stride=(1,))")
  equal(net(ctorch.ones({ 2, 5, 6 })).shape, { 2, 4, 4 })
  equal(net:num_parameters(), 72)
end)

that("a name may stand for something else first", function()
  local Shortcut = nn.class("Shortcut")
  function Shortcut:init()
    self.shortcut, self.scale = false, 1
    self.scale = nn.Parameter(ctorch.ones({ 1 }))
    self.shortcut = nn.Linear(1, 1)
  end
  local made = Shortcut()
  equal({ unpack(made:state_dict().keys) }, { "scale", "shortcut.weight", "shortcut.bias" })
  equal({ made.shortcut:name(), made.scale.shape }, { "Linear", { 1 } })
end)

that("fields are what was assigned", function()
  local block = Block(2)
  equal(block.linear:name(), "Linear")
  equal(nn.is_module(block.linear) and not nn.is_module(block.scale), true)
  block.offset = ctorch.zeros({ 2 })
  block.scale = nil
  equal({ block.offset:totable(), block.note, block.nothing == nil }, { { 0, 0 }, { 1 }, true })
  equal(block.scale, nil)
  block:unregister("linear")
  equal(block.linear, nil)
  fails("TYPE", "parameter scale: cannot assign a tensor", function() block.scale = ctorch.ones({ 2 }) end)
  fails("TYPE", "buffer offset: expected a tensor", function() block.offset = "text" end)
  fails("TYPE", "expected a Parameter, got a tensor", function() block:register_parameter("p", ctorch.ones({ 2 })) end)
  fails("INDEX", "can't contain", function() block:register_module("a.b", nn.ReLU()) end)
  fails("INDEX", "no attribute", function() block:get_submodule("nothing") end)
  fails("TYPE", "a ReLU has no field x", function() nn.ReLU().x = 1 end)
end)

that("containers take what they hold", function()
  local net = nn.Sequential(nn.Linear(2, 3), nn.ReLU()):append(nn.Linear(3, 1)):insert(1, nn.Tanh())
  equal({ #net, net:at(-2):name(), net:at(1):name() }, { 4, "ReLU", "Tanh" })
  equal(#net:remove_at(0), 3)
  local list = nn.ModuleList({ nn.ReLU(), Block(2) })
  equal(list:at(1).note, { 1 })
  equal(first(nn.ModuleDict({ b = nn.ReLU(), a = nn.Tanh() }):named_children()), { "a", "b" })
  equal(first(nn.ParameterList({ nn.Parameter(ctorch.ones({ 2 })) }):named_parameters()), { "0" })
  equal(first(nn.ParameterDict({ x = nn.Parameter(ctorch.ones({ 2 })) }):named_parameters()), { "x" })
  fails("NOT_IMPLEMENTED", "missing the required", list, ctorch.ones({ 1 }))
end)

that("modules take and give several values", function()
  local output, state = nn.LSTM(3, 4)(ctorch.ones({ 5, 2, 3 }))
  equal({ output.shape, state[1].shape, state[2].shape }, { { 5, 2, 4 }, { 1, 2, 4 }, { 1, 2, 4 } })
  local _, indices = nn.MaxPool1d(2, { return_indices = true })(ctorch.tensor({ { 1.5, 5, 2, 3 } }))
  equal(indices:totable(), { { 1, 3 } })
  local Two = nn.class("Two")
  function Two:forward(x)
    return x, nil, x + 1
  end
  local a, b, c = Two()(ctorch.ones({ 1 }))
  equal({ a:item(), rawequal(b, ctorch.none), c:item() }, { 1, true, 2 })
end)

that("modes, moves and copies", function()
  local net = nn.Sequential(Block(2), nn.Dropout()):eval()
  equal({ net:is_training(), net:at(1):is_training(), net:train():is_training() }, { false, false, true })
  equal(net:requires_grad_(false):parameters()[1].requires_grad, false)
  equal(net:to("float64"):parameters()[1].dtype, "float64")
  local seen = {}
  net:apply(function(module) table.insert(seen, module:name()) end)
  equal({ seen, net:num_parameters() }, { { "Linear", "Block", "Dropout", "Sequential" }, 8 })
  local copy = net:copy()
  ctorch.no_grad(function() net:at(0).scale:zero_() end)
  net:at(0).note[1] = 2
  equal({ copy:at(0).scale:totable(), copy:at(0).note }, { { 2.5, 2.5 }, { 1 } })
  equal(copy:eval()(ctorch.ones({ 1, 2 }, { dtype = "float64" })).shape, { 1, 2 })
end)

that("state goes through state dicts", function()
  local a, b = Block(2), Block(2)
  local missing, unexpected = b:load_state_dict((a:state_dict()))
  equal({ missing.n, unexpected.n }, { 0, 0 })
  equal(b.linear.weight:totable(), a.linear.weight:totable())
  fails("RUNTIME", "Missing key", function() b:load_state_dict(ctorch.value.dict()) end)
  local Counting = nn.class("Counting")
  function Counting:init() self.count = 1 end
  function Counting:reset_parameters() self.count = 7 end
  function Counting:get_extra_state() return { count = self.count } end
  function Counting:set_extra_state(state) self.count = state:get("count") end
  local one, other = Counting(), Counting()
  core.module_reset_parameters(nn.Sequential(one))
  equal(one.count, 7)
  other:load_state_dict((one:state_dict()))
  equal(other.count, 7)
end)

that("hooks see and replace", function()
  local block, log = Block(2), {}
  local hooks = {
    block:register_forward_pre_hook(function(_, args) table.insert(log, args.n) end),
    block:register_forward_hook(function(_, _, kwargs, output)
      table.insert(log, kwargs.keys[1])
      return output:abs() * 0
    end),
    block:register_full_backward_hook(function(_, inputs, outputs) table.insert(log, inputs.n + outputs.n) end),
  }
  local y = block(ctorch.ones({ 1, 2 }):requires_grad_(), { residual = true })
  equal(y:totable(), { { 0, 0 } })
  y:sum():backward()
  equal(log, { 1, "residual", 2 })
  for _, hook in ipairs(hooks) do
    core.hook_remove(hook)
  end
  block(ctorch.ones({ 1, 2 }))
  equal(#log, 3)
end)

that("what a forward raises comes out, and fields live as long as the module", function()
  local Failing = nn.class("Failing")
  function Failing:forward()
    error({ code = "mine" }, 0)
  end
  local ok, failure = pcall(nn.Sequential(Failing()), ctorch.ones({ 1 }))
  equal({ ok, failure.code }, { false, "mine" })
  local kept = nn.Sequential()
  do
    local inner = Block(2)
    inner.note = { "kept" }
    kept:append(inner)
    inner:close()
  end
  collectgarbage()
  equal(kept:at(0).note, { "kept" })
  fails("NOT_IMPLEMENTED", "Module [Nothing] is missing", nn.class("Nothing")(), ctorch.ones({ 1 }))
end)

that("modules are values: what makes modules by name takes them", function()
  local linear = nn.Linear(2, 2)
  local net = ctorch.core.nn_create("Sequential", { linear, nn.ReLU() })
  equal(net(ctorch.ones({ 1, 2 })):totable(), ctorch.relu(linear(ctorch.ones({ 1, 2 }))):totable())
  fails("TYPE", "must be Module, not int", ctorch.core.nn_create, "Sequential", { 3 })
end)

that("options are fields", function()
  local conv = nn.Conv2d(1, 2, 3, { padding = 1, bias = false })
  equal({ conv.in_channels, conv.padding_mode, conv.groups }, { 1, "zeros", 1 })
  equal({ unpack(conv.kernel_size) }, { 3, 3 })
  conv.stride = { 2, 2 }
  equal(conv(ctorch.ones({ 1, 1, 5, 5 })).shape, { 1, 2, 3, 3 })
  equal(conv.bias, nil)
  local dropout = nn.Dropout(0.5)
  dropout.p = 0
  equal(dropout(ctorch.ones({ 2 })):totable(), { 1, 1 })
  fails("VALUE", "p", function() dropout.p = 2 end)
  equal(dropout.p, 0)
end)

that("a weight may be computed by a module", function()
  local Twice = nn.class("Twice")
  function Twice:forward(x)
    return x * 2
  end
  function Twice:right_inverse(y)
    return y * 0.5
  end
  local linear, twice = nn.Linear(1, 1), Twice()
  core.module_register_parametrization(linear, "weight", twice, false)
  linear.weight = ctorch.full({ 1, 1 }, 3)
  equal(linear.weight:totable(), { { 3 } })
  equal(linear.parametrizations.weight.original:totable(), { { 1.5 } })
  equal(linear(ctorch.ones({ 1, 1 })):totable(), (linear.bias + 3):reshape({ 1, 1 }):totable())
  fails("TYPE", "which is computed: cannot assign a", function() linear.weight = nn.ReLU() end)
  local normed = nn.Linear(1, 1)
  core.module_weight_norm(normed, nil, 0)
  equal(normed.weight.shape, { 1, 1 })
end)

check.done()
