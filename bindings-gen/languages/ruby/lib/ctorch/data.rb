module Ctorch
  # What makes samples and batches of Ruby's objects for C.
  #
  # Procs are called on the thread that takes batches, also by a loader with workers: these then do what the library does
  # by itself, as transforms of its own and making batches. They are made here since a proc holds the object that it is
  # made in, which would never be collected.
  module Source
    # The next value of an iterator; and what ends it when nobody wants more, if it can be closed.
    class Step
      def initialize(iterator)
        @iterator = iterator
      end

      def call
        Source.give(@iterator.next)
      rescue StopIteration
        nil
      end

      def leave
        @iterator.close if @iterator.respond_to?(:close)
      rescue ::StandardError
        nil # nobody is there to hear of it
      end
    end

    class << self
      def give(object)
        Callbacks::Made.new(Value.of(object))
      end

      def samples(source)
        ->(index) { give(source[index]) }
      end

      # What begins to go through `source`, which has `each`, or through what it answers if it can be called.
      def beginning(source)
        -> { iterator(source.respond_to?(:call) ? source.call : source) }
      end

      # Collation, and other procs of a value.
      def of_value(function)
        ->(value) { give(function.call(OneObject.ruby(value))) }
      end

      # A proc that answers nothing to C.
      def silent(function)
        lambda do |*given|
          function.call(*given)
          nil
        end
      end

      def check(function, name)
        return function if function.respond_to?(:call)

        raise ::TypeError, "#{name}: expected something to call, got a #{function.class}"
      end

      def repeatable(source, name)
        return source if source.respond_to?(:each) || source.respond_to?(:call)

        raise ::TypeError, "#{name}: expected what has each, or a function that answers that, got a #{source.class}"
      end

      # How long something is, if that is known.
      def length(source, length)
        length || (source.is_a?(Array) ? source.size : nil)
      end

      private

      # An iterator that has `state_dict` and `load_state_dict` can tell C where it is.
      def iterator(source)
        return source if source.is_a?(Iterator)

        is_iterator = source.respond_to?(:next) && !source.respond_to?(:succ) # 3.next is 4
        inner = is_iterator ? source : repeatable(source, "the function's answer").to_enum(:each)
        step = Step.new(inner)
        return Callbacks::Made.new(Ctorch.iterator_from_callback(next_: step)) unless inner.respond_to?(:load_state_dict)

        Callbacks::Made.new(Ctorch.iterator_from_stateful_callback(
          next_: step, save: -> { give(inner.state_dict) }, load: ->(state) { inner.load_state_dict(OneObject.ruby(state)) }
        ))
      end
    end
  end

  # Where one is in a sequence of values, which it goes through once.
  class Iterator
    include Enumerable

    # The next value; StopIteration at the end.
    def next
      value = Ctorch.iterator_next(self)
      raise StopIteration, "the iterator has ended" if value.nil?

      OneObject.ruby(value)
    end

    # The values that are left. A break leaves the others where they are.
    def each
      return to_enum(:each) unless block_given?

      while (value = Ctorch.iterator_next(self))
        yield OneObject.ruby(value)
      end
      self
    end

    # A Hash that tells where it is, to be saved.
    def state_dict
      OneObject.ruby(Ctorch.iterator_state_dict(self))
    end

    # Go on where another iterator was; nothing was taken from this one yet.
    def load_state_dict(state_dict)
      Ctorch.iterator_load_state_dict(self, state_dict)
    end
  end

  # What is gone through again and again: each pass has an iterator, which is closed at the end of it, or when it is left.
  module Repeated
    include Enumerable

    def each(&block)
      return to_enum(:each) unless block

      iterator = iterate
      begin
        iterator.each(&block)
      ensure
        iterator.close
      end
      self
    end
  end

  # Samples to train with: by index, or one after another.
  class Dataset
    include Repeated

    class << self
      # Samples of your own, by index: an Array, or what has `size` and `[]`.
      def from(source)
        unless source.respond_to?(:size) && source.respond_to?(:[]) && !source.is_a?(Hash)
          raise ::TypeError, "Dataset.from: expected what has size and [], got a #{source.class}"
        end
        Ctorch.dataset_from_callback(source.size, get: Source.samples(source))
      end

      # Samples of your own, one after another: what has `each`, or a function, or block, that answers that. Each worker of
      # a loader goes through it by itself: Data.get_worker_info tells which one asks.
      def from_iterable(source = nil, length: nil, &block)
        source = Source.repeatable(source || block, "Dataset.from_iterable")
        Ctorch.dataset_from_iterable(Source.length(source, length), iterate: Source.beginning(source))
      end
    end

    # Name of the class.
    def name
      Ctorch.dataset_name(self)
    end

    # Number of samples.
    def size
      Ctorch.dataset_len(self)
    end
    alias_method :length, :size

    # Whether its samples come one after another, and not by index.
    def iterable?
      Ctorch.dataset_is_iterable(self)
    end

    # A sample; a negative index counts from the end.
    def [](index)
      OneObject.ruby(Ctorch.dataset_get(self, index))
    end

    # Something that it knows besides its samples: "classes".
    def attribute(name)
      OneObject.ruby(Ctorch.dataset_attribute(self, name.to_s))
    end

    def iterate
      Ctorch.dataset_iterate(self)
    end
  end

  # In which order a loader takes samples: an index, or an Array of them, one after another.
  class Sampler
    include Repeated

    # An order of your own: what has `each`, or a function, or block, that answers that for each epoch.
    def self.from(source = nil, length: nil, &block)
      source = Source.repeatable(source || block, "Sampler.from")
      Ctorch.sampler_from_callback(Source.length(source, length), iterate: Source.beginning(source))
    end

    # Name of the class.
    def name
      Ctorch.sampler_name(self)
    end

    # Number of indices, or of batches.
    def size
      Ctorch.sampler_len(self)
    end
    alias_method :length, :size

    # Let the next order be that of an epoch, as DistributedSampler has it.
    def set_epoch(epoch)
      Ctorch.sampler_set_epoch(self, epoch)
    end

    def iterate
      Ctorch.sampler_iterate(self)
    end
  end

  # What makes batches of a dataset: `loader.each { |images, labels| … }`. It is made by Data.DataLoader.
  class Loader
    include Repeated

    Statistics = Struct.new(:batches, :consumer_waited, :workers_waited, :workers_worked)

    # Batches of your own: what has `each`, or a function, or block, that answers that for each epoch.
    def self.from(source = nil, length: nil, &block)
      source = Source.repeatable(source || block, "Loader.from")
      Ctorch.loader_from_callback(Source.length(source, length), iterate: Source.beginning(source))
    end

    # Number of batches.
    def size
      Ctorch.loader_len(self)
    end
    alias_method :length, :size

    # Begin an epoch: an iterator, whose position can be saved.
    def iterate
      Ctorch.loader_iterate(self)
    end

    # Begin where an iterator of such a loader was.
    def iterate_from(state_dict)
      Ctorch.loader_iterate_from(self, state_dict)
    end

    # Which side is slow: how many batches were handed out, and how many seconds the two sides waited and worked.
    def statistics
      Statistics.new(*Ctorch.loader_statistics(self))
    end
  end

  # torch.utils.data: `Ctorch::Data.TensorDataset([x, y])`, `Ctorch::Data.DataLoader(dataset, batch_size: 64)`.
  module Data
    Dataset = Ctorch::Dataset
    Sampler = Ctorch::Sampler
    WorkerInfo = Struct.new(:id, :num_workers, :seed)

    class << self
      # A loader; `collate_fn` makes the batches, `worker_init_fn` is called when a worker begins.
      def DataLoader(dataset, collate_fn: nil, worker_init_fn: nil, **options)
        collate = collate_fn && Source.of_value(Source.check(collate_fn, "collate_fn"))
        begins = worker_init_fn && Source.silent(Source.check(worker_init_fn, "worker_init_fn"))
        loader = Ctorch.data_DataLoader(dataset, **options)
        Ctorch.loader_set_collate(loader, collate: collate) if collate
        Ctorch.loader_set_worker_init(loader, worker_init: begins) if begins
        loader
      end

      # Split a dataset at random, by lengths or by fractions that add up to 1: a Subset for each.
      def random_split(dataset, lengths, generator: nil)
        name = lengths.all?(Integer) ? :data_random_split : :data_random_split_fractions
        Ctorch.public_send(name, dataset, lengths, generator: generator).map do |indices|
          Ctorch.data_Subset_tensor(dataset, indices)
        ensure
          indices.close
        end
      end

      def default_collate(batch)
        OneObject.ruby(Ctorch.data_default_collate(batch))
      end

      def default_convert(data)
        OneObject.ruby(Ctorch.data_default_convert(data))
      end

      # The worker that calls this block of a dataset; nil where no worker is at work.
      def get_worker_info
        info = WorkerInfo.new(*Ctorch.loader_worker_info)
        info.id.negative? ? nil : info
      end
    end
  end
end
