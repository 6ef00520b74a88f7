package org.ctorch;

import java.util.List;
import java.util.Map;

/** Hugging Face's format for tensors by their names (safetensors.torch). Metadata may be null. */
public final class Safetensors {
  private Safetensors() {}

  public static void saveFile(Map<String, Tensor> tensors, String path) {
    saveFile(tensors, path, null);
  }

  public static void saveFile(Map<String, Tensor> tensors, String path, Map<String, String> metadata) {
    try (Value dict = Values.of(tensors);
        Value texts = metadata == null ? null : Values.of(metadata)) {
      Ctorch.safetensorsWriteFile(dict, texts, path);
    }
  }

  /** The bytes of such a file. */
  public static byte[] save(Map<String, Tensor> tensors, Map<String, String> metadata) {
    return Writer.written(writer -> save(tensors, writer, metadata));
  }

  /** Writes to wherever a writer writes. {@link Writer#finish} is still to be called. */
  public static void save(Map<String, Tensor> tensors, Writer writer, Map<String, String> metadata) {
    try (Value dict = Values.of(tensors);
        Value texts = metadata == null ? null : Values.of(metadata)) {
      Ctorch.safetensorsWrite(writer, dict, texts);
    }
  }

  /** All tensors of a file, in its order. */
  public static Map<String, Tensor> loadFile(String path) {
    try (Weights weights = Weights.openFile(path, true)) {
      return weights.tensors();
    }
  }

  /** All tensors of the bytes of a file, in its order. */
  public static Map<String, Tensor> load(byte[] data) {
    try (Weights weights = Weights.of(data)) {
      return weights.tensors();
    }
  }

  /** Writes the state dict of a model, and of tensors that share memory one. */
  public static void saveModel(Module model, String path, Map<String, String> metadata) {
    try (Value texts = metadata == null ? null : Values.of(metadata)) {
      Ctorch.safetensorsWriteModelFile(model, texts, path);
    }
  }

  /** The names that a model has and the file lacks, and those that the file has and the model has no need of. */
  public record Loaded(List<String> missing, List<String> unexpected) {}

  /** Loads a model from a file of any format; strict makes an exception of names that are missing or not expected. */
  public static Loaded loadModel(Module model, String path, boolean strict) {
    try (Results.MissingUnexpected found = Ctorch.safetensorsLoadModelFile(model, path, strict)) {
      return new Loaded(names(found.missing()), names(found.unexpected()));
    }
  }

  private static List<String> names(Value list) {
    return ((List<?>) Values.get(list)).stream().map(String.class::cast).toList();
  }
}
