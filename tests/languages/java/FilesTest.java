import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ctorch.Aten;
import org.ctorch.Ctorch;
import org.ctorch.DType;
import org.ctorch.Device;
import org.ctorch.DeviceType;
import org.ctorch.Failures;
import org.ctorch.GradMode;
import org.ctorch.JitModule;
import org.ctorch.Load;
import org.ctorch.LrScheduler;
import org.ctorch.LrSchedulers;
import org.ctorch.Module;
import org.ctorch.NN;
import org.ctorch.Npy;
import org.ctorch.Npz;
import org.ctorch.Optim;
import org.ctorch.Optimizer;
import org.ctorch.Options;
import org.ctorch.PythonObject;
import org.ctorch.Reader;
import org.ctorch.Safetensors;
import org.ctorch.SaveFlags;
import org.ctorch.Scope;
import org.ctorch.Sharded;
import org.ctorch.Snapshots;
import org.ctorch.Tensor;
import org.ctorch.Torch;
import org.ctorch.Tuple;
import org.ctorch.Value;
import org.ctorch.Values;
import org.ctorch.Weights;
import org.ctorch.Writer;

/**
 * Files. Those that Python wrote are in the folder test.given, and those that it reads go to test.made;
 * file_exchange.py tells what is in them.
 */
class FilesTest {
  private static String given(String name) {
    return Path.of(System.getProperty("test.given"), name).toString();
  }

  private static String made(String name) {
    return Path.of(System.getProperty("test.made"), name).toString();
  }

  private static byte[] bytes(String path) throws IOException {
    return Files.readAllBytes(Path.of(path));
  }

  private static Map<String, Tensor> sample() {
    Map<String, Tensor> sample = new LinkedHashMap<>();
    sample.put("weight", Tensor.of(new float[] {0, 0.25f, 0.5f, 0.75f, 1, 1.25f}, 2, 3));
    sample.put("half", Aten.to_dtype(Tensor.of(new float[] {1, -0.5f}), DType.BFLOAT16));
    sample.put("count", Aten.view(Tensor.of(new long[] {7})));
    return sample;
  }

  private static Map<String, Object> state() {
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("weight", sample().get("weight"));
    state.put("step", 7L);
    state.put("rate", 0.5);
    state.put("name", "net");
    state.put("flags", Arrays.asList(true, null));
    state.put("pair", Tuple.of(1L, "x"));
    return state;
  }

  static void namedTuplesKeepTheirNames() throws IOException {
    List<String> names = Files.readAllLines(Path.of(given("named.txt")));
    JitModule model = Ctorch.jitLoadFile(given("named.pt"), null);
    Value value = model.call(null, new Value[] {Values.of(Tensor.of(new float[] {1, 2}))}, null);
    Tuple found = (Tuple) Values.get(value);
    Checks.equal(found.name(), names.get(0));
    Checks.equal(found.fields(), names.subList(1, names.size()));
    Tensor logits = found.get("logits");
    same(logits, Tensor.of(new float[] {2, 4}));
    Checks.that(logits == found.entries().get(0), "another tensor");
    Checks.equal(found.get("count"), 3L);
    Checks.equal(Values.part(found, 1), 3L);
    Checks.equal(Values.get(value.field("count")), 3L);
    Checks.that(found.toString().startsWith(names.get(0) + "[" + names.get(1) + "="), found.toString());
    Checks.equal(found, new Tuple(found.entries()));
    Checks.fails(IllegalArgumentException.class, "no 'x' among [logits, count]", () -> found.get("x"));
  }

  private static void same(Tensor a, Tensor b) {
    Checks.equal(a.dtype(), b.dtype());
    Checks.that(Aten.equal(a, b), a + " is not " + b);
  }

  private static void isState(Object found) {
    Map<?, ?> read = new LinkedHashMap<>((Map<?, ?>) found);
    Map<String, Object> expected = state();
    Checks.equal(new ArrayList<Object>(expected.keySet()), new ArrayList<Object>(read.keySet()));
    same((Tensor) expected.remove("weight"), (Tensor) read.remove("weight"));
    Checks.equal(expected, read);
  }

  private static void isSample(Map<String, Tensor> found) {
    Map<String, Tensor> expected = sample();
    Checks.equal(expected.keySet(), found.keySet());
    expected.forEach((name, tensor) -> same(tensor, found.get(name)));
  }

  static void loadReadsWhatPythonSaved() throws IOException {
    try (Scope scope = new Scope()) {
      for (String path : List.of(given("state.pt"), given("legacy.pt"))) {
        isState(Torch.load(path));
        isState(Torch.load(bytes(path)));
        isState(new Load().mmap(true).mapLocation(Device.CPU).from(path));
        try (FileChannel channel = FileChannel.open(Path.of(path)); Reader reader = Reader.of(channel)) {
          isState(new Load().from(reader));
        }
        List<Object> places = new ArrayList<>();
        isState(new Load().mapLocation((location, device) -> noted(places, location, device)).from(path));
        Checks.equal(List.of("cpu", DeviceType.CPU), places);
        Device meta = new Device(DeviceType.META, -1);
        Map<?, ?> moved = (Map<?, ?>) new Load().mapLocation((location, device) -> meta).from(path);
        Checks.equal(DeviceType.META, ((Tensor) moved.get("weight")).device().type());
      }
    }
  }

  private static Device noted(List<Object> places, String location, Device device) {
    places.add(location);
    places.add(device.type());
    return null;
  }

  static void aFunctionAllowsClasses() {
    try (Scope scope = new Scope()) {
      String path = given("unknown.pt");
      Checks.fails(Failures.Format.class, "fractions.Fraction", () -> Torch.load(path));
      List<String> asked = new ArrayList<>();
      Object loaded =
          new Load().mapLocation(Device.CPU).allow((module, name) -> asked.addAll(List.of(module, name))).from(path);
      Checks.equal(List.of("fractions", "Fraction"), asked);
      PythonObject object = (PythonObject) ((Map<?, ?>) loaded).get("third");
      Checks.equal(List.of("fractions", "Fraction"), List.of(object.module(), object.name()));
      Checks.fails(Failures.Format.class, "Fraction", () -> new Load().allow((module, name) -> false).from(path));
      Checks.fails(IOException.class, "never", () -> new Load().allow((module, name) -> fail("never")).from(path));
    }
  }

  private static boolean fail(String why) throws IOException {
    throw new IOException(why);
  }

  static void weightsOfAnyFormatAreRead() throws IOException {
    try (Scope scope = new Scope()) {
      String path = given("model.safetensors");
      for (Weights weights : List.of(Weights.openFile(path, true), Weights.of(bytes(path)))) {
        Checks.equal(List.of("safetensors", 3L), List.of(weights.format(), weights.len()));
        long place = weights.find("weight");
        Checks.equal(new long[] {2, 3}, weights.shape(place));
        Checks.equal(DType.FLOAT32, weights.dtype(place));
        Checks.equal(Map.of("by", "python"), weights.metadata());
        same(sample().get("half"), weights.tensor("half"));
        Checks.equal(new float[] {1, 1.25f}, weights.slice("weight", new long[] {1, -2}, 2, 3).toFloats());
        isSample(weights.tensors());
        Checks.fails(Failures.Index.class, "bias", () -> weights.tensor("bias"));
        Checks.fails(Failures.Index.class, "3", () -> weights.shape(3));
        weights.close();
        Checks.fails(IllegalStateException.class, "closed", weights::names);
      }
      isSample(Safetensors.loadFile(path));
      isSample(Safetensors.load(bytes(path)));
      isSample(Sharded.load(given("sharded")));
      same(sample().get("weight"), Npy.loadFile(given("x.npy")));
      same(sample().get("weight"), Npy.load(bytes(given("x.npy"))));
      path = given("sample.npz");
      for (Map<String, Tensor> arrays : List.of(Npz.loadFile(path), Npz.load(bytes(path)))) {
        Checks.equal(List.of("weight", "count"), new ArrayList<>(arrays.keySet()));
        same(sample().get("count"), arrays.get("count"));
      }
      Checks.equal("pt[weight]", Weights.openFile(given("state.pt"), false).toString());
    }
  }

  static void failuresAreExceptions() throws IOException {
    try (Scope scope = new Scope()) {
      for (String name : List.of("damaged.pt", "damaged.safetensors", "damaged.npz")) {
        Checks.fails(Failures.Format.class, "", () -> Torch.load(given(name)));
        Checks.fails(Failures.Format.class, "", () -> Torch.load(bytes(given(name))));
        Checks.fails(Failures.Format.class, "", () -> Safetensors.loadFile(given(name)));
        Checks.fails(Failures.Format.class, "", () -> Npz.load(bytes(given(name))));
      }
      String nowhere = made("nowhere/x.pt");
      Checks.fails(Failures.Io.class, "nowhere", () -> Torch.load(nowhere));
      Checks.fails(Failures.Io.class, "nowhere", () -> Torch.save(1, nowhere));
      Checks.fails(Failures.Io.class, "nowhere", () -> Weights.openFile(nowhere, true));
      Checks.fails(IllegalArgumentException.class, "Object", () -> Torch.save(new Object(), made("x.pt")));
      Tensor x = sample().get("weight");
      Checks.fails(Failures.Runtime.class, "", () -> Safetensors.save(Map.of("a", x, "b", x), null));
      Writer full = Writer.fromCallback(data -> fail("full"));
      Torch.save(state(), full);
      Checks.fails(IOException.class, "full", full::finish);
      try (Reader gone = Reader.fromCallback(100, (data, offset) -> fail("gone"))) {
        Checks.fails(IOException.class, "gone", () -> new Load().from(gone));
      }
      try (Reader shorter = Reader.fromCallback(100, (data, offset) -> data.put((byte) 0))) {
        Checks.fails(EOFException.class, "missing", () -> new Load().from(shorter));
      }
      try (FileChannel channel = FileChannel.open(Path.of(given("state.pt"))); Reader told = Reader.of(channel)) {
        told.setProgress(count -> fail("stop"));
        Checks.fails(IOException.class, "stop", () -> new Load().from(told));
      }
    }
  }

  static void readersAndWritersGiveBytes() {
    try (Scope scope = new Scope()) {
      Reader reader = Reader.fromData("0123456789".getBytes());
      byte[] data = new byte[4];
      reader.read(3, data);
      Checks.equal("3456", new String(data));
      Checks.fails(Failures.Index.class, "", () -> reader.read(8, data));
      Writer writer = Writer.create();
      Checks.equal(0, writer.toBytes().length);
      writer.write("ab".getBytes());
      writer.write("c".getBytes());
      writer.finish();
      Checks.equal("abc", new String(writer.toBytes()));
      Checks.fails(Failures.Runtime.class, "", () -> writer.write((byte) 1));
      Checks.equal("a reader of 10 bytes, a writer of 3 bytes", reader + ", " + writer);
    }
  }

  static void pythonReadsWhatIsWritten() throws IOException {
    try (Scope scope = new Scope()) {
      Torch.save(state(), made("state.pt"));
      byte[] data = Torch.save(state());
      Files.write(Path.of(made("bytes.pt")), data);
      ByteArrayOutputStream stream = new ByteArrayOutputStream();
      List<Long> told = new ArrayList<>();
      try (Writer writer = Writer.to(stream)) {
        writer.setProgress(told::add);
        Torch.save(state(), writer);
        writer.finish();
        Checks.equal(0, writer.toBytes().length);
      }
      Checks.equal(data, stream.toByteArray());
      Checks.equal((long) data.length, told.get(told.size() - 1));
      try (Writer writer = Writer.create()) {
        PythonObject third = new PythonObject("fractions", "Fraction", Tuple.of("1/3"), null, null);
        Checks.fails(Failures.Unsupported.class, "Fraction", () -> Torch.save(third));
        Torch.save(third, writer, SaveFlags.ANY, SaveFlags.NO_CRC32);
      }
      Map<String, String> by = Map.of("by", "consumer");
      Safetensors.saveFile(sample(), made("model.safetensors"), by);
      Files.write(Path.of(made("bytes.safetensors")), Safetensors.save(sample(), by));
      Module linear = NN.Linear(3, 2);
      try (GradMode off = Torch.noGrad()) {
        for (Tensor parameter : linear.parameters()) {
          Aten.zero_(parameter);
        }
      }
      Safetensors.saveModel(linear, made("linear.safetensors"), null);
      Module other = NN.Linear(3, 2);
      Safetensors.Loaded loaded = Safetensors.loadModel(other, made("linear.safetensors"), true);
      Checks.equal(new Safetensors.Loaded(List.of(), List.of()), loaded);
      Checks.equal(new float[6], other.getParameter("weight").toFloats());
      loaded = Safetensors.loadModel(NN.ReLU(), made("linear.safetensors"), false);
      Checks.equal(List.of("bias", "weight"), loaded.unexpected());
      Checks.fails(
          Failures.Runtime.class, "", () -> Safetensors.loadModel(NN.ReLU(), made("linear.safetensors"), true));
      Map<String, Tensor> tensors = sample();
      Npy.saveFile(tensors.get("weight"), made("x.npy"));
      Files.write(Path.of(made("bytes.npy")), Npy.save(tensors.get("weight")));
      Files.createDirectory(Path.of(made("sharded")));
      Sharded.save(tensors, made("sharded"), "safetensors", 24, null);
      tensors.remove("half"); // NumPy has no bfloat16
      Npz.saveFile(tensors, made("sample.npz"), true);
      Files.write(Path.of(made("bytes.npz")), Npz.save(tensors, true));
    }
  }

  private static final class Run {
    final Module model = NN.Linear(3, 2);
    final Optimizer optimizer = Optim.AdamW(model.parameters(), Options.with().lr(0.1));
    final LrScheduler scheduler = LrSchedulers.StepLR(optimizer, 2);
    final Snapshots snapshots = Snapshots.open(made("run"));
    long place;

    Run() {
      snapshots.addModule("model", model);
      snapshots.addOptimizer("optimizer", optimizer);
      snapshots.addLrScheduler("scheduler", scheduler);
      snapshots.addCallback(
          "loader", () -> Map.of("place", place), state -> place = (Long) ((Map<?, ?>) state).get("place"));
      snapshots.setKeep(1, 1, false);
    }

    void steps(int count) {
      for (int i = 0; i < count; i++) {
        Tensor x = Tensor.randn(4, 3); // the generator is part of a snapshot
        optimizer.zeroGrad();
        Aten.square(model.call(x)).sum().backward();
        optimizer.step();
        scheduler.step();
        place++;
      }
    }
  }

  static void aRunGoesOnWhereASnapshotWasTaken() throws IOException {
    try (Scope scope = new Scope()) {
      Torch.manualSeed(5);
      Run first = new Run();
      Checks.equal(false, first.snapshots.resume(null).out());
      first.steps(3);
      first.snapshots.save(1, 3, 0.25);
      first.steps(3);
      Run second = new Run();
      Checks.equal("OutEpochStep[out=true, epoch=1, step=3]", second.snapshots.resume("best").toString());
      Checks.equal(List.of(3L, 3L), List.of(second.place, second.scheduler.lastEpoch()));
      second.steps(3);
      for (int i = 0; i < 2; i++) {
        same(first.model.parameters()[i], second.model.parameters()[i]);
      }
      Path damaged = Path.of(made("run/snapshot-000000000009.pt"));
      Files.write(damaged, "no snapshot".getBytes());
      Checks.fails(Failures.Format.class, "", () -> new Run().snapshots.resume(null));
      Files.delete(damaged);
      second.snapshots.addCallback("failing", () -> fail("no state"), state -> {});
      Checks.fails(Failures.Index.class, "failing", () -> second.snapshots.resume(null));
      Checks.fails(IOException.class, "no state", () -> second.snapshots.save(1, 10, null));
      Checks.fails(Failures.Value.class, "model", () -> second.snapshots.addModule("model", second.model));
    }
  }
}
