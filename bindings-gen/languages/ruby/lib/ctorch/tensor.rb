module Ctorch
  # An n-dimensional array. What is not here is an operator whose first argument is the tensor: x.relu, x.softmax_int(1).
  class Tensor
    include Enumerable

    FORMATS = {
      uint8: "C*", int8: "c*", int16: "s*", int32: "l*", int64: "q*", float32: "f*", float64: "d*", uint16: "S*",
      uint32: "L*", uint64: "Q*"
    }.freeze

    class << self
      # A tensor of numbers, or of arrays of them: Tensor.of([[1, 2], [3, 4]], dtype: :int64)
      def of(values, dtype: nil)
        sizes = []
        level = values
        while level.is_a?(Array)
          sizes << level.size
          level = level.first
        end
        flat = values.is_a?(Array) ? values.flatten : [values]
        raise ::ArgumentError, "rows of different lengths" if flat.size != sizes.inject(1, :*)

        dtype ||= flat.empty? || flat.any?(Float) ? :float32 : Ctorch::Tensor.natural(flat.first)
        from_data(pack(flat, dtype), sizes, dtype)
      end

      def natural(value)
        [true, false].include?(value) ? :bool : :int64
      end

      private

      def pack(flat, dtype)
        return flat.map { |value| value ? 1 : 0 }.pack("C*") if dtype == :bool

        flat.pack(FORMATS.fetch(dtype) { raise ::ArgumentError, "no Ruby numbers make a #{dtype}" })
      end
    end

    # A tensor that C did not come with: an operator of which the tensor is the first argument.
    def method_missing(name, *arguments, **options, &block)
      return super if self.class.signature(name) || !Aten.operator_of_tensor?(name.to_s)

      Aten.public_send(name, self, *arguments, **options)
    end

    def respond_to_missing?(name, include_private = false)
      super || Aten.operator_of_tensor?(name.to_s)
    end

    # All elements in row-major order.
    def to_flat
      bytes = copy_to_buffer(dtype, "\0" * (numel * itemsize))
      return bytes.unpack("C*").map { |value| value != 0 } if dtype == :bool

      bytes.unpack(FORMATS.fetch(dtype) { raise ::TypeError, "Ruby has no numbers for #{dtype}" })
    end

    # Arrays within arrays; a number for a 0-dimensional tensor.
    def to_a
      nested(to_flat, sizes)
    end

    # The shape; nil for a nested tensor, which has none.
    def sizes
      dimensions(:ctorch_tensor_sizes)
    end

    # The number of elements of a dimension; of the first one, which is that of the parts, as Array#size.
    def size(dim = 0)
      Aten.size_int(self, dim)
    end

    # The strides in elements; nil for a tensor without.
    def strides
      dimensions(:ctorch_tensor_strides)
    end

    def requires_grad!
      set_requires_grad(true)
      self
    end

    # Python's x[...]: integers, ranges, nil for a new dimension, :all, :ellipsis, tensors, arrays, true and false. A
    # single String is all of it: x["0, 1:5, ..., ::2"].
    def [](*items)
      return index_text(items.first) if items.size == 1 && items.first.is_a?(String)

      with_index(items) { |made| index(made) }
    end

    def []=(*items, value)
      with_index(items) { |made| value.is_a?(Tensor) ? index_put(made, value) : index_put_scalar(made, value) }
    end

    {
      :+ => "add", :- => "sub", :* => "mul", :/ => "div", :% => "remainder", :< => "lt", :<= => "le", :> => "gt",
      :>= => "ge"
    }.each do |operator, name|
      define_method(operator) do |other|
        Aten.public_send(other.is_a?(Tensor) ? "#{name}_Tensor" : "#{name}_Scalar", self, other)
      end
    end

    def **(other)
      other.is_a?(Tensor) ? Aten.pow_Tensor_Tensor(self, other) : Aten.pow_Tensor_Scalar(self, other)
    end

    def -@
      Aten.neg(self)
    end

    # `2 - x`
    def coerce(number)
      [Tensor.wrapped_number(number), self]
    end

    # Element by element, a tensor; `==` is one answer.
    def eq(other)
      other.is_a?(Tensor) ? Aten.eq_Tensor(self, other) : Aten.eq_Scalar(self, other)
    end

    # Whether both have the same shape and equal elements, as Arrays have; NaN equals nothing. `equal?` is whether it is
    # the same object, and so are `eql?` and `hash`: a tensor may change while it is a key.
    def ==(other)
      return true if equal?(other) && closed?
      return false unless other.is_a?(Tensor) && !closed? && !other.closed?

      sizes == other.sizes && device == other.device && equal_elements?(other)
    end

    # The parts along the first dimension, as Python's `for`: tensors that share memory; all of Enumerable rests on it.
    def each
      return enum_for(:each) { ndim.zero? ? nil : size } unless block_given?
      raise ::TypeError, "iteration over a 0-d tensor" if ndim.zero?

      Aten.unbind_int(self).each { |part| yield part }
      self
    end

    # Operators win over methods of Enumerable of the same name, but where there is a block.
    [Raw::FUNCTIONS.scan(/^ctorch_aten_(\w+) /), Overloads::TABLE.scan(/^(\w+) /)].flatten.uniq.each do |name|
      next unless Enumerable.method_defined?(name)

      define_method(name) do |*arguments, **options, &block|
        block ? super(*arguments, **options, &block) : Aten.public_send(name, self, *arguments, **options)
      end
    end

    # The gradient that backward has made, or another one; nil for none.
    def grad=(gradient)
      set_grad(gradient)
    end

    # A copy with memory of its own, recorded for backward as Aten.clone is.
    def dup
      Aten.clone(self)
    end

    def to_s
      closed? ? "Tensor(closed)" : repr
    end
    alias inspect to_s

    private

    def equal_elements?(other)
      same = Ctorch.no_grad { Aten.eq_Tensor(self, other) }
      all = Aten.all(same)
      all.item
    ensure
      same&.close
      all&.close
    end

    def nested(flat, sizes)
      return flat.first if sizes.empty?

      each = sizes.drop(1).inject(1, :*)
      Array.new(sizes.first) { |i| nested(flat[i * each, each], sizes.drop(1)) }
    end

    # What C has a number for each dimension of.
    def dimensions(function)
      use do |pointer|
        ndim = Raw.ctorch_tensor_ndim(pointer)
        numbers = Raw.public_send(function, pointer)
        next ndim.zero? ? [] : nil if numbers.null?

        numbers.read_array_of_int64(ndim)
      end
    end

    def with_index(items)
      made = Index.create
      items.each { |item| push(made, item) }
      yield made
    ensure
      made&.close
    end

    def push(index, item)
      case item
      when Integer then index.push_int(item)
      when Range then push_range(index, item)
      when nil then index.push_none
      when :all then index.push_slice
      when :ellipsis then index.push_ellipsis
      when true, false then index.push_bool(item)
      when Tensor then index.push_tensor(item)
      when Array then item.any?(Integer) ? index.push_ints(item) : index.push_bools(item)
      else raise ::TypeError, "no index: #{item.inspect}"
      end
    end

    # 1..3 is Python's 1:4, 1...3 its 1:3, 1.. its 1:, 0..-2 its 0:-1.
    def push_range(index, range)
      stop = range.end
      stop = stop == -1 ? nil : stop + 1 if stop && !range.exclude_end?
      index.push_slice(start: range.begin, stop: stop)
    end
  end
end
