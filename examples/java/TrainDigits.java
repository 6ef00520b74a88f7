import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ctorch.Ctorch;
import org.ctorch.DType;
import org.ctorch.Data;
import org.ctorch.Dataset;
import org.ctorch.Datasets;
import org.ctorch.Loader;
import org.ctorch.LrSchedulers;
import org.ctorch.Module;
import org.ctorch.NN;
import org.ctorch.Optim;
import org.ctorch.Optimizer;
import org.ctorch.Options;
import org.ctorch.Scope;
import org.ctorch.Torch;
import org.ctorch.Trainer;
import org.ctorch.TrainerProgress;
import org.ctorch.Transform;
import org.ctorch.Transforms;

/**
 * Train a small convolutional network, in the manner of LeNet (LeCun et al. 1998), on handwritten digits: the program of
 * examples/train_digits.c in Java. The same options give the same losses, to the last digit.
 */
final class TrainDigits {
  static final int CLASSES = 10;
  static final List<String> KNOWN =
      List.of("--epochs", "--batch-size", "--lr", "--seed", "--threads", "--workers", "--data", "--losses");

  /** Images (N, 1, 8, 8) to a score for each class (N, 10). */
  static Module network() {
    Options padded = Options.with().padding(1);
    Module relu = NN.ReLU(Options.with().inplace(true)); // one for all three places: it has no parameters
    Module net = Module.sequential();
    net.registerModule("conv1", NN.Conv2d(1, 32, new long[] {3}, padded));
    net.registerModule("relu1", relu);
    net.registerModule("conv2", NN.Conv2d(32, 64, new long[] {3}, padded));
    net.registerModule("relu2", relu);
    net.registerModule("pool", NN.MaxPool2d(2));
    net.registerModule("flatten", NN.Flatten());
    net.registerModule("fc1", NN.Linear(64 * 4 * 4, 128));
    net.registerModule("relu3", relu);
    net.registerModule("fc2", NN.Linear(128, CLASSES));
    return net;
  }

  /**
   * Batches of a part of the data, with pixels from 0 to 1; in training each image is turned, shifted, stretched and
   * sheared a little, anew each time.
   */
  static Loader batches(Map<String, String> options, String part) {
    boolean training = part.equals("train");
    Transform toFloat = Transforms.ToDtype(DType.FLOAT32);
    Transform toOne = Transforms.Normalize(new double[] {0}, 16);
    Options slightly =
        Options.with().translate(0.1, 0.1).scale(0.85, 1.15).shear(10).interpolation("bilinear");
    Transform affine = Transforms.RandomAffine(new double[] {10}, slightly);
    Transform all =
        training ? Transforms.Compose(toFloat, toOne, affine) : Transforms.Compose(toFloat, toOne);

    String prefix = options.getOrDefault("--data", "examples/data") + "/" + part;
    Dataset digits =
        Datasets.IDXFile(
            prefix + "-images-idx3-ubyte", prefix + "-labels-idx1-ubyte", Options.with().transform(all));
    return Data.DataLoader(
        digits,
        Options.with()
            .batch_size(Long.parseLong(options.getOrDefault("--batch-size", "32")))
            .shuffle(training)
            .num_workers(Long.parseLong(options.getOrDefault("--workers", "0"))));
  }

  /** All its digits, as C's %.17g writes them. */
  static String digits(double number) {
    BigDecimal exact = new BigDecimal(number).round(new MathContext(17)).stripTrailingZeros();
    int exponent = exact.precision() - exact.scale() - 1;
    String mantissa = exact.movePointLeft(exponent).toPlainString();
    return exponent < -4 ? String.format("%se-%02d", mantissa, -exponent) : exact.toPlainString();
  }

  static BigDecimal rounded(double number, int places) {
    return new BigDecimal(number).setScale(places, RoundingMode.HALF_EVEN);
  }

  static void run(Map<String, String> options) throws IOException {
    long epochs = Long.parseLong(options.getOrDefault("--epochs", "30"));
    double lr = Double.parseDouble(options.getOrDefault("--lr", "0.05"));
    Torch.setNumThreads(Integer.parseInt(options.getOrDefault("--threads", "1")));
    Torch.manualSeed(Long.parseUnsignedLong(options.getOrDefault("--seed", "0")));
    Module net = network();
    Optimizer optimizer =
        Optim.SGD(net.parameters(), Options.with().lr(lr).momentum(0.9).weight_decay(1e-3));
    Options toZero = Options.with().start_factor(1).end_factor(0).total_iters(epochs);

    Trainer trainer = Trainer.of(net, optimizer);
    trainer.setLoss(NN.CrossEntropyLoss());
    trainer.addAccuracy();
    trainer.setLrScheduler(LrSchedulers.LinearLR(optimizer, toZero), false, null);
    trainer.setLength(epochs, 0);
    trainer.setProgress(TrainerProgress.AUTO);
    trainer.fit(batches(options, "train"));

    Map<String, Double> metrics = trainer.evaluate(batches(options, "t10k"));
    System.out.printf(
        "test loss %s, accuracy %s %%%n",
        rounded(metrics.get("loss"), 4), rounded(100 * metrics.get("accuracy"), 2));
    if (options.containsKey("--losses")) {
      try (PrintWriter file = new PrintWriter(options.get("--losses"))) {
        trainer.history().forEach(epoch -> file.print(digits(epoch.get("loss")) + "\n"));
      }
    }
  }

  public static void main(String[] arguments) throws IOException {
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i < arguments.length; i += 2) {
      if (!KNOWN.contains(arguments[i]) || i + 1 == arguments.length) {
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
