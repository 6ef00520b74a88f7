package org.ctorch;

import java.util.Iterator;
import org.ctorch.raw.RawDataset;

/**
 * Samples to train with: those of {@link Data} and {@link Datasets}, and of your own.
 *
 * <pre>{@code
 * Dataset squares = Dataset.of(10, index -> Tuple.of(Tensor.of(new double[] {index}), index * index));
 * for (Object batch : Data.DataLoader(squares, Options.with().batch_size(4).num_workers(2))) {
 *   Tensor x = Values.part(batch, 0);
 * }
 * }</pre>
 */
public final class Dataset extends DatasetMethods implements Iterable<Object> {
  Dataset(long address) {
    super(address);
  }

  /** A dataset whose samples a function gives, by index. Workers call it on their threads, several at once. */
  public static Dataset of(long length, Callbacks.DatasetGet get) {
    return fromCallback(length, get, true);
  }

  /**
   * A dataset of samples one after another; null for a length that is not known. The function begins anew for each epoch
   * and on each worker's thread, which {@link Loader#workerInfo} tells apart.
   */
  public static Dataset ofIterable(Long length, Callbacks.DatasetIterate iterate) {
    return fromIterable(length, iterate, true);
  }

  /** A sample; a negative index counts from the end. */
  public Object get(long index) {
    return Optimizer.taken(
        Optimizer.call(this, (out, self) -> RawDataset.ctorch_dataset_get(out, self, index)));
  }

  /** Something that it knows besides its samples, such as the "classes" of {@link Datasets#ImageFolder(String)}. */
  public Object attribute(String name) {
    Call call = Call.begin();
    try {
      long out = call.out();
      call.check(RawDataset.ctorch_dataset_attribute(out, call.handle(this), call.text(name)));
      return Optimizer.taken(call.getHandle(out, Value::new));
    } finally {
      call.end();
    }
  }

  /** Goes through the samples. */
  public ValueIterator iterate() {
    return ValueIterator.begun(this, RawDataset::ctorch_dataset_iterate);
  }

  @Override
  public Iterator<Object> iterator() {
    return iterate();
  }

  @Override
  public String toString() {
    return isClosed() ? "a dataset (closed)" : name();
  }
}
