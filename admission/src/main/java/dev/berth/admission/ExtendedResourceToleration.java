package dev.berth.admission;

import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.ResourceNames;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A pod that requests an extended resource tolerates the taint of that name: nodes with special
 * hardware are tainted with it, and only those who want the hardware come.
 */
public final class ExtendedResourceToleration implements AdmissionPlugin {
  @Override
  public JsonObject mutate(AdmissionRequest request) {
    if (request.deletes() || !request.writesCore("pods")) {
      return request.object();
    }
    JsonObject spec = request.object().object("spec");
    TreeSet<String> resources = new TreeSet<>();
    Stream.of("containers", "initContainers")
        .flatMap(list -> spec.array(list).objects().stream())
        .flatMap(container -> container.object("resources").object("requests").names().stream())
        .filter(ResourceNames::isExtended)
        .forEach(resources::add);
    if (resources.isEmpty()) {
      return request.object();
    }
    List<JsonObject> tolerations = new ArrayList<>(spec.array("tolerations").objects());
    for (JsonObject tree : spec.array("tolerations").objects()) {
      Toleration own = Toleration.read(tree);
      if (own.sameTaintsAs(Toleration.exists(own.key(), TaintEffect.NO_SCHEDULE))) {
        resources.remove(own.key());
      }
    }
    for (String resource : resources) {
      tolerations.add(Toleration.exists(resource, TaintEffect.NO_SCHEDULE).toTree());
    }
    return request.object().with("spec", spec.with("tolerations", JsonArray.copyOf(tolerations)));
  }
}
