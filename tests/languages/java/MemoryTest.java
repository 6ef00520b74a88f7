import org.ctorch.Ctorch;
import org.ctorch.GarbageCollection;
import org.ctorch.Failures;
import org.ctorch.Tensor;

/** Tensors that nobody uses any more go before memory runs out. */
class MemoryTest {
  private static final long MEGABYTE = 1_000_000;

  /** 10,000 temporaries of 10 MB, 100 GB in all; at no time do more than 1 GB of them live. */
  static void temporariesStayUnderTheThreshold() {
    GarbageCollection.onPressure(500 * MEGABYTE);
    long peak = 0;
    for (int i = 0; i < 10_000; i++) {
      Tensor.empty(10 * MEGABYTE / 4);
      peak = Math.max(peak, Ctorch.memoryPressureHeldBytes());
    }
    GarbageCollection.off();
    System.out.println("PEAK " + peak);
    Checks.that(peak > 10 * MEGABYTE && peak < 1000 * MEGABYTE, "held at most: " + peak);
    Checks.equal(0L, Ctorch.memoryPressureHeldBytes());
  }

  /** What is in use is not touched, and threads may all do it at once. */
  static void whatIsInUseStays() throws InterruptedException {
    GarbageCollection.onPressure(100 * MEGABYTE);
    Thread[] threads = new Thread[4];
    Throwable[] wrong = new Throwable[1];
    for (int t = 0; t < threads.length; t++) {
      int value = t;
      threads[t] =
          new Thread(
              () -> {
                Tensor kept = Tensor.full(value, 1000);
                for (int i = 0; i < 200; i++) {
                  Tensor.empty(10 * MEGABYTE / 4);
                }
                if (kept.sum().itemDouble() != 1000.0 * value) {
                  wrong[0] = new AssertionError("changed");
                }
              });
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    GarbageCollection.off();
    Checks.equal(null, wrong[0]);
  }

  static void whatThePressureCallbackThrowsArrives() {
    ArithmeticException thrown = new ArithmeticException("under pressure");
    Ctorch.memoryPressureSetCallback((reason, held, requested) -> { throw thrown; }, MEGABYTE);
    try {
      Checks.that(Checks.fails(ArithmeticException.class, "", () -> Tensor.empty(10 * MEGABYTE)) == thrown, "another object");
    } finally {
      GarbageCollection.off();
    }
    Checks.fails(Failures.OutOfMemory.class, "", () -> Tensor.empty(1L << 58));
  }
}
