import java.util.Arrays;
import java.util.stream.Collectors;
import org.ctorch.Aten;
import org.ctorch.Ctorch;
import org.ctorch.Options;
import org.ctorch.Tensor;

/** Prints results, which who runs this compares with those of Python's torch. */
class OperatorsTest {
  static void results() {
    Ctorch.randomManualSeed(7);
    Tensor x = Aten.randn(new long[] {3, 4});
    Tensor y = Aten.rand(new long[] {4, 2});
    print("x", x);
    print("matmul", x.matmul(y));
    print("softmax", x.softmax(1));
    print("var", Aten.var_dim(x, new long[] {1}));
    print("std", Aten.std(x));
    print("layer_norm", Aten.layer_norm(x, 4));
    print("gelu", Aten.gelu(x, Options.with().approximate("tanh")));
    print("sort", Aten.sort(x, Options.with().descending(true)).values());
    print("norm", Aten.norm_Scalar(x, Options.with().p(3)));
    print("clamp", Aten.clamp(x, Options.with().min(-0.5).max(0.5)));
    print("cumsum", Aten.cumsum(x, 0));
    print("svd", Aten.linalg_svd(y).S());
    print("interpolate", Aten.upsample_nearest1d_vec(x.view(1, 3, 4), null, new double[] {2}));
    print("logsumexp", Aten.logsumexp(x, new long[] {1}));
    print("addcmul", Aten.addcmul(x, x, x, Options.with().value(-2)));
    print("roll", Aten.roll(x, new long[] {1, 2}, Options.with().dims(0, 1)));
    print("bernoulli", Aten.bernoulli_p(x, 0.5));
    print("where", Aten.where_ScalarOther(x.gt(0), x, -1));
    print("huber", Aten.huber_loss(x, x.mul(3), Options.with().delta(0.5)));
    print("arange", Aten.arange_start_step(1, 2, Options.with().step(0.25)));
    print("quantile", Aten.quantile_scalar(x, 0.3));
  }

  private static void print(String name, Tensor value) {
    float[] elements = value.contiguous().toFloats();
    String text =
        java.util.stream.IntStream.range(0, elements.length)
            .mapToObj(i -> Float.toHexString(elements[i]))
            .collect(Collectors.joining(" "));
    System.out.println("RESULT " + name + " " + Arrays.toString(value.sizes()).replace(" ", "") + " " + text);
  }
}
