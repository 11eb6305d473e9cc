package dev.berth.cli.machines;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.cli.AdminClient;
import dev.berth.cli.Await;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonReader;
import dev.berth.time.FatalError;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * Rounds in which something befalls three servers on three members of etcd, while writers write
 * through all of them, watchers watch, and candidates lead. Then
 *
 * <ol>
 *   <li>every write that was acknowledged is in the history, at its revision, and is what is read
 *       afterwards, at any server;
 *   <li>no write is in the history twice;
 *   <li>every watcher was told everything, once and in order, at however many servers;
 *   <li>no two candidates led at once;
 *   <li>no nodes were emptied faster than their zone's rate allows.
 * </ol>
 *
 * <p>A program of its own, which {@link EtcdFaultsTest} runs on the network of the three machines.
 */
final class EtcdFaultRounds {
  private static final int WRITERS = 6;
  private static final int LEAST_MILLIS = 300;
  private static final int MOST_MILLIS = 2_000;
  private static final int WRITES_BETWEEN = 5;
  private static final int LEAST_EVICTIONS = 3;
  private static final String LEASE =
      "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager";

  private final EtcdHosts hosts;
  private final WallTime time = new WallTime(FatalError::end);
  private final List<AdminClient> clients = new ArrayList<>();
  private final List<RecordedWriter> writers = new ArrayList<>();
  private final List<RecordedWatcher> watchers = new ArrayList<>();
  private final RecordedEvictions evictions;

  private EtcdFaultRounds(EtcdHosts hosts) throws Exception {
    this.hosts = hosts;
    for (String host : EtcdHosts.NAMES) {
      URI server = URI.create("https://%s:6443".formatted(hosts.address(host)));
      clients.add(new AdminClient(hosts.kubeconfig(host), server));
    }
    evictions = new RecordedEvictions(clients, time);
  }

  /** Arguments: the folder of the machines, how many rounds, and a seed. */
  static void main(String[] arguments) throws Exception {
    EtcdHosts hosts = new EtcdHosts(Path.of(arguments[0]));
    long seed = Long.parseLong(arguments[2]);
    EtcdFaultRounds rounds = new EtcdFaultRounds(hosts);
    try {
      rounds.run(Integer.parseInt(arguments[1]), seed);
      System.out.println("done");
    } catch (IOException | RuntimeException | Error e) {
      e.printStackTrace(System.out);
    }
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  private void run(int count, long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < WRITERS; i++) {
      writers.add(new RecordedWriter("w" + i, clients, random.split()));
    }
    for (int i = 0; i < clients.size(); i++) {
      watchers.add(new RecordedWatcher("watcher " + i, clients, i));
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      try (RecordedLeaders leaders = new RecordedLeaders(hosts)) {
        evictions.create();
        threads.execute(evictions);
        watchers.forEach(threads::execute);
        Await.until("all watch", () -> watchers.stream().allMatch(each -> each.revision > 0));
        writers.forEach(threads::execute);
        awaitProgress();
        List<EtcdFault> faults = new ArrayList<>();
        for (int round = 0; round < count; round++) {
          if (faults.isEmpty()) {
            faults.addAll(List.of(EtcdFault.values()));
            Collections.shuffle(faults, new Random(random.nextLong()));
          }
          round(round, faults.removeFirst(), random);
        }
        finish(leaders);
      } finally {
        writers.forEach(RecordedWriter::stop);
        watchers.forEach(RecordedWatcher::stop);
        evictions.stop();
      }
    }
  }

  private void round(int round, EtcdFault fault, SplittableRandom random) throws IOException {
    String host = EtcdHosts.NAMES.get(random.nextInt(EtcdHosts.NAMES.size()));
    int millis = random.nextInt(LEAST_MILLIS, MOST_MILLIS);
    System.out.println("round %d: %s (%s, %d ms)".formatted(round, fault, host, millis));
    System.out.flush();
    Instant began = time.monotonicNow();
    fault.happen(
        new EtcdFault.Scene(
            hosts,
            host,
            leader(),
            () -> LockSupport.parkNanos(Duration.ofMillis(millis).toNanos())));
    Instant mended = time.monotonicNow();
    awaitProgress();
    System.out.println(
        "  mended after %d ms, all write and watch again %d ms later"
            .formatted(Duration.between(began, mended).toMillis(), time.since(mended).toMillis()));
    evictions.look();
    for (String wrong : wrongs()) {
      throw new AssertionError(wrong);
    }
  }

  /** Whose machine runs the controllers; empty if that cannot be read. */
  private String leader() throws IOException {
    for (AdminClient client : clients) {
      try {
        HttpResponse<String> answer = client.send("GET", LEASE, "", Duration.ofSeconds(3));
        if (answer.statusCode() == 200) {
          String holder =
              JsonReader.object(answer.body().getBytes(UTF_8), JsonLimits.REQUEST)
                  .object("spec")
                  .text("holderIdentity", "");
          return holder.replaceFirst("_.*", "");
        }
      } catch (IOException | JsonException e) {
        // Another one will answer.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return "";
  }

  /** Waits until each writer has written some more, and each watcher was told of it. */
  private void awaitProgress() {
    Map<RecordedWriter, Integer> before = new HashMap<>();
    writers.forEach(each -> before.put(each, each.acknowledged.size()));
    Await.until(
        "all writers write",
        () ->
            writers.stream()
                .allMatch(each ->
                    each.acknowledged.size() >= before.getOrDefault(each, 0) + WRITES_BETWEEN));
    awaitToldAll();
  }

  private void awaitToldAll() {
    long last =
        writers.stream()
            .flatMap(each -> each.acknowledged.keySet().stream())
            .mapToLong(Long::longValue)
            .max()
            .orElse(0);
    Await.until(
        "all watchers are told of revision " + last,
        () -> watchers.stream().allMatch(each -> each.revision >= last));
  }

  private List<String> wrongs() {
    List<String> wrongs = new ArrayList<>();
    writers.forEach(each -> wrongs.addAll(each.wrongs));
    watchers.forEach(each -> wrongs.addAll(each.wrongs));
    wrongs.addAll(evictions.wrongs());
    return wrongs;
  }

  private void finish(RecordedLeaders leaders) throws IOException {
    writers.forEach(RecordedWriter::stop);
    // Requests that are under way end.
    LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
    awaitToldAll();
    Await.until("nodes are emptied", () -> evictions.look() >= LEAST_EVICTIONS);
    List<String> wrongs = wrongs();
    wrongs.addAll(leaders.wrongs);
    NavigableMap<Long, String> history = new TreeMap<>();
    for (RecordedWatcher watcher : watchers) {
      watcher.told.forEach((revision, value) -> {
        String other = history.put(revision, value);
        if (other != null && !other.equals(value)) {
          wrongs.add("revision %d is %s and %s".formatted(revision, value, other));
        }
      });
    }
    Map<String, Long> revisions = new HashMap<>();
    history.forEach((revision, value) -> {
      Long other = revisions.put(value, revision);
      if (other != null) {
        wrongs.add("%s was written at %d and at %d".formatted(value, other, revision));
      }
    });
    int acknowledged = 0;
    for (RecordedWriter writer : writers) {
      acknowledged += writer.acknowledged.size();
      writer.acknowledged.forEach((revision, value) -> {
        if (!value.equals(history.get(revision))) {
          wrongs.add(
              "%s was acknowledged at %d, where there is %s"
                  .formatted(value, revision, history.get(revision)));
        }
      });
    }
    for (RecordedWatcher watcher : watchers) {
      checkComplete(watcher, history, wrongs);
    }
    System.out.println(
        "%d writes acknowledged, %d in the history, %d lists of watchers, %d terms of leaders, %d nodes emptied"
            .formatted(
                acknowledged,
                history.size(),
                watchers.stream().mapToInt(each -> each.complete.size()).sum(),
                leaders.terms(),
                evictions.look()));
    if (!wrongs.isEmpty()) {
      throw new AssertionError(String.join("\n", wrongs));
    }
  }

  private static void checkComplete(
      RecordedWatcher watcher, NavigableMap<Long, String> history, List<String> wrongs) {
    int last = watcher.complete.size() - 1;
    for (int i = 0; i <= last; i++) {
      long[] span = watcher.complete.get(i);
      long end = i == last ? Math.max(span[1], watcher.revision) : span[1];
      history
          .subMap(span[0], false, end, true)
          .forEach((revision, value) -> {
            if (!watcher.told.containsKey(revision)) {
              wrongs.add("a watcher was not told of %s at %d".formatted(value, revision));
            }
          });
    }
  }
}
