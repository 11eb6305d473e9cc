package dev.berth.scheduler.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.fixture.PodFixture;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.PodInfo;
import dev.berth.scheduler.cluster.ResourceTable;
import dev.berth.scheduler.cluster.TopologyColumn;
import dev.berth.scheduler.decision.Diagnosis.NodeRefusal;
import dev.berth.scheduler.plugin.Refusal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever happens to a cluster, the decider says what a slow, obvious scheduler says: the same
 * nodes are allowed, and it picks one of those with the greatest total.
 */
class DeciderPropertyTest {
  private static final int SEEDS = 150;
  private static final int STEPS = 50;

  @ParameterizedTest
  @ValueSource(strings = {"local", "crowds", "crowds-first"})
  void decidesAsAnObviousSchedulerWould(String profile) {
    for (long seed = 0; seed < SEEDS; seed++) {
      Run run = new Run(profile(profile), seed);
      for (int step = 0; step < STEPS; step++) {
        run.step(profile + ", seed " + seed + ", step " + step);
      }
    }
  }

  private static Profile profile(String name) {
    return switch (name) {
      case "crowds" -> Profiles.withCrowds();
      case "crowds-first" -> Profiles.withCrowdsFirst();
      default -> Profiles.local();
    };
  }

  private static final class Run {
    private final Profile profile;
    private final SplittableRandom random;
    private final RandomWorld world;
    private final Cluster cluster = new Cluster();
    private final ReferenceScheduler reference;
    private final Decider decider;
    private final Map<String, PodInfo> placed = new HashMap<>();
    private final TopologyColumn zones = cluster.topology("zone");

    Run(Profile profile, long seed) {
      this.profile = profile;
      this.random = new SplittableRandom(seed);
      this.world = new RandomWorld(random);
      this.reference = new ReferenceScheduler(profile);
      this.decider = new Decider(cluster, profile, random.split());
    }

    void step(String where) {
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> put(world.someNode().tree());
        case 3 -> removeNode();
        case 4 -> removePod();
        default -> {}
      }
      decide(world.somePod(), where);
      checkColumns(where);
    }

    private void put(JsonObject node) {
      cluster.put(node);
      reference.nodes.put(NodeView.read(node).name(), node);
    }

    private void removeNode() {
      String name = "n" + random.nextInt(10);
      cluster.remove(name);
      reference.nodes.remove(name);
    }

    private void removePod() {
      List<String> names = new ArrayList<>(reference.pods.keySet());
      if (!names.isEmpty()) {
        String name = names.get(random.nextInt(names.size()));
        String node = reference.nodeOf.getOrDefault(name, "");
        assertThat(cluster.remove(Objects.requireNonNull(placed.get(name)), node)).isTrue();
        reference.remove(name);
      }
    }

    private void decide(PodFixture fixture, String where) {
      JsonObject tree = fixture.tree();
      PodInfo pod = cluster.read(tree);
      checkFilters(pod, where);
      Map<String, Long> totals = reference.totals(tree);
      switch (decider.decide(pod)) {
        case Decision.Placed there -> {
          String node = cluster.node(there.node()).name();
          long best = totals.values().stream().mapToLong(total -> total).max().orElse(-1);
          assertThat(totals).as(where).containsKey(node);
          assertThat(there.feasible()).as(where).isEqualTo(totals.size());
          if (totals.size() > 1) {
            assertThat(there.score()).as(where).isEqualTo(best);
            assertThat(totals.get(node)).as(where).isEqualTo(best);
          }
          if (random.nextInt(4) > 0) {
            cluster.add(pod, node);
            placed.put(pod.view().name(), pod);
            reference.place(tree, node);
          }
        }
        case Decision.Unschedulable nowhere -> {
          assertThat(totals).as(where).isEmpty();
          checkDiagnosis(nowhere.diagnosis(), pod, where);
        }
      }
    }

    private void checkFilters(PodInfo pod, String where) {
      NodeCheck check = new NodeCheck(profile, pod, cluster);
      for (String name : reference.nodes.keySet()) {
        Refusal refusal = check.check(cluster.indexOf(name));
        assertThat(refusal == null ? List.<String>of() : refusal.messages())
            .as("%s, %s", where, name)
            .containsExactlyInAnyOrderElementsOf(reference.refusal(pod.tree(), name));
      }
    }

    private void checkDiagnosis(Diagnosis diagnosis, PodInfo pod, String where) {
      assertThat(diagnosis.nodes()).isEqualTo(reference.nodes.size());
      Map<String, Integer> counts = new HashMap<>();
      List<Integer> helpable = new ArrayList<>();
      for (NodeRefusal each : diagnosis.refusals()) {
        assertThat(each.refusal().messages())
            .as(where)
            .containsExactlyInAnyOrderElementsOf(reference.refusal(pod.tree(), each.node()));
        each.refusal().messages().forEach(message -> counts.merge(message, 1, Integer::sum));
        if (each.refusal().preemptionMayHelp()) {
          helpable.add(cluster.indexOf(each.node()));
        }
      }
      assertThat(diagnosis.refusals()).hasSize(reference.nodes.size());
      if (new NodeCheck(profile, pod, cluster).candidates() == null) {
        assertThat(diagnosis.counts()).as(where).isEqualTo(counts);
        assertThat(diagnosis.unresolvable())
            .as(where)
            .isEqualTo(reference.nodes.size() - helpable.size());
        assertThat(diagnosis.nodesWherePreemptionMayHelp())
            .as(where)
            .containsExactly(helpable.stream().sorted().mapToInt(node -> node).toArray());
      }
    }

    private void checkColumns(String where) {
      assertThat(cluster.size()).isEqualTo(reference.nodes.size());
      reference.nodes.forEach((name, tree) -> {
        int node = cluster.indexOf(name);
        NodeView view = NodeView.read(tree);
        List<JsonObject> pods = reference.podsOn(name);
        assertThat(cluster.pods(node)).as(where).hasSize(pods.size());
        ResourceList sum = ResourceList.EMPTY;
        for (JsonObject pod : pods) {
          sum = sum.plus(EffectiveResources.requests(PodView.read(pod).spec()));
        }
        assertThat(cluster.requested(ResourceTable.CPU, node))
            .as(where)
            .isEqualTo(sum.get("cpu").milliValue());
        assertThat(cluster.requested(ResourceTable.MEMORY, node))
            .as(where)
            .isEqualTo(sum.get("memory").value());
        int extended = cluster.resources().column("a.com/x");
        assertThat(cluster.requested(extended, node))
            .as(where)
            .isEqualTo(sum.get("a.com/x").value());
        assertThat(cluster.allocatable(ResourceTable.CPU, node))
            .as(where)
            .isEqualTo(ResourceList.read(view.allocatable()).get("cpu").milliValue());
        assertThat(cluster.taints(cluster.taintSet(node))).as(where).isEqualTo(view.taints());
        String zone = view.labels().text("zone");
        int domain = zones.domain(node);
        assertThat(domain < 0 ? null : zones.value(domain)).as(where).isEqualTo(zone);
      });
    }
  }
}
