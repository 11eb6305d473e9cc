package dev.berth.sim.fuzz;

import dev.berth.model.core.TaintEffect;
import dev.berth.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Draws the steps of a history from its seed. They are drawn before anything happens, and name what
 * they are about without looking at the cluster: so some of them can be left out, and the rest
 * still mean the same.
 */
final class FuzzPlan {
  private final RandomGenerator random;
  private final FuzzWorkload workload;
  private final FuzzSettings settings;
  private final boolean clocksJump;
  private final int faultiness;
  private int jobs;
  private int versions;

  private FuzzPlan(long seed, FuzzSettings settings) {
    this.settings = settings;
    this.workload = new FuzzWorkload(settings);
    random = new VirtualTime(seed, _ -> {}).random("plan");
    // Some histories have faults of some kinds only: what hides others' effects is then not there.
    clocksJump = random.nextInt(4) == 0;
    faultiness = 20 + random.nextInt(50);
  }

  static List<FuzzStep> of(long seed, FuzzSettings settings) {
    FuzzPlan plan = new FuzzPlan(seed, settings);
    long millis = settings.span().toMillis();
    long[] times = plan.random.longs(settings.steps(), 0, millis).sorted().toArray();
    List<FuzzStep> steps = new ArrayList<>();
    for (int i = 0; i < times.length; i++) {
      steps.add(new FuzzStep(i + 1, Duration.ofMillis(times[i]), plan.draw()));
    }
    return steps;
  }

  private FuzzAction draw() {
    return random.nextInt(100) < faultiness ? fault() : change();
  }

  private FuzzAction change() {
    return switch (random.nextInt(12)) {
      case 0, 1 -> {
        FuzzWorkload.Set set = any(workload.scalable());
        yield new FuzzAction.Scale(set.name(), random.nextInt(set.replicas() + 1));
      }
      case 2 -> new FuzzAction.Rollout(any(workload.scalable()).name(), ++versions);
      case 3, 4 -> new FuzzAction.DeletePod(random.nextInt(settings.pods()));
      case 5, 6, 7 ->
          new FuzzAction.CreateJob(
              jobs++,
              1 + random.nextInt(6),
              1 + random.nextInt(3),
              seconds(5, 90),
              random.nextInt(6) == 0);
      case 8 -> new FuzzAction.DeleteJob(random.nextInt(jobs + 1));
      case 9 ->
          new FuzzAction.Taint(
              node(), any(FuzzWorkload.TAINTS), TaintEffect.NO_EXECUTE, seconds(5, 240));
      case 10 ->
          new FuzzAction.Taint(
              node(), any(FuzzWorkload.TAINTS), TaintEffect.NO_SCHEDULE, seconds(5, 600));
      default -> new FuzzAction.Drain(neighbours(1 + random.nextInt(3)), seconds(5, 120));
    };
  }

  private FuzzAction fault() {
    return switch (random.nextInt(clocksJump ? 17 : 15)) {
      case 0 -> new FuzzAction.Crash(any(FuzzCluster.PROCESSES), seconds(0, 90));
      case 1, 2 -> new FuzzAction.CrashLeader(any(FuzzCluster.ROLES), seconds(0, 60));
      case 3 -> new FuzzAction.CrashServer(1 + random.nextInt(40), seconds(0, 60));
      case 4, 5 -> new FuzzAction.Partition(any(FuzzCluster.PROCESSES), seconds(2, 120));
      case 6, 7 -> new FuzzAction.LoseMessages(any(FuzzCluster.PROCESSES), seconds(5, 240));
      case 8 ->
          new FuzzAction.SlowMessages(
              any(FuzzCluster.PROCESSES), millis(10, 2_000), seconds(5, 240));
      case 9 ->
          new FuzzAction.LateWatches(
              any(FuzzCluster.PROCESSES), millis(100, 20_000), seconds(5, 240));
      case 10 -> new FuzzAction.StoreErrors(2 + random.nextInt(30), seconds(2, 60));
      case 11 -> new FuzzAction.SlowDisk(millis(10, 1_000), seconds(5, 240));
      case 12 -> new FuzzAction.NotReady(node(), seconds(10, 300));
      case 13 -> new FuzzAction.SilenceNode(node(), seconds(10, 900));
      case 14 ->
          random.nextInt(3) == 0
              ? new FuzzAction.SilenceZone(any(FuzzWorkload.ZONES), seconds(30, 900))
              : new FuzzAction.SilenceNode(node(), seconds(60, 900));
      default ->
          new FuzzAction.ClockJump(
              random.nextInt(6) == 0 ? FuzzCluster.SERVER : any(FuzzCluster.PROCESSES),
              Duration.ofSeconds(random.nextInt(-600, 600)));
    };
  }

  private String node() {
    return workload.node(random.nextInt(settings.nodes()));
  }

  /** Nodes that follow each other, and so are of different zones. */
  private List<String> neighbours(int count) {
    int first = random.nextInt(settings.nodes());
    return IntStream.range(first, first + count)
        .mapToObj(number -> workload.node(number % settings.nodes()))
        .toList();
  }

  private Duration seconds(int least, int most) {
    return Duration.ofSeconds(random.nextInt(least, most + 1));
  }

  private Duration millis(int least, int most) {
    return Duration.ofMillis(random.nextInt(least, most + 1));
  }

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }
}
