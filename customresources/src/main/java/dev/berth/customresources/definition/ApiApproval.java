package dev.berth.customresources.definition;

import dev.berth.customresources.definition.Conditions.Condition;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonObject;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Groups of the Kubernetes community are not to be taken by anybody: who defines a resource in one
 * says where that was approved, or that it was not.
 */
public record ApiApproval(State state, String reason) {
  static final String ANNOTATION = "api-approved.kubernetes.io";

  private static final String SEE = ", see https://github.com/kubernetes/enhancements/pull/1111";
  private static final String CONDITION = "KubernetesAPIApprovalPolicyConformant";

  /** What the annotation says. */
  public enum State {
    INVALID("False", "InvalidAnnotation"),
    MISSING("False", "MissingAnnotation"),
    APPROVED("True", "ApprovedAnnotation"),
    BYPASSED("False", "UnapprovedAnnotation");

    private final String conditionStatus;
    private final String conditionReason;

    State(String conditionStatus, String conditionReason) {
      this.conditionStatus = conditionStatus;
      this.conditionReason = conditionReason;
    }
  }

  static boolean isProtected(String group) {
    return group.equals("k8s.io")
        || group.endsWith(".k8s.io")
        || group.equals("kubernetes.io")
        || group.endsWith(".kubernetes.io");
  }

  static ApiApproval of(JsonObject definition) {
    String annotation = Metadata.of(definition).annotations().text(ANNOTATION, "");
    String must = "protected groups must have approval annotation \"" + ANNOTATION + "\"";
    if (annotation.isEmpty()) {
      return new ApiApproval(State.MISSING, must + SEE);
    }
    if (annotation.startsWith("unapproved")) {
      return new ApiApproval(State.BYPASSED, "not approved: \"" + annotation + "\"");
    }
    return isUrl(annotation)
        ? new ApiApproval(State.APPROVED, "approved in " + annotation)
        : new ApiApproval(
            State.INVALID,
            must + " with either a URL or a reason starting with \"unapproved\"" + SEE);
  }

  private static boolean isUrl(String text) {
    try {
      URI uri = new URI(text);
      return uri.getScheme() != null && uri.getRawAuthority() != null;
    } catch (URISyntaxException _) {
      return false;
    }
  }

  /** What is wrong with a definition's approval, unless it was so before. */
  static List<FieldError> validate(JsonObject definition, @Nullable JsonObject old) {
    if (!isProtected(new DefinitionView(definition).group())) {
      return List.of();
    }
    ApiApproval approval = of(definition);
    if (old != null && of(old).state == approval.state) {
      return List.of();
    }
    String field = "metadata.annotations[" + ANNOTATION + "]";
    return switch (approval.state) {
      case INVALID ->
          List.of(
              FieldError.invalid(
                  field,
                  Metadata.of(definition).annotations().text(ANNOTATION, ""),
                  approval.reason));
      case MISSING -> List.of(FieldError.required(field, approval.reason));
      case APPROVED, BYPASSED -> List.of();
    };
  }

  /** The condition that a definition is to have; none in a group that is not protected. */
  public static Optional<Condition> condition(DefinitionView definition) {
    if (!isProtected(definition.group())) {
      return Optional.empty();
    }
    ApiApproval approval = of(definition.tree());
    return Optional.of(
        new Condition(
            CONDITION,
            approval.state.conditionStatus,
            approval.state.conditionReason,
            approval.reason));
  }
}
