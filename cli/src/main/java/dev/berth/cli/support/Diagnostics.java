package dev.berth.cli.support;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Configuration;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;

/** What the JVM knows about itself. */
final class Diagnostics {
  /** They show what may be secret: the environment, and the command lines of other processes. */
  private static final List<String> NOT_RECORDED =
      List.of("jdk.InitialEnvironmentVariable", "jdk.InitialSystemProperty", "jdk.SystemProcess");

  private Diagnostics() {}

  /** The stacks of all threads, virtual ones included. */
  static byte[] threads() throws IOException {
    Path directory = Files.createTempDirectory("berth-threads-");
    Path file = directory.resolve("threads.txt");
    try {
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
      return Files.readAllBytes(file);
    } finally {
      Files.deleteIfExists(file);
      Files.delete(directory);
    }
  }

  /** What JFR records from now on, at the cost that its makers think right for production. */
  static byte[] recording(Duration length) throws IOException, InterruptedException {
    try (Recording recording = new Recording(Configuration.getConfiguration("default"))) {
      NOT_RECORDED.forEach(recording::disable);
      CountDownLatch stopped = new CountDownLatch(1);
      FlightRecorderListener listener =
          new FlightRecorderListener() {
            @Override
            public void recordingStateChanged(Recording changed) {
              if (changed.getId() == recording.getId()
                  && changed.getState() == RecordingState.STOPPED) {
                stopped.countDown();
              }
            }
          };
      FlightRecorder.addListener(listener);
      Path file = Files.createTempFile("berth-", ".jfr");
      try {
        recording.setDuration(length);
        recording.start();
        var _ = stopped.await(length.toMillis() + 10_000, TimeUnit.MILLISECONDS);
        recording.dump(file);
        return Files.readAllBytes(file);
      } finally {
        FlightRecorder.removeListener(listener);
        Files.deleteIfExists(file);
      }
    } catch (ParseException e) {
      throw new IOException(e);
    }
  }
}
