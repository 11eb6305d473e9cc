package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every form of {@code kubectl taint}, and {@code cordon}: what it says, and what it leaves. */
class KubectlTaintTest extends WithKubectl {
  @BeforeEach
  void threeNodesInTwoZones() {
    kubectl("create", "-f", node("n1", "a"));
    kubectl("create", "-f", node("n2", "a"));
    kubectl("create", "-f", node("n3", "b"));
    // Nobody has said that they are ready, so they are new.
    assertThat(taints("n1")).isEqualTo("node.kubernetes.io/not-ready=:NoSchedule ");
    kubectl("taint", "nodes", "--all", "node.kubernetes.io/not-ready-");
  }

  @AfterEach
  void noNodes() {
    assertThat(kubectl("delete", "nodes", "--all")).contains("node \"n1\" deleted");
  }

  private static String taint(String... arguments) {
    String[] command = new String[arguments.length + 2];
    command[0] = "taint";
    command[1] = "nodes";
    System.arraycopy(arguments, 0, command, 2, arguments.length);
    return kubectl(command);
  }

  /** As {@code key=value:Effect}, each followed by a space. */
  private static String taints(String node) {
    return value("node", node, "range .spec.taints[*]}{.key}={.value}:{.effect}{\" \"}{end}{\"\"");
  }

  @Test
  void aTaintHasAKeyAnEffectAndPerhapsAValue() {
    assertThat(taint("n1", "gpu=yes:NoSchedule")).isEqualTo("node/n1 tainted\n");
    assertThat(taint("n1", "quiet:PreferNoSchedule")).isEqualTo("node/n1 tainted\n");
    assertThat(taints("n1").split(" "))
        .containsExactlyInAnyOrder("gpu=yes:NoSchedule", "quiet=:PreferNoSchedule");
    assertThat(kubectl("describe", "node", "n1"))
        .contains("gpu=yes:NoSchedule\n", "quiet:PreferNoSchedule\n");
  }

  @Test
  void aTaintIsReplacedOnlyWhenAskedTo() {
    taint("n1", "k=v:NoSchedule");
    assertThat(taint("n1", "k=w:NoSchedule"))
        .isEqualTo(
            "error: node n1 already has k taint(s) with same effect(s) and --overwrite is false\n");
    assertThat(taint("n1", "k=w:NoSchedule", "--overwrite")).isEqualTo("node/n1 modified\n");
    assertThat(taints("n1")).isEqualTo("k=w:NoSchedule ");
    // Another effect makes it another taint.
    assertThat(taint("n1", "k=w:NoExecute")).isEqualTo("node/n1 tainted\n");
    assertThat(taints("n1").split(" "))
        .containsExactlyInAnyOrder("k=w:NoExecute", "k=w:NoSchedule");
  }

  @Test
  void aTaintIsRemovedWithItsValueWithoutItOrByItsKey() {
    taint(
        "n1", "a=1:NoSchedule", "b=1:NoSchedule", "c=1:NoSchedule", "c=1:NoExecute", "d:NoExecute");
    assertThat(taint("n1", "a=1:NoSchedule-")).isEqualTo("node/n1 untainted\n");
    assertThat(taint("n1", "b:NoSchedule-")).isEqualTo("node/n1 untainted\n");
    assertThat(taint("n1", "c-")).isEqualTo("node/n1 untainted\n");
    assertThat(taints("n1")).isEqualTo("d=:NoExecute ");
    assertThat(taint("n1", "a:NoSchedule-")).isEqualTo("error: taint \"a:NoSchedule\" not found\n");
    assertThat(taint("n1", "c-")).isEqualTo("error: taint \"c\" not found\n");
    assertThat(taint("n1", "d-", "e=2:NoSchedule")).isEqualTo("node/n1 modified\n");
    assertThat(taints("n1")).isEqualTo("e=2:NoSchedule ");
  }

  @Test
  void allNodesOrThoseWithALabelAreTainted() {
    assertThat(taint("--all", "everywhere=yes:NoSchedule"))
        .isEqualTo("node/n1 tainted\nnode/n2 tainted\nnode/n3 tainted\n");
    assertThat(taint("-l", "zone=a", "zoned=a:NoExecute"))
        .isEqualTo("node/n1 tainted\nnode/n2 tainted\n");
    assertThat(taint("n2", "n3", "everywhere-"))
        .isEqualTo("node/n2 untainted\nnode/n3 untainted\n");
    assertThat(
            kubectl(
                "get", "nodes", "-o", "custom-columns=NAME:.metadata.name,T:.spec.taints[*].key"))
        .isEqualTo("NAME   T\nn1     zoned,everywhere\nn2     zoned\nn3     <none>\n");
    assertThat(taint("-l", "zone=a", "zoned-")).isEqualTo("node/n1 untainted\nnode/n2 untainted\n");
  }

  @Test
  void theTimeOfANoExecuteTaintSurvivesLaterTaints() {
    taint("n1", "out=x:NoExecute", "calm=x:NoSchedule");
    String added = value("node", "n1", ".spec.taints[?(@.key==\"out\")].timeAdded");
    assertThat(added).matches("20..-.*Z");
    assertThat(value("node", "n1", ".spec.taints[?(@.key==\"calm\")].timeAdded")).isEmpty();
    kubectl("patch", "node", "n1", "-p", "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}");
    taint("n1", "more=x:NoSchedule");
    assertThat(value("node", "n1", ".spec.taints[?(@.key==\"out\")].timeAdded")).isEqualTo(added);
  }

  /** What kubectl itself refuses. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          k=v:Nope            | invalid taint effect: Nope, unsupported taint effect
          bad key=v:NoExecute | invalid taint spec: bad key=v:NoExecute, name part must consist of
          k=bad value:NoExecute | invalid taint spec: k=bad value:NoExecute, a valid label must be
          k=v                 | invalid taint spec: k=v, name part must consist of
          justkey             | at least one taint update is required
          k=a=b:NoSchedule    | invalid taint spec: k=a=b:NoSchedule
          """)
  void badFormsAreRefused(String spec, String message) {
    assertThat(taint("n1", spec)).startsWith("error: " + message);
    assertThat(taints("n1")).isEmpty();
  }

  @Test
  void contradictionsAreRefused() {
    assertThat(taint("n1", "x=1:NoSchedule", "x=2:NoSchedule"))
        .startsWith("error: duplicated taints with the same key and effect: {x 2 NoSchedule");
    assertThat(taint("n1", "x=1:NoSchedule", "x:NoSchedule-"))
        .startsWith("error: can not both modify and remove the following taint(s)");
    assertThat(taint("absent", "x=1:NoSchedule"))
        .isEqualTo("Error from server (NotFound): nodes \"absent\" not found\n");
    assertThat(taints("n1")).isEmpty();
  }

  /** What only the server can refuse, because kubectl does not look. */
  @Test
  void theServerRefusesTwoTaintsWithOneKeyAndEffect() {
    assertThat(
            kubectl(
                "patch",
                "node",
                "n1",
                "--type=merge",
                "-p",
                """
                {"spec":{"taints":[{"key":"k","value":"1","effect":"NoSchedule"},
                                   {"key":"k","value":"2","effect":"NoSchedule"}]}}
                """))
        .startsWith("The Node \"n1\" is invalid: ")
        .contains("taints[1]: Duplicate value");
    assertThat(
            kubectl(
                "patch",
                "node",
                "n1",
                "--type=merge",
                "-p",
                "{\"spec\":{\"taints\":[{\"key\":\"k\",\"effect\":\"Never\"}]}}"))
        .contains("metadata.taints[0].effect: Unsupported value: \"Never\"", "\"NoSchedule\"");
    assertThat(taints("n1")).isEmpty();
  }

  @Test
  void aRehearsedTaintIsNotKept() {
    assertThat(taint("n1", "k=v:NoSchedule", "--dry-run=server")).startsWith("node/n1 tainted");
    assertThat(taints("n1")).isEmpty();
  }

  @Test
  void cordonsAndUncordons() {
    assertThat(kubectl("cordon", "n1")).isEqualTo("node/n1 cordoned\n");
    assertThat(kubectl("cordon", "-l", "zone=a"))
        .isEqualTo("node/n1 already cordoned\nnode/n2 cordoned\n");
    assertThat(kubectl("get", "nodes", "--no-headers").lines())
        .filteredOn(line -> line.contains("SchedulingDisabled"))
        .hasSize(2);
    assertThat(kubectl("describe", "node", "n1")).contains("Unschedulable:      true");
    assertThat(kubectl("uncordon", "n1")).isEqualTo("node/n1 uncordoned\n");
    assertThat(kubectl("uncordon", "n1")).isEqualTo("node/n1 already uncordoned\n");
    assertThat(value("node", "n1", ".spec.unschedulable")).isEmpty();
  }
}
