# Loads, transforms and trains what data_sample.py does, and prints it. Its argument is a folder for snapshots.
require "ctorch"

A = Ctorch::Aten
D = Ctorch::Data
NN = Ctorch::NN
Optim = Ctorch::Optim
T = Ctorch::Transforms

# All numbers of nested lists, hashes and tensors.
def flat(item)
  case item
  when Ctorch::Tensor then item.to_flat
  when Hash then flat(item.values)
  when Array then item.flat_map { |part| flat(part) }
  else [item]
  end
end

def show(name, workers, item)
  puts "#{name} #{workers} #{flat(item).map { |number| format('%.17g', number) }.join(' ')}"
end

# Samples that are Hashes.
class Dicts
  def size
    7
  end

  def [](index)
    { "number" => index, "pair" => Ctorch::Tuple.new([index / 2.0, A.arange_start(index, index + 2)]) }
  end
end

# What is loaded, with so many workers.
class Loaded
  def initialize(workers)
    @workers = workers
    @rows = D.TensorDataset([A.arange(20, dtype: :float32).reshape([10, 2]), A.arange(10)])
  end

  def print_all
    %i[shuffled drawn weighted distributed split collated transformed].each do |name|
      Ctorch.scope do
        show(name, @workers, send(name))
        nil
      end
    end
  end

  private

  def load(dataset, **options)
    D.DataLoader(dataset, num_workers: @workers, **options)
  end

  def shuffled
    Ctorch.manual_seed(5)
    loader = load(@rows, batch_size: 4, shuffle: true)
    [loader.to_a, loader.to_a]
  end

  def drawn
    Ctorch.manual_seed(6)
    load(@rows, batch_size: 4, sampler: D.RandomSampler(@rows, replacement: true, num_samples: 7), drop_last: true).to_a
  end

  def weighted
    Ctorch.manual_seed(7)
    sampler = D.WeightedRandomSampler([1, 2, 3, 4, 0.5, 0, 1, 1, 1, 1], 8)
    load(@rows, batch_sampler: D.BatchSampler(sampler, 3, false)).to_a
  end

  def distributed
    sampler = D.DistributedSampler(@rows, 3, 1, seed: 4)
    [0, 3].map do |epoch|
      sampler.set_epoch(epoch)
      sampler.to_a
    end
  end

  def split
    Ctorch.manual_seed(8)
    [[7, 3], [0.5, 0.5]].flat_map { |lengths| D.random_split(@rows, lengths).map(&:to_a) }
  end

  def collated
    load(D::Dataset.from(Dicts.new), batch_size: 3).to_a
  end

  def transformed
    Ctorch.manual_seed(9)
    transform = T.Compose([T.RandomCrop([3]), T.RandomHorizontalFlip(), T.Lambda(->(x) { x * 2 })])
    image = A.arange(48, dtype: :float32).reshape([3, 4, 4])
    Array.new(4) { transform.(image) }
  end
end

# A training, with so many workers.
class Trained
  def initialize(workers)
    Ctorch.manual_seed(0)
    x, y, vx, vy = A.randn([50, 4]), A.randint(3, [50]), A.randn([20, 4]), A.randint(3, [20])
    @batches = D.DataLoader(D.TensorDataset([x, y]), batch_size: 8, shuffle: true, num_workers: workers)
    @validation = D.DataLoader(D.TensorDataset([vx, vy]), batch_size: 20, num_workers: workers)
  end

  # The loss of each batch and the parameters, and the history.
  def numbers
    Ctorch.manual_seed(1)
    trainer, model = make(2)
    losses = []
    trainer.on(:batch_end) { |itself| losses << itself.loss }.fit(@batches)
    [[losses, model.parameters], history(trainer)]
  end

  def resumed(folder)
    Ctorch.manual_seed(1)
    make(1).first.set_snapshots(Ctorch::Snapshots.new(folder)).fit(@batches)
    Ctorch.manual_seed(2)
    history(make(2).first.set_snapshots(Ctorch::Snapshots.new(folder)).fit(@batches))
  end

  private

  def make(epochs)
    model = NN.Sequential(NN.Linear(4, 8), NN.Tanh(), NN.Linear(8, 3))
    optimizer = Optim::SGD.new(model.parameters, lr: 0.1, momentum: 0.9, foreach: false)
    trainer = Ctorch::Trainer.new(model, optimizer)
                             .set_loss(NN.CrossEntropyLoss())
                             .set_length(epochs: epochs)
                             .add_metric("accuracy")
                             .set_clipping(max_norm: 0.5)
                             .set_lr_scheduler(Optim::LRScheduler::StepLR.new(optimizer, 1, gamma: 0.5))
                             .set_validation(@validation)
    [trainer, model]
  end

  def history(trainer)
    trainer.history.map { |epoch| epoch.values_at(:loss, :accuracy, :val_loss, :val_accuracy) }
  end
end

[0, 2].each do |workers|
  Ctorch.scope do
    Loaded.new(workers).print_all
    training = Trained.new(workers)
    exact, history = training.numbers
    show("trained", workers, exact)
    show("history", workers, history)
    show("resumed", workers, training.resumed("#{ARGV.first}/run#{workers}"))
    nil
  end
end
GC.start
puts "live #{Ctorch.debug_live_handles}"
