package dev.berth.policy.taint;

import dev.berth.model.core.PodTree;
import dev.berth.model.core.Taint;
import dev.berth.model.core.Toleration;
import dev.berth.model.meta.Metadata;
import dev.berth.model.quantity.GoDuration;
import dev.berth.model.resource.NameRules;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which of a node's NoExecute taints evict within disruption budgets, and for how long budgets may
 * hold back. An annotation of the node says so: keys of taints, or {@code *} for all of them, and
 * the deadline, such as {@code example.com/maintenance,example.com/repair;deadline=15m}.
 *
 * <ol>
 *   <li>Whoever leaves because of a taint that is named is evicted by the Eviction API, so that a
 *       budget may refuse; it is deleted when the deadline is over, whatever budgets say.
 *   <li>The deadline counts from when the eviction is due: not before the taint was added or the
 *       pod came, plus its toleration. So it is the same after every restart.
 *   <li>A taint that is not named deletes as ever, also where another is named.
 * </ol>
 *
 * @param keys none if no taint respects budgets, as without the annotation
 */
public record RespectedBudgets(Set<String> keys, Duration deadline) {
  public static final String ANNOTATION = "berth.dev/respect-budgets";

  public static final RespectedBudgets NONE = new RespectedBudgets(Set.of(), Duration.ZERO);

  private static final String ALL = "*";
  private static final String DEADLINE = "deadline=";
  private static final String RIGHT =
      "; right would be KEY[,KEY...];deadline=DURATION, as in"
          + " example.com/maintenance,example.com/repair;deadline=15m, or *;deadline=15m for all"
          + " NoExecute taints";

  /** What the annotation's text means. */
  public sealed interface Reading {}

  public record Valid(RespectedBudgets budgets) implements Reading {}

  /**
   * It means nothing, and counts as if it were not there.
   *
   * @param problem what is wrong, and what would be right
   */
  public record Invalid(String problem) implements Reading {}

  /**
   * Reads the annotation.
   *
   * @param text empty if there is none
   */
  public static Reading read(String text) {
    if (text.isEmpty()) {
      return new Valid(NONE);
    }
    String[] parts = text.split(";", -1);
    if (parts.length != 2 || !parts[1].strip().startsWith(DEADLINE)) {
      return invalid(text, "has no \";deadline=\" after the taints' keys");
    }
    Set<String> keys = new LinkedHashSet<>();
    for (String part : parts[0].split(",", -1)) {
      String key = part.strip();
      if (!key.equals(ALL) && !NameRules.qualifiedName(key).isEmpty()) {
        return invalid(text, "names \"" + key + "\", which cannot be a taint's key");
      }
      keys.add(key);
    }
    String written = parts[1].strip().substring(DEADLINE.length()).strip();
    Duration deadline = GoDuration.parse(written);
    return deadline == null || deadline.isZero()
        ? invalid(text, "has the deadline \"" + written + "\", which is no time to wait")
        : new Valid(new RespectedBudgets(keys, deadline));
  }

  /** What a node's annotation says; none if there is none, or if it means nothing. */
  public static RespectedBudgets ofNode(Metadata node) {
    String text = node.annotation(ANNOTATION).orElse("");
    return read(text) instanceof Valid(RespectedBudgets budgets) ? budgets : NONE;
  }

  private static Invalid invalid(String text, String why) {
    return new Invalid(
        "ignoring the annotation %s, which is \"%s\": it %s%s"
            .formatted(ANNOTATION, text, why, RIGHT));
  }

  private boolean names(Taint taint) {
    return keys.contains(taint.key()) || keys.contains(ALL);
  }

  /**
   * Until when budgets may hold back a pod that {@linkplain EvictionTime has to leave}: when the
   * first taint has it deleted. If that is not after {@code now}, it is deleted now.
   *
   * @param arrived when the pod came to its node
   * @param taints the node's NoExecute taints, each with its time
   */
  public Instant holdBackUntil(
      PodTree pod, Instant arrived, List<Taint> taints, TolerationRules rules, Instant now) {
    if (keys.isEmpty()) {
      return now;
    }
    List<Toleration> tolerations = Toleration.list(pod.tolerations());
    Instant earliest = Instant.MAX;
    for (Taint taint : taints) {
      Instant due =
          switch (EvictionTime.of(tolerations, arrived, List.of(taint), rules, now)) {
            case EvictionTime.Never _ -> Instant.MAX;
            case EvictionTime.At(Instant time, Taint _) -> time;
            case EvictionTime.Immediately _ ->
                later(taint.timeAdded() == null ? now : taint.timeAdded(), arrived);
          };
      if (due.isBefore(Instant.MAX)) {
        Instant deleted = names(taint) ? due.plus(deadline) : due;
        earliest = deleted.isBefore(earliest) ? deleted : earliest;
      }
    }
    return earliest;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
