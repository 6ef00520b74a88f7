import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.ctorch.Aten;
import org.ctorch.Ctorch;
import org.ctorch.CtorchException;
import org.ctorch.DecodeStream;
import org.ctorch.Encoding;
import org.ctorch.EncodingBatch;
import org.ctorch.ErrorKind;
import org.ctorch.Metric;
import org.ctorch.Metrics;
import org.ctorch.Options;
import org.ctorch.Reader;
import org.ctorch.Scope;
import org.ctorch.SummaryReader;
import org.ctorch.SummaryWriter;
import org.ctorch.Tensor;
import org.ctorch.Tiktoken;
import org.ctorch.Tokenizer;
import org.ctorch.Tuple;
import org.ctorch.Values;

/** What tokenizers, metrics and event files give (text_sample.expected), one thing a line. */
public class TextNumbers {
  static final String TEXT = "A great film, d\u00e9j\u00e0 vu \ud83d\ude42!";
  static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String joined(long... numbers) {
    return LongStream.of(numbers).mapToObj(String::valueOf).collect(Collectors.joining(" "));
  }

  static String shown(Object tensor) {
    StringBuilder text = new StringBuilder();
    for (float number : ((Tensor) tensor).toFloats()) {
      text.append(String.format(Locale.ROOT, " %.6f", number));
    }
    return text.substring(1);
  }

  /** What the body fails with; null if it does not. */
  static ErrorKind kind(Runnable body) {
    try {
      body.run();
      return null;
    } catch (CtorchException failure) {
      return failure.kind();
    }
  }

  static void texts(String folder) {
    Tokenizer tokenizer = Tokenizer.openFile(folder + "/tokenizer.json");
    Encoding encoding = tokenizer.encode(bytes(TEXT), null, true);
    long[] ids = encoding.column("ids");
    long[] starts = encoding.column("starts");
    long[] ends = encoding.column("ends");
    List<String> tokens = new ArrayList<>();
    List<String> offsets = new ArrayList<>();
    for (int i = 0; i < encoding.len(); i++) {
      tokens.add(encoding.token(i));
      offsets.add(starts[i] + "-" + ends[i]);
    }
    OUT.println("tokens " + String.join(" ", tokens));
    OUT.println("ids " + joined(ids));
    OUT.println("offsets " + String.join(" ", offsets));
    OUT.println("pair " + joined(tokenizer.encode(bytes("not bad"), bytes("great fun"), true).column("type_ids")));
    tokenizer.enablePadding(0, 0, "[PAD]", -1, 0, null);
    String[] texts = {"not bad", "great fun, and a great film", ""};
    EncodingBatch batch = tokenizer.encodeBatch(texts, null, null, true, 0);
    Tensor rows = batch.tensor("ids", 0);
    OUT.println("batch " + batch.len() + " " + joined(rows.toLongs()));
    OUT.println("mask " + joined(batch.tensor("attention_mask", 0).toLongs()));
    OUT.println("decoded " + tokenizer.decode(ids, true));
    List<String> decoded = new ArrayList<>();
    ((List<?>) Values.get(tokenizer.decodeBatch(rows, true))).forEach(text -> decoded.add((String) text));
    OUT.println("rows " + String.join("|", decoded));
    DecodeStream stream = DecodeStream.create(tokenizer, true);
    List<String> pieces = new ArrayList<>();
    for (long id : ids) {
      String piece = stream.step(id);
      pieces.add(piece == null ? "" : piece);
    }
    OUT.println("stream " + String.join("|", pieces));
    OUT.println("great " + tokenizer.tokenToId(bytes("great")));
    OUT.println("missing " + (kind(() -> tokenizer.tokenToId(bytes("nothing"))) == ErrorKind.INDEX ? "none" : "found"));
    tokenizer.noPadding();
    tokenizer.enableTruncation(4, 0, null, null);
    OUT.println("cut " + joined(tokenizer.encode(bytes(TEXT), null, true).column("ids")));

    Tokenizer again = Tokenizer.open(Reader.fromData(bytes(tokenizer.toJson(true))));
    again.noTruncation();
    Checks.equal(new long[] {-1, 0, -1, -1}, again.encode(bytes("a"), bytes(""), true).column("sequence_ids"));
    long[] words = again.encodeWords(new String[] {"great", "film"}, null, true).column("ids");
    Checks.equal(words, again.encodeTensor(bytes("great film"), true).toLongs());
    byte[] part = Arrays.copyOfRange(
        bytes(TEXT), (int) encoding.column("byte_starts")[6], (int) encoding.column("byte_ends")[6]);
    Checks.equal("\u00e9", new String(part, StandardCharsets.UTF_8));
    Checks.equal(ErrorKind.INVALID_ARGUMENT, kind(() -> again.encode(new byte[] {-1}, null, true)));
  }

  static void tiktoken(String folder) {
    Reader ranks = Reader.open(folder + "/ranks.tiktoken", false);
    Tiktoken encoding = Tiktoken.open(ranks, "\\p{L}+|\\s|[^\\s\\p{L}]+", new String[] {"<|end|>"}, 300);
    long[] ids = encoding.encode(bytes("a great film<|end|>"), new String[] {"all"}).toLongs();
    OUT.println("tiktoken " + joined(ids));
    OUT.println("text " + encoding.decode(ids));
    Checks.equal("a\0b", encoding.decode(97, 0, 98));
    Checks.equal(encoding.encodeOrdinary(bytes("a film")).toLongs(), encoding.encode(bytes("a film"), null, "all").toLongs());
    Checks.equal(ErrorKind.VALUE, kind(() -> encoding.encode(bytes("<|end|>"), null, "all")));
  }

  static void judged() {
    float[][] scores = {{0.8f, 0.1f, 0.1f, 0.2f, 0.5f, 0.3f}, {0.1f, 0.6f, 0.3f, 0.3f, 0.3f, 0.4f}};
    long[][] labels = {{0, 1}, {2, 2}};
    Metric accuracy = Metrics.MulticlassAccuracy(Options.with().num_classes(3).average("none"));
    Metric f1 = Metric.create("MulticlassF1Score", null, Values.of(Map.of("num_classes", 3)));
    Metric micro = Metrics.MulticlassAccuracy(Options.with().num_classes(3).average("micro"));
    Metric both = Metric.collection(new Metric[] {f1, micro}, new String[] {"f1", "accuracy"}, null, null);
    for (int i = 0; i < 2; i++) {
      Tensor preds = Tensor.of(scores[i], 2, 3);
      Tensor target = Tensor.of(labels[i], 2);
      accuracy.update(preds, target);
      both.updateValue(Values.of(Tuple.of(preds, target)));
    }
    OUT.println("accuracy " + shown(Values.get(accuracy.compute())));
    Map<?, ?> found = (Map<?, ?>) Values.get(both.compute());
    OUT.println("f1 " + shown(found.get("f1")));
    OUT.println("micro " + shown(found.get("accuracy")));
    Metric words = Metrics.WordErrorRate();
    words.updateValue(Values.of(Tuple.of("a great film", "a bad film")));
    Checks.equal("0.333333", shown(Values.get(words.compute())));
    long before = accuracy.updateCount();
    accuracy.reset();
    OUT.println("updates " + before + " " + accuracy.updateCount());
  }

  static void logged(String folder) {
    SummaryWriter board = SummaryWriter.open(folder, null, null, 10, 120, null);
    board.addScalar("loss", 0.5, 1, null, false, false);
    board.addScalar("loss", 0.25, 2, 12.0, false, false);
    board.addText("note", "good", 3, null);
    board.addHistogramEdges("weights", Aten.arange(4), 4, new double[] {-1, 1, 2, 5, 7}, null, 0);
    board.finish();
    SummaryReader reader = SummaryReader.open(folder);
    while (reader.next()) {
      if (!reader.tag().isEmpty()) {
        String event = "event " + reader.tag() + " " + reader.step();
        switch (reader.kind()) {
          case SCALAR:
            OUT.printf(Locale.ROOT, "%s scalar %.2f%n", event, reader.scalar());
            break;
          case TEXT:
            OUT.println(event + " text " + reader.text());
            break;
          default:
            OUT.println(event + " histogram " + reader.bins().limits().toDoubles().length);
        }
      }
    }
    Checks.equal(ErrorKind.RUNTIME, kind(() -> board.addText("late", "", 5, null)));
  }

  public static void main(String[] arguments) throws InterruptedException {
    try (Scope scope = new Scope()) {
      texts(arguments[0]);
      tiktoken(arguments[0]);
      judged();
      logged(arguments[0] + "/events");
      OUT.println("refused " + kind(() -> Tokenizer.open(Reader.fromData(bytes("{}")))));
      OUT.println("refused " + kind(() -> Metric.create("NoSuch", null, null)));
    }
    Checks.equal(0L, Checks.liveHandles());
  }
}
