package org.ctorch;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;

/**
 * An object of the library. It ends when it is closed, or some time after nothing refers to it any more.
 *
 * <p>Closing twice does no harm, and closing while another thread is in a call with it waits for nobody: the object goes
 * when that call is over. A closed handle that is given to a call is an {@link IllegalStateException}.
 */
public abstract class Handle implements AutoCloseable {
  static final Cleaner CLEANER = Cleaner.create();

  private final State state;
  private final Cleaner.Cleanable cleanable;

  /** Takes over one reference to what is at {@code address}. */
  Handle(long address, LongConsumer release) {
    state = new State(address, release);
    cleanable = CLEANER.register(this, state);
    Scope.add(this);
    GarbageCollection.byDefault();
  }

  /** Gives the reference back. */
  @Override
  public final void close() {
    cleanable.clean();
  }

  public final boolean isClosed() {
    return state.get() < 0;
  }

  /** The C pointer, for {@link org.ctorch.raw}. It is valid as long as this object is open and referred to. */
  public final long address() {
    long address = lock();
    unlock();
    return address;
  }

  /** Adds a reference to what is at {@code address}, of this type. */
  void retain(long address) {
    throw new UnsupportedOperationException(getClass().getSimpleName() + " cannot be handed over");
  }

  /** The C pointer, which stays valid until as many calls of {@link #unlock} have followed. */
  final long lock() {
    if (!state.lock()) {
      throw new IllegalStateException(getClass().getSimpleName() + " is closed");
    }
    return state.address;
  }

  final void unlock() {
    state.unlock();
  }

  /** Counts the calls that use the object now; negative once it is closed. The last one out releases. */
  private static final class State extends AtomicInteger implements Runnable {
    private static final int CLOSED = Integer.MIN_VALUE;

    final long address;
    private final transient LongConsumer release;

    State(long address, LongConsumer release) {
      this.address = address;
      this.release = release;
    }

    boolean lock() {
      int users = get();
      while (users >= 0) {
        if (compareAndSet(users, users + 1)) {
          return true;
        }
        users = get();
      }
      return false;
    }

    void unlock() {
      if (decrementAndGet() == CLOSED) {
        release.accept(address);
      }
    }

    /** Close; the cleaner sees to it that this runs once. */
    @Override
    public void run() {
      if (getAndUpdate(users -> users | CLOSED) == 0) {
        release.accept(address);
      }
    }
  }
}
