package dev.berth.policy.deployment;

import dev.berth.model.core.PodTemplate;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.history.CanonicalTemplate;
import dev.berth.policy.history.RevisionHash;

/**
 * Tells templates apart: by comparing them, and by a short word for each that names its set. No
 * other program's words can be had for the same template; see {@link RevisionHash}.
 */
public final class TemplateHash {
  /** The label that tells the pods of a deployment's sets apart. */
  public static final String LABEL = "pod-template-hash";

  private TemplateHash() {}

  /**
   * The word for a template.
   *
   * @param collisions how many words before this one were taken by something else
   */
  public static String of(JsonObject template, long collisions) {
    return RevisionHash.of(withoutHash(template), collisions);
  }

  /** Whether two templates make the same pods, the label of their set aside. */
  public static boolean isSame(JsonObject one, JsonObject other) {
    JsonObject first = withoutHash(one);
    JsonObject second = withoutHash(other);
    return first.equals(second) || CanonicalTemplate.of(first).equals(CanonicalTemplate.of(second));
  }

  static JsonObject withoutHash(JsonObject template) {
    return new PodTemplate(template).withoutLabel(LABEL).tree();
  }
}
