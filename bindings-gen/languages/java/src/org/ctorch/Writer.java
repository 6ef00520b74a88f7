package org.ctorch;

import java.io.OutputStream;
import java.util.function.Consumer;
import org.ctorch.raw.Bridge;
import org.ctorch.raw.RawWriter;

/**
 * Where files are written to: {@link #open} a file, {@link #create} memory, {@link #to} a stream,
 * {@link #fromCallback} a function. A file that is not {@link #finish}ed leaves what was there before.
 */
public final class Writer extends WriterMethods {
  Writer(long address) {
    super(address);
  }

  /** Writes to a stream. Small pieces are put together before. */
  public static Writer to(OutputStream stream) {
    return fromCallback(
        data -> {
          byte[] piece = new byte[data.remaining()];
          data.get(piece);
          stream.write(piece);
          stream.flush();
        });
  }

  /** A copy of what was written to memory; nothing for a writer to elsewhere. */
  public byte[] toBytes() {
    Call call = Call.begin();
    try {
      long self = call.handle(this);
      long data = RawWriter.ctorch_writer_data(self);
      byte[] copy = new byte[data == 0 ? 0 : Math.toIntExact(RawWriter.ctorch_writer_nbytes(self))];
      if (copy.length > 0) {
        Bridge.view(data, copy.length).get(copy);
      }
      return copy;
    } finally {
      call.end();
    }
  }

  /** What a function writes, in memory. */
  static byte[] written(Consumer<Writer> write) {
    try (Writer writer = create()) {
      write.accept(writer);
      writer.finish();
      return writer.toBytes();
    }
  }

  @Override
  public String toString() {
    return isClosed() ? "a writer (closed)" : "a writer of " + nbytes() + " bytes";
  }
}
