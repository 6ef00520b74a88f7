import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ctorch.Aten;
import org.ctorch.Ctorch;
import org.ctorch.DType;
import org.ctorch.Device;
import org.ctorch.DeviceType;
import org.ctorch.Failures;
import org.ctorch.Generator;
import org.ctorch.GradMode;
import org.ctorch.InferenceMode;
import org.ctorch.Layout;
import org.ctorch.MemoryFormat;
import org.ctorch.Op;
import org.ctorch.PythonObject;
import org.ctorch.Scalar;
import org.ctorch.Storage;
import org.ctorch.Stream;
import org.ctorch.Tensor;
import org.ctorch.Torch;
import org.ctorch.Tuple;
import org.ctorch.Value;
import org.ctorch.Values;

/** Java's objects as values of the C API and back: each kind, and what is refused. */
class NativeTest {
  private static Map<Object, Object> map(Object... pairs) {
    Map<Object, Object> made = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      made.put(pairs[i], pairs[i + 1]);
    }
    return made;
  }

  private static Set<Object> set(Object... entries) {
    return new LinkedHashSet<>(Arrays.asList(entries));
  }

  private static Object back(Object object) {
    try (Value value = Values.of(object)) {
      return Values.get(value);
    }
  }

  private static String repr(Object object) {
    try (Value value = Values.of(object)) {
      return value.repr();
    }
  }

  static void aRoundTripGivesAnEqualObject() {
    String big = "1606938044258990275541962092341162602522202993782792835301376"; // 2^200
    Object[][] known = {
      {null, "None"}, {true, "True"}, {-7L, "-7"},
      {Long.MAX_VALUE, "9223372036854775807"}, {Long.MIN_VALUE, "-9223372036854775808"},
      {new BigInteger("9223372036854775808"), "9223372036854775808"},
      {new BigInteger("-9223372036854775809"), "-9223372036854775809"},
      {new BigInteger("18446744073709551615"), "18446744073709551615"},
      {new BigInteger(big), big}, {new BigInteger("-" + big), "-" + big},
      {0.5, "0.5"}, {2.0, "2.0"}, {-0.0, "-0.0"}, {Double.POSITIVE_INFINITY, "inf"}, {Double.NaN, "nan"},
      {Scalar.complex(1, -2), "(1-2j)"}, {"", "''"}, {"\u00e9 \ud83d\ude42", "'\u00e9 \ud83d\ude42'"},
      {new byte[0], "b''"}, {new byte[] {97, 0, 98, -1}, "b'a\\x00b\\xff'"},
      {DType.FLOAT32, "torch.float32"}, {Layout.SPARSE_CSR, "torch.sparse_csr"},
      {MemoryFormat.CHANNELS_LAST, "torch.channels_last"},
      {new Device(DeviceType.CUDA, 1), "device(type='cuda', index=1)"},
      {List.of(), "[]"}, {Tuple.of(), "()"}, {Map.of(), "{}"}, {Set.of(), "set()"},
      {List.of(1L, List.of(2.5, Tuple.of("x", null))), "[1, [2.5, ('x', None)]]"},
      {map("a", set(1L, 2L), Tuple.of(1L, "b"), List.of(DType.INT8), null, true), "{'a': {1, 2}, (1, 'b'): [torch.int8], None: True}"},
    };
    for (Object[] pair : known) {
      Checks.equal(pair[1], repr(pair[0]));
      Checks.equal(pair[0], back(pair[0]));
    }
    Checks.equal("a\0b", back("a\0b"));
    Stream stream = new Stream(3, new Device(DeviceType.CPU, 0));
    Checks.equal(stream, back(stream));
    List<?> nested = (List<?>) ((Map<?, ?>) back(map("k", List.of(new byte[] {0})))).get("k");
    Checks.equal(new byte[] {0}, nested.get(0));
  }

  static void whatJavaHasSeveralClassesForComesBackAsOne() {
    Object[][] known = {
      {3, 3L}, {(short) 3, 3L}, {(byte) -3, -3L}, {BigInteger.valueOf(-128), -128L}, {BigInteger.valueOf(255), 255L},
      {BigInteger.ZERO, 0L}, {0.5f, 0.5}, {Scalar.of(2.0), 2.0}, {Scalar.of(3), 3L},
      {new long[] {1, 2}, List.of(1L, 2L)}, {new String[] {"a", null}, Arrays.asList("a", null)},
      {new double[][] {{1}, {}}, List.of(List.of(1.0), List.of())},
    };
    for (Object[] pair : known) {
      Checks.equal(pair[1], back(pair[0]));
    }
    Checks.equal(null, Values.get(null));
  }

  static void tensorsGeneratorsAndStoragesAreShared() {
    Tensor x = Tensor.of(new float[] {1, 2});
    Map<?, ?> found = (Map<?, ?>) back(map("x", List.of(x), "g", Generator.default_(null), "s", Storage.fromTensor(x)));
    Aten.fill__Scalar((Tensor) ((List<?>) found.get("x")).get(0), 7);
    Checks.equal(new float[] {7, 7}, x.toFloats());
    Checks.that(found.get("g") instanceof Generator, "a generator");
    Checks.equal(8L, ((Storage) found.get("s")).nbytes());
  }

  static void whatLiesInTwoPlacesDoesSoInC() {
    List<Object> inner = new ArrayList<>(List.of(1L));
    Value value = Values.of(List.of(inner, inner, List.of(1L)));
    Checks.equal(true, value.get(0).is(value.get(1)));
    Checks.equal(false, value.get(0).is(value.get(2)));
    value.get(0).listAppend(Values.of(2));
    Checks.equal(List.of(List.of(1L, 2L), List.of(1L, 2L), List.of(1L)), Values.get(value));
    Checks.equal(List.of(1L), inner);
  }

  static void anObjectOfAClassOfPythonsIsReadable() {
    PythonObject size = new PythonObject("torch", "Size", Tuple.of(Tuple.of(2L, 3L)), null, null);
    Checks.equal("torch.Size([2, 3])", repr(size));
    BigInteger weight = new BigInteger("1180591620717411303424");
    PythonObject net = new PythonObject("nets", "Net.Inner", Tuple.of(), List.of(2L), map("weight", weight));
    Checks.equal(weight, net.attributes().get("weight"));
    Checks.equal(Map.of(), size.attributes());
    for (PythonObject object : List.of(size, net, new PythonObject("builtins", "print", null, null, null))) {
      Checks.equal(object, back(object));
    }
  }

  static void operatorsTakeValuesOfAll() {
    Op op = Op.find("aten::add", "Tensor");
    Tensor[] both = {Tensor.of(new float[] {1, 2}), Tensor.of(new float[] {10, 20})};
    Tensor sum = (Tensor) Values.get(op.call(Values.of(both[0]), Values.of(both[1]), Values.of(2)));
    Checks.equal(new float[] {21, 42}, sum.toFloats());
  }

  static void whatNoValueCanHoldIsToldByFunctionAndArgument() {
    for (Object bad : new Object[] {new Object(), 'c', new StringBuilder("x"), org.ctorch.Index.create()}) {
      String text = "Values.of: object: no value can hold a " + bad.getClass().getName();
      Checks.fails(IllegalArgumentException.class, text, () -> Values.of(bad));
      Checks.fails(IllegalArgumentException.class, text, () -> Values.of(List.of(1, map("k", new Object[] {bad}))));
      Checks.fails(IllegalArgumentException.class, text, () -> Values.of(set(bad)));
    }
    Checks.fails(IllegalArgumentException.class, "half a character", () -> Values.of("\ud800"));
  }

  static void otherErrors() {
    Checks.fails(Failures.Type.class, "", () -> Values.of(set(List.of(1)))); // a list is no entry of a set
    Checks.fails(Failures.Type.class, "", () -> Values.of(map(Map.of(), 1)));
    Object[] loop = {null};
    loop[0] = Tuple.of((Object) loop);
    Checks.fails(IllegalArgumentException.class, "contains itself", () -> Values.of(loop));
    Value value = Values.of(List.of());
    value.listAppend(value);
    Checks.fails(IllegalArgumentException.class, "contains itself", () -> Values.get(value));
    value.clear();
    List<Object> deep = List.of();
    for (int i = 0; i < 450; i++) {
      deep = List.of(deep);
    }
    Checks.equal(deep, back(deep));
    for (int i = 0; i < 200; i++) {
      deep = List.of(deep);
    }
    List<Object> deeper = deep;
    Checks.fails(IllegalArgumentException.class, "nested more than 500 deep", () -> Values.of(deeper));
    value.close();
    Checks.fails(IllegalStateException.class, "Value is closed", () -> Values.get(value));
    Checks.fails(IllegalStateException.class, "Value is closed", () -> Values.of(List.of(value)));
    Checks.fails(IllegalStateException.class, "Value is closed", () -> Values.of(value));
  }

  static void aValueOfAValueIsAnotherHandle() {
    Value value = Values.of(List.of(1L));
    try (Value same = Values.of(value)) {
      Checks.equal(true, same.is(value));
    }
    Checks.equal(List.of(1L), Values.get(value));
  }

  static void modesSeedsAndThreadsHaveTheNamesOfPyTorch() {
    try (GradMode off = Torch.noGrad()) {
      Checks.equal(false, Torch.isGradEnabled());
      try (GradMode on = Torch.enableGrad()) {
        Checks.equal(true, Torch.isGradEnabled());
      }
    }
    try (InferenceMode mode = Torch.inferenceMode()) {
      Checks.equal(true, Ctorch.inferenceModeEnabled());
      mode.close();
      Checks.equal(false, Ctorch.inferenceModeEnabled());
    }
    Checks.equal(true, Torch.isGradEnabled());
    Torch.manualSeed(1234);
    Checks.equal(1234L, Torch.initialSeed());
    float[] first = Aten.rand(3).toFloats();
    Torch.manualSeed(1234);
    Checks.equal(first, Aten.rand(3).toFloats());
    Torch.manualSeed(-1);
    Checks.equal(-1L, Torch.initialSeed());
    int before = Torch.getNumThreads();
    Torch.setNumThreads(1);
    Checks.equal(1, Torch.getNumThreads());
    Torch.setNumThreads(before);
  }
}
