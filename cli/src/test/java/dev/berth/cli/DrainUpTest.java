package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code berth drain} as a user sees it, with hollow nodes and {@code kubectl}. */
class DrainUpTest {
  private static final String WEB =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: 3
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            terminationGracePeriodSeconds: 1
            containers: [{name: c, image: i}]
      ---
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata: {name: web}
      spec: {minAvailable: 2, selector: {matchLabels: {app: web}}}
      """;

  @TempDir private Path folder = Path.of("");

  private record Ended(int status, String said) {}

  private static Ended berth(BerthProcess server, String... words) {
    StringWriter out = new StringWriter();
    List<String> all = new ArrayList<>(List.of(words));
    all.add("--kubeconfig=" + server.kubeconfig());
    Console console = new Console(new PrintWriter(out), new PrintWriter(out));
    return new Ended(Main.run(all, console), out.toString());
  }

  private static void cancel(BerthProcess server, String drain) throws IOException {
    assertThat(berth(server, "drain", "cancel", drain).said())
        .isEqualTo("nodedrain.berth.dev/%s cancelled\n".formatted(drain));
    server.await("jsonpath={.status.phase}=Cancelled", "nodedrain/" + drain);
  }

  @Test
  void nodesAreDrainedWithinTheBudgetAndKubectlTellsTheStory() throws Exception {
    try (BerthProcess berth = BerthProcess.up(folder.resolve("data"), 0, "--hollow=4")) {
      for (String node : List.of("hollow-0", "hollow-1", "hollow-2", "hollow-3")) {
        berth.await("create", "node/" + node);
        berth.await("condition=Ready", "node/" + node);
      }
      Path manifest = Files.writeString(folder.resolve("web.yaml"), WEB);
      berth.said("apply", "-f", manifest.toString());
      berth.awaitRollout("deployment/web");

      assertThat(berth(berth, "drain", "hollow-0", "nowhere"))
          .isEqualTo(
              new Ended(
                  ExitCode.FAILED,
                  "berth: There is no node \"nowhere\": \"kubectl get nodes\" shows them.\n"));

      Ended drained = berth(berth, "drain", "hollow-0", "hollow-1", "--parallel=2", "--name=two");
      assertThat(drained.status()).as(drained.said()).isEqualTo(ExitCode.OK);
      assertThat(drained.said())
          .startsWith("nodedrain.berth.dev/two created\n")
          .contains("hollow-0: drained, ")
          .endsWith("nodedrain.berth.dev/two: drained\n");
      assertThat(berth.said("get", "nodedrains"))
          .containsPattern("NAME +PHASE +NODES +PODS +BLOCKED +AGE +MESSAGE")
          .containsPattern("two +Succeeded +2/2 +[0-9]+/[0-9]+ +0 +[0-9ms]+ +drained");
      assertThat(berth.said("get", "pods", "-o", "jsonpath={.items[*].spec.nodeName}"))
          .doesNotContain("hollow-0", "hollow-1");

      berth.said("patch", "pdb", "web", "--type=merge", "-p", "{\"spec\":{\"minAvailable\":3}}");
      berth.awaitRollout("deployment/web");
      berth.await("jsonpath={.status.desiredHealthy}=3", "pdb/web");
      berth.await("jsonpath={.status.currentHealthy}=3", "pdb/web");
      String[] rest = {"drain", "hollow-2", "hollow-3", "--parallel=2", "--name=held", "--no-wait"};
      assertThat(berth(berth, rest))
          .isEqualTo(new Ended(ExitCode.OK, "nodedrain.berth.dev/held created\n"));
      berth.await("jsonpath={.status.podsBlocked}=3", "nodedrain/held");
      assertThat(berth(berth, "drain", "list", "held").said())
          .contains("held back (default/web-", "needs 3 healthy pods and has 3 currently");
      cancel(berth, "held");

      Ended late = berth(berth, "drain", "hollow-2", "hollow-3", "--parallel=2", "--deadline=3s");
      assertThat(late.status()).isEqualTo(ExitCode.FAILED);
      assertThat(late.said())
          .contains(" failed: the deadline passed before these were drained: hollow-2, hollow-3");
      cancel(berth, "two");
      assertThat(berth.said("get", "node", "hollow-0")).doesNotContain("SchedulingDisabled");
      assertThat(berth(berth, "drain", "list", "two").said()).contains("two: cancelled, 2/2 nodes");
      assertThat(berth(berth, "drain", "pause", "two"))
          .isEqualTo(new Ended(ExitCode.FAILED, "berth: The drain two is over: cancelled.\n"));
      assertThat(berth(berth, "drain", "list", "none"))
          .isEqualTo(
              new Ended(
                  ExitCode.FAILED,
                  "berth: There is no NodeDrain \"none\": \"berth drain list\" shows them.\n"));
      assertThat(berth.terminate()).isZero();
    }
  }
}
