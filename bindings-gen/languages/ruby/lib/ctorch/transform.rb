module Ctorch
  # What is done to images and the like before a model sees them. Those of torchvision.transforms.v2 are in Transforms.
  #
  #   augment = Ctorch::Transforms.Compose([
  #     Ctorch::Transforms.RandomCrop([32], padding: [4]),
  #     Ctorch::Transforms.RandomHorizontalFlip(),
  #     ->(image) { image / 255 }
  #   ])
  #   image, label = augment.(pixels, 3)
  #
  # It is called with a tensor, or with anything that values hold. What is drawn comes from the default generator, or from
  # the one that is given: `augment.(pixels, generator: generator)`. A proc stands for a transform.
  class Transform
    class << self
      # A transform of your own: a function, or block, of what the transform is called with. If it takes a second argument,
      # that is where to draw from: nil for the default generator.
      def from(function = nil, name: nil, &block)
        function = Source.check(function || block, "Transform.from")
        Ctorch.transform_from_callback(name, callback: called(function))
      end

      # A transform by the name of its class, whose arguments are values: `Transform.create("Resize", [32])`.
      def create(name, *arguments, **options)
        Ctorch.transform_create(name, args: Tuple.new(arguments), kwargs: options.transform_keys(&:to_s))
      end

      private

      # Procs without a lambda's strictness take a tuple apart: they get it in an Array of one.
      def called(function)
        arity = (function.respond_to?(:arity) ? function : function.method(:call)).arity
        lambda do |input, generator|
          given = [OneObject.ruby(input), generator].first(arity.abs > 1 ? 2 : 1)
          Source.give(function.respond_to?(:lambda?) && !function.lambda? ? function.yield(*given) : function.call(*given))
        ensure
          generator&.close
        end
      end
    end

    # Apply it to a sample, or to several things at once; names make a Hash.
    def call(*inputs, generator: nil, **sample)
      inputs << sample.transform_keys(&:to_s) unless sample.empty?
      input = inputs.size == 1 ? inputs.first : Tuple.new(inputs)
      OneObject.ruby(Ctorch.transform_call(self, input, generator: generator))
    end

    # `images.map(&transform)`
    def to_proc
      method(:call).to_proc
    end

    # Name of the class.
    def name
      Ctorch.transform_name(self)
    end

    def to_s
      closed? ? inspect : Ctorch.transform_repr(self)
    end
  end

  # torchvision.transforms.v2: `Ctorch::Transforms.Resize([32])`, `Ctorch::Transforms::Functional.resize(image, [32])`.
  module Transforms
    Transform = Ctorch::Transform
    Functional = Ctorch::TransformsFunctional
  end
end
