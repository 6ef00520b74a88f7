# Trains a small convolutional network on handwritten digits: the program of ../train_digits.c, number for number.
#
#   ruby -I bindings/ruby/lib examples/ruby/train_digits.rb --epochs 3 --data examples/data
#
# Tensors are closed by scopes: one around the program, one for each epoch, one for each step.
require "ctorch"
require "optparse"

A = Ctorch::Aten
NN = Ctorch::NN
Optim = Ctorch::Optim
MOMENTUM = 0.9
WEIGHT_DECAY = 1e-3
DISTORTION = 0.2
IMAGE_SIZE = 8
CLASSES = 10
MAX_PIXEL = 16

Digits = Struct.new(:images, :labels) do
  def self.read(folder, part)
    images = idx("#{folder}/#{part}-images-idx3-ubyte", 3)
    labels = idx("#{folder}/#{part}-labels-idx1-ubyte", 1)
    new(A.div_Scalar(A.unsqueeze(images, 1), MAX_PIXEL), A.to_dtype(labels, :int64))
  end

  # IDX: 00 00 08, the number of dimensions, each as a big-endian integer, then the elements.
  def self.idx(path, dimensions)
    data = File.binread(path)
    raise IOError, "#{path}: no IDX file of unsigned bytes" unless data.start_with?([0x800 + dimensions].pack("N"))

    sizes = data[4, 4 * dimensions].unpack("N*")
    Ctorch::Tensor.from_data(data[(4 + (4 * dimensions))..], sizes, :uint8)
  end

  def count
    images.sizes.first
  end
end

class Network < Ctorch::Module
  def initialize
    super
    self.conv1 = NN.Conv2d(1, 32, 3, padding: 1)
    self.conv2 = NN.Conv2d(32, 64, 3, padding: 1)
    self.fc1 = NN.Linear(64 * 4 * 4, 128)
    self.fc2 = NN.Linear(128, CLASSES)
  end

  # Images (N, 1, 8, 8) to a score for each class (N, 10).
  def forward(images)
    x = A.max_pool2d(A.relu(conv2.(A.relu(conv1.(images)))), [2, 2])
    fc2.(A.relu(fc1.(A.flatten_using_ints(x, start_dim: 1, end_dim: -1))))
  end
end

class Training
  def initialize(network, rate)
    @network = network
    @optimizer = Optim::SGD.new(network.parameters, rate, momentum: MOMENTUM, weight_decay: WEIGHT_DECAY)
  end

  def step(data, batch)
    images = distort(A.index_select(data.images, 0, batch))
    mean = A.cross_entropy_loss(@network.(images), A.index_select(data.labels, 0, batch))
    @optimizer.zero_grad
    mean.backward
    @optimizer.step
    mean.item_double
  end

  # Each image turned, sheared, stretched and shifted a little, anew each time.
  def distort(images)
    bilinear = zeros = 0
    count = images.sizes.first
    identity = A.eye_m(2, 3)
    maps = A.uniform_(A.empty_memory_format([count, 2, 3]), from: -DISTORTION, to: DISTORTION)
    A.add__Tensor(maps, identity)
    grid = A.affine_grid_generator(maps, [count, 1, IMAGE_SIZE, IMAGE_SIZE], false)
    A.grid_sampler(images, grid, bilinear, zeros, false)
  end

  # One pass over the images in a new order; gives the mean loss.
  def epoch(data, batch_size, rate)
    @optimizer.param_groups.each { |group| group[:lr] = rate }
    sum = 0.0
    A.split_Tensor(A.randperm(data.count), batch_size).each do |batch|
      Ctorch.scope { sum += step(data, batch) * batch.numel }
    end
    sum / data.count
  end

  # How often each label got each prediction.
  def test(data)
    Ctorch.no_grad do
      cells = A.add_Tensor(A.mul_Scalar(data.labels, CLASSES), A.argmax(@network.(data.images), dim: 1))
      A.bincount(cells, minlength: CLASSES * CLASSES).to_flat.each_slice(CLASSES).to_a
    end
  end
end

def print_result(matrix)
  puts "confusion matrix: a row for each label, a column for each prediction"
  puts "        0   1   2   3   4   5   6   7   8   9"
  matrix.each_with_index do |row, label|
    puts format("%4d ", label) + row.map { |count| (count.zero? ? "." : count.to_s).rjust(4) }.join
  end
  right = (0...CLASSES).sum { |digit| matrix[digit][digit] }
  total = matrix.flatten.sum
  puts format("test accuracy %.2f %% (%d of %d)", 100.0 * right / total, right, total)
end

options = { epochs: 30, batch_size: 32, lr: 0.05, seed: 0, threads: 1, data: "examples/data" }
OptionParser.new do |parser|
  parser.on("--epochs N", Integer)
  parser.on("--batch-size N", Integer)
  parser.on("--lr X", Float)
  parser.on("--seed N", Integer)
  parser.on("--threads N", Integer)
  parser.on("--data DIR")
  parser.on("--losses FILE")
end.parse!(into: given = {})
options.merge!(given.transform_keys { |key| key.to_s.tr("-", "_").to_sym })

Ctorch.threads_set_num(options[:threads])
Ctorch.random_manual_seed(options[:seed])
Ctorch.scope do
  testing = Digits.read(options[:data], "t10k")
  training = Training.new(Network.new, options[:lr])
  digits = Digits.read(options[:data], "train")
  losses = (0...options[:epochs]).map do |epoch|
    rate = options[:lr] * (1 - (epoch.to_f / options[:epochs]))
    Ctorch.scope do
      training.epoch(digits, options[:batch_size], rate).tap do |loss|
        warn format("epoch %2d/%d  loss %.4f", epoch + 1, options[:epochs], loss)
      end
    end
  end
  File.write(options[:losses], losses.map { |loss| format("%.17g\n", loss) }.join) if options[:losses]
  print_result(training.test(testing))
  nil
end
left = Ctorch.debug_live_handles # counted with CTORCH_DEBUG_HANDLES=1
abort "train_digits: #{left} handles leaked" if left.positive?
