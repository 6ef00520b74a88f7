module Ctorch
  # What changes the learning rates of an optimizer from step to step. The classes are in Optim::LRScheduler.
  #
  #   scheduler = Ctorch::Optim::LRScheduler::CosineAnnealingLR.new(optimizer, 100)
  #   100.times do
  #     …
  #     optimizer.step
  #     scheduler.step
  #   end
  #
  # What it knows stands in C: `scheduler[:base_lrs]` reads an attribute under Python's name, `scheduler[:last_epoch] = 3`
  # writes one.
  class LrScheduler
    extend OneObject

    class << self
      def class_for(pointer)
        LRScheduler.const_get(Raw.ctorch_lr_scheduler_name(pointer).read_string, false)
      rescue NameError
        LrScheduler
      end

      # The name of the class in C.
      def class_name
        @class_name || superclass.class_name
      end
    end

    def initialize(optimizer, *arguments, **options)
      LrScheduler.adopt(self) { create(optimizer, *arguments, **options) }
    end

    # Set the next learning rates, after the optimizer's step. ReduceLROnPlateau takes a metric, others may take an epoch.
    def step(given = nil)
      if given.nil? then Ctorch.lr_scheduler_step(self)
      elsif Ctorch.lr_scheduler_name(self) == "ReduceLROnPlateau"
        Ctorch.lr_scheduler_step_metric(self, given.is_a?(Tensor) ? given.item : given)
      else Ctorch.lr_scheduler_step_epoch(self, given)
      end
    end

    # The learning rates that were set last, one for each group.
    def get_last_lr
      LrScheduler.ruby(Ctorch.lr_scheduler_last_lr(self))
    end
    alias_method :last_lr, :get_last_lr

    # The learning rates of this step, computed anew.
    def get_lr
      LrScheduler.ruby(Ctorch.lr_scheduler_get_lr(self))
    end

    # The number of the last epoch, or step.
    def last_epoch
      self[:last_epoch]
    end

    # The optimizer whose learning rates it sets.
    def optimizer
      Ctorch.lr_scheduler_optimizer(self)
    end

    # An attribute; nil if there is none.
    def [](name)
      LrScheduler.ruby(Ctorch.lr_scheduler_attribute(self, name.to_s))
    rescue Ctorch::IndexError
      nil
    end

    def []=(name, value)
      Ctorch.lr_scheduler_set_attribute(self, name.to_s, value)
    end

    # A Hash of all attributes, to be saved.
    def state_dict
      LrScheduler.ruby(Ctorch.lr_scheduler_state_dict(self))
    end

    # Take attributes over.
    def load_state_dict(state_dict)
      Ctorch.lr_scheduler_load_state_dict(self, state_dict)
    end

    private

    def create(optimizer, *arguments, **options)
      Ctorch.lr_scheduler_create(
        self.class.class_name, optimizer, Tuple.new(arguments), options.transform_keys(&:to_s)
      )
    end
  end

  # The classes of torch.optim.lr_scheduler, and SWALR. Each is made when it is first named.
  module LRScheduler
    LRScheduler = LrScheduler

    def self.const_missing(name)
      return super unless Raw.signature("ctorch_lr_scheduler_#{name}")

      const_set(name, Class.new(LrScheduler) { @class_name = name.to_s })
    end

    # What multiplies a learning rate by what functions of the epoch answer: one, or an Array with one for each group.
    class ByFunctions < LrScheduler
      # What C calls. It is made here since a proc holds the object that it is made in, which would never be collected.
      def self.of(optimizer, lr_lambda)
        groups = Ctorch.optimizer_num_groups(optimizer)
        functions = lr_lambda.is_a?(Array) ? lr_lambda : [lr_lambda] * groups
        if functions.size != groups
          raise ::ArgumentError, "expected #{groups} functions, one for each group, got #{functions.size}"
        end
        wrong = functions.reject { |function| function.respond_to?(:call) }
        raise ::TypeError, "expected a function of the epoch, got a #{wrong.first.class}" unless wrong.empty?

        by_group(functions)
      end

      def self.by_group(functions)
        ->(group, epoch) { functions[group].call(epoch) }
      end
    end
    private_constant :ByFunctions

    # The initial learning rate times what a function, or a block, answers for the epoch.
    class LambdaLR < ByFunctions
      @class_name = "LambdaLR"

      def initialize(optimizer, lr_lambda = nil, last_epoch: -1, &block)
        function = ByFunctions.of(optimizer, lr_lambda || block)
        LrScheduler.adopt(self) { Ctorch.lr_scheduler_lambda_lr(optimizer, last_epoch, lr_lambda: function) }
      end
    end

    # The learning rate times what a function, or a block, answers for the epoch, in each step anew.
    class MultiplicativeLR < ByFunctions
      @class_name = "MultiplicativeLR"

      def initialize(optimizer, lr_lambda = nil, last_epoch: -1, &block)
        function = ByFunctions.of(optimizer, lr_lambda || block)
        LrScheduler.adopt(self) { Ctorch.lr_scheduler_multiplicative_lr(optimizer, last_epoch, lr_lambda: function) }
      end
    end

    # Up and down between two rates; a block, or `scale_fn`, scales the height of each cycle.
    class CyclicLR < LrScheduler
      @class_name = "CyclicLR"

      def initialize(optimizer, base_lr, max_lr, *arguments, scale_fn: nil, **options, &block)
        scale_fn ||= block
        return super(optimizer, base_lr, max_lr, *arguments, **options) unless scale_fn

        LrScheduler.adopt(self) { scaled(optimizer, Array(base_lr), Array(max_lr), scale_fn, **options) }
      end

      private

      def scaled(optimizer, base_lr, max_lr, scale_fn, step_size_up: 2000, step_size_down: nil, scale_mode: nil,
                 cycle_momentum: true, base_momentum: 0.8, max_momentum: 0.9, last_epoch: -1)
        Ctorch.lr_scheduler_cyclic_lr(
          optimizer, base_lr, max_lr, step_size_up, step_size_down, scale_mode, cycle_momentum, base_momentum,
          max_momentum, last_epoch, scale_fn: scale_fn
        )
      end
    end

    # One scheduler after the other: the next one begins at each of the milestones.
    class SequentialLR < LrScheduler
      @class_name = "SequentialLR"

      def initialize(optimizer, schedulers, milestones, last_epoch: -1)
        LrScheduler.adopt(self) do
          Ctorch::LRScheduler.SequentialLR(optimizer, schedulers, milestones, last_epoch: last_epoch)
        end
      end
    end

    # Several schedulers at once, each of which steps in each step.
    class ChainedScheduler < LrScheduler
      @class_name = "ChainedScheduler"

      def initialize(schedulers, optimizer = nil)
        LrScheduler.adopt(self) { Ctorch::LRScheduler.ChainedScheduler(schedulers, optimizer: optimizer) }
      end
    end
  end
end
