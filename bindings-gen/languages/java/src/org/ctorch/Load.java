package org.ctorch;

/**
 * How a file of Python's torch.save is read, and what reads it:
 *
 * <pre>{@code
 * Map<?, ?> state = (Map<?, ?>) new Load().mmap(true).mapLocation(Device.CPU).from("state.pt");
 * }</pre>
 *
 * Nothing that is in a file is run.
 */
public final class Load {
  private boolean mmap;
  private Device device;
  private Callbacks.SerializationMapLocation mapLocation;
  private Callbacks.SerializationAllow allow;

  /** Whether tensors share a mapping of the file instead of holding copies. */
  public Load mmap(boolean mmap) {
    this.mmap = mmap;
    return this;
  }

  /** The device of every tensor. */
  public Load mapLocation(Device device) {
    this.device = device;
    mapLocation = null;
    return this;
  }

  /** Decides where each storage lies. */
  public Load mapLocation(Callbacks.SerializationMapLocation mapLocation) {
    this.mapLocation = mapLocation;
    return this;
  }

  /** Decides which classes that ctorch does not know may be in the file; each becomes a {@link PythonObject}. */
  public Load allow(Callbacks.SerializationAllow allow) {
    this.allow = allow;
    return this;
  }

  public Object from(String path) {
    try (Reader reader = Reader.open(path, mmap)) {
      return from(reader);
    }
  }

  public Object from(byte[] data) {
    try (Reader reader = Reader.fromData(data)) {
      return from(reader);
    }
  }

  public Object from(Reader reader) {
    return Optimizer.taken(value(reader));
  }

  /** Keeps what Java's objects do not tell: that a dict is an OrderedDict with attributes, and a tensor a Parameter. */
  public Value value(Reader reader) {
    if (mapLocation == null && allow == null) {
      return Ctorch.serializationLoad(reader, device);
    }
    Device always = device;
    return Ctorch.serializationLoadWith(
        reader, mapLocation != null || always == null ? mapLocation : (location, named) -> always, allow);
  }
}
