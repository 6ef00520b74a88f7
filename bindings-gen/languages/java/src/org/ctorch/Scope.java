package org.ctorch;

import java.util.ArrayList;
import java.util.List;

/**
 * Closes everything that its thread has made since it was opened:
 *
 * <pre>{@code
 * try (Scope scope = new Scope()) {
 *   Tensor scores = network.forward(images);
 *   return scope.keep(scores.argmax(1));
 * }
 * }</pre>
 *
 * <p>Scopes nest. Those that were opened inside and not closed are closed with it.
 */
public final class Scope implements AutoCloseable {
  private static final ThreadLocal<Scope> INNERMOST = new ThreadLocal<>();

  private final Thread thread = Thread.currentThread();
  private final Scope outer = INNERMOST.get();
  private List<Handle> handles = new ArrayList<>();

  public Scope() {
    INNERMOST.set(this);
  }

  static void add(Handle handle) {
    Scope scope = INNERMOST.get();
    if (scope != null) {
      scope.handles.add(handle);
    }
  }

  /** Lets something outlive this scope: it then belongs to the scope around it, if there is one. */
  public <T extends Handle> T keep(T handle) {
    check();
    for (int i = handles.size() - 1; i >= 0; i--) { // what is kept was mostly made last
      if (handles.get(i) == handle) {
        handles.remove(i);
        if (outer != null) {
          outer.handles.add(handle);
        }
        break;
      }
    }
    return handle;
  }

  /** Lets several things outlive this scope. */
  public <T extends Handle> T[] keep(T[] handles) {
    for (T handle : handles) {
      keep(handle);
    }
    return handles;
  }

  /** Closes what belongs to the scope. Closing twice does no harm. */
  @Override
  public void close() {
    if (handles == null) {
      return;
    }
    check();
    Scope inner = INNERMOST.get();
    while (inner != this) {
      inner.end();
      inner = inner.outer;
    }
    end();
    INNERMOST.set(outer);
  }

  private void end() {
    for (int i = handles.size() - 1; i >= 0; i--) {
      handles.get(i).close();
    }
    handles = null;
  }

  private void check() {
    if (handles == null) {
      throw new IllegalStateException("the scope is closed");
    }
    if (Thread.currentThread() != thread) {
      throw new IllegalStateException("a scope belongs to the thread that opened it: " + thread.getName());
    }
  }
}
