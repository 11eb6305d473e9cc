package dev.berth.sim.run;

import dev.berth.model.config.ConfigException;
import dev.berth.sim.record.ClusterRecorder;
import dev.berth.sim.scenario.Scenario;
import dev.berth.sim.scenario.Spans;
import dev.berth.sim.scenario.TimelineEntry;
import dev.berth.sim.scenario.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;

/** Does what a scenario says, when it says so, to a cluster that has the scenario's nodes. */
public final class ScenarioPlay implements AutoCloseable {
  private static final int PROGRESS_STEPS = 200;

  private final Scenario scenario;
  private final ScenarioCluster cluster;
  private final Actions actions;
  private final RandomGenerator chance;
  private final PriorityQueue<Due> due = new PriorityQueue<>();
  private Duration elapsed = Duration.ZERO;
  private long order;

  /** Something that happens at a time; what was planned first of what happens at once is first. */
  private record Due(Duration at, long order, Runnable what) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      int byTime = at.compareTo(other.at);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  /** Is told now and then how far it is. */
  @FunctionalInterface
  public interface Progress {
    void at(Duration elapsed, Duration all);
  }

  private ScenarioPlay(Scenario scenario, ScenarioCluster cluster, ClusterRecorder recorder) {
    this.scenario = scenario;
    this.cluster = cluster;
    chance = cluster.time().random("scenario");
    actions = new Actions(cluster, recorder, chance, this::after);
  }

  /**
   * Creates what the scenario begins with, and plans the rest.
   *
   * @param recorder is told what is done
   * @throws dev.berth.model.config.ConfigException if the cluster refuses an object of the scenario
   */
  public static ScenarioPlay begin(
      Scenario scenario, ScenarioCluster cluster, ClusterRecorder recorder) {
    ScenarioPlay play = new ScenarioPlay(scenario, cluster, recorder);
    play.plan();
    return play;
  }

  private void plan() {
    scenario.objects().forEach(actions::create);
    for (Workload workload : scenario.workloads()) {
      if (workload.start().isZero()) {
        actions.start(workload);
      } else {
        at(workload.start(), () -> actions.start(workload));
      }
      workload
          .stop()
          .ifPresent(stop -> at(stop, () -> workload.objects().forEach(actions::delete)));
    }
    for (TimelineEntry entry : scenario.timeline()) {
      List<Duration> times = new ArrayList<>();
      entry.times(scenario.duration(), times::add);
      for (Duration time : times) {
        at(time, () -> happen(entry));
      }
    }
  }

  private void happen(TimelineEntry entry) {
    if (entry.chance() >= 1 || chance.nextDouble() < entry.chance()) {
      try {
        actions.perform(entry.action());
      } catch (ConfigException e) {
        throw new ConfigException(
            "%s, at %s: %s".formatted(entry.action().words(), Spans.text(elapsed), e.getMessage()));
      }
    }
  }

  private void at(Duration time, Runnable what) {
    due.add(new Due(time, order++, what));
  }

  private void after(Duration delay, Runnable what) {
    at(elapsed.plus(delay), what);
  }

  /** Plays it to its end. */
  public void play(Progress progress) {
    Duration end = scenario.duration();
    Duration step = end.dividedBy(PROGRESS_STEPS).plusMillis(1);
    Due next = due.peek();
    while (elapsed.compareTo(end) < 0 || (next != null && next.at().compareTo(end) <= 0)) {
      Duration target = min(elapsed.plus(step), end);
      boolean happens = next != null && next.at().compareTo(target) <= 0;
      advanceTo(happens ? next.at() : target);
      if (happens) {
        due.remove(next);
        next.what().run();
      }
      progress.at(elapsed, end);
      next = due.peek();
    }
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }

  private void advanceTo(Duration time) {
    if (time.compareTo(elapsed) > 0) {
      cluster.advanceTo(time);
      elapsed = time;
    }
  }

  @Override
  public void close() {
    actions.close();
  }
}
