package org.ctorch;

import java.util.Map;

/** Tensors in several files and an index, as Hugging Face has them. */
public final class Sharded {
  private Sharded() {}

  /** Writes safetensors to a folder, with 5 GB a file. */
  public static void save(Map<String, Tensor> tensors, String path) {
    save(tensors, path, "safetensors", 0, null);
  }

  /**
   * Writes to a folder, or to the path of an index.
   *
   * @param format "safetensors" or "pt"
   * @param maxShardBytes of tensors in a file; 0 for 5 GB
   * @param metadata of the index; may be null
   */
  public static void save(
      Map<String, Tensor> tensors, String path, String format, long maxShardBytes, Map<String, String> metadata) {
    try (Value dict = Values.of(tensors);
        Value texts = metadata == null ? null : Values.of(metadata)) {
      Ctorch.shardedWrite(dict, texts, path, format, maxShardBytes);
    }
  }

  /** All tensors that the index of a folder lists. */
  public static Map<String, Tensor> load(String path) {
    try (Weights weights = Weights.openFile(path, true)) {
      return weights.tensors();
    }
  }
}
