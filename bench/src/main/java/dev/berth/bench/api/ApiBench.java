package dev.berth.bench.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.bench.Folders;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The API server over TLS, with its client in another process on the same machine.
 *
 * <p>Arguments: {@code leases}, {@code pods}, {@code policies}, {@code list}, {@code watch}, {@code
 * start}; none means all. Each begins with a new store.
 */
public final class ApiBench {
  private static final int REPETITIONS = 5;

  /**
   * Rounds before those that count. A server runs for months, and its compiler is busy for its
   * first minute under load.
   */
  private static final int WARM_UP = 5;

  private static final int WATCH_SECONDS = 45;
  private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final JsonLimits ANY_SIZE = JsonLimits.TRUSTED;

  private final Path folder;

  private ApiBench(Path folder) {
    this.folder = folder;
  }

  public static void main(String... arguments) throws Exception {
    List<String> names =
        arguments.length > 0
            ? List.of(arguments)
            : List.of("start", "leases", "pods", "policies", "list", "watch");
    for (String name : names) {
      Path folder = Files.createTempDirectory("berth-bench");
      ApiBench bench = new ApiBench(folder);
      try {
        switch (name) {
          case "start" -> bench.start();
          case "leases" -> bench.leases();
          case "pods" -> bench.pods();
          case "policies" -> bench.policies();
          case "list" -> bench.list();
          case "watch" -> bench.watch();
          default -> throw new IllegalArgumentException("There is no measurement " + name + ".");
        }
      } finally {
        Folders.delete(folder);
      }
    }
  }

  private Path data() {
    return folder.resolve("data");
  }

  /** The second start of an empty store, and what it holds when nobody asks anything. */
  private void start() throws Exception {
    Berth.start(data()).close();
    double[] millis = new double[2 * REPETITIONS];
    double[] resident = new double[millis.length];
    for (int i = 0; i < millis.length; i++) {
      try (Berth berth = Berth.start(data())) {
        millis[i] = berth.startMillis();
        new Control(berth).get("/api/v1/nodes");
        resident[i] = berth.residentMegabytes();
      }
    }
    new Figure("start to ready, second start", "ms", 1_000, Better.LOWER).print(millis);
    new Figure("resident memory, idle", "MB", 220, Better.LOWER).print(resident);
  }

  /**
   * Heartbeats. Fifty senders, each with a body and an order of its own, so that a patch almost
   * always changes its lease; how many did is told by the revisions.
   */
  private void leases() throws Exception {
    try (Berth berth = Berth.start(data())) {
      Control control = new Control(berth);
      List<String> urls = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        control.post(LEASES, lease("node-" + i).getBytes(UTF_8));
        urls.add(berth.url(LEASES + "/node-" + i));
      }
      double[] rates = new double[REPETITIONS];
      double[] p99 = new double[REPETITIONS];
      double[] written = new double[REPETITIONS];
      double[] cpu = new double[REPETITIONS];
      for (int i = -WARM_UP; i < REPETITIONS; i++) {
        long before = revision(control);
        double cpuBefore = berth.cpuMicros();
        List<H2load> senders = new ArrayList<>();
        for (int sender = 0; sender < 50; sender++) {
          String time = "2026-01-01T%02d:%02d:00.000000Z".formatted(i + WARM_UP, sender);
          Collections.shuffle(urls, new Random(sender));
          Path body = write("{\"spec\":{\"renewTime\":\"" + time + "\"}}");
          senders.add(
              H2load.start(
                  folder,
                  2_000,
                  1,
                  4,
                  urls,
                  H2load.sending(body, "PATCH", "application/merge-patch+json")));
        }
        H2load.Answers answers = all(senders);
        if (i >= 0) {
          rates[i] = answers.perSecond();
          p99[i] = answers.percentileMillis(0.99);
          cpu[i] = (berth.cpuMicros() - cpuBefore) / answers.tookMicros().size();
          written[i] = 100.0 * (revision(control) - before) / answers.tookMicros().size();
        }
      }
      new Figure("lease merge patches, 50 connections", "/s", 10_000, Better.HIGHER).print(rates);
      new Figure("  99th percentile", "ms", 100, Better.LOWER).print(p99);
      Figure.forComparison("  processor time of the server, each", "us").print(cpu);
      Figure.forComparison("  of them changed their lease", "%").print(written);
    }
  }

  /** Without the scheduler, which would write twice about each of these pods. */
  private void pods() throws Exception {
    try (Berth berth = Berth.serverAlone(data())) {
      createPods(berth, "pod creates", 4_000);
    }
  }

  /** The same without and with policies that change and check each pod, each from its start. */
  private void policies() throws Exception {
    try (Berth berth = Berth.serverAlone(data())) {
      createPods(berth, "pod creates, no policy", 4_000);
    }
    try (Berth berth = Berth.serverAlone(folder.resolve("ruled"))) {
      BenchPolicies.create(new Control(berth));
      createPods(berth, "pod creates, 3 mutating, 5 validating", 2_000);
    }
    System.out.printf(
        "load of the machine at the end: %.1f%n",
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }

  private void createPods(Berth berth, String what, double wanted) throws Exception {
    new CreateRounds(folder, berth, 20_000).run(what, PODS, BenchPods.created(), wanted);
  }

  /** With no more heap than what lives in it and 200 MB. */
  private void list() throws Exception {
    double live;
    try (Berth berth = Berth.serverAlone(data())) {
      var _ = new CreateRounds(folder, berth, 50_000).round(PODS, BenchPods.created(), 30, 4);
    }
    try (Berth berth = Berth.serverAlone(data())) {
      new Control(berth).get(PODS + "?limit=1");
      live = berth.liveMegabytes();
    }
    long heap = (long) live + 200;
    try (Berth berth = Berth.serverAlone(data(), "-Xmx" + heap + "m")) {
      double[] rates = new double[REPETITIONS];
      long bytes = 0;
      for (int i = -1; i < REPETITIONS; i++) {
        try (H2load load =
            H2load.start(folder, 1, 1, 1, List.of(berth.url(PODS)), H2load.asking())) {
          H2load.Answers answers = load.answers();
          requireSuccess(answers);
          bytes = load.bodyBytes();
          if (i >= 0) {
            rates[i] = bytes / 1e6 * answers.perSecond();
          }
        }
      }
      System.out.printf(
          "LIST of 50,000 pods: %,d bytes, -Xmx%dm, %.0f MB live%n", bytes, heap, live);
      new Figure("LIST of 50,000 pods", "MB/s", 300, Better.HIGHER).print(rates);
    }
  }

  /** 1,000 watches over ten connections; 2,000 leases are created meanwhile. */
  private void watch() throws Exception {
    try (Berth berth = Berth.start(data())) {
      Control control = new Control(berth);
      double[] rates = new double[2];
      for (int i = 0; i < rates.length; i++) {
        rates[i] = watchOnce(berth, control, 2_000);
      }
      new Figure("1,000 watchers, 2,000 events", "/s", 100_000, Better.HIGHER).print(rates);
    }
  }

  private double watchOnce(Berth berth, Control control, int events) throws Exception {
    long from = revision(control);
    String selection = LEASES + "?watch=1&resourceVersion=" + from + "&timeoutSeconds=";
    try (H2load watchers =
        H2load.start(
            folder,
            1_000,
            10,
            100,
            List.of(berth.url(selection + WATCH_SECONDS)),
            H2load.asking())) {
      settled(watchers);
      long began = System.nanoTime();
      all(
          List.of(
              H2load.start(
                  folder,
                  events,
                  10,
                  2,
                  List.of(berth.url(LEASES)),
                  H2load.sending(write(lease("")), "POST", "application/json"))));
      long ended = settled(watchers);
      watchers.answers();
      long expected = 1_000L * eventBytes(control, selection, events);
      if (watchers.bodyBytes() != expected) {
        throw new IOException(
            "the watchers got %,d bytes, not %,d".formatted(watchers.bodyBytes(), expected));
      }
      return 1_000.0 * events / ((ended - began) / 1e9);
    }
  }

  /** What one watch of the same changes gets. */
  private static long eventBytes(Control control, String selection, int events) throws Exception {
    byte[] all = control.get(selection + 2);
    long lines = new String(all, UTF_8).lines().count();
    if (lines != events) {
      throw new IOException("a watch got %d events, not %d".formatted(lines, events));
    }
    return all.length;
  }

  /**
   * Waits until nothing but a trickle has gone over the loopback interface for two seconds, and
   * says when that began.
   */
  private static long settled(H2load client) throws Exception {
    long before = loopbackBytes();
    long quiet = System.nanoTime();
    while (System.nanoTime() - quiet < 2_000_000_000L && client.isRunning()) {
      Thread.sleep(5);
      long now = loopbackBytes();
      if (now - before > 10_000) {
        quiet = System.nanoTime();
      }
      before = now;
    }
    return quiet;
  }

  private static long loopbackBytes() throws IOException {
    return Long.parseLong(
        Files.readString(Path.of("/sys/class/net/lo/statistics/rx_bytes")).strip());
  }

  private static H2load.Answers all(List<H2load> senders) throws Exception {
    List<H2load.Answers> answers = new ArrayList<>();
    for (H2load sender : senders) {
      answers.add(sender.answers());
    }
    H2load.Answers together = H2load.Answers.together(answers);
    requireSuccess(together);
    return together;
  }

  private static void requireSuccess(H2load.Answers answers) throws IOException {
    if (answers.failed() > 0) {
      throw new IOException(
          answers.failed() + " of " + answers.tookMicros().size() + " requests failed");
    }
  }

  private static long revision(Control control) throws Exception {
    JsonObject list = JsonReader.object(control.get(LEASES + "?limit=1"), ANY_SIZE);
    return Long.parseLong(list.object("metadata").text("resourceVersion", ""));
  }

  private static String lease(String name) {
    String named = name.isEmpty() ? "\"generateName\":\"lease-\"" : "\"name\":\"" + name + "\"";
    return "{\"metadata\":{"
        + named
        + "},\"spec\":{\"holderIdentity\":\"node\",\"leaseDurationSeconds\":40,"
        + "\"renewTime\":\"2026-01-01T00:00:00.000000Z\"}}";
  }

  private Path write(String body) throws IOException {
    return Files.writeString(Files.createTempFile(folder, "body", ""), body);
  }
}
