package dev.berth.scheduler.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.NodeView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.node.TopologyColumn;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.cluster.resource.ResourceTable;
import dev.berth.scheduler.decision.Diagnosis.NodeRefusal;
import dev.berth.scheduler.plugin.Profile;
import dev.berth.scheduler.plugin.Refusal;
import dev.berth.time.fixture.SeededTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * Whatever happens to a cluster, the decider says what a slow, obvious scheduler says: the same
 * nodes are allowed, and it picks one of those with the greatest total.
 */
class DeciderPropertyTest {
  private static final int STEPS = 30;

  @SeededTest(
      fixed = 45,
      fresh = 25,
      each = {"local", "zone-limit", "zone-limit-first"})
  void decidesAsAnObviousSchedulerWould(long seed, String profile) {
    Run run = new Run(profile(profile), seed);
    for (int step = 0; step < STEPS; step++) {
      run.step(profile + ", seed " + seed + ", step " + step);
    }
  }

  private static Profile profile(String name) {
    return switch (name) {
      case "zone-limit" -> TestProfiles.withZoneLimit();
      case "zone-limit-first" -> TestProfiles.withZoneLimitFirst();
      default -> TestProfiles.local();
    };
  }

  private static final class Run {
    private final Profile profile;
    private final SplittableRandom random;
    private final RandomObjects world;
    private final Cluster cluster = new Cluster();
    private final ReferenceScheduler reference;
    private final Decider decider;
    private final Map<String, PodInfo> placed = new HashMap<>();
    private final List<PodInfo> nominated = new ArrayList<>();
    private final TopologyColumn zones = cluster.topology("zone");

    Run(Profile profile, long seed) {
      this.profile = profile;
      this.random = new SplittableRandom(seed);
      this.world = new RandomObjects(random);
      this.reference = new ReferenceScheduler(profile);
      this.decider = new Decider(cluster, profile, random.split());
    }

    void step(String where) {
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> put(world.someNode().tree());
        case 3 -> removeNode();
        case 4, 5 -> removePod();
        case 6 -> nominate();
        case 7 -> forgetNominations();
        default -> {}
      }
      decide(world.somePod().tree(), where);
      checkColumns(where);
    }

    private void put(JsonObject node) {
      cluster.put(node);
      reference.put(node);
    }

    private void removeNode() {
      String name = someNode();
      cluster.remove(name);
      reference.removeNode(name);
    }

    private String someNode() {
      return "n" + random.nextInt(10);
    }

    private void removePod() {
      List<ReferenceScheduler.Placed> pods = reference.pods();
      if (!pods.isEmpty()) {
        var pod = pods.get(random.nextInt(pods.size()));
        PodInfo info = Objects.requireNonNull(placed.remove(pod.view().name()));
        assertThat(cluster.remove(info, pod.node())).isTrue();
        reference.remove(pod.view().name());
      }
    }

    private void nominate() {
      PodInfo pod = cluster.read(world.somePod().tree());
      nominated.add(pod);
      cluster.nominations().put(pod, someNode());
    }

    private void forgetNominations() {
      nominated.forEach(cluster.nominations()::remove);
      nominated.clear();
    }

    private void decide(JsonObject tree, String where) {
      PodInfo pod = cluster.read(tree);
      checkFilters(pod, where);
      boolean few = new PodFilters(profile, pod, cluster).candidates() != null;
      Map<String, Long> free = reference.totals(tree, node -> isReserved(pod, node));
      switch (decider.decide(pod)) {
        case Decision.Placed there -> {
          String node = cluster.node(there.node()).name();
          assertThat(free).as(where).containsKey(node);
          assertThat(there.feasible()).as(where).isEqualTo(free.size());
          if (!few || free.size() > 1) {
            long best = free.values().stream().mapToLong(total -> total).max().orElse(-1);
            assertThat(there.score()).as(where).isEqualTo(best);
            assertThat(free.get(node)).as(where).isEqualTo(best);
          }
          if (random.nextInt(4) > 0) {
            cluster.add(pod, node);
            placed.put(pod.view().name(), pod);
            reference.place(tree, node);
          }
        }
        case Decision.Unschedulable nowhere -> {
          assertThat(free).as(where).isEmpty();
          if (nominated.isEmpty()) {
            checkDiagnosis(nowhere.diagnosis(), pod, few, where);
          }
        }
      }
    }

    private boolean isReserved(PodInfo pod, String node) {
      List<PodInfo> others =
          nominated.stream()
              .filter(other -> cluster.nominations().nodeOf(other).equals(node))
              .filter(other -> other.priority() >= pod.priority())
              .toList();
      others.forEach(other -> reference.place(other.tree(), node));
      boolean refused = !reference.refusal(pod.tree(), node).isEmpty();
      others.forEach(other -> reference.remove(other.view().name()));
      return refused;
    }

    private void checkFilters(PodInfo pod, String where) {
      PodFilters filters = new PodFilters(profile, pod, cluster);
      for (String name : reference.nodeNames()) {
        Refusal refusal = filters.refusal(cluster.indexOf(name));
        assertThat(refusal == null ? List.<String>of() : refusal.messages())
            .as("%s, %s", where, name)
            .containsExactlyInAnyOrderElementsOf(reference.refusal(pod.tree(), name));
      }
    }

    private void checkDiagnosis(Diagnosis diagnosis, PodInfo pod, boolean few, String where) {
      assertThat(diagnosis.nodes()).isEqualTo(reference.nodeNames().size());
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
      assertThat(diagnosis.refusals()).hasSize(reference.nodeNames().size());
      if (!few) {
        assertThat(diagnosis.counts()).as(where).isEqualTo(counts);
        assertThat(diagnosis.unresolvable())
            .as(where)
            .isEqualTo(reference.nodeNames().size() - helpable.size());
        assertThat(diagnosis.nodesWherePreemptionMayHelp())
            .as(where)
            .containsExactly(helpable.stream().sorted().mapToInt(node -> node).toArray());
      }
    }

    private void checkColumns(String where) {
      assertThat(cluster.size()).isEqualTo(reference.nodeNames().size());
      for (String name : reference.nodeNames()) {
        int node = cluster.indexOf(name);
        NodeView view = reference.view(name);
        ResourceList sum = ResourceList.EMPTY;
        for (var pod : reference.podsOn(name)) {
          sum = sum.plus(pod.requests());
        }
        int domain = zones.domain(node);
        int extended = cluster.resources().column("a.com/x");
        List<Object> columns =
            Arrays.asList(
                cluster.pods(node).size(),
                cluster.requested(ResourceTable.PODS, node),
                cluster.requested(ResourceTable.CPU, node),
                cluster.requested(ResourceTable.MEMORY, node),
                cluster.requested(extended, node),
                cluster.allocatable(ResourceTable.CPU, node),
                cluster.taints(cluster.taintSet(node)),
                domain < 0 ? "" : zones.value(domain));
        List<Object> expected =
            Arrays.asList(
                reference.podsOn(name).size(),
                (long) reference.podsOn(name).size(),
                sum.get("cpu").milliValue(),
                sum.get("memory").value(),
                sum.get("a.com/x").value(),
                ResourceList.read(view.allocatable()).get("cpu").milliValue(),
                view.taints(),
                view.labels().text("zone", ""));
        assertThat(columns).as(where).isEqualTo(expected);
      }
    }
  }
}
