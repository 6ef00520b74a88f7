package org.ctorch.raw;

import com.sun.jna.CallbackReference;
import com.sun.jna.CallbackThreadInitializer;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What C memory and C functions are to the JVM, by way of JNA. The same methods exist for {@code java.lang.foreign}. */
public final class Bridge {
  private static final NativeLibrary LIBRARY = open();
  private static final Set<NativeCallback> STUBS = ConcurrentHashMap.newKeySet(); // JNA frees a stub with its object

  private Bridge() {}

  /** The way C is called: "JNA" or "Panama". */
  public static String name() {
    return "JNA";
  }

  private static NativeLibrary open() {
    try {
      return NativeLibrary.getInstance(LibraryFile.path());
    } catch (UnsatisfiedLinkError failure) {
      throw LibraryFile.notLoaded(failure);
    }
  }

  static void register(Class<?> functions) {
    Native.register(functions, LIBRARY);
  }

  /** Memory from {@code address} on, in the machine's byte order. Nothing keeps it alive. */
  public static ByteBuffer view(long address, long bytes) {
    return new Pointer(address).getByteBuffer(0, bytes).order(ByteOrder.nativeOrder());
  }

  /** Where a direct buffer begins. */
  public static long address(ByteBuffer direct) {
    return Pointer.nativeValue(Native.getDirectBufferPointer(direct));
  }

  public static long getLong(long address) {
    return new Pointer(address).getLong(0);
  }

  public static void putLong(long address, long value) {
    new Pointer(address).setLong(0, value);
  }

  /** A copy of {@code count} 64-bit numbers. */
  public static long[] getLongs(long address, int count) {
    return count == 0 ? new long[0] : new Pointer(address).getLongArray(0, count);
  }

  /** A copy of the text at {@code address}, which ends with NUL; null for 0. */
  public static String getText(long address) {
    return address == 0 ? null : new Pointer(address).getString(0, "UTF-8");
  }

  /**
   * A function pointer that calls {@code callback}, for as long as the process lives. C may call it on any thread. What
   * the callback throws goes to the handler of JNA, which prints it, and C gets 0.
   */
  public static <T extends NativeCallback> long stub(Class<T> type, T callback) {
    STUBS.add(callback);
    // A thread of C's becomes a daemon and stays known to the JVM until it ends: callbacks may run inside each other.
    Native.setCallbackThreadInitializer(callback, new CallbackThreadInitializer(true, false));
    return Pointer.nativeValue(CallbackReference.getFunctionPointer(callback));
  }
}
