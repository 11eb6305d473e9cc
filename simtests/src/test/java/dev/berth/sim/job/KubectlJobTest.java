package dev.berth.sim.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.http.HttpApi;
import dev.berth.controllers.ControllerSettings;
import dev.berth.controllers.Controllers;
import dev.berth.hollow.HollowSettings;
import dev.berth.hollow.fleet.HollowNodes;
import dev.berth.metrics.Metrics;
import dev.berth.sim.WithServedCluster;
import dev.berth.time.WallTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs over HTTPS, with {@code kubectl}. */
class KubectlJobTest extends WithServedCluster {
  @BeforeEach
  void start() {
    cluster.schedule();
    // On a slow machine they complain of what they then try again.
    HttpApi api = cluster.api();
    WallTime time = cluster.time();
    cluster.run(
        HollowNodes.start(new HollowNodes.Parts(api, time, new Metrics(), HollowSettings.of(2))));
    cluster.run(
        Controllers.run(
            cluster.supervisor(),
            new Controllers.Parts(_ -> api, api, new Metrics()),
            ControllerSettings.standard()));
  }

  @Test
  void aJobIsMadeWaitedForLookedAtAndDeletedWithItsPods() {
    assertThat(kubectl.run("create", "job", "hello", "--image=busybox", "--", "date"))
        .contains("job.batch/hello created");
    kubectl.run("delete", "job", "hello", "--cascade=foreground", "--wait");
    assertThat(kubectl.run("get", "jobs,pods")).contains("No resources found");

    String file =
        kubectl.file(
            "job.yaml",
            """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: parts}
            spec:
              completions: 3
              parallelism: 3
              completionMode: Indexed
              template:
                metadata: {annotations: {hollow.berth.dev/run-for: 100ms}}
                spec:
                  restartPolicy: Never
                  containers: [{name: c, image: i}]
            """);
    assertThat(kubectl.run("apply", "-f", file)).contains("created");
    assertThat(kubectl.run("wait", "--for=condition=complete", "job/parts", "--timeout=3m"))
        .contains("condition met");
    assertThat(kubectl.run("get", "job", "parts")).containsPattern("parts +Complete +3/3");
    kubectl.run(
        "wait", "--for=create", "event", "--field-selector=reason=Completed", "--timeout=3m");
    assertThat(kubectl.run("describe", "job", "parts"))
        .containsPattern("Completed Indexes: +0-2")
        .containsPattern("Pods Statuses: +0 Active \\(0 Ready\\) / 3 Succeeded / 0 Failed")
        .containsPattern("Completed .*Job completed");
    assertThat(kubectl.run("delete", "job", "parts", "--cascade=foreground")).contains("deleted");
    assertThat(kubectl.run("get", "pods")).contains("No resources found");
  }
}
