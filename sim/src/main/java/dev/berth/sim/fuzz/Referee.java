package dev.berth.sim.fuzz;

import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ListRequest;
import dev.berth.client.Target;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.policy.node.ZoneSettings;
import dev.berth.scheduler.KnownCluster;
import dev.berth.sim.fuzz.invariant.AcknowledgedWrites;
import dev.berth.sim.fuzz.invariant.BudgetsKept;
import dev.berth.sim.fuzz.invariant.CachesEqualStore;
import dev.berth.sim.fuzz.invariant.ClusterState;
import dev.berth.sim.fuzz.invariant.Convergence;
import dev.berth.sim.fuzz.invariant.EvictionRateKept;
import dev.berth.sim.fuzz.invariant.Invariant;
import dev.berth.sim.fuzz.invariant.JobsCountedOnce;
import dev.berth.sim.fuzz.invariant.NodesWithinCapacity;
import dev.berth.sim.fuzz.invariant.SchedulerEqualsStore;
import dev.berth.sim.fuzz.invariant.StatefulIdentities;
import dev.berth.sim.fuzz.invariant.StoreChange;
import dev.berth.sim.fuzz.invariant.TolerationsHold;
import dev.berth.sim.fuzz.invariant.VolumesAttachedOnce;
import dev.berth.store.Store;
import dev.berth.time.VirtualTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows each write that the store acknowledges to all invariants, and remembers the first thing
 * that was wrong.
 */
final class Referee {
  private static final String ROOT = "/registry/";

  private final VirtualTime time;
  private final Supplier<String> sender;
  private final ClusterState state = new ClusterState();
  private final AcknowledgedWrites writes = new AcknowledgedWrites();
  private final CachesEqualStore caches = new CachesEqualStore();
  private final Convergence convergence = new Convergence();
  private final List<Invariant> incremental =
      List.of(
          new NodesWithinCapacity(),
          new TolerationsHold(),
          new EvictionRateKept(ZoneSettings.DEFAULT.nodesPerSecond()),
          new BudgetsKept(),
          new StatefulIdentities(FuzzCluster.HOLLOW),
          new JobsCountedOnce(),
          new VolumesAttachedOnce());
  private @Nullable Violation first;
  private long changes;
  private long digest;

  /** What was wrong. */
  record Violation(String invariant, String at, String what) {}

  /**
   * @param sender whose request the server is at
   */
  Referee(VirtualTime time, Supplier<String> sender) {
    this.time = time;
    this.sender = sender;
  }

  ClusterState state() {
    return state;
  }

  /** How many writes it has looked at. */
  long changes() {
    return changes;
  }

  /** A number that all writes so far have made. */
  long digest() {
    return digest;
  }

  Optional<Violation> violation() {
    return Optional.ofNullable(first);
  }

  void violated(String invariant, String what) {
    if (first == null) {
      first = new Violation(invariant, time.monotonicNow().toString(), what);
    }
  }

  /** A write was acknowledged. */
  void written(String key, Optional<Store.Entry> entry) {
    changes++;
    digest =
        31 * (31 * digest + key.hashCode())
            + entry.map(e -> Arrays.hashCode(e.value())).orElse(0)
            + time.monotonicNow().hashCode();
    writes.written(key, entry.map(Store.Entry::revision).orElse(Store.ABSENT));
    int slash = key.indexOf('/', ROOT.length());
    String resource = key.substring(ROOT.length(), slash);
    if (!ClusterState.KEPT.contains(resource)) {
      return;
    }
    ObjectName name = ObjectName.parse(key.substring(slash + 1));
    StoreChange change =
        new StoreChange(
            resource,
            name,
            state.find(resource, name),
            entry.map(Referee::tree).orElse(null),
            time.monotonicNow(),
            sender.get());
    state.apply(change);
    for (Invariant invariant : incremental) {
      invariant.changed(change, state).ifPresent(what -> violated(invariant.words(), what));
    }
  }

  /** The tree that the server has made of it, which is shared with all who read it. */
  private static JsonObject tree(Store.Entry entry) {
    return entry.view(JsonObject.class, e -> JsonReader.object(e.value(), JsonLimits.TRUSTED));
  }

  /** The server has answered a request. */
  void answered(ApiRequest sent, ApiResult result) {
    ApiRequest request = sent.asked();
    boolean isWrite =
        request instanceof ApiRequest.Create
            || request instanceof ApiRequest.Update
            || request instanceof ApiRequest.Patch;
    Target target = request.target();
    String resource = target.resource().groupResource().toString();
    boolean isOfObject = target.subresource().isEmpty() || target.subresource().equals("status");
    if (isWrite
        && isOfObject
        && ClusterState.KEPT.contains(resource)
        && result instanceof ApiResult.Done(JsonObject answer)) {
      ObjectName name = ObjectName.of(answer);
      writes
          .answered(resource, name, answer, state.find(resource, name))
          .ifPresent(what -> violated(writes.words(), what));
    }
  }

  /** Compares the store with all that was acknowledged. */
  void compare(Store store) {
    writes.compare(store).ifPresent(what -> violated(writes.words(), what));
  }

  /** Compares what somebody holds in caches with what was acknowledged. */
  void compareCaches(String owner, Map<ListRequest, List<JsonObject>> held) {
    held.forEach((what, objects) -> {
      String resource = what.resource().groupResource().toString();
      if (what.equals(ListRequest.of(what.resource())) && ClusterState.KEPT.contains(resource)) {
        caches
            .compare(owner, resource, objects, state)
            .ifPresent(wrong -> violated(caches.words(), wrong));
      }
    });
  }

  /** Compares what the scheduler knows with what was acknowledged. */
  void compareScheduler(KnownCluster known) {
    SchedulerEqualsStore.compare(known, state).ifPresent(wrong -> violated(caches.words(), wrong));
  }

  /** What has not become what it should be; empty if everything has. */
  Optional<String> unconverged() {
    return convergence.quiet(state);
  }

  void neverConverged(String what) {
    violated(convergence.words(), what);
  }

  /** Judges the cluster when nobody has anything left to do. */
  void quiet() {
    for (Invariant invariant : incremental) {
      invariant.quiet(state).ifPresent(what -> violated(invariant.words(), what));
    }
  }
}
