package dev.berth.kinds.batch;

import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.kinds.resource.Resource;
import dev.berth.policy.taint.TolerationRules;
import java.util.List;

/** The group batch. */
public final class BatchResources {
  private static final String GROUP = "batch";
  private static final String V1 = "v1";
  private static final String POD_TEMPLATE = "spec.template.spec";
  private static final String JOB_TEMPLATE = "spec.jobTemplate.spec.template.spec";

  private BatchResources() {}

  /**
   * All resources of the group.
   *
   * @param tolerations what the tolerations of new templates may say
   */
  public static List<Resource> all(TolerationRules tolerations) {
    return List.of(cronJobs(tolerations), jobs(tolerations));
  }

  private static Resource cronJobs(TolerationRules tolerations) {
    return Resource.namespaced(GROUP, V1, "CronJob")
        .shortNames("cj")
        .categories("all")
        .status()
        .countsGeneration()
        .rules(new CronJobRules(tolerations))
        .warnings(JobWarnings.ofCronJobs())
        .columns(
            Column.NAME,
            JobColumns.SCHEDULE,
            JobColumns.TIME_ZONE,
            JobColumns.SUSPEND,
            JobColumns.ACTIVE,
            JobColumns.LAST_SCHEDULE,
            Column.AGE,
            Cells.containers(JOB_TEMPLATE),
            Cells.images(JOB_TEMPLATE),
            Cells.selector("spec.jobTemplate.spec.selector"))
        .build();
  }

  private static Resource jobs(TolerationRules tolerations) {
    return Resource.namespaced(GROUP, V1, "Job")
        .categories("all")
        .status()
        .countsGeneration()
        .orphansByDefault()
        .selectable(
            "status.successful", job -> Cells.number("status.succeeded").apply(job).toString())
        .rules(new JobRules(tolerations))
        .warnings(JobWarnings.ofJobs())
        .columns(
            Column.NAME,
            JobColumns.JOB_STATUS,
            JobColumns.COMPLETIONS,
            JobColumns.DURATION,
            Column.AGE,
            Cells.containers(POD_TEMPLATE),
            Cells.images(POD_TEMPLATE),
            Cells.selector())
        .build();
  }
}
