package dev.berth.hollow.pod;

import dev.berth.model.core.PodPhase;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The status of a pod as its node posts it, in a kubelet's words: phase, conditions, addresses and
 * the state of each container. It is merged into what is there, so that conditions which others set
 * stay.
 */
public final class PodStatusBuilder {
  private static final String READY = "Ready";
  private static final String SCHEDULED = "PodScheduled";

  private final JsonObject pod;
  private final JsonObject spec;
  private final PodRun run;
  private final PodPhase phase;
  private final Instant now;
  private final List<JsonObject> conditions = new ArrayList<>();

  private PodStatusBuilder(JsonObject pod, PodRun run, boolean stays, Instant now) {
    this.pod = pod;
    this.spec = pod.object("spec");
    this.run = run;
    this.phase = run.phase(spec.text("restartPolicy", "Always"), stays);
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
    return new PodStatusBuilder(pod, run, stays, now).status(host);
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
    return stays && run.allRun() && unmetGates(pod).isEmpty();
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

  /** The conditions that a kubelet owns, in its order. */
  private JsonArray conditions() {
    boolean begun = phase != PodPhase.PENDING;
    boolean ended = phase.finished();
    add("PodReadyToStartContainers", begun && !ended, "", "");
    if (phase == PodPhase.SUCCEEDED) {
      add("Initialized", true, "PodCompleted", "");
    } else if (begun || run.inits().isEmpty()) {
      add("Initialized", true, "", "");
    } else {
      add(
          "Initialized",
          false,
          "ContainersNotInitialized",
          "containers with incomplete status: " + names("initContainers", run.inits()));
    }
    if (ended) {
      String reason = phase == PodPhase.SUCCEEDED ? "PodCompleted" : "PodFailed";
      add(READY, false, reason, "");
      add("ContainersReady", false, reason, "");
    } else if (!run.allRun()) {
      String unready = "containers with unready status: " + names("containers", run.containers());
      add(READY, false, "ContainersNotReady", unready);
      add("ContainersReady", false, "ContainersNotReady", unready);
    } else {
      List<String> unmet = unmetGates(pod);
      if (unmet.isEmpty()) {
        add(READY, true, "", "");
      } else {
        add(READY, false, "ReadinessGatesNotReady", String.join(", ", unmet));
      }
      add("ContainersReady", true, "", "");
    }
    if (Conditions.find(shown(), SCHEDULED).isEmpty()) {
      add(SCHEDULED, true, "", "");
    }
    return JsonArray.copyOf(conditions);
  }

  private JsonArray shown() {
    return pod.object("status").array("conditions");
  }

  private static List<String> unmetGates(JsonObject pod) {
    JsonArray gates = pod.object("spec").array("readinessGates");
    if (gates.isEmpty()) {
      return List.of();
    }
    JsonArray shown = pod.object("status").array("conditions");
    List<String> unmet = new ArrayList<>();
    for (JsonObject gate : gates.objects()) {
      String type = gate.text("conditionType", "");
      if (Conditions.find(shown, type).isEmpty()) {
        unmet.add(
            "corresponding condition of pod readiness gate \"%s\" does not exist.".formatted(type));
      } else if (!Conditions.isTrue(shown, type)) {
        unmet.add(
            "the status of pod readiness gate \"%s\" is not \"True\", but %s"
                .formatted(type, Conditions.status(shown, type)));
      }
    }
    return unmet;
  }

  private void add(String type, boolean is, String reason, String message) {
    String status = is ? Conditions.TRUE : Conditions.FALSE;
    String time = Times.format(now);
    JsonObject before = Conditions.find(shown(), type).orElse(JsonObject.EMPTY);
    boolean same = before.text("status", "").equals(status);
    JsonObject.Builder condition = new JsonObject.Builder().put("type", type);
    long generation = Metadata.of(pod).generation();
    if (generation > 0) {
      condition.put("observedGeneration", generation);
    }
    condition.put("status", status);
    condition.put("lastTransitionTime", same ? before.text("lastTransitionTime", time) : time);
    put(condition, "reason", reason, before);
    put(condition, "message", message, before);
    conditions.add(condition.build());
  }

  /**
   * A field that is left out stays when the status is merged, so one that is to go is set to null.
   */
  private static void put(
      JsonObject.Builder condition, String field, String word, JsonObject before) {
    if (!word.isEmpty()) {
      condition.put(field, word);
    } else if (before.has(field)) {
      condition.put(field, JsonNull.NULL);
    }
  }

  private String names(String field, List<ContainerRun> runs) {
    List<JsonObject> containers = spec.array(field).objects();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < containers.size(); i++) {
      if (!runs.get(i).isRunning()) {
        names.add(containers.get(i).text("name", ""));
      }
    }
    return "[" + String.join(" ", names) + "]";
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
    status.put("state", run.state().toTree(id(name, run.restarts())));
    ContainerState.Ended last = run.last();
    status.put(
        "lastState",
        last == null || run.state() instanceof ContainerState.Ended
            ? JsonObject.EMPTY
            : last.toTree(id(name, Math.max(0, run.restarts() - 1))));
    return status
        .put("ready", run.isRunning() || done)
        .put("restartCount", (long) run.restarts())
        .put("image", image)
        .put("imageID", begun ? image : "")
        .put("containerID", begun ? id(name, run.restarts()) : "")
        .put("started", run.isRunning())
        .build();
  }

  private String id(String container, int restarts) {
    return "hollow://" + Metadata.of(pod).uid() + "/" + container + "/" + restarts;
  }
}
