package dev.berth.policy.nodestatus;

import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.meta.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The conditions that a node reports, in a kubelet's words.
 *
 * <ul>
 *   <li>MemoryPressure, DiskPressure, PIDPressure and Ready, in this order, each with the time of
 *       the heartbeat.
 *   <li>The time of the last transition is kept while the server shows the same status, whoever
 *       wrote it.
 *   <li>Each transition has an event; a condition that was not there before has one as well, but
 *       for Ready.
 * </ul>
 */
public final class KubeletConditions {
  private static final List<Words> PRESSURES =
      List.of(
          new Words(
              Condition.MEMORY_PRESSURE,
              "HasInsufficientMemory",
              "kubelet has insufficient memory available",
              "HasSufficientMemory",
              "kubelet has sufficient memory available"),
          new Words(
              Condition.DISK_PRESSURE,
              "HasDiskPressure",
              "kubelet has disk pressure",
              "HasNoDiskPressure",
              "kubelet has no disk pressure"),
          new Words(
              Condition.PID_PRESSURE,
              "HasInsufficientPID",
              "kubelet has insufficient PID available",
              "HasSufficientPID",
              "kubelet has sufficient PID available"));

  private KubeletConditions() {}

  /** Reasons follow "Kubelet" in conditions and "Node" in events. */
  private record Words(
      String type, String reason, String message, String otherReason, String otherMessage) {
    Condition condition(boolean is) {
      return is
          ? untimed(type, ConditionStatus.TRUE, "Kubelet" + reason, message)
          : untimed(type, ConditionStatus.FALSE, "Kubelet" + otherReason, otherMessage);
    }
  }

  /** A condition that is yet to be {@linkplain #timed timed}. */
  public static Condition untimed(
      String type, ConditionStatus status, String reason, String message) {
    return new Condition(type, status, reason, message, null, null);
  }

  /**
   * The conditions of a node.
   *
   * @param before the conditions that the server shows
   * @param pressures the types of those that are True
   * @param notReady why the node is not ready; empty if it is
   */
  public static List<Condition> of(
      List<Condition> before, Set<String> pressures, String notReady, Instant now) {
    List<Condition> conditions = new ArrayList<>();
    for (Words words : PRESSURES) {
      conditions.add(timed(words.condition(pressures.contains(words.type())), before, now));
    }
    Condition ready =
        notReady.isEmpty()
            ? untimed(
                Condition.READY,
                ConditionStatus.TRUE,
                "KubeletReady",
                "kubelet is posting ready status")
            : untimed(Condition.READY, ConditionStatus.FALSE, "KubeletNotReady", notReady);
    conditions.add(timed(ready, before, now));
    return conditions;
  }

  /** A condition with the times that it has beside what the server shows. */
  public static Condition timed(Condition condition, List<Condition> before, Instant now) {
    Instant time = Times.toSeconds(now);
    Instant since =
        Condition.find(before, condition.type())
            .filter(shown -> shown.status() == condition.status())
            .map(Condition::lastTransitionTime)
            .orElse(time);
    return new Condition(
        condition.type(), condition.status(), condition.reason(), condition.message(), time, since);
  }

  /** The reasons of the events about what is different from before. */
  public static List<String> events(List<Condition> before, List<Condition> after) {
    List<String> events = new ArrayList<>();
    for (Words words : PRESSURES) {
      ConditionStatus status = status(after, words.type());
      if (status != status(before, words.type())) {
        events.add(
            "Node" + (status == ConditionStatus.TRUE ? words.reason() : words.otherReason()));
      }
    }
    ConditionStatus ready = status(after, Condition.READY);
    if (Condition.find(before, Condition.READY).isPresent()
        && ready != status(before, Condition.READY)) {
      events.add(ready == ConditionStatus.TRUE ? "NodeReady" : "NodeNotReady");
    }
    return events;
  }

  private static ConditionStatus status(List<Condition> conditions, String type) {
    return Condition.find(conditions, type).map(Condition::status).orElse(ConditionStatus.UNKNOWN);
  }

  /**
   * Whether the server shows something else of a condition than the node reports, but for the time
   * of the heartbeat.
   */
  public static boolean differ(List<Condition> shown, List<Condition> reported) {
    return reported.stream()
        .anyMatch(condition ->
            !Condition.find(shown, condition.type())
                .map(KubeletConditions::withoutHeartbeat)
                .equals(Optional.of(withoutHeartbeat(condition))));
  }

  private static Condition withoutHeartbeat(Condition condition) {
    return new Condition(
        condition.type(),
        condition.status(),
        condition.reason(),
        condition.message(),
        null,
        condition.lastTransitionTime());
  }
}
