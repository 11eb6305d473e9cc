package dev.berth.model.drain;

import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.WireTime;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The status of a NodeDrain: all that is kept of it, so that whoever comes after a crash goes on.
 *
 * @param startTime null until it has begun
 * @param completionTime null until it is over
 * @param reason in one word, why it failed; empty if it has not
 * @param message how it stands, in a sentence
 */
public record DrainStatus(
    Phase phase,
    @Nullable Instant startTime,
    @Nullable Instant completionTime,
    String reason,
    String message,
    List<NodeProgress> nodes) {
  public static final String COMPLETE = "Complete";
  public static final String FAILED = "Failed";
  public static final String BLOCKED = "Blocked";

  /** How it stands, in one word. */
  public enum Phase {
    PENDING("Pending"),
    RUNNING("Running"),
    PAUSED("Paused"),
    SUCCEEDED("Succeeded"),
    FAILED("Failed"),
    CANCELLED("Cancelled");

    private final String word;

    Phase(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }

    public boolean isOver() {
      return this == SUCCEEDED || this == FAILED || this == CANCELLED;
    }

    static Phase of(String word) {
      return Arrays.stream(values()).filter(p -> p.word.equals(word)).findFirst().orElse(PENDING);
    }
  }

  public static DrainStatus read(JsonObject drain) {
    JsonObject status = drain.object("status");
    String failed =
        Conditions.find(status.array("conditions"), FAILED)
            .filter(condition -> condition.text("status", "").equals(Conditions.TRUE))
            .map(condition -> condition.text("reason", ""))
            .orElse("");
    return new DrainStatus(
        Phase.of(status.text("phase", "")),
        WireTime.read(status, "startTime"),
        WireTime.read(status, "completionTime"),
        failed,
        status.text("message", ""),
        status.array("nodes").objects().stream().map(NodeProgress::read).toList());
  }

  /** The object with this status. */
  public JsonObject placeIn(JsonObject drain, Instant now) {
    JsonObject before = drain.object("status");
    JsonObject after =
        new JsonObject.Builder()
            .put("observedGeneration", drain.object("metadata").integer("generation").orElse(0))
            .put("phase", phase.word)
            .put("message", message)
            .putIfPresent("startTime", WireTime.text(startTime))
            .putIfPresent("completionTime", WireTime.text(completionTime))
            .put("nodeProgress", count(nodesOver(), nodes.size()))
            .put("podProgress", count(podsEvicted(), podsTotal()))
            .put("podsBlocked", podsBlocked())
            .put("nodes", JsonArray.copyOf(nodes.stream().map(NodeProgress::toTree).toList()))
            .put("conditions", conditions(before.array("conditions"), now))
            .build();
    return after.equals(before) ? drain : drain.with("status", after);
  }

  private JsonArray conditions(JsonArray before, Instant now) {
    JsonArray conditions = before;
    boolean failed = phase == Phase.FAILED;
    for (JsonObject condition :
        List.of(
            condition(COMPLETE, phase == Phase.SUCCEEDED, phase.word, message),
            condition(FAILED, failed, failed ? reason : phase.word, failed ? message : ""),
            blockedCondition())) {
      conditions = Conditions.set(conditions, condition, now);
    }
    return conditions;
  }

  private JsonObject blockedCondition() {
    return firstBlocked()
        .map(pod ->
            condition(
                BLOCKED, true, "EvictionRefused", "pod %s: %s".formatted(pod.pod(), pod.message())))
        .orElseGet(() -> condition(BLOCKED, false, "NoneRefused", ""));
  }

  private static JsonObject condition(String type, boolean is, String reason, String message) {
    return Conditions.condition(type, is ? Conditions.TRUE : Conditions.FALSE, reason, message);
  }

  public Optional<NodeProgress.BlockedPod> firstBlocked() {
    return nodes.stream().flatMap(node -> node.blocked().stream()).findFirst();
  }

  private static String count(long some, long all) {
    return some + "/" + all;
  }

  private long nodesOver() {
    return nodes.stream().filter(node -> node.phase().isOver()).count();
  }

  public long podsEvicted() {
    return nodes.stream().mapToLong(NodeProgress::podsEvicted).sum();
  }

  private long podsTotal() {
    return nodes.stream().mapToLong(NodeProgress::podsTotal).sum();
  }

  public long podsBlocked() {
    return nodes.stream().mapToLong(NodeProgress::podsBlocked).sum();
  }
}
