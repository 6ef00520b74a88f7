package org.ctorch;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Java objects that C holds: it gets a number for each, as `void *payload`, and says when it needs it no more. */
final class Registry {
  private static final Map<Long, Object> OBJECTS = new ConcurrentHashMap<>();
  private static final AtomicLong LAST = new AtomicLong();

  private Registry() {}

  static long add(Object object) {
    long payload = LAST.incrementAndGet();
    OBJECTS.put(payload, object);
    return payload;
  }

  static Object get(long payload) {
    return OBJECTS.get(payload);
  }

  static void remove(long payload) {
    OBJECTS.remove(payload);
  }
}
