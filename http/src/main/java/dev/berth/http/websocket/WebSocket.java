package dev.berth.http.websocket;

import dev.berth.http.Duplex;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The server's end of a WebSocket. One thread reads; any thread may write. A message arrives in
 * pieces, none larger than {@link #PIECE_BYTES}, so that how much a client sends at once costs
 * nobody memory. Pings are answered by whoever reads.
 */
public final class WebSocket implements AutoCloseable {
  public static final int PIECE_BYTES = 32 * 1024;

  private static final int CONTINUATION = 0;
  private static final int TEXT = 1;
  private static final int BINARY = 2;
  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int PONG = 10;

  private static final int FINAL = 0x80;
  private static final int RESERVED = 0x70;
  private static final int MASKED = 0x80;
  private static final int SHORT_LENGTH = 126;
  private static final int LONG_LENGTH = 127;
  private static final int MAX_CONTROL_BYTES = 125;

  private final Duplex duplex;
  private final DataInputStream in;
  private final OutputStream out;

  /** Of the frame that is being read. */
  private final byte[] mask = new byte[4];

  private long frameLeft;
  private int maskIndex;
  private boolean isFinalFrame = true;

  private boolean inMessage;
  private boolean messageIsText;

  /** Guards what is written. */
  private final Object writing = new Object();

  private boolean closeSent;

  /** A part of a message. */
  public static final class Piece {
    private final boolean text;
    private final boolean first;
    private final boolean last;
    private final byte[] bytes;

    private Piece(boolean text, boolean first, boolean last, byte[] bytes) {
      this.text = text;
      this.first = first;
      this.last = last;
      this.bytes = bytes;
    }

    public boolean isText() {
      return text;
    }

    /** Whether a message begins with it. */
    public boolean isFirst() {
      return first;
    }

    /** Whether the message ends with it. */
    public boolean isLast() {
      return last;
    }

    /** For whoever reads it to keep. */
    public byte[] bytes() {
      return bytes;
    }
  }

  public WebSocket(Duplex duplex) {
    this.duplex = duplex;
    this.in = new DataInputStream(duplex.input());
    this.out = duplex.output();
  }

  /**
   * Waits for the next piece of a message.
   *
   * @return empty when the client has said that it will send no more, or has gone
   * @throws ProtocolException if what it sends is no WebSocket; the connection is of no use then
   */
  public Optional<Piece> read() throws IOException {
    try {
      boolean first = !inMessage;
      if (frameLeft == 0 && !readFrame()) {
        return Optional.empty();
      }
      byte[] bytes = new byte[(int) Math.min(frameLeft, PIECE_BYTES)];
      in.readFully(bytes);
      unmask(bytes);
      frameLeft -= bytes.length;
      boolean last = frameLeft == 0 && isFinalFrame;
      inMessage = !last;
      return Optional.of(new Piece(messageIsText, first, last, bytes));
    } catch (EOFException _) {
      return Optional.empty();
    }
  }

  private void unmask(byte[] bytes) {
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] ^= mask[maskIndex];
      maskIndex = (maskIndex + 1) & 3;
    }
  }

  /** Reads up to the payload of the next frame of a message; false if the client closes. */
  private boolean readFrame() throws IOException {
    while (true) {
      int head = in.readUnsignedByte();
      int opcode = head & 0x0f;
      boolean last = (head & FINAL) != 0;
      if ((head & RESERVED) != 0) {
        throw fail("no extension was agreed on");
      }
      long length = readLength();
      in.readFully(mask);
      maskIndex = 0;
      switch (opcode) {
        case CONTINUATION, TEXT, BINARY -> {
          if ((opcode == CONTINUATION) != inMessage) {
            throw fail("a message begins or goes on where it must not");
          }
          if (opcode != CONTINUATION) {
            messageIsText = opcode == TEXT;
          }
          inMessage = true;
          isFinalFrame = last;
          frameLeft = length;
          return true;
        }
        case CLOSE, PING, PONG -> {
          if (length > MAX_CONTROL_BYTES || !last) {
            throw fail("a control frame is too long");
          }
          byte[] payload = new byte[(int) length];
          in.readFully(payload);
          unmask(payload);
          if (opcode == CLOSE) {
            sendClose(payload.length < 2 ? new byte[0] : new byte[] {payload[0], payload[1]});
            return false;
          }
          if (opcode == PING) {
            send(PONG, payload);
          }
        }
        default -> throw fail("there is no frame of kind " + opcode);
      }
    }
  }

  private long readLength() throws IOException {
    int byteTwo = in.readUnsignedByte();
    if ((byteTwo & MASKED) == 0) {
      throw fail("a client masks what it sends");
    }
    int length = byteTwo & 0x7f;
    if (length == SHORT_LENGTH) {
      return in.readUnsignedShort();
    }
    if (length < LONG_LENGTH) {
      return length;
    }
    long longLength = in.readLong();
    if (longLength < 0) {
      throw fail("a frame's length is negative");
    }
    return longLength;
  }

  private static ProtocolException fail(String why) {
    return new ProtocolException("This is no WebSocket: " + why + ".");
  }

  /** Sends a whole message; waits while the client does not take it. */
  public void writeBinary(byte[] message) throws IOException {
    send(BINARY, message);
  }

  /**
   * Sends a whole message of text.
   *
   * @param message in UTF-8
   */
  public void writeText(byte[] message) throws IOException {
    send(TEXT, message);
  }

  /** Shows the client, and whatever is between, that somebody is here. */
  public void ping() throws IOException {
    send(PING, new byte[0]);
  }

  private void send(int opcode, byte[] payload) throws IOException {
    byte[] frame = frame(opcode, payload);
    synchronized (writing) {
      if (!closeSent) {
        out.write(frame);
      }
    }
  }

  private static byte[] frame(int opcode, byte[] payload) {
    ByteBuffer frame = ByteBuffer.allocate(10 + payload.length);
    frame.put((byte) (FINAL | opcode));
    if (payload.length < SHORT_LENGTH) {
      frame.put((byte) payload.length);
    } else if (payload.length < 1 << 16) {
      frame.put((byte) SHORT_LENGTH).putShort((short) payload.length);
    } else {
      frame.put((byte) LONG_LENGTH).putLong(payload.length);
    }
    frame.put(payload).flip();
    byte[] bytes = new byte[frame.remaining()];
    frame.get(bytes);
    return bytes;
  }

  private void sendClose(byte[] payload) throws IOException {
    synchronized (writing) {
      if (!closeSent) {
        out.write(frame(CLOSE, payload));
        closeSent = true;
      }
    }
  }

  /**
   * Says that nothing more will be sent. The client answers by closing, which whoever reads sees.
   *
   * @param code such as 1000 for a normal end
   */
  public void end(int code) throws IOException {
    sendClose(new byte[] {(byte) (code >> 8), (byte) code});
  }

  /** Closes the connection at once. */
  @Override
  public void close() {
    duplex.close();
  }
}
