package dev.berth.scheduler.plugin;

import dev.berth.model.fixture.NodeFixture;
import dev.berth.model.fixture.PodFixture;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cluster of one node, to ask a plugin about it. */
public final class OneNode {
  private final Cluster cluster = new Cluster();
  private final int index;
  private final String name;

  public OneNode(NodeFixture node, PodFixture... pods) {
    this.index = cluster.put(node.tree());
    this.name = node.view().name();
    for (PodFixture pod : pods) {
      cluster.add(cluster.read(pod.tree()), name);
    }
  }

  /** Why a plugin refuses the node for a pod; null if it does not. */
  public @Nullable Refusal refusal(FilterPlugin plugin, PodFixture pod) {
    NodeFilter filter = plugin.filter(read(pod), cluster);
    return filter == null || filter.allows(index) ? null : filter.refusal(index);
  }

  /** The same in words; none if the node is allowed. */
  public List<String> messages(FilterPlugin plugin, PodFixture pod) {
    Refusal refusal = refusal(plugin, pod);
    return refusal == null ? List.of() : refusal.messages();
  }

  /** The node's score before it is normalized; -1 if all nodes are alike to the plugin. */
  public long score(ScorePlugin plugin, PodFixture pod) {
    NodeScore score = plugin.score(read(pod), cluster);
    return score == null ? -1 : score.score(index);
  }

  private PodInfo read(PodFixture pod) {
    return cluster.read(pod.tree());
  }
}
