package dev.berth.kinds.coordination;

import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.kinds.resource.Resource;
import java.util.List;

/** The group coordination.k8s.io. */
public final class CoordinationResources {
  private static final String V1 = "v1";

  private CoordinationResources() {}

  public static List<Resource> all() {
    return List.of(leases());
  }

  private static Resource leases() {
    return Resource.namespaced("coordination.k8s.io", V1, "Lease")
        .createsOnUpdate()
        .anyFinalizers()
        .columns(
            Column.NAME,
            Column.text("Holder", "Who has the lease.", Cells.text("spec.holderIdentity", "")),
            Column.AGE)
        .rules(new LeaseRules())
        .build();
  }
}
