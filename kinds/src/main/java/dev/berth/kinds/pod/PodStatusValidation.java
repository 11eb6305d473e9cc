package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** What is wrong with a change of a pod's status. */
final class PodStatusValidation {
  private static final FieldPath STATUS = FieldPath.of("status");
  private static final Set<String> SYSTEM_CONDITIONS =
      Set.of("PodScheduled", "Ready", "Initialized");
  private static final String NOT_NEGATIVE = "must be a non-negative integer";

  private final JsonObject spec;
  private final JsonObject status;
  private final JsonObject before;
  private final FieldErrorList problems;

  private PodStatusValidation(JsonObject pod, JsonObject old, FieldErrorList problems) {
    this.spec = pod.object("spec");
    this.status = pod.object("status");
    this.before = old.object("status");
    this.problems = problems;
  }

  static void validate(JsonObject pod, JsonObject old, FieldErrorList problems) {
    PodStatusValidation validation = new PodStatusValidation(pod, old, problems);
    validation.conditions();
    validation.nominatedNode(old.object("spec"));
    validation.generation();
    validation.qos();
    validation.transitions("containerStatuses", "containers");
    validation.transitions("initContainerStatuses", "initContainers");
    validation.transitions("ephemeralContainerStatuses", "");
    validation.claims();
    validation.addresses("podIPs");
    validation.hostAddress();
    for (String list :
        List.of("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses")) {
      validation.users(list);
    }
    validation.allocated("containerStatuses", "containers");
    validation.allocated("initContainerStatuses", "initContainers");
    List<JsonObject> ephemeral = validation.status.array("ephemeralContainerStatuses").objects();
    for (int i = 0; i < ephemeral.size(); i++) {
      if (!ephemeral.get(i).array("allocatedResourcesStatus").isEmpty()) {
        problems.forbidden(
            STATUS.field("ephemeralContainerStatuses").index(i).field("allocatedResourcesStatus"),
            "must not be specified in container status");
      }
    }
  }

  private void conditions() {
    List<JsonObject> conditions = status.array("conditions").objects();
    for (int i = 0; i < conditions.size(); i++) {
      FieldPath at = STATUS.field("conditions").index(i);
      long generation = conditions.get(i).integer("observedGeneration").orElse(0);
      if (generation < 0) {
        problems.invalid(at.field("observedGeneration"), generation, NOT_NEGATIVE);
      }
      String type = conditions.get(i).text("type", "");
      if (!SYSTEM_CONDITIONS.contains(type)) {
        problems.invalid(at.field("Type"), type, NameRules.qualifiedName(type));
      }
    }
  }

  private void nominatedNode(JsonObject specBefore) {
    String node = status.text("nominatedNodeName", "");
    if (node.isEmpty() || node.equals(before.text("nominatedNodeName", ""))) {
      return;
    }
    FieldPath at = STATUS.field("nominatedNodeName");
    problems.invalid(at, node, NameRules.dns1123Subdomain(node));
    if (!specBefore.text("nodeName", "").isEmpty()) {
      problems.forbidden(at, "may not be set on pods that are already bound to a node");
    }
  }

  private void generation() {
    long generation = status.integer("observedGeneration").orElse(0);
    if (generation < 0) {
      problems.invalid(STATUS.field("observedGeneration"), generation, NOT_NEGATIVE);
    }
  }

  private void qos() {
    String now = status.text("qosClass", "");
    if (!now.equals(before.text("qosClass", ""))) {
      problems.invalid(STATUS.field("qosClass"), now, "field is immutable");
    }
  }

  /** What has ended and is not to be started again stays ended. */
  private void transitions(String list, String containers) {
    List<JsonObject> had = before.array(list).objects();
    for (int i = 0; i < had.size(); i++) {
      JsonObject state = had.get(i).object("state");
      if (!state.has("terminated")) {
        continue;
      }
      String name = had.get(i).text("name", "");
      boolean running =
          status.array(list).objects().stream()
              .filter(now -> now.text("name", "").equals(name))
              .anyMatch(now -> !now.object("state").has("terminated"));
      if (running && !mayRestartAll(containers) && !mayRestart(name, containers, state)) {
        problems.forbidden(
            STATUS.field(list).index(i).field("state"),
            "may not be transitioned to non-terminated state");
      }
    }
  }

  private boolean mayRestartAll(String containers) {
    return !containers.isEmpty()
        && List.of("containers", "initContainers").stream()
            .flatMap(kind -> spec.array(kind).objects().stream())
            .flatMap(container -> container.array("restartPolicyRules").objects().stream())
            .anyMatch(rule -> rule.text("action", "").equals("RestartAllContainers"));
  }

  private boolean mayRestart(String name, String containers, JsonObject state) {
    long code = state.object("terminated").integer("exitCode").orElse(0);
    return !containers.isEmpty()
        && spec.array(containers).objects().stream()
            .filter(container -> container.text("name", "").equals(name))
            .findFirst()
            .map(container -> restarts(container, code))
            .orElse(false);
  }

  private boolean restarts(JsonObject container, long code) {
    String policy = container.text("restartPolicy", "");
    if (!policy.isEmpty() && restartRule(container, code)) {
      return true;
    }
    String applies =
        List.of("Always", "OnFailure", "Never").contains(policy)
            ? policy
            : spec.text("restartPolicy", "Always");
    return switch (applies) {
      case "OnFailure" -> code != 0;
      case "Never" -> false;
      default -> true;
    };
  }

  private static boolean restartRule(JsonObject container, long code) {
    for (JsonObject rule : container.array("restartPolicyRules").objects()) {
      JsonObject codes = rule.object("exitCodes");
      boolean listed = codes.array("values").values().contains(code);
      boolean matches =
          switch (codes.text("operator", "")) {
            case "In" -> listed;
            case "NotIn" -> !listed;
            default -> false;
          };
      if (matches) {
        return rule.text("action", "").startsWith("Restart");
      }
    }
    return false;
  }

  private void claims() {
    if (status.has("resourceClaimStatuses")) {
      claimStatuses();
    }
    if (status.has("extendedResourceClaimStatus")) {
      extended(
          status.object("extendedResourceClaimStatus"),
          STATUS.field("extendedResourceClaimStatus"));
    }
  }

  private void claimStatuses() {
    Set<String> known = new HashSet<>();
    spec.array("resourceClaims").objects().forEach(claim -> known.add(claim.text("name", "")));
    Set<String> seen = new HashSet<>();
    List<JsonObject> claims = status.array("resourceClaimStatuses").objects();
    for (int i = 0; i < claims.size(); i++) {
      FieldPath at = STATUS.field("resourceClaimStatuses").index(i);
      String name = claims.get(i).text("name", "");
      if (!known.contains(name)) {
        problems.invalid(
            at.field("name"), name, "must match the name of an entry in `spec.resourceClaims`");
      }
      if (!seen.add(name)) {
        problems.duplicate(at.field("name"), name);
      }
      String claim = claims.get(i).text("resourceClaimName");
      if (claim != null) {
        problems.invalid(at.field("resourceClaimName"), claim, NameRules.dns1123Subdomain(claim));
      }
    }
  }

  private void extended(JsonObject claim, FieldPath at) {
    List<JsonObject> mappings = claim.array("requestMappings").objects();
    if (mappings.isEmpty()) {
      problems.required(at.field("requestMappings"), "at least one request mapping is required");
    }
    Set<List<String>> seen = new HashSet<>();
    for (int i = 0; i < mappings.size(); i++) {
      FieldPath place = at.field("requestMappings").index(i);
      String container = mappings.get(i).text("containerName", "");
      String resource = mappings.get(i).text("resourceName", "");
      String request = mappings.get(i).text("requestName", "");
      mapping(container, resource, place);
      problems.invalid(at.field("requestName"), request, NameRules.dns1123Label(request));
      if (!seen.add(List.of(container, resource, request))) {
        problems.duplicate(place.field("containerName"), container);
        problems.duplicate(place.field("resourceName"), resource);
        problems.duplicate(place.field("requestName"), request);
      }
    }
    if (problems.present(claim, "resourceClaimName", at)) {
      String name = claim.text("resourceClaimName", "");
      problems.invalid(at.field("resourceClaimName"), name, NameRules.dns1123Subdomain(name));
    }
  }

  private void mapping(String container, String resource, FieldPath at) {
    List<JsonObject> named =
        List.of("initContainers", "containers").stream()
            .flatMap(list -> spec.array(list).objects().stream())
            .filter(c -> c.text("name", "").equals(container))
            .toList();
    if (named.isEmpty()) {
      problems.invalid(
          at.field("containerName"),
          container,
          "must match the name of an entry in spec.initContainers.name or spec.containers.name");
    } else if (!named.getLast().object("resources").object("requests").has(resource)) {
      problems.invalid(
          at.field("resourceName"),
          resource,
          "must match the extended resource name of an entry in"
              + " spec.initContainers.resources.requests or spec.containers.resources.requests");
    }
  }

  private void addresses(String field) {
    List<JsonObject> now = status.array(field).objects();
    Set<String> had = new HashSet<>();
    before.array(field).objects().forEach(entry -> had.add(entry.text("ip", "")));
    for (int i = 0; i < now.size(); i++) {
      String address = now.get(i).text("ip", "");
      if (!had.contains(address)) {
        problems.address(address, STATUS.field(field).index(i));
      }
    }
    long newer = now.stream().filter(entry -> entry.text("ip", "").contains(":")).count();
    if (now.size() > 2 || (now.size() == 2 && newer != 1)) {
      problems.invalid(
          STATUS.field(field),
          InternalForm.listOf(field.equals("podIPs") ? "PodIP" : "HostIP", status.array(field)),
          "may specify no more than one IP for each IP family");
    }
  }

  private void hostAddress() {
    List<JsonObject> addresses = status.array("hostIPs").objects();
    if (addresses.isEmpty()) {
      return;
    }
    String first = addresses.getFirst().text("ip", "");
    if (!first.equals(status.text("hostIP", ""))) {
      problems.invalid(
          STATUS.field("hostIPs").index(0).field("ip"), first, "must be equal to `hostIP`");
    }
    addresses("hostIPs");
  }

  private void users(String list) {
    boolean windows = spec.object("os").text("name", "").equals("windows");
    List<JsonObject> statuses = status.array(list).objects();
    for (int i = 0; i < statuses.size(); i++) {
      JsonObject user = statuses.get(i).object("user");
      if (!user.has("linux")) {
        continue;
      }
      FieldPath at = STATUS.field(list).index(i).field("user").field("linux");
      if (windows) {
        problems.forbidden(at, "cannot be set for a windows pod");
        continue;
      }
      JsonObject linux = user.object("linux");
      problems.id(linux, "uid", at);
      problems.id(linux, "gid", at);
      JsonArray groups = linux.array("supplementalGroups");
      for (int g = 0; g < groups.size(); g++) {
        if (groups.get(g) instanceof Long group && (group < 0 || group > Integer.MAX_VALUE)) {
          problems.invalid(
              at.field("supplementalGroups").index(g),
              group,
              "must be between 0 and 2147483647, inclusive");
        }
      }
    }
  }

  /** The health of what a container was given. */
  private void allocated(String list, String containers) {
    List<JsonObject> statuses = status.array(list).objects();
    for (int i = 0; i < statuses.size(); i++) {
      List<JsonObject> all = statuses.get(i).array("allocatedResourcesStatus").objects();
      if (all.isEmpty()) {
        continue;
      }
      String name = statuses.get(i).text("name", "");
      JsonObject resources =
          spec.array(containers).objects().stream()
              .filter(container -> container.text("name", "").equals(name))
              .findFirst()
              .map(container -> container.object("resources"))
              .orElse(null);
      for (int j = 0; j < all.size(); j++) {
        FieldPath at = STATUS.field(list).index(i).field("allocatedResourcesStatus").index(j);
        if (resources != null) {
          allocatedName(all.get(j).text("name", ""), resources, at.field("name"));
        }
        health(all.get(j).array("resources").objects(), at.field("resources"));
      }
    }
  }

  private void allocatedName(String name, JsonObject resources, FieldPath at) {
    if (!name.startsWith("claim:")) {
      if (!resources.object("requests").has(name)) {
        problems.invalid(at, name, "must match one of the container's resource requests");
      }
      return;
    }
    boolean found =
        resources.array("claims").objects().stream()
            .anyMatch(claim -> {
              String request = claim.text("request", "");
              String own = "claim:" + claim.text("name", "");
              return name.equals(request.isEmpty() ? own : own + "/" + request);
            });
    if (!found) {
      problems.invalid(
          at,
          name,
          "must match one of the container's resource claims in a format"
              + " 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty");
    }
  }

  private void health(List<JsonObject> resources, FieldPath path) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < resources.size(); i++) {
      problems.oneOf(
          path.index(i).field("health"),
          resources.get(i).text("health", ""),
          List.of("Healthy", "Unhealthy", "Unknown"));
      String id = Objects.requireNonNull(resources.get(i).text("resourceID", ""));
      if (!seen.add(id)) {
        problems.duplicate(path.index(i).field("resourceID"), id);
      }
    }
  }
}
