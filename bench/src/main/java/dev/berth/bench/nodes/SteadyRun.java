package dev.berth.bench.nodes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.api.Berth;
import dev.berth.bench.api.Control;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server with hollow nodes in its process, of which nothing is asked but to stay alive. */
final class SteadyRun {
  private static final int PATIENCE_SECONDS = 600;

  /** Until what the start took is over, and what is used often is compiled. */
  private static final int WARM_UP_SECONDS = 60;

  private static final Pattern BUCKET =
      Pattern.compile(
          "hollow_lease_renewal_duration_seconds_bucket\\{le=\"([^\"]+)\"} ([0-9.E+]+)");

  private final int nodes;
  private final Path folder;

  SteadyRun(int nodes, Path folder) {
    this.nodes = nodes;
    this.folder = folder;
  }

  /**
   * What was seen in a while.
   *
   * @param readySeconds how long it took until all nodes were ready
   * @param cores how many processors were busy on average, all of the server's work included
   * @param losses how often a node went NotReady
   * @param renewals of leases, in a second
   * @param slowest ninety-nine of a hundred renewals took at most so many seconds
   */
  record Outcome(
      double readySeconds,
      double cores,
      int losses,
      double renewals,
      double slowest,
      double megabytes) {}

  Outcome run(int seconds) throws IOException, InterruptedException {
    List<String> options = List.of("--hollow", Integer.toString(nodes), "--zones", "a,b,c");
    long began = System.nanoTime();
    try (Berth berth = Berth.start(Files.createTempDirectory(folder, "data"), options)) {
      Control control = new Control(berth);
      try (NodeWatcher watcher = new NodeWatcher(control, nodes)) {
        watcher.awaitAllReady(PATIENCE_SECONDS);
        double ready = (System.nanoTime() - began) / 1e9;
        TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
        int lossesBefore = watcher.losses();
        Map<Double, Double> before = latencies(control);
        double cpuBefore = berth.cpuMicros();
        long from = System.nanoTime();
        TimeUnit.SECONDS.sleep(seconds);
        double wall = (System.nanoTime() - from) / 1e3;
        double cores = (berth.cpuMicros() - cpuBefore) / wall;
        Map<Double, Double> counts = latencies(control);
        before.forEach((limit, count) -> counts.merge(limit, -count, Double::sum));
        double all = counts.getOrDefault(Double.POSITIVE_INFINITY, 0.0);
        return new Outcome(
            ready,
            cores,
            watcher.losses() - lossesBefore,
            all / (wall / 1e6),
            share(counts, 0.99 * all),
            berth.residentMegabytes());
      }
    }
  }

  /** How many renewals took at most so many seconds. */
  private static Map<Double, Double> latencies(Control control)
      throws IOException, InterruptedException {
    Map<Double, Double> buckets = new TreeMap<>();
    Matcher bucket = BUCKET.matcher(new String(control.get("/metrics"), UTF_8));
    while (bucket.find()) {
      String limit = bucket.group(1);
      buckets.put(
          limit.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(limit),
          Double.parseDouble(bucket.group(2)));
    }
    return buckets;
  }

  private static double share(Map<Double, Double> buckets, double wanted) {
    for (Map.Entry<Double, Double> bucket : buckets.entrySet()) {
      if (bucket.getValue() >= wanted) {
        return bucket.getKey();
      }
    }
    return Double.NaN;
  }
}
