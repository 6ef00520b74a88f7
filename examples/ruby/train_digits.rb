# Trains a small convolutional network on handwritten digits: ../train_digits.c in Ruby, so that the same options give the
# same losses.
#
#   ruby -I bindings/ruby/lib examples/ruby/train_digits.rb --epochs 3 --data examples/data
require "ctorch"
require "optparse"

NN = Ctorch::NN
Optim = Ctorch::Optim
T = Ctorch::Transforms

# Images (N, 1, 8, 8) to a score for each class (N, 10).
def network
  relu = NN.ReLU(inplace: true) # one for all three places: it has no parameters
  {
    conv1: NN.Conv2d(1, 32, 3, padding: 1), relu1: relu,
    conv2: NN.Conv2d(32, 64, 3, padding: 1), relu2: relu, pool: NN.MaxPool2d(2),
    flatten: NN.Flatten(), fc1: NN.Linear(64 * 4 * 4, 128), relu3: relu, fc2: NN.Linear(128, 10)
  }.each_with_object(NN.Sequential()) { |(name, layer), model| model.register_module(name.to_s, layer) }
end

# Batches of a part of the data, "train" or "t10k" as MNIST calls them (../data/README.md): pixels from 0 to 1; and in
# training each image turned, shifted, stretched and sheared a little, anew each time.
def batches_of(part, options)
  training = part == "train"
  steps = [T.ToDtype(:float32), T.Normalize([0], [16])]
  if training
    steps << T.RandomAffine([10], translate: [0.1, 0.1], scale: [0.85, 1.15], shear: [10], interpolation: "bilinear")
  end
  images, labels = %w[images-idx3 labels-idx1].map { |name| "#{options[:data]}/#{part}-#{name}-ubyte" }
  dataset = Ctorch::Datasets.IDXFile(images, labels, transform: T.Compose(steps))
  Ctorch::Data.DataLoader(
    dataset, batch_size: options[:batch_size], shuffle: training, num_workers: options[:workers]
  )
end

def train_and_test(options)
  model = network
  optimizer = Optim::SGD.new(model.parameters, options[:lr], momentum: 0.9, weight_decay: 1e-3)
  scheduler = Optim::LRScheduler::LinearLR.new(optimizer, 1, end_factor: 0, total_iters: options[:epochs])
  trainer = Ctorch::Trainer.new(model, optimizer)
                           .set_loss(NN.CrossEntropyLoss())
                           .set_lr_scheduler(scheduler)
                           .set_length(epochs: options[:epochs])
                           .set_progress(:auto)
                           .add_metric("accuracy")
                           .fit(batches_of("train", options))
  if options[:losses]
    File.write(options[:losses], trainer.history.map { |epoch| format("%.17g\n", epoch[:loss]) }.join)
  end
  found = trainer.evaluate(batches_of("t10k", options))
  puts format("test loss %.4f, accuracy %.2f %%", found[:loss], 100 * found[:accuracy])
end

options = { epochs: 30, batch_size: 32, lr: 0.05, seed: 0, threads: 1, workers: 0, data: "examples/data" }
OptionParser.new do |parser|
  parser.on("--epochs N", Integer)
  parser.on("--batch-size N", Integer)
  parser.on("--lr X", Float)
  parser.on("--seed N", Integer)
  parser.on("--threads N", Integer)
  parser.on("--workers N", Integer)
  parser.on("--data DIR")
  parser.on("--losses FILE")
end.parse!(into: given = {})
options.merge!(given.transform_keys { |key| key.to_s.tr("-", "_").to_sym })

Ctorch.set_num_threads(options[:threads])
Ctorch.scope do # closes what is made in it
  Ctorch.manual_seed(options[:seed])
  train_and_test(options)
  nil
end
left = Ctorch.debug_live_handles # counted with CTORCH_DEBUG_HANDLES=1
abort "train_digits: #{left} handles leaked" if left.positive?
