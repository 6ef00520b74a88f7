-- Optimizers, schedulers and the scaler: what they show, take and refuse. training.lua has what they compute.
local ctorch = require("ctorch")
local check = require("check")

local nn, optim, core = ctorch.nn, ctorch.optim, ctorch.core
local lr_scheduler = optim.lr_scheduler
local equal, that, fails, raises = check.equal, check.that, check.fails, check.raises

local function weights()
  return ctorch.tensor({ 1.5, 2 }):requires_grad_()
end

local function stepped(optimizer, weight)
  optimizer:zero_grad()
  weight:pow(2):sum():backward()
  optimizer:step()
end

that("groups show and take their options", function()
  local a, b = weights(), weights()
  local optimizer = optim.SGD({ { params = { a }, lr = 0.5 }, { params = { b } } }, 0.25, { momentum = 0.5 })
  equal({ optimizer:name(), #optimizer.param_groups, optimizer.defaults.lr }, { "SGD", 2, 0.25 })
  equal({ optimizer.param_groups[1].lr, optimizer.param_groups[2].lr }, { 0.5, 0.25 })
  equal(optimizer.param_groups[1].params[1]:totable(), { 1.5, 2 })
  optimizer.param_groups[2].lr = 0.125
  optimizer.param_groups[2].note = { 1, "two" }
  equal({ optimizer.param_groups[2].lr, optimizer.param_groups[2].note[2] }, { 0.125, "two" })
  equal(optimizer.param_groups[1].note, nil)
  optimizer:add_param_group({ params = { weights() }, nesterov = true })
  equal({ #optimizer.param_groups, optimizer.param_groups[3].nesterov }, { 3, true })
  stepped(optimizer, a)
  equal(a:totable(), { 0, 0 })
  fails("VALUE", "cannot be replaced", function() optimizer.param_groups[1].params = {} end)
  fails("TYPE", "no field lr", function() optimizer.lr = 1 end)
end)

that("names come with parameters", function()
  local model = nn.Linear(2, 1)
  local optimizer = optim.AdamW(model:named_parameters(), { lr = 0.1 })
  equal({ unpack(optimizer.param_groups[1].param_names) }, { "weight", "bias" })
  local grouped = optim.AdamW({ { params = model:named_parameters(), lr = 1 } })
  equal({ unpack(grouped.param_groups[1].param_names) }, { "weight", "bias" })
  equal(tostring(optim.SGD({ weights() }, 0.5)):match("lr: [%d.]+"), "lr: 0.5")
  equal({ optim.is_optimizer(optimizer), optim.is_optimizer(model) }, { true, false })
end)

that("a learning rate may be a tensor", function()
  local rate = ctorch.tensor(0.5)
  local weight = weights()
  local optimizer = optim.SGD({ weight }, rate)
  rate:fill_(0.25)
  stepped(optimizer, weight)
  equal(weight:totable(), { 0.75, 1 })
end)

that("a closure computes the loss", function()
  local weight = weights()
  local optimizer = optim.SGD({ weight }, 0.25)
  local loss = optimizer:step(function()
    optimizer:zero_grad()
    local sum = weight:pow(2):sum()
    sum:backward()
    return sum
  end)
  equal({ loss:item(), weight:totable() }, { 6.25, { 0.75, 1 } })
  equal(optimizer:step(function() return 3 end), 3)
  equal(raises(function() optimizer:step(function() error({ code = "mine" }, 0) end) end).code, "mine")
end)

that("states are seen, changed, and go through state dicts", function()
  local weight = weights()
  local optimizer = optim.Adam({ weight })
  equal(next(optimizer.state[weight]), nil)
  stepped(optimizer, weight)
  equal({ optimizer.state[weight].step:item(), optimizer.state[weight].exp_avg.shape }, { 1, { 2 } })
  local saved = optimizer:state_dict()
  equal(saved:get("param_groups")[1]:get("params")[1], 0)
  local other = optim.Adam({ weights() }, { lr = 7 })
  other:load_state_dict(saved)
  equal({ other.param_groups[1].lr, other.state[other.param_groups[1].params[1]].step:item() }, { 0.001, 1 })
  optimizer.state[weight] = {}
  equal(optimizer.state[weight].step, nil)
  fails("INDEX", "param_groups", function() other:load_state_dict({ state = {} }) end)
end)

that("hooks see steps and state dicts", function()
  local weight, log = weights(), {}
  local optimizer = optim.SGD({ weight }, 0.25)
  local hooks = {
    optimizer:register_step_pre_hook(function(seen) table.insert(log, "pre " .. seen:name()) end),
    optimizer:register_step_post_hook(function() table.insert(log, "post") end),
    optim.register_optimizer_step_pre_hook(function() table.insert(log, "all") end),
    optim.register_optimizer_step_post_hook(function() table.insert(log, "all after") end),
    optimizer:register_state_dict_pre_hook(function() table.insert(log, "saving") end),
    optimizer:register_state_dict_post_hook(function() return { mine = 7 } end),
    optimizer:register_load_state_dict_pre_hook(function(_, state) return state:get("inner") end),
    optimizer:register_load_state_dict_post_hook(function() table.insert(log, "loaded") end, { prepend = true }),
  }
  local inner = optim.SGD({ weight }, 0.5):state_dict()
  optimizer:step()
  equal(optimizer:state_dict():get("mine"), 7)
  optimizer:load_state_dict({ inner = inner })
  equal(log, { "all", "pre SGD", "post", "all after", "saving", "loaded" })
  equal(optimizer.param_groups[1].lr, 0.5)
  for _, hook in ipairs(hooks) do
    core.hook_remove(hook)
  end
  optimizer:step()
  equal(#log, 6)
end)

that("what does not fit is refused", function()
  fails("VALUE", "empty parameter list", optim.SGD, {}, 0.1)
  fails("TYPE", "unexpected keyword argument 'rate'", optim.SGD, { weights() }, { rate = 1 })
  fails("VALUE", "", optim.SGD, { weights() }, -1)
  fails("TYPE", "", optim.SGD, { 3 }, 0.1)
  local optimizer = optim.SGD({ weights() }, 0.1)
  optimizer:close()
  optimizer:close()
  fails("INVALID_HANDLE", "closed", function() optimizer:step() end)
  equal({ tostring(optimizer), optim.NoSuch, lr_scheduler.NoSuch }, { "ctorch.optimizer (closed)", nil, nil })
end)

that("schedulers set the learning rates", function()
  local optimizer = optim.SGD({ weights() }, 1)
  local scheduler = lr_scheduler.StepLR(optimizer, 2, { gamma = 0.5 })
  equal({ scheduler:name(), scheduler.step_size, scheduler.last_epoch, scheduler.nothing }, { "StepLR", 2, 0, nil })
  optimizer:step()
  scheduler:step()
  scheduler:step()
  equal({ optimizer.param_groups[1].lr, scheduler:get_last_lr()[1], scheduler.base_lrs[1] }, { 0.5, 0.5, 1 })
  scheduler.gamma = 0.25
  equal({ scheduler.gamma, scheduler.optimizer:name(), tostring(scheduler) }, { 0.25, "SGD", "ctorch.StepLR" })
  local other = lr_scheduler.StepLR(optimizer, 9)
  other:load_state_dict(scheduler:state_dict())
  equal({ other.step_size, other.last_epoch, lr_scheduler.is_scheduler(other) }, { 2, 2, true })
  fails("VALUE", "expected 1 functions", lr_scheduler.LambdaLR, optimizer, { math.abs, math.abs })
  fails("TYPE", "a function", lr_scheduler.LambdaLR, optimizer, 3)
  fails("TYPE", "a number", lr_scheduler.LambdaLR, optimizer, function() return "text" end)
  fails("TYPE", "unexpected", lr_scheduler.StepLR, optimizer, 2, { factor = 1 })
  scheduler:close()
  fails("INVALID_HANDLE", "closed", function() scheduler:step() end)
end)

that("several schedulers, and functions", function()
  local optimizer = optim.SGD({ weights() }, 1)
  local chained = lr_scheduler.ChainedScheduler({
    lr_scheduler.MultiplicativeLR(optimizer, function() return 0.5 end),
    lr_scheduler.ConstantLR(optimizer, 0.25, { total_iters = 1 }),
  })
  equal(optimizer.param_groups[1].lr, 0.25)
  optimizer:step()
  chained:step()
  equal(optimizer.param_groups[1].lr, 0.5)
  local plateau = lr_scheduler.ReduceLROnPlateau(optimizer, { factor = 0.5, patience = 0 })
  plateau:step(ctorch.tensor(1.5))
  plateau:step(1.5)
  equal({ optimizer.param_groups[1].lr, plateau.num_bad_epochs }, { 0.25, 0 })
  fails("TYPE", "metric", function() plateau:step() end)
  lr_scheduler.LambdaLR(optimizer, function(epoch) return ctorch.tensor(0.5 + epoch) end)
  equal(raises(lr_scheduler.LambdaLR, optimizer, function() error({ code = "mine" }, 0) end).code, "mine")
end)

that("a scaler scales, unscales and leaves steps out", function()
  local weight = weights()
  local optimizer, scaler = optim.SGD({ weight }, 0.25), ctorch.amp.GradScaler("cpu", { init_scale = 8 })
  equal({ scaler:is_enabled(), scaler:get_scale(), scaler:get_growth_interval() }, { true, 8, 2000 })
  scaler:scale(weight:pow(2):sum()):backward()
  equal(weight.grad:totable(), { 24, 32 })
  scaler:unscale_(optimizer)
  equal(weight.grad:totable(), { 3, 4 })
  scaler:step(optimizer)
  scaler:update()
  equal(weight:totable(), { 0.75, 1 })
  optimizer:zero_grad()
  scaler:scale((weight / 0):sum()):backward()
  scaler:step(optimizer)
  scaler:update()
  equal({ weight:totable(), scaler:get_scale() }, { { 0.75, 1 }, 4 })
  equal(scaler:scale({ ctorch.tensor(1.5), ctorch.tensor(2.5) })[2]:item(), 10)
  scaler:update(16)
  scaler:set_growth_factor(3)
  local other = ctorch.amp.GradScaler("cpu")
  other:load_state_dict(scaler:state_dict())
  equal({ other:get_scale(), other:get_growth_factor() }, { 16, 3 })
  local off = ctorch.amp.GradScaler("cpu", { enabled = false })
  equal(off:step(optimizer, function() return 5 end), 5)
  off:load_state_dict(off:state_dict())
  fails("RUNTIME", "", function() scaler:step(optimizer, function() end) end)
  fails("VALUE", "", ctorch.amp.GradScaler, "cpu", { growth_factor = 1 })
end)

check.done()
