module Ctorch
  # The tensors of a file by their names, whichever format it has, each read when it is asked for.
  #
  #   weights = Ctorch::Weights.new("model.safetensors")
  #   p weights.format, weights.names, weights.shape("embedding.weight")
  #   rows = weights.slice("embedding.weight", [0], [100])
  #   weights.close
  #
  # The formats are "pt" (what `torch.save` writes), "safetensors", "npy", "npz", "gguf", and "sharded": several files
  # that an index lists, or the folder that they are in.
  class Weights
    extend OneObject
    include Enumerable

    public_class_method :new

    class << self
      def class_for(_)
        Weights
      end

      # The weights of a source, for a block.
      def use(source, **options)
        weights = new(source, **options)
        yield weights
      ensure
        weights&.close
      end
    end

    # The table of contents of a path or another source (Streams). A path is mapped unless `mmap` is false: nothing is
    # read until it is looked at, and tensors share the mapping.
    def initialize(source, mmap: Streams.path?(source), progress: nil)
      Weights.adopt(self) do
        if Streams.path?(source) && !progress # also a folder, and the index of several files
          Ctorch.weights_open_file(Streams.path(source), mmap: mmap)
        else
          Streams.reading(source, mmap: mmap, progress: progress) { |reader| Ctorch.weights_open(reader) }
        end
      end
    end

    # The format's name: "safetensors".
    def format
      pointer
      Ctorch.weights_format(self)
    end

    # How many tensors there are.
    def size
      pointer # of a closed one, an error
      Ctorch.weights_len(self)
    end

    # The names, in the order of the file.
    def names
      Array.new(size) { |i| name(i) }
    end

    def key?(name)
      Ctorch.weights_find(self, name)
      true
    rescue Ctorch::IndexError
      false
    end

    # A tensor, which is read.
    def [](name)
      Ctorch.weights_tensor(self, name)
    end
    alias_method :tensor, :[]

    # The name and the tensor of each.
    def each
      return enum_for(:each) { size } unless block_given?

      names.each { |name| yield name, self[name] }
      self
    end

    # Without reading: the shape, the dtype with which the tensor is read, the element type in the format's own words,
    # how many bytes it takes in the file. C's functions want the index.
    %w[shape dtype type nbytes].each do |word|
      Methods.define(self, "#{word}_at", Methods.signature("ctorch_weights_#{word}"), self_type: "weights")
      define_method(word) { |name| public_send("#{word}_at", Ctorch.weights_find(self, name)) }
    end

    # A part of a tensor: from `first` to before `last` in each of its first dimensions; negative ones count from the
    # end.
    def slice(name, first, last)
      Ctorch.weights_slice(self, name, first, last)
    end

    # A Hash of what the file says beside its tensors.
    def metadata
      OneObject.ruby(Ctorch.weights_metadata(self))
    end

    # A Hash of all tensors by their names, on the CPU or on a device.
    def load(device: nil)
      OneObject.ruby(Ctorch.weights_load(self, device: device))
    end
    alias_method :to_h, :load
  end
end
