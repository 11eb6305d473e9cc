package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is wrong with a container, of whatever kind. */
final class ContainerValidation {
  static final List<String> PULL_POLICIES = List.of("Always", "IfNotPresent", "Never");
  private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");
  private static final List<String> MESSAGE_POLICIES = List.of("File", "FallbackToLogsOnError");
  private static final List<String> RESIZED = List.of("cpu", "memory");
  private static final List<String> RESIZE_POLICIES = List.of("NotRequired", "RestartContainer");
  private static final int LAST_PORT = 65535;
  private static final String PORT_RANGE = "must be between 1 and 65535, inclusive";

  private final JsonObject container;
  private final FieldPath path;
  private final FieldErrorList problems;

  private ContainerValidation(JsonObject container, FieldPath path, FieldErrorList problems) {
    this.container = container;
    this.path = path;
    this.problems = problems;
  }

  /**
   * What a container is in.
   *
   * @param spec the specification of the pod
   * @param volumes those that can be mounted, by name
   * @param claims the names of the pod's claims of resources
   */
  record Surroundings(
      JsonObject spec,
      Map<String, JsonObject> volumes,
      Set<String> claims,
      PodValidationOptions options) {}

  static void validate(
      JsonObject container, Surroundings around, FieldPath path, FieldErrorList problems) {
    ContainerValidation validation = new ContainerValidation(container, path, problems);
    validation.names();
    validation.ports();
    EnvironmentValidation.validate(container, path, problems);
    MountValidation.validate(container, around.volumes(), path, problems);
    problems.requiredOneOf(
        path.field("imagePullPolicy"), container.text("imagePullPolicy", ""), PULL_POLICIES);
    ResourceValidation.container(
        container.object("resources"),
        around.claims(),
        path.field("resources"),
        around.options(),
        problems);
    validation.resizePolicies(around.spec().text("restartPolicy", ""));
    SecurityValidation.container(container, around.spec().flag("hostUsers", true), path, problems);
  }

  /** What holds for the containers of pods, and not for those of templates. */
  static void ofPod(JsonObject container, FieldPath path, FieldErrorList problems) {
    String image = container.text("image", "");
    if (!image.equals(image.strip())) {
      problems.invalid(path.field("image"), image, "must not have leading or trailing whitespace");
    }
  }

  private void names() {
    if (problems.present(container, "name", path)) {
      String name = container.text("name", "");
      problems.invalid(path.field("name"), name, NameRules.dns1123Label(name));
    }
    problems.present(container, "image", path);
    problems.requiredOneOf(
        path.field("terminationMessagePolicy"),
        container.text("terminationMessagePolicy", ""),
        MESSAGE_POLICIES);
  }

  private void ports() {
    Set<String> names = new HashSet<>();
    List<JsonObject> ports = container.array("ports").objects();
    for (int i = 0; i < ports.size(); i++) {
      JsonObject port = ports.get(i);
      FieldPath at = path.field("ports").index(i);
      String name = port.text("name", "");
      if (!name.isEmpty()) {
        List<String> wrong = FieldErrorList.portNameProblems(name);
        problems.invalid(at.field("name"), name, wrong);
        if (wrong.isEmpty() && !names.add(name)) {
          problems.duplicate(at.field("name"), name);
        }
      }
      long number = port.integer("containerPort").orElse(0);
      if (number == 0) {
        problems.required(at.field("containerPort"), "");
      } else if (number < 1 || number > LAST_PORT) {
        problems.invalid(at.field("containerPort"), number, PORT_RANGE);
      }
      long host = port.integer("hostPort").orElse(0);
      if (host < 0 || host > LAST_PORT) {
        problems.invalid(at.field("hostPort"), host, PORT_RANGE);
      }
      problems.requiredOneOf(at.field("protocol"), port.text("protocol", ""), PROTOCOLS);
    }
  }

  private void resizePolicies(String restartPolicy) {
    FieldPath at = path.field("resizePolicy");
    Set<String> seen = new HashSet<>();
    List<JsonObject> policies = container.array("resizePolicy").objects();
    for (int i = 0; i < policies.size(); i++) {
      String resource = policies.get(i).text("resourceName", "");
      if (!seen.add(resource)) {
        problems.duplicate(at.index(i), resource);
      }
      problems.requiredOneOf(at, resource, RESIZED);
      String restart = policies.get(i).text("restartPolicy", "");
      problems.requiredOneOf(at, restart, RESIZE_POLICIES);
      if (restartPolicy.equals("Never") && !restart.equals("NotRequired")) {
        problems.invalid(at, restart, "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
      }
    }
  }
}
