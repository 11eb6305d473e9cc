package dev.berth.kinds.pod;

import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** All containers of a pod, in the order in which upstream looks at them. */
final class PodContainers {
  /** A container and where it stands. */
  record Placed(JsonObject container, FieldPath at) {}

  private PodContainers() {}

  static List<Placed> of(JsonObject spec, FieldPath path) {
    List<Placed> all = new ArrayList<>();
    for (String list : List.of("initContainers", "containers", "ephemeralContainers")) {
      List<JsonObject> containers = spec.array(list).objects();
      for (int i = 0; i < containers.size(); i++) {
        all.add(new Placed(containers.get(i), path.field(list).index(i)));
      }
    }
    return all;
  }
}
