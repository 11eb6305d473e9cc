package dev.berth.agent.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reading a log file while others write and rotate it. */
class LogLinesTest {
  @TempDir Path directory;

  private int rotations;

  private Path log() {
    return directory.resolve("main.log");
  }

  private void append(String text) throws IOException {
    Files.writeString(log(), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** As the runtime names what it puts aside. */
  private void rotate() throws IOException {
    rotations++;
    Files.move(
        log(), directory.resolve("main.log.20260101-00000%d.000000000".formatted(rotations)));
  }

  private static List<String> read(LogLines lines) throws IOException {
    List<String> all = new ArrayList<>();
    for (Optional<byte[]> line = lines.next(); line.isPresent(); line = lines.next()) {
      all.add(new String(line.get(), UTF_8).strip());
    }
    return all;
  }

  @Test
  void aLineIsGivenWhenItIsWhole() throws IOException {
    append("one\ntw");
    try (LogLines lines = new LogLines(log())) {
      assertThat(read(lines)).containsExactly("one");
      append("o\n");
      assertThat(read(lines)).containsExactly("two");
      append("rest");
      assertThat(read(lines)).isEmpty();
      assertThat(lines.rest()).asString().isEqualTo("rest");
    }
  }

  @Test
  void nothingIsLostOrDoubledByRotations() throws IOException {
    append("0\n");
    try (LogLines lines = new LogLines(log())) {
      assertThat(read(lines)).containsExactly("0");
      append("1\n");
      rotate();
      assertThat(read(lines)).containsExactly("1");
      append("2\n");
      assertThat(read(lines)).containsExactly("2");
      append("3\n");
      rotate();
      append("4\n");
      rotate();
      append("5\n");
      assertThat(read(lines)).containsExactly("3", "4", "5");
    }
  }

  @Test
  void whatWasPutAsideLastIsReadUntilTheNextFileIsBegun() throws IOException {
    append("0\n");
    rotate();
    append("1\n2\n");
    rotate();
    try (LogLines lines = new LogLines(log())) {
      lines.skipToLast(1);
      assertThat(read(lines)).containsExactly("2");
      append("3\n");
      assertThat(read(lines)).containsExactly("3");
    }
  }

  /** It was rotated away and removed before it could be read. */
  @Test
  void goesOnWithTheNewestIfTheOldOneIsGone() throws IOException {
    append("0\n");
    try (LogLines lines = new LogLines(log())) {
      assertThat(read(lines)).containsExactly("0");
      Files.delete(log());
      append("1\n");
      assertThat(read(lines)).containsExactly("1");
    }
  }

  @ParameterizedTest
  @CsvSource({"0,''", "1,c", "2,b c", "3,a b c", "9,a b c"})
  void skipsToTheLastLines(long count, String expected) throws IOException {
    append("a\nb\nc\n");
    try (LogLines lines = new LogLines(log())) {
      lines.skipToLast(count);
      assertThat(String.join(" ", read(lines))).isEqualTo(expected);
    }
  }

  @Test
  void skipsOverManyBuffers() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 100_000; i++) {
      text.append("line ").append(i).append('\n');
    }
    append(text.toString());
    try (LogLines lines = new LogLines(log())) {
      lines.skipToLast(50_000);
      assertThat(read(lines)).hasSize(50_000).startsWith("line 50000").endsWith("line 99999");
    }
  }

  @Test
  void aLineWithoutEndIsCutIntoPieces() throws IOException {
    append("x".repeat(3_000_000));
    try (LogLines lines = new LogLines(log())) {
      assertThat(read(lines))
          .isNotEmpty()
          .allSatisfy(piece -> assertThat(piece.length()).isLessThan(400_000));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'2026-01-01T00:00:00Z stdout F hello world\n',stdout,'hello world\n'",
    "'2026-01-01T00:00:00Z stderr P hal\n',stderr,hal",
    "'2026-01-01T00:00:00Z stdout F \n',stdout,'\n'",
    "'2026-01-01T00:00:00Z stdout F cut off',stdout,cut off",
  })
  void linesAreParsed(String line, String stream, String content) {
    LogLine parsed = LogLine.parse(line.getBytes(UTF_8)).orElseThrow();
    assertThat(parsed.stream()).isEqualTo(stream);
    assertThat(parsed.content()).asString().isEqualTo(content);
  }

  @ParameterizedTest
  @CsvSource({"''", "hello", "'yesterday stdout F x'", "'2026-01-01T00:00:00Z stdout'"})
  void whatIsMalformedIsNoLine(String line) {
    assertThat(LogLine.parse(line.getBytes(UTF_8))).isEmpty();
  }
}
