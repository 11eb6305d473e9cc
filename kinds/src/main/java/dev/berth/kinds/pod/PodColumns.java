package dev.berth.kinds.pod;

import dev.berth.kinds.column.Ages;
import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.model.meta.Conditions;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How pods are printed. */
final class PodColumns {
  static final Column READY =
      Column.text("Ready", "How many of the pod's containers are ready.", PodColumns::ready);

  static final Column STATUS =
      Column.text("Status", "What the pod is doing, in a word.", PodColumns::status);

  static final Column RESTARTS =
      Column.timed("Restarts", "How often containers were restarted.", PodColumns::restarts);

  static final Column IP =
      Column.text(
              "IP",
              "The pod's address.",
              pod -> Cells.orNone(pod.object("status").text("podIP", "")))
          .wide();

  static final Column NODE =
      Column.text(
              "Node",
              "The node that the pod is on.",
              pod -> Cells.orNone(pod.object("spec").text("nodeName", "")))
          .wide();

  static final Column NOMINATED_NODE =
      Column.text(
              "Nominated Node",
              "The node that the pod may get once others have left it.",
              pod -> Cells.orNone(pod.object("status").text("nominatedNodeName", "")))
          .wide();

  static final Column READINESS_GATES =
      Column.text(
              "Readiness Gates",
              "How many of the pod's readiness gates are open.",
              PodColumns::readinessGates)
          .wide();

  private PodColumns() {}

  private static String ready(JsonObject pod) {
    JsonObject status = pod.object("status");
    long ready =
        countReady(status.array("containerStatuses"))
            + sidecars(pod).stream()
                .filter(name -> isReady(status.array("initContainerStatuses"), name))
                .count();
    return ready + "/" + (pod.object("spec").array("containers").size() + sidecars(pod).size());
  }

  private static List<String> sidecars(JsonObject pod) {
    return pod.object("spec").array("initContainers").objects().stream()
        .filter(container -> container.text("restartPolicy", "").equals("Always"))
        .map(container -> container.text("name", ""))
        .toList();
  }

  private static boolean isReady(JsonArray statuses, String name) {
    return statuses.objects().stream()
        .anyMatch(s -> s.text("name", "").equals(name) && s.flag("ready", false));
  }

  private static long countReady(JsonArray statuses) {
    return statuses.objects().stream()
        .filter(s -> s.flag("ready", false) && s.object("state").has("running"))
        .count();
  }

  /** The phase, unless a container or a deletion says something more telling. */
  static String status(JsonObject pod) {
    JsonObject status = pod.object("status");
    String word = status.text("reason", "");
    if (word.isEmpty()) {
      word = status.text("phase", "");
    }
    if (isGated(status)) {
      word = "SchedulingGated";
    }
    String initializing = initializing(pod);
    word = initializing != null ? initializing : containers(status, word);
    if (pod.object("metadata").has("deletionTimestamp")) {
      return status.text("reason", "").equals("NodeLost") ? "Unknown" : "Terminating";
    }
    return word;
  }

  private static boolean isGated(JsonObject status) {
    return Conditions.find(status.array("conditions"), "PodScheduled")
        .filter(c -> c.text("reason", "").equals("SchedulingGated"))
        .isPresent();
  }

  private static @Nullable String initializing(JsonObject pod) {
    List<JsonObject> statuses = pod.object("status").array("initContainerStatuses").objects();
    List<String> sidecars = sidecars(pod);
    for (int i = 0; i < statuses.size(); i++) {
      JsonObject state = statuses.get(i).object("state");
      JsonObject terminated = state.object("terminated");
      boolean done = state.has("terminated") && terminated.integer("exitCode").orElse(0) == 0;
      boolean sidecarRuns =
          sidecars.contains(statuses.get(i).text("name", ""))
              && statuses.get(i).flag("started", false);
      if (done || sidecarRuns) {
        continue;
      }
      if (state.has("terminated")) {
        return "Init:" + terminatedWord(terminated);
      }
      String waiting = state.object("waiting").text("reason", "");
      return waiting.isEmpty() || waiting.equals("PodInitializing")
          ? "Init:" + i + "/" + pod.object("spec").array("initContainers").size()
          : "Init:" + waiting;
    }
    return null;
  }

  private static String containers(JsonObject status, String phase) {
    String word = phase;
    boolean running = false;
    for (JsonObject container : status.array("containerStatuses").objects().reversed()) {
      JsonObject state = container.object("state");
      String waiting = state.object("waiting").text("reason", "");
      if (!waiting.isEmpty()) {
        word = waiting;
      } else if (state.has("terminated")) {
        word = terminatedWord(state.object("terminated"));
      } else if (container.flag("ready", false) && state.has("running")) {
        running = true;
      }
    }
    if (word.equals("Completed") && running) {
      return Conditions.isTrue(status.array("conditions"), "Ready") ? "Running" : "NotReady";
    }
    return word;
  }

  private static String terminatedWord(JsonObject terminated) {
    String reason = terminated.text("reason", "");
    if (!reason.isEmpty()) {
      return reason;
    }
    long signal = terminated.integer("signal").orElse(0);
    return signal != 0
        ? "Signal:" + signal
        : "ExitCode:" + terminated.integer("exitCode").orElse(0);
  }

  private static Object restarts(JsonObject pod, Instant now) {
    long count = 0;
    String last = null;
    for (JsonObject container : pod.object("status").array("containerStatuses").objects()) {
      count += container.integer("restartCount").orElse(0);
      String finished = container.object("lastState").object("terminated").text("finishedAt");
      if (finished != null && (last == null || last.compareTo(finished) < 0)) {
        last = finished;
      }
    }
    return count > 0 && last != null
        ? count + " (" + Ages.since(last, now) + " ago)"
        : Long.toString(count);
  }

  private static String readinessGates(JsonObject pod) {
    List<JsonObject> gates = pod.object("spec").array("readinessGates").objects();
    if (gates.isEmpty()) {
      return Cells.NONE;
    }
    JsonArray conditions = pod.object("status").array("conditions");
    long open =
        gates.stream()
            .map(gate -> Objects.requireNonNullElse(gate.text("conditionType"), ""))
            .filter(type -> Conditions.isTrue(conditions, type))
            .count();
    return open + "/" + gates.size();
  }
}
