package dev.berth.admission;

import dev.berth.kinds.resource.FieldRules;
import dev.berth.model.core.PodTree;
import dev.berth.model.namespace.LimitRangeView;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.limit.ContainerDefaults;
import dev.berth.policy.limit.LimitCheck;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import java.util.ArrayList;
import java.util.List;

/** Pods and claims keep within their namespace's LimitRanges, which also fill in what they omit. */
public final class LimitRanger implements AdmissionPlugin {
  private final ClusterReader cluster;

  public LimitRanger(Registry registry) {
    this.cluster = new ClusterReader(registry);
  }

  @Override
  public JsonObject mutate(AdmissionRequest request) {
    JsonObject object = request.object();
    if (isOfPods(request)) {
      for (LimitRangeView range : ranges(request)) {
        object = ContainerDefaults.fill(object, range);
      }
    }
    // A pod that is resized keeps its annotations, also the one that tells of defaults.
    return request.creates() || !isOfPods(request)
        ? object
        : FieldRules.keep("metadata", object, request.object());
  }

  @Override
  public void validate(AdmissionRequest request) {
    boolean pod = isOfPods(request);
    boolean claim = !request.deletes() && request.writesCore("persistentvolumeclaims");
    if (!pod && !claim) {
      return;
    }
    List<String> problems = new ArrayList<>();
    for (LimitRangeView range : ranges(request)) {
      problems.addAll(
          pod
              ? LimitCheck.pod(new PodTree(request.object()).readSpec(), range)
              : LimitCheck.claim(request.object(), range));
    }
    List<String> distinct = problems.stream().distinct().toList();
    if (!distinct.isEmpty()) {
      throw ClusterReader.forbidden(
          request,
          distinct.size() == 1 ? distinct.getFirst() : "[" + String.join(", ", distinct) + "]");
    }
  }

  /** A pod's resources are set when it is created, and changed when it is resized. */
  private static boolean isOfPods(AdmissionRequest request) {
    boolean resized =
        request.subresource().equals("resize") && request.resource().plural().equals("pods");
    return (request.creates() && request.writesCore("pods")) || resized;
  }

  private List<LimitRangeView> ranges(AdmissionRequest request) {
    return cluster.list(cluster.core("limitranges"), request.name().namespace()).stream()
        .map(LimitRangeView::read)
        .toList();
  }
}
