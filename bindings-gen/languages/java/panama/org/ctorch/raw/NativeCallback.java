package org.ctorch.raw;

/** A Java function that C can call: see {@link Bridge#stub}. */
public interface NativeCallback {}
