package org.ctorch;

/**
 * Where a tensor lies.
 *
 * @param type kind of device
 * @param index which one; -1 is the current one, and a CPU has -1 or 0
 */
public record Device(DeviceType type, int index) {
  public static final Device CPU = new Device(DeviceType.CPU, -1);
  /** Has shapes and no data. */
  public static final Device META = new Device(DeviceType.META, -1);

  public Device {
    if (type == null) {
      throw new NullPointerException("type is null");
    }
  }

  public static Device cuda(int index) {
    return new Device(DeviceType.CUDA, index);
  }

  /** As Python writes it: "cuda:0". */
  @Override
  public String toString() {
    String name = type.name().toLowerCase(java.util.Locale.ROOT);
    return index < 0 ? name : name + ":" + index;
  }
}
