package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The controllers' flags, and the controllers as processes: in {@code berth up}, and alone. */
class ControllersCommandTest {
  @TempDir private Path folder = Path.of("");

  private final StringWriter err = new StringWriter();

  private int run(List<String> words) {
    return Main.run(words, new Console(new PrintWriter(new StringWriter()), new PrintWriter(err)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--feature-gates=Nope=true|--feature-gates: unknown feature gate \"Nope\". Known feature gates:",
        "--feature-gates=TaintBasedEviction=true|Did you mean TaintBasedEvictions?",
        "--feature-gates=AllAlpha|--feature-gates: AllAlpha must be true or false, not \"\". Known",
        "--controllers=*,-podg|unknown controller \"podg\". Known controllers: node-lifecycle-controller,",
        "--node-monitor-period=5|--node-monitor-period must be a duration such as 40s, 1m30s or 500ms,",
        "--node-monitor-grace-period=5s|--node-monitor-grace-period (5s) must be longer than"
            + " --node-monitor-period (5s)",
        "--node-startup-grace-period=0s|greater than 0, not \"0s\".",
        "--node-eviction-rate=fast|--node-eviction-rate must be a number not below 0,",
        "--unhealthy-zone-threshold=55|must be a number between 0 and 1, such as 0.5, not \"55\".",
        "--large-cluster-size-threshold=-1|must be a number between 0 and 2147483647, not \"-1\".",
        "--allocate-node-cidrs=maybe|--allocate-node-cidrs must be true or false, not \"maybe\".",
        "--allocate-node-cidrs|--allocate-node-cidrs needs --cluster-cidr, such as 10.244.0.0/16.",
        "--cluster-cidr=10.0.0.0/8|--cluster-cidr has no effect without --allocate-node-cidrs.",
      })
  void saysWhatIsWrongWithAFlag(String flag, String said) {
    for (String command : List.of("up --hollow=1", "controllers")) {
      List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
      words.add(flag);
      assertThat(run(words)).isEqualTo(ExitCode.USAGE);
      assertThat(err).asString().contains(said);
      err.getBuffer().setLength(0);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10.0.0.0|--cluster-cidr must be a CIDR such as 10.244.0.0/16",
        "10.0.0.0/16,10.1.0.0/16|--cluster-cidr takes at most one CIDR per family",
        "10.0.0.0/16 --node-cidr-mask-size=12|--node-cidr-mask-size must be between 16 and 32 because"
            + " --cluster-cidr is 10.0.0.0/16, not 12.",
        "fd00::/32|--node-cidr-mask-size-ipv6 must be between 32 and 48 because --cluster-cidr is"
            + " fd00::/32, not 64.",
        "fd00::/56 --node-cidr-mask-size-ipv4=24|cannot be used when all addresses are IPv6",
        "fd00::/56,10.0.0.0/8 --node-cidr-mask-size=24|cannot be used in a dual-stack cluster",
        "10.0.0.0/8 --node-cidr-mask-size=24 --node-cidr-mask-size-ipv4=24|Use either",
        "10.0.0.0/8 --service-cluster-ip-range=x|--service-cluster-ip-range must be a CIDR",
      })
  void saysWhatIsWrongWithARange(String flags, String said) {
    List<String> words = new ArrayList<>(List.of("controllers", "--allocate-node-cidrs"));
    words.addAll(List.of(("--cluster-cidr=" + flags).split(" ")));
    assertThat(run(words)).isEqualTo(ExitCode.USAGE);
    assertThat(err).asString().contains(said);
  }

  private Path nodes() throws IOException {
    return Files.writeString(
        folder.resolve("nodes.yaml"),
        """
        apiVersion: v1
        kind: Node
        metadata: {name: n1}
        ---
        apiVersion: v1
        kind: Node
        metadata: {name: n2}
        ---
        apiVersion: coordination.k8s.io/v1
        kind: Lease
        metadata: {namespace: kube-node-lease, name: n1}
        spec: {holderIdentity: n1, leaseDurationSeconds: 40}
        """);
  }

  /** Watches an object until something is set. */
  private static void await(BerthProcess berth, String path, String... get) throws IOException {
    List<String> words = new ArrayList<>(List.of(get));
    words.addAll(List.of("-w", "-o", "jsonpath={\"is \"}" + path + "{\"\\n\"}"));
    Process watch = berth.kubectl(words.toArray(new String[0]));
    try {
      BufferedReader lines = watch.inputReader(UTF_8);
      String line = lines.readLine();
      while (line != null && line.equals("is ")) {
        line = lines.readLine();
      }
      assertThat(line).startsWith("is ");
    } finally {
      watch.destroy();
    }
  }

  private static String ranges(BerthProcess berth) throws IOException {
    for (String node : List.of("node/n1", "node/n2")) {
      await(berth, "{.spec.podCIDR}", "get", node);
    }
    return berth.said("get", "nodes", "-o", "jsonpath={.items[*].spec.podCIDRs}");
  }

  @Test
  void upGivesNodesTheirRangesButNotThoseOfServices() throws Exception {
    try (BerthProcess berth =
        BerthProcess.up(
            folder.resolve("data"),
            0,
            "--allocate-node-cidrs",
            "--cluster-cidr=10.96.0.0/11,fd00:10::/56",
            "--feature-gates=TaintNodesByCondition=false",
            "--node-monitor-grace-period=1m")) {
      berth.said("create", "-f", nodes().toString());
      assertThat(ranges(berth))
          .isEqualTo(
              "[\"10.112.0.0/24\",\"fd00:10::/64\"] [\"10.112.1.0/24\",\"fd00:10:0:1::/64\"]");
      assertThat(berth.said("get", "--raw", "/metrics"))
          .contains("node_ipam_controller_cidrset_cidrs_allocations_total");
      assertThat(berth.terminate()).isZero();
      assertThat(berth.lastWords()).allMatch(line -> line.startsWith("Stopped;"));
    }
  }

  @Test
  void controllersWorkForAnyServer() throws Exception {
    try (BerthProcess berth = BerthProcess.up(folder.resolve("data"), 0, "--no-controllers")) {
      berth.said("create", "-f", nodes().toString());
      Process controllers =
          new ProcessBuilder(
                  BerthProcess.command(
                      List.of(
                          "controllers",
                          "--kubeconfig=" + berth.kubeconfig(),
                          "--controllers=*,-node-lifecycle-controller",
                          "--allocate-node-cidrs",
                          "--cluster-cidr=10.244.0.0/16")))
              .redirectErrorStream(true)
              .start();
      try {
        BufferedReader said = controllers.inputReader(UTF_8);
        assertThat(said.readLine()).startsWith("Running controllers for https://127.0.0.1:");
        assertThat(said.readLine())
            .contains(
                " INFO  leader-election ", " leading lease=kube-system/kube-controller-manager");
        assertThat(said.readLine()).matches(".* INFO  controllers  .* started controllers=\\d+");
        assertThat(ranges(berth)).isEqualTo("[\"10.244.0.0/24\"] [\"10.244.1.0/24\"]");

        String[] lease = {"-n", "kube-node-lease", "lease/n1"};
        await(berth, "{.metadata.ownerReferences[*].name}", "get", lease[0], lease[1], lease[2]);
        berth.said("delete", "node", "n1");
        berth.await("delete", lease[0], lease[1], lease[2]);
        assertThat(berth.said("get", lease[0], lease[1], lease[2])).contains("NotFound");

        controllers.toHandle().destroy();
        assertThat(controllers.waitFor()).isZero();
        assertThat(said.lines().map(line -> line.replaceFirst(".* INFO +", "")))
            .satisfiesExactly(
                line -> assertThat(line).matches("controllers +stopping"),
                line -> assertThat(line).matches("leader-election +stopped leading lease=.*"),
                line -> assertThat(line).matches("controllers +stopped"),
                line -> assertThat(line).isEqualTo("Stopped."));
        assertThat(
                berth.said(
                    "get",
                    "-n",
                    "kube-system",
                    "lease/kube-controller-manager",
                    "-o",
                    "jsonpath={.spec.holderIdentity}"))
            .as("the lease was given back")
            .isEmpty();
      } finally {
        controllers.destroyForcibly();
      }
    }
  }
}
