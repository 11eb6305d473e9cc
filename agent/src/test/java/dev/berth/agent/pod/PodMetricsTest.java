package dev.berth.agent.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.fixture.TestNode;
import dev.berth.agent.runtime.RuntimeHandler;
import dev.berth.metrics.MetricsText;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node counts of its pods and their probes. */
final class PodMetricsTest {
  @TempDir private Path root;
  private TestNode node;

  @BeforeEach
  void begin() {
    node = new TestNode(root).start();
  }

  @AfterEach
  void end() {
    node.close();
  }

  private List<String> metrics() {
    return node.metrics().text(MetricsText.Format.PROMETHEUS).lines().toList();
  }

  private String uid(String pod) {
    return node.get(pod).object("metadata").text("uid", "");
  }

  @Test
  void probesAreCountedForAsLongAsThereIsThePod() {
    node.connections().answer(503);
    node.pod(
        "web",
        "{'containers':[{'name':'c','image':'i','readinessProbe':{'httpGet':{'port':80},'periodSeconds':1}}]}");
    node.advanceSeconds(1);
    node.connections().answer(200);
    node.advanceSeconds(3);
    String labels = "container=\"c\",pod=\"web\",namespace=\"default\"";
    assertThat(metrics())
        .contains(
            "prober_probe_total{probe_type=\"Readiness\",result=\"failed\",%s,pod_uid=\"%s\"} 2"
                .formatted(labels, uid("web")),
            "prober_probe_total{probe_type=\"Readiness\",result=\"successful\",%s,pod_uid=\"%s\"} 3"
                .formatted(labels, uid("web")),
            "prober_probe_duration_seconds_count{probe_type=\"Readiness\",%s} 3".formatted(labels));

    node.delete("web");
    assertThat(metrics()).noneMatch(line -> line.startsWith("prober_") && line.contains("web"));
  }

  @Test
  void containersAreCountedByWhatTheyAreAndHowTheyEnded() {
    node.pod(
        "job",
        "{'restartPolicy':'Never','initContainers':[{'name':'first','image':'i'}],'containers':[{'name':'c','image':'i'}]}");
    node.runtime().exit("job", "first", 0);
    node.settle();
    node.runtime().exit("job", "c", 139);
    node.advanceSeconds(60);
    assertThat(metrics())
        .contains(
            "kubelet_started_containers_total{container_type=\"container\"} 1",
            "kubelet_started_containers_total{container_type=\"init_container\"} 1",
            "kubelet_terminated_containers_total{container_type=\"container\",exit_code=\"139\",reason=\"Error\"}"
                + " 1",
            "kubelet_terminated_containers_total{container_type=\"init_container\",exit_code=\"0\",reason=\"Completed\"}"
                + " 1",
            "kubelet_pod_start_duration_seconds_count 1",
            "kubelet_run_podsandbox_duration_seconds_count{runtime_handler=\"\"} 1",
            "kubelet_node_name{node=\"n1\"} 1");
  }

  @Test
  void podsAreCountedByHowFarTheyHaveCome() {
    node.runtime().deafToTerm("c");
    node.pod("web", "{'containers':[{'name':'c','image':'i'}]}");
    assertThat(metrics())
        .contains(
            "kubelet_desired_pods{static=\"\"} 1",
            "kubelet_active_pods{static=\"\"} 1",
            "kubelet_mirror_pods 0",
            "kubelet_working_pods{lifecycle=\"sync\",config=\"desired\",static=\"\"} 1",
            "kubelet_working_pods{lifecycle=\"sync\",config=\"runtime_only\",static=\"unknown\"}"
                + " 0");

    node.delete("web");
    assertThat(metrics())
        .contains(
            "kubelet_working_pods{lifecycle=\"terminating\",config=\"desired\",static=\"\"} 1");
    node.advanceSeconds(60);
    assertThat(metrics())
        .contains(
            "kubelet_desired_pods{static=\"\"} 0",
            "kubelet_working_pods{lifecycle=\"terminated\",config=\"desired\",static=\"\"} 0");
  }

  @Test
  void podsWithUsersOfTheirOwnAreCounted() {
    node.runtime().handlers(new RuntimeHandler("", true, true));
    node.pod("plain", "{'containers':[{'name':'c','image':'i'}]}");
    assertThat(withUsers()).containsExactly("0", "0");
    node.pod("own", "{'hostUsers':false,'containers':[{'name':'c','image':'i'}]}");
    assertThat(withUsers()).containsExactly("1", "0");

    node.runtime().handlers(new RuntimeHandler("", true, false));
    node.pod("refused", "{'hostUsers':false,'containers':[{'name':'c','image':'i'}]}");
    assertThat(withUsers()).containsExactly("2", "1");
  }

  /** How many were begun, and how many of them failed. */
  private List<String> withUsers() {
    return metrics().stream()
        .filter(line -> line.startsWith("kubelet_started_user_namespaced_pods_"))
        .sorted()
        .map(line -> line.substring(line.indexOf(' ') + 1))
        .toList()
        .reversed();
  }
}
