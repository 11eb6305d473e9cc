package dev.berth.sim.cronjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.fixture.Kubectl;
import dev.berth.apiserver.fixture.LocalServer;
import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Kubeconfig;
import dev.berth.controllers.ControllerParts;
import dev.berth.controllers.cronjob.CronJobs;
import dev.berth.metrics.Metrics;
import dev.berth.time.WallTime;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cron jobs over HTTPS, made, looked at and tried out with {@code kubectl}. */
class KubectlCronJobTest {
  private static final String COMPLETED =
      "{\"status\":{\"startTime\":\"2026-01-01T00:00:00Z\",\"completionTime\":\"2026-01-01T00:01:00Z\","
          + "\"conditions\":[{\"type\":\"SuccessCriteriaMet\",\"status\":\"True\"},"
          + "{\"type\":\"Complete\",\"status\":\"True\"}]}}";

  @TempDir Path directory;

  private final Queue<Object> failures = new ConcurrentLinkedQueue<>();
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private Kubectl kubectl;

  @BeforeEach
  void start() {
    LocalServer server = LocalServer.open(directory);
    WallTime time = new WallTime(failures::add);
    HttpApi api = new HttpApi(Kubeconfig.read(server.kubeconfig()).connection(), time, "test");
    parts.push(server);
    parts.push(api);
    parts.push(time);
    parts.push(
        CronJobs.start(new ControllerParts(api, time, new Metrics(), "test", failures::add)));
    kubectl = new Kubectl(directory, server.kubeconfig());
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable part : parts) {
      part.close();
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void aCronJobIsMadeAndStartsJobs() {
    assertThat(kubectl.run("create", "cronjob", "bad", "--image=i", "--schedule=61 * * * *"))
        .contains("end of range (61) above maximum (59): 61");
    kubectl.run("create", "cronjob", "tick", "--image=i", "--schedule=@every 1s", "--", "date");
    kubectl.run(
        "wait", "cronjob/tick", "--for=jsonpath={.status.lastScheduleTime}", "--timeout=60s");
    assertThat(kubectl.run("describe", "cronjob", "tick"))
        .containsPattern("SuccessfulCreate .*Created job tick-\\d+")
        .containsPattern("Active Jobs: +tick-\\d+");
    String job = kubectl.run("get", "jobs", "-o", "name").lines().findFirst().orElseThrow();
    kubectl.run("patch", job, "--subresource=status", "--type=merge", "-p", COMPLETED);
    kubectl.run(
        "wait", "cronjob/tick", "--for=jsonpath={.status.lastSuccessfulTime}", "--timeout=60s");
  }

  @Test
  void aJobIsMadeFromACronJob() {
    kubectl.run("create", "cronjob", "tick", "--image=i", "--schedule=0 0 1 1 *", "--", "date");
    assertThat(kubectl.run("create", "job", "now", "--from=cronjob/tick"))
        .contains("job.batch/now created");
    assertThat(
            kubectl.run("get", "job", "now", "-o", "jsonpath={.metadata.ownerReferences[0].name}"))
        .isEqualTo("tick");
    kubectl.run("wait", "--for=create", "event", "--field-selector=reason=UnexpectedJob");
    kubectl.run("patch", "job/now", "--subresource=status", "--type=merge", "-p", COMPLETED);
    kubectl.run(
        "wait", "cronjob/tick", "--for=jsonpath={.status.lastSuccessfulTime}", "--timeout=60s");
    assertThat(kubectl.run("get", "cronjob", "tick"))
        .containsPattern("tick +0 0 1 1 \\* +<none> +False +0 +<none>");
  }
}
