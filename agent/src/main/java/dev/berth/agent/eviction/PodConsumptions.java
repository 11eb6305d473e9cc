package dev.berth.agent.eviction;

import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.PodUsage;
import dev.berth.agent.volume.DiskUsage;
import dev.berth.model.core.ContainerView;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.PodTree;
import dev.berth.model.core.ResourceList;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import dev.berth.policy.pressure.PodConsumption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads pods as evictions are decided by them. */
final class PodConsumptions {
  private static final long DEFAULT_GRACE = 30;
  private static final String API = "api";

  private PodConsumptions() {}

  /** Whether a pod still uses anything: one that has ended, or was evicted, does not count. */
  static boolean isActive(JsonObject pod) {
    return !new PodTree(pod).phase().finished();
  }

  static PodId id(JsonObject pod) {
    Metadata metadata = Metadata.of(pod);
    return new PodId(metadata.namespace(), metadata.name(), metadata.uid());
  }

  /** The names of its volumes that are directories of its own. */
  static List<String> emptyDirs(JsonObject pod) {
    return pod.object("spec").array("volumes").objects().stream()
        .filter(volume -> volume.has("emptyDir"))
        .map(volume -> volume.text("name", ""))
        .toList();
  }

  /** Whether it can be evicted for what it writes. */
  static boolean hasStorageLimit(JsonObject pod) {
    PodSpecView spec = PodSpecView.read(pod.object("spec"));
    return EffectiveResources.limits(spec).has(ResourceList.EPHEMERAL_STORAGE)
        || !limitedDirs(pod).isEmpty()
        || containers(spec).stream().anyMatch(each -> each.storageLimit().isPresent());
  }

  static PodConsumption of(JsonObject pod, ResourceSnapshot seen) {
    PodSpecView spec = PodSpecView.read(pod.object("spec"));
    String uid = Metadata.of(pod).uid();
    ResourceList limits = EffectiveResources.limits(spec);
    Long grace = spec.terminationGracePeriodSeconds();
    return new PodConsumption(
        Metadata.of(pod).name(),
        spec.priority(),
        isCritical(pod, spec.priority()),
        grace == null ? DEFAULT_GRACE : grace,
        EffectiveResources.requests(spec.withoutOverhead()),
        ResourceList.read(spec.requests()),
        containers(spec),
        limitedDirs(pod),
        limits.has(ResourceList.EPHEMERAL_STORAGE)
            ? Optional.of(limits.get(ResourceList.EPHEMERAL_STORAGE))
            : Optional.empty(),
        Optional.ofNullable(seen.usage().get(uid))
            .map(usage -> usage(usage, seen.volumes().getOrDefault(uid, Map.of()))));
  }

  private static boolean isCritical(JsonObject pod, long priority) {
    Metadata metadata = Metadata.of(pod);
    boolean isStatic =
        metadata
            .annotation(WellKnownAnnotations.CONFIG_SOURCE)
            .filter(source -> !source.equals(API))
            .isPresent();
    return isStatic
        || metadata.annotation(WellKnownAnnotations.CONFIG_MIRROR).isPresent()
        || priority >= PodConsumption.SYSTEM_CRITICAL_PRIORITY;
  }

  private static List<PodConsumption.Container> containers(PodSpecView spec) {
    List<PodConsumption.Container> containers = new ArrayList<>();
    Stream.concat(spec.containers().stream(), spec.initContainers().stream())
        .forEach(each -> containers.add(container(each)));
    return containers;
  }

  private static PodConsumption.Container container(ContainerView container) {
    ResourceList limits = ResourceList.read(container.limits());
    return new PodConsumption.Container(
        container.name(),
        ResourceList.read(container.requests()),
        limits.has(ResourceList.EPHEMERAL_STORAGE)
            ? Optional.of(limits.get(ResourceList.EPHEMERAL_STORAGE))
            : Optional.empty());
  }

  private static List<PodConsumption.EmptyDir> limitedDirs(JsonObject pod) {
    List<PodConsumption.EmptyDir> limited = new ArrayList<>();
    for (JsonObject volume : pod.object("spec").array("volumes").objects()) {
      Object limit = volume.object("emptyDir").get("sizeLimit");
      if (limit instanceof String || limit instanceof Long) {
        limited.add(new PodConsumption.EmptyDir(volume.text("name", ""), Quantity.fromTree(limit)));
      }
    }
    return limited;
  }

  private static PodConsumption.Usage usage(PodUsage usage, Map<String, DiskUsage> volumes) {
    List<PodConsumption.OfContainer> containers = new ArrayList<>();
    for (PodUsage.OfContainer each : usage.containers()) {
      containers.add(
          new PodConsumption.OfContainer(
              each.name(),
              each.usage().workingSetBytes(),
              each.root().bytes(),
              each.root().inodes(),
              each.logs().bytes()));
    }
    Map<String, PodConsumption.OfVolume> ofVolumes = new LinkedHashMap<>();
    volumes.forEach((name, used) ->
        ofVolumes.put(name, new PodConsumption.OfVolume(used.bytes(), used.inodes(), true)));
    return new PodConsumption.Usage(
        usage.total().workingSetBytes(), usage.total().processes(), containers, ofVolumes);
  }
}
