package org.ctorch;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ctorch.raw.Bridge;
import org.ctorch.raw.RawTensor;

/**
 * An n-dimensional array.
 *
 * <p>Here are the operators that programs use most, under short names; {@link Aten} has all of them. A method whose name
 * ends with an underscore changes its tensor and returns it. Close a tensor that is not needed any more, or let a {@link
 * Scope} do it; otherwise the garbage collector does, some time (see {@link GarbageCollection}).
 */
public final class Tensor extends TensorMethods {
  /** In an index, as many whole dimensions as are left: Python's {@code ...}. */
  public static final Object ELLIPSIS =
      new Object() {
        @Override
        public String toString() {
          return "...";
        }
      };

  Tensor(long address) {
    super(address);
  }

  /** Takes over a reference that {@link org.ctorch.raw} got; null for 0. */
  public static Tensor fromAddress(long address) {
    return address == 0 ? null : new Tensor(address);
  }

  /** References to what C lends as an array; null where it has none. */
  static Tensor[] retained(long array, int count) {
    long[] addresses = Bridge.getLongs(array, count);
    Tensor[] tensors = new Tensor[count];
    for (int i = 0; i < count; i++) {
      tensors[i] = retained(addresses[i]);
    }
    return tensors;
  }

  // Making tensors.

  /** A copy of row-major data; without sizes it has one dimension. */
  public static Tensor of(float[] data, long... sizes) {
    ByteBuffer bytes = bytes(data.length, Float.BYTES);
    bytes.asFloatBuffer().put(data);
    return copyOf(bytes, data.length, sizes, DType.FLOAT32);
  }

  /** A copy of row-major data; without sizes it has one dimension. */
  public static Tensor of(double[] data, long... sizes) {
    ByteBuffer bytes = bytes(data.length, Double.BYTES);
    bytes.asDoubleBuffer().put(data);
    return copyOf(bytes, data.length, sizes, DType.FLOAT64);
  }

  /** A copy of row-major data; without sizes it has one dimension. */
  public static Tensor of(long[] data, long... sizes) {
    ByteBuffer bytes = bytes(data.length, Long.BYTES);
    bytes.asLongBuffer().put(data);
    return copyOf(bytes, data.length, sizes, DType.INT64);
  }

  /** A copy of row-major data; without sizes it has one dimension. */
  public static Tensor of(int[] data, long... sizes) {
    ByteBuffer bytes = bytes(data.length, Integer.BYTES);
    bytes.asIntBuffer().put(data);
    return copyOf(bytes, data.length, sizes, DType.INT32);
  }

  /** A copy of row-major data; without sizes it has one dimension. */
  public static Tensor of(short[] data, long... sizes) {
    ByteBuffer bytes = bytes(data.length, Short.BYTES);
    bytes.asShortBuffer().put(data);
    return copyOf(bytes, data.length, sizes, DType.INT16);
  }

  /** A copy of row-major data, whose bytes are signed; without sizes it has one dimension. */
  public static Tensor of(byte[] data, long... sizes) {
    return fromData(data, sizes.length == 0 ? new long[] {data.length} : sizes, DType.INT8);
  }

  /** A copy of row-major data; without sizes it has one dimension. */
  public static Tensor of(boolean[] data, long... sizes) {
    byte[] bytes = new byte[data.length];
    for (int i = 0; i < data.length; i++) {
      bytes[i] = (byte) (data[i] ? 1 : 0);
    }
    return fromData(bytes, sizes.length == 0 ? new long[] {data.length} : sizes, DType.BOOL);
  }

  /** A number as a 0-dimensional tensor, of the dtype that Python would choose. */
  public static Tensor of(Number value) {
    return fromScalar(value, null);
  }

  /**
   * A tensor in the memory of a direct buffer, from its position on: what one changes, the other sees. The tensor keeps
   * the buffer alive.
   *
   * @param data direct, with room for all elements; its byte order is not looked at
   */
  public static Tensor share(ByteBuffer data, DType dtype, long... sizes) {
    if (!data.isDirect() || data.isReadOnly()) {
      throw new IllegalArgumentException("the buffer must be direct, and may not be read-only");
    }
    long needed = Ctorch.dtypeItemsize(dtype);
    for (long size : sizes) {
      needed = Math.multiplyExact(needed, size);
    }
    if (needed > data.remaining()) {
      throw new IllegalArgumentException("the elements take " + needed + " bytes, the buffer has " + data.remaining());
    }
    long payload = Registry.add(data);
    boolean given = false; // C then has the payload, and gives it back
    Call call = Call.begin();
    try {
      long out = call.out();
      long address = Bridge.address(data) + data.position();
      call.check(
          RawTensor.ctorch_tensor_from_buffer(
              out, address, call.longs(sizes), call.length(), 0, 0, dtype.code(), Stubs.Destroy.ADDRESS, payload));
      given = true;
      return call.getTensor(out);
    } finally {
      call.end();
      if (!given) {
        Registry.remove(payload);
      }
    }
  }

  /**
   * A tensor that looks at a storage.
   *
   * @param strides in elements, one for each size; null for row-major
   */
  public static Tensor fromStorage(Storage storage, long storageOffset, long[] sizes, long[] strides, DType dtype) {
    Call call = Call.begin();
    try {
      long out = call.out();
      long memory = call.handle(storage), sizesAt = call.longs(sizes), stridesAt = call.longs(strides);
      long stridesLength = strides == null ? 0 : strides.length;
      call.check(
          RawTensor.ctorch_tensor_from_storage(
              out, memory, storageOffset, sizesAt, sizes.length, stridesAt, stridesLength, dtype.code()));
      return call.getTensor(out);
    } finally {
      call.end();
    }
  }

  private static ByteBuffer bytes(int count, int size) {
    return ByteBuffer.allocate(Math.multiplyExact(count, size)).order(ByteOrder.nativeOrder());
  }

  private static Tensor copyOf(ByteBuffer data, int count, long[] sizes, DType dtype) {
    return fromData(data.array(), sizes.length == 0 ? new long[] {count} : sizes, dtype);
  }

  public static Tensor zeros(long... sizes) {
    return Aten.zeros(sizes);
  }

  public static Tensor ones(long... sizes) {
    return Aten.ones(sizes);
  }

  public static Tensor empty(long... sizes) {
    return Aten.empty_memory_format(sizes);
  }

  public static Tensor full(Number value, long... sizes) {
    return Aten.full(sizes, value);
  }

  /** Uniform in [0, 1). */
  public static Tensor rand(long... sizes) {
    return Aten.rand(sizes);
  }

  /** Normally distributed, with mean 0 and variance 1. */
  public static Tensor randn(long... sizes) {
    return Aten.randn(sizes);
  }

  /** 0, 1, 2, up to but not including {@code end}. */
  public static Tensor arange(Number end) {
    return Aten.arange(end);
  }

  public static Tensor cat(long dim, Tensor... tensors) {
    return Aten.cat(tensors, Options.with().dim(dim));
  }

  public static Tensor stack(long dim, Tensor... tensors) {
    return Aten.stack(tensors, Options.with().dim(dim));
  }

  // What it looks like.

  /** The shape. A nested tensor has none: null. */
  public long[] sizes() {
    Call call = Call.begin();
    try {
      long self = call.handle(this);
      long sizes = RawTensor.ctorch_tensor_sizes(self);
      int ndim = (int) RawTensor.ctorch_tensor_ndim(self);
      return sizes == 0 && ndim > 0 ? null : Bridge.getLongs(sizes, ndim);
    } finally {
      call.end();
    }
  }

  /** The same as {@link #sizes}, by Python's name. */
  public long[] shape() {
    return sizes();
  }

  /** The strides in elements; null for a tensor without (sparse, nested). */
  public long[] strides() {
    Call call = Call.begin();
    try {
      long self = call.handle(this);
      long strides = RawTensor.ctorch_tensor_strides(self);
      int ndim = (int) RawTensor.ctorch_tensor_ndim(self);
      return strides == 0 && ndim > 0 ? null : Bridge.getLongs(strides, ndim);
    } finally {
      call.end();
    }
  }

  /** As Python prints it. */
  @Override
  public String toString() {
    return isClosed() ? "Tensor(closed)" : repr(null, null, null, null, null);
  }

  // Elements.

  /** All elements in row-major order, in a buffer of the machine's byte order. */
  public ByteBuffer toBytes() {
    byte[] data = new byte[Math.toIntExact(Math.multiplyExact(numel(), itemsize()))];
    copyToBuffer(dtype(), data);
    return ByteBuffer.wrap(data).order(ByteOrder.nativeOrder());
  }

  private ByteBuffer toBytes(DType expected) {
    if (dtype() != expected) {
      throw new IllegalStateException("expected elements of " + expected + ", the tensor has " + dtype());
    }
    return toBytes();
  }

  /** All elements of a float32 tensor in row-major order. */
  public float[] toFloats() {
    float[] values = new float[Math.toIntExact(numel())];
    toBytes(DType.FLOAT32).asFloatBuffer().get(values);
    return values;
  }

  /** All elements of a float64 tensor in row-major order. */
  public double[] toDoubles() {
    double[] values = new double[Math.toIntExact(numel())];
    toBytes(DType.FLOAT64).asDoubleBuffer().get(values);
    return values;
  }

  /** All elements of an int64 tensor in row-major order. */
  public long[] toLongs() {
    long[] values = new long[Math.toIntExact(numel())];
    toBytes(DType.INT64).asLongBuffer().get(values);
    return values;
  }

  /** All elements of an int32 tensor in row-major order. */
  public int[] toInts() {
    int[] values = new int[Math.toIntExact(numel())];
    toBytes(DType.INT32).asIntBuffer().get(values);
    return values;
  }

  /** All elements of a bool tensor in row-major order. */
  public boolean[] toBooleans() {
    byte[] bytes = toBytes(DType.BOOL).array();
    boolean[] values = new boolean[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      values[i] = bytes[i] != 0;
    }
    return values;
  }

  // Indexing.

  /**
   * Python's {@code self[index]}: numbers, booleans, {@link Slice}s, {@link #ELLIPSIS}, null for a new dimension, index
   * tensors and masks, {@code long[]} and {@code boolean[]}. A single text is all of it: {@code get("0, 1:5, ..., ::2")}.
   */
  public Tensor get(Object... index) {
    if (index != null && index.length == 1 && index[0] instanceof String) {
      return indexText((String) index[0], null);
    }
    try (Index made = indexOf(index)) {
      return index(made);
    }
  }

  /** Python's {@code self[index] = value}, with an index as for {@link #get}. Returns this tensor. */
  public Tensor put(Tensor value, Object... index) {
    if (index != null && index.length == 1 && index[0] instanceof String) {
      indexPutText((String) index[0], null, null, value);
      return this;
    }
    try (Index made = indexOf(index)) {
      indexPut(made, value);
      return this;
    }
  }

  /** Python's {@code self[index] = value}, with an index as for {@link #get}. Returns this tensor. */
  public Tensor put(Number value, Object... index) {
    if (index != null && index.length == 1 && index[0] instanceof String) {
      indexPutScalarText((String) index[0], null, null, value);
      return this;
    }
    try (Index made = indexOf(index)) {
      indexPutScalar(made, value);
      return this;
    }
  }

  private static Index indexOf(Object[] items) {
    Index index = Index.create();
    try {
      if (items == null) { // `get(null)`
        index.pushNone();
        return index;
      }
      for (Object item : items) {
        push(index, item);
      }
      return index;
    } catch (RuntimeException failure) {
      index.close();
      throw failure;
    }
  }

  private static void push(Index index, Object item) {
    if (item == null) {
      index.pushNone();
    } else if (item == ELLIPSIS) {
      index.pushEllipsis();
    } else if (item instanceof Slice) {
      Slice slice = (Slice) item;
      index.pushSlice(slice.start(), slice.stop(), slice.step());
    } else if (item instanceof Tensor) {
      index.pushTensor((Tensor) item);
    } else if (item instanceof Boolean) {
      index.pushBool((Boolean) item);
    } else if (item instanceof Long || item instanceof Integer || item instanceof Short || item instanceof Byte) {
      index.pushInt(((Number) item).longValue());
    } else if (item instanceof long[]) {
      index.pushInts((long[]) item);
    } else if (item instanceof boolean[]) {
      index.pushBools((boolean[]) item);
    } else {
      throw new IllegalArgumentException("no index: " + item.getClass().getName());
    }
  }

  // Autograd.

  /** Asks for a gradient. Returns this tensor. */
  public Tensor requiresGrad_() {
    setRequiresGrad(true);
    return this;
  }

  /** Computes the gradients of the leaves from this tensor with one element. */
  public void backward() {
    backward(null, null, false);
  }

  // Arithmetic. A number on the right takes part in type promotion as in Python.

  public Tensor add(Tensor other) {
    return Aten.add_Tensor(this, other);
  }

  public Tensor add(Number other) {
    return Aten.add_Scalar(this, other);
  }

  public Tensor add_(Tensor other) {
    return Aten.add__Tensor(this, other);
  }

  public Tensor add_(Number other) {
    return Aten.add__Scalar(this, other);
  }

  public Tensor sub(Tensor other) {
    return Aten.sub_Tensor(this, other);
  }

  public Tensor sub(Number other) {
    return Aten.sub_Scalar(this, other);
  }

  public Tensor sub_(Tensor other) {
    return Aten.sub__Tensor(this, other);
  }

  public Tensor sub_(Number other) {
    return Aten.sub__Scalar(this, other);
  }

  public Tensor mul(Tensor other) {
    return Aten.mul_Tensor(this, other);
  }

  public Tensor mul(Number other) {
    return Aten.mul_Scalar(this, other);
  }

  public Tensor mul_(Tensor other) {
    return Aten.mul__Tensor(this, other);
  }

  public Tensor mul_(Number other) {
    return Aten.mul__Scalar(this, other);
  }

  public Tensor div(Tensor other) {
    return Aten.div_Tensor(this, other);
  }

  public Tensor div(Number other) {
    return Aten.div_Scalar(this, other);
  }

  public Tensor div_(Tensor other) {
    return Aten.div__Tensor(this, other);
  }

  public Tensor div_(Number other) {
    return Aten.div__Scalar(this, other);
  }

  public Tensor pow(Number exponent) {
    return Aten.pow_Tensor_Scalar(this, exponent);
  }

  public Tensor pow(Tensor exponent) {
    return Aten.pow_Tensor_Tensor(this, exponent);
  }

  public Tensor neg() {
    return Aten.neg(this);
  }

  public Tensor abs() {
    return Aten.abs(this);
  }

  public Tensor exp() {
    return Aten.exp(this);
  }

  public Tensor log() {
    return Aten.log(this);
  }

  public Tensor sqrt() {
    return Aten.sqrt(this);
  }

  public Tensor sin() {
    return Aten.sin(this);
  }

  public Tensor cos() {
    return Aten.cos(this);
  }

  public Tensor tanh() {
    return Aten.tanh(this);
  }

  public Tensor sigmoid() {
    return Aten.sigmoid(this);
  }

  public Tensor relu() {
    return Aten.relu(this);
  }

  public Tensor softmax(long dim) {
    return Aten.softmax_int(this, dim);
  }

  public Tensor logSoftmax(long dim) {
    return Aten.log_softmax_int(this, dim);
  }

  /** The same data outside the graph. */
  public Tensor detach() {
    return Aten.detach(this);
  }

  public Tensor matmul(Tensor other) {
    return Aten.matmul(this, other);
  }

  // Comparisons, element by element: a bool tensor.

  public Tensor eq(Tensor other) {
    return Aten.eq_Tensor(this, other);
  }

  public Tensor eq(Number other) {
    return Aten.eq_Scalar(this, other);
  }

  public Tensor ne(Tensor other) {
    return Aten.ne_Tensor(this, other);
  }

  public Tensor ne(Number other) {
    return Aten.ne_Scalar(this, other);
  }

  public Tensor lt(Tensor other) {
    return Aten.lt_Tensor(this, other);
  }

  public Tensor lt(Number other) {
    return Aten.lt_Scalar(this, other);
  }

  public Tensor le(Tensor other) {
    return Aten.le_Tensor(this, other);
  }

  public Tensor le(Number other) {
    return Aten.le_Scalar(this, other);
  }

  public Tensor gt(Tensor other) {
    return Aten.gt_Tensor(this, other);
  }

  public Tensor gt(Number other) {
    return Aten.gt_Scalar(this, other);
  }

  public Tensor ge(Tensor other) {
    return Aten.ge_Tensor(this, other);
  }

  public Tensor ge(Number other) {
    return Aten.ge_Scalar(this, other);
  }

  /** Whether shape and all elements are equal. */
  public boolean sameAs(Tensor other) {
    return Aten.equal(this, other);
  }

  /** Whether all elements are close: rtol 1e-5, atol 1e-8. */
  public boolean allClose(Tensor other) {
    return Aten.allclose(this, other);
  }

  // Reductions.

  public Tensor sum() {
    return Aten.sum(this);
  }

  public Tensor sum(long... dims) {
    return Aten.sum_dim_IntList(this, dims);
  }

  public Tensor mean() {
    return Aten.mean(this);
  }

  public Tensor mean(long... dims) {
    return Aten.mean_dim(this, dims);
  }

  public Tensor max() {
    return Aten.max(this);
  }

  /** Largest elements along a dimension, and where they are. */
  public Results.ValuesIndices max(long dim) {
    return Aten.max_dim(this, dim);
  }

  public Tensor min() {
    return Aten.min(this);
  }

  /** Smallest elements along a dimension, and where they are. */
  public Results.ValuesIndices min(long dim) {
    return Aten.min_dim(this, dim);
  }

  public Tensor argmax(long dim) {
    return Aten.argmax(this, Options.with().dim(dim));
  }

  // Shapes.

  public Tensor view(long... sizes) {
    return Aten.view(this, sizes);
  }

  public Tensor reshape(long... sizes) {
    return Aten.reshape(this, sizes);
  }

  public Tensor expand(long... sizes) {
    return Aten.expand(this, sizes);
  }

  public Tensor permute(long... dims) {
    return Aten.permute(this, dims);
  }

  public Tensor transpose(long dim0, long dim1) {
    return Aten.transpose_int(this, dim0, dim1);
  }

  public Tensor t() {
    return Aten.t(this);
  }

  public Tensor squeeze() {
    return Aten.squeeze(this);
  }

  public Tensor squeeze(long dim) {
    return Aten.squeeze_dim(this, dim);
  }

  public Tensor unsqueeze(long dim) {
    return Aten.unsqueeze(this, dim);
  }

  public Tensor flatten(long startDim, long endDim) {
    return Aten.flatten_using_ints(this, Options.with().start_dim(startDim).end_dim(endDim));
  }

  public Tensor contiguous() {
    return Aten.contiguous(this);
  }

  /** A copy with memory of its own ({@code Tensor.clone}). */
  public Tensor copy() {
    return Aten.clone(this);
  }

  // Dtypes and devices. What is there already is not copied.

  public Tensor to(DType dtype) {
    return to(dtype, null, false, false, null);
  }

  public Tensor to(Device device) {
    return to(null, device, false, false, null);
  }
}
