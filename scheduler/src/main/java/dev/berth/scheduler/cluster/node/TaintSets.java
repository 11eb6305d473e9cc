package dev.berth.scheduler.cluster.node;

import dev.berth.model.core.Taint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The sets of taints that nodes have, numbered. Many nodes have the same, so that a pod's answer is
 * found once for each set.
 */
public final class TaintSets {
  private final Map<List<Taint>, Integer> numbers = new HashMap<>();
  private final List<List<Taint>> sets = new ArrayList<>();

  public int number(List<Taint> taints) {
    // When a taint was added matters to evictions, not here.
    List<Taint> timeless =
        taints.stream().map(t -> Taint.of(t.key(), t.value(), t.effect())).toList();
    return numbers.computeIfAbsent(
        timeless,
        set -> {
          sets.add(set);
          return sets.size() - 1;
        });
  }

  public List<Taint> get(int number) {
    return sets.get(number);
  }

  public int size() {
    return sets.size();
  }
}
