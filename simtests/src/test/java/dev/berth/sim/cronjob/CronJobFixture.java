package dev.berth.sim.cronjob;

import dev.berth.client.Resources;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** A cluster with the cron job {@code tick}, made at midnight, whose jobs end when a test says. */
final class CronJobFixture implements AutoCloseable {
  static final ObjectName TICK = new ObjectName("default", "tick");
  static final String ONE_CONTAINER =
      "'restartPolicy':'Never','containers':[{'name':'c','image':'i'}]";

  final VirtualCluster cluster;
  final Instant midnight;

  CronJobFixture(VirtualCluster cluster) {
    this.cluster = cluster;
    midnight = cluster.time().now().truncatedTo(ChronoUnit.DAYS).plus(Duration.ofDays(1));
  }

  /** Makes it at midnight, or now if that is past. */
  CronJobFixture with(String schedule, String further) {
    until(Duration.ZERO);
    cluster.create(
        Resources.CRON_JOBS,
        ("{'metadata':{'namespace':'default','name':'tick'},'spec':{'schedule':'%s',%s"
                + "'jobTemplate':{'metadata':{'labels':{'a':'b'},'annotations':{'c':'d'}},"
                + "'spec':{'template':{'spec':{%s}}}}}}")
            .formatted(schedule, further, ONE_CONTAINER));
    cluster.settle();
    return this;
  }

  /** Lets time pass until so long after midnight, if that is yet to come. */
  void until(Duration sinceMidnight) {
    Duration left = Duration.between(cluster.time().now(), midnight.plus(sinceMidnight));
    cluster.advance(left.isNegative() ? Duration.ZERO : left);
  }

  void minute(long minutes) {
    until(Duration.ofMinutes(minutes));
  }

  void patch(String spec) {
    cluster.patch(Resources.CRON_JOBS, TICK, "{'spec':" + spec + "}");
    cluster.settle();
  }

  JsonObject cronJob() {
    return cluster.list(Resources.CRON_JOBS).getFirst();
  }

  JsonObject status() {
    return cronJob().object("status");
  }

  List<JsonObject> jobs() {
    return cluster.list(Resources.JOBS);
  }

  /** For how many minutes after midnight there are jobs, in order. */
  List<Long> minutes() {
    return jobs().stream().map(this::minutesOf).sorted().toList();
  }

  /** The jobs that the status says run. */
  List<Long> active() {
    List<String> uids =
        status().array("active").objects().stream().map(job -> job.text("uid", "")).toList();
    return jobs().stream()
        .filter(job -> uids.contains(Metadata.of(job).uid()))
        .map(this::minutesOf)
        .sorted()
        .toList();
  }

  long minutesOf(JsonObject job) {
    return Duration.between(midnight, scheduledTime(job)).toMinutes();
  }

  static Instant scheduledTime(JsonObject job) {
    return Metadata.of(job)
        .annotation(WellKnownAnnotations.CRON_JOB_SCHEDULED_TIMESTAMP)
        .map(Times::parse)
        .orElse(Instant.EPOCH);
  }

  /** Ends the job of a minute, as the job controller would. */
  void finish(long minute, String condition) {
    jobs().stream().filter(job -> minutesOf(job) == minute).forEach(job -> finish(job, condition));
    cluster.settle();
  }

  void finish(JsonObject job, String condition) {
    String now = Times.format(cluster.time().now());
    boolean completes = condition.equals("Complete");
    String completion = completes ? "'completionTime':'" + now + "'," : "";
    String first = completes ? "SuccessCriteriaMet" : "FailureTarget";
    cluster.patchStatus(
        Resources.JOBS,
        ObjectName.of(job),
        ("{'status':{'startTime':'%s',%s'conditions':[{'type':'%s','status':'True'},"
                + "{'type':'%s','status':'True'}]}}")
            .formatted(
                Metadata.of(job).tree().text("creationTimestamp", ""),
                completion,
                first,
                condition));
  }

  List<String> events(String reason) {
    return cluster.events("tick", reason);
  }

  @Override
  public void close() {
    cluster.close();
  }
}
