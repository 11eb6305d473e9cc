package dev.berth.bench.cost;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.Parallel;
import dev.berth.bench.api.Berth;
import dev.berth.bench.api.Control;
import dev.berth.bench.api.CreateRounds;
import dev.berth.bench.api.H2load;
import dev.berth.bench.nodes.NodeWatcher;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A cluster of hollow nodes with everything on: pods from their creation until they run, evictions,
 * and renewals of leases.
 */
final class ClusterWork {
  private static final int NODES = 400;
  private static final int PODS = 10_000;
  private static final int WARM_UP = 2;
  private static final int LEASES = 1_000;
  private static final int SENDERS = 50;
  private static final int RENEWALS = 20_000;
  private static final int PATIENCE_SECONDS = 120;
  private static final String POD_PATH = "/api/v1/namespaces/default/pods";
  private static final String LEASE_PATH = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  private static final Pattern REVISION = Pattern.compile("\"resourceVersion\":\"(\\d+)\"");
  private static final String POD =
      """
      {"metadata":{"generateName":"pod-","labels":{"app":"bench"}},
       "spec":{"terminationGracePeriodSeconds":0,"containers":[{"name":"c","image":"i",
        "resources":{"requests":{"cpu":"10m","memory":"10Mi"}}}]}}
      """;

  private final CostBench bench;
  private final Berth berth;
  private final Control control;
  private final Path folder;
  private int renewed;

  private ClusterWork(CostBench bench, Berth berth, Path folder) {
    this.bench = bench;
    this.berth = berth;
    this.control = new Control(berth);
    this.folder = folder;
  }

  static void measure(CostBench bench, Path folder) throws Exception {
    List<String> options =
        List.of("--hollow", Integer.toString(NODES), "--zones", "a,b,c", "--no-node");
    try (Berth berth = Berth.start(folder.resolve("cluster"), options)) {
      ClusterWork work = new ClusterWork(bench, berth, folder);
      try (NodeWatcher watcher = new NodeWatcher(work.control, NODES)) {
        watcher.awaitAllReady(PATIENCE_SECONDS);
      }
      work.pods();
      work.evictions();
      work.leases();
    }
  }

  private void pods() throws Exception {
    for (int i = 0; i < WARM_UP; i++) {
      runPods();
    }
    bench.measure("pod, create to Running", berth, PODS, this::runPods);
  }

  private void runPods() throws Exception {
    try (InputStream watch = watch("fieldSelector=status.phase%3DRunning")) {
      var _ = new CreateRounds(folder, berth, PODS).round(POD_PATH, POD, 30, 4);
      await(watch, "{\"type\":\"ADDED\"", PODS);
    }
  }

  /** Pods are spread over all nodes, so that a tenth of these is a tenth of the pods. */
  private void evictions() throws Exception {
    int tenth = NODES / 10;
    evict(0, tenth);
    int evicted = podsOn(tenth, 3 * tenth);
    bench.measure("eviction by a taint", berth, evicted, () -> evict(tenth, 3 * tenth));
  }

  private int podsOn(int from, int to) throws Exception {
    int pods = 0;
    for (int i = from; i < to; i++) {
      String list =
          new String(control.get(POD_PATH + "?fieldSelector=spec.nodeName%3Dhollow-" + i), UTF_8);
      pods += list.split("\"generateName\"", -1).length - 1;
    }
    return pods;
  }

  private void evict(int from, int to) throws Exception {
    int pods = podsOn(from, to);
    byte[] taint =
        "{\"spec\":{\"taints\":[{\"key\":\"bench\",\"effect\":\"NoExecute\"}]}}".getBytes(UTF_8);
    try (InputStream watch = watch("")) {
      Parallel.send(
          to - from, i -> () -> control.patch("/api/v1/nodes/hollow-" + (from + i), taint));
      await(watch, "{\"type\":\"DELETED\"", pods);
    }
  }

  private void leases() throws Exception {
    for (int i = 0; i < LEASES; i++) {
      control.post(
          LEASE_PATH,
          "{\"metadata\":{\"name\":\"l%d\"},\"spec\":{\"holderIdentity\":\"n\"}}"
              .formatted(i)
              .getBytes(UTF_8));
    }
    renew();
    renew();
    bench.measure("lease renewal", berth, RENEWALS, this::renew);
  }

  /** Each sender has a time and an order of its own, so that nearly every patch is a change. */
  private void renew() throws Exception {
    renewed++;
    List<String> urls = new ArrayList<>();
    for (int i = 0; i < LEASES; i++) {
      urls.add(berth.url(LEASE_PATH + "/l" + i));
    }
    List<H2load> senders = new ArrayList<>();
    for (int sender = 0; sender < SENDERS; sender++) {
      Collections.shuffle(urls, new Random(sender));
      String time = "2026-01-01T%02d:%02d:00.000000Z".formatted(renewed, sender);
      Path body =
          Files.writeString(
              Files.createTempFile(folder, "body", ""),
              "{\"spec\":{\"renewTime\":\"" + time + "\"}}");
      senders.add(
          H2load.start(
              folder,
              RENEWALS / SENDERS,
              1,
              4,
              urls,
              H2load.sending(body, "PATCH", "application/merge-patch+json")));
    }
    for (H2load sender : senders) {
      if (sender.answers().failed() > 0) {
        throw new IOException("renewals of leases failed");
      }
    }
  }

  /** Changes of pods from now on. */
  private InputStream watch(String selector) throws IOException, InterruptedException {
    Matcher revision = REVISION.matcher(new String(control.get(POD_PATH + "?limit=1"), UTF_8));
    if (!revision.find()) {
      throw new IOException("the list says no revision");
    }
    return control.stream(
        POD_PATH + "?watch=1&resourceVersion=" + revision.group(1) + "&" + selector);
  }

  private static void await(InputStream watch, String begin, int wanted) throws IOException {
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
