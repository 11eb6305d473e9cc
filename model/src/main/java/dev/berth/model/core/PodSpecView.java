package dev.berth.model.core;

import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The specification of a pod, or of the pods of a template. Selectors and amounts are the tree's
 * own objects; see {@link ResourceList} for the amounts.
 *
 * @param nodeName empty until the pod is bound
 * @param requests what the pod as a whole requests, beside its containers
 * @param limits what the pod as a whole is limited to, beside its containers
 * @param nodeAffinity null if the pod has none
 * @param terminationGracePeriodSeconds null means the default
 */
public record PodSpecView(
    String nodeName,
    List<Toleration> tolerations,
    List<ContainerView> containers,
    List<ContainerView> initContainers,
    JsonObject requests,
    JsonObject limits,
    JsonObject overhead,
    boolean hostNetwork,
    JsonObject nodeSelector,
    @Nullable NodeAffinity nodeAffinity,
    long priority,
    String schedulerName,
    @Nullable Long terminationGracePeriodSeconds) {

  public static PodSpecView read(JsonObject spec) {
    JsonObject resources = spec.object("resources");
    JsonObject nodeAffinity = spec.object("affinity").object("nodeAffinity");
    return new PodSpecView(
        spec.text("nodeName", ""),
        Views.shared(spec.array("tolerations"), Toleration::read),
        Views.shared(spec.array("containers"), ContainerView::read),
        Views.shared(spec.array("initContainers"), ContainerView::read),
        resources.object("requests"),
        resources.object("limits"),
        spec.object("overhead"),
        spec.flag("hostNetwork", false),
        spec.object("nodeSelector"),
        nodeAffinity.isEmpty() ? null : NodeAffinity.read(nodeAffinity),
        spec.integer("priority").orElse(0),
        spec.text("schedulerName", "default-scheduler"),
        Views.integer(spec, "terminationGracePeriodSeconds"));
  }

  /** The same without the overhead of running the pod. */
  public PodSpecView withoutOverhead() {
    return new PodSpecView(
        nodeName,
        tolerations,
        containers,
        initContainers,
        requests,
        limits,
        JsonObject.EMPTY,
        hostNetwork,
        nodeSelector,
        nodeAffinity,
        priority,
        schedulerName,
        terminationGracePeriodSeconds);
  }
}
