package dev.berth.agent.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Optional;

/**
 * A line of a log file: {@code TIME stdout|stderr TAGS CONTENT}. The tags say whether the line is
 * complete ({@code F}) or goes on in the next one ({@code P}).
 */
final class LogLine {
  private static final DateTimeFormatter NANOSECONDS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.nnnnnnnnn'Z'").withZone(ZoneOffset.UTC);

  private final Instant time;
  private final String stream;
  private final byte[] content;

  private LogLine(Instant time, String stream, byte[] content) {
    this.time = time;
    this.stream = stream;
    this.content = content;
  }

  /** What is malformed, such as half a line after a power cut, is none. */
  static Optional<LogLine> parse(byte[] line) {
    int time = space(line, 0);
    int stream = time < 0 ? -1 : space(line, time + 1);
    int tags = stream < 0 ? -1 : space(line, stream + 1);
    if (tags < 0) {
      return Optional.empty();
    }
    boolean partial = line[stream + 1] == 'P';
    boolean ended = line[line.length - 1] == '\n';
    int end = partial && ended ? line.length - 1 : line.length;
    try {
      return Optional.of(
          new LogLine(
              OffsetDateTime.parse(text(line, 0, time)).toInstant(),
              text(line, time + 1, stream),
              Arrays.copyOfRange(line, tags + 1, end)));
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  private static int space(byte[] line, int from) {
    for (int i = from; i < line.length; i++) {
      if (line[i] == ' ') {
        return i;
      }
    }
    return -1;
  }

  private static String text(byte[] line, int from, int to) {
    return new String(line, from, to - from, US_ASCII);
  }

  Instant time() {
    return time;
  }

  String stream() {
    return stream;
  }

  /** With the line's end, if it is complete. */
  byte[] content() {
    return content;
  }

  boolean endsLine() {
    return content.length > 0 && content[content.length - 1] == '\n';
  }

  /** Its time and a space, as clients who want times see it. */
  byte[] timestamp() {
    return (NANOSECONDS.format(time) + " ").getBytes(US_ASCII);
  }
}
