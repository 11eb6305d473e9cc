package dev.berth.sim.run;

import dev.berth.client.Api;
import dev.berth.sim.scenario.SimulatedComponent;
import dev.berth.time.Time;
import java.time.Duration;

/**
 * The cluster that a scenario is played on: a simulated one on virtual time, or one that runs. What
 * a scenario does is done through the API, but for what only who runs the cluster can do.
 */
public interface ScenarioCluster {

  /** The server, as the cluster's administrator sees it. */
  Api api();

  Time time();

  /** Lets time pass until the scenario is played for this long. */
  void advanceTo(Duration elapsed);

  /** Ends a component as a crash would, and starts another. */
  void restart(SimulatedComponent component);

  /** Cuts a component off from the server. */
  void cut(SimulatedComponent component);

  /** Lets a component reach the server again. */
  void heal(SimulatedComponent component);
}
