package org.ctorch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Python's tuple, in values: see {@link Values}. Its entries may be null, which is None. */
public record Tuple(List<Object> entries) {
  public Tuple {
    entries = Collections.unmodifiableList(new ArrayList<>(entries));
  }

  public static Tuple of(Object... entries) {
    return new Tuple(Arrays.asList(entries));
  }
}
