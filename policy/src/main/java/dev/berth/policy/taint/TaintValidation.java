package dev.berth.policy.taint;

import dev.berth.model.core.TaintEffect;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What is wrong with a node's taints. Not allowed are a key that is no qualified name, a value that
 * is no label value, an effect that is missing or unknown, and two taints of the same key and
 * effect.
 *
 * <p>It reads what was written and not typed taints, which do not tell unknown words apart.
 *
 * <p>Messages are upstream's, except that a duplicate is shown as {@code kubectl taint} writes it
 * and not as a structure of the program.
 */
public final class TaintValidation {
  private static final List<String> EFFECTS =
      List.of(
          TaintEffect.NO_SCHEDULE.text(),
          TaintEffect.PREFER_NO_SCHEDULE.text(),
          TaintEffect.NO_EXECUTE.text());

  private TaintValidation() {}

  /**
   * The errors, in the order of the taints; none if all is well.
   *
   * @param path where the taints stand
   */
  public static List<FieldError> validate(JsonArray taints, FieldPath path) {
    List<FieldError> errors = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    List<JsonObject> objects = taints.objects();
    for (int i = 0; i < objects.size(); i++) {
      JsonObject taint = objects.get(i);
      FieldPath at = path.index(i);
      String key = taint.text("key", "");
      String value = taint.text("value", "");
      String effect = taint.text("effect", "");
      NameRules.qualifiedName(key)
          .forEach(p -> errors.add(FieldError.invalid(at.field("key").toString(), key, p)));
      List<String> problems = NameRules.labelValue(value);
      if (!problems.isEmpty()) {
        errors.add(
            FieldError.invalid(at.field("value").toString(), value, String.join(";", problems)));
      }
      errors.addAll(effect(effect, at.field("effect")));
      if (!seen.add(key + ":" + effect)) {
        errors.add(
            new FieldError(
                FieldError.Reason.DUPLICATE,
                at.toString(),
                shown(taint),
                "taints must be unique by key and effect pair"));
      }
    }
    return List.copyOf(errors);
  }

  /** As Kubernetes shows a taint in messages. */
  private static JsonObject shown(JsonObject taint) {
    String added = taint.text("timeAdded");
    return new JsonObject.Builder()
        .put("Key", taint.text("key", ""))
        .put("Value", taint.text("value", ""))
        .put("Effect", taint.text("effect", ""))
        .put("TimeAdded", added == null ? JsonNull.NULL : added)
        .build();
  }

  static List<FieldError> effect(String effect, FieldPath path) {
    if (effect.isEmpty()) {
      return List.of(FieldError.required(path.toString(), ""));
    }
    return EFFECTS.contains(effect)
        ? List.of()
        : List.of(FieldError.notSupported(path.toString(), effect, EFFECTS));
  }
}
