package org.ctorch;

/**
 * A queue of work on a device: plain data that owns nothing.
 *
 * @param id number given by the device's runtime; 0 is its default stream
 * @param device with its index
 */
public record Stream(long id, Device device) {
  public Stream {
    if (device == null) {
      throw new NullPointerException("device is null");
    }
  }
}
