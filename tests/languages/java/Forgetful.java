import org.ctorch.Ctorch;
import org.ctorch.Tensor;

/** Makes tensors of 10 MB and closes none; prints the most that they held. It asks for nothing. */
class Forgetful {
  public static void main(String[] arguments) {
    long peak = 0;
    for (int i = 0; i < 300; i++) {
      Tensor.empty(2_500_000);
      peak = Math.max(peak, Ctorch.memoryPressureHeldBytes());
    }
    System.out.println("PEAK " + peak);
  }
}
