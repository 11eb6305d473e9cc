package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of hollow nodes as a user sees it: {@code berth up --hollow} and {@code kubectl}. */
class HollowNodesUpTest {
  private static final String EVICTIONS = "--field-selector=reason=TaintManagerEviction";

  @TempDir private Path folder = Path.of("");

  @Test
  void taintsEvictCordonsShowAndSilentNodesAreLost() throws Exception {
    try (BerthProcess berth =
        BerthProcess.up(
            folder.resolve("data"),
            0,
            "--hollow=3",
            "--zones=a,b",
            "--hollow-lease-duration=8s",
            "--node-monitor-period=1s",
            "--node-monitor-grace-period=20s")) {
      for (String each : List.of("hollow-0", "hollow-1", "hollow-2")) {
        berth.await("create", "node/" + each);
        berth.await("condition=Ready", "node/" + each);
      }
      berth.said("run", "web", "--image=web:1");
      berth.await("condition=Ready", "pod/web");

      rehearse(berth.kubeconfig());

      String node = berth.said("get", "pod", "web", "-o", "jsonpath={.spec.nodeName}");
      assertThat(berth.said("taint", "node", node, "disk=broken:NoExecute"))
          .isEqualTo("node/" + node + " tainted\n");
      berth.await("delete", "pod/web");
      assertThat(berth.said("get", "pod", "web")).contains("NotFound");
      berth.awaitSaid(
          "Marking for deletion Pod default/web", "get", "events", "-o", "yaml", EVICTIONS);
      assertThat(berth.said("get", "events", "-o", "yaml", EVICTIONS))
          .contains("disk=broken:NoExecute", node);

      berth.said("taint", "node", node, "disk-");
      berth.said("cordon", node);
      assertThat(berth.said("get", "node", node)).contains("Ready,SchedulingDisabled");
      berth.await(
          "jsonpath={.spec.taints[0].key}=node.kubernetes.io/unschedulable", "node/" + node);
      assertThat(berth.said("describe", "node", node))
          .containsPattern("Taints: +node.kubernetes.io/unschedulable:NoSchedule")
          .containsPattern("Unschedulable: +true");

      StringWriter out = new StringWriter();
      List<String> silence =
          List.of("hollow", "silence", "hollow-1", "--kubeconfig=" + berth.kubeconfig());
      Console console = new Console(new PrintWriter(out), new PrintWriter(out));
      assertThat(Main.run(silence, console)).as(out.toString()).isEqualTo(ExitCode.OK);
      berth.await("condition=Ready=Unknown", "node/hollow-1");
      berth.await(
          "jsonpath={.spec.taints[?(@.effect==\"NoExecute\")].key}=node.kubernetes.io/unreachable",
          "node/hollow-1");
      berth.awaitSaid("NodeNotReady", "describe", "node", "hollow-1");
      assertThat(berth.said("describe", "node", "hollow-1"))
          .contains("node.kubernetes.io/unreachable:NoExecute", "NodeStatusUnknown");
      assertThat(berth.terminate()).isZero();
    }
  }

  /** A snapshot over HTTPS, and what an outage would do to the cluster. */
  private void rehearse(Path kubeconfig) throws IOException {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Console console = new Console(new PrintWriter(out), new PrintWriter(err), bytes);
    List<String> snapshot = List.of("snapshot", "--anonymise", "--kubeconfig=" + kubeconfig);
    assertThat(Main.run(snapshot, console)).as(err.toString()).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString())
        .contains("not seen: settings of the control plane")
        .contains("3 nodes, 1 pods");
    Path file = Files.write(folder.resolve("seen.gz"), bytes.toByteArray());
    List<String> rehearse =
        List.of("rehearse", "--snapshot=" + file, "--report=" + folder.resolve("r.html"));
    assertThat(Main.run(rehearse, console)).as(err.toString()).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("2h5m simulated, 3 nodes, 1 pods");
  }
}
