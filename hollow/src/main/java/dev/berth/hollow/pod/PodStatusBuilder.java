package dev.berth.hollow.pod;

import dev.berth.model.core.ContainerState;
import dev.berth.model.core.PodCondition;
import dev.berth.model.core.PodPhase;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.podrun.AdmissionRejection;
import dev.berth.policy.podrun.PodConditions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The status of a pod as its node posts it, in a kubelet's words: phase, conditions, addresses and
 * the state of each container. It is merged into what is there, so that conditions which others set
 * stay.
 */
public final class PodStatusBuilder {
  private final JsonObject pod;
  private final JsonObject spec;
  private final PodRun run;
  private final PodPhase phase;
  private final Instant now;

  private PodStatusBuilder(JsonObject pod, PodRun run, PodPhase phase, Instant now) {
    this.pod = pod;
    this.spec = pod.object("spec");
    this.run = run;
    this.phase = phase;
    this.now = now;
  }

  /**
   * The status of a pod that was admitted.
   *
   * @param pod as the server shows it
   * @param host the node's address
   * @param stays false if the pod is being stopped
   */
  public static JsonObject of(JsonObject pod, String host, PodRun run, boolean stays, Instant now) {
    String restartPolicy = pod.object("spec").text("restartPolicy", "Always");
    return new PodStatusBuilder(pod, run, run.phase(restartPolicy, stays), now).status(host);
  }

  /** The status of a pod that its node has evicted, and whose containers have stopped. */
  public static JsonObject evicted(
      JsonObject pod, String host, PodRun run, String message, Instant now) {
    PodStatusBuilder builder = new PodStatusBuilder(pod, run, PodPhase.FAILED, now);
    PodCondition disruption =
        new PodCondition(PodCondition.DISRUPTION_TARGET, true, "TerminationByKubelet", message);
    JsonObject before =
        Conditions.find(builder.shown(), disruption.type()).orElse(JsonObject.EMPTY);
    List<JsonObject> conditions = new ArrayList<>(builder.conditions().objects());
    conditions.add(disruption.toTree(before, Metadata.of(pod).generation(), now));
    return builder
        .status(host)
        .with("conditions", JsonArray.copyOf(conditions))
        .with("reason", "Evicted")
        .with("message", message);
  }

  /** The status of a pod that its node does not admit. */
  public static JsonObject rejected(JsonObject pod, AdmissionRejection rejection, Instant now) {
    JsonObject.Builder status = new JsonObject.Builder();
    long generation = Metadata.of(pod).generation();
    if (generation > 0) {
      status.put("observedGeneration", generation);
    }
    return status
        .put("phase", "Failed")
        .put("reason", rejection.reason())
        .put("message", "Pod was rejected: " + rejection.message())
        .put("startTime", Times.format(now))
        .build();
  }

  /** Whether a pod that runs like this is ready, by its containers and its readiness gates. */
  public static boolean isReady(JsonObject pod, PodRun run, boolean stays) {
    return stays
        && run.allRun()
        && PodConditions.unmetGates(gates(pod), pod.object("status").array("conditions")).isEmpty();
  }

  private JsonObject status(String host) {
    JsonObject.Builder status = new JsonObject.Builder();
    long generation = Metadata.of(pod).generation();
    if (generation > 0) {
      status.put("observedGeneration", generation);
    }
    status.put("phase", word(phase)).put("conditions", conditions());
    status.put("hostIP", host).put("hostIPs", JsonArray.of(JsonObject.of("ip", host)));
    if (!run.addresses().isEmpty()) {
      status.put("podIP", run.addresses().getFirst());
      status.put(
          "podIPs",
          JsonArray.copyOf(run.addresses().stream().map(a -> JsonObject.of("ip", a)).toList()));
    }
    status.put("startTime", Times.format(run.startTime()));
    JsonArray inits = spec.array("initContainers");
    if (!inits.isEmpty()) {
      status.put("initContainerStatuses", statuses(inits, run.inits(), true));
    }
    return status
        .put("containerStatuses", statuses(spec.array("containers"), run.containers(), false))
        .build();
  }

  private static String word(PodPhase phase) {
    return switch (phase) {
      case PENDING -> "Pending";
      case RUNNING -> "Running";
      case SUCCEEDED -> "Succeeded";
      case FAILED -> "Failed";
      case UNKNOWN -> "Unknown";
    };
  }

  private JsonArray conditions() {
    PodConditions.Inputs inputs =
        new PodConditions.Inputs(
            phase,
            phase == PodPhase.RUNNING,
            summaries("initContainers", run.inits()),
            summaries("containers", run.containers()),
            gates(pod),
            shown());
    long generation = Metadata.of(pod).generation();
    List<JsonObject> conditions = new ArrayList<>();
    for (PodCondition condition : PodConditions.of(inputs)) {
      Optional<JsonObject> before = Conditions.find(shown(), condition.type());
      // Whoever bound the pod has said that it is bound.
      if (!condition.type().equals(PodCondition.SCHEDULED) || before.isEmpty()) {
        conditions.add(condition.toTree(before.orElse(JsonObject.EMPTY), generation, now));
      }
    }
    return JsonArray.copyOf(conditions);
  }

  private List<PodConditions.Container> summaries(String field, List<ContainerRun> runs) {
    boolean inits = field.equals("initContainers");
    List<JsonObject> containers = spec.array(field).objects();
    List<PodConditions.Container> summaries = new ArrayList<>();
    for (int i = 0; i < containers.size(); i++) {
      ContainerRun container = runs.get(i);
      boolean sidecar = inits && PodRun.isSidecar(containers.get(i));
      boolean begun = container.isRunning() || container.exitCode() >= 0;
      boolean mustEnd = inits && !sidecar;
      summaries.add(
          new PodConditions.Container(
              containers.get(i).text("name", ""),
              sidecar,
              container.isRunning(),
              mustEnd ? container.exitCode() == 0 : begun));
    }
    return summaries;
  }

  private JsonArray shown() {
    return pod.object("status").array("conditions");
  }

  private static List<String> gates(JsonObject pod) {
    return pod.object("spec").array("readinessGates").objects().stream()
        .map(gate -> gate.text("conditionType", ""))
        .toList();
  }

  private JsonArray statuses(JsonArray containers, List<ContainerRun> runs, boolean inits) {
    List<JsonObject> statuses = new ArrayList<>(containers.size());
    for (int i = 0; i < containers.size(); i++) {
      statuses.add(status(containers.objects().get(i), runs.get(i), inits));
    }
    return JsonArray.copyOf(statuses);
  }

  private JsonObject status(JsonObject container, ContainerRun run, boolean init) {
    String name = container.text("name", "");
    String image = container.text("image", "");
    boolean sidecar = init && PodRun.isSidecar(container);
    // An init container counts as ready once it has done its work.
    boolean done = init && !sidecar && run.exitCode() == 0;
    boolean begun = run.isRunning() || run.exitCode() >= 0;
    JsonObject.Builder status = new JsonObject.Builder().put("name", name);
    status.put("state", tree(run.state(), id(name, run.restarts())));
    ContainerState.Ended last = run.last();
    status.put(
        "lastState",
        last == null || run.state() instanceof ContainerState.Ended
            ? JsonObject.EMPTY
            : tree(last, id(name, Math.max(0, run.restarts() - 1))));
    return status
        .put("ready", run.isRunning() || done)
        .put("restartCount", (long) run.restarts())
        .put("image", image)
        .put("imageID", begun ? image : "")
        .put("containerID", begun ? id(name, run.restarts()) : "")
        .put("started", run.isRunning())
        .build();
  }

  private static JsonObject tree(ContainerState state, String id) {
    return state instanceof ContainerState.Ended ended ? ended.of(id).toTree() : state.toTree();
  }

  private String id(String container, int restarts) {
    return "hollow://" + Metadata.of(pod).uid() + "/" + container + "/" + restarts;
  }
}
