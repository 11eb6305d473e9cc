package dev.berth.agent.server;

import dev.berth.http.ResponseStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/** Writes the lines of a log that a client wants, as it wants them. */
final class LogOutput {
  private final ResponseStream stream;
  private final LogOptions options;
  private long bytesLeft;
  private boolean atLineStart = true;
  private volatile boolean gone;

  LogOutput(ResponseStream stream, LogOptions options) {
    this.stream = stream;
    this.options = options;
    this.bytesLeft = options.limitBytes().orElse(Long.MAX_VALUE);
  }

  boolean follows() {
    return options.follow();
  }

  void onGone(Runnable wake) {
    stream.onGone(() -> {
      gone = true;
      wake.run();
    });
  }

  boolean isDone() {
    return gone || bytesLeft <= 0;
  }

  boolean flush() {
    return stream.flush();
  }

  /** Writes a line of the file; false if no more are wanted. */
  boolean write(byte[] line) {
    Optional<LogLine> parsed = LogLine.parse(line);
    if (parsed.isEmpty() || !isWanted(parsed.get())) {
      return !isDone();
    }
    LogLine wanted = parsed.get();
    boolean went = true;
    if (options.timestamps() && atLineStart) {
      went = send(wanted.timestamp());
    }
    went = went && send(wanted.content());
    atLineStart = wanted.endsLine();
    return went && !isDone();
  }

  private boolean isWanted(LogLine line) {
    Optional<Instant> since = options.since();
    return options.streams().contains(line.stream())
        && (since.isEmpty() || !line.time().isBefore(since.get()));
  }

  private boolean send(byte[] bytes) {
    byte[] cut = bytes.length <= bytesLeft ? bytes : Arrays.copyOf(bytes, (int) bytesLeft);
    bytesLeft -= cut.length;
    return stream.write(cut);
  }
}
