import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.ctorch.Aten;
import org.ctorch.CtorchException;
import org.ctorch.Data;
import org.ctorch.Dataset;
import org.ctorch.Failures;
import org.ctorch.Loader;
import org.ctorch.Module;
import org.ctorch.NN;
import org.ctorch.Optim;
import org.ctorch.Options;
import org.ctorch.ResumableIterator;
import org.ctorch.Sampler;
import org.ctorch.Scope;
import org.ctorch.Tensor;
import org.ctorch.Torch;
import org.ctorch.Trainer;
import org.ctorch.TrainerEvent;
import org.ctorch.Transform;
import org.ctorch.Transforms;
import org.ctorch.Tuple;
import org.ctorch.TvTensorKind;
import org.ctorch.TvTensors;
import org.ctorch.Value;
import org.ctorch.ValueIterator;
import org.ctorch.Values;

/** Datasets, samplers, loaders, transforms and the trainer. */
class DataTest {
  static Dataset numbers(long length) {
    return Dataset.of(length, index -> index);
  }

  static Loader loader(Dataset dataset, long batchSize, long workers) {
    return Data.DataLoader(dataset, Options.with().batch_size(batchSize).num_workers(workers));
  }

  /** What one goes through; tensors as lists of their numbers. */
  static List<Object> all(Iterable<Object> values) {
    List<Object> found = new ArrayList<>();
    for (Object value : values) {
      found.add(value instanceof Tensor ? longs(value) : value);
    }
    return found;
  }

  static List<Object> all(ValueIterator values) {
    return all(() -> values);
  }

  static List<Long> longs(Object tensor) {
    List<Long> numbers = new ArrayList<>();
    for (long number : ((Tensor) tensor).toLongs()) {
      numbers.add(number);
    }
    return numbers;
  }

  static void aDatasetHasALengthSamplesAndAnOrder() {
    try (Scope scope = new Scope()) {
      Dataset squares = Dataset.of(4, index -> index * index);
      Checks.equal(List.of("Dataset", 4L, false), List.of(squares.name(), squares.len(), squares.isIterable()));
      Checks.equal(9L, squares.get(-1));
      Checks.fails(Failures.Index.class, "out of range", () -> squares.get(4));
      Checks.equal(List.of(0L, 1L, 4L, 9L), all(squares));
      Dataset last = Data.Subset(squares, 3);
      squares.close();
      Checks.equal(9L, last.get(0));
      Checks.fails(Failures.Index.class, "classes", () -> last.attribute("classes"));
      Checks.fails(Failures.InvalidArgument.class, "len", () -> Dataset.of(-1, index -> index));
    }
  }

  static void workersAskADatasetAtOnce() {
    try (Scope scope = new Scope()) {
      for (boolean mayThread : new boolean[] {true, false}) {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        Dataset dataset =
            Dataset.fromCallback(
                12,
                index -> {
                  threads.add(Thread.currentThread());
                  Thread.sleep(2);
                  return Tuple.of(Tensor.full(index, 2), "name");
                },
                mayThread);
        Loader loader = loader(dataset, 2, 2);
        Checks.equal(6L, loader.len());
        for (Object batch : loader) {
          Tensor rows = Values.part(batch, 0);
          Checks.equal(new long[] {2, 2}, rows.sizes());
          Checks.equal(Tuple.of("name", "name"), Values.part(batch, 1));
        }
        Checks.that(threads.contains(Thread.currentThread()) == !mayThread, "threads " + threads);
        Loader.Statistics statistics = loader.statistics();
        Checks.that(statistics.batches() == 6 && statistics.consumerWaited() > 0, statistics.toString());
      }
    }
  }

  static class NoSample extends Exception {
    private static final long serialVersionUID = 1;

    NoSample(long index) {
      super("no " + index);
    }
  }

  static Object unless(long index, long failing) throws NoSample {
    if (index == failing) {
      throw new NoSample(index);
    }
    return index;
  }

  static void anExceptionOfASampleComesInItsPlace() {
    try (Scope scope = new Scope()) {
      for (long workers : new long[] {0, 2}) {
        Dataset dataset = Dataset.of(6, index -> unless(index, 3));
        ValueIterator batches = loader(dataset, 2, workers).iterate();
        Checks.equal(List.of(0L, 1L), longs(batches.next()));
        NoSample no = Checks.fails(NoSample.class, "no 3", batches::next);
        Checks.that(no.getSuppressed()[0].getMessage().startsWith("sample 3: "), no.getSuppressed()[0].toString());
        Checks.equal(List.of(4L, 5L), longs(batches.next()));
        Checks.that(!batches.hasNext(), "the end");
        Checks.fails(java.util.NoSuchElementException.class, "null", batches::next);
        Checks.fails(NoSample.class, "no 3", () -> dataset.get(3));
      }
    }
  }

  static void leavingEarlyEndsTheWorkers() {
    AtomicInteger asked = new AtomicInteger();
    for (boolean persistent : new boolean[] {false, true}) {
      try (Scope scope = new Scope()) {
        Dataset dataset =
            Dataset.of(
                1000,
                index -> {
                  asked.incrementAndGet();
                  return index;
                });
        Options options = Options.with().num_workers(2).persistent_workers(persistent);
        for (Object batch : Data.DataLoader(dataset, options)) {
          Checks.equal(List.of(0L), longs(batch));
          break;
        }
      }
    }
    Checks.that(asked.get() < 100, asked + " samples");
  }

  static void anIterableDatasetSharesItsSamplesAmongWorkers() {
    try (Scope scope = new Scope()) {
      Dataset dataset =
          Dataset.ofIterable(
              6L,
              () -> {
                Loader.WorkerInfo worker = Loader.workerInfo();
                long first = worker == null ? 0 : worker.id();
                long step = worker == null ? 1 : worker.numWorkers();
                return java.util.stream.LongStream.iterate(first, i -> i < 6, i -> i + step).iterator();
              });
      Checks.that(Loader.workerInfo() == null && dataset.isIterable(), "no worker");
      Checks.equal(List.of(List.of(0L, 1L), List.of(2L, 3L), List.of(4L, 5L)), all(loader(dataset, 2, 0)));
      Checks.equal(
          List.of(List.of(0L, 2L), List.of(1L, 3L), List.of(4L), List.of(5L)), all(loader(dataset, 2, 2)));
      Dataset endless = Dataset.fromIterable(null, () -> List.of(5).iterator(), false);
      Checks.fails(Failures.Type.class, "", endless::len);
      Checks.equal(List.of(List.of(5L)), all(loader(endless, 1, 1)));
    }
  }

  static void aSamplerOfOnesOwnGivesTheOrder() {
    try (Scope scope = new Scope()) {
      Sampler backwards = Sampler.of(4L, () -> List.of(3, 2, 1, 0).iterator());
      Checks.equal(List.of(4L, "Sampler"), List.of(backwards.len(), backwards.name()));
      Loader loader = Data.DataLoader(numbers(4), Options.with().batch_size(3).sampler(backwards));
      Checks.equal(List.of(List.of(3L, 2L, 1L), List.of(0L)), all(loader));
      Sampler batches = Sampler.of(null, () -> List.of(List.of(2), List.of(0, 1)).iterator());
      Checks.equal(
          List.of(List.of(2L), List.of(0L, 1L)),
          all(Data.DataLoader(numbers(4), Options.with().batch_sampler(batches))));
      Sampler broken =
          Sampler.of(
              null,
              () -> {
                throw new NoSample(7);
              });
      Checks.fails(NoSample.class, "no 7", () -> broken.iterator().next());
    }
  }

  static void batchesAndWorkersAreMadeInOnesOwnWay() {
    try (Scope scope = new Scope()) {
      for (boolean mayThread : new boolean[] {true, false}) {
        List<Long> begun = Collections.synchronizedList(new ArrayList<>());
        Loader loader = loader(numbers(5), 2, 2);
        loader.setCollate(samples -> ((List<?>) samples).size(), mayThread);
        loader.setWorkerInit(
            worker -> {
              Checks.equal(worker, Loader.workerInfo().id());
              begun.add(worker);
            },
            mayThread);
        Checks.equal(List.of(2L, 2L, 1L), all(loader));
        Collections.sort(begun);
        Checks.equal(List.of(0L, 1L), begun);
      }
    }
  }

  static void aPositionIsSavedAndGoneOnFrom() {
    try (Scope scope = new Scope()) {
      Torch.manualSeed(3);
      Dataset dataset = numbers(10);
      for (long workers : new long[] {0, 2}) {
        Options options = Options.with().batch_size(2).shuffle(true).num_workers(workers);
        ValueIterator batches = Data.DataLoader(dataset, options).iterate();
        batches.next();
        batches.next();
        Value state = batches.stateDict();
        Checks.that(batches.hasNext(), "more");
        Checks.fails(IllegalStateException.class, "hasNext", batches::stateDict);
        List<Object> rest = all(batches);
        Checks.equal(3, rest.size());
        Checks.equal(rest, all(Data.DataLoader(dataset, options).iterateFrom(state)));
        ValueIterator again = Data.DataLoader(dataset, options).iterate();
        again.loadStateDict(state);
        Checks.equal(rest, all(again));
      }
      Checks.fails(Failures.Type.class, "", () -> loader(dataset, 1, 0).iterateFrom(Values.of(1)));
    }
  }

  static class Countdown implements ResumableIterator<Long> {
    long left;

    Countdown(long left) {
      this.left = left;
    }

    @Override
    public boolean hasNext() {
      return left > 0;
    }

    @Override
    public Long next() {
      return --left;
    }

    @Override
    public Object stateDict() {
      return left;
    }

    @Override
    public void loadStateDict(Object state) {
      left = (Long) state;
    }
  }

  static void anIteratorOfOnesOwnKnowsWhereItIs() {
    try (Scope scope = new Scope()) {
      Loader loader = Loader.of(4L, () -> new Countdown(4));
      ValueIterator values = loader.iterate();
      Checks.equal(3L, values.next());
      Value state = values.stateDict();
      Checks.equal(List.of(2L, 1L, 0L), all(loader.iterateFrom(state)));
      Iterator<?> plain = List.of(1).iterator();
      Checks.fails(Failures.Unsupported.class, "", () -> ValueIterator.of(plain).stateDict());
      ValueIterator other = ValueIterator.of(new Countdown(1));
      Checks.fails(ClassCastException.class, "", () -> other.loadStateDict(Values.of(true)));
      List<Object> withNone = new ArrayList<>(List.of(1L));
      withNone.add(null);
      Checks.equal(withNone, all(ValueIterator.of(withNone.iterator())));
    }
  }

  static void aTransformIsCalledPrintedAndMadeByName() {
    try (Scope scope = new Scope()) {
      Transform flip = Transforms.RandomHorizontalFlip(Options.with().p(1));
      Tensor image = Tensor.of(new double[] {1, 2}).view(1, 1, 2);
      Checks.equal(new double[] {2, 1}, flip.call(image).toDoubles());
      Transform byName = Transform.of("RandomHorizontalFlip", List.of(), Map.of("p", 1.0));
      Checks.equal("RandomHorizontalFlip(p=1.0)", byName.toString());
      Transform both = Transform.of("Compose", List.of(List.of(flip, byName)), Map.of());
      Checks.equal(new double[] {1, 2}, both.call(image).toDoubles());
      Checks.equal(
          "Compose(\n      RandomHorizontalFlip(p=1.0)\n      RandomHorizontalFlip(p=1.0)\n)", both.toString());
      Object pair = flip.call(Tuple.of(image, 3), null);
      Checks.equal(new double[] {2, 1}, Values.<Tensor>part(pair, 0).toDoubles());
      Checks.equal(3L, Values.part(pair, 1));
      Tensor corners = Tensor.of(new double[] {0, 0, 1, 1}).view(1, 4);
      Tensor boxes = flip.call(TvTensors.BoundingBoxes(corners, "XYXY", 1, 2));
      Checks.equal(new double[] {1, 0, 2, 1}, boxes.toDoubles());
      Checks.equal(TvTensorKind.BOUNDING_BOXES, org.ctorch.Ctorch.tvTensorKindOf(boxes));
      Transform padded = Transforms.Pad(new long[] {1}, Options.with().fill(7));
      Checks.equal(new double[] {7, 7, 7, 7, 7, 1, 2, 7, 7, 7, 7, 7}, padded.call(image).toDoubles());
      Transform same = (Transform) Values.get(Values.of(flip));
      Checks.equal(flip.address(), same.address());
      Checks.fails(Failures.Index.class, "Nothing", () -> Transform.of("Nothing", List.of(), Map.of()));
      Checks.fails(IllegalArgumentException.class, "neither", () -> Values.part("text", 0));
    }
  }

  static void aTransformOfOnesOwnIsOneOfADataset() {
    try (Scope scope = new Scope()) {
      Dataset pairs = Dataset.of(4, index -> Tuple.of(Tensor.full(index, 1), index));
      for (boolean mayThread : new boolean[] {true, false}) {
        Transform twice =
            Transform.fromCallback("Double", (input, generator) -> ((Tensor) input).mul(2), mayThread);
        Checks.equal(List.of(mayThread, "Double()"), List.of(twice.mayThread(), twice.toString()));
        Dataset doubled = Data.TransformedDataset(pairs, Options.with().transform(twice));
        Object batch = loader(doubled, 4, 2).iterate().next();
        Checks.equal(List.of(0L, 2L, 4L, 6L), longs(Values.part(batch, 0)));
        Checks.equal(List.of(0L, 1L, 2L, 3L), longs(Values.part(batch, 1)));
      }
      Transform broken = Transform.of("Fails", (input, generator) -> unless(1, 1));
      Checks.fails(NoSample.class, "no 1", () -> broken.call(null, null));
    }
  }

  private static Loader line() {
    Tensor x = Tensor.of(new double[] {1, 2, 3, 4}).view(4, 1).to(org.ctorch.DType.FLOAT32);
    return loader(Data.TensorDataset(x, x.mul(2)), 2, 0);
  }

  /** Runs something on a thread that is interrupted once {@code begun}, and must end with that. */
  private static void interrupted(Runnable waits, BooleanSupplier begun) throws InterruptedException {
    Throwable[] wrong = new Throwable[1];
    Thread thread =
        new Thread(
            () -> {
              try {
                Checks.fails(CtorchException.Interrupted.class, "the thread was interrupted", waits::run);
                Checks.that(Thread.interrupted(), "the thread is not interrupted any more");
              } catch (Throwable failure) {
                wrong[0] = failure;
              }
            });
    thread.start();
    while (!begun.getAsBoolean()) {
      Thread.yield();
    }
    thread.interrupt();
    thread.join();
    Checks.equal(null, wrong[0]);
  }

  static void anInterruptEndsTheWaitForAWorker() throws InterruptedException {
    CountDownLatch gate = new CountDownLatch(1);
    AtomicInteger begun = new AtomicInteger();
    try (Scope scope = new Scope()) {
      Dataset gated =
          Dataset.of(
              2,
              index -> {
                begun.incrementAndGet();
                gate.await();
                return index;
              });
      ValueIterator batches = loader(gated, 1, 1).iterate();
      interrupted(batches::hasNext, () -> begun.get() > 0);
      interrupted(batches::hasNext, () -> true);
      gate.countDown();
      List<Object> rest = new ArrayList<>();
      batches.forEachRemaining(rest::add);
      Checks.equal(2, rest.size());
    }
  }

  static void anInterruptEndsTraining() throws InterruptedException {
    try (Scope scope = new Scope()) {
      Loader loader = line();
      Trainer trainer = trainer();
      trainer.setLoss(NN.MSELoss());
      trainer.setLength(0, 1L << 60);
      interrupted(() -> trainer.fit(loader), () -> trainer.step() > 0);
      long before = trainer.step();
      trainer.setLength(0, before + 1);
      trainer.fit(loader);
      Checks.equal(before + 1, trainer.step());
    }
  }

  private static Trainer trainer() {
    Module model = NN.Linear(1, 1);
    Trainer trainer = Trainer.of(model, Optim.SGD(model.parameters(), Options.with().lr(0.01)));
    trainer.setLength(3, 0);
    return trainer;
  }

  static void aTrainerCallsItsFunctionsAndStops() {
    try (Scope scope = new Scope()) {
      Trainer trainer = trainer();
      Loader loader = line();
      Checks.fails(Failures.Value.class, "loss", () -> trainer.fit(loader)); // neither a loss nor a step
      trainer.setLoss(NN.MSELoss());
      trainer.addMetric(
          "size",
          (output, batch) -> ((Tensor) output).numel() + Values.<Tensor>part(batch, 1).numel());
      List<Object> seen = new ArrayList<>();
      for (TrainerEvent event : List.of(TrainerEvent.BEGIN, TrainerEvent.EPOCH_END, TrainerEvent.END)) {
        trainer.addCallback(
            event,
            (self, at) -> {
              seen.add(List.of(at, self.step()));
              if (self.epoch() == 2) {
                self.stop();
              }
            });
      }
      trainer.fit(loader);
      Checks.equal(
          List.of(
              List.of(TrainerEvent.BEGIN, 0L),
              List.of(TrainerEvent.EPOCH_END, 2L),
              List.of(TrainerEvent.EPOCH_END, 4L),
              List.of(TrainerEvent.END, 4L)),
          seen);
      Checks.equal(List.of(true, 2L), List.of(trainer.stopped(), trainer.epoch()));
      List<Map<String, Double>> history = trainer.history();
      Checks.equal(2.0, history.get(1).get("epoch"));
      Checks.equal(4.0, history.get(1).get("size"));
      Map<String, Double> metrics = trainer.evaluate(loader);
      Checks.that(metrics.get("loss") < history.get(0).get("loss"), metrics.toString());
    }
  }

  static void anExceptionOfATrainersFunctionEndsTheLoop() {
    try (Scope scope = new Scope()) {
      Trainer trainer = trainer();
      Loader loader = line();
      trainer.setStep(
          (self, model, batch) -> {
            unless(self.step(), 3);
            return Aten.mse_loss(model.call((Tensor) Values.part(batch, 0)), Values.part(batch, 1));
          });
      Checks.fails(NoSample.class, "no 3", () -> trainer.fit(loader));
      Checks.equal(List.of(3L, false), List.of(trainer.step(), trainer.stopped()));
      trainer.setStep(null);
      Checks.fails(Failures.Value.class, "loss", () -> trainer.fit(loader));
    }
  }
}
