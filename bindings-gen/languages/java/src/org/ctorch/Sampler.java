package org.ctorch;

import java.util.Iterator;
import org.ctorch.raw.RawSampler;

/** An order of samples: those of {@link Data}, and of your own. A sampler gives indices, or lists of them for batches. */
public final class Sampler extends SamplerMethods implements Iterable<Object> {
  Sampler(long address) {
    super(address);
  }

  /**
   * An order of your own; null for a length that is not known. The function begins one for each epoch, on the thread that
   * takes batches.
   */
  public static Sampler of(Long length, Callbacks.SamplerIterate iterate) {
    return fromCallback(length, iterate);
  }

  /** Goes through the order. */
  public ValueIterator iterate() {
    return ValueIterator.begun(this, RawSampler::ctorch_sampler_iterate);
  }

  @Override
  public Iterator<Object> iterator() {
    return iterate();
  }

  @Override
  public String toString() {
    return isClosed() ? "a sampler (closed)" : name();
  }
}
