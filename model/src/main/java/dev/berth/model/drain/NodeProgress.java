package dev.berth.model.drain;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.Arrays;
import java.util.List;

/**
 * How far a node of a drain is, as the drain's status tells.
 *
 * @param podsTotal the pods that were to go, those that went included
 * @param podsLeft those that are still there
 * @param blocked those that budgets, or others, do not let go: as many as are worth naming
 * @param message why it was not drained; empty if there is nothing to say
 */
public record NodeProgress(
    String name,
    Phase phase,
    long podsTotal,
    long podsLeft,
    long podsBlocked,
    List<BlockedPod> blocked,
    String message) {
  private static final int MOST_NAMED = 5;

  /** Where a node is on its way. */
  public enum Phase {
    PENDING("Pending"),
    DRAINING("Draining"),
    DRAINED("Drained"),
    /** There are pods on it that the drain may not evict. */
    REFUSED("Refused"),
    /** It was deleted. */
    GONE("Gone");

    private final String word;

    Phase(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }

    public boolean isOver() {
      return this != PENDING && this != DRAINING;
    }

    static Phase of(String word) {
      return Arrays.stream(values()).filter(p -> p.word.equals(word)).findFirst().orElse(PENDING);
    }
  }

  /**
   * A pod that is not let go.
   *
   * @param pod namespace and name
   * @param message what the server said
   */
  public record BlockedPod(String pod, String message) {}

  public static NodeProgress pending(String name) {
    return new NodeProgress(name, Phase.PENDING, 0, 0, 0, List.of(), "");
  }

  /** The node is through. */
  public NodeProgress ended(Phase how, String why) {
    return new NodeProgress(name, how, podsTotal, podsLeft, 0, List.of(), why);
  }

  /** The node is being drained; so many pods are left. */
  public NodeProgress draining(long left, List<BlockedPod> held) {
    return new NodeProgress(
        name,
        Phase.DRAINING,
        Math.max(podsTotal, left),
        left,
        held.size(),
        held.stream().limit(MOST_NAMED).toList(),
        "");
  }

  static NodeProgress read(JsonObject tree) {
    return new NodeProgress(
        tree.text("name", ""),
        Phase.of(tree.text("phase", "")),
        tree.integer("podsTotal").orElse(0),
        tree.integer("podsTotal").orElse(0) - tree.integer("podsEvicted").orElse(0),
        tree.integer("podsBlocked").orElse(0),
        tree.array("blocked").objects().stream()
            .map(b -> new BlockedPod(b.text("pod", ""), b.text("message", "")))
            .toList(),
        tree.text("message", ""));
  }

  JsonObject toTree() {
    JsonObject.Builder tree =
        new JsonObject.Builder()
            .put("name", name)
            .put("phase", phase.word)
            .put("podsTotal", podsTotal)
            .put("podsEvicted", podsEvicted())
            .put("podsBlocked", podsBlocked);
    if (!blocked.isEmpty()) {
      tree.put(
          "blocked",
          JsonArray.copyOf(
              blocked.stream()
                  .map(b ->
                      new JsonObject.Builder().put("pod", b.pod).put("message", b.message).build())
                  .toList()));
    }
    return (message.isEmpty() ? tree : tree.put("message", message)).build();
  }

  public long podsEvicted() {
    return podsTotal - podsLeft;
  }
}
