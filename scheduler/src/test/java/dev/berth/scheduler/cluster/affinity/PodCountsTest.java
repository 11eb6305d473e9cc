package dev.berth.scheduler.cluster.affinity;

import static dev.berth.model.fixture.Fixtures.node;
import static dev.berth.model.fixture.Fixtures.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.selector.LabelSelector;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.node.NodeCounts;
import dev.berth.scheduler.fixture.RandomCluster;
import dev.berth.time.fixture.SeededTest;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PodCountsTest {
  private static final int STEPS = 400;
  private static final PodTerm WEB = PodTerm.in("default", LabelSelector.parse("app=web"));

  private static final List<PodSelection> SELECTIONS =
      List.of(
          PodSelection.remaining("default", LabelSelector.parse("app=web")),
          PodSelection.remaining("other", LabelSelector.parse("app in (web,db)")),
          PodSelection.remaining("default", LabelSelector.parse("app!=web,version")),
          PodSelection.all(WEB),
          PodSelection.all(WEB, PodTerm.in("default", LabelSelector.parse("version=1"))),
          PodSelection.all(
              new PodTerm(
                  Set.of("default", "other"),
                  LabelSelector.NOTHING,
                  LabelSelector.parse("app=db"))),
          PodSelection.all(
              new PodTerm(Set.of(), LabelSelector.parse("team=x"), LabelSelector.parse("app=db"))),
          PodSelection.all(
              new PodTerm(Set.of(), LabelSelector.EVERYTHING, LabelSelector.EVERYTHING)));

  private static long counted(Cluster cluster, PodSelection selection, int node) {
    return cluster.pods(node).stream()
        .filter(pod -> selection.matches(pod, cluster.namespaces()))
        .count();
  }

  @SeededTest(fixed = 2, fresh = 1)
  void countsFollowEveryPodAndNode(long seed) {
    RandomCluster changing = new RandomCluster(new SplittableRandom(seed), pod -> pod);
    Cluster cluster = changing.cluster();
    long most = 0;
    for (int step = 0; step < STEPS; step++) {
      changing.step();
      for (PodSelection selection : SELECTIONS) {
        NodeCounts counts = cluster.podCounts().of(selection).counts();
        long total = 0;
        for (int at = 0; at < cluster.limit(); at++) {
          assertThat(counts.get(at))
              .as("seed %d, step %d: %s on node %d", seed, step, selection, at)
              .isEqualTo((int) counted(cluster, selection, at));
          total += counts.get(at);
        }
        assertThat(counts.total()).as("seed %d, step %d", seed, step).isEqualTo(total);
        most = Math.max(most, total);
      }
    }
    assertThat(most).as("pods of one selection").isGreaterThan(10);
  }

  @Test
  void theLeastRecentlyUsedSelectionIsDropped() {
    Cluster cluster = new Cluster();
    cluster.put(node("n1").tree());
    PodCounts counts = new PodCounts(cluster, cluster.namespaces(), 2);
    PodCount first = counts.of(SELECTIONS.get(0));
    PodCount second = counts.of(SELECTIONS.get(3));
    assertThat(counts.of(SELECTIONS.get(0))).isSameAs(first);
    counts.of(SELECTIONS.get(5));
    cluster.add(cluster.read(pod("web").labelled("app", "web").tree()), "n1");

    assertThat(counts.of(SELECTIONS.get(0))).isSameAs(first);
    assertThat(first.counts().get(0)).isEqualTo(1);
    assertThat(second.counts().get(0)).as("nobody keeps it any more").isZero();
    assertThat(counts.of(SELECTIONS.get(3)).counts().get(0)).as("counted anew").isEqualTo(1);
  }

  @Test
  void aPodIsTakenOffAsItWasCounted() {
    Cluster cluster = new Cluster();
    cluster.put(node("n1").tree());
    NodeCounts counts = cluster.podCounts().of(SELECTIONS.get(0)).counts();
    cluster.add(cluster.read(pod("p").labelled("app", "web").tree()), "n1");
    assertThat(counts.get(0)).isEqualTo(1);
    cluster.remove(cluster.read(pod("p").labelled("app", "db").tree()), "n1");
    assertThat(counts.get(0)).isZero();
  }
}
