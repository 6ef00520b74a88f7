-- Trains a linear layer in the ways of training_sample.py, and prints the losses and what it learned.
local ctorch = require("ctorch")
local check = require("check")

local amp, aten, optim = ctorch.amp, ctorch.aten, ctorch.optim
local lr_scheduler = optim.lr_scheduler
local STEPS = 12

local function train(name, make_optimizer, make_scheduler, make_scaler)
  local weight = ctorch.tensor({ { 0.5, -1.25, 2 } }):requires_grad_()
  local bias = ctorch.tensor({ 0.125 }):requires_grad_()
  local inputs = ctorch.tensor({ { 1, 2, 3.0 }, { 4, 5, 6 }, { 7, 8, 10 }, { -1, 0, 2 } }, { dtype = "float32" }) / 8
  local targets = ctorch.tensor({ { 1 }, { 0 }, { 2 }, { -1 } }, { dtype = "float32" })
  local function make()
    local optimizer = make_optimizer(weight, bias)
    return optimizer, make_scheduler(optimizer), make_scaler and make_scaler()
  end
  local optimizer, scheduler, scaler = make()
  local numbers = { name }
  for step = 1, STEPS do
    if step == STEPS / 2 then
      local states = { optimizer:state_dict(), scheduler:state_dict(), scaler and scaler:state_dict() }
      optimizer, scheduler, scaler = make()
      optimizer:load_state_dict(states[1])
      scheduler:load_state_dict(states[2])
      if scaler then
        scaler:load_state_dict(states[3])
      end
    end
    optimizer:zero_grad()
    local loss = aten.mse_loss(aten.linear(inputs, weight, bias), targets)
    table.insert(numbers, loss:item())
    if scaler then
      scaler:scale(loss):backward()
      scaler:step(optimizer)
      scaler:update()
    else
      loss:backward()
      optimizer:step()
    end
    scheduler:step(scheduler:name() == "ReduceLROnPlateau" and loss or nil)
  end
  for _, value in ipairs({ weight:flatten():totable(), bias:totable() }) do
    for _, number in ipairs(value) do
      table.insert(numbers, number)
    end
  end
  for _, group in ipairs(optimizer.param_groups) do
    table.insert(numbers, group.lr)
  end
  table.insert(numbers, scaler and scaler:get_scale() or 1)
  for i = 2, #numbers do
    numbers[i] = ("%.17g"):format(numbers[i])
  end
  print(table.concat(numbers, " "))
end

train("groups", function(weight, bias)
  return optim.AdamW({ { params = { weight }, lr = 0.1 }, { params = { bias } } },
    { lr = 0.05, betas = { 0.75, 0.875 }, weight_decay = 0.125, amsgrad = true, fused = true })
end, function(optimizer)
  return lr_scheduler.LambdaLR(optimizer, {
    function(epoch) return 1 / (1 + epoch) end,
    function(epoch) return 1 - epoch / 16 end,
  })
end)

train("sequence", function(weight, bias)
  return optim.SGD({ weight, bias }, 0.05, { momentum = 0.9, weight_decay = 0.01, nesterov = true })
end, function(optimizer)
  local linear = lr_scheduler.LinearLR(optimizer, 0.5, { total_iters = 3 })
  return lr_scheduler.SequentialLR(optimizer, { linear, lr_scheduler.StepLR(optimizer, 2, { gamma = 0.5 }) }, { 3 })
end)

train("plateau", function(weight, bias)
  return optim.Adam({ weight, bias }, { lr = 0.75 })
end, function(optimizer)
  return lr_scheduler.ReduceLROnPlateau(optimizer, { factor = 0.5, patience = 0 })
end)

train("scaled", function(weight, bias)
  return optim.SGD({ weight, bias }, 0.1, { momentum = 0.5, foreach = false })
end, function(optimizer)
  return lr_scheduler.CyclicLR(optimizer, 0.01, 0.2,
    { step_size_up = 3, scale_fn = function(cycle) return 1 / cycle end, base_momentum = 0.5 })
end, function()
  return amp.GradScaler("cpu", { init_scale = 4, growth_interval = 2 })
end)

check.done()
