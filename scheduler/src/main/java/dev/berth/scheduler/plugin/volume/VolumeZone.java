package dev.berth.scheduler.plugin.volume;

import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.cluster.volume.ClaimInfo;
import dev.berth.scheduler.cluster.volume.PodClaim;
import dev.berth.scheduler.cluster.volume.StorageClassInfo;
import dev.berth.scheduler.cluster.volume.VolumeInfo;
import dev.berth.scheduler.plugin.ClusterEvent;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.Refusal;
import dev.berth.scheduler.plugin.config.ExtensionPoint;
import dev.berth.scheduler.plugin.config.PluginDefinition;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps pods in the zones and regions that the labels of their bound volumes name; several are
 * separated by {@code __}. A node without any such label will do, as in a cluster of one zone. The
 * older labels of volumes are met by the newer ones of nodes.
 */
public final class VolumeZone implements FilterPlugin {
  public static final String NAME = "VolumeZone";

  public static final PluginDefinition DEFINITION =
      PluginDefinition.of(NAME, ExtensionPoint.PRE_FILTER, ExtensionPoint.FILTER)
          .factory((_, _) -> new VolumeZone());

  private static final List<String> LABELS =
      List.of(
          WellKnownLabels.BETA_ZONE,
          WellKnownLabels.BETA_REGION,
          WellKnownLabels.ZONE,
          WellKnownLabels.REGION);

  /** A label that nodes must have with one of these values. */
  private record Place(String key, Set<String> values) {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<ClusterEventKind> events() {
    return EnumSet.of(
        ClusterEventKind.NODE_ADDED,
        ClusterEventKind.NODE_LABELS_CHANGED,
        ClusterEventKind.VOLUME_CHANGED,
        ClusterEventKind.CLAIM_CHANGED,
        ClusterEventKind.STORAGE_CLASS_CHANGED);
  }

  @Override
  public boolean mayHelp(ClusterEvent event, PodInfo pod, Cluster cluster) {
    return VolumeHints.mayHelp(event, pod);
  }

  @Override
  public boolean isLocal() {
    return false;
  }

  @Override
  public @Nullable NodeFilter filter(PodInfo pod, Cluster cluster) {
    List<Place> places = new ArrayList<>();
    for (PodClaim claim : PodClaim.of(pod)) {
      if (claim.ephemeral()) {
        continue;
      }
      ClaimInfo info = cluster.volumes().claim(claim.name());
      if (info == null) {
        return VolumeRefusal.ofPod(NAME, claim.notFound()).everywhere();
      }
      if (info.volume().isEmpty()) {
        String problem = problem(info, cluster);
        if (!problem.isEmpty()) {
          return VolumeRefusal.ofPod(NAME, problem).everywhere();
        }
        continue;
      }
      VolumeInfo volume = cluster.volumes().volume(info.volume());
      if (volume == null) {
        return VolumeRefusal.ofPod(NAME, "persistentvolume \"" + info.volume() + "\" not found")
            .everywhere();
      }
      addPlaces(volume, places);
    }
    return places.isEmpty() ? null : new Placed(cluster, places);
  }

  /** Why a claim without a volume will not do; empty if it may wait for one. */
  private static String problem(ClaimInfo claim, Cluster cluster) {
    String name = claim.storageClass();
    if (name.isEmpty()) {
      return "PersistentVolumeClaim had no pv name and storageClass name";
    }
    StorageClassInfo storageClass = cluster.volumes().storageClass(name);
    if (storageClass == null) {
      return "storageclass.storage.k8s.io \"" + name + "\" not found";
    }
    if (storageClass.bindingMode().isEmpty()) {
      return "VolumeBindingMode not set for StorageClass \"" + name + "\"";
    }
    return storageClass.waitsForConsumer() ? "" : "PersistentVolume had no name";
  }

  private static void addPlaces(VolumeInfo volume, List<Place> places) {
    for (String key : LABELS) {
      if (volume.labels().get(key) instanceof String value) {
        List<String> values = List.of(value.split("__", -1));
        if (values.stream().noneMatch(String::isBlank)) {
          places.add(new Place(key, Set.copyOf(values)));
        }
      }
    }
  }

  private record Placed(Cluster cluster, List<Place> places) implements NodeFilter {

    @Override
    public boolean allows(int node) {
      JsonObject labels = cluster.node(node).labels();
      return LABELS.stream().noneMatch(labels::has)
          || places.stream().allMatch(place -> isIn(place, labels));
    }

    private static boolean isIn(Place place, JsonObject labels) {
      String value = labels.text(place.key());
      if (value == null) {
        value =
            switch (place.key()) {
              case WellKnownLabels.BETA_ZONE -> labels.text(WellKnownLabels.ZONE);
              case WellKnownLabels.BETA_REGION -> labels.text(WellKnownLabels.REGION);
              default -> null;
            };
      }
      return value != null && place.values().contains(value);
    }

    @Override
    public Refusal refusal(int node) {
      return VolumeRefusal.unresolvable(NAME, List.of("node(s) had no available volume zone"));
    }

    @Override
    public PodInfluence podInfluence() {
      return PodInfluence.NONE;
    }
  }
}
