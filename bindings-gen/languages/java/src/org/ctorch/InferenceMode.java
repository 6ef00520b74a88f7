package org.ctorch;

/** Nothing is recorded on this thread, and what is made never takes part in backward, until it is closed. */
public final class InferenceMode implements AutoCloseable {
  private boolean open = true;

  InferenceMode() {
    Ctorch.inferenceModePush(true);
  }

  /** Goes back to what was before. Closing twice does no harm. */
  @Override
  public void close() {
    if (open) {
      open = false;
      Ctorch.inferenceModePop();
    }
  }
}
