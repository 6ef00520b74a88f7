import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ctorch.Aten;
import org.ctorch.Ctorch;
import org.ctorch.DType;
import org.ctorch.Device;
import org.ctorch.DeviceType;
import org.ctorch.Failures;
import org.ctorch.Generator;
import org.ctorch.Init;
import org.ctorch.Layout;
import org.ctorch.Module;
import org.ctorch.NN;
import org.ctorch.Op;
import org.ctorch.Options;
import org.ctorch.Results;
import org.ctorch.Scalar;
import org.ctorch.Slice;
import org.ctorch.Storage;
import org.ctorch.Tensor;
import org.ctorch.Value;

/** Each kind of argument and result arrives as it was given. */
class ValuesTest {
  static void numbersOfAllDtypes() {
    Checks.equal(new float[] {1.5f, Float.NaN, Float.NEGATIVE_INFINITY}, Tensor.of(new float[] {1.5f, Float.NaN, Float.NEGATIVE_INFINITY}).toFloats());
    Checks.equal(new double[] {-0.0, Double.MIN_VALUE, Double.MAX_VALUE}, Tensor.of(new double[] {-0.0, Double.MIN_VALUE, Double.MAX_VALUE}).toDoubles());
    Checks.equal(new long[] {Long.MIN_VALUE, -1, Long.MAX_VALUE}, Tensor.of(new long[] {Long.MIN_VALUE, -1, Long.MAX_VALUE}).toLongs());
    Checks.equal(new int[] {Integer.MIN_VALUE, 7}, Tensor.of(new int[] {Integer.MIN_VALUE, 7}).toInts());
    Checks.equal(new boolean[] {true, false}, Tensor.of(new boolean[] {true, false}).toBooleans());
    Checks.equal(DType.INT8, Tensor.of(new byte[] {-1}).dtype());
    Checks.equal(-1L, Tensor.of(new byte[] {-1}).itemInt64());
    Checks.equal(DType.INT16, Tensor.of(new short[] {-2}).dtype());
    Checks.equal(-2L, Tensor.of(new short[] {-2}).itemInt64());
    Checks.fails(IllegalStateException.class, "INT32", () -> Tensor.of(new int[] {1}).toLongs());
  }

  static void modulesOfSchemaFilesWithWhatPythonDrawsAndComputesFromTheSameSeed() {
    Tensor ones = Aten.ones(1, 1, 4, 4);
    Ctorch.randomManualSeed(0);
    Module conv = NN.Conv2d(1, 2, new long[] {3, 2}, Options.with().stride(2).padding(1));
    Tensor y = conv.forward(ones);
    Checks.equal(new long[] {1, 2, 2, 3}, y.sizes());
    Checks.equal(-438072L, Math.round(y.toFloats()[11] * 1e6)); // the last digits are the processor's
    Checks.equal(2, conv.parameters(true).length);
    Ctorch.randomManualSeed(0);
    Module named = NN.Conv2d_padding(1, 2, new long[] {3}, Options.with().padding("same").bias(false));
    Checks.equal(0.19571614265441895f, named.forward(ones).toFloats()[0]);
    Tensor weight = Aten.zeros(2, 2);
    Ctorch.randomManualSeed(0);
    Checks.that(Init.kaiming_uniform_(weight, Options.with().nonlinearity("relu")) == weight, "the same object");
    Checks.equal(-1.425555944442749f, weight.toFloats()[2]);
    Checks.fails(Failures.Value.class, "groups must be positive", () -> NN.Conv2d(1, 1, new long[] {1}, Options.with().groups(0)));
  }

  static void emptyAndScalarTensors() {
    Checks.equal(new long[] {0}, Tensor.of(new float[0]).sizes());
    Checks.equal(new long[] {2, 0}, Tensor.of(new float[0], 2, 0).sizes());
    Checks.equal(new float[0], Tensor.of(new float[0], 2, 0).toFloats());
    Checks.equal(new long[0], Tensor.of(3).sizes());
    Checks.equal(new long[0], Aten.zeros().sizes());
  }

  static void scalarsOfAllKinds() {
    Checks.equal(DType.INT64, Tensor.of(3).dtype());
    Checks.equal(DType.FLOAT32, Tensor.of(3.0).dtype());
    Checks.equal(DType.BOOL, Tensor.of(Scalar.of(true)).dtype());
    Checks.equal(DType.COMPLEX64, Tensor.of(Scalar.complex(1, -2)).dtype());
    Checks.equal(Scalar.complex(1, -2), Tensor.of(Scalar.complex(1, -2)).item());
    Checks.equal(Scalar.of(Long.MIN_VALUE), Tensor.of(Long.MIN_VALUE).item());
    BigInteger most = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
    Tensor unsigned = Tensor.fromScalar(Scalar.of(most), DType.UINT64);
    Checks.equal(most, unsigned.item().bigIntegerValue());
    Checks.equal(most.toString(), unsigned.item().toString());
    Checks.fails(ArithmeticException.class, "more than 64 bits", () -> Scalar.of(most.add(BigInteger.ONE)));
    Checks.equal(Scalar.of(Double.NaN), Tensor.of(Double.NaN).item());
    Checks.equal(true, Tensor.of(2).itemBool());
    Checks.equal(new Results.ReIm(1, -2), Tensor.of(Scalar.complex(1, -2)).itemComplex());
  }

  static void defaultsAndOptions() {
    Tensor x = Tensor.of(new long[] {1, 2});
    Checks.equal(new long[] {2, 4}, Aten.add_Tensor(x, x).toLongs());
    Checks.equal(new long[] {3, 6}, Aten.add_Tensor(x, x, Options.with().alpha(2)).toLongs());
    Checks.equal(new long[] {2, 4}, Aten.add_Tensor(x, x, null).toLongs());
    Checks.equal(new long[] {2, 4}, Aten.add_Tensor(x, x, Options.with().alpha(2).alpha((Number) null)).toLongs());
    Tensor three = Aten.ones(new long[] {2, 3}, Options.with().dtype(DType.FLOAT64).layout(Layout.STRIDED).device(Device.CPU).pin_memory(false));
    Checks.equal(DType.FLOAT64, three.dtype());
    Checks.equal(6.0, three.sum().itemDouble());
    Tensor image = Tensor.ones(1, 1, 4, 4);
    Tensor kernel = Tensor.ones(1, 1, 3, 3);
    Checks.equal(new long[] {1, 1, 2, 2}, Aten.conv2d(image, kernel).sizes());
    Checks.equal(new long[] {1, 1, 4, 4}, Aten.conv2d(image, kernel, Options.with().padding(1, 1)).sizes());
    Checks.equal(new long[] {1, 1, 4, 4}, Aten.conv2d(image, kernel, Options.with().padding(1)).sizes());
    Checks.equal(new long[] {1, 1, 4, 4}, Aten.conv2d_padding(image, kernel, Options.with().padding("same")).sizes());
    Checks.equal(9.0, Aten.conv2d(image, kernel, Options.with().bias(Tensor.zeros(1))).get(0, 0, 0, 0).itemDouble());
  }

  static void none() {
    Tensor x = Tensor.of(new float[] {1, 2, 3, 4}, 2, 2);
    Checks.equal(10.0, Aten.sum_dim_IntList(x, null).itemDouble());
    Checks.equal(new float[] {4, 6}, Aten.sum_dim_IntList(x, new long[] {0}).toFloats());
    Checks.equal(new float[] {1, 2, 2, 2}, Aten.clamp(x, Options.with().max(2)).flatten(0, -1).toFloats());
    Checks.equal(new float[] {2, 4}, Aten.index_Tensor(x, new Tensor[] {null, Tensor.of(new long[] {1})}).flatten(0, -1).toFloats());
    Checks.equal(3L, Aten.argmax(x).itemInt64());
    Checks.equal(new long[] {1, 1}, Aten.argmax(x, Options.with().dim(1)).toLongs());
  }

  static void listsTuplesAndTexts() {
    Tensor x = Aten.arange(10);
    Tensor[] parts = Aten.split_Tensor(x, 4);
    Checks.equal(3, parts.length);
    Checks.equal(new long[] {8, 9}, parts[2].toLongs());
    Checks.equal(10L, Aten.cat(parts).numel());
    Results.ValuesIndices top = Aten.topk(Tensor.of(new float[] {1, 5, 3}), 2);
    Checks.equal(new float[] {5, 3}, top.values().toFloats());
    Checks.equal(new long[] {1, 2}, top.indices().toLongs());
    top.close();
    Checks.equal(true, top.values().isClosed() && top.indices().isClosed());
    Tensor sum = Aten.einsum("i,i->", new Tensor[] {x, x});
    Checks.equal(285L, sum.itemInt64());
    Checks.equal(true, Aten.equal(x, x));
    Checks.equal(true, Aten.is_floating_point(top.values().isClosed() ? Tensor.zeros(1) : x));
    Checks.equal(new double[] {0, 0.5, 1}, Aten.linspace(0, 1, 3, Options.with().dtype(DType.FLOAT64)).toDoubles());
    Tensor[] foreach = Aten._foreach_add_ScalarList(new Tensor[] {Tensor.zeros(1), Tensor.zeros(1)}, 1, 2.5);
    Checks.equal(2.5, foreach[1].itemDouble());
  }

  /** More than the memory of a call holds. */
  static void longLists() {
    Tensor[] many = new Tensor[5000];
    Tensor one = Tensor.ones(1);
    java.util.Arrays.fill(many, one);
    Checks.equal(5000.0, Aten.cat(many).sum().itemDouble());
    long[] positions = new long[100_000];
    java.util.Arrays.setAll(positions, i -> i % 3);
    Checks.equal(99_999.0, Aten.arange(3).to(DType.FLOAT64).get((Object) positions).sum().itemDouble());
    String text = "x".repeat(100_000) + "\u00e9\u4f60\ud83d\ude00";
    try (Value value = Value.fromString(text)) {
      Checks.equal(text, value.toString_());
    }
  }

  static void textsWithNul() {
    byte[] bytes = {'a', 0, 'b'};
    try (Value value = Value.fromStringData(bytes)) {
      Checks.equal("a\0b", value.toString_());
    }
    Checks.fails(IllegalArgumentException.class, "NUL", () -> Value.fromString("a\0b"));
  }

  static void whatIsChangedIsReturned() {
    Tensor x = Tensor.zeros(2);
    Checks.that(Aten.add__Scalar(x, 1) == x, "in place");
    Tensor out = Tensor.empty(2);
    Checks.that(Aten.add_out(x, x, out) == out, "out");
    Checks.equal(new float[] {2, 2}, out.toFloats());
    Tensor values = Tensor.empty(0);
    Tensor indices = Aten.empty_memory_format(new long[] {0}, Options.with().dtype(DType.INT64));
    var sorted = Aten.sort_values(x, values, indices);
    Checks.that(sorted.values() == values && sorted.indices() == indices, "several");
    Tensor noise = Tensor.zeros(2); // changed, but not returned
    Checks.that(Aten.rrelu_with_noise_(x, noise) == x, "one of two");
    Checks.that(x.mul_(3).sub_(1).div_(2) == x, "chained");
    Checks.equal(new float[] {1, 1}, x.toFloats());
  }

  static void devices() {
    Checks.equal(new Device(DeviceType.CPU, -1), Tensor.zeros(1).device());
    Tensor meta = Tensor.zeros(2, 3).to(Device.META);
    Checks.equal(DeviceType.META, meta.deviceType());
    Checks.equal(new long[] {2, 3}, meta.sizes());
    Checks.equal("cuda:1", Device.cuda(1).toString());
  }

  static void generators() {
    try (Generator a = Generator.create(Device.CPU);
        Generator b = Generator.create(Device.CPU)) {
      a.manualSeed(-1L); // 2^64 - 1
      b.manualSeed(-1L);
      Checks.equal(-1L, a.initialSeed());
      Tensor x = Aten.rand_generator(new long[] {8}, a);
      Checks.that(x.sameAs(Aten.rand_generator(new long[] {8}, b)), "another sequence");
      Tensor y = Aten.normal_(Tensor.empty(3), Options.with().generator(a));
      Checks.that(y.sameAs(Aten.normal_(Tensor.empty(3), Options.with().generator(b))), "another sequence");
    }
  }

  static void sharedMemory() {
    ByteBuffer memory = ByteBuffer.allocateDirect(24).order(ByteOrder.nativeOrder());
    Tensor x = Tensor.share(memory.position(8), DType.FLOAT64, 2);
    memory.putDouble(8, 1.5);
    Checks.equal(1.5, x.get(0).itemDouble());
    x.put(2.5, 1);
    Checks.equal(2.5, memory.getDouble(16));
    Checks.fails(IllegalArgumentException.class, "24 bytes", () -> Tensor.share(memory, DType.FLOAT64, 3));
    Checks.fails(IllegalArgumentException.class, "direct", () -> Tensor.share(ByteBuffer.allocate(8), DType.FLOAT64, 1));
  }

  static void storages() {
    Tensor x = Aten.arange(6);
    try (Storage storage = Storage.fromTensor(x)) {
      Checks.equal(48L, storage.nbytes());
      Tensor columns = Tensor.fromStorage(storage, 1, new long[] {2, 2}, new long[] {3, 1}, DType.INT64);
      Checks.equal(new long[] {1, 2, 4, 5}, columns.contiguous().toLongs());
      Checks.equal(new long[] {3, 1}, columns.strides());
      byte[] bytes = new byte[8];
      storage.read(8, bytes);
      Checks.equal((byte) 1, bytes[0]);
      Checks.fails(Failures.InvalidArgument.class, "1 strides for 2 sizes", () -> Tensor.fromStorage(storage, 0, new long[] {1, 1}, new long[] {1}, DType.INT64));
    }
  }

  static void indexing() {
    Tensor x = Aten.arange(24).view(2, 3, 4);
    Checks.equal(23L, x.get(-1, -1, -1).itemInt64());
    Checks.equal(new long[] {4, 5, 6, 7}, x.get(0, 1).toLongs());
    Checks.equal(new long[] {2, 2}, x.get(Tensor.ELLIPSIS, Slice.of(1, 3), 0).sizes());
    Checks.equal(new long[] {1, 13}, x.get(Slice.ALL, 0, 1).toLongs());
    Checks.equal(new long[] {0, 2}, x.get(0, 0, Slice.ALL.by(2)).toLongs());
    Checks.equal(new long[] {1, 2, 3, 4}, x.get((Object) null).sizes());
    Checks.equal(new long[] {20, 21, 22, 23}, x.get(x.gt(19)).toLongs());
    Checks.equal(new long[] {12, 0}, x.get(new long[] {1, 0}, 0, 0).toLongs());
    Checks.equal(new long[] {2, 2}, x.get("..., ::2, 0").sizes());
    x.put(-1, 0, Slice.to(2), 3).put(Tensor.of(100), "1, 2, 3");
    Checks.equal(new long[] {-1, -1, 11}, x.get(0, Slice.ALL, 3).toLongs());
    Checks.equal(100L, x.get(1, 2, 3).itemInt64());
    Checks.fails(IllegalArgumentException.class, "no index: java.lang.Double", () -> x.get(1.5));
  }

  static void operatorsByName() {
    try (Op add = Op.find("aten::add", "Tensor");
        Value x = Value.fromTensor(Tensor.of(new float[] {1, 2}));
        Value result = add.call(x, x)) {
      Tensor sum = result.kindOf() == org.ctorch.ValueKind.TUPLE ? result.get(0).toTensor() : result.toTensor();
      Checks.equal(new float[] {2, 4}, sum.toFloats());
    }
  }

  static void printing() {
    Checks.equal("tensor([[1., 2.],\n        [3., 4.]])", Tensor.of(new float[] {1, 2, 3, 4}, 2, 2).toString());
    Checks.that(Ctorch.versionTorch().startsWith("2."), Ctorch.versionTorch());
    Checks.equal("float32", Ctorch.dtypeName(DType.FLOAT32));
  }
}
