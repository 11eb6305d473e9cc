package dev.berth.scheduler.plugin.volume;

import dev.berth.model.core.NodeView;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.selector.SelectorException;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.volume.ClaimInfo;
import dev.berth.scheduler.cluster.volume.StorageClassInfo;
import dev.berth.scheduler.cluster.volume.VolumeInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds volumes for a pod's claims, node by node.
 *
 * <ol>
 *   <li>Each bound claim's volume must exist and be usable on the node.
 *   <li>A claim for which a volume is being made stays with the node that it is made for.
 *   <li>The other claims that wait for a consumer get volumes that exist, the smallest claim first;
 *       those that find none get a volume made, if their class makes volumes, makes them for this
 *       node, and has enough capacity if it publishes that.
 * </ol>
 */
final class ClaimSearch {
  private static final String CONFLICT = "node(s) had volume node affinity conflict";
  private static final String NOTHING_TO_BIND =
      "node(s) didn't find available persistent volumes to bind";
  private static final String NO_ROOM = "node(s) did not have enough free storage";
  private static final String NO_VOLUME =
      "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)";

  /** What was found on a node, or why there is nothing. */
  sealed interface Outcome {}

  /** These claims get these volumes, and those get new ones. */
  record Found(List<Match> matches, List<ClaimInfo> provisions) implements Outcome {}

  record Match(ClaimInfo claim, VolumeInfo volume) {}

  record Refused(List<String> messages) implements Outcome {}

  private final Cluster cluster;
  private final List<ClaimInfo> bound;
  private final List<ClaimInfo> selected = new ArrayList<>();
  private final List<ClaimInfo> waiting = new ArrayList<>();
  private final Map<ClaimInfo, CandidateVolumes> candidates = new HashMap<>();

  ClaimSearch(Cluster cluster, List<ClaimInfo> bound, List<ClaimInfo> unbound) {
    this.cluster = cluster;
    this.bound = List.copyOf(bound);
    for (ClaimInfo claim : unbound) {
      (claim.selectedNode().isEmpty() ? waiting : selected).add(claim);
    }
    waiting.sort(Comparator.comparing(ClaimInfo::request));
    for (ClaimInfo claim : waiting) {
      candidates.put(
          claim, new CandidateVolumes(claim, cluster.volumes().volumesOf(claim.storageClass())));
    }
  }

  Outcome find(int index) {
    NodeView node = cluster.node(index).view();
    List<String> messages = new ArrayList<>();
    String problem = boundProblem(node);
    boolean elsewhere =
        selected.stream().anyMatch(claim -> !claim.selectedNode().equals(node.name()));
    List<Match> matches = new ArrayList<>();
    List<ClaimInfo> provisions = new ArrayList<>(selected);
    if (!elsewhere) {
      Set<String> taken = new HashSet<>();
      for (ClaimInfo claim : waiting) {
        CandidateVolumes volumes = candidates.get(claim);
        VolumeInfo volume = volumes == null ? null : volumes.find(node, taken);
        if (volume == null) {
          provisions.add(claim);
        } else {
          taken.add(volume.name());
          matches.add(new Match(claim, volume));
        }
      }
    }
    if (problem.equals(CONFLICT)) {
      messages.add(CONFLICT);
    }
    String unmade = elsewhere ? NOTHING_TO_BIND : provisionProblem(provisions, node);
    if (!unmade.isEmpty()) {
      messages.add(unmade);
    }
    if (problem.equals(NO_VOLUME)) {
      messages.add(NO_VOLUME);
    }
    return messages.isEmpty() ? new Found(matches, provisions) : new Refused(messages);
  }

  private String boundProblem(NodeView node) {
    for (ClaimInfo claim : bound) {
      VolumeInfo volume = cluster.volumes().volume(claim.volume());
      if (volume == null) {
        return NO_VOLUME;
      }
      if (!CandidateVolumes.isUsable(volume, node)) {
        return CONFLICT;
      }
    }
    return "";
  }

  private String provisionProblem(List<ClaimInfo> claims, NodeView node) {
    for (ClaimInfo claim : claims) {
      StorageClassInfo storageClass = cluster.volumes().storageClass(claim.storageClass());
      if (storageClass == null
          || !storageClass.provisions()
          || !storageClass.allows(node.labels())) {
        return NOTHING_TO_BIND;
      }
      if (!hasRoom(claim, storageClass, node)) {
        return NO_ROOM;
      }
    }
    return "";
  }

  private boolean hasRoom(ClaimInfo claim, StorageClassInfo storageClass, NodeView node) {
    return claim.request().isZero()
        || !cluster.volumes().tracksCapacity(storageClass.provisioner())
        || cluster.volumes().storageCapacities().stream()
            .anyMatch(capacity ->
                capacity.text("storageClassName", "").equals(storageClass.name())
                    && limit(capacity).compareTo(claim.request()) >= 0
                    && reaches(capacity, node));
  }

  private static Quantity limit(JsonObject capacity) {
    Object limit = capacity.get("maximumVolumeSize");
    Object stated = limit == null || limit instanceof JsonNull ? capacity.get("capacity") : limit;
    return stated == null || stated instanceof JsonNull
        ? Quantity.of(-1)
        : Quantity.fromTree(stated);
  }

  private static boolean reaches(JsonObject capacity, NodeView node) {
    try {
      return LabelSelector.fromTree(capacity.get("nodeTopology")).matches(node.labels());
    } catch (SelectorException malformed) {
      return false;
    }
  }
}
