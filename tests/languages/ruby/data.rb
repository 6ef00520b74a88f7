# Datasets, samplers, loaders, transforms and the trainer: what they show, take and refuse. data_sample.rb has what they
# load and compute. CTORCH_FILES is a folder.
require "fileutils"

module DataTest
  A = Ctorch::Aten
  D = Ctorch::Data
  NN = Ctorch::NN
  Optim = Ctorch::Optim
  T = Ctorch::Transforms

  # Samples, one of which is broken.
  Broken = Struct.new(:failure) do
    def size
      8
    end

    def [](index)
      index == 3 ? raise(failure) : index
    end
  end

  # An iterator that tells how often it was begun and closed, and where it is.
  class Counter
    def initialize(log, last)
      @log = log
      @last = last
      @at = 0
      log[:begun] += 1
    end

    def next
      @at < @last ? @at += 1 : raise(StopIteration)
    end

    def close
      @log[:closed] += 1
    end

    def state_dict
      { "at" => @at }
    end

    def load_state_dict(state)
      @at = state["at"]
    end
  end

  # In scopes, since a block holds every variable around it.
  class << self
    # Workers run ahead while this thread holds Ruby's lock and waits for them to end.
    def memory_that_workers_take_is_collected_on_this_thread
      Ctorch.collect_under_pressure(1 << 20)
      rows = D.TensorDataset([A.ones([40, 100_000])])
      count = 0
      D.DataLoader(rows, batch_size: 4, num_workers: 2).each { |batch| break if (count += batch[0].size) == 8 }
      Checks.equal(8, count)
    ensure
      Ctorch.collect_under_pressure(Ctorch::DEFAULT_PRESSURE)
    end

    def datasets_have_lengths_samples_names_and_attributes
      Ctorch.scope do
        rows = D.TensorDataset([floats(6).reshape([3, 2]), A.arange(3)])
        Checks.equal([3, 3, "TensorDataset", false], [rows.size, rows.length, rows.name, rows.iterable?])
        row = rows[-1]
        Checks.equal([[4.0, 5.0], 2, Ctorch::Tuple], [row[0].to_a, row[1].item, row.class])
        Checks.equal([0, 1, 2], rows.map { |_, label| label.item })
        Checks.fails(Ctorch::IndexError) { rows[3] }
        Checks.fails(Ctorch::IndexError, "no attribute 'classes'") { rows.attribute(:classes) }
        Checks.fails(Ctorch::ValueError) { D.TensorDataset([]) }
        Checks.equal(%w[a b], D.StackDataset_named([rows, rows], %w[a b])[1].keys)
        Checks.equal([[1, 3], [2, 4]], D.default_collate([[1, 2], [3, 4]]).map(&:to_a))
        Checks.fails(::TypeError, "size and []") { D::Dataset.from(Object.new) }
        nil
      end
    end

    def what_a_dataset_raises_arrives_and_the_loader_goes_on
      Ctorch.scope do
        failure = ::IOError.new("mine")
        [0, 2].each do |workers|
          batches = D.DataLoader(D::Dataset.from(Broken.new(failure)), batch_size: 2, num_workers: workers).iterate
          Checks.equal([0, 1], batches.next.to_a)
          Checks.that(Checks.fails(::IOError) { batches.next }.equal?(failure), "another object")
          Checks.equal([[4, 5], [6, 7]], batches.map(&:to_a))
          Checks.fails(::StopIteration) { batches.next }
        end
        Checks.fails(::TypeError, "no value can hold") { D::Dataset.from([Object.new])[0] }
        nil
      end
    end

    def a_dataset_that_is_gone_through_by_each_worker
      Ctorch.scope do
        [0, 2].each do |workers|
          source = D::Dataset.from_iterable(length: 6) { part_of(6) }
          begun = []
          loader = D.DataLoader(source, batch_size: 2, num_workers: workers, worker_init_fn: ->(id) { begun << id })
          Checks.equal([true, 6, 3], [source.iterable?, source.size, loader.size])
          Checks.equal([0, 1, 2, 3, 4, 5], loader.flat_map(&:to_a).sort)
          Checks.equal(workers.zero? ? [] : [0, 1], begun.sort)
        end
        Checks.fails(::TypeError, "has each") { D::Dataset.from_iterable(3) }
        Checks.fails(::TypeError, "has each") { D::Dataset.from_iterable { 3 }.to_a }
        Checks.fails(Ctorch::TypeError, "length") { D::Dataset.from_iterable { [] }.size }
        nil
      end
    end

    def who_leaves_early_leaves_nothing_behind
      [0, 2].each do |workers|
        live, held = Ctorch.debug_live_handles, Ctorch::Callbacks.size
        log = { begun: 0, closed: 0 }
        source = D::Dataset.from_iterable { Counter.new(log, 1000) }
        loader = D.DataLoader(source, batch_size: 3, num_workers: workers)
        loader.each do |batch|
          Checks.equal([1, 2, 3], batch.to_a)
          batch.close
          break
        end
        Checks.equal([true, log[:begun]], [log[:begun].positive?, log[:closed]])
        [loader, source].each(&:close)
        Checks.equal([live, held], [Ctorch.debug_live_handles, Ctorch::Callbacks.size])
      end
    end

    def samplers_of_the_library_and_of_ones_own
      Ctorch.scope do
        mine = D::Sampler.from([3, 1, 2])
        Checks.equal([[3, 1, 2], 3, "Sampler", [3, 1, 2]], [mine.to_a, mine.size, mine.name, mine.to_a])
        batches = D.BatchSampler(mine, 2, false)
        Checks.equal([[[3, 1], [2]], 2], [batches.to_a, batches.size])
        Checks.equal([[3, 1], [2]], D.DataLoader(numbers(5), batch_size: 2, sampler: mine).map(&:to_a))
        pairs = D::Sampler.from { [[0, 4], [2]] }
        Checks.equal([[0, 4], [2]], D.DataLoader(numbers(5), batch_sampler: pairs).map(&:to_a))
        Checks.fails(Ctorch::TypeError, "length") { pairs.size }
        Checks.fails(Ctorch::IndexError, "set_epoch") { mine.set_epoch(1) }
        failure = ::IOError.new("order")
        failing = D.DataLoader(numbers(5), sampler: D::Sampler.from { raise failure })
        Checks.that(Checks.fails(::IOError) { failing.to_a }.equal?(failure), "another object")
        nil
      end
    end

    def batches_made_in_ones_own_way
      Ctorch.scope do
        [0, 2].each do |workers|
          joined = D.DataLoader(numbers(5), batch_size: 2, num_workers: workers, collate_fn: ->(s) { s.join("+") })
          Checks.equal([%w[0+1 2+3 4], 3], [joined.to_a, joined.size])
        end
        failure = ::IOError.new("init")
        failing = D.DataLoader(numbers(5), num_workers: 2, worker_init_fn: ->(_) { raise failure })
        Checks.that(Checks.fails(::IOError) { failing.to_a }.equal?(failure), "another object")
        Checks.equal([0, 0.0, 0.0, 0.0], D.DataLoader(numbers(2)).statistics.to_a)
        Checks.fails(Ctorch::ValueError, "batch_size") { D.DataLoader(numbers(5), batch_size: -1) }
        Checks.fails(::ArgumentError, "unknown keyword") { D.DataLoader(numbers(5), batches: 2) }
        Checks.fails(::TypeError, "expected a Ctorch::Dataset") { D.DataLoader([1, 2]) }
        Checks.fails(::TypeError, "collate_fn") { D.DataLoader(numbers(5), collate_fn: 5) }
        nil
      end
    end

    def a_loader_of_ones_own
      Ctorch.scope do
        loader = Ctorch::Loader.from([1, [2, "three"]])
        Checks.equal([[1, [2, "three"]], 2], [loader.to_a, loader.size])
        nil
      end
    end

    def a_position_is_saved_and_gone_on_from
      Ctorch.scope do
        [0, 2].each do |workers|
          Ctorch.manual_seed(3)
          loader = D.DataLoader(numbers(9), batch_size: 2, shuffle: true, num_workers: workers)
          batches = loader.iterate
          2.times { batches.next }
          state = batches.state_dict
          rest = batches.map(&:to_a)
          Checks.equal(rest, loader.iterate_from(state).map(&:to_a))
          other = loader.iterate
          other.load_state_dict(state)
          Checks.equal(rest, other.map(&:to_a))
          Checks.fails(Ctorch::RuntimeError, "taken") { other.load_state_dict(state) }
          Checks.fails(Ctorch::IndexError) { loader.iterate_from({}) }
        end
        nil
      end
    end

    def an_iterator_of_ones_own_knows_where_it_is
      Ctorch.scope do
        log = { begun: 0, closed: 0 }
        loader = Ctorch::Loader.from { Counter.new(log, 4) }
        batches = loader.iterate
        Checks.equal([1, 2], [batches.next, batches.next])
        again = loader.iterate_from(batches.state_dict)
        Checks.equal([[3, 4], [3, 4]], [batches.to_a, again.to_a])
        Checks.fails(Ctorch::UnsupportedError, "where it is") { Ctorch::Loader.from([1]).iterate.state_dict }
        nil
      end
    end

    def transforms_are_called_and_draw_from_a_generator
      Ctorch.scope do
        image = floats(48).reshape([3, 4, 4])
        flip = T.RandomHorizontalFlip(p: 1.0)
        Checks.equal(image.flip([2]).to_a, flip.(image).to_a)
        Checks.equal(["RandomHorizontalFlip", "RandomHorizontalFlip(p=1.0)"], [flip.name, flip.to_s])
        Checks.equal([image.flip([2]).to_a], [image].map(&flip).map(&:to_a))
        generator = Ctorch::Generator.create(:cpu)
        crop = T.RandomCrop([2])
        mine = T::Transform.from(name: "Mine") { |x, given| crop.(x, generator: given) }
        Checks.equal(draw(crop, image, generator), draw(mine, image, generator))
        generator.manual_seed(4)
        raw = Ctorch.transform_call_tensor(crop, image, generator: generator)
        Checks.equal(draw(crop, image, generator).first, raw.to_a)
        Checks.that(T.RandomAffine([10]).to_s.include?("fill=0"), "a default of any type is not that of C")
        Checks.equal(["Mine()", 5], [mine.to_s, T.FiveCrop([2]).(image).size])
        nil
      end
    end

    def what_is_in_a_sample_is_transformed_as_what_it_is_marked_as
      Ctorch.scope do
        marks = Ctorch::TVTensors
        boxes = marks.BoundingBoxes(Ctorch::Tensor.of([[0, 0, 1, 2]]), "XYXY", [4, 4])
        flip = T.RandomHorizontalFlip(p: 1.0)
        sample = flip.(image: marks.Image(A.zeros([3, 4, 4])), boxes: boxes, label: "cat")
        Checks.equal(["cat", [[3, 0, 4, 2]]], [sample["label"], sample["boxes"].to_a])
        Checks.equal(:bounding_boxes, Ctorch.tv_tensor_kind_of(sample["boxes"]))
        image, label = flip.(floats(2).reshape([1, 1, 2]), 7)
        Checks.equal([[[[1.0, 0.0]]], 7], [image.to_a, label])
        Checks.equal([[[1.0, 0.0]]], T::Functional.horizontal_flip(floats(2).reshape([1, 1, 2])).to_a)
        nil
      end
    end

    def functions_stand_for_transforms_by_names_in_values
      Ctorch.scope do
        both = T.Compose([->(x) { x * 2 }, T.Lambda(->(x) { x + 1 }, types: ["Tensor"])])
        Checks.equal([3, 5], both.(Ctorch::Tensor.of([1, 2])).to_a)
        rows = D.TransformedDataset(numbers(3), transform: ->(i) { i * 10 })
        [0, 2].each do |workers|
          Checks.equal([[0, 10], [20]], D.DataLoader(rows, batch_size: 2, num_workers: workers).map(&:to_a))
        end
        made = T::Transform.create("Compose", [T.Identity(), T::Transform.create("Resize", [32])])
        Checks.equal(["Compose", true], [made.name, made.to_s.include?("Resize(size=[32]")])
        held = Ctorch::Value.of([both]).to_ruby.first
        Checks.equal([3, 5], held.(Ctorch::Tensor.of([1, 2])).to_a)
        failure = ::IOError.new("mine")
        failing = T.Compose([->(_) { raise failure }])
        Checks.that(Checks.fails(::IOError) { failing.(floats(1)) }.equal?(failure), "another object")
        Checks.fails(Ctorch::ValueError) { T.Compose([]) }
        Checks.fails(::TypeError, "expected a Ctorch::Transform") { T.Compose([5]) }
        Checks.fails(Ctorch::IndexError) { T::Transform.create("NoSuch") }
        Checks.fails(Ctorch::TypeError) { T.RandomErasing(p: 1.0).(floats(1)) }
        nil
      end
    end

    def a_folder_of_images
      Ctorch.scope do
        folder = File.join(ENV.fetch("CTORCH_FILES"), "images")
        draw_images(folder, "cats" => 10, "dogs" => 200)
        images = Ctorch::Datasets.ImageFolder(
          folder, transform: T.ToDtype(:float32, scale: true), target_transform: ->(label) { label + 1 }
        )
        Checks.equal([6, %w[cats dogs]], [images.size, images.attribute(:classes)])
        Checks.equal([0, 0, 0, 1, 1, 1], images.attribute(:targets).to_a)
        [0, 2].each do |workers|
          pixels, labels = D.DataLoader(images, batch_size: 6, num_workers: workers).first
          Checks.equal([[6, 3, 4, 5], [1, 1, 1, 2, 2, 2]], [pixels.sizes, labels.to_a])
          Checks.equal([10, 11, 12, 200, 201, 202], (pixels[0.., 0, 0, 0] * 255).to_a.map(&:round))
        end
        Checks.equal([1, 4, 5], Ctorch.image_decode_file("#{folder}/cats/1.png", :gray, 0, 0).sizes)
        Checks.fails(Ctorch::IoError, "nowhere") { Ctorch::Datasets.ImageFolder("nowhere") }
        nil
      end
    end

    def a_trainer_calls_back_at_all_points
      Ctorch.scope do
        trainer, batches = begin_training
        log = []
        events = %i[begin epoch_begin batch_end gradients step validation epoch_end end]
        events.each { |event| trainer.on(event) { |_, at| log << at } }
        trainer.set_validation(batches).fit(batches)
        epoch = [:epoch_begin, *(%i[batch_end gradients step] * 2), :validation, :epoch_end]
        Checks.equal([:begin, *epoch, *epoch, :end], log)
        Checks.equal([2, 4, false], [trainer.epoch, trainer.step, trainer.stopped?])
        Checks.equal(%i[epoch loss step val_loss], trainer.history.last.keys.sort)
        nil
      end
    end

    def a_step_and_metrics_of_ones_own
      Ctorch.scope do
        plain, batches = begin_training
        plain.fit(batches)
        trainer, = begin_training
        trainer.set_step { |_, model, (x, y)| ((model.(x) - y)**2).mean }.fit(batches)
        Checks.equal([plain.history, plain.loss], [trainer.history, trainer.loss])
        trainer.set_step.add_metric("half") { |output, (_, y)| (output.sizes[0] / 2.0) - (y.sizes[0] / 4.0) }
        Checks.equal(1.0, trainer.evaluate(batches)[:half])
        nil
      end
    end

    def what_a_callback_of_the_trainer_raises_arrives
      Ctorch.scope do
        failure = ::IOError.new("mine")
        [
          ->(trainer) { trainer.set_step { raise failure } },
          ->(trainer) { trainer.add_metric("mine") { raise failure } },
          ->(trainer) { trainer.on(:step) { raise failure } }
        ].each do |call|
          trainer, batches = begin_training
          Checks.that(Checks.fails(::IOError) { call.(trainer).fit(batches) }.equal?(failure), "another object")
        end
        trainer, batches = begin_training
        Checks.fails(::TypeError, "a number") { trainer.add_metric("text") { "text" }.fit(batches) }
        Checks.fails(::TypeError, "something to call") { trainer.on(:step, 5) }
        Checks.fails(::ArgumentError, "no trainer_event") { trainer.on(:lunch) { nil } }
        Checks.fails(Ctorch::ValueError, "a metric text already") { trainer.add_metric("text") }
        Checks.fails(Ctorch::InvalidArgumentError) { trainer.set_length(epochs: 0) }
        Checks.fails(Ctorch::ValueError) { begin_training.first.loss }
        nil
      end
    end

    def a_trainer_stops_and_early
      Ctorch.scope do
        trainer, batches = begin_training
        trainer.on(:step) { |itself| itself.stop if itself.step == 1 }.fit(batches)
        Checks.equal([1, true, 0], [trainer.step, trainer.stopped?, trainer.epoch])
        trainer.fit(batches)
        Checks.equal([4, false, 2], [trainer.step, trainer.stopped?, trainer.epoch])
        early, = begin_training
        early.set_length(epochs: 50).set_early_stopping("loss", maximize: true, patience: 1).fit(batches)
        Checks.equal([true, true], [early.epoch < 50, early.stopped?])
        nil
      end
    end

    def all_settings_of_a_trainer
      Ctorch.scope do
        trainer, batches, optimizer = begin_training
        scheduler = Optim::LRScheduler::StepLR.new(optimizer, 1)
        folder = File.join(ENV.fetch("CTORCH_FILES"), "settings")
        trainer.set_accumulation(2)
               .set_autocast(:cpu, dtype: :bfloat16)
               .set_clipping(max_norm: 1)
               .set_lr_scheduler(scheduler, each_step: true)
               .set_validation(batches, every_steps: 1)
               .set_grad_scaler(nil)
               .set_progress(:none)
               .set_interruptible
               .set_snapshots(Ctorch::Snapshots.new(folder), every_steps: 1, metric: "val_loss")
               .fit(batches)
        Checks.equal([2, 2], [trainer.step, scheduler.last_epoch])
        nil
      end
    end

    def steps_are_captured
      Ctorch.scope do
        model = NN.Linear(3, 2)
        losses = [0, 2].map do |most|
          trainer, batches, = begin_training
          trainer.set_length(epochs: 4).set_tape(most).fit(batches)
          trainer.history.map { |epoch| epoch["loss"] }
        end
        Checks.equal(losses[0], losses[1])
        Ctorch.no_grad do
          step = Ctorch.capture(A.zeros([1, 3])) { |x| [model.call(x), A.neg(x)] }
          x = floats(3).reshape([1, 3])
          expected = [model.call(x), A.neg(x)].map(&:to_a)
          Checks.equal(expected, step.call(x).map(&:to_a))
          Checks.equal([true, true], [step.to_s.include?("aten::neg"), step.bytes > 0])
          model.set_tape
          Checks.equal([expected[0]] * 4, Array.new(4) { model.call(x).to_a })
        end
        Checks.fails(Ctorch::UnsupportedError, "aten::nonzero") { Ctorch.capture(A.zeros([3])) { |x| A.nonzero(x) } }
        nil
      end
    end

    # Without a block where the trainer is a variable, it goes by itself.
    def trainers_are_collected
      trainer, batches = begin_training
      trainer.add_metric("accuracy").set_step(method(:mean_square)).on(:step, method(:nothing)).fit(batches)
    end

    private

    def floats(length)
      A.arange(length, dtype: :float32)
    end

    def numbers(length)
      D::Dataset.from((0...length).to_a)
    end

    def part_of(length)
      info = D.get_worker_info
      info ? (info.id...length).step(info.num_workers) : (0...length)
    end

    def draw(transform, image, generator)
      generator.manual_seed(4)
      Array.new(5) { transform.(image, generator: generator).to_a }
    end

    def draw_images(folder, values)
      values.each do |name, value|
        FileUtils.mkdir_p("#{folder}/#{name}")
        3.times do |i|
          image = A.full([3, 4, 5], value + i, dtype: :uint8)
          Ctorch.image_encode_png_file(image, 6, "#{folder}/#{name}/#{i}.png")
        end
      end
    end

    def mean_square(_, model, batch)
      ((model.(batch[0]) - batch[1])**2).mean
    end

    def nothing(_, _) end

    # A trainer of four weights, its batches and its optimizer.
    def begin_training
      Ctorch.manual_seed(1)
      model = NN.Linear(3, 1)
      optimizer = Optim::SGD.new(model.parameters, lr: 0.01)
      batches = D.DataLoader(D.TensorDataset([floats(24).reshape([8, 3]), A.ones([8, 1])]), batch_size: 4)
      trainer = Ctorch::Trainer.new(model, optimizer).set_loss(NN.MSELoss()).set_length(epochs: 2)
      [trainer, batches, optimizer]
    end
  end
end
