package dev.berth.cli.foresight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Main;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.client.Resources;
import dev.berth.hollow.HollowSettings;
import dev.berth.model.resource.ObjectName;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.WholeCluster;
import dev.berth.sim.snapshot.SnapshotFile;
import dev.berth.sim.snapshot.SnapshotReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code berth explain} and {@code berth forecast} as a user types them, on a saved cluster. */
class ForesightCommandsTest {
  @TempDir private static Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /**
   * Six nodes in two zones, a deployment with a budget, a pod that tolerates a taint for a while,
   * and one that fits nowhere.
   */
  @BeforeAll
  static void saveACluster() throws IOException {
    try (WholeCluster whole = new WholeCluster(1, HollowSettings.of(6).zones("a", "b"))) {
      VirtualCluster cluster = whole.cluster();
      whole.advance(Duration.ofSeconds(20));
      cluster.create(
          Resources.DEPLOYMENTS,
          "{'metadata':{'namespace':'default','name':'web'},'spec':{'replicas':6,'selector':{'matchLabels':{'app':'web'}},"
              + "'template':{'metadata':{'labels':{'app':'web'}},'spec':{'containers':[{'name':'c','image':'i','resources':{'requests':{'cpu':'1'}}}]}}}}");
      cluster.create(
          Resources.POD_DISRUPTION_BUDGETS,
          "{'metadata':{'namespace':'default','name':'web'},'spec':{'minAvailable':6,'selector':{'matchLabels':{'app':'web'}}}}");
      cluster.pod(
          "patient",
          "1",
          "{'nodeName':'hollow-0','tolerations':[{'key':'example.com/maintenance','operator':'Exists','effect':'NoExecute','tolerationSeconds':600}]}");
      cluster.pod("picky", "1", "{'nodeSelector':{'disk':'ssd'}}");
      cluster.pod(
          "choosy",
          "1",
          "{'nodeSelector':{'disk':'ssd'},'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':[{'matchExpressions':[{'key':'topology.kubernetes.io/zone','operator':'Exists'}]}]}}}}");
      cluster.pod("gated", "1", "{'schedulingGates':[{'name':'example.com/hold'}]}");
      whole.advance(Duration.ofSeconds(20));
      cluster.patch(
          Resources.NODES,
          ObjectName.of("hollow-0"),
          "{'metadata':{'annotations':{'berth.dev/respect-budgets':'example.com/maintenance;deadline=15m'}}}");
      whole.taint("hollow-0", "example.com/maintenance");
      cluster.patch(Resources.NODES, ObjectName.of("hollow-5"), "{'spec':{'unschedulable':true}}");
      whole.advance(Duration.ofSeconds(10));
      try (OutputStream file = Files.newOutputStream(folder.resolve("cluster"))) {
        SnapshotFile.write(SnapshotReader.read(cluster.admin(), cluster.time().now()), file);
      }
    }
  }

  private int run(String words) {
    List<String> all = new ArrayList<>(List.of(words.split(" ", -1)));
    all.addAll(List.of("--snapshot", folder.resolve("cluster").toString()));
    return Main.run(all, new Console(new PrintWriter(out), new PrintWriter(err)));
  }

  @Test
  void tellsWhyAPodIsPendingAndWhatWouldLetItIn() {
    assertThat(run("explain pod picky")).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("0 of 6 nodes would do:")
        .contains("not selected by the pod, which wants disk=ssd")
        .contains("NodeAffinity")
        .containsPattern("label hollow-\\d with disk=ssd → hollow-\\d")
        .contains("drop the pod's node selector disk=ssd");
  }

  /** Its affinity is no hindrance, and is left alone. */
  @Test
  void onlyWhatIsInTheWayIsToBeDropped() {
    assertThat(run("explain pod choosy")).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .containsPattern("drop the pod's node selector disk=ssd → hollow-\\d")
        .doesNotContain("required node affinity");
  }

  @Test
  void aGateIsNamedAndRemovingItWasTried() {
    assertThat(run("explain pod default/gated")).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("Its scheduling gates hold it: example.com/hold.")
        .contains("1. remove the scheduling gate example.com/hold → hollow-");
  }

  @Test
  void tellsHowLongARunningPodStays() {
    assertThat(run("explain pod patient")).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .containsPattern(
            "It is evicted at 20\\S+Z, when its toleration of example.com/maintenance:NoExecute")
        .contains("tolerated for 600 s")
        .containsPattern("example.com/maintenance:NoExecute for\\s+600s");
  }

  /** A node's annotation has its taints ask the budgets. */
  @Test
  void tellsWhichBudgetMayHoldAPodBackAndUntilWhen() {
    assertThat(run("explain node hollow-0 -o json")).isEqualTo(ExitCode.OK);
    Matcher held =
        Pattern.compile("\"pod\":\"default/(web-\\S+?)\",.*?\"heldBackUntil\":\"(\\S+?)\"")
            .matcher(out.toString());
    assertThat(held.find()).as(out.toString()).isTrue();
    out.getBuffer().setLength(0);
    assertThat(run("explain pod " + held.group(1))).isEqualTo(ExitCode.OK);
    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains("Budget web may hold it back until " + held.group(2));
  }

  @Test
  void tellsWhichPodsLeaveANodeNext() {
    assertThat(run("explain node hollow-0")).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .containsPattern("pods leaves? because of its taints:")
        .contains("default/patient");
  }

  @Test
  void tellsWhatAWorkloadHasAndItsBudgets() {
    assertThat(run("explain workload deployment/web -o json")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("\"wanted\":6").contains("\"disruptionsAllowed\":0");
  }

  @Test
  void tellsANodesTaintsAndWhatItHasLeft() {
    assertThat(run("explain node hollow-5")).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("hollow-5, ready, cordoned")
        .contains("node.kubernetes.io/unschedulable:NoSchedule")
        .contains("the node lifecycle controller: the node is cordoned")
        .contains("RESOURCE")
        .contains("cpu");
  }

  @Test
  void forecastsALossInTheOrderOfTime() {
    assertThat(run("forecast lose zone a --pod-start 1s --pod-stop 1s")).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("3 nodes: ")
        .containsPattern("node.kubernetes.io/unreachable:NoExecute no longer\\s+tolerated")
        .contains("Deployment default/web");
  }

  @Test
  void theSameClusterGivesTheSameForecast() {
    assertThat(run("forecast lose zone a -o json")).isEqualTo(ExitCode.OK);
    String first = out.toString();
    out.getBuffer().setLength(0);
    assertThat(run("forecast lose zone a -o json")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).isEqualTo(first).contains("\"to\":\"hollow-");
  }

  @Test
  void forecastsWhomABudgetHoldsBack() {
    assertThat(run("forecast drain hollow-0,hollow-1,hollow-2,hollow-3,hollow-4,hollow-5"))
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("HELD BACK BY A BUDGET")
        .contains("The disruption budget web needs 6 healthy pods and has 6 currently")
        .containsPattern(
            "the drain does not come to it: a budget holds back\\s+default/web-\\S+ on hollow-\\d")
        .doesNotContain("DaemonSets");
  }

  @Test
  void printsYaml() {
    assertThat(run("forecast cordon hollow-0 -o yaml")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("kind: Forecast").contains("leaving: []");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "explain pod nobody              | There is no pod default/nobody.",
        "explain pod other/picky         | There is no pod other/picky, but default/picky.",
        "explain pod                     | Which pod? Use \"berth explain pod NAME\".",
        "explain workload                | Which workload? Use \"berth explain workload KIND/NAME\".",
        "explain deployment/web          | berth explain knows pod, node, workload, not \"deployment/web\". Use \"berth explain workload deployment/web\".",
        "explain node nowhere            | There is no node nowhere.",
        "explain workload web            | A workload is given as KIND/NAME, such as deployment/web",
        "explain workload deployment/no  | There is no Deployment default/no.",
        "explain sky blue                | berth explain knows pod, node, workload, not \"sky\".",
        "explain pod picky -o xml        | -o must be json or yaml, not \"xml\".",
        "forecast lose zone z            | No node is in zone \"z\"; there are",
        "forecast lose percent 101       | The percentage must be a number from 1 to 100",
        "forecast taint hollow-0 x       | A taint is written KEY[=VALUE]:EFFECT",
        "forecast drain hollow-9         | There is no node \"hollow-9\". Did you mean hollow-0?",
        "forecast drain worker           | There is no node \"worker\". There are 6, such as hollow-0,",
        "forecast drain                  | Use \"berth forecast taint NODES KEY[=VALUE]:EFFECT\", \"cordon NODES\"",
        "forecast cordon hollow-0 hollow-1 | Use \"berth forecast taint NODES",
        "forecast drain hollow-0 --horizon 0 | --horizon must be a duration",
        "forecast drain hollow-0 --set node-evicton-rate=1 | --set knows no node-evicton-rate, but",
        "forecast drain hollow-0 --set x | --set must be NAME=VALUE",
        "forecast drain hollow-0 --watch | --watch needs a running cluster",
      })
  void saysWhatIsWrong(String words, String message) {
    assertThat(run(words)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("berth: " + message);
  }
}
