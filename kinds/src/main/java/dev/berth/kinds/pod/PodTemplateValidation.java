package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** What is wrong with a template that pods are made from. */
public final class PodTemplateValidation {
  private PodTemplateValidation() {}

  /**
   * Checks a template.
   *
   * @param path where it stands
   */
  public static void validate(
      JsonObject template, FieldPath path, PodValidationOptions options, FieldErrorList problems) {
    JsonObject annotations = template.object("metadata").object("annotations");
    JsonObject spec = template.object("spec");
    metadata(template, path, options, problems);
    FieldPath at = path.field("spec");
    PodSpecValidation.validate(spec, JsonObject.EMPTY, at, options, problems);
    PodAnnotationsValidation.match(annotations, spec, at, problems);
    if (!spec.array("ephemeralContainers").isEmpty()) {
      problems.forbidden(
          at.field("ephemeralContainers"), "ephemeral containers not allowed in pod template");
    }
  }

  /** Checks labels and annotations; upstream leaves out that they are in the metadata. */
  public static void metadata(
      JsonObject template, FieldPath path, PodValidationOptions options, FieldErrorList problems) {
    JsonObject metadata = template.object("metadata");
    JsonObject annotations = metadata.object("annotations");
    problems.labels(metadata.object("labels"), path.field("labels"));
    PodAnnotationsValidation.keys(annotations, path.field("annotations"), problems);
    PodAnnotationsValidation.validate(
        annotations, template.object("spec"), path.field("annotations"), options, problems);
  }

  /** A template whose pods always run again; said by those that keep pods running. */
  public static void alwaysRestarts(
      JsonObject spec, String kind, FieldPath at, FieldErrorList problems) {
    String restart = spec.text("restartPolicy", "");
    problems.oneOf(at.field("restartPolicy"), restart, List.of("Always"));
    if (spec.has("activeDeadlineSeconds")) {
      problems.forbidden(
          at.field("activeDeadlineSeconds"),
          "activeDeadlineSeconds in " + kind + " is not Supported");
    }
  }
}
