package dev.berth.hollow.pod;

import dev.berth.hollow.HollowAnnotations;
import dev.berth.hollow.fault.SimulatedFaults;
import dev.berth.hollow.node.HollowNode;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.meta.Metadata;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import dev.berth.policy.podrun.PodAdmission;
import dev.berth.policy.pressure.Observation;
import dev.berth.policy.pressure.PodConsumption;
import dev.berth.policy.pressure.PressureEviction;
import dev.berth.policy.pressure.PressureState;
import dev.berth.policy.pressure.Signal;
import dev.berth.policy.pressure.Threshold;
import dev.berth.policy.pressure.ThresholdValue;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Evicts pods of nodes that lack memory, one at a time, as a kubelet does ({@link PressureState},
 * {@link PressureEviction}).
 *
 * <p>Hollow pods use no memory. So an annotation of the node says how much is missing, and each
 * evicted pod frees what it is taken to use: what its own annotation says, else what it requests,
 * else a little. Pods that come later free and take nothing: the memory is taken to have run away
 * in pods that were there, so a replacement on the same node is not evicted for it again. Once
 * enough was freed, the node reports MemoryPressure for another five minutes, a kubelet's
 * transition period; all of it ends with the annotation.
 *
 * <p>Belongs to the loop of the hollow nodes.
 */
public final class MemoryEvictions {
  /** A kubelet's, if nothing else is configured. */
  private static final Quantity LEAST_AVAILABLE = Quantity.parse("100Mi");

  private static final Threshold THRESHOLD =
      new Threshold(
          Signal.MEMORY_AVAILABLE,
          new ThresholdValue.Amount(LEAST_AVAILABLE),
          Duration.ZERO,
          Optional.empty());

  /** What a pod uses that requests nothing and does not say. */
  private static final long ASSUMED_BYTES = 100L << 20;

  private static final Duration TRANSITION = Duration.ofMinutes(5);
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final long DEFAULT_GRACE = 30;

  private final Time time;
  private final Loop loop;
  private final PodsByNode podsByNode;
  private final HollowPods pods;
  private final Listener listener;
  private final Map<HollowNode, Shortage> shortages = new HashMap<>();

  /** Learns what nodes do. */
  public interface Listener {
    /** A node reports other conditions now. */
    void conditionsChanged(HollowNode node);

    void evicts(HollowPod pod, String why);
  }

  /** A node that lacks memory, or did until lately. */
  private static final class Shortage {
    final long missing;
    long freed;
    boolean isEvicting;
    boolean isLookPlanned;

    Shortage(long missing) {
      this.missing = missing;
    }
  }

  public MemoryEvictions(
      Time time, Loop loop, PodsByNode podsByNode, HollowPods pods, Listener listener) {
    this.time = time;
    this.loop = loop;
    this.podsByNode = podsByNode;
    this.pods = pods;
    this.listener = listener;
  }

  /** The annotations of a node may have changed, or it can be heard of again. */
  public void sync(HollowNode node) {
    long missing = node.faults().memoryMissing();
    Shortage known = shortages.get(node);
    if (missing == 0) {
      if (known != null) {
        shortages.remove(node);
        observed(node, PressureState.NONE);
      }
      return;
    }
    if (known == null || known.missing != missing) {
      shortages.put(node, new Shortage(missing));
    }
    look(node);
  }

  private void observed(HollowNode node, PressureState state) {
    if (node.observed(state)) {
      listener.conditionsChanged(node);
    }
  }

  private void look(HollowNode node) {
    Shortage shortage = shortages.get(node);
    if (shortage == null || shortage.isEvicting || !node.speaks()) {
      return;
    }
    long left = Math.max(0, LEAST_AVAILABLE.value() - shortage.missing + shortage.freed);
    ResourceList amounts = ResourceList.read(node.view().allocatable());
    Map<Signal, Observation> seen =
        Map.of(
            Signal.MEMORY_AVAILABLE,
            Observation.of(
                Signal.MEMORY_AVAILABLE, left, amounts.get(ResourceList.MEMORY).value()));
    PressureState state =
        node.pressure().observe(List.of(THRESHOLD), seen, TRANSITION, time.monotonicNow());
    observed(node, state);
    if (!evictOne(node, shortage, state, seen) && !state.conditions().isEmpty()) {
      lookLater(node, shortage);
    }
  }

  private void lookLater(HollowNode node, Shortage shortage) {
    if (!shortage.isLookPlanned) {
      shortage.isLookPlanned = true;
      loop.after(
          INTERVAL,
          () -> {
            shortage.isLookPlanned = false;
            look(node);
          });
    }
  }

  private boolean evictOne(
      HollowNode node, Shortage shortage, PressureState state, Map<Signal, Observation> seen) {
    IdentityHashMap<PodConsumption, HollowPod> candidates = new IdentityHashMap<>();
    List<PodConsumption> consumptions = new ArrayList<>();
    for (HollowPod pod : podsByNode.of(node).pods()) {
      if (pod.canBeEvicted()) {
        PodConsumption consumption = consumption(pod.tree);
        candidates.put(consumption, pod);
        consumptions.add(consumption);
      }
    }
    Optional<PressureEviction> decided =
        PressureEviction.decide(
            new PressureEviction.Node(state, seen, consumptions, false, Duration.ZERO));
    HollowPod pod = decided.map(each -> candidates.get(each.pod())).orElse(null);
    if (decided.isEmpty() || pod == null) {
      return false;
    }
    shortage.isEvicting = true;
    String why = decided.get().message().text();
    listener.evicts(pod, why);
    pods.evict(pod, why, decided.get().grace());
    return true;
  }

  /** A pod that was evicted has stopped. */
  public void freed(HollowPod pod) {
    Shortage shortage = shortages.get(pod.node());
    if (shortage != null && shortage.isEvicting) {
      shortage.freed += used(pod.tree);
      shortage.isEvicting = false;
      look(pod.node());
    }
  }

  private static PodConsumption consumption(JsonObject pod) {
    PodSpecView spec = PodSpecView.read(pod.object("spec"));
    Long grace = spec.terminationGracePeriodSeconds();
    return new PodConsumption(
        Metadata.of(pod).name(),
        spec.priority(),
        PodAdmission.isCritical(pod),
        grace == null ? DEFAULT_GRACE : grace,
        EffectiveResources.requests(spec.withoutOverhead()),
        ResourceList.read(spec.requests()),
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.of(new PodConsumption.Usage(used(pod), 1, List.of(), Map.of())));
  }

  private static long used(JsonObject pod) {
    long requested =
        EffectiveResources.requests(PodSpecView.read(pod.object("spec")))
            .get(ResourceList.MEMORY)
            .value();
    return SimulatedFaults.bytes(Metadata.of(pod).annotations(), HollowAnnotations.MEMORY_USED)
        .orElse(requested > 0 ? requested : ASSUMED_BYTES);
  }
}
