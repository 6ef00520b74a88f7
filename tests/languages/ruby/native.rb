# Ruby objects as values of the C API and back: each kind, what is refused, what methods take.
module NativeTest
  V = Ctorch::Value
  T = Ctorch::Tensor

  class << self
    def a_round_trip_gives_an_equal_object
      [
        [nil, "None"],
        [true, "True"],
        [false, "False"],
        [-7, "-7"],
        [9_223_372_036_854_775_807, "9223372036854775807"],
        [9_223_372_036_854_775_808, "9223372036854775808"],
        [-9_223_372_036_854_775_808, "-9223372036854775808"],
        [-9_223_372_036_854_775_809, "-9223372036854775809"],
        [-128, "-128"],
        [2**200, "1606938044258990275541962092341162602522202993782792835301376"],
        [-(2**200), "-1606938044258990275541962092341162602522202993782792835301376"],
        [0.5, "0.5"],
        [2.0, "2.0"],
        [-0.0, "-0.0"],
        [Float::INFINITY, "inf"],
        [Complex(1.0, -2.0), "(1-2j)"],
        ["", "''"],
        ["\u00e9 \u{1f642}", "'\u00e9 \u{1f642}'"],
        ["b".b, "b'b'"],
        ["a\0b\xff".b, "b'a\\x00b\\xff'"],
        [:float32, "torch.float32"],
        [:sparse_csr, "torch.sparse_csr"],
        [:channels_last, "torch.channels_last"],
        [Ctorch::Device.new(:cuda, 1), "device(type='cuda', index=1)"],
        [[], "[]"],
        [Ctorch::Tuple[], "()"],
        [{}, "{}"],
        [Set[], "set()"],
        [[1, [2.5, Ctorch::Tuple["x", nil]]], "[1, [2.5, ('x', None)]]"],
        [{ "a" => Set[1, 2], Ctorch::Tuple[1, "b"] => ["\0".b] }, "{'a': {1, 2}, (1, 'b'): [b'\\x00']}"],
      ].each do |object, text|
        value = V.of(object)
        Checks.equal(text, value.repr)
        back = value.to_ruby
        Checks.equal([object, object.class], [back, back.class])
      end
      Checks.that(V.of(Float::NAN).to_ruby.nan?, "NaN")
    end

    def texts_and_bytes_keep_their_encodings
      [["a\0b", :string], ["", :string], ["".b, :bytes], ["a".b, :bytes], ["a".encode("UTF-16LE"), :string]].each do |given, kind|
        value = V.of(given)
        Checks.equal(kind, Ctorch::Raw.ctorch_value_kind_of(value.pointer) == Ctorch::CONSTANTS[:value_kind][kind] ? kind : nil)
        Checks.equal(kind == :bytes ? Encoding::BINARY : Encoding::UTF_8, value.to_ruby.encoding)
      end
      Checks.equal("a\0b", V.of("a\0b").to_ruby)
    end

    def no_two_enumerations_have_a_symbol_in_common
      names = %i[dtype layout memory_format].flat_map { |type| Ctorch::CONSTANTS[type].keys }
      Checks.equal(names.uniq, names)
    end

    def tensors_generators_and_storages_are_shared
      x = T.of([1.0, 2.0])
      objects = { "x" => [x], "g" => Ctorch::Generator.default, "s" => Ctorch::Storage.from_tensor(x) }
      found = V.of(objects).to_ruby
      found["x"].first.fill__Scalar(7)
      Checks.equal([7.0, 7.0], x.to_a)
      Checks.equal([Ctorch::Generator, 8], [found["g"].class, found["s"].nbytes])
      stream = Ctorch::Stream.new(3, Ctorch::Device.new(:cpu, 0))
      Checks.equal(stream, V.of(stream).to_ruby)
    end

    def what_lies_in_two_places_does_so_in_c
      inner = [1]
      value = V.of([inner, inner, [1]])
      first, second, other = Array.new(3) { |i| value.get(i) }
      Checks.equal([true, false], [first.is(second), first.is(other)])
      first.list_append(2)
      Checks.equal([[[1, 2], [1, 2], [1]], [1]], [value.to_ruby, inner])
    end

    def an_object_of_a_class_of_pythons_is_readable
      size = V.of(Ctorch::PythonObject.new("torch", "Size", [Ctorch::Tuple[2, 3]]))
      Checks.equal("torch.Size([2, 3])", size.repr)
      found = size.to_ruby
      Checks.equal(["torch", "Size", Ctorch::Tuple[Ctorch::Tuple[2, 3]], nil, nil, {}], [*found.to_a, found.attributes])
      Checks.equal("#<torch.Size([2, 3])>", found.to_s)
      module_ = Ctorch::PythonObject.new("nets", "Net.Inner", [1], items: [2], state: { "weight" => 2**70 })
      found = V.of([module_]).to_ruby.first
      Checks.equal([module_, 1_180_591_620_717_411_303_424], [found, found.attributes["weight"]])
      Checks.equal(nil, V.of(Ctorch::PythonObject.new("builtins", "print")).to_ruby.args)
    end

    def methods_take_objects_for_values
      value = V.of([])
      [2**64, "\0".b, Set[1], nil, T.of(3)].each { |object| value.list_append(object) }
      Checks.equal([18_446_744_073_709_551_616, "\0".b, Set[1], nil], value.to_ruby.first(4))
      table = V.from_dict(["k", Ctorch::Tuple[1, 2], nil], [1, nil, 2])
      Checks.equal([nil, 2], [table.dict_get(Ctorch::Tuple[1, 2]).to_ruby, table.dict_get(nil).to_ruby])
      Checks.equal([true, false], [table.dict_contains("k"), table.dict_contains("k".b)])
      op = Ctorch::Op.find("aten::add", overload: "Tensor")
      Checks.equal([21, 42], op.call([T.of([1, 2]), T.of([10, 20]), 2]).to_ruby.to_a)
    end

    def kernels_answer_objects
      library = Ctorch::Library.create("ruby_values")
      library.define("twice(int n, str word) -> (int, str[])")
      library.implement("twice", dispatch_key: "CompositeExplicitAutograd") do |arguments|
        number, word = arguments.map(&:to_ruby)
        [2 * number, [word, word]]
      end
      Checks.equal(Ctorch::Tuple[42, %w[e e]], Ctorch::Op.find("ruby_values::twice").call([21, "e"]).to_ruby)
      library.close
    end

    def what_no_value_can_hold_is_told_by_function_and_argument
      [Object.new, 1..2, :float33, Ctorch::Index.create, [1, { "k" => [Object.new] }]].each do |bad|
        Checks.fails(::TypeError, "Value.of: object: no ") { V.of(bad) }
        Checks.fails(::TypeError, "value_list_append: value: no ") { V.of([]).list_append(bad) }
        Checks.fails(::TypeError, "value_from_list: values: no ") { V.from_list([1, bad]) }
      end
    end

    def other_errors
      Checks.fails(Ctorch::TypeError) { V.of(Set[[1]]) } # a list is no entry of a set
      Checks.fails(Ctorch::TypeError) { V.of({ {} => 1 }) }
      loop_ = []
      loop_ << { "again" => loop_ }
      Checks.fails(::ArgumentError, "contains itself") { V.of(loop_) }
      closed = V.of(1).tap(&:close)
      Checks.fails(Ctorch::Handle::ClosedError, "closed") { closed.to_ruby }
      Checks.fails(Ctorch::Handle::ClosedError, "closed") { V.of([closed]) }
      Checks.fails(::ArgumentError, "equal in Ruby") { V.from_dict(["a", "a".b], [1, 2]).to_ruby }
      Checks.fails(::ArgumentError, "equal in Ruby") { V.from_set(["a", "a".b]).to_ruby }
    end

    def a_value_that_contains_itself_is_an_error
      value = V.of([])
      value.list_append(value)
      Checks.fails(::ArgumentError, "contains itself") { value.to_ruby }
      value.clear
      deep = 5000.times.inject([]) { |inner, _| [inner] }
      Checks.fails(::ArgumentError, "nested more than 500 deep") { V.of(deep) }
      deep = 450.times.inject([]) { |inner, _| [inner] }
      Checks.equal(deep, V.of(deep).to_ruby)
    end

    def modes_seeds_and_threads_have_the_names_of_pytorch
      grad = -> { Ctorch.grad_enabled? }
      Checks.equal([true, false, true], [grad.call, Ctorch.no_grad(&grad), Ctorch.no_grad { Ctorch.enable_grad(&grad) }])
      Checks.equal([true, false], [Ctorch.inference_mode { Ctorch.inference_mode_enabled }, Ctorch.inference_mode_enabled])
      Checks.equal(Ctorch::Generator, Ctorch.manual_seed(1234).class)
      Checks.equal(1234, Ctorch.initial_seed)
      first = Ctorch::Aten.rand([3]).to_a
      Ctorch.manual_seed(1234)
      Checks.equal(first, Ctorch::Aten.rand([3]).to_a)
      Ctorch.manual_seed(-1)
      Checks.equal(18_446_744_073_709_551_615, Ctorch.initial_seed)
      before = Ctorch.get_num_threads
      Ctorch.set_num_threads(1)
      Checks.equal(1, Ctorch.get_num_threads)
      Ctorch.set_num_threads(before)
    end
  end
end
