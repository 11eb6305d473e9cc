package dev.berth.admission;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.security.PodSecurityView;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.podsecurity.LevelVersion;
import dev.berth.policy.podsecurity.PodSecurityStandards;
import dev.berth.policy.podsecurity.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the pods of a namespace would violate if it became stricter, in a few lines. Of very many
 * pods, those come first that no other pod of the same controller came before.
 */
record ExistingPods(ClusterReader cluster) {
  /** Checked while the writer waits: each costs some microseconds. */
  private static final int MOST = 3_000;

  List<String> warnings(String namespace, LevelVersion enforced) {
    List<JsonObject> pods = inOrder(cluster.list(cluster.core("pods"), namespace));
    List<JsonObject> checked = pods.subList(0, Math.min(MOST, pods.size()));
    Map<String, Set<String>> podsByViolations = new TreeMap<>();
    for (JsonObject pod : checked) {
      List<Violation> violations =
          PodSecurityStandards.violations(enforced, PodSecurityView.read(pod));
      if (!violations.isEmpty()) {
        podsByViolations
            .computeIfAbsent(Violation.reasons(violations), _ -> new TreeSet<>())
            .add(Metadata.of(pod).name());
      }
    }
    List<String> warnings = new ArrayList<>();
    if (checked.size() < pods.size()) {
      warnings.add(
          "new PodSecurity enforce level only checked against the first %d of %d existing pods"
              .formatted(checked.size(), pods.size()));
    }
    if (!podsByViolations.isEmpty()) {
      warnings.add(
          "existing pods in namespace \"%s\" violate the new PodSecurity enforce level \"%s\""
              .formatted(namespace, enforced));
    }
    podsByViolations.entrySet().stream()
        .map(entry -> named(entry.getValue()) + ": " + entry.getKey())
        .sorted()
        .forEach(warnings::add);
    return warnings;
  }

  private static List<JsonObject> inOrder(List<JsonObject> pods) {
    List<JsonObject> first = new ArrayList<>();
    List<JsonObject> alike = new ArrayList<>();
    Set<String> controllers = new HashSet<>();
    for (JsonObject pod : pods) {
      Optional<OwnerReference> controller = Metadata.of(pod).controller();
      boolean isNew = controller.isEmpty() || controllers.add(controller.get().uid());
      (isNew ? first : alike).add(pod);
    }
    first.addAll(alike);
    return first;
  }

  private static String named(Set<String> pods) {
    String first = pods.iterator().next();
    return switch (pods.size()) {
      case 1 -> first;
      case 2 -> first + " (and 1 other pod)";
      default -> "%s (and %d other pods)".formatted(first, pods.size() - 1);
    };
  }
}
