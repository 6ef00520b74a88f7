package org.ctorch.raw;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** What C memory and C functions are to the JVM, by way of {@code java.lang.foreign}. The same methods exist for JNA. */
public final class Bridge {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup LIBRARY = open();
  private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private Bridge() {}

  /** The way C is called: "JNA" or "Panama". */
  public static String name() {
    return "Panama";
  }

  private static SymbolLookup open() {
    try {
      return SymbolLookup.libraryLookup(LibraryFile.path(), Arena.global());
    } catch (IllegalArgumentException failure) {
      throw LibraryFile.notLoaded(failure);
    }
  }

  static long symbol(String name) {
    return LIBRARY.find(name).orElseThrow(() -> new UnsatisfiedLinkError(LibraryFile.path() + " has no " + name)).address();
  }

  /** What calls functions of a signature as {@link Signatures} names it: "JJI_J" takes two longs and an int. */
  static MethodHandle handle(String signature) {
    int parameters = signature.indexOf('_');
    MemoryLayout[] layouts = new MemoryLayout[parameters];
    for (int i = 0; i < parameters; i++) {
      layouts[i] = layout(signature.charAt(i));
    }
    char result = signature.charAt(parameters + 1);
    return LINKER.downcallHandle(
        result == 'V' ? FunctionDescriptor.ofVoid(layouts) : FunctionDescriptor.of(layout(result), layouts));
  }

  private static MemoryLayout layout(char letter) {
    switch (letter) {
      case 'B':
        return ValueLayout.JAVA_BYTE;
      case 'S':
        return ValueLayout.JAVA_SHORT;
      case 'I':
        return ValueLayout.JAVA_INT;
      case 'J':
        return ValueLayout.JAVA_LONG;
      case 'D':
        return ValueLayout.JAVA_DOUBLE;
      default:
        throw new IllegalArgumentException("no C type for the letter " + letter);
    }
  }

  /** A call of C throws nothing by itself, but the JVM may: out of memory, for one. */
  static RuntimeException impossible(Throwable failure) {
    if (failure instanceof Error) {
      throw (Error) failure;
    }
    return failure instanceof RuntimeException ? (RuntimeException) failure : new IllegalStateException(failure);
  }

  /** Memory from {@code address} on, in the machine's byte order. Nothing keeps it alive. */
  public static ByteBuffer view(long address, long bytes) {
    return MEMORY.asSlice(address, bytes).asByteBuffer().order(ByteOrder.nativeOrder());
  }

  /** Where a direct buffer begins. */
  public static long address(ByteBuffer direct) {
    return MemorySegment.ofBuffer(direct.duplicate().rewind()).address();
  }

  public static long getLong(long address) {
    return MEMORY.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
  }

  public static void putLong(long address, long value) {
    MEMORY.set(ValueLayout.JAVA_LONG_UNALIGNED, address, value);
  }

  /** A copy of {@code count} 64-bit numbers. */
  public static long[] getLongs(long address, int count) {
    return count == 0
        ? new long[0]
        : MEMORY.asSlice(address, 8L * count).toArray(ValueLayout.JAVA_LONG_UNALIGNED);
  }

  /** A copy of the text at {@code address}, which ends with NUL; null for 0. */
  public static String getText(long address) {
    return address == 0 ? null : MEMORY.getString(address);
  }

  /**
   * A function pointer that calls {@code callback}, of a public interface, for as long as the process lives. C may call it on any thread. What
   * the callback throws goes to the thread's handler of uncaught exceptions, and C gets 0: past this method an exception
   * would end the JVM.
   */
  public static <T extends NativeCallback> long stub(Class<T> type, T callback) {
    Method method =
        Arrays.stream(type.getMethods()).filter(m -> Modifier.isAbstract(m.getModifiers())).findFirst().orElseThrow();
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      MethodHandle target = lookup.findVirtual(type, method.getName(), methodType(method)).bindTo(callback);
      MethodHandle caught =
          lookup.findStatic(Bridge.class, "uncaught", MethodType.methodType(void.class, Throwable.class));
      Class<?> result = method.getReturnType();
      MethodHandle zero = result == void.class ? MethodHandles.zero(void.class) : MethodHandles.zero(result);
      MethodHandle guarded =
          MethodHandles.catchException(target, Throwable.class, MethodHandles.filterReturnValue(caught, zero));
      MemoryLayout[] layouts =
          Arrays.stream(method.getParameterTypes()).map(Bridge::layout).toArray(MemoryLayout[]::new);
      FunctionDescriptor descriptor =
          result == void.class ? FunctionDescriptor.ofVoid(layouts) : FunctionDescriptor.of(layout(result), layouts);
      return LINKER.upcallStub(guarded, descriptor, Arena.global()).address();
    } catch (ReflectiveOperationException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private static MethodType methodType(Method method) {
    return MethodType.methodType(method.getReturnType(), method.getParameterTypes());
  }

  private static MemoryLayout layout(Class<?> type) {
    return layout(type.descriptorString().charAt(0));
  }

  private static void uncaught(Throwable failure) {
    try {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
    } catch (Throwable again) {
      // The handler failed too: there is nobody left to tell, and nothing may leave an upcall.
    }
  }
}
