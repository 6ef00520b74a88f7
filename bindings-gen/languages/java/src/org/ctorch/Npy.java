package org.ctorch;

/** NumPy's files of one array (numpy.save, numpy.load). Unlike in Python nothing is appended to their names. */
public final class Npy {
  private Npy() {}

  public static void saveFile(Tensor tensor, String path) {
    Ctorch.npyWriteFile(tensor, path);
  }

  /** The bytes of such a file. */
  public static byte[] save(Tensor tensor) {
    return Writer.written(writer -> Ctorch.npyWrite(writer, tensor));
  }

  public static Tensor loadFile(String path) {
    try (Weights weights = Weights.openFile(path, false)) {
      return weights.tensor("");
    }
  }

  /** The tensor of the bytes of a file. */
  public static Tensor load(byte[] data) {
    try (Weights weights = Weights.of(data)) {
      return weights.tensor("");
    }
  }
}
