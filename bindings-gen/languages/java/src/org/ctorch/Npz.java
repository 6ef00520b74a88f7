package org.ctorch;

import java.util.Map;

/** NumPy's files of arrays by their names (numpy.savez, numpy.savez_compressed). Nothing is appended to their names. */
public final class Npz {
  private Npz() {}

  public static void saveFile(Map<String, Tensor> tensors, String path, boolean compressed) {
    try (Value dict = Values.of(tensors)) {
      Ctorch.npzWriteFile(dict, compressed, path);
    }
  }

  /** The bytes of such a file. */
  public static byte[] save(Map<String, Tensor> tensors, boolean compressed) {
    try (Value dict = Values.of(tensors)) {
      return Writer.written(writer -> Ctorch.npzWrite(writer, dict, compressed));
    }
  }

  /** All tensors of a file, in its order. */
  public static Map<String, Tensor> loadFile(String path) {
    try (Weights weights = Weights.openFile(path, false)) {
      return weights.tensors();
    }
  }

  /** All tensors of the bytes of a file, in its order. */
  public static Map<String, Tensor> load(byte[] data) {
    try (Weights weights = Weights.of(data)) {
      return weights.tensors();
    }
  }
}
