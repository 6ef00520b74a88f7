package org.ctorch;

import java.util.concurrent.locks.LockSupport;

/**
 * Lets Java collect garbage when tensors that nobody uses any more take much memory.
 *
 * <p>To the JVM a tensor is a few bytes, so it sees no reason to collect before memory runs out. After {@link #onPressure}
 * ctorch counts what tensors hold, and asks for a collection each time that has grown by a threshold, or when memory runs
 * out; the call that needed it is then tried again. Without it, close tensors or use a {@link Scope}, which is faster.
 */
public final class GarbageCollection {
  private static final long PATIENCE_NANOS = 100_000_000; // for the cleaner to begin, and between two of its releases
  private static final long POLL_NANOS = 200_000;

  private GarbageCollection() {}

  /**
   * Starts it, in place of what was set before.
   *
   * @param thresholdBytes growth that makes Java collect; 0 to collect only when memory runs out
   */
  public static void onPressure(long thresholdBytes) {
    Ctorch.memoryPressureSetCallback((reason, held, requested) -> collect(held), thresholdBytes);
  }

  /** Stops it. */
  public static void off() {
    Ctorch.memoryPressureClearCallback();
  }

  /** Collects, and waits until the tensors that were found are released: that happens on a thread of its own. */
  private static void collect(long heldBefore) {
    System.gc();
    long held = heldBefore;
    long quietSince = System.nanoTime();
    long patience = PATIENCE_NANOS;
    while (System.nanoTime() - quietSince < patience) {
      LockSupport.parkNanos(POLL_NANOS);
      long now = Ctorch.memoryPressureHeldBytes();
      if (now < held) {
        held = now;
        quietSince = System.nanoTime();
        patience = 10 * POLL_NANOS; // it is at work: once it pauses that long, it is done
      }
    }
  }
}
