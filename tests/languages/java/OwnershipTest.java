import java.util.concurrent.CountDownLatch;
import org.ctorch.Aten;
import org.ctorch.AutogradFunction;
import org.ctorch.Ctorch;
import org.ctorch.Hook;
import org.ctorch.Scope;
import org.ctorch.Tensor;

/** What is closed, by whom, and what happens then. */
class OwnershipTest {
  static void closingTwiceDoesNoHarm() {
    Tensor x = Tensor.zeros(3);
    Checks.equal(1L, Ctorch.debugLiveHandles());
    x.close();
    x.close();
    Checks.equal(0L, Ctorch.debugLiveHandles());
    Checks.equal(true, x.isClosed());
    Checks.equal("Tensor(closed)", x.toString());
  }

  static void useAfterCloseIsAnError() {
    Tensor x = Tensor.zeros(3);
    Tensor y = Tensor.zeros(3);
    x.close();
    Checks.fails(IllegalStateException.class, "Tensor is closed", () -> Aten.add_Tensor(y, x));
    Checks.fails(IllegalStateException.class, "Tensor is closed", () -> Aten.cat(y, x));
    Checks.fails(IllegalStateException.class, "Tensor is closed", x::sizes);
    Checks.equal(0.0, y.add(y).sum().itemDouble()); // what the failed calls had locked is free again
    y.close();
    Checks.equal(true, y.isClosed());
  }

  static void whatIsForgottenIsCollected() throws InterruptedException {
    for (int i = 0; i < 1000; i++) {
      Tensor.zeros(3);
    }
    Checks.equal(0L, Checks.liveHandles());
  }

  static void aScopeClosesWhatItsThreadMade() {
    Tensor kept;
    Tensor before = Tensor.zeros(1);
    try (Scope outer = new Scope()) {
      Tensor a = Tensor.zeros(2);
      try (Scope inner = new Scope()) {
        Tensor b = a.add(1);
        kept = inner.keep(b.mul(3));
        Checks.that(inner.keep(before) == before, "something from elsewhere stays as it is");
      }
      Checks.equal(3.0, kept.get(0).itemDouble());
      Tensor[] parts;
      try (Scope inner = new Scope()) {
        parts = inner.keep(Aten.split_Tensor(Aten.arange(4), 2));
      }
      Checks.equal(new long[] {2, 3}, parts[1].toLongs());
      Checks.equal(false, a.isClosed());
      outer.keep(kept);
    }
    Checks.equal(2L, Ctorch.debugLiveHandles());
    kept.close();
    Checks.equal(false, before.isClosed());
    before.close();
    Checks.equal(0L, Ctorch.debugLiveHandles());
  }

  static void aScopeClosesThoseInsideIt() {
    Scope outer = new Scope();
    new Scope();
    Tensor x = Tensor.zeros(1);
    outer.close();
    outer.close();
    Checks.equal(true, x.isClosed());
    Tensor y = Tensor.zeros(1);
    Checks.equal(false, y.isClosed());
    y.close();
  }

  static void aScopeBelongsToItsThread() throws Exception {
    try (Scope scope = new Scope()) {
      Throwable[] thrown = new Throwable[1];
      Thread other =
          new Thread(
              () -> {
                try {
                  scope.close();
                } catch (Throwable failure) {
                  thrown[0] = failure;
                }
              });
      other.start();
      other.join();
      Checks.equal(IllegalStateException.class, thrown[0].getClass());
    }
  }

  static void aScopeClosesAfterAFailureToo() {
    Checks.fails(
        ArithmeticException.class,
        "",
        () -> {
          try (Scope scope = new Scope()) {
            Tensor.zeros(1);
            throw new ArithmeticException();
          }
        });
    Checks.equal(0L, Ctorch.debugLiveHandles());
  }

  /** C still has the tensor: it goes when the call is over. */
  static void closingDuringACallTakesEffectAtItsEnd() {
    Tensor x = Tensor.ones(1);
    long[] live = new long[2];
    AutogradFunction closing =
        AutogradFunction.create(
            "Closing",
            (context, inputs) -> {
              live[0] = Ctorch.debugLiveHandles();
              x.close();
              live[1] = Ctorch.debugLiveHandles();
              Checks.fails(IllegalStateException.class, "Tensor is closed", x::numel);
              return new Tensor[] {inputs[0].mul(2)};
            },
            null,
            null,
            false);
    Tensor[] inputs = {x};
    Checks.equal(2.0, closing.apply(inputs)[0].itemDouble());
    Checks.equal(live[0], live[1]);
    Checks.equal(true, x.isClosed());
  }

  /** One thread computes with a tensor that another closes: the result or a clear error, never a crash. */
  static void closingWhileAnotherThreadComputes() throws InterruptedException {
    for (int round = 0; round < 200; round++) {
      Tensor x = Tensor.ones(64, 64);
      CountDownLatch started = new CountDownLatch(1);
      Throwable[] wrong = new Throwable[1];
      Thread user =
          new Thread(
              () -> {
                try {
                  while (true) {
                    try (Tensor y = x.matmul(x)) {
                      started.countDown();
                      if (y.get(0, 0).itemDouble() != 64) {
                        throw new AssertionError("wrong result");
                      }
                    }
                  }
                } catch (IllegalStateException closed) {
                  started.countDown();
                } catch (Throwable failure) {
                  wrong[0] = failure;
                  started.countDown();
                }
              });
      user.start();
      started.await();
      x.close();
      user.join();
      Checks.equal(null, wrong[0]);
    }
  }

  /** A collection in the middle of a call takes nothing of a list that nobody else refers to: a hook runs it. */
  static void listsOutliveTheirLastUse() {
    Tensor x = Tensor.of(new float[] {1, 2}).requiresGrad_();
    Tensor y = x.mul(3);
    long[] live = new long[2];
    Hook hook =
        y.registerHook(
            grad -> {
              live[0] = Ctorch.debugLiveHandles();
              collect();
              live[1] = Ctorch.debugLiveHandles();
              return null;
            });
    collect();
    Tensor[] grads =
        Ctorch.autogradGrad(
            new Tensor[] {y.sum()}, new Tensor[] {x}, new Tensor[] {Tensor.full(5)}, null, false, null, false, false);
    Checks.equal(new float[] {15, 15}, grads[0].toFloats());
    Checks.equal(live[0], live[1]);
    java.lang.ref.Reference.reachabilityFence(hook);
    java.lang.ref.Reference.reachabilityFence(y);
  }

  private static void collect() {
    for (int i = 0; i < 10; i++) {
      System.gc();
      java.util.concurrent.locks.LockSupport.parkNanos(2_000_000); // for the cleaner
    }
  }

  /** The same with every list operator, while another thread collects all the time. */
  static void argumentsOutliveTheirLastUse() throws InterruptedException {
    java.util.concurrent.atomic.AtomicBoolean done = new java.util.concurrent.atomic.AtomicBoolean();
    Thread collector =
        new Thread(
            () -> {
              while (!done.get()) {
                System.gc();
                Thread.yield();
              }
            });
    collector.setDaemon(true);
    collector.start();
    for (int round = 0; round < 100; round++) {
      Tensor sum = Aten.cat(new Tensor[] {Tensor.full(round, 50_000), Tensor.full(2, 50_000), Tensor.full(3, 50_000)});
      Checks.equal(50_000.0 * (round + 5), sum.sum().itemDouble());
      Checks.equal(50_000.0 * (round + 1), Tensor.full(round, 50_000).add(Tensor.full(1, 50_000)).sum().itemDouble());
    }
    done.set(true);
    collector.join();
  }

  static void theShape() {
    Checks.equal(new long[] {2, 3}, Tensor.zeros(2, 3).shape());
    Checks.equal(new long[] {}, Tensor.of(new double[] {5}).squeeze().shape());
  }
}
