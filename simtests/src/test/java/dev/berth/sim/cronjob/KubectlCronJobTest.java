package dev.berth.sim.cronjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.cronjob.CronJobController;
import dev.berth.sim.WithServedCluster;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Cron jobs over HTTPS, made, looked at and tried out with {@code kubectl}. */
class KubectlCronJobTest extends WithServedCluster {
  private static final String COMPLETED =
      "{\"status\":{\"startTime\":\"2026-01-01T00:00:00Z\",\"completionTime\":\"2026-01-01T00:01:00Z\","
          + "\"conditions\":[{\"type\":\"SuccessCriteriaMet\",\"status\":\"True\"},"
          + "{\"type\":\"Complete\",\"status\":\"True\"}]}}";

  @BeforeEach
  void start() {
    cluster.run(CronJobController.start(cluster.parts()));
  }

  @Test
  void aCronJobIsMadeAndStartsJobs() {
    assertThat(kubectl.run("create", "cronjob", "bad", "--image=i", "--schedule=61 * * * *"))
        .contains("end of range (61) above maximum (59): 61");
    kubectl.run("create", "cronjob", "tick", "--image=i", "--schedule=@every 1s", "--", "date");
    kubectl.run(
        "wait", "cronjob/tick", "--for=jsonpath={.status.lastScheduleTime}", "--timeout=3m");
    kubectl.run(
        "wait",
        "--for=create",
        "event",
        "--field-selector=reason=SuccessfulCreate",
        "--timeout=3m");
    assertThat(kubectl.run("describe", "cronjob", "tick"))
        .containsPattern("SuccessfulCreate .*Created job tick-\\d+")
        .containsPattern("Active Jobs: +tick-\\d+");
    String job = kubectl.run("get", "jobs", "-o", "name").lines().findFirst().orElseThrow();
    kubectl.run("patch", job, "--subresource=status", "--type=merge", "-p", COMPLETED);
    kubectl.run(
        "wait", "cronjob/tick", "--for=jsonpath={.status.lastSuccessfulTime}", "--timeout=3m");
  }

  @Test
  void aJobIsMadeFromACronJob() {
    kubectl.run("create", "cronjob", "tick", "--image=i", "--schedule=0 0 1 1 *", "--", "date");
    assertThat(kubectl.run("create", "job", "now", "--from=cronjob/tick"))
        .contains("job.batch/now created");
    assertThat(
            kubectl.run("get", "job", "now", "-o", "jsonpath={.metadata.ownerReferences[0].name}"))
        .isEqualTo("tick");
    kubectl.run(
        "wait", "--for=create", "event", "--field-selector=reason=UnexpectedJob", "--timeout=3m");
    kubectl.run("patch", "job/now", "--subresource=status", "--type=merge", "-p", COMPLETED);
    kubectl.run(
        "wait", "cronjob/tick", "--for=jsonpath={.status.lastSuccessfulTime}", "--timeout=3m");
    assertThat(kubectl.run("get", "cronjob", "tick"))
        .containsPattern("tick +0 0 1 1 \\* +<none> +False +0 +<none>");
  }
}
