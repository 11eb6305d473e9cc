package dev.berth.http.spdy;

import dev.berth.http.Duplex;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * One end of a SPDY connection: a server's, whose streams the client opens, or a client's, which
 * opens them. One thread reads, by {@link #run}; any thread may write.
 *
 * <p>Kubernetes' clients ignore windows, so there is but one brake: a stream whose bytes nobody
 * takes stops the reading of the whole connection, as upstream does.
 */
public final class SpdyConnection implements AutoCloseable {
  /** What follows in {@code Upgrade}. */
  public static final String PROTOCOL = "SPDY/3.1";

  private static final int MAX_STREAMS = 2_048;
  private static final int MAX_CONTROL_BYTES = 64 * 1024;

  private static final int CONTROL = 0x8000;
  private static final int VERSION = 3;
  private static final int SYN_STREAM = 1;
  private static final int SYN_REPLY = 2;
  private static final int RST_STREAM = 3;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int HEADERS = 8;

  private static final int FIN = 1;
  private static final int ID = 0x7fff_ffff;
  private static final int LENGTH = 0xff_ffff;
  private static final int SYN_STREAM_FIXED_BYTES = 10;
  private static final int PIECE_BYTES = 32 * 1024;

  private static final int REFUSED_STREAM = 3;
  static final int CANCEL = 5;

  private final Duplex duplex;
  private final DataInputStream in;
  private final OutputStream out;
  private final HeaderBlocks headers = new HeaderBlocks();
  private final Map<Integer, SpdyStream> streams = new ConcurrentHashMap<>();

  /** Guards what is written, and the compression of it. */
  private final Object writing = new Object();

  private boolean closed;
  private int lastStream;

  /** The next that this end opens as a client; guarded by {@link #writing}. */
  private int nextStream = 1;

  public SpdyConnection(Duplex duplex) {
    this.duplex = duplex;
    this.in = new DataInputStream(duplex.input());
    this.out = duplex.output();
  }

  /**
   * Reads until the client closes the connection, which is closed then.
   *
   * @param opened is given each stream that the client opens, on this thread, after the client was
   *     told that it is accepted; it must be quick
   */
  public void run(Consumer<SpdyStream> opened) throws IOException {
    try {
      while (readFrame(opened)) {
        // One after the other.
      }
    } catch (EOFException _) {
      // The client has gone, which is how it says that it has finished.
    } finally {
      close();
      headers.close();
    }
  }

  /**
   * Opens a stream, as a client. Names of header fields are sent in small letters, as SPDY wants.
   */
  public SpdyStream open(Map<String, String> fields) throws IOException {
    Map<String, String> lower = new TreeMap<>();
    fields.forEach((name, value) -> lower.put(name.toLowerCase(Locale.ROOT), value));
    synchronized (writing) {
      if (closed) {
        throw new IOException("The SPDY connection is closed.");
      }
      SpdyStream stream = new SpdyStream(this, nextStream, fields);
      nextStream += 2;
      streams.put(stream.id(), stream);
      byte[] block = headers.write(lower);
      control(
          SYN_STREAM,
          0,
          ByteBuffer.allocate(SYN_STREAM_FIXED_BYTES + block.length)
              .putInt(stream.id())
              .putInt(0)
              .putShort((short) 0)
              .put(block)
              .array());
      return stream;
    }
  }

  private boolean readFrame(Consumer<SpdyStream> opened) throws IOException {
    int first = in.readInt();
    int second = in.readInt();
    int flags = second >>> 24;
    int length = second & LENGTH;
    if (first >= 0) {
      readData(first, flags, length);
      return true;
    }
    if (length > MAX_CONTROL_BYTES || length < Integer.BYTES) {
      throw new ProtocolException("A SPDY control frame is too large or too small.");
    }
    if ((first >>> 16 & ~CONTROL) != VERSION) {
      throw new ProtocolException("This is not SPDY/3.");
    }
    byte[] payload = new byte[length];
    in.readFully(payload);
    int type = first & 0xffff;
    switch (type) {
      case SYN_STREAM -> open(payload, flags, opened);
      case HEADERS, SYN_REPLY -> headers.read(payload, Integer.BYTES, length - Integer.BYTES);
      case RST_STREAM -> {
        SpdyStream stream = streams.remove(ByteBuffer.wrap(payload).getInt() & ID);
        if (stream != null) {
          stream.broken();
        }
      }
      case PING -> control(PING, 0, payload);
      case GOAWAY -> {
        return !streams.isEmpty();
      }
      default -> {
        // Settings and windows change nothing here.
      }
    }
    return true;
  }

  private void open(byte[] payload, int flags, Consumer<SpdyStream> opened) throws IOException {
    if (payload.length < SYN_STREAM_FIXED_BYTES) {
      throw new ProtocolException("A SPDY SYN_STREAM frame is too short.");
    }
    int id = ByteBuffer.wrap(payload).getInt() & ID;
    Map<String, String> fields =
        headers.read(payload, SYN_STREAM_FIXED_BYTES, payload.length - SYN_STREAM_FIXED_BYTES);
    if (id <= lastStream) {
      throw new ProtocolException("SPDY streams are numbered in order.");
    }
    lastStream = id;
    if (streams.size() >= MAX_STREAMS) {
      sendReset(id, REFUSED_STREAM);
      return;
    }
    SpdyStream stream = new SpdyStream(this, id, fields);
    streams.put(id, stream);
    if ((flags & FIN) != 0) {
      stream.ended();
    }
    synchronized (writing) {
      byte[] block = headers.write(Map.of());
      control(SYN_REPLY, 0, ByteBuffer.allocate(4 + block.length).putInt(id).put(block).array());
    }
    opened.accept(stream);
  }

  private void readData(int id, int flags, int length) throws IOException {
    SpdyStream stream = streams.get(id);
    int left = length;
    while (left > 0) {
      byte[] bytes = new byte[Math.min(left, PIECE_BYTES)];
      in.readFully(bytes);
      left -= bytes.length;
      if (stream != null) {
        stream.arrived(bytes);
      }
    }
    if (stream != null && (flags & FIN) != 0) {
      stream.ended();
    }
  }

  private void control(int type, int flags, byte[] payload) throws IOException {
    write(CONTROL << 16 | VERSION << 16 | type, flags, payload, 0, payload.length);
  }

  void sendReset(int id, int status) throws IOException {
    control(RST_STREAM, 0, ByteBuffer.allocate(8).putInt(id).putInt(status).array());
  }

  void sendData(int id, boolean last, byte[] bytes, int offset, int length) throws IOException {
    int sent = 0;
    do {
      int piece = Math.min(length - sent, PIECE_BYTES);
      boolean ends = last && sent + piece == length;
      write(id, ends ? FIN : 0, bytes, offset + sent, piece);
      sent += piece;
    } while (sent < length);
  }

  private void write(int first, int flags, byte[] bytes, int offset, int length)
      throws IOException {
    byte[] frame =
        ByteBuffer.allocate(8 + length)
            .putInt(first)
            .putInt(flags << 24 | length)
            .put(bytes, offset, length)
            .array();
    synchronized (writing) {
      if (closed) {
        throw new IOException("The SPDY connection is closed.");
      }
      out.write(frame);
    }
  }

  void forget(int id) {
    streams.remove(id);
  }

  /** Says that no new streams are accepted; those that are open end first. */
  public void goAway() throws IOException {
    control(GOAWAY, 0, ByteBuffer.allocate(8).putInt(lastStream).putInt(0).array());
  }

  /** Closes the connection at once; whoever waits for a stream is released. */
  @Override
  public void close() {
    duplex.close();
    synchronized (writing) {
      closed = true;
    }
    streams.values().forEach(SpdyStream::broken);
    streams.clear();
  }
}
