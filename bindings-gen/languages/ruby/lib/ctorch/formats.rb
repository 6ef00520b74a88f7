module Ctorch
  # Files of other formats than torch's. Tensors by their names are a Hash. Streams says what may stand for a path: nil
  # as a target has the bytes answered.
  module Formats
    class << self
      # Calls the block with the weights of a file of that very format.
      def opened(source, format)
        Weights.use(source, mmap: false) do |weights|
          found = weights.format
          raise FormatError, "the format of the file is #{found}, not #{format}" unless found == format

          yield weights
        end
      end

      # Names may be symbols, which in a value are dtypes.
      def named(hash)
        hash.respond_to?(:transform_keys) ? hash.transform_keys(&:to_s) : hash
      end
    end
  end

  # Hugging Face's files, by the names of the package `safetensors.torch`.
  #
  #   Ctorch::Safetensors.save_file(model.state_dict, "model.safetensors", metadata: { format: "pt" })
  #   tensors = Ctorch::Safetensors.load_file("model.safetensors")
  module Safetensors
    class << self
      # Writes tensors; `metadata` are texts by names.
      def save_file(tensors, target, metadata: nil)
        Streams.writing(target) do |writer|
          Ctorch.safetensors_write(writer, Formats.named(tensors), metadata: Formats.named(metadata))
        end
      end

      # The bytes of such a file.
      def save(tensors, metadata: nil)
        save_file(tensors, nil, metadata: metadata)
      end

      def load_file(source, device: nil)
        Formats.opened(source, "safetensors") { |weights| weights.load(device: device) }
      end

      # The tensors of a file that is there as bytes.
      def load(data)
        load_file(data.b)
      end

      # Writes the state dict of a model whose tensors may share memory: of those that do, one.
      def save_model(model, target, metadata: nil)
        Streams.writing(target) do |writer|
          Ctorch.safetensors_write_model(writer, model, metadata: Formats.named(metadata))
        end
      end

      # Loads a model whose tensors may share memory, from a file of any format; which names were missing and
      # unexpected.
      def load_model(model, source, strict: true)
        Weights.use(source) do |weights|
          found = Ctorch.safetensors_load_model(model, weights, strict: strict)
          Module::IncompatibleKeys.new(*found.map { |value| OneObject.ruby(value) })
        end
      end
    end
  end

  # NumPy's files of one tensor: Ctorch::Npy.save("x.npy", x)
  module Npy
    class << self
      # Nothing is appended to the path.
      def save(target, tensor)
        Streams.writing(target) { |writer| Ctorch.npy_write(writer, tensor) }
      end

      def load(source)
        Formats.opened(source, "npy") { |weights| weights[""] }
      end
    end
  end

  # NumPy's files of tensors by their names: Ctorch::Npz.save("x.npz", { x: x })
  module Npz
    class << self
      # Deflated if `compressed`. Nothing is appended to the path.
      def save(target, tensors, compressed: false)
        Streams.writing(target) do |writer|
          Ctorch.npz_write(writer, Formats.named(tensors), compressed: compressed)
        end
      end

      def load(source)
        Formats.opened(source, "npz", &:load)
      end
    end
  end

  # Weights in several files and an index, as Hugging Face has them.
  module Sharded
    class << self
      # Writes tensors to a folder that is there; `format` is "safetensors" or "pt", a file has at most `max_shard_size`
      # bytes of tensors (0 for 5 GB).
      def save(tensors, path, metadata: nil, format: "safetensors", max_shard_size: 0)
        made = Formats.named(metadata)
        path = Streams.path(path)
        Ctorch.sharded_write(Formats.named(tensors), path, max_shard_size, metadata: made, format: format)
      end

      # All tensors of a folder, or of the files that an index lists.
      def load(path, device: nil)
        Weights.use(path) { |weights| weights.load(device: device) }
      end
    end
  end
end
