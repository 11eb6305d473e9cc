package dev.berth.apiserver.resource.builtin;

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
final class PodSpecValidation {
  private static final List<String> RESTART_POLICIES = List.of("Always", "OnFailure", "Never");
  private static final List<String> DNS_POLICIES =
      List.of("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None");

  private final FieldPath path;
  private final JsonObject spec;
  private final List<FieldError> errors = new ArrayList<>();

  private PodSpecValidation(JsonObject spec, FieldPath path) {
    this.spec = spec;
    this.path = path;
  }

  static List<FieldError> validate(JsonObject spec, FieldPath path) {
    PodSpecValidation validation = new PodSpecValidation(spec, path);
    validation.all();
    return List.copyOf(validation.errors);
  }

  private void all() {
    Set<String> volumes = volumes();
    containers(volumes);
    errors.addAll(
        Fields.oneOf(
            path.field("restartPolicy"), spec.text("restartPolicy", ""), RESTART_POLICIES));
    errors.addAll(Fields.oneOf(path.field("dnsPolicy"), spec.text("dnsPolicy", ""), DNS_POLICIES));
    errors.addAll(
        TolerationValidation.validate(
            spec.array("tolerations"), path.field("tolerations"), TolerationRules.STANDARD));
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

  private Set<String> volumes() {
    Set<String> names = new HashSet<>();
    List<JsonObject> volumes = spec.array("volumes").objects();
    for (int i = 0; i < volumes.size(); i++) {
      FieldPath at = path.field("volumes").index(i).field("name");
      String name = volumes.get(i).text("name", "");
      if (name.isEmpty()) {
        errors.add(FieldError.required(at.toString(), ""));
      } else {
        NameRules.dns1123Label(name)
            .forEach(p -> errors.add(FieldError.invalid(at.toString(), name, p)));
      }
      if (!names.add(name)) {
        errors.add(FieldError.duplicate(at.toString(), name));
      }
    }
    return names;
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
        String name = all.get(i).text("name", "");
        if (!name.isEmpty() && !names.add(name)) {
          errors.add(FieldError.duplicate(at.field("name").toString(), name));
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
