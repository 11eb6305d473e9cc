package dev.berth.sim.tainteviction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.tainteviction.TaintEviction;
import dev.berth.model.meta.Conditions;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A virtual cluster in which a taint eviction controller runs, and how its tests speak of it. */
final class EvictionCluster implements AutoCloseable {
  static final String CONTROLLER = "taint-eviction";

  private final VirtualCluster cluster = new VirtualCluster(1);

  VirtualCluster cluster() {
    return cluster;
  }

  /** Starts the controller, in place of the one that runs, if one does. */
  void evict() {
    evict(api -> api);
  }

  /** The same, with a server that is not quite the real one. */
  void evict(UnaryOperator<Api> server) {
    cluster.run(CONTROLLER, () -> start(cluster, server));
  }

  static TaintEviction start(VirtualCluster cluster, UnaryOperator<Api> server) {
    ControllerParts parts = cluster.parts(TaintEviction.ACCOUNT);
    return TaintEviction.start(
        new ControllerParts(
            server.apply(parts.api()), parts.time(), parts.metrics(), parts.warnings()),
        TolerationRules.STANDARD);
  }

  void crash() {
    cluster.crash(CONTROLLER);
  }

  void restart() {
    cluster.restart(CONTROLLER);
  }

  /** A pod bound to a node, which vanishes as soon as it is deleted. */
  void pod(String name, String node, String... tolerations) {
    cluster.pod(
        name,
        "10m",
        "{'nodeName':'%s','tolerations':[%s]}".formatted(node, String.join(",", tolerations)));
  }

  /** Tolerates {@code key1=value1:NoExecute} for so many seconds. */
  static String forSeconds(long seconds) {
    return "{'key':'key1','operator':'Equal','value':'value1','effect':'NoExecute','tolerationSeconds':%d}"
        .formatted(seconds);
  }

  static String forEver() {
    return "{'key':'key1','operator':'Equal','value':'value1','effect':'NoExecute'}";
  }

  /** Puts taints on a node as {@code kubectl taint} takes them, in place of those it has. */
  void taint(String node, String... taints) {
    List<String> trees =
        List.of(taints).stream()
            .map(text -> {
              String[] parts = text.split("[=:]", -1);
              return parts.length == 2
                  ? "{'key':'%s','effect':'%s'}".formatted(parts[0], parts[1])
                  : "{'key':'%s','value':'%s','effect':'%s'}"
                      .formatted(parts[0], parts[1], parts[2]);
            })
            .toList();
    cluster.taint(node, "[" + String.join(",", trees) + "]");
    cluster.settle();
  }

  void untaint(String node) {
    cluster.taint(node, "null");
    cluster.settle();
  }

  /** Gives a pod a toleration, in place of the one it has of the same key. */
  void tolerate(String pod, String toleration) {
    JsonObject added = VirtualCluster.tree(toleration);
    List<JsonObject> all = new ArrayList<>();
    for (JsonObject old : cluster.getPod(pod).object("spec").array("tolerations").objects()) {
      if (!old.text("key", "").equals(added.text("key", ""))) {
        all.add(old);
      }
    }
    all.add(added);
    JsonObject spec = JsonObject.of("tolerations", JsonArray.copyOf(all));
    assertThat(
            cluster
                .admin()
                .patch(
                    Target.of(Resources.PODS, VirtualCluster.podName(pod)),
                    PatchType.MERGE,
                    JsonObject.of("spec", spec))
                .isDone())
        .isTrue();
    cluster.settle();
  }

  void advance(long seconds) {
    cluster.advance(Duration.ofSeconds(seconds));
  }

  void assertStays(String pod) {
    assertThat(cluster.exists(pod)).as("%s is there", pod).isTrue();
    assertThat(cluster.getPod(pod).object("metadata").has("deletionTimestamp"))
        .as("%s is on its way out", pod)
        .isFalse();
  }

  void assertGone(String pod) {
    assertThat(cluster.exists(pod)).as("%s is there", pod).isFalse();
  }

  boolean isTerminating(String pod) {
    return cluster.getPod(pod).object("metadata").has("deletionTimestamp");
  }

  JsonObject disruption(String pod) {
    return Conditions.find(
            cluster.getPod(pod).object("status").array("conditions"), "DisruptionTarget")
        .orElse(JsonObject.EMPTY);
  }

  List<String> events(String pod) {
    return cluster.events(pod, "TaintManagerEviction");
  }

  @Override
  public void close() {
    cluster.close();
  }
}
