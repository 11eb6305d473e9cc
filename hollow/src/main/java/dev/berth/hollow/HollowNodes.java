package dev.berth.hollow;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.EventRecorder;
import dev.berth.client.InformerSet;
import dev.berth.client.Informers;
import dev.berth.client.ListRequest;
import dev.berth.client.Resources;
import dev.berth.hollow.pod.Refusal;
import dev.berth.metrics.Metrics;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Simulated nodes, many of them, that run until they are closed. They register, renew their leases,
 * post their status, and start, stop and refuse pods as real ones would, but run nothing.
 *
 * <p>One loop owns all nodes and pods; one watch of nodes and one of pods serve them all. A node
 * can be told to fall silent, to come back, or to report problems, by {@linkplain HollowAnnotations
 * its annotations} on any server, and by {@link #silence} and {@link #resume} in this process. All
 * state is soft: nodes that are started again take over what is on the server.
 */
public final class HollowNodes implements AutoCloseable {
  /** How long a node lets the server show something else before it says again how it is. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

  private static final int LEASES_AT_ONCE = 64;
  private static final int OTHERS_AT_ONCE = 64;

  /**
   * What to make them of.
   *
   * @param api the server, as somebody who may be any node sees it
   * @param warnings gets sentences for the operator
   */
  public record Parts(
      Api api, Time time, Metrics metrics, HollowSettings settings, Consumer<String> warnings) {}

  private final Time time;
  private final Loop loop;
  private final InformerSet informers;
  private final HollowSettings settings;
  private final Consumer<String> warnings;
  private final NodeBuilder form;
  private final HollowMetrics metrics;
  private final Leases leases;
  private final NodeStatuses statuses;
  private final HollowVolumes volumes;
  private final HollowPods hollowPods;
  private final HollowNode[] nodes;
  private final Map<String, HollowNode> byName;
  private final Map<String, HollowPod> pods = new HashMap<>();
  private boolean complained;

  private HollowNodes(Parts parts) {
    time = parts.time();
    settings = parts.settings();
    warnings = parts.warnings();
    loop = time.start("hollow");
    form = new NodeBuilder(settings);
    metrics = new HollowMetrics(parts.metrics());
    Api api = parts.api();
    leases =
        new Leases(
            api,
            time,
            loop,
            new BoundedRequests(loop, LEASES_AT_ONCE),
            settings.heartbeats().leaseDuration(),
            metrics);
    BoundedRequests others = new BoundedRequests(loop, OTHERS_AT_ONCE);
    volumes = new HollowVolumes(new Volumes());
    statuses = new NodeStatuses(api, time, loop, others, form, new Answers(), volumes::isSynced);
    EventRecorder events = new EventRecorder(api, loop, time, "kubelet", "hollow");
    hollowPods =
        new HollowPods(
            time,
            loop,
            settings,
            new PodRequests(api, loop, others, this::look),
            metrics,
            volumes,
            (pod, refusal) -> recordRefusal(events, pod, refusal));
    int count = settings.fleet().nodes();
    nodes = new HollowNode[count];
    byName = HashMap.newHashMap(count);
    for (int i = 0; i < count; i++) {
      nodes[i] = new HollowNode(i, form.name(i));
      byName.put(nodes[i].name(), nodes[i]);
      metrics.count(nodes[i]);
    }
    informers =
        new InformerSet(Informers.separate(api, time), loop, this::begin, warnings)
            .on(Resources.NODES, this::nodeChanged)
            .on(Resources.CSI_DRIVERS, volumes::driverChanged)
            .on(Resources.PERSISTENT_VOLUMES, volumes::volumeChanged)
            .on(Resources.PERSISTENT_VOLUME_CLAIMS, volumes::claimChanged)
            .on(
                Resources.VOLUME_ATTACHMENTS,
                new HollowAttacher(api, loop, new BoundedRequests(loop, OTHERS_AT_ONCE))::changed)
            .on(ListRequest.of(Resources.PODS).fields("spec.nodeName!="), this::podChanged);
  }

  /** Registers the nodes and begins to run what is bound to them. */
  public static HollowNodes start(Parts parts) {
    HollowNodes started = new HollowNodes(parts);
    started.informers.start();
    return started;
  }

  /**
   * Cuts a node off: it sends nothing any more, while its pods run on.
   *
   * @throws IllegalArgumentException if there is no such node
   */
  public void silence(String node) {
    silence(node, true);
  }

  /** Brings a node back that was cut off by {@link #silence}. */
  public void resume(String node) {
    silence(node, false);
  }

  private void silence(String name, boolean silent) {
    HollowNode node = byName.get(name);
    if (node == null) {
      throw new IllegalArgumentException("There is no hollow node " + name + " here.");
    }
    loop.after(
        Duration.ZERO,
        () -> {
          boolean before = node.isSilent();
          node.silenced = silent;
          changedSilence(node, before);
        });
  }

  /** Everything that was on the server is known: what is missing is made. */
  private void begin() {
    if (nodes.length == 0) {
      return;
    }
    for (HollowNode node : nodes) {
      if (!node.isRegistered()) {
        statuses.register(node);
      }
    }
    volumes.synced(nodes);
    var random = time.random("hollow nodes");
    turn(
        new Wheel(nodes.length, settings.heartbeats().renewEvery(), time.monotonicNow(), random),
        leases::renew);
    turn(
        new Wheel(nodes.length, settings.heartbeats().statusPeriod(), time.monotonicNow(), random),
        statuses::post);
    new FaultInjector(time, loop, settings.mishaps().notReadyPerHour(), nodes, this::wellBeing)
        .begin();
  }

  private void turn(Wheel wheel, Consumer<HollowNode> turn) {
    wheel.takeDue(time.monotonicNow(), index -> turn.accept(nodes[index]));
    Duration wait = Duration.between(time.monotonicNow(), wheel.due());
    loop.after(wait, () -> turn(wheel, turn));
  }

  private void wellBeing(HollowNode node) {
    metrics.count(node);
    statuses.post(node);
    if (!node.unwell) {
      lookAgain(node);
    }
  }

  private void nodeChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      HollowNode node = byName.get(Metadata.of(after).name());
      if (node != null) {
        shown(node, after);
      }
    } else if (before != null) {
      HollowNode node = byName.get(Metadata.of(before).name());
      if (node != null && node.uid().equals(Metadata.of(before).uid())) {
        node.gone();
        metrics.count(node);
      }
    }
  }

  /** The server shows a node, for the first time or as it is now. */
  private void shown(HollowNode node, JsonObject tree) {
    boolean another = !Metadata.of(tree).uid().equals(node.uid());
    if (!another && Revisions.isOlder(tree, node.tree())) {
      return;
    }
    SimulatedFaults before = node.orders();
    boolean wasSilent = node.isSilent();
    if (another) {
      node.mounts().hasSaidNothing();
    }
    node.shown(tree);
    metrics.count(node);
    volumes.shown(node);
    SimulatedFaults orders = node.orders();
    if (!orders.equals(before) && !orders.unknown().isEmpty()) {
      warnings.accept(
          "%s was told to report %s; it knows %s"
              .formatted(node.name(), orders.unknown(), SimulatedFaults.KNOWN));
    }
    if (another) {
      speakUp(node);
    } else if (wasSilent != node.isSilent()) {
      changedSilence(node, wasSilent);
    } else if (!orders.equals(before)) {
      statuses.post(node);
      lookAgain(node);
    } else if (NodeConditions.differ(node.shownConditions(), node.conditions(time.now()))) {
      lookAgain(node);
    }
  }

  private void changedSilence(HollowNode node, boolean before) {
    metrics.count(node);
    if (before && !node.isSilent() && node.isRegistered()) {
      statuses.post(node);
      speakUp(node);
    }
  }

  /** A node is heard of again, or for the first time: it says how it and its pods are. */
  private void speakUp(HollowNode node) {
    if (!node.speaks()) {
      return;
    }
    leases.renew(node);
    if (!form.isComplete(node, node.tree())) {
      statuses.adopt(node);
    }
    compare(node);
  }

  private void lookAgain(HollowNode node) {
    if (!node.looksAgain && node.speaks()) {
      node.looksAgain = true;
      loop.after(
          LOOK_AGAIN,
          () -> {
            node.looksAgain = false;
            compare(node);
          });
    }
  }

  /** Says once more what the server shows differently, and does what is to be done. */
  private void compare(HollowNode node) {
    if (!node.speaks()) {
      return;
    }
    boolean hasNews = volumes.isSynced() && !node.mounts().isSaid(node);
    if (hasNews || NodeConditions.differ(node.shownConditions(), node.conditions(time.now()))) {
      statuses.post(node);
    }
    // The pods of a node that is not ready are not ready either, whoever said so.
    boolean judges = node.notReady().isEmpty();
    for (HollowPod pod : node.pods()) {
      pod.changed |= judges && pod.isMisjudged();
      hollowPods.look(pod);
    }
  }

  private void look(HollowPod pod) {
    hollowPods.look(pod);
  }

  private void podChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after == null) {
      if (before != null) {
        forget(Metadata.of(before).uid());
      }
      return;
    }
    HollowNode node = byName.get(after.object("spec").text("nodeName", ""));
    if (node == null) {
      return;
    }
    HollowPod pod = pods.get(Metadata.of(after).uid());
    if (pod == null) {
      pod = new HollowPod(node, after);
      pods.put(pod.uid(), pod);
      node.pods().add(pod);
    } else if (Revisions.isOlder(after, pod.tree)) {
      return;
    } else {
      pod.tree = after;
    }
    if (!pod.underWay && pod.isMisjudged()) {
      if (!after.object("spec").array("readinessGates").isEmpty()) {
        pod.changed = true;
      } else {
        lookAgain(node);
      }
    }
    hollowPods.look(pod);
  }

  private void forget(String uid) {
    HollowPod pod = pods.remove(uid);
    if (pod != null) {
      pod.node().pods().remove(pod);
      hollowPods.forget(pod);
    }
  }

  private static void recordRefusal(EventRecorder events, HollowPod pod, Refusal refusal) {
    events.record(
        pod.tree, EventRecorder.Type.WARNING, refusal.reason(), "Admitting", refusal.message());
  }

  /** What is to be done about volumes. */
  private final class Volumes implements HollowVolumes.Listener {
    @Override
    public void report(HollowNode node) {
      statuses.post(node);
    }

    @Override
    public void ready(HollowPod pod) {
      hollowPods.mounted(pod);
    }
  }

  /** What the server answers to nodes. */
  private final class Answers implements NodeStatuses.Listener {
    @Override
    public void shown(HollowNode node, JsonObject tree) {
      HollowNodes.this.shown(node, tree);
    }

    @Override
    public void refused(HollowNode node, ApiResult.Failure why) {
      // One sentence stands for thousands of nodes that hear the same.
      if (!complained) {
        complained = true;
        warnings.accept("cannot register node " + node.name() + ": " + why.message());
      }
    }
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
