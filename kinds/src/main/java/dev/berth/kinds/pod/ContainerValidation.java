package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with a container. */
final class ContainerValidation {
  private static final List<String> PULL_POLICIES = List.of("Always", "IfNotPresent", "Never");
  private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");
  private static final List<String> MESSAGE_POLICIES = List.of("FallbackToLogsOnError", "File");
  private static final int LAST_PORT = 65535;
  private static final String PORT_RANGE = "must be between 1 and 65535, inclusive";

  private final JsonObject container;
  private final FieldPath path;
  private final List<FieldError> errors = new ArrayList<>();

  private ContainerValidation(JsonObject container, FieldPath path) {
    this.container = container;
    this.path = path;
  }

  /** The errors of a container; the volumes are those that it can mount. */
  static List<FieldError> validate(JsonObject container, Set<String> volumes, FieldPath path) {
    ContainerValidation validation = new ContainerValidation(container, path);
    validation.names();
    validation.ports();
    validation.mounts(volumes);
    FieldErrorList problems = new FieldErrorList();
    EnvironmentValidation.validate(container, path, problems);
    HandlerValidation.validate(container, path, problems);
    SecurityValidation.container(container, path, problems);
    validation.errors.addAll(problems.all());
    validation.errors.addAll(ResourceValidation.validate(container, path));
    return validation.errors;
  }

  private void names() {
    String name = container.text("name", "");
    if (name.isEmpty()) {
      required(path.field("name"));
    } else {
      NameRules.dns1123Label(name).forEach(p -> invalid(path.field("name"), name, p));
    }
    String image = container.text("image", "");
    if (image.isEmpty()) {
      required(path.field("image"));
    } else if (!image.equals(image.strip())) {
      invalid(path.field("image"), image, "must not have leading or trailing whitespace");
    }
    errors.addAll(
        FieldRules.oneOf(
            path.field("imagePullPolicy"), container.text("imagePullPolicy", ""), PULL_POLICIES));
    errors.addAll(
        FieldRules.oneOf(
            path.field("terminationMessagePolicy"),
            container.text("terminationMessagePolicy", ""),
            MESSAGE_POLICIES));
  }

  private void ports() {
    Set<String> names = new HashSet<>();
    List<JsonObject> ports = container.array("ports").objects();
    for (int i = 0; i < ports.size(); i++) {
      JsonObject port = ports.get(i);
      FieldPath at = path.field("ports").index(i);
      String name = port.text("name", "");
      if (!name.isEmpty()) {
        FieldErrorList.portNameProblems(name).forEach(p -> invalid(at.field("name"), name, p));
        if (!names.add(name)) {
          errors.add(FieldError.duplicate(at.field("name").toString(), name));
        }
      }
      long number = port.integer("containerPort").orElse(0);
      if (number == 0) {
        required(at.field("containerPort"));
      } else if (number < 1 || number > LAST_PORT) {
        invalid(at.field("containerPort"), number, PORT_RANGE);
      }
      long host = port.integer("hostPort").orElse(0);
      if (host < 0 || host > LAST_PORT) {
        invalid(at.field("hostPort"), host, PORT_RANGE);
      }
      errors.addAll(FieldRules.oneOf(at.field("protocol"), port.text("protocol", ""), PROTOCOLS));
    }
  }

  private void mounts(Set<String> volumes) {
    Set<String> paths = new HashSet<>();
    List<JsonObject> mounts = container.array("volumeMounts").objects();
    for (int i = 0; i < mounts.size(); i++) {
      FieldPath at = path.field("volumeMounts").index(i);
      String name = mounts.get(i).text("name", "");
      if (name.isEmpty()) {
        required(at.field("name"));
      } else if (!volumes.contains(name)) {
        errors.add(
            new FieldError(FieldError.Reason.NOT_FOUND, at.field("name").toString(), name, ""));
      }
      String mountPath = mounts.get(i).text("mountPath", "");
      if (mountPath.isEmpty()) {
        required(at.field("mountPath"));
      } else if (!paths.add(mountPath)) {
        invalid(at.field("mountPath"), mountPath, "must be unique");
      }
      subPath(mounts.get(i), at);
    }
  }

  private void subPath(JsonObject mount, FieldPath at) {
    FieldErrorList problems = new FieldErrorList();
    for (String field : List.of("subPath", "subPathExpr")) {
      problems.descending(mount.text(field, ""), at.field(field));
    }
    if (mount.has("subPath") && mount.has("subPathExpr")) {
      problems.invalid(
          at.field("subPathExpr"),
          mount.text("subPathExpr", ""),
          "subPathExpr and subPath are mutually exclusive");
    }
    errors.addAll(problems.all());
  }

  private void required(FieldPath at) {
    errors.add(FieldError.required(at.toString(), ""));
  }

  private void invalid(FieldPath at, Object value, String problem) {
    errors.add(FieldError.invalid(at.toString(), value, problem));
  }
}
