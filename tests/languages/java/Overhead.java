import org.ctorch.Aten;
import org.ctorch.Ctorch;
import org.ctorch.Tensor;

/** What a call costs in Java: a line "name ns" for each case, the best of five rounds. */
public class Overhead {
  private static final int ROUNDS = 5;
  private static final Tensor A = Tensor.ones(8);
  private static final Tensor B = Tensor.ones(8);
  private static final Tensor[] LIST = {A, B, A, B};
  private static long sink; // what is computed is used

  private static void version(int calls) {
    for (int i = 0; i < calls; i++) {
      sink += org.ctorch.raw.RawVersion.ctorch_version();
    }
  }

  private static void size(int calls) {
    for (int i = 0; i < calls; i++) {
      sink += A.size(0);
    }
  }

  private static void add(int calls) {
    for (int i = 0; i < calls; i++) {
      Aten.add_Tensor(A, B).close();
    }
  }



  private static void cat(int calls) {
    for (int i = 0; i < calls; i++) {
      Aten.cat(LIST).close();
    }
  }


  private interface Case {
    void run(int calls);
  }

  private static void measure(String name, Case body, int calls) {
    body.run(calls); // compiled by now
    double best = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      body.run(calls);
      best = Math.min(best, (double) (System.nanoTime() - start) / calls);
    }
    System.out.printf("%s %.1f%n", name, best);
  }

  public static void main(String[] arguments) {
    Ctorch.threadsSetNum(1);
    measure("version", Overhead::version, 1_000_000);
    measure("size", Overhead::size, 500_000);
    measure("add", Overhead::add, 100_000);
    measure("cat", Overhead::cat, 100_000);
  }
}
