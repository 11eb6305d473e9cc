package dev.berth.sim.explain;

import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import java.util.function.UnaryOperator;

/** Makes changes for real; the pod that is to be let in is made anew. */
final class RealTarget implements ChangeTarget {
  private final VirtualCluster cluster;
  private JsonObject pod;

  RealTarget(VirtualCluster cluster, JsonObject pod) {
    this.cluster = cluster;
    this.pod = pod;
  }

  @Override
  public void changePod(UnaryOperator<JsonObject> change) {
    pod = change.apply(pod);
  }

  @Override
  public void changeNode(String name, UnaryOperator<JsonObject> change) {
    JsonObject node = done(cluster.admin().get(Resources.NODES, ObjectName.of(name)));
    done(cluster.admin().update(Resources.NODES, change.apply(node)));
  }

  @Override
  public void addNode(JsonObject node) {
    done(cluster.admin().create(Resources.NODES, node));
    JsonObject made = done(cluster.admin().get(Resources.NODES, ObjectName.of(node)));
    JsonObject spec = made.object("spec").with("taints", node.object("spec").array("taints"));
    done(cluster.admin().update(Resources.NODES, made.with("spec", spec)));
  }

  /** Two changes may ask for the same pod to go. */
  @Override
  public void removePod(ObjectName name) {
    if (cluster.exists(name.name())) {
      cluster.delete(Resources.PODS, name);
    }
  }

  /** Puts the changed pod in the place of the one that waits. */
  void recreatePod() {
    cluster.delete(Resources.PODS, ObjectName.of(pod));
    JsonObject metadata = pod.object("metadata");
    done(
        cluster
            .admin()
            .create(
                Resources.PODS,
                pod.without("status")
                    .with(
                        "metadata",
                        metadata
                            .without("uid")
                            .without("resourceVersion")
                            .without("managedFields"))));
  }

  private static JsonObject done(ApiResult result) {
    return switch (result) {
      case ApiResult.Done(JsonObject object) -> object;
      case ApiResult.Failure failure -> throw new AssertionError(failure.message());
    };
  }
}
