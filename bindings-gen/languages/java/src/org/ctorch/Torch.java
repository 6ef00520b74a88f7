package org.ctorch;

/**
 * Modes, seeds and threads, by the names that users of PyTorch know:
 *
 * <pre>{@code
 * Torch.manualSeed(7);
 * try (GradMode off = Torch.noGrad()) {
 *   Aten.sub__Tensor(weight, step);
 * }
 * }</pre>
 */
public final class Torch {
  private Torch() {}

  /** Without recording for backward on this thread, until it is closed. */
  public static GradMode noGrad() {
    return GradMode.disabled();
  }

  /** With recording for backward on this thread, within {@link #noGrad}, until it is closed. */
  public static GradMode enableGrad() {
    return GradMode.enabled();
  }

  /** Nothing is recorded on this thread, and what is made never can be, until it is closed. */
  public static InferenceMode inferenceMode() {
    return new InferenceMode();
  }

  public static boolean isGradEnabled() {
    return Ctorch.gradModeEnabled();
  }

  /** Seeds the default generators of the CPU and of every device. All 64 bits count. */
  public static void manualSeed(long seed) {
    Ctorch.randomManualSeed(seed);
  }

  /** What the default generator of the CPU was last seeded with. */
  public static long initialSeed() {
    return Ctorch.randomInitialSeed(null);
  }

  /** How many threads an operator may use on the CPU. */
  public static void setNumThreads(int number) {
    Ctorch.threadsSetNum(number);
  }

  public static int getNumThreads() {
    return Ctorch.threadsNum();
  }

  /** Writes a file that torch.load reads: whatever {@link Values} takes, of a module its stateDict. */
  public static void save(Object value, String path) {
    try (Value made = Values.of(value)) {
      Ctorch.serializationSaveFile(made, path);
    }
  }

  /** The bytes of such a file. */
  public static byte[] save(Object value) {
    return Writer.written(writer -> save(value, writer));
  }

  /** Writes such a file to wherever a writer writes. {@link Writer#finish} is still to be called. */
  public static void save(Object value, Writer writer, SaveFlags... flags) {
    int sum = 0;
    for (SaveFlags flag : flags) {
      sum |= flag.code();
    }
    try (Value made = Values.of(value)) {
      Ctorch.serializationSave(writer, made, sum);
    }
  }

  /** Reads a file that Python's torch.save wrote, as {@link Values#get} gives it. Nothing in it is run. */
  public static Object load(String path) {
    return new Load().from(path);
  }

  /** Reads the bytes of such a file. {@link Load} has more to say. */
  public static Object load(byte[] data) {
    return new Load().from(data);
  }
}
