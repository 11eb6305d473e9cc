package dev.berth.agent.node;

import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.machine.MachineInfo;
import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.ListRequest;
import dev.berth.client.LoggedApi;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.client.event.EventRecorder;
import dev.berth.client.event.EventRecorder.EventDetails;
import dev.berth.client.heartbeat.NodeLease;
import dev.berth.client.heartbeat.RetryDelay;
import dev.berth.client.informer.InformerSet;
import dev.berth.client.informer.Informers;
import dev.berth.model.core.Condition;
import dev.berth.model.core.Views;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.nodestatus.KubeletConditions;
import dev.berth.policy.nodestatus.NodeTakeover;
import dev.berth.policy.nodestatus.ReportSchedule;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This machine as a node: registers it, or takes over the node that is there, renews its lease, and
 * reports its status.
 *
 * <ul>
 *   <li>Labels and taints of the settings are set when the node is made, and never again; the
 *       labels that every node has are set right.
 *   <li>A node that was deleted by hand is registered again.
 *   <li>A node of this name that another agent is, here or elsewhere, is left alone ({@link
 *       NodeTakeover}); the agent says so, and looks again from time to time.
 *   <li>The status is computed every ten seconds, and reported when it has changed or was not
 *       reported for five minutes.
 *   <li>When a lease can be renewed that could not, or the node be read after its watch has failed,
 *       all who wait to try the server again need not wait any longer.
 * </ul>
 *
 * <p>Threads: one loop owns all state; what blocks runs beside it. What others read of it ({@link
 * NodeState}) is written by the loop and read by any thread. All state is soft.
 */
public final class NodeAgent implements NodeState, AutoCloseable {
  private static final String NAME = "kubelet";
  private static final Logger LOG = LoggerFactory.getLogger(NAME);

  /** How often a machine that may not be its node asks again. */
  private static final Duration ASK_AGAIN = Duration.ofSeconds(10);

  /**
   * What to make it of.
   *
   * @param api the server as this node sees it
   * @param refused told why this machine may not be the node, each time it asked
   */
  public record Parts(
      Api api,
      Time time,
      AgentSettings settings,
      NodeFactsReader facts,
      NodeSources sources,
      Consumer<String> refused) {}

  private final Api api;
  private final Time time;
  private final Loop loop;
  private final AgentSettings settings;
  private final NodeFactsReader reader;
  private final NodeSources sources;
  private final Consumer<String> refused;
  private final NodeStatusBuilder builder;
  private final NodeHeartbeat heartbeat;
  private final EventRecorder events;
  private final InformerSet informers;
  private final RandomGenerator random;

  private ReportSchedule reports;

  /** The node as the server shows it; empty while there is none. */
  private volatile JsonObject shown = JsonObject.EMPTY;

  /** Whether the watch has failed and the node was not read since. */
  private volatile boolean isBehind;

  private volatile List<String> addresses = List.of();

  /** The uid of the node that this machine is; empty while it is none. */
  private String ownUid = "";

  /** Extended resources that were reported, so that those which go are taken out again. */
  private final Set<String> reportedResources = new HashSet<>();

  /** Of the node that the watch has last said is gone. */
  private String lastDeletedUid = "";

  private final List<Runnable> awaitReport = new ArrayList<>();
  private boolean isJoining;
  private Loop.@Nullable Timer nextJoin;
  private boolean statusUnderWay;
  private boolean statusWanted;
  private int failures;
  private boolean hasBegun;
  private boolean hasToldOfReboot;
  private volatile Runnable recovered = () -> {};

  private NodeAgent(Parts parts) {
    time = parts.time();
    api = new LoggedApi(parts.api(), NAME);
    settings = parts.settings();
    reader = parts.facts();
    sources = parts.sources();
    refused = parts.refused();
    loop = time.start("node");
    builder = new NodeStatusBuilder(settings, sources);
    random = time.random("node status");
    reports = ReportSchedule.every(settings.heartbeats().statusReport());
    events = EventRecorder.counting(api, loop, time, NAME);
    heartbeat =
        new NodeHeartbeat(
            api, time, loop, name(), settings.heartbeats().leaseDuration(), () -> ownUid, LOG);
    informers =
        new InformerSet(Informers.separate(api, time), loop, this::synced, this::watchFailed)
            .on(
                ListRequest.of(Resources.NODES).fields("metadata.name=" + name()),
                this::nodeChanged);
    heartbeat.onRecovery(this::serverAnswers);
  }

  private void serverAnswers() {
    informers.retryNow();
    recovered.run();
  }

  /** Has somebody told whenever a server that did not answer does again, by this node's thread. */
  public void onRecovery(Runnable told) {
    recovered = told;
  }

  /** Makes this machine a node. */
  public static NodeAgent start(Parts parts) {
    NodeAgent agent = new NodeAgent(parts);
    agent.informers.start();
    return agent;
  }

  @Override
  public String name() {
    return settings.node().name();
  }

  @Override
  public Optional<JsonObject> node() {
    JsonObject now = shown;
    return now.isEmpty() ? Optional.empty() : Optional.of(now);
  }

  @Override
  public boolean isCurrent() {
    return !isBehind;
  }

  @Override
  public List<String> addresses() {
    return addresses;
  }

  @Override
  public Set<String> pressures() {
    return sources.pressures();
  }

  @Override
  public boolean isShuttingDown() {
    return sources.isShuttingDown();
  }

  /** Has the status computed now, since something of it has changed. For any thread. */
  public void refresh() {
    loop.after(Duration.ZERO, this::syncStatus);
  }

  /**
   * The same.
   *
   * @param then told, by any thread, when the server knows; not while it cannot be told
   */
  public void refresh(Runnable then) {
    loop.after(
        Duration.ZERO,
        () -> {
          awaitReport.add(then);
          syncStatus();
        });
  }

  /** Tells of the node. For any thread. */
  public void tell(String reason, String note) {
    loop.after(Duration.ZERO, () -> record(EventRecorder.Type.NORMAL, reason, note));
  }

  /** Warns of something about the node. For any thread. */
  public void warn(String reason, String note) {
    loop.after(Duration.ZERO, () -> record(EventRecorder.Type.WARNING, reason, note));
  }

  private void watchFailed(String warning) {
    LOG.warn(warning);
    if (!isBehind && informers.isSynced()) {
      isBehind = true;
      catchUp(0);
    }
  }

  /**
   * Pods may be heard of again before the node's watch is tried again, and must not be judged by
   * taints of before.
   */
  private void catchUp(int failures) {
    boolean asked =
        loop.call(
            () -> api.get(Resources.NODES, ObjectName.of(name())),
            result -> {
              if (result instanceof ApiResult.Done(JsonObject tree)) {
                show(tree);
              } else if (!result.isNotFound()) {
                catchUpAfter(failures + 1);
                return;
              }
              isBehind = false;
              // A server that has answered all along is asked for a watch after a while.
              if (failures > 0) {
                serverAnswers();
              }
            });
    if (!asked) {
      catchUpAfter(failures + 1);
    }
  }

  private void catchUpAfter(int failures) {
    loop.after(RetryDelay.after(failures), () -> catchUp(failures));
  }

  private void synced() {
    if (shown.isEmpty()) {
      join();
    }
  }

  private void nodeChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      show(after);
    } else if (before != null) {
      lastDeletedUid = Metadata.of(before).uid();
      if (lastDeletedUid.equals(Metadata.of(shown).uid())) {
        gone();
      }
    }
  }

  private void gone() {
    LOG.warn("the node was deleted");
    shown = JsonObject.EMPTY;
    ownUid = "";
    join();
  }

  /** The server shows the node, for the first time or as it is now. */
  private void show(JsonObject tree) {
    boolean isAnother = !Metadata.of(tree).uid().equals(Metadata.of(shown).uid());
    if (!isAnother && Metadata.of(tree).isBefore(Metadata.of(shown))) {
      return;
    }
    boolean wasUnschedulable = isUnschedulable(shown);
    shown = tree;
    if (!Metadata.of(tree).uid().equals(ownUid)) {
      join();
    } else if (wasUnschedulable != isUnschedulable(tree)) {
      recordStatus(wasUnschedulable ? "NodeSchedulable" : "NodeNotSchedulable");
    }
  }

  private static boolean isUnschedulable(JsonObject node) {
    return node.object("spec").flag("unschedulable", false);
  }

  /** Makes the node, or takes over the one that is there. */
  private void join() {
    if (isJoining || (shown.isEmpty() && !settings.node().registers())) {
      return;
    }
    isJoining = true;
    JsonObject existing = shown;
    if (!loop.call(() -> join(existing), this::joined)) {
      isJoining = false;
      joinAfter(RetryDelay.after(1));
    }
  }

  /** One attempt waits at a time, whatever else asks for one. */
  private void joinAfter(Duration delay) {
    if (nextJoin != null) {
      nextJoin.cancel();
    }
    nextJoin = loop.after(delay, this::join);
  }

  /** What came of an attempt to join. */
  private sealed interface Joined {
    record Made(JsonObject node, NodeFacts facts) implements Joined {}

    record TakenOver(JsonObject node, NodeFacts facts) implements Joined {}

    record Elsewhere(String why) implements Joined {}

    record Failed(ApiResult.Failure why) implements Joined {}
  }

  /** Runs beside the loop. */
  private Joined join(JsonObject existing) {
    NodeFacts facts = reader.read();
    JsonObject node = existing;
    if (node.isEmpty()) {
      ApiResult made =
          api.create(Resources.NODES, builder.registered(facts, sources.pressures(), time.now()));
      if (made instanceof ApiResult.Done(JsonObject tree)) {
        return new Joined.Made(tree, facts);
      }
      if (!made.isAlreadyExists()) {
        return new Joined.Failed((ApiResult.Failure) made);
      }
      switch (api.get(Resources.NODES, ObjectName.of(name()))) {
        case ApiResult.Done(JsonObject found) -> node = found;
        case ApiResult.Failure failure -> {
          return new Joined.Failed(failure);
        }
      }
    }
    return takeOver(node, facts);
  }

  private Joined takeOver(JsonObject node, NodeFacts facts) {
    MachineInfo.Identity identity = facts.machine().identity();
    JsonObject lease = JsonObject.EMPTY;
    switch (api.get(Resources.LEASES, NodeLease.name(name()))) {
      case ApiResult.Done(JsonObject found) -> lease = found;
      case ApiResult.Failure failure -> {
        if (!failure.isNotFound()) {
          return new Joined.Failed(failure);
        }
      }
    }
    Optional<String> refusal =
        NodeTakeover.refusal(
            RegisteredNode.read(node, lease),
            new NodeTakeover.Machine(
                identity.machineId(), identity.systemUuid(), builder.directory()),
            time.now());
    if (refusal.isPresent()) {
      return new Joined.Elsewhere(refusal.get());
    }
    JsonObject changes = metadataChanges(node, facts);
    if (changes.isEmpty()) {
      return new Joined.TakenOver(node, facts);
    }
    return switch (api.patch(target(), PatchType.MERGE, JsonObject.of("metadata", changes))) {
      case ApiResult.Done(JsonObject patched) -> new Joined.TakenOver(patched, facts);
      case ApiResult.Failure failure -> new Joined.Failed(failure);
    };
  }

  private Target target() {
    return Target.of(Resources.NODES, ObjectName.of(name()));
  }

  /** What a node that was there before lacks of what every node has. */
  private JsonObject metadataChanges(JsonObject node, NodeFacts facts) {
    JsonObject labels = missing(Metadata.of(node).labels(), builder.ownLabels(facts));
    JsonObject annotations = missing(Metadata.of(node).annotations(), builder.annotations());
    JsonObject changes = JsonObject.EMPTY;
    if (!labels.isEmpty()) {
      changes = changes.with("labels", labels);
    }
    return annotations.isEmpty() ? changes : changes.with("annotations", annotations);
  }

  private static JsonObject missing(JsonObject has, JsonObject wanted) {
    JsonObject.Builder missing = new JsonObject.Builder();
    wanted.forEach((key, value) -> {
      if (!value.equals(has.get(key))) {
        missing.put(key, value);
      }
    });
    return missing.build();
  }

  private void joined(Joined result) {
    isJoining = false;
    switch (result) {
      case Joined.Made(JsonObject node, _) when isDeleted(node) -> gone();
      case Joined.TakenOver(JsonObject node, _) when isDeleted(node) -> gone();
      case Joined.Made(JsonObject node, NodeFacts facts) -> {
        LOG.atInfo().addKeyValue("node", name()).log("registered the node");
        become(node, facts);
        record(EventRecorder.Type.NORMAL, "Starting", "Starting kubelet.");
        reports = reports.reported(true, random.nextDouble(), time.monotonicNow());
        KubeletConditions.events(List.of(), conditions(node.object("status")))
            .forEach(this::recordStatus);
        if (statusWanted) {
          syncStatus();
        }
      }
      case Joined.TakenOver(JsonObject node, NodeFacts facts) -> {
        LOG.atInfo().addKeyValue("node", name()).log("took over the node");
        become(node, facts);
        record(EventRecorder.Type.NORMAL, "Starting", "Starting kubelet.");
        syncStatus();
      }
      case Joined.Elsewhere(String why) -> {
        LOG.error(why);
        refused.accept(why);
        joinAfter(ASK_AGAIN);
      }
      case Joined.Failed(ApiResult.Failure why) -> {
        failures++;
        if (failures == 1) {
          LOG.atWarn().addKeyValue("reason", why.message()).log("cannot register the node");
        }
        joinAfter(RetryDelay.after(failures));
      }
    }
  }

  /** Whether the watch has said so while this was still under way. */
  private boolean isDeleted(JsonObject node) {
    return Metadata.of(node).uid().equals(lastDeletedUid);
  }

  private void become(JsonObject node, NodeFacts facts) {
    failures = 0;
    shown = node;
    ownUid = Metadata.of(node).uid();
    addresses = facts.addresses();
    reportedResources.addAll(facts.extendedResources().amounts().keySet());
    heartbeat.begin();
    if (!hasBegun) {
      hasBegun = true;
      repeatStatus();
    }
  }

  private void repeatStatus() {
    loop.after(
        settings.heartbeats().statusUpdate(),
        () -> {
          syncStatus();
          repeatStatus();
        });
  }

  private void syncStatus() {
    if (ownUid.isEmpty()) {
      statusWanted = true;
      return;
    }
    if (statusUnderWay) {
      statusWanted = true;
      return;
    }
    statusWanted = false;
    statusUnderWay = loop.call(reader::read, this::report);
  }

  private void report(NodeFacts facts) {
    addresses = facts.addresses();
    JsonObject before = shown.object("status");
    JsonObject status = builder.status(before, facts, sources.pressures(), time.now());
    StatusPatch patch = StatusPatch.of(before, status, gone(facts));
    if (ownUid.isEmpty() || !(patch.isChange() || reports.isDue(time.monotonicNow()))) {
      facts.volumesInUse().ifPresent(sources::reportedInUse);
      reported();
      return;
    }
    tellOfReboot(before, facts);
    Target target = target().subresource("status");
    boolean sent =
        loop.call(
            () -> api.patch(target, PatchType.STRATEGIC, patch.tree()),
            result -> {
              if (result instanceof ApiResult.Done(JsonObject tree)) {
                accepted(before, patch, facts, tree);
                reported();
              } else {
                refused((ApiResult.Failure) result);
              }
            });
    if (!sent) {
      reported();
    }
  }

  private Set<String> gone(NodeFacts facts) {
    Set<String> gone = new HashSet<>(reportedResources);
    gone.removeAll(facts.extendedResources().amounts().keySet());
    gone.removeAll(facts.devices().capacity().keySet());
    return gone;
  }

  private void accepted(JsonObject before, StatusPatch patch, NodeFacts facts, JsonObject tree) {
    failures = 0;
    reports = reports.reported(patch.isChange(), random.nextDouble(), time.monotonicNow());
    reportedResources.clear();
    reportedResources.addAll(facts.extendedResources().amounts().keySet());
    KubeletConditions.events(conditions(before), conditions(patch.tree().object("status")))
        .forEach(this::recordStatus);
    facts.volumesInUse().ifPresent(sources::reportedInUse);
    if (Metadata.of(tree).uid().equals(ownUid)) {
      show(tree);
    }
  }

  private static List<Condition> conditions(JsonObject status) {
    return Views.list(status.array("conditions"), Condition::read);
  }

  private void refused(ApiResult.Failure why) {
    if (why.isNotFound()) {
      statusUnderWay = false;
      gone();
      return;
    }
    failures++;
    if (failures == 1) {
      LOG.atWarn().addKeyValue("reason", why.message()).log("cannot report the node's status");
    }
    loop.after(
        RetryDelay.after(failures),
        () -> {
          statusUnderWay = false;
          syncStatus();
        });
  }

  private void reported() {
    statusUnderWay = false;
    if (statusWanted) {
      syncStatus();
      return;
    }
    List<Runnable> told = List.copyOf(awaitReport);
    awaitReport.clear();
    told.forEach(Runnable::run);
  }

  private void tellOfReboot(JsonObject before, NodeFacts facts) {
    String last = before.object("nodeInfo").text("bootID", "");
    String now = facts.machine().identity().bootId();
    if (!last.isEmpty() && !last.equals(now) && !hasToldOfReboot) {
      hasToldOfReboot = true;
      record(
          EventRecorder.Type.WARNING,
          "Rebooted",
          "Node %s has been rebooted, boot id: %s".formatted(name(), now));
    }
  }

  private void recordStatus(String event) {
    record(EventRecorder.Type.NORMAL, event, "Node %s status is now: %s".formatted(name(), event));
  }

  /** Kubelets name their node by its name also where others have its uid. */
  private void record(EventRecorder.Type type, String reason, String note) {
    JsonObject node =
        new JsonObject.Builder()
            .put("kind", "Node")
            .put("apiVersion", "v1")
            .put(
                "metadata", new JsonObject.Builder().put("name", name()).put("uid", name()).build())
            .build();
    events.record(EventDetails.of(node, type, reason, "", note).reportedBy(name()));
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
