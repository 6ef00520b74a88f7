module Ctorch
  # TorchScript: modules that are programs, in one file with their weights.
  #
  #   model = Ctorch::Jit.load("model.pt")
  #   y = model.(x)
  #   model.call_method("encode", x, n: 3)
  #   Ctorch::Jit.trace(net, x).save("net.pt") # torch.jit.load runs and trains it
  class JitModule
    # Call forward with values of any type.
    def call(*args, **kwargs)
      call_method("forward", *args, **kwargs)
    end

    def call_method(name, *args, **kwargs)
      OneObject.ruby(Ctorch.jit_module_call(self, args, method: name, kwargs: named(kwargs)))
    end

    # The parameters by their dotted names.
    def named_parameters(recurse: true)
      OneObject.ruby(Ctorch.jit_module_named_parameters(self, recurse: recurse))
    end

    def method_names
      OneObject.ruby(Ctorch.jit_module_method_names(self))
    end

    # An attribute by its dotted name.
    def [](name)
      OneObject.ruby(Ctorch.jit_module_get_attribute(self, name))
    end

    def []=(name, value)
      Ctorch.jit_module_set_attribute(self, name, value: value)
    end

    def train(mode = true) # rubocop:disable Style/OptionalBooleanParameter
      Ctorch.jit_module_train(self, training: mode)
      self
    end

    def eval
      train(false)
    end

    def training?
      Ctorch.jit_module_is_training(self)
    end

    # Write it to a path or another target (Streams).
    def save(target)
      Streams.writing(target) { |writer| Ctorch.jit_save(self, writer) }
    end

    private

    def named(kwargs) = kwargs.empty? ? nil : kwargs.transform_keys(&:to_s)
  end

  # Making TorchScript modules.
  module Jit
    class << self
      # The module of a path or another source (Streams), its tensors on `device` or where the file says.
      def load(source, device: nil)
        Streams.reading(source) { |reader| Ctorch.jit_load(reader, device: device) }
      end

      # A module whose methods are the functions of a source text.
      def compile(source)
        Ctorch.jit_compile(source)
      end

      # What a module computes on these inputs, with its parameters and buffers under their names.
      def trace(model, *inputs)
        Ctorch.jit_trace_module(model, inputs)
      end
    end
  end
end
