package dev.berth.bench.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.bench.Folders;
import dev.berth.bench.Parallel;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonReader;
import dev.berth.pki.Trust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.DoubleStream;
import javax.net.ssl.SSLSocketFactory;

/**
 * What a write of a pod costs while every node's agent watches its own pods: 5,000 TLS connections,
 * each with a watch of {@code pods?fieldSelector=spec.nodeName=…}. {@code bench/run watchers
 * [watchers]}.
 *
 * <p>The same writes are measured without the watchers, with them, and without them again. Some
 * rounds write pods of nodes that nobody watches: what they cost more is the watchers' price for
 * everybody. The other rounds write pods of nodes that are watched: there, one event is sent for
 * each write, and it is checked that it arrives.
 */
public final class WatchersBench {
  private static final int WRITES = 5_000;
  private static final int ROUNDS = 7;

  /** Rounds before those that count, until the compiler has done most of its work. */
  private static final int WARM_UP = 8;

  private static final int SENDERS = 10;

  /** How long the last events may take after the last write. */
  private static final Duration DELIVERY = Duration.ofSeconds(10);

  private static final double BAR_PERCENT = 10;
  private static final String PODS = "/api/v1/namespaces/default/pods";

  private final Berth berth;
  private final Control control;
  private final Path folder;
  private final int watchers;
  private final LongAdder events = new LongAdder();
  private int round;

  /** Which pods are written. */
  private enum Nodes {
    WATCHED,
    OTHERS;

    String of(int number) {
      return (this == WATCHED ? "node-" : "other-") + number;
    }
  }

  /** The rounds of one phase: microseconds of the server's processors for a write, and latency. */
  @SuppressWarnings("ArrayRecordComponent") // Filled round by round, and never compared.
  private record Phase(double[] cpu, double[] latency) {
    Phase and(Phase other) {
      return new Phase(joined(cpu, other.cpu), joined(latency, other.latency));
    }

    private static double[] joined(double[] some, double[] others) {
      return DoubleStream.concat(Arrays.stream(some), Arrays.stream(others)).toArray();
    }
  }

  private WatchersBench(Berth berth, Path folder, int watchers) {
    this.berth = berth;
    this.folder = folder;
    this.watchers = watchers;
    control = new Control(berth);
  }

  public static void main(String... arguments) throws Exception {
    int watchers = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5_000;
    Path folder = Files.createTempDirectory("berth-bench");
    try (Berth berth = Berth.serverAlone(folder.resolve("data"))) {
      new WatchersBench(berth, folder, watchers).run();
    } finally {
      Folders.delete(folder);
    }
  }

  private void run() throws Exception {
    for (Nodes nodes : Nodes.values()) {
      Parallel.send(WRITES, i -> () -> control.post(PODS, pod(nodes.of(i)).getBytes(UTF_8)));
    }
    for (int i = 0; i < WARM_UP; i++) {
      for (Nodes nodes : Nodes.values()) {
        var _ = measure(nodes, 1);
      }
    }
    Phase othersBefore = measure(Nodes.OTHERS, ROUNDS);
    Phase watchedBefore = measure(Nodes.WATCHED, ROUNDS);
    double memory = berth.liveMegabytes();
    List<WatchConnection> connections = connect();
    double perWatcher = (berth.liveMegabytes() - memory) * 1024 / watchers;
    // The compiler has not seen watches yet.
    for (int i = 0; i < WARM_UP; i++) {
      var _ = measure(Nodes.WATCHED, 1);
    }
    awaitEvents(WARM_UP);
    Phase othersWith = measure(Nodes.OTHERS, ROUNDS);
    Phase watchedWith = measure(Nodes.WATCHED, ROUNDS);
    awaitEvents(WARM_UP + ROUNDS);
    for (WatchConnection connection : connections) {
      connection.close();
    }
    Phase others = othersBefore.and(measure(Nodes.OTHERS, ROUNDS));
    Phase watched = watchedBefore.and(measure(Nodes.WATCHED, ROUNDS));

    System.out.printf(
        "%,d watchers, each over its own TLS connection; %,d writes a round%n", watchers, WRITES);
    Figure.forComparison("heap of a watcher and its connection", "KB").print(perWatcher);
    print("pods of nodes that nobody watches", others, othersWith);
    print("pods whose node watches: one event for each", watched, watchedWith);
  }

  private static void print(String what, Phase without, Phase with) {
    System.out.println(what);
    Figure.forComparison("  processor time of a write, no watchers", "us").print(without.cpu);
    Figure.forComparison("  with them", "us").print(with.cpu);
    Figure.forComparison("  latency of a write, no watchers", "us").print(without.latency);
    Figure.forComparison("  with them", "us").print(with.latency);
    new Figure("  more processor time with them", "%", BAR_PERCENT, Better.LOWER)
        .print(100 * (Figure.median(with.cpu) / Figure.median(without.cpu) - 1));
  }

  private Phase measure(Nodes nodes, int rounds) throws Exception {
    Phase phase = new Phase(new double[rounds], new double[rounds]);
    for (int i = 0; i < rounds; i++) {
      double before = berth.cpuMicros();
      phase.latency[i] = write(nodes).percentileMillis(0.5) * 1e3;
      phase.cpu[i] = (berth.cpuMicros() - before) / WRITES;
    }
    return phase;
  }

  /** Writes each pod once. A sender has a part of them, since all connections of one ask alike. */
  private H2load.Answers write(Nodes nodes) throws Exception {
    Path body =
        Files.writeString(
            Files.createTempFile(folder, "body", ""),
            "{\"status\":{\"phase\":\"Running\",\"message\":\"round %d\"}}".formatted(++round));
    List<H2load> senders = new ArrayList<>();
    int share = WRITES / SENDERS;
    for (int sender = 0; sender < SENDERS; sender++) {
      List<String> urls = new ArrayList<>();
      for (int i = sender * share; i < (sender + 1) * share; i++) {
        urls.add(berth.url(PODS + "/" + nodes.of(i) + "-pod/status"));
      }
      senders.add(
          H2load.start(
              folder,
              share,
              1,
              1,
              urls,
              H2load.sending(body, "PATCH", "application/merge-patch+json")));
    }
    List<H2load.Answers> answers = new ArrayList<>();
    for (H2load sender : senders) {
      answers.add(sender.answers());
    }
    H2load.Answers all = H2load.Answers.together(answers);
    if (all.failed() > 0) {
      throw new IOException(all.failed() + " writes failed");
    }
    return all;
  }

  private List<WatchConnection> connect() throws Exception {
    SSLSocketFactory tls = Trust.in(berth.authority()).getSocketFactory();
    String revision =
        JsonReader.object(control.get(PODS + "?limit=1"), JsonLimits.TRUSTED)
            .object("metadata")
            .text("resourceVersion", "");
    List<WatchConnection> connections = new ArrayList<>();
    for (int i = 0; i < watchers; i++) {
      String path =
          "/api/v1/pods?watch=true&allowWatchBookmarks=true&resourceVersion=%s&fieldSelector=spec.nodeName%%3D%s"
              .formatted(revision, Nodes.WATCHED.of(i));
      connections.add(WatchConnection.open(tls, berth, path, events));
    }
    return connections;
  }

  /** Each write to a pod of a watched node is told once, and to that node alone. */
  private void awaitEvents(int rounds) throws Exception {
    long expected = (long) rounds * Math.min(watchers, WRITES);
    long deadline = System.nanoTime() + DELIVERY.toNanos();
    while (events.sum() < expected && System.nanoTime() < deadline) {
      Thread.sleep(5);
    }
    if (events.sum() != expected) {
      throw new IOException(
          "the watchers were told of %,d writes, not of %,d".formatted(events.sum(), expected));
    }
  }

  private static String pod(String node) {
    return """
    {"metadata":{"name":"%1$s-pod","labels":{"app":"web"}},
     "spec":{"nodeName":"%1$s","containers":[{"name":"web","image":"registry.example/web:1.0",
      "resources":{"requests":{"cpu":"100m","memory":"500Mi"}}}]}}
    """
        .formatted(node);
  }
}
