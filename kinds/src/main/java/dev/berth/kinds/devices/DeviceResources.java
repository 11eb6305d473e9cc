package dev.berth.kinds.devices;

import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.kinds.resource.ObjectWarnings;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The group resource.k8s.io. */
public final class DeviceResources {
  private static final String GROUP = "resource.k8s.io";
  private static final String V1 = "v1";

  private DeviceResources() {}

  public static List<Resource> all() {
    return List.of(
        Resource.clusterWide(GROUP, V1, "DeviceClass")
            .plural("deviceclasses")
            .countsGeneration()
            .rules(new DeviceClassRules())
            .build(),
        Resource.namespaced(GROUP, V1, "ResourceClaim")
            .status()
            .rules(new ResourceClaimRules())
            .columns(
                Column.NAME,
                Column.text(
                    "State", "Whether there are devices for the claim.", DeviceResources::state),
                Column.AGE)
            .build(),
        Resource.namespaced(GROUP, V1, "ResourceClaimTemplate")
            .rules(new ResourceClaimTemplateRules())
            .build(),
        resourceSlices());
  }

  private static Resource resourceSlices() {
    return Resource.clusterWide(GROUP, V1, "ResourceSlice")
        .countsGeneration()
        .selectable("spec.nodeName", "spec.driver")
        .rules(new ResourceSliceRules())
        .warnings(ObjectWarnings.whenWritten(DeviceResources::driverWarnings))
        .columns(
            Column.NAME,
            Column.text("Node", "Where the devices are.", Cells.text("spec.nodeName", "")),
            Column.text("Driver", "Who offers the devices.", Cells.text("spec.driver", "")),
            Column.text("Pool", "What the devices are part of.", Cells.text("spec.pool.name", "")),
            Column.AGE)
        .build();
  }

  private static List<String> driverWarnings(JsonObject slice) {
    String driver = slice.object("spec").text("driver", "");
    return driver.equals(driver.toLowerCase(Locale.ROOT))
        ? List.of()
        : List.of(
            "spec.driver: driver names should be lowercase; \"%s\" contains uppercase characters"
                .formatted(driver));
  }

  private static String state(JsonObject claim) {
    List<String> states = new ArrayList<>();
    boolean deleted = claim.object("metadata").has("deletionTimestamp");
    JsonObject status = claim.object("status");
    if (deleted) {
      states.add("deleted");
    }
    if (status.has("allocation")) {
      states.add("allocated");
      if (!status.array("reservedFor").isEmpty()) {
        states.add("reserved");
      }
    } else if (!deleted) {
      states.add("pending");
    }
    return Cells.join(states);
  }
}
