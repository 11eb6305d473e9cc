package dev.berth.http.spdy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.http.Duplex;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.Adler32;
import org.junit.jupiter.api.Test;

/** What a client sends is a list of frames here, read to its end. */
class SpdyConnectionTest {
  private static final int SYN_STREAM = 0x8003_0001;
  private static final int SYN_REPLY = 0x8003_0002;
  private static final int RST_STREAM = 0x8003_0003;
  private static final int PING = 0x8003_0006;
  private static final int FIN = 0x0100_0000;

  private final HeaderBlocks client = new HeaderBlocks();
  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
  private final ByteArrayOutputStream answered = new ByteArrayOutputStream();
  private final List<SpdyStream> opened = new ArrayList<>();

  private void frame(int first, int flags, byte[] payload) {
    sent.writeBytes(
        ByteBuffer.allocate(8 + payload.length)
            .putInt(first)
            .putInt(flags | payload.length)
            .put(payload)
            .array());
  }

  private void open(int id, Map<String, String> headers) {
    byte[] block = client.write(headers);
    frame(
        SYN_STREAM,
        0,
        ByteBuffer.allocate(10 + block.length).putInt(id).position(10).put(block).array());
  }

  private void run() throws IOException {
    Duplex duplex =
        new Duplex() {
          private final InputStream in = new ByteArrayInputStream(sent.toByteArray());

          @Override
          public InputStream input() {
            return in;
          }

          @Override
          public OutputStream output() {
            return answered;
          }

          @Override
          public void close() {}
        };
    new SpdyConnection(duplex).run(opened::add);
  }

  /** The first words of the frames that the server sent. */
  private List<Integer> answers() throws IOException {
    List<Integer> kinds = new ArrayList<>();
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(answered.toByteArray()));
    while (in.available() > 0) {
      kinds.add(in.readInt());
      in.skipNBytes(in.readInt() & 0xff_ffff);
    }
    return kinds;
  }

  /** The number by which both ends name the dictionary. */
  @Test
  void theDictionaryIsTheOneOfTheSpecification() {
    Adler32 sum = new Adler32();
    sum.update(HeaderDictionary.bytes());
    assertThat(sum.getValue()).isEqualTo(0xe3c6a7c2L);
  }

  @Test
  void streamsAreAcceptedAndTheirBytesKeptApart() throws IOException {
    open(1, Map.of("streamtype", "stdin"));
    open(3, Map.of("streamtype", "error", "port", "80"));
    frame(1, 0, "one".getBytes(US_ASCII));
    frame(3, FIN, "three".getBytes(US_ASCII));
    frame(1, FIN, "!".getBytes(US_ASCII));
    run();
    assertThat(opened)
        .extracting(stream -> stream.header("streamType"))
        .containsExactly("stdin", "error");
    assertThat(opened.get(1).header("PORT")).isEqualTo("80");
    assertThat(opened.get(0).input().readAllBytes()).asString().isEqualTo("one!");
    assertThat(opened.get(1).input().readAllBytes()).asString().isEqualTo("three");
    assertThat(answers()).containsExactly(SYN_REPLY, SYN_REPLY);
  }

  @Test
  void repliesCanBeReadByTheClient() throws IOException {
    open(1, Map.of("a", "b"));
    run();
    byte[] frame = answered.toByteArray();
    assertThat(new HeaderBlocks().read(frame, 12, frame.length - 12)).isEmpty();
  }

  @Test
  void pingsComeBack() throws IOException {
    frame(PING, 0, new byte[] {0, 0, 0, 7});
    run();
    assertThat(answered.toByteArray()).isEqualTo(sent.toByteArray());
  }

  @Test
  void aStreamThatTheClientResetsEnds() throws IOException {
    open(1, Map.of());
    frame(RST_STREAM, 0, ByteBuffer.allocate(8).putInt(1).putInt(5).array());
    frame(1, 0, "late".getBytes(US_ASCII));
    run();
    assertThat(opened.getFirst().input().readAllBytes()).isEmpty();
    assertThatThrownBy(() -> opened.getFirst().output().write(1)).isInstanceOf(IOException.class);
  }

  @Test
  void moreStreamsThanThereMayBeAreRefused() throws IOException {
    for (int i = 0; i < 2_050; i++) {
      open(2 * i + 1, Map.of());
    }
    run();
    assertThat(opened).hasSize(2_048);
    assertThat(answers().subList(2_048, 2_050)).containsExactly(RST_STREAM, RST_STREAM);
  }

  @Test
  void whatIsNoSpdyIsAnError() {
    assertBroken(() -> frame(0x8002_0001, 0, new byte[10]), "This is not SPDY/3.");
    assertBroken(() -> frame(SYN_STREAM, 0, new byte[5]), "too short");
    assertBroken(() -> frame(SYN_STREAM, 0, new byte[100_000]), "too large");
    assertBroken(() -> frame(RST_STREAM, 0, new byte[3]), "too small");
    assertBroken(
        () -> frame(SYN_STREAM, 0, new byte[] {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 2, 3}), "damaged");
    assertBroken(
        () -> {
          open(3, Map.of());
          open(1, Map.of());
        },
        "in order");
  }

  @Test
  void headersThatUnpackToTooMuchAreAnError() {
    assertBroken(() -> open(1, Map.of("bomb", "x".repeat(1_000_000))), "too large");
  }

  private void assertBroken(Runnable sends, String message) {
    sent.reset();
    sends.run();
    assertThatThrownBy(this::run)
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining(message);
  }
}
