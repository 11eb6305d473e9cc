package dev.berth.apiserver.resource.builtin;

import dev.berth.model.quantity.Quantity;
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
  private static final int PORT_NAME_LENGTH = 15;

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
    validation.environment();
    validation.mounts(volumes);
    validation.resources();
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
        Fields.oneOf(
            path.field("imagePullPolicy"), container.text("imagePullPolicy", ""), PULL_POLICIES));
    errors.addAll(
        Fields.oneOf(
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
        portNameProblems(name).forEach(p -> invalid(at.field("name"), name, p));
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
      errors.addAll(Fields.oneOf(at.field("protocol"), port.text("protocol", ""), PROTOCOLS));
    }
  }

  static List<String> portNameProblems(String name) {
    List<String> problems = new ArrayList<>();
    if (name.length() > PORT_NAME_LENGTH) {
      problems.add("must be no more than " + PORT_NAME_LENGTH + " characters");
    }
    if (!name.matches("[-a-z0-9]+")) {
      problems.add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
    }
    if (!name.matches(".*[a-z].*")) {
      problems.add("must contain at least one letter (a-z)");
    }
    if (name.contains("--")) {
      problems.add("must not contain consecutive hyphens");
    }
    if (name.startsWith("-") || name.endsWith("-")) {
      problems.add("must not begin or end with a hyphen");
    }
    return problems;
  }

  private void environment() {
    List<JsonObject> variables = container.array("env").objects();
    for (int i = 0; i < variables.size(); i++) {
      FieldPath at = path.field("env").index(i);
      String name = variables.get(i).text("name", "");
      if (name.isEmpty()) {
        required(at.field("name"));
      } else if (name.contains("=") || !name.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
        invalid(
            at.field("name"),
            name,
            "a valid environment variable name must consist only of printable ASCII characters"
                + " other than '='");
      }
      boolean value = !variables.get(i).text("value", "").isEmpty();
      if (value && !variables.get(i).object("valueFrom").isEmpty()) {
        invalid(at.field("valueFrom"), "", "may not be specified when `value` is not empty");
      }
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
    }
  }

  private void resources() {
    FieldPath at = path.field("resources");
    JsonObject limits = container.object("resources").object("limits");
    JsonObject requests = container.object("resources").object("requests");
    amounts(limits, at.field("limits"));
    amounts(requests, at.field("requests"));
    for (String name : requests.names()) {
      Object limit = limits.get(name);
      Object request = requests.get(name);
      if (limit != null
          && request != null
          && Quantity.fromTree(request).compareTo(Quantity.fromTree(limit)) > 0) {
        invalid(
            at.field("requests"),
            Quantity.fromTree(request).toString(),
            "must be less than or equal to " + name + " limit of " + Quantity.fromTree(limit));
      }
    }
  }

  private void amounts(JsonObject amounts, FieldPath at) {
    for (int i = 0; i < amounts.size(); i++) {
      String name = amounts.name(i);
      FieldPath place = at.key(name);
      NameRules.qualifiedName(name).forEach(p -> invalid(place, name, p));
      if (name.indexOf('/') < 0 && !isStandard(name)) {
        invalid(place, name, "must be a standard resource for containers");
      }
      Quantity amount = Quantity.fromTree(amounts.value(i));
      if (amount.signum() < 0) {
        invalid(place, amount.toString(), "must be greater than or equal to 0");
      }
    }
  }

  private static boolean isStandard(String name) {
    return name.equals("cpu")
        || name.equals("memory")
        || name.equals("ephemeral-storage")
        || name.startsWith("hugepages-");
  }

  private void required(FieldPath at) {
    errors.add(FieldError.required(at.toString(), ""));
  }

  private void invalid(FieldPath at, Object value, String problem) {
    errors.add(FieldError.invalid(at.toString(), value, problem));
  }
}
