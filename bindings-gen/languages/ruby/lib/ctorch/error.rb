module Ctorch
  # A call that failed. There is a subclass for each kind: Ctorch::ShapeMismatchError has the code 20 and the code_name
  # "SHAPE_MISMATCH". Details are nil where the error does not tell them.
  class Error < StandardError
    DETAILS = %i[
      expected_shape got_shape expected_device got_device expected_dtype got_dtype requested_bytes available_bytes
    ].freeze
    MOST_RAISED = 1024

    attr_reader :function, *DETAILS

    @raised = {}
    @lock = Mutex.new

    class << self
      # The number of the kind; of Error itself that of an error that a callback raised.
      def code
        @code || CONSTANTS[:error_kind][:callback]
      end

      # The exception for an error of C's, which is given back: what a callback raised, as that very object.
      def take(error)
        message = Raw.ctorch_error_message(error).read_string.force_encoding("UTF-8")
        raised, text = @lock.synchronize { @raised.delete(error.address) }
        # C may have dropped an error and used its address again; or have said where it arose: "part loader: <text>"
        return raised if raised && (text == message || message.end_with?(": #{text}"))

        kind = BY_CODE.fetch(Raw.ctorch_error_kind_of(error), self)
        kind.new(message).tap { |exception| exception.send(:read, error) }
      ensure
        Raw.ctorch_error_release(error)
      end

      # The error of C's that a callback answers; the call around it raises `exception` again.
      def give(exception)
        code = exception.is_a?(Error) ? exception.class.code : CONSTANTS[:error_kind][:callback]
        text = exception.is_a?(Error) ? exception.message : "#{exception.class}: #{exception.message}"
        message = text.encode("UTF-8", invalid: :replace, undef: :replace).scrub.delete("\0")
        out = FFI::MemoryPointer.new(:pointer)
        failed = Raw.ctorch_error_new(out, code, FFI::MemoryPointer.from_string(message))
        raise take(failed) unless failed.null?

        error = out.read_pointer
        @lock.synchronize do
          @raised[error.address] = [exception, message]
          @raised.shift if @raised.size > MOST_RAISED
        end
        error
      end
    end

    def code
      self.class.code
    end

    def code_name
      CONSTANTS[:error_kind].key(code).to_s.upcase
    end

    private

    def read(error)
      @function = Raw.ctorch_error_function(error).read_string
      out = FFI::MemoryPointer.new(16)
      DETAILS.each do |name|
        value = detail(name, error, out)
        instance_variable_set(:"@#{name}", value) unless value.nil?
      end
    end

    def detail(name, error, out)
      if name.end_with?("shape")
        told = Raw.public_send(:"ctorch_error_#{name}", error, out, out + 8)
        return told ? out.read_pointer.read_array_of_int64((out + 8).read_uint64) : nil
      end
      return unless Raw.public_send(:"ctorch_error_#{name}", error, out)

      case name
      when /device/ then Device.new(CONSTANTS[:device_type].key(out.read_int32), (out + 4).read_int32)
      when /dtype/ then CONSTANTS[:dtype].key(out.read_int32)
      else out.read_uint64
      end
    end

    BY_CODE = CONSTANTS[:error_kind].to_h do |name, code|
      kind = Class.new(Error) { @code = code }
      Ctorch.const_set("#{name.to_s.split('_').map(&:capitalize).join}Error", kind)
      [code, kind]
    end.freeze
  end

  # Where a tensor lies: Device.new(:cuda, 1). Index -1 is the current one. "cuda:1" and :cuda are taken too.
  Device = Struct.new(:type, :index) do
    def initialize(type, index = -1)
      super
    end

    def self.of(value)
      return value if value.is_a?(Device)

      type, index = value.to_s.split(":")
      new(type.to_sym, index ? Integer(index) : -1)
    end

    def to_s
      index.negative? ? type.to_s : "#{type}:#{index}"
    end
  end

  # A queue of work on a device.
  Stream = Struct.new(:id, :device)
end
