package dev.berth.sim.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.profile.ConfigurationReader;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.history.Occurrences;
import dev.berth.sim.snapshot.SnapshotReader;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;

/**
 * A picky pod waits in a small cluster. Whatever is suggested is then done for real, each
 * suggestion in a cluster of its own: the scheduler places the pod.
 */
class SuggestionsAreTrueTest {
  private static final String PICKY = "picky";
  private static final Occurrences TRIED = new Occurrences("suggestions that were tried");
  private static final Duration BEYOND_BACKOFF = Duration.ofSeconds(30);

  @SeededTest(fixed = 60, fresh = 20)
  void whatIsSuggestedLetsThePodIn(long seed) {
    int suggestions = 1;
    for (int chosen = 0; chosen < suggestions; chosen++) {
      try (VirtualCluster cluster = new VirtualCluster(seed)) {
        suggestions = tryOne(cluster, chosen);
      }
    }
  }

  @AfterAll
  static void someWereTried() {
    TRIED.assertSome();
  }

  /** Follows one of the suggestions; returns how many there are. */
  private static int tryOne(VirtualCluster cluster, int chosen) {
    build(cluster);
    cluster.settle();
    JsonObject pod = cluster.getPod(PICKY);
    if (!cluster.nodeOf(PICKY).isEmpty()) {
      return 0;
    }
    ExplainedCluster explained =
        new ExplainedCluster(
            SnapshotReader.read(cluster.admin(), cluster.time().now()),
            ConfigurationReader.defaults(),
            cluster.time().random("explain"));
    List<Suggestion> suggestions = new PodExplainer(explained).suggestions(pod);
    if (suggestions.isEmpty()) {
      return 0;
    }
    Suggestion suggestion = suggestions.get(chosen);
    RealTarget target = new RealTarget(cluster, pod);
    suggestion.changes().forEach(change -> change.apply(target));
    target.recreatePod();
    cluster.advance(BEYOND_BACKOFF);
    TRIED.add(1);
    assertThat(cluster.nodeOf(PICKY))
        .as("after %s; %s", suggestion.changes(), cluster.scheduled(PICKY).text("message", ""))
        .isNotEmpty();
    return suggestions.size();
  }

  private static void build(VirtualCluster cluster) {
    RandomGenerator random = cluster.time().random("cluster");
    int nodes = 2 + random.nextInt(5);
    for (int i = 0; i < nodes; i++) {
      String labels =
          "{'kubernetes.io/hostname':'n%d','topology.kubernetes.io/zone':'%s'%s}"
              .formatted(
                  i, one(random, "a", "b"), one(random, "", ",'disk':'hdd'", ",'disk':'ssd'"));
      cluster.node("n" + i, one(random, "1", "2", "4"), labels);
      switch (random.nextInt(6)) {
        case 0 -> cluster.taint("n" + i, "[{'key':'team','value':'x','effect':'NoSchedule'}]");
        case 1 ->
            cluster.taint(
                "n" + i,
                "[{'key':'team','value':'x','effect':'NoSchedule'},{'key':'gpu','effect':'NoExecute'}]");
        case 2 ->
            cluster.patch(
                Resources.NODES, ObjectName.of("n" + i), "{'spec':{'unschedulable':true}}");
        default -> {}
      }
    }
    cluster.schedule();
    int others = random.nextInt(8);
    for (int i = 0; i < others; i++) {
      cluster.pod("other" + i, one(random, "250m", "500m", "1"), spec(random, 6));
      cluster.settle();
    }
    cluster.pod(PICKY, one(random, "500m", "1", "2", "6"), spec(random, 2));
  }

  /** Demands, each with a chance of one in so many. */
  private static String spec(RandomGenerator random, int rarity) {
    List<String> fields = new ArrayList<>();
    if (random.nextInt(rarity) == 0) {
      fields.add("'nodeSelector':{'disk':'%s'}".formatted(one(random, "ssd", "nvme")));
    }
    if (random.nextInt(rarity) == 0) {
      fields.add(
          "'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'topology.kubernetes.io/zone',"
              + "'whenUnsatisfiable':'DoNotSchedule','labelSelector':{'matchLabels':{'app':'a'}}}]");
    }
    List<String> affinity = new ArrayList<>();
    if (random.nextInt(rarity) == 0) {
      affinity.add(
          ("'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':'%s',"
                  + "'labelSelector':{'matchLabels':{'app':'a'}}}]}")
              .formatted(one(random, "kubernetes.io/hostname", "topology.kubernetes.io/zone")));
    }
    if (random.nextInt(2 * rarity) == 0) {
      affinity.add(
          "'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{"
              + "'topologyKey':'topology.kubernetes.io/zone',"
              + "'labelSelector':{'matchLabels':{'app':'db'}}}]}");
    }
    if (random.nextInt(2 * rarity) == 0) {
      affinity.add(
          "'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':["
              + "{'matchExpressions':[{'key':'disk','operator':'In','values':['ssd','nvme']},"
              + "{'key':'rack','operator':'Exists'}]}]}}");
    }
    if (!affinity.isEmpty()) {
      fields.add("'affinity':{%s}".formatted(String.join(",", affinity)));
    }
    if (random.nextInt(2 * rarity) == 0) {
      fields.add(
          "'containers':[{'name':'c','image':'i','ports':[{'containerPort':80,'hostPort':8080}],"
              + "'resources':{'requests':{'cpu':'250m'}}}]");
    }
    return "{%s}".formatted(String.join(",", fields));
  }

  private static String one(RandomGenerator random, String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
