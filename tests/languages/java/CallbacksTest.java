import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.ctorch.Aten;
import org.ctorch.AutogradFunction;
import org.ctorch.Callbacks;
import org.ctorch.Ctorch;
import org.ctorch.CtorchException;
import org.ctorch.ErrorKind;
import org.ctorch.Failures;
import org.ctorch.GradMode;
import org.ctorch.Hook;
import org.ctorch.Library;
import org.ctorch.Logger;
import org.ctorch.Node;
import org.ctorch.Op;
import org.ctorch.Randomness;
import org.ctorch.Results;
import org.ctorch.Scope;
import org.ctorch.Tensor;
import org.ctorch.Value;
import org.ctorch.WarningKind;
import org.ctorch.raw.Bridge;
import org.ctorch.raw.RawHook;
import org.ctorch.raw.TensorHookCallback;

/** C calls Java: what it gives and gets, and what becomes of exceptions. */
class CallbacksTest {
  private static AutogradFunction cube() {
    return AutogradFunction.create(
        "Cube",
        (context, inputs) -> {
          context.saveForBackward(inputs[0]);
          return new Tensor[] {inputs[0].pow(3)};
        },
        (context, grads) -> new Tensor[] {context.savedTensors()[0].pow(2).mul(3).mul(grads[0])},
        (context, tangents) -> new Tensor[] {tangents[0].mul(0)},
        false);
  }

  static void aFunctionOfOnesOwn() {
    try (AutogradFunction cube = cube()) {
      Tensor x = Tensor.of(new double[] {2, -3}).requiresGrad_();
      Tensor y = cube.apply(x)[0];
      Checks.equal(new double[] {8, -27}, y.detach().toDoubles());
      try (Node node = y.gradFn()) {
        Checks.equal("CubeBackward", node.name());
      }
      y.sum().backward();
      Checks.equal(new double[] {12, 27}, x.grad().toDoubles());
    }
  }

  static void loggersHear() {
    List<String> heard = new ArrayList<>();
    try (Logger logger =
        Logger.fromCallback(
            (names, values, step, time) -> {
              for (int i = 0; i < names.length; i++) {
                heard.add(names[i] + " " + values[i] + " " + step + " " + time);
              }
              if (step == 4) {
                throw new IOException("full");
              }
            })) {
      logger.log(new String[] {"loss", "Verlust/ä"}, new double[] {0.5, Double.NaN}, 3, 12.25);
      logger.log(new String[0], new double[0], 3, 12.25);
      Checks.equal(List.of("loss 0.5 3 12.25", "Verlust/ä NaN 3 12.25"), heard);
      Checks.fails(IOException.class, "full", () -> logger.log(new String[] {"x"}, new double[] {1}, 4, null));
    }
  }

  static void itsGradientIsRight() {
    try (AutogradFunction cube = cube()) {
      Tensor x = Tensor.of(new double[] {2, -3, 0.5}).requiresGrad_();
      Results.OutReport checked =
          Ctorch.gradcheck(inputs -> cube.apply(inputs), new Tensor[] {x}, null, null, null, 0, null, false, false, false, false, null, false, false);
      Checks.equal(true, checked.out());
    }
  }

  static void aFunctionWithoutInputsOrGradients() {
    AutogradFunction none = AutogradFunction.create("None", (c, in) -> new Tensor[] {Tensor.ones(1), null}, (c, g) -> null, null, false);
    Tensor[] out = none.apply();
    Checks.equal(2, out.length);
    Checks.equal(null, out[1]);
    AutogradFunction lost = AutogradFunction.create("Lost", (c, in) -> new Tensor[] {in[0].mul(2)}, (c, g) -> new Tensor[] {null}, null, false);
    Tensor x = Tensor.ones(1).requiresGrad_();
    lost.apply(x)[0].backward();
    Checks.equal(null, x.grad());
  }

  static void whatAFunctionThrowsArrives() {
    IOException inForward = new IOException("forward");
    Error inBackward = new AssertionError("backward");
    AutogradFunction first = AutogradFunction.create("First", (c, in) -> { throw inForward; }, null, null, false);
    Tensor x = Tensor.ones(1).requiresGrad_();
    Checks.that(Checks.fails(IOException.class, "forward", () -> first.apply(x)) == inForward, "another object");
    AutogradFunction second =
        AutogradFunction.create("Second", (c, in) -> new Tensor[] {in[0].mul(2)}, (c, g) -> { throw inBackward; }, null, false);
    Tensor y = second.apply(x)[0];
    Checks.that(Checks.fails(AssertionError.class, "backward", y::backward) == inBackward, "another object");
    Checks.equal(null, x.grad());
  }

  static void anErrorOfAnOperatorPassesThrough() {
    AutogradFunction f = AutogradFunction.create("Fails", (c, in) -> new Tensor[] {in[0].matmul(Tensor.zeros(3, 3))}, null, null, false);
    Failures.ShapeMismatch e =
        Checks.fails(Failures.ShapeMismatch.class, "", () -> f.apply(Tensor.zeros(2, 2)));
    Checks.equal(new long[] {3, 3}, e.gotShape());
    Checks.equal("ctorch_aten_matmul", e.function());
  }

  static void hooks() {
    Tensor x = Tensor.of(new float[] {1, 2}).requiresGrad_();
    List<float[]> seen = new ArrayList<>();
    Hook doubling = x.registerHook(grad -> grad.mul(2));
    Hook looking =
        x.registerHook(
            grad -> {
              seen.add(grad.toFloats());
              return null;
            });
    x.mul(3).sum().backward();
    Checks.equal(new float[] {6, 6}, x.grad().toFloats());
    Checks.equal(new float[] {6, 6}, seen.get(0));
    doubling.remove();
    looking.remove();
    x.setGrad(null);
    x.mul(3).sum().backward();
    Checks.equal(new float[] {3, 3}, x.grad().toFloats());
    Checks.equal(1, seen.size());
    float[] sum = new float[1];
    x.registerPostAccumulateGradHook(leaf -> sum[0] = (float) leaf.grad().sum().itemDouble());
    x.mul(1).sum().backward();
    Checks.equal(8f, sum[0]);
  }

  static void hooksOfNodes() {
    Tensor x = Tensor.zeros(2).requiresGrad_();
    Tensor y = x.exp();
    try (Node node = y.gradFn()) {
      node.registerPrehook(grads -> new Tensor[] {grads[0].mul(2)}).close();
      node.registerHook(
              (inputs, outputs) -> {
                Checks.equal(new float[] {2, 2}, outputs[0].toFloats());
                return new Tensor[] {inputs[0].mul(5)};
              })
          .close();
    }
    y.sum().backward();
    Checks.equal(new float[] {10, 10}, x.grad().toFloats());
    Tensor z = x.exp();
    IOException thrown = new IOException("in a node");
    try (Node node = z.gradFn()) {
      node.registerPrehook(grads -> { throw thrown; }).close();
    }
    Checks.that(Checks.fails(IOException.class, "in a node", () -> z.sum().backward()) == thrown, "another object");
  }

  static void whatAHookThrowsArrives() {
    Tensor x = Tensor.ones(1).requiresGrad_();
    Exception thrown = new Exception("checked, with \u4f60\u597d and \0");
    x.registerHook(grad -> { throw thrown; });
    Checks.that(Checks.fails(Exception.class, "checked", () -> x.mul(2).backward()) == thrown, "another object");
    StackOverflowError deep = Checks.fails(StackOverflowError.class, "null", () -> throwFromHook(endless()));
    Checks.that(deep != null, "");
    CtorchException own = new CtorchException(ErrorKind.VALUE, "mine");
    Checks.that(Checks.fails(CtorchException.class, "mine", () -> throwFromHook(() -> { throw own; })) == own, "another object");
    Tensor wrongShape = Tensor.zeros(5);
    Tensor y = Tensor.ones(1).requiresGrad_();
    y.registerHook(grad -> wrongShape);
    Checks.fails(Failures.Runtime.class, "changed the size", () -> y.mul(2).backward());
  }

  private static Checks.Body endless() {
    return new Checks.Body() {
      @Override
      public void run() throws Throwable {
        run();
      }
    };
  }

  private static void throwFromHook(Checks.Body body) {
    Tensor x = Tensor.ones(1).requiresGrad_();
    x.registerHook(
        grad -> {
          try {
            body.run();
          } catch (Exception | Error failure) {
            throw failure;
          } catch (Throwable failure) {
            throw new AssertionError(failure);
          }
          return null;
        });
    x.mul(2).backward();
  }

  /** A raw callback has no guard of its own around it: what it throws is a failure, with no error to go with it. */
  static void whatARawCallbackThrowsIsAFailure() {
    TensorHookCallback hook = (out, grad, error, payload) -> { throw new IllegalStateException("uncaught, as it should be"); };
    Tensor x = Tensor.ones(1).requiresGrad_();
    Checks.equal(0L, RawHook.ctorch_tensor_register_hook(0, x.address(), Bridge.stub(TensorHookCallback.class, hook), 0, 0));
    Thread.UncaughtExceptionHandler before = Thread.currentThread().getUncaughtExceptionHandler();
    Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> {});
    Checks.fails(Failures.Callback.class, "", () -> x.mul(2).backward());
    Thread.currentThread().setUncaughtExceptionHandler(before);
  }

  static void callbacksCallBack() {
    try (AutogradFunction cube = cube()) {
      AutogradFunction outer =
          AutogradFunction.create(
              "Outer",
              (c, in) -> {
                try (GradMode on = GradMode.enabled()) {
                  Tensor inner = in[0].detach().requiresGrad_();
                  cube.apply(inner)[0].sum().backward();
                  return new Tensor[] {inner.grad()};
                }
              },
              null,
              null,
              false);
      Checks.equal(new double[] {12}, outer.apply(Tensor.of(new double[] {2}))[0].toDoubles());
    }
  }

  static void aScopeInACallback() {
    AutogradFunction f =
        AutogradFunction.create(
            "Scoped",
            (c, in) -> {
              try (Scope scope = new Scope()) {
                return new Tensor[] {scope.keep(in[0].mul(2).add(1))};
              }
            },
            null,
            null,
            false);
    Checks.equal(new float[] {3}, f.apply(Tensor.ones(1))[0].toFloats());
  }

  static void functionTransforms() {
    Tensor x = Tensor.of(new double[] {1, 2, 3});
    Results.OutAux grad = Ctorch.funcGrad(in -> new Tensor[] {in[0].pow(3).sum()}, new Tensor[] {x}, null, 0);
    Checks.equal(new double[] {3, 12, 27}, grad.out()[0].toDoubles());
    Tensor[] mapped =
        Ctorch.funcVmap(in -> new Tensor[] {in[0].mul(in[0])}, new Tensor[] {x}, null, null, Randomness.ERROR, null);
    Checks.equal(new double[] {1, 4, 9}, mapped[0].toDoubles());
    Checks.fails(
        IOException.class,
        "in a transform",
        () -> Ctorch.funcGrad(in -> { throw new IOException("in a transform"); }, new Tensor[] {x}, null, 0));
    Tensor[] hessian = Ctorch.funcHessian(in -> new Tensor[] {in[0].pow(3).sum()}, new Tensor[] {x}, null);
    Checks.equal(new double[] {6, 0, 0, 0, 12, 0, 0, 0, 18}, hessian[0].contiguous().toDoubles());
  }

  static void anOperatorOfOnesOwn() {
    try (Library library = Library.create("javatest")) {
      library.define("twice(Tensor x) -> Tensor");
      library.implement(
          "twice", "CPU", arguments -> new Value[] {Value.fromTensor(arguments[0].toTensor().mul(2))});
      try (Op op = Op.find("javatest::twice", "")) {
        Value result = op.call(Value.fromTensor(Tensor.ones(2)));
        Tensor out = result.kindOf() == org.ctorch.ValueKind.TUPLE ? result.get(0).toTensor() : result.toTensor();
        Checks.equal(new float[] {2, 2}, out.toFloats());
        Checks.fails(Failures.Type.class, "", () -> op.call(Value.fromInt(1)));
      }
      library.define("two(Tensor x) -> (Tensor, Tensor)");
      library.implement("two", "CPU", arguments -> new Value[] {Value.fromTensor(Tensor.ones(1))});
      try (Op op = Op.find("javatest::two", "")) {
        Checks.fails(IllegalStateException.class, "2 results, the kernel made 1", () -> op.call(Value.fromTensor(Tensor.ones(2))));
      }
    }
  }

  static void savedTensors() {
    List<String> packed = new ArrayList<>();
    Ctorch.savedTensorsHooksPush(
        tensor -> {
          packed.add("packed");
          return tensor.mul(1).detach();
        },
        object -> (Tensor) object);
    Tensor x = Tensor.of(new float[] {3}).requiresGrad_();
    Tensor y = x.mul(x);
    Ctorch.savedTensorsHooksPop();
    y.backward();
    Checks.equal(new float[] {6}, x.grad().toFloats());
    Checks.equal(2, packed.size());
  }

  static void warnings() {
    List<String> heard = new ArrayList<>();
    Ctorch.warningSetCallback((kind, message, file, function, line) -> heard.add(kind + ": " + message));
    try {
      Ctorch.warningEmit(WarningKind.USER, "take care");
      Checks.equal(List.of("USER: take care"), heard);
      Ctorch.warningSetCallback((kind, message, file, function, line) -> { throw new IOException("printed, as it should be"); });
      Ctorch.warningEmit(WarningKind.USER, "printed, as it should be");
    } finally {
      Ctorch.warningSetCallback(null);
    }
  }

  /** A graph keeps what its callbacks need; when it goes, so do they. */
  static void payloadsGoWithWhatHoldsThem() throws Exception {
    java.lang.ref.WeakReference<Object> payload = hooked();
    for (int i = 0; i < 200 && payload.get() != null; i++) {
      System.gc();
      Thread.sleep(10);
    }
    Checks.equal(null, payload.get());
  }

  private static java.lang.ref.WeakReference<Object> hooked() {
    Object big = new Object();
    Callbacks.TensorHook hook = grad -> big == null ? grad : null;
    Tensor x = Tensor.ones(1).requiresGrad_();
    x.registerHook(hook).close();
    x.close();
    return new java.lang.ref.WeakReference<>(big);
  }
}
