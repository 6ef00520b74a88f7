package org.ctorch;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.LongFunction;
import org.ctorch.raw.Bridge;
import org.ctorch.raw.RawString;
import org.ctorch.raw.RawTensorList;

/**
 * What one call of C needs: arguments as C has them, room for results, and handles that may not end meanwhile.
 *
 * <p>Each thread has one object of this class, with memory that is used as a stack: a call that a callback makes lies on
 * top of the call that it runs in. {@link #begin} and {@link #end} come in pairs.
 */
final class Call {
  private static final int MEMORY_BYTES = 16 * 1024;
  private static final ThreadLocal<Call> CURRENT = ThreadLocal.withInitial(Call::new);

  private final ByteBuffer memory = ByteBuffer.allocateDirect(MEMORY_BYTES).order(ByteOrder.nativeOrder());
  private final long base = Bridge.address(memory);
  private int used; // bytes of `memory`
  private Object[] kept = new Object[16]; // locked handles, and buffers for what `memory` has no room for
  private int keptCount;
  private Options options;
  private Object[] frames = new Object[8]; // what `used`, `keptCount` and `options` were
  private int[] marks = new int[16];
  private int depth;
  private int length; // of the list that was converted last

  private ByteBuffer target; // of what was allocated last
  private int offset;

  /** Opens a call without optional arguments. */
  static Call begin() {
    return begin(null, "");
  }

  /**
   * Opens a call.
   *
   * @param options what the user gives of the optional arguments; may be null
   * @param allowed their names, each between bars: "|alpha|dtype|"
   */
  static Call begin(Options options, String allowed) {
    if (options != null) {
      options.check(allowed);
    }
    Call call = CURRENT.get();
    int depth = call.depth;
    if (depth == call.frames.length) {
      call.frames = Arrays.copyOf(call.frames, 2 * depth);
      call.marks = Arrays.copyOf(call.marks, 4 * depth);
    }
    call.frames[depth] = call.options;
    call.marks[2 * depth] = call.used;
    call.marks[2 * depth + 1] = call.keptCount;
    call.depth = depth + 1;
    call.options = options;
    return call;
  }

  /** Closes the call: its memory and handles are free again. */
  void end() {
    int depth = --this.depth;
    options = (Options) frames[depth];
    frames[depth] = null;
    used = marks[2 * depth];
    int count = marks[2 * depth + 1];
    while (keptCount > count) {
      Object last = kept[--keptCount];
      kept[keptCount] = null;
      if (last instanceof Handle) {
        ((Handle) last).unlock();
      }
    }
    target = null;
  }

  /** Throws what a call answered, if it is an error. */
  void check(long error) {
    if (error != 0) {
      throw CtorchException.take(error);
    }
  }

  private void keep(Object object) {
    if (keptCount == kept.length) {
      kept = Arrays.copyOf(kept, 2 * keptCount);
    }
    kept[keptCount++] = object;
  }

  /** Zeroed memory, aligned to 8 bytes; what is written to it goes to `target` from `offset` on. */
  private long allocate(long bytes) {
    long rounded = (bytes + 7) & -8L;
    if (rounded <= MEMORY_BYTES - used) {
      target = memory;
      offset = used;
      used += (int) rounded;
      for (int i = offset; i < used; i += 8) {
        memory.putLong(i, 0);
      }
      return base + offset;
    }
    if (rounded > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException("an argument of " + bytes + " bytes is more than a call can take");
    }
    target = ByteBuffer.allocateDirect((int) rounded).order(ByteOrder.nativeOrder());
    offset = 0;
    keep(target);
    return Bridge.address(target);
  }

  // Arguments.

  long handle(Handle value) {
    if (value == null) {
      return 0;
    }
    long address = value.lock();
    keep(value);
    return address;
  }

  /** Entries of the list that was converted last; of a null list none. */
  long length() {
    return length;
  }

  private long list(int count, int entryBytes) {
    length = count;
    return allocate(Math.max(8, (long) count * entryBytes)); // an empty list is not NULL
  }

  long handles(Handle[] values) {
    if (values == null) {
      length = 0;
      return 0;
    }
    long address = list(values.length, 8);
    ByteBuffer at = target;
    int from = offset;
    for (int i = 0; i < values.length; i++) {
      at.putLong(from + 8 * i, handle(values[i]));
    }
    return address;
  }

  long longs(long[] values) {
    if (values == null) {
      length = 0;
      return 0;
    }
    long address = list(values.length, 8);
    for (int i = 0; i < values.length; i++) {
      target.putLong(offset + 8 * i, values[i]);
    }
    return address;
  }

  long ints(int[] values) {
    if (values == null) {
      length = 0;
      return 0;
    }
    long address = list(values.length, 4);
    for (int i = 0; i < values.length; i++) {
      target.putInt(offset + 4 * i, values[i]);
    }
    return address;
  }

  long codes(Code[] values) {
    if (values == null) {
      length = 0;
      return 0;
    }
    long address = list(values.length, 4);
    for (int i = 0; i < values.length; i++) {
      target.putInt(offset + 4 * i, values[i].code());
    }
    return address;
  }

  long doubles(double[] values) {
    if (values == null) {
      length = 0;
      return 0;
    }
    long address = list(values.length, 8);
    for (int i = 0; i < values.length; i++) {
      target.putDouble(offset + 8 * i, values[i]);
    }
    return address;
  }

  long flags(boolean[] values) {
    if (values == null) {
      length = 0;
      return 0;
    }
    long address = list(values.length, 1);
    for (int i = 0; i < values.length; i++) {
      target.put(offset + i, flag(values[i]));
    }
    return address;
  }

  long scalars(Number[] values) {
    if (values == null) {
      length = 0;
      return 0;
    }
    long address = list(values.length, Scalar.BYTES);
    for (int i = 0; i < values.length; i++) {
      Scalar.of(values[i]).write(target, offset + Scalar.BYTES * i);
    }
    return address;
  }

  long devices(Device[] values) {
    if (values == null) {
      length = 0;
      return 0;
    }
    long address = list(values.length, 8);
    for (int i = 0; i < values.length; i++) {
      target.putInt(offset + 8 * i, values[i].type().code()).putInt(offset + 8 * i + 4, values[i].index());
    }
    return address;
  }

  long bytes(byte[] values) {
    if (values == null) {
      length = 0;
      return 0;
    }
    long address = list(values.length, 1);
    target.duplicate().position(offset).put(values);
    return address;
  }

  long texts(String[] values) {
    if (values == null) {
      length = 0;
      return 0;
    }
    long address = list(values.length, 8);
    ByteBuffer at = target;
    int from = offset;
    for (int i = 0; i < values.length; i++) {
      at.putLong(from + 8 * i, text(values[i]));
    }
    length = values.length;
    return address;
  }

  byte flag(boolean value) {
    return (byte) (value ? 1 : 0);
  }

  long flagPointer(Boolean value) {
    if (value == null) {
      return 0;
    }
    long address = allocate(1);
    target.put(offset, flag(value));
    return address;
  }

  long longPointer(Long value) {
    if (value == null) {
      return 0;
    }
    long address = allocate(8);
    target.putLong(offset, value);
    return address;
  }

  long intPointer(Integer value) {
    if (value == null) {
      return 0;
    }
    long address = allocate(4);
    target.putInt(offset, value);
    return address;
  }

  long doublePointer(Double value) {
    if (value == null) {
      return 0;
    }
    long address = allocate(8);
    target.putDouble(offset, value);
    return address;
  }

  long codePointer(Code value) {
    if (value == null) {
      return 0;
    }
    long address = allocate(4);
    target.putInt(offset, value.code());
    return address;
  }

  /** The number of a constant that has to be given. */
  int code(Code value, String name) {
    if (value == null) {
      throw new NullPointerException(name + " is null");
    }
    return value.code();
  }

  long scalar(Number value) {
    if (value == null) {
      return 0;
    }
    long address = allocate(Scalar.BYTES);
    Scalar.of(value).write(target, offset);
    return address;
  }

  long device(Device value) {
    if (value == null) {
      return 0;
    }
    long address = allocate(8);
    target.putInt(offset, value.type().code()).putInt(offset + 4, value.index());
    return address;
  }

  long stream(Stream value) {
    if (value == null) {
      return 0;
    }
    long address = allocate(16);
    target.putLong(offset, value.id());
    target.putInt(offset + 8, value.device().type().code()).putInt(offset + 12, value.device().index());
    return address;
  }

  long text(String value) {
    if (value == null) {
      return 0;
    }
    if (value.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("a text with a NUL in it cannot be given to C");
    }
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    long address = allocate(utf8.length + 1L);
    target.duplicate().position(offset).put(utf8);
    return address;
  }

  // Optional arguments: what the user gave, or what the schema says.

  private Object option(String name) {
    return options == null ? null : options.get(name);
  }

  private RuntimeException refused(String name, String expected, Object value) {
    String type = value.getClass().getSimpleName();
    return new IllegalArgumentException(name + ": expected " + expected + ", got " + type);
  }

  private Long whole(String name) {
    Object value = option(name);
    if (value == null || value instanceof Long) {
      return (Long) value;
    }
    if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
      return ((Number) value).longValue();
    }
    throw refused(name, "a whole number", value);
  }

  private Double real(String name) {
    Object value = option(name);
    if (value instanceof Number && !(value instanceof Scalar)) {
      return ((Number) value).doubleValue();
    }
    if (value == null) {
      return null;
    }
    throw refused(name, "a number", value);
  }

  private <T> T option(String name, Class<T> type) {
    Object value = option(name);
    if (value == null || type.isInstance(value)) {
      return type.cast(value);
    }
    throw refused(name, type.getSimpleName(), value);
  }

  long optionValue(String name, long otherwise) {
    Long value = whole(name);
    return value == null ? otherwise : value;
  }

  double optionValue(String name, double otherwise) {
    Double value = real(name);
    return value == null ? otherwise : value;
  }

  byte optionFlag(String name, boolean otherwise) {
    Boolean value = option(name, Boolean.class);
    return flag(value == null ? otherwise : value);
  }

  int optionCode(String name, int otherwise) {
    Code value = option(name, Code.class);
    return value == null ? otherwise : value.code();
  }

  long optionLongPointer(String name) {
    return longPointer(whole(name));
  }

  long optionDoublePointer(String name) {
    return doublePointer(real(name));
  }

  long optionFlagPointer(String name) {
    return flagPointer(option(name, Boolean.class));
  }

  long optionCodePointer(String name) {
    return codePointer(option(name, Code.class));
  }

  long optionScalar(String name) {
    return scalar(option(name, Number.class));
  }

  long optionDevice(String name) {
    return device(option(name, Device.class));
  }

  long optionText(String name) {
    return text(option(name, String.class));
  }

  <T extends Handle> long optionHandle(String name, Class<T> type) {
    return handle(option(name, type));
  }

  /** Whatever {@link Values} takes. */
  long optionAny(String name) {
    Object value = option(name);
    if (value == null) {
      return 0;
    }
    try (Value made = Values.of(value)) { // which lives until the call is over
      return handle(made);
    }
  }

  long optionHandles(String name) {
    return handles(option(name, Tensor[].class));
  }

  /** One number stands for a list of it. */
  long optionLongs(String name) {
    Object value = option(name);
    return value instanceof long[] ? longs((long[]) value) : longs(value == null ? null : new long[] {whole(name)});
  }

  long optionDoubles(String name) {
    Object value = option(name);
    if (value instanceof long[]) {
      return doubles(Arrays.stream((long[]) value).asDoubleStream().toArray());
    }
    return value instanceof double[] ? doubles((double[]) value) : doubles(value == null ? null : new double[] {real(name)});
  }

  long optionFlags(String name) {
    return flags(option(name, boolean[].class));
  }

  long optionScalars(String name) {
    return scalars(option(name, Number[].class));
  }

  // Results.

  /** Room for one result. */
  long out() {
    return out(8);
  }

  /** Room for a result of so many bytes. */
  long out(int bytes) {
    return allocate(bytes);
  }

  /** Makes `target` and `offset` those of a result. */
  private ByteBuffer at(long out) {
    boolean inside = out >= base && out < base + MEMORY_BYTES;
    target = inside ? memory : Bridge.view(out, Scalar.BYTES);
    offset = inside ? (int) (out - base) : 0;
    return target;
  }

  long getLong(long out) {
    return at(out).getLong(offset);
  }

  int getInt(long out) {
    return at(out).getInt(offset);
  }

  short getShort(long out) {
    return at(out).getShort(offset);
  }

  byte getByte(long out) {
    return at(out).get(offset);
  }

  double getDouble(long out) {
    return at(out).getDouble(offset);
  }

  boolean getFlag(long out) {
    return getByte(out) != 0;
  }

  Scalar getScalar(long out) {
    return Scalar.read(at(out), offset);
  }

  Device getDevice(long out) {
    return new Device(DeviceType.of(getInt(out)), getInt(out + 4));
  }

  Stream getStream(long out) {
    return new Stream(getLong(out), new Device(DeviceType.of(getInt(out + 8)), getInt(out + 12)));
  }

  /** A handle that now is ours; null if there is none. */
  <T> T getHandle(long out, LongFunction<T> type) {
    long address = getLong(out);
    return address == 0 ? null : type.apply(address);
  }

  Tensor getTensor(long out) {
    long address = getLong(out);
    return address == 0 ? null : new Tensor(address);
  }

  /** The tensors of a list, which is given back; null if there is none. */
  Tensor[] getTensors(long out) {
    long list = getLong(out);
    return list == 0 ? null : takeTensors(list);
  }

  static Tensor[] takeTensors(long list) {
    try {
      int count = Math.toIntExact(RawTensorList.ctorch_tensor_list_len(list));
      return Tensor.retained(RawTensorList.ctorch_tensor_list_data(list), count);
    } finally {
      RawTensorList.ctorch_tensor_list_release(list);
    }
  }

  /** A text of C's, which is copied. */
  String getText(long out) {
    return Bridge.getText(getLong(out));
  }

  /** A text of C's with NUL in it, maybe. */
  String getText(long out, long outLength) {
    return decode(getLong(out), getLong(outLength));
  }

  private static String decode(long address, long bytes) {
    return address == 0 ? null : StandardCharsets.UTF_8.decode(Bridge.view(address, bytes)).toString();
  }

  /** A text that is ours, and is given back. */
  String getString(long out) {
    long string = getLong(out);
    try {
      return decode(RawString.ctorch_string_data(string), RawString.ctorch_string_len(string));
    } finally {
      RawString.ctorch_string_release(string);
    }
  }

  /** Numbers of C's, which are copied. */
  long[] getLongs(long out, long outLength) {
    return Bridge.getLongs(getLong(out), Math.toIntExact(getLong(outLength)));
  }

  /** Room for bytes that C writes; {@link #getBytes} fetches them. */
  long room(int bytes) {
    return list(bytes, 1);
  }

  static void getBytes(long address, byte[] into) {
    if (into.length > 0) {
      Bridge.view(address, into.length).get(into);
    }
  }
}
