package dev.berth.sim.daemonset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.daemonset.DaemonSetController;
import dev.berth.controllers.daemonset.DaemonSetSettings;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.sim.history.History;
import dev.berth.sim.kubelet.TestKubelet;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Whatever happens to nodes, pods, templates and controllers, in the end there is one pod of the
 * latest template on each node that should have one, and none elsewhere.
 */
class DaemonSetPropertyTest {
  private static final int STEPS = 60;
  private static final ObjectName AGENT = new ObjectName("default", "agent");

  @SeededTest(
      fixed = 14,
      fresh = 6,
      each = {"'maxUnavailable':2,'maxSurge':0", "'maxUnavailable':0,'maxSurge':2"})
  void randomHistoriesEndWithOnePodOnEachNode(long seed, String strategy) {
    History.run(() -> new Run(seed, strategy));
  }

  private static final class Run extends History {
    private final TreeMap<String, Boolean> nodes = new TreeMap<>();
    private int nextNode;
    private int image;

    Run(long seed, String strategy) {
      super(seed, STEPS, Duration.ofMinutes(40));
      closing(TestKubelet.start(cluster.admin(), cluster.time()));
      cluster.schedule();
      for (int i = 0; i < 4; i++) {
        addNode();
      }
      cluster.run(
          "daemon-sets",
          () ->
              DaemonSetController.start(
                  parts(DaemonSetController.ACCOUNT),
                  DaemonSetSettings.DEFAULT,
                  TolerationRules.STANDARD));
      cluster.create(
          Resources.DAEMON_SETS,
          ("{'metadata':{'namespace':'default','name':'agent'},'spec':{'selector':{'matchLabels':{'app':'agent'}},"
                  + "'updateStrategy':{'rollingUpdate':{%s}},'revisionHistoryLimit':2,"
                  + "'template':{'metadata':{'labels':{'app':'agent'}},'spec':{'terminationGracePeriodSeconds':5,"
                  + "'containers':[{'name':'c','image':'i0'}]}}}}")
              .formatted(strategy));
      step(2, "add a node", this::addNode);
      step(2, "remove a node", this::removeNode);
      step(4, "taint a node", this::taint);
      step(2, "change the template", this::template);
      step(2, "delete a pod", this::deletePod);
      step(2, "a pod fails", this::failPod);
      passes(2, Duration.ofSeconds(3));
      crashes(1, "daemon-sets");
    }

    private void addNode() {
      String name = "n" + nextNode++;
      cluster.node(name, "4");
      nodes.put(name, true);
    }

    @Override
    protected void pause() {
      cluster.advance(upTo(Duration.ofSeconds(3)));
    }

    private List<String> revisions() {
      return Stream.of(Resources.PODS, Resources.DAEMON_SETS, Resources.CONTROLLER_REVISIONS)
          .flatMap(resource -> cluster.list(resource).stream())
          .map(object -> Metadata.of(object).resourceVersion())
          .toList();
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
          .ifPresent(pod -> {
            ApiResult result = cluster.admin().delete(Resources.PODS, ObjectName.of(pod));
            assertThat(result.isDone()).isTrue();
          });
    }

    private void failPod() {
      anyPod()
          .ifPresent(pod ->
              cluster.patchStatus(
                  Resources.PODS, ObjectName.of(pod), "{'status':{'phase':'Failed'}}"));
    }

    @Override
    protected void checkEnd() {
      check();
      List<String> quiet = revisions();
      cluster.advance(Duration.ofMinutes(30));
      assertThat(revisions()).as("nothing is written when all is quiet").isEqualTo(quiet);
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
  }
}
