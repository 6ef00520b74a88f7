package org.ctorch;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets Java collect garbage when tensors that nobody uses any more take much memory.
 *
 * <p>To the JVM a tensor is a few bytes, so it sees no reason to collect before memory runs out. Therefore ctorch counts
 * what tensors hold and what LibTorch has allocated for them, their graphs and modules. It asks for a collection each time
 * that has grown by a threshold, or when memory runs out; the call that needed it is then tried again. This is on from the first tensor, with {@link #DEFAULT_THRESHOLD}. The system
 * property org.ctorch.collect, or else the environment's CTORCH_COLLECT, is another number of bytes or "off". A program
 * that closes tensors or uses a {@link Scope} is faster, and does not need it.
 */
public final class GarbageCollection {
  /** Bytes that tensors may grow by before Java collects. */
  public static final long DEFAULT_THRESHOLD = 128L << 20;

  private static final long PATIENCE_NANOS = 100_000_000; // for the cleaner to find that the collection has ended
  private static final long POLL_NANOS = 200_000;
  private static final AtomicBoolean CHOSEN = new AtomicBoolean();

  private GarbageCollection() {}

  /**
   * Starts it, in place of what was set before.
   *
   * @param thresholdBytes growth that makes Java collect; 0 to collect only when memory runs out
   */
  public static void onPressure(long thresholdBytes) {
    CHOSEN.set(true);
    Ctorch.memoryPressureSetCallback((reason, held, requested) -> collect(), thresholdBytes);
  }

  /** Stops it. */
  public static void off() {
    CHOSEN.set(true);
    Ctorch.memoryPressureClearCallback();
  }

  /** Starts it with the first handle, unless the program has said what it wants. */
  static void byDefault() {
    if (!CHOSEN.get() && CHOSEN.compareAndSet(false, true)) {
      String setting = System.getProperty("org.ctorch.collect", System.getenv("CTORCH_COLLECT"));
      if (!"off".equals(setting)) {
        onPressure(bytes(setting));
      }
    }
  }

  private static long bytes(String setting) {
    try {
      return setting == null ? DEFAULT_THRESHOLD : Long.parseLong(setting);
    } catch (NumberFormatException none) {
      return DEFAULT_THRESHOLD;
    }
  }

  /** Collects, and waits until the tensors that were found are released: that happens on a thread of its own. */
  private static void collect() {
    CountDownLatch atWork = new CountDownLatch(1);
    Handle.CLEANER.register(new Object(), atWork::countDown); // found with the others: then the collection has ended
    System.gc();
    try {
      atWork.await(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    long held = counted();
    long quietSince = System.nanoTime();
    long patience = 150 * POLL_NANOS; // for the releases to begin, if there are any
    while (System.nanoTime() - quietSince < patience) {
      LockSupport.parkNanos(POLL_NANOS);
      long now = counted();
      if (now < held) {
        held = now;
        quietSince = System.nanoTime();
        patience = 20 * POLL_NANOS; // once they pause that long, they are done
      }
    }
  }

  private static long counted() {
    return Ctorch.memoryPressureHeldBytes() + Ctorch.memoryPressureAllocatedBytes();
  }
}
