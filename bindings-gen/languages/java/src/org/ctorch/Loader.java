package org.ctorch;

import java.util.Iterator;
import org.ctorch.raw.RawLoader;

/**
 * What makes batches of a dataset, by threads in advance: {@link Data#DataLoader(Dataset)}, and of your own.
 *
 * <pre>{@code
 * for (Object batch : loader) {
 *   Tensor images = Values.part(batch, 0);
 *   Tensor labels = Values.part(batch, 1);
 * }
 * }</pre>
 */
public final class Loader extends LoaderMethods implements Iterable<Object> {
  Loader(long address) {
    super(address);
  }

  /** Any source of batches, for {@link Trainer#fit}; null for a length that is not known. */
  public static Loader of(Long length, Callbacks.LoaderIterate iterate) {
    return fromCallback(length, iterate);
  }

  /** Makes batches in one's own way. Workers call the function on their threads, several at once. */
  public void setCollate(Callbacks.LoaderCollate collate) {
    setCollate(collate, true);
  }

  /** Calls something when a worker begins, on its thread. */
  public void setWorkerInit(Callbacks.LoaderWorker workerInit) {
    setWorkerInit(workerInit, true);
  }

  /** Begins an epoch. */
  public ValueIterator iterate() {
    return ValueIterator.begun(this, RawLoader::ctorch_loader_iterate);
  }

  @Override
  public Iterator<Object> iterator() {
    return iterate();
  }

  /**
   * What a loader has done in all its iterations, in seconds: how long consumers waited for a batch, or made it themselves
   * without workers; how long workers were idle, and how long they made batches, all of them added up. If consumers waited
   * much and workers did not, more workers help; if workers waited, training is the slower side.
   */
  public record Statistics(long batches, double consumerWaited, double workersWaited, double workersWorked) {}

  /** Which side is slow. */
  public Statistics statistics() {
    Call call = Call.begin();
    try {
      long batches = call.out();
      long consumerWaited = call.out();
      long workersWaited = call.out();
      long workersWorked = call.out();
      call.check(
          RawLoader.ctorch_loader_statistics(
              batches, consumerWaited, workersWaited, workersWorked, call.handle(this)));
      return new Statistics(
          call.getLong(batches),
          call.getDouble(consumerWaited),
          call.getDouble(workersWaited),
          call.getDouble(workersWorked));
    } finally {
      call.end();
    }
  }

  /** The worker of a loader that a thread is, or calls back for: {@code seed} is the base seed and its number, added up. */
  public record WorkerInfo(long id, long numWorkers, long seed) {}

  /** The worker that this thread is, or calls back for; null where no worker is at work. */
  public static WorkerInfo workerInfo() {
    Call call = Call.begin();
    try {
      long id = call.out();
      long numWorkers = call.out();
      long seed = call.out();
      call.check(RawLoader.ctorch_loader_worker_info(id, numWorkers, seed));
      WorkerInfo info = new WorkerInfo(call.getLong(id), call.getLong(numWorkers), call.getLong(seed));
      return info.id() < 0 ? null : info;
    } finally {
      call.end();
    }
  }
}
