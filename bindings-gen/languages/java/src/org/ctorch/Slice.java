package org.ctorch;

/**
 * Part of a dimension: Python's {@code start:stop:step}.
 *
 * @param start first position, negative counts from the end; null for the beginning
 * @param stop position behind the last, negative counts from the end; null for the end
 * @param step at least 1; null for 1
 */
public record Slice(Long start, Long stop, Long step) {
  /** {@code :} */
  public static final Slice ALL = new Slice(null, null, null);

  /** {@code start:stop} */
  public static Slice of(long start, long stop) {
    return new Slice(start, stop, null);
  }

  /** {@code start:} */
  public static Slice from(long start) {
    return new Slice(start, null, null);
  }

  /** {@code :stop} */
  public static Slice to(long stop) {
    return new Slice(null, stop, null);
  }

  /** The same positions, of which only each {@code step}th counts. */
  public Slice by(long step) {
    return new Slice(start, stop, step);
  }
}
