package dev.berth.sim.cronjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.DeleteOptions;
import dev.berth.client.DeleteOptions.Propagation;
import dev.berth.client.Resources;
import dev.berth.controllers.cronjob.CronJobController;
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
  private final CronJobFixture fixture = new CronJobFixture(new VirtualCluster(1));

  @BeforeEach
  void start() {
    fixture.cluster.run(
        "cron-jobs",
        () -> CronJobController.start(fixture.cluster.parts(CronJobController.ACCOUNT)));
  }

  @AfterEach
  void stop() {
    assertThat(fixture.cluster.warnings()).isEmpty();
    fixture.close();
  }

  @Test
  void startsAJobAtEachOfItsTimes() {
    fixture.with("*/10 * * * *", "");
    fixture.minute(9);
    assertThat(fixture.jobs()).isEmpty();
    fixture.minute(10);
    assertThat(fixture.minutes()).containsExactly(10L);
    fixture.minute(35);
    assertThat(fixture.minutes()).containsExactly(10L, 20L, 30L);
    assertThat(fixture.active()).containsExactly(10L, 20L, 30L);
    assertThat(fixture.status().text("lastScheduleTime"))
        .isEqualTo(Times.format(fixture.midnight.plus(Duration.ofMinutes(30))));
    assertThat(fixture.events("SuccessfulCreate")).isNotEmpty();
    assertThat(fixture.cluster.metrics(CronJobController.ACCOUNT))
        .contains("cronjob_controller_job_creation_skew_duration_seconds_count 3");
  }

  @Test
  void aJobIsMadeFromTheTemplateAndNamedAfterItsTime() {
    fixture.with("@daily", "'timeZone':'Asia/Tokyo',");
    fixture.until(Duration.ofHours(15));
    JsonObject job = fixture.jobs().getFirst();
    Metadata metadata = Metadata.of(job);
    long minutes = fixture.midnight.plus(Duration.ofHours(15)).getEpochSecond() / 60;
    assertThat(metadata.name()).isEqualTo("tick-" + minutes);
    assertThat(metadata.label("a")).contains("b");
    assertThat(metadata.annotation("c")).contains("d");
    assertThat(metadata.annotation(WellKnownAnnotations.CRON_JOB_SCHEDULED_TIMESTAMP).orElseThrow())
        .endsWith("T00:00:00+09:00");
    assertThat(metadata.controller()).contains(OwnerReference.controllerOf(fixture.cronJob()));
    JsonObject reference = fixture.status().array("active").objects().getFirst();
    assertThat(reference.text("uid")).isEqualTo(metadata.uid());
    assertThat(reference.text("kind")).isEqualTo("Job");
    assertThat(reference.text("apiVersion")).isEqualTo("batch/v1");
    assertThat(reference.text("name")).isEqualTo(metadata.name());
  }

  @Test
  void aDayOfEveryMinuteHasAJobForEach() {
    fixture.with("* * * * *", "");
    for (long minute = 1; minute <= 1_440; minute++) {
      fixture.minute(minute);
      fixture.finish(minute, "Complete");
    }
    assertThat(fixture.minutes()).containsExactly(1_438L, 1_439L, 1_440L);
    assertThat(fixture.active()).isEmpty();
    assertThat(fixture.cluster.metrics(CronJobController.ACCOUNT))
        .contains("cronjob_controller_job_creation_skew_duration_seconds_count 1440");
  }

  @Test
  void aJobThatEndsIsNoLongerActive() {
    fixture.with("*/10 * * * *", "");
    fixture.minute(10);
    fixture.finish(10, "Complete");
    assertThat(fixture.active()).isEmpty();
    assertThat(fixture.events("SawCompletedJob").getFirst()).endsWith(", condition: Complete");
    assertThat(fixture.status().text("lastSuccessfulTime"))
        .isEqualTo(Times.format(fixture.midnight.plus(Duration.ofMinutes(10))));
    fixture.minute(20);
    fixture.finish(20, "Failed");
    assertThat(fixture.active()).isEmpty();
    assertThat(fixture.status().text("lastSuccessfulTime"))
        .isEqualTo(Times.format(fixture.midnight.plus(Duration.ofMinutes(10))));
  }

  @Test
  void keepsAsManyFinishedJobsAsItSays() {
    fixture.with("*/10 * * * *", "'successfulJobsHistoryLimit':2,'failedJobsHistoryLimit':1,");
    for (long minute = 10; minute <= 80; minute += 10) {
      fixture.minute(minute);
      fixture.finish(minute, minute % 20 == 0 ? "Failed" : "Complete");
    }
    assertThat(fixture.minutes()).containsExactly(50L, 70L, 80L);
    assertThat(fixture.events("SuccessfulDelete")).isNotEmpty();
    fixture.patch("{'successfulJobsHistoryLimit':0}");
    assertThat(fixture.minutes()).containsExactly(80L);
  }

  @Test
  void oneThatForbidsConcurrencyWaitsForItsJob() {
    fixture.with("*/10 * * * *", "'concurrencyPolicy':'Forbid',");
    fixture.minute(25);
    assertThat(fixture.minutes()).containsExactly(10L);
    assertThat(fixture.events("JobAlreadyActive")).hasSize(1);
    fixture.finish(10, "Complete");
    assertThat(fixture.minutes()).as("what it missed last starts late").containsExactly(10L, 20L);
  }

  @Test
  void oneThatReplacesDeletesTheJobThatRuns() {
    fixture.with("*/10 * * * *", "'concurrencyPolicy':'Replace',");
    fixture.minute(25);
    assertThat(fixture.minutes()).containsExactly(20L);
    assertThat(fixture.active()).containsExactly(20L);
  }

  @Test
  void aJobThatSomethingKeepsIsReplacedAllTheSame() {
    fixture.with("*/10 * * * *", "'concurrencyPolicy':'Replace',");
    fixture.minute(10);
    JsonObject first = fixture.jobs().getFirst();
    fixture.cluster.patch(
        Resources.JOBS, ObjectName.of(first), "{'metadata':{'finalizers':['a.b/c']}}");
    fixture.minute(25);
    assertThat(fixture.minutes()).containsExactly(10L, 20L);
    assertThat(fixture.active()).containsExactly(20L);
  }

  @Test
  void whatIsTooLateIsMissed() {
    fixture.with("*/10 * * * *", "'startingDeadlineSeconds':60,");
    fixture.cluster.crash("cron-jobs");
    fixture.minute(12);
    fixture.cluster.restart("cron-jobs");
    assertThat(fixture.jobs()).isEmpty();
    assertThat(fixture.events("MissSchedule").getFirst())
        .startsWith("Missed scheduled time to start a job: ")
        .endsWith(" 00:10:00 +0000");
    fixture.cluster.crash("cron-jobs");
    fixture.until(Duration.ofMinutes(20).plusSeconds(60));
    fixture.cluster.restart("cron-jobs");
    assertThat(fixture.minutes()).as("this one is just in time").containsExactly(20L);
  }

  @Test
  void ofManyMissedTimesTheLatestIsMadeUpFor() {
    fixture.with("* * * * *", "");
    fixture.cluster.crash("cron-jobs");
    fixture.until(Duration.ofMinutes(100).plusSeconds(30));
    fixture.cluster.restart("cron-jobs");
    assertThat(fixture.minutes()).containsExactly(100L);
    assertThat(fixture.events("TooManyMissedTimes")).isEmpty();

    fixture.cluster.crash("cron-jobs");
    fixture.until(Duration.ofMinutes(201).plusSeconds(30));
    fixture.cluster.restart("cron-jobs");
    assertThat(fixture.minutes()).containsExactly(100L, 201L);
    assertThat(fixture.events("TooManyMissedTimes")).hasSize(1);
  }

  @Test
  void oneThatIsSuspendedStartsNothing() {
    fixture.with("*/10 * * * *", "'suspend':true,");
    fixture.minute(25);
    assertThat(fixture.jobs()).isEmpty();
    fixture.patch("{'suspend':false}");
    assertThat(fixture.minutes()).containsExactly(20L);
    fixture.minute(30);
    assertThat(fixture.minutes()).containsExactly(20L, 30L);
  }

  @Test
  void aNewScheduleIsNotMadeUpFor() {
    fixture.with("0 12 * * *", "");
    fixture.minute(25);
    fixture.patch("{'schedule':'*/10 * * * *'}");
    assertThat(fixture.jobs()).isEmpty();
    fixture.minute(30);
    assertThat(fixture.minutes()).containsExactly(30L);
  }

  @Test
  void followsTheClocksOfItsZone() {
    fixture.with("30 4 * * *", "'timeZone':'Asia/Kathmandu',");
    fixture.until(Duration.ofHours(24));
    assertThat(fixture.minutes()).containsExactly(22 * 60 + 45L);
  }

  @Test
  void aDelayCountsFromTheLastStart() {
    fixture.with("@every 90m", "'startingDeadlineSeconds':30,");
    fixture.until(Duration.ofHours(5));
    assertThat(fixture.minutes()).containsExactly(90L, 180L, 270L);
  }

  @Test
  void atMostOneJobAMinute() {
    fixture.with("@every 20s", "");
    fixture.until(Duration.ofSeconds(190));
    assertThat(fixture.jobs()).hasSize(4);
    assertThat(fixture.status().text("lastScheduleTime"))
        .isEqualTo(Times.format(fixture.midnight.plusSeconds(180)));
  }

  @Test
  void aTimeThatNeverComesIsTold() {
    fixture.with("0 0 30 2 *", "");
    assertThat(fixture.events("InvalidSchedule")).hasSize(1);
    fixture.until(Duration.ofDays(2));
    assertThat(fixture.jobs()).isEmpty();
  }

  @Test
  void aJobThatSomebodyMadeFromItIsNotCountedButKeptForAWhile() {
    fixture.with("*/10 * * * *", "'concurrencyPolicy':'Forbid','successfulJobsHistoryLimit':0,");
    JsonObject owner = OwnerReference.controllerOf(fixture.cronJob()).toTree();
    fixture.cluster.create(
        Resources.JOBS,
        "{'metadata':{'namespace':'default','name':'by-hand','ownerReferences':[%s]},'spec':{'template':{'spec':{%s}}}}"
            .formatted(owner, CronJobFixture.ONE_CONTAINER));
    fixture.minute(10);
    assertThat(fixture.jobs()).hasSize(2);
    assertThat(fixture.active()).containsExactly(10L);
    assertThat(fixture.events("UnexpectedJob"))
        .containsExactly("Saw a job that the controller did not create or forgot: by-hand");
    JsonObject byHand =
        fixture.jobs().stream()
            .filter(job -> Metadata.of(job).name().equals("by-hand"))
            .findFirst()
            .orElseThrow();
    fixture.finish(byHand, "Complete");
    fixture.cluster.settle();
    assertThat(fixture.jobs()).as("it counts among those that are kept").hasSize(1);
  }

  @Test
  void anActiveJobThatIsGoneIsForgotten() {
    fixture.with("*/10 * * * *", "'concurrencyPolicy':'Forbid',");
    fixture.minute(10);
    JsonObject job = fixture.jobs().getFirst();
    DeleteOptions atOnce = DeleteOptions.NONE.propagation(Propagation.BACKGROUND);
    fixture.cluster.admin().delete(Resources.JOBS, ObjectName.of(job), atOnce);
    fixture.cluster.settle();
    assertThat(fixture.active()).isEmpty();
    assertThat(fixture.events("MissingJob"))
        .containsExactly("Active job went missing: " + Metadata.of(job).name());
    assertThat(fixture.jobs()).as("its time is not made up for").isEmpty();
    fixture.minute(20);
    assertThat(fixture.minutes()).containsExactly(20L);
  }

  @Test
  void aJobOfAnothersNameIsLeftAlone() {
    fixture.with("*/10 * * * *", "");
    long minutes = fixture.midnight.plus(Duration.ofMinutes(10)).getEpochSecond() / 60;
    fixture.cluster.create(
        Resources.JOBS,
        "{'metadata':{'namespace':'default','name':'tick-%d'},'spec':{'template':{'spec':{%s}}}}"
            .formatted(minutes, CronJobFixture.ONE_CONTAINER));
    fixture.minute(25);
    assertThat(fixture.active()).containsExactly(20L);
    assertThat(fixture.events("FailedCreate").getFirst())
        .endsWith("somebody else's job is called tick-" + minutes);
  }

  @Test
  void oneThatIsBeingDeletedStartsNothing() {
    fixture.with("*/10 * * * *", "");
    fixture.minute(10);
    fixture.cluster.patch(
        Resources.CRON_JOBS, CronJobFixture.TICK, "{'metadata':{'finalizers':['a.b/c']}}");
    fixture.cluster.admin().delete(Resources.CRON_JOBS, CronJobFixture.TICK, DeleteOptions.NONE);
    fixture.minute(20);
    assertThat(fixture.minutes()).containsExactly(10L);
    fixture.finish(10, "Complete");
    assertThat(fixture.status().array("active").isEmpty()).isTrue();
  }

  @Test
  void oneThatIsMadeAgainStartsAfresh() {
    fixture.with("*/10 * * * *", "");
    fixture.minute(10);
    fixture.cluster.delete(Resources.CRON_JOBS, CronJobFixture.TICK);
    fixture.minute(15);
    fixture.with("*/10 * * * *", "'suspend':false,");
    assertThat(fixture.status().array("active").isEmpty()).isTrue();
    fixture.minute(20);
    assertThat(fixture.active()).containsExactly(20L);
    assertThat(fixture.minutes()).containsExactly(10L, 20L);
  }
}
