package dev.berth.sim.snapshot;

import dev.berth.hollow.HollowAnnotations;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How long the jobs of each CronJob took, on average: hollow pods run until they are told to end,
 * so pods of such jobs are told to end after that. Other jobs run on, since nothing tells how long.
 */
final class JobDurations {
  private final Map<String, Duration> byCronJob = new HashMap<>();
  private final Map<String, String> cronJobOfJob = new HashMap<>();

  private JobDurations() {}

  static JobDurations of(ClusterSnapshot snapshot) {
    JobDurations durations = new JobDurations();
    Map<String, Integer> counts = new HashMap<>();
    for (JsonObject job : snapshot.list("jobs.batch")) {
      Optional<OwnerReference> cron =
          Metadata.of(job).controller().filter(owner -> owner.kind().equals("CronJob"));
      if (cron.isEmpty()) {
        continue;
      }
      durations.cronJobOfJob.put(Metadata.of(job).uid(), cron.get().uid());
      took(job)
          .ifPresent(span -> {
            counts.merge(cron.get().uid(), 1, Integer::sum);
            durations.byCronJob.merge(cron.get().uid(), span, Duration::plus);
          });
    }
    durations.byCronJob.replaceAll((uid, sum) -> sum.dividedBy(counts.getOrDefault(uid, 1)));
    return durations;
  }

  private static Optional<Duration> took(JsonObject job) {
    JsonObject status = job.object("status");
    String began = status.text("startTime", "");
    String ended = status.text("completionTime", "");
    return began.isEmpty() || ended.isEmpty()
        ? Optional.empty()
        : Optional.of(Duration.between(Instant.parse(began), Instant.parse(ended)));
  }

  /** A CronJob, a Job or a pod, told how long it runs if that is known. */
  JsonObject limit(JsonObject object) {
    Metadata metadata = Metadata.of(object);
    String owner = metadata.controller().map(OwnerReference::uid).orElse("");
    return switch (object.text("kind", "")) {
      case "CronJob" ->
          span(metadata.uid())
              .map(span ->
                  object.update(
                      "spec",
                      spec ->
                          spec.update(
                              "jobTemplate",
                              job -> job.update("spec", jobSpec -> template(jobSpec, span)))))
              .orElse(object);
      case "Job" ->
          span(owner)
              .map(span -> object.update("spec", spec -> template(spec, span)))
              .orElse(object);
      default ->
          span(cronJobOfJob.getOrDefault(owner, ""))
              .map(span -> Metadata.annotate(object, HollowAnnotations.RUN_FOR, span))
              .orElse(object);
    };
  }

  private Optional<String> span(String cronJob) {
    return Optional.ofNullable(byCronJob.get(cronJob))
        .map(span -> Math.max(1, span.toSeconds()) + "s");
  }

  private static JsonObject template(JsonObject jobSpec, String span) {
    return jobSpec.update(
        "template", template -> Metadata.annotate(template, HollowAnnotations.RUN_FOR, span));
  }
}
