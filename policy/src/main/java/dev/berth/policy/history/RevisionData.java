package dev.berth.policy.history;

import dev.berth.model.tree.JsonObject;

/**
 * What a revision holds: a strategic merge patch that gives its owner the template of that time.
 * That is upstream's form, and {@code kubectl rollout undo} sends it to the server as it is.
 */
public final class RevisionData {
  private static final String DIRECTIVE = "$patch";

  /** Stands first: no field's name is before it. */
  private static final JsonObject REPLACE = JsonObject.of(DIRECTIVE, "replace");

  private RevisionData() {}

  /** The patch that restores a template, to the byte as upstream writes it. */
  public static JsonObject of(JsonObject template) {
    JsonObject replacing = REPLACE.withMissing(CanonicalTemplate.of(template));
    return JsonObject.of("spec", JsonObject.of("template", replacing));
  }

  /** The template that a revision's data restore. */
  public static JsonObject template(JsonObject data) {
    return data.object("spec").object("template").without(DIRECTIVE);
  }

  /** Whether a revision's data are those of a template. */
  public static boolean matches(JsonObject data, JsonObject template) {
    return CanonicalTemplate.of(template(data)).equals(CanonicalTemplate.of(template));
  }
}
