package dev.berth.policy.cronjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.batch.CronJobView;
import dev.berth.model.batch.JobReference;
import dev.berth.model.batch.JobView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.policy.reconcile.Note;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A cron job of every ten minutes, made at eight; it is 8:25. */
class CronJobPlanTest {
  private static final Instant EIGHT = Instant.parse("2026-07-09T08:00:00Z");
  private static final Instant NOW = EIGHT.plus(Duration.ofMinutes(25));
  private static final String RUNS = "{}";
  private static final String COMPLETE =
      "{'completionTime':'2026-07-09T08:15:00Z','conditions':[{'type':'Complete','status':'True'}]}";
  private static final String FAILED = "{'conditions':[{'type':'Failed','status':'True'}]}";

  private static JsonObject tree(String json) {
    return JsonReader.object(
        json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.REQUEST);
  }

  private static JsonObject cronJob(String spec, String status) {
    String schedule = spec.contains("'schedule'") ? "'suspend':false" : "'schedule':'*/10 * * * *'";
    return tree(
        "{'kind':'CronJob','apiVersion':'batch/v1','metadata':{'name':'c','namespace':'n','uid':'u','creationTimestamp':'%s'},'spec':{%s%s},'status':%s}"
            .formatted(EIGHT, schedule, spec, status));
  }

  /** The job of a minute after eight, whose uid is that minute. */
  private static CronJobChild job(int minute, String status) {
    Instant time = EIGHT.plus(Duration.ofMinutes(minute));
    return new CronJobChild(
        new JobView(
            tree(
                "{'metadata':{'name':'c-%d','namespace':'n','uid':'%d','annotations':{'batch.kubernetes.io/cronjob-scheduled-timestamp':'%s'}},'status':%s}"
                    .formatted(time.getEpochSecond() / 60, minute, time, status))),
        false);
  }

  private static String status(int last, int... active) {
    Stream<String> references =
        Arrays.stream(active)
            .mapToObj(minute -> "{'name':'c-%d','uid':'%d'}".formatted(minute, minute));
    return "{'lastScheduleTime':'%s','active':[%s]}"
        .formatted(EIGHT.plus(Duration.ofMinutes(last)), String.join(",", references.toList()));
  }

  private static CronJobPlan decide(JsonObject cronJob, CronJobChild... children) {
    return decide(
        new CronJobSnapshot(
            CronJobView.read(cronJob),
            List.of(children),
            Set.of(),
            Optional.empty(),
            Optional.empty(),
            List.of()));
  }

  private static CronJobPlan decide(CronJobSnapshot snapshot) {
    return CronJobPlan.decide(snapshot, NOW);
  }

  /** What is done, in a few words. */
  private static String words(CronJobPlan plan) {
    if (plan.goesOn()) {
      JsonObject status = plan.withStatus().object("status");
      return "write %d active, last %s%s"
          .formatted(
              status.array("active").size(),
              status.text("lastScheduleTime", "never"),
              reasons(plan.notes()));
    }
    String done =
        plan.actions().stream().map(CronJobPlanTest::words).collect(Collectors.joining(", "));
    String waits = "wait " + plan.next().map(Instant::toString).orElse("for ever");
    return (done.isEmpty() ? waits : done) + reasons(plan.remarks());
  }

  private static String words(CronJobAction action) {
    return switch (action) {
      case CronJobAction.Check(List<JobReference> jobs) -> "check " + jobs.size();
      case CronJobAction.Delete(List<JsonObject> jobs) ->
          "delete " + jobs.stream().map(job -> Metadata.of(job).uid()).toList();
      case CronJobAction.Start start -> "start " + start.time();
    };
  }

  private static String reasons(List<Note> notes) {
    return notes.isEmpty() ? "" : " " + notes.stream().map(Note::reason).toList();
  }

  private static Arguments row(
      String name, String expected, JsonObject cronJob, CronJobChild... jobs) {
    return argumentSet(name, expected, cronJob, jobs);
  }

  static Stream<Arguments> rows() {
    CronJobChild manual =
        new CronJobChild(
            new JobView(tree("{'metadata':{'name':'m','uid':'m'},'status':{}}")), false);
    return Stream.of(
        row("a new one", "start 2026-07-09T08:20:00Z", cronJob("", "{}")),
        row("one that is up to date", "wait 2026-07-09T08:30:00Z", cronJob("", status(20))),
        row(
            "a job that was started and not entered",
            "write 1 active, last 2026-07-09T08:20:00Z",
            cronJob("", status(10)),
            job(20, RUNS)),
        row(
            "one that ended before it was entered",
            "write 0 active, last 2026-07-09T08:20:00Z",
            cronJob("", status(10)),
            job(20, COMPLETE)),
        row(
            "a job that ended",
            "write 0 active, last 2026-07-09T08:20:00Z [SawCompletedJob]",
            cronJob("", status(20, 20)),
            job(20, FAILED)),
        row("a job that nobody has heard of", "check 1", cronJob("", status(20, 20))),
        row(
            "too many that ended",
            "delete [0, 10]",
            cronJob(",'failedJobsHistoryLimit':1", status(20)),
            job(0, FAILED),
            job(10, FAILED),
            job(20, FAILED)),
        row(
            "a job of somebody else's making",
            "start 2026-07-09T08:20:00Z [UnexpectedJob]",
            cronJob(",'concurrencyPolicy':'Forbid'", status(10)),
            manual),
        row(
            "an earlier job runs, which is allowed",
            "start 2026-07-09T08:20:00Z",
            cronJob("", status(10, 10)),
            job(10, RUNS)),
        row(
            "an earlier job runs, which is forbidden",
            "wait 2026-07-09T08:30:00Z [JobAlreadyActive]",
            cronJob(",'concurrencyPolicy':'Forbid'", status(10, 10)),
            job(10, RUNS)),
        row(
            "an earlier job runs, which is replaced",
            "delete [10], start 2026-07-09T08:20:00Z",
            cronJob(",'concurrencyPolicy':'Replace'", status(10, 10)),
            job(10, RUNS)),
        row(
            "an earlier job was deleted to make way",
            "write 0 active, last 2026-07-09T08:10:00Z",
            cronJob(",'concurrencyPolicy':'Replace'", status(10, 10)),
            new CronJobChild(job(10, RUNS).job(), true)),
        row(
            "just in time",
            "start 2026-07-09T08:20:00Z",
            cronJob(",'startingDeadlineSeconds':300", "{}")),
        row(
            "too late",
            "wait 2026-07-09T08:30:00Z [MissSchedule]",
            cronJob(",'startingDeadlineSeconds':299", "{}")),
        row("suspended", "wait for ever", cronJob(",'suspend':true", "{}")),
        row(
            "no such zone",
            "wait for ever [UnknownTimeZone]",
            cronJob(",'timeZone':'Mars/Olympus'", "{}")),
        row(
            "no schedule",
            "wait for ever [UnparseableSchedule]",
            cronJob(",'schedule':'now and then'", "{}")),
        row(
            "a zone in the schedule",
            "start 2026-07-09T08:15:00Z [UnsupportedSchedule]",
            cronJob(",'schedule':'TZ=Asia/Kathmandu 0 14 * * *'", "{}")),
        row(
            "a time that never comes",
            "wait for ever [InvalidSchedule]",
            cronJob(",'schedule':'0 0 30 2 *'", "{}")));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void doesOneThingAtATime(String expected, JsonObject cronJob, CronJobChild[] jobs) {
    assertThat(words(decide(cronJob, jobs))).isEqualTo(expected);
  }

  @Test
  void aHundredMissedTimesAreNotTooMany() {
    JsonObject cronJob = cronJob(",'schedule':'@every 15s'", "{}");
    assertThat(words(decide(cronJob))).isEqualTo("start 2026-07-09T08:25:00Z");
    JsonObject faster = cronJob(",'schedule':'@every 14s'", "{}");
    assertThat(words(decide(faster))).endsWith("[TooManyMissedTimes]");
    JsonObject withDeadline =
        cronJob(",'schedule':'@every 14s','startingDeadlineSeconds':600", "{}");
    assertThat(words(decide(withDeadline))).doesNotContain("TooManyMissedTimes");
  }

  @Test
  void whatWasStartedCountsBeforeItIsHeardOf() {
    CronJobSnapshot snapshot =
        new CronJobSnapshot(
            CronJobView.read(cronJob("", status(10, 20))),
            List.of(),
            Set.of("20"),
            Optional.of(EIGHT.plus(Duration.ofMinutes(20))),
            Optional.empty(),
            List.of());
    assertThat(words(decide(snapshot)))
        .isEqualTo("write 0 active, last 2026-07-09T08:20:00Z [MissingJob]");
  }

  @Test
  void whatWasSaidStandsUntilItIsKnownWhatThereIsToSay() {
    List<Note> said = List.of(Note.warning("UnparseableSchedule", "no such schedule"));
    CronJobSnapshot snapshot =
        new CronJobSnapshot(
            CronJobView.read(cronJob("", status(20, 20))),
            List.of(),
            Set.of(),
            Optional.empty(),
            Optional.empty(),
            said);
    assertThat(decide(snapshot).remarks()).isEqualTo(said);
    assertThat(decide(cronJob("", status(20))).remarks()).isEmpty();
  }
}
