package dev.berth.kinds.apps;

import dev.berth.kinds.resource.FieldRules;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Stateful sets: little of their specification may change, since their pods keep their state. */
final class StatefulSetRules extends WorkloadRules {
  private static final List<String> MAY_CHANGE =
      List.of(
          "replicas",
          "ordinals",
          "template",
          "updateStrategy",
          "revisionHistoryLimit",
          "persistentVolumeClaimRetentionPolicy",
          "minReadySeconds");

  StatefulSetRules(TolerationRules tolerations) {
    super("statefulset", StatefulSetRules::ownDefaults, tolerations);
  }

  private static JsonObject ownDefaults(JsonObject spec) {
    JsonObject filled = FieldRules.orDefault(spec, "replicas", 1L);
    filled = FieldRules.orDefault(filled, "podManagementPolicy", "OrderedReady");
    filled = FieldRules.orDefault(filled, "revisionHistoryLimit", 10L);
    filled =
        FieldRules.within(
            filled,
            "persistentVolumeClaimRetentionPolicy",
            p ->
                FieldRules.orDefault(
                    FieldRules.orDefault(p, "whenDeleted", "Retain"), "whenScaled", "Retain"));
    return rollingByDefault(
        filled, "updateStrategy", rolling -> FieldRules.orDefault(rolling, "partition", 0L));
  }

  /** Claims become volumes of the same names, in place of those that the template has. */
  @Override
  JsonObject withFurtherVolumes(JsonObject pod, JsonObject spec) {
    List<JsonObject> claims = spec.array("volumeClaimTemplates").objects();
    if (claims.isEmpty()) {
      return pod;
    }
    Map<String, JsonObject> volumes = new LinkedHashMap<>();
    pod.array("volumes").objects().forEach(volume -> volumes.put(volume.text("name", ""), volume));
    for (JsonObject claim : claims) {
      String name = Metadata.of(claim).name();
      JsonObject source = JsonObject.of("claimName", name);
      volumes.put(
          name,
          new JsonObject.Builder().put("name", name).put("persistentVolumeClaim", source).build());
    }
    return pod.with("volumes", JsonArray.copyOf(List.copyOf(volumes.values())));
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject object, JsonObject old) {
    JsonObject expected = old.object("spec");
    for (String field : MAY_CHANGE) {
      expected = FieldRules.keep(field, expected, object.object("spec"));
    }
    return expected.equals(object.object("spec"))
        ? List.of()
        : List.of(
            FieldError.forbidden(
                "spec",
                "updates to statefulset spec for fields other than 'replicas', 'ordinals',"
                    + " 'template', 'updateStrategy', 'revisionHistoryLimit',"
                    + " 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are"
                    + " forbidden"));
  }
}
