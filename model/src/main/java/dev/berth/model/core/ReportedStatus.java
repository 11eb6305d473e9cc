package dev.berth.model.core;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The status of a pod as it was reported last.
 *
 * @param reason why it is in its phase; empty if nobody said
 * @param conditions as the tree has them
 */
public record ReportedStatus(
    PodPhase phase,
    String reason,
    String message,
    JsonArray conditions,
    List<ReportedContainer> inits,
    List<ReportedContainer> containers,
    List<ReportedContainer> ephemerals) {

  /**
   * Reads it.
   *
   * @param now since when a container runs that does not say it
   */
  public static ReportedStatus read(JsonObject status, Instant now) {
    return new ReportedStatus(
        PodPhase.of(status.text("phase", "")),
        status.text("reason", ""),
        status.text("message", ""),
        status.array("conditions"),
        containers(status.array("initContainerStatuses"), now),
        containers(status.array("containerStatuses"), now),
        containers(status.array("ephemeralContainerStatuses"), now));
  }

  private static List<ReportedContainer> containers(JsonArray statuses, Instant now) {
    return statuses.objects().stream().map(each -> ReportedContainer.read(each, now)).toList();
  }

  /** What is said of a container of any kind; empty if nothing. */
  public Optional<ReportedContainer> find(String name) {
    return Stream.of(containers, inits, ephemerals)
        .flatMap(List::stream)
        .filter(container -> container.name().equals(name))
        .findFirst();
  }
}
