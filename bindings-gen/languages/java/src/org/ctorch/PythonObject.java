package org.ctorch;

import java.util.Map;

/**
 * An object of a class of Python's as a file describes it: {@code module.name(*args)}, then its items, then its state.
 * Nothing is imported or called.
 *
 * @param args null for the class or function itself
 * @param items a List, Map or Set; null if there are none
 * @param state mostly a Map of attributes; null if there is none
 */
public record PythonObject(String module, String name, Tuple args, Object items, Object state) {
  /** The state where it is a Map; else empty. */
  public Map<?, ?> attributes() {
    return state instanceof Map ? (Map<?, ?>) state : Map.of();
  }
}
