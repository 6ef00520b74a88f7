import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ctorch.Aten;
import org.ctorch.EncodingBatch;
import org.ctorch.Metric;
import org.ctorch.Metrics;
import org.ctorch.Scope;
import org.ctorch.SummaryWriter;
import org.ctorch.Tensor;
import org.ctorch.Tokenizer;
import org.ctorch.Values;

/**
 * Rate reviews by the words in them: texts become tokens, tokens a score; how often that is right is counted over batches,
 * and logged for TensorBoard.
 *
 * <pre>
 * java -cp ctorch.jar:jna.jar examples/java/RateReviews.java tokenizer.json runs/reviews
 * </pre>
 *
 * The tokenizer is one of Hugging Face's in lower case, as that of bert-base-uncased.
 */
public class RateReviews {
  static final String[][] TEXTS = {
    {"A great film, and great fun", "A bad film", "Dull and bad"}, {"Great, not bad", "Fun for all of us", "not great"},
  };
  static final long[][] LABELS = {{1, 0, 0}, {1, 1, 0}};
  static final Map<String, Float> LEXICON = Map.of("great", 1f, "fun", 1f, "bad", -1f, "dull", -1f);

  /** The weight of each token. */
  static Tensor weights(Tokenizer tokenizer) {
    float[] weights = new float[(int) tokenizer.vocabSize(true)];
    LEXICON.forEach((word, weight) -> weights[(int) tokenizer.tokenToId(word.getBytes())] = weight);
    return Tensor.of(weights, weights.length);
  }

  static String words(EncodingBatch encodings, int row) {
    List<String> words = new ArrayList<>();
    long[] mask = encodings.at(row).column("attention_mask");
    for (int i = 0; i < mask.length; i++) {
      if (mask[i] == 1) {
        words.add(encodings.at(row).token(i));
      }
    }
    return String.join(" ", words);
  }

  static void step(Tokenizer tokenizer, Tensor weight, Metric accuracy, SummaryWriter board, int batch) {
    String[] texts = TEXTS[batch];
    EncodingBatch encodings = tokenizer.encodeBatch(texts, null, null, true, 0);
    Tensor each = Aten.take(weight, encodings.tensor("ids", 0));
    Tensor scores = Aten.sum_dim_IntList(Aten.mul_Tensor(each, encodings.tensor("attention_mask", 0)), new long[] {1});
    float[] values = scores.toFloats();
    List<String> wrong = new ArrayList<>();
    for (int row = 0; row < texts.length; row++) {
      System.out.printf(Locale.ROOT, "%+.0f %s%n", values[row], words(encodings, row));
      if ((values[row] > 0 ? 1 : 0) != LABELS[batch][row]) {
        wrong.add(texts[row]);
      }
    }

    accuracy.update(Aten.sigmoid(scores), Tensor.of(LABELS[batch], texts.length));
    float share = ((Tensor) Values.get(accuracy.compute())).toFloats()[0];
    System.out.printf(Locale.ROOT, "accuracy %.4f%n", share);
    board.addScalar("accuracy", share, batch + 1, null, false, false);
    board.addHistogram("scores", scores, batch + 1, null, null, 0);
    if (!wrong.isEmpty()) {
      board.addText("wrong", String.join("\n\n", wrong), batch + 1, null);
    }
  }

  public static void main(String[] arguments) {
    if (arguments.length != 2) {
      throw new IllegalArgumentException("usage: RateReviews TOKENIZER FOLDER");
    }
    try (Scope scope = new Scope()) {
      Tokenizer tokenizer = Tokenizer.openFile(arguments[0]);
      tokenizer.enablePadding(0, 0, "[PAD]", -1, 0, null);
      Tensor weight = weights(tokenizer);
      Metric accuracy = Metrics.BinaryAccuracy();
      SummaryWriter board = SummaryWriter.open(arguments[1], null, null, 10, 120, null);
      for (int batch = 0; batch < TEXTS.length; batch++) {
        step(tokenizer, weight, accuracy, board, batch);
      }
      board.finish();
    }
  }
}
