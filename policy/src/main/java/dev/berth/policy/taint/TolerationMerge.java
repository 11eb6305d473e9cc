package dev.berth.policy.taint;

import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.core.TolerationOperator;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists of tolerations put together and compared. One toleration is within another when the other
 * tolerates whatever the first does, for at least as long:
 *
 * <ol>
 *   <li>The keys are the same, or the other has none and the operator {@code Exists}.
 *   <li>The effects are the same, or the other has none.
 *   <li>If the other is about NoExecute and for some seconds, the first is for no more.
 *   <li>The other's operator is {@code Exists}; or both are {@code Equal} with the same value.
 * </ol>
 */
public final class TolerationMerge {
  private TolerationMerge() {}

  /** All tolerations of two lists, but for those that are within another one. */
  public static List<Toleration> merge(List<Toleration> first, List<Toleration> second) {
    List<Toleration> all = new ArrayList<>(first);
    all.addAll(second);
    List<Toleration> merged = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Toleration toleration = all.get(i);
      boolean redundant =
          merged.stream().anyMatch(other -> isWithin(toleration, other))
              || all.subList(i + 1, all.size()).stream()
                  .anyMatch(other -> !other.equals(toleration) && isWithin(toleration, other));
      if (!redundant) {
        merged.add(toleration);
      }
    }
    return List.copyOf(merged);
  }

  /** Whether each toleration is within one of a list. */
  public static boolean allWithin(List<Toleration> tolerations, List<Toleration> list) {
    return tolerations.stream().allMatch(t -> list.stream().anyMatch(other -> isWithin(t, other)));
  }

  static boolean isWithin(Toleration toleration, Toleration other) {
    if (toleration.equals(other)) {
      return true;
    }
    boolean everyKey = other.key().isEmpty() && other.operator() == TolerationOperator.EXISTS;
    if (!everyKey && !toleration.key().equals(other.key())) {
      return false;
    }
    if (other.effect() != null && other.effect() != toleration.effect()) {
      return false;
    }
    Long most = other.tolerationSeconds();
    if (other.effect() == TaintEffect.NO_EXECUTE && most != null) {
      Long own = toleration.tolerationSeconds();
      if (own == null || own > most) {
        return false;
      }
    }
    return switch (other.operator()) {
      case EXISTS -> true;
      case EQUAL ->
          toleration.operator() == TolerationOperator.EQUAL
              && toleration.value().equals(other.value());
      case GT, LT, UNKNOWN -> false;
    };
  }
}
