package org.ctorch;

/** A constant that C knows by a number. */
interface Code {
  int code();
}
