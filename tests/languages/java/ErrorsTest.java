import org.ctorch.Aten;
import org.ctorch.CtorchException;
import org.ctorch.Ctorch;
import org.ctorch.DType;
import org.ctorch.Device;
import org.ctorch.DeviceType;
import org.ctorch.ErrorKind;
import org.ctorch.Failures;
import org.ctorch.Op;
import org.ctorch.Options;
import org.ctorch.Tensor;
import org.ctorch.raw.Bridge;
import org.ctorch.raw.RawError;
import org.ctorch.raw.RawHook;
import org.ctorch.raw.TensorHookCallback;

/** Each kind of error that a CPU can raise, with what it carries. */
class ErrorsTest {
  static void aShapeThatDoesNotFit() {
    Tensor a = Tensor.zeros(2, 3);
    Tensor b = Tensor.zeros(4, 5);
    Failures.ShapeMismatch e =
        Checks.fails(Failures.ShapeMismatch.class, "cannot be multiplied", () -> a.matmul(b));
    Checks.equal(ErrorKind.SHAPE_MISMATCH, e.kind());
    Checks.equal(20, e.code());
    Checks.equal("SHAPE_MISMATCH", e.codeName());
    Checks.equal("ctorch_aten_matmul", e.function());
    Checks.equal(new long[] {3, 5}, e.expectedShape());
    Checks.equal(new long[] {4, 5}, e.gotShape());
    Checks.equal(null, e.expectedDType());
    Checks.equal(null, e.requestedBytes());
  }

  static void aDtypeThatDoesNotFit() {
    Tensor a = Tensor.of(new float[] {1, 2}, 1, 2);
    Tensor b = Tensor.of(new double[] {1, 2}, 2, 1);
    Failures.DtypeMismatch e = Checks.fails(Failures.DtypeMismatch.class, "dtype", () -> Aten.mm(a, b));
    Checks.equal(DType.FLOAT32, e.expectedDType());
    Checks.equal(DType.FLOAT64, e.gotDType());
    Checks.equal(null, e.expectedShape());
  }

  static void aDeviceThatDoesNotFit() {
    Tensor meta = Tensor.zeros(2, 4).to(Device.META);
    Failures.DeviceMismatch e =
        Checks.fails(
            Failures.DeviceMismatch.class, "", () -> Aten.mm_out(Tensor.ones(2, 3), Tensor.ones(3, 4), meta));
    Checks.equal(Device.CPU, e.expectedDevice());
    Checks.equal(Device.META, e.gotDevice());
  }

  static void moreMemoryThanThereIs() {
    Failures.OutOfMemory e = Checks.fails(Failures.OutOfMemory.class, "", () -> Tensor.empty(1L << 58));
    Checks.equal(1L << 60, e.requestedBytes());
    Checks.that(e.availableBytes() > 0 && e.availableBytes() < 1L << 50, "available: " + e.availableBytes());
  }

  static void anIndexBeyondTheEnd() {
    Failures.Index e = Checks.fails(Failures.Index.class, "out of bounds", () -> Tensor.zeros(3).get(3));
    Checks.equal(ErrorKind.INDEX, e.kind());
  }

  static void anArgumentThatIsNull() {
    Failures.NullArgument e =
        Checks.fails(Failures.NullArgument.class, "other", () -> Aten.add_Tensor(Tensor.zeros(1), null));
    Checks.equal("ctorch_aten_add_Tensor", e.function());
  }

  static void otherKinds() {
    Tensor x = Tensor.of(new float[] {1, 2});
    Checks.fails(Failures.Runtime.class, "does not require grad", x::backward);
    Checks.fails(Failures.Linalg.class, "singular", () -> Aten.linalg_inv(Tensor.zeros(2, 2)));
    Checks.fails(Failures.NotImplemented.class, "", () -> Aten.bitwise_not(Tensor.zeros(1)).copy());
    Checks.fails(Failures.Value.class, "step", () -> x.get("::-1"));
    Checks.fails(Failures.Type.class, "slice", () -> x.get("1.5:"));
    Checks.fails(Failures.Syntax.class, "", () -> x.get("1,,"));
    Checks.fails(Failures.Buffer.class, "", () -> Ctorch.dtypeFromDlpack(255, 32, 1, 0));
    Checks.fails(Failures.InvalidArgument.class, "", () -> Tensor.fromData(new byte[3], new long[] {1}, DType.FLOAT32));
    Checks.fails(Failures.Unsupported.class, "autocast", () -> Ctorch.autocastPush(DeviceType.META, true, null, null));
    Checks.fails(Failures.Unsupported.class, "", () -> Ctorch.deviceName(Device.META));
    Checks.fails(Failures.Unsupported.class, "no_such_operator", () -> Op.find("aten::no_such_operator", null));
  }

  /** An error of each kind is made in C and comes out of a backward pass: the class follows its code. */
  static void everyKindHasItsClass() throws Exception {
    for (ErrorKind kind : ErrorKind.values()) {
      TensorHookCallback hook =
          (out, grad, error, payload) -> {
            java.nio.ByteBuffer text = java.nio.ByteBuffer.allocateDirect(32);
            text.put(("a " + kind + " error\0").getBytes(java.nio.charset.StandardCharsets.UTF_8));
            return (int) RawError.ctorch_error_new(error, kind.code(), Bridge.address(text));
          };
      Tensor x = Tensor.zeros(1).requiresGrad_();
      long stub = Bridge.stub(TensorHookCallback.class, hook);
      Checks.equal(0L, RawHook.ctorch_tensor_register_hook(0, x.address(), stub, 0, 0));
      try {
        x.sum().backward();
        throw new AssertionError(kind + " became success");
      } catch (CtorchException e) {
        Checks.equal(kind, e.kind());
        Checks.equal("a " + kind + " error", e.getMessage());
        Checks.equal(kind.name().replace("_", "").toLowerCase(), e.getClass().getSimpleName().toLowerCase());
      }
    }
  }

  static void anErrorOfOnesOwn() {
    CtorchException e = new CtorchException(ErrorKind.VALUE, "mine");
    Checks.equal("mine", e.getMessage());
    Checks.equal(3, e.code());
    Checks.equal("", e.function());
  }

  static void anOptionThatTheOperatorDoesNotHave() {
    Tensor x = Tensor.zeros(2);
    Checks.fails(IllegalArgumentException.class, "no option padding: it has alpha", () -> Aten.add_Tensor(x, x, Options.with().padding(1)));
    Checks.fails(IllegalArgumentException.class, "alpha: expected Number, got Tensor", () -> Aten.add_Tensor(x, x, Options.with().alpha(x)));
    Checks.fails(IllegalArgumentException.class, "dim: expected a whole number", () -> Aten.cat(new Tensor[] {x}, Options.with().dim(1, 2)));
  }
}
