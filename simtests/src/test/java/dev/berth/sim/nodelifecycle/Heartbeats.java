package dev.berth.sim.nodelifecycle;

import dev.berth.client.ApiResult;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
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
 * Sends the heartbeats of nodes, and does nothing else of what a kubelet does: registers them,
 * renews their leases every ten seconds, each at its own moment, and posts their status every five
 * minutes and when it changes.
 */
final class Heartbeats implements AutoCloseable {
  private static final Duration RENEW = Duration.ofSeconds(10);
  private static final int RENEWALS_IN_A_LEASE = 4;
  private static final Duration POST = Duration.ofMinutes(5);

  private final VirtualCluster cluster;
  private final Loop loop;
  private final Map<String, Heartbeat> heartbeats = new LinkedHashMap<>();

  Heartbeats(VirtualCluster cluster) {
    this.cluster = cluster;
    loop = cluster.time().start("heartbeats");
  }

  /** One node's. */
  private static final class Heartbeat {
    final String name;
    final Duration skew;
    final Duration renew;
    boolean silent;
    String ready = "True";
    String pressure = "";
    JsonObject lease = JsonObject.EMPTY;
    Instant posted = Instant.MIN;
    Loop.@Nullable Timer next;

    Heartbeat(String name, Duration skew, Duration renew) {
      this.name = name;
      this.skew = skew;
      this.renew = renew;
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
    add(name, zone, skew, RENEW);
  }

  /**
   * @param renew how often it renews its lease
   */
  void add(String name, String zone, Duration skew, Duration renew) {
    String labels = zone.isEmpty() ? "{}" : "{'topology.kubernetes.io/zone':'%s'}".formatted(zone);
    cluster.create(
        Resources.NODES, "{'metadata':{'name':'%s','labels':%s}}".formatted(name, labels));
    start(new Heartbeat(name, skew, renew));
  }

  /** Lets a node that exists already beat. */
  private void start(Heartbeat heartbeat) {
    heartbeats.put(heartbeat.name, heartbeat);
    heartbeat.lease =
        VirtualCluster.tree(
            ("{'apiVersion':'coordination.k8s.io/v1','kind':'Lease','metadata':{'name':'%s',"
                    + "'namespace':'kube-node-lease'},'spec':{'holderIdentity':'%s',"
                    + "'leaseDurationSeconds':%d}}")
                .formatted(
                    heartbeat.name,
                    heartbeat.name,
                    heartbeat.renew.multipliedBy(RENEWALS_IN_A_LEASE).toSeconds()));
    renew(heartbeat);
    post(heartbeat);
    // Each at a moment of its own.
    Duration phase =
        heartbeat
            .renew
            .multipliedBy(Math.floorMod(heartbeat.name.hashCode(), 1000))
            .dividedBy(1000);
    heartbeat.next = loop.after(phase, () -> beat(heartbeat));
  }

  private void beat(Heartbeat heartbeat) {
    if (!heartbeat.silent) {
      renew(heartbeat);
      if (!heartbeat.posted.plus(POST).isAfter(now())) {
        post(heartbeat);
      }
    }
    heartbeat.next = loop.after(heartbeat.renew, () -> beat(heartbeat));
  }

  private Instant now() {
    return cluster.time().now();
  }

  private void renew(Heartbeat heartbeat) {
    String time = Times.formatMicro(now().plus(heartbeat.skew));
    JsonObject lease =
        heartbeat.lease.with("spec", heartbeat.lease.object("spec").with("renewTime", time));
    ApiResult result =
        heartbeat.lease.object("metadata").has("uid")
            ? cluster
                .admin()
                .patch(
                    Target.of(Resources.LEASES, ObjectName.of(lease)),
                    PatchType.MERGE,
                    JsonObject.of("spec", lease.object("spec")))
            : cluster.admin().create(Resources.LEASES, lease);
    if (!heartbeat.lease.object("metadata").has("uid")
        && result instanceof ApiResult.Done(JsonObject written)) {
      heartbeat.lease =
          written.with("metadata", written.object("metadata").without("resourceVersion"));
    }
  }

  private void post(Heartbeat heartbeat) {
    heartbeat.posted = now();
    Instant there = now().plus(heartbeat.skew);
    JsonObject node =
        ((ApiResult.Done) cluster.admin().get(Resources.NODES, ObjectName.of(heartbeat.name)))
            .object();
    JsonArray conditions = node.object("status").array("conditions");
    for (String type : List.of("MemoryPressure", "DiskPressure", "PIDPressure", "Ready")) {
      String status =
          type.equals("Ready")
              ? heartbeat.ready
              : type.equals(heartbeat.pressure) ? "True" : "False";
      JsonObject condition =
          Conditions.condition(type, status, "Kubelet" + type, "as the node says")
              .with("lastHeartbeatTime", Times.format(there));
      conditions = Conditions.set(conditions, condition, there);
    }
    cluster.patchStatus(
        Resources.NODES,
        ObjectName.of(heartbeat.name),
        JsonObject.of("status", JsonObject.of("conditions", conditions)).toString());
  }

  /** From now on, nothing is heard of a node. */
  void silence(String name) {
    heartbeat(name).silent = true;
  }

  /** The node is back, as a kubelet is: it renews, and posts what it finds to be out of date. */
  void resume(String name) {
    Heartbeat heartbeat = heartbeat(name);
    heartbeat.silent = false;
    renew(heartbeat);
    post(heartbeat);
  }

  /** The node says whether it is ready. */
  void ready(String name, boolean ready) {
    Heartbeat heartbeat = heartbeat(name);
    heartbeat.ready = ready ? "True" : "False";
    post(heartbeat);
  }

  /**
   * The node says that it is under pressure.
   *
   * @param type the condition; empty for none
   */
  void pressure(String name, String type) {
    Heartbeat heartbeat = heartbeat(name);
    heartbeat.pressure = type;
    post(heartbeat);
  }

  boolean isSilent(String name) {
    return heartbeat(name).silent;
  }

  /** The node is gone for good, and its lease with it. */
  void delete(String name) {
    Heartbeat heartbeat = heartbeat(name);
    if (heartbeat.next != null) {
      heartbeat.next.cancel();
    }
    heartbeats.remove(name);
    cluster.delete(Resources.NODES, ObjectName.of(name));
    cluster.delete(Resources.LEASES, new ObjectName("kube-node-lease", name));
  }

  private Heartbeat heartbeat(String name) {
    Heartbeat heartbeat = heartbeats.get(name);
    if (heartbeat == null) {
      throw new IllegalArgumentException("no node " + name);
    }
    return heartbeat;
  }

  @Override
  public void close() {
    loop.close();
  }
}
