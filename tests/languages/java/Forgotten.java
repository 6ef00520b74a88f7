import org.ctorch.Aten;
import org.ctorch.Module;
import org.ctorch.NN;
import org.ctorch.Options;
import org.ctorch.Tensor;
import org.ctorch.Tokenizer;

/** Makes things and closes none: see forgotten.py. */
class Forgotten {
  public static void main(String[] arguments) {
    int count = Integer.parseInt(arguments[1]);
    switch (arguments[0]) {
      case "graphs" -> {
        Module first = NN.Conv2d(3, 16, new long[] {3}, Options.with().padding(1));
        Module second = NN.Conv2d(16, 4, new long[] {3}, Options.with().padding(1));
        Tensor images = Tensor.ones(16, 3, 64, 64);
        for (int i = 0; i < count; i++) {
          second.call(Aten.relu(first.call(images))).sum();
        }
      }
      case "modules" -> {
        for (int i = 0; i < count; i++) {
          NN.Linear(2048, 2048);
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          Tokenizer.openFile(arguments[2]);
        }
      }
    }
  }
}
