module Ctorch
  # Multiplies a loss before backward, so that gradients of 16 bits do not vanish, and divides the gradients by it, as
  # torch.amp.GradScaler does.
  #
  #   scaler = Ctorch::Amp::GradScaler.new(:cuda)
  #   scaler.scale(loss).backward
  #   scaler.step(optimizer)
  #   scaler.update
  #
  # get_scale, set_growth_factor, is_enabled and the others are those of C.
  class GradScaler
    extend OneObject

    public_class_method :new

    class << self
      def class_for(_)
        GradScaler
      end
    end

    def initialize(device = :cuda, init_scale: 65_536.0, growth_factor: 2.0, backoff_factor: 0.5,
                   growth_interval: 2000, enabled: true)
      GradScaler.adopt(self) do
        GradScaler.create(
          init_scale, growth_factor, backoff_factor, growth_interval, device: device.to_s, enabled: enabled
        )
      end
    end

    # A tensor, or all tensors of an Array or Hash, times the factor.
    def scale(outputs)
      return Ctorch.grad_scaler_scale(self, outputs) if outputs.is_a?(Tensor)

      GradScaler.ruby(Ctorch.grad_scaler_scale_value(self, outputs))
    end

    # Divide the gradients of an optimizer's parameters by the factor, to clip them before step.
    def unscale!(optimizer)
      Ctorch.grad_scaler_unscale_(self, optimizer)
    end
    alias_method :unscale_, :unscale!

    # Let an optimizer step if its gradients are finite.
    def step(optimizer, &closure)
      return Ctorch.grad_scaler_step(self, optimizer) unless closure

      Optimizer.with_closure(closure) { |run| Ctorch.grad_scaler_step_closure(self, optimizer, closure: run) }
    end

    # Raise or lower the factor by what the steps found, or set it to a number or a tensor.
    def update(new_scale = nil)
      return Ctorch.grad_scaler_update_tensor(self, new_scale) if new_scale.is_a?(Tensor)

      Ctorch.grad_scaler_update(self, new_scale: new_scale)
    end

    def enabled?
      Ctorch.grad_scaler_is_enabled(self)
    end

    # A Hash of what is to be saved.
    def state_dict
      GradScaler.ruby(Ctorch.grad_scaler_state_dict(self))
    end

    # Take over what was saved.
    def load_state_dict(state_dict)
      Ctorch.grad_scaler_load_state_dict(self, state_dict)
    end
  end

  # torch.amp
  module Amp
    GradScaler = Ctorch::GradScaler
  end
end
