package dev.berth.sim.cronjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.cronjob.CronJobs;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.FaultyApi;
import dev.berth.sim.InterceptedApi;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever fails and crashes, no time ever has two jobs, and as long as the controller is not away
 * for longer than the deadline, each has one.
 */
class CronJobHistoryTest {
  private static final int SEEDS = 25;
  private static final int MINUTES = 60;

  @ParameterizedTest
  @ValueSource(strings = {"Allow", "Forbid", "Replace"})
  void eachTimeHasOneJob(String policy) {
    for (long seed = 0; seed < SEEDS; seed++) {
      try (History history = new History(seed, policy)) {
        history.run();
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ", " + policy, e);
      }
    }
  }

  private static final class History implements AutoCloseable {
    private final CronScene scene;
    private final String policy;
    private final RandomGenerator random;
    private final Map<Instant, Integer> made = new HashMap<>();
    private final List<FaultyApi> faulty = new ArrayList<>();

    History(long seed, String policy) {
      this.policy = policy;
      scene = new CronScene(new VirtualCluster(seed));
      random = scene.cluster.time().random("history");
      scene.until(Duration.ZERO);
      scene.cluster.run("cron-jobs", this::controller);
      scene.with(
          "*/3 * * * *",
          "'concurrencyPolicy':'%s','successfulJobsHistoryLimit':%d,'failedJobsHistoryLimit':%d,'startingDeadlineSeconds':170,"
              .formatted(policy, random.nextInt(3), random.nextInt(2)));
    }

    private AutoCloseable controller() {
      ControllerParts parts = scene.cluster.parts(CronJobs.ACCOUNT);
      FaultyApi api =
          new FaultyApi(
              new InterceptedApi(parts.api(), this::send),
              scene.cluster.time().random("faults " + faulty.size()));
      faulty.add(api);
      // What the server did not say for a while is not worth a failure.
      return CronJobs.start(
          new ControllerParts(api, parts.time(), parts.metrics(), "test", _ -> {}));
    }

    /** Counts the jobs that the server has made, by the time they are for. */
    private ApiResult send(ApiRequest request, Api real) {
      ApiResult result = real.send(request);
      if (request instanceof ApiRequest.Create(var target, JsonObject job)
          && target.resource().equals(Resources.JOBS)
          && result.isDone()) {
        made.merge(CronScene.scheduledTime(job), 1, Integer::sum);
        jobWasMade();
      }
      return result;
    }

    /**
     * Where concurrency is forbidden, a job starts only when no other runs. Some jobs end before
     * their controller has written down that it started them.
     */
    private void jobWasMade() {
      List<JsonObject> running = scene.jobs().stream().filter(job -> !isFinished(job)).toList();
      if (policy.equals("Forbid")) {
        assertThat(running).hasSizeLessThanOrEqualTo(1);
      }
      if (random.nextInt(3) == 0) {
        running.forEach(this::finish);
      }
    }

    private static boolean isFinished(JsonObject job) {
      return !job.object("status").array("conditions").isEmpty();
    }

    void run() {
      while (scene.cluster.time().now().isBefore(minute(MINUTES))) {
        step();
        scene.cluster.advance(Duration.ofMillis(random.nextInt(40_000)));
        assertThat(made).allSatisfy((time, count) -> assertThat(count).as("" + time).isEqualTo(1));
      }
      faulty.forEach(FaultyApi::heal);
      scene.jobs().stream().filter(job -> !isFinished(job)).forEach(this::finish);
      scene.until(Duration.ofMinutes(MINUTES + 5));
      check();
    }

    private Instant minute(long minute) {
      return scene.midnight.plus(Duration.ofMinutes(minute));
    }

    private void finish(JsonObject job) {
      scene.finish(job, random.nextBoolean() ? "Complete" : "Failed");
    }

    private void step() {
      List<JsonObject> running = scene.jobs().stream().filter(job -> !isFinished(job)).toList();
      switch (random.nextInt(8)) {
        case 0 -> scene.cluster.restart("cron-jobs");
        case 1 -> {
          scene.cluster.crash("cron-jobs");
          scene.cluster.advance(Duration.ofSeconds(random.nextInt(60)));
          scene.cluster.restart("cron-jobs");
        }
        case 2 -> scene.patch("{'successfulJobsHistoryLimit':" + random.nextInt(3) + "}");
        default -> running.forEach(this::finish);
      }
    }

    private void check() {
      assertThat(made).allSatisfy((time, count) -> assertThat(count).as("" + time).isEqualTo(1));
      List<Instant> expected = new ArrayList<>();
      for (long minute = 3; minute < MINUTES + 5; minute += 3) {
        expected.add(minute(minute));
      }
      if (policy.equals("Forbid")) {
        // Those that found another job running are missed, the last one perhaps too.
        assertThat(expected).containsAll(made.keySet());
      } else {
        assertThat(made.keySet()).containsExactlyInAnyOrderElementsOf(expected);
      }
      JsonObject status = scene.status();
      Instant last = made.keySet().stream().max(Instant::compareTo).orElseThrow();
      assertThat(status.text("lastScheduleTime")).isEqualTo(Times.format(last));
      List<String> running =
          scene.jobs().stream()
              .filter(job -> !isFinished(job))
              .map(job -> Metadata.of(job).uid())
              .toList();
      assertThat(status.array("active").objects().stream().map(job -> job.text("uid")).toList())
          .containsExactlyInAnyOrderElementsOf(running);
      assertThat(scene.jobs().stream().filter(CronJobHistoryTest::isComplete).count())
          .isLessThanOrEqualTo(limit("successfulJobsHistoryLimit"));
      assertThat(scene.jobs().size() - running.size())
          .isLessThanOrEqualTo(
              (int) (limit("successfulJobsHistoryLimit") + limit("failedJobsHistoryLimit")));
    }

    private long limit(String field) {
      return scene.cronJob().object("spec").integer(field).orElseThrow();
    }

    @Override
    public void close() {
      scene.close();
    }
  }

  private static boolean isComplete(JsonObject job) {
    return job.object("status").array("conditions").objects().stream()
        .anyMatch(condition -> condition.text("type", "").equals("Complete"));
  }
}
