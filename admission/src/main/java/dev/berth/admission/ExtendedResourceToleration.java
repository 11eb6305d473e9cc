package dev.berth.admission;

import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.ResourceNames;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
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
    JsonArray tolerations = spec.array("tolerations");
    for (String resource : resources) {
      Toleration wanted = Toleration.exists(resource, TaintEffect.NO_SCHEDULE);
      boolean has =
          tolerations.objects().stream().anyMatch(t -> Toleration.read(t).sameTaintsAs(wanted));
      tolerations = has ? tolerations : tolerations.append(wanted.toTree());
    }
    return resources.isEmpty()
        ? request.object()
        : request.object().with("spec", spec.with("tolerations", tolerations));
  }
}
