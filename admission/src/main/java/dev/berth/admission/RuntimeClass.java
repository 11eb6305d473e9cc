package dev.berth.admission;

import dev.berth.model.core.ResourceList;
import dev.berth.model.core.Toleration;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationMerge;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import java.util.List;
import java.util.Optional;

/**
 * A pod gets from its RuntimeClass what its runtime takes beside the containers, and where it can
 * run: the overhead, labels of nodes, and tolerations. A pod cannot say otherwise, and no pod has
 * an overhead that its class does not say.
 */
public final class RuntimeClass implements AdmissionPlugin {
  private static final String MISMATCH =
      "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

  private final ClusterReader cluster;

  public RuntimeClass(Registry registry) {
    this.cluster = new ClusterReader(registry);
  }

  @Override
  public JsonObject mutate(AdmissionRequest request) {
    if (!request.creates() || !request.writesCore("pods")) {
      return request.object();
    }
    Optional<JsonObject> found = runtimeClass(request);
    if (found.isEmpty()) {
      return request.object();
    }
    JsonObject spec = request.object().object("spec");
    Optional<JsonObject> overhead = overhead(found.get());
    if (overhead.isPresent()) {
      if (!spec.object("overhead").isEmpty() && !isSame(spec, overhead.get())) {
        throw ClusterReader.forbidden(request, MISMATCH);
      }
      spec = spec.with("overhead", overhead.get());
    }
    JsonObject scheduling = found.get().object("scheduling");
    return request.object().with("spec", scheduled(request, spec, scheduling));
  }

  @Override
  public void validate(AdmissionRequest request) {
    if (!request.creates() || !request.writesCore("pods")) {
      return;
    }
    JsonObject spec = request.object().object("spec");
    Optional<JsonObject> overhead = runtimeClass(request).flatMap(RuntimeClass::overhead);
    if (overhead.isPresent() && !isSame(spec, overhead.get())) {
      throw ClusterReader.forbidden(request, MISMATCH);
    }
    if (overhead.isEmpty() && spec.has("overhead")) {
      throw ClusterReader.forbidden(
          request,
          "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
    }
  }

  private Optional<JsonObject> runtimeClass(AdmissionRequest request) {
    JsonObject spec = request.object().object("spec");
    if (!spec.has("runtimeClassName")) {
      return Optional.empty();
    }
    String name = spec.text("runtimeClassName", "");
    Optional<JsonObject> found =
        cluster.find(
            cluster.registry().catalog().get("node.k8s.io", "v1", "runtimeclasses"),
            ObjectName.of(name));
    if (found.isEmpty()) {
      throw ClusterReader.forbidden(
          request, "pod rejected: RuntimeClass \"%s\" not found".formatted(name));
    }
    return found;
  }

  private static Optional<JsonObject> overhead(JsonObject runtimeClass) {
    return runtimeClass.has("overhead")
        ? Optional.of(runtimeClass.object("overhead").object("podFixed"))
        : Optional.empty();
  }

  private static boolean isSame(JsonObject spec, JsonObject overhead) {
    return ResourceList.read(spec.object("overhead")).equals(ResourceList.read(overhead));
  }

  private static JsonObject scheduled(
      AdmissionRequest request, JsonObject spec, JsonObject scheduling) {
    JsonObject wanted = scheduling.object("nodeSelector");
    JsonObject selector = spec.object("nodeSelector");
    for (String key : wanted.names()) {
      String value = wanted.text(key, "");
      String own = selector.text(key, value);
      if (!own.equals(value)) {
        throw ClusterReader.forbidden(
            request,
            "conflict: runtimeClass.scheduling.nodeSelector[%s] = %s; pod.spec.nodeSelector[%s] = %s"
                .formatted(key, value, key, own));
      }
      selector = selector.with(key, value);
    }
    JsonObject placed = selector.isEmpty() ? spec : spec.with("nodeSelector", selector);
    List<Toleration> more = tolerations(scheduling);
    if (more.isEmpty()) {
      return placed;
    }
    List<JsonObject> merged =
        TolerationMerge.merge(tolerations(spec), more).stream().map(Toleration::toTree).toList();
    return placed.with("tolerations", JsonArray.copyOf(merged));
  }

  private static List<Toleration> tolerations(JsonObject of) {
    return of.array("tolerations").objects().stream().map(Toleration::read).toList();
  }
}
