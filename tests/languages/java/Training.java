import java.util.List;
import java.util.Map;
import org.ctorch.Aten;
import org.ctorch.GradScaler;
import org.ctorch.LrScheduler;
import org.ctorch.LrSchedulers;
import org.ctorch.Optim;
import org.ctorch.Optimizer;
import org.ctorch.Options;
import org.ctorch.Scope;
import org.ctorch.Tensor;

/** What training.py has in Python: three small trainings, whose numbers are equal to the last bit. */
class Training {
  static final int STEPS = 8;

  final Tensor weight = Tensor.of(new double[] {0.1, -0.2, 0.3}).view(1, 3).requiresGrad_();
  final Tensor bias = Tensor.of(new double[] {0.05}).requiresGrad_();
  final Tensor x;
  final Tensor y;

  Training() {
    double[] inputs = new double[12];
    for (int i = 0; i < 12; i++) {
      inputs[i] = i / 10.0;
    }
    double[] targets = new double[4];
    for (int i = 0; i < 4; i++) {
      targets[i] = i / 4.0;
    }
    x = Tensor.of(inputs).view(4, 3);
    y = Tensor.of(targets).view(4, 1);
  }

  Tensor[] parameters() {
    return new Tensor[] {weight, bias};
  }

  Tensor loss() {
    return Aten.mse_loss(Aten.linear(x, weight, Options.with().bias(bias)), y);
  }

  void show() {
    for (Tensor parameter : parameters()) {
      for (double number : parameter.flatten(0, -1).toDoubles()) {
        System.out.println(number);
      }
    }
  }

  static void withAScheduler() {
    Training layer = new Training();
    Optimizer optimizer = Optim.AdamW(layer.parameters(), Options.with().lr(0.05).weight_decay(0.1));
    LrScheduler scheduler = LrSchedulers.StepLR(optimizer, 3, Options.with().gamma(0.5));
    for (int i = 0; i < STEPS; i++) {
      optimizer.zeroGrad();
      Tensor loss = layer.loss();
      loss.backward();
      optimizer.step();
      scheduler.step();
      System.out.println(loss.itemDouble());
      System.out.println(scheduler.getLastLr()[0]);
    }
    layer.show();
  }

  static void withGroupsAndAClosure() {
    Training layer = new Training();
    List<Map<String, Object>> groups =
        List.of(Map.of("params", List.of(layer.weight)), Map.of("params", List.of(layer.bias), "lr", 0.01));
    Optimizer optimizer = Optimizer.of("SGD", groups, Map.of("lr", 0.05, "momentum", 0.9, "weight_decay", 0.001));
    for (int i = 0; i < STEPS; i++) {
      Tensor first =
          optimizer.step(
              () -> {
                optimizer.zeroGrad();
                Tensor loss = layer.loss();
                loss.backward();
                return loss;
              });
      System.out.println(first.itemDouble());
    }
    layer.show();
  }

  static void withAScaler() {
    Training layer = new Training();
    Optimizer optimizer = Optim.SGD(layer.parameters(), Options.with().lr(0.05));
    GradScaler scaler = GradScaler.create("cpu", 1024, 2, 0.5, 2, true);
    for (int i = 0; i < STEPS; i++) {
      optimizer.zeroGrad();
      Tensor loss = layer.loss();
      scaler.scale(i == 3 ? loss.mul(Double.POSITIVE_INFINITY) : loss).backward();
      scaler.step(optimizer);
      scaler.update();
      System.out.println(loss.itemDouble());
      System.out.println(scaler.getScale());
    }
    layer.show();
  }

  public static void main(String[] arguments) {
    try (Scope scope = new Scope()) {
      withAScheduler();
      withGroupsAndAClosure();
      withAScaler();
    }
  }
}
