package dev.berth.bench.cost;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Processor time of a process by the kind of its threads, as the system counts it. */
public final class ThreadTimes {
  public static final String JAVA = "Java";
  public static final String COMPILER = "JVM: compiler";
  public static final String COLLECTOR = "JVM: collector";
  private static final int MICROS_PER_TICK = 10_000;

  private ThreadTimes() {}

  /** Microseconds of the threads of each kind: the JVM's compiler and collector, and all others. */
  public static Map<String, Long> of(long pid) throws IOException {
    Map<String, Long> micros = new TreeMap<>();
    try (DirectoryStream<Path> tasks =
        Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
      for (Path task : tasks) {
        try {
          String stat = Files.readString(task.resolve("stat"));
          String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
          String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
          long ticks = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
          micros.merge(kind(name), ticks * MICROS_PER_TICK, Long::sum);
        } catch (IOException _) {
          // It has ended meanwhile.
        }
      }
    }
    return micros;
  }

  private static String kind(String thread) {
    if (thread.startsWith("C1 ") || thread.startsWith("C2 ")) {
      return COMPILER;
    }
    return thread.startsWith("GC Thread") || thread.startsWith("G1 ") || thread.equals("VM Thread")
        ? COLLECTOR
        : JAVA;
  }
}
