package org.ctorch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ctorch.raw.RawWeights;

/**
 * The tensors of a file of any format by their names, each read when it is asked for:
 *
 * <pre>{@code
 * try (Weights weights = Weights.openFile("model.safetensors", true)) {
 *   Tensor embedding = weights.tensor("embedding.weight");
 *   Tensor part = weights.slice("embedding.weight", new long[] {0}, 100);
 * }
 * }</pre>
 */
public final class Weights extends WeightsMethods {
  Weights(long address) {
    super(address);
  }

  /** Reads the table of contents of a copy of bytes, which tensors then may share. */
  public static Weights of(byte[] data) {
    try (Reader reader = Reader.fromData(data)) {
      return open(reader);
    }
  }

  /** The names of all tensors, in the order of the file. */
  public List<String> names() {
    List<String> names = new ArrayList<>();
    for (long i = 0; i < len(); i++) {
      names.add(name(i));
    }
    return names;
  }

  /** All tensors by their names, in the order of the file. */
  public Map<String, Tensor> tensors() {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    for (String name : names()) {
      tensors.put(name, tensor(name));
    }
    return tensors;
  }

  /** What the file says beside its tensors. */
  public Map<String, Object> metadata() {
    return Optimizer.named(Optimizer.call(this, RawWeights::ctorch_weights_metadata));
  }

  @Override
  public String toString() {
    return isClosed() ? "weights (closed)" : format() + names();
  }
}
