import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ctorch.Aten;
import org.ctorch.DType;
import org.ctorch.Failures;
import org.ctorch.GradMode;
import org.ctorch.Hook;
import org.ctorch.Module;
import org.ctorch.NN;
import org.ctorch.Scope;
import org.ctorch.Tensor;
import org.ctorch.Torch;
import org.ctorch.Tuple;
import org.ctorch.Values;

/** Modules: torch.nn's classes, classes of one's own, and what they hold. */
class ModulesTest {
  static class Block extends Module {
    final Module linear = register("linear", NN.Linear(2, 2));
    final Tensor scale = parameter("scale", Tensor.ones(2).mul(2.5));
    final Tensor offset = buffer("offset", Tensor.ones(2));
    int resets;

    Block() {
      super("Block");
    }

    @Override
    public Tensor forward(Tensor x) {
      return x.add(getSubmodule("linear").call(x).mul(getParameter("scale")).add(getBuffer("offset")));
    }

    @Override
    protected String extraRepr() {
      return "mine";
    }

    @Override
    public void resetParameters() {
      resets++;
    }

    @Override
    protected Module copied() {
      return new Block();
    }
  }

  static class Pair extends Module {
    Pair() {
      super("Pair");
    }

    @Override
    protected Object forward(List<?> arguments, Map<?, ?> named) {
      return List.of(arguments.size(), named.size());
    }
  }

  static class Failing extends Module {
    Failing() {
      super("Failing");
    }

    @Override
    public Tensor forward(Tensor x) {
      throw new IllegalArgumentException("not today");
    }
  }

  static void aClassOfOnesOwnComputesAndPrints() {
    try (Scope scope = new Scope()) {
      Torch.manualSeed(1);
      Block block = new Block();
      Torch.manualSeed(1);
      Module linear = NN.Linear(2, 2);
      Tensor x = Tensor.of(new double[] {1, 2}).to(DType.FLOAT32);
      Tensor expected = x.add(linear.call(x).mul(2.5).add(Tensor.ones(2)));
      Checks.equal(expected.to(DType.FLOAT64).toDoubles(), block.call(x).to(DType.FLOAT64).toDoubles());
      Checks.equal("Block(\n  mine\n  (linear): Linear(in_features=2, out_features=2, bias=True)\n)", block.toString());
      Checks.equal(List.of("scale", "linear.weight", "linear.bias"), List.copyOf(block.namedParameters().keySet()));
      Checks.equal(
          List.of("scale", "offset", "linear.weight", "linear.bias"), List.copyOf(block.stateDict().keySet()));
      block.call(x).sum().backward();
      Checks.that(block.scale.grad() != null, "a gradient");
      block.zeroGrad();
      Checks.that(block.scale.grad() == null, "none");
    }
  }

  static void itStandsAmongOthers() {
    try (Scope scope = new Scope()) {
      Block block = new Block();
      Module net = Module.sequential(block, NN.ReLU());
      Checks.that(net.at(0) == block, "the object itself");
      Checks.equal(List.of(1L, 2L), shape(net.call(Tensor.ones(1, 2))));
      Checks.equal(4, net.parameters().length + 1);
      List<String> names = new ArrayList<>();
      net.apply(module -> names.add(module.name()));
      Checks.equal(List.of("Linear", "Block", "ReLU", "Sequential"), names);
      Checks.that(!net.eval().training() && !block.training() && net.train().training(), "modes");
      net.to(DType.FLOAT64);
      Checks.equal(DType.FLOAT64, block.getParameter("scale").dtype());
      Module pairs = Module.sequential(new Pair());
      Checks.fails(UnsupportedOperationException.class, "Module [Pair] is missing", () -> pairs.call(Tensor.ones(1, 2)));
    }
  }

  static List<Long> shape(Tensor tensor) {
    List<Long> sizes = new ArrayList<>();
    for (long size : tensor.sizes()) {
      sizes.add(size);
    }
    return sizes;
  }

  static void anyValuesGoInAndComeOut() {
    try (Scope scope = new Scope()) {
      Checks.equal(List.of(2L, 0L), new Pair().call(1L, "text"));
      Object[] out = ((Tuple) NN.LSTM(3, 4).call((Object) Tensor.ones(5, 2, 3))).entries().toArray();
      Checks.equal(List.of(5L, 2L, 4L), shape((Tensor) out[0]));
      Module list = Module.list(NN.ReLU());
      Checks.fails(Failures.NotImplemented.class, "missing the required", () -> list.call(Tensor.ones(1)));
    }
  }

  static void copiesAndStates() {
    try (Scope scope = new Scope()) {
      Block a = new Block();
      Block b = new Block();
      b.loadStateDict(a.stateDict());
      Checks.equal(a.getParameter("linear.weight").to(DType.FLOAT64).toDoubles(), b.getParameter("linear.weight").to(DType.FLOAT64).toDoubles());
      Module copy = a.copy();
      Checks.that(copy instanceof Block && copy != a, "another object of the class");
      try (GradMode mode = GradMode.disabled()) {
        Aten.zero_(a.scale);
      }
      Checks.equal(new double[] {2.5, 2.5}, copy.getParameter("scale").to(DType.FLOAT64).toDoubles());
      a.resetParameters();
      Checks.equal(1, a.resets);
    }
  }

  static void whatAForwardThrowsComesOut() {
    try (Scope scope = new Scope()) {
      Module net = Module.sequential(new Failing());
      Checks.fails(IllegalArgumentException.class, "not today", () -> net.call(Tensor.ones(1)));
    }
  }

  static void hooksSeeAndReplace() {
    try (Scope scope = new Scope()) {
      Block block = new Block();
      List<String> log = new ArrayList<>();
      Hook pre =
          block.registerForwardPreHook(
              (module, args, kwargs) -> {
                log.add(module.name());
                return null;
              },
              false,
              false);
      Hook post =
          block.registerForwardHook(
              (module, args, kwargs, output) -> Values.of(((Tensor) Values.get(output)).mul(0)), false, false);
      Checks.equal(0.0, block.call(Tensor.ones(1, 2)).abs().sum().itemDouble());
      pre.remove();
      post.remove();
      block.call(Tensor.ones(1, 2));
      Checks.equal(List.of("Block"), log);
    }
  }
}
