package dev.berth.kinds.scheduling;

import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.kinds.resource.Resource;
import java.util.List;

/** The group scheduling.k8s.io. */
public final class SchedulingResources {
  private static final String V1 = "v1";

  private SchedulingResources() {}

  public static List<Resource> all() {
    return List.of(priorityClasses());
  }

  private static Resource priorityClasses() {
    return Resource.clusterWide("scheduling.k8s.io", V1, "PriorityClass")
        .plural("priorityclasses")
        .shortNames("pc")
        .rules(new PriorityClassRules())
        .columns(
            Column.NAME,
            Column.number("Value", "The priority.", Cells.number("value")),
            new Column(
                "Global-Default",
                "boolean",
                "",
                "Whether pods without a class have this one.",
                0,
                (priorityClass, now) -> priorityClass.flag("globalDefault", false)),
            Column.AGE,
            Column.text(
                "PreemptionPolicy",
                "Whether pods of the class push out others.",
                Cells.text("preemptionPolicy", "")))
        .build();
  }
}
