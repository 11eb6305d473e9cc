package dev.berth.sim.record;

/** How a node was, from when on. */
public final class NodeHistory {
  private final String name;
  private final String zone;
  private final StepSeries states = new StepSeries();

  NodeHistory(String name, String zone) {
    this.name = name;
    this.zone = zone;
  }

  public String name() {
    return name;
  }

  /** Empty if it is in none. */
  public String zone() {
    return zone;
  }

  /** Its states, each by its {@linkplain NodeState#code code}. */
  public StepSeries states() {
    return states;
  }

  NodeState state() {
    return NodeState.ofCode(states.last());
  }
}
