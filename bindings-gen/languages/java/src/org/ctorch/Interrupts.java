package org.ctorch;

import org.ctorch.raw.RawInterrupt;

/**
 * What ends a call that waits when its thread is interrupted. C asks on that thread, several times a second. The thread
 * stays interrupted, as after any method that does not declare InterruptedException.
 */
final class Interrupts {
  private static final long LOOK = Registry.add(new Object[] {(Callbacks.Interrupt) Interrupts::look});

  private Interrupts() {}

  /** Lets calls of this thread look for an interrupt. */
  static void notice() {
    long error = RawInterrupt.ctorch_interrupt_set_callback(Stubs.Interrupt.ADDRESS, 0, LOOK);
    if (error != 0) {
      throw CtorchException.take(error);
    }
  }

  private static void look() {
    if (Thread.currentThread().isInterrupted()) {
      throw new CtorchException.Interrupted("the thread was interrupted");
    }
  }
}
