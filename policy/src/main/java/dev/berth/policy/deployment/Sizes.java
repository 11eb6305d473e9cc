package dev.berth.policy.deployment;

import static dev.berth.model.meta.WellKnownAnnotations.DEPLOYMENT_DESIRED_REPLICAS;
import static dev.berth.model.meta.WellKnownAnnotations.DEPLOYMENT_MAX_REPLICAS;

import dev.berth.model.apps.ReplicaSetView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How many pods each set of a deployment is to have next. Each step gives sizes for the sets that
 * it is about, and is repeated when the sets have followed.
 */
final class Sizes {
  private Sizes() {}

  static boolean isActive(ReplicaSetView set) {
    return set.replicas() > 0;
  }

  /** How many pods it has or is to have, whichever is more: it may not have heard of less yet. */
  private static long held(ReplicaSetView set) {
    return Math.max(set.replicas(), set.statusReplicas());
  }

  /** How many of the pods that it is to have are available. */
  private static long available(ReplicaSetView set) {
    return Math.min(set.replicas(), set.availableReplicas());
  }

  /** A set with another size, and what the deployment was to have then. */
  static ReplicaSetView resized(ReplicaSetView set, long size, ReplicaBounds bounds) {
    String desired = Long.toString(bounds.replicas());
    String most = Long.toString(bounds.most());
    JsonObject annotated = Metadata.annotate(set.tree(), DEPLOYMENT_DESIRED_REPLICAS, desired);
    annotated = Metadata.annotate(annotated, DEPLOYMENT_MAX_REPLICAS, most);
    return new ReplicaSetView(annotated).withReplicas(size);
  }

  private static long sum(List<ReplicaSetView> sets) {
    return sets.stream().mapToLong(ReplicaSetView::replicas).sum();
  }

  /**
   * How large the newest set may be during a rolling update: as all pods together allow. Unlike
   * upstream, pods that a set still has but is to lose count as well, so that there are never more
   * than the replicas and the surge.
   */
  static long ofNewest(ReplicaBounds bounds, long size, List<ReplicaSetView> all) {
    if (size >= bounds.replicas() || bounds.recreate()) {
      return bounds.replicas();
    }
    long room = bounds.most() - all.stream().mapToLong(Sizes::held).sum();
    return size + Math.clamp(room, 0, bounds.replicas() - size);
  }

  /**
   * The sizes of old sets when some of their pods can go.
   *
   * <ol>
   *   <li>Pods that are not available go first: losing them makes nothing worse. Yet so many pods
   *       stay that, once all of the new ones are available, enough are.
   *   <li>Then those beyond the number that must be available.
   *   <li>The oldest sets give first.
   * </ol>
   */
  static Map<ReplicaSetView, Long> ofOld(
      ReplicaBounds bounds, ReplicaSetView newest, List<ReplicaSetView> old) {
    Map<ReplicaSetView, Long> sizes = new LinkedHashMap<>();
    List<ReplicaSetView> active =
        old.stream().filter(Sizes::isActive).sorted(SetOrder.OLDEST_FIRST).toList();
    long newestMissing = newest.replicas() - available(newest);
    long mayGo = sum(active) + newest.replicas() - bounds.fewest() - newestMissing;
    if (active.isEmpty() || mayGo <= 0) {
      return sizes;
    }
    long available = available(newest);
    for (ReplicaSetView set : active) {
      long unhealthy = Math.min(mayGo, set.replicas() - available(set));
      mayGo -= unhealthy;
      sizes.put(set, set.replicas() - unhealthy);
      available += available(set);
    }
    long surplus = available - bounds.fewest();
    for (ReplicaSetView set : active) {
      long size = sizes.getOrDefault(set, 0L);
      long gives = Math.clamp(surplus, 0, size);
      surplus -= gives;
      sizes.put(set, size - gives);
    }
    sizes.entrySet().removeIf(entry -> entry.getValue() == entry.getKey().replicas());
    return sizes;
  }

  /**
   * The sizes when the deployment itself has become larger or smaller, perhaps during an update.
   *
   * <ol>
   *   <li>A single set with pods, or else the newest, gets all replicas.
   *   <li>If the newest has all replicas and they are available, the others get none.
   *   <li>Otherwise what is added or taken is shared among the sets in proportion to their sizes;
   *       what is left over goes to the largest.
   * </ol>
   */
  static Map<ReplicaSetView, Long> scaled(
      ReplicaBounds bounds,
      Optional<ReplicaSetView> newest,
      List<ReplicaSetView> old,
      long statusReplicas) {
    List<ReplicaSetView> active = new ArrayList<>(old.stream().filter(Sizes::isActive).toList());
    newest.filter(Sizes::isActive).ifPresent(active::add);
    Map<ReplicaSetView, Long> sizes = new LinkedHashMap<>();
    if (active.size() < 2) {
      active.stream()
          .findFirst()
          .or(() -> newest)
          .or(() -> old.stream().max(SetOrder.OLDEST_FIRST))
          .ifPresent(only -> sizes.put(only, bounds.replicas()));
      return sizes;
    }
    if (newest.filter(set -> isSaturated(bounds, set)).isPresent()) {
      old.stream().filter(Sizes::isActive).forEach(set -> sizes.put(set, 0L));
      return sizes;
    }
    return bounds.recreate() ? sizes : inProportion(bounds, active, statusReplicas);
  }

  private static boolean isSaturated(ReplicaBounds bounds, ReplicaSetView set) {
    return set.replicas() == bounds.replicas()
        && set.deploymentReplicas().equals(Optional.of(bounds.replicas()))
        && set.availableReplicas() == bounds.replicas();
  }

  private static Map<ReplicaSetView, Long> inProportion(
      ReplicaBounds bounds, List<ReplicaSetView> active, long statusReplicas) {
    long allowed = bounds.replicas() > 0 ? bounds.most() : 0;
    long toAdd = allowed - sum(active);
    List<ReplicaSetView> order = new ArrayList<>(active);
    order.sort(toAdd < 0 ? SetOrder.LARGEST_THEN_OLDEST : SetOrder.LARGEST_THEN_NEWEST);
    Map<ReplicaSetView, Long> sizes = new LinkedHashMap<>();
    long left = toAdd;
    for (ReplicaSetView set : order) {
      long share = left == 0 ? 0 : share(bounds, set, statusReplicas);
      share = Math.clamp(share, Math.min(left, 0), Math.max(left, 0));
      left -= share;
      sizes.put(set, set.replicas() + share);
    }
    sizes.merge(order.getFirst(), left, (size, rest) -> Math.max(0, size + rest));
    return sizes;
  }

  private static long share(ReplicaBounds bounds, ReplicaSetView set, long statusReplicas) {
    if (bounds.replicas() == 0) {
      return -set.replicas();
    }
    long before = set.deploymentMaxReplicas().filter(most -> most > 0).orElse(statusReplicas);
    return before == 0
        ? 0
        : Math.round((double) set.replicas() * bounds.most() / before) - set.replicas();
  }
}
