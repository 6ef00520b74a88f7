# Each kind of error, with what it carries.
module ErrorsTest
  T = Ctorch::Tensor
  A = Ctorch::Aten

  class << self
    def a_shape_that_does_not_fit
      a = A.zeros([2, 3])
      b = A.zeros([4, 5])
      e = Checks.fails(Ctorch::ShapeMismatchError, "cannot be multiplied") { A.mm(a, b) }
      Checks.equal([20, "SHAPE_MISMATCH", "ctorch_aten_mm"], [e.code, e.code_name, e.function])
      Checks.equal([[3, 5], [4, 5], nil, nil], [e.expected_shape, e.got_shape, e.expected_dtype, e.requested_bytes])
    end

    def a_dtype_that_does_not_fit
      a = T.of([[1.0]])
      b = T.of([[1.0]], dtype: :float64)
      e = Checks.fails(Ctorch::DtypeMismatchError) { A.mm(a, b) }
      Checks.equal(%i[float32 float64], [e.expected_dtype, e.got_dtype])
    end

    def a_device_that_does_not_fit
      out = A.empty_memory_format([2, 4], device: :meta)
      e = Checks.fails(Ctorch::DeviceMismatchError) { A.mm_out(A.ones([2, 3]), A.ones([3, 4]), out) }
      Checks.equal([:cpu, :meta], [e.expected_device.type, e.got_device.type])
    end

    def more_memory_than_there_is
      e = Checks.fails(Ctorch::OutOfMemoryError) { A.empty_memory_format([2**58]) }
      Checks.equal(2**60, e.requested_bytes)
      Checks.that(e.available_bytes.between?(1, 2**50), "available: #{e.available_bytes}")
    end

    def other_kinds
      x = T.of([1.0, 2])
      Checks.fails(Ctorch::IndexError, "out of bounds") { x[2] }
      Checks.fails(Ctorch::RuntimeError, "does not require grad") { x.sum.backward }
      Checks.fails(Ctorch::LinalgError, "singular") { A.linalg_inv(A.zeros([2, 2])) }
      Checks.fails(Ctorch::NotImplementedError) { A.bitwise_not(x) }
      Checks.fails(Ctorch::ValueError, "step") { x["::-1"] }
      Checks.fails(Ctorch::TypeError, "slice") { x["1.5:"] }
      Checks.fails(Ctorch::SyntaxError) { x["1,,"] }
      Checks.fails(Ctorch::BufferError) { Ctorch.dtype_from_dlpack(255, 32, 1, 0) }
      Checks.fails(Ctorch::NullArgumentError, "other") { A.add_Tensor(x, nil) }
      Checks.fails(Ctorch::InvalidArgumentError) { T.from_data("abc", [1], :float32) }
      Checks.fails(Ctorch::UnsupportedError, "no_such_operator") { Ctorch::Op.find("aten::no_such_operator") }
    end

    # An error of each kind is made in C and comes out of a backward pass: the class follows its code.
    def every_kind_has_its_class
      Ctorch::CONSTANTS[:error_kind].each do |name, code|
        text = FFI::MemoryPointer.from_string("a #{name} error")
        hook = FFI::Function.new(:int32, %i[pointer pointer pointer pointer]) do |_out, _grad, error, _payload|
          Ctorch::Raw.ctorch_error_new(error, code, text)
          0
        end
        x = A.zeros([1]).requires_grad!
        Checks.that(Ctorch::Raw.ctorch_tensor_register_hook(nil, x.pointer, hook, nil, nil).null?, "not registered")
        e = Checks.fails(Ctorch::Error::BY_CODE.fetch(code), "a #{name} error") { x.sum.backward }
        Checks.equal([code, name.to_s.upcase], [e.code, e.code_name])
      end
    end

    def wrong_arguments
      x = T.of([1, 2])
      Checks.fails(::ArgumentError, "padding") { A.add_Tensor(x, x, padding: 1) }
      Checks.fails(::TypeError, "expected a Ctorch::Tensor, got Integer") { A.add_Tensor(x, 1) }
      Checks.fails(::TypeError, "expected a number") { A.add_Scalar(x, "1") }
      Checks.fails(::ArgumentError, "no dtype: :float31") { A.zeros([1], dtype: :float31) }
      Checks.fails(::TypeError, "expected a whole number, got 1.5") { A.zeros([1.5]) }
      Checks.fails(::ArgumentError, "NUL") { Ctorch::Value.from_string("a\0b") }
      Checks.fails(::NoMethodError, "no_such_operator") { A.no_such_operator }
      Checks.fails(::NoMethodError, "no_such_operator") { x.no_such_operator }
      Checks.equal([2, 4], (x + x).to_a)
    end
  end
end
