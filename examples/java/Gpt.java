import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ctorch.Aten;
import org.ctorch.Ctorch;
import org.ctorch.GradMode;
import org.ctorch.Optim;
import org.ctorch.Optimizer;
import org.ctorch.Options;
import org.ctorch.Scope;
import org.ctorch.Tensor;

/**
 * A GPT, small: it learns a text byte by byte, and then writes one: the program of ../gpt.c, number for number.
 *
 * <pre>java -cp ctorch.jar:jna.jar examples/java/Gpt.java examples/data/sonnets.txt 200</pre>
 *
 * Tensors are closed by scopes: one around the program, one for each step.
 */
public class Gpt {
  static final int BYTES = 256;
  static final int CONTEXT = 64;
  static final int WIDTH = 64;
  static final int HEADS = 4;
  static final int BLOCKS = 2;
  static final int BATCH = 16;
  static final int SAMPLE = 200;
  static final int MOST_BYTES = 1 << 20; // of the text
  static final double TEMPERATURE = 0.8;
  static final int TOP_K = 40;

  /** The parameters of a block, without biases. */
  record Block(Tensor qkv, Tensor projection, Tensor widen, Tensor narrow) {
    Block() {
      this(parameter(3 * WIDTH, WIDTH), parameter(WIDTH, WIDTH), parameter(4 * WIDTH, WIDTH), parameter(WIDTH, 4 * WIDTH));
    }
  }

  final Block[] blocks = new Block[BLOCKS];
  final Tensor embedding;
  final Tensor places;
  final Optimizer optimizer;

  Gpt() {
    Tensor[] parameters = new Tensor[4 * BLOCKS + 2];
    for (int i = 0; i < BLOCKS; i++) {
      blocks[i] = new Block();
      parameters[4 * i] = blocks[i].qkv;
      parameters[4 * i + 1] = blocks[i].projection;
      parameters[4 * i + 2] = blocks[i].widen;
      parameters[4 * i + 3] = blocks[i].narrow;
    }
    parameters[4 * BLOCKS] = embedding = parameter(BYTES, WIDTH);
    parameters[4 * BLOCKS + 1] = places = parameter(CONTEXT, WIDTH);
    optimizer = Optim.AdamW(parameters, Options.with().lr(3e-3).betas(0.9, 0.95).eps(1e-8).weight_decay(0.1));
  }

  static Tensor parameter(long rows, long columns) {
    return Tensor.randn(rows, columns).mul_(0.08).requiresGrad_();
  }

  static Tensor norm(Tensor x) {
    return Aten.layer_norm(x, WIDTH);
  }

  /** Scores of the byte after each place: of a batch of texts, (batch, len, BYTES). */
  Tensor forward(Tensor bytes) {
    long batch = bytes.size(0);
    long len = bytes.size(1);
    Tensor x = Aten.embedding(embedding, bytes).add(Aten.narrow(places, 0, 0, len));
    for (Block block : blocks) {
      Tensor y = Aten.linear(norm(x), block.qkv).view(batch, len, 3, HEADS, WIDTH / HEADS);
      Tensor[] qkv = Aten.unbind_int(y.permute(2, 0, 3, 1, 4));
      y = Aten.scaled_dot_product_attention(qkv[0], qkv[1], qkv[2], Options.with().is_causal(true));
      y = y.transpose(1, 2).reshape(batch, len, WIDTH);
      x = x.add(Aten.linear(y, block.projection));
      y = Aten.gelu(Aten.linear(norm(x), block.widen));
      x = x.add(Aten.linear(y, block.narrow));
    }
    return Aten.linear(norm(x), embedding);
  }

  double step(Tensor text) {
    Tensor bytes = sample(text, BATCH, CONTEXT + 1);
    Tensor targets = Aten.narrow(bytes, 1, 1, CONTEXT);
    Tensor scores = forward(Aten.narrow(bytes, 1, 0, CONTEXT)).transpose(1, 2); // the classes come second
    Tensor loss = Aten.cross_entropy_loss(scores, targets);
    optimizer.zeroGrad();
    loss.backward();
    optimizer.step();
    return loss.itemDouble();
  }

  /** Let the model go on after "\n", a byte at a time. */
  byte[] write() {
    byte[] written = new byte[SAMPLE];
    try (Scope scope = new Scope();
        GradMode off = GradMode.disabled()) {
      Tensor text = Tensor.of(new long[] {'\n'}, 1, 1);
      for (int i = 0; i < SAMPLE; i++) {
        long len = text.size(1);
        Tensor seen = Aten.narrow(text, 1, Math.max(len - CONTEXT, 0), Math.min(len, CONTEXT));
        Tensor next = draw(Aten.select_int(forward(seen), 1, -1));
        written[i] = (byte) next.itemInt64();
        text = Tensor.cat(1, text, next);
      }
    }
    return written;
  }

  /** The bytes of a file as int64. */
  static Tensor read(Path path) throws IOException {
    try (InputStream file = Files.newInputStream(path)) {
      byte[] bytes = file.readNBytes(MOST_BYTES);
      long[] text = new long[bytes.length];
      for (int i = 0; i < text.length; i++) {
        text[i] = Byte.toUnsignedLong(bytes[i]);
      }
      return Tensor.of(text, text.length);
    }
  }

  /** Rows of bytes, (rows, len), from random places of a text. */
  static Tensor sample(Tensor text, long rows, long len) {
    Tensor places = Aten.randint(text.numel() - len + 1, rows, 1);
    return Aten.take(text, places.add(Tensor.arange(len)));
  }

  /** One of the classes, (1, 1), drawn by their scores, (1, classes): of the best ones alone, a little sharpened. */
  static Tensor draw(Tensor scores) {
    Tensor x = scores.div(TEMPERATURE);
    Tensor worse = x.lt(Aten.narrow(Aten.topk(x, TOP_K).values(), 1, TOP_K - 1, 1));
    x = Aten.masked_fill_Scalar(x, worse, Double.NEGATIVE_INFINITY);
    return Aten.multinomial(x.softmax(-1), 1);
  }

  static void run(Path path, int steps) throws IOException {
    Ctorch.threadsSetNum(1); // the tensors are too small for more
    Ctorch.randomManualSeed(1);
    Tensor text = read(path);
    Gpt model = new Gpt();
    for (int step = 1; step <= steps; step++) {
      try (Scope scope = new Scope()) {
        BigDecimal loss = new BigDecimal(model.step(text)).setScale(3, RoundingMode.HALF_EVEN);
        if (step % 50 == 0 || steps < 50) {
          System.out.print("step " + step + ": loss " + loss + "\n");
        }
      }
    }
    System.out.write(model.write());
    System.out.flush();
  }

  public static void main(String[] arguments) throws IOException {
    Path path = Path.of(arguments.length > 0 ? arguments[0] : "examples/data/sonnets.txt");
    int steps = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 200;
    try (Scope scope = new Scope()) {
      run(path, steps);
    }
    if (Ctorch.debugLiveHandles() > 0) { // counted with CTORCH_DEBUG_HANDLES=1
      throw new IllegalStateException(Ctorch.debugLiveHandles() + " handles leaked");
    }
  }
}
