import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ctorch.Aten;
import org.ctorch.Ctorch;
import org.ctorch.Failures;
import org.ctorch.GradScaler;
import org.ctorch.Hook;
import org.ctorch.LrScheduler;
import org.ctorch.LrSchedulers;
import org.ctorch.Module;
import org.ctorch.NN;
import org.ctorch.Optim;
import org.ctorch.Optimizer;
import org.ctorch.Options;
import org.ctorch.Scope;
import org.ctorch.Tensor;
import org.ctorch.Tuple;
import org.ctorch.Values;

/** Optimizers, what changes their learning rates, and gradient scaling. */
class OptimizersTest {
  static Tensor leaf(double... data) {
    return Tensor.of(data).requiresGrad_();
  }

  static Optimizer descent(double lr, Tensor... parameters) {
    return Optim.SGD(parameters, Options.with().lr(lr));
  }

  static void aStepChangesParametersByTheirGradients() {
    try (Scope scope = new Scope()) {
      Tensor p = leaf(1, 2);
      Optimizer optimizer = descent(0.5, p);
      p.setGrad(Tensor.of(new double[] {2, 4}));
      optimizer.step();
      Checks.equal(new double[] {0, 0}, p.toDoubles());
      optimizer.zeroGrad();
      Checks.that(p.grad() == null, "no gradient");
      optimizer.step(); // without a gradient all stays
      Checks.equal(new double[] {0, 0}, p.toDoubles());
      Checks.equal("SGD", optimizer.name());
    }
  }

  static void optionsOfGroupsAreReadAndChangedByName() {
    try (Scope scope = new Scope()) {
      Optimizer optimizer = Optim.AdamW(new Tensor[] {leaf(1)}, Options.with().lr(0.1).betas(0.5, 0.75));
      optimizer.addParamGroup(Map.of("params", List.of(leaf(2, 3)), "lr", 0.25));
      List<Optimizer.Group> groups = optimizer.paramGroups();
      Checks.equal(2, groups.size());
      Checks.equal(Tuple.of(0.5, 0.75), groups.get(1).get("betas"));
      groups.get(0).set("weight_decay", 0.5);
      Checks.equal(0.5, optimizer.paramGroups().get(0).options().get("weight_decay"));
      Checks.equal(List.of(0.1, 0.25), List.of(optimizer.getLr(0), optimizer.getLr(1)));
      optimizer.setLr(0.125);
      Checks.equal(0.125, groups.get(1).get("lr"));
      Checks.equal(new double[] {2, 3}, groups.get(1).params()[0].toDoubles());
      Checks.equal(0.1, optimizer.defaults().get("lr"));
      Checks.that(optimizer.toString().startsWith("AdamW (\nParameter Group 0\n"), optimizer.toString());
      Checks.fails(Failures.Index.class, "no such", () -> groups.get(0).get("no such"));
    }
  }

  static void refusalsAreExceptionsOfTheirKinds() {
    try (Scope scope = new Scope()) {
      Tensor p = leaf(1);
      Checks.fails(Failures.Value.class, "lr", () -> descent(-1, p));
      Checks.fails(Failures.Value.class, "empty", () -> descent(1));
      Checks.fails(Failures.Index.class, "Nonsense", () -> Optimizer.of("Nonsense", List.of(p), Map.of()));
      Checks.fails(Failures.Type.class, "learning", () -> Optimizer.of("SGD", List.of(p), Map.of("learning", 1)));
      Checks.fails(Failures.Type.class, "", () -> Optimizer.of("SGD", List.of(3), Map.of()));
      Checks.fails(IllegalArgumentException.class, "momentum", () -> Optim.AdamW(new Tensor[] {p}, Options.with().momentum(1)));
      Checks.fails(Failures.Value.class, "", () -> descent(1, p).addParamGroup(Map.of("params", p)));
      Optimizer closed = descent(1, p);
      closed.close();
      Checks.fails(IllegalStateException.class, "", closed::step);
    }
  }

  static void aFunctionComputesTheLossAndFailsAsItself() {
    try (Scope scope = new Scope()) {
      Tensor p = leaf(3);
      Optimizer optimizer = descent(0.5, p);
      List<String> calls = new ArrayList<>();
      Tensor first =
          optimizer.step(
              () -> {
                calls.add("called");
                Tensor loss = p.mul(p).sum();
                loss.backward();
                return loss;
              });
      Checks.equal(List.of("called"), calls);
      Checks.equal(9.0, first.itemDouble());
      Checks.equal(new double[] {0}, p.toDoubles());
      Checks.that(optimizer.step(() -> null) == null, "no loss");
      Checks.fails(
          IllegalArgumentException.class,
          "not today",
          () ->
              optimizer.step(
                  () -> {
                    throw new IllegalArgumentException("not today");
                  }));
    }
  }

  static void aStateDictIsContinuedByAnotherOptimizer() {
    try (Scope scope = new Scope()) {
      Tensor a = leaf(1, -1);
      Optimizer optimizer = Optim.AdamW(new Tensor[] {a}, Options.with().lr(0.1));
      a.setGrad(Tensor.of(new double[] {0.5, 2}));
      optimizer.step();
      Tensor b = leaf(a.toDoubles());
      Optimizer other = Optim.AdamW(b);
      Checks.that(other.state(b).isEmpty(), "nothing yet");
      other.loadStateDict(copied(optimizer.stateDict())); // what is of the right dtype is shared, as in Python
      b.setGrad(Tensor.of(new double[] {0.5, 2}));
      optimizer.step();
      other.step();
      Checks.equal(a.toDoubles(), b.toDoubles());
      Checks.equal(0.1, other.getLr(0));
      Checks.equal(List.of("step", "exp_avg", "exp_avg_sq"), List.copyOf(other.state(b).keySet()));
      other.setState(b, Map.of());
      Checks.that(other.state(b).isEmpty(), "nothing again");
      Checks.fails(Failures.Index.class, "", () -> other.loadStateDict(Map.of()));
    }
  }

  @SuppressWarnings("unchecked")
  static <T> T copied(T object) {
    if (object instanceof Tensor) {
      return (T) Aten.clone((Tensor) object);
    } else if (object instanceof Map) {
      Map<Object, Object> made = new LinkedHashMap<>();
      ((Map<?, ?>) object).forEach((key, value) -> made.put(key, copied(value)));
      return (T) made;
    } else if (object instanceof List) {
      List<Object> made = new ArrayList<>();
      ((List<?>) object).forEach(entry -> made.add(copied(entry)));
      return (T) made;
    }
    return object;
  }

  static void hooksAreCalledAroundStepsAndStateDicts() {
    try (Scope scope = new Scope()) {
      Optimizer optimizer = descent(1, leaf(1));
      List<String> log = new ArrayList<>();
      Hook before = optimizer.registerStepPreHook(o -> log.add("before " + o.name()));
      optimizer.registerStepPostHook(o -> log.add("after"));
      optimizer.registerStateDictPreHook(o -> log.add("saving"), false);
      optimizer.registerStateDictPostHook((o, state) -> state, false);
      optimizer.registerLoadStateDictPreHook((o, state) -> null, false);
      optimizer.registerLoadStateDictPostHook(o -> log.add("loaded"), true);
      Hook forAll = Optimizer.registerStepPreHookForAll(o -> log.add("any"));
      Hook forAllAfter = Optimizer.registerStepPostHookForAll(o -> log.add("any after"));
      optimizer.step();
      optimizer.loadStateDict(optimizer.stateDict());
      Checks.equal(List.of("any", "before SGD", "after", "any after", "saving", "loaded"), log);
      for (Hook hook : List.of(before, forAll, forAllAfter)) {
        hook.remove();
      }
      log.clear();
      optimizer.step();
      Checks.equal(List.of("after"), log);
      optimizer.registerStepPreHook(
          o -> {
            throw new IllegalStateException("no more");
          });
      Checks.fails(IllegalStateException.class, "no more", optimizer::step);
    }
  }

  static void schedulersChangeLearningRates() {
    try (Scope scope = new Scope()) {
      Module model = NN.Linear(2, 1);
      Optimizer optimizer = descent(1, model.parameters());
      LrScheduler scheduler =
          LrSchedulers.MultiStepLR(optimizer, new long[] {1, 3}, Options.with().gamma(0.5));
      List<Double> rates = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        optimizer.step();
        scheduler.step();
        rates.add(optimizer.getLr(0));
      }
      Checks.equal(List.of(0.5, 0.5, 0.25, 0.25), rates);
      Checks.equal(new double[] {0.25}, scheduler.getLastLr());
      LrScheduler other = LrScheduler.of("MultiStepLR", optimizer, Map.of("milestones", List.of(9)));
      other.loadStateDict(scheduler.stateDict());
      Checks.equal(4L, other.lastEpoch());
      Checks.equal(0.5, Values.get(other.attribute("gamma")));
      Checks.fails(Failures.Type.class, "", () -> scheduler.step(1.0));
    }
  }

  static void aPlateauLowersTheRateAndSchedulersFollowOneAnother() {
    try (Scope scope = new Scope()) {
      Tensor p = leaf(1);
      Optimizer optimizer = descent(1, p);
      LrScheduler plateau = LrSchedulers.ReduceLROnPlateau(optimizer, Options.with().factor(0.5).patience(0));
      plateau.step(1.0);
      plateau.step(1.0);
      Checks.equal(0.5, optimizer.getLr(0));
      Checks.fails(Failures.Type.class, "", plateau::step);
      Optimizer another = descent(1, p);
      LrScheduler first = LrSchedulers.ConstantLR(another, Options.with().factor(0.5).total_iters(1));
      LrScheduler second = LrSchedulers.ExponentialLR(another, 0.5);
      LrScheduler both = LrSchedulers.SequentialLR(another, new LrScheduler[] {first, second}, 1);
      for (int i = 0; i < 2; i++) {
        another.step();
        both.step();
      }
      Checks.equal(new double[] {0.5}, both.getLastLr());
    }
  }

  static void functionsComputeLearningRates() {
    try (Scope scope = new Scope()) {
      Optimizer optimizer = descent(1, leaf(1));
      LrScheduler scheduler = LrScheduler.lambdaLr(optimizer, (group, epoch) -> 1.0 / (1 + epoch), -1);
      optimizer.step();
      scheduler.step();
      Checks.equal(new double[] {0.5}, scheduler.getLastLr());
      Optimizer second = descent(1, leaf(1));
      LrScheduler product = LrScheduler.multiplicativeLr(second, (group, epoch) -> 0.25 + group, -1);
      second.step();
      product.step();
      product.step();
      Checks.equal(new double[] {0.0625}, product.getLastLr());
      Optimizer third = descent(1, leaf(1));
      LrScheduler cyclic =
          LrScheduler.cyclicLr(
              third, new double[] {0}, new double[] {1}, 1, null, cycle -> 1 / cycle, null, false, 0.8, 0.9, -1);
      third.step();
      cyclic.step();
      Checks.equal(new double[] {1}, cyclic.getLastLr());
      Checks.fails(
          IllegalArgumentException.class,
          "no rate",
          () ->
              LrScheduler.lambdaLr(
                  third,
                  (group, epoch) -> {
                    throw new IllegalArgumentException("no rate");
                  },
                  -1));
    }
  }

  static void aScalerLeavesOutStepsWithInfiniteGradients() {
    try (Scope scope = new Scope()) {
      Tensor p = leaf(1);
      Optimizer optimizer = descent(0.5, p);
      GradScaler scaler = GradScaler.of("cpu");
      double[] factors = {1, Double.POSITIVE_INFINITY};
      double[] scales = {65536, 32768};
      for (int i = 0; i < 2; i++) {
        optimizer.zeroGrad();
        scaler.scale(p.mul(factors[i]).sum()).backward();
        scaler.unscale_(optimizer);
        scaler.step(optimizer);
        scaler.update();
        Checks.equal(new double[] {0.5}, p.toDoubles());
        Checks.equal(scales[i], scaler.getScale());
      }
      GradScaler other = GradScaler.of("cpu");
      other.loadStateDict(scaler.stateDict());
      Checks.equal(32768.0, other.getScale());
      GradScaler disabled = GradScaler.create("cpu", 1, 2, 0.5, 1, false);
      Checks.equal(2.0, disabled.step(optimizer, () -> Tensor.of(new double[] {2})).itemDouble());
    }
  }

  static void nothingIsLeft() {
    long before = Ctorch.debugLiveHandles();
    try (Scope scope = new Scope()) {
      Tensor p = leaf(1);
      try (Optimizer optimizer = descent(1, p);
          Hook hook = optimizer.registerStepPreHook(o -> {})) {
        p.setGrad(Tensor.of(new double[] {1}));
        optimizer.step(() -> p.sum()).close();
        optimizer.loadStateDict(optimizer.stateDict());
      }
    }
    Checks.equal(before, Ctorch.debugLiveHandles());
  }
}
