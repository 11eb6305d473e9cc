package dev.berth.policy.deployment;

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

  private static long sum(List<SetView> sets) {
    return sets.stream().mapToLong(SetView::size).sum();
  }

  /**
   * How large the newest set may be during a rolling update: as all pods together allow. Unlike
   * upstream, pods that a set still has but is to lose count as well, so that there are never more
   * than the replicas and the surge.
   */
  static long ofNewest(DeploymentSpec spec, long size, List<SetView> all) {
    if (size >= spec.replicas() || spec.recreate()) {
      return spec.replicas();
    }
    long room = spec.most() - all.stream().mapToLong(SetView::held).sum();
    return size + Math.clamp(room, 0, spec.replicas() - size);
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
  static Map<SetView, Long> ofOld(DeploymentSpec spec, SetView newest, List<SetView> old) {
    Map<SetView, Long> sizes = new LinkedHashMap<>();
    List<SetView> active =
        old.stream().filter(SetView::isActive).sorted(SetView.OLDEST_FIRST).toList();
    long newestMissing = newest.size() - newest.available();
    long mayGo = sum(active) + newest.size() - spec.fewest() - newestMissing;
    if (active.isEmpty() || mayGo <= 0) {
      return sizes;
    }
    long available = newest.available();
    for (SetView set : active) {
      long unhealthy = Math.min(mayGo, set.size() - set.available());
      mayGo -= unhealthy;
      sizes.put(set, set.size() - unhealthy);
      available += set.available();
    }
    long surplus = available - spec.fewest();
    for (SetView set : active) {
      long size = sizes.getOrDefault(set, 0L);
      long gives = Math.clamp(surplus, 0, size);
      surplus -= gives;
      sizes.put(set, size - gives);
    }
    sizes.entrySet().removeIf(entry -> entry.getValue() == entry.getKey().size());
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
  static Map<SetView, Long> scaled(
      DeploymentSpec spec, Optional<SetView> newest, List<SetView> old, long statusReplicas) {
    List<SetView> active = new ArrayList<>(old.stream().filter(SetView::isActive).toList());
    newest.filter(SetView::isActive).ifPresent(active::add);
    Map<SetView, Long> sizes = new LinkedHashMap<>();
    if (active.size() < 2) {
      active.stream()
          .findFirst()
          .or(() -> newest)
          .or(() -> old.stream().max(SetView.OLDEST_FIRST))
          .ifPresent(only -> sizes.put(only, spec.replicas()));
      return sizes;
    }
    if (newest.filter(set -> isSaturated(spec, set)).isPresent()) {
      old.stream().filter(SetView::isActive).forEach(set -> sizes.put(set, 0L));
      return sizes;
    }
    return spec.recreate() ? sizes : inProportion(spec, active, statusReplicas);
  }

  private static boolean isSaturated(DeploymentSpec spec, SetView set) {
    return set.size() == spec.replicas()
        && set.desired().equals(Optional.of(spec.replicas()))
        && set.availableReplicas() == spec.replicas();
  }

  private static Map<SetView, Long> inProportion(
      DeploymentSpec spec, List<SetView> active, long statusReplicas) {
    long allowed = spec.replicas() > 0 ? spec.most() : 0;
    long toAdd = allowed - sum(active);
    List<SetView> order = new ArrayList<>(active);
    order.sort(toAdd < 0 ? SetView.LARGEST_THEN_OLDEST : SetView.LARGEST_THEN_NEWEST);
    Map<SetView, Long> sizes = new LinkedHashMap<>();
    long left = toAdd;
    for (SetView set : order) {
      long share = left == 0 ? 0 : share(spec, set, statusReplicas);
      share = Math.clamp(share, Math.min(left, 0), Math.max(left, 0));
      left -= share;
      sizes.put(set, set.size() + share);
    }
    sizes.merge(order.getFirst(), left, (size, rest) -> Math.max(0, size + rest));
    return sizes;
  }

  private static long share(DeploymentSpec spec, SetView set, long statusReplicas) {
    if (spec.replicas() == 0) {
      return -set.size();
    }
    long before = set.most().filter(most -> most > 0).orElse(statusReplicas);
    return before == 0 ? 0 : Math.round((double) set.size() * spec.most() / before) - set.size();
  }
}
