package dev.berth.hollow.fleet;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.ListRequest;
import dev.berth.client.LoggedApi;
import dev.berth.client.Resources;
import dev.berth.client.event.EventRecorder;
import dev.berth.client.event.EventRecorder.EventDetails;
import dev.berth.client.informer.InformerSet;
import dev.berth.client.informer.Informers;
import dev.berth.hollow.HollowAnnotations;
import dev.berth.hollow.HollowSettings;
import dev.berth.hollow.fault.FaultInjector;
import dev.berth.hollow.fault.SimulatedFaults;
import dev.berth.hollow.node.HollowNode;
import dev.berth.hollow.node.Leases;
import dev.berth.hollow.node.NodeBuilder;
import dev.berth.hollow.node.NodeMetrics;
import dev.berth.hollow.node.NodeStatuses;
import dev.berth.hollow.node.StaggeredSchedule;
import dev.berth.hollow.node.UnsentHeartbeats;
import dev.berth.hollow.pod.HollowPod;
import dev.berth.hollow.pod.HollowPods;
import dev.berth.hollow.pod.MemoryEvictions;
import dev.berth.hollow.pod.NodePods;
import dev.berth.hollow.pod.PodMetrics;
import dev.berth.hollow.pod.PodStatusManager;
import dev.berth.hollow.pod.PodsByNode;
import dev.berth.hollow.volume.HollowAttacher;
import dev.berth.hollow.volume.HollowVolumes;
import dev.berth.metrics.Metrics;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.podrun.AdmissionRejection;
import dev.berth.time.Loop;
import dev.berth.time.LoopLimits;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Simulated nodes, many of them, that run until they are closed. They register, renew their leases,
 * post their status, and start, stop and refuse pods as real ones would, but run nothing.
 *
 * <p>One loop owns all nodes and pods; one watch of nodes and one of pods serve them all. A node
 * can be made silent, brought back, or made to report problems, by {@linkplain HollowAnnotations
 * its annotations} on any server, and by {@link #silence} and {@link #resume} in this process. All
 * state is soft: nodes that are started again take over what is on the server.
 */
public final class HollowNodes implements AutoCloseable {
  private static final String NAME = "hollow";
  private static final Logger LOG = LoggerFactory.getLogger(NAME);

  /** How long a node lets the server show another status before it posts its own again. */
  private static final Duration COMPARE_AFTER = Duration.ofSeconds(10);

  private static final int LEASES_AT_ONCE = 64;

  /** Nodes that have connections of their own do not wait for each other. */
  private static final int LEASES_AT_ONCE_WITH_IDENTITIES = 1_000;

  private static final int OTHERS_AT_ONCE = 64;

  /**
   * What to make them of.
   *
   * @param api the server, as somebody who may be any node sees it
   * @param identities the server as each node sees it, which registers there and reports its
   *     health; empty if they do that as somebody who may be any node, too
   */
  public record Parts(
      Api api,
      Time time,
      Metrics metrics,
      HollowSettings settings,
      Optional<Function<String, Api>> identities) {

    /** Nodes without identities of their own. */
    public Parts(Api api, Time time, Metrics metrics, HollowSettings settings) {
      this(api, time, metrics, settings, Optional.empty());
    }
  }

  private final Time time;
  private final Loop loop;
  private final InformerSet informers;
  private final HollowSettings settings;
  private final NodeBuilder builder;
  private final NodeMetrics metrics;
  private final Leases leases;
  private final NodeStatuses statuses;
  private final HollowVolumes volumes;
  private final HollowPods hollowPods;
  private final MemoryEvictions memory;
  private final HollowNode[] nodes;
  private final Map<String, HollowNode> byName;
  private final PodsByNode podsByNode = new PodsByNode();
  private final Map<String, HollowPod> pods = new HashMap<>();

  /** The nodes that will soon compare what the server shows with what they know. */
  private final BitSet comparing = new BitSet();

  /** When nodes would have been heard of that send no heartbeats; null if they do. */
  private @Nullable UnsentHeartbeats unsent;

  private boolean hasWarned;

  private HollowNodes(Parts parts) {
    time = parts.time();
    settings = parts.settings();
    boolean own = parts.identities().isPresent();
    int leasesAtOnce = own ? LEASES_AT_ONCE_WITH_IDENTITIES : LEASES_AT_ONCE;
    loop =
        time.start(
            NAME, new LoopLimits(LoopLimits.DEFAULT.events(), leasesAtOnce + 3 * OTHERS_AT_ONCE));
    builder = new NodeBuilder(settings);
    metrics = new NodeMetrics(parts.metrics());
    Api api = new LoggedApi(parts.api(), NAME);
    Function<String, Api> identities =
        parts
            .identities()
            .<Function<String, Api>>map(apis -> node -> new LoggedApi(apis.apply(node), NAME))
            .orElse(_ -> api);
    leases =
        new Leases(
            identities,
            time,
            loop,
            new BoundedRequests(loop, leasesAtOnce),
            settings.heartbeats().leaseDuration(),
            metrics);
    BoundedRequests others = new BoundedRequests(loop, OTHERS_AT_ONCE);
    volumes = new HollowVolumes(podsByNode, new VolumeListener());
    statuses =
        new NodeStatuses(identities, time, loop, others, builder, new StatusListener(), volumes);
    EventRecorder events = EventRecorder.counting(api, loop, time, "kubelet");
    hollowPods =
        new HollowPods(
            time,
            loop,
            settings,
            new PodStatusManager(api, loop, others, this::sync),
            new PodMetrics(parts.metrics()),
            volumes,
            new PodListener(events));
    memory = new MemoryEvictions(time, loop, podsByNode, hollowPods, new MemoryListener(events));
    int count = settings.fleet().nodes();
    nodes = new HollowNode[count];
    byName = HashMap.newHashMap(count);
    for (int i = 0; i < count; i++) {
      nodes[i] = new HollowNode(i, builder.name(i));
      byName.put(nodes[i].name(), nodes[i]);
      metrics.count(nodes[i]);
    }
    informers =
        new InformerSet(Informers.separate(api, time), loop, this::begin, LOG)
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
          node.silence(silent);
          silenceChanged(node, before);
        });
  }

  /**
   * When a node last renewed its lease or posted its status by now, without having sent it; {@link
   * Instant#MIN} if it never did. To be asked on the thread of virtual time alone.
   */
  public Instant lastUnsentHeartbeat(String name, Instant now) {
    HollowNode node = byName.get(name);
    return node == null || unsent == null
        ? Instant.MIN
        : unsent.last(node.index(), node.lastAudible(now));
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
    Instant now = time.monotonicNow();
    HollowSettings.Heartbeats often = settings.heartbeats();
    var renewals = new StaggeredSchedule(nodes.length, often.renewEvery(), now, random);
    var posts = new StaggeredSchedule(nodes.length, often.statusPeriod(), now, random);
    if (often.areSent()) {
      repeat(renewals, leases::renew);
      repeat(posts, statuses::post);
    } else {
      unsent = new UnsentHeartbeats(renewals, posts);
    }
    new FaultInjector(time, loop, settings.mishaps().notReadyPerHour(), nodes.length, this::failed)
        .start();
  }

  private void repeat(StaggeredSchedule schedule, Consumer<HollowNode> action) {
    schedule.takeDue(time.monotonicNow(), index -> action.accept(nodes[index]));
    Duration wait = Duration.between(time.monotonicNow(), schedule.due());
    loop.after(wait, () -> repeat(schedule, action));
  }

  /** A node has failed by chance, or has recovered. */
  private void failed(boolean now, int index) {
    HollowNode node = nodes[index];
    node.fail(now);
    metrics.count(node);
    statuses.post(node);
    if (!now) {
      compareSoon(node);
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
    if (!another && Metadata.of(tree).isBefore(Metadata.of(node.tree()))) {
      return;
    }
    SimulatedFaults before = node.faults();
    boolean wasSilent = node.isSilent();
    if (another) {
      volumes.forgetReports(node);
    }
    node.shown(tree);
    metrics.count(node);
    volumes.shown(node);
    SimulatedFaults faults = node.faults();
    if (another || faults.memoryMissing() != before.memoryMissing()) {
      memory.sync(node);
    }
    if (!faults.equals(before)) {
      for (String problem : faults.problems()) {
        LOG.atWarn().addKeyValue("node", node.name()).log("cannot simulate {}", problem);
      }
    }
    if (another) {
      resumeReports(node);
    } else if (wasSilent != node.isSilent()) {
      silenceChanged(node, wasSilent);
    } else if (!faults.equals(before)) {
      statuses.post(node);
      compareSoon(node);
    } else if (node.isMisreported(time.now())) {
      compareSoon(node);
    }
  }

  private void silenceChanged(HollowNode node, boolean before) {
    metrics.count(node);
    if (!before && node.isSilent()) {
      node.fellSilent(time.monotonicNow());
    }
    if (before && !node.isSilent() && node.isRegistered()) {
      statuses.post(node);
      resumeReports(node);
    }
  }

  /** A node is back, or was registered: it reports how it and its pods are. */
  private void resumeReports(HollowNode node) {
    if (!node.speaks()) {
      return;
    }
    leases.renew(node);
    memory.sync(node);
    if (!builder.isComplete(node, node.tree())) {
      statuses.adopt(node);
    }
    compare(node);
  }

  private void compareSoon(HollowNode node) {
    if (!comparing.get(node.index()) && node.speaks()) {
      comparing.set(node.index());
      loop.after(
          COMPARE_AFTER,
          () -> {
            comparing.clear(node.index());
            compare(node);
          });
    }
  }

  /** Posts again what the server shows differently, and syncs the pods. */
  private void compare(HollowNode node) {
    if (!node.speaks()) {
      return;
    }
    if (volumes.toReport(node).isPresent() || node.isMisreported(time.now())) {
      statuses.post(node);
    }
    // The pods of a node that is not ready are not ready either, whoever wrote that.
    boolean ready = node.notReady().isEmpty();
    for (HollowPod pod : podsByNode.of(node).pods()) {
      if (ready && pod.isMisjudged()) {
        pod.markChanged();
      }
      hollowPods.sync(pod);
    }
  }

  private void sync(HollowPod pod) {
    hollowPods.sync(pod);
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
      NodePods home = podsByNode.of(node);
      pod = new HollowPod(home, after);
      pods.put(pod.uid(), pod);
      home.pods().add(pod);
    } else if (Metadata.of(after).isBefore(Metadata.of(pod.tree()))) {
      return;
    } else {
      pod.shown(after);
    }
    if (!pod.hasRequestUnderWay() && pod.isMisjudged()) {
      if (!after.object("spec").array("readinessGates").isEmpty()) {
        pod.markChanged();
      } else {
        compareSoon(node);
      }
    }
    hollowPods.sync(pod);
  }

  private void forget(String uid) {
    HollowPod pod = pods.remove(uid);
    if (pod != null) {
      podsByNode.of(pod.node()).pods().remove(pod);
      hollowPods.forget(pod);
    }
  }

  private static void warn(
      EventRecorder events, HollowPod pod, String reason, String action, String message) {
    events.record(
        EventDetails.of(pod.tree(), EventRecorder.Type.WARNING, reason, action, message)
            .reportedBy(pod.node().name()));
  }

  /** What nodes did with pods. */
  private final class PodListener implements HollowPods.Listener {
    private final EventRecorder events;

    PodListener(EventRecorder events) {
      this.events = events;
    }

    @Override
    public void refused(HollowPod pod, AdmissionRejection why) {
      warn(events, pod, why.reason(), "Admitting", why.message());
    }

    @Override
    public void evicted(HollowPod pod) {
      memory.freed(pod);
    }
  }

  /** What nodes that lack memory do. */
  private final class MemoryListener implements MemoryEvictions.Listener {
    private final EventRecorder events;

    MemoryListener(EventRecorder events) {
      this.events = events;
    }

    @Override
    public void conditionsChanged(HollowNode node) {
      statuses.post(node);
      compareSoon(node);
    }

    @Override
    public void evicts(HollowPod pod, String why) {
      warn(events, pod, "Evicted", "", why);
    }
  }

  /** What is to be done about volumes. */
  private final class VolumeListener implements HollowVolumes.Listener {
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
  private final class StatusListener implements NodeStatuses.Listener {
    @Override
    public void shown(HollowNode node, JsonObject tree) {
      HollowNodes.this.shown(node, tree);
    }

    @Override
    public void refused(HollowNode node, ApiResult.Failure why) {
      // One warning stands for thousands of nodes with the same problem.
      if (!hasWarned) {
        hasWarned = true;
        LOG.atWarn()
            .addKeyValue("node", node.name())
            .addKeyValue("reason", why.message())
            .log("cannot register a node; further ones are not logged");
      }
    }
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
