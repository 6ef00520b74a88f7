import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.ctorch.Aten;
import org.ctorch.Ctorch;
import org.ctorch.DType;
import org.ctorch.Data;
import org.ctorch.Dataset;
import org.ctorch.Datasets;
import org.ctorch.Generator;
import org.ctorch.Loader;
import org.ctorch.Module;
import org.ctorch.NN;
import org.ctorch.Optim;
import org.ctorch.Optimizer;
import org.ctorch.Options;
import org.ctorch.Sampler;
import org.ctorch.Scope;
import org.ctorch.Snapshots;
import org.ctorch.Tensor;
import org.ctorch.Torch;
import org.ctorch.Trainer;
import org.ctorch.TrainerEvent;
import org.ctorch.Transform;
import org.ctorch.Transforms;
import org.ctorch.Tuple;
import org.ctorch.Values;

/** What data_program.py has in Python: a line of numbers for each case. */
class DataNumbers {
  static void print(String name, List<Double> numbers) {
    StringBuilder line = new StringBuilder(name).append(":");
    numbers.forEach(number -> line.append(' ').append(number));
    System.out.println(line);
  }

  static List<Double> floats(Tensor tensor) {
    return Arrays.stream(tensor.to(DType.FLOAT64).toDoubles()).boxed().toList();
  }

  static void add(List<Double> all, Object index) {
    all.add(((Long) index).doubleValue());
  }

  static List<Double> ints(Sampler sampler, int times) {
    List<Double> all = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      sampler.forEach(index -> add(all, index));
    }
    return all;
  }

  static Generator generator(long seed) {
    Generator made = Generator.create(null);
    made.manualSeed(seed);
    return made;
  }

  static Tensor arange(long end, DType dtype) {
    return Aten.arange(end, Options.with().dtype(dtype));
  }

  static Tensor inputs() {
    return arange(40, DType.FLOAT32).view(10, 4).div(8);
  }

  static Dataset pairs() {
    return Data.TensorDataset(inputs(), arange(10, DType.INT64));
  }

  static List<Double> labels(Loader loader, int epochs) {
    List<Double> all = new ArrayList<>();
    for (int i = 0; i < epochs; i++) {
      for (Object batch : loader) {
        all.addAll(floats(Values.part(batch, 1)));
        all.add(-1.0);
      }
    }
    return all;
  }

  static void orders() {
    Dataset pairs = pairs();
    for (int workers : new int[] {0, 2}) {
      Torch.manualSeed(5);
      Options options = Options.with().batch_size(3).shuffle(true).num_workers(workers);
      print("shuffled " + workers, labels(Data.DataLoader(pairs, options), 2));
    }
    print("random", ints(Data.RandomSampler(pairs, Options.with().generator(generator(1))), 2));
    Options replaced = Options.with().replacement(true).num_samples(7).generator(generator(2));
    print("replaced", ints(Data.RandomSampler(pairs, replaced), 1));
    double[] weights = {0.1, 0.2, 0.3, 0.4};
    print("weighted", ints(Data.WeightedRandomSampler(weights, 6, Options.with().generator(generator(3))), 1));
    long[] some = {4, 6, 8, 9};
    print("subset", ints(Data.SubsetRandomSampler(some, Options.with().generator(generator(4))), 1));
    Sampler batches = Data.BatchSampler(Data.DistributedSampler(pairs, 3, 1, Options.with().seed(6)), 3, false);
    batches.setEpoch(2);
    List<Double> all = new ArrayList<>();
    for (Object batch : batches) {
      ((List<?>) batch).forEach(index -> add(all, index));
      all.add(-1.0);
    }
    print("distributed", all);
    List<Double> split = new ArrayList<>();
    for (Tensor part : Data.random_split(pairs, new long[] {7, 3}, Options.with().generator(generator(7)))) {
      split.addAll(floats(part));
    }
    print("split", split);
  }

  static void callbacks() {
    Dataset squares = Dataset.of(7, index -> Tuple.of(Tensor.full(index, 2), index * index));
    for (int workers : new int[] {0, 2}) {
      List<Double> all = new ArrayList<>();
      for (Object batch : Data.DataLoader(squares, Options.with().batch_size(3).num_workers(workers))) {
        all.addAll(floats(Values.part(batch, 0)));
        all.addAll(floats(Values.part(batch, 1)));
      }
      print("callback " + workers, all);
    }
  }

  static void images(String folder) {
    Tensor image = arange(3 * 8 * 8, DType.UINT8).view(3, 8, 8);
    Transform both =
        Transforms.Compose(
            Transforms.RandomCrop(4, 4),
            Transforms.RandomHorizontalFlip(),
            Transforms.ToDtype(DType.FLOAT32, Options.with().scale(true)));
    List<Double> transformed = new ArrayList<>();
    Generator drawn = generator(8);
    for (int i = 0; i < 3; i++) {
      transformed.addAll(floats(both.callTensor(image, drawn)));
    }
    print("transformed", transformed);

    Transform noisy =
        Transform.of(
            "Noisy",
            (input, generator) ->
                ((Tensor) input).add(Aten.rand_generator(new long[] {3}, generator)));
    Tensor row = Aten.slice_Tensor(image.view(3 * 8 * 8), Options.with().end(3));
    List<Double> all = new ArrayList<>();
    Generator again = generator(9);
    for (int i = 0; i < 3; i++) {
      all.addAll(floats((Tensor) noisy.call(row, again)));
    }
    print("noisy", all);

    List<Double> pixels = new ArrayList<>();
    for (Object sample : Datasets.ImageFolder(folder + "/images")) {
      pixels.addAll(floats(Values.part(sample, 0)));
      add(pixels, Values.part(sample, 1));
    }
    print("folder", pixels);
  }

  /** The losses, and the history as numbers. */
  static List<List<Double>> train(long epochs, String snapshots, boolean ownStep) {
    Torch.manualSeed(1);
    Module linear = NN.Linear(4, 8);
    Module output = NN.Linear(8, 3);
    Module model = Module.sequential(linear, NN.Tanh(), output);
    Optimizer optimizer =
        Optim.SGD(model.parameters(), Options.with().lr(0.1).momentum(0.9).foreach(false));
    Tensor x = inputs();
    Tensor y = Aten.remainder_Scalar(arange(10, DType.INT64), 3);
    Loader loader = Data.DataLoader(Data.TensorDataset(x, y), Options.with().batch_size(3).shuffle(true));
    Options four = Options.with().end(4);
    Dataset some = Data.TensorDataset(Aten.slice_Tensor(x, four), Aten.slice_Tensor(y, four));

    Trainer trainer = Trainer.of(model, optimizer);
    trainer.setLength(epochs, 0);
    trainer.setValidation(Data.DataLoader(some, Options.with().batch_size(2)), 0);
    if (ownStep) {
      trainer.setStep(
          (self, network, batch) ->
              Aten.cross_entropy_loss(network.call((Tensor) Values.part(batch, 0)), Values.part(batch, 1)));
    } else {
      trainer.setLoss(NN.CrossEntropyLoss());
      trainer.addMetric(
          "accuracy",
          (found, batch) -> {
            Tensor hits = Aten.eq_Tensor(((Tensor) found).argmax(1), Values.part(batch, 1));
            return floats(hits).stream().mapToDouble(hit -> hit).average().getAsDouble();
          });
    }
    if (snapshots != null) {
      trainer.setSnapshots(Snapshots.open(snapshots), 0, null);
    }
    List<Double> losses = new ArrayList<>();
    trainer.addCallback(TrainerEvent.BATCH_END, (self, event) -> losses.add(self.loss()));
    trainer.fit(loader);
    List<Double> history = new ArrayList<>();
    if (!ownStep) {
      for (Map<String, Double> epoch : trainer.history()) {
        for (String name : List.of("loss", "accuracy", "val_loss", "val_accuracy")) {
          history.add(epoch.get(name));
        }
      }
    }
    return List.of(losses, history);
  }

  static void trained(String folder) {
    List<List<Double>> numbers = train(2, null, false);
    print("losses", numbers.get(0));
    print("history", numbers.get(1));
    String snapshots = Path.of(folder, "snapshots").toString();
    train(1, snapshots, false);
    print("resumed", train(2, snapshots, false).get(0));
    print("step", train(2, null, true).get(0));
  }

  public static void main(String[] arguments) throws Exception {
    try (Scope scope = new Scope()) {
      orders();
      callbacks();
      images(arguments[0]);
      trained(arguments[0]);
    }
    System.out.println(Checks.liveHandles() + " live handles");
  }
}
