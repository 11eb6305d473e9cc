package dev.berth.sim.tainteviction;

import static dev.berth.sim.tainteviction.EvictionCluster.forSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Many pods at once: neither their deadlines nor their evictions hold each other up. */
class ManyEvictionsTest {
  private static final int NODES = 1_000;
  private static final int PODS_OF_A_NODE = 100;

  private final EvictionCluster eviction = new EvictionCluster();
  private final VirtualCluster cluster = eviction.cluster();
  private final StubApi paper = new StubApi();

  @AfterEach
  void close() {
    eviction.close();
  }

  private static JsonObject node(int number, boolean tainted) {
    return VirtualCluster.tree(
        "{'kind':'Node','metadata':{'name':'node%d','uid':'n%d','resourceVersion':'%d'},'spec':{%s}}"
            .formatted(
                number,
                number,
                tainted ? 2 : 1,
                tainted
                    ? "'taints':[{'key':'key1','value':'value1','effect':'NoExecute','timeAdded':'2030-01-01T00:00:00Z'}]"
                    : ""));
  }

  private static JsonObject pod(int number) {
    return VirtualCluster.tree(
        "{'kind':'Pod','metadata':{'namespace':'default','name':'pod%d','uid':'p%d','resourceVersion':'1'},'spec':{'nodeName':'node%d','tolerations':[%s]}}"
            .formatted(number, number, number % NODES, forSeconds(300)));
  }

  private void onPaper() {
    for (int i = 0; i < NODES; i++) {
      paper.show(Resources.NODES, node(i, false));
    }
    for (int i = 0; i < NODES * PODS_OF_A_NODE; i++) {
      paper.show(Resources.PODS, pod(i));
    }
    eviction.evict(_ -> paper);
  }

  private void taintAll(boolean tainted) {
    for (int i = 0; i < NODES; i++) {
      paper.change(Resources.NODES, node(i, tainted));
    }
    cluster.settle();
  }

  @Test
  void aHundredThousandDeadlinesCostNothingUntilTheyAreReached() {
    onPaper();
    taintAll(true);
    long steps = cluster.time().steps();
    eviction.advance(299);
    // The server releases history and looks after itself and its service every ten seconds.
    assertThat(cluster.time().steps() - steps).isLessThan(100);
    assertThat(paper.deletes()).isZero();

    eviction.advance(2);
    assertThat(paper.deletes()).isEqualTo(NODES * PODS_OF_A_NODE);
    assertThat(paper.patches()).isEqualTo(NODES * PODS_OF_A_NODE);
    assertThat(paper.events()).isEqualTo(NODES * PODS_OF_A_NODE);
  }

  @Test
  void aHundredThousandDeadlinesAreForgottenWhenTheTaintsAreGone() {
    onPaper();
    taintAll(true);
    eviction.advance(299);
    taintAll(false);
    eviction.advance(86_400);
    assertThat(paper.deletes()).isZero();
  }

  /** On a real server. */
  @Test
  void nodesOf110PodsAreEmptiedAtOnce() {
    eviction.evict();
    for (int node = 0; node < 10; node++) {
      cluster.node("node" + node, "100");
      for (int pod = 0; pod < 110; pod++) {
        eviction.pod("pod" + node + "-" + pod, "node" + node);
      }
    }
    cluster.settle();
    for (int node = 0; node < 10; node++) {
      cluster.taint("node" + node, "[{'key':'key1','value':'value1','effect':'NoExecute'}]");
    }
    cluster.settle();
    assertThat(cluster.list(Resources.PODS)).isEmpty();
    assertThat(cluster.list(Resources.EVENTS)).hasSize(1_100);
    assertThat(cluster.warnings()).isEmpty();
  }
}
