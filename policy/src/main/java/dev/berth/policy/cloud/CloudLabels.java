package dev.berth.policy.cloud;

import dev.berth.model.meta.WellKnownLabels;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The labels of nodes that follow from what a cloud knows. */
final class CloudLabels {
  private static final Pattern KUBERNETES = Pattern.compile("(^|\\.)(kubernetes|k8s)\\.io/");

  /** A label that was renamed. Where both are there and differ, upstream believes the older one. */
  private record Renamed(String older, String newer) {
    void put(Map<String, String> labels, String value) {
      if (!value.isEmpty()) {
        labels.put(older, value);
        labels.put(newer, value);
      }
    }
  }

  private static final Renamed TYPE =
      new Renamed(WellKnownLabels.BETA_INSTANCE_TYPE, WellKnownLabels.INSTANCE_TYPE);
  private static final Renamed ZONE = new Renamed(WellKnownLabels.BETA_ZONE, WellKnownLabels.ZONE);
  private static final Renamed REGION =
      new Renamed(WellKnownLabels.BETA_REGION, WellKnownLabels.REGION);

  private CloudLabels() {}

  /** Whether only Kubernetes itself gives labels of this name. */
  static boolean isOfKubernetes(String name) {
    return KUBERNETES.matcher(name).find();
  }

  /**
   * The labels that a machine gives its node: type, zone and region under both of their names, and
   * further ones that are not Kubernetes' own and that the node does not have yet.
   */
  static Map<String, String> of(Machine machine, Map<String, String> present) {
    Map<String, String> labels = new TreeMap<>();
    TYPE.put(labels, machine.instanceType());
    ZONE.put(labels, machine.zone());
    REGION.put(labels, machine.region());
    machine
        .labels()
        .forEach((name, value) -> {
          if (!isOfKubernetes(name) && !present.containsKey(name)) {
            labels.put(name, value);
          }
        });
    return labels;
  }

  /** The newer labels that do not say what the older ones do. */
  static Map<String, String> outdated(Map<String, String> present) {
    Map<String, String> labels = new TreeMap<>();
    for (Renamed names : List.of(ZONE, REGION, TYPE)) {
      String older = present.get(names.older());
      if (older != null && !older.equals(present.get(names.newer()))) {
        labels.put(names.newer(), older);
      }
    }
    return labels;
  }
}
