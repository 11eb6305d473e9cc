package dev.berth.scheduler.decision;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodClass;
import dev.berth.scheduler.cluster.pod.PodInfo;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** The scores of pod classes, kept from pod to pod; the least recently used ones are evicted. */
final class ScoreCache {
  /** How many classes times nodes are kept at most; each takes some 10 to 20 bytes. */
  static final int MAX_CELLS = 2_000_000;

  /** How many classes are kept at least, however many nodes there are. */
  private static final int MIN_CLASSES = 8;

  private final ProfilePlugins plugins;
  private final Cluster cluster;
  private final int maxCells;
  private final LinkedHashMap<Key, ClassScores> cache = new LinkedHashMap<>(16, 0.75f, true);

  /** The pods that share scores. Priority decides which nominated pods count. */
  private record Key(PodClass podClass, long priority) {
    static Key of(PodInfo pod) {
      return new Key(pod.podClass(), pod.priority());
    }
  }

  ScoreCache(ProfilePlugins plugins, Cluster cluster, int maxCells) {
    this.plugins = plugins;
    this.cluster = cluster;
    this.maxCells = maxCells;
  }

  /** The scores of a pod's class, up to date; null if there are none, or they are not valid. */
  @Nullable ClassScores find(PodInfo pod) {
    ClassScores scores = cache.get(Key.of(pod));
    if (scores == null || scores.version() != plugins.version(cluster)) {
      return null;
    }
    scores.refresh();
    return scores;
  }

  ClassScores compute(PodInfo pod) {
    ClassScores scores = new ClassScores(plugins, pod, cluster);
    cache.put(Key.of(pod), scores);
    int maxClasses = Math.max(MIN_CLASSES, maxCells / Math.max(1, cluster.limit()));
    while (cache.size() > maxClasses) {
      cache.pollFirstEntry();
    }
    return scores;
  }
}
