package dev.berth.scheduler.whatif;

import dev.berth.client.Resources;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.affinity.PodSelection;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.decision.Decider;
import dev.berth.scheduler.decision.Decision;
import dev.berth.scheduler.decision.Diagnosis;
import dev.berth.scheduler.decision.PodFilters;
import dev.berth.scheduler.message.FailureMessage;
import dev.berth.scheduler.plugin.Profile;
import dev.berth.scheduler.plugin.Refusal;
import dev.berth.scheduler.plugin.volume.VolumeBinding;
import dev.berth.scheduler.preemption.Budgets;
import dev.berth.scheduler.preemption.Preemption;
import dev.berth.scheduler.preemption.PreemptionDecision;
import dev.berth.scheduler.profile.Profiles;
import dev.berth.scheduler.profile.SchedulerConfiguration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What the scheduler would do: the same cluster in columns, the same profiles, plugins and
 * preemption, on objects that somebody puts here instead of an API server. It decides and never
 * acts; {@link #trial} says what would be if things were different.
 *
 * <p>Pods count on the node that they name, unless they have ended. A pod that waits and is
 * nominated to a node counts as nominated. Owned by one thread.
 */
public final class WhatIfScheduler {
  private static final String PODS = Resources.PODS.groupResource().toString();

  /** More selections than the cluster keeps counts of would push each other out. */
  private static final int MOST_COUNTED = 1_000;

  private static final PreemptionDecision NO_PREEMPTION =
      new PreemptionDecision.NoHelp(0, new TreeMap<>());

  private final Cluster cluster = new Cluster();
  private final Budgets budgets = new Budgets();
  private final WhatIfObjects objects = new WhatIfObjects(cluster, budgets);
  private final Preemption preemption = new Preemption(cluster, budgets);
  private final Profiles profiles;
  private final Map<String, Decider> deciders = new HashMap<>();
  private final Map<ObjectName, PodInfo> pods = new HashMap<>();

  /**
   * @param random chooses among nodes that are equally good
   */
  public WhatIfScheduler(SchedulerConfiguration configuration, RandomGenerator random) {
    profiles = Profiles.make(configuration);
    for (String name : profiles.schedulerNames()) {
      deciders.put(name, new Decider(cluster, profile(name), random));
    }
  }

  private Profile profile(String schedulerName) {
    Profile profile = profiles.find(schedulerName);
    if (profile == null) {
      throw new IllegalArgumentException("There is no profile " + schedulerName);
    }
    return profile;
  }

  // What is there.

  /**
   * Adds an object, or a new revision of it.
   *
   * @param resource such as {@code pods} or {@code storageclasses.storage.k8s.io}; others than the
   *     scheduler reads do not matter
   */
  public void put(String resource, JsonObject object) {
    if (resource.equals(PODS)) {
      put(cluster.read(object));
    } else {
      objects.put(resource, object);
    }
  }

  private void put(PodInfo pod) {
    takeOut(pod.name());
    if (pod.view().phase().finished()) {
      return;
    }
    pods.put(pod.name(), pod);
    if (!pod.nodeName().isEmpty()) {
      cluster.add(pod, pod.nodeName());
    } else if (!pod.nominatedNode().isEmpty() && isTried(pod)) {
      cluster.nominations().put(pod, pod.nominatedNode());
    }
  }

  /**
   * Adds all pods that there are, and begins to count those that belong together, as default
   * spreading does when one of them is placed. Counting begins with a walk over all pods: before
   * many are placed, it is cheaper to begin while there are none.
   */
  public void putToBePlacedAnew(List<JsonObject> trees) {
    Set<PodSelection> selections = new HashSet<>();
    List<PodInfo> read = trees.stream().map(cluster::read).toList();
    for (PodInfo pod : read) {
      LabelSelector selector = cluster.owners().selectorOf(pod);
      if (!selector.selectsEverything() && selections.size() < MOST_COUNTED) {
        selections.add(PodSelection.remaining(pod.name().namespace(), selector));
      }
    }
    selections.forEach(cluster.podCounts()::of);
    read.forEach(this::put);
  }

  public void remove(String resource, JsonObject object) {
    if (resource.equals(PODS)) {
      takeOut(ObjectName.of(object));
    } else {
      objects.remove(resource, ObjectName.of(object));
    }
  }

  private void takeOut(ObjectName name) {
    PodInfo before = pods.remove(name);
    if (before != null) {
      cluster.nominations().remove(before);
      if (!before.nodeName().isEmpty()) {
        cluster.remove(before, before.nodeName());
      }
    }
  }

  /** An object as it was last put, found by its name; null if it is not there. */
  @Nullable JsonObject find(String resource, JsonObject object) {
    ObjectName name = ObjectName.of(object);
    if (!resource.equals(PODS)) {
      return objects.find(resource, name);
    }
    PodInfo pod = pods.get(name);
    return pod == null ? null : pod.tree();
  }

  /** The cluster in columns, to look at; changes go through this class. */
  public Cluster cluster() {
    return cluster;
  }

  /** Begins to try something out; close it before anything else is done. */
  public Trial trial() {
    return new Trial(this);
  }

  // What would be done.

  private boolean isTried(PodInfo pod) {
    return notTried(pod) == null;
  }

  private Verdict.@Nullable NotTried notTried(PodInfo pod) {
    Profile profile = profiles.find(pod.view().spec().schedulerName());
    if (profile == null) {
      return new Verdict.NotTried(Verdict.Why.OTHER_SCHEDULER);
    }
    if (pod.view().terminating()) {
      return new Verdict.NotTried(Verdict.Why.TERMINATING);
    }
    if (pod.hasSchedulingGates()) {
      return new Verdict.NotTried(Verdict.Why.GATED);
    }
    return profile.filters().stream().anyMatch(plugin -> plugin.holds(pod, cluster))
        ? new Verdict.NotTried(Verdict.Why.HELD)
        : null;
  }

  /** Decides about a pod that is on no node, wherever it is known. */
  public Verdict decide(JsonObject tree) {
    return decide(cluster.read(tree));
  }

  private Verdict decide(PodInfo pod) {
    Verdict.NotTried not = notTried(pod);
    if (not != null) {
      return not;
    }
    return switch (decision(pod)) {
      case Decision.Placed placed ->
          new Verdict.Placed(cluster.node(placed.node()).name(), placed.feasible());
      case Decision.Unschedulable(Diagnosis diagnosis) -> {
        PreemptionDecision preempts = preemption(pod);
        yield new Verdict.Unschedulable(FailureMessage.of(diagnosis, preempts.message()), preempts);
      }
    };
  }

  /** The node that a pod would be bound to; empty if there is none. Preemption is not asked. */
  public Optional<String> nodeFor(JsonObject tree) {
    PodInfo pod = cluster.read(tree);
    return isTried(pod) && decision(pod) instanceof Decision.Placed placed
        ? Optional.of(cluster.node(placed.node()).name())
        : Optional.empty();
  }

  /** Decides, and puts the pod on the node if there is one, with the volumes that it gets there. */
  public Verdict place(JsonObject tree) {
    PodInfo pod = cluster.read(tree);
    Verdict verdict = decide(pod);
    if (verdict instanceof Verdict.Placed(String node, int _)) {
      int index = cluster.indexOf(node);
      profile(pod.view().spec().schedulerName()).filters().stream()
          .filter(VolumeBinding.class::isInstance)
          .map(plugin -> ((VolumeBinding) plugin).plan(pod, index, cluster))
          .filter(plan -> !plan.isEmpty())
          .forEach(cluster.volumes()::assume);
      put(PODS, tree.update("spec", spec -> spec.with("nodeName", node)));
    }
    return verdict;
  }

  private Decision decision(PodInfo pod) {
    Decider decider = deciders.get(pod.view().spec().schedulerName());
    if (decider == null) {
      throw new IllegalStateException("Only pods of known schedulers are tried.");
    }
    return decider.decide(pod);
  }

  private PreemptionDecision preemption(PodInfo pod) {
    String scheduler = pod.view().spec().schedulerName();
    return profiles.preempts(scheduler)
        ? preemption.decide(pod, profile(scheduler))
        : NO_PREEMPTION;
  }

  /** Why a node is refused to a pod, by every filter; none if it would do or is not there. */
  public List<Refusal> refusals(JsonObject tree, String node) {
    PodInfo pod = cluster.read(tree);
    int index = cluster.indexOf(node);
    return index < 0
        ? List.of()
        : new PodFilters(profile(pod.view().spec().schedulerName()), pod, cluster).refusals(index);
  }

  /** Why each node is refused to a pod, by every filter; a node that would do gives no reason. */
  public List<NodeRefusals> refusals(JsonObject tree) {
    PodInfo pod = cluster.read(tree);
    Profile profile = profile(pod.view().spec().schedulerName());
    Set<String> nominated = new HashSet<>();
    if (!cluster.nominations().isEmpty()
        && decision(pod) instanceof Decision.Unschedulable(Diagnosis diagnosis)) {
      diagnosis.refusals().forEach(each -> nominated.add(each.node()));
    }
    PodFilters filters = new PodFilters(profile, pod, cluster);
    List<NodeRefusals> all = new ArrayList<>(cluster.size());
    for (int node = 0; node < cluster.limit(); node++) {
      if (cluster.exists(node)) {
        String name = cluster.node(node).name();
        var refusals = filters.refusals(node);
        all.add(new NodeRefusals(name, refusals, refusals.isEmpty() && nominated.contains(name)));
      }
    }
    return all;
  }
}
