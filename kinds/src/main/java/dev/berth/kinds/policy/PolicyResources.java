package dev.berth.kinds.policy;

import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.kinds.resource.Resource;
import java.util.List;

/** The group policy. */
public final class PolicyResources {
  private static final String V1 = "v1";

  private PolicyResources() {}

  public static List<Resource> all() {
    return List.of(disruptionBudgets());
  }

  private static Resource disruptionBudgets() {
    return Resource.namespaced("policy", V1, "PodDisruptionBudget")
        .shortNames("pdb")
        .status()
        .countsGeneration()
        .rules(new DisruptionBudgetRules())
        .columns(
            Column.NAME,
            Column.text(
                "Min Available",
                "How many pods must stay.",
                Cells.text("spec.minAvailable", "N/A")),
            Column.text(
                "Max Unavailable",
                "How many pods may be missing.",
                Cells.text("spec.maxUnavailable", "N/A")),
            Column.number(
                "Allowed Disruptions",
                "How many pods may go now.",
                Cells.number("status.disruptionsAllowed")),
            Column.AGE)
        .build();
  }
}
