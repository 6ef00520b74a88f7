import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.ctorch.DType;
import org.ctorch.Data;
import org.ctorch.Dataset;
import org.ctorch.Datasets;
import org.ctorch.Loader;
import org.ctorch.Module;
import org.ctorch.NN;
import org.ctorch.Optim;
import org.ctorch.Optimizer;
import org.ctorch.Options;
import org.ctorch.Scope;
import org.ctorch.Torch;
import org.ctorch.Trainer;
import org.ctorch.Transform;
import org.ctorch.Transforms;

/**
 * Train on a folder of images ({@code ImageFolder FOLDER}): FOLDER/train and FOLDER/test have a folder for each class. The
 * program of examples/image_folder.c in Java, with the same result.
 */
final class ImageFolder {
  static final int SIZE = 32;
  static final int CHANNELS = 16;
  static final int EPOCHS = 15;

  /** Convolutions with batch norm, after each the image is halved; the greatest values of what is left; a linear layer. */
  static Module network(long classes) {
    Module net = Module.sequential();
    for (long from = 3, to = CHANNELS; to <= 4 * CHANNELS; from = to, to *= 2) {
      net.append(NN.Conv2d(from, to, new long[] {3}, Options.with().padding(1)));
      net.append(NN.BatchNorm2d(to));
      net.append(NN.ReLU(Options.with().inplace(true)));
      net.append(NN.MaxPool2d(2));
    }
    net.append(NN.AdaptiveMaxPool2d(1));
    net.append(NN.Flatten());
    net.append(NN.Linear(4 * CHANNELS, classes));
    return net;
  }

  /** Images as numbers from -1 to 1; in training a part of each, of another size, flipped or not, in other colours. */
  static Dataset images(String folder, boolean training) {
    List<Transform> parts = new ArrayList<>();
    if (training) {
      parts.add(Transforms.RandomResizedCrop(new long[] {SIZE, SIZE}, Options.with().scale(0.8, 1.0)));
      parts.add(Transforms.RandomHorizontalFlip());
      parts.add(Transforms.ColorJitter(Options.with().brightness(0.2).contrast(0.2).hue(0.5)));
    }
    parts.add(Transforms.ToDtype(DType.FLOAT32, Options.with().scale(true)));
    parts.add(Transforms.Normalize(new double[] {0.5, 0.5, 0.5}, 0.5, 0.5, 0.5));
    Transform all = Transforms.Compose(parts.toArray(new Transform[0]));
    return Datasets.ImageFolder(folder + (training ? "/train" : "/test"), Options.with().transform(all));
  }

  /** Worker threads read, decode and transform images; the result does not depend on their number. */
  static Loader batches(Dataset images, boolean training) {
    return Data.DataLoader(images, Options.with().batch_size(20).shuffle(training).num_workers(2));
  }

  static BigDecimal rounded(double number) {
    return new BigDecimal(number).setScale(4, RoundingMode.HALF_EVEN);
  }

  static void run(String folder) {
    Torch.setNumThreads(1); // the tensors are too small for more
    Torch.manualSeed(0);
    Dataset images = images(folder, true);
    List<?> classes = (List<?>) images.attribute("classes");
    System.out.println(
        classes.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", ", "classes [", "]")));

    Module model = network(classes.size());
    Optimizer optimizer = Optim.AdamW(model.parameters(), Options.with().lr(3e-3));
    Trainer trainer = Trainer.of(model, optimizer);
    trainer.setLoss(NN.CrossEntropyLoss());
    trainer.addAccuracy();
    trainer.setLength(EPOCHS, 0);
    trainer.setValidation(batches(images(folder, false), false), 0);
    trainer.fit(batches(images, true));
    int number = 0;
    for (Map<String, Double> epoch : trainer.history()) {
      System.out.printf(
          "epoch %2d  loss %s  val_loss %s  val_accuracy %s%n",
          ++number,
          rounded(epoch.get("loss")),
          rounded(epoch.get("val_loss")),
          rounded(epoch.get("val_accuracy")));
    }
  }

  public static void main(String[] arguments) {
    try (Scope scope = new Scope()) {
      run(arguments.length > 0 ? arguments[0] : "examples/data/shapes");
    }
  }
}
