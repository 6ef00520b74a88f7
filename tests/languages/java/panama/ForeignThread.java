import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** A thread that C makes. */
class ForeignThread {
  static void run(long function) throws Throwable {
    ValueLayout.OfLong pointer = ValueLayout.JAVA_LONG;
    MethodHandle create =
        handle("pthread_create", FunctionDescriptor.of(ValueLayout.JAVA_INT, pointer, pointer, pointer, pointer));
    MethodHandle join = handle("pthread_join", FunctionDescriptor.of(ValueLayout.JAVA_INT, pointer, pointer));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment thread = arena.allocate(ValueLayout.JAVA_LONG);
      Checks.equal(0, (int) create.invokeExact(thread.address(), 0L, function, 0L));
      Checks.equal(0, (int) join.invokeExact(thread.get(ValueLayout.JAVA_LONG, 0), 0L));
    }
  }

  private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), descriptor);
  }
}
