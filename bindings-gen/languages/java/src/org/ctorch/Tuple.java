package org.ctorch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Python's tuple, in values: see {@link Values}. Its entries may be null, which is None.
 *
 * <p>A NamedTuple of TorchScript has a name and, for each entry, the name of its field: {@code tuple.get("logits")}.
 * Tuples are equal if their entries are.
 *
 * @param name null for a tuple without names
 * @param fields as many as entries; empty for a tuple without names
 */
public record Tuple(List<Object> entries, String name, List<String> fields) {
  public Tuple {
    entries = Collections.unmodifiableList(new ArrayList<>(entries));
    fields = List.copyOf(fields);
  }

  public Tuple(List<Object> entries) {
    this(entries, null, List.of());
  }

  public static Tuple of(Object... entries) {
    return new Tuple(Arrays.asList(entries));
  }

  /**
   * A field by its name.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  @SuppressWarnings("unchecked")
  public <T> T get(String field) {
    int index = fields.indexOf(field);
    if (index < 0) {
      throw new IllegalArgumentException("Tuple.get: field: no '" + field + "' among " + fields);
    }
    return (T) entries.get(index);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Tuple && entries.equals(((Tuple) other).entries);
  }

  @Override
  public int hashCode() {
    return entries.hashCode();
  }

  @Override
  public String toString() {
    if (name == null) {
      return "Tuple[entries=" + entries + "]";
    }
    StringBuilder text = new StringBuilder(name).append('[');
    for (int i = 0; i < fields.size(); i++) {
      text.append(i == 0 ? "" : ", ").append(fields.get(i)).append('=').append(entries.get(i));
    }
    return text.append(']').toString();
  }
}
