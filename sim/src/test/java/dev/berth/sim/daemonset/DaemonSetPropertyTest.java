package dev.berth.sim.daemonset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.daemonset.DaemonSetSettings;
import dev.berth.controllers.daemonset.DaemonSets;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.sim.FaultyApi;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.kubelet.TestKubelet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever happens to nodes, pods, templates and controllers, in the end there is one pod of the
 * latest template on each node that should have one, and none elsewhere.
 */
class DaemonSetPropertyTest {
  private static final int SEEDS = 20;
  private static final int STEPS = 60;
  private static final ObjectName AGENT = new ObjectName("default", "agent");

  @ParameterizedTest
  @ValueSource(strings = {"'maxUnavailable':2,'maxSurge':0", "'maxUnavailable':0,'maxSurge':2"})
  void randomHistoriesEndWithOnePodOnEachNode(String strategy) {
    for (long seed = 0; seed < SEEDS; seed++) {
      try (History history = new History(seed, strategy)) {
        history.run();
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + " with " + strategy, e);
      }
    }
  }

  private static final class History implements AutoCloseable {
    private final VirtualCluster cluster;
    private final RandomGenerator random;
    private final TestKubelet kubelet;
    private final List<FaultyApi> faulty = new ArrayList<>();
    private final TreeMap<String, Boolean> nodes = new TreeMap<>();
    private int nextNode;
    private int image;

    History(long seed, String strategy) {
      cluster = new VirtualCluster(seed);
      random = cluster.time().random("history");
      kubelet = TestKubelet.start(cluster.admin(), cluster.time());
      cluster.schedule();
      for (int i = 0; i < 4; i++) {
        addNode();
      }
      cluster.run("daemon-sets", this::controller);
      cluster.create(
          Resources.DAEMON_SETS,
          ("{'metadata':{'namespace':'default','name':'agent'},'spec':{'selector':{'matchLabels':{'app':'agent'}},"
                  + "'updateStrategy':{'rollingUpdate':{%s}},'revisionHistoryLimit':2,"
                  + "'template':{'metadata':{'labels':{'app':'agent'}},'spec':{'terminationGracePeriodSeconds':5,"
                  + "'containers':[{'name':'c','image':'i0'}]}}}}")
              .formatted(strategy));
    }

    private AutoCloseable controller() {
      ControllerParts parts = cluster.parts(DaemonSets.ACCOUNT);
      FaultyApi api = new FaultyApi(parts.api(), cluster.time().random("faults " + faulty.size()));
      faulty.add(api);
      return DaemonSets.start(
          new ControllerParts(api, parts.time(), parts.metrics(), "test", parts.warnings()),
          DaemonSetSettings.DEFAULT,
          TolerationRules.STANDARD);
    }

    private void addNode() {
      String name = "n" + nextNode++;
      cluster.node(name, "4");
      nodes.put(name, true);
    }

    void run() {
      for (int i = 0; i < STEPS; i++) {
        step();
        cluster.advance(Duration.ofMillis(random.nextInt(3_000)));
      }
      faulty.forEach(FaultyApi::heal);
      nodes.keySet().forEach(kubelet::accept);
      cluster.advance(Duration.ofMinutes(40));
      check();
      List<String> quiet = revisions();
      cluster.advance(Duration.ofMinutes(30));
      assertThat(revisions()).isEqualTo(quiet);
    }

    private List<String> revisions() {
      return Stream.of(Resources.PODS, Resources.DAEMON_SETS, Resources.CONTROLLER_REVISIONS)
          .flatMap(resource -> cluster.list(resource).stream())
          .map(object -> Metadata.of(object).resourceVersion())
          .toList();
    }

    private void step() {
      switch (random.nextInt(9)) {
        case 0 -> addNode();
        case 1 -> removeNode();
        case 2, 3 -> taint();
        case 4 -> template();
        case 5 -> deletePod();
        case 6 -> failPod();
        case 7 -> cluster.restart("daemon-sets");
        default -> {}
      }
    }

    private String anyNode() {
      return List.copyOf(nodes.keySet()).get(random.nextInt(nodes.size()));
    }

    private void removeNode() {
      if (nodes.size() > 2) {
        String name = anyNode();
        nodes.remove(name);
        cluster.delete(Resources.NODES, ObjectName.of(name));
        // As the pod collector would.
        for (JsonObject pod : cluster.list(Resources.PODS)) {
          if (pod.object("spec").text("nodeName", "").equals(name)) {
            cluster.delete(Resources.PODS, ObjectName.of(pod));
          }
        }
      }
    }

    private void taint() {
      String name = anyNode();
      boolean eligible = random.nextBoolean();
      nodes.put(name, eligible);
      cluster.taint(name, eligible ? "null" : "[{'key':'k','effect':'NoExecute'}]");
    }

    private void template() {
      image = random.nextInt(5);
      cluster.patch(
          Resources.DAEMON_SETS,
          AGENT,
          "{'spec':{'template':{'spec':{'containers':[{'name':'c','image':'i" + image + "'}]}}}}");
    }

    private void deletePod() {
      anyPod()
          .forEach(pod -> {
            ApiResult result = cluster.admin().delete(Resources.PODS, ObjectName.of(pod));
            assertThat(result.isDone()).isTrue();
          });
    }

    private void failPod() {
      anyPod()
          .forEach(pod ->
              cluster.patchStatus(
                  Resources.PODS, ObjectName.of(pod), "{'status':{'phase':'Failed'}}"));
    }

    private List<JsonObject> anyPod() {
      List<JsonObject> pods = cluster.list(Resources.PODS);
      return pods.isEmpty() ? List.of() : List.of(pods.get(random.nextInt(pods.size())));
    }

    private void check() {
      Map<String, List<String>> found = new TreeMap<>();
      for (JsonObject pod : cluster.list(Resources.PODS)) {
        assertThat(Metadata.of(pod).isBeingDeleted()).isFalse();
        found
            .computeIfAbsent(pod.object("spec").text("nodeName", ""), _ -> new ArrayList<>())
            .add(pod.object("spec").array("containers").objects().getFirst().text("image", ""));
      }
      Map<String, List<String>> expected = new TreeMap<>();
      nodes.forEach((name, eligible) -> {
        if (eligible) {
          expected.put(name, List.of("i" + image));
        }
      });
      assertThat(found).isEqualTo(expected);
      JsonObject status = cluster.list(Resources.DAEMON_SETS).getFirst().object("status");
      for (String field :
          List.of("desiredNumberScheduled", "numberReady", "updatedNumberScheduled")) {
        assertThat(status.integer(field).orElse(0)).as(field).isEqualTo(expected.size());
      }
      assertThat(cluster.list(Resources.CONTROLLER_REVISIONS).size()).isLessThanOrEqualTo(3);
    }

    @Override
    public void close() {
      kubelet.close();
      cluster.close();
    }
  }
}
