package dev.berth.bench.cost;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.api.Berth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * Where the processor time of a server goes while something is done: of Java's threads by samples
 * of their stacks, taken by the processor time that they use; of the JVM's own by what the system
 * counts for each.
 */
final class Profile {
  private static final String NAME = "cost";
  private static final String SETTINGS =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <configuration version="2.0">
        <event name="jdk.CPUTimeSample">
          <setting name="enabled">true</setting>
          <setting name="throttle">5ms</setting>
        </event>
      </configuration>
      """;

  private final Berth berth;
  private final Path folder;
  private final Map<String, Long> threadsBefore;

  private Profile(Berth berth, Path folder, Map<String, Long> threadsBefore) {
    this.berth = berth;
    this.folder = folder;
    this.threadsBefore = threadsBefore;
  }

  static Profile begin(Berth berth, Path folder) throws IOException {
    Path settings = Files.writeString(folder.resolve("cost.jfc"), SETTINGS, UTF_8);
    berth.jcmd("JFR.start", "name=" + NAME, "settings=" + settings);
    return new Profile(berth, folder, ThreadTimes.of(berth.pid()));
  }

  /** Ends it; microseconds by stage, the largest first. */
  Map<String, Double> end() throws IOException {
    Map<String, Double> micros = new TreeMap<>();
    ThreadTimes.of(berth.pid())
        .forEach(
            (kind, now) -> micros.put(kind, (double) (now - threadsBefore.getOrDefault(kind, 0L))));
    Path file = folder.resolve("cost.jfr");
    berth.jcmd("JFR.stop", "name=" + NAME, "filename=" + file);
    Map<String, Integer> samples = samples(file);
    Files.delete(file);
    double all = samples.values().stream().mapToInt(Integer::intValue).sum();
    double java = micros.getOrDefault(ThreadTimes.JAVA, 0.0);
    micros.remove(ThreadTimes.JAVA);
    samples.forEach((stage, count) -> micros.put(stage, java * count / all));
    Map<String, Double> sorted = new LinkedHashMap<>();
    micros.entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
    return sorted;
  }

  private static Map<String, Integer> samples(Path file) throws IOException {
    Map<String, Integer> samples = new TreeMap<>();
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        RecordedEvent event = recording.readEvent();
        if (event.getEventType().getName().equals("jdk.CPUTimeSample")) {
          samples.merge(stage(event.getStackTrace()), 1, Integer::sum);
        }
      }
    }
    return samples;
  }

  private static String stage(@Nullable RecordedStackTrace stack) {
    if (stack != null) {
      for (RecordedFrame frame : stack.getFrames()) {
        var stage = Stage.of(frame.getMethod().getType().getName());
        if (stage.isPresent()) {
          return stage.get();
        }
      }
    }
    return Stage.THREADS;
  }
}
