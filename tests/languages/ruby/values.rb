# Each kind of argument and result arrives as it was given.
module ValuesTest
  T = Ctorch::Tensor
  A = Ctorch::Aten

  class << self
    def a_tensor_is_enumerable
      x = Ctorch::Tensor.of([[1, 2], [3, 4], [5, 6]])
      rows = []
      Checks.that(x.each { |row| rows << row.to_a }.equal?(x), "each answers itself")
      Checks.equal([[1, 2], [3, 4], [5, 6]], rows)
      Checks.equal([3, 7, 11], x.map { |row| row.sum.item })
      Checks.equal([[3, 4], 3, 2], [x.first(2).last.to_a, x.each.size, x.each_slice(2).count])
      Checks.equal([[[1, 2], 0], [[3, 4], 1]], x.each_with_index.first(2).map { |row, i| [row.to_a, i] })
      x.each { |row| row.fill__Scalar(0) } # parts share memory
      Checks.equal([[0, 0]] * 3, x.to_a)
      Checks.fails(::TypeError, "0-d") { x.sum.each { nil } }
      y = Ctorch::Tensor.of([3.0, 1.0, 2.0]) # what is an operator stays one
      Checks.equal([6.0, 1.0, 3.0], [y.sum.item, y.min.item, y.max.item])
      Checks.equal([[1.0, 2.0, 3.0], 12.0], [y.sort[0].to_a, y.sum { |part| 2 * part.item }])
    end

    def equality_is_of_shape_and_elements
      x = Ctorch::Tensor.of([1, 2])
      Checks.that(x == Ctorch::Tensor.of([1, 2]) && x == x && x == Ctorch::Tensor.of([1.0, 2.0]), "equal")
      Checks.that(x != Ctorch::Tensor.of([1, 3]) && x != Ctorch::Tensor.of([[1, 2]]) && x != [1, 2] && x != nil, "unequal")
      elsewhere = Ctorch::Aten.zeros([2], dtype: :int64, device: :meta) # which has no elements to compare
      Checks.that(x != elsewhere && elsewhere != x, "on another device")
      nan = Ctorch::Tensor.of([Float::NAN])
      Checks.that(nan != nan.dup && !x.equal?(x.dup) && [x].include?(x.dup), "as elements are")
      Checks.equal([true, false], x.eq(Ctorch::Tensor.of([1, 3])).to_a)
      Checks.equal(1, { x => 1 }[x])
      x.close
      Checks.that(x == x && x != nan, "closed")
    end

    def a_gradient_is_assigned
      x = Ctorch::Tensor.of([1.0, 2.0]).requires_grad!
      x.grad = Ctorch::Tensor.of([3.0, 4.0])
      Checks.equal([3.0, 4.0], x.grad.to_a)
      x.grad = nil
      Checks.equal(nil, x.grad)
      Checks.fails(Ctorch::ShapeMismatchError) { x.grad = Ctorch::Tensor.of([1.0]) }
    end

    def overloads_are_chosen_by_the_arguments
      x = Ctorch::Tensor.of([[1.0, 2.0], [3.0, 4.0]])
      a = Ctorch::Aten
      Checks.equal([[2.0, 4.0], [6.0, 8.0]], a.add(x, x).to_a)
      Checks.equal([[3.0, 6.0], [9.0, 12.0]], a.add(x, x, alpha: 2).to_a)
      Checks.equal([[3.0, 4.0], [5.0, 6.0]], x.add(2).to_a)
      Checks.equal([10.0, [4.0, 6.0], [[3.0], [7.0]]], [a.sum(x).item, x.sum([0]).to_a, x.sum([1], keepdim: true).to_a])
      Checks.equal([4.0, [3.0, 4.0]], [x.max.item, x.max(0)[0].to_a])
      Checks.equal([[[1.0, 2.0], [9.0, 16.0]]], [Ctorch::Aten.pow(x, Ctorch::Tensor.of([[1], [2]])).to_a])
      Checks.equal([1.0, 2.0], x.select(0, 0).to_a)
      Checks.equal([2, [1, 1], 2], [x.split(1).size, x.split([1, 1]).map { |part| part.size }, x.size])
      Checks.equal([[0.0, 0.0], [0.0, 0.0]], a.scatter_reduce(a.zeros([2, 2]), 0, a.zeros([0, 2], dtype: :int64), x, "add").to_a)
      y = x.dup
      Checks.that(y.add_(1).equal?(y), "what is changed is answered")
      Checks.equal([[2.0, 3.0], [4.0, 5.0]], y.to_a)
      Checks.equal([[2.0, 4.0], [6.0, 8.0]], a.add_Tensor(x, x).to_a) # by its name
      Checks.fails(::ArgumentError, "add: none of add_Scalar, add_Tensor takes (Ctorch::Tensor, String)") { a.add(x, "y") }
      Checks.that(x.respond_to?(:add) && a.respond_to?(:pow) && !x.respond_to?(:no_such), "respond_to?")
    end

    def numbers_of_all_dtypes
      Checks.equal([-(2**63), -1, 2**63 - 1], T.of([-(2**63), -1, 2**63 - 1]).to_a)
      Checks.equal([0, 2**64 - 1], T.of([0, 2**64 - 1], dtype: :uint64).to_a)
      Checks.equal([1.5, Float::INFINITY], T.of([1.5, Float::INFINITY]).to_a)
      Checks.that(T.of([Float::NAN]).to_a.first.nan?, "NaN")
      Checks.equal([Float::MIN, -0.0], T.of([Float::MIN, -0.0], dtype: :float64).to_a)
      Checks.equal([[true, false]], T.of([[true, false]]).to_a)
      Checks.equal([-1], T.of([-1], dtype: :int8).to_a)
      Checks.equal([[], []], A.zeros([2, 0]).to_a)
      Checks.equal(3, T.of(3).to_a)
      Checks.equal([0], T.of([]).sizes)
      Checks.fails(::ArgumentError, "different lengths") { T.of([[1], [2, 3]]) }
    end

    def scalars_of_all_kinds
      Checks.equal([:int64, 3], [T.from_scalar(3).dtype, T.from_scalar(3).item])
      Checks.equal([:float32, 2.5], [T.from_scalar(2.5).dtype, T.from_scalar(2.5).item])
      Checks.equal([:bool, true], [T.from_scalar(true).dtype, T.from_scalar(true).item])
      Checks.equal([:complex64, Complex(1.0, -2.0)], [T.from_scalar(Complex(1, -2)).dtype, T.from_scalar(Complex(1, -2)).item])
      Checks.equal(2**64 - 1, T.from_scalar(2**64 - 1, dtype: :uint64).item)
      Checks.equal([1.0, -2.0], T.from_scalar(Complex(1, -2)).item_complex)
      Checks.fails(::RangeError, "64 bits") { T.from_scalar(2**64) }
    end

    def defaults_and_keywords
      x = T.of([1, 2])
      Checks.equal([2, 4], A.add_Tensor(x, x).to_a)
      Checks.equal([3, 6], A.add_Tensor(x, x, alpha: 2).to_a)
      Checks.equal(:int64, A.add_Tensor(x, x, alpha: 2).dtype)
      y = A.ones([2, 3], dtype: :float64, layout: :strided, device: "cpu", pin_memory: false)
      Checks.equal([:float64, 6.0, :cpu], [y.dtype, y.sum.item, y.device.type])
      image = A.ones([1, 1, 4, 4])
      kernel = A.ones([1, 1, 3, 3])
      Checks.equal([1, 1, 2, 2], A.conv2d(image, kernel).sizes)
      Checks.equal([1, 1, 4, 4], A.conv2d(image, kernel, padding: [1, 1]).sizes)
      Checks.equal([1, 1, 4, 4], A.conv2d(image, kernel, padding: 1).sizes)
      Checks.equal([1, 1, 4, 4], A.conv2d_padding(image, kernel, padding: "same").sizes)
    end

    def modules_of_schema_files_with_what_python_draws_and_computes_from_the_same_seed
      Ctorch.random_manual_seed(0)
      conv = Ctorch::NN.Conv2d(1, 2, [3, 2], stride: 2, padding: 1)
      y = conv.forward(A.ones([1, 1, 4, 4]))
      Checks.equal([[1, 2, 2, 3], -0.438072], [y.sizes, y.to_a[0][1][1][2].round(6)]) # the last digits are the processor's
      Checks.equal(2, conv.parameters.size)
      Ctorch.random_manual_seed(0)
      conv = Ctorch::NN.Conv2d_padding(1, 2, 3, padding: "same", bias: false)
      Checks.equal(0.19571614265441895, conv.forward(A.ones([1, 1, 4, 4])).to_a[0][0][0][0])
      Ctorch.random_manual_seed(0)
      weight = A.zeros([2, 2])
      Checks.that(Ctorch::Init.kaiming_uniform_(weight, nonlinearity: "relu").equal?(weight), "the same object")
      Checks.equal(-1.425555944442749, weight.to_a[1][0])
      Checks.fails(Ctorch::ValueError, "groups must be positive") { Ctorch::NN.Conv2d(1, 1, 1, groups: 0) }
      Checks.that(Ctorch::NN.respond_to?(:Conv2d) && !Ctorch::NN.respond_to?(:Conv9d), "respond_to?")
    end

    def none
      x = T.of([[1.0, 2], [3, 4]])
      Checks.equal(10.0, A.sum_dim_IntList(x, nil).item)
      Checks.equal([4.0, 6.0], A.sum_dim_IntList(x, [0]).to_a)
      Checks.equal([2.0, 4.0], A.index_Tensor(x, [nil, T.of([1])]).flatten_using_ints.to_a)
      Checks.equal([3, [1, 1]], [A.argmax(x).item, A.argmax(x, dim: 1).to_a])
    end

    def lists_tuples_and_texts
      x = A.arange(10)
      parts = A.split_Tensor(x, 4)
      Checks.equal([[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]], parts.map(&:to_a))
      values, indices = A.topk(T.of([1.0, 5, 3]), 2)
      Checks.equal([[5.0, 3.0], [1, 2]], [values.to_a, indices.to_a])
      Checks.equal(285, A.einsum("i,i->", [x, x]).item)
      Checks.equal([true, false], [A.equal(x, x), A.is_floating_point(x)])
      Checks.equal([1.0, 2.5], A._foreach_add_ScalarList([A.zeros([1]), A.zeros([1])], [1, 2.5]).map(&:item))
      text = "\u00e9\u4f60\u{1f600}" * 1000
      Checks.equal(text, Ctorch::Value.from_string(text).to_string)
      Checks.equal("a\0b", Ctorch::Value.from_string_data("a\0b").to_string)
      Checks.equal("b'a\\x00b'", Ctorch::Value.from_bytes("a\0b").repr)
      Checks.equal(5000.0, A.cat([A.ones([1])] * 5000).sum.item)
    end

    def what_is_changed_is_returned
      x = A.zeros([2])
      Checks.that(A.add__Scalar(x, 1).equal?(x), "in place")
      out = A.empty_memory_format([2])
      Checks.that(A.add_out(x, x, out).equal?(out), "out")
      Checks.equal([2.0, 2.0], out.to_a)
      x = T.of([3.0, 2.0])
      values = A.empty_memory_format([0])
      indices = A.empty_memory_format([0], dtype: :int64)
      sorted = A.sort_values(x, values, indices)
      Checks.equal([2, true, true], [sorted.size, sorted[0].equal?(values), sorted[1].equal?(indices)])
      Checks.equal([[2.0, 3.0], [1, 0]], [values.to_a, indices.to_a])
      noise = T.of([0.0, 0.0]) # changed, but not returned
      Checks.equal(true, A.rrelu_with_noise_(x, noise).equal?(x))
      Checks.equal(true, x.rrelu_with_noise_(noise).equal?(x))
    end

    def operators_and_indexing
      x = A.arange(24).view([2, 3, 4])
      Checks.equal(23, x[-1, -1, -1].item)
      Checks.equal([[1, 2], [5, 6], [9, 10]], x[0, :all, 1..2].to_a)
      Checks.equal([[1, 2], [5, 6], [9, 10]], x[0, :ellipsis, 1...3].to_a)
      Checks.equal([3, 7, 11], x[0, 0..-1, 3..].to_a.flatten)
      Checks.equal([1, 2, 3, 4], x[nil].sizes)
      Checks.equal([20, 21, 22, 23], x[x > 19].to_a)
      Checks.equal([12, 0], x[[1, 0], 0, 0].to_a)
      x[0, 0] = -1
      x[1, 2, 3] = T.of(100)
      Checks.equal([[-1, -1, -1, -1], 100], [x[0, 0].to_a, x[1, 2, 3].item])
      y = T.of([2.0, 3.0])
      Checks.equal([4.0, 9.0], (y**2).to_a)
      Checks.equal([[-1.0, -2.0], [1.0, 1.5], [-2.0, -3.0]], [(1 - y).to_a, (y / 2).to_a, (-y).to_a])
      Checks.equal([true, false], y.eq(2).to_a)
      Checks.equal("tensor([2., 3.])", y.to_s)
    end

    def generators_and_storages
      a = Ctorch::Generator.create(:cpu)
      a.manual_seed(2**64 - 1)
      Checks.equal(2**64 - 1, a.initial_seed)
      first = A.rand_generator([4], a)
      a.manual_seed(2**64 - 1)
      Checks.equal(first.to_a, A.rand_generator([4], a).to_a)
      storage = Ctorch::Storage.from_tensor(T.of([1, 2]))
      Checks.equal([16, [2].pack("q")], [storage.nbytes, storage.read(8, "\0" * 8)])
    end

    def values_are_those_of_torch
      Ctorch.random_manual_seed(7)
      x = A.randn([3, 4])
      y = A.rand([4, 2])
      {
        x: x, matmul: x.matmul(y), softmax: x.softmax_int(1), std: x.std, gelu: A.gelu(x, approximate: "tanh"),
        sort: A.sort(x, descending: true)[0], clamp: A.clamp(x, min: -0.5, max: 0.5), norm: A.norm_Scalar(x, p: 3),
        svd: A.linalg_svd(y)[1], addcmul: A.addcmul(x, x, x, value: -2), roll: A.roll(x, [1, 2], dims: [0, 1]),
        bernoulli: A.bernoulli_p(x, 0.5), huber: A.huber_loss(x, x * 3, delta: 0.5)
      }.each { |name, value| puts "RESULT #{name} #{value.sizes.join(',')} #{value.contiguous.to_flat.pack('e*').unpack1('H*')}" }
    end
  end
end
