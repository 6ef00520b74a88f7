module Ctorch
  # How good predictions are, accumulated over batches, as torchmetrics has it. The classes are in Metrics.
  #
  #   accuracy = Ctorch::Metrics.MulticlassAccuracy(num_classes: 10)
  #   loader.each { |images, labels| accuracy.update(model.(images), labels) }
  #   p accuracy.compute.item
  #
  # Arguments are torchmetrics'; "none" stands for Python's None of `average`. Inputs are tensors, or Strings and Arrays of
  # them where a metric is of texts. What is computed is a tensor, or an Array or a Hash of such.
  class Metric
    class << self
      # A metric by the name of its class, whose arguments are values: `Metric.create("MulticlassAccuracy", 10)`.
      def create(name, *arguments, **options)
        Ctorch.metric_create(name.to_s, args: Tuple.new(arguments), kwargs: options.transform_keys(&:to_s))
      end

      # Several metrics as one, of an Array, or of a Hash by names: an update is one of all, and what is computed is a
      # Hash.
      def collection(metrics, prefix: nil, postfix: nil)
        names, members = metrics.is_a?(Hash) ? [metrics.keys.map(&:to_s), metrics.values] : [nil, metrics]
        Ctorch.metric_collection(members, names, prefix: prefix, postfix: postfix)
      end
    end

    # Accumulate a batch.
    def update(*inputs)
      Ctorch.metric_update_value(self, Tuple.new(inputs))
    end

    # The metric of all that was accumulated.
    def compute
      OneObject.ruby(Ctorch.metric_compute(self))
    end

    # Accumulate a batch, and compute the metric of this batch alone.
    def forward(*inputs)
      OneObject.ruby(Ctorch.metric_forward(self, Tuple.new(inputs)))
    end
    alias_method :call, :forward

    # Add what another metric has accumulated, as if this one had seen it.
    def merge(other)
      Ctorch.metric_merge(self, other)
      self
    end

    # A copy with its own state.
    def clone
      Ctorch.metric_clone(self)
    end
    alias_method :dup, :clone

    # What was accumulated, to be saved or sent.
    def state_dict
      OneObject.ruby(Ctorch.metric_state_dict(self))
    end

    # How each state of several processes becomes one: "sum", "min", "max" or "cat", by its name.
    def reductions
      OneObject.ruby(Ctorch.metric_reductions(self))
    end

    # Bring the state to a device, and sums to a floating point type.
    def to(device: nil, dtype: nil)
      Ctorch.metric_to(self, device: device, dtype: dtype)
      self
    end
  end
end
