package dev.berth.kinds.batch;

import dev.berth.kinds.pod.TemplateWarnings;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Of Jobs, and of CronJobs for the Jobs that they make. */
final class JobWarnings extends TemplateWarnings {
  private static final long MANY_COMPLETIONS = 100_000;
  private static final long MANY_AT_ONCE = 10_000;

  private final FieldPath spec;
  private final boolean scheduled;

  private JobWarnings(FieldPath spec, boolean scheduled) {
    super(spec.field("template"), true);
    this.spec = spec;
    this.scheduled = scheduled;
  }

  static JobWarnings ofJobs() {
    return new JobWarnings(FieldPath.of("spec"), false);
  }

  static JobWarnings ofCronJobs() {
    return new JobWarnings(FieldPath.of("spec", "jobTemplate", "spec"), true);
  }

  @Override
  public List<String> onUpdate(JsonObject object, JsonObject old) {
    List<String> warnings = new ArrayList<>(super.onUpdate(object, old));
    if (scheduled && object.object("spec").text("schedule", "").contains("TZ")) {
      warnings.add(
          "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see"
              + " https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more"
              + " details");
    }
    return warnings;
  }

  @Override
  protected void addAbout(JsonObject object, List<String> warnings) {
    if (spec.get(object) instanceof JsonObject job
        && job.text("completionMode", "").equals("Indexed")
        && job.integer("completions").orElse(0) > MANY_COMPLETIONS
        && job.integer("parallelism").orElse(0) > MANY_AT_ONCE) {
      warnings.add(
          spec
              + ": In Indexed Jobs with a number of completions higher than 10^5 and a parallelism"
              + " higher than 10^4, Kubernetes might not be able to track completedIndexes when a"
              + " big number of indexes fail");
    }
    super.addAbout(object, warnings);
  }
}
