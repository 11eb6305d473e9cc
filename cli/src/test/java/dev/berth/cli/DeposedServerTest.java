package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.grpc.etcd.EtcdProcess;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two servers on one etcd. The one that leads sleeps for longer than its leases, in the middle of
 * its work, and wakes up: nothing of what it had begun is written any more.
 */
class DeposedServerTest {
  private static final String SCHEDULER = "kube-scheduler";
  private static final String CONTROLLERS = "kube-controller-manager";

  /** Each has a controller and the scheduler write; there is no node for them. */
  private static final int PODS = 400;

  private static final String POLICY =
      """
      apiVersion: audit.k8s.io/v1
      kind: Policy
      rules:
      - level: RequestResponse
        verbs: [create, update, patch, delete, deletecollection]
      - level: None
      """;

  @TempDir Path directory;

  @Test
  void aLeaderThatWakesUpDeposedWritesNothing() throws Exception {
    Path audit = directory.resolve("audit.log");
    try (EtcdProcess etcd = EtcdProcess.start(Files.createDirectory(directory.resolve("etcd")), 1);
        BerthProcess one =
            up(
                etcd,
                "one",
                "--audit-log",
                audit.toString(),
                "--audit-policy-file",
                Files.writeString(directory.resolve("policy.yaml"), POLICY).toString())) {
      copyKeys();
      try (BerthProcess other = up(etcd, "other")) {
        awaitLog(one, "leading", SCHEDULER);
        awaitLog(one, "leading", CONTROLLERS);
        Process leases =
            other.kubectl(
                "get",
                "leases",
                "-n",
                "kube-system",
                "--watch",
                "-o",
                "jsonpath={.metadata.name} {.metadata.resourceVersion} {.spec.holderIdentity}{\"\\n\"}");
        try (BufferedReader seen = leases.inputReader(UTF_8)) {
          assertThat(other.said("create", "deployment", "web", "--image=x", "--replicas=" + PODS))
              .contains("created");
          Await.until("pods of the leader", () -> count(audit, "\"Pod\"") > 50);

          one.signal("STOP");
          Map<String, Long> taken = takeovers(seen);
          one.signal("CONT");

          awaitLog(one, "lost the lease", SCHEDULER);
          awaitLog(one, "lost the lease", CONTROLLERS);
          other.awaitSaid(
              "^(\\S+\\s+){%d}$".formatted(PODS),
              "get",
              "pods",
              "-o",
              "jsonpath={range .items[*]}{.metadata.name} {end}");
          assertThat(one.terminate()).isZero();
          assertNothingWrittenSince(taken, audit);
        } finally {
          leases.destroyForcibly();
        }
      }
    }
  }

  private BerthProcess up(EtcdProcess etcd, String name, String... further) throws IOException {
    List<String> options = List.of("--etcd-servers", etcd.endpoints().getFirst().toString());
    return BerthProcess.up(
        directory.resolve(name),
        0,
        Stream.concat(options.stream(), Stream.of(further)).toArray(String[]::new));
  }

  private void copyKeys() throws IOException {
    Path pki = Files.createDirectories(directory.resolve("other/pki"));
    try (Stream<Path> files = Files.list(directory.resolve("one/pki"))) {
      for (Path file : files.toList()) {
        Files.copy(file, pki.resolve(file.getFileName()));
      }
    }
  }

  private static void awaitLog(BerthProcess server, String message, String lease) {
    Await.until(
        "%s of %s".formatted(message, lease),
        () ->
            server.log().stream().anyMatch(line -> line.contains(message) && line.contains(lease)));
  }

  private static long count(Path file, String text) throws IOException {
    try (Stream<String> lines = Files.lines(file, UTF_8)) {
      return lines.filter(line -> line.contains(text)).count();
    }
  }

  /** At which revision each lease passed to another holder than the first that was seen. */
  private static Map<String, Long> takeovers(BufferedReader seen) throws IOException {
    Map<String, String> first = new HashMap<>();
    Map<String, Long> taken = new HashMap<>();
    while (taken.size() < 2) {
      String[] lease = seen.readLine().split(" ", -1);
      boolean isLeaders = Set.of(SCHEDULER, CONTROLLERS).contains(lease[0]);
      if (isLeaders && !first.computeIfAbsent(lease[0], _ -> lease[2]).equals(lease[2])) {
        taken.putIfAbsent(lease[0], Long.parseLong(lease[1]));
      }
    }
    return taken;
  }

  private static void assertNothingWrittenSince(Map<String, Long> taken, Path audit)
      throws IOException {
    Set<String> writers = new HashSet<>();
    for (String line : Files.readAllLines(audit, UTF_8)) {
      JsonObject event = JsonReader.object(line.getBytes(UTF_8), JsonLimits.TRUSTED);
      String lease = leaseOf(event);
      if (lease.isEmpty() || !event.text("stage", "").equals("ResponseComplete")) {
        continue;
      }
      long code = event.object("responseStatus").integer("code").orElseThrow();
      if (code < 300) {
        String revision =
            event.object("responseObject").object("metadata").text("resourceVersion", "0");
        assertThat(Long.parseLong(revision)).as(line).isLessThan(taken.get(lease));
        writers.add(lease);
      }
    }
    assertThat(writers).as("who led before").containsExactlyInAnyOrder(SCHEDULER, CONTROLLERS);
  }

  /** By which lease somebody leads who writes; empty if it is no leader. */
  private static String leaseOf(JsonObject event) {
    String user = event.object("user").text("username", "");
    if (event.object("objectRef").text("resource", "").equals("leases")) {
      return "";
    }
    return user.equals("system:kube-scheduler")
        ? SCHEDULER
        : user.startsWith("system:serviceaccount:kube-system:")
                || user.equals("system:kube-controller-manager")
            ? CONTROLLERS
            : "";
  }
}
