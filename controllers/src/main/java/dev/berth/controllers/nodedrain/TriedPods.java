package dev.berth.controllers.nodedrain;

import dev.berth.client.ApiError;
import dev.berth.client.ApiResult;
import dev.berth.model.core.PodView;
import dev.berth.model.disruption.PodDisruptionBudgetView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.drain.DrainSnapshot.Attempt;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What became of the requests to end the pods of one drain. Whoever was refused is asked again
 * after 5 s, as {@code kubectl drain} does, then less often, every 30 s at last.
 */
final class TriedPods {
  private static final Duration FIRST = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private record Tried(JsonObject pod, Attempt attempt, Duration delay) {}

  /** By UID, in the order in which they were first asked. */
  private final Map<String, Tried> tried = new LinkedHashMap<>();

  /** How the attempts stand, by the pod's UID. */
  Map<String, Attempt> attempts() {
    Map<String, Attempt> attempts = new LinkedHashMap<>();
    tried.forEach((uid, one) -> attempts.put(uid, one.attempt()));
    return attempts;
  }

  void answered(JsonObject pod, boolean isEviction, ApiResult result, Instant now) {
    String uid = Metadata.of(pod).uid();
    switch (result) {
      // It goes, and the watch will say so; should that never be, it is asked once more.
      case ApiResult.Done _ ->
          tried.put(
              uid, new Tried(pod, new Attempt(isEviction, "", now.plus(LONGEST)), Duration.ZERO));
      case ApiResult.Failure why when why.isNotFound() ->
          tried.put(
              uid, new Tried(pod, new Attempt(isEviction, "", now.plus(FIRST)), Duration.ZERO));
      case ApiResult.Failure why -> {
        Tried before = tried.get(uid);
        Duration delay =
            before == null || before.delay.isZero()
                ? FIRST
                : shorter(before.delay.multipliedBy(2), LONGEST);
        tried.put(uid, new Tried(pod, refused(isEviction, why, now.plus(delay)), delay));
      }
    }
  }

  private static Attempt refused(boolean isEviction, ApiResult.Failure why, Instant next) {
    String words =
        why instanceof ApiResult.Refused(ApiError error)
            ? error.budgetRefusal().filter(text -> !text.isEmpty()).orElse(why.message())
            : why.message();
    return new Attempt(isEviction, words.isEmpty() ? "refused" : words, next);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /**
   * A budget allows evictions: so many of its pods that were refused are asked again at once.
   *
   * @return whether there are any
   */
  boolean allowed(PodDisruptionBudgetView budget, long most) {
    List<Map.Entry<String, Tried>> again =
        tried.entrySet().stream()
            .filter(entry -> !entry.getValue().attempt.refusal().isEmpty())
            .filter(entry -> budget.selects(PodView.read(entry.getValue().pod)))
            .limit(most)
            .toList();
    for (Map.Entry<String, Tried> entry : again) {
      Tried one = entry.getValue();
      Attempt now = new Attempt(one.attempt.isEviction(), one.attempt.refusal(), Instant.MIN);
      entry.setValue(new Tried(one.pod, now, Duration.ZERO));
    }
    return !again.isEmpty();
  }

  void forget(String uid) {
    tried.remove(uid);
  }
}
