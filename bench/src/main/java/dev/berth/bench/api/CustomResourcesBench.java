package dev.berth.bench.api;

import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.bench.Folders;
import dev.berth.bench.Parallel;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What custom resources cost: writes of objects with a large schema and rules in CEL; start, memory
 * and idle watches with many definitions. {@code bench/run customresources [definitions]}.
 */
public final class CustomResourcesBench {
  private static final int OBJECTS = 10_000;
  private static final int WATCHES_OF_A_CONNECTION = 100;
  private static final int STARTS = 5;
  private static final int IDLE_SECONDS = 10;

  private CustomResourcesBench() {}

  public static void main(String... arguments) throws Exception {
    int definitions = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 500;
    System.out.printf(
        "load of the machine before: %.2f%n",
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    Path folder = Files.createTempDirectory("berth-bench");
    try {
      writes(folder);
      define(folder.resolve("definitions"), definitions);
    } finally {
      Folders.delete(folder);
    }
  }

  private static void writes(Path folder) throws Exception {
    try (Berth berth = Berth.serverAlone(folder.resolve("objects"))) {
      Control control = new Control(berth);
      control.post(BenchDefinitions.PATH, BenchDefinitions.definition("ruled", true));
      BenchDefinitions.await(control, "ruled");
      new CreateRounds(folder, berth, OBJECTS)
          .run(
              "creates, 100 fields and 5 rules",
              BenchDefinitions.OBJECTS,
              BenchDefinitions.object(),
              2_000);
    }
  }

  private static void define(Path data, int definitions) throws Exception {
    double[] none = starts(data);
    try (Berth berth = Berth.serverAlone(data)) {
      Control control = new Control(berth);
      double before = berth.liveMegabytes();
      Parallel.send(
          definitions,
          i ->
              () ->
                  control.post(
                      BenchDefinitions.PATH, BenchDefinitions.definition("many" + i, false)));
      for (int i = 0; i < definitions; i++) {
        BenchDefinitions.await(control, "many" + i);
      }
      new Figure("heap of a definition", "MB", 1, Better.LOWER)
          .print((berth.liveMegabytes() - before) / definitions);
    }
    Figure.forComparison("start with no definition", "ms").print(none);
    new Figure("start with " + definitions + " definitions", "ms", 2_000, Better.LOWER)
        .print(starts(data));
    try (Berth berth = Berth.serverAlone(data)) {
      watches(berth, definitions);
    }
  }

  private static double[] starts(Path data) throws IOException {
    Berth.serverAlone(data).close();
    double[] millis = new double[STARTS];
    for (int i = 0; i < STARTS; i++) {
      try (Berth berth = Berth.serverAlone(data)) {
        millis[i] = berth.startMillis();
      }
    }
    return millis;
  }

  /** A watch of each kind, while nothing is written. */
  private static void watches(Berth berth, int definitions) throws Exception {
    Control control = new Control(berth);
    BenchDefinitions.await(control, "many0");
    double before = idleMillis(berth);
    double heapBefore = berth.liveMegabytes();
    List<InputStream> watches = new ArrayList<>();
    try {
      for (int i = 0; i < definitions; i++) {
        if (i % WATCHES_OF_A_CONNECTION == 0) {
          control = new Control(berth);
        }
        watches.add(control.stream("/apis/bench.example.com/v1/many" + i + "?watch=1"));
      }
      double heap = (berth.liveMegabytes() - heapBefore) * 1e3 / definitions;
      Figure.forComparison("idle for " + IDLE_SECONDS + " s: processor time", "ms").print(before);
      Figure.forComparison("  with a watch of each kind", "ms").print(idleMillis(berth));
      Figure.forComparison("  heap of a watch", "KB").print(heap);
    } finally {
      for (InputStream watch : watches) {
        watch.close();
      }
    }
  }

  private static double idleMillis(Berth berth) throws InterruptedException {
    TimeUnit.SECONDS.sleep(3);
    double before = berth.cpuMicros();
    TimeUnit.SECONDS.sleep(IDLE_SECONDS);
    return (berth.cpuMicros() - before) / 1e3;
  }
}
