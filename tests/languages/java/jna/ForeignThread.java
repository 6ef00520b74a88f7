import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.LongByReference;

/** A thread that C makes. */
class ForeignThread {
  static void run(long function) {
    Function create = NativeLibrary.getProcess().getFunction("pthread_create");
    Function join = NativeLibrary.getProcess().getFunction("pthread_join");
    LongByReference thread = new LongByReference();
    Checks.equal(0, create.invokeInt(new Object[] {thread, null, new Pointer(function), null}));
    Checks.equal(0, join.invokeInt(new Object[] {thread.getValue(), null}));
  }
}
