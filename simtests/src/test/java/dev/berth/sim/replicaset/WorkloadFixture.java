package dev.berth.sim.replicaset;

import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.deployment.DeploymentController;
import dev.berth.controllers.replicaset.ReplicaSetController;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.kubelet.RoundRobinBinder;
import dev.berth.sim.kubelet.TestKubelet;
import java.time.Duration;
import java.util.List;

/** A cluster with the controllers of deployments and replica sets, and nodes that run pods. */
public final class WorkloadFixture implements AutoCloseable {
  public final VirtualCluster cluster;
  public final TestKubelet kubelet;
  private final RoundRobinBinder binder;

  /** One without controllers. */
  public WorkloadFixture(VirtualCluster cluster, Duration podStarts) {
    this.cluster = cluster;
    kubelet =
        TestKubelet.start(cluster.admin(), cluster.time())
            .starting(podStarts)
            .stopping(Duration.ofSeconds(1));
    binder = new RoundRobinBinder(cluster.admin(), cluster.time(), kubelet, 5);
  }

  /** One whose controllers run. */
  public static WorkloadFixture start(Duration podStarts) {
    VirtualCluster cluster = new VirtualCluster(1);
    WorkloadFixture fixture = new WorkloadFixture(cluster, podStarts);
    cluster.run(
        "sets", () -> ReplicaSetController.start(cluster.parts(ReplicaSetController.ACCOUNT)));
    cluster.run(
        "deployments",
        () -> DeploymentController.start(cluster.parts(DeploymentController.ACCOUNT)));
    return fixture;
  }

  /** A manifest of a workload whose pods are labeled {@code app: NAME}. */
  public static String manifest(String name, long replicas, String image, String further) {
    return ("{'metadata':{'name':'%1$s','namespace':'default'},'spec':{'replicas':%2$d,"
            + "'selector':{'matchLabels':{'app':'%1$s'}},'template':{'metadata':{'labels':{'app':'%1$s'}},"
            + "'spec':{'containers':[{'name':'c','image':'%3$s'}]}}%4$s}}")
        .formatted(name, replicas, image, further.isEmpty() ? "" : "," + further);
  }

  public void set(String name, long replicas) {
    cluster.create(Resources.REPLICA_SETS, manifest(name, replicas, "i", ""));
  }

  public void deployment(String name, long replicas, String further) {
    cluster.create(Resources.DEPLOYMENTS, manifest(name, replicas, "v1", further));
  }

  public static ObjectName name(String name) {
    return new ObjectName("default", name);
  }

  public JsonObject get(GroupVersionResource resource, String name) {
    return switch (cluster.admin().get(resource, name(name))) {
      case ApiResult.Done(JsonObject object) -> object;
      case ApiResult.Failure why -> throw new AssertionError(why.message());
    };
  }

  public void patch(GroupVersionResource resource, String name, String spec) {
    cluster.patch(resource, name(name), "{'spec':" + spec + "}");
  }

  public void image(String deployment, String image) {
    patch(
        Resources.DEPLOYMENTS,
        deployment,
        "{'template':{'spec':{'containers':[{'name':'c','image':'" + image + "'}]}}}");
  }

  public void advance(long seconds) {
    cluster.advance(Duration.ofSeconds(seconds));
  }

  public List<JsonObject> pods() {
    return cluster.list(Resources.PODS);
  }

  /** Pods that have neither ended nor are on their way out. */
  public List<JsonObject> staying() {
    return pods().stream()
        .filter(pod -> !Metadata.of(pod).isBeingDeleted())
        .filter(pod -> !pod.object("status").text("phase", "").equals("Failed"))
        .toList();
  }

  public static String image(JsonObject workload) {
    JsonObject spec = workload.object("spec");
    JsonObject pod = spec.has("template") ? spec.object("template").object("spec") : spec;
    return pod.array("containers").objects().getFirst().text("image", "");
  }

  public List<JsonObject> sets() {
    return cluster.list(Resources.REPLICA_SETS);
  }

  public JsonObject setOf(String image) {
    return sets().stream().filter(set -> image(set).equals(image)).findFirst().orElseThrow();
  }

  public static boolean isReady(JsonObject pod) {
    return Conditions.isTrue(pod.object("status").array("conditions"), "Ready");
  }

  public static long size(JsonObject set) {
    return set.object("spec").integer("replicas").orElse(-1);
  }

  public JsonObject status(GroupVersionResource resource, String name) {
    return get(resource, name).object("status");
  }

  public static long count(JsonObject status, String field) {
    return status.integer(field).orElse(0);
  }

  /** {@code Status Reason: message} of a condition; empty if it is not there. */
  public String condition(GroupVersionResource resource, String name, String type) {
    return Conditions.find(status(resource, name).array("conditions"), type)
        .map(c -> c.text("status", "") + " " + c.text("reason", "") + ": " + c.text("message", ""))
        .orElse("");
  }

  @Override
  public void close() {
    binder.close();
    kubelet.close();
    cluster.close();
  }
}
