package dev.berth.kinds.apps;

import dev.berth.kinds.pod.ClaimSpecWarnings;
import dev.berth.kinds.pod.TemplateWarnings;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Of StatefulSets, which have templates of claims, too. */
final class StatefulSetWarnings extends TemplateWarnings {
  private static final FieldPath CLAIMS = FieldPath.of("spec", "volumeClaimTemplates");

  StatefulSetWarnings() {
    super(FieldPath.of("spec", "template"), false);
  }

  @Override
  public List<String> onCreate(JsonObject object) {
    return withOwn(object, super.onCreate(object), "");
  }

  /** Upstream names the claims' specifications in another way when a set changes. */
  @Override
  public List<String> onUpdate(JsonObject object, JsonObject old) {
    return withOwn(object, super.onUpdate(object, old), "Spec");
  }

  private static List<String> withOwn(JsonObject object, List<String> template, String field) {
    List<String> warnings = new ArrayList<>(template);
    JsonObject spec = object.object("spec");
    List<JsonObject> claims = spec.array("volumeClaimTemplates").objects();
    for (int i = 0; i < claims.size(); i++) {
      FieldPath claim = CLAIMS.index(i);
      ClaimSpecWarnings.add(
          claims.get(i).object("spec"), field.isEmpty() ? claim : claim.field(field), warnings);
    }
    if (spec.integer("revisionHistoryLimit").orElse(0) < 0) {
      warnings.add(
          "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value"
              + " >= 0 is recommended");
    }
    return warnings;
  }
}
