package dev.berth.admission;

import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.Toleration;
import dev.berth.model.core.Views;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.Qos;
import dev.berth.policy.taint.DefaultTolerations;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * Pods get the tolerations of {@link DefaultTolerations}, also when they are changed: a list of
 * tolerations that is applied again leaves them out, and a pod may not lose one. That of memory
 * pressure is given here too: upstream gives it only where PodTolerationRestriction is on, though
 * it documents it for all.
 */
public final class DefaultTolerationSeconds implements AdmissionPlugin {
  private final DefaultTolerations defaults;

  public DefaultTolerationSeconds(DefaultTolerations defaults) {
    this.defaults = defaults;
  }

  @Override
  public JsonObject mutate(AdmissionRequest request) {
    if (request.deletes() || !request.writesCore("pods")) {
      return request.object();
    }
    JsonObject spec = request.object().object("spec");
    List<Toleration> own = Views.list(spec.array("tolerations"), Toleration::read);
    List<Toleration> added = new ArrayList<>(defaults.missingFrom(own));
    DefaultTolerations.memoryPressure(own, () -> Qos.of(PodSpecView.read(spec)))
        .ifPresent(added::add);
    if (added.isEmpty()) {
      return request.object();
    }
    JsonArray tolerations = spec.array("tolerations");
    for (Toleration toleration : added) {
      tolerations = tolerations.append(toleration.toTree());
    }
    return request.object().with("spec", spec.with("tolerations", tolerations));
  }
}
