# Files of every kind: read those that Python has written to a folder, and write some for it to read.
require "pathname"
require "stringio"

module FilesTest
  A = Ctorch::Aten
  NN = Ctorch::NN
  FOLDER = ENV.fetch("CTORCH_FILES")

  # Takes and gives 100 bytes at a time.
  class Slow < StringIO
    def read(length = nil) = super(length && [length, 100].min)
    def write(data) = super(data.byteslice(0, 100))
  end

  # Cannot go back.
  class Pipe
    def initialize(data) = @data = data
    def read = @data
  end

  class Seen
    attr_accessor :seen

    def state_dict = { "seen" => seen }
    def load_state_dict(state) = self.seen = state["seen"]
  end

  class << self
    def files_of_torch_are_read_by_path_bytes_and_stream
      data = File.binread(path("python.pt"))
      before = StringIO.new("before#{data}".b).tap { |io| io.pos = 6 }
      sources = [path("python.pt"), Pathname(path("python.pt")), data, StringIO.new(data), before, Slow.new(data)]
      sources.each { |source| content?(Ctorch.load(source)) }
      File.open(path("python.pt"), "rb") { |file| content?(Ctorch.load(file)) }
      IO.popen(["cat", path("python.pt")], "rb") { |pipe| content?(Ctorch.load(pipe)) }
      content?(Ctorch.load(Pipe.new(data)))
      content?(Ctorch.load(path("python.pt"), mmap: true))
      nil
    end

    def what_is_saved_is_the_same_by_path_bytes_and_stream
      content = Ctorch.load(path("python.pt"))
      Ctorch.save(content, path("archive.pt"))
      data = Ctorch.save(content)
      File.binwrite(path("bytes.pt"), data)
      [StringIO.new("".b), Slow.new("".b)].each do |stream|
        Ctorch.save(content, stream)
        Checks.equal(data, stream.string)
      end
      File.open(path("stream"), "wb") { |file| Ctorch.save(content, file) }
      Checks.equal([data, Encoding::BINARY], [File.binread(path("stream")), data.encoding])
      Checks.equal(data.size, Ctorch.save(content, skip_data: true, crc32: false).size)
    end

    def state_dicts_keep_their_metadata
      state = Ctorch.load(path("python.state.pt"))
      Checks.equal([Ctorch::OrderedDict, 1], [state.class, state.attributes["_metadata"]["0"]["version"]])
      model = NN.Sequential(NN.Linear(3, 3), NN.Linear(3, 3))
      Checks.equal([[], []], model.load_state_dict(state).to_a)
      Checks.equal(state["0.weight"].to_a, model[0].weight.to_a)
      Ctorch.save(state, path("state.pt"))
      again = Ctorch.load(Ctorch.save(model.state_dict))
      Checks.equal([state.keys, state.attributes], [again.keys, again.attributes])
    end

    def devices_are_mapped
      asked = []
      places = [:meta, "meta", Ctorch::Device.new(:meta), { "cpu" => :meta }, { cpu: "meta" }, ->(_) { :meta }]
      places.each { |place| Checks.equal(:meta, device(place).type) }
      Checks.equal(:cpu, device({ "cuda" => :meta }).type)
      Checks.equal(:cpu, device(->(location) { (asked << location) && nil }).type)
      Checks.equal(["cpu"], asked.uniq)
      Checks.fails(::TypeError, "a device") { device(->(_) { 3 }) }
    end

    def classes_are_allowed
      file = path("python.class.pt")
      Checks.fails(Ctorch::FormatError, "argparse.Namespace") { Ctorch.load(file) }
      ["argparse.Namespace", ["argparse.Namespace"], ->(_, name) { name == "Namespace" }].each do |allow|
        found = Ctorch.load(file, allow: allow, map_location: :cpu)
        Checks.equal(0.5, found["args"].attributes["lr"])
        Checks.fails(Ctorch::UnsupportedError) { Ctorch.save(found) }
        Checks.that(!Ctorch.save(found, weights_only: false).empty?, "nothing")
      end
      Checks.fails(::TypeError, "true or false") { Ctorch.load(file, allow: ->(_, _) { 1 }) }
    end

    def progress_is_heard_and_ends_it
      heard = []
      data = Ctorch.save([A.ones([100])], progress: ->(nbytes) { heard << nbytes })
      Checks.equal(data.size, heard.last)
      Ctorch.load(data, progress: ->(nbytes) { heard << nbytes })
      Checks.that(heard.size > 1, "nothing was heard")
      stop = ->(_) { raise KeyError, "mine" }
      Checks.fails(KeyError, "mine") { Ctorch.save(1, path("none.pt"), progress: stop) }
      Checks.fails(KeyError, "mine") { Ctorch.load(data, progress: stop) }
      Checks.equal(false, File.exist?(path("none.pt")))
    end

    def what_fails_is_an_error_and_leaves_what_was_there
      data = File.binread(path("python.damaged.pt"))
      Checks.fails(Ctorch::FormatError, "python.damaged.pt") { Ctorch.load(path("python.damaged.pt")) }
      Checks.fails(Ctorch::FormatError) { Ctorch.load(data) }
      Checks.fails(Ctorch::IoError, "missing.pt") { Ctorch.load(path("missing.pt")) }
      Checks.fails(Ctorch::IoError) { Ctorch.save(1, path("no folder/a.pt")) }
      Checks.fails(::ArgumentError, "mapped") { Ctorch.load(data, mmap: true) }
      Checks.fails(::TypeError, "a path, bytes") { Ctorch.load(3) }
      Checks.fails(::TypeError, "what has `write`") { Ctorch.save(1, 3) }
      Checks.fails(::TypeError, "no value can hold") { Ctorch.save([Object.new], path("none.pt")) }
      ended = StringIO.new(data).tap { |io| io.define_singleton_method(:read) { |_ = nil| nil } }
      Checks.fails(::ArgumentError, "bytes, not 0") { Ctorch.load(ended) }
      text = StringIO.new(data).tap { |io| io.define_singleton_method(:read) { |_ = nil| 3 } }
      Checks.fails(NoMethodError, "bytesize") { Ctorch.load(text) }
      File.open(path("python.pt")) { |file| Checks.fails(::IOError, "not opened for writing") { Ctorch.save(1, file) } }
      Checks.equal(false, File.exist?(path("none.pt")))
    end

    def weights_of_every_format
      data = File.binread(path("python.safetensors"))
      [path("python.safetensors"), data, StringIO.new(data)].each { |source| weights(source) }
      Ctorch::Weights.use(path("python.pt"), progress: ->(_) {}) do |weights|
        Checks.equal([true, 3], [weights.names.include?("tensors.weight"), weights.metadata["epoch"]])
      end
    end

    def safetensors_files
      tensors = Ctorch::Safetensors.load_file(path("python.safetensors"))
      tensors?(tensors)
      Ctorch::Safetensors.save_file(tensors, path("out.safetensors"), metadata: { format: "pt" })
      data = Ctorch::Safetensors.save(tensors.transform_keys(&:to_sym), metadata: { "format" => "pt" })
      File.binwrite(path("bytes.safetensors"), data)
      tensors?(Ctorch::Safetensors.load(data))
      Checks.equal(:meta, Ctorch::Safetensors.load_file(data, device: :meta)["weight"].device.type)
      Checks.fails(Ctorch::FormatError) { Ctorch::Safetensors.load(data[0...-1]) }
      Checks.fails(Ctorch::FormatError, "is npy, not") { Ctorch::Safetensors.load_file(path("python.npy")) }
      weight = tensors["weight"]
      Checks.fails(Ctorch::RuntimeError, "share memory") { Ctorch::Safetensors.save({ a: weight, b: weight }) }
    end

    def models_whose_tensors_share_memory
      file = path("python.model.safetensors")
      model = NN.Sequential(NN.Linear(3, 3), NN.Linear(3, 3))
      model[1].weight = Ctorch::Parameter.of(model[0].weight)
      Checks.equal([[], []], Ctorch::Safetensors.load_model(model, file).to_a)
      Ctorch::Safetensors.save_model(model, path("out.model.safetensors"))
      other = NN.Linear(3, 3)
      Checks.fails(Ctorch::RuntimeError, "0.weight") { Ctorch::Safetensors.load_model(other, file) }
      Checks.equal(2, Ctorch::Safetensors.load_model(other, file, strict: false).missing_keys.size)
    end

    def files_of_numpy
      x = Ctorch::Npy.load(path("python.npy"))
      Checks.equal([4.0, 5.0, 6.0, 7.0], x.to_a[1])
      Ctorch::Npy.save(path("out.npy"), x)
      Checks.equal(x.to_a, Ctorch::Npy.load(Ctorch::Npy.save(nil, x)).to_a)
      tensors = Ctorch::Npz.load(path("python.npz"))
      tensors?(tensors, half: false)
      Ctorch::Npz.save(path("out.npz"), tensors)
      Ctorch::Npz.save(path("compressed.npz"), tensors, compressed: true)
      Checks.fails(Ctorch::FormatError, "is npz, not npy") { Ctorch::Npy.load(path("python.npz")) }
      Checks.fails(Ctorch::UnsupportedError) { Ctorch::Npy.save(nil, x.to(dtype: :bfloat16)) }
    end

    def several_files
      tensors = Ctorch::Safetensors.load_file(path("python.safetensors"))
      Ctorch::Sharded.save(tensors, path("sharded"), max_shard_size: 48, metadata: { by: "test" })
      tensors?(Ctorch::Sharded.load(Pathname(path("sharded"))))
      Ctorch::Weights.use(path("sharded/model.safetensors.index.json")) do |weights|
        Checks.equal(%w[sharded test], [weights.format, weights.metadata["by"]])
      end
      wrong = -> { Ctorch::Sharded.save(tensors, path("sharded"), format: "x") }
      Checks.fails(Ctorch::InvalidArgumentError, "format", &wrong)
    end

    def a_run_that_goes_on_computes_what_it_would_have
      whole = train("whole", 7)
      Checks.equal([2, 4], train("run", 5, every: 2, async: true)[:steps])
      rest = train("run", 7, every: 2, keep_last: 2)
      Checks.equal(whole[:losses].drop(4), rest[:losses])
      Checks.equal([[4, 6], { "batches" => 7 }, whole[:losses][5]], [rest[:steps], rest[:counts], rest[:metrics][1]])
      Checks.equal(6, Ctorch.load(rest[:paths][1])["step"])
    end

    def parts_of_ones_own_and_snapshots_that_fail
      snapshots = Ctorch::Snapshots.new(Pathname(path("own")))
      Checks.equal(nil, snapshots.resume)
      object, list = Seen.new.tap { |seen| seen.seen = 7 }, [1, 2]
      snapshots.add("object", object).add("list", list)
      Checks.fails(Ctorch::ValueError, "object") { snapshots.add("object", {}) }
      Checks.fails(::TypeError, "what has a state") { snapshots.add("other", 3) }
      snapshots.save(1, 2, metric: 0.5)
      object.seen = 8
      list << 3
      Checks.equal([[1, 2], 7, [1, 2]], [snapshots.resume("best"), object.seen, list])
      snapshots.add_callbacks("failing", -> { raise KeyError, "mine" }, ->(_) {})
      Checks.fails(KeyError, "mine") { snapshots.save(1, 3) }
      Checks.fails(Ctorch::IndexError, "failing") { snapshots.resume }
      snapshots.close
      Checks.fails(Ctorch::Handle::ClosedError) { snapshots.save(1, 3) }
      Checks.fails(Ctorch::ValueError) { Ctorch::Snapshots.new(path("own"), every: -1) }
    end

    def what_is_held_for_c_goes
      GC.start
      before = Ctorch::Callbacks.size
      Ctorch.load(StringIO.new(File.binread(path("python.pt"))), progress: ->(_) {}, allow: ->(_, _) { false })
      Ctorch.save(1, StringIO.new("".b), progress: ->(_) {})
      Ctorch::Snapshots.new(path("own")).add("hash", {}).close
      Checks.equal(before, Ctorch::Callbacks.size)
    end

    private

    def path(name) = File.join(FOLDER, name)

    def content?(found)
      Checks.equal([3, 0.5, "größe", "a\0\xFF".b], found.values_at("epoch", "lr", "name", "data"))
      Checks.equal([2**70, Ctorch::Tuple], [found["list"][3], found["tuple"].class])
      Checks.equal([11.0, :bfloat16], [found["tensors"]["weight"][2, 3].item, found["tensors"]["half"].dtype])
    end

    def tensors?(found, half: true)
      Checks.equal([[3, 4], 7, [true, false]], [found["weight"].sizes, found["number"].item, found["flags"].to_a])
      Checks.equal(half ? [[1.0], [1.0]] : nil, found["half"]&.to(dtype: :float32)&.to_a)
    end

    def device(map_location)
      Ctorch.load(path("python.pt"), map_location: map_location)["tensors"]["weight"].device
    end

    def weights(source)
      weights = Ctorch::Weights.new(source)
      Checks.equal(["safetensors", 4], [weights.format, weights.size])
      Checks.equal([true, false], [weights.key?("weight"), weights.key?("no")])
      Checks.equal([[3, 4], :bfloat16, "BF16"], [weights.shape("weight"), weights.dtype("half"), weights.type("half")])
      Checks.equal([48, { "format" => "pt" }], [weights.nbytes("weight"), weights.metadata])
      Checks.equal([8.0, 9.0, 10.0, 11.0], weights["weight"].to_a[2])
      Checks.equal([[6.0, 7.0]], weights.slice("weight", [1, -2], [2, 4]).to_a)
      tensors?(weights.load)
      tensors?(weights.to_a.to_h)
      Checks.equal(:meta, weights.load(device: :meta)["weight"].device.type)
      Checks.fails(Ctorch::IndexError, "no") { weights.shape("no") }
      weights.close
      Checks.fails(Ctorch::Handle::ClosedError) { weights.names }
      Checks.fails(Ctorch::Handle::ClosedError) { weights.format }
    end

    # Train up to a step, from where the snapshots stop; the losses, and what the snapshots know.
    def train(name, steps, **options)
      Ctorch.manual_seed(1)
      model = NN.Sequential(NN.Linear(4, 8), NN.Dropout(p: 0.5), NN.Linear(8, 1))
      optimizer = Ctorch::Optim::AdamW.new(model.parameters, lr: 0.1)
      scheduler = Ctorch::Optim::LRScheduler::StepLR.new(optimizer, 2, gamma: 0.5)
      scaler = Ctorch::Amp::GradScaler.new(:cpu, growth_interval: 2)
      counts, losses = { "batches" => 0 }, []
      snapshots = Ctorch::Snapshots.new(path(name), **options)
      parts = { model: model, optimizer: optimizer, scheduler: scheduler, scaler: scaler, mine: counts }
      parts.each { |part, object| snapshots.add(part.to_s, object) }
      _, step = snapshots.resume || [0, 0]
      while step < steps
        optimizer.zero_grad
        loss = model.call(A.randn([16, 4])).pow(2).mean
        scaler.scale(loss).backward
        scaler.step(optimizer)
        scaler.update
        scheduler.step
        counts["batches"] += 1
        losses << loss.item
        snapshots.step(0, step += 1, metric: losses.last)
      end
      snapshots.wait
      { losses: losses, counts: counts, steps: snapshots.steps, metrics: snapshots.metrics, paths: snapshots.paths }
    ensure
      snapshots&.close
    end
  end
end
