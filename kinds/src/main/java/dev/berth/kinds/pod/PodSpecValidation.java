package dev.berth.kinds.pod;

import dev.berth.kinds.pod.ContainerValidation.Surroundings;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationValidation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is wrong with the specification of a pod, or of a template's pods. */
final class PodSpecValidation {
  private static final List<String> RESTART_POLICIES = List.of("Always", "OnFailure", "Never");
  private static final List<String> DNS_POLICIES =
      List.of("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None");
  private static final List<String> PREEMPTION = List.of("PreemptLowerPriority", "Never");

  private final FieldPath path;
  private final JsonObject spec;
  private final PodValidationOptions options;
  private final FieldErrorList problems;

  private PodSpecValidation(
      JsonObject spec, FieldPath path, PodValidationOptions options, FieldErrorList problems) {
    this.spec = spec;
    this.path = path;
    this.options = options;
    this.problems = problems;
  }

  /**
   * Checks a specification, in upstream's order.
   *
   * @param metadata the pod's; empty if it is a template's specification
   */
  static void validate(
      JsonObject spec,
      JsonObject metadata,
      FieldPath path,
      PodValidationOptions options,
      FieldErrorList problems) {
    new PodSpecValidation(spec, path, options, problems).all(metadata);
  }

  private void all(JsonObject metadata) {
    if (!spec.has("terminationGracePeriodSeconds")) {
      problems.required(path.field("terminationGracePeriodSeconds"), "");
    }
    Map<String, JsonObject> volumes =
        VolumeValidation.validate(
            spec.array("volumes").objects(),
            metadata.text("name", ""),
            path.field("volumes"),
            options,
            problems);
    Set<String> claims = claims(metadata);
    ContainerListValidation.validate(
        new Surroundings(spec, volumes, claims, options), path, problems);
    PodResourceValidation.validate(spec, claims, path, options, problems);
    hostPorts();
    problems.requiredOneOf(
        path.field("restartPolicy"), spec.text("restartPolicy", ""), RESTART_POLICIES);
    problems.requiredOneOf(path.field("dnsPolicy"), spec.text("dnsPolicy", ""), DNS_POLICIES);
    problems.labels(spec.object("nodeSelector"), path.field("nodeSelector"));
    SecurityValidation.pod(spec, path, options, problems);
    AffinityValidation.validate(spec, path, options, problems);
    PodNamesValidation.dns(spec, path, problems);
    gates();
    SpreadValidation.validate(
        spec.array("topologySpreadConstraints").objects(),
        path.field("topologySpreadConstraints"),
        options,
        problems);
    WindowsValidation.hostProcess(spec, path, problems);
    hostUsers();
    PodNamesValidation.hostnameOverride(spec, path, problems);
    names();
    PodNamesValidation.aliases(spec, path, problems);
    classes();
    WindowsValidation.system(spec, path, problems);
    schedulingGroup();
    files();
  }

  private Set<String> claims(JsonObject metadata) {
    Set<String> names = new HashSet<>();
    boolean mirror = metadata.object("annotations").has(PodAnnotationsValidation.MIRROR);
    List<JsonObject> claims = spec.array("resourceClaims").objects();
    for (int i = 0; i < claims.size(); i++) {
      if (mirror) {
        problems.forbidden(FieldPath.ROOT, "static pods do not support resource claims");
        continue;
      }
      claim(claims.get(i), path.field("resourceClaims").index(i), names);
    }
    claims.forEach(claim -> names.add(claim.text("name", "")));
    names.remove("");
    return names;
  }

  private void claim(JsonObject claim, FieldPath at, Set<String> names) {
    String name = claim.text("name", "");
    if (name.isEmpty()) {
      problems.required(at.field("name"), "");
    } else if (!names.add(name)) {
      problems.duplicate(at.field("name"), name);
    } else {
      problems.invalid(at.field("name"), name, NameRules.dns1123Label(name));
    }
    boolean direct = claim.has("resourceClaimName");
    boolean template = claim.has("resourceClaimTemplateName");
    JsonObject shown = InternalForm.of("PodResourceClaim", claim);
    if (direct && template) {
      problems.invalid(
          at,
          shown,
          "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified");
    }
    if (!direct && !template) {
      problems.invalid(
          at, shown, "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
    }
    for (String field : List.of("resourceClaimName", "resourceClaimTemplateName")) {
      String reference = claim.text(field);
      if (reference != null) {
        problems.invalid(at.field(field), reference, NameRules.dns1123Subdomain(reference));
      }
    }
  }

  /** On the host's network a container's ports are the host's; a template may leave them out. */
  private void hostPorts() {
    if (!spec.flag("hostNetwork", false)) {
      return;
    }
    List<JsonObject> containers = spec.array("containers").objects();
    for (int c = 0; c < containers.size(); c++) {
      List<JsonObject> ports = containers.get(c).array("ports").objects();
      for (int p = 0; p < ports.size(); p++) {
        long host = ports.get(p).integer("hostPort").orElse(0);
        long own = ports.get(p).integer("containerPort").orElse(0);
        if ((options.isPod() || host != 0) && host != own) {
          problems.invalid(
              path.field("containers").index(c).field("ports").index(p).field("hostPort"),
              host,
              "must match `containerPort` when `hostNetwork` is true");
        }
      }
    }
  }

  private void gates() {
    List<JsonObject> ready = spec.array("readinessGates").objects();
    for (int i = 0; i < ready.size(); i++) {
      String type = ready.get(i).text("conditionType", "");
      problems.invalid(
          path.field("readinessGates").index(i).field("conditionType"),
          type,
          NameRules.qualifiedName(type));
    }
    List<JsonObject> gates = spec.array("schedulingGates").objects();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < gates.size(); i++) {
      FieldPath at = path.field("schedulingGates").index(i);
      String name = gates.get(i).text("name", "");
      problems.invalid(at, name, NameRules.qualifiedName(name));
      if (!names.add(name)) {
        problems.duplicate(at, name);
      }
    }
  }

  /** A user namespace of its own goes with few other namespaces of the host. */
  private void hostUsers() {
    if (spec.flag("hostUsers", true)) {
      return;
    }
    String why = "when `hostUsers` is false";
    if (spec.flag("hostNetwork", false)) {
      problems.forbidden(path.field("hostNetwork"), why);
    }
    if (spec.flag("hostPID", false)) {
      problems.forbidden(path.field("HostPID"), why);
    }
    if (spec.flag("hostIPC", false)) {
      problems.forbidden(path.field("HostIPC"), why);
    }
    if (!options.devicesWithoutHostUsers()) {
      for (PodContainers.Placed placed : PodContainers.of(spec, path)) {
        if (!placed.container().array("volumeDevices").isEmpty()) {
          problems.forbidden(placed.at().field("volumeDevices"), why);
        }
      }
    }
  }

  private void names() {
    subdomain("serviceAccountName");
    subdomain("nodeName");
    spec.integer("activeDeadlineSeconds")
        .ifPresent(seconds -> {
          if (seconds < 1 || seconds > Integer.MAX_VALUE) {
            problems.invalid(
                path.field("activeDeadlineSeconds"),
                seconds,
                "must be between 1 and " + Integer.MAX_VALUE + ", inclusive");
          }
        });
    for (String field : List.of("hostname", "subdomain")) {
      String name = spec.text(field, "");
      if (!name.isEmpty()) {
        problems.invalid(path.field(field), name, NameRules.dns1123Label(name));
      }
    }
    problems.addAll(
        TolerationValidation.validate(
            spec.array("tolerations"), path.field("tolerations"), options.tolerations()));
  }

  private void subdomain(String field) {
    String name = spec.text(field, "");
    if (!name.isEmpty()) {
      problems.invalid(path.field(field), name, NameRules.dns1123Subdomain(name));
    }
  }

  private void classes() {
    subdomain("priorityClassName");
    String runtimeClass = spec.text("runtimeClassName");
    if (runtimeClass != null) {
      problems.invalid(
          path.field("runtimeClassName"), runtimeClass, NameRules.dns1123Subdomain(runtimeClass));
    }
    String preemption = spec.text("preemptionPolicy");
    if (preemption != null) {
      problems.requiredOneOf(path.field("preemptionPolicy"), preemption, PREEMPTION);
    }
    if (spec.has("overhead")) {
      ResourceValidation.container(
          JsonObject.of("limits", spec.object("overhead")),
          Set.of(),
          path.field("overhead"),
          options,
          problems);
    }
  }

  private void schedulingGroup() {
    if (!spec.has("schedulingGroup")) {
      return;
    }
    String name = spec.object("schedulingGroup").text("podGroupName");
    FieldPath at = path.field("schedulingGroup").field("podGroupName");
    if (name == null) {
      problems.invalid(at, "must specify one of: `podGroupName`");
    } else {
      problems.invalid(at, name, NameRules.dns1123Subdomain(name));
    }
  }

  /** Variables from files come from volumes that only this pod writes. */
  private void files() {
    Map<String, JsonObject> volumes = new HashMap<>();
    spec.array("volumes").objects().forEach(volume -> volumes.put(volume.text("name", ""), volume));
    for (PodContainers.Placed placed : PodContainers.of(spec, path)) {
      List<JsonObject> variables = placed.container().array("env").objects();
      for (int i = 0; i < variables.size(); i++) {
        JsonObject from = variables.get(i).object("valueFrom");
        if (!from.has("fileKeyRef")) {
          continue;
        }
        FieldPath at =
            placed
                .at()
                .field("env")
                .index(i)
                .field("valueFrom")
                .field("fileKeyRef")
                .field("volumeName");
        String name = from.object("fileKeyRef").text("volumeName", "");
        JsonObject volume = volumes.get(name);
        if (volume == null) {
          problems.notFound(at, name, "");
        } else if (!volume.has("emptyDir")) {
          problems.invalid(at, name, "referenced volume must be of type emptyDir");
        }
      }
    }
  }
}
