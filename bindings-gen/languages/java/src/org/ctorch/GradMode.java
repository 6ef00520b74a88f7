package org.ctorch;

/**
 * Whether operators are recorded for backward, on this thread, until it is closed:
 *
 * <pre>{@code
 * try (GradMode off = GradMode.disabled()) {
 *   Aten.sub__Tensor(weight, step);
 * }
 * }</pre>
 */
public final class GradMode implements AutoCloseable {
  private boolean open = true;

  private GradMode(boolean enabled) {
    Ctorch.gradModePush(enabled);
  }

  public static GradMode disabled() {
    return new GradMode(false);
  }

  public static GradMode enabled() {
    return new GradMode(true);
  }

  /** Goes back to what was before. Closing twice does no harm. */
  @Override
  public void close() {
    if (open) {
      open = false;
      Ctorch.gradModePop();
    }
  }
}
