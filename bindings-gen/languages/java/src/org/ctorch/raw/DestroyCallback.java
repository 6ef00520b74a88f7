package org.ctorch.raw;

/** The C callback {@code void (*destroy)(void *payload)}: C needs the payload no more. */
@FunctionalInterface
public interface DestroyCallback extends NativeCallback {
  void call(long payload);
}
