package dev.berth.sim.nodelifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.client.informer.InformerSet;
import dev.berth.client.informer.Informers;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import dev.berth.time.Loop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes down when which node got its first NoExecute taint for a problem of its own. */
final class TaintedNodes implements AutoCloseable {
  private final VirtualCluster cluster;
  private final Loop loop;
  private final InformerSet informers;
  private final List<Tainted> tainted = new ArrayList<>();

  /** A node that was tainted. */
  record Tainted(Instant time, String zone, String node) {}

  TaintedNodes(VirtualCluster cluster) {
    this.cluster = cluster;
    loop = cluster.time().start("tainted-nodes");
    informers =
        new InformerSet(
                Informers.separate(cluster.admin(), cluster.time()), loop, () -> {}, _ -> {})
            .on(Resources.NODES, this::changed);
    informers.start();
  }

  private void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null && isTainted(after) && (before == null || !isTainted(before))) {
      NodeView node = NodeView.read(after);
      tainted.add(new Tainted(cluster.time().now(), node.zone().toString(), node.name()));
    }
  }

  static boolean isTainted(JsonObject node) {
    return NodeView.read(node).taints().stream()
        .anyMatch(t ->
            t.effect() == TaintEffect.NO_EXECUTE
                && (t.key().equals(WellKnownTaints.NOT_READY)
                    || t.key().equals(WellKnownTaints.UNREACHABLE)));
  }

  int count() {
    return tainted.size();
  }

  /** How many nodes of a zone were tainted. */
  long of(String zone) {
    return tainted.stream().filter(t -> t.zone().equals(zone)).count();
  }

  /** When a zone's nodes were tainted, counted from an instant. */
  List<Duration> since(Instant start) {
    return tainted.stream().map(t -> Duration.between(start, t.time())).toList();
  }

  /** No zone lost two nodes within so much time. */
  void assertApart(Duration least) {
    Map<String, Tainted> last = new HashMap<>();
    for (Tainted now : tainted) {
      Tainted before = last.put(now.zone(), now);
      if (before != null) {
        assertThat(Duration.between(before.time(), now.time()))
            .as("seed %d: %s, then %s", cluster.time().seed(), before, now)
            .isGreaterThanOrEqualTo(least);
      }
    }
  }

  void forget() {
    tainted.clear();
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
