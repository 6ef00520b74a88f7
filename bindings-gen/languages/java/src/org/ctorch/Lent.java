package org.ctorch;

import java.io.EOFException;
import java.nio.ByteBuffer;
import org.ctorch.raw.Bridge;

/** What C lends to a callback, in Java, and the callbacks whose conversion does not follow from their declaration. */
final class Lent {
  private static final long PIECE = 1 << 30; // a buffer has less than 2 GiB

  private Lent() {}

  /** What a value holds. */
  static Object object(long value) {
    return Optimizer.taken(Value.retained(value));
  }

  static String[] texts(long address, long length) {
    long[] addresses = Bridge.getLongs(address, Math.toIntExact(length));
    String[] texts = new String[addresses.length];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = Bridge.getText(addresses[i]);
    }
    return texts;
  }

  static double[] doubles(long address, long length) {
    long[] bits = Bridge.getLongs(address, Math.toIntExact(length));
    double[] doubles = new double[bits.length];
    for (int i = 0; i < doubles.length; i++) {
      doubles[i] = Double.longBitsToDouble(bits[i]);
    }
    return doubles;
  }

  static void readerRead(long data, long nbytes, long offset, long payload) throws Exception {
    Callbacks.ReaderRead read = Callbacks.find(payload, Callbacks.ReaderRead.class);
    for (long done = 0; done < nbytes; done += PIECE) {
      ByteBuffer room = Bridge.view(data + done, Math.min(PIECE, nbytes - done));
      read.apply(room, offset + done);
      if (room.hasRemaining()) {
        throw new EOFException(room.remaining() + " bytes at " + (offset + done) + " are missing");
      }
    }
  }

  static void writerWrite(long data, long nbytes, long payload) throws Exception {
    Callbacks.WriterWrite write = Callbacks.find(payload, Callbacks.WriterWrite.class);
    for (long done = 0; done < nbytes; done += PIECE) {
      write.apply(Bridge.view(data + done, Math.min(PIECE, nbytes - done)).asReadOnlyBuffer());
    }
  }

  static void serializationMapLocation(long out, long location, long payload) throws Exception {
    ByteBuffer device = Bridge.view(out, 8);
    int type = device.getInt(0);
    Device answer =
        Callbacks.find(payload, Callbacks.SerializationMapLocation.class)
            .apply(
                Bridge.getText(location), type < 0 ? null : new Device(DeviceType.of(type), device.getInt(4)));
    if (answer != null) {
      device.putInt(0, answer.type().code()).putInt(4, answer.index());
    }
  }

  static void iteratorNext(long out, long payload) throws Exception {
    Object value = Callbacks.find(payload, Callbacks.IteratorNext.class).apply();
    if (value != ValueIterator.END) {
      Callbacks.put(out, value);
    }
  }

  static void iteratorSave(long out, long payload) throws Exception {
    Callbacks.put(out, Callbacks.find(payload, ResumableIterator.class).stateDict());
  }

  static void iteratorLoad(long state, long payload) throws Exception {
    Callbacks.find(payload, ResumableIterator.class).loadStateDict(object(state));
  }

  static void kernel(long results, long resultsLen, long args, long argsLen, long payload) throws Exception {
    Value[] made = Callbacks.find(payload, Callbacks.Kernel.class).apply(values(args, argsLen));
    putAll("kernel", made, results, resultsLen);
  }

  static void jitTrace(long results, long resultsLen, long args, long argsLen, long payload) throws Exception {
    Value[] made = Callbacks.find(payload, Callbacks.JitTrace.class).apply(values(args, argsLen));
    putAll("function", made, results, resultsLen);
  }

  private static Value[] values(long address, long length) {
    Value[] values = new Value[Math.toIntExact(length)];
    for (int i = 0; i < values.length; i++) {
      values[i] = Value.retained(Bridge.getLong(address + 8L * i));
    }
    return values;
  }

  private static void putAll(String what, Value[] made, long results, long expected) {
    int count = made == null ? 0 : made.length;
    if (count != expected) {
      throw new IllegalStateException("expected " + expected + " results, the " + what + " made " + count);
    }
    for (int i = 0; i < count; i++) {
      Callbacks.put(results + 8L * i, made[i]);
    }
  }

  /** What a user's pack function made, null too. */
  private record Packed(Object object) {}

  static void savedTensorsPack(long out, long tensor, long payload) throws Exception {
    Object packed = Callbacks.find(payload, Callbacks.SavedTensorsPack.class).apply(Tensor.retained(tensor));
    Bridge.putLong(out, Registry.add(new Packed(packed)));
  }

  static void savedTensorsUnpack(long out, long packed, long payload) throws Exception {
    Object object = ((Packed) Registry.get(packed)).object();
    Callbacks.put(out, Callbacks.find(payload, Callbacks.SavedTensorsUnpack.class).apply(object));
  }

  static void savedTensorsDestroy(long packed, long payload) {
    Registry.remove(packed);
  }
}
