package org.ctorch;

import java.util.List;
import java.util.Map;
import org.ctorch.raw.RawLrScheduler;

/**
 * What changes the learning rates of an optimizer from step to step: those of {@link LrSchedulers}, and those that call
 * back, as {@link #lambdaLr}.
 *
 * <pre>{@code
 * LrScheduler scheduler = LrSchedulers.StepLR(optimizer, 30, Options.with().gamma(0.1));
 * LrScheduler decay = LrScheduler.lambdaLr(optimizer, (group, epoch) -> Math.pow(0.95, epoch), -1);
 * }</pre>
 */
public final class LrScheduler extends LrSchedulerMethods {
  LrScheduler(long address) {
    super(address);
  }

  /** A scheduler by the name of its class; arguments by Python's names. */
  public static LrScheduler of(String name, Optimizer optimizer, Map<String, ?> arguments) {
    try (Value kwargs = Values.of(arguments)) {
      return create(name, optimizer, null, kwargs);
    }
  }

  /** The next learning rates, by a metric. */
  public void step(double metric) {
    stepMetric(metric);
  }

  /** The learning rates that it set last. */
  public double[] getLastLr() {
    List<?> rates = (List<?>) Optimizer.taken(Optimizer.call(this, RawLrScheduler::ctorch_lr_scheduler_last_lr));
    return rates.stream().mapToDouble(LrScheduler::number).toArray();
  }

  private static double number(Object rate) {
    return rate instanceof Tensor ? ((Tensor) rate).itemDouble() : ((Number) rate).doubleValue();
  }

  /** All attributes by Python's names, to be saved. */
  public Map<String, Object> stateDict() {
    return Optimizer.named(Optimizer.call(this, RawLrScheduler::ctorch_lr_scheduler_state_dict));
  }

  /** Takes attributes over. */
  public void loadStateDict(Map<String, ?> stateDict) {
    try (Value value = Values.of(stateDict)) {
      loadStateDict(value);
    }
  }

  @Override
  public String toString() {
    return isClosed() ? "a scheduler (closed)" : name();
  }
}
