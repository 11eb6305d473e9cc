package dev.berth.scheduler.cluster.pod;

import dev.berth.model.core.ContainerView;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.PodView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import dev.berth.scheduler.cluster.resource.ResourceAmounts;
import dev.berth.scheduler.cluster.resource.ResourceTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads pods, many of which are alike. What the pods of a template have in common is computed and
 * held once; it is remembered in tables of fixed size, where a newcomer replaces what was in its
 * slot.
 */
public final class PodReader {
  private static final int SLOTS = 1024;

  private final ResourceTable resources;
  private final @Nullable Known[] requests = new Known[SLOTS];
  private final @Nullable PodClass[] classes = new PodClass[SLOTS];

  public PodReader(ResourceTable resources) {
    this.resources = resources;
  }

  public PodInfo read(JsonObject tree) {
    PodView view = PodView.read(tree);
    EffectiveRequests asked = requests(view.spec());
    PodClass podClass = share(PodClass.of(view, asked, tree));
    return new PodInfo(
        new ObjectName(view.namespace(), view.name()),
        tree,
        view,
        asked.amounts(),
        asked.scoredCpu(),
        asked.scoredMemory(),
        podClass);
  }

  /**
   * The views of pods that are alike share their lists of containers, so the very same list is
   * recognized without comparing what is in it.
   */
  private EffectiveRequests requests(PodSpecView spec) {
    int slot = System.identityHashCode(spec.containers()) & (SLOTS - 1);
    Known known = requests[slot];
    if (known == null || !known.isFor(spec)) {
      known =
          new Known(
              spec.containers(),
              spec.initContainers(),
              spec.requests(),
              spec.overhead(),
              compute(spec));
      requests[slot] = known;
    }
    return known.asked();
  }

  private EffectiveRequests compute(PodSpecView spec) {
    ResourceList all = EffectiveResources.requests(spec);
    return new EffectiveRequests(
        ResourceAmounts.of(all, resources),
        ScoredRequests.cpu(spec, all),
        ScoredRequests.memory(spec, all));
  }

  private PodClass share(PodClass podClass) {
    int hash = podClass.hashCode();
    int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
    PodClass known = classes[slot];
    if (known != null && known.equals(podClass)) {
      return known;
    }
    classes[slot] = podClass;
    return podClass;
  }

  private record Known(
      List<ContainerView> containers,
      List<ContainerView> initContainers,
      JsonObject ofPod,
      JsonObject overhead,
      EffectiveRequests asked) {

    @SuppressWarnings("ReferenceEquality") // Whether two lists are alike is what costs time.
    boolean isFor(PodSpecView spec) {
      return containers == spec.containers()
          && initContainers == spec.initContainers()
          && ofPod.equals(spec.requests())
          && overhead.equals(spec.overhead());
    }
  }
}
