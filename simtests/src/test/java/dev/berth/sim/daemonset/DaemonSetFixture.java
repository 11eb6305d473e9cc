package dev.berth.sim.daemonset;

import dev.berth.client.Resources;
import dev.berth.controllers.daemonset.DaemonSetController;
import dev.berth.controllers.daemonset.DaemonSetSettings;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.kubelet.TestKubelet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Three nodes, their agents, a scheduler, the controller, and one DaemonSet to be made. */
abstract class DaemonSetFixture {
  static final ObjectName AGENT = new ObjectName("default", "agent");
  static final Duration SECOND = Duration.ofSeconds(1);

  final VirtualCluster cluster = new VirtualCluster(1);
  TestKubelet kubelet;

  @BeforeEach
  void start() {
    kubelet = TestKubelet.start(cluster.admin(), cluster.time());
    cluster.schedule();
    run(DaemonSetSettings.DEFAULT);
    cluster.node("n1", "4", "{'disk':'ssd'}");
    cluster.node("n2", "4", "{'disk':'ssd'}");
    cluster.node("n3", "4", "{'disk':'hdd'}");
  }

  @AfterEach
  void stop() {
    kubelet.close();
    cluster.close();
  }

  void run(DaemonSetSettings settings) {
    cluster.run(
        "daemon-sets",
        () ->
            DaemonSetController.start(
                cluster.parts(DaemonSetController.ACCOUNT), settings, TolerationRules.STANDARD));
  }

  void create(String podSpec, String further) {
    cluster.create(
        Resources.DAEMON_SETS,
        ("{'metadata':{'namespace':'default','name':'agent'},'spec':{'selector':{'matchLabels':{'app':'agent'}},%s"
                + "'template':{'metadata':{'labels':{'app':'agent'}},'spec':{%s'terminationGracePeriodSeconds':5,"
                + "'containers':[{'name':'c','image':'i1'}]}}}}")
            .formatted(further, podSpec));
    cluster.advance(SECOND);
  }

  void create() {
    create("", "");
  }

  void setStatus(GroupVersionResource resource, ObjectName name, String status) {
    cluster.patchStatus(resource, name, "{'status':" + status + "}");
  }

  void image(String image) {
    cluster.patch(
        Resources.DAEMON_SETS,
        AGENT,
        "{'spec':{'template':{'spec':{'containers':[{'name':'c','image':'" + image + "'}]}}}}");
  }

  List<JsonObject> pods() {
    return cluster.list(Resources.PODS);
  }

  /** Which nodes have a pod that is not on its way out, and of which image. */
  Map<String, String> images() {
    Map<String, String> images = new TreeMap<>();
    for (JsonObject pod : pods()) {
      if (!Metadata.of(pod).isBeingDeleted()) {
        String node = pod.object("spec").text("nodeName", "");
        String image =
            pod.object("spec").array("containers").objects().getFirst().text("image", "");
        // Pods are listed by their names, which are drawn.
        images.merge(node, image, (a, b) -> a.compareTo(b) < 0 ? a + "," + b : b + "," + a);
      }
    }
    return images;
  }

  JsonObject status() {
    return daemonSet().object("status");
  }

  JsonObject daemonSet() {
    return cluster.list(Resources.DAEMON_SETS).getFirst();
  }

  long status(String field) {
    return status().integer(field).orElse(0);
  }

  List<String> events(String reason) {
    return cluster.events("agent", reason);
  }

  long failures() {
    return cluster.list(Resources.EVENTS).stream()
        .filter(e -> e.text("reason", "").equals("FailedDaemonPod"))
        .mapToLong(e -> e.integer("deprecatedCount").orElseThrow())
        .sum();
  }

  /** Which revisions of the DaemonSet, its history and its pods there are. */
  List<String> written() {
    return Stream.of(Resources.DAEMON_SETS, Resources.CONTROLLER_REVISIONS, Resources.PODS)
        .flatMap(resource -> cluster.list(resource).stream())
        .map(object -> Metadata.of(object).resourceVersion())
        .toList();
  }

  String podOn(String node) {
    return pods().stream()
        .filter(p -> p.object("spec").text("nodeName", "").equals(node))
        .map(p -> Metadata.of(p).name())
        .findFirst()
        .orElseThrow();
  }

  List<Long> numbers() {
    return cluster.list(Resources.CONTROLLER_REVISIONS).stream()
        .map(r -> r.integer("revision").orElse(0))
        .sorted()
        .toList();
  }
}
