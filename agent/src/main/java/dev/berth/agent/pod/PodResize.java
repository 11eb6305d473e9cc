package dev.berth.agent.pod;

import dev.berth.model.core.PodCondition;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.meta.Metadata;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import dev.berth.policy.podrun.AdmissionRejection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a pod and its containers were given, and what they were resized to while they run.
 *
 * <ol>
 *   <li>A pod whose specification asks for other resources than it was given waits until its node
 *       has them: {@code PodResizePending}, {@code Deferred}; or {@code Infeasible} if the node
 *       never will.
 *   <li>Then it is given them, and its containers are changed while they run, or started again if
 *       their policy says so: {@code PodResizeInProgress}, until all have what they were given.
 *   <li>What the pod as a whole is limited to limits each container that has no limit of its own,
 *       so that such containers are changed with it.
 * </ol>
 *
 * <p>Lives on the loop of the pods.
 */
final class PodResize {
  private static final List<String> RESIZED = List.of(ResourceList.CPU, ResourceList.MEMORY);

  private final Map<String, JsonObject> allocated = new HashMap<>();

  /** What the pod as a whole was given; empty if it asks for nothing as a whole. */
  private JsonObject allocatedWhole = JsonObject.EMPTY;

  /** What the pod as a whole has, until its cgroup has what it was given; null if it has. */
  private @Nullable JsonObject outdatedWhole;

  /** What containers that run have, where it is not what they were given yet. */
  private final Map<String, Had> outdated = new HashMap<>();

  /**
   * What a container had before it was resized.
   *
   * @param own what it was given itself
   * @param limited the same with the limits of its pod
   */
  private record Had(JsonObject own, JsonObject limited) {}

  /** Containers that are started again for what they were given, by the ids that they had. */
  private final Map<String, String> restarting = new HashMap<>();

  private @Nullable PodCondition pending;
  private boolean isInProgress;

  /** The pod is new: it was given what it asked for; or it was by an earlier agent. */
  void admitted(JsonObject pod) {
    JsonObject spec = pod.object("spec");
    JsonObject status = pod.object("status");
    admitted(spec.array("containers"), status.array("containerStatuses"));
    admitted(spec.array("initContainers"), status.array("initContainerStatuses"));
    admitted(spec.array("ephemeralContainers"), JsonArray.EMPTY);
    allocatedWhole = PodLevelStatus.allocated(spec, status);
  }

  private void admitted(JsonArray containers, JsonArray statuses) {
    for (JsonObject container : containers.objects()) {
      String name = container.text("name", "");
      JsonObject said =
          statuses.objects().stream()
              .filter(status -> status.text("name", "").equals(name) && status.has("resources"))
              .findFirst()
              .map(status -> status.object("resources"))
              .orElse(container.object("resources"));
      allocated.put(name, said);
    }
  }

  /** What a container was given. */
  JsonObject allocated(String container) {
    return allocated.getOrDefault(container, JsonObject.EMPTY);
  }

  /** What a container has: what it was given before, until it has what it is given now. */
  JsonObject actual(String container) {
    Had had = outdated.get(container);
    return had == null ? allocated(container) : had.own;
  }

  /** The pod as it asks for what it was given. */
  JsonObject allocatedPod(JsonObject pod) {
    return allocated.isEmpty()
        ? pod
        : pod.update(
            "spec",
            spec -> {
              JsonObject given =
                  spec.object("resources").equals(allocatedWhole)
                      ? spec
                      : spec.with("resources", allocatedWhole);
              for (String field : List.of("containers", "initContainers")) {
                if (given.has(field)) {
                  given = given.with(field, given.array(field).mapObjects(this::given));
                }
              }
              return given;
            });
  }

  private JsonObject given(JsonObject container) {
    JsonObject resources = allocated.get(container.text("name", ""));
    return resources == null || resources.equals(container.object("resources"))
        ? container
        : container.with("resources", resources);
  }

  /**
   * Gives a pod what it asks for, if it asks for something else than it has and the node has it.
   *
   * @param fixed why a resource of the pod cannot change on such a node; empty if it can
   * @param check whether the node has what the pod asks for, beside all other pods
   * @return the event that says so; empty if nothing changed
   */
  Optional<Event> resize(
      JsonObject pod,
      JsonObject node,
      Function<String, Optional<String>> fixed,
      Function<JsonObject, Optional<AdmissionRejection>> check) {
    if (allocatedPod(pod).equals(pod)) {
      pending = null;
      return Optional.empty();
    }
    long generation = Metadata.of(pod).generation();
    Optional<String> infeasible =
        RESIZED.stream()
            .filter(resource -> changes(pod, resource))
            .flatMap(resource -> fixed.apply(resource).stream())
            .findFirst()
            .or(() -> infeasible(pod, node));
    Optional<String> refused =
        infeasible.isPresent() ? infeasible : check.apply(pod).map(AdmissionRejection::message);
    if (refused.isPresent()) {
      String reason = infeasible.isPresent() ? "Infeasible" : "Deferred";
      PodCondition before = pending;
      pending = new PodCondition(PodCondition.RESIZE_PENDING, true, reason, refused.get());
      return before != null && before.reason().equals(reason)
          ? Optional.empty()
          : Optional.of(
              new Event(
                  true,
                  "Resize" + reason,
                  message("Pod resize " + reason, pod, generation, refused.get())));
    }
    pending = null;
    allocate(pod.object("spec"));
    isInProgress = true;
    return Optional.of(
        new Event(false, "ResizeStarted", message("Pod resize started", pod, generation, "")));
  }

  private void allocate(JsonObject spec) {
    JsonObject wholeBefore = allocatedWhole;
    allocatedWhole = spec.object("resources");
    if (!allocatedWhole.equals(wholeBefore) && outdatedWhole == null) {
      outdatedWhole = wholeBefore;
    }
    for (String field : List.of("containers", "initContainers")) {
      for (JsonObject container : spec.array(field).objects()) {
        String name = container.text("name", "");
        JsonObject own = allocated(name);
        JsonObject before = limited(own, wholeBefore);
        allocated.put(name, container.object("resources"));
        if (!before.equals(limited(allocated(name), allocatedWhole))) {
          outdated.putIfAbsent(name, new Had(own, before));
        }
      }
    }
  }

  /** What a container has, with the limits of its pod where it has none of its own. */
  private static JsonObject limited(JsonObject resources, JsonObject whole) {
    ResourceList own = ResourceList.read(resources.object("limits"));
    JsonObject limits = resources.object("limits");
    for (String resource : RESIZED) {
      String ofPod = whole.object("limits").text(resource, "");
      if (own.get(resource).isZero() && !ofPod.isEmpty()) {
        limits = limits.with(resource, ofPod);
      }
    }
    return limits.isEmpty() ? resources : resources.with("limits", limits);
  }

  /** Something that the pod's events say. */
  record Event(boolean isWarning, String reason, String message) {}

  private boolean changes(JsonObject pod, String resource) {
    JsonObject whole = pod.object("spec").object("resources");
    return differs(allocatedWhole, whole, resource) || containersChange(pod, resource);
  }

  private boolean containersChange(JsonObject pod, String resource) {
    return Stream.of("containers", "initContainers")
        .flatMap(field -> pod.object("spec").array(field).objects().stream())
        .anyMatch(container ->
            differs(
                allocated(container.text("name", "")), container.object("resources"), resource));
  }

  private static Optional<String> infeasible(JsonObject pod, JsonObject node) {
    ResourceList asked = EffectiveResources.requests(PodSpecView.read(pod.object("spec")));
    ResourceList has = ResourceList.read(node.object("status").object("allocatable"));
    for (String resource : RESIZED) {
      Quantity wanted = asked.get(resource);
      if (wanted.compareTo(has.get(resource)) > 0) {
        boolean cpu = resource.equals(ResourceList.CPU);
        return Optional.of(
            "Node didn't have enough capacity: %s, requested: %d, capacity: %d"
                .formatted(
                    resource,
                    cpu ? wanted.milliValue() : wanted.value(),
                    cpu ? has.get(resource).milliValue() : has.get(resource).value()));
      }
    }
    return Optional.empty();
  }

  private static String message(String what, JsonObject pod, long generation, String error) {
    JsonObject.Builder summary = new JsonObject.Builder();
    for (String field : List.of("initContainers", "containers")) {
      List<JsonObject> containers = new ArrayList<>();
      for (JsonObject container : pod.object("spec").array(field).objects()) {
        containers.add(
            new JsonObject.Builder()
                .put("name", container.text("name", ""))
                .put("resources", container.object("resources"))
                .build());
      }
      if (!containers.isEmpty()) {
        summary.put(field, JsonArray.copyOf(containers));
      }
    }
    summary.put("generation", generation);
    if (!error.isEmpty()) {
      summary.put("error", error);
    }
    return what + ": " + summary.build();
  }

  /** Containers that do not have what they were given, if they still run as they did. */
  List<String> outdated() {
    return List.copyOf(outdated.keySet());
  }

  /** Whether a container has to be started again to have what it was given. */
  boolean restarts(JsonObject container) {
    Had had = outdated.get(container.text("name", ""));
    JsonObject before = had == null ? JsonObject.EMPTY : had.limited;
    JsonObject after = limited(allocated(container.text("name", "")), allocatedWhole);
    for (JsonObject policy : container.array("resizePolicy").objects()) {
      String resource = policy.text("resourceName", "");
      if (differs(before, after, resource)
          && policy.text("restartPolicy", "").equals("RestartContainer")) {
        return true;
      }
    }
    return false;
  }

  private static boolean differs(JsonObject before, JsonObject after, String resource) {
    return differs(before, after, "requests", resource)
        || differs(before, after, "limits", resource);
  }

  private static boolean differs(
      JsonObject before, JsonObject after, String kind, String resource) {
    return !ResourceList.read(before.object(kind))
        .get(resource)
        .equals(ResourceList.read(after.object(kind)).get(resource));
  }

  /** Whether the cgroup of the pod as a whole has something else than it was given. */
  boolean isWholeOutdated() {
    return outdatedWhole != null;
  }

  /** The cgroup of the pod as a whole has what it was given. */
  void wholeDone() {
    outdatedWhole = null;
  }

  /** The pod as it asks for what it has, as far as the pod as a whole is concerned. */
  JsonObject actualPod(JsonObject pod) {
    JsonObject before = outdatedWhole;
    return before == null
        ? allocatedPod(pod)
        : allocatedPod(pod).update("spec", spec -> spec.with("resources", before));
  }

  /** A container is ended, to have what it was given once it is started again. */
  void restarting(String container, String id) {
    restarting.put(container, id);
  }

  /**
   * Whether a container still has to be started again.
   *
   * @param running the id of the one that runs; empty if none does
   */
  boolean isRestarting(String container, String running) {
    return running.isEmpty()
        ? restarting.containsKey(container)
        : running.equals(restarting.get(container));
  }

  /** Whether a container was started again, and so has what it was given. */
  boolean hasRestarted(String container, String running) {
    return restarting.containsKey(container) && !isRestarting(container, running);
  }

  /** A container has what it was given, or does not run. */
  void done(String container) {
    outdated.remove(container);
    restarting.remove(container);
  }

  /** Whether the last container has just got what it was given. */
  boolean completes() {
    boolean completes = isInProgress && outdated.isEmpty() && outdatedWhole == null;
    isInProgress &= !completes;
    return completes;
  }

  String completedMessage(JsonObject pod) {
    return message("Pod resize completed", pod, Metadata.of(pod).generation(), "");
  }

  List<PodCondition> conditions() {
    List<PodCondition> conditions = new ArrayList<>();
    if (pending != null) {
      conditions.add(pending);
    }
    if (isInProgress) {
      conditions.add(new PodCondition(PodCondition.RESIZE_IN_PROGRESS, true, "", ""));
    }
    return conditions;
  }
}
