package dev.berth.sim.fuzz.invariant;

import dev.berth.model.core.PodTree;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * W1: a Job counts each of its pods once: never more successes or failures than there were pods
 * that succeeded or failed, never fewer than before, and no more successes than it wants. One that
 * is complete has counted as many as it wants.
 */
public final class JobsCountedOnce implements Invariant {
  private static final String SUCCEEDED = "succeeded";
  private static final String FAILED = "failed";

  /** The pods of each job that ended, by UIDs. */
  private final Map<String, Set<String>> succeeded = new HashMap<>();

  private final Map<String, Set<String>> failed = new HashMap<>();

  @Override
  public String words() {
    return "jobs count each pod once";
  }

  @Override
  public Optional<String> changed(StoreChange change, ClusterState state) {
    return switch (change.resource()) {
      case ClusterState.PODS -> {
        podChanged(new PodTree(change.latest()));
        yield Optional.empty();
      }
      case ClusterState.JOBS -> jobChanged(change);
      default -> Optional.empty();
    };
  }

  private void podChanged(PodTree pod) {
    pod.metadata()
        .controller()
        .filter(owner -> owner.kind().equals("Job"))
        .ifPresent(owner -> {
          String phase = pod.tree().object("status").text("phase", "");
          if (phase.equals("Succeeded")) {
            succeeded.computeIfAbsent(owner.uid(), _ -> new HashSet<>()).add(pod.uid());
          } else if (phase.equals("Failed") || pod.terminating()) {
            failed.computeIfAbsent(owner.uid(), _ -> new HashSet<>()).add(pod.uid());
          }
        });
  }

  private Optional<String> jobChanged(StoreChange change) {
    if (change.after() == null) {
      return Optional.empty();
    }
    JsonObject job = change.after();
    String uid = Metadata.of(job).uid();
    int ended = succeeded.getOrDefault(uid, Set.of()).size();
    long wanted = job.object("spec").integer("completions").orElse(Long.MAX_VALUE);
    if (counted(job, SUCCEEDED) > ended) {
      return wrong(change, counted(job, SUCCEEDED) + " successes of " + ended + " pods");
    }
    int broken = failed.getOrDefault(uid, Set.of()).size();
    if (counted(job, FAILED) > broken) {
      return wrong(change, counted(job, FAILED) + " failures of " + broken + " pods");
    }
    if (count(job, SUCCEEDED) > wanted) {
      return wrong(change, count(job, SUCCEEDED) + " successes, and wants " + wanted);
    }
    JsonObject before = change.before();
    if (before != null && count(before, SUCCEEDED) > count(job, SUCCEEDED)) {
      return wrong(change, count(job, SUCCEEDED) + " successes after " + count(before, SUCCEEDED));
    }
    boolean isComplete = Conditions.isTrue(job.object("status").array("conditions"), "Complete");
    return isComplete && count(job, SUCCEEDED) != wanted
        ? wrong(change, count(job, SUCCEEDED) + " of " + wanted + " successes, and is complete")
        : Optional.empty();
  }

  private static Optional<String> wrong(StoreChange change, String what) {
    return Optional.of("%s counts %s".formatted(change.name(), what));
  }

  private static long count(JsonObject job, String what) {
    return job.object("status").integer(what).orElse(0);
  }

  /** With those that are about to be counted. */
  private static long counted(JsonObject job, String what) {
    JsonArray soon = job.object("status").object("uncountedTerminatedPods").array(what);
    return count(job, what) + soon.size();
  }
}
