package org.ctorch;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.ctorch.raw.RawIterator;

/**
 * One value after another, as a loader gives batches and a sampler indices: what {@link Values#get} gives. It closes itself
 * at the end; close it, or the {@link Scope} around it, to end the workers of a loader earlier.
 *
 * <p>An exception is not the end: the next value is the one behind it.
 */
public final class ValueIterator extends ValueIteratorMethods implements Iterator<Object> {
  static final Object END = new Object();

  private Object[] pending; // what hasNext has asked for; null if it has not
  private boolean over;

  ValueIterator(long address) {
    super(address);
  }

  /** The values of an iterator, whatever {@link Values} takes; a {@link ResumableIterator} knows where it is. */
  public static ValueIterator of(Iterator<?> values) {
    Callbacks.IteratorNext next = () -> values.hasNext() ? values.next() : END;
    long payload = Registry.add(new Object[] {next, values});
    boolean given = false; // C then has the payload, and gives it back
    Call call = Call.begin();
    try {
      long out = call.out();
      call.check(
          values instanceof ResumableIterator
              ? RawIterator.ctorch_iterator_from_stateful_callback(
                  out,
                  Stubs.IteratorNext.ADDRESS,
                  Stubs.IteratorSave.ADDRESS,
                  Stubs.IteratorLoad.ADDRESS,
                  Stubs.Destroy.ADDRESS,
                  payload)
              : RawIterator.ctorch_iterator_from_callback(
                  out, Stubs.IteratorNext.ADDRESS, Stubs.Destroy.ADDRESS, payload));
      given = true;
      return call.getHandle(out, ValueIterator::new);
    } finally {
      call.end();
      if (!given) {
        Registry.remove(payload);
      }
    }
  }

  /** What a C function of a handle begins. */
  static ValueIterator begun(Handle self, Optimizer.Giving function) {
    Call call = Call.begin();
    try {
      long out = call.out();
      call.check(function.apply(out, call.handle(self)));
      return call.getHandle(out, ValueIterator::new);
    } finally {
      call.end();
    }
  }

  @Override
  public boolean hasNext() {
    if (pending == null && !over) {
      Interrupts.notice();
      Value value = Optimizer.call(this, RawIterator::ctorch_iterator_next);
      over = value == null;
      if (over) {
        close();
      } else {
        pending = new Object[] {Optimizer.taken(value)}; // which may be null
      }
    }
    return !over;
  }

  @Override
  public Object next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Object value = pending[0];
    pending = null;
    return value;
  }

  /**
   * Where it is: after what {@link #next} gave last. For {@link Loader#iterateFrom}, in this process or another one.
   *
   * @throws IllegalStateException between {@link #hasNext} and {@link #next}
   */
  public Value stateDict() {
    if (pending != null) {
      throw new IllegalStateException("hasNext has taken a value that next has not given yet");
    }
    return Optimizer.call(this, RawIterator::ctorch_iterator_state_dict);
  }
}
