package dev.berth.sim.nodelifecycle;

import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import dev.berth.time.Loop;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The hearts of nodes, and nothing else of them: they register, renew their leases every ten
 * seconds, each at its own moment, and post their status every five minutes and when it changes.
 */
final class Hearts implements AutoCloseable {
  private static final Duration RENEW = Duration.ofSeconds(10);
  private static final Duration POST = Duration.ofMinutes(5);

  private final VirtualCluster cluster;
  private final Loop loop;
  private final Map<String, Heart> hearts = new LinkedHashMap<>();

  Hearts(VirtualCluster cluster) {
    this.cluster = cluster;
    loop = cluster.time().start("hearts");
  }

  /** One node's. */
  private static final class Heart {
    final String name;
    final Duration skew;
    boolean silent;
    String ready = "True";
    String pressure = "";
    JsonObject lease = JsonObject.EMPTY;
    Instant posted = Instant.MIN;
    Loop.@Nullable Timer next;

    Heart(String name, Duration skew) {
      this.name = name;
      this.skew = skew;
    }
  }

  /** A ready node in a zone. */
  void add(String name, String zone) {
    add(name, zone, Duration.ZERO);
  }

  /**
   * @param skew how far its clock is ahead
   */
  void add(String name, String zone, Duration skew) {
    String labels = zone.isEmpty() ? "{}" : "{'topology.kubernetes.io/zone':'%s'}".formatted(zone);
    cluster.create(
        Resources.NODES, "{'metadata':{'name':'%s','labels':%s}}".formatted(name, labels));
    start(new Heart(name, skew));
  }

  /** Lets a node that exists already beat. */
  private void start(Heart heart) {
    hearts.put(heart.name, heart);
    heart.lease =
        VirtualCluster.tree(
            ("{'apiVersion':'coordination.k8s.io/v1','kind':'Lease','metadata':{'name':'%s',"
                    + "'namespace':'kube-node-lease'},'spec':{'holderIdentity':'%s',"
                    + "'leaseDurationSeconds':40}}")
                .formatted(heart.name, heart.name));
    renew(heart);
    post(heart);
    // Each at a moment of its own.
    Duration phase = RENEW.multipliedBy(Math.floorMod(heart.name.hashCode(), 1000)).dividedBy(1000);
    heart.next = loop.after(phase, () -> beat(heart));
  }

  private void beat(Heart heart) {
    if (!heart.silent) {
      renew(heart);
      if (!heart.posted.plus(POST).isAfter(now())) {
        post(heart);
      }
    }
    heart.next = loop.after(RENEW, () -> beat(heart));
  }

  private Instant now() {
    return cluster.time().now();
  }

  private void renew(Heart heart) {
    String time = Times.formatMicro(now().plus(heart.skew));
    JsonObject lease = heart.lease.with("spec", heart.lease.object("spec").with("renewTime", time));
    ApiResult result =
        heart.lease.object("metadata").has("uid")
            ? cluster.admin().update(Resources.LEASES, lease)
            : cluster.admin().create(Resources.LEASES, lease);
    if (!heart.lease.object("metadata").has("uid")
        && result instanceof ApiResult.Done(JsonObject written)) {
      heart.lease = written.with("metadata", written.object("metadata").without("resourceVersion"));
    }
  }

  private void post(Heart heart) {
    heart.posted = now();
    Instant there = now().plus(heart.skew);
    JsonObject node =
        ((ApiResult.Done) cluster.admin().get(Resources.NODES, ObjectName.of(heart.name))).object();
    JsonArray conditions = node.object("status").array("conditions");
    for (String type : List.of("MemoryPressure", "DiskPressure", "PIDPressure", "Ready")) {
      String status =
          type.equals("Ready") ? heart.ready : type.equals(heart.pressure) ? "True" : "False";
      JsonObject condition =
          Conditions.condition(type, status, "Kubelet" + type, "as the node says")
              .with("lastHeartbeatTime", Times.format(there));
      conditions = Conditions.set(conditions, condition, there);
    }
    cluster.patchStatus(
        Resources.NODES,
        ObjectName.of(heart.name),
        JsonObject.of("status", JsonObject.of("conditions", conditions)).toString());
  }

  /** From now on, nothing is heard of a node. */
  void silence(String name) {
    heart(name).silent = true;
  }

  /** The node is back, as a kubelet is: it renews, and posts what it finds to be out of date. */
  void resume(String name) {
    Heart heart = heart(name);
    heart.silent = false;
    renew(heart);
    post(heart);
  }

  /** The node says whether it is ready. */
  void ready(String name, boolean ready) {
    Heart heart = heart(name);
    heart.ready = ready ? "True" : "False";
    post(heart);
  }

  /**
   * The node says that it is under pressure.
   *
   * @param type the condition; empty for none
   */
  void pressure(String name, String type) {
    Heart heart = heart(name);
    heart.pressure = type;
    post(heart);
  }

  boolean isSilent(String name) {
    return heart(name).silent;
  }

  /** The node is gone for good, and its lease with it. */
  void delete(String name) {
    Heart heart = heart(name);
    if (heart.next != null) {
      heart.next.cancel();
    }
    hearts.remove(name);
    cluster.delete(Resources.NODES, ObjectName.of(name));
    cluster.delete(Resources.LEASES, new ObjectName("kube-node-lease", name));
  }

  private Heart heart(String name) {
    Heart heart = hearts.get(name);
    if (heart == null) {
      throw new IllegalArgumentException("no node " + name);
    }
    return heart;
  }

  @Override
  public void close() {
    loop.close();
  }
}
