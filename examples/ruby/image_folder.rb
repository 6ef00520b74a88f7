# Trains on a folder of images: ../image_folder.c in Ruby. The folder has `train` and `test`, which have a folder for each
# class. Worker threads read, decode and transform the images; the result does not depend on their number.
#
#   ruby -I bindings/ruby/lib examples/ruby/image_folder.rb [FOLDER]
require "ctorch"

D = Ctorch::Data
NN = Ctorch::NN
T = Ctorch::Transforms

# Convolutions with batch norm, after each the image is halved; the greatest values of what is left; a linear layer.
def network(classes)
  halved = [[3, 16], [16, 32], [32, 64]].flat_map do |from, to|
    [NN.Conv2d(from, to, 3, padding: 1), NN.BatchNorm2d(to), NN.ReLU(inplace: true), NN.MaxPool2d(2)]
  end
  NN.Sequential(*halved, NN.AdaptiveMaxPool2d(1), NN.Flatten(), NN.Linear(64, classes))
end

# Numbers from -1 to 1; and in training a part of the image, of another size, flipped or not, in other colours.
numbers = [T.ToDtype(:float32, scale: true), T.Normalize([0.5, 0.5, 0.5], [0.5, 0.5, 0.5])]
augmentation = [
  T.RandomResizedCrop([32], scale: [0.8, 1]),
  T.RandomHorizontalFlip(),
  T.ColorJitter(brightness: [0.2], contrast: [0.2], hue: [0.5])
]

folder = ARGV.first || File.join(__dir__, "../data/shapes")
Ctorch.set_num_threads(1) # the tensors are too small for more
Ctorch.manual_seed(0)
images = Ctorch::Datasets.ImageFolder("#{folder}/train", transform: T.Compose(augmentation + numbers))
test_images = Ctorch::Datasets.ImageFolder("#{folder}/test", transform: T.Compose(numbers))
classes = images.attribute(:classes)
puts "classes [#{classes.map { |name| "'#{name}'" }.join(', ')}]"

model = network(classes.size)
trainer = Ctorch::Trainer.new(model, Ctorch::Optim::AdamW.new(model.parameters, lr: 3e-3))
                         .set_loss(NN.CrossEntropyLoss())
                         .add_metric("accuracy")
                         .set_length(epochs: 15)
                         .set_validation(D.DataLoader(test_images, batch_size: 20, num_workers: 2))
trainer.fit(D.DataLoader(images, batch_size: 20, shuffle: true, num_workers: 2))
trainer.history.each.with_index(1) do |epoch, i|
  puts format("epoch %2d  loss %.4f  val_loss %.4f  val_accuracy %.4f", i, *epoch.values_at(:loss, :val_loss, :val_accuracy))
end
