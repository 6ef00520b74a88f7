module Ctorch
  # What changes parameters by their gradients, as torch.optim.Optimizer does. The classes are in Optim.
  #
  #   optimizer = Ctorch::Optim::AdamW.new(model.parameters, lr: 1e-3)
  #   batches.each do |images, labels|
  #     optimizer.zero_grad
  #     loss = Ctorch::Functional.cross_entropy(model.(images), labels)
  #     loss.backward
  #     optimizer.step
  #   end
  #
  # The parameters are an Array of tensors, of pairs (a name and a tensor, as named_parameters answers), or of Hashes, each
  # a group with `params` and options of its own. What an optimizer keeps stands in C: `optimizer.param_groups[0][:lr]`
  # reads it there, and writes it there.
  class Optimizer
    extend OneObject

    class << self
      def class_for(pointer)
        Optim.const_get(Raw.ctorch_optimizer_name(pointer).read_string, false)
      rescue NameError
        Optimizer
      end

      # The name of the class in C.
      def class_name
        @class_name || superclass.class_name
      end
    end

    def initialize(params, *arguments, **options)
      given = [Optimizer.params(params), *arguments]
      Optimizer.adopt(self) do
        Ctorch.optim_create(self.class.class_name, Tuple.new(given), options.transform_keys(&:to_s))
      end
    end

    # Steps

    # Change the parameters by their gradients. A block computes the loss anew, which is what step answers then.
    def step(&closure)
      return Ctorch.optimizer_step(self) unless closure

      Optimizer.with_closure(closure) { |run| Ctorch.optimizer_step_closure(self, closure: run) }
    end

    # Forget the gradients of all parameters.
    def zero_grad(set_to_none: true)
      Ctorch.optimizer_zero_grad(self, set_to_none: set_to_none)
    end

    # Capture steps and replay them, one tape for each set of gradients, `most` of them; 0 for none.
    def set_tape(most = 4, fast: false)
      Ctorch.optimizer_set_tape(self, most, fast: fast)
      self
    end

    # Groups and state

    # The options of a group, and its `params`; its keys are symbols, texts do as well.
    class ParamGroup
      include Enumerable

      def initialize(optimizer, index)
        @optimizer = optimizer
        @index = index
      end

      # An option; nil if there is none.
      def [](name)
        return Ctorch.optimizer_params(@optimizer, @index) if name.to_s == "params"

        Optimizer.ruby(Ctorch.optimizer_get_option(@optimizer, @index, name.to_s))
      rescue Ctorch::IndexError
        nil
      end

      def []=(name, value)
        Ctorch.optimizer_set_option(@optimizer, @index, name.to_s, value)
      end

      def to_h
        options = Optimizer.ruby(Ctorch.optimizer_options(@optimizer, @index))
        { params: self[:params] }.merge(options.transform_keys(&:to_sym))
      end

      def keys
        to_h.keys
      end

      def each(&block)
        to_h.each(&block)
        self
      end

      def inspect
        to_h.inspect
      end
    end

    # What an optimizer remembers, by parameter: Hashes, which are assigned as a whole.
    class State
      def initialize(optimizer)
        @optimizer = optimizer
      end

      def [](parameter)
        Optimizer.ruby(Ctorch.optimizer_state(@optimizer, parameter)).transform_keys(&:to_sym)
      end

      def []=(parameter, state)
        Ctorch.optimizer_set_state(@optimizer, parameter, state.transform_keys(&:to_s))
      end
    end

    # The groups: `optimizer.param_groups.each { |group| group[:lr] *= 0.1 }`
    def param_groups
      (0...Ctorch.optimizer_num_groups(self)).map { |index| ParamGroup.new(self, index) }
    end

    # One more group: a Hash with `params` and those options that it does not share.
    def add_param_group(group)
      Ctorch.optimizer_add_param_group(self, group.is_a?(Hash) ? Optimizer.group(group) : group)
    end

    # The options of a group that names none.
    def defaults
      Optimizer.ruby(Ctorch.optimizer_defaults(self)).transform_keys(&:to_sym)
    end

    # What is remembered of each parameter: `optimizer.state[parameter][:exp_avg]`
    def state
      State.new(self)
    end

    # A Hash of states and groups, with numbers in the place of parameters, to be saved.
    def state_dict
      Optimizer.ruby(Ctorch.optimizer_state_dict(self))
    end

    # Take states and options over.
    def load_state_dict(state_dict)
      Ctorch.optimizer_load_state_dict(self, state_dict)
    end

    def to_s
      closed? ? inspect : Ctorch.optimizer_repr(self)
    end

    # Hooks: each answers a Ctorch::Hook, whose `remove` takes it out again.

    # A block of (optimizer), before each step.
    def register_step_pre_hook(&block)
      Ctorch.optimizer_register_step_pre_hook(self, &Optimizer.alone(block))
    end

    # A block of (optimizer), after each step.
    def register_step_post_hook(&block)
      Ctorch.optimizer_register_step_post_hook(self, &Optimizer.alone(block))
    end

    # A block of (optimizer), before a state dict is made.
    def register_state_dict_pre_hook(prepend: false, &block)
      Ctorch.optimizer_register_state_dict_pre_hook(self, prepend: prepend, &Optimizer.alone(block))
    end

    # A block of (optimizer, state_dict), with each one that is made; what it answers replaces it, unless it is nil.
    def register_state_dict_post_hook(prepend: false, &block)
      Ctorch.optimizer_register_state_dict_post_hook(self, prepend: prepend, &Optimizer.with_dict(block))
    end

    # A block of (optimizer, state_dict), before one is loaded; what it answers replaces it, unless it is nil.
    def register_load_state_dict_pre_hook(prepend: false, &block)
      Ctorch.optimizer_register_load_state_dict_pre_hook(self, prepend: prepend, &Optimizer.with_dict(block))
    end

    # A block of (optimizer), after a state dict was loaded.
    def register_load_state_dict_post_hook(prepend: false, &block)
      Ctorch.optimizer_register_load_state_dict_post_hook(self, prepend: prepend, &Optimizer.alone(block))
    end

    class << self
      # Parameters as C takes them.
      def params(params)
        return params unless params.is_a?(Array)

        params.map do |entry|
          case entry
          when Hash then group(entry)
          when Array then Tuple.new(entry)
          else entry
          end
        end
      end

      def group(group)
        group.to_h { |name, value| [name.to_s, name.to_s == "params" ? params(value) : value] }
      end

      # A step with a closure, which may answer something else than a tensor: what it answered first.
      def with_closure(closure)
        given = []
        run = lambda do
          given << closure.call
          given.last.is_a?(Tensor) ? given.last : nil
        end
        yield(run)&.close # another reference to what the closure answered
        given.first
      end

      # A block that answers nothing to C.
      def alone(block)
        lambda do |optimizer|
          block.call(optimizer)
          nil
        end
      end

      # A block that gets the state dict; what it changed in it counts.
      def with_dict(block)
        lambda do |optimizer, value|
          state_dict = value.to_ruby
          answer = block.call(optimizer, state_dict)
          Value.of(answer.is_a?(Hash) ? answer : state_dict)
        end
      end
    end
  end

  # The classes of torch.optim: `Ctorch::Optim::SGD.new(model.parameters, lr: 0.1)`. Each is made when it is first named.
  module Optim
    Optimizer = Ctorch::Optimizer
    LRScheduler = Ctorch::LRScheduler

    class << self
      def const_missing(name)
        return super unless Raw.signature("ctorch_optim_#{name}")

        const_set(name, Class.new(Optimizer) { @class_name = name.to_s })
      end

      # A block of (optimizer), before each step of any optimizer.
      def register_optimizer_step_pre_hook(&block)
        Ctorch.optimizer_register_step_pre_hook_for_all(&Optimizer.alone(block))
      end

      # A block of (optimizer), after each step of any optimizer.
      def register_optimizer_step_post_hook(&block)
        Ctorch.optimizer_register_step_post_hook_for_all(&Optimizer.alone(block))
      end
    end
  end
end
