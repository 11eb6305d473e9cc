package dev.berth.bench.memory;

import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.bench.Folders;
import dev.berth.bench.api.Berth;
import dev.berth.bench.api.Control;
import dev.berth.bench.api.CreateRounds;
import dev.berth.bench.firstminute.PodWatch;
import dev.berth.bench.nodes.NodeWatcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * What a hollow node and a pod hold in a server with everything on, all copies counted: values,
 * trees, indexes, caches of components, their events. {@code bench/run memory [pods]}. Printed
 * twice: right after, when every change of the pods is in the history for watches too, and once
 * that is released.
 */
public final class MemoryBench {
  private static final int NODES = 1_000;
  private static final int CLASSES = 25;
  private static final int PATIENCE_SECONDS = 300;
  private static final String PATH = "/api/v1/namespaces/default/pods";
  private static final String POD =
      """
      {"metadata":{"generateName":"pod-","labels":{"app":"bench"}},
       "spec":{"terminationGracePeriodSeconds":0,"containers":[{"name":"c","image":"i",
        "resources":{"requests":{"cpu":"10m","memory":"10Mi"}}}]}}
      """;

  /** Changes can be watched from up to five minutes ago. */
  private static final Duration HISTORY_IS_RELEASED = Duration.ofMinutes(6);

  private MemoryBench() {}

  public static void main(String... arguments) throws Exception {
    int pods = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20_000;
    Path folder = Files.createTempDirectory("berth-bench");
    try {
      measure(folder, pods);
    } finally {
      Folders.delete(folder);
    }
  }

  private static void measure(Path folder, int pods) throws Exception {
    ClassHistogram empty;
    try (Berth berth = Berth.start(folder.resolve("empty"), List.of("--no-node"))) {
      empty = ClassHistogram.of(berth);
      new Figure("resident, nothing in the cluster", "MB", 110, Better.LOWER)
          .print(berth.residentMegabytes());
    }
    try (Berth berth =
        Berth.start(
            folder.resolve("data"),
            List.of("--hollow", Integer.toString(NODES), "--zones", "a,b,c"))) {
      Control control = new Control(berth);
      try (NodeWatcher watcher = new NodeWatcher(control, NODES)) {
        watcher.awaitAllReady(PATIENCE_SECONDS);
      }
      ClassHistogram nodes = ClassHistogram.of(berth);
      print("hollow node", nodes.since(empty), NODES);
      try (PodWatch watch = PodWatch.of(control, PATH, pods);
          ExecutorService creator = Executors.newSingleThreadExecutor()) {
        var created =
            creator.submit(() -> new CreateRounds(folder, berth, pods).round(PATH, POD, 30, 4));
        var _ = watch.await();
        var _ = created.get();
      }
      print("pod, just created", ClassHistogram.of(berth).since(nodes), pods);
      Thread.sleep(HISTORY_IS_RELEASED);
      ClassHistogram released = ClassHistogram.of(berth);
      print("pod", released.since(nodes), pods);
      Figure.forComparison("live heap", "MB").print(released.bytes() / 1e6);
      Figure.forComparison("resident", "MB").print(berth.residentMegabytes());
    }
  }

  private static void print(String what, ClassHistogram more, int count) throws IOException {
    Figure.forComparison(what + " holds", "bytes").print(more.bytes() / (double) count);
    for (var one : more.largest(CLASSES)) {
      System.out.printf(
          "  %8.0f bytes in %6.1f %s%n",
          one.getValue().bytes() / (double) count,
          one.getValue().count() / (double) count,
          one.getKey());
    }
  }
}
