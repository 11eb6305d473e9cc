package dev.berth.cli.machines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What controllers make of real processes on two nodes: they run, fail, finish and move. */
@TestInstance(Lifecycle.PER_CLASS)
class WorkloadsTest {
  /** Where the class that every cluster has makes volumes. */
  private static final String VOLUMES = "/var/lib/berth/volumes";

  private ThreeHosts hosts;
  private Kubectl kubectl;

  @BeforeAll
  void start(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder) throws IOException {
    hosts = new ThreeHosts(folder);
    kubectl = hosts.kubectl;
    // Its first run may be a minute away.
    kubectl.run("create", "cronjob", "tick", "--image=any", "--schedule=* * * * *", "--", "date");
  }

  @AfterAll
  void end() throws IOException {
    if (hosts != null) {
      hosts.close();
    }
  }

  private static String template(String app, String rest) {
    return """
    "selector": {"matchLabels": {"app": "%s"}}, "template": {
      "metadata": {"labels": {"app": "%s"}}, "spec": {"terminationGracePeriodSeconds": 1,
        "containers": [{"name": "main", "image": "any", %s}]}}
    """
        .formatted(app, app, rest);
  }

  private static String workload(String kind, String name, String spec) {
    return """
    {"apiVersion": "apps/v1", "kind": "%s", "metadata": {"name": "%s"}, "spec": {%s}}
    """
        .formatted(kind, name, spec);
  }

  private List<String> volumes() throws IOException {
    List<String> names = new ArrayList<>();
    for (TestMachine machine : List.of(hosts.left, hosts.right)) {
      Path directory = machine.seen(VOLUMES);
      if (Files.exists(directory)) {
        try (Stream<Path> files = Files.list(directory)) {
          files.forEach(each -> names.add(machine.name() + " " + each.getFileName()));
        }
      }
    }
    return names;
  }

  @Test
  void aStatefulSetFindsItsDirectoriesAgainAndTheyGoWithItsClaims() throws IOException {
    kubectl.create(
        workload(
            "StatefulSet",
            "db",
            """
            "serviceName": "db", "replicas": 2, "volumeClaimTemplates": [
              {"metadata": {"name": "data"}, "spec": {"accessModes": ["ReadWriteOnce"],
               "resources": {"requests": {"storage": "1Mi"}}}}],
            """
                + template(
                    "db",
                    """
                    "command": ["sh", "-c", "echo $HOSTNAME >>/data/starts; exec sleep 1000"],
                    "volumeMounts": [{"name": "data", "mountPath": "/data"}]
                    """)));
    kubectl.await("sts/db", "jsonpath={.status.readyReplicas}=2");
    String node = kubectl.field("pod/db-0", "{.spec.nodeName}");
    assertThat(volumes())
        .hasSize(2)
        .anyMatch(each -> each.startsWith(node + " default-data-db-0-"));
    kubectl.awaitSaid("^db-0\n$", "exec", "db-0", "--", "cat", "/data/starts");
    String uid = kubectl.field("pod/db-0", "{.metadata.uid}");
    kubectl.run("delete", "pod", "db-0");
    kubectl.await("pod/db-0", "create");
    kubectl.awaitReady("pod/db-0");
    assertThat(kubectl.field("pod/db-0", "{.metadata.uid}")).isNotEqualTo(uid);
    assertThat(kubectl.field("pod/db-0", "{.spec.nodeName}")).isEqualTo(node);
    kubectl.awaitSaid("^db-0\ndb-0\n$", "exec", "db-0", "--", "cat", "/data/starts");
    kubectl.run("delete", "sts", "db");
    kubectl.run("delete", "pvc", "--all");
    Await.until(
        "the removal of all directories",
        () -> {
          try {
            return volumes().isEmpty();
          } catch (IOException e) {
            return false; // one went while it was looked at
          }
        });
    kubectl.run("wait", "--for=delete", Kubectl.PATIENCE, "pv", "--all");
  }

  @Test
  void jobsFinishAsTheirProcessesDo() throws IOException {
    kubectl.create(
        """
        {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "sum"}, "spec": {
          "completions": 4, "parallelism": 2, "completionMode": "Indexed", "template": {"spec": {
            "restartPolicy": "Never", "containers": [{"name": "main", "image": "any",
              "command": ["sh", "-c", "echo index $JOB_COMPLETION_INDEX"]}]}}}}
        """);
    kubectl.create(
        """
        {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "fails"}, "spec": {
          "backoffLimit": 3, "podFailurePolicy": {"rules": [{"action": "FailJob",
            "onExitCodes": {"operator": "In", "values": [42]}}]}, "template": {"spec": {
            "restartPolicy": "Never", "containers": [{"name": "main", "image": "any",
              "command": ["sh", "-c", "exit 42"]}]}}}}
        """);
    kubectl.create(
        """
        {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "mistyped"}, "spec": {
          "backoffLimit": 0, "template": {"spec": {
            "restartPolicy": "Never", "containers": [{"name": "main", "image": "any",
              "command": ["slepp"]}]}}}}
        """);
    kubectl.await("job/sum", "condition=Complete");
    kubectl.await("job/fails", "condition=Failed");
    assertThat(kubectl.field("job/sum", "{.status.completedIndexes} {.status.succeeded}"))
        .isEqualTo("0-3 4");
    assertThat(kubectl.run("logs", "-l", "job-name=sum", "--tail=-1").lines().sorted())
        .containsExactly("index 0", "index 1", "index 2", "index 3");
    assertThat(kubectl.field("job/fails", "{.status.conditions[?(@.type==\"Failed\")].message}"))
        .contains("failed with exit code 42 matching FailJob rule at index 0");
    kubectl.await("job/mistyped", "condition=Failed");
    assertThat(
            kubectl.run(
                "get",
                "pods",
                "-l",
                "job-name=mistyped",
                "-o",
                "jsonpath={range ..state.terminated}{.reason} {.exitCode} {.message}{end}"))
        .startsWith("StartError 128 ")
        .endsWith("exec: \"slepp\": executable file not found in $PATH");
    kubectl.run("delete", "job", "sum", "fails", "mistyped");
    kubectl.await("cronjob/tick", "jsonpath={.status.lastSuccessfulTime}");
    assertThat(kubectl.run("get", "jobs")).contains("tick-").contains("Complete");
    kubectl.run("delete", "cronjob", "tick");
  }

  @Test
  void aDaemonRunsOnEachNodeAndADrainMovesTheRest() throws IOException {
    kubectl.create(
        workload(
            "DaemonSet",
            "everywhere",
            template("everywhere", "\"command\": [\"sleep\", \"87701\"]")));
    kubectl.create(
        workload(
            "Deployment",
            "web",
            "\"replicas\": 4, " + template("web", "\"command\": [\"sleep\", \"87702\"]")));
    kubectl.await("ds/everywhere", "jsonpath={.status.numberReady}=2");
    kubectl.await("deployment/web", "jsonpath={.status.readyReplicas}=4");
    assertThat(Processes.of("sleep 87701")).hasSize(2);
    assertThat(nodesOf("web")).contains("left", "right");
    assertThat(kubectl.run("drain", "right", "--ignore-daemonsets", Kubectl.PATIENCE))
        .contains("node/right drained");
    // Its status may still tell of the pods that were evicted.
    Await.until("four pods on left", () -> Processes.of("sleep 87702").size() == 4);
    kubectl.await("deployment/web", "jsonpath={.status.readyReplicas}=4");
    assertThat(nodesOf("web")).doesNotContain("right");
    assertThat(nodesOf("everywhere")).contains("left", "right");
    assertThat(Processes.of("sleep 87702")).hasSize(4);
    kubectl.run("uncordon", "right");
    kubectl.run("delete", "ds/everywhere", "deployment/web");
    for (String app : List.of("everywhere", "web")) {
      kubectl.run("wait", "--for=delete", Kubectl.PATIENCE, "pods", "-l", "app=" + app);
    }
    assertThat(Processes.of("sleep 87702")).isEmpty();
  }

  private String nodesOf(String app) throws IOException {
    return kubectl.run("get", "pods", "-l", "app=" + app, "-o", "jsonpath={..spec.nodeName}");
  }

  @Test
  void aRolloutWithAFailingProbeStopsAndIsUndone() throws IOException {
    kubectl.create(
        workload(
            "Deployment",
            "site",
            "\"replicas\": 2, "
                + template(
                    "site",
                    """
                    "command": ["sh", "-c", "touch /tmp/ok; exec sleep 1000"],
                    "readinessProbe": {"periodSeconds": 1, "timeoutSeconds": 30,
                      "exec": {"command": ["test", "-e", "/tmp/ok"]}},
                    "livenessProbe": {"periodSeconds": 1, "timeoutSeconds": 30, "failureThreshold": 2,
                      "exec": {"command": ["test", "!", "-e", "/tmp/stuck"]}}
                    """)));
    kubectl.await("deployment/site", "jsonpath={.status.readyReplicas}=2");
    String pod =
        kubectl.run("get", "pods", "-l", "app=site", "-o", "jsonpath={.items[0].metadata.name}");
    // Stuck: it is started again, with its /tmp as new.
    kubectl.run("exec", pod, "--", "touch", "/tmp/stuck");
    kubectl.await("pod/" + pod, "jsonpath={.status.containerStatuses[0].restartCount}=1");
    kubectl.awaitReady("pod/" + pod);
    kubectl.awaitSaid("Liveness probe failed", "describe", "pod", pod);
    // A new version that never gets ready does not replace the old one.
    kubectl.run(
        "patch",
        "deployment",
        "site",
        "-p",
        """
        {"spec": {"progressDeadlineSeconds": 5, "template": {"spec": {"containers": [{"name": "main",
          "command": ["sleep", "1000"]}]}}}}
        """);
    kubectl.await(
        "deployment/site",
        "jsonpath={.status.conditions[?(@.type==\"Progressing\")].reason}=ProgressDeadlineExceeded");
    assertThat(kubectl.field("deployment/site", "{.status.availableReplicas}")).isEqualTo("2");
    kubectl.run(
        "patch", "deployment", "site", "-p", "{\"spec\": {\"progressDeadlineSeconds\": 600}}");
    kubectl.run("rollout", "undo", "deployment/site");
    assertThat(kubectl.run("rollout", "status", "deployment/site", Kubectl.PATIENCE))
        .contains("successfully rolled out");
    assertThat(kubectl.field("pod/" + pod, "{.status.phase}")).isEqualTo("Running");
    kubectl.run("delete", "deployment", "site");
  }
}
