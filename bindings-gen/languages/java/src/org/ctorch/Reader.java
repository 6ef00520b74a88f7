package org.ctorch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;

/**
 * Where files are read from: {@link #open} a file, {@link #fromData} bytes, {@link #of} a channel,
 * {@link #fromCallback} a function.
 */
public final class Reader extends ReaderMethods {
  Reader(long address) {
    super(address);
  }

  /** Reads a channel from beginning to end. It has to stay open as long as the reader, which does not close it. */
  public static Reader of(SeekableByteChannel channel) throws IOException {
    return fromCallback(channel.size(), (data, offset) -> fill(channel, data, offset));
  }

  private static void fill(SeekableByteChannel channel, ByteBuffer data, long offset) throws IOException {
    synchronized (channel) {
      channel.position(offset);
      while (data.hasRemaining() && channel.read(data) >= 0) {
        // A channel may give less than there is room for.
      }
    }
  }

  @Override
  public String toString() {
    return isClosed() ? "a reader (closed)" : "a reader of " + nbytes() + " bytes";
  }
}
