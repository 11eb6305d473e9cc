package dev.berth.scheduler.plugin.volume;

import dev.berth.model.core.NodeSelector;
import dev.berth.model.core.NodeView;
import dev.berth.model.selector.LabelRequirement;
import dev.berth.policy.affinity.NodeSelection;
import dev.berth.scheduler.cluster.volume.ClaimInfo;
import dev.berth.scheduler.cluster.volume.VolumeInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The volumes that would do for a claim, on whatever node they can be used.
 *
 * <ol>
 *   <li>A volume that is reserved for the claim is the only one that will do.
 *   <li>Otherwise it is the smallest that is free, large enough, of the claim's class, mode and
 *       attributes class, with its access modes, and that its selector matches.
 * </ol>
 *
 * <p>Local volumes are many, each of one node. They are found by the label that their node must
 * have, so that a node is not compared to the volumes of all others.
 */
final class CandidateVolumes {
  private static final Comparator<VolumeInfo> SMALLEST =
      Comparator.comparing(VolumeInfo::capacity).thenComparing(VolumeInfo::name);

  private final Map<String, Map<String, List<VolumeInfo>>> byLabel = new HashMap<>();
  private final List<VolumeInfo> others = new ArrayList<>();
  private @Nullable VolumeInfo promised;

  CandidateVolumes(ClaimInfo claim, List<VolumeInfo> volumes) {
    for (VolumeInfo volume : volumes.stream().sorted(SMALLEST).toList()) {
      if (volume.capacity().compareTo(claim.request()) < 0
          || !volume.mode().equals(claim.mode())
          || !volume.attributesClass().equals(claim.attributesClass())
          || volume.terminating()) {
        continue;
      }
      if (volume.isFor(claim)) {
        promised = volume;
      } else if (volume.claim() == null
          && volume.available()
          && claim.selector().matches(volume.labels())
          && volume.accessModes().containsAll(claim.accessModes())) {
        listFor(volume).add(volume);
      }
    }
  }

  private List<VolumeInfo> listFor(VolumeInfo volume) {
    NodeSelector nodes = volume.nodes();
    if (nodes != null && nodes.terms().size() == 1) {
      NodeSelector.Term term = nodes.terms().getFirst();
      for (LabelRequirement requirement : term.labels().requirements()) {
        String value = term.labels().exactValue(requirement.key()).orElse(null);
        if (value != null) {
          return byLabel
              .computeIfAbsent(requirement.key(), _ -> new HashMap<>())
              .computeIfAbsent(value, _ -> new ArrayList<>());
        }
      }
    }
    return others;
  }

  /** The volume for a node; null if there is none. */
  @Nullable VolumeInfo find(NodeView node, Set<String> taken) {
    VolumeInfo mine = promised;
    if (mine != null && !taken.contains(mine.name())) {
      return isUsable(mine, node) ? mine : null;
    }
    VolumeInfo best = first(others, node, taken);
    for (Map.Entry<String, Map<String, List<VolumeInfo>>> label : byLabel.entrySet()) {
      if (node.labels().get(label.getKey()) instanceof String value) {
        VolumeInfo found = first(label.getValue().getOrDefault(value, List.of()), node, taken);
        if (found != null && (best == null || SMALLEST.compare(found, best) < 0)) {
          best = found;
        }
      }
    }
    return best;
  }

  private static @Nullable VolumeInfo first(
      List<VolumeInfo> volumes, NodeView node, Set<String> taken) {
    for (VolumeInfo volume : volumes) {
      if (!taken.contains(volume.name()) && isUsable(volume, node)) {
        return volume;
      }
    }
    return null;
  }

  static boolean isUsable(VolumeInfo volume, NodeView node) {
    NodeSelector nodes = volume.nodes();
    return nodes == null || NodeSelection.matches(nodes, node);
  }
}
