package dev.berth.kinds.pod;

import dev.berth.kinds.pod.ContainerValidation.Surroundings;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with the containers of a pod: those that stay, those before, and those added. */
final class ContainerListValidation {
  private static final String ALWAYS = "Always";
  private static final List<String> RESTART_POLICIES = List.of(ALWAYS, "Never", "OnFailure");
  private static final List<String> RESTART_ACTIONS = List.of("Restart", "RestartAllContainers");
  private static final List<String> OPERATORS = List.of("In", "NotIn");
  private static final int MOST_RULES = 20;
  private static final int MOST_CODES = 255;
  private static final List<String> NOT_FOR_INIT =
      List.of("lifecycle", "livenessProbe", "readinessProbe", "startupProbe");

  /** In the order of upstream's type. */
  private static final List<String> NOT_FOR_EPHEMERAL =
      List.of(
          "ports",
          "resources",
          "resizePolicy",
          "restartPolicy",
          "restartPolicyRules",
          "livenessProbe",
          "readinessProbe",
          "startupProbe",
          "lifecycle");

  private final Surroundings around;
  private final FieldPath path;
  private final FieldErrorList problems;

  private ContainerListValidation(Surroundings around, FieldPath path, FieldErrorList problems) {
    this.around = around;
    this.path = path;
    this.problems = problems;
  }

  static void validate(Surroundings around, FieldPath path, FieldErrorList problems) {
    ContainerListValidation validation = new ContainerListValidation(around, path, problems);
    validation.containers();
    validation.initContainers();
    validation.ephemeralContainers();
  }

  private List<JsonObject> list(String name) {
    return around.spec().array(name).objects();
  }

  private void containers() {
    List<JsonObject> containers = list("containers");
    FieldPath at = path.field("containers");
    if (containers.isEmpty()) {
      problems.required(at, "");
    }
    Set<String> names = new HashSet<>();
    for (int i = 0; i < containers.size(); i++) {
      JsonObject container = containers.get(i);
      ContainerValidation.validate(container, around, at.index(i), problems);
      if (!names.add(container.text("name", ""))) {
        problems.duplicate(at.index(i).field("name"), container.text("name", ""));
      }
      HandlerValidation.validate(container, around.spec(), at.index(i), problems);
      restartPolicy(container, at.index(i));
    }
    hostPorts(containers, at);
  }

  /** Each port of the host can be had once. */
  private void hostPorts(List<JsonObject> containers, FieldPath at) {
    Set<String> taken = new HashSet<>();
    for (int c = 0; c < containers.size(); c++) {
      List<JsonObject> ports = containers.get(c).array("ports").objects();
      for (int p = 0; p < ports.size(); p++) {
        JsonObject port = ports.get(p);
        long host = port.integer("hostPort").orElse(0);
        String key = "%s/%s/%d".formatted(port.text("protocol", ""), port.text("hostIP", ""), host);
        if (host != 0 && !taken.add(key)) {
          problems.duplicate(at.index(c).field("ports").index(p).field("hostPort"), key);
        }
      }
    }
  }

  private void restartPolicy(JsonObject container, FieldPath at) {
    String policy = container.text("restartPolicy");
    List<JsonObject> rules = container.array("restartPolicyRules").objects();
    if (policy == null) {
      if (rules.isEmpty()) {
        return;
      }
      problems.required(
          at.field("restartPolicy"), "must specify restartPolicy when restart rules are used");
    } else {
      problems.oneOf(at.field("restartPolicy"), policy, RESTART_POLICIES);
    }
    FieldPath rulesPath = at.field("restartPolicyRules");
    if (rules.size() > MOST_RULES) {
      problems.tooMany(rulesPath, rules.size(), MOST_RULES);
    }
    for (int i = 0; i < rules.size(); i++) {
      JsonObject rule = rules.get(i);
      FieldPath place = rulesPath.index(i);
      problems.oneOf(place.field("action"), rule.text("action", ""), RESTART_ACTIONS);
      if (!rule.has("exitCodes")) {
        problems.required(place.field("exitCodes"), "must be specified");
        continue;
      }
      JsonObject codes = rule.object("exitCodes");
      FieldPath codesPath = place.field("exitCodes");
      problems.oneOf(codesPath.field("operator"), codes.text("operator", ""), OPERATORS);
      if (codes.array("values").size() > MOST_CODES) {
        problems.tooMany(codesPath.field("values"), codes.array("values").size(), MOST_CODES);
      }
    }
  }

  /** One that ends before the others begin has nobody to probe it, and nothing to be told. */
  private void initContainers() {
    Set<String> names = new HashSet<>();
    list("containers").forEach(container -> names.add(container.text("name", "")));
    List<JsonObject> containers = list("initContainers");
    for (int i = 0; i < containers.size(); i++) {
      JsonObject container = containers.get(i);
      FieldPath at = path.field("initContainers").index(i);
      ContainerValidation.validate(container, around, at, problems);
      if (container.has("restartPolicy") || !container.array("restartPolicyRules").isEmpty()) {
        initRestartPolicy(container, at);
      }
      String name = container.text("name", "");
      if (names.contains(name)) {
        problems.duplicate(at.field("name"), name);
      } else if (!name.isEmpty()) {
        names.add(name);
      }
      // They run one after the other, so that several may have the same port.
      hostPorts(List.of(container), path.field("initContainers"));
      boolean sidecar = container.text("restartPolicy", "").equals(ALWAYS);
      if (sidecar) {
        HandlerValidation.validate(container, around.spec(), at, problems);
      } else {
        NOT_FOR_INIT.stream()
            .filter(container::has)
            .forEach(field ->
                problems.forbidden(
                    at.field(field),
                    "may not be set for init containers without restartPolicy=Always"));
      }
      resizePolicy(container, sidecar, at);
    }
  }

  private void initRestartPolicy(JsonObject container, FieldPath at) {
    if (container.has("restartPolicy")) {
      restartPolicy(container, at);
    } else {
      problems.required(
          at.field("restartPolicy"), "must specify restartPolicy when restart rules are used");
    }
  }

  private void resizePolicy(JsonObject container, boolean sidecar, FieldPath at) {
    if (sidecar || around.options().initRestartOnResize()) {
      return;
    }
    List<JsonObject> policies = container.array("resizePolicy").objects();
    for (int i = 0; i < policies.size(); i++) {
      String restart = policies.get(i).text("restartPolicy", "");
      if (restart.equals("RestartContainer")) {
        problems.invalid(
            at.field("resizePolicy").index(i).field("restartPolicy"),
            restart,
            "must not be set to 'RestartContainer' for non-sidecar initContainers");
      }
    }
  }

  private void ephemeralContainers() {
    Set<String> others = new HashSet<>();
    list("containers").forEach(container -> others.add(container.text("name", "")));
    list("initContainers").forEach(container -> others.add(container.text("name", "")));
    Set<String> names = new HashSet<>(others);
    List<JsonObject> containers = list("ephemeralContainers");
    for (int i = 0; i < containers.size(); i++) {
      JsonObject container = containers.get(i);
      FieldPath at = path.field("ephemeralContainers").index(i);
      ContainerValidation.validate(container, around, at, problems);
      ContainerValidation.ofPod(container, at, problems);
      if (!names.add(container.text("name", ""))) {
        problems.duplicate(at.field("name"), container.text("name", ""));
      }
      String target = container.text("targetContainerName", "");
      if (!target.isEmpty() && !others.contains(target)) {
        problems.notFound(at.field("targetContainerName"), target, "");
      }
      for (String field : NOT_FOR_EPHEMERAL) {
        boolean set =
            field.equals("resources") ? !container.object(field).isEmpty() : container.has(field);
        if (set) {
          problems.forbidden(at.field(field), "cannot be set for an Ephemeral Container");
        }
      }
      List<JsonObject> mounts = container.array("volumeMounts").objects();
      for (int m = 0; m < mounts.size(); m++) {
        for (String field : List.of("subPath", "subPathExpr")) {
          if (!mounts.get(m).text(field, "").isEmpty()) {
            problems.forbidden(
                at.field("volumeMounts").index(m).field(field),
                "cannot be set for an Ephemeral Container");
          }
        }
      }
    }
  }
}
