package dev.berth.bench.nodes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.Parallel;
import dev.berth.bench.api.Berth;
import dev.berth.bench.api.Control;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Hollow nodes full of pods, some of which get a taint that no pod tolerates. */
final class EvictionRun {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final int PATIENCE_SECONDS = 600;
  private static final int LOOK_MILLIS = 100;
  private static final int REST_SECONDS = 10;
  private static final Pattern COUNT =
      Pattern.compile("apiserver_storage_objects\\{resource=\"pods\"} (\\S+)");

  private final int nodes;
  private final int podsEach;
  private final int tainted;
  private final Path folder;

  EvictionRun(int nodes, int podsEach, int tainted, Path folder) {
    this.nodes = nodes;
    this.podsEach = podsEach;
    this.tainted = tainted;
    this.folder = folder;
  }

  /**
   * How long the pods took to go, what memory nodes and pods took before that, when the last of
   * them had just begun to run and after a while, and how much time of the server's processors one
   * eviction took.
   */
  record Outcome(
      double seconds,
      double megabytesAtOnce,
      double megabytes,
      double createdPerSecond,
      double micros) {}

  Outcome run() throws Exception {
    List<String> options = List.of("--hollow", Integer.toString(nodes), "--zones", "a,b,c");
    try (Berth berth = Berth.start(Files.createTempDirectory(folder, "data"), options)) {
      Control control = new Control(berth);
      try (NodeWatcher watcher = new NodeWatcher(control, nodes)) {
        watcher.awaitAllReady(PATIENCE_SECONDS);
      }
      long began = System.nanoTime();
      int pods = nodes * podsEach;
      Parallel.send(pods, i -> () -> control.post(PODS, pod(i % nodes)));
      awaitRunning(control, pods);
      double created = pods / ((System.nanoTime() - began) / 1e9);
      double megabytesAtOnce = berth.residentMegabytes();
      TimeUnit.SECONDS.sleep(REST_SECONDS);
      double megabytes = berth.residentMegabytes();
      double before = berth.cpuMicros();
      double seconds = evict(control);
      double micros = (berth.cpuMicros() - before) / (tainted * podsEach);
      return new Outcome(seconds, megabytesAtOnce, megabytes, created, micros);
    }
  }

  private double evict(Control control) throws Exception {
    double left = pods(control) - tainted * podsEach;
    long began = System.nanoTime();
    Parallel.send(tainted, i -> () -> control.patch("/api/v1/nodes/" + node(i), taint()));
    while (pods(control) > left) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    return (System.nanoTime() - began) / 1e9;
  }

  /**
   * How many there are, by the server's own count: a watcher in Java would take as much of the two
   * processors as the evictions.
   */
  private static double pods(Control control) throws IOException, InterruptedException {
    Matcher count = COUNT.matcher(new String(control.get("/metrics"), UTF_8));
    if (!count.find()) {
      throw new IOException("the server does not say how many pods there are");
    }
    return Double.parseDouble(count.group(1));
  }

  private static String node(int index) {
    return "hollow-" + index;
  }

  private static byte[] taint() {
    return "{\"spec\":{\"taints\":[{\"key\":\"maintenance\",\"value\":\"now\",\"effect\":\"NoExecute\"}]}}"
        .getBytes(UTF_8);
  }

  private byte[] pod(int index) {
    String victim = index < tainted ? "yes" : "no";
    return """
    {"apiVersion":"v1","kind":"Pod",
     "metadata":{"generateName":"pod-","labels":{"app":"bench","victim":"%s"}},
     "spec":{"nodeName":"%s","terminationGracePeriodSeconds":1,
      "containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"100m","memory":"500Mi"}}}]}}
    """
        .formatted(victim, node(index))
        .getBytes(UTF_8);
  }

  private static void awaitRunning(Control control, int pods) throws Exception {
    String path = PODS + "?watch=1&fieldSelector=status.phase%3DRunning&resourceVersion=0";
    try (InputStream watch = control.stream(path)) {
      awaitLines(watch, "{\"type\":\"ADDED\"", pods);
    }
  }

  private static void awaitLines(InputStream watch, String begin, int wanted) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(watch, UTF_8), 1 << 16);
    int seen = 0;
    while (seen < wanted) {
      String line = lines.readLine();
      if (line == null) {
        throw new IOException("the watch ended after " + seen + " of " + wanted);
      }
      seen += line.startsWith(begin) ? 1 : 0;
    }
  }
}
