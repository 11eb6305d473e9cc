package dev.berth.registry.admission;

import dev.berth.store.Store.Guard;
import java.util.ArrayList;
import java.util.List;

/**
 * What a write depends on, and what is to be done once it has ended, however it ended: whatever a
 * plugin set aside for it is then either in use or free again. Belongs to the thread that writes.
 */
public final class Settlement {

  /** Is told how a write ended. */
  @FunctionalInterface
  public interface Step {
    void settle(boolean written);
  }

  private final List<Step> steps = new ArrayList<>();
  private final List<Guard> guards = new ArrayList<>();

  void add(Step step) {
    steps.add(step);
  }

  void add(Guard guard) {
    guards.add(guard);
  }

  /** What must hold when the object is written. */
  public List<Guard> guards() {
    return guards;
  }

  /** Does all of it, the last that was set aside first. */
  public void settle(boolean written) {
    List<Step> due = List.copyOf(steps);
    steps.clear();
    due.reversed().forEach(step -> step.settle(written));
  }
}
