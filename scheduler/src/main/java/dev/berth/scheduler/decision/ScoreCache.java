package dev.berth.scheduler.decision;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.PodClass;
import dev.berth.scheduler.cluster.PodInfo;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** The sheets of the classes of pods that came last; those used least recently are forgotten. */
final class ScoreCache {
  /** How many nodes all sheets may have together; a node takes some 10 to 20 bytes of a sheet. */
  static final int MOST_CELLS = 2_000_000;

  private static final int FEWEST = 8;

  private final Plan plan;
  private final Cluster cluster;
  private final int mostCells;
  private final LinkedHashMap<Kind, ClassScores> sheets = new LinkedHashMap<>(16, 0.75f, true);

  /** Pods that a sheet is good for. */
  private record Kind(PodClass podClass, long priority) {
    static Kind of(PodInfo pod) {
      return new Kind(pod.podClass(), pod.priority());
    }
  }

  ScoreCache(Plan plan, Cluster cluster, int mostCells) {
    this.plan = plan;
    this.cluster = cluster;
    this.mostCells = mostCells;
  }

  /** The sheet of a pod's class, up to date; null if there is none. */
  @Nullable ClassScores find(PodInfo pod) {
    ClassScores sheet = sheets.get(Kind.of(pod));
    if (sheet == null || sheet.version() != plan.version(cluster)) {
      return null;
    }
    sheet.refresh();
    return sheet;
  }

  ClassScores make(PodInfo pod) {
    ClassScores sheet = new ClassScores(plan, pod, cluster);
    sheets.put(Kind.of(pod), sheet);
    int most = Math.max(FEWEST, mostCells / Math.max(1, cluster.limit()));
    while (sheets.size() > most) {
      sheets.pollFirstEntry();
    }
    return sheet;
  }
}
