package dev.berth.sim.fuzz;

import dev.berth.model.core.TaintEffect;
import java.time.Duration;
import java.util.List;

/** Something that happens to a simulated cluster: somebody wants something else, or a fault. */
public sealed interface FuzzAction {

  /** What happens, in a clause. */
  String words();

  /** Seconds as people write them. */
  private static String of(Duration span) {
    return span.toMillis() % 1_000 == 0 ? span.toSeconds() + "s" : span.toMillis() + "ms";
  }

  // What users and operators do.

  record Scale(String workload, int replicas) implements FuzzAction {
    @Override
    public String words() {
      return "scale %s to %d".formatted(workload, replicas);
    }
  }

  record Rollout(String workload, int version) implements FuzzAction {
    @Override
    public String words() {
      return "roll out version %d of %s".formatted(version, workload);
    }
  }

  /**
   * Somebody deletes a pod.
   *
   * @param place which of the pods there are then, in the order of their names
   */
  record DeletePod(int place) implements FuzzAction {
    @Override
    public String words() {
      return "delete the pod at place " + place;
    }
  }

  record CreateJob(int number, int completions, int parallelism, Duration runFor, boolean fails)
      implements FuzzAction {
    @Override
    public String words() {
      return "create job-%d: %d completions, %d at a time, %s each%s"
          .formatted(number, completions, parallelism, of(runFor), fails ? ", which fail" : "");
    }
  }

  record DeleteJob(int number) implements FuzzAction {
    @Override
    public String words() {
      return "delete job-" + number;
    }
  }

  record Taint(String node, String key, TaintEffect effect, Duration lasts) implements FuzzAction {
    @Override
    public String words() {
      return "taint %s with %s:%s for %s".formatted(node, key, effect.text(), of(lasts));
    }
  }

  /**
   * Somebody empties nodes, within budgets.
   *
   * @param nodes all at once
   */
  record Drain(List<String> nodes, Duration maintenance) implements FuzzAction {
    public Drain {
      nodes = List.copyOf(nodes);
    }

    @Override
    public String words() {
      return "drain %s, down for %s then".formatted(String.join(" and ", nodes), of(maintenance));
    }
  }

  // Faults.

  record Crash(String process, Duration down) implements FuzzAction {
    @Override
    public String words() {
      return "crash %s for %s".formatted(process, of(down));
    }
  }

  /**
   * A leader crashes.
   *
   * @param role {@code controllers} or {@code scheduler}
   */
  record CrashLeader(String role, Duration down) implements FuzzAction {
    @Override
    public String words() {
      return "crash whichever %s leads for %s".formatted(role, of(down));
    }
  }

  /**
   * The server crashes.
   *
   * @param afterWrites how many more writes it makes, the last of them in the middle of a request
   */
  record CrashServer(int afterWrites, Duration down) implements FuzzAction {
    @Override
    public String words() {
      return "crash the server after %d more writes for %s".formatted(afterWrites, of(down));
    }
  }

  record Partition(String process, Duration lasts) implements FuzzAction {
    @Override
    public String words() {
      return "cut %s off for %s".formatted(process, of(lasts));
    }
  }

  record LoseMessages(String process, Duration lasts) implements FuzzAction {
    @Override
    public String words() {
      return "lose and repeat messages of %s for %s".formatted(process, of(lasts));
    }
  }

  record SlowMessages(String process, Duration atMost, Duration lasts) implements FuzzAction {
    @Override
    public String words() {
      return "messages of %s take up to %s, for %s".formatted(process, of(atMost), of(lasts));
    }
  }

  record LateWatches(String process, Duration atMost, Duration lasts) implements FuzzAction {
    @Override
    public String words() {
      return "watches of %s are up to %s late, for %s".formatted(process, of(atMost), of(lasts));
    }
  }

  record StoreErrors(int oneIn, Duration lasts) implements FuzzAction {
    @Override
    public String words() {
      return "one write in %d fails for %s".formatted(oneIn, of(lasts));
    }
  }

  record SlowDisk(Duration atMost, Duration lasts) implements FuzzAction {
    @Override
    public String words() {
      return "the server's disk takes up to %s, for %s".formatted(of(atMost), of(lasts));
    }
  }

  record ClockJump(String process, Duration by) implements FuzzAction {
    @Override
    public String words() {
      return "the clock of %s jumps by %s".formatted(process, of(by));
    }
  }

  record SilenceNode(String node, Duration lasts) implements FuzzAction {
    @Override
    public String words() {
      return "lose %s for %s".formatted(node, of(lasts));
    }
  }

  record SilenceZone(String zone, Duration lasts) implements FuzzAction {
    @Override
    public String words() {
      return "lose zone %s for %s".formatted(zone, of(lasts));
    }
  }

  record NotReady(String node, Duration lasts) implements FuzzAction {
    @Override
    public String words() {
      return "%s is not ready for %s".formatted(node, of(lasts));
    }
  }
}
