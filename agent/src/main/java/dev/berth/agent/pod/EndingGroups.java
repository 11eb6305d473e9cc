package dev.berth.agent.pod;

import java.util.ArrayList;
import java.util.List;

/** Pods that are being ended together, and who waits for each group. Lives on the pods' loop. */
final class EndingGroups {
  private final List<Group> groups = new ArrayList<>();

  private record Group(List<PodWorker> workers, Runnable ended) {
    /** Who was not let in is refused when its turn comes. */
    boolean hasEnded() {
      return workers.stream().allMatch(worker -> worker.hasEnded() || !worker.isAdmitted());
    }
  }

  void add(List<PodWorker> workers, Runnable ended) {
    groups.add(new Group(workers, ended));
    check();
  }

  /** A pod has ended. */
  void check() {
    List<Group> over = groups.stream().filter(Group::hasEnded).toList();
    groups.removeAll(over);
    over.forEach(group -> group.ended().run());
  }
}
