-- Gradient scaling, as torch.amp.GradScaler does it.
--
--     local scaler = amp.GradScaler("cuda")
--     scaler:scale(loss):backward()
--     scaler:step(optimizer)
--     scaler:update()
local core = require("ctorch.core")
local handles = require("ctorch.handles")
local optimizers = require("ctorch.optimizers")
local values = require("ctorch.values")

jit.off(true, true) -- these call C, which may call Lua

local methods = handles.methods.grad_scaler
local unbox = optimizers.unbox

-- A tensor, or all tensors of a list, times the factor.
function methods.scale(box, outputs)
  if handles.is_tensor(outputs) then
    return core.grad_scaler_scale(box, outputs)
  end
  return unbox(core.grad_scaler_scale_value(box, values.of(outputs, "scale: outputs")))
end

-- Divide the gradients of an optimizer's parameters by the factor, to clip them before step.
function methods.unscale_(box, optimizer)
  core.grad_scaler_unscale_(box, optimizer)
end

-- Let an optimizer step if its gradients are finite.
function methods.step(box, optimizer, closure)
  if closure == nil then
    core.grad_scaler_step(box, optimizer)
    return nil
  end
  return optimizers.with_closure(function(loss)
    return core.grad_scaler_step_closure(box, optimizer, loss)
  end, closure)
end

-- Raise or lower the factor by what the steps found, or set it to a number or a tensor.
function methods.update(box, new_scale)
  core[handles.is_tensor(new_scale) and "grad_scaler_update_tensor" or "grad_scaler_update"](box, new_scale)
end

for _, name in ipairs({ "scale", "growth_factor", "backoff_factor", "growth_interval" }) do
  methods["get_" .. name] = function(box)
    return core["grad_scaler_get_" .. name](box)
  end
  if name ~= "scale" then
    methods["set_" .. name] = function(box, value)
      core["grad_scaler_set_" .. name](box, value)
    end
  end
end

function methods.is_enabled(box)
  return core.grad_scaler_is_enabled(box)
end

-- A table of what is to be saved.
function methods.state_dict(box)
  return optimizers.named(unbox(core.grad_scaler_state_dict(box)))
end

function methods.load_state_dict(box, state_dict)
  local given = type(state_dict) == "table" and next(state_dict) == nil and values.dict() or state_dict
  core.grad_scaler_load_state_dict(box, values.of(given, "the state dict"))
end

local amp = {}

-- A scaler for a type of device, "cuda" if none is given.
function amp.GradScaler(device, options)
  if type(device) == "table" then
    device, options = nil, device
  end
  options = options or {}
  return core.grad_scaler_new(
    device or options.device, options.init_scale or 65536, options.growth_factor or 2, options.backoff_factor or 0.5,
    options.growth_interval or 2000, options.enabled ~= false)
end

return amp
