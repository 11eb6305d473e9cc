package dev.berth.sim.cronjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.DeleteOptions;
import dev.berth.client.DeleteOptions.Propagation;
import dev.berth.client.Resources;
import dev.berth.controllers.cronjob.CronJobs;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.meta.Times;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs start at their times, one for each, and the status says so. */
class CronJobTest {
  private final CronScene scene = new CronScene(new VirtualCluster(1));

  @BeforeEach
  void start() {
    scene.cluster.run("cron-jobs", () -> CronJobs.start(scene.cluster.parts(CronJobs.ACCOUNT)));
  }

  @AfterEach
  void stop() {
    assertThat(scene.cluster.warnings()).isEmpty();
    scene.close();
  }

  @Test
  void startsAJobAtEachOfItsTimes() {
    scene.with("*/10 * * * *", "");
    scene.minute(9);
    assertThat(scene.jobs()).isEmpty();
    scene.minute(10);
    assertThat(scene.minutes()).containsExactly(10L);
    scene.minute(35);
    assertThat(scene.minutes()).containsExactly(10L, 20L, 30L);
    assertThat(scene.active()).containsExactly(10L, 20L, 30L);
    assertThat(scene.status().text("lastScheduleTime"))
        .isEqualTo(Times.format(scene.midnight.plus(Duration.ofMinutes(30))));
    assertThat(scene.told("SuccessfulCreate")).isNotEmpty();
    assertThat(scene.cluster.metrics(CronJobs.ACCOUNT))
        .contains("cronjob_controller_job_creation_skew_duration_seconds_count 3");
  }

  @Test
  void aJobIsMadeFromTheTemplateAndNamedAfterItsTime() {
    scene.with("@daily", "'timeZone':'Asia/Tokyo',");
    scene.until(Duration.ofHours(15));
    JsonObject job = scene.jobs().getFirst();
    Metadata metadata = Metadata.of(job);
    long minutes = scene.midnight.plus(Duration.ofHours(15)).getEpochSecond() / 60;
    assertThat(metadata.name()).isEqualTo("tick-" + minutes);
    assertThat(metadata.label("a")).contains("b");
    assertThat(metadata.annotation("c")).contains("d");
    assertThat(metadata.annotation(WellKnownAnnotations.CRON_JOB_SCHEDULED_TIMESTAMP).orElseThrow())
        .endsWith("T00:00:00+09:00");
    assertThat(metadata.controller()).contains(OwnerReference.controllerOf(scene.cronJob()));
    JsonObject reference = scene.status().array("active").objects().getFirst();
    assertThat(reference.text("uid")).isEqualTo(metadata.uid());
    assertThat(reference.text("kind")).isEqualTo("Job");
    assertThat(reference.text("apiVersion")).isEqualTo("batch/v1");
    assertThat(reference.text("name")).isEqualTo(metadata.name());
  }

  @Test
  void aDayOfEveryMinuteHasAJobForEach() {
    scene.with("* * * * *", "");
    for (long minute = 1; minute <= 1_440; minute++) {
      scene.minute(minute);
      scene.finish(minute, "Complete");
    }
    assertThat(scene.minutes()).containsExactly(1_438L, 1_439L, 1_440L);
    assertThat(scene.active()).isEmpty();
    assertThat(scene.cluster.metrics(CronJobs.ACCOUNT))
        .contains("cronjob_controller_job_creation_skew_duration_seconds_count 1440");
  }

  @Test
  void aJobThatEndsIsNoLongerActive() {
    scene.with("*/10 * * * *", "");
    scene.minute(10);
    scene.finish(10, "Complete");
    assertThat(scene.active()).isEmpty();
    assertThat(scene.told("SawCompletedJob").getFirst()).endsWith(", condition: Complete");
    assertThat(scene.status().text("lastSuccessfulTime"))
        .isEqualTo(Times.format(scene.midnight.plus(Duration.ofMinutes(10))));
    scene.minute(20);
    scene.finish(20, "Failed");
    assertThat(scene.active()).isEmpty();
    assertThat(scene.status().text("lastSuccessfulTime"))
        .isEqualTo(Times.format(scene.midnight.plus(Duration.ofMinutes(10))));
  }

  @Test
  void keepsAsManyFinishedJobsAsItSays() {
    scene.with("*/10 * * * *", "'successfulJobsHistoryLimit':2,'failedJobsHistoryLimit':1,");
    for (long minute = 10; minute <= 80; minute += 10) {
      scene.minute(minute);
      scene.finish(minute, minute % 20 == 0 ? "Failed" : "Complete");
    }
    assertThat(scene.minutes()).containsExactly(50L, 70L, 80L);
    assertThat(scene.told("SuccessfulDelete")).isNotEmpty();
    scene.patch("{'successfulJobsHistoryLimit':0}");
    assertThat(scene.minutes()).containsExactly(80L);
  }

  @Test
  void oneThatForbidsConcurrencyWaitsForItsJob() {
    scene.with("*/10 * * * *", "'concurrencyPolicy':'Forbid',");
    scene.minute(25);
    assertThat(scene.minutes()).containsExactly(10L);
    assertThat(scene.told("JobAlreadyActive")).hasSize(1);
    scene.finish(10, "Complete");
    assertThat(scene.minutes()).as("what it missed last starts late").containsExactly(10L, 20L);
  }

  @Test
  void oneThatReplacesDeletesTheJobThatRuns() {
    scene.with("*/10 * * * *", "'concurrencyPolicy':'Replace',");
    scene.minute(25);
    assertThat(scene.minutes()).containsExactly(20L);
    assertThat(scene.active()).containsExactly(20L);
  }

  @Test
  void aJobThatSomethingKeepsIsReplacedAllTheSame() {
    scene.with("*/10 * * * *", "'concurrencyPolicy':'Replace',");
    scene.minute(10);
    JsonObject first = scene.jobs().getFirst();
    scene.cluster.patch(
        Resources.JOBS, ObjectName.of(first), "{'metadata':{'finalizers':['a.b/c']}}");
    scene.minute(25);
    assertThat(scene.minutes()).containsExactly(10L, 20L);
    assertThat(scene.active()).containsExactly(20L);
  }

  @Test
  void whatIsTooLateIsMissed() {
    scene.with("*/10 * * * *", "'startingDeadlineSeconds':60,");
    scene.cluster.crash("cron-jobs");
    scene.minute(12);
    scene.cluster.restart("cron-jobs");
    assertThat(scene.jobs()).isEmpty();
    assertThat(scene.told("MissSchedule").getFirst())
        .startsWith("Missed scheduled time to start a job: ")
        .endsWith(" 00:10:00 +0000");
    scene.cluster.crash("cron-jobs");
    scene.until(Duration.ofMinutes(20).plusSeconds(60));
    scene.cluster.restart("cron-jobs");
    assertThat(scene.minutes()).as("this one is just in time").containsExactly(20L);
  }

  @Test
  void ofManyMissedTimesTheLatestIsMadeUpFor() {
    scene.with("* * * * *", "");
    scene.cluster.crash("cron-jobs");
    scene.until(Duration.ofMinutes(100).plusSeconds(30));
    scene.cluster.restart("cron-jobs");
    assertThat(scene.minutes()).containsExactly(100L);
    assertThat(scene.told("TooManyMissedTimes")).isEmpty();

    scene.cluster.crash("cron-jobs");
    scene.until(Duration.ofMinutes(201).plusSeconds(30));
    scene.cluster.restart("cron-jobs");
    assertThat(scene.minutes()).containsExactly(100L, 201L);
    assertThat(scene.told("TooManyMissedTimes")).hasSize(1);
  }

  @Test
  void oneThatIsSuspendedStartsNothing() {
    scene.with("*/10 * * * *", "'suspend':true,");
    scene.minute(25);
    assertThat(scene.jobs()).isEmpty();
    scene.patch("{'suspend':false}");
    assertThat(scene.minutes()).containsExactly(20L);
    scene.minute(30);
    assertThat(scene.minutes()).containsExactly(20L, 30L);
  }

  @Test
  void aNewScheduleIsNotMadeUpFor() {
    scene.with("0 12 * * *", "");
    scene.minute(25);
    scene.patch("{'schedule':'*/10 * * * *'}");
    assertThat(scene.jobs()).isEmpty();
    scene.minute(30);
    assertThat(scene.minutes()).containsExactly(30L);
  }

  @Test
  void followsTheClocksOfItsZone() {
    scene.with("30 4 * * *", "'timeZone':'Asia/Kathmandu',");
    scene.until(Duration.ofHours(24));
    assertThat(scene.minutes()).containsExactly(22 * 60 + 45L);
  }

  @Test
  void aDelayCountsFromTheLastStart() {
    scene.with("@every 90m", "'startingDeadlineSeconds':30,");
    scene.until(Duration.ofHours(5));
    assertThat(scene.minutes()).containsExactly(90L, 180L, 270L);
  }

  @Test
  void atMostOneJobAMinute() {
    scene.with("@every 20s", "");
    scene.until(Duration.ofSeconds(190));
    assertThat(scene.jobs()).hasSize(4);
    assertThat(scene.status().text("lastScheduleTime"))
        .isEqualTo(Times.format(scene.midnight.plusSeconds(180)));
  }

  @Test
  void aTimeThatNeverComesIsTold() {
    scene.with("0 0 30 2 *", "");
    assertThat(scene.told("InvalidSchedule")).hasSize(1);
    scene.until(Duration.ofDays(2));
    assertThat(scene.jobs()).isEmpty();
  }

  @Test
  void aJobThatSomebodyMadeFromItIsNotCountedButKeptForAWhile() {
    scene.with("*/10 * * * *", "'concurrencyPolicy':'Forbid','successfulJobsHistoryLimit':0,");
    JsonObject owner = OwnerReference.controllerOf(scene.cronJob()).toTree();
    scene.cluster.create(
        Resources.JOBS,
        "{'metadata':{'namespace':'default','name':'by-hand','ownerReferences':[%s]},'spec':{'template':{'spec':{%s}}}}"
            .formatted(owner, CronScene.ONE_CONTAINER));
    scene.minute(10);
    assertThat(scene.jobs()).hasSize(2);
    assertThat(scene.active()).containsExactly(10L);
    assertThat(scene.told("UnexpectedJob"))
        .containsExactly("Saw a job that the controller did not create or forgot: by-hand");
    JsonObject byHand =
        scene.jobs().stream()
            .filter(job -> Metadata.of(job).name().equals("by-hand"))
            .findFirst()
            .orElseThrow();
    scene.finish(byHand, "Complete");
    scene.cluster.settle();
    assertThat(scene.jobs()).as("it counts among those that are kept").hasSize(1);
  }

  @Test
  void anActiveJobThatIsGoneIsForgotten() {
    scene.with("*/10 * * * *", "'concurrencyPolicy':'Forbid',");
    scene.minute(10);
    JsonObject job = scene.jobs().getFirst();
    DeleteOptions atOnce = DeleteOptions.NONE.propagation(Propagation.BACKGROUND);
    scene.cluster.admin().delete(Resources.JOBS, ObjectName.of(job), atOnce);
    scene.cluster.settle();
    assertThat(scene.active()).isEmpty();
    assertThat(scene.told("MissingJob"))
        .containsExactly("Active job went missing: " + Metadata.of(job).name());
    assertThat(scene.jobs()).as("its time is not made up for").isEmpty();
    scene.minute(20);
    assertThat(scene.minutes()).containsExactly(20L);
  }

  @Test
  void aJobOfAnothersNameIsLeftAlone() {
    scene.with("*/10 * * * *", "");
    long minutes = scene.midnight.plus(Duration.ofMinutes(10)).getEpochSecond() / 60;
    scene.cluster.create(
        Resources.JOBS,
        "{'metadata':{'namespace':'default','name':'tick-%d'},'spec':{'template':{'spec':{%s}}}}"
            .formatted(minutes, CronScene.ONE_CONTAINER));
    scene.minute(25);
    assertThat(scene.active()).containsExactly(20L);
    assertThat(scene.told("FailedCreate").getFirst())
        .endsWith("somebody else's job is called tick-" + minutes);
  }

  @Test
  void oneThatIsBeingDeletedStartsNothing() {
    scene.with("*/10 * * * *", "");
    scene.minute(10);
    scene.cluster.patch(
        Resources.CRON_JOBS, CronScene.TICK, "{'metadata':{'finalizers':['a.b/c']}}");
    scene.cluster.admin().delete(Resources.CRON_JOBS, CronScene.TICK, DeleteOptions.NONE);
    scene.minute(20);
    assertThat(scene.minutes()).containsExactly(10L);
    scene.finish(10, "Complete");
    assertThat(scene.status().array("active").isEmpty()).isTrue();
  }

  @Test
  void oneThatIsMadeAgainStartsAfresh() {
    scene.with("*/10 * * * *", "");
    scene.minute(10);
    scene.cluster.delete(Resources.CRON_JOBS, CronScene.TICK);
    scene.minute(15);
    scene.with("*/10 * * * *", "'suspend':false,");
    assertThat(scene.status().array("active").isEmpty()).isTrue();
    scene.minute(20);
    assertThat(scene.active()).containsExactly(20L);
    assertThat(scene.minutes()).containsExactly(10L, 20L);
  }
}
