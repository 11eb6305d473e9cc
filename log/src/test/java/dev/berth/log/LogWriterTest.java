package dev.berth.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** A log that cannot be written stops nobody. */
class LogWriterTest {
  private static LogLine line(String message) {
    return new LogLine(Instant.EPOCH, Level.INFO, "store", message, List.of(), null);
  }

  @Test
  void saysHowManyLinesWereLostWhenTheDiskWasFull() {
    AtomicBoolean full = new AtomicBoolean(true);
    StringWriter file = new StringWriter();
    try (LogWriter writer =
        new LogWriter(
            LogFormat.TEXT,
            lines -> {
              if (full.get()) {
                throw new IOException("No space left on device");
              }
              file.append(lines);
            })) {
      writer.accept(line("lost"));
      writer.flush();
      full.set(false);
      writer.accept(line("written"));
      writer.flush();
    }
    assertThat(file.toString())
        .contains("lines were lost because the log could not be written lines=1")
        .endsWith("written\n");
  }

  /** Nobody would hear of a log that ended, so it goes on whatever it is written to throws. */
  @Test
  void aBugInWhatItWritesToLosesLinesAndDoesNotEndTheLog() {
    AtomicBoolean broken = new AtomicBoolean(true);
    StringWriter file = new StringWriter();
    try (LogWriter writer =
        new LogWriter(
            LogFormat.TEXT,
            lines -> {
              if (broken.get()) {
                throw new AssertionError("a bug");
              }
              file.append(lines);
            })) {
      writer.accept(line("lost"));
      writer.flush();
      broken.set(false);
      writer.accept(line("written"));
    }
    assertThat(file.toString()).contains("lines=1").endsWith("written\n");
  }

  @Test
  void aReaderThatStoppedHoldsNobodyUp() throws InterruptedException {
    CountDownLatch stuck = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    StringWriter pipe = new StringWriter();
    try (LogWriter writer =
        new LogWriter(
            LogFormat.TEXT,
            lines -> {
              stuck.countDown();
              try {
                goesOn.await();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
              pipe.append(lines);
            })) {
      writer.accept(line("first"));
      stuck.await();
      for (int i = 0; i < 10_500; i++) {
        writer.accept(line("many"));
      }
      goesOn.countDown();
      writer.flush();
    }
    assertThat(pipe.toString())
        .contains("lines=500")
        .satisfies(
            text -> assertThat(text.lines().filter(l -> l.endsWith("many"))).hasSize(10_000));
  }
}
