package dev.berth.http.jetty;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;

/** What of a stream is written together. */
class ChunksTest {

  /** Takes every write at once. */
  private static final class Taking implements Content.Sink {
    final List<String> written = new ArrayList<>();

    @Override
    public void write(boolean last, ByteBuffer bytes, Callback callback) {
      written.add(US_ASCII.decode(bytes).toString());
      callback.succeeded();
    }
  }

  private final Taking sink = new Taking();
  private final Chunks chunks =
      new Chunks(new BlockingWriter(sink, _ -> () -> false), 4, 16, Chunks.Framing.NONE);

  private void write(String piece) {
    assertThat(chunks.write(piece.getBytes(US_ASCII), 0, piece.length())).isTrue();
  }

  @Test
  void piecesThatComeBeforeAFlushAreWrittenTogether() {
    write("abc");
    write("defgh");
    write("ijklmno");
    assertThat(sink.written).isEmpty();

    assertThat(chunks.flush()).isTrue();
    write("p");
    assertThat(chunks.flush()).isTrue();

    assertThat(sink.written).containsExactly("abcdefghijklmno", "p");
  }

  @Test
  void noMoreThanFitsIsHeldBack() {
    write("abcdefghij");
    write("klmnopq");
    assertThat(sink.written).containsExactly("abcdefghij");

    assertThat(chunks.finish()).isTrue();
    assertThat(sink.written).containsExactly("abcdefghij", "klmnopq");
  }

  @Test
  void aLargePieceIsPassedOnBehindWhatWasHeldBack() {
    write("abc");
    write("0123456789abcdef");

    assertThat(sink.written).containsExactly("abc", "0123456789abcdef");
  }
}
