package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.policy.taint.TolerationValidation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What is wrong with annotations of pods and templates that mean something to Kubernetes. */
final class PodAnnotationsValidation {
  static final String MIRROR = "kubernetes.io/config.mirror";
  static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";
  private static final String TOLERATIONS = "scheduler.alpha.kubernetes.io/tolerations";
  private static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";
  private static final String SECCOMP = "seccomp.security.alpha.kubernetes.io/pod";
  private static final String CONTAINER_SECCOMP = "container.seccomp.security.alpha.kubernetes.io/";
  private static final String LOCALHOST = "localhost/";
  private static final String RUNTIME_DEFAULT = "runtime/default";
  private static final String UNCONFINED = "unconfined";
  private static final int LARGEST = 256 * 1024;

  private PodAnnotationsValidation() {}

  /** The keys of a template's annotations, and how much there is of them. */
  static void keys(JsonObject annotations, FieldPath at, FieldErrorList problems) {
    long bytes = 0;
    for (String key : annotations.names()) {
      problems.invalid(at, key, NameRules.qualifiedName(key.toLowerCase(Locale.ROOT)));
      bytes += key.getBytes(StandardCharsets.UTF_8).length;
      bytes += annotations.text(key, "").getBytes(StandardCharsets.UTF_8).length;
    }
    if (bytes > LARGEST) {
      problems.tooLong(at, LARGEST);
    }
  }

  static void validate(
      JsonObject annotations,
      JsonObject spec,
      FieldPath at,
      PodValidationOptions options,
      FieldErrorList problems) {
    String mirror = annotations.text(MIRROR);
    if (mirror != null && spec.text("nodeName", "").isEmpty()) {
      problems.invalid(
          at.key(MIRROR), mirror, "must set spec.nodeName if mirror pod annotation is set");
    }
    String tolerations = annotations.text(TOLERATIONS, "");
    if (!tolerations.isEmpty()) {
      tolerations(tolerations, at, options, problems);
    }
    if (!options.invalidDeletionCost() && !isDeletionCost(annotations)) {
      problems.invalid(
          at.key(DELETION_COST), annotations.text(DELETION_COST, ""), "must be a 32bit integer");
    }
    for (String key : annotations.names()) {
      String value = annotations.text(key, "");
      if (key.equals(SECCOMP) || key.startsWith(CONTAINER_SECCOMP)) {
        seccomp(value, at + "." + key, problems);
      }
    }
    for (String key : annotations.names()) {
      if (key.startsWith(APP_ARMOR)) {
        appArmor(key, annotations.text(key, ""), spec, at.key(key), problems);
      }
    }
  }

  private static void tolerations(
      String text, FieldPath at, PodValidationOptions options, FieldErrorList problems) {
    try {
      byte[] json = text.getBytes(StandardCharsets.UTF_8);
      if (JsonReader.value(json, JsonLimits.REQUEST) instanceof JsonArray tolerations) {
        problems.addAll(
            TolerationValidation.validate(
                tolerations, at.field(TOLERATIONS), options.tolerations()));
      } else {
        problems.invalid(at, TOLERATIONS, "expected an array of tolerations");
      }
    } catch (JsonException e) {
      problems.invalid(at, TOLERATIONS, String.valueOf(e.getMessage()));
    }
  }

  static boolean isDeletionCost(JsonObject annotations) {
    String cost = annotations.text(DELETION_COST);
    if (cost == null) {
      return true;
    }
    try {
      var _ = Integer.parseInt(cost);
      return cost.equals("0") || cost.startsWith("-") || cost.matches("[1-9].*");
    } catch (NumberFormatException _) {
      return false;
    }
  }

  /** Upstream writes the place of these as if the annotation were a field. */
  private static void seccomp(String profile, String at, FieldErrorList problems) {
    if (profile.startsWith(LOCALHOST)) {
      FieldErrorList found = new FieldErrorList();
      String path = profile.substring(LOCALHOST.length());
      found.descending(path, FieldPath.ROOT);
      found
          .all()
          .forEach(error -> problems.addAll(List.of(FieldError.invalid(at, path, error.detail()))));
    } else if (!List.of(RUNTIME_DEFAULT, "docker/default", UNCONFINED).contains(profile)) {
      problems.addAll(List.of(FieldError.invalid(at, profile, "must be a valid seccomp profile")));
    }
  }

  private static void appArmor(
      String key, String profile, JsonObject spec, FieldPath at, FieldErrorList problems) {
    String container = key.substring(APP_ARMOR.length());
    boolean found =
        PodContainers.of(spec, FieldPath.of("spec")).stream()
            .anyMatch(placed -> placed.container().text("name", "").equals(container));
    if (!found) {
      problems.invalid(at, container, "container not found");
    }
    boolean known =
        List.of("", RUNTIME_DEFAULT, UNCONFINED).contains(profile) || profile.startsWith(LOCALHOST);
    if (!known) {
      problems.invalid(at, profile, "invalid AppArmor profile name: \"%s\"".formatted(profile));
    }
  }

  /** Where annotation and field speak of the same, both say the same. */
  static void match(
      JsonObject annotations, JsonObject spec, FieldPath path, FieldErrorList problems) {
    JsonObject context = spec.object("securityContext");
    FieldPath at = path.field("securityContext");
    match(annotations.text(SECCOMP), context, "seccompProfile", at, problems);
    for (PodContainers.Placed placed : PodContainers.of(spec, path)) {
      String name = placed.container().text("name", "");
      match(
          annotations.text(CONTAINER_SECCOMP + name),
          placed.container().object("securityContext"),
          "seccompProfile",
          placed.at().field("securityContext"),
          problems);
    }
    if (spec.object("os").text("name", "").equals("windows")) {
      return;
    }
    for (PodContainers.Placed placed : PodContainers.of(spec, path)) {
      JsonObject own = placed.container().object("securityContext");
      String name = placed.container().text("name", "");
      match(
          annotations.text(APP_ARMOR + name),
          own.has("appArmorProfile") ? own : context,
          "appArmorProfile",
          placed.at().field("securityContext"),
          problems);
    }
  }

  private static void match(
      @Nullable String annotation,
      JsonObject context,
      String kind,
      FieldPath path,
      FieldErrorList problems) {
    if (annotation == null || !context.has(kind)) {
      return;
    }
    String what = kind.equals("seccompProfile") ? "seccomp" : "apparmor";
    JsonObject profile = context.object(kind);
    FieldPath at = path.field(kind);
    boolean same =
        switch (profile.text("type", "")) {
          case "Unconfined" -> annotation.equals(UNCONFINED);
          case "RuntimeDefault" ->
              annotation.equals(RUNTIME_DEFAULT)
                  || (what.equals("seccomp") && annotation.equals("docker/default"));
          case "Localhost" -> annotation.startsWith(LOCALHOST);
          default -> true;
        };
    if (!same) {
      problems.forbidden(at.field("type"), what + " type in annotation and field must match");
    } else if (profile.text("type", "").equals("Localhost")
        && !annotation.equals(LOCALHOST + profile.text("localhostProfile", ""))) {
      problems.forbidden(
          at.field("localhostProfile"), what + " profile in annotation and field must match");
    }
  }

  /** Annotations that are fixed when a pod is made. */
  static void update(
      JsonObject annotations, JsonObject old, FieldPath at, FieldErrorList problems) {
    for (String key : old.names()) {
      if (old.text(key, "").equals(annotations.text(key))) {
        continue;
      }
      if (key.startsWith(APP_ARMOR)) {
        problems.forbidden(at.key(key), "may not remove or update AppArmor annotations");
      }
      if (key.equals(MIRROR)) {
        problems.forbidden(at.key(key), "may not remove or update mirror pod annotation");
      }
    }
    for (String key : annotations.names()) {
      if (old.has(key)) {
        continue;
      }
      if (key.startsWith(APP_ARMOR)) {
        problems.forbidden(at.key(key), "may not add AppArmor annotations");
      }
      if (key.equals(MIRROR)) {
        problems.forbidden(at.key(key), "may not add mirror pod annotation");
      }
    }
  }
}
