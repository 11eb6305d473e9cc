package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.policy.taint.TolerationValidation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with the specification of a pod, or of a template's pods. */
public final class PodSpecValidation {
  private static final List<String> RESTART_POLICIES = List.of("Always", "OnFailure", "Never");
  private static final List<String> DNS_POLICIES =
      List.of("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None");

  private final FieldPath path;
  private final JsonObject spec;
  private final TolerationRules tolerations;
  private final List<FieldError> errors = new ArrayList<>();

  private PodSpecValidation(JsonObject spec, FieldPath path, TolerationRules tolerations) {
    this.spec = spec;
    this.path = path;
    this.tolerations = tolerations;
  }

  /**
   * What is wrong with a specification.
   *
   * @param tolerations what its tolerations may say
   */
  public static List<FieldError> validate(
      JsonObject spec, FieldPath path, TolerationRules tolerations) {
    PodSpecValidation validation = new PodSpecValidation(spec, path, tolerations);
    validation.all();
    return List.copyOf(validation.errors);
  }

  /** What the tolerations of a specification may say that replaces another. */
  public static TolerationRules replacing(JsonObject old, TolerationRules tolerations) {
    return TolerationValidation.keeping(old.array("tolerations"), tolerations);
  }

  private void all() {
    FieldErrorList problems = new FieldErrorList();
    Set<String> volumes = VolumeValidation.validate(spec, path, problems);
    errors.addAll(problems.all());
    containers(volumes);
    errors.addAll(parts());
    errors.addAll(
        FieldRules.oneOf(
            path.field("restartPolicy"), spec.text("restartPolicy", ""), RESTART_POLICIES));
    errors.addAll(
        FieldRules.oneOf(path.field("dnsPolicy"), spec.text("dnsPolicy", ""), DNS_POLICIES));
    errors.addAll(
        TolerationValidation.validate(
            spec.array("tolerations"), path.field("tolerations"), tolerations));
    nodeSelector();
    String nodeName = spec.text("nodeName", "");
    if (!nodeName.isEmpty()) {
      NameRules.dns1123Subdomain(nodeName).forEach(p -> invalid("nodeName", nodeName, p));
    }
    spec.integer("activeDeadlineSeconds")
        .ifPresent(seconds -> {
          if (seconds < 1 || seconds > Integer.MAX_VALUE) {
            invalid(
                "activeDeadlineSeconds",
                seconds,
                "must be between 1 and " + Integer.MAX_VALUE + ", inclusive");
          }
        });
    spec.integer("terminationGracePeriodSeconds")
        .ifPresent(seconds -> {
          if (seconds < 0) {
            invalid("terminationGracePeriodSeconds", seconds, "must be greater than or equal to 0");
          }
        });
  }

  private List<FieldError> parts() {
    FieldErrorList problems = new FieldErrorList();
    AffinityValidation.validate(spec, path, problems);
    PlacementValidation.validate(spec, path, problems);
    PodNamesValidation.validate(spec, path, problems);
    SecurityValidation.pod(spec, path, problems);
    HostPorts.validate(spec, path, problems);
    return problems.all();
  }

  private void containers(Set<String> volumes) {
    JsonArray containers = spec.array("containers");
    if (containers.isEmpty()) {
      errors.add(FieldError.required(path.field("containers").toString(), ""));
    }
    Set<String> names = new HashSet<>();
    for (String list : List.of("containers", "initContainers")) {
      List<JsonObject> all = spec.array(list).objects();
      for (int i = 0; i < all.size(); i++) {
        FieldPath at = path.field(list).index(i);
        errors.addAll(ContainerValidation.validate(all.get(i), volumes, at));
        if (list.equals("initContainers")) {
          initContainer(all.get(i), at);
        }
        String name = all.get(i).text("name", "");
        if (!name.isEmpty() && !names.add(name)) {
          errors.add(FieldError.duplicate(at.field("name").toString(), name));
        }
      }
    }
  }

  /** One that ends before the others begin has nobody to probe it, and nothing to be told. */
  private void initContainer(JsonObject container, FieldPath at) {
    String restart = container.text("restartPolicy", "");
    if (!restart.isEmpty() && !restart.equals("Always")) {
      errors.addAll(FieldRules.oneOf(at.field("restartPolicy"), restart, List.of("Always")));
    }
    if (!restart.equals("Always")) {
      for (String field : List.of("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")) {
        if (container.has(field)) {
          errors.add(
              FieldError.forbidden(
                  at.field(field).toString(),
                  "may not be set for init containers without restartPolicy=Always"));
        }
      }
    }
  }

  private void nodeSelector() {
    JsonObject selector = spec.object("nodeSelector");
    for (String key : selector.names()) {
      String value = selector.text(key, "");
      NameRules.qualifiedName(key).forEach(p -> invalid("nodeSelector", key, p));
      NameRules.labelValue(value).forEach(p -> invalid("nodeSelector", value, p));
    }
  }

  private void invalid(String field, Object value, String problem) {
    errors.add(FieldError.invalid(path.field(field).toString(), value, problem));
  }
}
