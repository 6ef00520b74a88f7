import java.util.ArrayList;
import java.util.List;
import org.ctorch.Aten;
import org.ctorch.Failures;
import org.ctorch.Tensor;
import org.ctorch.raw.Bridge;
import org.ctorch.raw.DestroyCallback;

/** Several threads at once. */
class ThreadsTest {
  /** Each thread fails with a shape of its own, and gets just that. */
  static void eachThreadGetsItsOwnError() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    List<Throwable> wrong = java.util.Collections.synchronizedList(new ArrayList<>());
    for (int n = 0; n < 8; n++) {
      long rows = n + 2;
      threads.add(
          new Thread(
              () -> {
                try (Tensor a = Tensor.zeros(rows, rows + 1);
                    Tensor b = Tensor.zeros(rows + 100, 1)) {
                  for (int i = 0; i < 200; i++) {
                    Failures.ShapeMismatch e = Checks.fails(Failures.ShapeMismatch.class, "", () -> a.matmul(b));
                    Checks.equal(new long[] {rows + 100, 1}, e.gotShape());
                    IllegalArgumentException mine = new IllegalArgumentException("thread " + rows);
                    try (Tensor x = Tensor.ones(1).requiresGrad_()) {
                      x.registerHook(grad -> { throw mine; });
                      Checks.that(Checks.fails(IllegalArgumentException.class, "thread " + rows, () -> x.mul(2).backward()) == mine, "another thread's exception");
                    }
                    Thread.yield();
                  }
                } catch (Throwable failure) {
                  wrong.add(failure);
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    Checks.equal(List.of(), wrong);
  }

  /** C made the thread: Java first hears of it in the callback, and forgets it after. */
  static void callbacksOnForeignThreads() throws Throwable {
    Thread here = Thread.currentThread();
    for (int i = 0; i < 50; i++) {
      Thread[] there = new Thread[1];
      Throwable[] wrong = new Throwable[1];
      IllegalStateException thrown = new IllegalStateException("on a thread of C's");
      DestroyCallback body =
          payload -> {
            try {
              there[0] = Thread.currentThread();
              Tensor x = Tensor.ones(3).requiresGrad_();
              Checks.equal(3.0, Aten.sum(x).itemDouble());
              x.registerHook(grad -> { throw thrown; });
              Checks.that(Checks.fails(IllegalStateException.class, "", () -> x.sum().backward()) == thrown, "another object");
              Checks.fails(Failures.ShapeMismatch.class, "", () -> x.matmul(Tensor.ones(4)));
            } catch (Throwable failure) {
              wrong[0] = failure;
            }
          };
      ForeignThread.run(Bridge.stub(DestroyCallback.class, body));
      if (wrong[0] != null) {
        throw wrong[0];
      }
      Checks.that(there[0] != null && there[0] != here, "it did not run on another thread");
    }
  }
}
