package org.ctorch;

import java.util.Map;
import org.ctorch.raw.RawGradScaler;

/**
 * Scales a loss before backward and the gradients back before a step, so that gradients of 16 bits do not vanish.
 *
 * <pre>{@code
 * GradScaler scaler = GradScaler.of("cuda");
 * scaler.scale(loss).backward();
 * scaler.step(optimizer);
 * scaler.update();
 * }</pre>
 */
public final class GradScaler extends GradScalerMethods {
  GradScaler(long address) {
    super(address);
  }

  /** A scaler for a type of device, "cuda" or "cpu", with Python's defaults. */
  public static GradScaler of(String device) {
    return create(device, 65536, 2, 0.5, 2000, true);
  }

  /** A step with a function that computes the loss, for which a scaler has to be disabled. */
  public Tensor step(Optimizer optimizer, Callbacks.OptimizerClosure closure) {
    return stepClosure(optimizer, closure);
  }

  /** Raises or lowers the factor by what the steps since the last update found. */
  public void update() {
    update(null);
  }

  public Map<String, Object> stateDict() {
    return Optimizer.named(Optimizer.call(this, RawGradScaler::ctorch_grad_scaler_state_dict));
  }

  public void loadStateDict(Map<String, ?> stateDict) {
    try (Value value = Values.of(stateDict)) {
      loadStateDict(value);
    }
  }
}
