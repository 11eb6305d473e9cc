package dev.berth.sim.cronjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.cronjob.CronJobController;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.InterceptedApi;
import dev.berth.sim.history.History;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whatever fails and crashes, no time ever has two jobs, and as long as the controller is not away
 * for longer than the deadline, each has one.
 */
class CronJobHistoryTest {
  private static final int STEPS = 150;

  @SeededTest(
      fixed = 17,
      fresh = 8,
      each = {"Allow", "Forbid", "Replace"})
  void eachTimeHasOneJob(long seed, String policy) {
    History.run(() -> new Run(seed, policy));
  }

  private static final class Run extends History {
    private final CronJobFixture fixture = new CronJobFixture(cluster);
    private final String policy;
    private final Map<Instant, Integer> made = new HashMap<>();

    Run(long seed, String policy) {
      super(seed, STEPS, Duration.ofMinutes(3));
      this.policy = policy;
      fixture.until(Duration.ZERO);
      cluster.run("cron-jobs", () -> CronJobController.start(parts(CronJobController.ACCOUNT)));
      fixture.with(
          "*/3 * * * *",
          "'concurrencyPolicy':'%s','successfulJobsHistoryLimit':%d,'failedJobsHistoryLimit':%d,'startingDeadlineSeconds':170,"
              .formatted(policy, random.nextInt(3), random.nextInt(2)));
      crashes(1, "cron-jobs");
      step(1, "change the limit", this::changeLimit);
      step(5, "jobs end", () -> running().forEach(this::finish));
    }

    @Override
    protected Api between(Api server) {
      return new InterceptedApi(server, this::send);
    }

    /** Counts the jobs that the server has made, by the time they are for. */
    private ApiResult send(ApiRequest request, Api real) {
      ApiResult result = real.send(request);
      if (request instanceof ApiRequest.Create(var target, JsonObject job)
          && target.resource().equals(Resources.JOBS)
          && result.isDone()) {
        made.merge(CronJobFixture.scheduledTime(job), 1, Integer::sum);
        jobWasMade();
      }
      return result;
    }

    /**
     * Where concurrency is forbidden, a job starts only when no other runs. Some jobs end before
     * their controller has written down that it started them.
     */
    private void jobWasMade() {
      if (policy.equals("Forbid")) {
        assertThat(running()).hasSizeLessThanOrEqualTo(1);
      }
      if (random.nextInt(3) == 0) {
        running().forEach(this::finish);
      }
    }

    private List<JsonObject> running() {
      return fixture.jobs().stream().filter(job -> !isFinished(job)).toList();
    }

    private static boolean isFinished(JsonObject job) {
      return !job.object("status").array("conditions").isEmpty();
    }

    private void finish(JsonObject job) {
      fixture.finish(job, random.nextBoolean() ? "Complete" : "Failed");
    }

    private void changeLimit() {
      fixture.patch("{'successfulJobsHistoryLimit':" + random.nextInt(3) + "}");
    }

    @Override
    protected void pause() {
      cluster.advance(upTo(Duration.ofSeconds(40)));
    }

    @Override
    protected void checkInvariant() {
      assertThat(made).allSatisfy((time, count) -> assertThat(count).as("" + time).isEqualTo(1));
    }

    @Override
    protected void calmDown() {
      running().forEach(this::finish);
    }

    @Override
    protected void checkEnd() {
      // Not at the very moment of a job.
      long minutes =
          3 + Duration.between(fixture.midnight, cluster.time().now()).toMinutes() / 3 * 3;
      fixture.minute(minutes + 2);
      List<Instant> expected = new ArrayList<>();
      for (long minute = 3; minute <= minutes; minute += 3) {
        expected.add(fixture.midnight.plus(Duration.ofMinutes(minute)));
      }
      if (policy.equals("Forbid")) {
        // Those that found another job running are missed, the last one perhaps too.
        assertThat(expected).containsAll(made.keySet());
      } else {
        assertThat(made.keySet()).containsExactlyInAnyOrderElementsOf(expected);
      }
      JsonObject status = fixture.status();
      Instant last = made.keySet().stream().max(Instant::compareTo).orElseThrow();
      assertThat(status.text("lastScheduleTime")).isEqualTo(Times.format(last));
      List<String> running = running().stream().map(job -> Metadata.of(job).uid()).toList();
      assertThat(status.array("active").objects().stream().map(job -> job.text("uid")).toList())
          .containsExactlyInAnyOrderElementsOf(running);
      assertThat(fixture.jobs().stream().filter(CronJobHistoryTest::isComplete).count())
          .isLessThanOrEqualTo(limit("successfulJobsHistoryLimit"));
      assertThat(fixture.jobs().size() - running.size())
          .isLessThanOrEqualTo(
              (int) (limit("successfulJobsHistoryLimit") + limit("failedJobsHistoryLimit")));
    }

    private long limit(String field) {
      return fixture.cronJob().object("spec").integer(field).orElseThrow();
    }
  }

  private static boolean isComplete(JsonObject job) {
    return job.object("status").array("conditions").objects().stream()
        .anyMatch(condition -> condition.text("type", "").equals("Complete"));
  }
}
