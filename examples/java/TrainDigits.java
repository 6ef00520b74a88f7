import java.io.DataInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ctorch.Aten;
import org.ctorch.Ctorch;
import org.ctorch.DType;
import org.ctorch.GradMode;
import org.ctorch.Module;
import org.ctorch.NN;
import org.ctorch.Optim;
import org.ctorch.Optimizer;
import org.ctorch.Options;
import org.ctorch.Scope;
import org.ctorch.Tensor;

/**
 * Trains a small convolutional network on handwritten digits: the program of ../train_digits.c, number for number.
 *
 * <pre>java -cp ctorch.jar:jna.jar examples/java/TrainDigits.java --epochs 3 --data examples/data</pre>
 *
 * Tensors are closed by scopes: one around the program, one for each epoch, one for each step.
 */
public class TrainDigits {
  static final double MOMENTUM = 0.9;
  static final double WEIGHT_DECAY = 1e-3;
  static final double DISTORTION = 0.2;
  static final int IMAGE_SIZE = 8;
  static final int CLASSES = 10;
  static final int MAX_PIXEL = 16;

  /** Images (N, 1, 8, 8) to a score for each class (N, 10). */
  static class Network extends Module {
    final Module conv1 = register("conv1", NN.Conv2d(1, 32, new long[] {3}, Options.with().padding(1)));
    final Module conv2 = register("conv2", NN.Conv2d(32, 64, new long[] {3}, Options.with().padding(1)));
    final Module fc1 = register("fc1", NN.Linear(64 * 4 * 4, 128));
    final Module fc2 = register("fc2", NN.Linear(128, CLASSES));

    Network() {
      super("Network");
    }

    @Override
    public Tensor forward(Tensor images) {
      Tensor x = conv2.call(conv1.call(images).relu()).relu();
      x = Aten.max_pool2d(x, 2, 2).flatten(1, -1);
      return fc2.call(fc1.call(x).relu());
    }
  }

  record Digits(Tensor images, Tensor labels) {
    static Digits read(Path folder, String part) throws IOException {
      Tensor images = idx(folder.resolve(part + "-images-idx3-ubyte"), 3);
      Tensor labels = idx(folder.resolve(part + "-labels-idx1-ubyte"), 1);
      return new Digits(images.unsqueeze(1).div(MAX_PIXEL), labels.to(DType.INT64));
    }

    /** IDX: 00 00 08, the number of dimensions, each as a big-endian integer, then the elements. */
    private static Tensor idx(Path path, int dimensions) throws IOException {
      try (DataInputStream file = new DataInputStream(Files.newInputStream(path))) {
        if (file.readInt() != 0x800 + dimensions) {
          throw new IOException(path + ": no IDX file of unsigned bytes with " + dimensions + " dimensions");
        }
        long[] sizes = new long[dimensions];
        for (int i = 0; i < dimensions; i++) {
          sizes[i] = file.readInt();
        }
        return Tensor.fromData(file.readAllBytes(), sizes, DType.UINT8);
      }
    }

    long count() {
      return images.size(0);
    }
  }

  final Network network = new Network();
  final Optimizer optimizer; // stochastic gradient descent with momentum

  TrainDigits(double lr) {
    Options options = Options.with().lr(lr).momentum(MOMENTUM).weight_decay(WEIGHT_DECAY);
    optimizer = Optim.SGD(network.parameters(), options);
  }

  /** Each image turned, sheared, stretched and shifted a little, anew each time. */
  static Tensor distort(Tensor images) {
    final int bilinear = 0;
    final int zeros = 0;
    long count = images.size(0);
    Tensor identity = Aten.eye_m(2, 3);
    Tensor maps = Aten.uniform_(Tensor.empty(count, 2, 3), Options.with().from(-DISTORTION).to(DISTORTION));
    maps.add_(identity);
    Tensor grid = Aten.affine_grid_generator(maps, new long[] {count, 1, IMAGE_SIZE, IMAGE_SIZE}, false);
    return Aten.grid_sampler(images, grid, bilinear, zeros, false);
  }

  double step(Digits data, Tensor batch) {
    Tensor images = distort(Aten.index_select(data.images, 0, batch));
    Tensor labels = Aten.index_select(data.labels, 0, batch);
    Tensor mean = Aten.cross_entropy_loss(network.call(images), labels);
    optimizer.zeroGrad();
    mean.backward();
    optimizer.step();
    double loss = mean.itemDouble();
    if (!Double.isFinite(loss)) {
      throw new ArithmeticException("the loss is " + loss + ": try a smaller --lr");
    }
    return loss;
  }

  /** One pass over the images in a new order; gives the mean loss. */
  double epoch(Digits data, long batchSize) {
    double sum = 0;
    for (Tensor batch : Aten.split_Tensor(Aten.randperm(data.count()), batchSize)) {
      try (Scope step = new Scope()) {
        sum += step(data, batch) * batch.numel();
      }
    }
    return sum / data.count();
  }

  /** How often each label got each prediction. */
  long[] test(Digits data) {
    try (Scope scope = new Scope();
        GradMode off = GradMode.disabled()) {
      Tensor cells = data.labels.mul(CLASSES).add(network.call(data.images).argmax(1));
      return Aten.bincount(cells, Options.with().minlength(CLASSES * CLASSES)).toLongs();
    }
  }

  static void print(long[] matrix) {
    long right = 0;
    long total = 0;
    System.out.println("confusion matrix: a row for each label, a column for each prediction");
    System.out.println("        0   1   2   3   4   5   6   7   8   9");
    for (int label = 0; label < CLASSES; label++) {
      System.out.printf("%4d ", label);
      for (int prediction = 0; prediction < CLASSES; prediction++) {
        long count = matrix[CLASSES * label + prediction];
        System.out.printf("%4s", count == 0 ? "." : String.valueOf(count));
        total += count;
        right += label == prediction ? count : 0;
      }
      System.out.println();
    }
    BigDecimal percent = new BigDecimal(100.0 * right / total).setScale(2, RoundingMode.HALF_EVEN);
    System.out.printf("test accuracy %s %% (%d of %d)%n", percent, right, total);
  }

  /** All its digits, as C's %.17g writes them. */
  static String digits(double number) {
    BigDecimal exact = new BigDecimal(number).round(new MathContext(17)).stripTrailingZeros();
    int exponent = exact.precision() - exact.scale() - 1;
    String mantissa = exact.movePointLeft(exponent).toPlainString();
    return exponent < -4 ? String.format("%se-%02d", mantissa, -exponent) : exact.toPlainString();
  }

  static void run(Map<String, String> options) throws IOException {
    Path folder = Path.of(options.getOrDefault("--data", "examples/data"));
    int epochs = Integer.parseInt(options.getOrDefault("--epochs", "30"));
    long batchSize = Long.parseLong(options.getOrDefault("--batch-size", "32"));
    double lr = Double.parseDouble(options.getOrDefault("--lr", "0.05"));
    Ctorch.threadsSetNum(Integer.parseInt(options.getOrDefault("--threads", "1")));
    Ctorch.randomManualSeed(Long.parseUnsignedLong(options.getOrDefault("--seed", "0")));

    Digits testing = Digits.read(folder, "t10k");
    TrainDigits program = new TrainDigits(lr);
    Digits training = Digits.read(folder, "train");
    StringBuilder losses = new StringBuilder();
    for (int epoch = 0; epoch < epochs; epoch++) {
      try (Scope scope = new Scope()) {
        program.optimizer.setLr(lr * (1 - (double) epoch / epochs));
        double loss = program.epoch(training, batchSize);
        System.err.printf("epoch %2d/%d  loss %.4f%n", epoch + 1, epochs, loss);
        losses.append(digits(loss)).append('\n');
      }
    }
    if (options.containsKey("--losses")) {
      try (PrintWriter file = new PrintWriter(options.get("--losses"))) {
        file.print(losses);
      }
    }
    print(program.test(testing));
  }

  public static void main(String[] arguments) throws IOException {
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i < arguments.length; i += 2) {
      boolean known =
          List.of("--epochs", "--batch-size", "--lr", "--seed", "--threads", "--data", "--losses").contains(arguments[i]);
      if (!known || i + 1 == arguments.length) {
        System.err.println("TrainDigits: unexpected argument '" + arguments[i] + "'");
        System.exit(2);
      }
      options.put(arguments[i], arguments[i + 1]);
    }
    try (Scope scope = new Scope()) {
      run(options);
    }
    if (Ctorch.debugLiveHandles() > 0) { // counted with CTORCH_DEBUG_HANDLES=1
      throw new IllegalStateException(Ctorch.debugLiveHandles() + " handles leaked");
    }
  }
}
