require "monitor"

module Ctorch
  # A tensor that a module takes for one of its parameters when it is assigned to it: `self.scale = Parameter.of(x)`. It
  # shares the memory of `data`.
  class Parameter < Tensor
    @c_type = "tensor"

    def self.of(data, requires_grad: true)
      leaf = data.detach
      made = retained(leaf.pointer)
      leaf.close
      requires_grad ? made.requires_grad! : made
    end
  end

  # A layer, a network of them, and what a class of your own is derived from.
  #
  #   class Net < Ctorch::Module
  #     def initialize
  #       super
  #       self.conv = Ctorch::NN.Conv2d(1, 32, 3, padding: 1)
  #       self.scale = Ctorch::Parameter.of(Ctorch::Aten.ones([32, 1, 1]))
  #     end
  #
  #     def forward(x)
  #       conv.(x).relu * scale
  #     end
  #   end
  #
  #   y = Net.new.(x)
  #
  # `call` applies a module, with its hooks. Modules, parameters and buffers that are assigned have readers and writers;
  # what a module holds stands in C, where a class of your own is a module like any other: part of an NN.Sequential,
  # copied, printed, saved and loaded. The object of such a module is known as long as something in Ruby refers to it, or
  # to one of a module around it.
  class Module
    # What a state dict lacked, and what it had too much.
    IncompatibleKeys = Struct.new(:missing_keys, :unexpected_keys)

    @known = ObjectSpace::WeakMap.new # address in C -> object
    @copies = [] # objects made for a copy, until what holds them is there
    @lock = Monitor.new

    class << self
      attr_reader :known, :copies, :lock

      public :new

      def inherited(subclass)
        super
        subclass.instance_variable_set(:@c_type, "module")
        subclass.public_class_method :new
      end

      # The object for a reference that we own.
      def take(pointer)
        return if pointer.null?

        object = Module.object_for(pointer)
        Module.hold_copies(object)
        object
      end

      # The object for what C lends.
      def retained(pointer)
        return if pointer.null?

        Raw.ctorch_module_retain(pointer)
        Module.object_for(pointer)
      end

      def object_for(pointer)
        Module.lock.synchronize do
          object = Module.known[pointer.address]
          if object && !object.closed?
            Raw.ctorch_module_release(pointer)
            return object
          end
          Module.allocate.tap { |made| made.send(:adopt, pointer) }
        end
      end

      def hold_copies(object)
        return if Module.copies.empty?

        made = Module.copies.dup
        Module.copies.clear
        object.send(:hold_all, {}.compare_by_identity)
        made
      end
    end

    # A new module of a class of your own; it holds nothing yet.
    def initialize
      own = Own.new(self)
      adopt(own.pointer)
      own.finish(self)
      @is_own = true
    end

    # Apply it, with its hooks.
    def call(*arguments, **options)
      result = Ctorch.module_call(self, args: Tuple.new(arguments), kwargs: options.transform_keys(&:to_s))
      Module.ruby(result)
    end

    # What the module computes. A class of your own has its own forward.
    def forward(*arguments, **options)
      raise NotImplementedError, "Module [#{class_name}] is missing the required \"forward\" function" if @is_own

      call(*arguments, **options)
    end

    # Name of the class, as its text shows it.
    def class_name
      Ctorch.module_name(self)
    end

    def to_s
      closed? ? inspect : Ctorch.module_repr(self)
    end

    # What it holds

    # A module, parameter, buffer or option of the constructor by its name; nil where there is nothing under it.
    def [](name)
      kind = Ctorch.module_member_kind_of(self_: self, name: name.to_s)
      case kind
      when :nothing then nil
      when :module then Ctorch.module_get_submodule(self, name.to_s)
      when :parameter then Ctorch.module_get_parameter(self, name.to_s)
      when :computed then Ctorch.module_get_tensor(self, name.to_s)
      when :option then Module.ruby(Ctorch.module_get_option(self, name.to_s))
      else Ctorch.module_get_buffer(self, name.to_s)
      end
    rescue Ctorch::IndexError # registered as nothing
      nil
    end

    # Put a module, a parameter, or a tensor in the place of a buffer, under a name, nil for nothing; or change an option.
    def []=(name, value)
      name = name.to_s
      kind = Ctorch.module_member_kind_of(self_: self, name: name)
      case value
      when Module, Parameter
        return replace(name, kind, value) if kind == :computed

        wanted = value.is_a?(Module) ? :module : :parameter
        Ctorch.module_unregister(self, name) unless [:nothing, :option, wanted].include?(kind)
        wanted == :module ? register_module(name, value) : register_parameter(name, value)
      else replace(name, kind, value)
      end
    end

    # Give it a parameter; nil for a name that stands for nothing.
    def register_parameter(name, parameter)
      unless parameter.nil? || parameter.is_a?(Parameter)
        raise ::TypeError, "parameter #{name}: expected a Ctorch::Parameter, got #{parameter.class}"
      end

      Ctorch.module_register_parameter(self, name.to_s, tensor: parameter)
    end

    # Give it a tensor that is no parameter; one that is not persistent is in no state dict.
    def register_buffer(name, tensor, persistent: true)
      Ctorch.module_register_buffer(self, name.to_s, tensor: tensor, persistent: persistent)
    end

    # Put a module inside this one.
    def register_module(name, inner)
      Ctorch.module_register_module(self, name.to_s, module_: inner)
      @inside[name.to_s] = inner
    end
    alias_method :add_module, :register_module

    # Take a module, parameter or buffer out.
    def unregister(name)
      Ctorch.module_unregister(self, name.to_s)
      @inside.delete(name.to_s)
    end

    def parameters(recurse: true)
      Ctorch.module_parameters(self, recurse: recurse)
    end

    def buffers(recurse: true)
      Ctorch.module_buffers(self, recurse: recurse)
    end

    # [[dotted name, tensor], …]
    def named_parameters(prefix: nil, recurse: true, remove_duplicate: true)
      named(Ctorch.module_named_parameters(self, prefix: prefix, recurse: recurse, remove_duplicate: remove_duplicate))
    end

    def named_buffers(prefix: nil, recurse: true, remove_duplicate: true)
      named(Ctorch.module_named_buffers(self, prefix: prefix, recurse: recurse, remove_duplicate: remove_duplicate))
    end

    # [[dotted name, module], …], itself first
    def named_modules(prefix: nil, remove_duplicate: true)
      named(Ctorch.module_named_modules(self, prefix: prefix, remove_duplicate: remove_duplicate))
    end

    def named_children
      named(Ctorch.module_named_children(self))
    end

    def modules
      named_modules.map(&:last)
    end

    def children
      named_children.map(&:last)
    end

    # Put a module under a dotted name, in the place of the one that is there.
    def set_submodule(target, inner, strict: false)
      Ctorch.module_set_submodule(self, target, inner, strict: strict)
      parent, _, name = target.rpartition(".")
      Ctorch.module_get_submodule(self, parent).send(:hold, name, inner)
    end

    # What is done to all of it

    def training?
      Ctorch.module_training(self)
    end

    # Capture calls without gradients and replay them, one tape for each form of the inputs, `most` of them; 0 for none.
    def set_tape(most = 4, fast: false)
      Ctorch.module_set_tape(self, most, fast: fast)
      self
    end

    def train(mode = true)
      Ctorch.module_train(self, training: mode)
      self
    end

    def eval
      train(false)
    end

    def requires_grad!(value = true)
      Ctorch.module_requires_grad_(self, requires_grad: value)
      self
    end

    def zero_grad(set_to_none: true)
      Ctorch.module_zero_grad(self, set_to_none: set_to_none)
    end

    # Move it to a device, a dtype; parameters stay the tensors that they are.
    def to(device: nil, dtype: nil, non_blocking: false, memory_format: nil)
      Ctorch.module_to(self, device: device, dtype: dtype, non_blocking: non_blocking, memory_format: memory_format)
      self
    end

    def to_empty(device, recurse: true)
      Ctorch.module_to_empty(self, device, recurse: recurse)
      self
    end

    # Call a block with every module inside, and with this one as the last.
    def apply
      Ctorch.module_apply(self) do |inner|
        yield inner
        nil
      end
      self
    end

    # Number of elements of all parameters, or of those that require gradients.
    def num_parameters(trainable: false)
      Ctorch.module_num_parameters(self, trainable: trainable)
    end

    # A copy with tensors of its own.
    def copy
      Ctorch.module_copy(self)
    end
    alias_method :dup, :copy

    # State

    # A Hash from dotted names to tensors.
    def state_dict(prefix: nil, keep_vars: false)
      state, metadata = state_and_metadata(prefix: prefix, keep_vars: keep_vars)
      OrderedDict.new.merge!(state).tap do |made|
        made.attributes = { "_metadata" => OrderedDict.new.merge!(metadata) }
      end
    end

    # The state dict, and the versions by the names of modules.
    def state_and_metadata(prefix: nil, keep_vars: false)
      Ctorch.module_state_dict(self, prefix: prefix, keep_vars: keep_vars).map { |value| Module.ruby(value) }
    end

    # Take parameters and buffers over from a state dict.
    def load_state_dict(state_dict, metadata: nil, strict: true, assign: false)
      metadata ||= state_dict.attributes&.fetch("_metadata", nil) if state_dict.is_a?(OrderedDict)
      found = Ctorch.module_load_state_dict(self, state_dict, metadata: metadata, strict: strict, assign: assign)
      IncompatibleKeys.new(*found.map { |value| Module.ruby(value) })
    end

    # Hooks: each answers a Ctorch::Hook, whose `remove` takes it out again.

    # A block of (module, args, kwargs); what it answers replaces the arguments, unless it is nil.
    def register_forward_pre_hook(with_kwargs: false, prepend: false)
      Ctorch.module_register_forward_pre_hook(self, with_kwargs: with_kwargs, prepend: prepend) do |inner, args, kwargs|
        Module.value(yield(inner, Module.ruby(args), Module.ruby(kwargs).transform_keys(&:to_sym)))
      end
    end

    # A block of (module, args, kwargs, output); what it answers replaces the output, unless it is nil.
    def register_forward_hook(always_call: false, prepend: false)
      Ctorch.module_register_forward_hook(self, always_call: always_call, prepend: prepend) do |inner, args, kwargs, out|
        Module.value(yield(inner, Module.ruby(args), Module.ruby(kwargs).transform_keys(&:to_sym), Module.ruby(out)))
      end
    end

    # A block of (module, gradients of the inputs, of the outputs); what it answers replaces those of the inputs.
    def register_full_backward_hook(prepend: false, &block)
      Ctorch.module_register_backward_hook(self, prepend: prepend, &block)
    end

    # A block of (module, gradients of the outputs); what it answers replaces them.
    def register_full_backward_pre_hook(prepend: false, &block)
      Ctorch.module_register_backward_pre_hook(self, prepend: prepend, &block)
    end

    # Lists of modules

    # Number of modules that it holds itself.
    def size
      Ctorch.module_len(self)
    end

    # The module at a place, which may be counted from the end.
    def at(index)
      Ctorch.module_at(self, index)
    end

    def each(&block)
      (0...size).map { |i| at(i) }.each(&block)
      self
    end

    # Add modules at the end.
    def append(*inner)
      inner.each { |one| Ctorch.module_append(self, one) }
      counted
    end

    def <<(inner)
      append(inner)
    end

    def insert(index, inner)
      Ctorch.module_insert(self, index, inner)
      counted
    end

    def remove_at(index)
      Ctorch.module_remove_at(self, index)
      counted
    end

    # `conv` and `conv=` for what is registered as "conv", and for what is assigned.
    def method_missing(name, *arguments, **options, &block)
      if name.end_with?("=")
        self[name[0..-2]] = arguments.first
      elsif arguments.empty? && options.empty? && registered?(name)
        self[name]
      else
        super
      end
    end

    def respond_to_missing?(name, include_private = false)
      name.end_with?("=") || registered?(name) || super
    end

    class << self
      # Ruby's object for a value, which is given back.
      def ruby(value)
        value&.to_ruby
      ensure
        value&.close
      end

      def value(object)
        object.nil? ? nil : Value.of(object)
      end
    end

    # The C side of an object of a class of one's own, which it does not keep alive.
    class Own
      def initialize(object)
        @class = object.class
        @reference = ObjectSpace::WeakMap.new
        @reference[self] = object
      end

      # The object that the module belongs to.
      def object
        found = @reference[self]
        return found if found

        raise "the object of this #{@class.name} is gone: keep it, or one of a module around it"
      end

      # A new module in C.
      def pointer
        name = @class.name&.split("::")&.last || "Module"
        return made { Ctorch.module_new_of_values(name) } unless own?(:forward)

        made do
          Ctorch.module_new_of_values(name) do |_, args, kwargs|
            named = Module.ruby(kwargs).transform_keys(&:to_sym)
            Value.of(object.forward(*Module.ruby(args), **named))
          end
        end
      end

      # A block holds every variable around it: these have none of the object.
      def finish(owner)
        Ctorch.module_set_extra_repr(owner, callback: repr) if own?(:extra_repr)
        Ctorch.module_set_reset_parameters(owner, callback: reset) if own?(:reset_parameters)
        Ctorch.module_set_right_inverse(owner, callback: invert) if own?(:right_inverse)
        Ctorch.module_set_extra_state(owner, get: get, set: set) if own?(:extra_state) && own?(:extra_state=)
        Ctorch.module_set_copy(owner, callback: copy)
      end

      private

      def repr
        ->(_) { Value.of(object.extra_repr.to_s) }
      end

      def reset
        lambda do |_|
          object.reset_parameters
          nil
        end
      end

      def invert
        ->(_, args, _) { Value.of(object.right_inverse(*Module.ruby(args))) }
      end

      def get
        ->(_) { Value.of(object.extra_state) }
      end

      def set
        ->(_, state) { object.extra_state = Module.ruby(state) }
      end

      def copy
        ->(_) { object.send(:copied) }
      end

      def own?(name)
        @class.method_defined?(name) && @class.instance_method(name).owner != Module
      end

      # C's pointer, where its object is the one under construction.
      def made
        taken = yield
        Raw.ctorch_module_retain(taken.pointer)
        pointer = taken.pointer
        taken.close
        pointer
      end
    end
    private_constant :Own

    private

    def adopt(pointer)
      Handle.instance_method(:initialize).bind_call(self, pointer)
      @inside = {}
      Module.lock.synchronize { Module.known[pointer.address] = self }
    end

    def hold(name, inner)
      @inside[name] = inner
    end

    def hold_all(seen)
      seen[self] = true
      named_children.each do |name, child|
        @inside[name] = child
        child.send(:hold_all, seen) unless seen.key?(child)
      end
    end

    # The names of what is in a list were counted anew.
    def counted
      @inside = named_children.to_h
      self
    end

    # An object of the same class, with copies of its variables, that holds nothing yet.
    def copied
      made = self.class.allocate
      Module.instance_method(:initialize).bind_call(made)
      (instance_variables - made.instance_variables).each do |name|
        made.instance_variable_set(name, copied_value(instance_variable_get(name)))
      end
      Module.copies << made
      made
    end

    def copied_value(value)
      case value
      when Array then value.map { |entry| copied_value(entry) }
      when Hash then value.transform_values { |entry| copied_value(entry) }
      when Tensor, String then value.dup
      else value
      end
    end

    def replace(name, kind, value)
      tensor = value.is_a?(Tensor)
      case kind
      when :buffer, :transient_buffer
        raise ::TypeError, "buffer #{name}: expected a tensor, got #{value.class}" unless value.nil? || tensor

        register_buffer(name, value, persistent: kind == :buffer)
      when :computed
        raise ::TypeError, "#{name}, which is computed: expected a tensor, got #{value.class}" unless tensor

        Ctorch.module_set_parametrized(self, name, value)
      when :option then Ctorch.module_set_option(self, name, value)
      when :parameter, :module
        raise ::TypeError, "#{kind} #{name}: cannot assign a #{value.class}" unless value.nil?

        kind == :module ? register_module(name, nil) : register_parameter(name, nil)
      else
        raise ::TypeError, "#{name}: a #{value.class} is no module or parameter; register_buffer makes a buffer"
      end
    end

    def registered?(name)
      !closed? && Ctorch.module_member_kind_of(self_: self, name: name.to_s) != :nothing
    end

    def named(found)
      (0...found.len).map { |i| [found.name(i), found.get(i)] }
    ensure
      found.close
    end
  end

  # Containers take what they hold: NN.Sequential(a, b), NN.ModuleList([a, b]), NN.ModuleDict(a: a).
  module NN
    class << self
      def Sequential(*modules, **named)
        made = _make(:Sequential).append(*modules)
        named.each { |name, inner| made.register_module(name, inner) }
        made
      end

      def ModuleList(modules = [])
        _make(:ModuleList).append(*modules)
      end

      def ModuleDict(modules = {})
        modules.each_with_object(_make(:ModuleDict)) { |(name, inner), made| made.register_module(name, inner) }
      end

      def ParameterList(parameters = [])
        made = _make(:ParameterList, [])
        parameters.each_with_index { |parameter, i| made.register_parameter(i.to_s, parameter) }
        made
      end

      def ParameterDict(parameters = {})
        parameters.each_with_object(_make(:ParameterDict)) do |(name, parameter), made|
          made.register_parameter(name, parameter)
        end
      end

      def _make(name, *arguments)
        method = :"_#{name}"
        unless singleton_class.method_defined?(method)
          Methods.define(singleton_class, method, Raw.signature("ctorch_nn_#{name}"))
        end
        public_send(method, *arguments)
      end
    end
  end
end
