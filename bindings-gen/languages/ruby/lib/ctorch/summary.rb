module Ctorch
  # Writes what a run logs for TensorBoard, as torch.utils.tensorboard's SummaryWriter does.
  #
  #   Ctorch::SummaryWriter.open("runs/first") do |board|
  #     board.add_scalar("loss/train", loss, step)
  #     board.add_histogram("weights", model.weight, step)
  #   end
  #
  # Numbers may be tensors of one element. Without a `walltime` (seconds since 1970) it is now.
  class SummaryWriter
    class << self
      # A writer into a folder; without one into one of "runs", which date and machine name. With a block it is closed
      # behind it.
      def open(log_dir = nil, max_queue: 10, flush_secs: 120, **options)
        options[:log_dir] = log_dir && Streams.path(log_dir)
        writer = Ctorch.summary_writer_open(max_queue, flush_secs, **options)
        return writer unless block_given?

        begin
          yield writer
        ensure
          writer.close
        end
      end
    end

    # Begin another file when one is so large or so old; 0 for never.
    def set_rotation(max_bytes: 0, max_secs: 0)
      Ctorch.summary_writer_set_rotation(self, max_bytes, max_secs)
      self
    end

    def add_scalar(tag, value, step = 0, walltime: nil, new_style: false, double_precision: false)
      style = { new_style: new_style, double_precision: double_precision }
      Ctorch.summary_writer_add_scalar(self, tag, Logger.number(value), step, walltime: walltime, **style)
    end

    # The numbers of a Hash for one chart, each in a folder of its own.
    def add_scalars(main_tag, values, step = 0, walltime: nil)
      Ctorch.summary_writer_add_scalars(self, main_tag, *Logger.columns(values), step, walltime: walltime)
    end

    def add_tensor(tag, tensor, step = 0, walltime: nil)
      Ctorch.summary_writer_add_tensor(self, tag, tensor, step, walltime: walltime)
    end

    # How elements are distributed. `bins` are a rule, "tensorflow" or one of NumPy, or an Array of edges.
    def add_histogram(tag, values, step = 0, bins: "tensorflow", walltime: nil, max_bins: 0)
      if bins.is_a?(Array)
        Ctorch.summary_writer_add_histogram_edges(self, tag, values, step, bins, max_bins, walltime: walltime)
      else
        Ctorch.summary_writer_add_histogram(self, tag, values, step, max_bins, bins: bins.to_s, walltime: walltime)
      end
    end

    # An image or several; `dataformats` says what its dimensions are: "CHW", "NHWC".
    def add_image(tag, image, step = 0, walltime: nil, dataformats: nil)
      Ctorch.summary_writer_add_image(self, tag, image, step, walltime: walltime, dataformats: dataformats)
    end

    def add_audio(tag, sound, step = 0, sample_rate: 44_100, walltime: nil)
      Ctorch.summary_writer_add_audio(self, tag, sound, step, sample_rate, walltime: walltime)
    end

    def add_text(tag, text, step = 0, walltime: nil)
      Ctorch.summary_writer_add_text(self, tag, text, step, walltime: walltime)
    end

    # What a module computes, by a trace of it on these inputs.
    def add_graph(model, *inputs, walltime: nil)
      Ctorch.summary_writer_add_graph(self, model, inputs, walltime: walltime)
    end

    # Write what waits, bring it to the disk, and give the writer back. Where that fails it stays open, and may be closed
    # again.
    def close
      return if closed?

      Ctorch.summary_writer_finish(self)
      super
    end
  end

  # What event files hold.
  #
  #   Ctorch::SummaryReader.open("runs/first").each { |event| p event.tag, event.step, event.value }
  #
  # When a run goes on, going through them again gives what has come since.
  class SummaryReader
    include Enumerable

    # The value is a scalar's number, a text's String, the tensor of a tensor, of a histogram its edges and its counts; nil
    # of others.
    Event = Struct.new(:tag, :step, :wall_time, :kind, :value)
    VALUES = { scalar: :scalar, text: :text, tensor: :tensor, histogram: :bins }.freeze

    class << self
      # A file, or the files of a folder.
      def open(path)
        Ctorch.summary_reader_open(Streams.path(path))
      end

      # The folders below one that have event files, "." for itself.
      def runs(folder)
        OneObject.ruby(Ctorch.summary_reader_runs(Streams.path(folder)))
      end
    end

    def each
      return enum_for(:each) unless block_given?

      yield event while Ctorch.summary_reader_next(self)
      self
    end

    private

    def event
      kind = Ctorch.summary_reader_kind(self)
      value = VALUES[kind] && Ctorch.public_send("summary_reader_#{VALUES[kind]}", self)
      Event.new(*%w[tag step wall_time].map { |name| Ctorch.public_send("summary_reader_#{name}", self) }, kind, value)
    end
  end

  # What takes the numbers of a run by their names: `trainer.add_logger(Ctorch::Logger.csv("log.csv"))`.
  class Logger
    class << self
      # A table in a file, whose header grows with the names.
      def csv(path)
        Ctorch.logger_open_csv(Streams.path(path))
      end

      def json_lines(path)
        Ctorch.logger_open_json_lines(Streams.path(path))
      end

      # Scalars of a SummaryWriter; or what a block makes of a Hash of numbers, a step and a time.
      def of(writer = nil, &block)
        return Ctorch.logger_from_summary_writer(writer) if writer

        called = Source.check(block, "Logger.of")
        Ctorch.logger_from_callback do |names, numbers, step, walltime|
          called.call(names.zip(numbers).to_h, step, walltime)
        end
      end

      def number(value)
        Float(value.is_a?(Tensor) ? value.item : value)
      end

      # The names and the numbers of a Hash.
      def columns(values)
        [values.keys.map(&:to_s), values.values.map { |value| number(value) }]
      end
    end

    def log(values, step, walltime: nil)
      Ctorch.logger_log(self, *Logger.columns(values), step, walltime: walltime)
    end
  end
end
