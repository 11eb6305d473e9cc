package dev.berth.admission;

import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.Toleration;
import dev.berth.model.core.Views;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.TreeMemo;
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
  private final TreeMemo<JsonObject> tolerating = new TreeMemo<>(this::tolerating);

  public DefaultTolerationSeconds(DefaultTolerations defaults) {
    this.defaults = defaults;
  }

  @Override
  public JsonObject mutate(AdmissionRequest request) {
    if (request.deletes() || !request.writesCore("pods")) {
      return request.object();
    }
    JsonObject spec = request.object().object("spec");
    JsonObject tolerant = keepingMemoryPressure(tolerating.of(spec), request.old().object("spec"));
    return tolerant.equals(spec) ? request.object() : request.object().with("spec", tolerant);
  }

  /** Of what class a pod is does not change, though who updates it may leave out what says so. */
  private static JsonObject keepingMemoryPressure(JsonObject spec, JsonObject before) {
    JsonArray tolerations = spec.array("tolerations");
    for (JsonObject toleration : before.array("tolerations").objects()) {
      if (Toleration.read(toleration).equals(DefaultTolerations.OF_MEMORY_PRESSURE)
          && !tolerations.values().contains(toleration)) {
        return spec.with("tolerations", tolerations.append(toleration));
      }
    }
    return spec;
  }

  private JsonObject tolerating(JsonObject spec) {
    List<Toleration> own = Views.list(spec.array("tolerations"), Toleration::read);
    List<Toleration> added = new ArrayList<>(defaults.missingFrom(own));
    DefaultTolerations.memoryPressure(own, () -> Qos.of(PodSpecView.read(spec)))
        .ifPresent(added::add);
    if (added.isEmpty()) {
      return spec;
    }
    JsonArray tolerations = spec.array("tolerations");
    for (Toleration toleration : added) {
      tolerations = tolerations.append(toleration.toTree());
    }
    return spec.with("tolerations", tolerations);
  }
}
