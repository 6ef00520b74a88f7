package org.ctorch;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongFunction;
import org.ctorch.raw.Bridge;
import org.ctorch.raw.RawError;

/**
 * A call that failed. {@link Failures} has a subclass for each kind of error, to catch just that one; the kind is in
 * {@link #kind} too. Where PyTorch tells what did not fit, the shapes, devices, dtypes or bytes are here.
 *
 * <p>What a callback throws is thrown by the call that it ran in: that very object, not one of this class.
 */
public class CtorchException extends RuntimeException {
  private static final long serialVersionUID = 1;
  private static final int MOST_THROWN = 1024;
  private static final Map<Long, Thrown> THROWN = Collections.synchronizedMap(new Latest());

  private final ErrorKind kind;
  private final transient Details details;

  /** An error of your own, for a callback to throw. */
  public CtorchException(ErrorKind kind, String message) {
    this(kind, new Details(message));
  }

  CtorchException(ErrorKind kind, Details details) {
    super(details.message);
    this.kind = kind;
    this.details = details;
  }

  /** What went wrong; null for a kind that is newer than this binding. */
  public final ErrorKind kind() {
    return kind;
  }

  /** The number of {@link #kind}. */
  public final int code() {
    return kind == null ? details.code : kind.code();
  }

  /** The name of {@link #kind}: "SHAPE_MISMATCH". */
  public final String codeName() {
    return kind == null ? "UNKNOWN" : kind.name();
  }

  /** The C function that failed, "ctorch_aten_add_Tensor"; empty for an error made in Java. */
  public final String function() {
    return details.function;
  }

  /** The shape that would have fitted; null if the error does not tell. */
  public final long[] expectedShape() {
    return details.expectedShape == null ? null : details.expectedShape.clone();
  }

  /** The shape that was given; null if the error does not tell. */
  public final long[] gotShape() {
    return details.gotShape == null ? null : details.gotShape.clone();
  }

  /** The device that would have fitted; null if the error does not tell. */
  public final Device expectedDevice() {
    return details.expectedDevice;
  }

  /** The device that was given; null if the error does not tell. */
  public final Device gotDevice() {
    return details.gotDevice;
  }

  /** The dtype that would have fitted; null if the error does not tell. */
  public final DType expectedDType() {
    return details.expectedDType;
  }

  /** The dtype that was given; null if the error does not tell. */
  public final DType gotDType() {
    return details.gotDType;
  }

  /** Bytes that an allocation asked for; null if the error does not tell. */
  public final Long requestedBytes() {
    return details.requestedBytes;
  }

  /** Bytes that were free when it failed; null if the error does not tell. */
  public final Long availableBytes() {
    return details.availableBytes;
  }

  /** Turns an error of C's into what is thrown, and gives it back. */
  static RuntimeException take(long error) {
    Throwable failure;
    try {
      Thrown thrown = THROWN.remove(error);
      Details details = new Details(error);
      // An address is used again: an error that C dropped must not be mistaken for the one now there. C may have put the
      // place before its message, as "sample 5: ": then the failure tells it as suppressed.
      failure = Failures.of(details);
      if (thrown != null && details.message.endsWith(thrown.message)) {
        if (!details.message.equals(thrown.message)) {
          thrown.failure.addSuppressed(failure);
        }
        failure = thrown.failure;
      }
    } finally {
      RawError.ctorch_error_release(error);
    }
    throw CtorchException.<RuntimeException>unchecked(failure);
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> T unchecked(Throwable failure) throws T {
    throw (T) failure;
  }

  /** Makes the error that a callback answers; the call around it gets {@code failure} back. 0 if that fails. */
  static long give(Throwable failure) {
    int code = failure instanceof CtorchException ? ((CtorchException) failure).code() : ErrorKind.CALLBACK.code();
    String text = failure instanceof CtorchException ? failure.getMessage() : String.valueOf(failure);
    String message = String.valueOf(text).replace('\0', ' ');
    Call call = Call.begin();
    try {
      long out = call.out();
      call.check(RawError.ctorch_error_new(out, code, call.text(message)));
      long error = call.getLong(out);
      THROWN.put(error, new Thrown(failure, Bridge.getText(RawError.ctorch_error_message(error))));
      return error;
    } finally {
      call.end();
    }
  }

  /** A wait for a loader's worker, or training, has ended because its thread was interrupted, and still is. */
  public static final class Interrupted extends CtorchException {
    private static final long serialVersionUID = 1;

    Interrupted(String message) {
      super(ErrorKind.RUNTIME, message);
    }
  }

  /** What a callback threw, until the call around it throws it again. */
  private record Thrown(Throwable failure, String message) {}

  /** An error that C drops, as that of a failing warning callback, is never asked for: so the oldest go. */
  private static final class Latest extends LinkedHashMap<Long, Thrown> {
    private static final long serialVersionUID = 1;

    @Override
    protected boolean removeEldestEntry(Map.Entry<Long, Thrown> eldest) {
      return size() > MOST_THROWN;
    }
  }

  /** What an error tells beside its kind. */
  static final class Details {
    final int code;
    final String message;
    final String function;
    long[] expectedShape;
    long[] gotShape;
    Device expectedDevice;
    Device gotDevice;
    DType expectedDType;
    DType gotDType;
    Long requestedBytes;
    Long availableBytes;

    Details(String message) {
      this.code = 0;
      this.message = message;
      this.function = "";
    }

    Details(long error) {
      code = RawError.ctorch_error_kind_of(error);
      message = Bridge.getText(RawError.ctorch_error_message(error));
      function = Bridge.getText(RawError.ctorch_error_function(error));
      Call call = Call.begin();
      try {
        long out = call.out(16);
        LongFunction<long[]> shape = at -> call.getLongs(at, at + 8);
        LongFunction<DType> dtype = at -> DType.of(call.getInt(at));
        expectedShape = told(RawError.ctorch_error_expected_shape(error, out, out + 8), out, shape);
        gotShape = told(RawError.ctorch_error_got_shape(error, out, out + 8), out, shape);
        expectedDevice = told(RawError.ctorch_error_expected_device(error, out), out, call::getDevice);
        gotDevice = told(RawError.ctorch_error_got_device(error, out), out, call::getDevice);
        expectedDType = told(RawError.ctorch_error_expected_dtype(error, out), out, dtype);
        gotDType = told(RawError.ctorch_error_got_dtype(error, out), out, dtype);
        requestedBytes = told(RawError.ctorch_error_requested_bytes(error, out), out, call::getLong);
        availableBytes = told(RawError.ctorch_error_available_bytes(error, out), out, call::getLong);
      } finally {
        call.end();
      }
    }

    private static <T> T told(byte carried, long out, LongFunction<T> read) {
      return carried == 0 ? null : read.apply(out);
    }
  }
}
