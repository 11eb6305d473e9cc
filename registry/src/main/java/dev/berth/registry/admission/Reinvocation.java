package dev.berth.registry.admission;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The second round of mutation, as in Kubernetes: when somebody outside the server has changed an
 * object, all plugins are asked once more, since what they would have added may depend on it. What
 * a plugin needs to know of its first round is kept here. Belongs to the thread that writes.
 */
public final class Reinvocation {
  private final Map<Object, Object> memories = new HashMap<>();
  private boolean wanted;
  private boolean second;

  /** Has all plugins asked once more, unless this is the second time. */
  public void request() {
    wanted = true;
  }

  public boolean isSecondRound() {
    return second;
  }

  /** What a plugin keeps from one round to the next. */
  @SuppressWarnings("unchecked") // A plugin keeps one kind of memory under its own name.
  public <T> T memory(Object plugin, Supplier<T> first) {
    return (T) memories.computeIfAbsent(plugin, _ -> first.get());
  }

  boolean beginSecondRound() {
    second = wanted && !second;
    return second;
  }
}
