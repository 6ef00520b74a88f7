package org.ctorch;

import java.util.List;
import java.util.Map;
import org.ctorch.raw.RawTransform;

/**
 * What is done to a sample: those of {@link Transforms}, and of your own.
 *
 * <pre>{@code
 * Transform all = Transforms.Compose(Transforms.RandomHorizontalFlip(), Transforms.CenterCrop(224, 224));
 * Tensor image = all.call(pixels);
 * }</pre>
 */
public final class Transform extends TransformMethods {
  Transform(long address) {
    super(address);
  }

  /** A transform of your own, with the name of its class. It is called on any thread, and on several at once. */
  public static Transform of(String name, Callbacks.Transform transform) {
    return fromCallback(name, transform, true);
  }

  /** A transform by the name of its class: {@code Transform.of("Resize", List.of(List.of(8)), Map.of())}. */
  public static Transform of(String name, List<?> args, Map<String, ?> kwargs) {
    try (Value given = Values.of(args);
        Value named = Values.of(kwargs)) {
      return create(name, given, named);
    }
  }

  /** Applies it to a tensor, drawing from the default generator. */
  public Tensor call(Tensor input) {
    return callTensor(input, null);
  }

  /** Applies it to a sample; several of them go in a {@link Tuple}. A generator of null is the default one. */
  public Object call(Object input, Generator generator) {
    Call call = Call.begin();
    try (Value value = Values.of(input)) {
      long out = call.out();
      call.check(
          RawTransform.ctorch_transform_call(call.handle(this), out, call.handle(value), call.handle(generator)));
      return Optimizer.taken(call.getHandle(out, Value::new));
    } finally {
      call.end();
    }
  }

  /** As Python prints it: "RandomHorizontalFlip(p=0.5)". */
  @Override
  public String toString() {
    return isClosed() ? "a transform (closed)" : repr();
  }
}
