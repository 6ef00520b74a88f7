package org.ctorch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ctorch.raw.RawTrainer;

/**
 * The usual loop of training. Its functions run on the thread of {@link #fit}. They get the trainer: one that held it would
 * keep it for ever.
 *
 * <pre>{@code
 * Trainer trainer = Trainer.of(model, Optim.AdamW(model.parameters()));
 * trainer.setLoss(NN.CrossEntropyLoss());
 * trainer.addAccuracy();
 * trainer.setLength(10, 0);
 * trainer.setValidation(validation, 0);
 * trainer.addCallback(TrainerEvent.EPOCH_END, (self, event) -> System.out.println(self.history()));
 * trainer.fit(loader);
 * }</pre>
 */
public final class Trainer extends TrainerMethods {
  Trainer(long address) {
    super(address);
  }

  /** A trainer of one epoch, without anything else. */
  public static Trainer of(Module model, Optimizer optimizer) {
    return create(model, optimizer);
  }

  /** The share of targets that are the index of the greatest of the outputs, as a metric "accuracy". */
  public void addAccuracy() {
    addMetric("accuracy", null);
  }

  /**
   * Train until the length is reached, it is stopped, or something fails. Called again, it goes on where it was. It ends
   * with a {@link CtorchException.Interrupted} when its thread is interrupted.
   */
  @Override
  public void fit(Loader loader) {
    Interrupts.notice();
    super.fit(loader);
  }

  /** The mean loss and the metrics over a loader, by their names. */
  public Map<String, Double> evaluate(Loader loader) {
    Interrupts.notice();
    Call call = Call.begin();
    try {
      long out = call.out();
      call.check(RawTrainer.ctorch_trainer_evaluate(out, call.handle(this), call.handle(loader)));
      return numbers(Optimizer.taken(call.getHandle(out, Value::new)));
    } finally {
      call.end();
    }
  }

  /** The metrics of each epoch that is over, with "epoch", "step" and "loss", by their names. */
  public List<Map<String, Double>> history() {
    List<Map<String, Double>> epochs = new ArrayList<>();
    Object history = Optimizer.taken(Optimizer.call(this, RawTrainer::ctorch_trainer_history));
    ((List<?>) history).forEach(epoch -> epochs.add(numbers(epoch)));
    return epochs;
  }

  private static Map<String, Double> numbers(Object metrics) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    ((Map<?, ?>) metrics).forEach((name, number) -> numbers.put((String) name, ((Number) number).doubleValue()));
    return numbers;
  }
}
