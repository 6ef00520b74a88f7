import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ctorch.Ctorch;
import org.ctorch.ExportedProgram;
import org.ctorch.Package;
import org.ctorch.Reader;
import org.ctorch.Scope;
import org.ctorch.Tensor;

/**
 * Run a model that Python wrote on an array of Java: the program of ../run_model.c in Java.
 *
 * <pre>
 * java -cp ctorch.jar:jna.jar examples/java/RunModel.java script model.pt      torch.jit.save
 * java -cp ctorch.jar:jna.jar examples/java/RunModel.java program model.pt2    torch.export.save
 * java -cp ctorch.jar:jna.jar examples/java/RunModel.java package model.pt2    torch._inductor.aoti_compile_and_package
 * </pre>
 */
public class RunModel {
  static Reader bytes(String path) throws IOException {
    return Reader.fromData(Files.readAllBytes(Path.of(path)));
  }

  static Tensor run(String kind, String path, Tensor x) throws IOException {
    switch (kind) {
      case "script":
        return Ctorch.jitLoad(bytes(path), null).forward(x);
      case "program":
        return ExportedProgram.open(bytes(path), null).module().call(x);
      case "package":
        return Package.load(path, null, false, 1, null).run(x)[0];
      default:
        throw new IllegalArgumentException(kind + " is none of script, program and package");
    }
  }

  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 2) {
      throw new IllegalArgumentException("usage: RunModel script|program|package MODEL");
    }
    try (Scope scope = new Scope()) {
      Tensor x = Tensor.of(new float[] {0f, 0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f, 0.7f}, 2, 4);
      for (float score : run(arguments[0], arguments[1], x).toFloats()) {
        System.out.println(score);
      }
    }
  }
}
