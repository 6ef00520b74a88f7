module Ctorch
  # Files of `torch.save`: Ruby's objects written so that torch loads them, and read as torch wrote them.
  #
  #   Ctorch.save(model.state_dict, "model.pt")
  #   model.load_state_dict(Ctorch.load("model.pt", map_location: :cpu, mmap: true))
  #
  # Streams says what may stand for a path. Loading runs nothing: what a file may make is a fixed table of classes, and
  # what `allow` allows becomes a PythonObject, a description.
  module Serialization
    class << self
      def places(map_location)
        return map_location if map_location.nil? || map_location.respond_to?(:call)
        return ->(location) { map_location[location] || map_location[location.to_sym] } if map_location.is_a?(Hash)

        ->(_location) { map_location }
      end

      def allowed(allow)
        return allow if allow.nil? || allow.respond_to?(:call)

        names = Array(allow)
        ->(module_, name) { names.include?("#{module_}.#{name}") }
      end
    end
  end

  class << self
    # Writes what a value can hold to a path or stream; without one its bytes are answered. Without `crc32` the
    # checksums are left 0, with `skip_data` there are holes in the places of tensors' bytes. What torch reads with
    # `weights_only=False` alone is written without `weights_only`. `progress` is called with the bytes written.
    def save(object, target = nil, crc32: true, skip_data: false, weights_only: true, progress: nil)
      flags = CONSTANTS[:save_flags]
      chosen = { no_crc32: !crc32, skip_data: skip_data, any: !weights_only }.sum { |name, set| set ? flags[name] : 0 }
      value = Value.of(object)
      Streams.writing(target, progress: progress) { |writer| serialization_save(writer, value, chosen) }
    ensure
      value&.close
    end

    # Reads a value from a path, a binary String or a stream. `map_location` is a device, a Hash from the file's devices
    # to those to use, or a proc that is given the file's device ("cuda:0") and answers one, or nil for that one. With
    # `mmap` tensors share a mapping of the file. `allow` has the names of further classes that may be in the file
    # ("argparse.Namespace"), or is a proc that is asked with module and name. `progress` is called with the bytes read.
    def load(source, map_location: nil, mmap: false, allow: nil, progress: nil)
      Streams.reading(source, mmap: mmap, progress: progress) do |reader|
        plain = allow.nil? && !map_location.respond_to?(:call) && !map_location.is_a?(Hash)
        next OneObject.ruby(serialization_load(reader, map_location: map_location)) if plain

        places, allowed = Serialization.places(map_location), Serialization.allowed(allow)
        OneObject.ruby(serialization_load_with(reader, map_location: places, allow: allowed))
      end
    end
  end
end
